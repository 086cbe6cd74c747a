//! The same bytes, whatever happens.

#[path = "common/program.rs"]
mod program;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use program::{program, scratch, write_case, zerostokes};

const FILES: [&str; 2] = ["timeseries.csv", "frames.extxyz"];

fn assert_same_bytes(a: &Path, b: &Path) {
    for file in FILES {
        let [a, b] = [a, b].map(|d| std::fs::read(d.join(file)).unwrap());
        assert!(a.len() > 1000 && a == b, "{file} differs");
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let here = scratch("threads");
    // Large enough for every loop that threads share.
    write_case(&here, 4500, 0.01, "[output]\nframes = 0.005\n");
    for threads in [1, 2] {
        let done = zerostokes(
            &here,
            &format!("run case.toml --quiet --out t{threads} --threads {threads}"),
        );
        assert!(done.status.success(), "{done:?}");
    }
    assert_same_bytes(&here.join("t1"), &here.join("t2"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    kill_and_resume("kill", "");
}

#[test]
fn a_killed_run_at_imposed_stress_resumes_to_the_same_bytes() {
    kill_and_resume("kill-stress", " --set drive.stress=20 --set drive.strain=0.3");
}

fn kill_and_resume(name: &str, set: &str) {
    let here = scratch(name);
    write_case(&here, 100, 1.0, "[output]\nframes = 0.1\ncheckpoint_seconds = 0.02\n");
    let whole = zerostokes(&here, &format!("run case.toml --quiet --out whole{set}"));
    assert!(whole.status.success(), "{whole:?}");
    let mut kills = 0;
    for pause in [60, 100, 140, 180, 220, 400, 100_000] {
        // `run` on an unfinished directory resumes by itself; so does `resume`.
        let arguments = if kills % 2 == 0 {
            format!("run case.toml --quiet --out killed{set}")
        } else {
            "resume killed --quiet".to_owned()
        };
        if kills % 2 == 1 && !here.join("killed/case.toml").exists() {
            continue;
        }
        let mut child = program(&here)
            .args(arguments.split_whitespace())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut waited = Duration::ZERO;
        while child.try_wait().unwrap().is_none() && waited < Duration::from_millis(pause) {
            std::thread::sleep(Duration::from_millis(5));
            waited += Duration::from_millis(5);
        }
        if let Some(status) = child.try_wait().unwrap() {
            let said = program::complaint(&child.wait_with_output().unwrap());
            // The last kill may have come after all was written.
            let whole = status.success() || said.contains("holds a finished run");
            assert!(whole, "{status} after {kills} kills: {said}");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2, "the run was too fast to be killed");
    assert_same_bytes(&here.join("whole"), &here.join("killed"));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_terminated_run_says_how_to_go_on() {
    let here = scratch("term");
    write_case(&here, 100, 50.0, "");
    let child =
        program(&here).args(["run", "case.toml", "--out", "out"]).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    while !here.join("out/timeseries.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let terminate = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(terminate.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    let said = program::complaint(&output);
    assert!(said.contains("zerostokes resume out"), "{said}");
    assert!(here.join("out/checkpoint.json").exists());
    std::fs::remove_dir_all(here).unwrap();
}
