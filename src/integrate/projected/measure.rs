//! What is measured in a step with gluey contacts.

use serde::{Deserialize, Serialize};

use super::{Candidate, Projected};
use crate::integrate::Observation;
use crate::integrate::mechanics::Mechanics;
use crate::laws::contact;
use crate::state::{Partner, Suspension, Velocity, Wrench};

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
    /// The largest product of gap and contact force, over the largest force; and of gap and γ, over
    /// the largest γ: whichever is larger `[a]`.
    pub complementarity: f64,
    /// Factorizations.
    pub factorizations: usize,
    /// Steps of Newton's method, and of the interior-point method.
    pub iterations: usize,
}

impl Projected {
    /// Adds what constraints do to what was seen of a step that is about to be accepted.
    pub(super) fn measure(
        &self,
        mechanics: &mut Mechanics,
        state: &Suspension,
        step: f64,
        seen: &mut Observation,
    ) {
        seen.constrained = self.constrained(step);
        seen.contacts.count = seen.constrained.acting;
        seen.contacts.coordination = 2.0 * seen.contacts.count as f64 / state.len() as f64;
        let gaps = self.candidates.iter().map(|candidate| candidate.end.gap);
        seen.gaps.smallest = gaps.fold(state.smallest_radius(), f64::min);
        seen.gaps.thinnest_film = seen.gaps.smallest;
        let bodies = mechanics.obstacles().bodies().len();
        let mut loads = vec![Wrench::default(); bodies];
        for candidate in self.candidates.iter().filter(|c| c.force(step) != 0.0) {
            candidate.add_force(mechanics, (state, step), &mut loads, seen);
        }
        mechanics.stage.pairs.walls.constraint_loads = loads;
    }

    fn constrained(&self, step: f64) -> Constrained {
        let acting = || self.candidates.iter().filter(|c| c.multiplier > 0.0);
        let after = |c: &Candidate| c.gamma_after(step, self.law.least);
        let largest = |of: &dyn Fn(&Candidate) -> f64| acting().map(of).fold(0.0, f64::max);
        let (force, gamma) = (largest(&|c| c.multiplier), largest(&|c| -after(c)));
        let share = |value: f64, all: f64| if all > 0.0 { value / all } else { 0.0 };
        let product = |c: &Candidate| {
            let gap = c.end.gap.abs();
            (share(c.multiplier, force) * gap).max(share(-after(c), gamma) * gap)
        };
        let overlaps = self.candidates.iter().map(|c| -c.end.gap);
        Constrained {
            acting: acting().count(),
            glued: acting().filter(|c| after(c) < 0.0).count(),
            violation: overlaps.fold(0.0, f64::max),
            dual: self.outcome.dual,
            complementarity: largest(&product),
            factorizations: self.outcome.factorizations,
            iterations: self.outcome.iterations,
        }
    }
}

impl Candidate {
    /// Adds the force of a contact to stress, powers and loads on obstacles.
    fn add_force(
        &self,
        mechanics: &Mechanics,
        (state, step): (&Suspension, f64),
        loads: &mut [Wrench],
        seen: &mut Observation,
    ) {
        let (drive, obstacles) = (&mechanics.drive, mechanics.obstacles());
        let velocities = &mechanics.stage.velocities;
        let (normal, tension) = (self.normal, -self.force(step));
        let i = self.ids.first();
        let own = &velocities[i];
        // From centre to centre, or from the centre to the surface.
        let touching = self.radii[0] + if self.ids.is_grounded() { 0.0 } else { self.radii[1] };
        let distance = touching + self.end.gap;
        let (relative, by_flow) = match self.ids.partner() {
            Partner::Particle(j) => {
                let carried = drive.velocity(&(distance * normal));
                (velocities[j].linear - own.linear + carried, carried)
            }
            Partner::Surface(surface) => {
                let x = drive.carry(&state.positions[i], &own.linear, step);
                let at = x + distance * normal;
                let body = obstacles.body_of(surface);
                let end = state.clock.time + step;
                let moved: Velocity = obstacles.motion(surface, &at, end);
                let arm = at - obstacles.bodies()[body].pivot_at(end);
                let force = -tension * normal;
                loads[body].linear += force;
                loads[body].angular += arm.cross(&force);
                let flow = drive.velocity(&x);
                (moved.linear - own.linear - flow, moved.linear - flow)
            }
        };
        seen.power.pairs[contact::ORIGIN.index()] += tension * normal.dot(&relative);
        seen.power.input += tension * normal.dot(&by_flow);
        if let Some(volume) = state.cell.volume() {
            seen.stress.add(contact::ORIGIN, &(tension * normal), &(distance * normal), volume);
        }
    }
}
