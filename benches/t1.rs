//! What a T1 costs: a table of error in the duration against solves, and criterion's times.
//!
//! `cargo bench --bench t1` prints both. Exact durations are from independent integrations.

use std::path::Path;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use zerostokes::case::Case;
use zerostokes::study::Study;
use zerostokes::study::t1::T1Study;

/// Reduced force, gap and duration: hard and thin, as in figure 4 of the paper, soft and thin.
const POINTS: [[f64; 3]; 4] = [
    [1e-4, 1e-2, 8.462140670267274],
    [3e-3, 1e-2, 11.945582512613772],
    [1e-2, 1e-3, 776.9172138522435],
    [1e-1, 1e-3, 18875.949618761635],
];

fn case(kappa: f64, gap: f64, tolerance: f64) -> Case {
    let text = format!(
        "study = \"t1\"\n[t1]\nkappa = {kappa:?}\ngap = {gap:?}\n[time]\ntolerance = {tolerance:?}\n"
    );
    Case::from_text(&text, Path::new("bench.toml"), &[]).expect("a valid case")
}

/// Duration, steps and solves of a rearrangement.
fn rearrange(case: &Case) -> (f64, u64, usize) {
    let mut study = T1Study::new(case);
    let mut state = study.initial(case).expect("four spheres");
    let mut stepper = study.stepper(case, &state);
    let (end, mut over, mut solves) = (study.end(case), false, 0);
    while !over && !end.reached(&state.clock) {
        let step = study.step(&mut stepper, &mut state, end).expect("a step");
        over = step.over;
        solves += step.seen.effort.solves;
    }
    (study.progress.completed.expect("a duration"), state.clock.steps, solves)
}

fn work_and_precision() {
    println!("kappa   gap     tolerance  relative error  steps  solves  ms");
    for [kappa, gap, exact] in POINTS {
        for exponent in 3..=8 {
            let tolerance = 10f64.powi(-exponent);
            let start = Instant::now();
            let (duration, steps, solves) = rearrange(&case(kappa, gap, tolerance));
            let error = (duration / exact - 1.0).abs();
            let time = 1e3 * start.elapsed().as_secs_f64();
            println!(
                "{kappa:<7.0e} {gap:<7.0e} {tolerance:<10.0e} {error:<15.1e} {steps:<6} {solves:<7} {time:.1}"
            );
        }
    }
}

fn times(criterion: &mut Criterion) {
    work_and_precision();
    let mut group = criterion.benchmark_group("t1 at the default tolerance");
    for [kappa, gap, _] in POINTS {
        let case = case(kappa, gap, zerostokes::case::Time::FEW_PARTICLES);
        let name = BenchmarkId::from_parameter(format!("kappa {kappa:e}, gap {gap:e}"));
        group.bench_function(name, |b| b.iter(|| rearrange(&case)));
    }
    group.finish();
}

criterion_group!(benches, times);
criterion_main!(benches);
