//! `[soft_pair]`: the table of the study.

use serde::{Deserialize, Serialize};

use crate::case::{Check, Range, StudyTable};
use crate::study::few::{Load, force_and_gap};

/// `[soft_pair]`: two soft spheres pressed together or pulled apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoftPair {
    /// Reduced force κ = |F|/(E R²) `[1]`.
    pub kappa: f64,
    /// Initial gap `[R]`.
    pub gap: f64,
    /// Elastic factor of normal deflections c_n `[1]`.
    pub c_n: f64,
    /// Whether the spheres are pressed together or pulled apart.
    pub load: Load,
    /// Time over which the force grows from nothing; 0 = at once `[τ]`.
    pub ramp: f64,
    /// Whether Stokes drag acts on the spheres.
    pub drag: bool,
    /// Thickness of the film at which the run ends, if it is reached before `max_time`; beyond
    /// `gap` when pulled, below it when pressed; filled in with 10 or a hundredth of `gap` `[R]`.
    pub end_gap: Option<f64>,
    /// Time at which the run ends; chosen from the theory when not given `[τ]`.
    pub max_time: Option<f64>,
}

impl SoftPair {
    /// Thickness of the film at which the run ends `[R]`.
    pub fn end_gap(&self) -> f64 {
        self.end_gap.unwrap_or(match self.load {
            Load::Pull => 10.0,
            Load::Press => 0.01 * self.gap,
        })
    }
}

/// A separation through both regimes.
impl Default for SoftPair {
    fn default() -> Self {
        Self {
            kappa: 3e-3,
            gap: 1e-3,
            c_n: 1.0,
            load: Load::Pull,
            ramp: 1e-2,
            drag: false,
            end_gap: None,
            max_time: None,
        }
    }
}

impl StudyTable for SoftPair {
    const STUDY: &'static str = "soft-pair";
    const TABLE: &'static str = "soft_pair";

    fn check(&self, check: &mut Check<'_>) {
        force_and_gap(check, "soft_pair", self.kappa, self.gap);
        let factor = "1 and 2 are the paper's";
        check.number("soft_pair.c_n", self.c_n, Range::Positive, factor);
        check.number("soft_pair.ramp", self.ramp, Range::NotNegative, "0 is at once");
        let (end, pulled) = (self.end_gap(), self.load == Load::Pull);
        check.number("soft_pair.end_gap", end, Range::Positive, "it is in units of the radius");
        if (pulled && end <= self.gap) || (!pulled && end >= self.gap) {
            let problem = format!("{end:?} is never reached from gap = {:?}", self.gap);
            let remedy = "a film that is pulled ends thicker, one that is pressed thinner";
            check.fault("soft_pair.end_gap", problem, remedy);
        }
        let longest = "leave it out to have it chosen";
        check.optional("soft_pair.max_time", self.max_time, Range::Positive, longest);
    }

    fn fill_in(&mut self) {
        self.end_gap = Some(self.end_gap());
    }
}
