//! A gluey particle at a plane (Lefebvre 2009): closed forms, and films of vanishing viscosity.
//! Numbers are those of the paper's example and of the quasi-static closed forms that follow from
//! the same impulse balance.

mod common;
#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::path::Path;

use common::case;
use program::scratch;
use serde_json::Value;
use told::{columns, number, run};
use zerostokes::study::suspension;

fn plane(here: &Path, set: &str) -> Value {
    run(here, "gluey_plane.toml", "plane", &format!("{set} --force --quiet"), 1e-9).summary
}

fn times(summary: &Value) -> [f64; 2] {
    ["hit_time", "unstick_time"].map(|key| number(&summary["gluey"][key]))
}

#[test]
fn with_inertia_the_particle_hits_at_1_and_comes_off_at_4() {
    let here = scratch("gluey-inertial");
    // Steps that end at the events, and steps that miss them.
    for step in [0.01, 0.1, 0.03, 0.63] {
        let summary = plane(&here, &format!("--set time.step={step}"));
        let [hit, off] = times(&summary);
        assert!((hit - 1.0).abs() < 1e-6 && (off - 4.0).abs() < 1e-6, "{step}: {hit} {off}");
        let (_, rows) = columns(&here.join("plane/timeseries.csv"));
        let mut two_later = 0;
        for row in &rows {
            let value = |name: &str| row[name].parse::<f64>().unwrap();
            let (time, gap, gamma) = (value("time"), value("gap"), value("gamma"));
            assert!(gap > -1e-9 && gamma * gap > -1e-7, "{gap} {gamma}");
            // Two steps after the hit, γ holds all of the impulse.
            if time > 1.0 + 2.0 * step && time < 4.0 {
                let exact = if time <= 2.0 { -2.0 * time } else { 2.0 * time - 8.0 };
                assert!((gamma - exact).abs() < 1e-8, "{step}: {time} {gamma} {exact}");
                two_later += 1;
            }
            if time > 4.0 {
                assert!((gap - (time - 4.0).powi(2)).abs() < step, "{step}: {time} {gap}");
            }
        }
        assert!(two_later >= 2);
        assert!(number(&summary["gluey"]["worst_complementarity"]) < 1e-8);
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn a_rough_particle_comes_off_earlier_and_an_inelastic_one_at_once() {
    let here = scratch("gluey-rough");
    for (gamma, off) in [(-3.0, 3.5), (-1.0, 2.5), (0.0, 2.0), (-5.0, 4.0)] {
        for step in [0.01, 0.03, 0.63] {
            let set = format!("--set gluey.gamma_min={gamma} --set time.step={step}");
            let summary = plane(&here, &set);
            let [hit, found] = times(&summary);
            assert!((hit - 1.0).abs() < 1e-6 && (found - off).abs() < 1e-6, "{set}: {found}");
            let least = number(&summary["gluey"]["least_gamma"]);
            assert!((least - f64::max(gamma, -4.0)).abs() < 1e-8, "{set}: {least}");
        }
    }
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn without_inertia_the_closed_forms_hold() {
    let here = scratch("gluey-quasi-static");
    for (gap, gamma) in [(0.1, "\"smooth\""), (0.05, "\"smooth\""), (0.1, "-1"), (0.1, "0")] {
        for step in [0.01, 0.03, 0.63] {
            let set = format!(
                "--set gluey.inertia=false --set gluey.gap={gap} --set gluey.gamma_min={gamma} --set time.step={step}"
            );
            let [hit, off] = times(&plane(&here, &set));
            let expected = 3.0 * std::f64::consts::PI * gap;
            let free = match gamma {
                "-1" => 2.5,
                "0" => 2.0,
                _ => 4.0 - expected,
            };
            assert!(
                (hit - expected).abs() < 1e-8 && (off - free).abs() < 1e-8,
                "{set}: {hit} {off}"
            );
        }
    }
    std::fs::remove_dir_all(here).unwrap();
}

/// A particle with inertia that is pushed to a lubricated plane until t = 2 and pulled off it after
/// that: its gap at times.
fn lubricated(viscosity: f64, times: &[f64]) -> Vec<f64> {
    let case = case(&format!(
        "[particles]\npositions = [[0, 2, 0]]\nradii = [1]\nrotation = false\n[domain]\nboundary = \"open\"\n\
         [fluid]\nviscosity = {viscosity}\n\
         [lubrication]\ninner_gap = 1e-300\nouter_gap = 0.99\ncutoff = \"truncated\"\n[contact]\nenabled = false\n\
         [inertia]\ndensity = {}\n[[obstacle]]\nkind = \"plane\"\nnormal = [0, 1, 0]\n\
         [drive]\nrate = 0\nforce = [0, -2, 0]\nforce_reversal = 2\ntime = 5\n[time]\nmax_step = 0.001\n",
        3.0 / (4.0 * std::f64::consts::PI)
    ));
    let mut state = suspension::initial(&case).unwrap();
    let mut stepper = suspension::stepper(&case, &state);
    let at = |state: &mut zerostokes::state::Suspension,
              stepper: &mut zerostokes::integrate::Stepper,
              time: f64| {
        let end = zerostokes::integrate::End { strain: f64::INFINITY, time };
        while !end.reached(&state.clock) {
            stepper.step(state, end).unwrap_or_else(|e| panic!("{e}"));
        }
        state.positions[0].y - 1.0
    };
    times.iter().map(|time| at(&mut state, &mut stepper, *time)).collect()
}

#[test]
fn lubricated_planes_of_vanishing_viscosity_approach_the_gluey_one() {
    // The gluey trajectory: 1 − t² until it hits, 0 while it is glued, (t − 4)² after that.
    let times = [0.5, 0.9, 1.5, 3.0, 3.8, 4.5, 5.0];
    let gluey = times.map(|t: f64| match t {
        t if t < 1.0 => 1.0 - t * t,
        t if t < 4.0 => 0.0,
        t => (t - 4.0).powi(2),
    });
    let errors = [1.0, 0.1, 0.01].map(|viscosity| {
        let found = lubricated(viscosity, &times);
        let alone = path_over_film(viscosity, &times);
        for (found, alone) in found.iter().zip(&alone) {
            // What differs is γ, in impulses of 4.
            let gamma = 6.0 * std::f64::consts::PI * viscosity * (found / alone).ln();
            assert!(gamma.abs() < 0.02, "{viscosity}: {found} {alone}");
        }
        let off = found.iter().zip(gluey).map(|(a, b)| (a - b).abs());
        off.fold(0.0, f64::max)
    });
    // The film is e⁻²¹ radii at its thinnest.
    println!("{errors:?}");
    assert!(errors[0] > errors[1] && errors[1] > 2.0 * errors[2] && errors[2] < 0.4, "{errors:?}");
}

/// The gap of a particle of mass 1 that film and drag resist, by the first integral of its motion,
/// \\(\dot q + 6\pi\mu(\ln q + (q - q\ln q)/5 + q) = \int f\\), in small implicit steps for ln q.
fn path_over_film(viscosity: f64, times: &[f64]) -> Vec<f64> {
    let (c, outer) = (6.0 * std::f64::consts::PI * viscosity, 0.99);
    let impulse = |t: f64| if t < 2.0 { -2.0 * t } else { 2.0 * t - 8.0 };
    let (mut log, mut steps, step): (f64, usize, f64) = (0.0, 0, 1e-4);
    let mut at = |time: f64| {
        while (steps as f64 + 0.5) * step < time {
            steps += 1;
            let (before, push) = (log.exp(), impulse(steps as f64 * step));
            for _ in 0..100 {
                let q = log.exp();
                let film = |q: f64| q.ln() + 0.2 * q * (1.0 - q.ln());
                let thin = q < outer;
                let resisted = q - 1.0 + if thin { film(q) - film(outer) } else { 0.0 };
                let slope = q + if thin { 1.0 - 0.2 * q * log } else { 0.0 };
                let wrong = q - before - step * (push - c * resisted);
                let change = wrong / (q + step * c * slope);
                log -= change.clamp(-1.0, 1.0);
                if change.abs() < 1e-12 {
                    break;
                }
            }
        }
        log.exp()
    };
    times.iter().map(|time| at(*time)).collect()
}
