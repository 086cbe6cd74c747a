//! What the fluid around a pair does to its relative motion, tabulated once.

use std::sync::OnceLock;

use nalgebra::{Matrix5, SMatrix, SVector};

use super::field::FarField;
use crate::hydro::{Forms, Regular, Table};
use crate::laws::Resistance;

/// Numbers of one entry.
const COUNT: usize = 11;

/// Room for them: an even number, which processors add faster.
const ROOM: usize = 12;

/// Powers of the length in these numbers.
const POWERS: [usize; COUNT] = [1, 1, 2, 3, 3, 2, 2, 3, 3, 3, 3];

/// Nodes along the logarithm of the size ratio, from 1 to the largest.
const RATIOS: usize = 65;

/// Nodes along \\(\sqrt{\delta/(1+\delta)}\\), from contact to infinity, with the gap δ in mean
/// radii.
const GAPS: usize = 129;

/// The relative part over size ratio and gap, for a mean radius and a viscosity of 1.
struct Relative {
    nodes: Vec<[f64; ROOM]>,
}

impl Relative {
    fn shared() -> &'static Relative {
        static SHARED: OnceLock<Relative> = OnceLock::new();
        SHARED.get_or_init(Relative::new)
    }

    fn new() -> Self {
        let node = |ratio: usize, place: usize| {
            let lambda = (ratio as f64 / (RATIOS - 1) as f64 * Table::LARGEST_RATIO.ln()).exp();
            let radii = [2.0 / (1.0 + lambda), 2.0 * lambda / (1.0 + lambda)];
            let root = place as f64 / (GAPS - 1) as f64;
            let gap = root * root / (1.0 - root * root);
            let mut entry = [0.0; ROOM];
            if gap.is_finite() {
                entry[..COUNT].copy_from_slice(&numbers(&exact(radii, gap)));
            }
            entry
        };
        let nodes = (0..RATIOS).flat_map(|ratio| (0..GAPS).map(move |place| (ratio, place)));
        Relative { nodes: nodes.map(|(ratio, place)| node(ratio, place)).collect() }
    }

    /// All numbers at a size ratio of at least 1 and a gap in mean radii.
    #[inline]
    fn at(&self, ratio: f64, gap: f64) -> [f64; ROOM] {
        let across = ratio.ln() / Table::LARGEST_RATIO.ln() * (RATIOS - 1) as f64;
        let along = (gap / (1.0 + gap)).sqrt() * (GAPS - 1) as f64;
        let (row, by_row) = stencil(across, RATIOS);
        let (column, by_column) = stencil(along, GAPS);
        let mut sum = [0.0; ROOM];
        for (r, weight) in by_row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let from = (row + r) * GAPS + column;
            for (node, share) in self.nodes[from..from + 4].iter().zip(by_column) {
                let share = weight * share;
                sum.iter_mut().zip(node).for_each(|(s, x)| *s += share * x);
            }
        }
        sum
    }
}

/// First of four neighbouring nodes about a place, and Lagrange's weights of theirs.
#[inline]
fn stencil(place: f64, count: usize) -> (usize, [f64; 4]) {
    let first = (place as usize).saturating_sub(1).min(count - 4);
    let x = place - first as f64;
    let [a, b, c, d] = [x, x - 1.0, x - 2.0, x - 3.0];
    (first, [-b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0])
}

/// What the fluid around a pair does to its relative motion, for a viscosity of 1, in the rates
/// less those of the flow: there everything decays with distance.
#[inline]
pub(super) fn relative([a, b]: [f64; 2], gap: f64) -> FarField {
    let length = 0.5 * (a + b);
    let mut numbers = Relative::shared().at((a / b).max(b / a), gap / length);
    let factor = [1.0, length, length * length, length * length * length];
    numbers.iter_mut().zip(POWERS).for_each(|(x, power)| *x *= factor[power]);
    let [squeeze, slide, slide_roll, roll, twist, pull, shear, rolling, m0, m1, m2, _] = numbers;
    // Seen from the other sphere slides and strains change sign, rolls do not.
    let sign = if b >= a { 1.0 } else { -1.0 };
    FarField {
        resistance: Resistance { squeeze, slide, slide_roll: sign * slide_roll, roll, twist },
        by_strain: [pull, shear, sign * rolling],
        stresslet: [m0, m1, m2],
        two_body: None,
    }
}

fn numbers(far_field: &FarField) -> [f64; COUNT] {
    let FarField { resistance: r, by_strain, stresslet, .. } = far_field;
    let ([p, s, q], [m0, m1, m2]) = (*by_strain, *stresslet);
    [r.squeeze, r.slide, r.slide_roll, r.roll, r.twist, p, s, q, m0, m1, m2]
}

/// The form in the rates less those of the flow, and in the strain, that is left when a pair may
/// move as a rigid body, less that of two lone spheres.
fn exact(radii: [f64; 2], gap: f64) -> FarField {
    let regular: Regular = Table::shared().regular(radii, gap);
    let alone = Forms::isolated(radii);
    let forms = alone + Forms::of_regular(&regular);
    let r = radii[0] + radii[1] + gap;
    let lever = r * radii[0] / (radii[0] + radii[1]);
    // Columns: squeeze, common motion, strain; rows u₁, u₂, e₀.
    let columns = SMatrix::<f64, 3, 3>::new(0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let axial = |forms: &Forms| without::<3, 1>(columns.transpose() * forms.axial * columns);
    let a = axial(&forms) - axial(&alone);
    // Columns: slide, common motion, rotation of the pair, roll, strain; rows u₁, u₂, w₁, w₂, e₁.
    let columns = Matrix5::from_columns(&[
        SVector::<f64, 5>::from([0.0, 1.0, 0.0, 0.0, 0.0]),
        SVector::<f64, 5>::from([1.0, 1.0, 0.0, 0.0, 0.0]),
        SVector::<f64, 5>::from([0.0, r, 1.0, 1.0, 0.0]),
        SVector::<f64, 5>::from([0.0, lever, 1.0, 0.0, 0.0]),
        SVector::<f64, 5>::from([0.0, 0.0, 0.0, 0.0, 1.0]),
    ]);
    let transverse =
        |forms: &Forms| without::<5, 2>(columns.transpose() * forms.transverse * columns);
    let t = transverse(&forms) - transverse(&alone);
    let spin = |forms: &Forms| {
        let s = &forms.spin;
        s.determinant() / (s[(0, 0)] + 2.0 * s[(0, 1)] + s[(1, 1)])
    };
    FarField {
        resistance: Resistance {
            squeeze: a[(0, 0)],
            slide: t[(0, 0)],
            slide_roll: t[(0, 3)],
            roll: t[(3, 3)],
            twist: spin(&forms) - spin(&alone),
        },
        by_strain: [a[(0, 2)], t[(0, 4)], t[(3, 4)]],
        stresslet: [a[(2, 2)], t[(4, 4)], forms.planar - alone.planar],
        two_body: None,
    }
}

/// A form without `K` of its variables, the second and those after it, at the values that make it
/// least; their rows and columns become zero.
fn without<const N: usize, const K: usize>(mut form: SMatrix<f64, N, N>) -> SMatrix<f64, N, N> {
    for k in 1..=K {
        let (column, pivot) = (form.column(k).into_owned(), form[(k, k)]);
        form -= column * column.transpose() / pivot;
    }
    form
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use nalgebra::{Matrix2, Matrix3};

    use super::*;
    use crate::hydro;

    #[test]
    fn the_table_is_what_it_was_made_of() {
        let mut worst = 0.0_f64;
        for k in 0..400 {
            let (u, v) = ((k as f64 * 0.618_034).fract(), (k as f64 * 0.754_878).fract());
            let radii = [1.0, (2.0 * u - 1.0).exp2().powf(3.3)];
            let gap = 10f64.powf(-8.0 + 9.5 * v);
            let (quick, slow) = (numbers(&relative(radii, gap)), numbers(&exact(radii, gap)));
            let length: f64 = 0.5 * (radii[0] + radii[1]);
            for ((a, b), power) in quick.iter().zip(slow).zip(POWERS) {
                worst = worst.max((a - b).abs() / (20.0 * length.powi(power as i32)));
            }
        }
        assert!(worst < 3e-6, "{worst:e}");
    }

    #[test]
    fn film_and_field_together_dissipate() {
        for ratio in [1.0_f64, 1.4, 3.0, 9.9, 0.2] {
            for gap in [1e-6, 1e-3, 0.1, 0.5, 2.0, 10.0] {
                let radii = [1.0, ratio];
                // In the rates less those of the flow, which strain drives at r e.
                let (film, r) = (hydro::singular(radii, gap), 1.0 + ratio + gap);
                let far_field = relative(radii, gap);
                let (x, [p, s, q]) = (far_field.resistance, far_field.by_strain);
                let [m0, m1, m2] = far_field.stresslet;
                let alone = 20.0 / 3.0 * PI * (1.0 + ratio.powi(3));
                let pull = p + r * film.squeeze;
                let axial = Matrix2::new(
                    film.squeeze + x.squeeze,
                    pull,
                    pull,
                    m0 + r * r * film.squeeze + 1.5 * alone,
                );
                let (shear, rolling) = (s + r * film.slide, q + r * film.slide_roll);
                let mixed = film.slide_roll + x.slide_roll;
                let across = Matrix3::from([
                    [film.slide + x.slide, mixed, shear],
                    [mixed, film.roll + x.roll, rolling],
                    [shear, rolling, m1 + r * r * film.slide + 2.0 * alone],
                ]);
                let squeezed = axial.symmetric_eigenvalues().min();
                let sheared = across.symmetric_eigenvalues().min();
                let others = (film.twist + x.twist).min(m2 + alone);
                // Spheres that roll on each other at a distance ease each other's rotation a
                // little: by less than a hundredth of what drag resists.
                let eased = -0.01 * 8.0 * PI;
                let least = squeezed.min(sheared).min(others);
                assert!(least > eased, "{ratio} {gap}: {squeezed} {sheared} {others}");
            }
        }
    }
}
