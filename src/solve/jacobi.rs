//! The block-Jacobi preconditioner in single precision: inverses of the 6×6 blocks of particles.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{LANES, Lanes, Work, vectorised};
use super::rows::{Chunk, Six};
use crate::balance::{Operator, PairBlock};

/// The columns of the inverse block of a particle.
pub type Inverse = [Six; 6];

/// A block on the diagonal:
/// \\(\begin{pmatrix} s\mathsf I + \mathsf D & \mathbf v\times\\ \cdot & t\mathsf I + \mathsf
/// T\end{pmatrix}\\), tensors as xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Default)]
struct Diagonal {
    slow: f64,
    tensor: [f64; 6],
    couple: [f64; 3],
    turn: f64,
    turn_tensor: [f64; 6],
}

impl Diagonal {
    /// Adds what a pair gives to one of its sides (see [`PairBlock::diagonal`]).
    fn add(&mut self, block: &PairBlock, side: usize) {
        let (r, n, lever) = (&block.resistance, &block.normal, block.levers[side]);
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let turn = lever * lever * r.slide + sign * 2.0 * lever * r.slide_roll + r.roll;
        let couple = sign * (lever * r.slide + sign * r.slide_roll);
        self.slow += r.slide;
        self.turn += turn;
        let square = [n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z];
        for (k, nn) in square.into_iter().enumerate() {
            self.tensor[k] += (r.squeeze - r.slide) * nn;
            self.turn_tensor[k] += (r.twist - turn) * nn;
        }
        for k in 0..3 {
            self.couple[k] += couple * n[k];
        }
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        const PLACES: [[usize; 3]; 3] = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];
        let [x, y, z] = self.couple;
        let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let isotropic = |a: f64| if row == column { a } else { 0.0 };
        match (row < 3, column < 3) {
            (true, true) => isotropic(self.slow) + self.tensor[PLACES[row][column]],
            (true, false) => cross[row][column - 3],
            (false, true) => cross[column][row - 3],
            (false, false) => isotropic(self.turn) + self.turn_tensor[PLACES[row - 3][column - 3]],
        }
    }
}

/// Inverts the blocks of the particles of a chunk; `false` if one is not positive definite.
pub fn invert_blocks(operator: &Operator, chunk: &Chunk, inverses: &mut Vec<Inverse>) -> bool {
    let drag = |particle: &u32| {
        let [slow, turn] = operator.drag[*particle as usize];
        Diagonal { slow, turn, ..Diagonal::default() }
    };
    let mut blocks: Vec<Diagonal> = chunk.particles.iter().map(drag).collect();
    chunk.visit(|pair, side, row, other| {
        let block = &operator.blocks[pair];
        blocks[row].add(block, side);
        if let Some(other) = other {
            blocks[other].add(block, 1 - side);
        }
    });
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
        assert!(invert_blocks(&operator, &chunks[0], &mut inverses));
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
