//! Sweeps as a user runs them.

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use program::{complaint, program, scratch, zerostokes};

/// Two volume fractions and two seeds of thirty small spheres.
const GRID: &str = "[[over]]\nkey = \"particles.volume_fraction\"\nvalues = [0.2, 0.3]\n\
                    [[over]]\nkey = \"particles.seed\"\nvalues = [1, 2]\n";

/// A directory with a case and a sweep of it.
fn prepare(name: &str, strain: f64, rest: &str) -> PathBuf {
    let here = scratch(name);
    let case = format!(
        "[particles]\ncount = 30\nvolume_fraction = 0.3\nradii = [1.0]\n\
         [lubrication]\nouter_gap = 0.1\n[drive]\nstrain = {strain}\n\
         [output]\ninterval = 0.01\nframes = 0\n"
    );
    fs::write(here.join("case.toml"), case).unwrap();
    fs::write(here.join("grid.toml"), format!("case = \"case.toml\"\n{rest}")).unwrap();
    here
}

fn sweep(here: &Path, arguments: &str) {
    let done = zerostokes(here, &format!("sweep grid.toml {arguments}"));
    assert!(done.status.success(), "{arguments}: {}", complaint(&done));
}

/// The rows of a table, by the names of its columns.
fn rows(table: &Path) -> Vec<BTreeMap<String, String>> {
    let mut table = csv::Reader::from_path(table).unwrap();
    table.deserialize().map(|row| row.unwrap()).collect()
}

/// The rows without what the clock and the machine say.
fn timeless(table: &Path) -> Vec<BTreeMap<String, String>> {
    let mut rows = rows(table);
    rows.iter_mut().for_each(|row| {
        assert!(row.remove("wall_seconds").is_some());
        row.retain(|key, _| !key.starts_with("stage_seconds.") && key != "peak_memory_bytes");
    });
    rows
}

fn column(rows: &[BTreeMap<String, String>], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].clone()).collect()
}

fn manifests(out: &Path) -> Vec<String> {
    let manifest = |k| fs::read_to_string(out.join(format!("points/000{k}/manifest.json")));
    (1..=4).map(|k| manifest(k).unwrap()).collect()
}

#[test]
fn a_sweep_makes_a_table_and_a_figure() {
    let here = prepare("sweep-table", 0.2, GRID);
    let done = zerostokes(&here, "sweep grid.toml");
    assert!(done.status.success(), "{}", complaint(&done));
    assert!(complaint(&done).contains("4 of 4 points (100 %)"), "{}", complaint(&done));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(said.contains("finished            4") && said.contains("sweep.csv"), "{said}");
    let out = here.join("runs/grid");
    let rows = rows(&out.join("sweep.csv"));
    assert_eq!(column(&rows, "point"), ["1", "2", "3", "4"]);
    assert_eq!(column(&rows, "particles.volume_fraction"), ["0.2", "0.2", "0.3", "0.3"]);
    assert_eq!(column(&rows, "particles.seed"), ["1", "2", "1", "2"]);
    assert_eq!(column(&rows, "status"), ["finished"; 4]);
    for (k, row) in rows.iter().enumerate() {
        let summary = out.join(format!("points/000{}/summary.json", k + 1));
        let summary: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(summary).unwrap()).unwrap();
        assert_eq!(row["wall_seconds"], summary["wall_seconds"].to_string());
        let mean = &summary["relative_viscosity"]["mean"];
        assert_eq!(row["relative_viscosity.mean"].parse::<f64>().ok(), mean.as_f64());
        assert_eq!(row["finished"], "true");
        assert!(!row.contains_key("advice"));
    }
    let files =
        ["sweep.toml", "curve.csv", "viscosity.svg", "viscosity.png", "normal_viscosity.svg"];
    for file in files {
        assert!(out.join(file).exists(), "{file}");
    }
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn what_is_finished_is_kept_and_what_is_gone_is_computed_again() {
    let here = prepare("sweep-again", 0.1, GRID);
    let out = here.join("out");
    sweep(&here, "--out out --quiet");
    let (before, table) = (manifests(&out), timeless(&out.join("sweep.csv")));
    sweep(&here, "--out out --quiet");
    assert_eq!(manifests(&out), before);
    fs::remove_dir_all(out.join("points/0003")).unwrap();
    fs::remove_file(out.join("sweep.csv")).unwrap();
    let done = zerostokes(&here, "sweep grid.toml --out out");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(said.contains("finished            4, 3 of them earlier"), "{said}");
    let after = manifests(&out);
    assert!([0, 1, 3].iter().all(|k| after[*k] == before[*k]));
    assert_eq!(timeless(&out.join("sweep.csv")), table);
    // Results that cannot be read are computed again, too.
    fs::write(out.join("points/0002/summary.json"), "{").unwrap();
    sweep(&here, "--out out --quiet");
    assert_eq!(timeless(&out.join("sweep.csv")), table);
    fs::write(out.join("points/0001/mine.txt"), "kept").unwrap();
    sweep(&here, "--out out --quiet --force");
    assert!(out.join("points/0001/mine.txt").exists());
    assert_eq!(timeless(&out.join("sweep.csv")), table);
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn an_edited_sweep_or_case_is_noticed() {
    let here = prepare("sweep-edited", 0.05, GRID);
    sweep(&here, "--out out --quiet");
    let refused = |words: &[&str]| {
        let done = zerostokes(&here, "sweep grid.toml --out out --quiet");
        assert_eq!(done.status.code(), Some(2), "{}", complaint(&done));
        for word in words.iter().chain(&["--force"]) {
            assert!(complaint(&done).contains(word), "{word}: {}", complaint(&done));
        }
    };
    let before = manifests(&here.join("out"));
    let [grid, case] =
        ["grid.toml", "case.toml"].map(|f| fs::read_to_string(here.join(f)).unwrap());
    fs::write(here.join("grid.toml"), grid.replace("[1, 2]", "[1, 3]")).unwrap();
    refused(&["another sweep", "over[1].values is [1, 2] there and [1, 3] here"]);
    let curve = format!("{grid}[[curve]]\nset = {{ \"contact.friction\" = 1 }}\n");
    fs::write(here.join("grid.toml"), curve).unwrap();
    refused(&["another sweep", "curve[0].set.contact.friction is absent there and 1 here"]);
    fs::write(here.join("grid.toml"), format!("title = \"named\"\n{grid}")).unwrap();
    fs::write(here.join("case.toml"), case.replace("strain = 0.05", "strain = 0.06")).unwrap();
    refused(&["points/0001", "drive.strain is 0.05 there and 0.06 here"]);
    assert_eq!(manifests(&here.join("out")), before);
    sweep(&here, "--out out --quiet --force");
    let strains = column(&rows(&here.join("out/sweep.csv")), "strain");
    assert!(strains.iter().all(|s| s.starts_with("0.06")), "{strains:?}");
    // The directory of something else.
    let foreign = zerostokes(&here, "sweep grid.toml --out out/points/0001");
    assert_eq!(foreign.status.code(), Some(2));
    assert!(complaint(&foreign).contains("no sweep's directory"), "{}", complaint(&foreign));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn jobs_do_not_change_a_byte() {
    let here = prepare("sweep-jobs", 0.2, GRID);
    sweep(&here, "--out one --jobs 1 --quiet");
    sweep(&here, "--out two --jobs 2 --quiet");
    for point in 1..=4 {
        let [one, two] = ["one", "two"].map(|out| {
            fs::read(here.join(out).join(format!("points/000{point}/timeseries.csv"))).unwrap()
        });
        assert!(one.len() > 1000 && one == two, "point {point}");
    }
    assert_eq!(timeless(&here.join("one/sweep.csv")), timeless(&here.join("two/sweep.csv")));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn shards_together_are_the_whole() {
    let here = prepare("sweep-shards", 0.05, GRID);
    sweep(&here, "--out whole --quiet");
    sweep(&here, "--out shards --quiet --shard 1/2");
    let half = rows(&here.join("shards/sweep.csv"));
    assert_eq!(column(&half, "status"), ["finished", "missing", "finished", "missing"]);
    assert!(!here.join("shards/points/0002").exists());
    sweep(&here, "--out shards --quiet --shard 2/2");
    let [whole, shards] =
        ["whole", "shards"].map(|out| timeless(&here.join(out).join("sweep.csv")));
    assert_eq!(whole, shards);
    let wrong = zerostokes(&here, "sweep grid.toml --shard 3/2");
    assert_eq!(wrong.status.code(), Some(2));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_failing_point_does_not_stop_the_rest() {
    // One stops on its limit of steps, one cannot be packed, two are fine.
    let grid = "[[over]]\nkey = \"particles.volume_fraction\"\nvalues = [0.2, 0.73]\n\
                [[over]]\nkey = \"time.max_steps\"\nvalues = [2, 100_000]\n";
    let here = prepare("sweep-failing", 0.1, grid);
    let done = zerostokes(&here, "sweep grid.toml --out out --quiet");
    let said = complaint(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("3 of 4 points failed"), "{said}");
    let point =
        "point 1 (particles.volume_fraction = 0.2, time.max_steps = 2) failed: time.max_steps";
    assert!(said.contains(point), "{said}");
    let status = |here: &Path| column(&rows(&here.join("out/sweep.csv")), "status");
    let expected = ["failed", "finished", "failed", "failed"];
    assert_eq!(status(&here), expected);
    let why = fs::read_to_string(here.join("out/points/0003.failed")).unwrap();
    assert!(why.contains("volume fraction"), "{why}");
    // Another shard does not forget them, and the same command tries them again.
    sweep(&here, "--out out --quiet --shard 2/4");
    assert_eq!(status(&here), expected);
    let again = zerostokes(&here, "sweep grid.toml --out out --quiet");
    assert_eq!(again.status.code(), Some(1), "{}", complaint(&again));
    fs::remove_dir_all(here).unwrap();
}

#[test]
fn an_interrupted_sweep_goes_on_with_the_same_command() {
    // Long enough that points are under way when the signal comes, however busy the machine.
    let here = prepare("sweep-interrupted", 40.0, GRID);
    sweep(&here, "--out whole --quiet");
    let arguments = ["sweep", "grid.toml", "--out", "out", "--jobs", "2"];
    let child = program(&here).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
    let started = |k: u32| here.join(format!("out/points/000{k}/timeseries.csv")).exists();
    while !(started(1) && started(2)) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let stopped = child.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(130), "{}", complaint(&stopped));
    let line = "go on with the same command: zerostokes sweep grid.toml --out out --jobs 2";
    assert!(complaint(&stopped).contains(line), "{}", complaint(&stopped));
    let halves = rows(&here.join("out/sweep.csv"));
    assert_eq!(column(&halves, "status")[3], "missing");
    assert!(here.join("out/points/0001/checkpoint.json").exists());
    sweep(&here, "--out out --jobs 2 --quiet");
    let [whole, out] = ["whole", "out"].map(|out| timeless(&here.join(out).join("sweep.csv")));
    assert_eq!(whole, out);
    assert!(manifests(&here.join("out")).iter().any(|told| told.contains("\"resumes\": 1")));
    fs::remove_dir_all(here).unwrap();
}
