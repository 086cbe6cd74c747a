//! Configurations of other programs, as commands and cases take them.

mod common;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use common::case;
use program::{complaint, scratch, shipped, zerostokes};
use zerostokes::record::{Configuration, WhichFrame, read_columns, read_frame};
use zerostokes::study::suspension;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/formats").join(name)
}

fn read(name: &str, which: WhichFrame) -> Configuration {
    read_frame(&sample(name), which).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_command_writes_tables_a_summary_and_what_is_not_known() {
    let directory = scratch("mobility-command");
    let snapshot = sample("lammps_full_precision.dump");
    let command = format!(
        "mobility {} {} --set contact.friction=0.5 --out out",
        snapshot.display(),
        shipped("suspension.toml").display()
    );
    let out = zerostokes(&directory, &command);
    assert!(out.status.success(), "{}", complaint(&out));
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(said.contains("LAMMPS dump: 500 particles, φ = 0.5000"), "{said}");
    // Its spins are those of LAMMPS's pair styles.
    assert!(said.contains("note: LAMMPS's pair styles lubricate and lubricate/poly"), "{said}");
    let rows = read_columns(&directory.join("out/velocities.csv")).unwrap();
    assert_eq!((rows.rows(), rows.column("id").unwrap()[499]), (500, 500.0));
    let summary = fs::read_to_string(directory.join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let velocity = &summary["comparison"]["velocity"];
    let square: f64 = rows.column("u_difference").unwrap().iter().map(|d| d * d).sum();
    let rms = (square / 500.0).sqrt();
    assert!((velocity["rms"].as_f64().unwrap() / rms - 1.0).abs() < 1e-12);
    for figure in ["velocities.svg", "velocities.png", "spins.svg", "spins.png"] {
        assert!(directory.join("out").join(figure).exists() && said.contains(figure), "{figure}");
    }
    // Its laws are not those of the case, and the slope is not 1.
    let slope = velocity["slope"].as_f64().unwrap();
    assert!((0.96..0.99).contains(&slope), "{slope}");
    assert!(said.contains("note: differences are those of laws as well as of inertia"), "{said}");
    let pairs = read_columns(&directory.join("out/pairs.csv")).unwrap();
    assert_eq!(summary["pairs"], pairs.rows());
    let first =
        zerostokes(&directory, &format!("{command} --frame 3").replace("--out out", "--out third"));
    assert_eq!(first.status.code(), Some(2));
    // What is there is not replaced unawares.
    let again = zerostokes(&directory, &format!("{command} --quiet"));
    assert_eq!(again.status.code(), Some(2));
    assert!(complaint(&again).contains("--force"), "{}", complaint(&again));
    let again = zerostokes(&directory, &format!("{command} --quiet --force"));
    assert!(again.status.success() && again.stdout.is_empty() && again.stderr.is_empty());
    let expected = "there is no frame 3: the file holds 2, counted from 1";
    assert!(complaint(&first).contains(expected), "{}", complaint(&first));
}

#[test]
fn runs_begin_from_files_of_other_programs() {
    for (name, rest) in [
        ("lammps_triclinic.data", ""),
        ("lammps_full_precision.dump", ""),
        ("lf_dem_N200_phi0.50.dat", ""),
        ("yade_text.txt", "[domain]\nboundary = \"open\"\n"),
    ] {
        let file = sample(name);
        let text =
            format!("[particles]\nfile = \"{}\"\n[drive]\nstrain = 1.0\n{rest}", file.display());
        let state = suspension::initial(&case(&text)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(state.len(), read(name, WhichFrame::Last).len());
    }
    let file = sample("yade_text.txt");
    let text = format!("[particles]\nfile = \"{}\"\n[drive]\nstrain = 1.0\n", file.display());
    let error = suspension::initial(&case(&text)).unwrap_err().to_string();
    let expected = "yade_text.txt:1: has no box, which a periodic domain needs; \
                    set domain.boundary = \"open\"";
    assert!(error.ends_with(expected), "{error}");
}
