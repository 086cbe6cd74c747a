//! The pairs laid out for fast products in single precision: rows of particles in groups of eight,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk every pair is met once and acts on both particles; a pair between two chunks is
//! met by both, each for its own particle. Chunks write to no other's particles, so threads may
//! share them, and since chunks depend on the number of particles only, sums do not depend on the
//! number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::lanes::{Eight, LANES, Lanes, Work, vectorised};
use crate::balance::{Operator, PairBlock};

/// Six numbers of a particle, and two zeros.
pub type Six = Eight;

/// Particles in a chunk, about. Their motions and forces stay in the cache of a core.
const CHUNK: usize = 2048;

/// No pair in this lane.
const NONE: u32 = u32::MAX;

/// Particles in a chunk at most: two chunks and a place within one are told by one number.
const PLACES: u32 = 4096;

/// How particles are cut into chunks, and in which order they are.
#[derive(Default)]
pub struct Layout {
    /// For which pairs and order of particles this is.
    ids: Vec<[u32; 2]>,
    order: Vec<u32>,
    /// Where every particle is: chunk times [`PLACES`], plus its place in the chunk.
    places: Vec<u32>,
}

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

impl Layout {
    /// Where every particle is.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Takes up the pairs of an operator. If they are not those of before, returns their chunks.
    pub fn take_up(&mut self, operator: &Operator) -> Option<Vec<Chunk>> {
        let known = self.places.len() == operator.drag.len()
            && self.order == operator.order
            && self.ids.len() == operator.blocks.len()
            && self.ids.iter().zip(&operator.blocks).all(|(ids, block)| *ids == block.ids);
        if known {
            return None;
        }
        let n = operator.drag.len();
        self.ids.clear();
        self.ids.extend(operator.blocks.iter().map(|block| block.ids));
        self.order.clone_from(&operator.order);
        let count = if n < 2 * CHUNK { 1 } else { n.div_ceil(CHUNK) };
        let size = n.div_ceil(count).max(1);
        self.places.clear();
        self.places.resize(n, 0);
        let particle = |slot: usize| self.order.get(slot).map_or(slot, |p| *p as usize);
        for slot in 0..n {
            self.places[particle(slot)] = (slot / size) as u32 * PLACES + (slot % size) as u32;
        }
        let entries = Entries::new(&self.ids, &self.places, size);
        let lay = |k: usize| {
            let slots = k * size..n.min((k + 1) * size);
            let mut chunk = Chunk::default();
            chunk.particles.extend(slots.clone().map(|slot| particle(slot) as u32));
            chunk.inner.lay_out(&entries.inner, slots.clone(), k as u32 * PLACES);
            chunk.outer.lay_out(&entries.outer, slots, 0);
            chunk
        };
        let chunks = n.div_ceil(size);
        Some(if chunks == 1 {
            vec![lay(0)]
        } else {
            (0..chunks).into_par_iter().with_max_len(1).map(lay).collect()
        })
    }
}

impl Chunk {
    /// Writes the numbers of the pairs into the rows.
    pub fn fill(&mut self, blocks: &[PairBlock]) {
        self.inner.fill(blocks);
        self.outer.fill(blocks);
    }

    /// \\(\mathsf R\mathbf U\\) for the particles of chunk `k`: drag, and the pairs.
    pub fn product(&self, k: usize, drag: &[Six], motions: &[&[Six]], out: &mut [Six]) {
        vectorised(Product { chunk: self, drag, k, motions, out });
    }

    /// Bytes that a product moves: pairs, and motions and forces once.
    pub fn bytes(&self) -> usize {
        let slices = |s: &Sheaf| size_of_val(&s.slices[..]) + size_of_val(&s.groups[..]);
        slices(&self.inner) + slices(&self.outer) + 4 * self.particles.len() * size_of::<Six>()
    }

    /// Calls `see` with the pair, the side of the chunk's particle and its place for every pair within
    /// the chunk (with the place of the other particle), or between it and others (without).
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

/// The pairs of every row: within its chunk, counted for one of the two; beyond it, for both.
struct Entries {
    inner: Csr,
    outer: Csr,
}

/// Compressed rows: (place of the other, doubled pair).
struct Csr {
    starts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

impl Entries {
    fn new(ids: &[[u32; 2]], places: &[u32], size: usize) -> Self {
        let sorted = |pair: usize| {
            let [a, b] = ids[pair].map(|k| places[k as usize]);
            let code = 2 * pair as u32;
            let inner = a / PLACES == b / PLACES;
            (inner, if a < b { [a, b, code] } else { [b, a, code + 1] })
        };
        let slot = |place: u32| {
            let (chunk, within) = split(place);
            chunk * size + within
        };
        let collect = |wanted: bool| {
            let of = |pair: usize| {
                let (inner, [a, b, code]) = sorted(pair);
                let both = [(slot(a), [b, code]), (slot(b), [a, code ^ 1])];
                let used = if inner { 1 } else { 2 };
                both.into_iter().take(if inner == wanted { used } else { 0 })
            };
            Csr::new(places.len(), ids.len(), of)
        };
        Entries { inner: collect(true), outer: collect(false) }
    }
}

impl Csr {
    fn new<I: Iterator<Item = (usize, [u32; 2])>>(
        rows: usize,
        pairs: usize,
        of: impl Fn(usize) -> I,
    ) -> Self {
        let mut starts = vec![0u32; rows + 1];
        (0..pairs).flat_map(&of).for_each(|(row, _)| starts[row + 1] += 1);
        for k in 0..rows {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut entries = vec![[0; 2]; starts[rows] as usize];
        for (row, entry) in (0..pairs).flat_map(&of) {
            let slot = &mut next[row];
            entries[*slot as usize] = entry;
            *slot += 1;
        }
        Csr { starts, entries }
    }

    fn row(&self, row: usize) -> &[[u32; 2]] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl Sheaf {
    /// Groups rows by their number of pairs; the places of other particles are counted from `origin`.
    fn lay_out(&mut self, csr: &Csr, slots: Range<usize>, origin: u32) {
        let first = slots.start;
        let mut rows: Vec<u32> = (0..slots.len() as u32).collect();
        let length = |row: u32| csr.row(first + row as usize).len();
        rows.retain(|row| length(*row) > 0);
        rows.sort_by_key(|row| std::cmp::Reverse(length(*row)));
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
    motions: &'a [&'a [Six]],
    out: &'a mut [Six],
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let own = self.motions[self.k];
        for ((out, motion), drag) in self.out.iter_mut().zip(own).zip(self.drag) {
            *out = v.store(v.mul(v.load(motion), v.load(drag)));
        }
        act::<S, true>(v, &self.chunk.inner, own, self.motions, self.out);
        act::<S, false>(v, &self.chunk.outer, own, self.motions, self.out);
    }
}

/// Adds the forces of all pairs, eight at once; if `BOTH` others are of the same chunk, and it acts on
/// them as well.
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
