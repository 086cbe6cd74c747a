//! What single stages of a step cost at several N: pairs, operator, solves.
//!
//! `cargo bench --bench stages` prints criterion's times; compare ratios within one run.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use zerostokes::balance::{Operator, PairBlock, stokes_drag};
use zerostokes::case::Case;
use zerostokes::integrate::End;
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};
use zerostokes::laws::{Pair, PairLaw, Rates};
use zerostokes::pairs::NeighbourList;
use zerostokes::solve::{Method, Solver};
use zerostokes::state::{Suspension, Velocity};
use zerostokes::study::suspension;

const SIZES: [usize; 4] = [200, 500, 2000, 8000];

/// A frictionless suspension that has been sheared for a while.
fn sheared(count: usize, strain: f64) -> Suspension {
    let text = format!("[particles]\ncount = {count}\nvolume_fraction = 0.5\n");
    let case = Case::from_text(&text, Path::new("bench.toml"), &[]).expect("a valid case");
    let mut state = suspension::initial(&case).expect("a packing");
    let mut stepper = suspension::stepper(&case, &state);
    let end = End { strain, time: f64::INFINITY };
    while !end.reached(&state.clock) {
        stepper.step(&mut state, end).expect("a step");
    }
    state
}

/// The lubricated operator of a configuration.
fn operator(state: &Suspension) -> Operator {
    let law = Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-3,
        outer_gap: 0.5,
        cutoff: Cutoff::Smooth,
        film: Film::Leading,
    };
    let mut pairs = Vec::new();
    NeighbourList::new(0.5, 0.4).active(state, &mut pairs);
    let blocks = pairs.iter().map(|p| {
        let distance = p.separation.norm();
        let pair = Pair {
            radii: p.radii,
            normal: p.separation / distance,
            distance,
            gap: p.gap,
            step: 0.0,
        };
        let resistance = law.respond(&pair, &[], &Rates::default()).resistance;
        PairBlock { ids: p.ids, normal: pair.normal, levers: pair.levers(), resistance }
    });
    let drag = state.radii.iter().map(|a| stokes_drag(1.0, *a)).collect();
    Operator::new(drag, blocks.collect(), 1.0)
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stage");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for count in SIZES {
        let state = sheared(count, 0.3);
        let operator = operator(&state);
        let push = Velocity { linear: nalgebra::Vector3::x(), ..Velocity::default() };
        let rhs: Vec<Velocity> = vec![push; count];
        let mut out = rhs.clone();
        group.bench_function(BenchmarkId::new("neighbour list", count), |b| {
            let mut pairs = Vec::new();
            b.iter(|| NeighbourList::new(0.5, 0.4).active(&state, &mut pairs));
        });
        group.bench_function(BenchmarkId::new("operator", count), |b| {
            b.iter(|| operator.apply(black_box(&rhs), &mut out));
        });
        for (name, method) in [("direct solve", Method::Direct), ("cg solve", Method::Cg)] {
            if method == Method::Direct && count > 2000 {
                continue;
            }
            let mut solver = Solver::new(method, 2000);
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| {
                    out.fill(Velocity::default());
                    solver.solve(&operator, &rhs, &mut out, 1e-8).expect("a solution")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
