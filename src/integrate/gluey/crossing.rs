//! Whether anybody has gone through another in a step.

use super::Glue;
use crate::integrate::Stepper;
use crate::state::Suspension;

/// How deep a pair may overlap on its way, in smallest radii: paths that are straight in a step cut corners.
const CORNER: f64 = 0.5;

/// How far apart the points are at which paths are looked at, in smallest radii.
const APART: f64 = 0.5;

/// Points on a path at most.
const POINTS: f64 = 1e4;

impl Stepper {
    /// Whether a pair overlaps deeply on the way to where it is at the end of the step. Only particles that go farther than a
    /// radius can have left that behind.
    pub(super) fn goes_through(&self, state: &Suspension, step: f64, glue: &Glue) -> bool {
        let radius = state.smallest_radius();
        let moved = self.displacements(state, step);
        let farthest = moved.iter().copied().fold(0.0, f64::max);
        if farthest <= radius {
            return false;
        }
        let far: Vec<_> = glue
            .touches
            .iter()
            .filter(|touch| {
                touch.ids.iter().any(|id| moved.get(*id as usize).is_some_and(|m| *m > radius))
            })
            .collect();
        let points = (farthest / (APART * radius)).ceil().min(POINTS);
        (1..points as usize).any(|k| {
            let part = k as f64 / points * step;
            let images = self.images_after(state, part);
            let at = |id: usize| self.landing(state, id, part, glue.free[id]);
            let time = state.clock.time + part;
            far.iter().any(|touch| {
                touch.place(&at, &images, self.obstacles(), time).gap < -CORNER * radius
            })
        })
    }
}
