//! What an accepted step changes: positions, memory, clock.

use rayon::prelude::*;

use super::control::{self, Aim};
use super::sight::with_memory_mut;
use super::{SHARED, Stepper};
use crate::state::Suspension;

impl Stepper {
    /// Moves the particles by an accepted step, and decides on the next.
    pub(super) fn accept(&mut self, state: &mut Suspension, step: f64, error: f64, proposed: f64) {
        self.remember(state);
        let strains = self.strains(step);
        state.rate = self.drive.rate;
        let longest = self.longest_step();
        let clock = &mut state.clock;
        clock.go_on(step, strains);
        let aim = if self.has_films() { Aim::Trajectory } else { self.settings.aim };
        let factor = control::factor(aim, error, clock.last_error);
        // A step cut short by the end of the run says nothing about the next.
        clock.next_step = (step * factor).max(if step < proposed { proposed } else { 0.0 });
        clock.next_step = clock.next_step.min(longest);
        clock.last_error = error;
        self.protocol.turn(clock);
        let images = state.cell.images(&state.clock);
        for (k, x) in state.positions.iter_mut().enumerate() {
            *x = self.arrival(k, x, step);
            images.wrap(x);
        }
        let displaced: Vec<_> = (0..state.len()).map(|k| self.displacement(k, step)).collect();
        self.list.moved(displaced.into_iter(), self.strain(step));
        if self.has_films() {
            let [last, earlier] = self.films.last_velocities();
            state.earlier_velocities.clear();
            state.earlier_velocities.extend_from_slice(earlier);
            state.velocities.clear();
            state.velocities.extend_from_slice(last);
            state.accelerations.clear();
            state.accelerations.extend_from_slice(self.films.last_accelerations());
        } else {
            std::mem::swap(&mut state.earlier_velocities, &mut state.velocities);
            state.velocities.clone_from(&self.stage.velocities);
        }
    }

    /// Advances the memory of all pairs and keeps that of pairs which remember something.
    fn remember(&mut self, state: &mut Suspension) {
        let stride = self.stage.stride;
        state.memory.ids.clear();
        state.memory.values.clear();
        if stride == 0 {
            return;
        }
        if self.has_films() {
            let pairs = self.stage.pairs.iter();
            for (pair, memory) in pairs.zip(self.films.end_memory().chunks_exact(stride)) {
                if memory.iter().any(|x| *x != 0.0) {
                    state.memory.ids.push(pair.ids);
                    state.memory.values.extend_from_slice(memory);
                }
            }
            return;
        }
        let mut after = self.stage.memory.clone();
        let advance = |(p, memory): (usize, &mut [f64])| {
            let seen = self.stage.see(p, &self.drive);
            for (law, own) in with_memory_mut(&self.laws, memory) {
                law.advance_memory(seen.pair, own, &seen.rates);
            }
        };
        match state.len() >= SHARED {
            true => {
                let pairs = after.par_chunks_exact_mut(stride).enumerate();
                pairs.with_min_len(1024).for_each(advance);
            }
            false => after.chunks_exact_mut(stride).enumerate().for_each(advance),
        }
        for (pair, memory) in self.stage.pairs.iter().zip(after.chunks_exact(stride)) {
            if memory.iter().any(|x| *x != 0.0) {
                state.memory.ids.push(pair.ids);
                state.memory.values.extend_from_slice(memory);
            }
        }
    }

    /// Says how much a pair remembers.
    pub(super) fn match_memory(&self, state: &mut Suspension) {
        let laws = self.laws.iter().map(|l| l.memory_len()).sum();
        state.memory.stride = if self.glue.is_some() { super::gluey::MEMORY } else { laws };
    }
}
