//! Configurations of other programs: what is read, what forces balance in them, what is written.
//!
//! The files in `tests/reference/formats` were written by LAMMPS (29 Sep 2021), Yade and the
//! generator of LF_DEM's configurations; `lammps_default_precision.dump` is cut to 60 atoms.

mod common;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use common::{bidisperse, case};
use nalgebra::Vector3;
use program::{complaint, scratch, zerostokes};
use zerostokes::analysis::mobility::{self, Mobility, Results};
use zerostokes::cell::Cell;
use zerostokes::integrate::{End, lab_velocities};
use zerostokes::pairs::NeighbourList;
use zerostokes::record::frames::extended_xyz;
use zerostokes::record::lammps_write::{LammpsFile, lammps};
use zerostokes::record::{Configuration, Format, Frame, WhichFrame, read_frame};
use zerostokes::state::Suspension;
use zerostokes::stress;
use zerostokes::study::suspension;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/formats").join(name)
}

fn read(name: &str, which: WhichFrame) -> Configuration {
    read_frame(&sample(name), which).unwrap_or_else(|e| panic!("{e}"))
}

fn solve(text: &str, read: &Configuration) -> Mobility {
    mobility::solve(&case(text), Path::new("snapshot"), read).unwrap_or_else(|e| panic!("{e}"))
}

/// A case whose particles do not matter.
const ANY: &str = "[particles]\ncount = 10\nvolume_fraction = 0.1\n";

#[test]
fn files_of_other_programs_are_read() {
    let edge = 16.1199195402;
    let dump = read("lammps_default_precision.dump", WhichFrame::Last);
    assert_eq!((dump.format, dump.len()), (Format::LammpsDump, 60));
    assert_eq!(dump.positions[0], Vector3::new(9.74534, 15.9581, 1.91761));
    assert_eq!(dump.velocities.as_ref().unwrap()[0], Vector3::new(15.8669, 0.0780254, 0.206331));
    assert_eq!((dump.radii[0], dump.precision.unwrap().digits), (1.0, 6));
    let tilted = dump.lattice.unwrap();
    assert!((tilted[0][0] - edge).abs() < 1e-12, "the bounding box is not the box");
    assert!((tilted[1][0] - 0.0322398390804).abs() < 1e-12 && (tilted[1][1] - edge).abs() < 1e-12);
    assert_eq!((dump.origin, dump.pbc), ([0.0; 3], [true; 3]));
    let first = read("lammps_default_precision.dump", WhichFrame::Number(1));
    assert_eq!(first.lattice.unwrap()[1][0], 0.0);

    let yade = read("yade_text.txt", WhichFrame::Last);
    assert_eq!((yade.format, &yade.radii[..]), (Format::Yade, &[1.0, 1.0][..]));
    assert_eq!(yade.positions[0], Vector3::new(1.23457, 2.0, 3.0));
    assert_eq!((yade.lattice, &yade.velocities), (None, &None));
    let more = read("yade_textext_attrs.txt", WhichFrame::First);
    assert_eq!(more.velocities.unwrap(), [Vector3::zeros(); 2]);
    assert_eq!((more.positions, more.spins.unwrap().len()), (yade.positions, 2));

    // Its gradient is along z.
    let lf_dem = read("lf_dem_N200_phi0.50.dat", WhichFrame::Last);
    assert_eq!((lf_dem.format, lf_dem.len()), (Format::LfDem, 200));
    let first =
        Vector3::new(0.649839811776241, 5.07769245784562, 13.4807638138096 - 1.01735132522623);
    assert!((lf_dem.positions[0] - first).norm() < 1e-14);
    let found = solve(ANY, &lf_dem);
    assert!((found.state.volume_fraction().unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn a_dump_and_a_data_file_of_lammps_are_the_same_configuration() {
    let dump = read("lammps_full_precision.dump", WhichFrame::Last);
    let data = read("lammps_triclinic.data", WhichFrame::Last);
    let farthest = |a: &[Vector3<f64>], b: &[Vector3<f64>]| {
        a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    assert_eq!((dump.len(), &dump.ids), (500, &data.ids));
    assert!(farthest(&dump.positions, &data.positions) < 1e-13);
    let (theirs, ours) = (dump.velocities.as_ref().unwrap(), data.velocities.as_ref().unwrap());
    assert!(farthest(theirs, ours) < 1e-13);
    assert!(farthest(dump.spins.as_ref().unwrap(), data.spins.as_ref().unwrap()) < 1e-13);
    assert_eq!(dump.radii, data.radii);
    let [a, b] = [&dump, &data].map(|read| solve(ANY, read));
    let shear = |found: &Mobility| stress::shear(&found.seen.stress.total());
    assert!((shear(&a) / shear(&b) - 1.0).abs() < 1e-9);
    assert!(a.seen.power_mismatch() < 1e-7 && a.seen.effort.force_residual < 1e-9);
}

/// A frictionless suspension in flow, with the velocities of a last step too short to matter.
fn flowing() -> (Suspension, Vec<Vector3<f64>>) {
    let case = bidisperse(60, 0.5, FLOWING);
    let mut state = suspension::initial(&case).unwrap();
    let mut stepper = suspension::stepper(&case, &state);
    for strain in [1.5, 1.5 + 1e-10] {
        let end = End { strain, time: f64::INFINITY };
        while !end.reached(&state.clock) {
            stepper.step(&mut state, end).unwrap();
        }
    }
    let velocities = lab_velocities(&state, stepper.drive());
    (state, velocities)
}

const FLOWING: &str = "[contact]\nstiffness = 1e4\n[drive]\nstrain = 2.0\n\
                       [time]\nfriction_residual = 1e-9\n[solver]\ntolerance = 1e-10\n";

/// A state as extended XYZ.
fn written(state: &Suspension, velocities: &[Vector3<f64>]) -> String {
    let rotation = Vector3::new(0.0, 0.0, -0.5);
    let spins: Vec<_> = state.velocities.iter().map(|m| m.angular + rotation).collect();
    extended_xyz(&Frame {
        positions: &state.positions,
        radii: &state.radii,
        velocities,
        spins: &spins,
        lattice: state.cell.images(&state.clock).vectors().unwrap().map(Into::into),
        origin: [0.0; 3],
        pbc: [true; 3],
        strain: state.clock.strain,
        time: state.clock.time,
    })
}

fn gaps(state: &Suspension) -> Vec<f64> {
    let mut pairs = Vec::new();
    NeighbourList::new(0.2, 0.0).active(state, &mut pairs);
    pairs.iter().map(|pair| pair.gap).collect()
}

#[test]
fn a_balance_has_the_velocities_of_the_run_in_that_configuration() {
    let (state, velocities) = flowing();
    let directory = scratch("mobility");
    fs::write(directory.join("frame.extxyz"), written(&state, &velocities)).unwrap();
    let read = read_frame(&directory.join("frame.extxyz"), WhichFrame::Last).unwrap();
    let text = format!("[particles]\ncount = 60\nvolume_fraction = 0.5\n{FLOWING}");
    let found = solve(&text, &read);
    assert!(found.seen.contacts.count > 5, "{} contacts", found.seen.contacts.count);
    let comparison = found.comparison.as_ref().unwrap();
    let (velocity, spin) = (comparison.velocity.unwrap(), comparison.spin.unwrap());
    // What is left is what contacts relax within the last step.
    assert!(velocity.rms < 1e-7 && velocity.largest < 1e-6, "{velocity:?}");
    assert!(spin.rms < 1e-7 && spin.largest < 1e-6, "{spin:?}");
    assert!((comparison.file_rate.unwrap() - 1.0).abs() < 0.3);
    // Nothing has moved.
    assert_eq!(found.state.positions, read.positions);

    // The forces of the table balance the drag, which is 6πa without neighbours.
    let mut left = vec![Vector3::zeros(); 60];
    for pair in &found.pairs {
        let [i, j] = pair.ids.slots();
        left[i] -= pair.force;
        left[j] += pair.force;
    }
    for (k, force) in left.iter().enumerate() {
        let drag = 6.0 * std::f64::consts::PI * state.radii[k] * found.state.velocities[k].linear;
        assert!((force - drag).norm() < 1e-5 * (1.0 + force.norm()), "{force} {drag}");
    }

    // The stress found, imposed instead of the rate, gives the rate back.
    let total = stress::shear(&found.seen.stress.total());
    let imposed = text.replace("strain = 2.0", &format!("strain = 2.0\nstress = {total}"));
    let imposed = imposed.replace("stiffness = 1e4", &format!("stiffness = {}", 1e4 / total));
    let again = solve(&imposed, &read);
    assert!((again.drive.rate - 1.0).abs() < 1e-6, "{}", again.drive.rate);
}

#[test]
fn a_box_of_any_shape_with_the_same_images_has_the_same_forces() {
    let (state, velocities) = flowing();
    let directory = scratch("mobility-shapes");
    let path = directory.join("frame.extxyz");
    fs::write(&path, written(&state, &velocities)).unwrap();
    let plain = read_frame(&path, WhichFrame::Last).unwrap();
    let mut other = plain.clone();
    let lattice = other.lattice.as_mut().unwrap();
    let second = lattice[1];
    (0..3).for_each(|k| lattice[2][k] += second[k]);
    let [plain, other] = [&plain, &other].map(|read| solve(ANY, read));
    assert!(matches!(plain.state.cell, Cell::Periodic { .. }));
    assert!(matches!(other.state.cell, Cell::Fixed { .. }));
    let difference = plain.seen.stress.total() - other.seen.stress.total();
    assert!(difference.norm() < 1e-7 * plain.seen.stress.total().norm());
}

#[test]
fn what_is_written_for_lammps_has_the_same_gaps() {
    let (state, velocities) = flowing();
    let directory = scratch("export");
    let path = directory.join("frame.extxyz");
    fs::write(&path, written(&state, &velocities)).unwrap();
    let from = solve(ANY, &read_frame(&path, WhichFrame::Last).unwrap());
    for (format, kind) in [("lammps-dump", Format::LammpsDump), ("lammps-data", Format::LammpsData)]
    {
        let out =
            zerostokes(&directory, &format!("export frame.extxyz --format {format} -o {format}"));
        assert!(out.status.success(), "{}", complaint(&out));
        let read = read_frame(&directory.join(format), WhichFrame::Last).unwrap();
        assert_eq!((read.format, read.ids[0]), (kind, 1));
        assert_eq!(read.velocities.as_ref().unwrap(), &velocities);
        let back = solve(ANY, &read);
        let (before, after) = (gaps(&from.state), gaps(&back.state));
        assert_eq!(before.len(), after.len());
        let worst = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12, "{worst}");
    }
    let again = zerostokes(&directory, "export frame.extxyz --format lammps-dump -o lammps-dump");
    assert_eq!(again.status.code(), Some(2));
    assert!(complaint(&again).contains("lammps-dump exists; choose another -o (--out)"));
}

#[test]
fn few_digits_lose_small_gaps_and_the_user_is_told() {
    let (state, velocities) = flowing();
    let mut rounded = state.clone();
    let round = |x: f64| format!("{x:.3e}").parse::<f64>().unwrap();
    rounded.positions.iter_mut().for_each(|x| *x = x.map(round));
    let directory = scratch("digits");
    let path = directory.join("frame.extxyz");
    fs::write(&path, written(&rounded, &velocities)).unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    let case = case(ANY);
    let found = mobility::solve(&case, &path, &read).unwrap();
    let results = Results::new(&case, &read, &found);
    let length = read.lattice.unwrap()[0][0];
    let digit = if length > 10.0 { 1e-2 } else { 1e-3 };
    let coarsest = 10.0 * digit;
    assert_eq!(results.precision.digits, Some(4));
    assert!((results.precision.lost_gap.unwrap() / coarsest - 1.0).abs() < 1e-9);
    let lost = found.pairs.iter().filter(|pair| pair.gap.abs() < coarsest).count();
    assert_eq!(results.precision.lost_pairs, Some(lost));
    let told = format!(
        "gaps below {coarsest:.1e} a are off by a tenth or more, or lost, and {lost} pairs"
    );
    assert!(lost > 0 && results.advice.iter().any(|a| a.contains(&told)), "{lost}");
    let moved =
        gaps(&state).iter().zip(gaps(&rounded)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved > 0.1 * digit && moved < 3.0 * digit, "{moved}");
}

const BOX: &str = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n\
                   0 20\n0 20\n0 20\n";

#[test]
fn columns_come_in_any_order_and_style() {
    let directory = scratch("columns");
    let path = directory.join("any");
    let tilted = "ITEM: UNITS\nlj\nITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\n\
                  ITEM: BOX BOUNDS xy xz yz pp pp pp\n-2 9 -1\n-1 10 -1\n0 10 1\n";
    let rows = "ITEM: ATOMS zu diameter xu id yu mass angmomx angmomy angmomz\n\
                5 4 1 9 5 2.5 0 0 8\n15 2 1 3 6 1 0 0 0\n";
    fs::write(&path, format!("{tilted}{rows}")).unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    // The corner and the edges of a box inside of its bounds.
    assert_eq!(read.origin, [0.0, -1.0, 0.0]);
    assert_eq!(read.lattice.unwrap(), [[9.0, 0.0, 0.0], [-1.0, 10.0, 0.0], [-1.0, 1.0, 10.0]]);
    // In ascending order of ids, wrapped; spins are angular momenta over 2ma²/5.
    assert_eq!((&read.ids, &read.radii), (&vec![3, 9], &vec![1.0, 2.0]));
    assert_eq!(read.positions[0], Vector3::new(2.0, 5.0, 5.0));
    assert_eq!(read.spins.unwrap()[1], Vector3::new(0.0, 0.0, 2.0));
    let scaled = "ITEM: ATOMS id radius xs ys zs\n1 1 0.5 0.25 0.5\n2 1 0.1 0.9 0.1\n";
    fs::write(&path, format!("{BOX}{scaled}")).unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    assert_eq!(read.positions[0], Vector3::new(10.0, 5.0, 10.0));
    let text = lammps(&read, LammpsFile::Dump).unwrap();
    assert!(text.contains("ITEM: ATOMS id type radius x y z\n1 1 1.0000000000000000e0 "), "{text}");
}

#[test]
fn a_sheared_configuration_of_lf_dem_is_turned_with_its_box() {
    let directory = scratch("lf-dem");
    let path = directory.join("sheared.dat");
    let head = "# np np1 np2 vf lx ly lz vf1 vf2 dispx dispy\n# 2 2 0 0.1 10 11 12 0.1 0 2.5 1.5\n";
    // Two spheres across the upper side of the box: the image above is displaced by (2.5, 1.5).
    fs::write(&path, format!("{head}5 5 11.5 1\n2.6 3.6 1.4 1\n")).unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    assert_eq!(read.lattice.unwrap(), [[10.0, 0.0, 0.0], [2.5, 12.0, -1.5], [0.0, 0.0, 11.0]]);
    let found = solve(ANY, &read);
    let distance: f64 =
        Vector3::new(2.6_f64 + 2.5 - 5.0, 3.6 + 1.5 - 5.0, 1.4 + 12.0 - 11.5).norm();
    let gap: f64 = gaps(&found.state)[0];
    assert!((gap - (distance - 2.0)).abs() < 1e-12, "{gap}");
}

/// A state as LF_DEM writes snapshots: centred, the gradient along z, the flow zero in the middle.
fn par_file(state: &Suspension, velocities: &[Vector3<f64>], digits: usize) -> String {
    let [a, b, c] = state.cell.images(&state.clock).vectors().unwrap();
    let (x, y, z) = (a.x, b.y, c.z);
    let count = state.len();
    let mut text = format!(
        "# LF_DEM version 1\n# np {count}\n# VF 0.5\n# Lx {x}\n# Ly {z}\n# Lz {y}\n\
         # flow_type simple_shear\n# data in h units.\n#1: particle index\n#2: radius\n\
         #3-5: position (x, y, z)\n#6-8: velocity (x, y, z)\n#9-11: angular velocity (x, y, z)\n\n\
         # cumulated strain : 1.5\n# shear disp : {}\n# shear rate : 1\n",
        b.x.rem_euclid(x)
    );
    for (k, (at, v)) in state.positions.iter().zip(velocities).enumerate() {
        let (mut at, mut v) = (*at, *v);
        if at.y > 0.5 * y {
            at -= b;
            v.x -= y;
        }
        at.x -= x * (at.x / x).round();
        at.z -= z * (at.z / z).round();
        let w = state.velocities[k].angular - Vector3::new(0.0, 0.0, 0.5);
        let numbers = [at.x, -at.z, at.y, v.x, -v.z, v.y, w.x, -w.z, w.y];
        let numbers = numbers.map(|number| format!("{number:.digits$e}"));
        text += &format!("{k} {} {}\n", state.radii[k], numbers.join(" "));
    }
    text
}

#[test]
fn snapshots_of_lf_dem_are_turned_with_their_velocities_and_spins() {
    let (state, velocities) = flowing();
    let directory = scratch("lf-dem-par");
    let path = directory.join("par_a.dat");
    let exact = par_file(&state, &velocities, 16);
    // Another frame before it, and one that older versions would have written.
    let (header, frame) = exact.split_at(exact.find("# cumulated").unwrap());
    let old = frame.replacen("# cumulated strain : 1.5\n# shear disp : ", "# 1.5 ", 1);
    let old = old.replacen("\n# shear rate : 1\n", " 1 0 1.5 \n", 1);
    fs::write(&path, format!("{header}{frame}\n{old}")).unwrap();
    let text = format!("[particles]\ncount = 60\nvolume_fraction = 0.5\n{FLOWING}");
    for which in [WhichFrame::First, WhichFrame::Last] {
        let read = read_frame(&path, which).unwrap();
        assert_eq!((read.format, read.strain), (Format::LfDemPar, Some(1.5)));
        let found = solve(&text, &read);
        let worst = gaps(&found.state)
            .iter()
            .zip(gaps(&state))
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        assert!(worst < 1e-12, "{worst}");
        let comparison = found.comparison.unwrap();
        let (velocity, spin) = (comparison.velocity.unwrap(), comparison.spin.unwrap());
        assert!(velocity.rms < 1e-7 && spin.rms < 1e-7, "{velocity:?} {spin:?}");
        assert!((velocity.slope - 1.0).abs() < 1e-7, "{velocity:?}");
        // The box goes on to LAMMPS around the particles.
        let dump = directory.join("dump");
        fs::write(&dump, lammps(&read, LammpsFile::Dump).unwrap()).unwrap();
        let again = solve(&text, &read_frame(&dump, WhichFrame::Last).unwrap());
        let velocity = again.comparison.unwrap().velocity.unwrap();
        assert!(velocity.rms_without_mean < 1e-7, "{velocity:?}");
    }
    // As it writes them, with six digits, small gaps are lost.
    fs::write(&path, par_file(&state, &velocities, 5)).unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    assert_eq!(read.precision.unwrap().digits, 6);
    assert!(solve(&text, &read).comparison.unwrap().velocity.unwrap().rms > 1e-6);
}
