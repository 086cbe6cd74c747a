//! What a run has spent.

use serde::{Deserialize, Serialize};

use super::peak_memory;
use crate::error::Error;
use crate::integrate::{Observation, Times};
use crate::record::keys::{Described, described};

/// The part of the power that may be lost in a step `[1]`.
const LOST_POWER: f64 = 0.01;

/// Where there is less power than this part of its mean, a loss does not count `[1]`.
const LEAST_POWER: f64 = 1e-3;

described! {
    /// What has been spent and the worst that was met.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Totals {
        /// Linear systems solved, inner friction iterations included.
        pub solves: u64,
        /// Iterations of conjugate gradients.
        pub iterations: u64,
        /// Trial steps thrown away.
        pub rejected: u64,
        /// Solves in which the second solver had to step in.
        pub fallbacks: u64,
        /// Largest overlap of two particles `[a]`.
        pub max_overlap: f64,
        /// Largest imbalance of forces and torques, relative to all forces `[1]`.
        pub worst_force_residual: f64,
        /// Largest imbalance of the contact and friction laws, relative to all forces `[1]`.
        pub worst_friction_residual: f64,
        /// Largest mismatch of power in and power dissipated or stored `[1]`.
        pub worst_power_mismatch: f64,
        /// Power of the steps so far times their durations, all parts counted positive `[Fa]`.
        #[serde(default)]
        pub work: f64,
        /// Wall time `[s]`.
        pub wall_seconds: f64,
        /// Wall time by stage of a step `[s]`.
        #[serde(default)]
        pub stage_seconds: Times,
        /// The most memory that the process has held; none where the system does not tell
        /// `[bytes]`.
        #[serde(default)]
        pub peak_memory_bytes: Option<u64>,
    }
}

impl Described for Times {
    const UNIT: &'static str = "s";
    const ENDING: &'static str = ".*";
}

impl Totals {
    /// Takes in an accepted step.
    pub(crate) fn add(&mut self, seen: &Observation, rejected: u64, radius: f64) {
        self.solves += seen.effort.solves as u64;
        self.iterations += seen.effort.iterations as u64;
        self.fallbacks += seen.effort.fallbacks as u64;
        self.rejected += rejected;
        self.max_overlap = self.max_overlap.max(seen.largest_overlap() / radius);
        self.worst_force_residual = self.worst_force_residual.max(seen.effort.force_residual);
        self.worst_friction_residual = self.worst_friction_residual.max(seen.effort.law_residual);
        self.worst_power_mismatch = self.worst_power_mismatch.max(seen.power_mismatch());
        self.work += seen.power.size() * seen.step;
    }

    /// An error if a step that was taken in has lost power that counts.
    pub(crate) fn check_power(&self, seen: &Observation) -> Result<(), Error> {
        let mismatch = seen.power_mismatch();
        let counts = seen.power.size() * seen.time > LEAST_POWER * self.work;
        if mismatch <= LOST_POWER || !counts {
            return Ok(());
        }
        let (step, strain, time) = (seen.steps, seen.strain, seen.time);
        Err(Error::PowerLost { step, strain, time, mismatch })
    }

    /// Takes in the memory that the process has held so far.
    pub(crate) fn record_memory(&mut self) {
        self.peak_memory_bytes = self.peak_memory_bytes.max(peak_memory());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_without_times_by_stage_can_be_read() {
        let mut value = serde_json::to_value(Totals::default()).unwrap();
        for key in ["stage_seconds", "peak_memory_bytes"] {
            assert!(value.as_object_mut().unwrap().remove(key).is_some());
        }
        assert_eq!(serde_json::from_value::<Totals>(value).unwrap(), Totals::default());
    }
}
