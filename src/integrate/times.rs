//! Where the time of steps goes.

use serde::{Deserialize, Serialize};

/// Wall time by stage of a step `[s]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Finding pairs and taking up what they remember.
    pub neighbours: f64,
    /// Pair laws, and the assembly of what they respond.
    pub laws: f64,
    /// Linear solves.
    pub solve: f64,
    /// Measuring: stress, powers, contacts.
    pub measure: f64,
    /// Moving particles and memory, error estimates.
    pub advance: f64,
}

impl Times {
    /// The whole `[s]`.
    pub fn total(&self) -> f64 {
        self.by_name().iter().map(|(_, seconds)| seconds).sum()
    }

    /// All of them with their names.
    pub fn by_name(&self) -> [(&'static str, f64); 5] {
        [
            ("neighbours", self.neighbours),
            ("laws", self.laws),
            ("solve", self.solve),
            ("measure", self.measure),
            ("advance", self.advance),
        ]
    }
}
