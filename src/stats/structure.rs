//! How particles sit about each other: pair distribution, angles, gaps.
//!
//! Distances are scaled by the sum of the radii, r/(aᵢ+aⱼ), so that all pairs touch at the same
//! distance, whatever their sizes. Counts are compared with those of points without any order in
//! the same box, N(N−1)/2 pairs: points that know nothing of each other have g = 1 in a box of any
//! size.

use super::histogram::{Bins, Histogram, Mean};
use crate::pairs;
use crate::state::Suspension;

/// Width of a bin of the pair distribution `[aᵢ+aⱼ]`.
const BIN_WIDTH: f64 = 0.02;

/// The first bin of the pair distribution; contact is in the middle of a bin `[aᵢ+aⱼ]`.
const FIRST_BIN: f64 = 0.5 - 0.5 * BIN_WIDTH;

/// The pair distribution ends here, or where the box does not hold more `[aᵢ+aⱼ]`.
const LAST_BIN: f64 = 3.0 + 0.5 * BIN_WIDTH;

/// Bins of angles, over 180°.
const ANGLES: usize = 18;

/// Decades of gaps, and bins in each `[a]`.
const GAPS: (i32, i32, usize) = (-7, 0, 5);

/// Which pairs are close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// Pairs touch when their gap is smaller, in units of their mean radius: 0, or the roughness.
    pub touching: f64,
    /// Pairs are near when they are closer than this to touching `[a]`.
    pub near: f64,
}

/// Two species of spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Species {
    /// The smaller and the larger radius `[a]`.
    pub radii: [f64; 2],
    /// How many there are of each.
    pub counts: [usize; 2],
}

impl Species {
    /// The species of a bidisperse suspension, `None` of any other.
    pub fn of(radii: &[f64]) -> Option<Self> {
        let small = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let large = radii.iter().copied().fold(0.0, f64::max);
        let count = |radius: f64| radii.iter().filter(|a| **a == radius).count();
        let counts = [count(small), count(large)];
        (small < large && counts[0] + counts[1] == radii.len())
            .then_some(Species { radii: [small, large], counts })
    }

    /// Small and small, small and large, or large and large.
    fn kind(&self, radii: [f64; 2]) -> usize {
        radii.iter().filter(|a| **a == self.radii[1]).count()
    }

    /// The sum of (aᵢ+aⱼ)³ over the pairs of one kind `[a³]`.
    fn cubes(&self, kind: usize) -> f64 {
        let [small, large] = self.radii;
        let [few, many] = self.counts.map(|n| n as f64);
        match kind {
            0 => 0.5 * few * (few - 1.0) * (2.0 * small).powi(3),
            1 => few * many * (small + large).powi(3),
            _ => 0.5 * many * (many - 1.0) * (2.0 * large).powi(3),
        }
    }
}

/// What is counted in the frames of a periodic suspension.
#[derive(Debug, Clone)]
pub struct PairStructure {
    /// Pairs by distance `[aᵢ+aⱼ]`.
    pub distances: Histogram,
    /// The same for small and small, small and large, large and large spheres, if there are two
    /// species.
    pub by_species: Option<(Species, [Histogram; 3])>,
    /// Near pairs by the angle of their separation from the flow direction, in the plane of flow
    /// and gradient, without a sense `[°]`. Compression is at 135°, extension at 45°.
    pub angles: Histogram,
    /// The same for the pairs that touch `[°]`.
    pub touching_angles: Histogram,
    /// Pairs that do not touch by their distance from touching: the gap, of smooth spheres `[a]`.
    pub gaps: Histogram,
    /// Pairs that touch by their distance beyond touching: the overlap, of smooth spheres `[a]`.
    pub overlaps: Histogram,
    /// Number of particles.
    pub particles: usize,
    /// Frames counted.
    pub frames: usize,
    closeness: Closeness,
    /// The sum of (aᵢ+aⱼ)³ over all pairs, over the volume.
    density: f64,
    volume: f64,
    smallest: f64,
    /// Where the bins of gaps end `[a]`.
    widest_gap: f64,
    /// The largest distance of centres looked at `[a]`.
    reach: f64,
}

impl PairStructure {
    /// Nothing counted yet in suspensions like this one; `None` in open space, or if the box is too
    /// small for any distance beyond contact.
    pub fn new(like: &Suspension, closeness: Closeness) -> Option<Self> {
        let volume = like.cell.volume()?;
        let (smallest, diameter) = (like.smallest_radius(), 2.0 * like.largest_radius());
        let farthest = LAST_BIN.min(like.cell.reach() / diameter);
        let count = ((farthest - FIRST_BIN) / BIN_WIDTH + 1e-9).floor();
        let distances = Bins::even(FIRST_BIN, BIN_WIDTH, count.max(0.0) as usize);
        if distances.edge(distances.count()) <= 1.0 {
            return None;
        }
        let angles = Histogram::new(Bins::even(0.0, 180.0 / ANGLES as f64, ANGLES));
        let gaps = Histogram::new(Bins::decades(GAPS.0, GAPS.1, GAPS.2));
        let widest_gap = gaps.bins.edge(gaps.bins.count());
        let apart = widest_gap * smallest + closeness.touching * diameter / 2.0;
        let needed = (farthest * diameter).max(diameter + apart);
        let histogram = || Histogram::new(distances);
        Some(PairStructure {
            distances: histogram(),
            by_species: Species::of(&like.radii).map(|s| (s, [0; 3].map(|_| histogram()))),
            angles: angles.clone(),
            touching_angles: angles,
            overlaps: gaps.clone(),
            gaps,
            particles: like.len(),
            frames: 0,
            closeness,
            density: cubes(&like.radii) / volume,
            volume,
            smallest,
            widest_gap,
            reach: needed.min(like.cell.reach()),
        })
    }

    /// Counts the pairs of a frame; mirrored if the shear rate is negative.
    pub fn add(&mut self, frame: &Suspension, rate: f64) {
        self.frames += 1;
        for histogram in self.histograms() {
            histogram.begin();
        }
        let images = frame.cell.images(&frame.clock);
        let flow = if rate < 0.0 { -1.0 } else { 1.0 };
        let furthest = self.reach * self.reach;
        pairs::visit(frame, self.reach, |i, j| {
            let (x, y) = (&frame.positions[i], &frame.positions[j]);
            let separation = images.separation(x, y);
            let square = separation.norm_squared();
            if square < furthest {
                let direction = [separation.x, flow * separation.y];
                self.count([frame.radii[i], frame.radii[j]], square.sqrt(), direction);
            }
        });
    }

    fn histograms(&mut self) -> impl Iterator<Item = &mut Histogram> {
        let by_species = self.by_species.iter_mut().flat_map(|(_, histograms)| histograms);
        let angles = [&mut self.angles, &mut self.touching_angles];
        let rest = [&mut self.distances, &mut self.gaps, &mut self.overlaps];
        by_species.chain(angles).chain(rest)
    }

    /// Counts a pair with its distance and direction along flow and gradient `[a]`.
    fn count(&mut self, radii: [f64; 2], distance: f64, direction: [f64; 2]) {
        let sum = radii[0] + radii[1];
        self.distances.count(distance / sum);
        if let Some((species, histograms)) = &mut self.by_species {
            histograms[species.kind(radii)].count(distance / sum);
        }
        let apart = (distance - sum - self.closeness.touching * sum / 2.0) / self.smallest;
        if apart < self.closeness.near {
            let angle = direction[1].atan2(direction[0]).to_degrees();
            // Beyond 180° an angle begins anew, also after rounding.
            let angle = angle.rem_euclid(180.0) % 180.0;
            self.angles.count(angle);
            if apart < 0.0 {
                self.touching_angles.count(angle);
            }
        }
        // Most pairs are farther apart, and spared the logarithm.
        if apart < self.widest_gap {
            let histogram = if apart < 0.0 { &mut self.overlaps } else { &mut self.gaps };
            histogram.count(apart.abs());
        }
    }

    /// g of all pairs, bin by bin.
    pub fn distribution(&self) -> Vec<Mean> {
        self.relative(&self.distances, self.density)
    }

    /// g of small and small, small and large, large and large spheres, if there are two species.
    pub fn distribution_by_species(&self) -> Option<[Vec<Mean>; 3]> {
        let (species, histograms) = self.by_species.as_ref()?;
        let one = |kind: usize| self.relative(&histograms[kind], species.cubes(kind) / self.volume);
        Some([one(0), one(1), one(2)])
    }

    /// Counts over those of points without order, given their sum of (aᵢ+aⱼ)³ over the volume.
    fn relative(&self, histogram: &Histogram, density: f64) -> Vec<Mean> {
        let sphere = |x: f64| 4.0 / 3.0 * std::f64::consts::PI * x.powi(3);
        let bins = histogram.bins;
        histogram.relative(|k| density * (sphere(bins.edge(k + 1)) - sphere(bins.edge(k))))
    }

    /// Neighbours of a particle per decade of the gap, of gaps or overlaps.
    pub fn per_decade(&self, histogram: &Histogram) -> Vec<Mean> {
        histogram.relative(|_| 0.5 * self.particles as f64 * histogram.bins.width())
    }

    /// Pairs that touch, as contacts of a particle.
    pub fn coordination(&self) -> Mean {
        let contacts = self.touching_angles.totals();
        let each = contacts.iter().map(|count| 2.0 * count / self.particles as f64);
        Mean::of(&each.collect::<Vec<_>>())
    }
}

/// Angles relative to pairs without a preferred direction: 1 in every bin. Not a number if
/// there is no pair.
pub fn relative_angles(angles: &Histogram) -> Vec<Mean> {
    let each = Mean::of(&angles.totals()).value / angles.bins.count() as f64;
    angles.relative(|_| each)
}

/// The part of the pairs whose separation lies in the quadrant of compression, 90° to 180°; 1/2
/// without a preferred direction. Over the frames that have such pairs.
pub fn compressed_share(angles: &Histogram) -> Mean {
    let half = angles.bins.count() / 2;
    let shares = angles.frames().map(|frame| {
        let compressed: f64 = frame[half..].iter().sum();
        compressed / frame.iter().sum::<f64>()
    });
    Mean::of(&shares.filter(|share| share.is_finite()).collect::<Vec<_>>())
}

/// The sum of (aᵢ+aⱼ)³ over all pairs `[a³]`.
fn cubes(radii: &[f64]) -> f64 {
    let sum = |power: i32| radii.iter().map(|a| a.powi(power)).sum::<f64>();
    let (count, third) = (radii.len() as f64, sum(3));
    count * third + 3.0 * sum(1) * sum(2) - 4.0 * third
}

#[cfg(test)]
#[path = "structure_tests.rs"]
mod tests;
