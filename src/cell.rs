//! Boundaries: open space, or a box that repeats and is deformed by the flow.
//!
//! In simple shear, \\(\mathbf U^\infty = \dot\gamma\, y\, \hat{\mathbf x}\\) (\[GB20\] eq. 9a),
//! the image above the box is displaced by \\(\gamma L_y\\) along x at total strain γ (\[GB20\]
//! eqs. 12–13), and along z by the strain across the flow, if there is any. In planar extension a
//! square box of the right orientation is the same again after a strain of [`PERIOD`] (Kraynik &
//! Reinelt, *Int. J. Multiphase Flow* 18 (1992) 1045).

use nalgebra::{Matrix2, Matrix3, Vector3};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;

/// The strain after which a planar extension has brought the box back to itself,
/// \\(\ln\frac{3+\sqrt5}{2}\\) (Kraynik & Reinelt 1992).
pub const PERIOD: f64 = 0.962_423_650_119_206_9;

/// The smallest distance of two images in a planar extension, in edges: \\((4/5)^{1/4}\\).
const CLOSEST: f64 = 0.945_741_609_003_176;

/// The domain that holds the particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cell {
    /// Infinite space.
    Open,
    /// A periodic box with Lees–Edwards images.
    Periodic {
        /// Edge lengths of the box `[a]`.
        lengths: Vector3<f64>,
        /// Displacement of the image above the box at zero strain `[a]`.
        tilt: f64,
        /// Whether all centres are in one plane, of x and y: a layer, which has no images along z.
        #[serde(default)]
        layer: bool,
    },
    /// A periodic box that planar extension brings back to itself.
    Stretched {
        /// Edge of the square in the plane of the flow `[a]`.
        length: f64,
        /// Edge across it `[a]`.
        depth: f64,
    },
    /// A periodic box of any shape that stays as it is.
    Fixed {
        /// Its edges, in columns `[a]`.
        edges: Matrix3<f64>,
    },
}

/// The images of a domain at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Images {
    /// None.
    None,
    /// Those of a sheared box.
    Sheared {
        /// Edge lengths `[a]`.
        lengths: Vector3<f64>,
        /// Displacement of the image above the box along x and z, within one edge `[a]`.
        offset: [f64; 2],
    },
    /// Those of a box of any shape.
    General {
        /// The edges, in columns `[a]`.
        edges: Matrix3<f64>,
        /// Their inverse.
        inverse: Matrix3<f64>,
        /// Half of the smallest distance of two images `[a]`.
        reach: f64,
    },
}

impl Cell {
    /// A box that is not tilted at zero strain.
    pub fn periodic(lengths: Vector3<f64>) -> Self {
        Cell::Periodic { lengths, tilt: 0.0, layer: false }
    }

    /// The images at an instant.
    pub fn images(&self, clock: &Clock) -> Images {
        match self {
            Cell::Open => Images::None,
            Cell::Periodic { lengths, tilt, .. } => {
                let along = (clock.strain * lengths.y + tilt) % lengths.x;
                let across = (clock.cross * lengths.y) % lengths.z;
                Images::Sheared { lengths: *lengths, offset: [along, across] }
            }
            Cell::Stretched { length, depth } => {
                // The image that is stretched least of all that are the same.
                let strain = clock.strain - PERIOD * (clock.strain / PERIOD).round();
                let stretch = Vector3::new(strain.exp(), (-strain).exp(), 1.0);
                let square = *length * orientation();
                let mut edges = Matrix3::identity();
                edges.fixed_view_mut::<2, 2>(0, 0).copy_from(&square);
                edges[(2, 2)] = *depth;
                self.of_edges(Matrix3::from_diagonal(&stretch) * edges)
            }
            Cell::Fixed { edges } => sheared(edges).unwrap_or_else(|| self.of_edges(*edges)),
        }
    }

    fn of_edges(&self, edges: Matrix3<f64>) -> Images {
        let inverse = edges.try_inverse().unwrap_or_else(Matrix3::zeros);
        Images::General { edges, inverse, reach: self.reach() }
    }

    /// The volume of a periodic box, or `None` in open space `[a³]`.
    pub fn volume(&self) -> Option<f64> {
        match self {
            Cell::Open => None,
            Cell::Periodic { lengths, .. } => Some(lengths.product()),
            Cell::Stretched { length, depth } => Some(length * length * depth),
            Cell::Fixed { edges } => Some(edges.determinant().abs()),
        }
    }

    /// The largest centre distance that the nearest image resolves `[a]`.
    pub fn reach(&self) -> f64 {
        match self {
            Cell::Open => f64::INFINITY,
            Cell::Periodic { lengths, layer: true, .. } => 0.5 * lengths.x.min(lengths.y),
            Cell::Periodic { lengths, .. } => 0.5 * lengths.min(),
            Cell::Stretched { length, depth } => 0.5 * depth.min(CLOSEST * length),
            Cell::Fixed { edges } => {
                let images = around().filter(|turns| *turns != Vector3::zeros());
                0.5 * images.map(|turns| (edges * turns).norm()).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// The edges of a square that planar extension brings back to itself, in columns, at unit length:
/// the principal axes of \\(\begin{pmatrix}2&-1\\-1&1\end{pmatrix}\\) lie along x and y.
pub fn orientation() -> Matrix2<f64> {
    let tangent = 0.5 * (5.0f64.sqrt() - 1.0);
    let size = (1.0 + tangent * tangent).sqrt();
    let (c, s) = (1.0 / size, tangent / size);
    Matrix2::new(c, -s, s, c)
}

impl Images {
    /// The separation of two positions, by the nearest image `[a]`.
    ///
    /// Exact while the separation is shorter than half of the smallest distance of two images.
    #[inline]
    pub fn separation(&self, from: &Vector3<f64>, to: &Vector3<f64>) -> Vector3<f64> {
        self.nearest(to - from)
    }

    /// The nearest image of a displacement `[a]`.
    #[inline]
    pub fn nearest(&self, mut d: Vector3<f64>) -> Vector3<f64> {
        match self {
            Images::None => {}
            Images::Sheared { lengths, offset } => {
                let rows = times(d.y, lengths.y);
                if rows != 0.0 {
                    d.y -= lengths.y * rows;
                    d.x -= offset[0] * rows;
                    d.z -= offset[1] * rows;
                }
                d.z -= lengths.z * times(d.z, lengths.z);
                d.x -= lengths.x * times(d.x, lengths.x);
            }
            Images::General { edges, inverse, reach } => {
                if d.norm_squared() >= reach * reach {
                    return nearest_of_all(d, edges, inverse, *reach);
                }
            }
        }
        d
    }

    /// Brings a position back into the box.
    ///
    /// Leaves bits alone where nothing has to move, so that it may be applied at any time.
    pub fn wrap(&self, x: &mut Vector3<f64>) {
        match self {
            Images::None => {}
            Images::Sheared { lengths, offset } => {
                let rows = (x.y / lengths.y).floor();
                if rows != 0.0 {
                    x.y -= lengths.y * rows;
                    x.x -= offset[0] * rows;
                    x.z -= offset[1] * rows;
                }
                for k in [0, 2] {
                    let turns = (x[k] / lengths[k]).floor();
                    if turns != 0.0 {
                        x[k] -= lengths[k] * turns;
                    }
                }
            }
            Images::General { edges, inverse, .. } => {
                let turns = (inverse * *x).map(f64::floor);
                if turns != Vector3::zeros() {
                    *x -= edges * turns;
                }
            }
        }
    }

    /// The three edge vectors, the least tilted ones; none in open space `[a]`.
    pub fn vectors(&self) -> Option<[Vector3<f64>; 3]> {
        match self {
            Images::None => None,
            Images::Sheared { lengths, offset } => {
                let least =
                    |k: usize, length: f64| offset[k] - length * (offset[k] / length).round();
                let tilted = Vector3::new(least(0, lengths.x), lengths.y, least(1, lengths.z));
                Some([Vector3::new(lengths.x, 0.0, 0.0), tilted, Vector3::new(0.0, 0.0, lengths.z)])
            }
            Images::General { edges, .. } => Some([0, 1, 2].map(|k| edges.column(k).into_owned())),
        }
    }
}

/// How many lengths a displacement is beyond its nearest image; most are the nearest themselves.
fn times(d: f64, length: f64) -> f64 {
    if d.abs() < 0.5 * length { 0.0 } else { (d / length).round() }
}

/// The images of a box whose edges are those of a sheared one: they are found much faster.
fn sheared(edges: &Matrix3<f64>) -> Option<Images> {
    let upright = [(1, 0), (2, 0), (0, 2), (1, 2)].iter().all(|at| edges[*at] == 0.0);
    let lengths = edges.diagonal();
    (upright && lengths.min() > 0.0)
        .then_some(Images::Sheared { lengths, offset: [edges[(0, 1)], edges[(2, 1)]] })
}

/// Steps of one or no edge in each direction.
fn around() -> impl Iterator<Item = Vector3<f64>> {
    (0..27).map(|code| Vector3::new(code % 3, code / 3 % 3, code / 9).map(|k| f64::from(k) - 1.0))
}

/// The nearest image in a box of any shape.
#[inline(never)]
fn nearest_of_all(
    d: Vector3<f64>,
    edges: &Matrix3<f64>,
    inverse: &Matrix3<f64>,
    reach: f64,
) -> Vector3<f64> {
    let d = d - edges * (inverse * d).map(f64::round);
    let mut nearest = d;
    if d.norm_squared() < reach * reach {
        return d;
    }
    for turns in around() {
        let other = d + edges * turns;
        if other.norm_squared() < nearest.norm_squared() {
            nearest = other;
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    const CELL: Cell =
        Cell::Periodic { lengths: Vector3::new(10.0, 8.0, 6.0), tilt: 0.0, layer: false };
    const STRETCHED: Cell = Cell::Stretched { length: 10.0, depth: 9.0 };

    fn at(cell: &Cell, strain: f64, cross: f64) -> Images {
        cell.images(&Clock { strain, cross, ..Clock::default() })
    }

    #[test]
    fn images_across_the_sheared_boundary_are_displaced() {
        let low = Vector3::new(1.0, 0.5, 3.0);
        let high = Vector3::new(1.0, 7.5, 3.0);
        let d = at(&CELL, 0.25, 0.0).separation(&low, &high);
        assert!((d - Vector3::new(-2.0, -1.0, 0.0)).norm() < 1e-14);
        let d = at(&CELL, 0.25, -0.125).separation(&low, &high);
        assert!((d - Vector3::new(-2.0, -1.0, 1.0)).norm() < 1e-14);
    }

    #[test]
    fn wrapping_does_not_change_separations() {
        for images in [at(&CELL, 3.7, 0.0), at(&CELL, 3.7, 1.9), at(&STRETCHED, 3.7, 0.0)] {
            let from = Vector3::new(2.0, 3.0, 1.0);
            let to = Vector3::new(3.5, 9.4, -1.2);
            let before = images.separation(&from, &to);
            let mut inside = to;
            images.wrap(&mut inside);
            let after = images.separation(&from, &inside);
            assert!((before - after).norm() < 1e-13);
            let mut again = inside;
            images.wrap(&mut again);
            assert_eq!(inside, again);
        }
    }

    #[test]
    fn one_box_length_of_shear_is_the_box_again() {
        let d = Vector3::new(4.0, 3.5, -2.0);
        let turn = 10.0 / 8.0;
        let (before, after) =
            (at(&CELL, 0.0, 0.0).nearest(d), at(&CELL, turn, 6.0 / 8.0).nearest(d));
        assert!((before - after).norm() < 1e-13);
    }

    #[test]
    fn the_nearest_image_is_the_nearest_of_all() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        let of_file = Matrix3::new(10.0, -4.2, 0.0, 0.0, 8.0, 0.0, 0.0, 1.6, 6.0);
        let of_file = Cell::Fixed { edges: of_file }.images(&Clock::default());
        assert!(matches!(of_file, Images::Sheared { .. }));
        let stretched = [0.1, 0.48].map(|strain| at(&STRETCHED, strain, 0.0));
        for images in [at(&CELL, 0.3, 0.2), of_file, stretched[0], stretched[1]] {
            let edges = images.vectors().unwrap();
            let reach = match images {
                Images::General { reach, .. } => reach,
                _ => CELL.reach(),
            };
            for _ in 0..2000 {
                let d = Vector3::from_fn(|_, _| 40.0 * (random.random::<f64>() - 0.5));
                let mut best = f64::INFINITY;
                for code in 0..11 * 11 * 11 {
                    let turns = [code % 11, code / 11 % 11, code / 121].map(|k| f64::from(k) - 5.0);
                    let image: Vector3<f64> = edges.iter().zip(turns).map(|(e, k)| k * e).sum();
                    best = best.min((d + image).norm());
                }
                let found = images.nearest(d).norm();
                if best < reach {
                    assert!((found - best).abs() < 1e-12, "{found} {best}");
                } else {
                    assert!(found >= best - 1e-12);
                }
            }
        }
    }

    #[test]
    fn extension_brings_the_box_back_to_itself() {
        // Carried by the flow through several periods, images stay images.
        let edges = at(&STRETCHED, 0.0, 0.0).vectors().unwrap();
        for strain in [0.2, 0.481, 0.4813, 1.3, -2.9, 10.0] {
            let images = at(&STRETCHED, strain, 0.0);
            for edge in edges {
                let stretch = Vector3::new(strain.exp(), (-strain).exp(), 1.0);
                let carried = edge.component_mul(&stretch);
                let left = images.nearest(carried).norm();
                assert!(left < 1e-9 * strain.exp().max(1.0), "{strain}: {left}");
            }
            // No two images are closer than twice the reach.
            let [a, b, _] = images.vectors().unwrap();
            for (k, l) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
                assert!((k * a + l * b).norm() > CLOSEST * 10.0 - 1e-9);
            }
        }
        let closest = at(&STRETCHED, 0.25 * PERIOD, 0.0).vectors().unwrap();
        assert!(closest.iter().any(|e| (e.norm() - CLOSEST * 10.0).abs() < 1e-9), "{closest:?}");
    }
}
