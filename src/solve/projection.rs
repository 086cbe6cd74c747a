//! Projection of velocities onto those that unilateral constraints admit, in the metric of a
//! resistance:
//! $$\min_{\mathbf x}\ \tfrac12\,\mathbf x\cdot\mathsf A\mathbf x -
//! \sum_k p_k\,\mathbf g_k\cdot\mathbf x
//! \quad\text{where}\quad s_k + \mathbf g_k\cdot\mathbf x \ge 0,$$
//! with the correction \\(\mathbf x\\) of the velocities, the rates \\(s_k\\) at which gaps would
//! be left open without it, and constant pulls \\(p_k \le 0\\) in glued pairs. The multipliers
//! \\(\lambda_k \ge 0\\) are forces that push pairs apart.
//!
//! Method of multipliers (Rockafellar 1976): for given multipliers the constraints are one-sided
//! springs of resistance ρ (the penalty), and the function to be minimised is smooth and piecewise
//! quadratic. Newton's method with an exact line search finds its minimum in a few factorizations
//! of \\(\mathsf A + \sum\rho\,\mathbf g\mathbf g^T\\) over the constraints that act; then
//! multipliers take over what springs carry. If it takes more than a few, an interior-point method
//! finds which constraints act. Where more of them act than there are velocities, only their sum is
//! determined: multipliers stay close to where they started, or to those of the interior point,
//! which shares forces evenly.

mod assembly;
mod interior;
mod search;

use super::Failure;
use super::blocks::BlockCholesky;
use crate::balance::Operator;
use crate::state::{PairIds, Velocity};
use assembly::{Links, Unknowns};
use nalgebra::Vector3;

/// What particles are free to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// All that the operator knows of.
    Space,
    /// To move in the plane of x and y, and to spin about z.
    Plane,
}

/// A pair of particles, or a particle and something whose motion is given, that must not overlap.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// Ids, i < j; j is no particle if it is not one of the operator's.
    pub ids: PairIds,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// The gap at the end of a step without a correction, over its duration `[a/t]`.
    pub slack: f64,
    /// A force that pulls the pair together, at most 0 `[μγ̇a²]`.
    pub pull: f64,
}

/// How well constraints have to be met.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The rate at which gaps may be missed `[a/t]`.
    pub rate: f64,
    /// That which is good enough where rounding allows for no better `[a/t]`.
    pub enough: f64,
    /// Most rounds of multipliers.
    pub rounds: usize,
}

/// What a projection cost and reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projected {
    /// Factorizations.
    pub factorizations: usize,
    /// Steps of Newton's method, and of the interior-point method.
    pub iterations: usize,
    /// Rounds of multipliers.
    pub rounds: usize,
    /// The largest rate at which a gap closes beyond zero `[a/t]`.
    pub primal: f64,
    /// Residual of the forces, over all forces.
    pub dual: f64,
    /// Constraints that act.
    pub acting: usize,
}

/// Why there is no projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unprojected {
    /// Constraints contradict each other: the one that is missed most, and by what rate.
    Infeasible {
        /// Which of them.
        constraint: usize,
        /// The rate at which its gap closes `[a/t]`.
        rate: f64,
    },
    /// A factorization failed.
    Failed(Failure),
}

impl From<Failure> for Unprojected {
    fn from(failure: Failure) -> Self {
        Unprojected::Failed(failure)
    }
}

/// Penalty over the resistance of the particles that are held apart, to begin with.
const PENALTY: f64 = 1e5;

/// By what the penalty is raised, and the most that this may amount to.
const PENALTY_GROWTH: f64 = 10.0;
const PENALTY_GROWTH_LIMIT: f64 = 100.0;

/// Share of the violation of the last round above which the penalty is raised.
const SLOW_DECREASE: f64 = 0.3;

/// Most steps of Newton's method in one round.
const MOST_NEWTON_STEPS: usize = 200;

/// Factorizations after which an interior-point method is to find which constraints act: for new
/// constraints, and for those whose slacks have changed.
const NEWTON_BUDGET: usize = 2;
const NEWTON_BUDGET_AGAIN: usize = 8;

/// Residual of the forces, over all forces, at which a round ends.
const RESIDUAL_GOAL: f64 = 1e-11;

/// Residual at which a round ends where rounding keeps it from falling any further.
const RESIDUAL_ACCEPTED: f64 = 1e-7;

/// The solver, with buffers kept between calls.
#[derive(Default)]
pub struct Projection {
    matrix: BlockCholesky,
    /// Entries of the matrix without springs.
    base: Vec<f64>,
    links: Links,
    /// By how much the penalty has been raised.
    raised: f64,
    /// Which springs the last factorization has.
    factored: Option<Vec<bool>>,
    found: Vec<f64>,
    direction: Vec<f64>,
    gradient: Vec<f64>,
    work: Work,
}

/// One number for every constraint.
#[derive(Default)]
struct Work {
    /// Resistance to the opening of a pair.
    resistance: Vec<f64>,
    penalty: Vec<f64>,
    slack: Vec<f64>,
    change: Vec<f64>,
}

/// What is to be projected, and on what.
pub struct Problem<'a> {
    operator: &'a Operator,
    unknowns: Unknowns,
    constraints: &'a [Constraint],
}

impl<'a> Problem<'a> {
    /// Motions with the resistance of an operator, on those that constraints admit.
    pub fn new(operator: &'a Operator, freedom: Freedom, constraints: &'a [Constraint]) -> Self {
        Problem { operator, unknowns: Unknowns::of(operator, freedom), constraints }
    }
}

impl Projection {
    /// Corrects `velocities` so that all constraints are met. `multipliers` are those to start
    /// from, and then those found.
    ///
    /// # Errors
    ///
    /// When constraints contradict each other, or a factorization fails.
    pub fn project(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Projected, Unprojected> {
        self.begin(problem)?;
        self.meet(problem, multipliers, velocities, goal, NEWTON_BUDGET)
    }

    /// The same again, with constraints that differ from those before in nothing but their slacks,
    /// from the correction found then.
    ///
    /// # Errors
    ///
    /// As for [`Projection::project`].
    pub fn project_again(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Projected, Unprojected> {
        self.meet(problem, multipliers, velocities, goal, NEWTON_BUDGET_AGAIN)
    }

    /// Meets the constraints from the correction found so far, with a budget of factorizations for
    /// Newton's method before an interior-point method is used.
    fn meet(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        velocities: &mut [Velocity],
        goal: Goal,
        mut budget: usize,
    ) -> Result<Projected, Unprojected> {
        let mut done = Projected::default();
        if problem.constraints.is_empty() {
            return Ok(done);
        }
        let mut before = f64::INFINITY;
        // What acted before most likely acts again.
        let mut trust = multipliers.iter().any(|m| *m > 0.0);
        for round in 1..=goal.rounds {
            done.rounds = round;
            let (mut residual, least) =
                self.minimise(problem, multipliers, trust, budget, &mut done)?;
            if !least && budget < usize::MAX {
                self.approach(problem, multipliers, &mut done);
                budget = usize::MAX;
                (residual, _) = self.minimise(problem, multipliers, true, budget, &mut done)?;
            }
            trust = false;
            done.dual = residual;
            let missed = self.take_over(multipliers, &mut done);
            let stalled = missed > SLOW_DECREASE * before && self.raised >= PENALTY_GROWTH_LIMIT;
            if missed <= goal.rate || stalled && missed <= goal.enough {
                problem.unknowns.add_to(&self.found, velocities);
                done.acting = multipliers.iter().filter(|m| **m > 0.0).count();
                return Ok(done);
            }
            if missed > SLOW_DECREASE * before {
                self.raise_penalty();
            }
            before = missed;
        }
        let worst = self.work.slack.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
        let (constraint, rate) = worst.map_or((0, 0.0), |(k, slack)| (k, -slack));
        Err(Unprojected::Infeasible { constraint, rate })
    }

    fn begin(&mut self, problem: &Problem) -> Result<(), Failure> {
        let Problem { operator, unknowns, constraints } = problem;
        self.links.find(operator, constraints);
        let particles = operator.drag.len();
        self.matrix.begin(particles, unknowns.per(), self.links.pairs.iter().copied())?;
        unknowns.fill(operator, &self.links, &mut self.matrix);
        self.base.clear();
        self.base.extend_from_slice(self.matrix.values());
        self.factored = None;
        self.raised = 1.0;
        let size = particles * unknowns.per();
        for vector in [&mut self.found, &mut self.direction, &mut self.gradient] {
            vector.clear();
            vector.resize(size, 0.0);
        }
        let count = constraints.len();
        let Work { resistance, penalty, slack, change } = &mut self.work;
        resistance.clear();
        resistance.extend(constraints.iter().map(|c| unknowns.resistance(operator, c)));
        penalty.clear();
        penalty.extend(resistance.iter().map(|w| PENALTY * w));
        for vector in [slack, change] {
            vector.clear();
            vector.resize(count, 0.0);
        }
        Ok(())
    }

    /// Newton's method for given multipliers, which may be trusted to tell the constraints that
    /// act. Returns the residual of the forces over all forces, and whether it converged within the
    /// budget of factorizations.
    fn minimise(
        &mut self,
        problem: &Problem,
        multipliers: &[f64],
        trust: bool,
        budget: usize,
        done: &mut Projected,
    ) -> Result<(f64, bool), Failure> {
        let mut last = f64::INFINITY;
        for step in 0..MOST_NEWTON_STEPS {
            problem.slacks(&self.found, &mut self.work.slack);
            let first = step == 0 && trust;
            let Work { penalty, slack, .. } = &self.work;
            let forces = |k: usize| multipliers[k] - penalty[k] * slack[k];
            let acts = |k: usize| if first { multipliers[k] > 0.0 } else { forces(k) > 0.0 };
            let acting: Vec<bool> = (0..multipliers.len()).map(acts).collect();
            let scale = self.slope(problem, multipliers, &acting);
            let residual = self.gradient.iter().map(|g| g * g).sum::<f64>().sqrt() / scale;
            let stalled = residual <= RESIDUAL_ACCEPTED && residual > 0.5 * last && step > 1;
            if !first && (residual <= RESIDUAL_GOAL || stalled) {
                return Ok((residual, true));
            }
            if done.factorizations >= budget && self.factored.as_ref() != Some(&acting) {
                return Ok((residual, false));
            }
            last = residual;
            self.factorize(problem, acting, done)?;
            self.direction.clear();
            self.direction.extend(self.gradient.iter().map(|g| -g));
            self.matrix.solve(&mut self.direction)?;
            done.iterations += 1;
            let length = if first { 1.0 } else { self.line_search(problem, multipliers) };
            let step = self.found.iter_mut().zip(&self.direction);
            step.for_each(|(x, d)| *x += length * d);
        }
        Ok((last, false))
    }

    /// Factorizes the matrix with the springs that act, unless it has just these.
    fn factorize(
        &mut self,
        problem: &Problem,
        acting: Vec<bool>,
        done: &mut Projected,
    ) -> Result<(), Failure> {
        if self.factored.as_ref() == Some(&acting) {
            return Ok(());
        }
        self.matrix.set_values(&self.base);
        for (k, _) in acting.iter().enumerate().filter(|(_, acts)| **acts) {
            let (constraint, place) = (&problem.constraints[k], self.links.places[k]);
            let spring = self.work.penalty[k];
            problem.unknowns.add_spring(&mut self.matrix, constraint, place, spring);
        }
        self.matrix.factorize()?;
        self.factored = Some(acting);
        done.factorizations += 1;
        Ok(())
    }

    /// The slope of what is minimised with the springs that act, and the size of the forces in it.
    fn slope(&mut self, problem: &Problem, multipliers: &[f64], acting: &[bool]) -> f64 {
        let Problem { unknowns, constraints, .. } = problem;
        problem.resist(&self.found, &mut self.gradient);
        let mut square: f64 = self.gradient.iter().map(|g| g * g).sum();
        let Work { penalty, slack, .. } = &self.work;
        for (k, c) in constraints.iter().enumerate() {
            let multiplier = if acting[k] { multipliers[k] - penalty[k] * slack[k] } else { 0.0 };
            let force = multiplier + c.pull;
            square += force * force;
            if force != 0.0 {
                unknowns.push_apart(&mut self.gradient, c, -force);
            }
        }
        square.sqrt().max(f64::MIN_POSITIVE)
    }

    /// Multipliers take over what the springs carry; returns the largest rate at which a gap is
    /// missed: closed beyond zero, or open where a multiplier acts.
    fn take_over(&mut self, multipliers: &mut [f64], done: &mut Projected) -> f64 {
        let Work { penalty, slack, .. } = &self.work;
        let mut missed: f64 = 0.0;
        done.primal = 0.0;
        for (k, multiplier) in multipliers.iter_mut().enumerate() {
            done.primal = done.primal.max(-slack[k]);
            let after = (*multiplier - penalty[k] * slack[k]).max(0.0);
            missed = missed.max((after - *multiplier).abs() / penalty[k]);
            *multiplier = after;
        }
        missed.max(done.primal)
    }

    /// Raises the penalty of all constraints.
    fn raise_penalty(&mut self) {
        if self.raised < PENALTY_GROWTH_LIMIT {
            self.raised *= PENALTY_GROWTH;
            self.work.penalty.iter_mut().for_each(|p| *p *= PENALTY_GROWTH);
            self.factored = None;
        }
    }
}

#[cfg(test)]
mod tests;
