//! `[settle]`: the table of the study.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Check, Inertia, ROUGHEST, Range, SMALL_ASPERITIES, StudyTable};

/// The thinnest film that a run may end with: thinner ones are no numbers any more `[a]`.
const THINNEST: f64 = 1e-300;

/// Deflections of the bulk at which the centres of two spheres nearly meet `[a]`.
const DEEPEST_DEFLECTION: f64 = 1.9;

/// `[settle]`: a sphere that sinks onto a fixed one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settle {
    /// Size of the asperities over the radius, ε; 0 is smooth `[1]`.
    #[schemars(extend("minimum" = 0, "exclusiveMaximum" = ROUGHEST, "remedy" = SMALL_ASPERITIES))]
    pub roughness: f64,
    /// Contact number K = k_n ε a / weight: what the asperities can bear over the weight `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it is what the asperities can bear over the weight; below 1 they cannot bear it"
    ))]
    pub contact_number: f64,
    /// Initial thickness of the film `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it is the thickness of the film at the start, as in 1"
    ))]
    pub gap: f64,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1 is the paper's"))]
    pub asperity_ratio: f64,
    /// Stiffness of the bulk of smooth spheres, where the contact number says nothing `[weight/a]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "films need elastic bulk, as in 1e3"))]
    pub stiffness: f64,
    /// Thickness at which the run ends where the film drains for ever `[a]`.
    #[schemars(extend(
        "otherwise" = "1e-12 times `gap` (or 1), less where rough spheres need it",
        "within" = ">= 1e-300 and < `gap`"
    ))]
    pub end_gap: Option<f64>,
    /// Time at which the run ends `[τ_c]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen from the theory",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub max_time: Option<f64>,
    /// What a sphere with inertia is watched for.
    pub until: Until,
}

/// What ends the run of a falling sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// It has come to rest, or its film is as thin as was asked.
    #[default]
    Rest,
    /// It is known whether it bounces or oscillates.
    Response,
}

/// Rough spheres that bear twice the weight.
impl Default for Settle {
    fn default() -> Self {
        Self {
            roughness: 1e-3,
            contact_number: 2.0,
            gap: 1.0,
            asperity_ratio: 1.0,
            stiffness: 1e3,
            end_gap: None,
            max_time: None,
            until: Until::Rest,
        }
    }
}

impl Settle {
    /// Whether the asperities bear the weight, so that there is an equilibrium.
    pub fn bears(&self) -> bool {
        self.roughness > 0.0 && self.contact_number > 1.0
    }

    /// Thickness at which a film that drains for ever ends `[a]`.
    pub fn end_gap(&self) -> f64 {
        let smooth = 1e-12 * self.gap.min(1.0);
        self.end_gap.unwrap_or(match self.roughness > 0.0 {
            true => smooth.min(1e-6 * self.roughness),
            false => smooth,
        })
    }

    /// Reports a bulk so soft that the weight alone would bring the centres together.
    fn check_squashed(&self, check: &mut Check<'_>) {
        let (key, deflection) = match self.roughness > 0.0 {
            true => {
                let ratio = self.asperity_ratio / self.contact_number;
                ("settle.contact_number", self.roughness * ratio)
            }
            false => ("settle.stiffness", 1.0 / self.stiffness),
        };
        // A sphere that falls freely deflects it by more: until its weight has done no work any
        // more.
        let falls = check.case.inertia.as_ref().is_some_and(Inertia::is_some);
        let (deflection, by) = match falls {
            true => (deflection + deflection.hypot((2.0 * deflection * self.gap).sqrt()), "fall"),
            false => (deflection, "weight"),
        };
        if deflection.is_finite() && deflection >= DEEPEST_DEFLECTION {
            let problem = format!("the {by} deflects the bulk by {deflection:.3} a");
            let remedy = "deflections are small against the radius; give a larger one";
            check.fault(key, problem, remedy);
        }
    }
}

impl StudyTable for Settle {
    const STUDY: &'static str = "settle";
    const TABLE: &'static str = "settle";

    fn check(&self, check: &mut Check<'_>) {
        if self.gap > 0.0 {
            let thin = "it is a thickness that a draining film reaches, as in 1e-12";
            check.number("settle.end_gap", self.end_gap(), Range::From(THINNEST, self.gap), thin);
        }
        self.check_squashed(check);
    }

    fn fill_in(&mut self) {
        self.end_gap = Some(self.end_gap());
    }
}
