//! Whether a trial step with films is good enough: its error, and edges at which films begin or end.

use nalgebra::Vector3;

use super::control::Aim;
use super::films::{Films, STAGES, WEIGHTS};
use super::goal::StageFailure;
use super::sight::with_memory;
use super::{Stepper, Trial};
use crate::state::Suspension;

/// How near to an abrupt edge of a film a step has to end, in sums of radii.
const EDGE: f64 = 1e-7;

/// Weights of the solution of second order, with which the one of third order is compared.
const EMBEDDED: [f64; STAGES] = [
    2756255671327.0 / 12835298489170.0,
    -10771552573575.0 / 22201958757719.0,
    9247589265047.0 / 10645013368117.0,
    2193209047091.0 / 5459859503100.0,
];

/// The difference of the two solutions.
fn difference(rates: [f64; STAGES]) -> f64 {
    let weights = EMBEDDED.iter().zip(&WEIGHTS[STAGES - 1]);
    weights.zip(rates).map(|((e, w), rate)| (e - w) * rate).sum()
}

impl Films {
    /// Differences to the solution of second order, in every number of the memory.
    fn memory_errors(&self, step: f64) -> Vec<f64> {
        let rate = |k: usize| self.stages.each_ref().map(|found| found.memory[k]);
        (0..self.memory.len()).map(|k| step * difference(rate(k))).collect()
    }

    /// Differences to the solution of second order, in the displacements of the particles.
    fn displacement_errors(&self, step: f64) -> impl Iterator<Item = f64> + '_ {
        (0..self.stages[0].velocities.len()).map(move |k| {
            let rate = |d: usize| self.stages.each_ref().map(|f| f.velocities[k].linear[d]);
            step * Vector3::from_fn(|d, _| difference(rate(d))).norm()
        })
    }
}

/// The share of a straight way after which it first crosses a sphere about the origin.
fn crossing(from: &Vector3<f64>, way: &Vector3<f64>, radius: f64) -> Option<f64> {
    let (a, b) = (way.norm_squared(), from.dot(way));
    let c = from.norm_squared() - radius * radius;
    let root = (b * b - a * c).max(0.0).sqrt();
    let share = if c > 0.0 { (-b - root) / a } else { (-b + root) / a };
    let meets = b * b >= a * c && share > 0.0 && share < 1.0;
    meets.then_some(share)
}

impl Stepper {
    /// The scaled error of the trial step: 1 is just tolerable. Relative to the thickness of each
    /// film and, with drag, to the radius for positions; a root mean square where only statistics
    /// matter.
    pub(super) fn film_error(&self, state: &Suspension, step: f64) -> f64 {
        let (films, tolerance) = (&self.films, self.settings.tolerance);
        let radius = state.smallest_radius();
        let positions = films.displacement_errors(step).map(|e| e / radius);
        if self.settings.aim == Aim::Statistics {
            let square: f64 = positions.map(|e| e * e).sum();
            return (square / state.len() as f64).sqrt() / tolerance;
        }
        // Without drag or inertia positions have no rates of their own: they follow from the films.
        let worst = if self.medium.drag || self.has_inertia() {
            positions.fold(0.0, f64::max)
        } else {
            0.0
        };
        let errors = films.memory_errors(step);
        let per_pair = errors.chunks_exact(self.stage.stride).zip(self.stage.seen(&self.drive));
        let films = per_pair.map(|(errors, seen)| {
            let own = with_memory(&self.laws, errors);
            own.map(|(law, own)| law.error(seen.pair, own, radius)).fold(0.0, f64::max)
        });
        films.fold(worst, f64::max) / tolerance
    }

    /// A step that ends where a film begins or ends abruptly, if this one goes past such an edge:
    /// just inside for a film that begins, just outside for one that ends.
    pub(super) fn past_edge(&self) -> Option<Trial> {
        let pairs = self.stage.seen(&self.drive).zip(&self.films.separations);
        let crossings = pairs.flat_map(|(seen, from)| {
            self.laws.iter().filter_map(move |law| {
                let radii = seen.pair.radii;
                let edge = law.cutoff(radii)?;
                let sum = radii[0] + radii[1];
                let unit = EDGE * sum;
                let begins = from.norm() - sum >= edge;
                let close = (seen.end_gap - edge).abs() <= unit;
                if close && begins == (seen.end_gap < edge) {
                    return None;
                }
                let aim = sum + if begins { edge - 0.5 * unit } else { edge + 0.5 * unit };
                let way = seen.pair.distance * seen.pair.normal - from;
                crossing(from, &way, aim).map(|share| share.clamp(0.02, 0.98))
            })
        });
        let factor = crossings.fold(1.0, f64::min);
        (factor < 1.0).then_some(Trial::Shorter { factor, reason: StageFailure::Edge })
    }
}
