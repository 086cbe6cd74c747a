//! The solvers against each other.

use super::*;
use crate::balance::tests::{random_operator, random_screws};
use crate::state::PairIds;

#[test]
fn both_solvers_find_the_same_motion() {
    for n in [1, 2, 7, 150] {
        let operator = random_operator(n, 11);
        let rhs = random_screws(n, 12);
        let mut solutions = Vec::new();
        for method in [Method::Direct, Method::Cg] {
            let mut velocities = vec![Velocity::default(); n];
            let mut solver = Solver::new(method, 2000);
            let solved =
                solver.solve(&operator, &rhs, &mut velocities, 1e-12 * norm(&rhs, 1.0)).unwrap();
            assert!(!solved.fell_back);
            let mut out = velocities.clone();
            operator.apply(&velocities, &mut out);
            let residual: Vec<_> = out.iter().zip(&rhs).map(|(o, r)| *o - *r).collect();
            assert!(
                norm(&residual, 1.0) < 1e-11 * norm(&rhs, 1.0),
                "{method:?} {n}: {}",
                norm(&residual, 1.0)
            );
            solutions.push(velocities);
        }
        for (a, b) in solutions[0].iter().zip(&solutions[1]) {
            assert!((a.linear - b.linear).norm() < 1e-9);
        }
    }
}

#[test]
fn all_solvers_find_the_same_motion_next_to_obstacles() {
    // The last ten of thirty particles are obstacles.
    let mut operator = random_operator(30, 11);
    operator.drag.truncate(20);
    operator.blocks.retain(|block| block.ids.first() < 20);
    for block in &mut operator.blocks {
        let [i, j] = block.ids.slots();
        if j >= 20 {
            block.ids = PairIds::at_surface(i as u32, j as u32 - 20);
        }
    }
    operator.grounded = true;
    assert!(!mixed::Mixed::takes(&operator));
    let rhs = random_screws(20, 12);
    let dense = dense::correction(&operator, &rhs).unwrap();
    for method in [Method::Direct, Method::Cg] {
        let mut velocities = vec![Velocity::default(); 20];
        let mut solver = Solver::new(method, 2000);
        let solved = solver.solve(&operator, &rhs, &mut velocities, 1e-12).unwrap();
        assert!(!solved.fell_back);
        for (a, b) in velocities.iter().zip(&dense) {
            assert!((a.linear - b.linear).norm() < 1e-10, "{method:?}");
            assert!((a.angular - b.angular).norm() < 1e-10, "{method:?}");
        }
    }
}

#[test]
fn a_stalled_iteration_falls_back_to_the_factorization() {
    let operator = random_operator(80, 5);
    let rhs = random_screws(80, 6);
    let mut velocities = vec![Velocity::default(); 80];
    let mut solver = Solver::new(Method::Cg, 3);
    let solved = solver.solve(&operator, &rhs, &mut velocities, 1e-12).unwrap();
    assert!(solved.fell_back);
}

#[test]
fn an_indefinite_matrix_is_refused_by_both() {
    let mut operator = random_operator(10, 5);
    operator.drag.iter_mut().for_each(|d| d[0] = -1.0);
    let rhs = random_screws(10, 6);
    let mut velocities = vec![Velocity::default(); 10];
    let mut solver = Solver::new(Method::Direct, 100);
    assert!(solver.solve(&operator, &rhs, &mut velocities, 1e-12).is_err());
}
