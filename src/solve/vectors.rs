//! What conjugate gradients do particle by particle, in single precision: the block-Jacobi
//! preconditioner (inverses of the 6×6 blocks of particles), and sums of vectors.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{LANES, Lanes, Work, vectorised};
use super::rows::{Diagonal, Six};

/// The columns of the inverse block of a particle.
pub type Inverse = [Six; 6];

/// Inverts blocks; `false` if one is not positive definite.
pub fn invert_blocks(blocks: &[Diagonal], inverses: &mut Vec<Inverse>) -> bool {
    inverses.resize(blocks.len(), Inverse::default());
    let eights = blocks.chunks(LANES).zip(inverses.chunks_mut(LANES));
    eights.fold(true, |fine, (blocks, inverses)| vectorised(Invert { blocks, inverses }) && fine)
}

/// Inverts up to eight blocks at once.
struct Invert<'a> {
    blocks: &'a [Diagonal],
    inverses: &'a mut [Inverse],
}

impl Work for Invert<'_> {
    type Output = bool;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> bool {
        let mut m = [[[0.0f64; LANES]; 6]; 6];
        for (k, block) in self.blocks.iter().enumerate() {
            for r in 0..6 {
                for c in 0..6 {
                    m[r][c][k] = block.entry(r, c);
                }
            }
        }
        for k in self.blocks.len()..LANES {
            (0..6).for_each(|r| m[r][r][k] = 1.0);
        }
        let positive = invert(&mut m);
        for (k, inverse) in self.inverses.iter_mut().enumerate() {
            for c in 0..6 {
                for r in 0..6 {
                    inverse[c][r] = m[r][c][k] as f32;
                }
            }
        }
        positive
    }
}

/// Gauss–Jordan elimination in place; `false` if a pivot is not positive.
#[inline(always)]
fn invert(m: &mut [[[f64; LANES]; 6]; 6]) -> bool {
    let mut positive = true;
    for p in 0..6 {
        let mut pivot = [0.0; LANES];
        for k in 0..LANES {
            positive &= m[p][p][k] > 0.0;
            pivot[k] = 1.0 / m[p][p][k];
            m[p][p][k] = 1.0;
        }
        for c in 0..6 {
            for k in 0..LANES {
                m[p][c][k] *= pivot[k];
            }
        }
        let row = m[p];
        for (r, other) in m.iter_mut().enumerate() {
            if r == p {
                continue;
            }
            let factor = other[p];
            other[p] = [0.0; LANES];
            for c in 0..6 {
                for k in 0..LANES {
                    other[c][k] -= factor[k] * row[c][k];
                }
            }
        }
    }
    positive
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::tests::random_operator;
    use crate::solve::layout::Layout;

    #[test]
    fn inverse_blocks_are_those_of_the_operator() {
        let operator = random_operator(150, 3);
        let chunks = Layout::default().chunks(&operator);
        let mut inverses = Vec::new();
        assert!(invert_blocks(&chunks[0].diagonals(&operator), &mut inverses));
        for (particle, inverse) in inverses.iter().enumerate() {
            let expected = operator.diagonal(particle).try_inverse().unwrap();
            for c in 0..6 {
                for r in 0..6 {
                    let error = f64::from(inverse[c][r]) - expected[(r, c)];
                    assert!(error.abs() < 1e-6 * expected.norm(), "{particle} {r} {c}");
                }
            }
        }
    }
}
