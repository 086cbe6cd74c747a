//! Single precision against double, threads, lanes.

use super::*;
use crate::balance::tests::{random_operator, random_screws};
use crate::solve::lanes::{Lanes, Plain, Work, vectorised};
use crate::solve::sweeps::{Backward, Forward, Outer};
use crate::solve::{Method, Solver};

/// Particles for several chunks, in an order of their own.
const MANY: usize = 5000;

fn many() -> Operator {
    let mut operator = random_operator(MANY, 8);
    operator.order = (0..MANY as u32).map(|k| (k * 1999) % MANY as u32).collect();
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
    for operator in [random_operator(150, 8), many()] {
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

/// Both sweeps with given lanes: how velocities change along a direction, and its product.
fn swept(cells: &[Cell], lanes: impl Lanes) -> [Vec<Vec<Six>>; 2] {
    let mut rests = Vec::new();
    let mut changes = Vec::new();
    for Cell { chunk, blocks, direction, .. } in cells {
        let (mut to, mut rest) = (direction.clone(), direction.clone());
        let (pairs, inverses) = (&chunk.inner, &blocks.inverses[..]);
        Backward { pairs, inverses, from: direction, to: &mut to, rest: &mut rest }.with(lanes);
        changes.push(to);
        rests.push(rest);
    }
    let all: Vec<&[Six]> = changes.iter().map(|change| &change[..]).collect();
    let mut products = Vec::new();
    for ((Cell { chunk, blocks, .. }, rest), change) in cells.iter().zip(&mut rests).zip(&all) {
        Outer { pairs: &chunk.outer, all: &all, to: rest }.with(lanes);
        let mut to = rest.clone();
        let (pairs, inverses) = (&chunk.inner, &blocks.inverses[..]);
        Forward { pairs, inverses, from: rest, plus: Some(change), to: &mut to }.with(lanes);
        products.push(to);
    }
    [changes, products]
}

#[test]
fn sweeps_are_those_of_the_operator_with_any_lanes() {
    let operator = many();
    let directions = random_screws(MANY, 3);
    let mut layout = Layout::default();
    let mut cells: Vec<Cell> = Vec::new();
    for chunk in layout.chunks(&operator) {
        let mut cell = Cell { chunk, ..Cell::default() };
        cell.begin(&operator, &directions);
        cell.take(1.0);
        cell.direction.clone_from(&cell.preconditioned);
        cells.push(cell);
    }
    assert!(cells.len() > 1 && layout.fits(&operator));
    struct Fast<'a>(&'a [Cell]);
    impl Work for Fast<'_> {
        type Output = [Vec<Vec<Six>>; 2];
        fn with<S: Lanes>(self, lanes: S) -> Self::Output {
            swept(self.0, lanes)
        }
    }
    for [changes, products] in [swept(&cells, Plain), vectorised(Fast(&cells))] {
        // (D + L) of the product is what resists the change of velocities.
        let mut moved = vec![Velocity::default(); MANY];
        let mut resisted = vec![Wrench::default(); MANY];
        for ((cell, change), product) in cells.iter_mut().zip(&changes).zip(products) {
            cell.residual = product;
            cell.step(None, 0.0);
            cell.recover(1.0);
            for (k, particle) in cell.chunk.particles.iter().enumerate() {
                moved[*particle as usize] = screw(&change[k], 1.0);
                resisted[*particle as usize] = screw(&cell.swept[k], 1.0);
            }
        }
        let mut expected = moved.clone();
        operator.apply(&moved, &mut expected);
        add_scaled(&mut resisted, -1.0, &expected);
        assert!(norm(&resisted, 1.0) < 1e-5 * norm(&expected, 1.0));
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
