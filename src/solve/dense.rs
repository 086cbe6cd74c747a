//! Dense LU factorization by faer, for a few particles whose pairs have slopes that are not
//! symmetric: one step of Newton's method with the exact slope, which knows more than the operator
//! (forces of films turn with their particles).

use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};
use nalgebra::{Matrix6, Vector3};

use super::Failure;
use crate::balance::Operator;
use crate::state::{Velocity, Wrench};

/// Particles up to which a dense factorization is cheap.
pub const MOST_PARTICLES: usize = 40;

/// The correction of the velocities about which the operator was made that takes up a residual of
/// the forces.
///
/// # Errors
///
/// When it is not finite.
pub fn correction(operator: &Operator, residual: &[Wrench]) -> Result<Vec<Velocity>, Failure> {
    // Where nothing spins, torques and spins are left out.
    let per_particle = if operator.turning { 6 } else { 3 };
    let factor = matrix(operator, per_particle).partial_piv_lu();
    back(&factor, residual, per_particle)
}

fn matrix(operator: &Operator, per_particle: usize) -> Mat<f64> {
    let n = per_particle * operator.drag.len();
    let mut matrix = Mat::zeros(n, n);
    let mut add = |block: Matrix6<f64>, at: [usize; 2]| {
        for c in 0..per_particle {
            for r in 0..per_particle {
                matrix[(per_particle * at[0] + r, per_particle * at[1] + c)] += block[(r, c)];
            }
        }
    };
    let anchor = operator.anchor();
    for particle in 0..operator.drag.len() {
        add(operator.anchored_diagonal(particle, anchor), [particle; 2]);
    }
    for (p, block) in operator.blocks.iter().enumerate() {
        let [i, j] = block.ids.slots();
        if block.ids.is_grounded() {
            if let Some(turn) = operator.turns.get(p) {
                add(block.turned(turn, [0, 0]), [i, i]);
            }
            continue;
        }
        add(operator.coupling(p, 0), [i, j]);
        add(operator.coupling(p, 1), [j, i]);
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if let Some(turn) = operator.turns.get(p) {
                add(block.turned(turn, [a, b]), [[i, j][a], [i, j][b]]);
            }
        }
    }
    matrix
}

fn back(
    factor: &PartialPivLu<f64>,
    rhs: &[Wrench],
    per_particle: usize,
) -> Result<Vec<Velocity>, Failure> {
    let mut unknowns = Mat::from_fn(per_particle * rhs.len(), 1, |row, _| {
        let (wrench, k) = (&rhs[row / per_particle], row % per_particle);
        if k < 3 { wrench.linear[k] } else { wrench.angular[k - 3] }
    });
    factor.solve_in_place(&mut unknowns);
    let vector = |at: usize| Vector3::from_fn(|k, _| unknowns[(at + k, 0)]);
    let motion = |p: usize| Velocity {
        linear: vector(per_particle * p),
        angular: if per_particle == 6 { vector(6 * p + 3) } else { Vector3::zeros() },
    };
    let velocities: Vec<Velocity> = (0..rhs.len()).map(motion).collect();
    let finite = |m: &Velocity| m.linear.iter().chain(m.angular.iter()).all(|x| x.is_finite());
    if velocities.iter().all(finite) { Ok(velocities) } else { Err(Failure::NotPositive) }
}
