//! How steps are chosen, and where they end.

use serde::{Deserialize, Serialize};

use crate::state::Clock;

/// What the tolerance is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Steady averages of a chaotic suspension: the root-mean-square displacement error.
    Statistics,
    /// The path itself: the largest displacement error, relative to the gap of close pairs.
    Trajectory,
}

/// When the iteration inside a step stops.
#[derive(Clone, Copy, Debug)]
pub struct Convergence {
    /// Imbalance of the laws' own forces (contact and friction included) at which the iteration
    /// stops, relative to all forces.
    pub law_residual: f64,
    /// Residual of the last linear solve, relative to all forces.
    pub linear_residual: f64,
    /// Most iterations.
    pub most: usize,
}

/// How steps are chosen and accepted.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// Displacement error allowed in one step, in smallest radii (statistics) or relative to the
    /// gap (trajectory).
    pub tolerance: f64,
    /// What the tolerance is about.
    pub aim: Aim,
    /// The first step `[t]`.
    pub first_step: f64,
    /// The longest step `[t]`.
    pub max_step: f64,
    /// A step that would have to be shorter is given up `[t]`.
    pub min_step: f64,
    /// The largest strain of a step.
    pub max_strain: f64,
    /// The largest overlap allowed `[a]`.
    pub max_overlap: f64,
    /// The stiffness beyond which it is raised no more: the suspension has jammed `[μγ̇a]`.
    pub max_stiffness: f64,
    /// Whether the contact stiffness is raised when the overlap would exceed its bound.
    pub adapt_stiffness: bool,
    /// When the iteration inside a step stops.
    pub convergence: Convergence,
}

/// For spheres of radius 1 that move by about 1 in unit time; gaps are right to 1e-4 in every step.
impl Default for StepSettings {
    fn default() -> Self {
        StepSettings {
            tolerance: 1e-4,
            aim: Aim::Trajectory,
            first_step: 1e-3,
            max_step: 0.1,
            min_step: 1e-12,
            max_strain: 0.05,
            max_overlap: f64::INFINITY,
            max_stiffness: 0.0,
            adapt_stiffness: false,
            convergence: Convergence { law_residual: 1e-10, linear_residual: 1e-12, most: 60 },
        }
    }
}

/// Where a run ends: the first of strain and time that is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Strain, counted positive in either direction.
    pub strain: f64,
    /// Time `[t]`.
    pub time: f64,
}

impl End {
    /// Whether a run is over; the last step may fall short by rounding.
    pub fn reached(&self, clock: &Clock) -> bool {
        let almost = 1.0 - 1e-12;
        clock.time >= self.time * almost || clock.path >= self.strain * almost
    }

    /// The time that remains at a shear rate `[t]`.
    pub(super) fn remaining(&self, clock: &Clock, rate: f64) -> f64 {
        let by_strain = (self.strain - clock.path) / rate.abs();
        by_strain.min(self.time - clock.time)
    }
}
