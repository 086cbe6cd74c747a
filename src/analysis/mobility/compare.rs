//! Velocities of another program against those at which forces balance.

use nalgebra::Vector3;
use serde::Serialize;

use crate::cell::Cell;
use crate::drive::{Drive, Flow};
use crate::error::Error;
use crate::record::keys::described;
use crate::record::{Configuration, Format};
use crate::state::Suspension;

/// How near the mean spin of a file of LAMMPS must be to that of its pair styles, relative to it.
const LAMMPS_SPIN: f64 = 0.1;

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
        /// The difference without the mean that half of the particles stay below, over `scale`
        /// `[1]`.
        pub median: f64,
        /// The same for 90 % of the particles `[1]`.
        pub q90: f64,
        /// The same for 99 % of the particles `[1]`.
        pub q99: f64,
        /// The largest difference without the mean, over `scale` `[1]`.
        pub largest_without_mean: f64,
        /// How fast the velocities of the file grow with those found, by least squares; inertia
        /// changes it, and so do laws that are not those of the file `[1]`.
        pub slope: f64,
    }

    /// How far the velocities of a snapshot are from those at which forces balance with the law of
    /// the case, and these from those of the default law.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Comparison {
        /// Velocities of the file less the flow, against those found `[L/t]`.
        pub velocity: Option<Difference>,
        /// Spins of the file less that of the flow, against those found `[1/t]`.
        pub spin: Option<Difference>,
        /// Velocities with the default law of this program against those with the law of the case;
        /// none if that is the default `[L/t]`.
        pub law_velocity: Option<Difference>,
        /// The same for spins `[1/t]`.
        pub law_spin: Option<Difference>,
        /// What rounding of centres and velocities in the file makes of the differences of
        /// velocities, at most about, and at least what the balance leaves, 1e-8; none if nothing
        /// is known of the digits `[1]`.
        pub noise: Option<f64>,
        /// Taken off the spins of the file along z: what the pair styles of LAMMPS add to them
        /// `[1/t]`.
        pub lammps_spin: Option<f64>,
        /// The shear rate of the velocities in the file: the slope of v_x in y `[1/t]`.
        pub file_rate: Option<f64>,
        /// The velocities of the file less the flow `[L/t]`.
        #[serde(skip)]
        pub velocities: Option<Vec<Vector3<f64>>>,
        /// The spins of the file less that of the flow `[1/t]`.
        #[serde(skip)]
        pub spins: Option<Vec<Vector3<f64>>>,
        /// The velocities with the default law less the flow `[L/t]`.
        #[serde(skip)]
        pub law_velocities: Option<Vec<Vector3<f64>>>,
        /// Why there is no balance with the default law, if there is none.
        pub law_failed: Option<String>,
    }
}

impl Comparison {
    /// Of a file, or why there is none. The flow is taken where the file says that particles are:
    /// those that left the box carry the velocity of where they are.
    pub(super) fn of(
        read: &Configuration,
        state: &Suspension,
        drive: &Drive,
    ) -> Result<Self, String> {
        not_of_instant(read)?;
        let corner = if state.cell == Cell::Open { [0.0; 3] } else { read.origin };
        let still = Vector3::from(read.still.unwrap_or(corner));
        let velocities = read.velocities.as_ref().map(|velocities| {
            let relative = velocities.iter().zip(&read.positions);
            relative.map(|(v, x)| v - drive.velocity(&(x - still))).collect::<Vec<_>>()
        });
        if let Some(velocities) = &velocities {
            before_first_step(read, velocities)?;
        }
        let mut spins = read
            .spins
            .as_ref()
            .map(|spins| spins.iter().map(|spin| spin - drive.rotation()).collect::<Vec<_>>());
        let [linear, angular] = parts(state);
        let lammps_spin = spins.as_ref().and_then(|spins| excess(read, drive, spins, &angular));
        if let (Some(excess), Some(spins)) = (lammps_spin, &mut spins) {
            spins.iter_mut().for_each(|spin| spin.z -= excess);
        }
        let sheared = matches!(drive.flow, Flow::Shear { .. });
        Ok(Comparison {
            velocity: velocities.as_ref().map(|theirs| Difference::of(theirs, &linear)),
            spin: spins.as_ref().map(|theirs| Difference::of(theirs, &angular)),
            lammps_spin,
            file_rate: read.velocities.as_ref().filter(|_| sheared).and_then(|v| slope(read, v)),
            velocities,
            spins,
            ..Comparison::default()
        })
    }

    /// Adds what the default law gives.
    pub(super) fn add_law(&mut self, state: &Suspension, own: Result<Suspension, Error>) {
        match own {
            Ok(own) => {
                let ([linear, angular], [own_linear, own_angular]) = (parts(state), parts(&own));
                if linear == own_linear && angular == own_angular {
                    return;
                }
                self.law_velocity = Some(Difference::of(&own_linear, &linear));
                self.law_spin = Some(Difference::of(&own_angular, &angular));
                self.law_velocities = Some(own_linear);
            }
            Err(error) => self.law_failed = Some(error.to_string()),
        }
    }
}

/// Velocities and spins relative to the flow.
pub(super) fn parts(state: &Suspension) -> [Vec<Vector3<f64>>; 2] {
    [
        state.velocities.iter().map(|m| m.linear).collect(),
        state.velocities.iter().map(|m| m.angular).collect(),
    ]
}

/// Whether the file has velocities of the instant that it shows; else why not.
fn not_of_instant(read: &Configuration) -> Result<(), String> {
    if read.velocities.is_none() && read.spins.is_none() {
        return Err("the file has no velocities".to_owned());
    }
    if read.moment.averaged {
        return Err("its velocities are means over a step, not those of this instant".to_owned());
    }
    let vectors = [&read.velocities, &read.spins];
    let mut vectors = vectors.into_iter().flatten().flatten();
    if vectors.all(|vector| *vector == Vector3::zeros()) {
        return Err("all velocities of the file are zero: it was written before the first step, \
                    or by a program that does not tell them"
            .to_owned());
    }
    Ok(())
}

/// Whether particles move relative to the flow; at the beginning they may not do so yet.
fn before_first_step(read: &Configuration, relative: &[Vector3<f64>]) -> Result<(), String> {
    let begins = read.moment.strain == Some(0.0) || read.moment.step == Some(0);
    let size = |vectors: &[Vector3<f64>]| vectors.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let flow = size(read.velocities.as_deref().unwrap_or_default());
    if begins && size(relative) <= 1e-9 * flow {
        return Err("it was written before the first step: all particles move with the flow".into());
    }
    Ok(())
}

/// What LAMMPS's pair styles `lubricate` and `lubricate/poly` add to the mean spin, if the file is
/// of LAMMPS and its mean spin is theirs: they take half of the rate at which the box is sheared,
/// γ̇L_y, where half of the shear rate is meant.
fn excess(
    read: &Configuration,
    drive: &Drive,
    spins: &[Vector3<f64>],
    found: &[Vector3<f64>],
) -> Option<f64> {
    let lammps = matches!(read.format, Format::LammpsDump | Format::LammpsData);
    let height = read.lattice.filter(|_| lammps)?[1][1];
    let expected = drive.rotation().z * (height - 1.0);
    let count = spins.len() as f64;
    let mean = spins.iter().zip(found).map(|(theirs, ours)| theirs.z - ours.z).sum::<f64>() / count;
    let near = (mean - expected).abs() < LAMMPS_SPIN * expected.abs();
    (near && expected != 0.0).then_some(expected)
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
        let mut sizes: Vec<f64> = scattered.iter().map(|d| d.norm() / scale).collect();
        sizes.sort_by(f64::total_cmp);
        let below = |share: f64| {
            let place = (share * sizes.len() as f64).ceil() as usize;
            sizes.get(place.saturating_sub(1)).copied().unwrap_or_default()
        };
        Difference {
            scale,
            rms: rms(&apart) / scale,
            largest: most / scale,
            worst,
            mean: mean.into(),
            rms_without_mean: rms(&scattered) / scale,
            median: below(0.5),
            q90: below(0.9),
            q99: below(0.99),
            largest_without_mean: below(1.0),
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

    #[test]
    fn quantiles_do_not_see_a_few_particles_that_are_far_off() {
        let ours = vec![Vector3::new(0.0, 0.0, 2.0); 200];
        let mut theirs = ours.clone();
        for (k, v) in theirs.iter_mut().enumerate() {
            v.x += if k % 2 == 0 { 0.02 } else { -0.02 };
        }
        (theirs[0].y, theirs[1].y) = (1.0, -1.0);
        let apart = Difference::of(&theirs, &ours);
        for quantile in [apart.median, apart.q90, apart.q99] {
            assert!((quantile - 0.01).abs() < 1e-12, "{apart:?}");
        }
        assert!(apart.rms > 0.05 && apart.largest_without_mean > 0.5, "{apart:?}");
    }
}
