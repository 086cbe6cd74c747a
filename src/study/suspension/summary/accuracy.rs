//! How well the mean that a case asks for is known.

use serde::Serialize;

use super::means::LEAST_SAMPLES;
use crate::case::{Accuracy, Quantity};
use crate::record::keys::{Described, described};
use crate::stats::{Estimate, Steady};

described! {
    /// What was asked of a mean, and what came of it.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct AccuracyVerdict {
        /// The quantity whose mean was asked for.
        pub quantity: Quantity,
        /// Relative standard error that was asked for `[1]`.
        pub goal: f64,
        /// Relative standard error of the mean; none where it is not known `[1]`.
        pub reached: Option<f64>,
        /// Whether the run settled and the mean is as well known as asked.
        pub met: bool,
    }
}

impl Described for Quantity {
    const UNIT: &'static str = "text";
}

impl AccuracyVerdict {
    /// Of a mean over the steady state.
    pub fn new(asked: &Accuracy, steady: Option<&Steady>, mean: Option<&Estimate>) -> Self {
        let error = mean.and_then(|e| e.stderr.map(|stderr| stderr / e.mean.abs()));
        let reached = error.filter(|error| error.is_finite());
        let many = mean.is_some_and(|e| e.effective_samples >= LEAST_SAMPLES);
        let settled = steady.is_some_and(|s| s.settled);
        let close = reached.is_some_and(|error| error <= asked.relative_error);
        AccuracyVerdict {
            quantity: asked.quantity,
            goal: asked.relative_error,
            reached,
            met: settled && many && close,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_a_steady_state_many_samples_and_a_small_error() {
        let asked = Accuracy { relative_error: 0.1, quantity: Quantity::ParticlePressure };
        let steady = |settled| Steady { start: 1.0, settled };
        let mean = |mean, stderr, effective_samples| Estimate {
            mean,
            stderr,
            std: 1.0,
            correlation: 0.1,
            effective_samples,
        };
        let met = |settled, estimate: Estimate| {
            AccuracyVerdict::new(&asked, Some(&steady(settled)), Some(&estimate)).met
        };
        assert!(met(true, mean(-2.0, Some(0.2), 8.0)));
        assert!(!met(false, mean(-2.0, Some(0.2), 8.0)));
        assert!(!met(true, mean(-2.0, Some(0.2), 7.9)));
        assert!(!met(true, mean(-2.0, Some(0.21), 8.0)));
        assert!(!met(true, mean(0.0, Some(0.0), 8.0)));
        assert!(!met(true, mean(-2.0, None, 8.0)));
        let unknown = AccuracyVerdict::new(&asked, None, None);
        assert_eq!((unknown.reached, unknown.met), (None, false));
        let json = serde_json::to_value(unknown).unwrap();
        assert_eq!(json["quantity"], "particle_pressure");
        assert_eq!((&json["goal"], &json["met"]), (&0.1.into(), &false.into()));
    }
}
