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
    let slide = law.tangential(&pair, 1.0).slide;
    assert!((slide - PI).abs() < 1e-14, "{slide}");
}

#[test]
fn the_integral_is_that_of_the_resistance() {
    let c = Coefficients::new(&LAW, [1.0, 1.4]);
    for (from, to) in [(0.15, 0.01), (0.01, -0.002), (0.3, 0.1), (2e-3, 0.5e-3)] {
        let n = 200_000;
        let width = (to - from) / n as f64;
        let sum: f64 = (0..n).map(|k| c.squeeze(from + (k as f64 + 0.5) * width) * width).sum();
        let exact = c.squeeze_and_integral(to).1 - c.squeeze_and_integral(from).1;
        assert!((sum - exact).abs() < 1e-6 * exact.abs(), "{from} {to}: {sum} {exact}");
    }
}
