# Jobs of same_results.sh: snapshots, the other commands, sweeps.

for each in lammps_triclinic.data lammps_full_precision.dump lf_dem_N200_phi0.50.dat; do
    written "file-${each%%.*}" "[particles]
file = \"formats/$each\"
[contact]
friction = 0.5
[drive]
strain = 0.05
$OUTPUT"
done
written file-yade "[particles]
file = \"formats/yade_text.txt\"
$OPEN
[drive]
strain = 0.2
$OUTPUT"
job mobility 'for f in formats/*; do
    case=cases/suspension.toml; [[ $f == *yade* ]] && case=cases/two_spheres.toml
    "$Z" mobility "$f" $case --set contact.friction=0.5 --out "$(basename "$f")"; done'
job mobility-frame '"$Z" mobility formats/lf_dem_N200_phi0.50.dat \
        cases/rough_suspension.toml --out refused
    "$Z" mobility formats/lammps_full_precision.dump cases/thickening.toml \
        --set drive.stress=0.5 --set contact.stiffness=1e4 --frame 1 --out out
    "$Z" mobility formats/lf_dem_N200_phi0.50.dat cases/suspension.toml --out out-2 \
        --set "lubrication.hydrodynamics=\"two-body\""'
marked job pack '"$Z" pack -n 200 -p 0.55 -o a.extxyz
    "$Z" pack -n 150 -p 0.4 --radii 1,2 --volume-shares 0.3,0.7 --spread 0.05 \
        --aspect 1 2 1.5 --seed 4 -o b.extxyz
    "$Z" mobility a.extxyz cases/suspension.toml --set contact.stiffness=1e4 --out balance
    printf "[particles]\nfile = \"a.extxyz\"\n[drive]\nstrain = 0.05\n" > case.toml
    run case.toml output.frames=0.02
    "$Z" export out --format lammps-dump --frame 2 -o run.dump
    "$Z" mobility out cases/suspension.toml --frame 1 --out balance-of-run
    "$Z" export b.extxyz --format lammps-data -o b.data'
job export 'for f in formats/*; do for to in data dump; do
    "$Z" export "$f" --format lammps-$to -o "$(basename "$f").$to"; done; done'
marked job check 'for f in cases/*.toml; do "$Z" check "$f"; done 2>&1'
job plot 'run cases/suspension.toml particles.count=40 drive.strain=0.2 \
    lubrication.outer_gap=0.3; "$Z" plot out'

# --- Many runs. ---

marked job crosscheck '"$Z" crosscheck cases/two_spheres.toml --stokes 0.1,0.03 --jobs "$T" \
    --out out'
job crosscheck-verlet '"$Z" crosscheck cases/two_spheres.toml --stokes 0.3,0.1 --jobs "$T" \
    --scheme verlet --accuracy 0.05 --set drive.time=1 --out out'
job crosscheck-suspension '"$Z" crosscheck cases/suspension.toml --stokes 0.1 --jobs "$T" \
    --set particles.count=40 --set lubrication.outer_gap=0.3 --set drive.strain=0.1 --out out'
job crosscheck-t1 '"$Z" crosscheck cases/t1.toml --stokes 0.1,0.01 --jobs "$T" --out out'
job crosscheck-settle '"$Z" crosscheck cases/falling_sphere.toml --stokes 0.1,0.01 \
    --jobs "$T" --out out'
job crosscheck-pair '"$Z" crosscheck cases/pair_shear.toml --stokes 0.1,0.01 \
    --jobs "$T" --out out'
few="particles.count=40 lubrication.outer_gap=0.3"
swept collision_angle_sweep.toml 4
swept collision_gap_sweep.toml 4
swept collision_roughness_sweep.toml 3
marked swept collision_stokes_sweep.toml 3
swept falling_sphere_phase_sweep.toml 3 inertia.stokes=30.0
swept flow_curve_stress_sweep.toml 2 "$few" drive.strain=0.2
swept flow_curve_sweep.toml 2 "$few" drive.strain=0.2
swept gluey_lotto_sweep.toml 3 particles.count=40 drive.time=0.1
swept pair_components_sweep.toml 2
swept pair_cutoff_sweep.toml 3
swept pair_map_sweep.toml 3
swept pair_rough_sweep.toml 3
swept pair_smooth_sweep.toml 2
swept pair_soft_sweep.toml 3
swept repulsion_sweep.toml 2 "$few" drive.strain=0.2
marked swept rheology_sweep.toml 3 "$few" drive.strain=1
swept t1_sweep.toml 3
swept yielding_sweep.toml 2 "$few" drive.strain=0.1
