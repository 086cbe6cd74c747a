//! The tables that say how a case is computed and what is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::integrate::Aim;
use crate::solve::Method;

/// `[time]`: the accuracy of the steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Error allowed per step; what it measures depends on `time.aim` `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1,
        "otherwise" = "2e-3; 3e-6 in the studies of a few particles, 1e-8 in `pair-shear`",
        "remedy" = "2e-3 is the default"
    ))]
    pub tolerance: f64,
    /// What has to be right.
    #[schemars(extend(
        "otherwise" = "\"statistics\" for a sheared periodic suspension, else \"trajectory\""
    ))]
    pub aim: Option<Aim>,
    /// First step; with `[gluey]` a time in any case `[strain, or time without shear]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen for the aim and the laws",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub first_step: Option<f64>,
    /// Longest step `[strain, or time without shear]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen for the aim and the laws",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub max_step: Option<f64>,
    /// Step of a run with `[gluey]`; shorter ones are taken where gaps would not come right
    /// `[time]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen by how far particles move",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub step: Option<f64>,
    /// Number of steps after which the run gives up `[1]`.
    #[schemars(extend(
        "minimum" = 1, "otherwise" = "no limit", "remedy" = "leave it out for no limit"
    ))]
    pub max_steps: Option<usize>,
    /// Imbalance of forces, over all forces, at which the iteration over contacts and friction
    /// inside a step ends `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1,
        "otherwise" = "chosen from `time.tolerance`, the aim and the laws",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub friction_residual: Option<f64>,
}

impl Time {
    /// The tolerance of studies of a few particles unless given: their steps cost next to nothing
    /// `[1]`.
    pub const FEW_PARTICLES: f64 = 3e-6;

    /// The tolerance of two spheres in shear unless given: a streamline near the axis of the flow
    /// is found to a part in a thousand only if positions are right to 1e-5 `[1]`.
    pub const PASSING: f64 = 1e-8;
}

/// A tolerance of 2e-3, the rest chosen by the integrator.
impl Default for Time {
    fn default() -> Self {
        Self {
            tolerance: 2e-3,
            aim: None,
            first_step: None,
            max_step: None,
            step: None,
            max_steps: None,
            friction_residual: None,
        }
    }
}

/// `[solver]`: the linear systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// The method.
    pub method: Method,
    /// Imbalance, over all forces that act, at which the last linear solve of a step ends `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1,
        "otherwise" = "1e-6 for statistics at the default `time.tolerance`, less with a smaller one; \
                       1e-9 for trajectories, films and `[gluey]`",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub tolerance: Option<f64>,
    /// Iterations after which a solve has failed `[1]`.
    #[schemars(extend("minimum" = 1, "remedy" = "2000 is the default"))]
    pub max_iterations: usize,
}

impl Solver {
    /// The residual of linear solves where nothing else is chosen `[1]`.
    pub const TIGHT: f64 = 1e-9;

    /// The residual that is given, or a tight one `[1]`.
    pub fn tight(&self) -> f64 {
        self.tolerance.unwrap_or(Self::TIGHT)
    }
}

/// The method that is faster at the given size; a tolerance that fits what is asked.
impl Default for Solver {
    fn default() -> Self {
        Self { method: Method::Auto, tolerance: None, max_iterations: 2000 }
    }
}

/// `[output]`: what is written, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Strain between rows of `timeseries.csv`, or time where the run counts time, or cycles of an
    /// oscillation; 0 writes every step `[strain, time or cycles]`.
    #[schemars(extend(
        "minimum" = 0,
        "otherwise" = "0; 0.01 in the studies of a few particles with the scheme `\"verlet\"`",
        "remedy" = "0 writes every step"
    ))]
    pub interval: f64,
    /// Strain, time or cycles between frames of the configuration; 0 writes none
    /// `[strain, time or cycles]`.
    #[schemars(extend(
        "minimum" = 0,
        "otherwise" = "0.5; 1 in an oscillation, 0 in the studies of a few particles",
        "remedy" = "0 writes no frames"
    ))]
    pub frames: f64,
    /// Whether the contacts of each frame are written.
    pub contacts: bool,
    /// Wall time between checkpoints; 0 writes one after every step `[s]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 writes a checkpoint after every step"))]
    pub checkpoint_seconds: f64,
}

/// Every step in the time series, two frames per strain.
impl Default for Output {
    fn default() -> Self {
        Self { interval: 0.0, frames: 0.5, contacts: false, checkpoint_seconds: 30.0 }
    }
}
