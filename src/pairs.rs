//! Which particles are close: a cell list with a skin, and the pairs of one step.
//!
//! The list holds every pair that may come within range while the particles move less than the
//! skin. The pairs of a step are picked from it by the state alone, in ascending order of ids, so
//! results do not depend on when the list was last built.

mod slabs;

use nalgebra::{Matrix3, Vector3};

pub use slabs::Slabs;

use crate::cell::{Cell, Images};
use crate::state::{PairIds, Suspension};

/// Candidates that are looked at together: whether one is near is hard to predict, so that it pays
/// to list the near ones without asking.
const BATCH: usize = 64;

/// Candidate pairs, kept while the particles move less than the skin.
#[derive(Debug, Default)]
pub struct NeighbourList {
    pairs: Vec<PairIds>,
    /// Displacement of every particle relative to the flow since the list was built `[a]`.
    drift: Vec<Vector3<f64>>,
    /// The share of their distance by which the flow may have brought two particles together since
    /// the list was built, to first order.
    closed: f64,
    range: f64,
    skin: f64,
    /// How often the list was built.
    pub builds: u64,
}

/// A pair at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub struct ActivePair {
    /// Who the two are.
    pub ids: PairIds,
    /// The radii \\(a_i, a_j\\) `[a]`.
    pub radii: [f64; 2],
    /// Vector from i to j `[a]`.
    pub separation: Vector3<f64>,
    /// Gap h `[a]`.
    pub gap: f64,
}

impl ActivePair {
    /// Two particles at their nearest images.
    pub fn of(state: &Suspension, ids: PairIds) -> Self {
        let [i, j] = ids.slots();
        let (x, y) = (&state.positions[i], &state.positions[j]);
        let separation = state.cell.images(&state.clock).separation(x, y);
        let radii = [state.radii[i], state.radii[j]];
        ActivePair { ids, radii, separation, gap: separation.norm() - (radii[0] + radii[1]) }
    }
}

impl NeighbourList {
    /// A list for pairs whose gap is at most `range`, rebuilt after displacements of about `skin`
    /// `[a]`.
    pub fn new(range: f64, skin: f64) -> Self {
        NeighbourList { range, skin, ..NeighbourList::default() }
    }

    /// The gap up to which pairs are found `[a]`.
    pub fn range(&self) -> f64 {
        self.range
    }

    /// The pairs that may come within range, listed when the list was built.
    pub fn candidates(&self) -> &[PairIds] {
        &self.pairs
    }

    /// The pairs with a gap below the range, in ascending order of ids.
    pub fn active(&mut self, state: &Suspension, pairs: &mut Vec<ActivePair>) {
        let range = self.range;
        self.active_within(state, |_, _| range, pairs);
    }

    /// The pairs with a gap below one of their own, at most the range, in ascending order of ids.
    pub fn active_within(
        &mut self,
        state: &Suspension,
        within: impl Fn(usize, usize) -> f64,
        pairs: &mut Vec<ActivePair>,
    ) {
        if self.is_stale(state) {
            self.build(state);
        }
        let images = state.cell.images(&state.clock);
        pairs.clear();
        // About as many as there are within the range, without the skin.
        make_room(pairs, self.pairs.len() / 2);
        let (mut separations, mut squares) = ([Vector3::zeros(); BATCH], [0.0; BATCH]);
        for candidates in self.pairs.chunks(BATCH) {
            let (mut near, mut count) = ([0; BATCH], 0);
            for (k, ids) in candidates.iter().enumerate() {
                let [i, j] = ids.slots();
                let separation = images.separation(&state.positions[i], &state.positions[j]);
                let reach = state.radii[i] + state.radii[j] + within(i, j);
                (separations[k], squares[k]) = (separation, separation.norm_squared());
                near[count] = k;
                count += usize::from(squares[k] < reach * reach);
            }
            make_room(pairs, pairs.len() + count);
            pairs.extend(near[..count].iter().map(|&k| {
                let ids = candidates[k];
                let radii = ids.slots().map(|id| state.radii[id]);
                let gap = squares[k].sqrt() - (radii[0] + radii[1]);
                ActivePair { ids, radii, separation: separations[k], gap }
            }));
        }
    }

    /// Tells the list how far the particles moved relative to the flow, and by which share of their
    /// distance the flow may have brought two of them together.
    pub fn moved(&mut self, displacements: impl Iterator<Item = Vector3<f64>>, closed: f64) {
        for (drift, d) in self.drift.iter_mut().zip(displacements) {
            *drift += d;
        }
        self.closed += closed.abs();
    }

    fn is_stale(&self, state: &Suspension) -> bool {
        if self.drift.len() != state.len() {
            return true;
        }
        let farthest = self.drift.iter().map(|d| d.norm_squared()).fold(0.0, f64::max).sqrt();
        let reach = 2.0 * state.largest_radius() + self.range + self.skin;
        // Second-order terms, of both, are less than the share of the skin that is counted here.
        2.0 * farthest + self.closed * reach > self.skin
    }

    fn build(&mut self, state: &Suspension) {
        self.builds += 1;
        self.drift.clear();
        self.drift.resize(state.len(), Vector3::zeros());
        self.closed = 0.0;
        self.pairs.clear();
        let reach = 2.0 * state.largest_radius() + self.range + self.skin;
        let images = state.cell.images(&state.clock);
        let mut batch = Vec::with_capacity(BATCH);
        visit(state, reach, |i, j| {
            batch.push(PairIds::particles(i.min(j) as u32, i.max(j) as u32));
            if batch.len() == BATCH {
                self.consider(state, &images, &batch);
                batch.clear();
            }
        });
        self.consider(state, &images, &batch);
        self.pairs.sort_unstable();
    }

    /// Lists those of at most a batch of pairs that may come within range.
    fn consider(&mut self, state: &Suspension, images: &Images, batch: &[PairIds]) {
        let (mut near, mut count) = ([PairIds::default(); BATCH], 0);
        for ids in batch {
            let [i, j] = ids.slots();
            let d = images.separation(&state.positions[i], &state.positions[j]);
            let reach = state.radii[i] + state.radii[j] + self.range + self.skin;
            near[count] = *ids;
            count += usize::from(d.norm_squared() < reach * reach);
        }
        self.pairs.extend_from_slice(&near[..count]);
    }
}

/// Calls `f` once for every pair whose centres are closer than `reach`, and for some others `[a]`.
pub fn visit(state: &Suspension, reach: f64, mut f: impl FnMut(usize, usize)) {
    match Bins::new(state, reach) {
        Some(bins) => bins.visit(f),
        None => (0..state.len()).for_each(|i| (i + 1..state.len()).for_each(|j| f(i, j))),
    }
}

/// Makes room for so many items, and a few more: a vector that grows by itself doubles.
pub fn make_room<T>(items: &mut Vec<T>, count: usize) {
    if items.capacity() < count {
        items.reserve_exact(count + count / 16 - items.len());
    }
}

/// Particles sorted into the cells of a grid that is sheared with the box.
struct Bins {
    counts: [usize; 3],
    /// Along which edges the domain repeats.
    periodic: [bool; 3],
    /// Start of every cell in `members`.
    starts: Vec<usize>,
    members: Vec<usize>,
}

impl Bins {
    /// `None` when the domain is too small for cells, or there are too few particles to care.
    fn new(state: &Suspension, reach: f64) -> Option<Self> {
        if state.len() < 64 {
            return None;
        }
        let (fractions, widths, periodic) = fractional_positions(state);
        let counts = [0, 1, 2].map(|k| {
            let most = (2.0 * (state.len() as f64).cbrt()).ceil().max(1.0);
            (widths[k] / reach).floor().clamp(1.0, most) as usize
        });
        // With fewer cells than three a cell would meet the same neighbour twice.
        if (0..3).any(|k| periodic[k] && counts[k] < 3) || counts == [1; 3] {
            return None;
        }
        let cells: Vec<usize> = fractions
            .iter()
            .map(|f| {
                let [x, y, z] =
                    [0, 1, 2].map(|k| ((f[k] * counts[k] as f64) as usize).min(counts[k] - 1));
                (x * counts[1] + y) * counts[2] + z
            })
            .collect();
        let mut starts = vec![0; counts.iter().product::<usize>() + 1];
        for &c in &cells {
            starts[c + 1] += 1;
        }
        for c in 1..starts.len() {
            starts[c] += starts[c - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; cells.len()];
        for (i, &c) in cells.iter().enumerate() {
            members[next[c]] = i;
            next[c] += 1;
        }
        Some(Bins { counts, periodic, starts, members })
    }

    fn cell(&self, c: usize) -> &[usize] {
        &self.members[self.starts[c]..self.starts[c + 1]]
    }

    /// Calls `f` once for every pair in the same or in adjacent cells.
    fn visit(&self, mut f: impl FnMut(usize, usize)) {
        let [nx, ny, nz] = self.counts;
        for (x, y, z) in
            (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| (x, y, z))))
        {
            let here = (x * ny + y) * nz + z;
            let own = self.cell(here);
            for (k, &i) in own.iter().enumerate() {
                own[k + 1..].iter().for_each(|&j| f(i, j));
            }
            for step in FORWARD {
                if let Some(there) = self.neighbour([x, y, z], step) {
                    for &i in own {
                        self.cell(there).iter().for_each(|&j| f(i, j));
                    }
                }
            }
        }
    }

    fn neighbour(&self, at: [usize; 3], step: [isize; 3]) -> Option<usize> {
        let mut index = 0;
        for k in 0..3 {
            let n = self.counts[k] as isize;
            let mut c = at[k] as isize + step[k];
            if c < 0 || c >= n {
                if !self.periodic[k] {
                    return None;
                }
                c = c.rem_euclid(n);
            }
            index = index * self.counts[k] + c as usize;
        }
        Some(index)
    }
}

/// Half of the 26 neighbours of a cell.
const FORWARD: [[isize; 3]; 13] = [
    [0, 0, 1],
    [0, 1, -1],
    [0, 1, 0],
    [0, 1, 1],
    [1, -1, -1],
    [1, -1, 0],
    [1, -1, 1],
    [1, 0, -1],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, -1],
    [1, 1, 0],
    [1, 1, 1],
];

/// Positions as fractions of the tilted box (or of the bounding box in open space), the
/// perpendicular widths of that box, and along which edges it repeats.
fn fractional_positions(state: &Suspension) -> (Vec<Vector3<f64>>, Vector3<f64>, [bool; 3]) {
    let edges = state.cell.images(&state.clock).vectors();
    match edges.and_then(|edges| Matrix3::from_columns(&edges).try_inverse()) {
        Some(inverse) => {
            let fractions = state.positions.iter().map(|p| (inverse * p).map(|f| f - f.floor()));
            let widths = Vector3::from_fn(|k, _| 1.0 / inverse.row(k).norm());
            let layer = matches!(state.cell, Cell::Periodic { layer: true, .. });
            (fractions.collect(), widths, [true, true, !layer])
        }
        None => {
            let low = state.positions.iter().fold(state.positions[0], |m, p| m.inf(p));
            let high = state.positions.iter().fold(state.positions[0], |m, p| m.sup(p));
            let size = (high - low).map(|w| w.max(f64::MIN_POSITIVE));
            let fractions = state.positions.iter().map(|p| (p - low).component_div(&size));
            (fractions.collect(), size, [false; 3])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;
    use rand::{RngExt, SeedableRng};

    fn random(count: usize, cell: Cell, strain: f64) -> Suspension {
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
        let positions =
            (0..count).map(|_| Vector3::from_fn(|_, _| 16.0 * rng.random::<f64>())).collect();
        let radii = (0..count).map(|i| if i % 3 == 0 { 1.4 } else { 1.0 }).collect();
        let mut state = Suspension::new(radii, positions, cell);
        state.clock.strain = strain;
        state
    }

    #[test]
    fn cells_find_what_all_pairs_find() {
        let stretched = Cell::Stretched { length: 16.0, depth: 15.0 };
        for cell in [Cell::Open, Cell::periodic(Vector3::new(16.0, 15.0, 18.0)), stretched] {
            for strain in [0.0, 0.3, 0.49, 7.77] {
                let state = random(300, cell, strain);
                let mut list = NeighbourList::new(0.5, 0.4);
                let mut found = Vec::new();
                list.active(&state, &mut found);
                let ids: Vec<_> = found.iter().map(|p| p.ids).collect();
                let mut expected = Vec::new();
                for i in 0..state.len() {
                    for j in i + 1..state.len() {
                        let images = cell.images(&state.clock);
                        let d = images.separation(&state.positions[i], &state.positions[j]);
                        if d.norm() < state.radii[i] + state.radii[j] + 0.5 {
                            expected.push(PairIds::particles(i as u32, j as u32));
                        }
                    }
                }
                assert_eq!(ids, expected);
                assert!(expected.len() > 100);
            }
        }
    }

    #[test]
    fn the_list_is_kept_while_particles_stay_and_renewed_when_they_move() {
        let state = random(100, Cell::Open, 0.0);
        let mut list = NeighbourList::new(0.5, 0.4);
        let mut pairs = Vec::new();
        list.active(&state, &mut pairs);
        list.moved(state.positions.iter().map(|_| Vector3::new(0.1, 0.0, 0.0)), 0.0);
        list.active(&state, &mut pairs);
        assert_eq!(list.builds, 1);
        list.moved(state.positions.iter().map(|_| Vector3::new(0.15, 0.0, 0.0)), 0.0);
        list.active(&state, &mut pairs);
        assert_eq!(list.builds, 2);
    }
}
