//! The shear rate as one more unknown, where the stress is imposed.

use crate::state::{Velocity, Wrench, dot};

/// A shear rate that follows from the velocities, where the stress is imposed: with the forces
/// \\(\mathbf f\\) that a unit rate drives, \\(\dot\gamma\\) grows by
/// \\(\mathbf f\cdot\mathbf U/c\\), and takes \\(\mathbf f(\mathbf f\cdot\mathbf U)/c\\)
/// off what resists.
#[derive(Clone, Debug, Default)]
pub struct FreeRate {
    /// \\(\mathbf f\\) `[μa²]`, `[μa³]`.
    pub forces: Vec<Wrench>,
    /// By how much the moment of all forces grows with the rate, c `[μa³]`.
    pub moment: f64,
}

impl FreeRate {
    /// By how much the rate grows with velocities.
    pub fn growth(&self, velocities: &[Velocity]) -> f64 {
        dot(&self.forces, velocities) / self.moment
    }
}
