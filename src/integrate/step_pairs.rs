//! The pairs of a step and what they remember.

use rayon::prelude::*;

use super::linearise::{CHUNK, PARALLEL_PAIRS};
use super::mechanics::Mechanics;
use super::pair_view::with_memory_mut;
use super::reach::Expected;
use super::walls::Walls;
use crate::laws::PairLaw;
use crate::pairs::{ActivePair, NeighbourList, make_room};
use crate::state::{PairMemory, Suspension};

/// The pairs of a step, in ascending order of ids, and what they remember.
#[derive(Default)]
pub(super) struct StepPairs {
    /// Who may come near whom.
    pub list: NeighbourList,
    /// How far particles are expected to move in the step.
    pub expected: Expected,
    /// The pairs at the beginning of the step, or where a stage starts.
    pub active: Vec<ActivePair>,
    /// What every pair remembers then, `stride` numbers each.
    pub memory: Vec<f64>,
    /// What films remember at the end of the stage: as the laws found it with their forces, or a
    /// guess before.
    pub advanced: Vec<f64>,
    /// What every pair remembers after the step that was measured last.
    pub after: Vec<f64>,
    /// What films remember at the end of the last accepted step; empty where there are none.
    pub end_memory: Vec<f64>,
    /// Numbers that one pair remembers.
    pub stride: usize,
    /// Whether there are films, which may hold particles beyond the range of their laws.
    pub films: bool,
    /// Obstacles, and the pairs that are with them.
    pub walls: Walls,
}

impl StepPairs {
    /// Finds the pairs of a step within the range of the laws; with films also those that a film
    /// still holds.
    pub fn find(&mut self, state: &Suspension, films: bool) {
        self.films = films;
        let StepPairs { list, expected, active, .. } = self;
        match expected.moves.is_empty() {
            true => list.active(state, active),
            false => list.active_within(state, |i, j| expected.reach(i, j), active),
        }
        if self.walls.exist() {
            self.add_walls(state);
        }
        if films {
            self.keep_stretched(state);
        }
        if self.walls.exist() {
            self.walls.find(state, &self.active);
        }
    }

    /// Takes up what the pairs remember from the step before.
    pub fn recall(&mut self, remembered: &PairMemory) {
        let stride = remembered.stride;
        self.stride = stride;
        self.memory.clear();
        make_room(&mut self.memory, stride * self.active.len());
        self.memory.resize(stride * self.active.len(), 0.0);
        let mut known = remembered.ids.iter().enumerate().peekable();
        for (p, pair) in self.active.iter().enumerate() {
            while known.next_if(|(_, ids)| **ids < pair.ids).is_some() {}
            if let Some((k, _)) = known.next_if(|(_, ids)| **ids == pair.ids) {
                let from = &remembered.values[k * stride..(k + 1) * stride];
                self.memory[p * stride..(p + 1) * stride].copy_from_slice(from);
            }
        }
    }

    /// Fills the memory of pairs that have none yet.
    pub fn init_memory(&mut self, laws: &[Box<dyn PairLaw>]) {
        let StepPairs { active, memory, stride, .. } = self;
        for (pair, memory) in active.iter().zip(memory.chunks_exact_mut(*stride)) {
            for (law, own) in with_memory_mut(laws, memory) {
                law.init_memory(pair.radii, &pair.separation, own);
            }
        }
    }

    /// What pair `p` remembers at the beginning of the step.
    #[inline]
    pub fn memory_of(&self, p: usize) -> &[f64] {
        &self.memory[p * self.stride..(p + 1) * self.stride]
    }

    /// What the films of pair `p` remember at the end of the last accepted step.
    pub fn end_memory_of(&self, p: usize) -> &[f64] {
        &self.end_memory[p * self.stride..(p + 1) * self.stride]
    }

    /// What pair `p` remembers after the step that was measured.
    #[inline]
    pub fn memory_after(&self, p: usize) -> &[f64] {
        &self.after[p * self.stride..(p + 1) * self.stride]
    }

    /// Keeps the memory `after` the step of pairs that remember something.
    pub fn keep(&self, after: &[f64], memory: &mut PairMemory) {
        memory.ids.clear();
        memory.values.clear();
        for (pair, own) in self.active.iter().zip(after.chunks_exact(self.stride.max(1))) {
            if !is_blank(own) {
                memory.ids.push(pair.ids);
                memory.values.extend_from_slice(own);
            }
        }
    }

    /// The pair with the smallest gap at the beginning of the step.
    pub fn closest(&self) -> Option<(String, f64)> {
        let closest = self.active.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
        closest.map(|pair| (pair.ids.to_string(), pair.gap))
    }

    /// Adds pairs whose centres are beyond the range while a film still holds them.
    fn keep_stretched(&mut self, state: &Suspension) {
        let listed = self.active.len();
        for ids in &state.memory.ids {
            let known = self.active[..listed].binary_search_by(|p| p.ids.cmp(ids));
            if known.is_err() {
                let stretched = self.remembered_pair(state, *ids);
                self.active.extend(stretched);
            }
        }
        self.active.sort_unstable_by_key(|p| p.ids);
    }
}

impl Mechanics {
    /// Finds what all pairs remember after the step, at the rates that were found in it.
    pub(super) fn remember(&mut self) {
        let mut after = std::mem::take(&mut self.stage.pairs.after);
        let Mechanics { stage, laws, drive, .. } = self;
        let StepPairs { memory, stride, .. } = &stage.pairs;
        after.clone_from(memory);
        let advance = |(p, memory): (usize, &mut [f64])| {
            let (pair, end_gap) = (&stage.linearisation.geometry[p], stage.found_end_gap(p, drive));
            for (law, own) in with_memory_mut(laws, memory) {
                if own.is_empty() || is_blank(own) && stage.is_beyond(law, p, pair, end_gap) {
                    continue;
                }
                law.advance_memory(pair, own, &stage.view(p, drive).rates);
            }
        };
        let stride = (*stride).max(1);
        match after.len() >= PARALLEL_PAIRS {
            true => {
                let pairs = after.par_chunks_exact_mut(stride).enumerate();
                pairs.with_min_len(CHUNK).for_each(advance);
            }
            false => after.chunks_exact_mut(stride).enumerate().for_each(advance),
        }
        self.stage.pairs.after = after;
    }
}

/// Whether nothing is remembered.
#[inline]
pub(super) fn is_blank(memory: &[f64]) -> bool {
    memory.iter().all(|x| *x == 0.0)
}
