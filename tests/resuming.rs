//! What a run needs to go on, what it keeps of its past, and what it refuses.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{complaint, scratch, write_case, zerostokes};
use serde_json::Value;
use zerostokes::case::Case;
use zerostokes::record::{Existing, Launch};
use zerostokes::run::{Outcome, Run};

/// A run of particles from a file that is stopped after a few steps.
fn interrupted(name: &str) -> PathBuf {
    let here = scratch(name);
    let packed = "pack --count 60 --volume-fraction 0.4 -o start.extxyz";
    assert_eq!(zerostokes(&here, packed).status.code(), Some(0));
    let text = "[particles]\nfile = \"start.extxyz\"\n[lubrication]\n\
                hydrodynamics = \"lubrication\"\n[drive]\nstrain = 0.1\n[output]\ninterval = 0\n";
    fs::write(here.join("case.toml"), text).unwrap();
    let case = Case::read(&here.join("case.toml"), &[]).unwrap();
    let launch = Launch { seed: 1, threads: 1, command: vec!["first".to_owned()] };
    let mut run = Run::open(case, &here.join("run"), Existing::Keep, launch).unwrap();
    let outcome = run.advance(|seen, _| seen.steps >= 4).unwrap();
    assert_eq!(outcome, Outcome::Interrupted);
    here
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_run_goes_on_without_the_file_that_it_began_with() {
    let here = interrupted("without-start");
    fs::remove_file(here.join("start.extxyz")).unwrap();
    let done = zerostokes(&here, "resume run");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    assert_eq!(json(&here.join("run/summary.json"))["finished"], true);
    // Another run still needs it.
    let done = zerostokes(&here, "run case.toml --out other");
    assert_eq!(done.status.code(), Some(2));
    assert!(complaint(&done).contains("there is no file"), "{}", complaint(&done));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn the_manifest_keeps_the_first_command_and_all_resumptions() {
    let here = interrupted("history");
    let path = here.join("run/manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(text.contains(version));
    fs::write(&path, text.replace(version, "0.0.9")).unwrap();
    let done = zerostokes(&here, "resume run --threads 1");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let note = "the run was begun with zerostokes 0.0.9";
    assert!(complaint(&done).contains(note), "{}", complaint(&done));
    assert!(json(&here.join("run/summary.json"))["advice"].to_string().contains(note));
    let manifest = json(&path);
    assert_eq!(manifest["command"][0], "first");
    assert_eq!((&manifest["version"], &manifest["resumes"]), (&"0.0.9".into(), &1.into()));
    let history = manifest["history"].as_array().unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(
        (&history[0]["version"], &history[0]["command"][1]),
        (&version.into(), &"resume".into())
    );
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn damage_is_found_before_a_run_goes_on_and_the_manifest_stays_as_it_was() {
    let here = interrupted("damage");
    let [manifest, series] =
        ["manifest.json", "timeseries.csv"].map(|name| here.join("run").join(name));
    let before = fs::read(&manifest).unwrap();
    let mut rows = fs::read(&series).unwrap();
    let last = rows.len() - 3;
    rows[last] = if rows[last] == b'1' { b'2' } else { b'1' };
    fs::write(&series, &rows).unwrap();
    let done = zerostokes(&here, "resume run");
    assert_eq!(done.status.code(), Some(1), "{}", complaint(&done));
    let said = complaint(&done);
    assert!(said.contains("timeseries.csv: was changed since the checkpoint"), "{said}");
    assert_eq!(fs::read(&manifest).unwrap(), before);
    assert_eq!(fs::read(&series).unwrap(), rows);
    fs::remove_dir_all(here).unwrap();
}

#[cfg(unix)]
#[test]
fn no_file_of_a_run_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let here = interrupted("links");
    let (series, outside) = (here.join("run/timeseries.csv"), here.join("outside.csv"));
    fs::rename(&series, &outside).unwrap();
    symlink(&outside, &series).unwrap();
    let before = fs::read(&outside).unwrap();
    let done = zerostokes(&here, "resume run");
    assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
    assert!(complaint(&done).contains("is a symbolic link"), "{}", complaint(&done));
    assert_eq!(fs::read(&outside).unwrap(), before);
    // The lock and a figure, too.
    let (precious, other) = (here.join("precious"), here.join("other"));
    fs::write(&precious, "kept").unwrap();
    fs::create_dir(&other).unwrap();
    symlink(&precious, other.join(".lock")).unwrap();
    let done = zerostokes(&here, "run case.toml --out other --quiet");
    assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
    fs::remove_file(other.join(".lock")).unwrap();
    let done = zerostokes(&here, "run case.toml --out other --quiet");
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    fs::remove_file(other.join("timeseries.svg")).unwrap();
    symlink(&precious, other.join("timeseries.svg")).unwrap();
    assert_eq!(zerostokes(&here, "plot other").status.code(), Some(0));
    assert_eq!(fs::read_to_string(&precious).unwrap(), "kept");
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_finished_run_has_nothing_left_to_do() {
    let here = scratch("finished");
    write_case(&here, 60, 0.02, "[lubrication]\nouter_gap = 0.3\n");
    assert!(zerostokes(&here, "run case.toml --quiet --out out").status.success());
    let rows = fs::read(here.join("out/timeseries.csv")).unwrap();
    let resumed = zerostokes(&here, "resume out");
    assert_eq!(resumed.status.code(), Some(0), "{}", complaint(&resumed));
    assert!(complaint(&resumed).contains("nothing is left to do"), "{}", complaint(&resumed));
    assert_eq!(fs::read(here.join("out/timeseries.csv")).unwrap(), rows);
    fs::remove_dir_all(here).unwrap();
}
