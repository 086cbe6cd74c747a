//! The pairs laid out for fast sweeps in single precision: rows of particles in groups of sixteen,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk particles have colours, and no two of a colour are a pair, so that Gauss–Seidel
//! sweeps go colour by colour, sixteen particles at once. Every pair is in the rows of both its
//! particles, one for the sweep from the last colour to the first, one for that back. A pair between
//! two chunks is met by both, each for its own particle.
//! Chunks write to no other's particles, so threads may share them, and since chunks do not depend
//! on the number of threads, neither do sums.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use std::ops::Range;

use super::lanes::{LANES, Sixteen};
use crate::balance::Operator;
use crate::pairs::make_room;
use crate::state::PairIds;

/// Particles in a chunk, about. Their velocities and forces stay in the cache of a core.
const CHUNK: usize = 1024;

/// Below so many particles there is one chunk only, and one thread.
const FEWEST_SHARED: usize = 4096;

/// Rows in a group.
pub(super) const ROWS: usize = 2 * LANES;

/// No pair in this lane.
pub(super) const NONE: u32 = u32::MAX;

/// Particles in a chunk at most: two chunks and a place within one are encoded in one number.
pub(super) const PLACES: u32 = 4096;

/// The rows of a chunk.
#[derive(Default)]
pub struct Chunk {
    /// Its particles.
    pub particles: Vec<u32>,
    /// Pairs within the chunk, in the row of the particle whose colour comes first.
    pub(super) later: Sheaf,
    /// The same in the row of the other particle.
    pub(super) earlier: Sheaf,
    /// Pairs with particles of other chunks.
    pub(super) outer: Sheaf,
}

/// Rows with their pairs.
#[derive(Default)]
pub(super) struct Sheaf {
    pub groups: Vec<Group>,
    pub slices: Vec<Slice>,
    /// The pair in every lane of every slice, doubled; odd where the row is that of j.
    pub pairs: Vec<[u32; ROWS]>,
}

/// Up to sixteen rows of one colour with about the same number of pairs, those with most first.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    /// Particles, counted from the first of the chunk.
    pub rows: [u32; ROWS],
    /// How many there are; further lanes repeat the first, without pairs.
    pub count: u32,
    /// Its first slice.
    pub start: u32,
    /// In how many slices the first half of the rows have pairs, and the second.
    pub lengths: [u32; 2],
}

/// One pair of each of sixteen rows.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct Slice {
    pub normal: [Sixteen; 3],
    pub levers: [Sixteen; 2],
    /// Squeeze, slide, slide–roll, roll, twist.
    pub resistance: [Sixteen; 5],
    /// The place of the other particle: in the chunk (inner), or among all (outer).
    pub other: [u32; ROWS],
}

/// The chunk and the place in it.
pub fn split(place: u32) -> (usize, usize) {
    ((place / PLACES) as usize, (place % PLACES) as usize)
}

/// How particles are cut into chunks, and in which order they are.
#[derive(Default)]
pub struct Layout {
    /// For which pairs and order of particles this is.
    ids: Vec<PairIds>,
    order: Vec<u32>,
    /// Where every particle is: chunk times [`PLACES`], plus its place in the chunk.
    places: Vec<u32>,
}

impl Layout {
    /// Whether this is for the pairs of an operator.
    pub fn fits(&self, operator: &Operator) -> bool {
        self.places.len() == operator.drag.len()
            && self.order == operator.order
            && self.ids.len() == operator.blocks.len()
            && self.ids.iter().zip(&operator.blocks).all(|(ids, block)| *ids == block.ids)
    }

    /// Sorts the pairs of an operator into rows.
    pub fn lay_out(&mut self, operator: &Operator) -> Slots<'_> {
        let n = operator.drag.len();
        self.ids.clear();
        self.ids.extend(operator.blocks.iter().map(|block| block.ids));
        self.order.clone_from(&operator.order);
        let count = if n < FEWEST_SHARED { 1 } else { n.div_ceil(CHUNK) };
        let size = n.div_ceil(count).max(1);
        self.places.clear();
        self.places.resize(n, 0);
        for slot in 0..n {
            self.places[particle(&self.order, slot) as usize] =
                (slot / size) as u32 * PLACES + (slot % size) as u32;
        }
        Slots { entries: Entries::new(&self.ids, &self.places, size), size, order: &self.order, n }
    }

    /// All chunks of an operator.
    pub fn chunks(&mut self, operator: &Operator) -> Vec<Chunk> {
        let slots = self.lay_out(operator);
        let mut chunks = Vec::new();
        chunks.resize_with(slots.chunks(), Chunk::default);
        chunks.iter_mut().enumerate().for_each(|(k, chunk)| slots.fill(k, chunk));
        chunks
    }
}

/// The rows of all chunks: slots of particles one after another, and their pairs.
pub struct Slots<'a> {
    entries: Entries,
    /// Slots of a chunk.
    size: usize,
    order: &'a [u32],
    /// All slots.
    n: usize,
}

impl Slots<'_> {
    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.n.div_ceil(self.size)
    }

    /// Lays out a chunk.
    pub fn fill(&self, k: usize, chunk: &mut Chunk) {
        let slots = k * self.size..self.n.min((k + 1) * self.size);
        chunk.particles.clear();
        chunk.particles.extend(slots.clone().map(|slot| particle(self.order, slot)));
        chunk.lay_out(k, slots, &self.entries);
    }
}

/// The particle in a slot.
fn particle(order: &[u32], slot: usize) -> u32 {
    order.get(slot).copied().unwrap_or(slot as u32)
}

/// The pairs of every row.
struct Entries {
    /// With particles of later and of earlier colours.
    later: Csr,
    earlier: Csr,
    outer: Csr,
    /// The colour of every slot.
    colours: Vec<u32>,
}

/// Compressed rows: (place of the other, doubled pair).
struct Csr {
    starts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

impl Entries {
    fn new(ids: &[PairIds], places: &[u32], size: usize) -> Self {
        let slot = |place: u32| {
            let (chunk, within) = split(place);
            chunk * size + within
        };
        let collect = |inner: bool| {
            let of = |pair: usize| {
                let [a, b] = ids[pair].slots().map(|k| places[k]);
                let code = 2 * pair as u32;
                let wanted = (a / PLACES == b / PLACES) == inner;
                let both = [(slot(a), [b, code]), (slot(b), [a, code + 1])];
                both.into_iter().take(if wanted { 2 } else { 0 })
            };
            Csr::new(places.len(), ids.len(), of)
        };
        let several = places.len() > size;
        let (all, outer) = match several {
            true => rayon::join(|| collect(true), || collect(false)),
            false => (collect(true), collect(false)),
        };
        let colours = all.colours(slot);
        let later = all.kept(|row, other| colours[slot(other)] > colours[row]);
        let earlier = all.kept(|row, other| colours[slot(other)] < colours[row]);
        Entries { later, earlier, outer, colours }
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

    /// Colours the rows, one after the other, each with the first colour that none of its others
    /// has; `slot` is the row of a place.
    fn colours(&self, slot: impl Fn(u32) -> usize) -> Vec<u32> {
        const UNKNOWN: u32 = u32::MAX;
        let mut colours = vec![UNKNOWN; self.starts.len() - 1];
        // The last row that met a colour among its others.
        let mut met_by: Vec<usize> = Vec::new();
        for row in 0..colours.len() {
            for [other, _] in self.row(row) {
                let colour = colours[slot(*other)];
                if colour != UNKNOWN {
                    met_by[colour as usize] = row;
                }
            }
            let free = met_by.iter().position(|met| *met != row).unwrap_or(met_by.len());
            if free == met_by.len() {
                met_by.push(UNKNOWN as usize);
            }
            colours[row] = free as u32;
        }
        colours
    }

    /// The entries that are wanted, given their row and the place of the other.
    fn kept(&self, wanted: impl Fn(usize, u32) -> bool) -> Csr {
        let mut kept = Csr { starts: vec![0], entries: Vec::with_capacity(self.entries.len() / 2) };
        for row in 0..self.starts.len() - 1 {
            kept.entries.extend(self.row(row).iter().filter(|[other, _]| wanted(row, *other)));
            kept.starts.push(kept.entries.len() as u32);
        }
        kept
    }

    fn row(&self, row: usize) -> &[[u32; 2]] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl Chunk {
    /// Lays out the rows of its particles, the chunk being number `k`.
    fn lay_out(&mut self, k: usize, slots: Range<usize>, entries: &Entries) {
        let colours = &entries.colours[slots.clone()];
        let mut rows: Vec<u32> = (0..slots.len() as u32).collect();
        let places = (slots.start, k as u32 * PLACES);
        self.later.lay_out(&entries.later, places, colours, rows.clone());
        self.earlier.lay_out(&entries.earlier, places, colours, rows.clone());
        rows.retain(|row| !entries.outer.row(slots.start + *row as usize).is_empty());
        self.outer.lay_out(&entries.outer, (slots.start, 0), &vec![0; slots.len()], rows);
    }
}

impl Sheaf {
    /// Groups rows by their colours and their number of pairs; slots of rows are counted from
    /// `first`, places of other particles from `origin`.
    fn lay_out(
        &mut self,
        csr: &Csr,
        (first, origin): (usize, u32),
        colours: &[u32],
        mut rows: Vec<u32>,
    ) {
        self.groups.clear();
        self.slices.clear();
        self.pairs.clear();
        let length = |row: u32| csr.row(first + row as usize).len();
        let colour = |row: &u32| colours[*row as usize];
        rows.sort_by_key(|row| (colour(row), std::cmp::Reverse(length(*row))));
        let groups =
            || rows.chunk_by(|a, b| colour(a) == colour(b)).flat_map(|rows| rows.chunks(ROWS));
        let slices = groups().map(|members| length(members[0])).sum();
        make_room(&mut self.slices, slices);
        make_room(&mut self.pairs, slices);
        for members in groups() {
            let count = members.len() as u32;
            let mut group = Group { rows: [members[0]; ROWS], count, ..Group::default() };
            group.rows[..members.len()].copy_from_slice(members);
            let longest = length(members[0]);
            group.start = self.slices.len() as u32;
            let second = members.get(LANES).map_or(0, |row| length(*row));
            group.lengths = [longest as u32, second as u32];
            for s in 0..longest {
                let mut slice = Slice::default();
                let mut pairs = [NONE; ROWS];
                for lane in 0..ROWS {
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
}
