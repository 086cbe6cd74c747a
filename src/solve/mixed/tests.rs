//! Single precision against double, threads, lanes.

use super::*;
use crate::balance::FreeRate;
use crate::balance::tests::{random_operator, random_screws};
use crate::pairs::Slabs;
use crate::solve::lanes::{Plain, Simd, Work, vectorised};
use crate::solve::rows::Six;
use crate::solve::sweeps::{Across, Backward, Forward};
use crate::solve::{Method, Solver};

/// Particles for several chunks, in an order of their own.
const MANY: usize = 5000;

fn many() -> Operator {
    let mut operator = random_operator(MANY, 8);
    let order = (0..MANY as u32).rev().collect();
    operator.slabs = Slabs { order, starts: vec![0, 700, 1500, 2500, 3300, 4200, MANY as u32] };
    operator
}

/// The same with a shear rate that follows from the velocities.
fn free() -> Operator {
    let mut operator = many();
    let forces = random_screws(MANY, 5);
    let mut driven = vec![Velocity::default(); MANY];
    let target = 1e-10 * norm(&forces, 1.0);
    Solver::new(Method::Cg, 2000).solve(&operator, &forces, &mut driven, target).unwrap();
    // A tenth of the moment is left.
    let moment = FreeRate { forces: forces.clone(), moment: 1.0 }.growth(&driven) / 0.9;
    operator.free_rate = Some(FreeRate { forces, moment });
    operator
}

fn correct(operator: &Operator, proven: bool) -> (Vec<Velocity>, Vec<Wrench>, Solved) {
    let mut residual = random_screws(operator.drag.len(), 9);
    let mut velocities = vec![Velocity::default(); residual.len()];
    let target = 1e-10 * norm(&residual, operator.length);
    let goal = Goal { target, most: 2000, proven };
    let solved = Mixed::default().correct(operator, &mut residual, &mut velocities, goal).unwrap();
    (velocities, residual, solved)
}

#[test]
fn motions_are_as_precise_as_the_residual_in_double_precision() {
    for operator in [random_operator(150, 8), many(), free()] {
        let forces = random_screws(operator.drag.len(), 9);
        let (velocities, residual, solved) = correct(&operator, true);
        let mut expected = forces.clone();
        operator.apply(&velocities, &mut expected);
        add_scaled(&mut expected, -1.0, &forces);
        let size = norm(&forces, operator.length);
        assert!(norm(&expected, operator.length) < 1.01e-10 * size, "{solved:?}");
        add_scaled(&mut expected, 1.0, &residual);
        assert!(norm(&expected, operator.length) < 1e-13 * size);
    }
}

#[test]
fn single_precision_costs_hardly_any_iterations() {
    let operator = many();
    let solved = correct(&operator, true).2;
    let forces = random_screws(MANY, 9);
    let mut velocities = vec![Velocity::default(); MANY];
    let stop =
        crate::solve::cg::Stop { target: 1e-10 * norm(&forces, operator.length), most: 2000 };
    let double = crate::solve::cg::ConjugateGradients::default().solve(
        &operator,
        &forces,
        &mut velocities,
        stop,
    );
    let double = double.unwrap().iterations;
    assert!(solved.iterations as f64 <= 1.15 * double as f64, "{solved:?} {double}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let operator = many();
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| correct(&operator, true))
    });
    assert_eq!(one, three);
}

#[test]
fn gauss_seidel_sweeps_save_iterations() {
    let operator = random_operator(1000, 8);
    let forces = random_screws(1000, 9);
    let swept = correct(&operator, true).2.iterations;
    let mut velocities = vec![Velocity::default(); 1000];
    let target = 1e-10 * norm(&forces, operator.length);
    let stop = crate::solve::cg::Stop { target, most: 2000 };
    let mut blocks = crate::solve::cg::ConjugateGradients::default();
    let by_blocks = blocks.solve(&operator, &forces, &mut velocities, stop).unwrap().iterations;
    assert!((swept as f64) < 0.7 * by_blocks as f64, "{swept} {by_blocks}");
}

#[test]
fn a_rate_that_follows_from_velocities_takes_a_few_iterations() {
    let [fixed, free] = [many(), free()].map(|operator| correct(&operator, true).2.iterations);
    assert!(free <= fixed + fixed / 3, "{free} {fixed}");
}

#[test]
fn slabs_take_no_more_iterations_than_one_chunk() {
    let sliced = correct(&many(), true).2.iterations;
    let mut operator = many();
    operator.slabs = Slabs::default();
    let whole = correct(&operator, true).2.iterations;
    assert!(sliced as f64 <= 1.1 * whole as f64, "{sliced} {whole}");
}

#[test]
fn pairs_beyond_the_neighbouring_slab_make_one_chunk() {
    let mut operator = many();
    operator.slabs.starts = vec![0, 2, 4, 2500, MANY as u32];
    let mut layout = Layout::default();
    assert_eq!(layout.chunks(&operator).len(), 1);
    assert!(layout.fits(&operator));
    correct(&operator, true);
}

#[test]
fn sweeps_are_those_of_the_operator() {
    let operator = many();
    let mut mixed = Mixed::default();
    let mut residual = random_screws(MANY, 3);
    let mut velocities = vec![Velocity::default(); MANY];
    // One iteration that gets nowhere, to lay everything out.
    let goal = Goal { target: 0.0, most: 1, proven: false };
    let _ = mixed.correct(&operator, &mut residual, &mut velocities, goal);
    assert!(mixed.cells.len() > 1 && mixed.layout.fits(&operator));
    let solve = mixed.solve(&operator, 1.0);
    let run = |phase: Phase| (0..solve.cells.len()).for_each(|k| solve.work(phase, k));
    [TurnSecond, TurnFirst, Curve].into_iter().for_each(run);
    let mut moved = vec![Velocity::default(); MANY];
    for (cell, shown) in solve.cells.iter().zip(solve.shown) {
        for (particle, change) in lock(cell).chunk.particles.iter().zip(&read(shown).change) {
            moved[*particle as usize] = screw(change, 1.0);
        }
        // (D + L) of the product is what resists the change of velocities.
        let cell = &mut *lock(cell);
        let shown = read(shown);
        cell.residual.clone_from(&shown.swept);
        let both = cell.residual.iter_mut().zip(&shown.change);
        both.for_each(|(sum, change)| sum.iter_mut().zip(change).for_each(|(s, c)| *s += c));
        cell.preconditioned.clone_from(&cell.weighted);
    }
    [Show, RecoverSecond, RecoverFirst].into_iter().for_each(run);
    let mut resisted = vec![Wrench::default(); MANY];
    for (cell, shown) in solve.cells.iter().zip(solve.shown) {
        for (particle, swept) in lock(cell).chunk.particles.iter().zip(&read(shown).swept) {
            resisted[*particle as usize] = screw(swept, 1.0);
        }
    }
    let mut expected = moved.clone();
    operator.apply(&moved, &mut expected);
    add_scaled(&mut resisted, -1.0, &expected);
    assert!(norm(&resisted, 1.0) < 1e-5 * norm(&expected, 1.0));
}

/// Both sweeps over a chunk, with what acts by its neighbours.
struct Sweeps<'a>(&'a Cell, [&'a [Six]; 2]);

impl Work for Sweeps<'_> {
    type Output = [Vec<Six>; 3];

    fn with<S: Simd>(self, simd: S) -> Self::Output {
        let Sweeps(Cell { chunk, inverses, direction, .. }, around) = self;
        let (mut to, mut swept) = (direction.clone(), vec![Six::default(); direction.len()]);
        Across { pairs: &chunk.across, around, to: &mut swept }.with(simd);
        let backward = Backward {
            pairs: &chunk.later,
            inverses: &inverses.later,
            from: direction,
            to: &mut to,
            around: true,
            rest: &mut swept,
        };
        backward.with(simd);
        let (pairs, inverses, mut weighted) =
            (&chunk.earlier, &inverses.earlier, direction.clone());
        let (swept, weighted) = (&mut swept[..], &mut weighted[..]);
        Forward { pairs, inverses, swept, weighted }.with(simd);
        [to, swept.to_vec(), weighted.to_vec()]
    }
}

#[test]
fn sweeps_are_the_same_with_any_lanes() {
    let operator = many();
    let forces = random_screws(MANY, 3);
    let cells = Layout::default().chunks(&operator).into_iter().map(|chunk| {
        let mut cell = Cell { chunk, ..Cell::default() };
        cell.begin(&operator, &forces, &mut Shown::default());
        cell.direction.iter_mut().zip(&forces).for_each(|(d, f)| d[0] = f.linear.x as f32);
        cell
    });
    let cells: Vec<Cell> = cells.collect();
    let around = [&cells[1].direction[..], &cells[3].direction[..]];
    let [plain, fast] =
        [Sweeps(&cells[2], around).with(Plain), vectorised(Sweeps(&cells[2], around))];
    for (plain, fast) in plain.iter().flatten().zip(fast.iter().flatten()) {
        for (a, b) in plain.iter().zip(fast) {
            assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}

#[test]
fn what_is_too_stiff_for_single_precision_is_solved_in_double() {
    let mut operator = random_operator(300, 8);
    operator.blocks.iter_mut().step_by(7).for_each(|b| b.resistance.squeeze = 1e8);
    let forces = random_screws(300, 9);
    let target = 1e-9 * norm(&forces, operator.length);
    let mut velocities = vec![Velocity::default(); 300];
    let mut solver = Solver::new(Method::Cg, 3000);
    let solved = solver.solve(&operator, &forces, &mut velocities, target).unwrap();
    let mut residual = forces.clone();
    operator.apply(&velocities, &mut residual);
    add_scaled(&mut residual, -1.0, &forces);
    let left = norm(&residual, operator.length) / target;
    assert!(left <= 1.01, "{solved:?} {left}");
}
