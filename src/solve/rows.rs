//! The rows of pairs in single precision: their numbers, the diagonal blocks and the product, eight
//! rows at once.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use super::lanes::{Eight, LANES, Lanes, Work, vectorised};
use super::layout::{Chunk, NONE, Sheaf, Slice, split};
use crate::balance::{Operator, PairBlock};

/// Six numbers of a particle, and two zeros.
pub type Six = Eight;

impl Chunk {
    /// Writes the numbers of the pairs into the rows.
    pub fn fill(&mut self, blocks: &[PairBlock]) {
        self.inner.fill(blocks);
        self.outer.fill(blocks);
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

    /// \\(\mathsf R\mathbf U\\) for the particles of chunk `k`: drag, and the pairs.
    pub fn product(&self, k: usize, drag: &[Six], velocities: &[&[Six]], out: &mut [Six]) {
        vectorised(Product { chunk: self, drag, k, velocities, out });
    }

    /// The same with given lanes.
    #[cfg(test)]
    pub fn product_with(
        &self,
        lanes: impl Lanes,
        k: usize,
        drag: &[Six],
        velocities: &[&[Six]],
        out: &mut [Six],
    ) {
        Product { chunk: self, drag, k, velocities, out }.with(lanes);
    }

    /// Bytes that a product moves: pairs, and velocities and forces once.
    pub fn bytes(&self) -> usize {
        let slices = |s: &Sheaf| size_of_val(&s.slices[..]) + size_of_val(&s.groups[..]);
        slices(&self.inner) + slices(&self.outer) + 4 * self.particles.len() * size_of::<Six>()
    }

    /// Calls `see` with the pair, the side of the chunk's particle and its place for every pair
    /// within the chunk (with the place of the other particle), or between it and others (without).
    pub fn visit(&self, mut see: impl FnMut(usize, usize, usize, Option<usize>)) {
        for (sheaf, is_inner) in [(&self.inner, true), (&self.outer, false)] {
            for group in &sheaf.groups {
                let [start, len] = group.slices.map(|x| x as usize);
                for s in start..start + len {
                    for lane in 0..LANES {
                        let code = sheaf.pairs[s][lane];
                        if code != NONE {
                            let other = sheaf.slices[s].other[lane] as usize;
                            let (pair, side) = ((code / 2) as usize, (code % 2) as usize);
                            let row = group.rows[lane] as usize;
                            see(pair, side, row, is_inner.then_some(other));
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

/// The product for one chunk.
struct Product<'a> {
    chunk: &'a Chunk,
    drag: &'a [Six],
    k: usize,
    velocities: &'a [&'a [Six]],
    out: &'a mut [Six],
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let own = self.velocities[self.k];
        for ((out, motion), drag) in self.out.iter_mut().zip(own).zip(self.drag) {
            *out = v.store(v.mul(v.load(motion), v.load(drag)));
        }
        act::<S, true>(v, &self.chunk.inner, own, self.velocities, self.out);
        act::<S, false>(v, &self.chunk.outer, own, self.velocities, self.out);
    }
}

/// Adds the forces of all pairs, eight at once; if `BOTH` others are of the same chunk, and it acts
/// on them as well.
#[inline(always)]
fn act<S: Lanes, const BOTH: bool>(
    v: S,
    sheaf: &Sheaf,
    own: &[Six],
    all: &[&[Six]],
    out: &mut [Six],
) {
    let zero = v.splat(0.0);
    for group in &sheaf.groups {
        let mine = gather(v, own, &group.rows);
        let (mut force, mut torque) = ([zero; 3], [zero; 3]);
        let [start, len] = group.slices.map(|x| x as usize);
        for slice in &sheaf.slices[start..start + len] {
            let theirs =
                if BOTH { gather(v, own, &slice.other) } else { gather_all(v, all, &slice.other) };
            let acting = act_eight(v, slice, &mine, &theirs);
            for c in 0..3 {
                force[c] = v.add(force[c], acting[0][c]);
                torque[c] = v.add(torque[c], acting[1][c]);
            }
            if BOTH {
                let [[a, b, c], _, [d, e, f]] = acting;
                let rows = v.transpose([a, b, c, d, e, f, zero, zero]);
                for (row, other) in rows.into_iter().zip(slice.other) {
                    let to = &mut out[other as usize];
                    *to = v.store(v.add(v.load(to), row));
                }
            }
        }
        let ([a, b, c], [d, e, f]) = (force, torque);
        let rows = v.transpose([a, b, c, d, e, f, zero, zero]);
        for (row, own) in rows.into_iter().zip(group.rows) {
            let to = &mut out[own as usize];
            *to = v.store(v.sub(v.load(to), row));
        }
    }
}

#[inline(always)]
fn gather<S: Lanes>(v: S, from: &[Six], ids: &[u32; LANES]) -> [S::F; LANES] {
    v.transpose(std::array::from_fn(
        #[inline(always)]
        |k| v.load(&from[ids[k] as usize]),
    ))
}

#[inline(always)]
fn gather_all<S: Lanes>(v: S, from: &[&[Six]], places: &[u32; LANES]) -> [S::F; LANES] {
    v.transpose(std::array::from_fn(
        #[inline(always)]
        |k| {
            let (chunk, place) = split(places[k]);
            v.load(&from[chunk][place])
        },
    ))
}

/// The force on i, the torque on i and the opposite of the torque on j in eight pairs: the rates of
/// [`crate::balance::rates`] and what [`crate::balance::mirror`] makes of the forces.
#[inline(always)]
fn act_eight<S: Lanes>(
    v: S,
    slice: &Slice,
    i: &[S::F; LANES],
    j: &[S::F; LANES],
) -> [[S::F; 3]; 3] {
    let zero = v.splat(0.0);
    let normal = std::array::from_fn(
        #[inline(always)]
        |c| v.load(&slice.normal[c]),
    );
    let [li, lj] = [v.load(&slice.levers[0]), v.load(&slice.levers[1])];
    let [squeeze, slide, slide_roll, roll, twist] = [
        v.load(&slice.resistance[0]),
        v.load(&slice.resistance[1]),
        v.load(&slice.resistance[2]),
        v.load(&slice.resistance[3]),
        v.load(&slice.resistance[4]),
    ];
    let relative = [v.sub(j[0], i[0]), v.sub(j[1], i[1]), v.sub(j[2], i[2])];
    let turn = [v.sub(i[3], j[3]), v.sub(i[4], j[4]), v.sub(i[5], j[5])];
    let carried = [
        v.mul_add(lj, j[3], v.mul(li, i[3])),
        v.mul_add(lj, j[4], v.mul(li, i[4])),
        v.mul_add(lj, j[5], v.mul(li, i[5])),
    ];
    let along = v.mul(v.sub(squeeze, slide), v.dot(&normal, &relative));
    let swept = v.cross(&carried, &normal);
    let rolled = v.cross(&turn, &normal);
    let (mut force, mut moment) = ([zero; 3], [zero; 3]);
    for c in 0..3 {
        let slid = v.sub(relative[c], swept[c]);
        let rest = v.mul_add(along, normal[c], v.mul(slide_roll, rolled[c]));
        force[c] = v.mul_add(slide, slid, rest);
        moment[c] = v.mul_add(slide_roll, slid, v.mul(roll, rolled[c]));
    }
    let turned = v.cross(&normal, &force);
    let couple = v.cross(&normal, &moment);
    let twisted = v.mul(twist, v.dot(&normal, &turn));
    let (mut on_i, mut on_j) = ([zero; 3], [zero; 3]);
    for c in 0..3 {
        let couple = v.mul_add(twisted, normal[c], couple[c]);
        on_i[c] = v.mul_sub(li, turned[c], couple);
        on_j[c] = v.sub(zero, v.mul_add(lj, turned[c], couple));
    }
    [force, on_i, on_j]
}
