//! Two spheres that pass each other in shear: a smooth trajectory, for the order of the scheme.

mod common;

use common::{case, simulate};
use nalgebra::Vector3;

/// The separation at strain 5, always within the range of lubrication, whose end is a kink, and the
/// number of steps.
fn separation(time: &str) -> (Vector3<f64>, usize) {
    let text = format!(
        "[particles]\npositions = [[-1.5, -0.45, -0.1], [1.5, 0.45, 0.1]]\nradii = [1.0, 1.4]\n\
         [domain]\nboundary = \"open\"\n[drive]\nrate = -1.0\nstrain = 5.0\n\
         [lubrication]\nhydrodynamics = \"lubrication\"\nouter_gap = 0.95\ncutoff = \"smooth\"\n\
         [time]\naim = \"trajectory\"\n{time}\n[solver]\ntolerance = 1e-12\n"
    );
    let (state, seen) = simulate(&case(&text));
    assert!(seen.iter().map(|o| o.gaps.smallest).fold(1.0, f64::min) > 0.0, "no contact");
    (state.positions[1] - state.positions[0], seen.len())
}

#[test]
fn the_scheme_is_of_second_order() {
    let at = |step: f64| {
        separation(&format!(
            "tolerance = 0.999\nfirst_step = {step}\nmax_step = {step}\nfriction_residual = 1e-11"
        ))
        .0
    };
    let exact = at(0.0005);
    let errors = [0.04, 0.02, 0.01, 0.005].map(|step| (at(step) - exact).norm());
    println!("errors {errors:?}");
    let order = (errors[0] / errors[3]).log2() / 3.0;
    assert!((1.9..2.2).contains(&order), "order {order} from {errors:?}");
}

#[test]
fn a_tighter_tolerance_is_a_smaller_error() {
    let exact = separation("tolerance = 1e-7").0;
    let run = |tolerance: f64| {
        let (there, steps) = separation(&format!("tolerance = {tolerance}"));
        ((there - exact).norm(), steps)
    };
    let runs = [1e-2, 1e-3, 1e-4, 1e-5].map(run);
    println!("error and steps: {runs:?}");
    for pair in runs.windows(2) {
        assert!(pair[1].0 < pair[0].0 && pair[1].1 > pair[0].1, "{runs:?}");
    }
    assert!(runs[3].0 < 1e-5 && runs[3].0 < 0.1 * runs[0].0, "{runs:?}");
}

#[test]
fn reversed_shear_brings_the_spheres_back() {
    // Lubrication alone is reversible.
    let there = separation("tolerance = 1e-6").0;
    let text = format!(
        "[particles]\npositions = [[0.0, 0.0, 0.0], [{}, {}, {}]]\nradii = [1.0, 1.4]\n\
         [domain]\nboundary = \"open\"\n[drive]\nrate = 1.0\nstrain = 5.0\n\
         [lubrication]\nhydrodynamics = \"lubrication\"\nouter_gap = 0.95\ncutoff = \"smooth\"\n\
         [time]\naim = \"trajectory\"\ntolerance = 1e-6\n",
        there.x, there.y, there.z
    );
    let (state, _) = simulate(&case(&text));
    let back = state.positions[1] - state.positions[0];
    assert!((back - Vector3::new(3.0, 0.9, 0.2)).norm() < 2e-3, "{back}");
}

#[test]
fn a_long_first_step_does_not_jump_over_a_contact() {
    // Large spheres carried together by the flow in one long step.
    let (_, seen) = simulate(&case(
        "[particles]\npositions = [[0.0, 0.0, 0.0], [7.5, 7.5, 0.0], [30.0, 0.0, 0.0]]\n\
         radii = [5.0, 5.0, 1.0]\n[domain]\nboundary = \"open\"\n\
         [lubrication]\nenabled = false\n[drive]\nrate = -1.0\nstrain = 0.3\n\
         [time]\nfirst_step = 0.1\n",
    ));
    let deepest = seen.iter().map(|o| o.largest_overlap()).fold(0.0, f64::max);
    assert!(deepest > 0.0 && deepest <= 0.01, "{deepest}");
}
