//! What the digits of a file leave of a comparison.
//!
//! Centres are moved at random within their last digit, and forces are balanced again: in close
//! pairs that changes gaps, and with them films and contacts. Velocities have digits of their own.

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::compare::{Comparison, parts};
use super::{Snapshot, velocities};
use crate::case::Case;
use crate::record::Configuration;
use crate::state::Suspension;

/// With so many digits nothing is lost.
const ALL_DIGITS: usize = 15;

/// How well forces balance in velocities `[1]`.
const BALANCED: f64 = 1e-8;

/// Noise of the differences of velocities, relative to the root mean square of those found and at
/// least what the solver leaves; none if nothing is known of the digits, or forces do not balance
/// in the moved configuration.
pub(super) fn of(
    case: &Case,
    snapshot: &Snapshot,
    state: &Suspension,
    comparison: &Comparison,
) -> Option<f64> {
    let scale = comparison.velocity?.scale;
    let precision = snapshot.read.precision?;
    let moved = if precision.digits >= ALL_DIGITS {
        0.0
    } else {
        let read = shaken(snapshot.read, precision.resolution);
        let other = velocities(case, &Snapshot { read: &read, ..*snapshot }).ok()?;
        let ([ours, _], [theirs, _]) = (parts(state), parts(&other));
        let square: f64 = ours.iter().zip(&theirs).map(|(a, b)| (a - b).norm_squared()).sum();
        (square / ours.len() as f64).sqrt() / scale
    };
    Some(moved.hypot(rounding(snapshot.read) / scale).max(BALANCED))
}

/// The same particles, each moved by up to half of the last digit along every axis.
fn shaken(read: &Configuration, digit: f64) -> Configuration {
    let mut random = Pcg64::seed_from_u64(1);
    let mut shaken = read.clone();
    for x in &mut shaken.positions {
        *x += digit * Vector3::from_fn(|_, _| random.random::<f64>() - 0.5);
    }
    shaken
}

/// Root mean square of what rounding takes off velocities: a step of the last digit over √12.
fn rounding(read: &Configuration) -> f64 {
    let (Some(velocities), Some(digits)) = (&read.velocities, read.velocity_digits) else {
        return 0.0;
    };
    let last = |x: f64| 10f64.powi(x.abs().log10().floor() as i32 + 1 - digits as i32);
    let steps = velocities.iter().flat_map(|v| v.iter().copied()).filter(|x| *x != 0.0).map(last);
    let square: f64 = steps.map(|step| step * step / 12.0).sum();
    (square / velocities.len() as f64).sqrt()
}
