//! The tables that say how a case is computed and what is written.

use serde::{Deserialize, Serialize};

use crate::integrate::Aim;
use crate::solve::Method;

/// `[time]`: the accuracy of the steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Error allowed per step; what it measures depends on the aim `[1]`.
    pub tolerance: f64,
    /// What has to be right; filled in with `statistics` for a sheared periodic suspension
    /// and with `trajectory` otherwise.
    pub aim: Option<Aim>,
    /// First step, chosen when not given `[strain, or time without shear]`.
    pub first_step: Option<f64>,
    /// Largest step, chosen when not given `[strain, or time without shear]`.
    pub max_step: Option<f64>,
    /// Steps of a run with `[gluey]`, chosen when not given; shorter ones where gaps would not come
    /// right `[t]`.
    pub step: Option<f64>,
    /// Number of steps after which the run gives up; no limit when not given `[1]`.
    pub max_steps: Option<usize>,
    /// Residual of stick and slide at which a step is accepted, chosen when not given `[1]`.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// How they are solved.
    pub method: Method,
    /// Relative residual at which an iteration stops `[1]`.
    pub tolerance: f64,
    /// Iterations after which a solve has failed `[1]`.
    pub max_iterations: usize,
}

/// The method that is faster at the given size, to nine digits.
impl Default for Solver {
    fn default() -> Self {
        Self { method: Method::Auto, tolerance: 1e-9, max_iterations: 2000 }
    }
}

/// `[output]`: what is written, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Strain between rows of `timeseries.csv`; 0 = every step `[1]`.
    pub interval: f64,
    /// Strain between frames of the configuration; 0 = none `[1]`.
    pub frames: f64,
    /// Whether the contacts of each frame are written.
    pub contacts: bool,
    /// Wall time between checkpoints; 0 = every step `[s]`.
    pub checkpoint_seconds: f64,
}

/// Every step in the time series, two frames per strain.
impl Default for Output {
    fn default() -> Self {
        Self { interval: 0.0, frames: 0.5, contacts: false, checkpoint_seconds: 30.0 }
    }
}
