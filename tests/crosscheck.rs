//! The same case at several Stokes numbers and at zero.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use program::{complaint, scratch, shipped, zerostokes};
use serde_json::Value;

fn results(directory: &Path) -> Value {
    serde_json::from_slice(&fs::read(directory.join("crosscheck.json")).unwrap()).unwrap()
}

/// What was found of a quantity.
fn finding<'a>(results: &'a Value, name: &str) -> &'a Value {
    let all = results["quantities"].as_array().unwrap();
    all.iter().find(|q| q["name"] == name).unwrap_or_else(|| panic!("no {name} in {results}"))
}

fn crosscheck(here: &Path, case: &str, arguments: &str) -> String {
    let case = shipped(case);
    let done = zerostokes(here, &format!("crosscheck {} {arguments}", case.display()));
    assert!(done.status.success(), "{arguments}: {}", complaint(&done));
    String::from_utf8(done.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn two_spheres_with_inertia_converge_to_those_without() {
    let here = scratch("crosscheck-two-spheres");
    let case = "two_spheres.toml";
    let said = crosscheck(&here, case, "--set time.tolerance=1e-5 --out out");
    let out = here.join("out");
    let results = results(&out);
    for name in ["trajectory", "final_positions"] {
        let finding = finding(&results, name);
        assert!(number(&finding["order"]["value"]) >= 0.9, "{finding}");
        assert!(number(&finding["extrapolated_difference"]).abs() < 1e-3, "{finding}");
        assert!(finding["points"].as_array().unwrap().iter().all(|p| p["resolved"] == true));
        assert_eq!(finding["verdict"]["basis"], "interpolated", "{finding}");
    }
    for words in ["trajectory", "St = 0.003", "is within", "crosscheck.png"] {
        assert!(said.contains(words), "no {words} in {said}");
    }
    let table = fs::read_to_string(out.join("crosscheck.csv")).unwrap();
    let heading = "quantity,stokes,value,stderr,quasi_static,difference,relative_difference,\
                   local_order,relative_uncertainty,resolved";
    assert_eq!(table.lines().next(), Some(heading));
    let quantities = results["quantities"].as_array().unwrap().len();
    assert_eq!(table.lines().count(), 1 + 4 * quantities);
    fs::remove_file(out.join("crosscheck.png")).unwrap();
    assert!(zerostokes(&here, "plot out").status.success());
    assert!(out.join("crosscheck.png").exists());
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn finished_runs_are_kept_when_others_join_them() {
    let here = scratch("crosscheck-again");
    let (case, out) = ("t1.toml", here.join("out"));
    crosscheck(&here, case, "--stokes 0.1,0.03 --out out --quiet");
    let ended = |name: &str| fs::read(out.join(name).join("manifest.json")).unwrap();
    let before = ["stokes_0", "stokes_0.1", "stokes_0_fine"].map(ended);
    crosscheck(&here, case, "--stokes 0.1,0.01 --out out --quiet");
    assert_eq!(["stokes_0", "stokes_0.1", "stokes_0_fine"].map(ended), before);
    assert!(out.join("stokes_0.01_fine/summary.json").exists());
    let found = results(&out);
    let stokes: Vec<f64> = finding(&found, "duration")["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| number(&point["stokes"]))
        .collect();
    assert_eq!(stokes, [0.1, 0.01]);
    let case = shipped(case);
    let other = format!("crosscheck {} --set t1.kappa=0.01 --out out", case.display());
    let done = zerostokes(&here, &other);
    assert_eq!(done.status.code(), Some(2));
    assert!(complaint(&done).contains("t1.kappa is 0.003 there and 0.01 here"), "{done:?}");
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let here = scratch("crosscheck-bad");
    let refused = |case: &str, arguments: &str, words: &str| {
        let line = format!("crosscheck {} {arguments} --out out", shipped(case).display());
        let done = zerostokes(&here, &line);
        assert_eq!(done.status.code(), Some(2), "{arguments}: {}", complaint(&done));
        assert!(complaint(&done).contains(words), "{arguments}: {}", complaint(&done));
        assert!(!here.join("out").exists(), "{arguments}");
    };
    let t1 = "t1.toml";
    refused(t1, "--stokes small", "write numbers, as in --stokes 1e-1,1e-2");
    refused(t1, "--stokes 0.1,-0.2", "--stokes: -0.2 is no Stokes number");
    refused(t1, "--stokes -0.1", "--stokes: -0.1 is no Stokes number");
    refused(t1, "--stokes nan", "--stokes: NaN is no Stokes number");
    refused(t1, "--stokes 0", "--stokes: there is no number but 0");
    refused(t1, "--stokes 0.1,1e-1", "--stokes: 0.1 comes twice; give every number once");
    refused(t1, "--accuracy 1", "write a share between 0 and 1: 0.01 is 1 %");
    refused(t1, "--accuracy 0", "write a share between 0 and 1: 0.01 is 1 %");
    refused(t1, "--scheme euler", "possible values: implicit, verlet");
    refused(t1, "--set inertia.density=1", "inertia.density: given although the check sets");
    refused("collision.toml", "", "vary collision.stokes in a sweep");
    refused("t1_sweep.toml", "", "is a sweep of cases, not a case");
    refused("pair_shear.toml", "--scheme verlet", "needs spheres of finite pair.stiffness");
    fs::remove_dir_all(here).unwrap();
}
