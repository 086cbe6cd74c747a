//! The pairs laid out for fast sweeps in single precision: rows of particles in groups of sixteen,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk particles have colours, and no two of a colour are a pair, so that Gauss–Seidel
//! sweeps go colour by colour, sixteen particles at once. Chunks are slabs across the domain, of
//! which only neighbours are pairs: every second one comes first, and threads share first these,
//! then the others. Every pair is in the rows of both its particles, one for the sweep from the
//! last colour and slab to the first, one for that back. Since slabs do not depend on the number of
//! threads, neither do sums.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

use std::ops::Range;

use super::lanes::{LANES, Sixteen};
use crate::balance::Operator;
use crate::pairs::{Slabs, make_room};
use crate::state::PairIds;

/// Rows in a group.
pub(super) const ROWS: usize = 2 * LANES;

/// No pair in this lane.
pub(super) const NONE: u32 = u32::MAX;

/// Particles in a chunk at most: the chunk and a place within it are encoded in one number.
pub(super) const PLACES: u32 = 1 << 16;

/// The rows of a chunk.
#[derive(Default)]
pub struct Chunk {
    /// Its particles.
    pub particles: Vec<u32>,
    /// Pairs within the chunk, in the row of the particle whose colour comes first.
    pub(super) later: Sheaf,
    /// The same in the row of the other particle.
    pub(super) earlier: Sheaf,
    /// Pairs with particles of the neighbouring chunks.
    pub(super) across: Sheaf,
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
    /// What the motion of the other particle is multiplied by, see [`super::rows::pull`].
    pub factors: [Sixteen; 6],
    /// The place of the other particle: in the chunk, or in the one before or behind it (then the
    /// place there is counted from [`PLACES`] on).
    pub other: [u32; ROWS],
}

/// The chunk and the place in it.
pub fn split(place: u32) -> (usize, usize) {
    ((place / PLACES) as usize, (place % PLACES) as usize)
}

/// How particles are cut into chunks, and in which order they are.
#[derive(Default)]
pub struct Layout {
    /// For which pairs and slabs this is.
    ids: Vec<PairIds>,
    slabs: Slabs,
    /// The slot of every particle: slots go chunk by chunk.
    slots: Vec<u32>,
}

impl Layout {
    /// Whether this is for the pairs of an operator.
    pub fn fits(&self, operator: &Operator) -> bool {
        self.slots.len() == operator.drag.len()
            && self.slabs == operator.slabs
            && self.ids.len() == operator.blocks.len()
            && self.ids.iter().zip(&operator.blocks).all(|(ids, block)| *ids == block.ids)
    }

    /// Sorts the pairs of an operator into rows.
    pub fn lay_out(&mut self, operator: &Operator) -> Slots<'_> {
        let n = operator.drag.len();
        self.ids.clear();
        self.ids.extend(operator.blocks.iter().map(|block| block.ids));
        self.slabs.clone_from(&operator.slabs);
        self.place(n);
        let mut starts = self.slabs.starts.clone();
        if self.slabs.starts.is_empty() || self.has_others() {
            self.slots.iter_mut().zip(0..).for_each(|(slot, k)| *slot = k);
            starts = vec![0, n as u32];
        } else {
            // From places to slots.
            let slot = |place: u32| starts[(place / PLACES) as usize] + place % PLACES;
            self.slots.iter_mut().for_each(|place| *place = slot(*place));
        }
        Slots { rows: Csr::new(&self.ids, &self.slots), starts, order: &self.slabs.order }
    }

    /// Places particles slab by slab: slab times [`PLACES`], plus the place in it.
    fn place(&mut self, n: usize) {
        self.slots.clear();
        self.slots.resize(n, 0);
        for (k, slab) in (0u32..).zip(self.slabs.starts.windows(2)) {
            for slot in slab[0]..slab[1] {
                let particle = particle(&self.slabs.order, slot);
                self.slots[particle as usize] = k * PLACES + (slot - slab[0]);
            }
        }
    }

    /// Whether there are pairs between others than neighbouring slabs, or slabs that are too large:
    /// all particles are one chunk then.
    fn has_others(&self) -> bool {
        let chunks = self.slabs.starts.len() as u32 - 1;
        let large = |slab: &[u32]| slab[1] - slab[0] > PLACES;
        let other = |ids: &PairIds| {
            let [a, b] = ids.slots().map(|k| self.slots[k] / PLACES);
            let apart = a.abs_diff(b);
            apart > 1 && apart + 1 != chunks
        };
        self.slabs.starts.windows(2).any(large) || self.ids.iter().any(other)
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
    rows: Csr,
    /// Where the slots of every chunk begin, and where the last ends.
    starts: Vec<u32>,
    order: &'a [u32],
}

impl Slots<'_> {
    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.starts.len() - 1
    }

    /// Lays out a chunk.
    pub fn fill(&self, k: usize, chunk: &mut Chunk) {
        let (first, end) = (self.starts[k], self.starts[k + 1]);
        chunk.particles.clear();
        // One chunk has all particles in the order of their ids.
        let order = if self.chunks() > 1 { self.order } else { &[] };
        chunk.particles.extend((first..end).map(|slot| particle(order, slot)));
        let next = (k + 1) % self.chunks();
        let behind = self.starts[next]..self.starts[next + 1];
        let colours = self.rows.colours(first..end);
        let room = || Csr::with_room((end - first) as usize, self.rows.entries_of(first..end));
        let [mut later, mut earlier, mut across] = [room(), room(), room()];
        for row in first..end {
            let own = colours[(row - first) as usize];
            for &[other, code] in self.rows.row(row) {
                if (first..end).contains(&other) {
                    let place = other - first;
                    let to = if colours[place as usize] > own { &mut later } else { &mut earlier };
                    to.entries.push([place, code]);
                } else if behind.contains(&other) {
                    across.entries.push([other - behind.start + PLACES, code]);
                } else {
                    let before = self.starts[(k + self.chunks() - 1) % self.chunks()];
                    across.entries.push([other - before, code]);
                }
            }
            [&mut later, &mut earlier, &mut across].into_iter().for_each(Csr::end_row);
        }
        chunk.later.lay_out(&later, &colours);
        chunk.earlier.lay_out(&earlier, &colours);
        chunk.across.lay_out(&across, &[]);
    }
}

/// The particle in a slot.
fn particle(order: &[u32], slot: u32) -> u32 {
    order.get(slot as usize).copied().unwrap_or(slot)
}

/// Compressed rows: (slot or place of the other, doubled pair; odd where the row is that of j).
struct Csr {
    starts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

impl Csr {
    /// All pairs in the rows of both particles, given the slots of particles.
    fn new(ids: &[PairIds], slots: &[u32]) -> Self {
        let mut starts = vec![0u32; slots.len() + 1];
        let both = |ids: &PairIds| ids.slots().map(|k| slots[k]);
        for slot in ids.iter().flat_map(both) {
            starts[slot as usize + 1] += 1;
        }
        for k in 0..slots.len() {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut entries = vec![[0; 2]; 2 * ids.len()];
        for (pair, [a, b]) in (0u32..).zip(ids.iter().map(both)) {
            for (row, entry) in [(a, [b, 2 * pair]), (b, [a, 2 * pair + 1])] {
                let slot = &mut next[row as usize];
                entries[*slot as usize] = entry;
                *slot += 1;
            }
        }
        Csr { starts, entries }
    }

    /// No rows yet, and room for so many rows and entries.
    fn with_room(rows: usize, entries: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Csr { starts, entries: Vec::with_capacity(entries) }
    }

    /// How many entries some rows have.
    fn entries_of(&self, rows: Range<u32>) -> usize {
        (self.starts[rows.end as usize] - self.starts[rows.start as usize]) as usize
    }

    /// Ends the row to which entries were added.
    fn end_row(&mut self) {
        self.starts.push(self.entries.len() as u32);
    }

    fn row(&self, row: u32) -> &[[u32; 2]] {
        &self.entries[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }

    /// Colours some rows, one after the other, each with the first colour that none of its others
    /// among them has.
    fn colours(&self, rows: Range<u32>) -> Vec<u32> {
        let mut colours = Vec::with_capacity(rows.len());
        // The last row that met a colour among its others.
        let mut met_by: Vec<u32> = Vec::new();
        for row in rows.clone() {
            for [other, _] in self.row(row) {
                // Those before the first have none here, nor have those behind.
                let place = other.wrapping_sub(rows.start) as usize;
                if let Some(colour) = colours.get(place) {
                    met_by[*colour as usize] = row;
                }
            }
            let free = met_by.iter().position(|met| *met != row).unwrap_or(met_by.len());
            if free == met_by.len() {
                met_by.push(u32::MAX);
            }
            colours.push(free as u32);
        }
        colours
    }
}

impl Sheaf {
    /// Groups rows by their colours and their number of pairs. Without colours, rows that have none
    /// are left out.
    fn lay_out(&mut self, csr: &Csr, colours: &[u32]) {
        self.groups.clear();
        self.slices.clear();
        self.pairs.clear();
        let length = |row: u32| csr.row(row).len();
        let colour = |row: &u32| colours.get(*row as usize).copied().unwrap_or(0);
        let mut rows: Vec<u32> = (0..csr.starts.len() as u32 - 1).collect();
        if colours.is_empty() {
            rows.retain(|row| length(*row) > 0);
        }
        rows.sort_by_cached_key(|row| (colour(row), std::cmp::Reverse(length(*row) as u32)));
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
                    if let Some([other, code]) = csr.row(group.rows[lane]).get(s)
                        && lane < members.len()
                    {
                        slice.other[lane] = *other;
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
