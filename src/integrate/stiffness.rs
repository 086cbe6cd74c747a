//! Contacts that are made stiffer while a run goes on, so that overlaps keep to their bound.

use rayon::prelude::*;

use super::mechanics::{Mechanics, PARALLEL_PARTICLES};
use super::pair_view::with_memory_mut;
use crate::state::Suspension;

/// The fraction of the overlap bound at which the stiffness is raised.
const NEARLY: f64 = 0.9;

/// By what factor it is raised.
const RAISE: f64 = 1.5;

impl Mechanics {
    /// Gives contacts the stiffness of the state.
    pub(super) fn use_stiffness(&mut self, state: &Suspension) {
        self.laws.set_stiffness(state.stiffness);
    }

    /// Stiffens all contacts; tangential forces are kept, stretches shrink.
    pub(super) fn raise_stiffness(&mut self, state: &mut Suspension) {
        state.stiffness *= RAISE;
        let pairs = &mut self.stage.pairs;
        for memory in [&mut state.memory.values, &mut pairs.memory] {
            for pair in memory.chunks_exact_mut(pairs.stride.max(1)) {
                for (law, own) in with_memory_mut(&self.laws, pair) {
                    law.stiffen(own, RAISE);
                }
            }
        }
        self.use_stiffness(state);
        self.rejected += 1;
    }

    /// Whether spheres overlap too much at the end of the trial step, and more than before it,
    /// while the stiffness may still be raised.
    pub(super) fn too_deep(&self, state: &Suspension) -> bool {
        let deepest = |gaps: &mut dyn Iterator<Item = f64>| -gaps.fold(0.0, f64::min);
        let before = deepest(&mut self.stage.pairs.active.iter().map(|p| p.gap));
        let gap = |p: usize| self.stage.view(p, &self.drive).end_gap;
        let pairs = 0..self.stage.linearisation.geometry.len();
        let after = match state.len() >= PARALLEL_PARTICLES {
            true => -pairs.into_par_iter().with_min_len(1024).map(gap).reduce(|| 0.0, f64::min),
            false => deepest(&mut pairs.map(gap)),
        };
        after > NEARLY * self.settings.max_overlap
            && after > before
            && state.stiffness < self.settings.max_stiffness
    }
}
