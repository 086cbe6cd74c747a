//! Whether a trial step is good enough.

use nalgebra::Vector3;

use super::control::Aim;
use super::goal::StageFailure;
use super::{APPROACH, End, Stepper, Trial};
use crate::error::Error;
use crate::state::{Suspension, Velocity};

impl Stepper {
    /// A shorter step, if this one moves particles or the flow too far.
    pub(super) fn too_far(&self, state: &Suspension, step: f64, end: End) -> Option<Trial> {
        // A load that acts at once makes soft spheres jump, however short the first step is.
        if state.clock.steps == 0 && !self.medium.drag && !self.has_inertia() {
            return None;
        }
        let displaced = (0..state.len()).map(|k| self.displacement(k, step).norm());
        let farthest = displaced.fold(0.0, f64::max);
        let allowed = 0.5 * APPROACH * state.smallest_radius();
        if farthest > allowed {
            let factor = (0.9 * allowed / farthest).max(0.2);
            return Some(Trial::Shorter { factor, reason: StageFailure::TooFar });
        }
        if let Some(shorter) = self.too_fast(state, step) {
            return Some(shorter);
        }
        let strain = self.strain(step);
        if strain > 1.001 * self.settings.max_strain {
            let factor = (0.9 * self.settings.max_strain / strain).max(0.2);
            return Some(Trial::Shorter { factor, reason: StageFailure::TooFar });
        }
        let last = end.strain.min(self.protocol.next_path(&state.clock));
        let beyond = state.clock.path + strain - last;
        if self.drive.stress.is_some() && beyond > 1e-9 * last {
            let factor = (1.0 - beyond / strain).clamp(0.01, 0.99);
            return Some(Trial::Shorter { factor, reason: StageFailure::TooFar });
        }
        None
    }

    /// Where a particle arrives that was at `from`, before it is brought back into the box `[a]`.
    pub(super) fn arrival(&self, particle: usize, from: &Vector3<f64>, step: f64) -> Vector3<f64> {
        match self.has_films() {
            true => self.films.arrival(particle, *from, step),
            false => self.drive.carry(from, &self.stage.velocities[particle].linear, step),
        }
    }

    /// The scaled error of the trial step: 1 is just tolerable.
    pub(super) fn error(&self, state: &Suspension, predicted: &[Velocity], step: f64) -> f64 {
        let found = &self.stage.velocities;
        let radius = state.smallest_radius();
        let unit = self.settings.tolerance * radius;
        match self.settings.aim {
            Aim::Statistics => {
                let square: f64 = found
                    .iter()
                    .zip(predicted)
                    .map(|(m, p)| (m.linear - p.linear).norm_squared())
                    .sum();
                0.5 * step * (square / found.len() as f64).sqrt() / unit
            }
            Aim::Trajectory => {
                let free = found
                    .iter()
                    .zip(predicted)
                    .map(|(m, p)| (m.linear - p.linear).norm() * step / unit)
                    .fold(0.0, f64::max);
                // What obstacles do is known.
                let surprise = |k: usize| match found.get(k) {
                    Some(found) => found.linear - predicted[k].linear,
                    None => Vector3::zeros(),
                };
                self.stage
                    .seen(&self.drive)
                    .map(|s| {
                        let [i, j] = s.ids.map(|k| k as usize);
                        let wrong = s.pair.normal.dot(&(surprise(j) - surprise(i))).abs() * step;
                        let gap = s.pair.gap.abs().clamp(1e-6 * radius, radius);
                        wrong / (gap * self.settings.tolerance)
                    })
                    .fold(free, f64::max)
            }
        }
    }

    /// Says why steps have become too short.
    pub(super) fn give_up(&self, state: &Suspension, step: f64, reason: StageFailure) -> Error {
        let closest = self.stage.pairs.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
        Error::StepTooSmall {
            step: state.clock.steps,
            strain: state.clock.strain,
            time: state.clock.time,
            size: step,
            pair: closest.map(|p| (p.ids, p.gap)),
            reason: reason.to_string(),
            remedy: match self.has_films() && !self.medium.drag {
                true => {
                    "Without drag forces and torques on every group of particles that feel each \
                     other must balance; otherwise a ramp of the load or another tolerance may help"
                }
                false => self.laws.remedy(),
            },
        }
    }
}
