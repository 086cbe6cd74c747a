//! The page that shows what works together.

use std::fmt::Write;
use std::path::Path;

use crate::Trial;
use crate::features::FEATURES;
use crate::trial::Outcome;

const PAGE: &str = "docs/reference/combinations.md";

const HEAD: &str = "\
# What works together

Every feature was tried with every other on a small case (40 spheres, a short strain). `✓`: it runs,
and forces and powers balance. `×`: `zerostokes check` refuses it, for the reason listed below. `·`:
the two are alternatives. This page is made by
`ZEROSTOKES_WRITE=1 cargo test --release --test combinations`.
";

/// The page made of all trials.
pub fn page(trials: &[Trial]) -> String {
    let mut page = HEAD.to_owned();
    let count = FEATURES.len();
    let found = |i: usize, j: usize| {
        trials.iter().find(|trial| trial.pair == [i.min(j), i.max(j)]).map(|trial| &trial.outcome)
    };
    let numbers: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
    write!(page, "\n| | | {} |\n|---|---|{}\n", numbers.join(" | "), "---|".repeat(count)).unwrap();
    for (i, feature) in FEATURES.iter().enumerate() {
        let cells: Vec<&str> = (0..count).map(|j| mark(found(i, j))).collect();
        writeln!(page, "| {} | {} | {} |", i + 1, feature.name, cells.join(" | ")).unwrap();
    }
    page.push_str("\n## Why some are refused\n\n| features | reason |\n|---|---|\n");
    for trial in trials {
        if let Outcome::Refused(why) = &trial.outcome {
            let [first, second] = trial.pair.map(|k| FEATURES[k].name);
            writeln!(page, "| {first}, {second} | {} |", why.replace('|', "\\|")).unwrap();
        }
    }
    page
}

fn mark(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Works) => "✓",
        Some(Outcome::Refused(_)) => "×",
        Some(Outcome::Failed(_)) => "!",
        None => "·",
    }
}

/// Fails where the page is stale; writes it if `ZEROSTOKES_WRITE` is set.
pub fn compare(made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("ZEROSTOKES_WRITE").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(made.lines()).find(|(kept, made)| kept != made);
    assert!(
        kept == made,
        "{PAGE} is stale ({differs:?}); make it anew with\n  \
         ZEROSTOKES_WRITE=1 cargo test --release --test combinations"
    );
}
