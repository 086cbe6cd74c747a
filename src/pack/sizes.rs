//! How many spheres of which radius, and the box that holds them.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::PackError;

/// Keeps the radii independent of the positions drawn from the same seed.
const RADII_STREAM: u64 = 0x7261_6469_6900_0001;

/// One kind of sphere in a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Species {
    /// Mean radius `[a]`.
    pub radius: f64,
    /// Share of the solid volume, relative to the other species `[1]`.
    pub volume_share: f64,
    /// Standard deviation of the log-normal radius over its mean, 0 for equal spheres `[1]`.
    pub spread: f64,
}

impl Species {
    /// $\langle a^3 \rangle = \bar a^3 (1 + s^2)^3$ of the log-normal distribution `[a³]`.
    fn mean_cube(&self) -> f64 {
        (self.radius * (1.0 + self.spread * self.spread)).powi(3)
    }

    /// One radius `[a]`: $\ln a$ is normal with variance $\sigma^2 = \ln(1 + s^2)$ and mean
    /// $\ln \bar a - \sigma^2/2$.
    fn draw(&self, rng: &mut Pcg64) -> f64 {
        if self.spread == 0.0 {
            return self.radius;
        }
        let variance = (self.spread * self.spread).ln_1p();
        self.radius * (variance.sqrt() * standard_normal(rng) - 0.5 * variance).exp()
    }
}

/// A normal deviate of zero mean and unit variance, by Box & Muller's transform.
fn standard_normal(rng: &mut Pcg64) -> f64 {
    let uniform = 1.0 - rng.random::<f64>();
    (-2.0 * uniform.ln()).sqrt() * (TAU * rng.random::<f64>()).cos()
}

/// Radii of `count` spheres, all between two as likely `[a]`.
pub fn even_radii(count: usize, [low, high]: [f64; 2], seed: u64) -> Vec<f64> {
    let mut rng = Pcg64::seed_from_u64(seed ^ RADII_STREAM);
    (0..count).map(|_| low + (high - low) * rng.random::<f64>()).collect()
}

/// Radii of `count` spheres `[a]`, species by species in the order given.
///
/// The number of each species follows from its share of the volume,
/// $N_k \propto w_k / \langle a_k^3 \rangle$, rounded by largest remainder so that the total
/// is exact. With a spread, the volumes drawn fluctuate about the shares.
///
/// # Errors
///
/// When so few spheres leave a species without any.
pub fn draw_radii(count: usize, species: &[Species], seed: u64) -> Result<Vec<f64>, PackError> {
    debug_assert!(species.iter().all(|s| s.radius > 0.0 && s.spread >= 0.0));
    debug_assert!(species.iter().all(|s| s.volume_share >= 0.0));
    let mut rng = Pcg64::seed_from_u64(seed ^ RADII_STREAM);
    let weights = weights(species);
    let numbers = apportion(count, &weights);
    let there = |radius: f64| {
        species.iter().zip(&numbers).any(|(kind, number)| kind.radius == radius && *number > 0)
    };
    let missing = species.iter().zip(&weights);
    let missing = missing.filter(|(kind, _)| kind.volume_share > 0.0 && !there(kind.radius));
    if let Some((kind, weight)) = missing.min_by(|a, b| a.1.total_cmp(b.1)) {
        let needed = (weights.iter().sum::<f64>() / weight).ceil();
        return Err(PackError::ClassWithoutSphere { radius: kind.radius, count, needed });
    }
    let mut radii = Vec::with_capacity(count);
    for (kind, number) in species.iter().zip(numbers) {
        radii.extend((0..number).map(|_| kind.draw(&mut rng)));
    }
    Ok(radii)
}

/// Numbers of spheres of each species, in proportion. Shares and sizes are taken relative to the
/// largest share and the smallest sphere, so that no number is too large to be written.
fn weights(species: &[Species]) -> Vec<f64> {
    let most = species.iter().map(|s| s.volume_share).fold(0.0, f64::max);
    let least = species.iter().map(Species::mean_cube).fold(f64::INFINITY, f64::min);
    species.iter().map(|s| s.volume_share / most * (least / s.mean_cube())).collect()
}

/// Whole numbers in proportion to `weights` that add up to `count`, by largest remainder.
fn apportion(count: usize, weights: &[f64]) -> Vec<usize> {
    let total: f64 = weights.iter().sum();
    debug_assert!(count == 0 || total > 0.0);
    let exact: Vec<f64> = weights.iter().map(|w| count as f64 * w / total).collect();
    let mut numbers: Vec<usize> = exact.iter().map(|x| x.floor() as usize).collect();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    by_remainder.sort_by(|&i, &j| exact[j].fract().total_cmp(&exact[i].fract()));
    let missing = count.saturating_sub(numbers.iter().sum());
    for &k in by_remainder.iter().take(missing) {
        numbers[k] += 1;
    }
    numbers
}

/// Volume of the spheres `[a³]`.
pub(super) fn solid_volume(radii: &[f64]) -> f64 {
    4.0 / 3.0 * PI * radii.iter().map(|a| a.powi(3)).sum::<f64>()
}

/// Box lengths `[a]` in the ratios of `aspect` that give the spheres the volume fraction.
pub fn box_lengths(radii: &[f64], volume_fraction: f64, aspect: [f64; 3]) -> Vector3<f64> {
    debug_assert!(volume_fraction > 0.0 && aspect.iter().all(|&r| r > 0.0));
    let aspect = Vector3::from(aspect);
    aspect * (solid_volume(radii) / (volume_fraction * aspect.product())).cbrt()
}
