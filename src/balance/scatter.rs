//! Adding the forces of pairs to particles, by several threads: each has particles of its own.

use rayon::prelude::*;

use super::Mirrored;
use crate::state::{PairIds, Wrench};

/// Particles of a range: as many as chunks of the solvers have, about.
const RANGE: usize = 1024;

/// Below so many particles there is one range only, and one thread.
const FEWEST_SHARED: usize = 4096;

/// Which pairs touch which range of particles. Forces on a particle are added in the order of the
/// pairs, so sums do not depend on threads.
#[derive(Clone, Debug, Default)]
pub struct Scatter {
    ranges: Vec<PairsOfRange>,
}

#[derive(Clone, Debug, Default)]
struct PairsOfRange {
    /// Pairs whose i is of another range, and j of this.
    foreign: Vec<u32>,
    /// Where the pairs begin whose i is of this range.
    start: u32,
}

impl Scatter {
    /// Whether it pays to sort the pairs of so many particles; without, one thread adds them up.
    pub fn pays(particles: usize) -> bool {
        particles >= FEWEST_SHARED
    }

    /// Sorts pairs, given in ascending order of ids, by ranges of so many particles.
    pub fn sort(&mut self, particles: usize, ids: impl Iterator<Item = PairIds>) {
        self.ranges.resize_with(particles.div_ceil(RANGE), PairsOfRange::default);
        self.ranges.iter_mut().for_each(|range| range.foreign.clear());
        let (mut at, mut pairs) = (0, 0u32);
        self.ranges[0].start = 0;
        for ids in ids {
            let [own, other] = ids.slots().map(|k| k / RANGE);
            while at < own {
                at += 1;
                self.ranges[at].start = pairs;
            }
            if own != other && !ids.is_grounded() {
                self.ranges[other].foreign.push(pairs);
            }
            pairs += 1;
        }
        self.ranges[at + 1..].iter_mut().for_each(|range| range.start = pairs);
    }

    /// Whether there is more than one range.
    pub fn several(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Adds what each of so many pairs gives to the forces on its two particles.
    pub fn add(
        &self,
        forces: &mut [Wrench],
        pairs: usize,
        given: impl Fn(usize) -> (PairIds, Mirrored) + Sync,
    ) {
        if !self.several() || pairs == 0 {
            for (ids, m) in (0..pairs).map(given) {
                let [i, j] = ids.slots();
                m.add_to(forces, 0, i);
                m.add_to(forces, 1, j);
            }
            return;
        }
        forces.par_chunks_mut(RANGE).enumerate().for_each(|(k, own)| {
            let PairsOfRange { foreign, start } = &self.ranges[k];
            let end = self.ranges.get(k + 1).map_or(pairs, |next| next.start as usize);
            let first = k * RANGE;
            for pair in foreign {
                let (ids, m) = given(*pair as usize);
                m.add_to(own, 1, ids.slots()[1] - first);
            }
            for (ids, m) in (*start as usize..end).map(&given) {
                let [i, j] = ids.slots();
                m.add_to(own, 0, i - first);
                if j < first + own.len() {
                    m.add_to(own, 1, j - first);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn scatters_add_up_to_the_same_bits_as_one_pair_after_another() {
        for (particles, count) in [(5000, 30_000), (4097, 3), (4500, 0)] {
            let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(5);
            let mut ids: Vec<PairIds> = (0..count)
                .map(|_| {
                    let i = rng.random_range(0..particles as u32 - 1);
                    let j = rng.random_range(i + 1..particles as u32 + 2000);
                    match j.checked_sub(particles as u32) {
                        None => PairIds::particles(i, j),
                        Some(surface) => PairIds::at_surface(i, surface),
                    }
                })
                .collect();
            ids.sort_unstable();
            let mut vector = || Vector3::from_fn(|_, _| rng.random::<f64>() - 0.5);
            let forces: Vec<Mirrored> = (0..count)
                .map(|_| Mirrored { force: vector(), torques: [vector(), vector()] })
                .collect();
            let given = |p: usize| (ids[p], forces[p]);
            let mut alone = vec![Wrench::default(); particles];
            Scatter::default().add(&mut alone, count, given);
            let mut shared = vec![Wrench::default(); particles];
            let mut scatter = Scatter::default();
            scatter.sort(particles, ids.iter().copied());
            assert!(scatter.several());
            scatter.add(&mut shared, count, given);
            assert_eq!(alone, shared);
            // A step in which no pair acts finds those of the step before.
            scatter.add(&mut shared, 0, given);
            assert_eq!(alone, shared);
        }
    }
}
