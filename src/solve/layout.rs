//! The pairs laid out for fast sweeps in single precision: rows of particles in groups of sixteen,
//! pairs as structure of arrays (sliced ELLPACK), particles cut into chunks of neighbours.
//!
//! Within a chunk particles have colours, and no two of a colour are a pair, so that Gauss–Seidel
//! sweeps go colour by colour, sixteen particles at once. Chunks are slabs across the domain, of
//! which only neighbours are pairs: every second one comes first, and threads share first these,
//! then the others. Every pair is in the rows of both its particles, one for the sweep from the last
//! colour and slab to the first, one for that back. Since slabs do not depend on the number of
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
    pub levers: [Sixteen; 2],
    /// Squeeze, slide, slide–roll, roll, twist.
    pub resistance: [Sixteen; 5],
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
    /// Where every particle is: chunk times [`PLACES`], plus its place in the chunk.
    places: Vec<u32>,
}

impl Layout {
    /// Whether this is for the pairs of an operator.
    pub fn fits(&self, operator: &Operator) -> bool {
        self.places.len() == operator.drag.len()
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
        let starts = match self.slabs.starts.is_empty() || self.has_others() {
            true => {
                self.places.iter_mut().zip(0..).for_each(|(place, k)| *place = k);
                vec![0, n as u32]
            }
            false => self.slabs.starts.clone(),
        };
        let entries = Entries::new(&self.ids, &self.places, &starts);
        Slots { entries, starts, order: &self.slabs.order }
    }

    /// Places particles slab by slab.
    fn place(&mut self, n: usize) {
        self.places.clear();
        self.places.resize(n, 0);
        for (k, slab) in (0u32..).zip(self.slabs.starts.windows(2)) {
            for slot in slab[0]..slab[1] {
                let particle = particle(&self.slabs.order, slot);
                self.places[particle as usize] = k * PLACES + (slot - slab[0]);
            }
        }
    }

    /// Whether there are pairs between others than neighbouring slabs, or slabs that are too large:
    /// all particles are one chunk then.
    fn has_others(&self) -> bool {
        let chunks = self.slabs.starts.len() as u32 - 1;
        let large = |slab: &[u32]| slab[1] - slab[0] > PLACES;
        let other = |ids: &PairIds| {
            let [a, b] = ids.slots().map(|k| self.places[k] / PLACES);
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
    entries: Entries,
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
        let slots = self.starts[k]..self.starts[k + 1];
        chunk.particles.clear();
        // One chunk has all particles in the order of their ids.
        let order = if self.chunks() > 1 { self.order } else { &[] };
        chunk.particles.extend(slots.clone().map(|slot| particle(order, slot)));
        chunk.lay_out(slots.start as usize..slots.end as usize, &self.entries);
    }
}

/// The particle in a slot.
fn particle(order: &[u32], slot: u32) -> u32 {
    order.get(slot as usize).copied().unwrap_or(slot)
}

/// The pairs of every row.
struct Entries {
    /// With particles of later and of earlier colours.
    later: Csr,
    earlier: Csr,
    /// With those of neighbouring chunks.
    across: Csr,
    /// The colour of every slot.
    colours: Vec<u32>,
}

/// Compressed rows: (place of the other, doubled pair).
struct Csr {
    starts: Vec<u32>,
    entries: Vec<[u32; 2]>,
}

impl Entries {
    fn new(ids: &[PairIds], places: &[u32], starts: &[u32]) -> Self {
        let chunks = starts.len() - 1;
        // One chunk counts its places through.
        let home = |place: u32| if chunks > 1 { split(place) } else { (0, place as usize) };
        let slot = |place: u32| {
            let (chunk, within) = home(place);
            starts[chunk] as usize + within
        };
        // The place of a particle of another chunk, as seen from the first.
        let seen = |from: u32, place: u32| {
            let ([here, there], within) =
                ([from, place].map(|at| home(at).0), home(place).1 as u32);
            if (here + 1) % chunks == there { within + PLACES } else { within }
        };
        let collect = |inner: bool| {
            let of = |pair: usize| {
                let [a, b] = ids[pair].slots().map(|k| places[k]);
                let code = 2 * pair as u32;
                let wanted = (home(a).0 == home(b).0) == inner;
                let [from_a, from_b] = match inner {
                    true => [home(b).1 as u32, home(a).1 as u32],
                    false => [seen(a, b), seen(b, a)],
                };
                let both = [(slot(a), [from_a, code]), (slot(b), [from_b, code + 1])];
                both.into_iter().take(if wanted { 2 } else { 0 })
            };
            Csr::new(places.len(), ids.len(), of)
        };
        let (all, across) = match chunks > 1 {
            true => rayon::join(|| collect(true), || collect(false)),
            false => (collect(true), collect(false)),
        };
        let mut colours = Vec::with_capacity(places.len());
        for chunk in starts.windows(2) {
            all.colour(chunk[0] as usize..chunk[1] as usize, &mut colours);
        }
        // The first row of the chunk that a row is in.
        let first =
            |row: usize| starts[starts.partition_point(|s| *s as usize <= row) - 1] as usize;
        let colour = |row: usize, other: u32| colours[first(row) + other as usize];
        let later = all.kept(|row, other| colour(row, other) > colours[row]);
        let earlier = all.kept(|row, other| colour(row, other) < colours[row]);
        Entries { later, earlier, across, colours }
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

    /// Colours the rows of a chunk, one after the other, each with the first colour that none of its
    /// others has; `colours` are those of the rows before.
    fn colour(&self, chunk: Range<usize>, colours: &mut Vec<u32>) {
        // The last row that met a colour among its others.
        let mut met_by: Vec<usize> = Vec::new();
        for row in chunk.clone() {
            for [other, _] in self.row(row) {
                if let Some(colour) = colours.get(chunk.start + *other as usize) {
                    met_by[*colour as usize] = row;
                }
            }
            let free = met_by.iter().position(|met| *met != row).unwrap_or(met_by.len());
            if free == met_by.len() {
                met_by.push(usize::MAX);
            }
            colours.push(free as u32);
        }
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
    /// Lays out the rows of its particles.
    fn lay_out(&mut self, slots: Range<usize>, entries: &Entries) {
        let colours = &entries.colours[slots.clone()];
        let mut rows: Vec<u32> = (0..slots.len() as u32).collect();
        self.later.lay_out(&entries.later, slots.start, colours, rows.clone());
        self.earlier.lay_out(&entries.earlier, slots.start, colours, rows.clone());
        rows.retain(|row| !entries.across.row(slots.start + *row as usize).is_empty());
        self.across.lay_out(&entries.across, slots.start, &vec![0; slots.len()], rows);
    }
}

impl Sheaf {
    /// Groups rows by their colours and their number of pairs; slots of rows are counted from
    /// `first`.
    fn lay_out(&mut self, csr: &Csr, first: usize, colours: &[u32], mut rows: Vec<u32>) {
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
