//! Results that cannot be trusted say so, and why.

#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::path::Path;

use program::{complaint, scratch, zerostokes};
use serde_json::Value;
use told::{columns, number};
use zerostokes::case::Case;
use zerostokes::record::{Existing, Launch};
use zerostokes::run::Run;

/// A case of so many spheres in thin films.
fn write(here: &Path, count: usize, fraction: f64, rest: &str) {
    let text = format!("[particles]\ncount = {count}\nvolume_fraction = {fraction}\n{rest}");
    std::fs::write(here.join("case.toml"), text).unwrap();
}

/// The summary of a run that is said to end well, its results and its notes.
fn run(here: &Path, arguments: &str) -> (Value, String, String) {
    let done = zerostokes(here, &format!("run case.toml --out run --force {arguments}"));
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let summary = std::fs::read_to_string(here.join("run/summary.json")).unwrap();
    let said = String::from_utf8(done.stdout.clone()).unwrap();
    (serde_json::from_str(&summary).unwrap(), said, complaint(&done))
}

const THIN: &str = "[lubrication]\nhydrodynamics = \"lubrication\"\ninner_gap = 1e-12\n\
                    [drive]\nstrain = 1.0\n[output]\nframes = 0\n";

#[test]
fn power_that_is_lost_in_too_thin_films_ends_the_run() {
    let here = scratch("lost-power");
    write(&here, 60, 0.5, THIN);
    let done = zerostokes(&here, "run case.toml --out run --quiet");
    let said = complaint(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("of the power is neither dissipated nor stored"), "{said}");
    assert!(said.contains("larger `lubrication.inner_gap`"), "{said}");
    // A little is noted, and the remedy works.
    let (summary, _, notes) = run(&here, "--set lubrication.inner_gap=1e-8");
    let lost = number(&summary["worst_power_mismatch"]);
    assert_eq!(notes.contains("of the power was neither"), lost > 1e-4, "{lost:e}: {notes}");
    let (summary, _, notes) = run(&here, "--set lubrication.inner_gap=1e-7");
    assert!(number(&summary["worst_power_mismatch"]) < 1e-2, "{notes}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn lengths_of_pairs_in_metres_are_refused_or_noted() {
    let here = scratch("si-units");
    write(
        &here,
        60,
        0.4,
        "radii = [1e-6, 1.4e-6]\n[fluid]\nviscosity = 1e-3\n[lubrication]\n\
         hydrodynamics = \"lubrication\"\n\
         [attraction]\nhamaker = 1e-21\nregularisation = 1e-8\nrange = 1e-7\n\
         [drive]\nstrain = 0.02\n[output]\nframes = 0.02\n",
    );
    let done = zerostokes(&here, "check case.toml");
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("radii 1.000×10⁻⁶ to 1.400×10⁻⁶"), "{said}");
    let note = "note: the force of [attraction] ends at a gap of 1.0e-7 a";
    assert!(said.contains(note) && said.contains("in units of the smallest radius a"), "{said}");
    let (summary, _, notes) = run(&here, "");
    assert_eq!(notes.matches(note).count(), 1, "{notes}");
    assert!(summary["advice"].to_string().contains("[attraction] ends"), "{summary}");
    // A tenth of a radius is not.
    let done = zerostokes(&here, "check case.toml --set attraction.range=0.1");
    assert!(!String::from_utf8(done.stdout).unwrap().contains("note:"));
    let metres = "check case.toml --set repulsion={force=1e-12,debye_length=1e-8}";
    let done = zerostokes(&here, metres);
    assert_eq!(done.status.code(), Some(2));
    let said = complaint(&done);
    assert!(said.contains("repulsion.debye_length: 1e-8 is out of range"), "{said}");
    assert!(said.contains("in units of the smallest radius, in SI units too"), "{said}");
    let done = zerostokes(&here, "mobility run case.toml --out balance");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let balance = std::fs::read_to_string(here.join("balance/summary.json")).unwrap();
    let balance: Value = serde_json::from_str(&balance).unwrap();
    assert!(number(&balance["smallest_gap"]) > 1e-4, "gaps are in radii: {balance}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn spheres_of_a_file_that_overlap_deeply_are_noted() {
    let here = scratch("overlapping-start");
    let file = "3\nLattice=\"12 0 0 0 12 0 0 0 12\" Properties=species:S:1:pos:R:3:radius:R:1\n\
                A 1 1 1 1\nA 1.15 1 1 1\nA 6 6 6 1\n";
    std::fs::write(here.join("start.extxyz"), file).unwrap();
    let case = "[particles]\nfile = \"start.extxyz\"\n[lubrication]\n\
                hydrodynamics = \"lubrication\"\n[drive]\nstrain = 0.05\n";
    std::fs::write(here.join("case.toml"), case).unwrap();
    let note = "particles 0 and 1 overlap by 1.85 a at the start";
    let done = zerostokes(&here, "check case.toml");
    assert!(String::from_utf8(done.stdout).unwrap().contains(note));
    let (summary, _, notes) = run(&here, "");
    assert_eq!(notes.matches(note).count(), 1, "{notes}");
    assert!(summary["advice"].to_string().contains(note));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn figures_without_points_do_not_fail_a_run() {
    let here = scratch("one-particle");
    let rest = "[lubrication]\nhydrodynamics = \"lubrication\"\n[drive]\nstrain = 2.0\n\
                [output]\nframes = 0.1\ncontacts = true\n";
    write(&here, 1, 0.02, rest);
    let (summary, said, notes) = run(&here, "");
    assert_eq!(summary["finished"], true);
    assert!(said.contains("relative viscosity"), "{said}");
    assert!(notes.contains("not all figures were drawn"), "{notes}");
    assert!(summary["advice"].to_string().contains("not all figures"), "{summary}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn the_memory_of_figures_is_counted() {
    let here = scratch("peak-memory");
    let rest = "[lubrication]\nhydrodynamics = \"lubrication\"\n[drive]\nstrain = 0.5\n";
    write(&here, 60, 0.4, rest);
    let sweep = "case = \"case.toml\"\n[[over]]\nkey = \"particles.seed\"\nvalues = [1]\n";
    std::fs::write(here.join("sweep.toml"), sweep).unwrap();
    assert_eq!(zerostokes(&here, "sweep sweep.toml --out sweep --quiet").status.code(), Some(0));
    let (_, points) = columns(&here.join("sweep/sweep.csv"));
    // Points draw no figures.
    let without: f64 = points[0]["peak_memory_bytes"].parse().unwrap();
    let (summary, ..) = run(&here, "");
    let with = number(&summary["peak_memory_bytes"]);
    assert!(with > without + 4e6, "{with} {without}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn contacts_have_their_time() {
    let here = scratch("contact-times");
    let rest = "[lubrication]\nhydrodynamics = \"lubrication\"\n[drive]\nrate = 2.0\n\
                strain = 0.4\n[output]\nframes = 0.1\ncontacts = true\n";
    write(&here, 60, 0.5, rest);
    run(&here, "");
    let (_, rows) = columns(&here.join("run/contacts.csv"));
    assert!(!rows.is_empty());
    for row in rows {
        let [strain, time] = ["strain", "time"].map(|name| row[name].parse::<f64>().unwrap());
        assert!((strain - 2.0 * time).abs() < 1e-12, "{strain} {time}");
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn asperities_that_are_overloaded_and_frozen_films_are_explained() {
    let here = scratch("overloaded");
    let rest = "[rough]\nroughness = 1e-4\nstiffness = 1e4\nfriction = 0.5\n\
                [drive]\nstrain = 0.6\n[output]\nframes = 0\n";
    write(&here, 60, 0.5, rest);
    let (summary, _, notes) = run(&here, "");
    assert!(number(&summary["most_overloaded"]) > 0.0, "{summary}");
    assert!(notes.contains("pressed by more than their asperities bear"), "{notes}");
    assert!(notes.contains("a larger rough.roughness"), "{notes}");
    let thin = number(&summary["thinnest_film"]) < 1e-8;
    assert_eq!(notes.contains("frozen to each other"), thin, "{notes}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_row_that_is_no_number_ends_the_run() {
    let here = scratch("no-number");
    write(&here, 60, 0.2, "[drive]\nstrain = 0.2\n[lubrication]\nenabled = false\n");
    let case = Case::read(&here.join("case.toml"), &[]).unwrap();
    let launch = Launch { seed: 1, threads: 1, command: Vec::new() };
    let mut run = Run::open(case, &here.join("run"), Existing::Keep, launch).unwrap();
    run.state.suspension.stiffness = f64::NAN;
    let error = run.advance(|_, _| false).unwrap_err();
    assert!(error.to_string().contains("holds no number in stiffness"), "{error}");
    assert_eq!(error.exit_code(), 1);
    let manifest = std::fs::read_to_string(here.join("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"failed\"") && manifest.contains("no number"), "{manifest}");
    std::fs::remove_dir_all(here).unwrap();
}
