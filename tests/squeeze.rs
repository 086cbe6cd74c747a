//! Two spheres pressed together on their line of centres: the gap closes at the analytic rate
//! \\(\dot h = -2F/(6\pi\mu a + 2X(h))\\).

mod common;

use common::{case, simulate};
use std::f64::consts::PI;
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};

const FORCE: f64 = 12.0;

/// Gap after unit time from a gap of 0.3, with more lines in the case.
fn final_gap(rest: &str) -> (f64, usize) {
    let text = format!(
        "[particles]\npositions = [[0.0, 0.0, 0.0], [0.0, 2.3, 0.0]]\nradii = [1.0, 1.0]\n\
         [domain]\nboundary = \"open\"\n[drive]\nrate = 0.0\ntime = 1.0\n\
         [lubrication]\nhydrodynamics = \"lubrication\"\nouter_gap = 0.5\ncutoff = \"smooth\"\n{rest}\n\
         [[force]]\nparticles = [0]\nvector = [0.0, {FORCE}, 0.0]\n\
         [[force]]\nparticles = [1]\nvector = [0.0, -{FORCE}, 0.0]\n"
    );
    let (state, seen) = simulate(&case(&text));
    assert!(seen.iter().all(|o| o.effort.force_residual <= 1e-8));
    ((state.positions[1] - state.positions[0]).norm() - 2.0, seen.len())
}

/// The gap after unit time by Simpson's rule on \\(t(h) = \int (6\pi + 2X)/(2F)\,dh\\).
fn exact_gap() -> f64 {
    let law = Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-3,
        outer_gap: 0.5,
        cutoff: Cutoff::Smooth,
        film: Film::Leading,
    };
    let slowness =
        |h: f64| (6.0 * PI + 2.0 * law.squeeze_resistance([1.0, 1.0], h)) / (2.0 * FORCE);
    let time = |gap: f64| {
        // In ln h the integrand is smooth.
        let n = 4000;
        let (from, to) = (gap.ln(), 0.3_f64.ln());
        let width = (to - from) / n as f64;
        let f = |k: usize| {
            let h = (from + k as f64 * width).exp();
            slowness(h) * h
        };
        (0..n / 2).map(|k| f(2 * k) + 4.0 * f(2 * k + 1) + f(2 * k + 2)).sum::<f64>() * width / 3.0
    };
    let (mut low, mut high) = (1.1e-3, 0.3);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if time(middle) > 1.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn the_gap_closes_at_the_analytic_rate() {
    let exact = exact_gap();
    assert!(exact > 2e-3 && exact < 0.1, "{exact}: a test of the singular regime");
    let (gap, steps) = final_gap("");
    // The mean resistance over a step is exact, so long steps do no harm here.
    assert!((gap - exact).abs() < 1e-6 * exact, "{gap} {exact} in {steps} steps");
}
