//! Solving \\(\mathsf R\mathbf U = \mathbf F\\): sparse Cholesky, or conjugate gradients over the
//! pairs, and the policy that picks between them; a dense LU factorization for few particles with
//! slopes that are not symmetric.
//!
//! All of them correct velocities by the residual of the forces. Conjugate gradients work in single
//! precision ([`mixed`]), with residuals in double precision, unless pairs have films; [`cg`] is
//! the same in double precision throughout, for films and where single precision is not enough.
//!
//! Without drag a common translation (and rotation, where spheres turn) meets no resistance. The
//! factorizations then get a vanishing drag, the same for all, which leaves the mean velocity zero
//! where forces add up to zero, and iterate on the residual without it.

pub mod blocks;
mod cell;
pub mod cg;
pub mod dense;
pub mod direct;
pub mod lanes;
pub mod layout;
pub mod mixed;
pub mod projection;
pub mod rows;
mod sweeps;
mod vectors;
#[cfg(target_arch = "x86_64")]
mod wide;
mod workers;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::balance::Operator;
use crate::state::{Screw, Velocity, Wrench};

/// Which solver to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Chosen by the number of particles.
    #[default]
    Auto,
    /// Supernodal sparse Cholesky factorization.
    Direct,
    /// Conjugate gradients, matrix-free over pairs, preconditioned by symmetric Gauss–Seidel sweeps
    /// in single precision where the residual in double precision proves it right, else by the
    /// blocks of particles.
    Cg,
}

/// Particles up to which plain pairs are factorized. Iterating is faster for any number of them
/// (`docs/developers/numerics.md` compares), but for so few it does not matter, and a
/// factorization is exact.
const MOST_FACTORIZED: usize = 10;

/// Particles up to which all other systems are factorized: those without drag, and films whose
/// slopes make iterations slow.
const MOST_FACTORIZED_STIFF: usize = 60;

/// Why a solve failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// The factorization met a pivot that is not positive.
    NotPositive,
    /// The iteration stopped at this relative residual.
    Stalled {
        /// Relative residual reached.
        residual: f64,
    },
}

/// What one solve cost and reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Iterations of conjugate gradients; 0 for a factorization.
    pub iterations: usize,
    /// Whether the chosen solver failed and the other one had to step in.
    pub fell_back: bool,
}

/// What a solve has to reach.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The 2-norm of forces, and of torques over the operator's length, absolute.
    pub target: f64,
    /// Whether the residual must be known in double precision.
    pub proven: bool,
}

/// The solvers, with buffers kept between calls.
#[derive(Default)]
pub struct Solver {
    method: Method,
    max_iterations: usize,
    direct: direct::Cholesky,
    cg: cg::ConjugateGradients,
    mixed: mixed::Mixed,
    correction: Vec<Velocity>,
    work: Vec<Wrench>,
}

/// The ways to solve a symmetric system.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Direct,
    Mixed,
    Double,
}

impl Solver {
    /// A solver that uses `method`, with at most `max_iterations` of conjugate gradients.
    pub fn new(method: Method, max_iterations: usize) -> Self {
        Solver { method, max_iterations, ..Solver::default() }
    }

    /// The same with buffers of its own.
    pub fn emptied(&self) -> Self {
        Solver::new(self.method, self.max_iterations)
    }

    /// Whether slopes that are not symmetric can be had: the dense factorization of a few
    /// particles.
    pub fn takes_any_slope(&self, particles: usize) -> bool {
        self.method != Method::Cg && particles <= dense::MOST_PARTICLES
    }

    /// Solves for `velocities`, starting from what they hold, until the residual is below `target`.
    ///
    /// # Errors
    ///
    /// When all solvers fail.
    pub fn solve(
        &mut self,
        operator: &Operator,
        rhs: &[Wrench],
        velocities: &mut [Velocity],
        target: f64,
    ) -> Result<Solved, Failure> {
        let mut residual = rhs.to_vec();
        subtract_product(operator, velocities, &mut residual, &mut self.work);
        self.correct(operator, &mut residual, velocities, Goal { target, proven: true })
    }

    /// Corrects `velocities` so that the residual of the forces falls below the target; `residual`
    /// is then that at the corrected velocities.
    ///
    /// If the chosen solver fails another one is tried; `Solved::fell_back` says so.
    ///
    /// # Errors
    ///
    /// When all solvers fail.
    pub fn correct(
        &mut self,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Solved, Failure> {
        if !operator.symmetric {
            self.correction.clear();
            self.correction.extend(dense::correction(operator, residual)?);
            return Ok(self.add_correction(operator, residual, velocities, 0));
        }
        let direct_first = match self.method {
            Method::Direct => true,
            Method::Cg => false,
            Method::Auto if mixed::Mixed::takes(operator) => operator.drag.len() <= MOST_FACTORIZED,
            Method::Auto => operator.drag.len() <= MOST_FACTORIZED_STIFF,
        };
        let iterating = if mixed::Mixed::takes(operator) { Way::Mixed } else { Way::Double };
        let ways = if direct_first {
            [Way::Direct, iterating, Way::Double]
        } else {
            [iterating, Way::Double, Way::Direct]
        };
        let first = self.attempt(ways[0], operator, residual, velocities, goal);
        let mut solved = first;
        for k in 1..3 {
            let Err(_) = solved else { break };
            if ways[k] != ways[k - 1] {
                solved = self.attempt(ways[k], operator, residual, velocities, goal);
            }
        }
        solved.map(|solved| Solved { fell_back: first.is_err(), ..solved })
    }

    /// One way; what it leaves behind when it fails is as good a start for another.
    fn attempt(
        &mut self,
        way: Way,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Solved, Failure> {
        match way {
            Way::Mixed => {
                let Goal { target, proven } = goal;
                let goal = mixed::Goal { target, most: self.max_iterations, proven };
                self.mixed.correct(operator, residual, velocities, goal)
            }
            Way::Double => self.iterate(operator, residual, velocities, goal),
            Way::Direct => self.factorize(operator, residual, velocities, goal.target),
        }
    }

    /// A sparse factorization.
    fn factorize(
        &mut self,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        target: f64,
    ) -> Result<Solved, Failure> {
        self.correction.clear();
        self.correction.resize(residual.len(), Velocity::default());
        self.direct.solve(operator, residual, &mut self.correction)?;
        if operator.floats() {
            let mut better = self.correction.clone();
            refine(operator, residual, &mut self.correction, target, |residual| {
                self.direct.solve(operator, residual, &mut better).map(|_| better.clone())
            })?;
        }
        Ok(self.add_correction(operator, residual, velocities, 0))
    }

    /// Conjugate gradients in double precision. They follow a residual of their own; where the true
    /// one is larger after very many iterations, they begin again from there.
    fn iterate(
        &mut self,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Solved, Failure> {
        let stop = cg::Stop { target: goal.target, most: self.max_iterations };
        let mut iterations = 0;
        for _ in 0..=REFINEMENTS {
            self.correction.clear();
            self.correction.resize(residual.len(), Velocity::default());
            iterations += self.cg.solve(operator, residual, &mut self.correction, stop)?.iterations;
            self.add_correction(operator, residual, velocities, iterations);
            if norm(residual, operator.length) <= FOLLOWED * goal.target {
                break;
            }
        }
        Ok(Solved { iterations, fell_back: false })
    }

    /// Adds the correction to the velocities, and takes what it does off the residual.
    fn add_correction(
        &mut self,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        iterations: usize,
    ) -> Solved {
        add_scaled(velocities, 1.0, &self.correction);
        subtract_product(operator, &self.correction, residual, &mut self.work);
        Solved { iterations, fell_back: false }
    }
}

/// Takes the forces that velocities meet off the residual.
fn subtract_product(
    operator: &Operator,
    velocities: &[Velocity],
    residual: &mut [Wrench],
    work: &mut Vec<Wrench>,
) {
    work.resize(residual.len(), Wrench::default());
    operator.apply(velocities, work);
    add_scaled(residual, -1.0, work);
}

/// Rounds of improvement of a solve at most.
const REFINEMENTS: usize = 4;

/// By what factor the true residual may be beyond that which an iteration followed.
const FOLLOWED: f64 = 1.005;

/// Improves what a factorization with an anchor found, until the residual without it is below the
/// target or does not fall any more.
fn refine(
    operator: &Operator,
    rhs: &[Wrench],
    velocities: &mut [Velocity],
    target: f64,
    mut again: impl FnMut(&[Wrench]) -> Result<Vec<Velocity>, Failure>,
) -> Result<(), Failure> {
    let mut residual = rhs.to_vec();
    let mut last = f64::INFINITY;
    for _ in 0..REFINEMENTS {
        operator.apply(velocities, &mut residual);
        residual.iter_mut().zip(rhs).for_each(|(residual, rhs)| *residual = *rhs - *residual);
        let size = norm(&residual, operator.length);
        if size <= target || size > 0.5 * last {
            break;
        }
        last = size;
        let better = again(&residual)?;
        add_scaled(velocities, 1.0, &better);
    }
    Ok(())
}

/// The 2-norm of forces and torques, torques divided by a length.
pub fn norm(a: &[Wrench], length: f64) -> f64 {
    let per_square = 1.0 / (length * length);
    let square = |p: &Wrench| p.linear.norm_squared() + per_square * p.angular.norm_squared();
    a.iter().map(square).sum::<f64>().sqrt()
}

/// `x += a y`.
pub fn add_scaled(x: &mut [Screw], a: f64, y: &[Screw]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += a * *y;
    }
}

#[cfg(test)]
mod tests;
