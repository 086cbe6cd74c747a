//! `[soft_pair]`: the table of the study.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Check, ELASTIC_FACTORS, StudyTable};
use crate::study::few::{
    LARGEST_FORCE, Load, REDUCED_FORCE, SMALLEST_FORCE, THICKEST, THIN_FILM, THINNEST,
};

/// `[soft_pair]`: two soft spheres pressed together or pulled apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SoftPair {
    /// Reduced force κ = |F|/(E R²) `[1]`.
    #[schemars(extend(
        "minimum" = SMALLEST_FORCE, "exclusiveMaximum" = LARGEST_FORCE, "remedy" = REDUCED_FORCE
    ))]
    pub kappa: f64,
    /// Initial gap `[R]`.
    #[schemars(extend(
        "minimum" = THINNEST, "exclusiveMaximum" = THICKEST, "remedy" = THIN_FILM
    ))]
    pub gap: f64,
    /// Elastic factor of normal deflections, c_n `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = ELASTIC_FACTORS))]
    pub c_n: f64,
    /// Whether the spheres are pressed together or pulled apart.
    pub load: Load,
    /// Time over which the force grows from nothing; 0 lets it act at once `[τ]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 is at once"))]
    pub ramp: f64,
    /// Whether Stokes drag acts on the spheres.
    pub drag: bool,
    /// Thickness of the film at which the run ends, if it is reached before `max_time` `[R]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "10 when pulled, a hundredth of `gap` when pressed",
        "within" = "> `gap` when pulled, > 0 and < `gap` when pressed",
        "remedy" = "it is in units of the radius"
    ))]
    pub end_gap: Option<f64>,
    /// Time at which the run ends `[τ]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen from the theory",
        "remedy" = "leave it out to have it chosen"
    ))]
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
        let (end, pulled) = (self.end_gap(), self.load == Load::Pull);
        if (pulled && end <= self.gap) || (!pulled && end >= self.gap) {
            let problem = format!("{end:?} is never reached from gap = {:?}", self.gap);
            let remedy = "a film that is pulled ends thicker, one that is pressed thinner";
            check.fault("soft_pair.end_gap", problem, remedy);
        }
    }

    fn fill_in(&mut self) {
        self.end_gap = Some(self.end_gap());
    }
}
