//! What one evaluation of a pair law costs: lubrication at leading order, the two-sphere functions,
//! rough and soft films. Compare ratios within one run.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::Vector3;
use zerostokes::balance::field::{Ending, Field, Reach};
use zerostokes::laws::lubrication::{self, Cutoff, Lubrication};
use zerostokes::laws::rough::{self, Rolling, Rough};
use zerostokes::laws::soft::Soft;
use zerostokes::laws::{Pair, PairLaw, Rates, Remote};

const COUNT: usize = 1000;

/// Pairs of a bidisperse suspension, close and less close.
fn pairs() -> Vec<Pair> {
    let pair = |k: usize| {
        let gap = 1e-3 + 0.45 * (k as f64 * 0.618_034).fract();
        let radii = [[1.0, 1.0], [1.0, 1.4], [1.4, 1.4]][k % 3];
        let distance = radii[0] + radii[1] + gap;
        Pair { radii, normal: Vector3::x(), distance, gap, step: 0.01 }
    };
    (0..COUNT).map(pair).collect()
}

/// The laws that are measured.
fn measured() -> [(&'static str, Box<dyn PairLaw>); 5] {
    let film = |film| Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-3,
        outer_gap: 0.5,
        cutoff: Cutoff::Smooth,
        film,
    };
    let rough = |film| Rough {
        viscosity: 1.0,
        stiffness: 1e4,
        asperity_stiffness: 1e4,
        tangential_stiffness: 3e3,
        roughness: 1e-2,
        friction: 0.5,
        range: 0.5,
        beginning: rough::Beginning::Smooth,
        film,
        remote: Remote::NONE,
    };
    let printed = rough::Film::Printed { sliding: true, rolling: Rolling::Derived };
    let soft = Soft {
        viscosity: 1.0,
        modulus: 1e5,
        elastic_factors: [1.0; 2],
        range: 0.5,
        rolling: false,
        remote: Remote::NONE,
    };
    [
        ("lubrication", Box::new(film(lubrication::Film::Leading))),
        ("two-body film", Box::new(film(lubrication::Film::TwoBody))),
        ("rough", Box::new(rough(printed))),
        ("rough, two-body film", Box::new(rough(rough::Film::TwoBody))),
        ("soft", Box::new(soft)),
    ]
}

fn laws(c: &mut Criterion) {
    let pairs = pairs();
    let rates = Rates { squeeze: -0.1, slide: 0.2 * Vector3::y(), ..Rates::default() };
    let mut group = c.benchmark_group("1000 pairs");
    for (name, law) in &measured() {
        let first_memory = |pair: &Pair| {
            let mut memory = vec![0.0; law.memory_len()];
            law.init_memory(pair.radii, &(pair.distance * pair.normal), &mut memory);
            memory
        };
        let memories: Vec<Vec<f64>> = pairs.iter().map(first_memory).collect();
        group.bench_function(*name, |b| {
            b.iter(|| {
                for (pair, memory) in pairs.iter().zip(&memories) {
                    black_box(law.respond(pair, memory, &rates));
                }
            });
        });
    }
    let (ending, reach) = (Ending::Subtracted, Reach::Relative);
    let field = Field { viscosity: 1.0, range: 0.5, inner_gap: 1e-3, ending, reach };
    group.bench_function("two-body field", |b| {
        b.iter(|| {
            for pair in &pairs {
                black_box(field.far_field(pair));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, laws);
criterion_main!(benches);
