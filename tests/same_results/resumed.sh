# Jobs of same_results.sh: runs that are stopped and resumed.

every="[output]
frames = 0.05"
marked resumed friction "$HARD
[drive]
strain = 1
$every"
resumed stress "$HARD
[drive]
strain = 0.5
stress = 20
$every"
resumed phases "$HARD
[[drive.phase]]
rate = 1
strain = 0.4
[[drive.phase]]
stress = -20
to = -40
strain = 0.2
[[drive.phase]]
rate = 0
time = 0.1
$every"
resumed oscillation "$HARD
[drive.oscillation]
amplitude = 0.4
cycles = 2
$every"
resumed extension "${HARD/60/100}
[drive]
flow = \"extension\"
strain = 1.1
$every"
resumed inertia "$HARD
[drive]
strain = 0.5
[inertia]
stokes = 0.1
$every"
pressed resume-verlet 60 0.5 "[contact]
friction = 0.5
stiffness = 2e4
[drive]
strain = 0.03
[inertia]
stokes = 0.5
scheme = \"verlet\"
[output]
interval = 5e-4
frames = 0.005" stopped
pressed resume-many 4500 0.5 "$RUBBING
strain = 0.003" stopped
pressed resume-load 100 0.55 "${RUBBING/0.5/0.5
critical_load = 5}
stress = 5
strain = 0.1" stopped
marked resumed soft "${HARD%%\[contact*}[soft]
modulus = 1e4
[repulsion]
force = 500
debye_length = 0.02
[drive]
strain = 0.3
$every"
marked resumed rough "${HARD%%\[contact*}[rough]
stiffness = 1e4
friction = 0.5
[drive]
strain = 0.2
$every"
resumed walls "$(drum 40 1)
[contact]
friction = 0.5"
marked resumed gluey "${GLUEY_DISCS/interval = 0.02/interval = 0.002}
[gluey]
gamma_min = -1
inertia = true"
resumed accuracy "[particles]
count = 40
volume_fraction = 0.4
[accuracy]
relative_error = 0.1
[drive]
strain = 20
[output]
interval = 0.07
frames = 0.5"
resumed t1 "study = \"t1\"
[time]
tolerance = 1e-8
[output]
frames = 0.5"
resumed settle "study = \"settle\"
[settle]
contact_number = 0.9
[time]
tolerance = 1e-10
[output]
frames = 5"
resumed pair-shear "study = \"pair-shear\"
[pair]
roughness = 0.05
friction = 0.5
stiffness = 1e4
hydrodynamics = \"two-body\"
[output]
frames = 1"
resumed soft-pair "study = \"soft-pair\"
[time]
tolerance = 1e-8
[output]
frames = 10"
resumed collision "study = \"collision\"
[collision]
partner = \"wall\"
angle_deg = 30
step = 2e-3
[output]
frames = 0.1"
resumed gluey-plane "study = \"gluey-plane\"
[gluey]
inertia = true
[time]
step = 1e-3
[output]
frames = 0.1"
