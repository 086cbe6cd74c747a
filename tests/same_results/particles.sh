# Jobs of same_results.sh: inertia, soft, rough and gluey particles, obstacles, a few spheres.

# --- Inertia. ---

few="particles.count=60 contact.friction=0.5 $frames"
marked shipped inertia suspension.toml "$few" inertia.stokes=0.1 drive.strain=0.2
marked shipped verlet suspension.toml "$few" inertia.stokes=0.5 drive.strain=0.02 \
    inertia.scheme="'\"verlet\"'" contact.stiffness=2e4 output.interval=0.001 \
    output.frames=0.005
shipped verlet-half suspension.toml particles.count=60 inertia.density=1 drive.strain=0.01 \
    inertia.scheme="'\"verlet\"'" inertia.prediction="'\"half\"'" inertia.safety=0.1 \
    contact.stiffness=2e4 output.interval=0.001 output.frames=0.005
shipped inertia-stress suspension.toml "$few" inertia.stokes=0.1 drive.stress=20 \
    drive.strain=0.05
shipped inertia-extension extension.toml particles.count=100 inertia.density=1 "$frames" \
    drive.strain=0.2
shipped inertia-oscillation oscillation.toml particles.count=60 inertia.stokes=0.1 \
    drive.oscillation.cycles=1 drive.oscillation.amplitude=0.1
shipped inertia-two-body suspension.toml "$few" inertia.stokes=0.1 drive.strain=0.1 \
    lubrication.hydrodynamics="'\"two-body\"'"
marked shipped inertia-soft soft_suspension.toml particles.count=60 \
    particles.volume_fraction=0.5 inertia.stokes=0.1 "$frames" drive.strain=0.1
marked shipped inertia-rough rough_suspension.toml particles.count=60 inertia.stokes=0.1 \
    "$frames" drive.strain=0.1
shipped inertia-spheres two_spheres.toml inertia.stokes=0.1 output.frames=0.1
shipped verlet-spheres two_spheres.toml inertia.stokes=0.1 drive.time=1 \
    inertia.scheme="'\"verlet\"'" output.frames=0.05
shipped inertia-t1 t1.toml inertia.stokes=0.1 output.frames=1
shipped inertia-settle falling_sphere.toml inertia.stokes=300 settle.contact_number=1000
shipped inertia-settle-response falling_sphere.toml inertia.stokes=1000 \
    settle.until="'\"response\"'" settle.roughness=1e-2
shipped inertia-pair pair_shear.toml inertia.stokes=0.1 pair.roughness=1e-3

# --- Soft and rough particles. ---

marked shipped soft_suspension soft_suspension.toml particles.count=60 \
    particles.volume_fraction=0.5 "$frames" drive.strain=0.2
shipped soft-dense soft_suspension.toml particles.count=80 soft.modulus=1e4 "$frames" \
    drive.strain=0.05
shipped soft-options soft_suspension.toml particles.count=60 soft.c_n=2 soft.c_t=0.5 \
    soft.rolling=true attraction.hamaker=1 particles.volume_fraction=0.45 "$frames" \
    drive.strain=0.1
shipped soft-stress soft_suspension.toml particles.count=60 particles.volume_fraction=0.5 \
    drive.stress=20 "$frames" drive.strain=0.1
shipped soft-few soft_suspension.toml particles.count=36 soft.range=0.2 \
    particles.volume_fraction=0.4 "$frames" drive.strain=0.2
marked shipped rough_suspension rough_suspension.toml particles.count=60 "$frames" \
    rough.roughness=0.05 drive.strain=0.3
shipped rough-smooth rough_suspension.toml particles.count=60 rough.friction=0 "$frames" \
    drive.strain=0.2
shipped rough-auto rough_suspension.toml particles.count=60 rough.stiffness="'\"auto\"'" \
    rough.rolling="'\"printed\"'" rough.ending="'\"truncated\"'" rough.asperity_ratio=2 \
    "$frames" drive.strain=0.1
shipped rough-two-body rough_suspension.toml particles.count=60 "$frames" \
    rough.hydrodynamics="'\"two-body\"'" drive.strain=0.1
shipped rough-stress rough_suspension.toml particles.count=60 drive.stress=10 "$frames" \
    drive.strain=0.1
shipped rough-repulsion rough_suspension.toml particles.count=60 drive.rate=0.5 \
    repulsion.force=1 repulsion.debye_length=0.05 "$frames" drive.strain=0.1

# --- A few spheres. ---

marked shipped two_spheres two_spheres.toml output.frames=0.1 output.contacts=true
shipped two_spheres-ramp two_spheres.toml drive.ramp=2 drive.force='[0,1,0]' \
    contact.friction=0 output.frames=0.1
shipped no-rotation two_spheres.toml particles.rotation=false drive.rate=0 output.frames=0.1
marked shipped t1 t1.toml output.frames=1
shipped t1-pull t1.toml t1.load="'\"pull\"'" t1.kappa=0.01 t1.symmetric=false output.frames=1
shipped t1-wedge t1.toml t1.force_x_ratio=0.3 t1.drag=false t1.c_n=2 t1.ramp=0.5
marked shipped soft_pair soft_pair.toml output.frames=10
shipped soft_pair-press soft_pair.toml soft_pair.load="'\"press\"'" soft_pair.drag=true \
    soft_pair.gap=0.1
marked shipped falling_sphere falling_sphere.toml output.frames=5
shipped falling_sphere-drains falling_sphere.toml settle.contact_number=0.5
shipped falling_sphere-smooth falling_sphere.toml settle.roughness=0
marked shipped pair_shear pair_shear.toml output.frames=1
shipped pair_shear-lubrication pair_shear.toml pair.hydrodynamics="'\"lubrication\"'" \
    output.frames=1
shipped pair_shear-normal pair_shear.toml pair.hydrodynamics="'\"lubrication\"'" \
    pair.components="'\"normal\"'" pair.rotation=false pair.stiffness=1e6
shipped pair_shear-rough pair_shear.toml pair.roughness=1e-2 pair.friction=0.5 \
    pair.stiffness=1e4 pair.offset_z=0.2 'pair.radii=[1.0,1.4]' output.frames=1
shipped pair_shear-rigid pair_shear.toml pair.roughness=1e-2 pair.friction=0.3 pair.offset=0.5
marked shipped collision collision.toml output.frames=0.1
shipped collision-wall collision.toml collision.partner="'\"wall\"'" collision.angle_deg=30
shipped collision-steel collision.toml collision.material="'\"steel-1\"'" \
    collision.stokes=1000 collision.angle_deg=60 collision.roughness=1e-6 \
    collision.prediction="'\"half\"'"
marked shipped gluey_plane gluey_plane.toml output.frames=0.1
shipped gluey_plane-rough gluey_plane.toml gluey.gamma_min=-3
shipped gluey_plane-drag gluey_plane.toml gluey.inertia=false gluey.gap=0.1
marked shipped gluey_billiard gluey_billiard.toml

# --- Obstacles. ---

# Particles in a box that turns, with a wheel in it.
DRUM="[particles]
count = COUNT
radius_range = [0.8, 1.2]
region = [[-5.5, -5.5, -5.5], [5.5, 5.5, 5.5]]
$OPEN
[[obstacle]]
kind = \"box\"
inside = true
lengths = [14.0, 14.0, 14.0]
spin = [0.0, 0.0, 0.2]
[[obstacle]]
kind = \"wheel\"
point = [0.0, -6.0, 0.0]
radius = 0.8
paddles = 3
reach = 1.4
thickness = 0.2
spin = [0.0, 0.0, -0.5]
[drive]
rate = 0
force = [0.0, -200.0, 0.0]
time = TIME
[output]
interval = 0.05
frames = 0.25
contacts = true"
# drum COUNT TIME: the same with so many particles for so long.
drum() { local text=${DRUM/COUNT/$1}; echo "${text/TIME/$2}"; }
# Spheres between planes, with an obstacle of each kind.
WALLS="[particles]
positions = [[0, 1.1, 0], [2.5, 1.2, 0], [5.2, 1.3, 0.3], [-2.6, 1.2, 0.2], [-5.3, 3.0, 0]]
radii = [1.0, 1.0, 1.2, 1.1, 0.9]
$OPEN
[[obstacle]]
kind = \"plane\"
normal = [0, 1, 0]
[[obstacle]]
kind = \"plane\"
point = [0, 6, 0]
normal = [0, -1, 0]
velocity = [1.0, 0, 0]
[[obstacle]]
kind = \"sphere\"
point = [3.0, 4.0, 0.0]
radius = 1.0
[[obstacle]]
kind = \"cylinder\"
point = [-3.5, 4.6, 0.0]
radius = 0.8
spin = [0, 0, 1]
[[obstacle]]
kind = \"plate\"
edges = [[-8, 0.5, 0], [-7, 2, 0]]
thickness = 0.2
[drive]
rate = 0
force = [40.0, -60.0, 0.0]
time = 3
[output]
frames = 0.5
contacts = true"
# Spheres in one plane.
PLANAR="[particles]
count = 50
radius_range = [0.8, 1.2]
region = [[-10, -10, 0], [10, 10, 0]]
planar = true
$OPEN
[drive]
rate = 1
time = 1
$OUTPUT"

marked written walls "$WALLS
[contact]
friction = 0.5"
written walls-repulsion "$WALLS
[repulsion]
force = 1
debye_length = 0.05
[attraction]
hamaker = 0.5"
written walls-sheared "${WALLS/rate = 0/rate = 0.2}
[lubrication]
cutoff = \"truncated\""
written walls-inertia "$WALLS
[inertia]
density = 0.3"
written walls-verlet "${WALLS/time = 3/time = 1}
[contact]
stiffness = 1e4
[inertia]
density = 0.3
scheme = \"verlet\""
marked written walls-soft "$WALLS
[soft]
modulus = 1e4"
marked written walls-rough "$WALLS
[rough]
stiffness = 1e4
friction = 0.5"
marked written walls-gluey "$WALLS
[gluey]
gamma_min = -2"
marked written drum "$(drum 40 1)
[contact]
friction = 0.5"
written drum-many "$(drum 90 0.6)
[contact]
friction = 0.5"
written drum-soft "$(drum 40 0.3)
[soft]
modulus = 1e4
[repulsion]
force = 20
debye_length = 0.02"
written drum-rough "$(drum 70 0.3)
[rough]
stiffness = 1e4
friction = 0.5"
written drum-gluey "$(drum 40 1)
[gluey]
roughness = 1e-3"
written layer "$PLANAR
[contact]
friction = 0.5"
written layer-inertia "$PLANAR
[inertia]
density = 1"

# --- Gluey particles. ---

GLUEY_DISCS="[particles]
count = 60
radius_range = [0.007, 0.015]
region = [[-0.24, -0.24, 0.0], [0.24, 0.24, 0.0]]
planar = true
$OPEN
[lubrication]
enabled = false
[[obstacle]]
kind = \"box\"
inside = true
lengths = [0.5, 0.5]
spin = [0.0, 0.0, 1.0]
[drive]
rate = 0
force = [0.0, -1.0, 0.0]
time = 0.3
[time]
step = 2e-3
[output]
interval = 0.02
frames = 0.05"

marked shipped gluey_lotto gluey_lotto.toml particles.count=60 drive.time=0.2
shipped gluey_lotto-smooth gluey_lotto.toml particles.count=80 drive.time=0.3 \
    gluey.gamma_min="'\"smooth\"'"
marked written gluey-drag "$GLUEY_DISCS
[gluey]
gamma_min = -1"
written gluey-fails "${GLUEY_DISCS/enabled = false/enabled = true}
[gluey]
gamma_min = 0"
marked written gluey-sheared "${HARD%%\[contact*}[drive]
strain = 1
[gluey]
gamma_min = 0
$OUTPUT"
written gluey-sheared-inertia "${HARD%%\[contact*}[drive]
strain = 0.7
[gluey]
gamma_min = -1
inertia = true
density = 1.0
$OUTPUT"
written gluey-cloud "[particles]
count = 30
radius_range = [0.8, 1.2]
region = [[-4, -4, -4], [4, 4, 4]]
$OPEN
[lubrication]
enabled = false
[gluey]
inertia = true
density = 0.5
[drive]
rate = 0.5
time = 1
$OUTPUT"
