//! How everything in a film changes with its centres and its surfaces, to first order (\[RG09\]
//! appendix A, with δ = X − ψ).
//!
//! A film looks the same from both sides of the plane of its normal and its deflection. In axes of
//! its own, n, along the deflection across n, and across both, slopes are therefore blocks of
//! 2 × 2 and of 1.

use nalgebra::{Matrix3, Vector3};

use super::Soft;
use super::film::Film;

/// The share of a deflection below which its part across the normal has no direction.
const STRAIGHT: f64 = 1e-7;

/// A matrix in the axes of a film, from row to column: n along the normal, t along the deflection
/// across it, b across both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub nn: f64,
    pub nt: f64,
    pub tn: f64,
    pub tt: f64,
    pub bb: f64,
}

impl Block {
    /// The product with a vector in the same axes.
    pub fn times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let along = self.nn * v.x + self.nt * v.y;
        Vector3::new(along, self.tn * v.x + self.tt * v.y, self.bb * v.z)
    }

    /// Its columns.
    pub fn columns(&self) -> [Vector3<f64>; 3] {
        [
            Vector3::new(self.nn, self.tn, 0.0),
            Vector3::new(self.nt, self.tt, 0.0),
            Vector3::new(0.0, 0.0, self.bb),
        ]
    }
}

/// Slopes of a film in its own axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// n, t and b, as columns.
    pub axes: Matrix3<f64>,
    /// Of the elastic force.
    pub force_by_centres: Block,
    pub force_by_surfaces: Block,
    /// Of the velocity of the surfaces as seen along the film's own normal and across it.
    pub velocity_by_centres: Block,
    pub velocity_by_surfaces: Block,
    /// Tangential velocity of the surfaces, along t.
    pub slide: f64,
}

/// n, t and b, and the deflection along t.
fn axes(film: &Film) -> (Matrix3<f64>, f64) {
    let n = film.normal;
    let across = film.deflection - film.normal_deflection * n;
    let size = across.norm();
    let t = if size > STRAIGHT * film.normal_deflection.abs() {
        across / size
    } else {
        n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize()
    };
    (Matrix3::from_columns(&[n, t, n.cross(&t)]), across.dot(&t))
}

impl Slopes {
    /// Those of a film.
    pub fn of(film: &Film, law: &Soft) -> Self {
        let (axes, across) = axes(film);
        let [c_n, c_t] = law.elastic_factors;
        let half = 0.5 * film.contact_radius * law.modulus;
        let (along, turn) = (film.normal_deflection, 1.0 / film.length);
        let [zeta, lambda] = film.friction;
        let (pushed, pull) = (half * c_n * along, film.pull());
        let sheared = half * c_t * across;
        // Relative change of the contact radius.
        let sign = if along == 0.0 { 0.0 } else { along.signum() };
        let size = 0.5 * film.mean_radius / (film.contact_radius * film.contact_radius);
        let (size_c, size_n) = (size * sign, size * (2.0 - sign));
        let size_t = size * sign * across * turn;
        let tilted = half * (c_n - c_t) * turn;
        let force_by_centres = Block {
            nn: pushed * size_c + half * c_n,
            nt: 0.0,
            tn: sheared * size_c,
            tt: half * c_t,
            bb: half * c_t,
        };
        let force_by_surfaces = Block {
            nn: pushed * size_n - half * c_n,
            nt: pushed * size_t + tilted * across,
            tn: sheared * size_n,
            tt: sheared * size_t - half * c_t + tilted * along,
            bb: -half * c_t + tilted * along,
        };
        let taper = film.taper_slope;
        let (c, x) = (&force_by_centres, &force_by_surfaces);
        let velocity_by_centres = Block {
            nn: (c.nn - 4.0 * pull * size_c) / zeta,
            nt: 0.0,
            tn: -sheared * size_c / lambda,
            tt: c.tt / lambda,
            bb: c.bb / lambda,
        };
        let thinner = 1.0 / film.gap;
        let [remote, remote_slope] = film.remote;
        let turned = (remote + pull) * turn;
        let velocity_by_surfaces = Block {
            nn: (x.nn - remote_slope - pull * (4.0 * size_n - 3.0 * thinner + taper)) / zeta,
            nt: (x.nt + sheared * turn - 4.0 * pull * size_t) / zeta,
            tn: -sheared * (size_n - thinner + taper) / lambda,
            tt: (x.tt - turned - 2.0 * sheared * size_t) / lambda,
            bb: (x.bb - turned) / lambda,
        };
        let slide = sheared / lambda;
        Slopes {
            axes,
            force_by_centres,
            force_by_surfaces,
            velocity_by_centres,
            velocity_by_surfaces,
            slide,
        }
    }

    /// Changes of force and velocity when the centres move apart by `d_centres` and the surfaces by
    /// `d_surfaces`; that of the velocity as seen along the film's own normal and across it.
    pub fn change(&self, d_centres: &Vector3<f64>, d_surfaces: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let (c, x) = (self.axes.tr_mul(d_centres), self.axes.tr_mul(d_surfaces));
        let force = self.force_by_centres.times(&c) + self.force_by_surfaces.times(&x);
        let velocity = self.velocity_by_centres.times(&c) + self.velocity_by_surfaces.times(&x);
        [self.axes * force, self.axes * velocity]
    }
}
