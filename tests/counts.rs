//! What a unit of strain takes in steps, linear systems and iterations of conjugate gradients.
//! These counts are the same on every machine; more of them would be time that nobody asked for.

mod common;

use common::{bidisperse, simulate};

/// By how much counts may grow before it is noticed `[1]`.
const GROWTH: f64 = 1.15;

/// Runs 100 particles and compares steps, solves and iterations per unit of strain with those that
/// were counted when the bound was set.
fn check(fraction: f64, friction: f64, strain: f64, counted: [f64; 3]) {
    let rest = format!("[contact]\nfriction = {friction:?}\n[drive]\nstrain = {strain:?}\n");
    let (_, seen) = simulate(&bidisperse(100, fraction, &rest));
    let solves: usize = seen.iter().map(|o| o.effort.solves).sum();
    let iterations: usize = seen.iter().map(|o| o.effort.iterations).sum();
    let now = [seen.len(), solves, iterations].map(|count| count as f64 / strain);
    println!("φ = {fraction}, friction {friction}: {now:.0?}, {counted:.0?} when set");
    for (now, counted) in now.iter().zip(counted) {
        assert!(*now <= GROWTH * counted, "{now} where {counted} were counted");
    }
}

#[test]
fn a_frictionless_suspension_takes_no_more_than_it_did() {
    check(0.50, 0.0, 6.0, [60.0, 140.0, 4376.0]);
}

#[test]
fn a_frictional_suspension_takes_no_more_than_it_did() {
    check(0.50, 1.0, 6.0, [110.0, 295.0, 8567.0]);
}

#[test]
fn a_suspension_near_jamming_takes_no_more_than_it_did() {
    check(0.54, 1.0, 8.0, [322.0, 1372.0, 31_738.0]);
}
