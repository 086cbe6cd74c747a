//! When a run checks how well its mean is known, and when that is well enough to stop.
//!
//! A run that stops as soon as its estimated error falls below a goal tends to stop where the
//! estimate happens to be too low, the more so the fewer independent samples n there are. A check
//! therefore needs more of them than a summary does, and a second check has to confirm it. The
//! square of an error is known to about 2/√n of itself and falls like one over the strain, so that
//! the second check comes when the strain has grown by this part. How often the truth then lies
//! within two errors is measured in the test below.

use serde::{Deserialize, Serialize};

/// Strain of the first check `[1]`.
const FIRST_STRAIN: f64 = 2.0;

/// Strain of a check over that of the one before, at least one unit of strain later `[1]`.
const STRAIN_GROWTH: f64 = 1.1;

/// A check with fewer independent samples is not trusted `[1]`.
const FEWEST_SAMPLES: f64 = 24.0;

/// What a check finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    /// Whether the summary would call the goal met.
    pub met: bool,
    /// Independent samples in the mean `[1]`.
    pub samples: f64,
    /// The error over the goal; none where it is not known `[1]`.
    pub excess: Option<f64>,
}

/// The checks of a run. They depend on its strain and its rows alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stopping {
    /// Strain of the next check `[1]`.
    next: f64,
    /// Whether the last check found the mean known well enough.
    passed: bool,
    /// Strain at which the run is likely to end, by the last check `[1]`.
    likely_end: Option<f64>,
}

/// Before the first check.
impl Default for Stopping {
    fn default() -> Self {
        Stopping { next: FIRST_STRAIN, passed: false, likely_end: None }
    }
}

impl Stopping {
    /// Whether it is time to check.
    pub(super) fn is_due(&self, strain: f64) -> bool {
        strain >= self.next
    }

    /// Whether to stop after a check at a strain: whether it confirms the one before.
    pub(super) fn decide(&mut self, strain: f64, found: &Found) -> bool {
        let passed = found.met && found.samples >= FEWEST_SAMPLES;
        let confirmed = passed && self.passed;
        let growth = if passed { confirmation(found.samples) } else { STRAIN_GROWTH };
        self.next = (strain.floor() + 1.0).max((growth * strain).ceil());
        self.passed = passed;
        self.likely_end = match found.excess {
            _ if confirmed => Some(strain),
            _ if passed => Some(self.next),
            // The error falls like one over the square root of the strain.
            Some(excess) => {
                let samples = found.samples.max(1.0);
                let longer = (excess * excess).max(FEWEST_SAMPLES / samples);
                Some((longer * confirmation(longer * samples) * strain).max(self.next))
            }
            None => None,
        };
        confirmed
    }

    /// Strain at which the run is likely to end; none before it can be told `[1]`.
    pub fn likely_end(&self) -> Option<f64> {
        self.likely_end
    }
}

/// Strain of a check that is to confirm one over so many independent samples, over the strain of
/// that one `[1]`.
fn confirmation(samples: f64) -> f64 {
    (1.0 + 2.0 / samples.sqrt()).max(STRAIN_GROWTH)
}

#[cfg(test)]
mod tests {
    use super::super::accuracy::History;
    use super::*;
    use crate::case::{Accuracy, Quantity};
    use crate::stats::noise::{correlated, even, generator};

    const GOOD: Found = Found { met: true, samples: 25.0, excess: Some(0.9) };
    const POOR: Found = Found { met: false, samples: 25.0, excess: Some(2.0) };

    #[test]
    fn a_check_has_to_be_confirmed() {
        let mut stopping = Stopping::default();
        assert!(!stopping.is_due(1.99) && stopping.is_due(2.0));
        assert!(!stopping.decide(2.03, &GOOD));
        assert!(!stopping.is_due(2.9) && stopping.is_due(3.0));
        assert!(!stopping.decide(3.0, &POOR));
        assert!(!stopping.decide(20.01, &GOOD));
        assert!(!stopping.is_due(28.9) && stopping.is_due(29.0));
        assert_eq!(stopping.likely_end(), Some(29.0));
        assert!(stopping.decide(29.02, &GOOD));
        let few = Found { samples: 23.0, ..GOOD };
        let mut stopping = Stopping::default();
        assert!(!stopping.decide(20.0, &few) && !stopping.decide(30.0, &few));
    }

    #[test]
    fn checks_become_rarer() {
        let mut stopping = Stopping::default();
        let mut count = 0;
        for strain in (0..100_000).map(|k| 0.01 * f64::from(k)) {
            if stopping.is_due(strain) {
                stopping.decide(strain, &POOR);
                count += 1;
            }
        }
        assert!((40..60).contains(&count), "{count}");
    }

    #[test]
    fn the_end_is_foreseen_from_the_fall_of_the_error() {
        let mut stopping = Stopping::default();
        stopping.decide(10.0, &POOR);
        assert_eq!(stopping.likely_end(), Some(10.0 * 4.0 * 1.2));
        stopping.decide(10.0, &Found { met: false, samples: 0.0, excess: None });
        assert_eq!(stopping.likely_end(), None);
    }

    /// How often, in 200 runs that end when a goal is met that takes `need` correlation times
    /// `tau`, the true mean lies within ±2 standard errors.
    fn coverage(tau: f64, need: f64) -> f64 {
        let (mean, deviation, step) = (40.0, 3.0, 0.2 * tau);
        let asked = Accuracy {
            relative_error: deviation / mean * (2.0 / need).sqrt(),
            quantity: Quantity::RelativeViscosity,
        };
        let mut random = generator(17);
        let mut run = || {
            let most = (8.0 * need).max(400.0) * tau;
            let at = even((most / step) as usize, step);
            let noise = correlated(&at, tau, &mut random);
            let (mut stopping, mut history) = (Stopping::default(), History::default());
            for (strain, noise) in at.into_iter().zip(noise) {
                history.add(strain, mean + deviation * noise, mean + deviation * noise);
                if stopping.is_due(strain) && stopping.decide(strain, &history.judge(&asked)) {
                    break;
                }
            }
            let found = history.mean(&asked).unwrap();
            (found.mean - mean).abs() < 2.0 * found.stderr.unwrap()
        };
        (0..200).filter(|_| run()).count() as f64 / 200.0
    }

    #[test]
    fn stopping_leaves_the_error_honest() {
        for need in [20.0, 60.0, 200.0] {
            let covered = [0.1, 0.3, 1.0].map(|tau| coverage(tau, need));
            println!("{need} correlation times of 0.1, 0.3 and 1: {covered:?}");
            let mean = covered.iter().sum::<f64>() / 3.0;
            assert!((0.88..=0.99).contains(&mean), "{need}: {covered:?}");
        }
    }
}
