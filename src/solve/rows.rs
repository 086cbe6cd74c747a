//! The rows of pairs in single precision: their numbers, the diagonal blocks, and what the motion
//! of one of the two does to the other, sixteen rows at once.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{Eight, Rows};
use super::layout::{Chunk, NONE, ROWS, Sheaf, Slice};
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
        let drag = |particle: &u32| {
            let [slow, turn] = operator.drag[*particle as usize];
            Diagonal { slow, turn, ..Diagonal::default() }
        };
        let mut blocks: Vec<Diagonal> = self.particles.iter().map(drag).collect();
        self.visit(|pair, side, row, other| {
            let block = &operator.blocks[pair];
            blocks[row].add(block, side);
            if let Some(other) = other {
                blocks[other].add(block, 1 - side);
            }
        });
        blocks
    }

    /// Bytes that both sweeps take, with velocities and forces once each.
    pub fn bytes(&self) -> usize {
        let slices = |s: &Sheaf| size_of_val(&s.slices[..]) + size_of_val(&s.groups[..]);
        let pairs = slices(&self.later) + slices(&self.earlier) + slices(&self.across);
        pairs + 8 * self.particles.len() * size_of::<Six>()
    }

    /// Calls `see` with the pair, the side of the chunk's particle and its place for every pair
    /// within the chunk (with the place of the other particle), or between it and others (without).
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
                slice.levers[0][lane] = block.levers[own] as f32;
                slice.levers[1][lane] = block.levers[other] as f32;
                let r = &block.resistance;
                let numbers = [r.squeeze, r.slide, sign * r.slide_roll, r.roll, r.twist];
                for (to, number) in slice.resistance.iter_mut().zip(numbers) {
                    to[lane] = number as f32;
                }
            }
        }
    }
}

/// A block on the diagonal:
/// \\(\begin{pmatrix} s\mathsf I + \mathsf D & \mathbf v\times\\ \cdot & t\mathsf I + \mathsf
/// T\end{pmatrix}\\), tensors as xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Default)]
pub struct Diagonal {
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

    /// An entry of the 6×6 matrix.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
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

/// How two particles move relative to each other, many times.
struct Moving<F> {
    /// Velocity of j relative to i.
    relative: [F; 3],
    /// Spin of i relative to j.
    turn: [F; 3],
    /// Spins times levers.
    carried: [F; 3],
}

/// The force and the torque on the particles of a part of sixteen rows, by the motion of the others
/// alone.
#[inline(always)]
pub(super) fn pull<M: Rows>(m: M, slice: &Slice, part: usize, others: [M::F; 6]) -> [M::F; 6] {
    let [x, y, z, a, b, c] = others;
    let (zero, lever) = (m.splat(0.0), m.part(&slice.levers[1], part));
    let moving = Moving {
        relative: [x, y, z],
        turn: [m.sub(zero, a), m.sub(zero, b), m.sub(zero, c)],
        carried: [m.mul(lever, a), m.mul(lever, b), m.mul(lever, c)],
    };
    let Resisted { normal, force, couple } = resist(m, slice, part, &moving);
    let turned = m.cross(&normal, &force);
    let own = m.part(&slice.levers[0], part);
    let [d, e, f] = std::array::from_fn(
        #[inline(always)]
        |c| m.mul_sub(own, turned[c], couple[c]),
    );
    [force[0], force[1], force[2], d, e, f]
}

/// What resists a motion: the force on i, and the couple beyond its moment.
struct Resisted<F> {
    normal: [F; 3],
    force: [F; 3],
    couple: [F; 3],
}

/// The rates of [`crate::balance::rates`], and what [`crate::balance::mirror`] makes of the forces,
/// many times.
#[inline(always)]
fn resist<M: Rows>(v: M, slice: &Slice, part: usize, moving: &Moving<M::F>) -> Resisted<M::F> {
    let zero = v.splat(0.0);
    let normal = std::array::from_fn(
        #[inline(always)]
        |c| v.part(&slice.normal[c], part),
    );
    let [squeeze, slide, slide_roll, roll, twist] = [
        v.part(&slice.resistance[0], part),
        v.part(&slice.resistance[1], part),
        v.part(&slice.resistance[2], part),
        v.part(&slice.resistance[3], part),
        v.part(&slice.resistance[4], part),
    ];
    let Moving { relative, turn, carried } = moving;
    let along = v.mul(v.sub(squeeze, slide), v.dot(&normal, relative));
    let swept = v.cross(carried, &normal);
    let rolled = v.cross(turn, &normal);
    let (mut force, mut moment) = ([zero; 3], [zero; 3]);
    for c in 0..3 {
        let slid = v.sub(relative[c], swept[c]);
        let rest = v.mul_add(along, normal[c], v.mul(slide_roll, rolled[c]));
        force[c] = v.mul_add(slide, slid, rest);
        moment[c] = v.mul_add(slide_roll, slid, v.mul(roll, rolled[c]));
    }
    let mut couple = v.cross(&normal, &moment);
    let twisted = v.mul(twist, v.dot(&normal, turn));
    for c in 0..3 {
        couple[c] = v.mul_add(twisted, normal[c], couple[c]);
    }
    Resisted { normal, force, couple }
}
