//! A run of a shipped case, and what it told: summary, notes, table, figures.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::{complaint, shipped, zerostokes};

/// What a run found, what it said on stderr and on stdout.
pub struct Told {
    pub summary: Value,
    pub notes: String,
    pub table: String,
}

/// Runs a shipped case, whose forces must balance to `residual`.
pub fn run(here: &Path, case: &str, out: &str, set: &str, residual: f64) -> Told {
    let done = zerostokes(here, &format!("run {} --out {out} {set}", shipped(case).display()));
    let notes = complaint(&done);
    assert_eq!(done.status.code(), Some(0), "{case} {set}: {notes}");
    let summary = fs::read_to_string(here.join(out).join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["finished"], true);
    assert!(number(&summary["worst_force_residual"]) <= residual, "{summary}");
    for key in ["steps", "solves", "rejected", "wall_seconds"] {
        assert!(number(&summary[key]) >= 0.0, "{key}: {summary}");
    }
    // Every note is in the summary, too.
    let advice = summary["advice"].as_array().unwrap();
    assert_eq!(notes.matches("note: ").count(), advice.len(), "{notes}");
    for note in advice {
        assert!(notes.contains(note.as_str().unwrap()), "{note} is not in {notes}");
    }
    Told { summary, notes, table: String::from_utf8(done.stdout).unwrap() }
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The columns of a table, by name.
pub fn columns(table: &Path) -> (Vec<String>, Vec<BTreeMap<String, String>>) {
    let mut table = csv::Reader::from_path(table).unwrap();
    let names = table.headers().unwrap().iter().map(str::to_owned).collect();
    (names, table.deserialize().map(|row| row.unwrap()).collect())
}

pub fn assert_figure(stem: &Path) {
    let svg = fs::read_to_string(stem.with_extension("svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{}", stem.display());
    let png = fs::read(stem.with_extension("png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.len() > 1000, "{}", stem.display());
}
