//! Neighbour list in a periodic orthogonal box, for spheres of any radii.
//!
//! Cells hold about one sphere each, whatever the volume fraction. Every pair is found from
//! its larger sphere, which looks as far as its own diameter, so that a few large spheres
//! among many small ones cost no more than their volume. Periodic images are listed one by
//! one, so that in a narrow box two spheres may be neighbours on either side.

use std::ops::RangeInclusive;

use nalgebra::Vector3;

/// Images of the box on either side along each axis that a search may reach into.
const IMAGES: i64 = 2;

/// Brings a point back into the box, `0 ≤ x < L`.
pub(super) fn wrap(point: &mut Vector3<f64>, lengths: &Vector3<f64>) {
    for k in 0..3 {
        let inside = point[k] - lengths[k] * (point[k] / lengths[k]).floor();
        point[k] = if inside < lengths[k] { inside } else { 0.0 };
    }
}

/// A point in a cell and the sphere it belongs to.
#[derive(Clone, Copy)]
struct Member {
    sphere: u32,
    at: Vector3<f64>,
}

/// Spheres sorted by the cell they lie in.
struct Grid {
    counts: [i64; 3],
    /// Inverse cell size.
    scale: Vector3<f64>,
    /// First entry of each cell in `members`, and one past the last.
    starts: Vec<u32>,
    /// Spheres, cell by cell.
    members: Vec<Member>,
}

impl Grid {
    /// Sorts points that lie in the box into about as many cells as there are points.
    fn new(points: &[Vector3<f64>], lengths: &Vector3<f64>) -> Self {
        let size = (lengths.product() / points.len() as f64).cbrt();
        let counts = [0, 1, 2].map(|k| ((lengths[k] / size) as i64).max(1));
        let scale = Vector3::from_fn(|k, _| counts[k] as f64 / lengths[k]);
        let mut grid = Grid { counts, scale, starts: Vec::new(), members: Vec::new() };
        grid.fill(points);
        grid
    }

    /// Counting sort of the points by cell.
    fn fill(&mut self, points: &[Vector3<f64>]) {
        let cells: Vec<usize> = points.iter().map(|p| self.cell_of(p)).collect();
        self.starts = vec![0; self.counts.iter().product::<i64>() as usize + 1];
        for &cell in &cells {
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let mut next = self.starts.clone();
        self.members = vec![Member { sphere: 0, at: Vector3::zeros() }; points.len()];
        for (i, &cell) in cells.iter().enumerate() {
            self.members[next[cell] as usize] = Member { sphere: i as u32, at: points[i] };
            next[cell] += 1;
        }
    }

    fn cell_of(&self, p: &Vector3<f64>) -> usize {
        let at = |k: usize| ((p[k] * self.scale[k]) as i64).min(self.counts[k] - 1);
        self.index(at(0), at(1), at(2))
    }

    fn index(&self, x: i64, y: i64, z: i64) -> usize {
        ((x * self.counts[1] + y) * self.counts[2] + z) as usize
    }

    /// Cells along axis `k` within `reach` of `x`, image by image: the number of box lengths to
    /// add, and the cells.
    fn runs(
        &self,
        k: usize,
        x: f64,
        reach: f64,
    ) -> impl Iterator<Item = (i64, RangeInclusive<i64>)> {
        let n = self.counts[k];
        let low = ((x - reach) * self.scale[k]).floor() as i64;
        let high = ((x + reach) * self.scale[k]).floor() as i64;
        (low.div_euclid(n)..=high.div_euclid(n)).map(move |image| {
            let origin = image * n;
            (image, low.max(origin) - origin..=high.min(origin + n - 1) - origin)
        })
    }

    /// Calls `visit` with an image and every run of spheres of which that image has cells within
    /// `reach` of `p`.
    fn visit_near(&self, p: &Vector3<f64>, reach: f64, mut visit: impl FnMut([i64; 3], &[Member])) {
        for (image_x, xs) in self.runs(0, p.x, reach) {
            for (image_y, ys) in self.runs(1, p.y, reach) {
                for (image_z, zs) in self.runs(2, p.z, reach) {
                    for x in xs.clone() {
                        for y in ys.clone() {
                            let first = self.starts[self.index(x, y, *zs.start())];
                            let last = self.starts[self.index(x, y, *zs.end()) + 1];
                            let run = &self.members[first as usize..last as usize];
                            visit([image_x, image_y, image_z], run);
                        }
                    }
                }
            }
        }
    }
}

/// Order of the spheres cell by cell, so that neighbours in space are neighbours in memory.
pub(super) fn spatial_order(points: &[Vector3<f64>], lengths: &Vector3<f64>) -> Vec<usize> {
    Grid::new(points, lengths).members.iter().map(|m| m.sphere as usize).collect()
}

/// A neighbour: one periodic image of a sphere.
#[derive(Clone, Copy)]
struct Partner {
    sphere: u32,
    image: u32,
}

/// Pairs closer than contact plus a skin, valid while no sphere has moved half the skin.
#[derive(Default)]
pub(super) struct Neighbours {
    /// First partner of each sphere in `partners`, and one past the last.
    starts: Vec<u32>,
    partners: Vec<Partner>,
    /// Displacement of each image of the box.
    shifts: Vec<Vector3<f64>>,
    /// Positions when the list was built.
    built_at: Vec<Vector3<f64>>,
    skin: f64,
}

impl Neighbours {
    /// Lists the pairs whose surfaces are closer than `skin`. Points must lie in the box, and
    /// no reach exceed two box lengths.
    pub(super) fn build(
        &mut self,
        points: &[Vector3<f64>],
        radii: &[f64],
        lengths: &Vector3<f64>,
        skin: f64,
    ) {
        let grid = Grid::new(points, lengths);
        self.shifts = shifts(lengths);
        self.starts.clear();
        self.partners.clear();
        self.starts.push(0);
        for (i, p) in points.iter().enumerate() {
            let own = radii[i];
            grid.visit_near(p, 2.0 * own + skin, |image, run| {
                let image = image_index(image);
                let from = p - self.shifts[image as usize];
                for member in run {
                    let sphere = member.sphere;
                    let other = radii[sphere as usize];
                    let range = own + other + skin;
                    let close = (member.at - from).norm_squared() < range * range;
                    let smaller = (other < own) | ((other == own) & (sphere > i as u32));
                    if close & smaller {
                        self.partners.push(Partner { sphere, image });
                    }
                }
            });
            self.starts.push(self.partners.len() as u32);
        }
        self.built_at.clear();
        self.built_at.extend_from_slice(points);
        self.skin = skin;
    }

    /// Images paired with sphere `i`: the sphere and the displacement of its image. Every pair
    /// appears once.
    pub(super) fn of(&self, i: usize) -> impl Iterator<Item = (usize, &Vector3<f64>)> {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        self.partners[range].iter().map(|p| (p.sphere as usize, &self.shifts[p.image as usize]))
    }

    /// Whether a pair may have come into contact unnoticed since the list was built.
    pub(super) fn is_stale(&self, points: &[Vector3<f64>]) -> bool {
        let limit = 0.25 * self.skin * self.skin;
        points.iter().zip(&self.built_at).any(|(p, q)| (p - q).norm_squared() >= limit)
    }
}

/// Place of an image in the table of displacements.
fn image_index(image: [i64; 3]) -> u32 {
    image.iter().fold(0, |index, &n| index * (2 * IMAGES + 1) + n + IMAGES) as u32
}

/// Displacements of all images, in the order of their index.
fn shifts(lengths: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let along = |n: i64, length: f64| n as f64 * length;
    let mut shifts = Vec::new();
    for x in -IMAGES..=IMAGES {
        for y in -IMAGES..=IMAGES {
            for z in -IMAGES..=IMAGES {
                let at = [along(x, lengths.x), along(y, lengths.y), along(z, lengths.z)];
                shifts.push(Vector3::from(at));
            }
        }
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// All images closer than the skin, found by trying every pair and every image.
    fn brute_force(
        points: &[Vector3<f64>],
        radii: &[f64],
        lengths: &Vector3<f64>,
        skin: f64,
    ) -> usize {
        let mut pairs = 0;
        for i in 0..points.len() {
            for j in 0..i {
                let close = |s: &&Vector3<f64>| {
                    (points[i] - points[j] + **s).norm() < radii[i] + radii[j] + skin
                };
                pairs += shifts(lengths).iter().filter(close).count();
            }
        }
        pairs
    }

    #[test]
    fn every_image_within_the_skin_is_listed_once() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        for lengths in [[3.0, 3.2, 9.0], [2.1, 2.1, 2.1], [12.0, 11.0, 10.0], [40.0, 3.0, 3.0]] {
            let lengths = Vector3::from(lengths);
            for count in [1, 2, 5, 60] {
                let mut point = || Vector3::from_fn(|k, _| lengths[k] * rng.random::<f64>());
                let points: Vec<_> = (0..count).map(|_| point()).collect();
                let radii: Vec<_> = (0..count).map(|_| rng.random_range(0.2..1.0)).collect();
                let mut neighbours = Neighbours::default();
                neighbours.build(&points, &radii, &lengths, 0.5);
                for i in 0..count {
                    for (j, shift) in neighbours.of(i) {
                        let distance = (points[j] + shift - points[i]).norm();
                        assert!(distance < radii[i] + radii[j] + 0.5);
                    }
                }
                let listed: usize = (0..count).map(|i| neighbours.of(i).count()).sum();
                assert_eq!(listed, brute_force(&points, &radii, &lengths, 0.5));
            }
        }
    }

    #[test]
    fn wrapped_points_lie_in_the_box() {
        let lengths = Vector3::new(1.0, 3.0, 7.0);
        for x in [-1e-300, -1e-17, 0.0, 0.5, 1.0, 3.0, 7.0, -7.0, 1e9] {
            let mut point = Vector3::repeat(x);
            wrap(&mut point, &lengths);
            assert!((0..3).all(|k| (0.0..lengths[k]).contains(&point[k])), "{x} to {point}");
        }
    }
}
