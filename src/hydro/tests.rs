use std::f64::consts::PI;

use nalgebra::{SMatrix, SVector, SymmetricEigen};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::multipole::Geometry;
use super::series::{Series, exact};
use super::*;

/// ζ(3).
const APERY: f64 = 1.202_056_903_159_594;

/// Square roots of what isolated spheres dissipate, which make every entry a pure number.
fn scales(radii: [f64; 2]) -> [f64; Regular::COUNT] {
    let alone = Forms::isolated(radii);
    let axial = alone.axial.diagonal().map(f64::sqrt);
    let spin = alone.spin.diagonal().map(f64::sqrt);
    let transverse = alone.transverse.diagonal().map(f64::sqrt);
    Regular::from_forms(&Forms {
        axial: axial * axial.transpose(),
        spin: spin * spin.transpose(),
        transverse: transverse * transverse.transpose(),
        planar: alone.planar,
    })
    .numbers()
}

/// Everything at a gap, isolated spheres included.
fn whole(radii: [f64; 2], gap: f64) -> Forms {
    Table::shared().at(radii, gap).forms(radii, gap) + Forms::isolated(radii)
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} and {b} differ by {:e}", a - b);
}

/// Writes the file of the table anew.
#[test]
#[ignore = "takes a minute and writes into the source"]
fn make_table() {
    let bytes: Vec<u8> =
        table::computed().iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/hydro/table.bin");
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn file_says_what_the_series_gives() {
    for (ratio, gaps) in [(0, 8..40), (4, 8..40), (7, 0..1), (13, 10..40)] {
        let series = table::spheres(ratio);
        for gap in gaps.step_by(5) {
            let (new, old) = (table::point(&series, gap), table::stored_point(ratio, gap));
            for (new, old) in new.iter().zip(old) {
                close(*new, old, 1e-9);
            }
        }
    }
}

#[test]
fn table_follows_the_series() {
    let mut random = Pcg64::seed_from_u64(7);
    let mut worst = [0.0f64; Regular::COUNT];
    for case in 0..300 {
        let ratio = if case % 5 == 0 { 1.0 } else { 10f64.powf(random.random_range(-1.0..1.0)) };
        let radii = [1.0, ratio].map(|x| 0.7 * x);
        let gap = (1.0 + ratio) * 10f64.powf(random.random_range(-2.3..1.5));
        let (fast, slow) = (Table::shared().at(radii, gap), exact(radii, gap));
        let pairs = fast.regular.numbers().into_iter().zip(slow.regular.numbers());
        for (i, ((fast, slow), scale)) in pairs.zip(scales(radii)).enumerate() {
            let error = ((fast - slow) / scale).abs();
            worst[i] = worst[i].max(error);
        }
    }
    println!("largest deviations of the table: {worst:?}");
    assert!(worst.iter().all(|error| *error < 3e-7));
}

#[test]
fn table_follows_the_series_to_contact() {
    for ratio in [1.0, 0.37, 3.3] {
        let series = Series::new([1.0, ratio]);
        let scales = scales([1.0, ratio]);
        let contact = series.regular(0.0).numbers();
        for gap in [1e-30, 1e-12, 1e-6, 1e-4, 6e-4, 1.5e-3] {
            let gap = gap * (1.0 + ratio);
            let fast = Table::shared().at([1.0, ratio], gap).regular.numbers();
            let slow = series.regular(gap).numbers();
            for i in 0..Regular::COUNT {
                close(fast[i] / scales[i], slow[i] / scales[i], 3e-7);
                close(slow[i] / scales[i], contact[i] / scales[i], 10.0 * gap);
            }
        }
    }
}

#[test]
fn interactions_vanish_far_away() {
    let radii = [0.8, 1.7];
    let forms = |gap| Table::shared().at(radii, gap).forms(radii, gap);
    let far = Regular::from_forms(&forms(1e9)).numbers();
    far.iter().zip(scales(radii)).for_each(|(x, scale)| close(x / scale, 0.0, 1e-8));
    // The Stokeslet of one sphere at the other, and its second reflection.
    let r = 200.0;
    let forms = exact(radii, r - 2.5).forms(radii, r - 2.5);
    let product = radii[0] * radii[1];
    close(forms.axial[(0, 1)], -9.0 * PI * product / r, 2e-4);
    close(forms.transverse[(0, 1)], -4.5 * PI * product / r, 2e-4);
    close(forms.axial[(0, 0)], 13.5 * PI * radii[0] * product / (r * r), 1e-6);
    // Its vorticity, and that of a rotlet.
    let cube = r * r * r;
    close(forms.transverse[(0, 3)], 6.0 * PI * radii[0] * radii[1].powi(3) / (r * r), 2e-6);
    close(forms.transverse[(2, 3)], 4.0 * PI * product.powi(3) / cube, 1e-9);
    close(forms.spin[(0, 1)], -8.0 * PI * product.powi(3) / cube, 1e-9);
}

/// Touching spheres: \[JO84\] tables 1 to 5, and the drag on both along their line from Stimson &
/// Jeffery 1926 (0.6451).
#[test]
fn equal_spheres_at_contact() {
    let touching = Table::shared().at([1.0; 2], 1e-14);
    let (r, six) = (touching.regular, 6.0 * PI);
    // t⁴/x is 1/ξ − 5/4 at contact.
    let pole = 0.25 * -1.25;
    close(1.0 + r.axial[0] / six + pole, 0.9954, 5e-5);
    close(r.axial[1] / six - pole, -0.3502, 5e-5);
    close(1.0 + r.transverse[0] / six, 0.9983, 5e-5);
    close(r.transverse[1] / six, -0.2737, 5e-5);
    close(1.0 + (r.axial[0] + r.axial[1]) / six, 0.6451, 1e-4);
    // Turning about the line of centres: ζ(3).
    let both = touching.forms([1.0; 2], 1e-14).spin / (8.0 * PI);
    close(1.0 + both[(0, 0)], 7.0 / 8.0 * APERY, 1e-8);
    close(both[(0, 1)], -APERY / 8.0, 1e-8);
}

#[test]
fn unequal_spheres_at_contact_turn_as_they_should() {
    let (a, b) = (1.0, 2.0);
    let spin = Table::shared().at([a, b], 1e-14).forms([a, b], 1e-14).spin;
    // −8π a³b³/(a+b)³ ζ(3) and 8π (ab/(a+b))³ ζ(3, b/(a+b)).
    close(spin[(0, 1)], -8.0 * PI * 8.0 / 27.0 * APERY, 1e-6);
    let hurwitz = |x: f64| {
        let last = 10_000.0;
        let head: f64 = (0..10_000).map(|k| (k as f64 + x).powi(-3)).sum();
        head + 0.5 / (last + x - 0.5).powi(2)
    };
    let scale = 8.0 * PI * 8.0 / 27.0;
    close(spin[(0, 0)] + 8.0 * PI * a * a * a, scale * hurwitz(b / (a + b)), 1e-5);
    close(spin[(1, 1)] + 8.0 * PI * b * b * b, scale * hurwitz(a / (a + b)), 1e-5);
}

#[test]
fn forms_are_symmetric_and_positive() {
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..100 {
        let share = random.random_range(0.09..0.91);
        let gap = 10f64.powf(random.random_range(-2.0..1.5));
        let geometry = Geometry { share: [share, 1.0 - share], gap };
        let mirror = Geometry { share: [1.0 - share, share], gap };
        let (forms, swapped) = (Forms::of_multipoles(&geometry), Forms::of_multipoles(&mirror));
        close((forms.axial - forms.axial.transpose()).amax(), 0.0, 1e-10);
        close((forms.spin - forms.spin.transpose()).amax(), 0.0, 1e-11);
        close((forms.transverse - forms.transverse.transpose()).amax(), 0.0, 1e-11);
        let (one, two) = (Regular::from_forms(&forms), Regular::from_forms(&swapped).swapped());
        one.numbers().iter().zip(two.numbers()).for_each(|(a, b)| close(*a, b, 1e-10));
    }
    for _ in 0..10_000 {
        let radii = [1.0, 10f64.powf(random.random_range(-1.0..1.0))];
        let forms = whole(radii, 10f64.powf(random.random_range(-9.0..2.0)));
        assert!(SymmetricEigen::new(forms.axial).eigenvalues.min() > 0.0);
        assert!(SymmetricEigen::new(forms.spin).eigenvalues.min() > 0.0);
        assert!(SymmetricEigen::new(forms.transverse).eigenvalues.min() > 0.0);
        assert!(forms.planar > 0.0);
    }
}

#[test]
fn order_of_the_spheres_does_not_matter() {
    let gap = 0.123;
    let one = Table::shared().at([0.6, 1.9], gap);
    let two = Table::shared().at([1.9, 0.6], gap);
    assert_eq!(one.regular, two.regular.swapped());
    close(one.singular.slide_roll, -two.singular.slide_roll, 1e-14);
    close(one.singular.roll, two.singular.roll, 1e-14);
}

/// The leading terms as `laws::lubrication` has them.
#[test]
fn singular_part_begins_with_lubrication() {
    for (a, b) in [(1.0, 1.0), (1.0, 2.5), (3.0, 0.4f64)] {
        let (sum, ratio) = (a + b, b / a);
        let cube = (1.0 + ratio).powi(3);
        let xi: f64 = 1e-9;
        let log = -xi.ln();
        let s = singular([a, b], xi * sum / 2.0);
        let squeeze = 2.0 * ratio * ratio / cube / xi
            + ratio * (1.0 + 7.0 * ratio + ratio * ratio) / (5.0 * cube) * log;
        close(s.squeeze / (6.0 * PI * a * squeeze), 1.0, 1e-8);
        // s_k = −(v + …)/r in terms of the rates: s₁ = (−v + l₂q)/r, s₂ = (−v − l₁q)/r.
        let [one, two, mixed] =
            [16.0 * a * a * a * b, 16.0 * a * b * b * b, 4.0 * a * a * b * b].map(|x| x * PI / 5.0);
        let c = [one, mixed, two].map(|x| x / sum * log);
        close(s.slide, (c[0] + 2.0 * c[1] + c[2]) / (sum * sum), 1e-6 * s.slide);
        let roll = (b * b * c[0] - 2.0 * a * b * c[1] + a * a * c[2]) / (sum * sum);
        close(s.roll, roll, 1e-6 * s.roll);
        let slide_roll = (-b * c[0] + (a - b) * c[1] + a * c[2]) / (sum * sum);
        close(s.slide_roll, slide_roll, 1e-6 * s.slide);
    }
}

#[test]
fn singular_part_is_positive_and_falls_off() {
    for ratio in [0.1, 0.4, 1.0, 1.3, 7.0, 10.0] {
        for exponent in -40..30 {
            let gap = 10f64.powf(0.3 * exponent as f64);
            let s = singular([1.0, ratio], gap);
            assert!(s.squeeze > 0.0 && s.roll > 0.0 && s.twist > 0.0);
            assert!(s.slide * s.roll > s.slide_roll * s.slide_roll, "{ratio} {gap}");
        }
        let (near, far) = (singular([1.0, ratio], 1e3), singular([1.0, ratio], 2e3));
        close(near.squeeze / far.squeeze, 16.0, 0.4);
        close(near.slide / far.slide, 16.0, 0.4);
    }
}

#[test]
fn integral_of_the_squeeze() {
    for gap in [1e-8, 1e-3, 0.1, 1.0, 3.0, 40.0] {
        let radii = [0.7, 1.9];
        let step = 1e-3 * gap;
        let integral = |gap| Singular::new(radii).squeeze_integral(gap);
        let slope = (integral(gap + step) - integral(gap - step)) / (2.0 * step);
        close(slope / singular(radii, gap).squeeze, 1.0, 1e-5);
    }
    close(Singular::new([0.7, 1.9]).squeeze_integral(1e6), 0.0, 1e-14);
}

/// Velocity of force- and torque-free spheres in unit strain: the responses to \\(e_0\\) and
/// \\(\mathbf e_1\\).
fn free(forms: &Forms) -> (SVector<f64, 2>, SVector<f64, 4>) {
    fn response<const N: usize>(
        form: SMatrix<f64, N, N>,
        drive: SVector<f64, N>,
    ) -> SVector<f64, N> {
        -form.try_inverse().expect("positive definite") * drive
    }
    let axial = response(
        forms.axial.fixed_view::<2, 2>(0, 0).into(),
        forms.axial.fixed_view::<2, 1>(0, 2).into(),
    );
    let transverse = response(
        forms.transverse.fixed_view::<4, 4>(0, 0).into(),
        forms.transverse.fixed_view::<4, 1>(0, 4).into(),
    );
    (axial, transverse)
}

/// The functions A and B of Batchelor & Green 1972 for equal spheres of radius one.
fn mobility(gap: f64) -> (f64, f64) {
    let (axial, transverse) = free(&whole([1.0; 2], gap));
    let r = 2.0 + gap;
    ((axial[0] - axial[1]) / r, (transverse[0] - transverse[1]) / r)
}

/// The file holds A and B from published tables of two-sphere functions, splined, and below
/// r = 2.025 from their near-contact forms, which there are good to 1 % in B only (its slope
/// jumps).
#[test]
fn free_spheres_in_a_linear_flow() {
    let text = include_str!("../../tests/reference/two_body_mobility_AB.csv");
    let [mut near, mut far] = [[0.0f64; 2]; 2];
    for line in text.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        let (a, b) = mobility(row[0] - 2.0);
        let worst = if row[0] < 2.0249 { &mut near } else { &mut far };
        worst[0] = worst[0].max((a - row[1]).abs());
        worst[1] = worst[1].max((b - row[2]).abs());
    }
    println!("largest deviations of A and B: {near:?} below 2.025, {far:?} above");
    assert!(far[0] < 1e-6 && far[1] < 2e-8);
    assert!(near[0] < 2e-4 && near[1] < 2.5e-3);
}

/// The coefficient of φ² in the viscosity of a dilute suspension in strain, 6.95 with accurate
/// two-sphere functions (Batchelor & Green 1972, with theirs, 7.6).
#[test]
fn second_coefficient_of_the_viscosity() {
    // The stresslet of free pairs, averaged over their orientation, per that of two isolated
    // spheres.
    let excess = |gap: f64| {
        let forms = whole([1.0; 2], gap);
        let (axial, transverse) = free(&forms);
        let alone = Forms::isolated([1.0; 2]);
        let m0 = forms.axial[(2, 2)] - alone.axial[(2, 2)]
            + forms.axial.fixed_view::<1, 2>(2, 0).transpose().dot(&axial);
        let m1 = forms.transverse[(4, 4)] - alone.transverse[(4, 4)]
            + forms.transverse.fixed_view::<1, 4>(4, 0).transpose().dot(&transverse);
        let m2 = forms.planar - alone.planar;
        (2.0 / 15.0 * m0 + 0.2 * m1 + 0.4 * m2) / alone.planar
    };
    // 1 − A by the squeeze rate of the free pair, which loses nothing at the smallest gaps.
    let approach = |gap: f64| {
        let spheres = Table::shared().at([1.0; 2], gap);
        let ([a, b, c], [f, g]) = (spheres.regular.axial, spheres.regular.axial_strain);
        let (own, drive) = (12.0 * PI + a - 2.0 * b + c, g - f);
        (0.25 * own - 0.5 * drive / (2.0 + gap)) / (spheres.singular.squeeze + 0.25 * own)
    };
    close(approach(0.01), 1.0 - mobility(0.01).0, 1e-12);
    // From far away inwards over s = ln gap, with the distribution q = exp(Q)/(1 − A),
    // dQ/dr = −3(B − A)/(r(1 − A)), which near contact grows like gap^(−0.78).
    let (first, last, steps) = (60f64.ln(), 1e-50f64.ln(), 8000);
    let step = (first - last) / steps as f64;
    let (mut exponent, mut integral) = (0.0, 0.0);
    for i in 0..steps {
        let gap = (first - (i as f64 + 0.5) * step).exp();
        let (free, (_, b)) = (approach(gap), mobility(gap.max(1e-14)));
        let width = step * gap;
        let growth = 3.0 * (b - 1.0 + free) / ((2.0 + gap) * free) * width;
        let density = (exponent + 0.5 * growth).exp() / free;
        integral += excess(gap.max(1e-8)) * density * (2.0 + gap).powi(2) * width;
        exponent += growth;
    }
    let coefficient = 2.5 + 7.5 * integral;
    println!("second coefficient of the viscosity: {coefficient}");
    close(coefficient, 6.95, 0.02);
}

#[test]
fn the_slope_of_the_squeezing_film_is_its_derivative() {
    for radii in [[1.0, 1.0], [1.0, 1.4], [3.0, 0.5]] {
        for gap in [1e-30, 1e-6, 1e-3, 0.1, 1.0, 20.0] {
            let [value, slope] = Singular::new(radii).log_squeeze(gap);
            assert!((value / (gap * singular(radii, gap).squeeze) - 1.0).abs() < 1e-13);
            let step = 1e-4 * gap;
            let at = |gap: f64| Singular::new(radii).log_squeeze(gap)[0];
            let numeric = (at(gap + step) - at(gap - step)) / (2.0 * step);
            let size = (value / gap).abs();
            assert!((slope - numeric).abs() < 1e-7 * size, "{radii:?} {gap}: {slope} {numeric}");
        }
    }
}
