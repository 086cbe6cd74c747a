//! Hard spheres that an imposed rate presses into each other have jammed, whatever their springs
//! say.

#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::path::Path;

use program::{complaint, scratch, zerostokes};
use serde_json::Value;
use told::columns;

/// Sixty frictional spheres; beyond φ = 0.56 they cannot flow.
fn write(here: &Path, rest: &str) {
    let text = format!(
        "[particles]\ncount = 60\nvolume_fraction = 0.6\n[contact]\nfriction = 1.0\n{rest}\
         [lubrication]\nhydrodynamics = \"lubrication\"\n[drive]\nstrain = 1.0\n[output]\nframes = 0\n"
    );
    std::fs::write(here.join("case.toml"), text).unwrap();
}

/// The summary of a run, and what was said of it.
fn run(here: &Path, set: &str) -> (Value, String, String) {
    let done = zerostokes(here, &format!("run case.toml --out run --force --threads 1 {set}"));
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let summary = std::fs::read_to_string(here.join("run/summary.json")).unwrap();
    let said = String::from_utf8(done.stdout.clone()).unwrap();
    (serde_json::from_str(&summary).unwrap(), said, complaint(&done))
}

/// What a note says to write for a key.
fn advised(notes: &str, key: &str) -> String {
    let start = notes.find(key).unwrap_or_else(|| panic!("{key} is not in {notes}"));
    let words = notes[start..].split_whitespace().skip(2);
    words.take(1).collect::<String>().trim_matches(|c| c == ',' || c == ':').to_owned()
}

#[test]
fn a_run_that_overlaps_beyond_its_bound_says_that_it_jammed_and_what_flows() {
    let here = scratch("jammed-run");
    write(&here, "");
    let (summary, said, notes) = run(&here, "");
    assert_eq!(summary["jammed"], true);
    assert!(said.starts_with("jammed              spheres overlap by up to"), "{said}");
    let fraction = advised(&notes, "particles.volume_fraction =");
    assert!(notes.contains("friction"), "{notes}");
    let set = format!("--set particles.volume_fraction={fraction}");
    let (summary, said, _) = run(&here, &set);
    assert_eq!(summary["jammed"], false, "{set}: {said}");
    assert!(!said.contains("jammed"), "{said}");
    let (summary, ..) = run(&here, "--set contact.friction=0.0");
    assert_eq!(summary["jammed"], false);
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_given_stiffness_is_held_to_the_same_bound() {
    let here = scratch("jammed-given");
    write(&here, "stiffness = 1e5\n");
    let (summary, said, notes) = run(&here, "");
    assert_eq!(summary["jammed"], true, "{said}");
    assert!(notes.contains("particles.volume_fraction = 0.50"), "{notes}");
    // Far from jamming only the springs are too soft, and the note says what does.
    let soft =
        "--set particles.volume_fraction=0.45 --set contact.stiffness=100.0 --set drive.strain=2.0";
    let (summary, _, notes) = run(&here, soft);
    assert_eq!(summary["jammed"], true, "{notes}");
    assert!(notes.contains("contact.stiffness = \"auto\" finds one"), "{notes}");
    let auto = "--set particles.volume_fraction=0.4 --set contact.stiffness=\"auto\"";
    assert_eq!(run(&here, auto).0["jammed"], false);
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn jammed_points_of_a_sweep_are_marked_and_neither_pooled_nor_drawn() {
    let here = scratch("jammed-sweep");
    write(&here, "");
    let sweep = "case = \"case.toml\"\n[[over]]\nkey = \"particles.volume_fraction\"\n\
                 values = [0.35, 0.4, 0.6]\n";
    std::fs::write(here.join("sweep.toml"), sweep).unwrap();
    for again in [false, true] {
        // The second time from the files of the points.
        let done = zerostokes(&here, "sweep sweep.toml --out sweep --jobs 2");
        assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.contains("jammed              1 of them"), "{again}: {said}");
        let (_, points) = columns(&here.join("sweep/sweep.csv"));
        let status: Vec<&str> = points.iter().map(|row| row["status"].as_str()).collect();
        assert_eq!(status, ["finished", "finished", "jammed"]);
        assert_eq!(points[2]["jammed"], "true");
        let (_, curve) = columns(&here.join("sweep/curve.csv"));
        assert_eq!((&*curve[2]["pooled"], &*curve[2]["jammed"]), ("0", "1"));
        assert_eq!(curve[2]["relative_viscosity.mean"], "");
        assert_ne!(curve[1]["relative_viscosity.mean"], "");
        let row = said.lines().find(|line| line.starts_with("0.6 ")).unwrap_or_default();
        assert!(row.contains("–") && row.contains("jammed") && !row.contains('±'), "{said}");
    }
    std::fs::remove_dir_all(here).unwrap();
}
