//! Soft particles as a user runs them: a rearrangement, two spheres, a suspension, and sweeps.

#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use program::{complaint, scratch, shipped, zerostokes};
use serde_json::Value;
use told::{Told, assert_figure, columns, number};

fn run(here: &Path, case: &str, out: &str, set: &str) -> Told {
    told::run(here, case, out, set, 1e-8)
}

#[test]
fn a_rearrangement_is_timed_written_and_drawn() {
    let here = scratch("t1");
    let told = run(&here, "t1.toml", "out", "");
    let t1 = &told.summary["t1"];
    assert_eq!((&t1["occurred"], &t1["visited_hertz"]), (&true.into(), &true.into()));
    assert_eq!((&t1["regime"], &t1["separated_at"]), (&"II".into(), &Value::Null));
    let duration = number(&t1["duration"]);
    assert!((duration / 11.9456 - 1.0).abs() < 2e-3, "{duration}");
    assert!((number(&t1["final_angle_deg"]) - 29.82).abs() < 0.05, "{t1}");
    assert!(told.table.contains("neighbours swapped"), "{}", told.table);
    assert!(!told.notes.contains("note:"), "{}", told.notes);
    let (names, rows) = columns(&here.join("out/timeseries.csv"));
    let expected = "time steps step angle_deg gap_horizontal gap_vertical gap_diagonal \
                    normal_horizontal normal_vertical normal_diagonal shear_diagonal \
                    ratio_horizontal ratio_vertical ratio_diagonal force_residual solves";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    let at = |row: usize, name: &str| rows[row][name].parse::<f64>().unwrap();
    let last = rows.len() - 1;
    assert!((at(0, "angle_deg") - 60.0).abs() < 0.01 && at(last, "angle_deg") < 30.0);
    assert!((at(0, "gap_horizontal") - 0.01).abs() < 1e-5);
    assert!(at(last, "gap_vertical") < at(last, "gap_horizontal"));
    assert!((at(last, "normal_vertical") - 0.99).abs() < 1e-6);
    assert_eq!(at(last, "time"), duration);
    assert_eq!(Value::from(at(last, "steps") as u64), told.summary["steps"]);
    assert_figure(&here.join("out/t1"));
    for file in ["case.toml", "manifest.json", "checkpoint.json"] {
        assert!(here.join("out").join(file).exists(), "{file}");
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_finished_rearrangement_is_not_overwritten() {
    let here = scratch("t1-finished");
    run(&here, "t1.toml", "out", "");
    let before = fs::read(here.join("out/timeseries.csv")).unwrap();
    let case = shipped("t1.toml");
    for (set, words) in [("", "finished run"), ("--set t1.kappa=0.01", "another case")] {
        let again = zerostokes(&here, &format!("run {} --out out {set}", case.display()));
        assert_eq!(again.status.code(), Some(2));
        let said = complaint(&again);
        assert!(said.contains(words) && said.contains("--force"), "{said}");
        assert_eq!(before, fs::read(here.join("out/timeseries.csv")).unwrap());
    }
    run(&here, "t1.toml", "out", "--set t1.kappa=0.01 --force");
    assert_ne!(before, fs::read(here.join("out/timeseries.csv")).unwrap());
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_group_that_does_not_rearrange_says_why() {
    let here = scratch("t1-none");
    let held = run(&here, "t1.toml", "held", "--set t1.force_x_ratio=0.8");
    let t1 = &held.summary["t1"];
    assert_eq!((&t1["occurred"], &t1["duration"]), (&false.into(), &Value::Null));
    assert_eq!((&t1["regime"], &t1["expected_duration"]), (&"I".into(), &Value::Null));
    assert!(held.notes.contains("t1.force_x_ratio below about 0.577"), "{}", held.notes);
    assert!(held.table.contains("no rearrangement"), "{}", held.table);
    let given_up = run(&here, "t1.toml", "given-up", "--set t1.max_time=2");
    let t1 = &given_up.summary["t1"];
    assert_eq!((&t1["occurred"], &t1["duration"]), (&false.into(), &Value::Null));
    assert_eq!(given_up.summary["time"], 2.0);
    assert!(given_up.notes.contains("t1.max_time"), "{}", given_up.notes);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_group_that_is_pulled_apart_says_so() {
    let here = scratch("t1-apart");
    let told = run(&here, "t1.toml", "out", "--set t1.force_x_ratio=-0.5");
    let t1 = &told.summary["t1"];
    assert_eq!((&t1["occurred"], &t1["regime"]), (&true.into(), &"III".into()));
    assert!(number(&t1["separated_at"]) > number(&t1["duration"]), "{t1}");
    assert_eq!(t1["separated_at"], told.summary["time"]);
    assert!(told.notes.contains("pulled the group apart"), "{}", told.notes);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn what_the_model_does_not_hold_for_is_noted() {
    let here = scratch("t1-notes");
    let wide = run(&here, "t1.toml", "wide", "--set t1.gap=1.5");
    assert!(wide.notes.contains("note: the initial gap of 1.5 R is no thin film"));
    let soft = run(&here, "t1.toml", "soft", "--set t1.kappa=1");
    assert!(soft.notes.contains("note: surfaces were deflected by up to"), "{}", soft.notes);
    assert!(number(&soft.summary["t1"]["largest_deflection"]) > 0.5);
    let pair = run(&here, "soft_pair.toml", "pair", "--set soft_pair.gap=2");
    assert!(pair.notes.contains("no thin film"), "{}", pair.notes);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn two_spheres_part_and_meet_by_the_laws() {
    let here = scratch("soft-pair");
    let pulled = run(&here, "soft_pair.toml", "pulled", "");
    let pair = &pulled.summary["soft_pair"];
    assert!(number(&pair["final_gap"]) >= 10.0);
    assert!((number(&pair["poiseuille_ratio"]) - 1.0).abs() < 0.01, "{pair}");
    // The film starts where the regime begins, not deep in it.
    assert!((number(&pair["hertz_ratio"]) - 1.0).abs() < 0.1, "{pair}");
    assert_eq!(pair["stokes_ratio"], Value::Null);
    let (names, rows) = columns(&here.join("pulled/timeseries.csv"));
    let expected = "time steps step gap centre_gap rate centre_rate force ratio rate_poiseuille \
                    rate_hertz rate_with_drag force_residual solves";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(Value::from(rows.len()), pulled.summary["steps"]);
    assert_figure(&here.join("pulled/soft_pair"));
    assert_figure(&here.join("pulled/rates"));

    let press = "--set soft_pair.load=press --set soft_pair.gap=0.5 --set soft_pair.end_gap=1e-4";
    let pressed = run(&here, "soft_pair.toml", "pressed", press);
    let pair = &pressed.summary["soft_pair"];
    assert!(number(&pair["final_gap"]) <= 1e-4 && number(&pair["final_centre_gap"]) < 0.0);
    assert!((number(&pair["hertz_ratio"]) - 1.0).abs() < 0.02, "{pair}");

    let drag = "--set soft_pair.drag=true --set soft_pair.end_gap=100";
    let dragged = run(&here, "soft_pair.toml", "dragged", drag);
    let stokes = number(&dragged.summary["soft_pair"]["stokes_ratio"]);
    assert!(stokes > 0.97 && stokes < 1.0, "{stokes}");
    assert!(number(&dragged.summary["time"]) > number(&pulled.summary["time"]));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn soft_spheres_that_overlap_are_named() {
    let here = scratch("soft-overlap");
    let case = "[particles]\npositions = [[-3, 0, 0], [0, 0, 0], [0, 1.9, 0]]\nradii = [1, 1, 1]\n\
                [domain]\nboundary = \"open\"\n[soft]\nmodulus = 1e4\n[drive]\nstrain = 1\n";
    fs::write(here.join("case.toml"), case).unwrap();
    for command in ["run case.toml --quiet --out out", "check case.toml"] {
        let done = zerostokes(&here, command);
        assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
        let pair = "particles 1 and 2 overlap by 1.000e-1";
        assert!(complaint(&done).contains(pair), "{}", complaint(&done));
        assert!(!here.join("out").exists());
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_check_tells_what_soft_cases_mean() {
    let here = scratch("soft-check");
    let check = |case: &str, set: &str| {
        let done = zerostokes(&here, &format!("check {} {set}", shipped(case).display()));
        assert!(done.status.success(), "{case}: {}", complaint(&done));
        String::from_utf8(done.stdout).unwrap()
    };
    let has = |said: &str, words: &[&str]| {
        for word in words {
            assert!(said.contains(word), "no {word} in {said}");
        }
    };
    let t1 = check("t1.toml", "");
    has(&t1, &["4 soft spheres", "τ = 6π√3 ηR²/|N_y|", "κ = 0.003", "regime              II"]);
    has(&t1, &["5.883 τ", "[t1]", "kappa = 0.003", "symmetric = true"]);
    assert!(!t1.contains("[contact]") && !t1.contains("[particles]"), "{t1}");
    has(&check("t1.toml", "--set t1.force_x_ratio=0.8"), &["no rearrangement where N_y < √3 N_x"]);
    let pair = check("soft_pair.toml", "");
    has(&pair, &["2 soft spheres", "regimes meet", "expected end", "[soft_pair]", "gap = 0.001"]);
    let suspension = check("soft_suspension.toml", "");
    has(&suspension, &["φ = 0.600000", "softness", "E = 1.0000e5", "repulsion", "expected cost"]);
    has(&suspension, &["[soft]", "modulus = 100000.0", "range = 0.5"]);
    // What is resolved is a case of its own.
    for (name, said) in [("t1", t1), ("pair", pair), ("suspension", suspension)] {
        let (_, resolved) = said.split_once("# resolved, with every default\n").unwrap();
        fs::write(here.join(format!("{name}.toml")), resolved).unwrap();
        let again = zerostokes(&here, &format!("check {name}.toml"));
        assert!(again.status.success(), "{name}: {}", complaint(&again));
        assert!(String::from_utf8(again.stdout).unwrap().ends_with(resolved), "{name}");
    }
    fs::remove_dir_all(here).unwrap();
}

/// A directory with the shipped rearrangement and a sweep of it.
fn prepare(name: &str, over: &str) -> PathBuf {
    let here = scratch(name);
    fs::copy(shipped("t1.toml"), here.join("t1.toml")).unwrap();
    fs::write(here.join("grid.toml"), format!("case = \"t1.toml\"\n{over}")).unwrap();
    here
}

fn cells(rows: &[BTreeMap<String, String>], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].clone()).collect()
}

fn numbers(rows: &[BTreeMap<String, String>], name: &str) -> Vec<f64> {
    rows.iter().map(|row| row[name].parse().unwrap()).collect()
}

#[test]
fn rearrangements_are_swept() {
    let grid = "[[over]]\nkey = \"t1.kappa\"\nvalues = [1e-3, 1e-2, 1e-1]\n\
                [[over]]\nkey = \"t1.gap\"\nvalues = [1e-2, 1e-1]\n";
    let here = prepare("t1-sweep", grid);
    let done = zerostokes(&here, "sweep grid.toml --out out");
    assert!(done.status.success(), "{}", complaint(&done));
    let (names, rows) = columns(&here.join("out/sweep.csv"));
    assert_eq!(names[..4], ["point", "t1.kappa", "t1.gap", "status"]);
    for name in ["duration", "expected_duration", "final_angle_deg", "occurred", "visited_hertz"] {
        assert!(names.contains(&format!("t1.{name}")), "no {name} in {names:?}");
    }
    assert_eq!(numbers(&rows, "t1.kappa"), [1e-3, 1e-3, 1e-2, 1e-2, 1e-1, 1e-1]);
    assert_eq!(numbers(&rows, "t1.gap"), [1e-2, 1e-1, 1e-2, 1e-1, 1e-2, 1e-1]);
    assert_eq!(cells(&rows, "status"), ["finished"; 6]);
    assert_eq!(cells(&rows, "t1.occurred"), ["true"; 6]);
    let durations = numbers(&rows, "t1.duration");
    assert!(durations.chunks(2).all(|pair| pair[0] > pair[1]), "{durations:?}");
    assert_figure(&here.join("out/sweep"));

    let point = |k: usize| here.join(format!("out/points/000{k}/manifest.json"));
    let manifests = || (1..=6).map(|k| fs::read(point(k)).unwrap()).collect::<Vec<_>>();
    let before = manifests();
    let again = zerostokes(&here, "sweep grid.toml --out out");
    assert!(again.status.success(), "{}", complaint(&again));
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(said.contains("finished            6, 6 of them earlier"), "{said}");
    assert_eq!(manifests(), before);
    assert_eq!(columns(&here.join("out/sweep.csv")).1, rows);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_sweep_leaves_durations_open_where_nothing_rearranges() {
    let here =
        prepare("t1-open", "[[over]]\nkey = \"t1.force_x_ratio\"\nvalues = [0, 0.8, -0.5]\n");
    let done = zerostokes(&here, "sweep grid.toml --out out --quiet");
    assert!(done.status.success(), "{}", complaint(&done));
    let (_, rows) = columns(&here.join("out/sweep.csv"));
    assert_eq!(cells(&rows, "status"), ["finished"; 3]);
    assert_eq!(cells(&rows, "t1.occurred"), ["true", "false", "true"]);
    assert_eq!(cells(&rows, "t1.regime"), ["II", "I", "III"]);
    let open = |name: &str| cells(&rows, name).iter().map(String::is_empty).collect::<Vec<_>>();
    assert_eq!(open("t1.duration"), [false, true, false]);
    assert_eq!(open("t1.separated_at"), [true, true, false]);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn the_shipped_sweep_is_complete() {
    let here = scratch("t1-shipped");
    let sweep = shipped("t1_sweep.toml");
    let done = zerostokes(&here, &format!("sweep {} --out out --quiet", sweep.display()));
    assert!(done.status.success(), "{}", complaint(&done));
    let (_, rows) = columns(&here.join("out/sweep.csv"));
    assert_eq!(cells(&rows, "status"), ["finished"; 144]);
    assert_eq!(cells(&rows, "t1.occurred"), ["true"; 144]);
    // Rows of equal force: the thicker the films, the shorter, and the less Hertz.
    let (durations, hertz) = (numbers(&rows, "t1.duration"), cells(&rows, "t1.visited_hertz"));
    for force in durations.chunks(12) {
        assert!(force.is_sorted_by(|a, b| a > b), "{force:?}");
    }
    for force in hertz.chunks(12) {
        assert!(force.is_sorted_by(|a, b| a >= b), "{force:?}");
        assert!(force[0] == "true" && force[11] == "false", "{force:?}");
    }
    assert_figure(&here.join("out/sweep"));
    fs::remove_dir_all(here).unwrap();
}
