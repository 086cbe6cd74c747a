//! Runs that end when a mean is known well enough, and whether it is.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::{complaint, scratch, zerostokes};
use serde_json::Value;
use zerostokes::case::Case;
use zerostokes::record::{Existing, Launch};
use zerostokes::run::{Figures, Outcome, Run, conclude};

/// A small suspension of frictionless spheres.
const CASE: &str = "[particles]\ncount = 60\nvolume_fraction = 0.4\n[output]\nframes = 0\n";

fn written(name: &str) -> std::path::PathBuf {
    let here = scratch(name);
    std::fs::write(here.join("case.toml"), CASE).unwrap();
    here
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn summary(out: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn a_run_ends_when_its_mean_is_known_well_enough() {
    let here = written("accuracy");
    for quantity in ["relative_viscosity", "particle_pressure"] {
        let set = format!("--set accuracy.relative_error=0.15 --set accuracy.quantity={quantity}");
        let done = zerostokes(&here, &format!("run case.toml --out {quantity} {set}"));
        assert!(done.status.success(), "{}", complaint(&done));
        let found = summary(&here.join(quantity));
        let (asked, mean) = (&found["accuracy"], &found[quantity]);
        assert_eq!((&asked["quantity"], &asked["goal"]), (&quantity.into(), &0.15.into()));
        assert_eq!(asked["met"], true);
        let reached = number(&mean["stderr"]) / number(&mean["mean"]);
        assert_eq!(number(&asked["reached"]), reached);
        assert!(reached <= 0.15 && number(&mean["effective_samples"]) >= 24.0, "{found}");
        assert!(number(&found["strain"]) < 50.0, "{found}");
        let said = String::from_utf8(done.stdout).unwrap();
        let line = said.lines().find(|line| line.starts_with("accuracy ")).unwrap();
        assert!(line.contains(" asked, ") && !line.contains("not met"), "{line}");
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_run_that_is_too_short_says_so() {
    let here = written("accuracy-missed");
    let set = "--set accuracy.relative_error=0.001 --set drive.strain=10";
    let done = zerostokes(&here, &format!("run case.toml --out out {set}"));
    assert!(done.status.success(), "{}", complaint(&done));
    let found = summary(&here.join("out"));
    assert_eq!((&found["accuracy"]["met"], number(&found["strain"])), (&false.into(), 10.0));
    assert!(number(&found["accuracy"]["reached"]) > 0.001, "{found}");
    let note = complaint(&done);
    assert!(String::from_utf8(done.stdout).unwrap().contains("(not met)"));
    assert!(note.contains("not to 0.10 % as asked: drive.strain = "), "{note}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn what_is_asked_is_told_beforehand() {
    let here = written("accuracy-check");
    let done = zerostokes(&here, "check case.toml --set accuracy.relative_error=0.02");
    let said = String::from_utf8(done.stdout).unwrap();
    let line = "accuracy            2.0 % of η_r asked, at most strain 50\n";
    assert!(said.contains(line) && said.contains("relative_error = 0.02"), "{said}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_sweep_can_ask_for_an_accuracy() {
    let here = written("accuracy-sweep");
    let sweep = "case = \"case.toml\"\n[set]\naccuracy.relative_error = 0.3\ndrive.strain = 2.5\n\
                 [[over]]\nkey = \"particles.seed\"\nvalues = [1, 2]\n";
    std::fs::write(here.join("sweep.toml"), sweep).unwrap();
    let done = zerostokes(&here, "sweep sweep.toml --out out --quiet");
    assert!(done.status.success(), "{}", complaint(&done));
    let table = std::fs::read_to_string(here.join("out/sweep.csv")).unwrap();
    let header = table.lines().next().unwrap();
    for column in ["accuracy.goal", "accuracy.met", "accuracy.quantity", "accuracy.reached"] {
        assert!(header.split(',').any(|name| name == column), "{column} is not in {header}");
    }
    std::fs::remove_dir_all(here).unwrap();
}

/// Mean, standard error and length of the steady state of a run that asks for 3 %.
fn known_to_three_percent(here: &Path, seed: u64) -> [f64; 3] {
    let set = [
        &format!("particles.seed={seed}"),
        "particles.count=80",
        "particles.volume_fraction=0.45",
        "accuracy.relative_error=0.03",
        "drive.strain=100",
    ];
    let set = set.map(str::to_owned);
    let case = Case::from_text(CASE, Path::new("test.toml"), &set).unwrap();
    let launch = Launch { seed, threads: 1, command: Vec::new() };
    let out = here.join(format!("{seed}"));
    let mut run = Run::open(case, &out, Existing::Keep, launch).unwrap();
    assert_eq!(run.advance(|_, _| false).unwrap(), Outcome::Finished);
    let found = conclude(run, Figures::Spared).unwrap().summary;
    assert_eq!(found["accuracy"]["met"], true, "{found}");
    let mean = &found["relative_viscosity"];
    let length = number(&found["strain"]) - number(&found["steady"]["start"]);
    [number(&mean["mean"]), number(&mean["stderr"]), length]
}

/// Pooled mean of runs, each weighed by its length, and how many lie within ±2 of their errors.
fn honest(runs: &[[f64; 3]]) -> (f64, usize) {
    let length: f64 = runs.iter().map(|[_, _, length]| length).sum();
    let pooled = runs.iter().map(|[mean, _, length]| mean * length).sum::<f64>() / length;
    let within = |[mean, error, _]: &&[f64; 3]| (mean - pooled).abs() <= 2.0 * error;
    (pooled, runs.iter().filter(within).count())
}

#[test]
fn the_stated_errors_of_twenty_runs_are_honest() {
    let here = scratch("accuracy-honest");
    let runs: Vec<_> = (1..=20).map(|seed| known_to_three_percent(&here, seed)).collect();
    let (pooled, within) = honest(&runs);
    for [mean, error, length] in &runs {
        println!("{mean:.3} ± {error:.3} over strain {length:.1}: {:+.2}", (mean - pooled) / error);
    }
    println!("pooled mean {pooled:.3}, {within} of 20 within two standard errors");
    assert!(within >= 17, "{within} of 20");
    std::fs::remove_dir_all(here).unwrap();
}
