//! One preconditioner: what it takes to set it up, and to solve with it.

use std::time::Instant;

use zerostokes::balance::Operator;
use zerostokes::solve::cg::{ConjugateGradients, Stop};
use zerostokes::solve::mixed::{self, Mixed};
use zerostokes::solve::{add_scaled, norm};
use zerostokes::state::{Velocity, Wrench};

use super::blocks::places;
use super::iterate::{self, Balance, MOST_ITERATIONS, Method, Vectors};

/// Relative residuals that are reached.
pub const GOALS: [f64; 2] = [1e-4, 1e-9];

/// Everything is repeated for so long, and so often at least and at most; the best counts.
const SECONDS: f64 = 1.0;
const LEAST: usize = 3;
const MOST: usize = 100;

/// What was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    pub name: String,
    /// `[s]`.
    pub setup: f64,
    /// Iterations and time to the goals `[s]`; `None` where one was not reached.
    pub reached: [Option<(usize, f64)>; 2],
    /// Bytes that are kept, vectors apart.
    pub bytes: usize,
}

/// The best time of some, and what came out last; nothing if it fails.
fn best<T>(mut work: impl FnMut() -> Option<(f64, T)>) -> Option<(f64, T)> {
    let start = Instant::now();
    let mut best = work()?;
    for k in 1..MOST {
        if k >= LEAST && start.elapsed().as_secs_f64() > SECONDS {
            break;
        }
        let (seconds, out) = work()?;
        best = (best.0.min(seconds), out);
    }
    Some(best)
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let out = work();
    (start.elapsed().as_secs_f64(), out)
}

/// Makes sure in double precision that velocities leave no more of the forces than they should.
fn check(name: &str, operator: &Operator, rhs: &[Wrench], velocities: &[Velocity], goal: f64) {
    let mut left = vec![Wrench::default(); rhs.len()];
    operator.apply(velocities, &mut left);
    add_scaled(&mut left, -1.0, rhs);
    let relative = norm(&left, operator.length) / norm(rhs, operator.length);
    assert!(relative <= 1.01 * goal, "{name}: {relative:.3e} is left, not {goal:.0e}");
}

/// A method of this benchmark; nothing if it cannot be set up.
pub fn method<M: Method>(
    name: &str,
    operator: &Operator,
    rhs: &[Wrench],
    mut set_up: impl FnMut() -> Option<M>,
) -> Option<Measured> {
    let (setup, mut method) = best(|| {
        let (seconds, method) = timed(&mut set_up);
        Some((seconds, method?))
    })?;
    let places = places(operator);
    let mut vectors = Vectors::default();
    let size = norm(rhs, operator.length);
    let reached = GOALS.map(|goal| {
        let (seconds, iterations) = best(|| {
            let mut left = rhs.to_vec();
            let mut velocities = vec![Velocity::default(); rhs.len()];
            let mut balance =
                Balance { operator, places: &places, left: &mut left, velocities: &mut velocities };
            let (seconds, iterations) =
                timed(|| iterate::solve(&mut method, &mut vectors, &mut balance, goal * size));
            let iterations = iterations?;
            check(name, operator, rhs, &velocities, goal);
            Some((seconds, iterations))
        })?;
        Some((iterations, seconds))
    });
    Some(Measured { name: name.to_owned(), setup, reached, bytes: method.bytes() })
}

/// The program's solver in double precision. Its set-up is that of a solve with nothing to do.
pub fn double(name: &str, operator: &Operator, rhs: &[Wrench]) -> Measured {
    let mut solver = ConjugateGradients::default();
    let size = norm(rhs, operator.length);
    let mut solve = |goal: f64| {
        let mut velocities = vec![Velocity::default(); rhs.len()];
        let stop = Stop { target: goal * size, most: MOST_ITERATIONS };
        let (seconds, solved) = timed(|| solver.solve(operator, rhs, &mut velocities, stop));
        (seconds, solved.ok().map(|solved| solved.iterations), velocities)
    };
    let setup = best(|| Some((solve(2.0).0, ()))).expect("a time").0;
    let reached = GOALS.map(|goal| {
        let (seconds, iterations) = best(|| {
            let (seconds, iterations, velocities) = solve(goal);
            check(name, operator, rhs, &velocities, goal);
            Some((seconds, iterations?))
        })?;
        Some((iterations, seconds - setup))
    });
    let bytes = 288 * operator.drag.len() + size_of_val(&operator.blocks[..]);
    Measured { name: name.to_owned(), setup, reached, bytes }
}

/// The program's solver in single precision. Pairs that are others than before belong to the set-up, as
/// they do in most steps: `other` is an operator with other pairs.
pub fn mixed(
    name: &str,
    operator: &Operator,
    other: &Operator,
    rhs: &[Wrench],
    bytes: usize,
) -> Measured {
    let mut solver = Mixed::default();
    let size = norm(rhs, operator.length);
    let mut solve = |target: f64, most: usize, proven: bool| {
        let (mut left, mut velocities) = (rhs.to_vec(), vec![Velocity::default(); rhs.len()]);
        let once = mixed::Goal { target: 0.0, most: 1, proven: false };
        let _ = solver.correct(other, &mut left, &mut velocities, once);
        left.copy_from_slice(rhs);
        velocities.fill(Velocity::default());
        let goal = mixed::Goal { target, most, proven };
        let (seconds, solved) =
            timed(|| solver.correct(operator, &mut left, &mut velocities, goal));
        (seconds, solved.ok().map(|solved| solved.iterations), velocities)
    };
    // Ended by the first iteration, which is not believed.
    let mut short = |most| best(|| Some((solve(0.0, most, false).0, ()))).expect("a time").0;
    let [one, eleven] = [short(1), short(11)];
    let setup = one - 0.1 * (eleven - one);
    let reached = GOALS.map(|goal| {
        let (seconds, iterations) = best(|| {
            let (seconds, iterations, velocities) = solve(goal * size, MOST_ITERATIONS, true);
            check(name, operator, rhs, &velocities, goal);
            Some((seconds, iterations?))
        })?;
        Some((iterations, seconds - setup))
    });
    Measured { name: name.to_owned(), setup, reached, bytes }
}
