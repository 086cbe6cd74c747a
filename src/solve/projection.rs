//! Projection of velocities onto those that unilateral constraints admit, in the metric of a resistance:
//! $$\min_{\mathbf x}\ \tfrac12\,\mathbf x\cdot\mathsf A\mathbf x - \sum_k p_k\,\mathbf g_k\cdot\mathbf x
//! \quad\text{where}\quad s_k + \mathbf g_k\cdot\mathbf x \ge 0,$$
//! with the correction \\(\mathbf x\\) of the velocities, the rates \\(s_k\\) at which gaps would be left open without
//! it, and constant pulls \\(p_k \le 0\\) in glued pairs. The multipliers \\(\lambda_k \ge 0\\) are forces that push pairs apart.
//!
//! Method of multipliers (Rockafellar 1976): for given multipliers the constraints are one-sided springs of resistance
//! ρ, and what is then to be minimised is smooth and quadratic in pieces. Newton's method with an exact line search finds
//! its minimum in a few factorizations of \\(\mathsf A + \sum\rho\,\mathbf g\mathbf g^T\\) over the constraints that act; then multipliers take
//! over what springs carry. If it takes more than a few, an interior-point method finds out which constraints act. Where
//! more of them act than there are velocities, their sum is what counts: multipliers stay close to where they started, or to those of the
//! interior point, which shares forces evenly.

mod assembly;
mod interior;
mod search;

use super::Failure;
use super::blocks::BlockCholesky;
use crate::balance::Operator;
use crate::state::Velocity;
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
    pub ids: [u32; 2],
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// The gap that is left at the end of a step without a correction, over its duration `[a/t]`.
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
    /// What is left of the forces, over all of them.
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

/// Resistance of the springs over that of the particles they hold apart, to begin with.
const FIRM: f64 = 1e5;

/// By what springs are made firmer, and the most that this may amount to.
const FIRMER: f64 = 10.0;
const FIRMEST: f64 = 100.0;

/// Share of the violation of the last round at which springs are made firmer.
const SLOW: f64 = 0.3;

/// Steps of Newton's method in one round.
const STEPS: usize = 200;

/// Factorizations after which it is asked of an interior-point method which constraints act: for new constraints, and for
/// those whose slacks have changed.
const HOPE: usize = 2;
const HOPE_AGAIN: usize = 8;

/// What is left of the forces at which a round ends, over all forces.
const BALANCED: f64 = 1e-11;

/// Where rounding keeps forces from balancing any better, a round ends at this.
const ROUNDED: f64 = 1e-7;

/// The solver, with buffers kept between calls.
#[derive(Default)]
pub struct Projection {
    matrix: BlockCholesky,
    /// Entries of the matrix without springs.
    base: Vec<f64>,
    links: Links,
    /// By how much springs have been made firmer.
    firmer: f64,
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
    /// What resists the opening of a pair.
    inertia: Vec<f64>,
    firmness: Vec<f64>,
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
    /// Corrects `velocities` so that all constraints are met. `multipliers` are those to start from, and then
    /// those found.
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
        self.meet(problem, multipliers, velocities, goal, HOPE)
    }

    /// The same again, with constraints that differ from those before in nothing but their slacks, from
    /// the correction found then.
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
        self.meet(problem, multipliers, velocities, goal, HOPE_AGAIN)
    }

    /// Meets the constraints from the correction found so far, with so many factorizations before an interior-point method
    /// is asked.
    fn meet(
        &mut self,
        problem: &Problem,
        multipliers: &mut [f64],
        velocities: &mut [Velocity],
        goal: Goal,
        mut hope: usize,
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
            let (mut left, least) = self.minimise(problem, multipliers, trust, hope, &mut done)?;
            if !least && hope < usize::MAX {
                self.approach(problem, multipliers, &mut done);
                hope = usize::MAX;
                (left, _) = self.minimise(problem, multipliers, true, hope, &mut done)?;
            }
            trust = false;
            done.dual = left;
            let missed = self.take_over(multipliers, &mut done);
            let stalled = missed > SLOW * before && self.firmer >= FIRMEST;
            if missed <= goal.rate || stalled && missed <= goal.enough {
                problem.unknowns.add_to(&self.found, velocities);
                done.acting = multipliers.iter().filter(|m| **m > 0.0).count();
                return Ok(done);
            }
            if missed > SLOW * before {
                self.firm_up();
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
        self.firmer = 1.0;
        let size = particles * unknowns.per();
        for vector in [&mut self.found, &mut self.direction, &mut self.gradient] {
            vector.clear();
            vector.resize(size, 0.0);
        }
        let count = constraints.len();
        let Work { inertia, firmness, slack, change } = &mut self.work;
        inertia.clear();
        inertia.extend(constraints.iter().map(|c| unknowns.inertia(operator, c)));
        firmness.clear();
        firmness.extend(inertia.iter().map(|w| FIRM * w));
        for vector in [slack, change] {
            vector.clear();
            vector.resize(count, 0.0);
        }
        Ok(())
    }

    /// Newton's method for given multipliers, which may be trusted to tell the constraints that act; returns what is left
    /// of the forces over all forces, and whether that is all that can be had; not if it takes more than so many
    /// factorizations.
    fn minimise(
        &mut self,
        problem: &Problem,
        multipliers: &[f64],
        trust: bool,
        hope: usize,
        done: &mut Projected,
    ) -> Result<(f64, bool), Failure> {
        let mut last = f64::INFINITY;
        for step in 0..STEPS {
            problem.slacks(&self.found, &mut self.work.slack);
            let first = step == 0 && trust;
            let Work { firmness, slack, .. } = &self.work;
            let pushes = |k: usize| multipliers[k] - firmness[k] * slack[k];
            let acts = |k: usize| if first { multipliers[k] > 0.0 } else { pushes(k) > 0.0 };
            let acting: Vec<bool> = (0..multipliers.len()).map(acts).collect();
            let scale = self.slope(problem, multipliers, &acting);
            let left = self.gradient.iter().map(|g| g * g).sum::<f64>().sqrt() / scale;
            let stalled = left <= ROUNDED && left > 0.5 * last && step > 1;
            if !first && (left <= BALANCED || stalled) {
                return Ok((left, true));
            }
            if done.factorizations >= hope && self.factored.as_ref() != Some(&acting) {
                return Ok((left, false));
            }
            last = left;
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
            let spring = self.work.firmness[k];
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
        let Work { firmness, slack, .. } = &self.work;
        for (k, c) in constraints.iter().enumerate() {
            let push = if acting[k] { multipliers[k] - firmness[k] * slack[k] } else { 0.0 };
            let force = push + c.pull;
            square += force * force;
            if force != 0.0 {
                unknowns.push(&mut self.gradient, c, -force);
            }
        }
        square.sqrt().max(f64::MIN_POSITIVE)
    }

    /// Multipliers take over what the springs carry; returns the largest rate at which a gap is missed:
    /// closed beyond zero, or open where a multiplier acts.
    fn take_over(&mut self, multipliers: &mut [f64], done: &mut Projected) -> f64 {
        let Work { firmness, slack, .. } = &self.work;
        let mut missed: f64 = 0.0;
        done.primal = 0.0;
        for (k, multiplier) in multipliers.iter_mut().enumerate() {
            done.primal = done.primal.max(-slack[k]);
            let after = (*multiplier - firmness[k] * slack[k]).max(0.0);
            missed = missed.max((after - *multiplier).abs() / firmness[k]);
            *multiplier = after;
        }
        missed.max(done.primal)
    }

    /// Makes all springs firmer.
    fn firm_up(&mut self) {
        if self.firmer < FIRMEST {
            self.firmer *= FIRMER;
            self.work.firmness.iter_mut().for_each(|f| *f *= FIRMER);
            self.factored = None;
        }
    }
}

#[cfg(test)]
mod tests;
