# Jobs of same_results.sh: hard spheres in shear and extension.

frames="output.frames=0.1 output.contacts=true"
OUTPUT="[output]
frames = 0.1
contacts = true"
OPEN="[domain]
boundary = \"open\""
# Particles with friction.
HARD="[particles]
count = 60
volume_fraction = 0.52
[contact]
friction = 0.5"
# Friction, and what is written; further lines belong to [drive].
RUBBING="[contact]
friction = 0.5
[output]
frames = 0.002
contacts = true
[drive]"

# --- Many particles: threads, and conjugate gradients in single precision. ---

many="output.frames=0.01 output.contacts=true"
marked pressed larger 4500 0.52 "$RUBBING
strain = 0.004"
pressed large 3000 0.5 "$RUBBING
strain = 0.02"
shipped large-smooth suspension.toml particles.count=3000 "$many" drive.strain=0.02
pressed larger-smooth 4300 0.55 "[drive]
strain = 0.01
$OUTPUT"
pressed larger-stress 4300 0.5 "$RUBBING
stress = 50
strain = 0.003"
pressed larger-load 4200 0.52 "${RUBBING/0.5/0.5
critical_load = 5}
rate = 0.2
strain = 0.003
[repulsion]
force = 1
debye_length = 0.02
[attraction]
hamaker = 0.1"
pressed larger-inertia 4200 0.5 "$RUBBING
strain = 0.003
[inertia]
stokes = 0.1"
pressed larger-verlet 4200 0.5 "${RUBBING/0.5/0.5
stiffness = 2e4}
strain = 2e-4
[inertia]
stokes = 1
scheme = \"verlet\""
pressed large-two-body 1000 0.5 "$RUBBING
strain = 0.005
[lubrication]
hydrodynamics = \"two-body\""
pressed larger-two-body 4200 0.45 "$RUBBING
strain = 0.0005
[lubrication]
hydrodynamics = \"two-body\""
shipped large-soft soft_suspension.toml particles.count=600 "$many" drive.strain=0.01
shipped large-rough rough_suspension.toml particles.count=600 \
    particles.volume_fraction=0.55 rough.roughness=0.05 "$many" drive.strain=0.01
shipped gluey_funnel gluey_funnel.toml drive.time=0.04 output.interval=0.004 \
    output.frames=0.02
shipped gluey_funnel-few gluey_funnel.toml particles.count=300 drive.time=0.4 \
    output.frames=0.1

# --- Laws and solvers. ---

few="particles.count=60 $frames"
marked shipped suspension suspension.toml "$few" drive.strain=0.5
marked shipped friction suspension.toml "$few" contact.friction=1 drive.strain=0.3
shipped friction-loose suspension.toml "$few" contact.friction=0.3 contact.stiffness=1e4 \
    contact.damping=10 contact.tangential_ratio=0.5 drive.strain=0.5
shipped interval suspension.toml "$few" contact.friction=0.5 output.interval=0.05 \
    drive.strain=0.5
marked shipped structure suspension.toml particles.count=40 lubrication.outer_gap=0.3 \
    contact.friction=0.5 "$frames" drive.strain=4
shipped accuracy suspension.toml particles.count=40 particles.volume_fraction=0.4 \
    accuracy.relative_error=0.1 output.interval=0.07 drive.strain=20
shipped polydisperse suspension.toml "$few" particles.spread=0.1 particles.seed=7 \
    domain.aspect='[1.2,1,0.9]' fluid.viscosity=0.5 drive.rate=2 drive.strain=0.3
shipped truncated suspension.toml "$few" lubrication.cutoff="'\"truncated\"'" \
    lubrication.outer_gap=0.2 drive.strain=0.3
shipped no-lubrication suspension.toml "$few" lubrication.enabled=false \
    contact.friction=0.5 drive.strain=0.2
shipped trajectory suspension.toml "$few" time.aim="'\"trajectory\"'" drive.strain=0.05
shipped direct suspension.toml "$few" solver.method="'\"direct\"'" contact.friction=0.5 \
    drive.strain=0.2
shipped conjugate suspension.toml particles.count=40 lubrication.outer_gap=0.3 \
    solver.method="'\"cg\"'" "$frames" drive.strain=0.6
marked shipped stress suspension.toml "$few" drive.stress=20 contact.friction=0.5 \
    drive.strain=0.2
marked shipped thickening thickening.toml particles.count=100 "$frames" drive.strain=0.2
shipped thickening-stress thickening.toml particles.count=100 "$frames" drive.stress=0.5 \
    drive.strain=0.2
shipped jammed thickening.toml particles.count=60 particles.volume_fraction=0.58 "$frames" \
    contact.friction=1 drive.stress=5 drive.strain=0.1
marked shipped repulsion suspension.toml "$few" repulsion.force=1 \
    repulsion.debye_length=0.02 drive.rate=0.01 drive.strain=0.3
shipped repulsion-friction suspension.toml "$few" repulsion.force=1 contact.friction=1 \
    repulsion.debye_length=0.05 drive.rate=0.1 drive.strain=0.3
marked shipped attraction suspension.toml "$few" attraction.hamaker=1 drive.rate=0.1 \
    drive.strain=0.2
shipped attraction-range suspension.toml "$few" attraction.hamaker=1 attraction.range=0.2 \
    attraction.regularisation=0.02 contact.friction=0.5 drive.rate=1 drive.strain=0.2
marked shipped two-body suspension.toml "$few" lubrication.hydrodynamics="'\"two-body\"'" \
    drive.strain=0.2
shipped two-body-stress suspension.toml "$few" lubrication.hydrodynamics="'\"two-body\"'" \
    contact.friction=0.5 drive.stress=20 drive.strain=0.1
shipped two-body-extension suspension.toml particles.count=100 "$frames" \
    lubrication.hydrodynamics="'\"two-body\"'" drive.flow="'\"extension\"'" \
    particles.volume_fraction=0.4 drive.strain=0.2

# --- Particles that touch from the beginning. ---

rubbing=${RUBBING/0.002/0.02}
marked pressed touching 100 0.55 "$rubbing
strain = 0.1"
pressed touching-smooth 100 0.58 "[drive]
strain = 0.2
$OUTPUT"
marked pressed touching-stress 100 0.52 "$rubbing
stress = 50
strain = 0.1"
marked pressed touching-load 100 0.55 "${rubbing/0.5/0.5
critical_load = 5
damping = 1}
rate = 0.2
strain = 0.1"
pressed touching-load-stress 100 0.55 "${rubbing/0.5/0.5
critical_load = 5}
stress = 5
strain = 0.1"
pressed touching-forces 100 0.52 "$rubbing
strain = 0.1
[repulsion]
force = 1
debye_length = 0.02
[attraction]
hamaker = 0.5"
marked pressed touching-two-body 100 0.5 "$rubbing
strain = 0.05
[lubrication]
hydrodynamics = \"two-body\""
marked pressed touching-inertia 100 0.52 "$rubbing
strain = 0.1
[inertia]
stokes = 0.1"
marked pressed touching-verlet 100 0.5 "${rubbing/0.5/0.5
stiffness = 2e4}
strain = 0.01
[inertia]
stokes = 1
scheme = \"verlet\""
pressed touching-direct 60 0.5 "$rubbing
strain = 0.05
[solver]
method = \"direct\""
pressed touching-oscillation 100 0.5 "${rubbing%\[drive]*}[drive.oscillation]
amplitude = 0.05
cycles = 2"
pressed touching-cross 100 0.5 "$rubbing
strain = 0.02
[drive.cross]
amplitude = 0.03
frequency = 15"
pressed touching-trajectory 60 0.5 "$rubbing
strain = 0.02
[time]
aim = \"trajectory\""

# --- Protocols. ---

marked shipped cross_shear cross_shear.toml particles.count=60 "$frames" drive.strain=0.3
marked shipped extension extension.toml particles.count=100 "$frames" drive.strain=1.1
shipped extension-friction extension.toml particles.count=100 contact.friction=0.5 \
    "$frames" drive.strain=0.3
marked shipped oscillation oscillation.toml particles.count=60 drive.oscillation.cycles=2 \
    drive.oscillation.amplitude=0.3 output.contacts=true
shipped oscillation-long oscillation.toml particles.count=60 contact.friction=0 \
    drive.oscillation.cycles=5 drive.oscillation.amplitude=0.3
shipped extension-oscillation oscillation.toml particles.count=100 contact.friction=0 \
    drive.flow="'\"extension\"'" drive.oscillation.cycles=1
shipped reversal reversal.toml particles.count=60 "$frames" \
    drive.phase="'[{rate=1.0,strain=0.5},{rate=-1.0,strain=0.3}]'"
marked written reversal-short "$HARD
[[drive.phase]]
rate = 1
strain = 0.5
[[drive.phase]]
rate = -1
strain = 0.3
$OUTPUT"
marked written stress-ramp-short "$HARD
critical_load = 2
[[drive.phase]]
stress = 10
strain = 0.1
[[drive.phase]]
stress = 10
to = 40
strain = 0.1
[[drive.phase]]
rate = 0
time = 0.1
[[drive.phase]]
rate = 0
to = 2
time = 0.1
$OUTPUT"
shipped stress_ramp stress_ramp.toml particles.count=60 "$frames" \
    "drive.phase='[{stress=10.0,strain=0.2},{stress=10.0,to=100.0,strain=0.2},'\
'{rate=0.0,time=0.1}]'"
