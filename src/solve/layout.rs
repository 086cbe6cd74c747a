//! How particles are cut into chunks, and which pairs belong to which row.

use rayon::prelude::*;

use super::rows::{Chunk, PLACES, split};
use crate::balance::Operator;

/// Particles in a chunk, about. Their motions and forces stay in the cache of a core.
const CHUNK: usize = 1024;

/// Below so many particles there is one chunk only, and one thread.
const ALONE: usize = 4096;

/// How particles are cut into chunks, and in which order they are.
#[derive(Default)]
pub struct Layout {
    /// For which pairs and order of particles this is.
    ids: Vec<[u32; 2]>,
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

    /// Lays out the pairs of an operator.
    pub fn chunks(&mut self, operator: &Operator) -> Vec<Chunk> {
        let n = operator.drag.len();
        self.ids.clear();
        self.ids.extend(operator.blocks.iter().map(|block| block.ids));
        self.order.clone_from(&operator.order);
        let count = if n < ALONE { 1 } else { n.div_ceil(CHUNK) };
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
            let particles = slots.clone().map(|slot| particle(slot) as u32).collect();
            Chunk::new(k, particles, slots, [&entries.inner, &entries.outer])
        };
        let chunks = n.div_ceil(size);
        if chunks == 1 {
            vec![lay(0)]
        } else {
            (0..chunks).into_par_iter().with_max_len(1).map(lay).collect()
        }
    }
}

/// The pairs of every row: within its chunk, counted for one of the two; beyond it, for both.
struct Entries {
    inner: Csr,
    outer: Csr,
}

/// Compressed rows: (place of the other, doubled pair).
pub(super) struct Csr {
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

    pub(super) fn row(&self, row: usize) -> &[[u32; 2]] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
