//! What has not settled is said on the screen and hollow in figures, in every kind of flow.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::{complaint, scratch, words, zerostokes};

fn write(here: &Path, drive: &str) {
    let text = format!(
        "[particles]\ncount = 60\nvolume_fraction = 0.4\n[lubrication]\n\
         hydrodynamics = \"lubrication\"\n[output]\nframes = 0\n{drive}"
    );
    std::fs::write(here.join("case.toml"), text).unwrap();
}

/// What a run says: its results and its notes.
fn run(here: &Path) -> (String, String) {
    let done = zerostokes(here, "run case.toml --out run --force");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    (String::from_utf8(done.stdout.clone()).unwrap(), complaint(&done))
}

#[test]
fn an_oscillation_that_has_not_settled_says_so() {
    let here = scratch("unsettled-oscillation");
    write(&here, "[drive.oscillation]\namplitude = 0.1\nfrequency = 1.0\ncycles = 3\n");
    let (said, notes) = run(&here);
    let line = said.lines().find(|line| line.starts_with("oscillation")).unwrap();
    assert!(line.ends_with("(not settled)"), "{said}");
    assert!(notes.contains("only more drive.oscillation.cycles gives a mean"), "{notes}");
    let figure = std::fs::read_to_string(here.join("run/cycles.svg")).unwrap();
    assert!(words(&figure).contains("not settled"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_phase_that_has_not_settled_says_so() {
    let here = scratch("unsettled-phases");
    write(
        &here,
        "[[drive.phase]]\nstress = 5.0\nstrain = 0.4\n[[drive.phase]]\nrate = 1.0\nstrain = 0.4\n",
    );
    let (said, notes) = run(&here);
    let phases: Vec<&str> = said.lines().filter(|line| line.starts_with("phase")).collect();
    assert_eq!(phases.len(), 2, "{said}");
    assert!(phases.iter().all(|line| line.contains("(not settled)")), "{said}");
    assert!(notes.contains("more strain in the phases"), "{notes}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn points_of_a_flow_curve_that_have_not_settled_are_hollow() {
    let here = scratch("unsettled-curve");
    write(&here, "[drive]\nstrain = 0.3\n");
    let sweep = "case = \"case.toml\"\n[[over]]\nkey = \"drive.rate\"\nvalues = [1.0, 2.0]\n";
    std::fs::write(here.join("sweep.toml"), sweep).unwrap();
    let done = zerostokes(&here, "sweep sweep.toml --out sweep");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let figure = std::fs::read_to_string(here.join("sweep/flow_curve.svg")).unwrap();
    assert!(words(&figure).contains("hollow: not settled"));
    let hollow = |line: &&str| line.contains("<circle") && line.contains("fill=\"#ffffff\"");
    assert!(figure.split_inclusive('>').filter(hollow).count() >= 2, "{figure}");
    std::fs::remove_dir_all(here).unwrap();
}
