//! Flow curves: thickening at a critical load, imposed stress against imposed rate, jamming,
//! yielding.
//!
//! The viscosity of a run is the mean of σ/(μγ̇) over strain. At imposed rate this is ⟨σ⟩/(μγ̇), at
//! imposed stress σ/(μ⟨γ̇⟩) with the rate averaged over time, and both average the same quantity in
//! the same way along the path of the particles. The mean of σ/(μγ̇) over time, or of γ̇ over
//! strain, is another one (Jensen).

mod common;
#[path = "common/program.rs"]
mod program;
#[path = "common/told.rs"]
mod told;

use std::path::Path;

use common::{bidisperse, mean, simulate, viscosity};
use program::{complaint, scratch, zerostokes};
use serde_json::Value;
use told::{columns, number};
use zerostokes::study::suspension;

/// Runs a bidisperse suspension of 100 spheres, which must end well.
fn summary(here: &Path, out: &str, fraction: f64, rest: &str) -> (Value, String) {
    let file = format!("{out}.toml");
    let text = format!(
        "[particles]\ncount = 100\nvolume_fraction = {fraction}\nradii = [1.0, 1.4]\n\
         [output]\nframes = 0\n{rest}"
    );
    std::fs::write(here.join(&file), text).unwrap();
    let done = zerostokes(here, &format!("run {file} --out {out}"));
    assert_eq!(done.status.code(), Some(0), "{}", complaint(&done));
    let told = std::fs::read_to_string(here.join(out).join("summary.json")).unwrap();
    (serde_json::from_str(&told).unwrap(), String::from_utf8(done.stdout).unwrap())
}

/// σ/γ̇ at imposed rate, and at the stress that was found there, with their combined error.
fn stress_gives_back_the_rate(fraction: f64, friction: f64, strain: f64) {
    let rest = format!("seed = 5\n[contact]\nfriction = {friction}\n[drive]\nstrain = {strain}\n");
    let (_, seen) = simulate(&bidisperse(200, fraction, &format!("{rest}rate = 1.0\n")));
    let given = mean(&seen, 4.0, viscosity);
    let stress = format!("{rest}stress = {}\n", given.mean);
    let (_, seen) = simulate(&bidisperse(200, fraction, &stress));
    let found = mean(&seen, 4.0, |o| viscosity(o) / o.rate);
    let combined = given.stderr.unwrap().hypot(found.stderr.unwrap());
    println!("φ {fraction}, friction {friction}: {} at rate, {} at stress", given.mean, found.mean);
    assert!((given.mean - found.mean).abs() < 3.0 * combined, "± {combined}");
    // A wrong mean would pass if the errors were large.
    assert!(combined < 0.06 * given.mean, "± {combined}");
}

#[test]
fn stress_gives_back_the_rate_at_0_45() {
    stress_gives_back_the_rate(0.45, 0.0, 25.0);
}

#[test]
#[ignore = "a minute"]
fn stress_gives_back_the_rate_at_0_50() {
    stress_gives_back_the_rate(0.50, 0.0, 40.0);
}

#[test]
#[ignore = "minutes"]
fn stress_gives_back_the_rate_with_friction_at_0_45() {
    stress_gives_back_the_rate(0.45, 1.0, 40.0);
}

#[test]
#[ignore = "minutes"]
fn stress_gives_back_the_rate_with_friction_at_0_50() {
    stress_gives_back_the_rate(0.50, 1.0, 40.0);
}

#[test]
fn viscosity_at_imposed_stress_is_that_stress_over_the_mean_rate() {
    let here = scratch("mean-rate");
    let rest = "[fluid]\nviscosity = 0.5\n[contact]\nfriction = 1.0\n[drive]\nstress = 3.0\nstrain = 4.0\n";
    let (told, _) = summary(&here, "run", 0.5, rest);
    let start = number(&told["steady"]["start"]);
    let rows = columns(&here.join("run/timeseries.csv")).1;
    let of = |name: &str| rows.iter().map(|r| r[name].parse().unwrap()).collect::<Vec<f64>>();
    let [strain, time] = ["strain", "time"].map(of);
    // The steady state begins within a row, over which the rate is one.
    let k = strain.iter().position(|s| *s > start).unwrap();
    let share = (start - strain[k - 1]) / (strain[k] - strain[k - 1]);
    let began = time[k - 1] + share * (time[k] - time[k - 1]);
    let rate = (strain.last().unwrap() - start) / (time.last().unwrap() - began);
    let eta = number(&told["relative_viscosity"]["mean"]);
    assert!((eta - 3.0 / 0.5 / rate).abs() < 1e-6 * eta, "{eta} for {}", 3.0 / 0.5 / rate);
    std::fs::remove_dir_all(here).unwrap();
}

/// η_r at a rate in units of F_CL/(μa²), over strain 1 to `strain`.
fn thickening(fraction: f64, rate: f64, strain: f64) -> f64 {
    let rest = format!(
        "[contact]\nfriction = 0.5\ncritical_load = 1.0\n[drive]\nrate = {rate}\nstrain = {strain}\n"
    );
    let (_, seen) = simulate(&bidisperse(100, fraction, &rest));
    let eta = mean(&seen, 1.0, viscosity).mean / rate;
    println!("φ {fraction}, rate {rate}: {eta}");
    eta
}

#[test]
fn thickening_jumps_at_0_58() {
    let (slow, fast) = (thickening(0.58, 2e-4, 3.0), thickening(0.58, 1e-3, 1.5));
    assert!(slow < 80.0 && fast > 4.0 * slow, "{slow} to {fast} within a factor of five in rate");
}

#[test]
#[ignore = "a minute"]
fn thickening_is_gradual_at_0_45() {
    let rates = [1e-3, 5e-3, 2.5e-2, 0.125, 0.625];
    let eta = rates.map(|rate| thickening(0.45, rate, 15.0));
    for pair in eta.windows(2) {
        assert!(pair[1] > 0.9 * pair[0] && pair[1] < 2.0 * pair[0], "{eta:?}");
    }
    assert!(eta[4] > 1.3 * eta[0], "{eta:?}");
}

#[test]
fn below_the_critical_load_there_is_no_friction_and_far_above_it_all() {
    let viscosities = |contact: &str| {
        let rest = format!("[drive]\nstrain = 0.4\n[contact]\nstiffness = 1e5\n{contact}");
        let (_, seen) = simulate(&bidisperse(100, 0.5, &rest));
        seen.iter().map(viscosity).collect::<Vec<_>>()
    };
    let smooth = viscosities("");
    assert_eq!(viscosities("friction = 0.5\ncritical_load = 1e9\n"), smooth);
    let rough = viscosities("friction = 0.5\n");
    let loaded = viscosities("friction = 0.5\ncritical_load = 1e-9\n");
    let last = |of: &[f64]| *of.last().unwrap();
    assert!((last(&loaded) - last(&rough)).abs() < 0.02 * last(&rough));
    assert!((last(&rough) - last(&smooth)).abs() > 0.1 * last(&smooth), "friction shows");
}

#[test]
fn a_critical_load_does_not_stiffen_contacts_that_do_not_rub() {
    let stiffness = |contact: &str| {
        suspension::initial(&bidisperse(100, 0.55, &format!("[contact]\n{contact}")))
            .unwrap()
            .stiffness
    };
    let smooth = stiffness("friction = 0.0\n");
    assert_eq!(stiffness("friction = 0.5\ncritical_load = 1.0\n"), smooth);
    assert!(stiffness("friction = 0.5\n") > 10.0 * smooth);
}

#[test]
fn beyond_jamming_an_imposed_stress_ends_the_run() {
    let here = scratch("jamming");
    let rest = |load: f64, strain: f64| {
        format!(
            "[contact]\nfriction = 1.0\ncritical_load = {load}\n[drive]\nstress = 1.0\nstrain = {strain}\n"
        )
    };
    for load in [0.0, 0.1] {
        let out = format!("jams-{load}");
        let (told, table) = summary(&here, &out, 0.6, &rest(load, 50.0));
        let strain = number(&told["jammed_at"]);
        assert!(strain > 0.0 && strain < 2.0, "{told}");
        assert!(table.contains(&format!("jammed              at strain {strain:.3}")), "{table}");
        assert!(told["relative_viscosity"].is_null(), "{told}");
        assert!(number(&told["steps"]) < 3000.0, "{told}");
    }
    // Frictionless at this stress, it flows.
    let (told, _) = summary(&here, "flows", 0.6, &rest(1e3, 1.0));
    assert!(told["jammed_at"].is_null() && number(&told["strain"]) > 0.999, "{told}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn attraction_holds_below_a_yield_stress() {
    let here = scratch("yielding");
    let rest = |stress: f64, strain: f64| {
        format!("[attraction]\nhamaker = 1.0\n[drive]\nstress = {stress}\nstrain = {strain}\n")
    };
    for stress in [0.001, 0.01] {
        let (told, _) = summary(&here, &format!("held-{stress}"), 0.45, &rest(stress, 20.0));
        assert!(number(&told["jammed_at"]).abs() < 1.0, "{told}");
        assert!(number(&told["steps"]) < 3000.0, "{told}");
    }
    let (told, _) = summary(&here, "flows", 0.45, &rest(10.0, 2.0));
    assert!(told["jammed_at"].is_null() && number(&told["strain"]) > 1.999, "{told}");
    std::fs::remove_dir_all(here).unwrap();
}
