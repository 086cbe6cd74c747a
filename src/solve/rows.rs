//! The rows of pairs in single precision: their numbers, the diagonal blocks, and what the motion
//! of one of the two does to the other, sixteen rows at once.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{Eight, LANES, Rows, Simd, Work, vectorised};
use super::layout::{Chunk, NONE, ROWS, Sheaf, Slice};
use super::vectors::Inverse;
use crate::balance::{Operator, PairBlock};

/// Six numbers of a particle, and two zeros.
pub type Six = Eight;

impl Chunk {
    /// Writes the numbers of the pairs into the rows.
    pub fn fill(&mut self, blocks: &[PairBlock]) {
        self.later.fill(blocks);
        self.earlier.fill(blocks);
        self.across.fill(blocks);
    }

    /// The blocks of its particles on the diagonal.
    pub fn diagonals(&self, operator: &Operator) -> Vec<Diagonal> {
        let drag = |particle: &u32| Diagonal::of_drag(operator.drag[*particle as usize]);
        let mut blocks: Vec<Diagonal> = self.particles.iter().map(drag).collect();
        vectorised(AddUp { chunk: self, pairs: &operator.blocks, blocks: &mut blocks });
        blocks
    }

    /// Bytes that both sweeps take, with velocities and forces once each.
    pub fn bytes(&self) -> usize {
        let slices = |s: &Sheaf| size_of_val(&s.slices[..]) + size_of_val(&s.groups[..]);
        let pairs = slices(&self.later) + slices(&self.earlier) + slices(&self.across);
        let groups = self.later.groups.len() + self.earlier.groups.len();
        pairs + groups * size_of::<Inverse>() + 8 * self.particles.len() * size_of::<Six>()
    }

    /// Calls `see` with the pair, the side of the chunk's particle and its place for every pair
    /// within the chunk (with the place of the other particle), or between it and others (without).
    #[inline(always)]
    pub fn visit(&self, mut see: impl FnMut(usize, usize, usize, Option<usize>)) {
        for (sheaf, is_within) in [(&self.later, true), (&self.across, false)] {
            for group in &sheaf.groups {
                let start = group.start as usize;
                for s in start..start + group.lengths[0] as usize {
                    for lane in 0..ROWS {
                        let code = sheaf.pairs[s][lane];
                        if code != NONE {
                            let other = sheaf.slices[s].other[lane] as usize;
                            let (pair, side) = ((code / 2) as usize, (code % 2) as usize);
                            let row = group.rows[lane] as usize;
                            see(pair, side, row, is_within.then_some(other));
                        }
                    }
                }
            }
        }
    }
}

impl Sheaf {
    /// Writes the numbers of the pairs into the slices. Seen from j, the normal and the slide turn
    /// round.
    fn fill(&mut self, blocks: &[PairBlock]) {
        for (slice, pairs) in self.slices.iter_mut().zip(&self.pairs) {
            for (lane, &code) in pairs.iter().enumerate() {
                if code == NONE {
                    continue;
                }
                let block = &blocks[(code / 2) as usize];
                let from_j = code % 2 == 1;
                let sign = if from_j { -1.0 } else { 1.0 };
                for c in 0..3 {
                    slice.normal[c][lane] = (sign * block.normal[c]) as f32;
                }
                let [own, other] = if from_j { [1, 0] } else { [0, 1] };
                let levers = [block.levers[own], block.levers[other]];
                for (to, factor) in slice.factors.iter_mut().zip(factors(block, sign, levers)) {
                    to[lane] = factor as f32;
                }
            }
        }
    }
}

/// The factors of [`pull`]: s, c, α, γ, −δ, ε. `sign` says from which of the two it is seen, the
/// levers are its own and the other's.
fn factors(block: &PairBlock, sign: f64, [own, other]: [f64; 2]) -> [f64; 6] {
    let r = &block.resistance;
    let couple = sign * r.slide_roll;
    let carried = r.slide * other + couple;
    let spun = own * carried - (couple * other + r.roll);
    [r.slide, r.squeeze - r.slide, carried, own * r.slide - couple, -spun, spun + r.twist]
}

/// A block on the diagonal:
/// \\(\begin{pmatrix} s\mathsf I + \mathsf D & \mathbf v\times\\ \cdot & t\mathsf I + \mathsf
/// T\end{pmatrix}\\).
#[derive(Clone, Copy, Default)]
pub struct Diagonal {
    /// D as xx, yy, zz, xy, xz, yz, and s.
    forces: [f64; LANES],
    /// T and t alike.
    torques: [f64; LANES],
    /// v.
    couple: [f64; LANES / 2],
}

/// Where s and t are.
const ISOTROPIC: usize = 6;

impl Diagonal {
    /// Of the drag on a particle.
    fn of_drag([slow, turn]: [f64; 2]) -> Self {
        let mut block = Diagonal::default();
        (block.forces[ISOTROPIC], block.torques[ISOTROPIC]) = (slow, turn);
        block
    }

    /// Adds what a pair gives to one of its sides (see [`PairBlock::diagonal`]).
    #[inline(always)]
    fn add(&mut self, block: &PairBlock, side: usize) {
        let (r, n, lever) = (&block.resistance, &block.normal, block.levers[side]);
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let turn = lever * lever * r.slide + sign * 2.0 * lever * r.slide_roll + r.roll;
        let couple = sign * (lever * r.slide + sign * r.slide_roll);
        let [x, y, z] = [n.x, n.y, n.z];
        let square = [x * x, y * y, z * z, x * y, x * z, y * z, 0.0, 0.0];
        let (along, twist) = (r.squeeze - r.slide, r.twist - turn);
        for k in 0..LANES {
            self.forces[k] += along * square[k];
            self.torques[k] += twist * square[k];
        }
        self.forces[ISOTROPIC] += r.slide;
        self.torques[ISOTROPIC] += turn;
        for (to, n) in self.couple.iter_mut().zip([x, y, z, 0.0]) {
            *to += couple * n;
        }
    }

    /// An entry of the 6×6 matrix.
    #[inline(always)]
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        const PLACES: [[usize; 3]; 3] = [[0, 3, 4], [3, 1, 5], [4, 5, 2]];
        let [x, y, z, _] = self.couple;
        let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let of = |tensor: &[f64; LANES], row: usize, column: usize| {
            let isotropic = if row == column { tensor[ISOTROPIC] } else { 0.0 };
            isotropic + tensor[PLACES[row][column]]
        };
        match (row < 3, column < 3) {
            (true, true) => of(&self.forces, row, column),
            (true, false) => cross[row][column - 3],
            (false, true) => cross[column][row - 3],
            (false, false) => of(&self.torques, row - 3, column - 3),
        }
    }
}

/// Adds up the blocks of a chunk.
struct AddUp<'a> {
    chunk: &'a Chunk,
    pairs: &'a [PairBlock],
    blocks: &'a mut [Diagonal],
}

impl Work for AddUp<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, _simd: S) {
        let AddUp { chunk, pairs, blocks } = self;
        chunk.visit(
            #[inline(always)]
            |pair, side, row, other| {
                let block = &pairs[pair];
                blocks[row].add(block, side);
                if let Some(other) = other {
                    blocks[other].add(block, 1 - side);
                }
            },
        );
    }
}

/// The force and the torque on the particles of a part of sixteen rows, by the motion of the others
/// alone. With \\(a = \mathbf n\cdot\mathbf u\\) and \\(b = \mathbf n\cdot\boldsymbol\omega\\),
/// \\(\mathbf F = s\mathbf u + c\,a\mathbf n + \alpha\,\mathbf n\times\boldsymbol\omega\\) and
/// \\(\mathbf T = \gamma\,\mathbf n\times\mathbf u - \delta\boldsymbol\omega +
/// \epsilon\,b\mathbf n\\): what [`PairBlock::force`] gives for particles at rest.
#[inline(always)]
pub(super) fn pull<M: Rows>(m: M, slice: &Slice, part: usize, others: [M::F; 6]) -> [M::F; 6] {
    let [u, w] = [[others[0], others[1], others[2]], [others[3], others[4], others[5]]];
    let n = std::array::from_fn(
        #[inline(always)]
        |c| m.part(&slice.normal[c], part),
    );
    let [slide, along, carried, turned, spun, twisted] = std::array::from_fn(
        #[inline(always)]
        |k| m.part(&slice.factors[k], part),
    );
    let (along, twisted) = (m.mul(along, m.dot(&n, &u)), m.mul(twisted, m.dot(&n, &w)));
    let (q, p) = (m.cross(&n, &w), m.cross(&n, &u));
    let mut acting = [along; 6];
    for c in 0..3 {
        acting[c] = m.mul_add(slide, u[c], m.mul_add(carried, q[c], m.mul(along, n[c])));
        acting[c + 3] = m.mul_add(turned, p[c], m.mul_add(spun, w[c], m.mul(twisted, n[c])));
    }
    acting
}
