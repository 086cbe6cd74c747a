use nalgebra::Vector3;

use super::*;

const LAW: Lubrication = Lubrication {
    viscosity: 1.0,
    inner_gap: 1e-3,
    outer_gap: 0.2,
    cutoff: Cutoff::Smooth,
    film: Film::Leading,
};

#[test]
fn equal_spheres_have_the_classical_leading_terms() {
    // Jeffrey & Onishi 1984: X^A_11 ~ 6πa (1/(4ξ) + (9/40) ln(1/ξ)), ξ = δ.
    let law = Lubrication { cutoff: Cutoff::Truncated, ..LAW };
    let delta = 0.01_f64;
    let expected = 6.0 * PI * (0.25 / delta + 9.0 / 40.0 * (1.0 / delta).ln());
    assert!((law.squeeze_resistance([1.0, 1.0], delta) - expected).abs() < 1e-12 * expected);
    // Y^A_11 ~ 6πa (1/6) ln(1/ξ) at contact.
    let pair = Pair { radii: [1.0, 1.0], normal: Vector3::x(), distance: 2.0, gap: 0.0, step: 0.0 };
    let slide = tangential(law.viscosity, &pair).slide;
    assert!((slide - PI).abs() < 1e-14, "{slide}");
}

#[test]
fn the_integral_is_that_of_the_resistance() {
    let pair = Pair { radii: [1.0, 1.4], distance: 2.5, gap: 0.1, ..Pair::default() };
    for cutoff in [Cutoff::Window, Cutoff::Truncated, Cutoff::Smooth] {
        let law = Lubrication { cutoff, ..LAW };
        let (leading, singular) = (law.leading(&pair), law.singular(&pair));
        for (from, to) in [(0.15, 0.01), (0.01, -0.002), (0.3, 0.1), (0.21, 0.19), (2e-3, 0.5e-3)] {
            let n = 200_000;
            let width = (to - from) / n as f64;
            let sum = |squeeze: &dyn Fn(f64) -> f64| -> f64 {
                (0..n).map(|k| squeeze(from + (k as f64 + 0.5) * width) * width).sum()
            };
            let between = |integral: &dyn Fn(f64) -> f64| integral(to) - integral(from);
            for (sum, exact) in [
                (sum(&|h| leading.squeeze(h)), between(&|h| leading.squeeze_integral(h))),
                (sum(&|h| singular.squeeze(h)), between(&|h| singular.squeeze_integral(h))),
            ] {
                let error = (sum - exact).abs();
                assert!(error < 1e-6 * exact.abs(), "{cutoff:?} {from} {to}: {sum} {exact}");
            }
        }
    }
}

#[test]
fn a_window_leaves_all_gaps_up_to_the_outer_one_alone() {
    for film in [Film::Leading, Film::TwoBody] {
        let ended =
            |cutoff, gap| Lubrication { film, cutoff, ..LAW }.squeeze_resistance([1.0, 1.4], gap);
        for gap in [-0.01, 1e-4, 0.01, 0.1, 0.1999] {
            assert_eq!(ended(Cutoff::Window, gap), ended(Cutoff::Truncated, gap));
            assert!(ended(Cutoff::Smooth, gap) < ended(Cutoff::Window, gap));
        }
        let (end, half) = (ended(Cutoff::Window, 0.2), ended(Cutoff::Window, 0.205));
        assert!((half / end - 0.5).abs() < 1e-12, "{half} of {end}");
        assert_eq!(ended(Cutoff::Window, 0.210_001), 0.0);
        assert_eq!(ended(Cutoff::Truncated, 0.2), 0.0);
    }
}
