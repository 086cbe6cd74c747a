//! Boundaries: open space, or a periodic box sheared by Lees–Edwards images.
//!
//! The imposed flow is simple shear, \\(\mathbf U^\infty = \dot\gamma\, y\, \hat{\mathbf x}\\)
//! (\[GB20\] eq. 9a). At total strain γ the image above the box is displaced by
//! \\(\gamma L_y\\) along x (\[GB20\] eqs. 12–13).

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

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
    },
}

impl Cell {
    /// The separation of two positions, by the nearest image at total strain `strain` `[a]`.
    ///
    /// Exact while the separation is shorter than half of the shortest edge.
    pub fn separation(&self, from: &Vector3<f64>, to: &Vector3<f64>, strain: f64) -> Vector3<f64> {
        self.nearest(to - from, strain)
    }

    /// The nearest image of a displacement at total strain `strain` `[a]`.
    pub fn nearest(&self, mut d: Vector3<f64>, strain: f64) -> Vector3<f64> {
        if let Cell::Periodic { lengths, tilt } = self {
            d.z -= lengths.z * images(d.z, lengths.z);
            let rows = images(d.y, lengths.y);
            if rows != 0.0 {
                d.y -= lengths.y * rows;
                d.x -= image_offset(lengths, *tilt, strain) * rows;
            }
            d.x -= lengths.x * images(d.x, lengths.x);
        }
        d
    }

    /// Brings a position back into the box \\([0, L)^3\\) at total strain `strain`.
    ///
    /// Leaves bits alone where nothing has to move, so that it may be applied at any time.
    pub fn wrap(&self, x: &mut Vector3<f64>, strain: f64) {
        if let Cell::Periodic { lengths, tilt } = self {
            let rows = (x.y / lengths.y).floor();
            if rows != 0.0 {
                x.y -= lengths.y * rows;
                x.x -= image_offset(lengths, *tilt, strain) * rows;
            }
            for k in [0, 2] {
                let turns = (x[k] / lengths[k]).floor();
                if turns != 0.0 {
                    x[k] -= lengths[k] * turns;
                }
            }
        }
    }

    /// The three edge vectors at total strain `strain`, the tilt reduced to the least one `[a]`.
    pub fn vectors(&self, strain: f64) -> Option<[Vector3<f64>; 3]> {
        match self {
            Cell::Open => None,
            Cell::Periodic { lengths, tilt } => {
                let offset = image_offset(lengths, *tilt, strain);
                let tilt = offset - lengths.x * (offset / lengths.x).round();
                Some([
                    Vector3::new(lengths.x, 0.0, 0.0),
                    Vector3::new(tilt, lengths.y, 0.0),
                    Vector3::new(0.0, 0.0, lengths.z),
                ])
            }
        }
    }

    /// A box that is not tilted at zero strain.
    pub fn periodic(lengths: Vector3<f64>) -> Self {
        Cell::Periodic { lengths, tilt: 0.0 }
    }

    /// The volume of a periodic box, or `None` in open space `[a³]`.
    pub fn volume(&self) -> Option<f64> {
        match self {
            Cell::Open => None,
            Cell::Periodic { lengths, .. } => Some(lengths.product()),
        }
    }

    /// The largest centre distance that the nearest image resolves `[a]`.
    pub fn reach(&self) -> f64 {
        match self {
            Cell::Open => f64::INFINITY,
            Cell::Periodic { lengths, .. } => 0.5 * lengths.min(),
        }
    }
}

/// How many lengths a displacement is beyond its nearest image; most are the nearest themselves.
fn images(d: f64, length: f64) -> f64 {
    if d.abs() < 0.5 * length { 0.0 } else { (d / length).round() }
}

/// Displacement of the image above the box, within one edge length (\[GB20\] eq. 13) `[a]`.
fn image_offset(lengths: &Vector3<f64>, tilt: f64, strain: f64) -> f64 {
    (strain * lengths.y + tilt) % lengths.x
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: Cell = Cell::Periodic { lengths: Vector3::new(10.0, 8.0, 6.0), tilt: 0.0 };

    #[test]
    fn images_across_the_sheared_boundary_are_displaced() {
        let low = Vector3::new(1.0, 0.5, 3.0);
        let high = Vector3::new(1.0, 7.5, 3.0);
        let d = CELL.separation(&low, &high, 0.25);
        assert!((d - Vector3::new(-2.0, -1.0, 0.0)).norm() < 1e-14);
    }

    #[test]
    fn wrapping_does_not_change_separations() {
        let strain = 3.7;
        let from = Vector3::new(2.0, 3.0, 1.0);
        let to = Vector3::new(3.5, 9.4, -1.2);
        let before = CELL.separation(&from, &to, strain);
        let mut inside = to;
        CELL.wrap(&mut inside, strain);
        assert!(inside.iter().all(|&c| c >= 0.0) && inside.y < 8.0);
        let after = CELL.separation(&from, &inside, strain);
        assert!((before - after).norm() < 1e-13);
        let mut again = inside;
        CELL.wrap(&mut again, strain);
        assert_eq!(inside, again);
    }

    #[test]
    fn one_box_length_of_shear_is_the_box_again() {
        let d = Vector3::new(4.0, 3.5, -2.0);
        let turn = 10.0 / 8.0;
        assert!((CELL.nearest(d, 0.0) - CELL.nearest(d, turn)).norm() < 1e-13);
    }
}
