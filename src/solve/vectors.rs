//! What conjugate gradients do particle by particle, in single precision: the inverse 6×6 blocks of
//! particles, and sums of vectors.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{LANES, Lanes, Numbers, Simd, Sixteen, Work, vectorised};
use super::layout::{Chunk, Sheaf};
use super::rows::{Diagonal, Six};

/// The inverse blocks of the rows of a group: what is on and below the diagonal, row by row.
pub type Inverse = [Sixteen; ENTRIES];

/// Entries on and below the diagonal of a block.
const ENTRIES: usize = 21;

/// Where the entries of a symmetric block are.
pub const PLACES: [[usize; 6]; 6] = [
    [0, 1, 3, 6, 10, 15],
    [1, 2, 4, 7, 11, 16],
    [3, 4, 5, 8, 12, 17],
    [6, 7, 8, 9, 13, 18],
    [10, 11, 12, 13, 14, 19],
    [15, 16, 17, 18, 19, 20],
];

/// The inverse blocks of particles in single precision.
#[derive(Default)]
pub struct Inverses {
    /// Particle by particle.
    of_rows: Vec<[f32; ENTRIES]>,
    /// Group by group, for pairs with later colours and for those with earlier ones.
    pub later: Vec<Inverse>,
    pub earlier: Vec<Inverse>,
}

impl Inverses {
    /// Inverts the blocks of a chunk; `false` if one is not positive definite.
    pub fn take(&mut self, blocks: &[Diagonal], chunk: &Chunk) -> bool {
        self.of_rows.resize(blocks.len(), [0.0; ENTRIES]);
        let both = blocks.chunks(LANES).zip(self.of_rows.chunks_mut(LANES));
        let invert = |fine: bool, (blocks, inverses)| {
            // All of them, so that what one of them spoils is known.
            vectorised(Invert { blocks, inverses }) && fine
        };
        let positive = both.fold(true, invert);
        group(&self.of_rows, &chunk.later, &mut self.later);
        group(&self.of_rows, &chunk.earlier, &mut self.earlier);
        positive
    }
}

/// Brings blocks into the order of rows; lanes without a particle have none.
fn group(blocks: &[[f32; ENTRIES]], rows: &Sheaf, to: &mut Vec<Inverse>) {
    to.resize(rows.groups.len(), [Sixteen::default(); ENTRIES]);
    for (group, inverse) in rows.groups.iter().zip(to) {
        let members = &group.rows[..group.count as usize];
        for (lane, row) in members.iter().enumerate() {
            for (to, entry) in inverse.iter_mut().zip(&blocks[*row as usize]) {
                to[lane] = *entry;
            }
        }
    }
}

/// Inverts up to eight blocks at once.
struct Invert<'a> {
    blocks: &'a [Diagonal],
    inverses: &'a mut [[f32; ENTRIES]],
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
        for (k, inverse) in self.inverses.iter_mut().enumerate() {
            for r in 0..6 {
                for c in 0..=r {
                    inverse[PLACES[r][c]] = m[r][c][k] as f32;
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

/// Particles whose products are summed in single precision, before these sums are added up in
/// double precision.
const SUMMED: usize = 8;

/// \\(\mathbf a\cdot\mathbf b\\).
pub struct Dot<'a>(pub &'a [Six], pub &'a [Six]);

impl Work for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> f64 {
        let Dot(a, b) = self;
        products(simd, a, b).iter().sum()
    }
}

/// The products of the components of two vectors.
#[inline(always)]
fn products<S: Simd>(simd: S, a: &[Six], b: &[Six]) -> [f64; LANES] {
    let v = simd.lanes();
    let mut total = [0.0f64; LANES];
    for (a, b) in a.chunks(SUMMED).zip(b.chunks(SUMMED)) {
        let mut sum = v.splat(0.0);
        for (a, b) in a.iter().zip(b) {
            sum = v.mul_add(v.load(a), v.load(b), sum);
        }
        add(&mut total, &v.store(sum));
    }
    total
}

#[inline(always)]
fn add(total: &mut [f64; LANES], sum: &Six) {
    for k in 0..LANES {
        total[k] += f64::from(sum[k]);
    }
}

/// The square of forces, torques divided by a length.
pub struct Square<'a> {
    /// Forces and torques.
    pub of: &'a [Six],
    /// The length `[a]`.
    pub length: f64,
}

impl Work for Square<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> f64 {
        let [x, y, z, a, b, c, ..] = products(simd, self.of, self.of);
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
    /// The product of the direction but for that.
    pub rest: &'a [Six],
    /// The product times the blocks of particles.
    pub weighted: &'a [Six],
    /// What was found, residual, preconditioned residual.
    pub vectors: [&'a mut [Six]; 3],
}

impl Work for Update<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) -> f64 {
        let v = simd.lanes();
        let [found, residual, preconditioned] = self.vectors;
        let (step, back) = (v.splat(self.step), v.splat(-self.step));
        let mut slopes = [0.0f64; LANES];
        let vectors = found.chunks_mut(SUMMED).zip(residual.chunks_mut(SUMMED));
        let vectors = vectors.zip(preconditioned.chunks_mut(SUMMED));
        let along = self.change.chunks(SUMMED).zip(self.rest.chunks(SUMMED));
        let along = along.zip(self.weighted.chunks(SUMMED));
        for (((found, residual), preconditioned), ((change, rest), weighted)) in vectors.zip(along)
        {
            let mut slope = v.splat(0.0);
            for k in 0..residual.len() {
                let change = v.load(&change[k]);
                found[k] = v.store(v.mul_add(step, change, v.load(&found[k])));
                let product = v.add(change, v.load(&rest[k]));
                let r = v.mul_add(back, product, v.load(&residual[k]));
                residual[k] = v.store(r);
                let z = v.mul_add(back, v.load(&weighted[k]), v.load(&preconditioned[k]));
                preconditioned[k] = v.store(z);
                slope = v.mul_add(r, z, slope);
            }
            add(&mut slopes, &v.store(slope));
        }
        slopes.iter().sum()
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
        assert!(inverses.take(&chunks[0].diagonals(&operator), &chunks[0]));
        for (particle, inverse) in inverses.of_rows.iter().enumerate() {
            let expected = operator.diagonal(particle).try_inverse().unwrap();
            for c in 0..6 {
                for r in 0..6 {
                    let error = f64::from(inverse[PLACES[r][c]]) - expected[(r, c)];
                    assert!(error.abs() < 1e-6 * expected.norm(), "{particle} {r} {c}");
                }
            }
        }
    }
}
