//! Configurations in open space: what LAMMPS writes of them, and what a case makes of their boxes;
//! and how finely files tell gaps.

mod common;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use common::case;
use program::{complaint, scratch, shipped, zerostokes};
use zerostokes::analysis::mobility::{Results, Snapshot, solve};
use zerostokes::record::{WhichFrame, read_columns, read_frame};

/// A run of two spheres, and what `mobility` finds for a file of it: the table of velocities, and
/// what it said.
fn balance(here: &Path, file: &str, set: &str) -> (Vec<Vec<f64>>, String) {
    let case = shipped("two_spheres.toml");
    let command = format!(
        "mobility {file} {} --set contact.stiffness=1e4 {set} --force --out out",
        case.display()
    );
    let done = zerostokes(here, &command);
    assert!(done.status.success(), "{file}: {}", complaint(&done));
    let table = read_columns(&here.join("out/velocities.csv")).unwrap();
    let columns = ["x", "y", "z", "vx", "vy", "vz", "u_difference"];
    let columns = columns.map(|name| table.column(name).unwrap().to_vec());
    (columns.to_vec(), String::from_utf8_lossy(&done.stdout).into_owned())
}

fn exported(name: &str, formats: &[&str]) -> PathBuf {
    let here = scratch(name);
    let case = shipped("two_spheres.toml");
    let run = zerostokes(&here, &format!("run {} --out two --quiet", case.display()));
    assert!(run.status.success(), "{}", complaint(&run));
    for format in formats {
        let out = zerostokes(&here, &format!("export two --format {format} -o {format}"));
        assert!(out.status.success(), "{}", complaint(&out));
    }
    here
}

fn assert_same(here: &Path, file: &str) {
    // Away from the run nobody tells how far springs are stretched, in neither file.
    fs::copy(here.join("two/frames.extxyz"), here.join("frames.extxyz")).unwrap();
    let (expected, _) = balance(here, "frames.extxyz", "");
    let (found, said) = balance(here, file, "");
    assert!(said.contains("open space") && !said.contains("is ignored"), "{said}");
    for (a, b) in expected.iter().flatten().zip(found.iter().flatten()) {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{file}: {expected:?} {found:?}");
    }
}

#[test]
fn a_dump_of_open_space_keeps_its_positions() {
    let here = exported("open-dump", &["lammps-dump"]);
    assert_same(&here, "lammps-dump");
    // And it goes on to LAMMPS again.
    let again = zerostokes(&here, "export lammps-dump --format lammps-data -o again");
    assert!(again.status.success(), "{}", complaint(&again));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_data_file_of_open_space_is_read_back() {
    let here = exported("open-data", &["lammps-data"]);
    assert_same(&here, "lammps-data");
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_box_that_an_open_case_ignores_is_told() {
    let here = scratch("open-box");
    let text = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n\
                -10 10\n-10 10\n-10 10\nITEM: ATOMS id radius x y z vx vy vz\n\
                1 1 -9.5 0 0 1 0 0\n2 1 9.5 0 0 0 0 0\n";
    fs::write(here.join("dump"), text).unwrap();
    let (found, said) = balance(&here, "dump", "");
    assert!(said.contains("note: the box of the file repeats and is ignored"), "{said}");
    assert_eq!(found[0], [-9.5, 9.5]);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn gaps_of_a_few_last_digits_are_told() {
    for (name, told) in [
        ("yade_text.txt", true),
        // Six digits, but no gap below 9.8e-3.
        ("lammps_default_precision.dump", false),
        ("lammps_full_precision.dump", false),
        ("lf_dem_N200_phi0.50.dat", false),
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/formats").join(name);
        let read = read_frame(&file, WhichFrame::Last).unwrap();
        let case = case("[particles]\ncount = 10\nvolume_fraction = 0.1\n");
        let results =
            Results::new(&case, &read, &solve(&case, &Snapshot::new(&file, &read)).unwrap());
        let closest = results.smallest_gap;
        let advice = results.advice.iter().any(|a| a.starts_with("coordinates have "));
        assert_eq!(advice, told, "{name}: {closest:e} {:?}", results.precision.lost_gap);
    }
}
