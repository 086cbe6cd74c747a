//! Few particles: a unit of strain by factorization and by iteration.

use std::time::Instant;

use zerostokes::integrate::End;
use zerostokes::study::suspension;

use super::sheared::case;

/// The strain from which on, and up to which, time is taken.
const STRAINS: [f64; 2] = [0.5, 1.5];

/// Packings of each size: together about so many particles, so many at least and at most.
const PARTICLES: usize = 600;
const LEAST: u64 = 3;
const MOST: u64 = 10;

/// Particles from which on a box at φ = 0.5 is large enough for its pairs; fewer get a box of that size.
const DENSE: usize = 38;

/// The volume fraction of so many particles.
fn fraction(count: usize) -> f64 {
    0.5 * (count as f64 / DENSE as f64).min(1.0)
}

/// Wall time of a unit of strain by the given method, all packings together; `None` if a step fails.
fn seconds(count: usize, method: &str, seeds: u64) -> Option<f64> {
    let mut all = 0.0;
    for seed in 1..=seeds {
        let case = case(
            count,
            fraction(count),
            &format!("seed = {seed}\n[solver]\nmethod = \"{method}\"\n"),
        );
        let mut state = suspension::initial(&case).ok()?;
        let mut stepper = suspension::stepper(&case, &state);
        let mut start = Instant::now();
        for strain in STRAINS {
            start = Instant::now();
            let end = End { strain, time: f64::INFINITY };
            while !end.reached(&state.clock) {
                stepper.step(&mut state, end).ok()?;
            }
        }
        all += start.elapsed().as_secs_f64();
    }
    Some(all / (seeds as f64 * (STRAINS[1] - STRAINS[0])))
}

/// Prints the times of both methods.
pub fn table(sizes: &[usize]) {
    let [from, to] = STRAINS;
    println!("\nA unit of strain with few particles, μ = 1, strain {from} to {to}:");
    println!(
        "{:>6} {:>6} {:>9} {:>12} {:>12} {:>12}",
        "N", "φ", "packings", "direct / s", "cg / s", "ratio"
    );
    for &count in sizes {
        let seeds = (PARTICLES.div_ceil(count) as u64).clamp(LEAST, MOST);
        // The better of two rounds, which alternate.
        let rounds = [(); 2].map(|()| ["direct", "cg"].map(|m| seconds(count, m, seeds)));
        let [direct, cg] = [0, 1].map(|m| {
            rounds.iter().map(|round| round[m].unwrap_or(f64::NAN)).fold(f64::NAN, f64::min)
        });
        let phi = fraction(count);
        println!(
            "{count:>6} {phi:>6.2} {seeds:>9} {direct:>12.4} {cg:>12.4} {:>12.2}",
            direct / cg
        );
    }
}
