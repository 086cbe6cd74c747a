//! What conjugate gradients do particle by particle, in single precision: the inverse 6×6 blocks of
//! particles, and sums of vectors.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{LANES, Lanes, Numbers, Simd, Work, vectorised};
use super::rows::{Diagonal, Six};
use super::sweeps::Block;

/// The inverse blocks of particles in single precision.
#[derive(Default)]
pub struct Inverses(pub Vec<Block>);

impl Inverses {
    /// Takes blocks and inverts them; `false` if one is not positive definite.
    pub fn take(&mut self, blocks: &[Diagonal]) -> bool {
        self.0.resize(blocks.len(), Block::default());
        let both = blocks.chunks(LANES).zip(self.0.chunks_mut(LANES));
        both.fold(true, |fine, (blocks, inverses)| vectorised(Invert { blocks, inverses }) && fine)
    }
}

/// Inverts up to eight blocks at once.
struct Invert<'a> {
    blocks: &'a [Diagonal],
    inverses: &'a mut [Block],
}

impl Work for Invert<'_> {
    type Output = bool;

    #[inline(always)]
    fn with<S: Simd>(self, _simd: S) -> bool {
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
        write(&m, self.inverses);
        positive
    }
}

/// Writes eight blocks, column by column.
#[inline(always)]
fn write(m: &[[[f64; LANES]; 6]; 6], blocks: &mut [Block]) {
    for (k, block) in blocks.iter_mut().enumerate() {
        for c in 0..6 {
            for r in 0..6 {
                block[c][r] = m[r][c][k] as f32;
            }
        }
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
    fn with<S: Simd>(self, _simd: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for (a, b) in self.0.iter().zip(self.1) {
            for k in 0..8 {
                sum[k] += f64::from(a[k] * b[k]);
            }
        }
        sum.iter().sum()
    }
}

/// The square of forces, torques divided by a length, summed in double precision.
pub struct Square<'a> {
    /// Forces and torques.
    pub of: &'a [Six],
    /// The length `[a]`.
    pub length: f64,
}

impl Work for Square<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Simd>(self, _simd: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for a in self.of {
            for k in 0..8 {
                sum[k] += f64::from(a[k] * a[k]);
            }
        }
        let [x, y, z, a, b, c, ..] = sum;
        x + y + z + (a + b + c) / (self.length * self.length)
    }
}

/// Moves what was found and the residual along a direction; returns the product of the residual and
/// the preconditioned one.
pub struct Update<'a> {
    /// Length of the step.
    pub step: f32,
    /// What the velocities change by along the direction.
    pub change: &'a [Six],
    /// The product of the direction, and the same times the blocks of particles.
    pub products: [&'a [Six]; 2],
    /// What was found, residual, preconditioned residual.
    pub vectors: [&'a mut [Six]; 3],
}

impl Work for Update<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> f64 {
        let v = simd.lanes();
        let ([found, residual, preconditioned], [product, weighted]) =
            (self.vectors, self.products);
        let (step, back) = (v.splat(self.step), v.splat(-self.step));
        let mut slopes = [[0.0f64; 8]; 2];
        for k in 0..residual.len() {
            let moved = v.mul_add(step, v.load(&self.change[k]), v.load(&found[k]));
            found[k] = v.store(moved);
            let r = v.mul_add(back, v.load(&product[k]), v.load(&residual[k]));
            residual[k] = v.store(r);
            let z = v.mul_add(back, v.load(&weighted[k]), v.load(&preconditioned[k]));
            preconditioned[k] = v.store(z);
            let (along, slope) = (v.store(v.mul(r, z)), &mut slopes[k % 2]);
            for lane in 0..8 {
                slope[lane] += f64::from(along[lane]);
            }
        }
        slopes.iter().flatten().sum()
    }
}

/// Adds a multiple.
pub struct AddScaled<'a> {
    /// The factor.
    pub factor: f32,
    /// Of what.
    pub of: &'a [Six],
    /// To what it is added.
    pub to: &'a mut [Six],
}

impl Work for AddScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
        let factor = v.splat(self.factor);
        for (to, of) in self.to.iter_mut().zip(self.of) {
            *to = v.store(v.mul_add(factor, v.load(of), v.load(to)));
        }
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
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
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
        let mut inverses = Inverses::default();
        assert!(inverses.take(&chunks[0].diagonals(&operator)));
        for (particle, inverse) in inverses.0.iter().enumerate() {
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
