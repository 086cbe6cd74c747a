//! The resistance of two spheres from their multipoles: slow, and what the table is made from.

use std::cell::OnceCell;

use nalgebra::DMatrix;

use super::multipole::Geometry;
use super::{Forms, Regular, TwoSpheres, singular};

/// Gap in units of the sum of the radii below which the regular part is continued from larger ones.
const CLOSEST: f64 = 1.5e-3;

/// Gaps in units of [`CLOSEST`] from which it is continued.
const BASE: [f64; 10] = [1.0, 1.3, 1.7, 2.2, 2.9, 3.8, 5.0, 6.5, 8.0, 10.0];

/// Two spheres at any gap, from their multipoles.
#[derive(Debug)]
pub struct Series {
    share: [f64; 2],
    sum: f64,
    /// Coefficients of the continuation to contact, one row for each number of [`Regular`].
    contact: OnceCell<DMatrix<f64>>,
}

impl Series {
    /// Two spheres of the given radii `[a]`.
    pub fn new(radii: [f64; 2]) -> Self {
        let sum = radii[0] + radii[1];
        Series { share: radii.map(|a| a / sum), sum, contact: OnceCell::new() }
    }

    /// The resistance at a positive gap, in a fluid of viscosity 1.
    pub fn at(&self, gap: f64) -> TwoSpheres {
        let singular = singular(self.share.map(|a| a * self.sum), gap);
        TwoSpheres { singular, regular: self.regular(gap) }
    }

    /// Its regular part, at any gap from zero on.
    pub fn regular(&self, gap: f64) -> Regular {
        let gap = gap / self.sum;
        let numbers = if gap < CLOSEST { self.continued(gap) } else { self.direct(gap) };
        Regular::from_numbers(&numbers).scaled(self.sum)
    }

    fn direct(&self, gap: f64) -> [f64; Regular::COUNT] {
        let geometry = Geometry { share: self.share, gap };
        let whole = Regular::from_forms(&Forms::of_multipoles(&geometry));
        let rates = Forms::of_rates(&singular(self.share, gap), self.share, gap);
        let (whole, singular) = (whole.numbers(), Regular::from_forms(&rates).numbers());
        std::array::from_fn(|i| whole[i] - singular[i])
    }

    fn continued(&self, gap: f64) -> [f64; Regular::COUNT] {
        let fit = self.contact.get_or_init(|| {
            let rows = BASE.map(|x| basis(x * CLOSEST));
            let design = DMatrix::from_fn(BASE.len(), rows[0].len(), |i, j| rows[i][j]);
            let values = BASE.map(|x| self.direct(x * CLOSEST));
            let values = DMatrix::from_fn(BASE.len(), Regular::COUNT, |i, j| values[i][j]);
            let svd = design.svd(true, true);
            svd.solve(&values, 0.0).expect("both factors were asked for").transpose()
        });
        let basis = basis(gap);
        std::array::from_fn(|i| basis.iter().enumerate().map(|(j, b)| fit[(i, j)] * b).sum())
    }
}

/// The functions of the gap that a regular part is made of near contact.
fn basis(gap: f64) -> [f64; 7] {
    let x = gap / (5.0 * CLOSEST);
    let log = if x > 0.0 { x.ln() } else { 0.0 };
    let square = x * x;
    [1.0, x, square, square * log, square * x, square * x * log, square * square]
}

/// The resistance of two spheres at a positive gap, in a fluid of viscosity 1, from their
/// multipoles. Takes milliseconds, and seconds near contact; [`super::Table`] is the fast way.
pub fn exact(radii: [f64; 2], gap: f64) -> TwoSpheres {
    Series::new(radii).at(gap)
}
