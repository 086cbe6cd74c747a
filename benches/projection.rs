//! What a step of a pile of discs costs at several N, while it creeps and at rest, beside the same
//! projection by an interior-point method from a cold start.
//!
//! `cargo bench --bench projection` prints a table; `-- 1000,3000` chooses sizes. Times are of one
//! thread; compare ratios within one run.

use std::path::Path;
use std::time::Instant;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use zerostokes::case::Case;
use zerostokes::cell::Cell;
use zerostokes::integrate::projected::{Candidate, Constrained};
use zerostokes::integrate::{End, Stepper};
use zerostokes::pack;
use zerostokes::state::Suspension;
use zerostokes::study::suspension;

const SIZES: [usize; 4] = [1000, 3000, 10_000, 20_000];

/// Steps over which a pile is averaged.
const MEASURED: usize = 20;

/// When a pile is measured: at these root mean squares of all velocities, over the velocity of a
/// disc alone. It creeps first and is at rest then.
const SPEEDS: [f64; 2] = [0.02, 1e-3];

/// A pile that is not so slow after this time is measured as it is `[s]`.
const PATIENCE: u64 = 1500;

/// Share of the area that discs have before they settle.
const AREA_FRACTION: f64 = 0.82;

/// Weight of a disc over its drag, per time.
const WEIGHT: f64 = 20.0;

/// Discs of unequal sizes thrown into a box, not quite as close as a pile.
fn loose(count: usize) -> (Case, Suspension) {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    let radii: Vec<f64> = (0..count).map(|_| 0.7 + 0.3 * rng.random::<f64>()).collect();
    let area: f64 = radii.iter().map(|a| std::f64::consts::PI * a * a).sum();
    let side = (area / AREA_FRACTION).sqrt();
    let packing = pack::random_layer(&radii, [side, side], 11).expect("room for all");
    let positions = packing.positions.iter().map(|x| x + Vector3::new(1.0, 1.0, 0.0)).collect();
    let (width, height) = (side + 2.0, 2.0 * side);
    let text = format!(
        "[particles]\npositions = [[1, 1, 0]]\nradii = [1]\nplanar = true\n\
         [domain]\nboundary = \"open\"\n[lubrication]\nenabled = false\n[gluey]\ngamma_min = 0\n\
         [[obstacle]]\nkind = \"box\"\ninside = true\npoint = [{}, {}, 0]\nlengths = [{width}, {height}]\n\
         [drive]\nrate = 0\nforce = [0, -{WEIGHT}, 0]\ntime = 1e9\n",
        0.5 * width,
        0.5 * height
    );
    let case = Case::from_text(&text, Path::new("bench.toml"), &[]).expect("a valid case");
    (case, Suspension::new(radii, positions, Cell::Open))
}

/// What a step of a pile costs.
struct Measured {
    speed: f64,
    contacts: usize,
    seconds: f64,
    median: f64,
    factorizations: f64,
    overlap: f64,
    settling: f64,
}

/// Root mean square of all velocities over the velocity of a disc alone.
fn speed(state: &Suspension) -> f64 {
    let square: f64 = state.velocities.iter().map(|m| m.linear.norm_squared()).sum();
    let alone = WEIGHT / (6.0 * std::f64::consts::PI);
    (square / state.len() as f64).sqrt() / alone
}

fn step(stepper: &mut Stepper, state: &mut Suspension) -> Constrained {
    let end = End { strain: f64::INFINITY, time: f64::INFINITY };
    stepper.step(state, end).expect("a step").constrained
}

/// Goes on until a pile is so slow, and measures what steps cost then.
fn settle(stepper: &mut Stepper, state: &mut Suspension, slow: f64, begin: Instant) -> Measured {
    let mut overlap: f64 = 0.0;
    let mut quiet = 0;
    while quiet < 5 && begin.elapsed().as_secs() < PATIENCE {
        overlap = overlap.max(step(stepper, state).violation);
        quiet = if speed(state) < slow { quiet + 1 } else { 0 };
    }
    let settling = begin.elapsed().as_secs_f64();
    let (mut seconds, mut factorizations, mut contacts) = (Vec::new(), 0, 0);
    for _ in 0..MEASURED {
        let begin = Instant::now();
        let seen = step(stepper, state);
        seconds.push(begin.elapsed().as_secs_f64());
        factorizations += seen.factorizations;
        overlap = overlap.max(seen.violation);
        contacts = seen.acting;
    }
    seconds.sort_by(f64::total_cmp);
    let mean = MEASURED as f64;
    Measured {
        speed: speed(state),
        contacts,
        seconds: seconds.iter().sum::<f64>() / mean,
        median: seconds[MEASURED / 2],
        factorizations: factorizations as f64 / mean,
        overlap,
        settling,
    }
}

/// The projection of the next step by an interior-point method: seconds and iterations.
fn by_interior_points(stepper: &Stepper, state: &Suspension, step: f64) -> (f64, u32) {
    let n = state.len();
    let drag: Vec<f64> = state.radii.iter().map(|a| 6.0 * std::f64::consts::PI * a).collect();
    let diagonal: Vec<f64> = drag.iter().flat_map(|d| [*d; 2]).collect();
    let weight: Vec<f64> = (0..n).flat_map(|_| [0.0, WEIGHT]).collect();
    let (starts, every) = ((0..=2 * n).collect(), (0..2 * n).collect());
    let quadratic = CscMatrix::new(2 * n, 2 * n, starts, every, diagonal);
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let touches: Vec<&Candidate> =
        stepper.candidates().iter().filter(|touch| touch.constrained).collect();
    for (row, touch) in touches.iter().enumerate() {
        for (id, sign) in touch.ids.slots().into_iter().zip([1.0, -1.0]) {
            for k in (0..2).filter(|_| id < n) {
                rows.push(row);
                columns.push(2 * id + k);
                values.push(sign * touch.normal[k]);
            }
        }
    }
    let matrix = CscMatrix::new_from_triplets(touches.len(), 2 * n, rows, columns, values);
    let bounds: Vec<f64> = touches.iter().map(|touch| touch.end.gap / step).collect();
    let cones = [SupportedConeT::NonnegativeConeT(touches.len())];
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let begin = Instant::now();
    let solver = DefaultSolver::new(&quadratic, &weight, &matrix, &bounds, &cones, settings);
    let mut solver = solver.expect("a convex problem");
    solver.solve();
    (begin.elapsed().as_secs_f64(), solver.solution.iterations)
}

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("one thread");
    let given: Option<Vec<usize>> = std::env::args()
        .skip(1)
        .find(|a| !a.starts_with('-'))
        .map(|list| list.split(',').map(|n| n.parse().expect("a number of discs")).collect());
    println!(
        "{:>6} {:>8} {:>9} {:>9} {:>9} {:>8} {:>9} {:>11} {:>6} {:>8}",
        "N",
        "speed",
        "contacts",
        "s / step",
        "median",
        "factors",
        "overlap",
        "clarabel/s",
        "iter.",
        "after/s"
    );
    for count in given.unwrap_or(SIZES.to_vec()) {
        let (case, mut state) = loose(count);
        let mut stepper = suspension::stepper(&case, &state);
        let begin = Instant::now();
        for slow in SPEEDS {
            let m = settle(&mut stepper, &mut state, slow, begin);
            let (cold, iterations) =
                by_interior_points(&stepper, &state, state.clock.last_steps[0]);
            println!(
                "{count:>6} {:>8.4} {:>9} {:>9.4} {:>9.4} {:>8.1} {:>9.1e} {cold:>11.3} {iterations:>6} {:>8.1}",
                m.speed, m.contacts, m.seconds, m.median, m.factorizations, m.overlap, m.settling
            );
        }
    }
}
