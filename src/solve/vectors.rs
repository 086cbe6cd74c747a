//! What conjugate gradients do to vectors, particle by particle, in single precision.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::jacobi::Inverse;
use super::lanes::{Lanes, Work};
use super::rows::Six;

/// \\(\mathbf a\cdot\mathbf b\\), summed in double precision.
pub struct Dot<'a>(pub &'a [Six], pub &'a [Six]);

impl Work for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for (a, b) in self.0.iter().zip(self.1) {
            for k in 0..8 {
                sum[k] += f64::from(a[k] * b[k]);
            }
        }
        sum.iter().sum()
    }
}

/// Moves what was found and the residual along a direction, and preconditions the residual.
pub struct Update<'a> {
    /// Length of the step.
    pub step: f32,
    /// By which torques are divided to be compared with forces `[a]`.
    pub length: f64,
    /// Direction and its product.
    pub moved: Option<[&'a [Six]; 2]>,
    /// What was found, residual, preconditioned residual.
    pub vectors: [&'a mut [Six]; 3],
    /// Inverse blocks.
    pub inverses: &'a [Inverse],
}

impl Work for Update<'_> {
    type Output = [f64; 2];

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> [f64; 2] {
        let [found, residual, preconditioned] = self.vectors;
        let step = v.splat(self.step);
        let turn = (1.0 / self.length) as f32;
        let weights = v.load(&[1.0, 1.0, 1.0, turn, turn, turn, 0.0, 0.0]);
        let (mut slope, mut square) = ([0.0f64; 8], [0.0f64; 8]);
        for k in 0..residual.len() {
            let mut r = v.load(&residual[k]);
            if let Some([direction, product]) = self.moved {
                let moved = v.mul_add(step, v.load(&direction[k]), v.load(&found[k]));
                found[k] = v.store(moved);
                r = v.sub(r, v.mul(step, v.load(&product[k])));
                residual[k] = v.store(r);
            }
            let six = v.store(r);
            let inverse = &self.inverses[k];
            let mut z = v.mul(v.load(&inverse[0]), v.splat(six[0]));
            for c in 1..6 {
                z = v.mul_add(v.load(&inverse[c]), v.splat(six[c]), z);
            }
            preconditioned[k] = v.store(z);
            let weighted = v.mul(weights, r);
            let (along, own) = (v.store(v.mul(r, z)), v.store(v.mul(weighted, weighted)));
            for lane in 0..8 {
                slope[lane] += f64::from(along[lane]);
                square[lane] += f64::from(own[lane]);
            }
        }
        [slope.iter().sum(), square.iter().sum()]
    }
}

/// `p = z + share p`.
pub struct Turn<'a> {
    /// The share of the old direction.
    pub share: f32,
    /// The direction.
    pub p: &'a mut [Six],
    /// The preconditioned residual.
    pub z: &'a [Six],
}

impl Work for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let share = v.splat(self.share);
        for (p, z) in self.p.iter_mut().zip(self.z) {
            *p = v.store(v.mul_add(share, v.load(p), v.load(z)));
        }
    }
}
