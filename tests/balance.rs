//! The balances that every accepted step must keep.

mod common;

use common::{bidisperse, simulate};
use zerostokes::laws::contact;

#[test]
fn forces_and_powers_balance_in_every_step() {
    for (friction, rest) in [
        (0.0, ""),
        (1.0, ""),
        (0.5, "critical_load = 5.0\n[repulsion]\nforce = 20.0\ndebye_length = 0.02\n"),
        (0.0, "damping = 2.0\n[attraction]\nhamaker = 1.0\n"),
    ] {
        let text = format!("[drive]\nstrain = 1.0\n[contact]\nfriction = {friction}\n{rest}");
        let (_, seen) = simulate(&bidisperse(100, 0.5, &text));
        for o in &seen {
            assert!(
                o.effort.force_residual <= 1e-6 && o.effort.law_residual <= 2e-2,
                "{:?}",
                o.effort
            );
            assert!(o.power_mismatch() <= 1e-5, "{:e} at {}", o.power_mismatch(), o.strain);
            assert!(o.largest_overlap() <= 0.01);
        }
    }
}

#[test]
fn contact_power_is_stored_and_given_back() {
    // Without friction and dashpots the springs only store: what they take up is the change of
    // their energy, but for the damping of an implicit scheme, which falls with the step.
    let leak = |step: f64| {
        let rest = format!(
            "[drive]\nstrain = 1.0\n[contact]\nstiffness = 2e4\n[time]\nmax_step = {step}\n"
        );
        let (_, seen) = simulate(&bidisperse(100, 0.5, &rest));
        let taken: f64 = seen.iter().map(|o| o.power.pairs[contact::ORIGIN.index()] * o.step).sum();
        let all: f64 = seen.iter().map(|o| o.power.input * o.step).sum();
        let stored = seen.last().map_or(0.0, |o| o.energy.stored);
        (taken - stored) / all
    };
    let (coarse, fine) = (leak(8e-3), leak(1e-3));
    assert!(coarse > 0.0 && coarse < 0.05, "{coarse}");
    assert!(fine > 0.0 && fine < 0.3 * coarse, "{fine} {coarse}");
}

#[test]
fn pair_memory_does_not_depend_on_the_neighbour_list() {
    use zerostokes::study::suspension;
    let case = bidisperse(100, 0.5, "[drive]\nstrain = 0.6\n[contact]\nfriction = 1.0\n");
    let (kept, _) = simulate(&case);
    // A new stepper in every step builds its list anew.
    let mut fresh = suspension::initial(&case).unwrap();
    let end = suspension::end(&case);
    while !end.reached(&fresh.clock) {
        suspension::stepper(&case, &fresh).step(&mut fresh, end).unwrap();
    }
    assert!(!kept.memory.ids.is_empty());
    assert_eq!(kept, fresh);
}

#[test]
fn names_of_particles_do_not_change_the_physics() {
    use zerostokes::state::Suspension;
    use zerostokes::study::suspension;
    // Another order is another rounding, which friction that is not quite converged would show.
    let tight = "[time]\nfriction_residual = 1e-7\n[solver]\ntolerance = 1e-10\n";
    let rest = format!("[drive]\nstrain = 0.3\n[contact]\nfriction = 1.0\n{tight}");
    let case = bidisperse(100, 0.5, &rest);
    let first = suspension::initial(&case).unwrap();
    let order: Vec<usize> = (0..first.len()).map(|k| (37 * k) % first.len()).collect();
    let mut shuffled = Suspension::new(
        order.iter().map(|&k| first.radii[k]).collect(),
        order.iter().map(|&k| first.positions[k]).collect(),
        first.cell,
    );
    shuffled.stiffness = first.stiffness;
    let mut straight = first;
    let end = suspension::end(&case);
    for state in [&mut straight, &mut shuffled] {
        let mut stepper = suspension::stepper(&case, state);
        while !end.reached(&state.clock) {
            stepper.step(state, end).unwrap();
        }
    }
    for (place, &k) in order.iter().enumerate() {
        let apart = (shuffled.positions[place] - straight.positions[k]).norm();
        assert!(apart < 1e-6, "particle {k}: {apart:e}");
    }
}
