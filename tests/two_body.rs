//! Two-body hydrodynamics: two spheres alone, and the pairs of a suspension.

use std::path::Path;

use zerostokes::case::Case;
use zerostokes::hydro::{Forms, Table};
use zerostokes::integrate::{End, Observation};
use zerostokes::state::Suspension;
use zerostokes::stress;
use zerostokes::study::suspension;

fn simulate(text: &str) -> (Suspension, Vec<Observation>) {
    let case = Case::from_text(text, Path::new("test.toml"), &[]).unwrap();
    let mut state = suspension::initial(&case).unwrap();
    let mut stepper = suspension::stepper(&case, &state);
    let end: End = suspension::end(&case);
    let mut seen = Vec::new();
    while !end.reached(&state.clock) {
        seen.push(stepper.step(&mut state, end).unwrap());
    }
    (state, seen)
}

/// Two spheres in open space, `force` on both.
fn falling(radii: [f64; 2], gap: f64, viscosity: f64, force: [f64; 3]) -> String {
    let apart = radii[0] + radii[1] + gap;
    format!(
        "[particles]\nradii = {radii:?}\npositions = [[0, 0, 0], [{apart:?}, 0, 0]]\n\
         [domain]\nboundary = \"open\"\n[fluid]\nviscosity = {viscosity:?}\n\
         [lubrication]\nhydrodynamics = \"two-body\"\n\
         [[force]]\nparticles = [0, 1]\nvector = {force:?}\n\
         [drive]\nrate = 0.0\ntime = 1e-6\n"
    )
}

#[test]
fn two_equal_spheres_fall_as_stimson_and_jeffery_found() {
    // Stimson & Jeffery 1926: touching spheres along their line feel 0.645 of Stokes drag each.
    let weight = 6.0 * std::f64::consts::PI;
    let (state, _) = simulate(&falling([1.0; 2], 0.01, 1.0, [weight, 0.0, 0.0]));
    for motion in &state.velocities {
        assert!((motion.linear.x - 1.5487).abs() < 1e-3, "{}", motion.linear.x);
    }
}

#[test]
fn two_spheres_alone_are_the_whole_form_in_any_units() {
    for (radii, gap, viscosity) in [([1.0, 2.5], 0.3, 1.0), ([1e-6, 1e-6], 2e-8, 1e-3)] {
        let force = [6.0 * std::f64::consts::PI * viscosity * radii[0], 0.0, 0.0];
        let (state, _) = simulate(&falling(radii, gap, viscosity, force));
        let forms = Table::shared().at(radii, gap).forms(radii, gap) + Forms::isolated(radii);
        let a = forms.axial * viscosity;
        let det = a[(0, 0)] * a[(1, 1)] - a[(0, 1)] * a[(0, 1)];
        let expected =
            [force[0] * (a[(1, 1)] - a[(0, 1)]) / det, force[0] * (a[(0, 0)] - a[(0, 1)]) / det];
        for (motion, expected) in state.velocities.iter().zip(expected) {
            let found = motion.linear.x;
            assert!((found / expected - 1.0).abs() < 2e-5, "{radii:?}: {found} {expected}");
        }
    }
}

fn dense(table: &str, drive: &str) -> String {
    format!("[particles]\ncount = 60\nvolume_fraction = 0.4\n{table}\n[drive]\n{drive}\n")
}

const FILM: &str = "[lubrication]\nhydrodynamics = \"two-body\"\nouter_gap = 0.4";
const ROUGH: &str =
    "[rough]\nhydrodynamics = \"two-body\"\nstiffness = 1e4\nfriction = 0.3\ncutoff = 0.4";

#[test]
fn what_strain_drives_keeps_the_balance_of_power() {
    for (table, bound) in [(FILM, 1e-6), (ROUGH, 1e-3)] {
        let (_, seen) = simulate(&dense(table, "strain = 0.2"));
        for o in &seen {
            assert!(o.power_mismatch() < bound, "{}", o.power_mismatch());
            assert!(o.effort.force_residual < bound.max(1e-8));
        }
    }
}

#[test]
fn an_imposed_stress_gives_the_rate_whose_stress_it_is() {
    // The moment that strain drives directly is part of the stress that is imposed.
    let (_, at_rate) = simulate(&dense(FILM, "rate = 1.0\nstrain = 0.02"));
    let stress = stress::shear(&at_rate[0].stress.total());
    let (_, at_stress) = simulate(&dense(FILM, &format!("stress = {stress:?}\nstrain = 0.02")));
    let (rate, again) = (at_stress[0].rate, stress::shear(&at_stress[0].stress.total()));
    assert!((rate - 1.0).abs() < 0.02, "{rate}");
    for o in &at_stress {
        let sigma = stress::shear(&o.stress.total());
        assert!((sigma / stress - 1.0).abs() < 1e-6, "{sigma} {stress} {again}");
    }
}

#[test]
fn stresses_are_symmetric() {
    let (_, seen) = simulate(&dense(FILM, "strain = 0.05"));
    let total = seen.last().unwrap().stress.total();
    assert!((total - total.transpose()).norm() < 1e-12 * total.norm());
}
