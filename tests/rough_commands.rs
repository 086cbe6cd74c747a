//! Rough spheres as a user runs them: a falling sphere, two spheres in shear, a suspension.

#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use program::{complaint, scratch, shipped, zerostokes};
use serde_json::Value;
use told::{Told, assert_figure, columns, number};

fn run(here: &Path, case: &str, out: &str, set: &str) -> Told {
    let told = told::run(here, case, out, set, 1e-10);
    assert!(number(&told.summary["worst_power_mismatch"]) <= 1e-4, "{}", told.summary);
    told
}

fn assert_files(out: &Path) {
    for file in ["case.toml", "manifest.json", "checkpoint.json", "timeseries.csv"] {
        assert!(out.join(file).exists(), "{file}");
    }
}

#[test]
fn a_sphere_falls_and_comes_to_rest() {
    let here = scratch("settle");
    let told = run(&here, "falling_sphere.toml", "out", "");
    let settle = &told.summary["settle"];
    assert!((number(&settle["decay_rate"]) * 9.0 / -8.0 - 1.0).abs() < 1e-4, "{settle}");
    assert!((number(&settle["final_gap"]) / 5e-4 - 1.0).abs() < 1e-8, "{settle}");
    assert!((number(&settle["equilibrium_gap"]) / 5e-4 - 1.0).abs() < 1e-12, "{settle}");
    assert_eq!(settle["overloaded"], false);
    assert!(!told.notes.contains("note:"), "{}", told.notes);
    assert!(told.table.contains("equilibrium") && told.table.contains("decay rate"));
    let (names, rows) = columns(&here.join("out/timeseries.csv"));
    for name in ["time", "step", "gap", "log10_gap", "centre_gap", "tension", "contact"] {
        assert!(names.contains(&name.to_owned()), "{name} in {names:?}");
    }
    let last: f64 = rows.last().unwrap()["gap"].parse().unwrap();
    assert!((last / number(&settle["final_gap"]) - 1.0).abs() < 1e-12);
    assert_eq!(Value::from(rows.len()), told.summary["steps"]);
    assert_figure(&here.join("out/settle"));
    assert_files(&here.join("out"));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn every_key_of_a_falling_sphere_may_be_set() {
    let here = scratch("settle-set");
    let smooth = run(&here, "falling_sphere.toml", "smooth", "--set settle.roughness=0");
    let settle = &smooth.summary["settle"];
    assert!((number(&settle["decay_rate"]) * 9.0 / -8.0 - 1.0).abs() < 1e-4, "{settle}");
    assert_eq!(settle["equilibrium_gap"], Value::Null);
    assert!(number(&settle["final_gap"]) <= 1e-12, "{settle}");
    let set = "--set settle.contact_number=0.5";
    let heavy = run(&here, "falling_sphere.toml", "heavy", set);
    let settle = &heavy.summary["settle"];
    assert!((number(&settle["decay_rate"]) * 9.0 / -4.0 - 1.0).abs() < 1e-3, "{settle}");
    assert_eq!((&settle["equilibrium_gap"], &settle["overloaded"]), (&Value::Null, &true.into()));
    assert!(heavy.table.contains("do not bear the weight"), "{}", heavy.table);
    // From within the asperities there is no approach, and no rate of it.
    let set = "--set settle.gap=1e-4 --set settle.roughness=1e-2 --set settle.contact_number=4";
    let near = run(&here, "falling_sphere.toml", "near", set);
    let settle = &near.summary["settle"];
    assert!((number(&settle["final_gap"]) / 7.5e-3 - 1.0).abs() < 1e-8, "{settle}");
    let set = "--set settle.max_time=1 --set settle.asperity_ratio=2";
    let early = run(&here, "falling_sphere.toml", "early", set);
    assert!(early.notes.contains("settle.max_time"), "{}", early.notes);
    assert_eq!(early.summary["time"], 1.0);
    let set = "--set settle.roughness=0 --set settle.end_gap=1e-40 --set settle.stiffness=100";
    let thin = run(&here, "falling_sphere.toml", "thin", set);
    assert!(number(&thin.summary["settle"]["final_gap"]) <= 1e-40);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_bouncing_sphere_is_never_later_than_its_expected_end_and_has_no_decay_rate() {
    let here = scratch("settle-bounce");
    let set =
        "--set inertia.stokes=300 --set settle.contact_number=1000 --set settle.max_time=4000";
    let told = run(&here, "falling_sphere.toml", "out", set);
    let settle = &told.summary["settle"];
    assert_eq!((&settle["response"], &settle["decay_rate"]), (&"bouncing".into(), &Value::Null));
    assert!(told.table.contains("none, because the sphere came up again"), "{}", told.table);
    assert!(told.table.contains("reached: no"), "{}", told.table);
    let lines: Vec<&str> = told.notes.lines().filter(|line| line.starts_with("time ")).collect();
    assert!(!lines.is_empty(), "{}", told.notes);
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (at, end): (f64, f64) = (words[1].parse().unwrap(), words[3].parse().unwrap());
        assert!(at <= 1.001 * end && end <= 4000.0, "{line}");
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn two_spheres_pass_each_other() {
    let here = scratch("pair");
    let told = run(&here, "pair_shear.toml", "out", "");
    let pair = &told.summary["pair"];
    assert!((number(&pair["min_gap"]) / 4.72e-5 - 1.0).abs() < 0.02, "{pair}");
    assert!((number(&pair["final_offset"]) / 0.1 - 1.0).abs() < 1e-3, "{pair}");
    assert_eq!((&pair["passed"], &pair["touched"]), (&true.into(), &false.into()));
    assert!(told.table.contains("final offset"), "{}", told.table);
    assert!(!told.notes.contains("note:"), "{}", told.notes);
    let (names, rows) = columns(&here.join("out/timeseries.csv"));
    for name in ["strain", "x", "y", "z", "gap", "centre_gap", "tension", "contact", "shear"] {
        assert!(names.contains(&name.to_owned()), "{name} in {names:?}");
    }
    let at = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().unwrap();
    let last = rows.last().unwrap();
    assert!(at(&rows[0], "x") < -9.9 && at(last, "x") >= 10.0);
    let least = rows.iter().map(|row| at(row, "gap")).fold(f64::INFINITY, f64::min);
    assert!(least >= number(&pair["min_gap"]) && least < 1.001 * number(&pair["min_gap"]));
    assert_figure(&here.join("out/gaps"));
    assert_files(&here.join("out"));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn every_key_of_two_spheres_may_be_set() {
    let here = scratch("pair-set");
    let lubricated = "--set pair.hydrodynamics=\"lubrication\"";
    // A row of the table of the same model.
    let set = format!(
        "{lubricated} --set pair.offset=0.5 --set pair.start=-10 --set pair.roughness=0.15 \
         --set pair.stiffness=1000 --set pair.cutoff=4"
    );
    let rough = run(&here, "pair_shear.toml", "rough", &set);
    let pair = &rough.summary["pair"];
    assert!((number(&pair["min_gap"]) / 1.441929e-1 - 1.0).abs() < 1e-3, "{pair}");
    assert!((number(&pair["final_offset"]) / 0.781788 - 1.0).abs() < 1e-3, "{pair}");
    assert!((number(&pair["deviation"]) / 0.281788 - 1.0).abs() < 3e-3, "{pair}");
    assert_eq!((number(&pair["capillary_number"]), &pair["touched"]), (1e-3, &true.into()));
    assert_eq!(pair["overloaded"], false);
    // The others, one by one; the words of a key may be given without quotes.
    for (k, set) in [
        "--set pair.hydrodynamics=lubrication",
        "--set pair.hydrodynamics=lubrication --set pair.components=normal",
        "--set pair.hydrodynamics=lubrication --set pair.rolling=printed",
        "--set pair.hydrodynamics=lubrication --set pair.rotation=false --set pair.stiffness=1e5",
        "--set pair.hydrodynamics=two-body --set pair.cutoff=3",
        "--set pair.offset=0.5 --set pair.offset_z=0.5",
        "--set pair.offset=0.5 --set pair.radii=[1.0,2.0]",
        "--set pair.offset=0.5 --set pair.roughness=0.01 --set pair.stiffness=1e4 \
         --set pair.friction=0.3 --set pair.tangential_ratio=0.5 --set pair.asperity_ratio=2",
        "--set pair.offset=0.5 --set pair.start=-20",
    ]
    .into_iter()
    .enumerate()
    {
        let told = run(&here, "pair_shear.toml", &format!("{k}"), &format!("{set} --quiet"));
        assert_eq!(told.summary["pair"]["passed"], true, "{set}: {}", told.summary);
    }
    // Given up before they have passed.
    let early = run(&here, "pair_shear.toml", "early", "--set pair.max_strain=5");
    assert_eq!(early.summary["pair"]["passed"], false);
    assert_eq!(early.summary["pair"]["final_offset"], Value::Null);
    assert!(early.notes.contains("pair.max_strain"), "{}", early.notes);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_check_tells_what_rough_cases_mean() {
    let here = scratch("rough-check");
    let check = |case: &str, set: &str| {
        let done = zerostokes(&here, &format!("check {} {set}", shipped(case).display()));
        assert_eq!(done.status.code(), Some(0), "{case}: {}", complaint(&done));
        String::from_utf8(done.stdout).unwrap()
    };
    let has = |said: &str, words: &[&str]| {
        for word in words {
            assert!(said.contains(word), "no {word} in {said}");
        }
    };
    let settle = check("falling_sphere.toml", "");
    has(&settle, &["τ_c = η/(aρg)", "u = 5.000000e-4 a", "K = 2", "[settle]", "gap = 1.0"]);
    has(&check("falling_sphere.toml", "--set settle.contact_number=0.5"), &["none", "-0.444444"]);
    let pair = check("pair_shear.toml", "");
    has(&pair, &["2 spheres", "rigid", "any distance", "[pair]", "offset = 0.1"]);
    let soft =
        check("pair_shear.toml", "--set pair.hydrodynamics=lubrication --set pair.stiffness=1e4");
    has(&soft, &["k_b = 1.0000e4", "capillary number 1.0000e-4", "gaps up to 4 a", "cutoff = 4.0"]);
    // What is resolved is a case of its own.
    for (name, said) in [("settle", settle), ("pair", pair), ("soft", soft)] {
        let (_, resolved) = said.split_once("# resolved, with every default\n").unwrap();
        fs::write(here.join(format!("{name}.toml")), resolved).unwrap();
        let again = zerostokes(&here, &format!("check {name}.toml"));
        assert!(again.status.success(), "{name}: {}", complaint(&again));
        assert!(String::from_utf8(again.stdout).unwrap().ends_with(resolved), "{name}");
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn rough_spheres_that_overlap_are_named() {
    let here = scratch("rough-overlap");
    let case = "[particles]\npositions = [[-3, 0, 0], [0, 0, 0], [0, 1.9, 0]]\nradii = [1, 1, 1]\n\
                [domain]\nboundary = \"open\"\n[rough]\n[drive]\nstrain = 1\n";
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
fn a_finished_passage_is_not_overwritten() {
    let here = scratch("pair-finished");
    let quick = "--set pair.offset=1";
    run(&here, "pair_shear.toml", "out", quick);
    let before = fs::read(here.join("out/timeseries.csv")).unwrap();
    let case = shipped("pair_shear.toml");
    for (set, words) in [(quick, "finished run"), ("--set pair.offset=2", "another case")] {
        let again = zerostokes(&here, &format!("run {} --out out {set}", case.display()));
        assert_eq!(again.status.code(), Some(2));
        let said = complaint(&again);
        assert!(said.contains(words) && said.contains("--force"), "{said}");
        assert_eq!(before, fs::read(here.join("out/timeseries.csv")).unwrap());
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn falling_spheres_are_swept() {
    let here = scratch("settle-sweep");
    fs::copy(shipped("falling_sphere.toml"), here.join("falling_sphere.toml")).unwrap();
    let grid = "case = \"falling_sphere.toml\"\n\
                [[over]]\nkey = \"settle.contact_number\"\nvalues = [0.5, 2.0, 10.0]\n";
    fs::write(here.join("grid.toml"), grid).unwrap();
    let done = zerostokes(&here, "sweep grid.toml --out out --quiet");
    assert!(done.status.success(), "{}", complaint(&done));
    let (names, rows) = columns(&here.join("out/sweep.csv"));
    for name in ["settle.contact_number", "settle.decay_rate", "settle.final_gap"] {
        assert!(names.contains(&name.to_owned()), "{name} in {names:?}");
    }
    let gaps: Vec<f64> = rows.iter().map(|r| r["settle.final_gap"].parse().unwrap()).collect();
    assert!((gaps[1] / 5e-4 - 1.0).abs() < 1e-8 && (gaps[2] / 9e-4 - 1.0).abs() < 1e-8, "{gaps:?}");
    assert!(rows[0]["settle.equilibrium_gap"].is_empty(), "{:?}", rows[0]);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn rates_of_a_falling_sphere_do_not_depend_on_the_rows() {
    let here = scratch("settle-rows");
    for load in ["0.5", "2.0"] {
        let set = format!("--set settle.contact_number={load}");
        let all = run(&here, "falling_sphere.toml", &format!("all{load}"), &set);
        let set = format!("{set} --set output.interval=10");
        let few = run(&here, "falling_sphere.toml", &format!("few{load}"), &set);
        assert_eq!(all.summary["settle"], few.summary["settle"]);
    }
    fs::remove_dir_all(here).unwrap();
}
