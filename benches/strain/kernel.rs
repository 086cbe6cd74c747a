//! The sweeps over pairs against the bandwidth of memory, and a step of very many particles.

use std::time::Instant;

use zerostokes::cost;
use zerostokes::integrate::End;
use zerostokes::pairs::Slabs;
use zerostokes::solve::mixed::Mixed;
use zerostokes::study::suspension;

use super::factor;
use super::options::Setting;

/// Particles whose product over pairs is timed.
const COUNT: usize = 32_000;

/// Products, of which the fastest counts.
const REPEATS: usize = 30;

/// Prints how fast the product over the pairs of a packing moves memory.
pub fn print_bandwidth(streaming: f64) {
    let setting = Setting { count: COUNT, phi: 0.5, friction: 1.0 };
    let state = suspension::initial(&setting.case()).expect("a packing");
    let mut operator = factor::operator(setting, &state);
    operator.slabs = Slabs::new(&state, 2.0 * state.largest_radius() + 1.0);
    let (bytes, seconds) = Mixed::default().time_sweeps(&operator, REPEATS);
    let bandwidth = bytes as f64 / seconds;
    println!(
        "Pair product at N = {COUNT}: {:.0} µs, {:.2} ns per pair, {:.1} GB/s by one thread: {:.0} % of that.",
        1e6 * seconds,
        1e9 * seconds / operator.blocks.len() as f64,
        1e-9 * bandwidth,
        100.0 * bandwidth / streaming
    );
}

/// Packs so many particles and takes one step with them.
pub fn print_one_step(count: usize) {
    let setting = Setting { count, phi: 0.5, friction: 1.0 };
    let case = setting.case();
    let start = Instant::now();
    let mut state = suspension::initial(&case).expect("a packing");
    println!("N = {count}: packed in {:.1} s", start.elapsed().as_secs_f64());
    let mut stepper = suspension::stepper(&case, &state);
    let start = Instant::now();
    let end = End { strain: f64::INFINITY, time: f64::INFINITY };
    let seen = stepper.step(&mut state, end).expect("a step");
    println!(
        "  one step of strain {:.1e} in {:.1} s: {} solves, {} iterations, forces balance to {:.0e}",
        seen.strain,
        start.elapsed().as_secs_f64(),
        seen.effort.solves,
        seen.effort.iterations,
        seen.effort.force_residual
    );
    if let Some(bytes) = cost::peak_memory() {
        let each = bytes as f64 / count as f64;
        println!("  memory {:.2} GB, {:.2} kB per particle", 1e-9 * bytes as f64, 1e-3 * each);
    }
}
