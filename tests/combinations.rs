//! Every feature with every other: it works, or it is refused with the reason.
//!
//! A new feature joins by a line in the list of `combinations/features.rs`. The table of what works
//! together, docs/reference/combinations.md, is made by this test:
//! `ZEROSTOKES_WRITE=1 cargo test --release --test combinations`.

#[path = "combinations/features.rs"]
mod features;
#[path = "combinations/page.rs"]
mod page;
#[path = "common/program.rs"]
mod program;
#[path = "combinations/trial.rs"]
mod trial;

use rayon::prelude::*;

use features::{FEATURES, Feature};
use page::page;
use trial::{Outcome, try_out};

/// Two features that are tried together, or one that is tried alone, and what came of it.
struct Trial {
    pair: [usize; 2],
    outcome: Outcome,
}

fn trials() -> Vec<Trial> {
    let pairs: Vec<[usize; 2]> = (0..FEATURES.len())
        .flat_map(|i| (i..FEATURES.len()).map(move |j| [i, j]))
        .filter(|&[i, j]| i == j || FEATURES[i].axis != FEATURES[j].axis)
        .collect();
    let outcome = |&pair: &[usize; 2]| {
        let [first, second]: [&Feature; 2] = pair.map(|k| &FEATURES[k]);
        let outcome =
            if pair[0] == pair[1] { try_out(&[first]) } else { try_out(&[first, second]) };
        Trial { pair, outcome }
    };
    pairs.par_iter().map(outcome).collect()
}

#[test]
fn every_feature_works_with_every_other_or_is_refused_with_the_reason() {
    let trials = trials();
    let failed: Vec<String> = trials.iter().filter_map(failure).collect();
    assert!(
        failed.is_empty(),
        "{} of {} failed:\n{}",
        failed.len(),
        trials.len(),
        failed.join("\n")
    );
    page::compare(&page(&trials));
}

fn failure(trial: &Trial) -> Option<String> {
    let [first, second] = trial.pair.map(|k| FEATURES[k].name);
    match &trial.outcome {
        Outcome::Failed(why) => Some(format!("{first} + {second}: {why}")),
        Outcome::Refused(why) if first == second => {
            Some(format!("{first} alone is refused: {why}"))
        }
        _ => None,
    }
}
