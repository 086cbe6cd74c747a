//! What an accepted step with gluey contacts changes: positions, memory, clock.

use nalgebra::Vector3;

use super::{DISPLACEMENT_AIM, GAP_TOLERANCE, GROWTH, Projected, farthest};
use crate::cell::Images;
use crate::integrate::mechanics::Mechanics;
use crate::integrate::trial::Moves;
use crate::state::Suspension;

/// Where a particle arrives: those that move freely have been accelerated all the time.
pub(super) fn arrival(
    mechanics: &Mechanics,
    state: &Suspension,
    id: usize,
    step: f64,
    free: bool,
) -> Vector3<f64> {
    let velocity = mean_velocity(mechanics, state, id, free);
    mechanics.drive.carry(&state.positions[id], &velocity, step)
}

/// The velocity at which a particle gets there.
fn mean_velocity(mechanics: &Mechanics, state: &Suspension, id: usize, free: bool) -> Vector3<f64> {
    let [before, after] =
        [&state.velocities, &mechanics.stage.velocities].map(|all| &all[id].linear);
    if free { 0.5 * (before + after) } else { *after }
}

impl Projected {
    /// Particles that move freely must not overlap on their way either: those that would keep to
    /// the velocity at the end of the step.
    pub(super) fn keep_apart(
        &mut self,
        mechanics: &Mechanics,
        state: &Suspension,
        step: f64,
        images: &Images,
    ) {
        let small = GAP_TOLERANCE * state.smallest_radius();
        let (obstacles, time) = (mechanics.obstacles(), state.clock.time + step);
        loop {
            let mut changed = false;
            for candidate in &mut self.candidates {
                let free = &mut self.free;
                if !candidate.ids.moving().any(|id| free[id]) {
                    continue;
                }
                let at = |id: usize| arrival(mechanics, state, id, step, free[id]);
                let place = candidate.place(&at, images, obstacles, time);
                if place.gap < -small {
                    candidate.ids.moving().for_each(|id| free[id] = false);
                    changed = true;
                } else {
                    candidate.end = place;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Moves particles and memory by an accepted step, and decides on the next.
    pub(super) fn accept(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        step: f64,
        proposed: f64,
    ) {
        self.keep_memory(state, step);
        let free = |id: usize| (id, self.free[id]);
        let arrives = |(id, free)| arrival(mechanics, state, id, step, free);
        let moves = |(id, free)| step * mean_velocity(mechanics, state, id, free);
        let moves = Moves {
            arrivals: (0..state.len()).map(free).map(arrives).collect(),
            displacements: (0..state.len()).map(free).map(moves).collect(),
            strains: mechanics.drive.strains(step),
        };
        let farthest = farthest(&mechanics.stage.velocities, step) / state.smallest_radius();
        let closed = mechanics.drive.flow.compression() * moves.strain();
        self.list.moved(moves.displacements.iter().copied(), closed);
        mechanics.move_particles(state, moves, step);
        let aimed = step * (DISPLACEMENT_AIM / farthest.max(1e-12)).min(GROWTH);
        let next = if step < proposed { proposed } else { aimed };
        let chosen = || next.min(mechanics.longest_step());
        state.clock.next_step = self.law.step.unwrap_or_else(chosen);
        mechanics.protocol.turn(&mut state.clock);
        std::mem::swap(&mut state.earlier_velocities, &mut state.velocities);
        state.velocities.clone_from(&mechanics.stage.velocities);
    }

    /// Finds particles that nothing touches.
    pub(super) fn find_free(&mut self, mechanics: &Mechanics) {
        self.free.clear();
        self.free.resize(mechanics.stage.velocities.len(), mechanics.has_inertia());
        for candidate in self.candidates.iter().filter(|c| c.multiplier > 0.0) {
            candidate.ids.moving().for_each(|id| self.free[id] = false);
        }
    }

    /// Keeps what pairs remember after a step.
    fn keep_memory(&self, state: &mut Suspension, step: f64) {
        let memory = &mut state.memory;
        memory.ids.clear();
        memory.values.clear();
        for candidate in self.candidates.iter().filter(|c| c.multiplier > 0.0) {
            memory.ids.push(candidate.ids);
            let gamma = candidate.gamma_after(step, self.law.least);
            memory.values.extend([gamma, candidate.force(step)]);
        }
    }
}
