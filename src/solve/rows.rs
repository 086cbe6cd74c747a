//! The pairs laid out for fast products in single precision: rows of particles in groups of eight,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk every pair is met once and acts on both particles; a pair between two chunks is
//! met by both, each for its own particle. Chunks write to no other's particles, so threads may
//! share them, and since chunks do not depend on the number of threads, neither do sums.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use std::ops::Range;

use super::lanes::{Eight, LANES, Lanes, Work, vectorised};
use super::layout::Csr;
use crate::balance::PairBlock;
use crate::pairs::make_room;

/// Six numbers of a particle, and two zeros.
pub type Six = Eight;

/// No pair in this lane.
const NONE: u32 = u32::MAX;

/// Particles in a chunk at most: two chunks and a place within one are encoded in one number.
pub(super) const PLACES: u32 = 4096;

/// The rows of a chunk.
#[derive(Default)]
pub struct Chunk {
    /// Its particles.
    pub particles: Vec<u32>,
    /// Pairs within the chunk.
    inner: Sheaf,
    /// Pairs with particles of other chunks.
    outer: Sheaf,
}

/// Rows with their pairs.
#[derive(Default)]
struct Sheaf {
    groups: Vec<Group>,
    slices: Vec<Slice>,
    /// The pair in every lane of every slice, doubled; odd where the row is that of j.
    pairs: Vec<[u32; LANES]>,
}

/// Eight rows with about the same number of pairs.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Particles, counted from the first of the chunk.
    rows: [u32; LANES],
    /// First slice, and how many.
    slices: [u32; 2],
}

/// One pair of each of eight rows.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
struct Slice {
    normal: [Eight; 3],
    levers: [Eight; 2],
    /// Squeeze, slide, slide–roll, roll, twist.
    resistance: [Eight; 5],
    /// The place of the other particle: in the chunk (inner), or among all (outer).
    other: [u32; LANES],
}

/// The chunk and the place in it.
pub fn split(place: u32) -> (usize, usize) {
    ((place / PLACES) as usize, (place % PLACES) as usize)
}

impl Chunk {
    /// Lays out the rows of its particles, the chunk being number `k`.
    pub(super) fn lay_out(&mut self, k: usize, slots: Range<usize>, [inner, outer]: [&Csr; 2]) {
        self.inner.lay_out(inner, slots.clone(), k as u32 * PLACES);
        self.outer.lay_out(outer, slots, 0);
    }

    /// Writes the numbers of the pairs into the rows.
    pub fn fill(&mut self, blocks: &[PairBlock]) {
        self.inner.fill(blocks);
        self.outer.fill(blocks);
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
    /// Groups rows by their number of pairs; the places of other particles are counted from
    /// `origin`.
    fn lay_out(&mut self, csr: &Csr, slots: Range<usize>, origin: u32) {
        let first = slots.start;
        self.groups.clear();
        self.slices.clear();
        self.pairs.clear();
        let mut rows: Vec<u32> = (0..slots.len() as u32).collect();
        let length = |row: u32| csr.row(first + row as usize).len();
        rows.retain(|row| length(*row) > 0);
        rows.sort_by_key(|row| std::cmp::Reverse(length(*row)));
        let slices = rows.iter().step_by(LANES).map(|row| length(*row)).sum();
        make_room(&mut self.slices, slices);
        make_room(&mut self.pairs, slices);
        for members in rows.chunks(LANES) {
            // What is missing in the last group adds nothing to its first row.
            let mut group = Group { rows: [members[0]; LANES], ..Group::default() };
            group.rows[..members.len()].copy_from_slice(members);
            let longest = length(members[0]);
            group.slices = [self.slices.len() as u32, longest as u32];
            for s in 0..longest {
                let mut slice = Slice::default();
                let mut pairs = [NONE; LANES];
                for lane in 0..LANES {
                    let row = group.rows[lane] as usize;
                    if let Some([other, code]) = csr.row(first + row).get(s)
                        && lane < members.len()
                    {
                        slice.other[lane] = *other - origin;
                        pairs[lane] = *code;
                    }
                }
                self.slices.push(slice);
                self.pairs.push(pairs);
            }
            self.groups.push(group);
        }
    }

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
