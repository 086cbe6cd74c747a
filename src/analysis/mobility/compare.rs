//! Velocities of another program against those at which forces balance.

use nalgebra::Vector3;
use serde::Serialize;

use crate::cell::Cell;
use crate::drive::{Drive, Flow};
use crate::record::Configuration;
use crate::record::keys::described;
use crate::state::Suspension;

described! {
    /// Differences of velocities, relative to the root mean square of those at which forces
    /// balance.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct Difference {
        /// Root mean square of the velocities at which forces balance, relative to the flow.
        pub scale: f64,
        /// Root mean square of the differences, over `scale` `[1]`.
        pub rms: f64,
        /// The largest difference, over `scale` `[1]`.
        pub largest: f64,
        /// The place of the particle that has it, counted from 0.
        pub worst: usize,
        /// The mean difference: a drift of all particles, or another origin of the flow.
        pub mean: [f64; 3],
        /// Root mean square of the differences without the mean, over `scale` `[1]`.
        pub rms_without_mean: f64,
        /// The largest difference without the mean, over `scale` `[1]`.
        pub largest_without_mean: f64,
        /// How fast the velocities of the file grow with those found, by least squares; inertia
        /// changes it, and so do laws that are not those of the file `[1]`.
        pub slope: f64,
    }

    /// How far the velocities of a snapshot are from those at which forces balance.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Comparison {
        /// Velocities relative to the flow `[a/t]`.
        pub velocity: Option<Difference>,
        /// Spins relative to that of the flow `[1/t]`.
        pub spin: Option<Difference>,
        /// The shear rate of the velocities in the file: the slope of v_x in y `[1/t]`.
        pub file_rate: Option<f64>,
        /// The velocities of the file less the flow `[a/t]`.
        #[serde(skip)]
        pub velocities: Option<Vec<Vector3<f64>>>,
        /// The spins of the file less that of the flow `[1/t]`.
        #[serde(skip)]
        pub spins: Option<Vec<Vector3<f64>>>,
    }
}

impl Comparison {
    /// Of a file, if it has velocities or spins. The flow is taken where the file says that
    /// particles are: those that left the box carry the velocity of where they are.
    pub(super) fn of(read: &Configuration, state: &Suspension, drive: &Drive) -> Option<Self> {
        if read.velocities.is_none() && read.spins.is_none() {
            return None;
        }
        let corner = if state.cell == Cell::Open { [0.0; 3] } else { read.origin };
        let still = Vector3::from(read.still.unwrap_or(corner));
        let velocities = read.velocities.as_ref().map(|velocities| {
            let relative = velocities.iter().zip(&read.positions);
            relative.map(|(v, x)| v - drive.velocity(&(x - still))).collect::<Vec<_>>()
        });
        let spins = read
            .spins
            .as_ref()
            .map(|spins| spins.iter().map(|spin| spin - drive.rotation()).collect::<Vec<_>>());
        let linear: Vec<_> = state.velocities.iter().map(|m| m.linear).collect();
        let angular: Vec<_> = state.velocities.iter().map(|m| m.angular).collect();
        let sheared = matches!(drive.flow, Flow::Shear { .. });
        Some(Comparison {
            velocity: velocities.as_ref().map(|theirs| Difference::of(theirs, &linear)),
            spin: spins.as_ref().map(|theirs| Difference::of(theirs, &angular)),
            file_rate: read.velocities.as_ref().filter(|_| sheared).and_then(|v| slope(read, v)),
            velocities,
            spins,
        })
    }
}

impl Difference {
    /// Of two sets of vectors, the second being the measure.
    pub fn of(theirs: &[Vector3<f64>], ours: &[Vector3<f64>]) -> Self {
        let count = ours.len() as f64;
        let rms = |vectors: &[Vector3<f64>]| {
            (vectors.iter().map(Vector3::norm_squared).sum::<f64>() / count).sqrt()
        };
        let largest = |vectors: &[Vector3<f64>]| {
            let norms = vectors.iter().map(Vector3::norm).enumerate();
            norms.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
        };
        let scale = rms(ours).max(f64::MIN_POSITIVE);
        let apart: Vec<_> = theirs.iter().zip(ours).map(|(t, o)| t - o).collect();
        let mean = apart.iter().sum::<Vector3<f64>>() / count;
        let scattered: Vec<_> = apart.iter().map(|d| d - mean).collect();
        let (worst, most) = largest(&apart);
        Difference {
            scale,
            rms: rms(&apart) / scale,
            largest: most / scale,
            worst,
            mean: mean.into(),
            rms_without_mean: rms(&scattered) / scale,
            largest_without_mean: largest(&scattered).1 / scale,
            slope: regression(theirs, ours),
        }
    }
}

/// The slope of the components of some vectors in those of others, by least squares, without the
/// means.
fn regression(theirs: &[Vector3<f64>], ours: &[Vector3<f64>]) -> f64 {
    let mean =
        |vectors: &[Vector3<f64>]| vectors.iter().sum::<Vector3<f64>>() / vectors.len() as f64;
    let (their, our) = (mean(theirs), mean(ours));
    let (mut square, mut product) = (0.0, 0.0);
    for (t, o) in theirs.iter().zip(ours) {
        square += (o - our).norm_squared();
        product += (t - their).dot(&(o - our));
    }
    product / square.max(f64::MIN_POSITIVE)
}

/// The slope of the velocities along x in y, by least squares.
fn slope(read: &Configuration, velocities: &[Vector3<f64>]) -> Option<f64> {
    let count = read.len() as f64;
    let height = read.positions.iter().map(|x| x.y).sum::<f64>() / count;
    let (mut square, mut product) = (0.0, 0.0);
    for (x, v) in read.positions.iter().zip(velocities) {
        square += (x.y - height).powi(2);
        product += (x.y - height) * v.x;
    }
    (square > 0.0).then(|| product / square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drift_is_told_from_scatter() {
        let ours = [Vector3::new(3.0, 0.0, 0.0), Vector3::new(0.0, 4.0, 0.0)];
        let drift = Vector3::new(0.5, 0.0, 0.0);
        let theirs = ours.map(|v| v + drift);
        let apart = Difference::of(&theirs, &ours);
        let scale = 12.5f64.sqrt();
        assert!((apart.scale - scale).abs() < 1e-15);
        assert!((apart.rms - 0.5 / scale).abs() < 1e-15);
        assert!((apart.largest - 0.5 / scale).abs() < 1e-15);
        assert_eq!(apart.mean, [0.5, 0.0, 0.0]);
        assert_eq!((apart.rms_without_mean, apart.largest_without_mean), (0.0, 0.0));
        assert!((apart.slope - 1.0).abs() < 1e-15);
        let held = Difference::of(&ours.map(|v| 0.8 * v + drift), &ours);
        assert!((held.slope - 0.8).abs() < 1e-15);
        let other = [ours[0], ours[1] + Vector3::new(0.0, 0.0, 2.0)];
        let apart = Difference::of(&other, &ours);
        assert_eq!(apart.worst, 1);
        assert!((apart.largest_without_mean - 1.0 / scale).abs() < 1e-15);
    }
}
