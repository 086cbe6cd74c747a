//! From a sweep file to pooled curves and figures, as a user gets them.

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use program::{complaint, scratch, words, zerostokes};

/// Two curves of thirty small spheres, two seeds each.
const CURVES: &str = "case = \"case.toml\"\n\
    [[curve]]\nset = { \"contact.friction\" = 0 }\n\
    over = [{ key = \"particles.volume_fraction\", values = [0.2, 0.25, 0.3, 0.35] }]\n\
    [[curve]]\nset = { \"contact.friction\" = 1 }\n\
    over = [{ key = \"particles.volume_fraction\", values = [0.2, 0.3] }]\n\
    [[over]]\nkey = \"particles.seed\"\nvalues = [1, 2]\n";

/// A directory with a case and a sweep of it.
fn prepare(name: &str, drive: &str, sweep: &str) -> PathBuf {
    let here = scratch(name);
    let case = format!(
        "[particles]\ncount = 30\nvolume_fraction = 0.3\nradii = [1.0]\n\
         [lubrication]\nouter_gap = 0.1\n[drive]\n{drive}\n[output]\ninterval = 0.01\nframes = 0\n"
    );
    fs::write(here.join("case.toml"), case).unwrap();
    fs::write(here.join("grid.toml"), sweep).unwrap();
    here
}

fn rows(table: &Path) -> Vec<BTreeMap<String, String>> {
    let mut table = csv::Reader::from_path(table).unwrap();
    table.deserialize().map(|row| row.unwrap()).collect()
}

fn number(row: &BTreeMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap_or_else(|_| panic!("{name} is {}", row[name]))
}

/// A sweep of curves: its directory, and what was printed.
fn carried_out(name: &str) -> (PathBuf, String) {
    let here = prepare(name, "strain = 1.5", CURVES);
    let done = zerostokes(&here, "sweep grid.toml --out out");
    assert!(done.status.success(), "{}", complaint(&done));
    assert!(complaint(&done).contains("12 points (2 curves, 2 × particles.seed)"));
    (here, String::from_utf8(done.stdout).unwrap())
}

#[test]
fn seeds_are_pooled_into_curves() {
    let (here, said) = carried_out("curves-pooled");
    let [points, curve] = ["sweep", "curve"].map(|f| rows(&here.join(format!("out/{f}.csv"))));
    assert_eq!((points.len(), curve.len()), (12, 6));
    for (k, row) in curve.iter().enumerate() {
        let seeds = &points[2 * k..2 * k + 2];
        assert!(seeds.iter().all(|p| p["contact.friction"] == row["contact.friction"]));
        assert_eq!((&*row["pooled"], &*row["relative_viscosity.seeds"]), ("2", "2"));
        let [a, b] = [0, 1].map(|s| number(&seeds[s], "relative_viscosity.mean"));
        let mean = number(row, "relative_viscosity.mean");
        assert!(mean >= a.min(b) && mean <= a.max(b), "{a} {b} {mean}");
        assert!(number(row, "relative_viscosity.stderr") > 0.0);
    }
    let table: Vec<&str> = said.lines().take(7).collect();
    assert!(table[0].starts_with("friction  φ") && table[0].contains("η_r"), "{said}");
    assert!(table[1].starts_with("0         0.2") && table[1].contains(" ± "), "{said}");
    assert!(
        said.lines().all(|line| line.chars().count() <= 100 || line.contains("files")),
        "{said}"
    );
    // Only the first curve has the points that a fit needs.
    let fits = fs::read_to_string(here.join("out/curve_fit.json")).unwrap();
    let fits: serde_json::Value = serde_json::from_str(&fits).unwrap();
    assert_eq!(fits.as_array().unwrap().len(), 1);
    assert_eq!(fits[0]["curve"]["contact.friction"], 0);
    assert!(said.contains("jamming at friction = 0"), "{said}");
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn figures_are_drawn_again_from_the_files() {
    let (here, said) = carried_out("curves-plot");
    let made = ["curve.csv", "curve_fit.json", "viscosity.svg", "normal_viscosity.svg"];
    let read = || made.map(|file| fs::read(here.join("out").join(file)).unwrap());
    let before = read();
    made.iter().for_each(|file| fs::remove_file(here.join("out").join(file)).unwrap());
    fs::remove_file(here.join("out/viscosity.png")).unwrap();
    // Neither the sweep file nor the case is needed.
    fs::remove_file(here.join("case.toml")).unwrap();
    let done = zerostokes(&here, "plot out");
    assert!(done.status.success(), "{}", complaint(&done));
    let again = String::from_utf8(done.stdout).unwrap();
    assert_eq!(again.lines().take(8).collect::<Vec<_>>(), said.lines().take(8).collect::<Vec<_>>());
    assert!(again.contains("viscosity.png") && read() == before);
    assert!(here.join("out/viscosity.png").exists());
    // A point is a run like any other.
    let point = zerostokes(&here, "plot out/points/0001");
    assert!(point.status.success(), "{}", complaint(&point));
    assert!(here.join("out/points/0001/timeseries.svg").exists());
    let refused = zerostokes(&here, "plot .");
    assert_eq!(refused.status.code(), Some(2));
    assert!(complaint(&refused).contains("no run's directory"), "{}", complaint(&refused));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_flow_curve_is_drawn_against_rate_and_stress() {
    let grid = "case = \"case.toml\"\n\
        [[over]]\nkey = \"contact.critical_load\"\nvalues = [1, 2]\n\
        [[over]]\nkey = \"drive.stress\"\nfrom = 0.1\nto = 10\ncount = 3\nspacing = \"log\"\n";
    let here = prepare("curves-flow", "strain = 0.5", grid);
    let done = zerostokes(&here, "sweep grid.toml --out out");
    assert!(done.status.success(), "{}", complaint(&done));
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.lines().next().unwrap().contains("rate"), "{said}");
    for (stem, label) in [("flow_curve", "γ̇μa2 / FCL"), ("flow_curve_stress", "σa2 / FCL")] {
        let svg = fs::read_to_string(here.join(format!("out/{stem}.svg"))).unwrap();
        assert!(words(&svg).contains(label) && words(&svg).contains("FCL = 2"), "{stem}");
        assert!(here.join(format!("out/{stem}.png")).exists());
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn thousands_of_points_are_not_run_unasked() {
    let grid = "case = \"case.toml\"\n\
        [[over]]\nkey = \"particles.seed\"\nfrom = 1\nto = 2001\ncount = 2001\n";
    let here = prepare("curves-many", "strain = 1e-4", grid);
    let done = zerostokes(&here, "sweep grid.toml --out out --jobs 2");
    assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
    let said = complaint(&done);
    for words in ["2001 points", "with 2 at a time", "--yes"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!here.join("out").exists());
    let asked = zerostokes(&here, "sweep grid.toml --out out --quiet --yes --shard 1/1000");
    assert!(asked.status.success(), "{}", complaint(&asked));
    let finished = rows(&here.join("out/sweep.csv"));
    assert_eq!(finished.iter().filter(|row| row["status"] == "finished").count(), 3);
    fs::remove_dir_all(here).unwrap();
}
