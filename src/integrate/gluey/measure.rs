//! What is measured in a step with gluey contacts.

use serde::{Deserialize, Serialize};

use super::{Glue, Touch};
use crate::integrate::goal::Effort;
use crate::integrate::{Observation, Stepper};
use crate::laws::contact;
use crate::state::{Suspension, Velocity, Wrench};

/// How well the constraints of a step were met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constrained {
    /// Pairs that were held apart.
    pub acting: usize,
    /// Pairs that are glued.
    pub glued: usize,
    /// Largest overlap `[a]`.
    pub violation: f64,
    /// What is left of the forces, over all forces.
    pub dual: f64,
    /// The largest product of gap and contact force, over the largest force; and of gap and γ, over the largest γ: whichever
    /// is larger `[a]`.
    pub complementarity: f64,
    /// Factorizations.
    pub factorizations: usize,
    /// Steps of Newton's method, and of the interior-point method.
    pub iterations: usize,
}

impl Stepper {
    /// What is seen of a step that is about to be accepted.
    pub(super) fn measure_gluey(
        &mut self,
        state: &Suspension,
        step: f64,
        effort: Effort,
        glue: &mut Glue,
    ) -> Observation {
        let mut seen = self.measure(state, step, effort);
        glue.seen = glue.constrained(step);
        seen.constrained = glue.seen;
        seen.contacts = glue.seen.acting;
        seen.coordination = 2.0 * seen.contacts as f64 / state.len() as f64;
        let gaps = glue.touches.iter().map(|touch| touch.end.gap);
        seen.smallest_gap = gaps.fold(state.smallest_radius(), f64::min);
        seen.thinnest_film = seen.smallest_gap;
        self.loads.clear();
        self.loads.resize(self.obstacles().bodies().len(), Wrench::default());
        for touch in glue.touches.iter().filter(|touch| touch.force(step) != 0.0) {
            self.add_touch(state, step, touch, &mut seen);
        }
        seen
    }

    /// Adds the force of a contact to stress, powers and loads.
    fn add_touch(&mut self, state: &Suspension, step: f64, touch: &Touch, seen: &mut Observation) {
        let (normal, tension) = (touch.normal, -touch.force(step));
        let [i, j] = touch.ids.map(|id| id as usize);
        let own = &self.stage.velocities[i];
        let distance = touch.radii[0] + touch.radii[1] + touch.end.gap;
        let (relative, by_flow) = match touch.surface {
            None => {
                let carried = self.drive.velocity(&(distance * normal));
                (self.stage.velocities[j].linear - own.linear + carried, carried)
            }
            Some(surface) => {
                let x = self.drive.carry(&state.positions[i], &own.linear, step);
                let at = x + distance * normal;
                let body = self.obstacles().body_of(surface as usize);
                let moved: Velocity =
                    self.obstacles().motion(surface as usize, &at, state.clock.time + step);
                let arm = at - self.obstacles().bodies()[body].pivot_at(state.clock.time + step);
                let force = -tension * normal;
                self.loads[body].linear += force;
                self.loads[body].angular += arm.cross(&force);
                let flow = self.drive.velocity(&x);
                (moved.linear - own.linear - flow, moved.linear - flow)
            }
        };
        seen.power_pairs[contact::ORIGIN.index()] += tension * normal.dot(&relative);
        seen.power_in += tension * normal.dot(&by_flow);
        if let Some(volume) = state.cell.volume() {
            seen.stress.add(contact::ORIGIN, &(tension * normal), &(distance * normal), volume);
        }
    }
}

impl Glue {
    fn constrained(&self, step: f64) -> Constrained {
        let acting = || self.touches.iter().filter(|touch| touch.multiplier > 0.0);
        let after = |touch: &Touch| touch.gamma_after(step, self.law.least);
        let largest = |of: &dyn Fn(&Touch) -> f64| acting().map(of).fold(0.0, f64::max);
        let (force, gamma) = (largest(&|t| t.multiplier), largest(&|t| -after(t)));
        let share = |value: f64, all: f64| if all > 0.0 { value / all } else { 0.0 };
        let product = |t: &Touch| {
            let gap = t.end.gap.abs();
            (share(t.multiplier, force) * gap).max(share(-after(t), gamma) * gap)
        };
        let overlaps = self.touches.iter().map(|touch| -touch.end.gap);
        Constrained {
            acting: acting().count(),
            glued: acting().filter(|touch| after(touch) < 0.0).count(),
            violation: overlaps.fold(0.0, f64::max),
            dual: self.done.dual,
            complementarity: largest(&product),
            factorizations: self.done.factorizations,
            iterations: self.done.iterations,
        }
    }
}
