//! Which pairs a step needs: those that the laws may reach in it, judged by how far each particle
//! is expected to move. What moves farther is looked at again once the step is solved.

use super::mechanics::{LARGEST_APPROACH, Mechanics};
use super::trial::Moves;
use crate::pairs::ActivePair;
use crate::state::{PairIds, Suspension};

/// What every particle may move beyond what it moved before, in smallest radii.
const MARGIN: f64 = 0.01;

/// How far particles are expected to move in a step.
#[derive(Debug, Default)]
pub(super) struct Expected {
    /// The gap up to which laws reach, and what the flow may close of it in the step `[a]`.
    pub gap: f64,
    /// By how much each particle may move relative to the flow; where this is empty, as far as
    /// steps allow `[a]`.
    pub moves: Vec<f64>,
}

impl Expected {
    /// The gap up to which two particles make a pair of the step `[a]`.
    pub fn reach(&self, i: usize, j: usize) -> f64 {
        self.gap + self.moves[i] + self.moves[j]
    }
}

impl Mechanics {
    /// Finds the pairs of a step in which particles move as in the one before, and a little more.
    pub(super) fn find_expected_pairs(&mut self, state: &mut Suspension, step: f64) {
        self.expect_moves(state, step);
        self.list_pairs(state, self.memory_len());
    }

    /// Finds every pair that particles could reach in the longest step, and what they remember,
    /// `stride` numbers each.
    pub(super) fn find_pairs(&mut self, state: &mut Suspension, stride: usize) {
        self.stage.pairs.expected.moves.clear();
        self.list_pairs(state, stride);
    }

    fn expect_moves(&mut self, state: &Suspension, step: f64) {
        let smallest = state.smallest_radius();
        let (margin, most) = (MARGIN * smallest, 0.5 * LARGEST_APPROACH * smallest);
        let list = &self.stage.pairs.list;
        let expected = &mut self.stage.pairs.expected;
        expected.gap = list.range() - LARGEST_APPROACH * smallest;
        expected.moves.clear();
        let moves = state.velocities.iter().map(|u| (step * u.linear.norm() + margin).min(most));
        expected.moves.extend(moves);
    }

    /// Whether a particle moved so much farther than expected that it may have met another one
    /// that is not among the pairs of the step.
    pub(super) fn missed_a_pair(&self, state: &Suspension, moves: &Moves, step: f64) -> bool {
        let expected = &self.stage.pairs.expected;
        if expected.moves.is_empty() {
            return false;
        }
        let beyond = |(moved, allowed): (&nalgebra::Vector3<f64>, &f64)| moved.norm() > *allowed;
        let farther: Vec<bool> =
            moves.displacements.iter().zip(&expected.moves).map(beyond).collect();
        if !farther.contains(&true) {
            return false;
        }
        let met = |ids: &PairIds| {
            let [i, j] = ids.slots();
            if !farther[i] && !farther[j] {
                return false;
            }
            let pair = ActivePair::of(state, *ids);
            let velocities = &self.stage.velocities;
            let relative = velocities[j].linear - velocities[i].linear;
            let end = self.drive.carry(&pair.separation, &relative, step).norm();
            let left_out = pair.gap >= expected.reach(i, j);
            // What the flow closes of a gap is counted twice here, to be sure.
            left_out && end - (pair.radii[0] + pair.radii[1]) < expected.gap
        };
        self.stage.pairs.list.candidates().iter().any(met)
    }
}
