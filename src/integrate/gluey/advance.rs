//! What an accepted step with gluey contacts changes: positions, memory, clock.

use nalgebra::Vector3;

use super::{AIM, GROWTH, Glue, TRUE, farthest};
use crate::cell::Images;
use crate::integrate::Stepper;
use crate::integrate::stage::Stage;
use crate::state::Suspension;

impl Stepper {
    /// Particles that move freely must not overlap on their way either: those that would keep to the
    /// motion at the end of the step.
    pub(super) fn keep_apart(
        &self,
        state: &Suspension,
        step: f64,
        images: &Images,
        glue: &mut Glue,
    ) {
        let small = TRUE * state.smallest_radius();
        loop {
            let mut changed = false;
            for k in 0..glue.touches.len() {
                let ids = glue.touches[k].ids.map(|id| id as usize);
                if !ids.iter().any(|id| glue.free.get(*id) == Some(&true)) {
                    continue;
                }
                let at = |id: usize| self.landing(state, id, step, glue.free[id]);
                let touch = &mut glue.touches[k];
                let place = touch.place(&at, images, self.obstacles(), state.clock.time + step);
                if place.gap < -small {
                    let particles = ids.into_iter().filter(|id| *id < state.len());
                    particles.for_each(|id| glue.free[id] = false);
                    changed = true;
                } else {
                    touch.end = place;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Where a particle arrives: those that move freely have been accelerated all the time.
    pub(super) fn landing(
        &self,
        state: &Suspension,
        id: usize,
        step: f64,
        free: bool,
    ) -> Vector3<f64> {
        self.drive.carry(&state.positions[id], &self.travel(state, id, free), step)
    }

    /// The velocity at which a particle gets there.
    fn travel(&self, state: &Suspension, id: usize, free: bool) -> Vector3<f64> {
        let (before, after) = (&state.velocities[id].linear, &self.stage.velocities[id].linear);
        if free { 0.5 * (before + after) } else { *after }
    }

    /// Moves particles and memory by an accepted step.
    pub(super) fn accept_gluey(
        &mut self,
        state: &mut Suspension,
        step: f64,
        proposed: f64,
        glue: &mut Glue,
    ) {
        glue.remember(state, step);
        let strains = self.strains(step);
        let arrivals: Vec<_> =
            (0..state.len()).map(|id| self.landing(state, id, step, glue.free[id])).collect();
        let moved: Vec<_> =
            (0..state.len()).map(|id| step * self.travel(state, id, glue.free[id])).collect();
        let farthest = farthest(&self.stage.velocities, step) / state.smallest_radius();
        state.rate = self.drive.rate;
        state.clock.go_on(step, strains);
        let aimed = step * (AIM / farthest.max(1e-12)).min(GROWTH);
        let next = if step < proposed { proposed } else { aimed };
        state.clock.next_step = glue.law.step.unwrap_or(next.min(self.longest_step()));
        self.protocol.turn(&mut state.clock);
        let images = state.cell.images(&state.clock);
        for (x, to) in state.positions.iter_mut().zip(arrivals) {
            *x = to;
            images.wrap(x);
        }
        let strain = self.strain(step);
        self.list.moved(moved.iter().copied(), strain);
        glue.list.moved(moved.into_iter(), strain);
        std::mem::swap(&mut state.earlier_velocities, &mut state.velocities);
        state.velocities.clone_from(&self.stage.velocities);
    }
}

impl Glue {
    /// Finds particles that nothing touches.
    pub(super) fn find_free(&mut self, stage: &Stage, inertia: bool) {
        self.free.clear();
        self.free.resize(stage.velocities.len(), inertia);
        for touch in self.touches.iter().filter(|touch| touch.multiplier > 0.0) {
            for id in touch.ids {
                if let Some(free) = self.free.get_mut(id as usize) {
                    *free = false;
                }
            }
        }
    }

    /// Keeps what pairs remember after a step.
    fn remember(&self, state: &mut Suspension, step: f64) {
        let memory = &mut state.memory;
        memory.ids.clear();
        memory.values.clear();
        for touch in &self.touches {
            let values = [touch.gamma_after(step, self.law.least), touch.force(step)];
            if touch.multiplier > 0.0 {
                memory.ids.push(touch.ids);
                memory.values.extend(values);
            }
        }
    }
}
