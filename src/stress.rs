//! The stress tensor by origin (\[GB20\] eqs. 8–10) and what is measured along with it.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use crate::laws::Origin;

/// Stress tensors by origin, tension positive `[μγ̇]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stress {
    /// \\(2\mu\mathsf E^\infty\\).
    pub solvent: Matrix3<f64>,
    /// The stresslets of single spheres, \\(\frac{20\pi}{3}\mu a^3\mathsf E^\infty\\) each.
    pub einstein: Matrix3<f64>,
    /// Momentum that particles with inertia carry relative to the flow, \\(-\sum m\mathbf u\mathbf
    /// u/V\\).
    pub kinetic: Matrix3<f64>,
    /// Pair forces, by [`Origin::index`].
    pub pairs: [Matrix3<f64>; Origin::COUNT],
}

impl Stress {
    /// The stress of the fluid and of isolated spheres.
    pub fn of_flow(viscosity: f64, strain_rate: &Matrix3<f64>, radii: &[f64], volume: f64) -> Self {
        let cubes: f64 = radii.iter().map(|a| a.powi(3)).sum();
        Stress {
            solvent: 2.0 * viscosity * strain_rate,
            einstein: 20.0 * PI / 3.0 * viscosity * cubes / volume * strain_rate,
            kinetic: Matrix3::zeros(),
            pairs: Default::default(),
        }
    }

    /// Adds the symmetric moment of a force on i at separation `r` from i to j, over the volume.
    pub fn add(&mut self, origin: Origin, force: &Vector3<f64>, r: &Vector3<f64>, volume: f64) {
        let moment = force * r.transpose();
        self.pairs[origin.index()] += (moment + moment.transpose()) * (0.5 / volume);
    }

    /// Adds the symmetric parts of moments by origin, over the volume.
    pub fn add_moments(&mut self, moments: &[Matrix3<f64>; Origin::COUNT], volume: f64) {
        for (stress, moment) in self.pairs.iter_mut().zip(moments) {
            *stress += (moment + moment.transpose()) * (0.5 / volume);
        }
    }

    /// A weighted sum of two.
    pub fn blend(&self, weight: f64, other: &Stress, other_weight: f64) -> Stress {
        let mix = |a: &Matrix3<f64>, b: &Matrix3<f64>| weight * a + other_weight * b;
        let mut blend = *self;
        blend.solvent = mix(&self.solvent, &other.solvent);
        blend.einstein = mix(&self.einstein, &other.einstein);
        blend.kinetic = mix(&self.kinetic, &other.kinetic);
        for (own, other) in blend.pairs.iter_mut().zip(&other.pairs) {
            *own = mix(own, other);
        }
        blend
    }

    /// The sum over all origins.
    pub fn total(&self) -> Matrix3<f64> {
        self.solvent + self.einstein + self.kinetic + self.pairs.iter().sum::<Matrix3<f64>>()
    }

    /// The part of one origin.
    pub fn of(&self, origin: Origin) -> &Matrix3<f64> {
        &self.pairs[origin.index()]
    }
}

/// Shear stress σ (\[GB20\] eq. 10a).
pub fn shear(s: &Matrix3<f64>) -> f64 {
    s[(0, 1)]
}

/// First normal stress difference N₁ (\[GB20\] eq. 10b).
pub fn n1(s: &Matrix3<f64>) -> f64 {
    s[(0, 0)] - s[(1, 1)]
}

/// Second normal stress difference N₂ (\[GB20\] eq. 10b).
pub fn n2(s: &Matrix3<f64>) -> f64 {
    s[(1, 1)] - s[(2, 2)]
}

/// Particle pressure Π (\[GB20\] eq. 10c).
pub fn pressure(s: &Matrix3<f64>) -> f64 {
    0.0 - s.trace() / 3.0
}
