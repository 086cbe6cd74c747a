//! Whether a particle has gone through another, or through a surface, in a step.

use super::advance::arrival;
use super::{Projected, displacements, images_after};
use crate::integrate::mechanics::Mechanics;
use crate::state::Suspension;

/// How deep a pair may overlap on its way, in smallest radii: paths that are straight in a step cut
/// corners.
const CORNER: f64 = 0.5;

/// How far apart the points of a path are at which overlaps are checked, in smallest radii.
const SPACING: f64 = 0.5;

/// Most points on a path.
const MOST_POINTS: f64 = 1e4;

impl Projected {
    /// Whether a pair overlaps deeply on the way to where it is at the end of the step. Only
    /// particles that go farther than a radius can have left that behind.
    pub(super) fn goes_through(
        &self,
        mechanics: &Mechanics,
        state: &Suspension,
        step: f64,
    ) -> bool {
        let radius = state.smallest_radius();
        let moved = displacements(mechanics, state, step);
        let farthest = moved.iter().copied().fold(0.0, f64::max);
        if farthest <= radius {
            return false;
        }
        let goes_far = |id: usize| moved[id] > radius;
        let far: Vec<_> = self.candidates.iter().filter(|c| c.ids.moving().any(goes_far)).collect();
        let points = (farthest / (SPACING * radius)).ceil().min(MOST_POINTS);
        (1..points as usize).any(|k| {
            let part = k as f64 / points * step;
            let images = images_after(mechanics, state, part);
            let at = |id: usize| arrival(mechanics, state, id, part, self.free[id]);
            let time = state.clock.time + part;
            let gap = |c: &super::Candidate| c.place(&at, &images, mechanics.obstacles(), time).gap;
            far.iter().any(|candidate| gap(candidate) < -CORNER * radius)
        })
    }
}
