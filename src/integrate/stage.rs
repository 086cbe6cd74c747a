//! One balance of forces, with everything stiff, unilateral or frictional solved inside it.
//!
//! Unknown are the velocities, taken as constant over the stage, and the shear rate where the
//! stress is imposed. Geometry is that of the middle of the step or of its end ([`Placement`]);
//! laws respond with mean forces over the step, linearised about the current guess. The loop is:
//! guess → geometry and rates → laws → operator and residual → correction → better guess, until
//! the forces that the laws give at the guess balance.
//!
//! In between only the contact set (`contact_set`) is evaluated again, in the geometry of the
//! last full linearisation; all pairs are evaluated before the last solve, and contacts during it
//! and after it to see whether they agree.

use std::time::Instant;

use nalgebra::{Matrix3, Vector3};

use super::contact_set::ContactSet;
use super::fields::Fields;
use super::linearise::{Linearisation, Responses};
use super::momentum::Momentum;
use super::settings::Convergence;
use super::step_pairs::StepPairs;
use super::times::Times;
use super::trial::{Effort, Placement, StageFailure, StressGoal};
use crate::balance::{FreeRate, Operator};
use crate::drive::Drive;
use crate::laws::{Levers, PairLaw, Rates};
use crate::solve::{Failure, Goal, Solver, add_scaled, norm};
use crate::state::{Screw, Velocity, Wrench, dot};

/// An iteration that leaves more than this share of the residual of two iterations ago goes in
/// circles.
const CIRCLING_RATIO: f64 = 0.9;

/// The share of the residual that a solve leaves before contacts are evaluated again.
const INEXACT_SHARE: f64 = 0.1;

/// The balance of one stage, with its buffers.
#[derive(Default)]
pub struct Stage {
    /// When forces balance, and the flow then.
    pub(super) moment: Moment,
    /// The pairs of the step.
    pub(super) pairs: StepPairs,
    /// The mass of the particles, and how the stage accelerates them.
    pub(super) momentum: Momentum,
    /// What the fluid around pairs does beyond their films.
    pub(super) fields: Fields,
    /// How far from the centres the forces of pairs act.
    pub(super) levers: Levers,
    /// The velocities found.
    pub velocities: Vec<Velocity>,
    /// About what the laws were last linearised.
    pub(super) linearisation: Linearisation,
    /// What the laws respond, pair by pair.
    pub(super) responses: Responses,
    /// The rates of all pairs, once the stage is solved; empty before, and where they are found
    /// when they are asked for.
    pub(super) found: Vec<Rates>,
    /// Pairs that are evaluated in every iteration.
    pub(super) contact_set: ContactSet,
    /// Operator and residual.
    pub(super) forces: Forces,
    /// What finds the shear rate where the stress is imposed.
    pub(super) imposed: ImposedStress,
    /// Where the time of all steps went.
    pub(super) times: Times,
    /// Whether slopes may be unsymmetric: where the solver takes them, and not at imposed stress.
    pub(super) exact: bool,
}

/// When forces balance, and the flow then.
#[derive(Default)]
pub(super) struct Moment {
    /// When in the step the geometry is taken.
    pub placement: Placement,
    /// Time at the beginning of the step `[t]`.
    pub start: f64,
    /// The time for which forces balance `[t]`.
    pub balanced_at: f64,
    /// Rate of strain of the imposed flow at unit rate.
    pub unit_strain_rate: Matrix3<f64>,
    /// Rotation of the imposed flow at unit rate.
    pub unit_rotation: Vector3<f64>,
}

/// The linear system of a stage.
#[derive(Default)]
pub(super) struct Forces {
    /// The resistance of drag, mass and pairs.
    pub operator: Operator,
    /// Drag coefficients of all particles.
    pub drag: Vec<[f64; 2]>,
    /// Residual of the forces at the guess, or after a solve.
    pub residual: Vec<Wrench>,
    /// Residual before the last solve.
    before: Vec<Wrench>,
    /// The size of all forces, with which a residual is compared.
    pub scale: f64,
    /// The size of those that act, which the last solve is exact to. Where films are thin it is far
    /// below that of the forces that particles would meet if they were carried along.
    pub acting: f64,
    /// The least such size: nothing is exact where nothing moves.
    pub least_scale: f64,
    /// What rounding of positions leaves of the forces.
    pub noise: f64,
}

impl Forces {
    /// The 2-norm of the residual of forces and torques.
    pub fn imbalance(&self) -> f64 {
        norm(&self.residual, self.operator.length)
    }

    /// The same relative to all forces.
    pub fn relative_imbalance(&self) -> f64 {
        self.imbalance() / self.scale
    }
}

/// The part of the balance that is proportional to the shear rate, needed where the stress is
/// imposed: \\(\mathbf F = \mathbf F_0 + \dot\gamma\mathbf F_1\\).
#[derive(Default)]
pub(super) struct ImposedStress {
    /// The shear stress to be met; none where the rate is imposed.
    pub goal: Option<StressGoal>,
    /// \\(\mathbf F_1\\).
    pub unit: Vec<Wrench>,
    /// Moment of the pair forces at rest, \\(\sum\mathbf f_0\cdot\mathbf q^E_1\\).
    pub moment_rest: f64,
    /// Moment that the unit rate drives directly,
    /// \\(\sum\mathbf q^E_1\cdot\mathsf r\,\mathbf q^E_1\\).
    pub moment_unit: f64,
}

impl ImposedStress {
    fn begin(&mut self, particles: usize) {
        let needed = if self.goal.is_some() { particles } else { 0 };
        self.unit.resize(needed, Wrench::default());
    }

    /// The moment of the pair forces at a shear rate and velocities.
    pub fn moment(&self, rate: f64, velocities: &[Velocity]) -> f64 {
        self.moment_rest + rate * self.moment_unit - dot(&self.unit, velocities)
    }

    /// The shear rate at which the moment of all forces is the imposed one, given the velocities,
    /// and by how much that moment grows with it.
    fn rate(&self, goal: StressGoal, velocities: &[Velocity]) -> (f64, f64) {
        let per_rate = goal.fluid + self.moment_unit;
        ((goal.moment - self.moment_rest + dot(&self.unit, velocities)) / per_rate, per_rate)
    }

    /// Whether the moment of all forces is the imposed one, if there is one.
    pub fn is_met(&self, rate: f64, velocities: &[Velocity]) -> bool {
        let Some(goal) = self.goal else { return true };
        let missing = goal.moment - rate * goal.fluid - self.moment(rate, velocities);
        missing.abs() <= 1e-6 * goal.moment.abs()
    }
}

impl Stage {
    /// Begins a step with its pairs and the drag on single particles; torques are compared with
    /// forces over `length`.
    pub(super) fn begin(&mut self, drag: &[[f64; 2]], length: f64) {
        let operator = &mut self.forces.operator;
        operator.length = length;
        operator.grounded = false;
        operator.drag.clear();
        operator.drag.extend_from_slice(drag);
        self.forces.drag.clear();
        self.forces.drag.extend_from_slice(drag);
        self.imposed.begin(drag.len());
        self.forces.residual.resize(drag.len(), Wrench::default());
        self.responses.begin(self.pairs.active.len());
        self.found.clear();
    }

    /// Finds the velocities over a step of duration `step`, starting from the guess in
    /// `velocities`, and the shear rate when the stress is imposed, starting from that of `drive`.
    pub(super) fn solve(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        how: (&mut Solver, &Convergence),
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        self.linearisation.is_first = true;
        self.linearise(laws, drive, step);
        self.linearisation.is_first = false;
        self.fields.kept = true;
        let solved = self.iterate(laws, drive, step, how, effort);
        self.fields.kept = false;
        solved
    }

    /// Improves the velocities until the laws agree with them.
    fn iterate(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        (solver, goal): (&mut Solver, &Convergence),
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        // Residuals of the last two iterations.
        let mut past = [f64::INFINITY; 2];
        for iteration in 0..=goal.most {
            effort.law_residual = self.forces.relative_imbalance();
            let mut close = iteration > 0 && effort.law_residual <= goal.law_residual;
            if close {
                // In the geometry of the present velocities.
                self.linearise(laws, drive, step);
                effort.law_residual = self.forces.relative_imbalance();
                close = effort.law_residual <= goal.law_residual;
            }
            let circles = iteration > 2 && !close && effort.law_residual > CIRCLING_RATIO * past[1];
            past = [effort.law_residual, past[0]];
            if circles {
                self.forces.before.clone_from(&self.forces.residual);
            }
            let last = goal.linear_residual * self.forces.acting;
            // Where they do not agree soon, they have to agree again on the way of the last solve.
            if !close || iteration > 2 {
                let target = last.max(INEXACT_SHARE * self.forces.imbalance());
                // The last solve goes on from there, with the residual of this one.
                let aim = Goal { target, proven: close };
                self.solve_once(drive, solver, aim, effort).map_err(StageFailure::Solve)?;
                close = close && self.contact_imbalance(laws, drive) <= goal.law_residual;
            }
            if circles {
                self.go_half_way(drive);
            }
            if close {
                let aim = Goal { target: last, proven: true };
                self.solve_once(drive, solver, aim, effort).map_err(StageFailure::Solve)?;
                effort.force_residual = self.forces.relative_imbalance();
            }
            // What was linearised is what acts. Close to it only contacts may respond otherwise.
            self.linearise_contacts(laws, drive);
            if close {
                effort.law_residual = self.forces.relative_imbalance();
                if effort.law_residual <= goal.law_residual {
                    return Ok(());
                }
            }
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Finds the velocities by Newton's method, for stages whose films are solved for exactly:
    /// until the forces that the laws give at the velocities themselves balance.
    pub(super) fn newton(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        (solver, goal): (&mut Solver, &Convergence),
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        let particles = self.forces.operator.drag.len();
        self.exact = self.imposed.goal.is_none() && solver.takes_any_slope(particles);
        let mut best = f64::INFINITY;
        for _ in 0..=goal.most {
            self.linearise(laws, drive, step);
            if let Some(ids) = self.responses.unsolved {
                return Err(StageFailure::Film(ids));
            }
            // Forces below what rounding leaves of stiff films count as that, but a few particles
            // are taken as far as rounding lets them.
            let imbalance = self.forces.imbalance();
            let rounded = imbalance > goal.law_residual * self.forces.scale;
            self.forces.scale = self.forces.scale.max(self.forces.noise / goal.law_residual);
            effort.law_residual = imbalance / self.forces.scale;
            let improves = self.exact && rounded && effort.law_residual < 0.3 * best;
            let met = effort.law_residual <= goal.law_residual
                && self.imposed.is_met(drive.rate, &self.velocities);
            if met && !improves {
                effort.force_residual = effort.force_residual.max(effort.law_residual);
                return Ok(());
            }
            if effort.law_residual.is_nan() || effort.law_residual > 1e3 * best {
                break;
            }
            best = best.min(effort.law_residual);
            let share = (0.05 * effort.law_residual).max(goal.linear_residual);
            let aim = Goal { target: share * self.forces.scale, proven: false };
            self.solve_once(drive, solver, aim, effort).map_err(StageFailure::Solve)?;
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Takes back half of the last correction. Contacts that stick and slip, or open and close, in
    /// turn would do so for ever.
    fn go_half_way(&mut self, drive: &mut Drive) {
        let halve = |new: &mut [Screw], old: &[Screw]| {
            new.iter_mut().zip(old).for_each(|(new, old)| *new = 0.5 * (*new + *old));
        };
        let about = &self.contact_set.about;
        halve(&mut self.velocities, &about.velocities);
        halve(&mut self.forces.residual, &self.forces.before);
        drive.rate = 0.5 * (drive.rate + about.rate);
    }

    /// One linear solve. Where the stress is imposed the rate follows from the velocities, so that
    /// both are found at once.
    fn solve_once(
        &mut self,
        drive: &mut Drive,
        solver: &mut Solver,
        aim: Goal,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let begin = Instant::now();
        let Stage { forces: Forces { operator, residual, .. }, velocities, imposed, .. } = self;
        let met = imposed.goal.map(|goal| imposed.rate(goal, velocities));
        if let Some((rate, moment)) = met {
            add_scaled(residual, rate - drive.rate, &imposed.unit);
            operator.free_rate =
                Some(FreeRate { forces: std::mem::take(&mut imposed.unit), moment });
        }
        let solved = solver.correct(operator, residual, velocities, aim);
        if let Some(FreeRate { forces, .. }) = operator.free_rate.take() {
            imposed.unit = forces;
        }
        effort.count(solved?);
        match imposed.goal {
            Some(goal) => drive.rate = imposed.rate(goal, velocities).0,
            None if operator.floats() && !operator.grounded => remove_mean(velocities),
            None => {}
        }
        self.times.solve += begin.elapsed().as_secs_f64();
        Ok(())
    }
}

/// Takes the mean force or velocity off: without drag only what is relative has a meaning
/// (\[RG09\] eq. 19).
pub(super) fn remove_mean(screws: &mut [Screw]) {
    let mean = screws.iter().map(|s| s.linear).sum::<Vector3<f64>>() / screws.len() as f64;
    screws.iter_mut().for_each(|s| s.linear -= mean);
}
