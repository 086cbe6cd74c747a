//! The papers' benchmarks as a user runs them.

#[path = "common/program.rs"]
mod program;

use std::time::Duration;

use program::{complaint, program, scratch, zerostokes};

#[test]
fn the_quick_benchmarks_are_all_within_tolerance() {
    let here = scratch("validate");
    let done = zerostokes(&here, "validate --quick --out out");
    let table = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{table}\n{}", complaint(&done));
    for words in [
        "what",
        "Ge & Brandt",
        "Chèvremont",
        "Rognon & Gay",
        "Jeffrey & Onishi",
        "Nijssen",
        "erratum: the paper's gap",
        "erratum: the paper's equations",
    ] {
        assert!(table.contains(words), "no {words} in {table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    let rows = table.lines().filter(|line| line.ends_with(" ok")).count();
    assert!(rows >= 20 && table.contains(&format!("{rows} of {rows} within tolerance")), "{table}");

    let mut csv = csv::Reader::from_path(here.join("out/validate.csv")).unwrap();
    let names = csv.headers().unwrap().clone();
    let place = |name: &str| names.iter().position(|n| n == name).unwrap();
    let mut last = 0;
    for record in csv.records() {
        let record = record.unwrap();
        assert_eq!(&record[place("verdict")], "ok", "{record:?}");
        for name in ["reference", "here", "tolerance"] {
            assert!(record[place(name)].parse::<f64>().unwrap().is_finite(), "{record:?}");
        }
        last = record[place("row")].parse().unwrap();
    }
    assert_eq!(last, rows, "the file has the rows of the table");
    let page = std::fs::read_to_string(here.join("out/validation.md")).unwrap();
    assert_eq!(page.matches(" | ok | ").count(), rows, "so has the page: {page}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
#[cfg(unix)]
fn ctrl_c_stops_the_benchmarks_and_leaves_nothing_behind() {
    let here = scratch("validate-stop");
    let mut child = program(&here)
        .arg("validate")
        .env("TMPDIR", &here)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while std::fs::read_dir(&here).unwrap().next().is_none() {
        assert!(child.try_wait().unwrap().is_none(), "it works in its directory");
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signal.success());
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(130), "{}", complaint(&done));
    assert!(complaint(&done).contains("stopped with"), "{}", complaint(&done));
    assert!(std::fs::read_dir(&here).unwrap().next().is_none(), "the directory is gone");
    std::fs::remove_dir_all(here).unwrap();
}
