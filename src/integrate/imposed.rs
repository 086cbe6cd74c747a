//! What is imposed in a step, and how long it may be for that.

use super::goal::StressGoal;
use super::{End, Stepper};
use crate::state::Suspension;
use crate::stress::Stress;

impl Stepper {
    /// Imposes what is due in a step.
    pub(super) fn impose(&mut self, state: &Suspension, step: f64) {
        self.protocol.impose(&mut self.drive, &state.clock, step);
        self.guess_rate(state);
        self.stage.unit_strain_rate = self.drive.flow.strain_rate();
        self.stage.unit_rotation = self.drive.flow.rotation();
        self.stage.stress = self.stress_goal(state);
    }

    /// The time that is left until the end, or until something else is imposed `[t]`.
    pub(super) fn left(&self, state: &Suspension, end: End, step: f64) -> f64 {
        let clock = &state.clock;
        let to_end = end.left(clock, self.drive.rate_along(step)).min(self.until_loaded(state));
        to_end.min(self.protocol.left(&self.drive, clock))
    }

    /// The longest step at what is imposed now `[t]`.
    pub(super) fn longest_step(&self) -> f64 {
        let settings = &self.settings;
        let rate = self.drive.rate.abs();
        let by_strain = match self.drive.stress {
            None if rate > 0.0 && settings.max_strain > 0.0 => settings.max_strain / rate,
            _ => settings.max_step,
        };
        by_strain.min(self.protocol.longest_step())
    }

    /// The first step `[t]`.
    pub(super) fn first_step(&self) -> f64 {
        self.settings.first_step.min(self.protocol.longest_step())
    }

    /// The time until the external forces act in full, or turn round, where steps must end; infinite
    /// after that.
    pub(super) fn until_loaded(&self, state: &Suspension) -> f64 {
        let until = |moment: f64| {
            let left = moment - state.clock.time;
            if left > 1e-12 * moment { left } else { f64::INFINITY }
        };
        self.drive.reversal.map_or(f64::INFINITY, until).min(until(self.drive.ramp))
    }

    /// What the forces in the box must amount to when the stress is imposed.
    pub(super) fn stress_goal(&self, state: &Suspension) -> Option<StressGoal> {
        let (stress, volume) = (self.drive.stress?, state.cell.volume()?);
        let unit = self.drive.flow.strain_rate();
        let flow = Stress::of_flow(self.medium.viscosity, &unit, &state.radii, volume);
        let fluid = volume * crate::stress::shear(&flow.total());
        // What moving particles carry is that of the step before.
        let kinetic = crate::stress::shear(&self.stage.momentum.flux(&state.velocities));
        Some(StressGoal { moment: stress * volume - kinetic, fluid })
    }

    /// At imposed stress, begins with the rate of the last step, or that of a tenfold viscosity.
    pub(super) fn guess_rate(&mut self, state: &Suspension) {
        if let Some(stress) = self.drive.stress {
            let first = 0.1 * stress / self.medium.viscosity;
            let known = state.clock.last_steps[0] > 0.0;
            self.drive.rate = if known { state.rate } else { first };
        }
    }
}
