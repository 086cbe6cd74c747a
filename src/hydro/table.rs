//! The regular part of the resistance, looked up.
//!
//! The file `table.bin` holds it at the Chebyshev points of \\(\ln(a_2/a_1)\\) and of
//! \\(y = \sqrt{h/r}\\), from contact (y = 0) to infinity (y = 1), in units of the sum of the
//! radii: doubles, least significant byte first. In these variables it is smooth enough for
//! polynomials of moderate degree (its \\(\xi^2\ln\xi\\) at contact is a \\(y^4\ln y\\)). On first
//! use they are put on a uniform grid with their slopes; between its points runs a bicubic.

use std::f64::consts::{LN_10, PI};
use std::sync::OnceLock;

#[cfg(test)]
use rayon::prelude::*;

#[cfg(test)]
use super::series::Series;
use super::{Regular, TwoSpheres, singular};

/// Chebyshev points in the size ratio and in y.
const POINTS: [usize; 2] = [14, 40];

/// Cells of the grid in the size ratio and in y.
const CELLS: [usize; 2] = [32, 80];

/// What the file says.
static FILE: &[u8] = include_bytes!("table.bin");

const COUNT: usize = Regular::COUNT;

/// Value, slopes in both directions and mixed slope, per cell.
type Node = [[f64; COUNT]; 4];

/// The regular part at all gaps and size ratios up to [`Table::LARGEST_RATIO`].
#[derive(Debug)]
pub struct Table {
    /// By size ratio, then y.
    nodes: Vec<Node>,
}

impl Table {
    /// The largest ratio of the radii that the table covers.
    pub const LARGEST_RATIO: f64 = 10.0;

    /// The table, made on first use.
    pub fn shared() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::new(&pure()))
    }

    /// The resistance of two spheres at a positive gap, in a fluid of viscosity 1.
    ///
    /// # Panics
    ///
    /// If the radii differ by more than [`Table::LARGEST_RATIO`].
    pub fn at(&self, radii: [f64; 2], gap: f64) -> TwoSpheres {
        TwoSpheres { singular: singular(radii, gap), regular: self.regular(radii, gap) }
    }

    /// Its regular part alone; overlapping spheres have that of touching ones.
    ///
    /// # Panics
    ///
    /// If the radii differ by more than [`Table::LARGEST_RATIO`].
    pub fn regular(&self, [a, b]: [f64; 2], gap: f64) -> Regular {
        let (small, large, sum) = (a.min(b), a.max(b), a + b);
        let ratio = large / small;
        assert!(ratio <= Table::LARGEST_RATIO * (1.0 + 1e-9), "radii differ by a factor {ratio}");
        let gap = gap.max(0.0);
        let y = (gap / (sum + gap)).sqrt();
        let mut numbers = self.interpolate(ratio.ln() / LN_10, y);
        numbers.iter_mut().zip(weights([small, large])).for_each(|(x, weight)| *x *= weight);
        let regular = Regular::from_numbers(&numbers);
        if a <= b { regular } else { regular.swapped() }
    }

    /// At a place in the unit square.
    fn interpolate(&self, ratio: f64, y: f64) -> [f64; COUNT] {
        let [(i, across), (j, along)] = [cell(ratio, CELLS[0]), cell(y, CELLS[1])];
        let (across, along) = (hermite(across), hermite(along));
        let mut sum = [0.0; COUNT];
        for (p, [value, slope]) in across.into_iter().enumerate() {
            for (q, [flat, steep]) in along.into_iter().enumerate() {
                let node = &self.nodes[(i + p) * (CELLS[1] + 1) + j + q];
                let [a, b, c, d] = [value * flat, slope * flat, value * steep, slope * steep];
                for (i, sum) in sum.iter_mut().enumerate() {
                    *sum += a * node[0][i] + b * node[1][i] + c * node[2][i] + d * node[3][i];
                }
            }
        }
        sum
    }

    /// From the pure numbers at the Chebyshev points, by ratio, then y.
    fn new(points: &[[f64; COUNT]]) -> Self {
        let ratios = lagrange(POINTS[0], CELLS[0]);
        let gaps = lagrange(POINTS[1], CELLS[1]);
        let mut nodes = Vec::with_capacity((CELLS[0] + 1) * (CELLS[1] + 1));
        for ratio in &ratios {
            // For value and slope in the ratio, the numbers at the Chebyshev points of y.
            let rows = [0, 1].map(|kind| {
                let mut row = vec![[0.0; COUNT]; POINTS[1]];
                for (weights, numbers) in ratio.iter().zip(points.chunks_exact(POINTS[1])) {
                    row.iter_mut().zip(numbers).for_each(|(s, x)| add(s, weights[kind], x));
                }
                row
            });
            nodes.extend(gaps.iter().map(|gap| {
                let mut node = [[0.0; COUNT]; 4];
                for (entry, numbers) in node.iter_mut().enumerate() {
                    let weights = gap.iter().map(|weights| weights[entry / 2]);
                    weights.zip(&rows[entry % 2]).for_each(|(w, x)| add(numbers, w, x));
                }
                node
            }));
        }
        Table { nodes }
    }
}

/// What makes pure numbers of those of [`Regular`]: products of \\(\sqrt{a_\alpha}\\) for
/// velocities, \\(\sqrt{a_\alpha^3}\\) for spins and \\(\sqrt{(a_1+a_2)^3}\\) for the strain. The
/// entries of a small sphere then are not lost beside those of a large one.
fn weights([a, b]: [f64; 2]) -> [f64; COUNT] {
    let (u, v, e) = (a.sqrt(), b.sqrt(), (a + b) * (a + b).sqrt());
    let (w, x) = (a * u, b * v);
    Regular {
        axial: [u * u, u * v, v * v],
        axial_strain: [u * e, v * e],
        axial_strain_strain: e * e,
        spin: [w * w, w * x, x * x],
        transverse: [u * u, u * v, u * w, u * x, v * v, v * w, v * x, w * w, w * x, x * x],
        transverse_strain: [u * e, v * e, w * e, x * e],
        transverse_strain_strain: e * e,
        planar_strain: e * e,
    }
    .numbers()
}

/// Adds a multiple.
fn add(sum: &mut [f64; COUNT], weight: f64, numbers: &[f64; COUNT]) {
    sum.iter_mut().zip(numbers).for_each(|(s, x)| *s += weight * x);
}

/// The cell of the unit interval that x is in, and where in it.
fn cell(x: f64, cells: usize) -> (usize, f64) {
    let place = x * cells as f64;
    let index = (place as usize).min(cells - 1);
    (index, place - index as f64)
}

/// Weights of value and slope at the two ends of a cell.
fn hermite(x: f64) -> [[f64; 2]; 2] {
    let y = 1.0 - x;
    let (xx, yy) = (x * x, y * y);
    [[yy * (1.0 + 2.0 * x), yy * x], [xx * (1.0 + 2.0 * y), -xx * y]]
}

/// Chebyshev points of the unit interval.
fn chebyshev(count: usize) -> Vec<f64> {
    (0..count).map(|i| 0.5 - 0.5 * (PI * (i as f64 + 0.5) / count as f64).cos()).collect()
}

/// For each point of a uniform grid, the weights of the values at the Chebyshev points in the value
/// there and in the slope there per cell.
fn lagrange(count: usize, cells: usize) -> Vec<Vec<[f64; 2]>> {
    // Values and slopes of the Chebyshev polynomials at x in [−1, 1], upwards from degree 0.
    let polynomials = |x: f64| {
        let mut all = vec![[1.0, 0.0], [x, 1.0]];
        for k in 2..count {
            let ([b, db], [a, da]) = (all[k - 1], all[k - 2]);
            all.push([2.0 * x * b - a, 2.0 * b + 2.0 * x * db - da]);
        }
        all
    };
    let points: Vec<_> = chebyshev(count).iter().map(|x| polynomials(2.0 * x - 1.0)).collect();
    (0..=cells)
        .map(|i| {
            let here = polynomials(2.0 * i as f64 / cells as f64 - 1.0);
            let weight = |point: &Vec<[f64; 2]>| {
                [(0, 1.0), (1, 2.0 / cells as f64)].map(|(kind, scale)| {
                    let terms = here.iter().zip(point).map(|(h, p)| h[kind] * p[0]);
                    scale * (2.0 * terms.sum::<f64>() - here[0][kind]) / count as f64
                })
            };
            points.iter().map(weight).collect()
        })
        .collect()
}

/// Radii of sum one at the Chebyshev points of the size ratio.
fn shares() -> impl Iterator<Item = [f64; 2]> {
    let ratios = chebyshev(POINTS[0]).into_iter().map(|x| (x * LN_10).exp());
    ratios.map(|ratio| [1.0 / (1.0 + ratio), ratio / (1.0 + ratio)])
}

/// The contents of the file as pure numbers.
fn pure() -> Vec<[f64; COUNT]> {
    let mut points = stored();
    for (row, share) in points.chunks_exact_mut(POINTS[1]).zip(shares()) {
        let weights = weights(share);
        for point in row {
            point.iter_mut().zip(weights).for_each(|(x, weight)| *x /= weight);
        }
    }
    points
}

/// The contents of the file.
fn stored() -> Vec<[f64; COUNT]> {
    let (doubles, _) = FILE.as_chunks::<8>();
    let (points, _) = doubles.as_chunks::<COUNT>();
    points.iter().map(|point| point.map(f64::from_le_bytes)).collect()
}

/// What the file says at one Chebyshev point.
#[cfg(test)]
pub(super) fn stored_point(ratio: usize, gap: usize) -> [f64; COUNT] {
    stored()[ratio * POINTS[1] + gap]
}

/// The numbers at one Chebyshev point.
#[cfg(test)]
pub(super) fn point(series: &Series, gap: usize) -> [f64; COUNT] {
    let y = chebyshev(POINTS[1])[gap];
    series.regular(y * y / (1.0 - y * y)).numbers()
}

/// The spheres, with radii of sum one, at one Chebyshev point of the size ratio.
#[cfg(test)]
pub(super) fn spheres(ratio: usize) -> Series {
    Series::new(shares().nth(ratio).expect("a point of the table"))
}

/// What the file has to say, computed anew; takes about a minute.
#[cfg(test)]
pub(super) fn computed() -> Vec<[f64; COUNT]> {
    (0..POINTS[0])
        .into_par_iter()
        .flat_map_iter(|ratio| {
            let series = spheres(ratio);
            (0..POINTS[1]).map(move |gap| point(&series, gap))
        })
        .collect()
}
