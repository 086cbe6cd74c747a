//! Single precision against double, threads, lanes.

use super::*;
use crate::balance::tests::{random_operator, random_screws};
use crate::solve::lanes::Plain;
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
fn products_are_those_of_the_operator_with_any_lanes() {
    let operator = many();
    let velocities = random_screws(MANY, 3);
    let mut expected = velocities.clone();
    operator.apply(&velocities, &mut expected);
    let mut layout = Layout::default();
    let mut chunks = layout.chunks(&operator);
    assert!(chunks.len() > 1 && layout.fits(&operator));
    let mut cells: Vec<Cell> =
        chunks.drain(..).map(|chunk| Cell { chunk, ..Cell::default() }).collect();
    let mut shown = Vec::new();
    for cell in &mut cells {
        cell.begin(&operator, &velocities);
        cell.take(1.0);
        shown.push(cell.residual.clone());
    }
    let shown: Vec<&[Six]> = shown.iter().map(|r| &r[..]).collect();
    let size = norm(&expected, 1.0) / (MANY as f64).sqrt();
    for (k, cell) in cells.iter_mut().enumerate() {
        let mut plain = cell.product.clone();
        cell.chunk.product(k, &cell.drag, &shown, &mut cell.product);
        cell.chunk.product_with(Plain, k, &cell.drag, &shown, &mut plain);
        for ((particle, fast), plain) in cell.chunk.particles.iter().zip(&cell.product).zip(&plain)
        {
            for found in [fast, plain] {
                let mut off = screw(found, 1.0);
                off.linear -= expected[*particle as usize].linear;
                off.angular -= expected[*particle as usize].angular;
                assert!(norm(&[off], 1.0) < 1e-5 * size, "{particle}");
            }
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
    assert!(norm(&residual, operator.length) <= 1.01 * target, "{solved:?}");
}
