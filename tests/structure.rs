//! Pictures of structure: what a run leaves of them, and what they show.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::{complaint, scratch, write_case, zerostokes};
use zerostokes::record::{Table, read_columns};

const TABLES: [&str; 4] =
    ["pair_distribution.csv", "pair_angles.csv", "gaps.csv", "contact_forces.csv"];

/// A run of 60 frictional spheres to strain 3 with `rest`, in the directory `out`.
fn run(here: &Path, rest: &str) {
    write_case(here, 60, 3.0, &format!("[lubrication]\nouter_gap = 0.3\n{rest}"));
    let done = zerostokes(here, "run case.toml --quiet --out out");
    assert!(done.status.success(), "{}", complaint(&done));
}

fn table(here: &Path, name: &str) -> Table {
    read_columns(&here.join("out").join(name)).unwrap_or_else(|e| panic!("{e}"))
}

fn column<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    table.column(name).unwrap_or_else(|| panic!("no {name} in {:?}", table.names()))
}

/// The part of the contacts between 90° and 180°.
fn compressed(here: &Path) -> f64 {
    let angles = table(here, "pair_angles.csv");
    let contacts = column(&angles, "contacts");
    assert!((contacts.iter().sum::<f64>() - 18.0).abs() < 1e-9, "{contacts:?}");
    contacts[9..].iter().sum::<f64>() / 18.0
}

#[test]
fn a_run_shows_its_structure_and_plot_draws_it_again() {
    let here = scratch("structure");
    run(&here, "[output]\nframes = 0.1\ncontacts = true\n");
    let g = table(&here, "pair_distribution.csv");
    let (distance, all) = (column(&g, "distance"), column(&g, "g"));
    let largest = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])).unwrap();
    assert!((distance[largest] - 1.0).abs() < 1e-9 && all[largest] > 5.0, "{all:?}");
    assert!(distance.iter().zip(all).all(|(x, g)| *x > 0.97 || *g == 0.0), "{all:?}");
    assert!(column(&g, "g_large_large")[largest] > 5.0);
    // Contacts are made by compression.
    assert!(compressed(&here) > 0.55, "{}", compressed(&here));
    // Neighbours per decade, over fifths of a decade, add up to the contacts of the summary.
    let overlaps = table(&here, "gaps.csv");
    let contacts = column(&overlaps, "overlapping").iter().sum::<f64>() / 5.0;
    let text = std::fs::read_to_string(here.join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mean = summary["coordination"]["mean"].as_f64().unwrap();
    assert!((contacts - mean).abs() < 0.1 * mean, "{contacts} and {mean}");
    let forces = table(&here, "contact_forces.csv");
    let sum = column(&forces, "probability").iter().sum::<f64>() * 0.25;
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");

    let files: Vec<_> = TABLES.into_iter().chain(["structure.svg", "timeseries.svg"]).collect();
    let read = || files.iter().map(|f| std::fs::read(here.join("out").join(f)).unwrap());
    let before: Vec<_> = read().collect();
    for file in &files {
        std::fs::remove_file(here.join("out").join(file)).unwrap();
    }
    let drawn = zerostokes(&here, "plot out");
    assert!(drawn.status.success(), "{}", complaint(&drawn));
    assert!(read().eq(before), "plot draws something else than the run did");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn without_contacts_the_figure_says_how_to_get_them() {
    let here = scratch("no-forces");
    run(&here, "[output]\nframes = 0.25\n");
    let figure = std::fs::read_to_string(here.join("out/structure.svg")).unwrap();
    assert!(figure.contains("output.contacts = true"));
    assert!(!here.join("out/contact_forces.csv").exists());
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn shear_against_x_is_seen_in_a_mirror() {
    let here = scratch("mirror");
    write_case(&here, 60, 3.0, "[lubrication]\nouter_gap = 0.3\n[output]\nframes = 0.1\n");
    let done = zerostokes(&here, "run case.toml --quiet --out out --set drive.rate=-1");
    assert!(done.status.success(), "{}", complaint(&done));
    assert!(compressed(&here) > 0.55, "{}", compressed(&here));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn few_frames_show_no_structure() {
    let here = scratch("few-frames");
    run(&here, "[output]\nframes = 1.0\n");
    assert!(here.join("out/timeseries.svg").exists() && !here.join("out/structure.svg").exists());
    assert!(TABLES.iter().all(|table| !here.join("out").join(table).exists()));
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn plot_needs_the_directory_of_a_run() {
    let here = scratch("no-run");
    let refused = zerostokes(&here, "plot nowhere");
    assert_eq!(refused.status.code(), Some(2));
    assert!(complaint(&refused).contains("is no run's directory"), "{}", complaint(&refused));
    std::fs::remove_dir_all(here).unwrap();
}
