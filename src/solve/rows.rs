//! The pairs laid out for fast products in single precision: rows of particles in groups of eight,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk every pair is met once and acts on both particles; a pair between two chunks is
//! met by both, each for its own particle. Chunks write to no other's particles, so threads may
//! share them, and since chunks depend on the number of particles only, sums do not depend on the
//! number of threads.

use rayon::prelude::*;

use super::lanes::{Eight, LANES, Lanes, Work, vectorised};
use crate::balance::{Operator, PairBlock};

/// Six numbers of a particle, and two zeros.
pub type Six = Eight;

/// Particles in a chunk, about. Their motions and forces stay in the cache of a core.
const CHUNK: usize = 2048;

/// No pair in this lane.
const NONE: u32 = u32::MAX;

/// The rows of all particles.
#[derive(Default)]
pub struct Rows {
    /// For which pairs and order of particles this is.
    ids: Vec<[u32; 2]>,
    order: Vec<u32>,
    /// Where every particle is in the vectors.
    slots: Vec<u32>,
    /// Particles in a chunk; the last may have fewer.
    pub chunk: usize,
    chunks: Vec<Chunk>,
}

/// The rows of a chunk.
#[derive(Default)]
struct Chunk {
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
    /// The other particle: counted from the first of the chunk (inner), or of all (outer).
    other: [u32; LANES],
}

impl Rows {
    /// Takes up the pairs of an operator; what depends on ids only is kept where they have not
    /// changed.
    pub fn take_up(&mut self, operator: &Operator) {
        let known = self.slots.len() == operator.drag.len()
            && self.order == operator.order
            && self.ids.len() == operator.blocks.len()
            && self.ids.iter().zip(&operator.blocks).all(|(ids, block)| *ids == block.ids);
        if !known {
            self.lay_out(operator);
        }
        let fill = |chunk: &mut Chunk| {
            chunk.inner.fill(&operator.blocks);
            chunk.outer.fill(&operator.blocks);
        };
        match &mut self.chunks[..] {
            [only] => fill(only),
            several => several.par_iter_mut().with_max_len(1).for_each(fill),
        }
    }

    /// Where every particle is in the vectors.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Bytes that a product moves: pairs, and motions and forces once.
    pub fn bytes(&self) -> usize {
        let slices = |s: &Sheaf| size_of_val(&s.slices[..]) + size_of_val(&s.groups[..]);
        let pairs: usize = self.chunks.iter().map(|c| slices(&c.inner) + slices(&c.outer)).sum();
        pairs + 4 * self.slots.len() * size_of::<Six>()
    }

    fn lay_out(&mut self, operator: &Operator) {
        let n = operator.drag.len();
        self.ids.clear();
        self.ids.extend(operator.blocks.iter().map(|block| block.ids));
        self.order.clone_from(&operator.order);
        self.slots.clear();
        self.slots.extend(0..n as u32);
        for (slot, &particle) in self.order.iter().enumerate() {
            self.slots[particle as usize] = slot as u32;
        }
        let count = if n < 2 * CHUNK { 1 } else { n.div_ceil(CHUNK) };
        self.chunk = n.div_ceil(count).max(1);
        let entries = Entries::new(&self.ids, &self.slots, self.chunk);
        self.chunks.resize_with(n.div_ceil(self.chunk), Chunk::default);
        let lay = |(k, chunk): (usize, &mut Chunk)| {
            let first = k * self.chunk;
            let len = self.chunk.min(n - first);
            chunk.inner.lay_out(&entries.inner, first, len, first);
            chunk.outer.lay_out(&entries.outer, first, len, 0);
        };
        match &mut self.chunks[..] {
            [only] => lay((0, only)),
            several => several.par_iter_mut().enumerate().with_max_len(1).for_each(lay),
        }
    }

    /// \\(\mathsf R\mathbf U\\) for chunk `k`: drag, and the pairs.
    pub fn product(&self, k: usize, drag: &[Six], motions: &[Six], out: &mut [Six]) {
        let first = k * self.chunk;
        let own = first..first + out.len();
        vectorised(Product {
            chunk: &self.chunks[k],
            drag: &drag[own.clone()],
            own: &motions[own],
            all: motions,
            out,
        });
    }

    /// Calls `see` with the pair and the side of the chunk's particle for every pair within chunk
    /// `k` (with the other particle of the chunk), or between it and others (without).
    pub fn visit(&self, k: usize, mut see: impl FnMut(usize, usize, usize, Option<usize>)) {
        let Chunk { inner, outer } = &self.chunks[k];
        for (sheaf, is_inner) in [(inner, true), (outer, false)] {
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

/// Compressed rows: (other slot, doubled pair).
struct Csr {
    starts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

impl Entries {
    fn new(ids: &[[u32; 2]], slots: &[u32], chunk: usize) -> Self {
        let sorted = |pair: usize| {
            let [a, b] = ids[pair].map(|k| slots[k as usize]);
            let code = 2 * pair as u32;
            let inner = a as usize / chunk == b as usize / chunk;
            (inner, if a < b { [a, b, code] } else { [b, a, code + 1] })
        };
        let collect = |wanted: bool| {
            let of = |pair: usize| {
                let (inner, [a, b, code]) = sorted(pair);
                let both = [(a, [b, code]), (b, [a, code ^ 1])];
                let used = if inner { 1 } else { 2 };
                both.into_iter().take(if inner == wanted { used } else { 0 })
            };
            Csr::new(slots.len(), ids.len(), of)
        };
        Entries { inner: collect(true), outer: collect(false) }
    }
}

impl Csr {
    fn new<I: Iterator<Item = (u32, [u32; 2])>>(
        rows: usize,
        pairs: usize,
        of: impl Fn(usize) -> I,
    ) -> Self {
        let mut starts = vec![0u32; rows + 1];
        (0..pairs).flat_map(&of).for_each(|(row, _)| starts[row as usize + 1] += 1);
        for k in 0..rows {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut entries = vec![[0; 2]; starts[rows] as usize];
        for (row, entry) in (0..pairs).flat_map(&of) {
            let slot = &mut next[row as usize];
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
    /// Groups rows by their number of pairs; other particles are counted from `origin`.
    fn lay_out(&mut self, csr: &Csr, first: usize, len: usize, origin: usize) {
        self.groups.clear();
        self.slices.clear();
        self.pairs.clear();
        let mut rows: Vec<u32> = (0..len as u32).collect();
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
                    slice.other[lane] = (first + row - origin) as u32;
                    if let Some([other, code]) = csr.row(first + row).get(s)
                        && lane < members.len()
                    {
                        slice.other[lane] = *other - origin as u32;
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
    own: &'a [Six],
    all: &'a [Six],
    out: &'a mut [Six],
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        for ((out, motion), drag) in self.out.iter_mut().zip(self.own).zip(self.drag) {
            *out = v.store(v.mul(v.load(motion), v.load(drag)));
        }
        act::<S, true>(v, &self.chunk.inner, [self.own, self.own], self.out);
        act::<S, false>(v, &self.chunk.outer, [self.own, self.all], self.out);
    }
}

/// Adds the forces of all pairs, eight at once; on the other particles as well if `BOTH`.
#[inline(always)]
fn act<S: Lanes, const BOTH: bool>(
    v: S,
    sheaf: &Sheaf,
    [own, others]: [&[Six]; 2],
    out: &mut [Six],
) {
    let zero = v.splat(0.0);
    for group in &sheaf.groups {
        let mine = gather(v, own, &group.rows);
        let (mut force, mut torque) = ([zero; 3], [zero; 3]);
        let [start, len] = group.slices.map(|x| x as usize);
        for slice in &sheaf.slices[start..start + len] {
            let theirs = gather(v, others, &slice.other);
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
