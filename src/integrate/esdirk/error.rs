//! Whether a trial step with films is good enough: its error, and cut-offs at which films begin or
//! end.

use nalgebra::Vector3;

use super::{Esdirk, STAGES, WEIGHTS};
use crate::integrate::mechanics::Mechanics;
use crate::integrate::pair_view::with_memory;
use crate::integrate::settings::Aim;
use crate::integrate::trial::{StageFailure, Trial};
use crate::state::Suspension;

/// How near to the abrupt cut-off of a film a step has to end, in sums of radii.
const CUTOFF_DISTANCE: f64 = 1e-7;

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

/// The share of a straight way after which it first crosses a sphere about the origin.
fn crossing(from: &Vector3<f64>, way: &Vector3<f64>, radius: f64) -> Option<f64> {
    let (a, b) = (way.norm_squared(), from.dot(way));
    let c = from.norm_squared() - radius * radius;
    let root = (b * b - a * c).max(0.0).sqrt();
    let share = if c > 0.0 { (-b - root) / a } else { (-b + root) / a };
    let meets = b * b >= a * c && share > 0.0 && share < 1.0;
    meets.then_some(share)
}

impl Esdirk {
    /// Differences to the solution of second order, in every number of the memory.
    fn memory_errors(&self, step: f64) -> Vec<f64> {
        let rate = |k: usize| self.stages.each_ref().map(|found| found.memory[k]);
        (0..self.start.memory.len()).map(|k| step * difference(rate(k))).collect()
    }

    /// Differences to the solution of second order, in the displacements of the particles.
    fn displacement_errors(&self, step: f64) -> impl Iterator<Item = f64> + '_ {
        (0..self.stages[0].unknowns.velocities.len()).map(move |k| {
            let rate = |d: usize| self.stages.each_ref().map(|found| found.velocity(k)[d]);
            step * Vector3::from_fn(|d, _| difference(rate(d))).norm()
        })
    }

    /// The scaled error of the trial step: 1 is just tolerable. Relative to the thickness of each
    /// film and, with drag, to the radius for positions; a root mean square where only statistics
    /// matter.
    pub(super) fn error(&self, mechanics: &Mechanics, state: &Suspension, step: f64) -> f64 {
        let Mechanics { stage, drive, laws, settings, .. } = mechanics;
        let (tolerance, radius) = (settings.tolerance, state.smallest_radius());
        let positions = self.displacement_errors(step).map(|e| e / radius);
        if settings.aim == Aim::Statistics {
            let square: f64 = positions.map(|e| e * e).sum();
            return (square / state.len() as f64).sqrt() / tolerance;
        }
        // Without drag or inertia positions have no rates of their own: they follow from the films.
        let worst = if mechanics.medium.drag || mechanics.has_inertia() {
            positions.fold(0.0, f64::max)
        } else {
            0.0
        };
        let errors = self.memory_errors(step);
        let per_pair = errors.chunks_exact(stage.pairs.stride).zip(stage.views(drive));
        let films = per_pair.map(|(errors, view)| {
            let own = with_memory(laws, errors);
            own.map(|(law, own)| law.error(view.pair, own, radius)).fold(0.0, f64::max)
        });
        films.fold(worst, f64::max) / tolerance
    }

    /// A step that ends where a film begins or ends abruptly, if this one goes past such a cut-off:
    /// just inside for a film that begins, just outside for one that ends.
    pub(super) fn past_cutoff(&self, mechanics: &Mechanics) -> Option<Trial> {
        let Mechanics { stage, drive, laws, .. } = mechanics;
        let pairs = stage.views(drive).zip(&self.start.separations);
        let crossings = pairs.flat_map(|(view, from)| {
            laws.iter().filter_map(move |law| {
                let radii = view.pair.radii;
                let cutoff = law.cutoff(radii)?;
                let sum = view.pair.sum();
                let unit = CUTOFF_DISTANCE * sum;
                let begins = from.norm() - sum >= cutoff;
                let close = (view.end_gap - cutoff).abs() <= unit;
                if close && begins == (view.end_gap < cutoff) {
                    return None;
                }
                let aim = sum + if begins { cutoff - 0.5 * unit } else { cutoff + 0.5 * unit };
                let way = view.pair.distance * view.pair.normal - from;
                crossing(from, &way, aim).map(|share| share.clamp(0.02, 0.98))
            })
        });
        let factor = crossings.fold(1.0, f64::min);
        (factor < 1.0).then_some(Trial::Shorter(factor, StageFailure::Cutoff))
    }
}
