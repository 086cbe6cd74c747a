//! Noise with known statistics, for the tests.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A generator that gives the same numbers on every machine.
pub fn generator(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

/// A standard normal number (Box and Muller).
pub fn normal(random: &mut Pcg64) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.random::<f64>()).cos()
}

/// A stationary Gaussian process of zero mean and unit variance at the given instants, with
/// correlation `exp(-|t|/tau)`: AR(1) when the instants are even, Ornstein–Uhlenbeck when not.
pub fn correlated(at: &[f64], tau: f64, random: &mut Pcg64) -> Vec<f64> {
    let mut value = normal(random);
    let mut last = at.first().copied().unwrap_or(0.0);
    let mut next = |&t: &f64| {
        let decay = (-(t - last) / tau).exp();
        last = t;
        value = decay * value + (1.0 - decay * decay).sqrt() * normal(random);
        value
    };
    at.iter().map(&mut next).collect()
}

/// `count` even instants `step`, `2 step`, ….
pub fn even(count: usize, step: f64) -> Vec<f64> {
    (1..=count).map(|k| step * k as f64).collect()
}

/// `count` instants whose intervals vary by a factor of ten around `step`.
pub fn uneven(count: usize, step: f64, random: &mut Pcg64) -> Vec<f64> {
    let mut t = 0.0;
    let mut next = || {
        t += step * (0.2 + 1.8 * random.random::<f64>());
        t
    };
    (0..count).map(|_| next()).collect()
}
