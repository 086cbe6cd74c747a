//! Contacts that are made stiffer while a run goes on, so that overlaps keep to their bound.

use super::mechanics::Mechanics;
use super::pair_view::with_memory_mut;
use crate::state::Suspension;

/// By what factor it is raised.
const STIFFNESS_FACTOR: f64 = 1.5;

impl Mechanics {
    /// Gives contacts the stiffness of the state.
    pub(super) fn use_stiffness(&mut self, state: &Suspension) {
        self.laws.set_stiffness(state.stiffness);
    }

    /// Stiffens all contacts; tangential forces are kept, stretches shrink.
    pub(super) fn raise_stiffness(&mut self, state: &mut Suspension) {
        state.stiffness *= STIFFNESS_FACTOR;
        let pairs = &mut self.stage.pairs;
        for memory in [&mut state.memory.values, &mut pairs.memory] {
            for pair in memory.chunks_exact_mut(pairs.stride.max(1)) {
                for (law, own) in with_memory_mut(&self.laws, pair) {
                    law.stiffen(own, STIFFNESS_FACTOR);
                }
            }
        }
        self.use_stiffness(state);
        self.rejected += 1;
    }
}
