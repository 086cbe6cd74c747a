//! How far to go along a direction of Newton's method.

use super::{Problem, Projection, Work};

/// Halvings of the interval at most.
const HALVINGS: usize = 60;

/// Share of the first slope at which a search ends.
const FLAT: f64 = 1e-3;

impl Projection {
    /// The length along the direction at which what is minimised is least, at most 1: its slope is
    /// a rising line with a kink wherever a spring begins or ends to act.
    pub(super) fn line_search(&mut self, problem: &Problem, multipliers: &[f64]) -> f64 {
        let Projection { found, direction, work, .. } = self;
        let Work { penalty, slack, change, .. } = work;
        for (c, change) in problem.constraints.iter().zip(change.iter_mut()) {
            *change = problem.unknowns.opening(direction, c);
        }
        let mut resisted = vec![0.0; found.len()];
        problem.resist(found, &mut resisted);
        let start: f64 = resisted.iter().zip(&*direction).map(|(r, d)| r * d).sum();
        problem.resist(direction, &mut resisted);
        let curvature: f64 = resisted.iter().zip(&*direction).map(|(r, d)| r * d).sum();
        let slope = |length: f64| {
            let mut slope = start + length * curvature;
            for (k, c) in problem.constraints.iter().enumerate() {
                let gap = slack[k] + length * change[k];
                let force = (multipliers[k] - penalty[k] * gap).max(0.0);
                slope -= (force + c.pull) * change[k];
            }
            slope
        };
        let first = slope(0.0);
        let (mut low, mut high) = ([0.0, first], [1.0, slope(1.0)]);
        if high[1] <= FLAT * first.abs() {
            return 1.0;
        }
        for _ in 0..HALVINGS {
            // The secant, kept away from the ends.
            let share = (low[1] / (low[1] - high[1])).clamp(0.1, 0.9);
            let length = low[0] + share * (high[0] - low[0]);
            let here = slope(length);
            if here.abs() <= FLAT * first.abs() {
                return length;
            }
            if here < 0.0 { low = [length, here] } else { high = [length, here] }
        }
        high[0]
    }
}
