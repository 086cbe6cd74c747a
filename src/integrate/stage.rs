//! One trial step: the balance of forces in the middle of the step, with everything stiff,
//! unilateral or frictional solved inside it.
//!
//! Unknown are the velocities, taken as constant over the step. Geometry is that of the middle of
//! the step (the implicit midpoint rule); laws answer with mean forces over the step, linearised
//! about the current guess. The loop is: guess → geometry and rates → laws → operator and forces that
//! are left → correction → better guess, until the forces that the laws give at the guess balance.
//! In between only pairs that nearly touch are asked again, in the geometry of the last time that all
//! were; all are asked before the last solve, and after it to see whether they agree.

use nalgebra::{Matrix3, Vector3};

use super::answers::{Answer, Driven};
pub use super::goal::{Convergence, Effort, Placement, StageFailure, StressGoal};
use super::momentum::Momentum;
use super::near::Near;
use super::times::{Times, timed};
use super::walls::{Met, Walls};
use crate::balance::Operator;
use crate::balance::field::Field;
use crate::balance::scatter::Scatter;
use crate::drive::Drive;
use crate::laws::{Pair, PairLaw};
use crate::pairs::{ActivePair, make_room};
use crate::solve::{Failure, Goal, Solver, add_scaled, dot, norm};
use crate::state::{PairMemory, Screw, Velocity, Wrench};

/// An iteration that has not done better than this share of the residual two iterations ago goes in
/// circles.
const CIRCLING: f64 = 0.9;

/// What a solve may leave of the residual while contacts and friction are still being found: the
/// slower they are found, the more (Eisenstat & Walker 1996).
const INEXACT: [f64; 2] = [0.03, 0.25];

/// The balance of one trial step, with its buffers.
#[derive(Default)]
pub struct Stage {
    /// When in the step the geometry is taken.
    pub placement: Placement,
    /// Time at the beginning of the step `[t]`.
    pub time: f64,
    /// Rate of strain and rotation of the imposed flow at unit rate.
    pub unit_strain_rate: Matrix3<f64>,
    /// See there.
    pub unit_rotation: Vector3<f64>,
    /// The least size of forces with which an imbalance is compared: nothing is exact where nothing
    /// moves.
    pub least_force: f64,
    /// The pairs of the step.
    pub pairs: Vec<ActivePair>,
    /// What every pair remembers at the beginning of the step, `stride` numbers each.
    pub memory: Vec<f64>,
    /// Numbers that one pair remembers.
    pub stride: usize,
    /// What the fluid around pairs does beyond their films.
    pub field: Option<Field>,
    /// Obstacles, and the pairs that are with them.
    pub(super) walls: Walls,
    /// The mass of the particles, and how the step accelerates them.
    pub(super) momentum: Momentum,
    /// Drag coefficients of all particles.
    pub(super) stokes: Vec<[f64; 2]>,
    /// The velocities found.
    pub velocities: Vec<Velocity>,
    /// The shear stress to be met, when it is imposed.
    pub stress: Option<StressGoal>,
    /// Where the time of all steps went.
    pub(super) times: Times,
    /// The guess about which the laws were last linearised.
    pub(super) guess: Vec<Velocity>,
    pub(super) guess_rate: f64,
    pub(super) geometry: Vec<Pair>,
    pub(super) operator: Operator,
    /// What the laws answer, pair by pair.
    pub(super) answers: Vec<Answer>,
    /// What a unit shear rate drives, pair by pair, where it is asked for.
    pub(super) driven: Vec<Driven>,
    /// Pairs that have answered in this step: they stay in the operator, whose layout is kept as long
    /// as its pairs are the same.
    pub(super) answered: Vec<bool>,
    /// What is left of the forces at the guess, or after a solve.
    pub(super) left: Vec<Wrench>,
    /// What was left before the last solve.
    before: Vec<Wrench>,
    pub(super) scale: f64,
    /// The pairs in the operator.
    pub(super) acting: Vec<u32>,
    /// Pairs whose laws may answer otherwise to other rates.
    pub(super) near: Vec<Near>,
    pub(super) near_scatter: Scatter,
    /// What a unit shear rate drives in those when they are asked again.
    pub(super) driven_again: Vec<Driven>,
    /// About what the laws of those were asked last.
    pub(super) asked: Vec<Velocity>,
    pub(super) asked_rate: f64,
    /// The gap at the beginning of a step up to which a pair is one of them `[a]`.
    pub reach: f64,
    pub(super) flow: FlowShare,
    /// A pair whose law found no answer.
    pub(super) lost: Option<[u32; 2]>,
    /// The time for which forces balance `[t]`.
    balanced_at: f64,
    /// Whether slopes may be unsymmetric: where the solver takes them, and not at imposed stress.
    pub(super) exact: bool,
    /// What rounding of positions leaves of the forces.
    pub(super) noise: f64,
}

/// About what the laws were linearised when the forces that act were found.
struct Linearisation {
    guess: Vec<Velocity>,
    geometry: Vec<Pair>,
    met: Vec<Met>,
    rate: f64,
}

/// The part of the balance that is proportional to the shear rate, needed where the stress is
/// imposed: \\(\mathbf F = \mathbf F_0 + \dot\gamma\mathbf F_1\\).
#[derive(Default)]
pub(super) struct FlowShare {
    /// \\(\mathbf F_1\\).
    pub unit: Vec<Wrench>,
    /// \\(\mathbf U_1 = \mathsf R^{-1}\mathbf F_1\\), kept as a first guess.
    velocities: Vec<Velocity>,
    /// What is left of \\(\mathbf F_1\\).
    left: Vec<Wrench>,
    /// Moment of the pair forces at rest, \\(\sum\mathbf f_0\cdot\mathbf q^E_1\\).
    pub moment_rest: f64,
    /// Moment that the unit rate drives directly, \\(\sum\mathbf q^E_1\cdot\mathsf r\,\mathbf q^E_1\\).
    pub moment_unit: f64,
}

impl FlowShare {
    /// The moment of the pair forces at a shear rate and velocities.
    pub fn moment(&self, rate: f64, velocities: &[Velocity]) -> f64 {
        self.moment_rest + rate * self.moment_unit - dot(&self.unit, velocities)
    }
}

impl Stage {
    /// Takes up the pairs of a step and what they remember; torques are compared with forces over
    /// `length`.
    pub fn begin(
        &mut self,
        drag: &[[f64; 2]],
        length: f64,
        rotation: bool,
        remembered: &PairMemory,
    ) {
        self.operator.length = length;
        self.operator.turning = rotation;
        self.operator.grounded = false;
        self.stride = remembered.stride;
        self.memory.clear();
        make_room(&mut self.memory, self.stride * self.pairs.len());
        self.memory.resize(self.stride * self.pairs.len(), 0.0);
        let mut known = remembered.ids.iter().enumerate().peekable();
        for (p, pair) in self.pairs.iter().enumerate() {
            while known.next_if(|(_, ids)| **ids < pair.ids).is_some() {}
            if let Some((k, _)) = known.next_if(|(_, ids)| **ids == pair.ids) {
                let from = &remembered.values[k * self.stride..(k + 1) * self.stride];
                self.memory[p * self.stride..(p + 1) * self.stride].copy_from_slice(from);
            }
        }
        self.operator.drag.clear();
        self.operator.drag.extend_from_slice(drag);
        self.stokes.clear();
        self.stokes.extend_from_slice(drag);
        let shared = if self.stress.is_some() { drag.len() } else { 0 };
        self.flow.unit.resize(shared, Wrench::default());
        // Not kept from step to step: a resumed run would not have it.
        self.flow.velocities.clear();
        self.flow.velocities.resize(shared, Velocity::default());
        self.flow.left.resize(shared, Wrench::default());
        self.left.resize(drag.len(), Wrench::default());
        self.answered.clear();
        self.answered.resize(self.pairs.len(), false);
        self.acting.clear();
    }

    /// Finds the velocities over a step of duration `step`, starting from the guess in `velocities`, and
    /// the shear rate when the stress is imposed, starting from that of `drive`.
    pub fn solve(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        solver: &mut Solver,
        goal: &Convergence,
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        self.linearise(laws, drive, step);
        // Whether the laws were last asked about the geometry of the present velocities.
        let mut placed = true;
        // Residuals of the last two iterations.
        let mut past = [f64::INFINITY; 2];
        for iteration in 0..=goal.most {
            effort.law_residual = self.imbalance() / self.scale;
            let mut close = iteration > 0 && effort.law_residual <= goal.law_residual;
            if close && !placed {
                self.linearise(laws, drive, step);
                placed = true;
                effort.law_residual = self.imbalance() / self.scale;
                close = effort.law_residual <= goal.law_residual;
            }
            let falls = if past[0].is_finite() { effort.law_residual / past[0] } else { 0.2 };
            let share = (0.3 * falls).clamp(INEXACT[0], INEXACT[1]);
            let wanted = if close { 0.0 } else { share * effort.law_residual };
            let target = wanted.max(goal.linear_residual) * self.scale;
            let aim = Goal { target, proven: close };
            let circles = iteration > 2 && effort.law_residual > CIRCLING * past[1];
            past = [effort.law_residual, past[0]];
            if circles && !close {
                self.before.clone_from(&self.left);
            }
            self.solve_once(drive, solver, aim, effort).map_err(StageFailure::Solve)?;
            if circles && !close {
                self.go_half_way(drive);
            }
            if !close {
                placed = false;
                self.linearise_near(laws, drive);
                continue;
            }
            effort.force_residual = self.imbalance() / self.scale;
            let applied = self.linearisation();
            self.linearise(laws, drive, step);
            effort.law_residual = self.imbalance() / self.scale;
            if effort.law_residual <= goal.law_residual {
                self.apply(applied);
                return Ok(());
            }
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Takes back half of the last correction. Contacts that stick and slip, or open and close, in turn
    /// would do so for ever.
    fn go_half_way(&mut self, drive: &mut Drive) {
        for (new, old) in self.velocities.iter_mut().zip(&self.asked) {
            new.linear = 0.5 * (new.linear + old.linear);
            new.angular = 0.5 * (new.angular + old.angular);
        }
        for (new, old) in self.left.iter_mut().zip(&self.before) {
            new.linear = 0.5 * (new.linear + old.linear);
            new.angular = 0.5 * (new.angular + old.angular);
        }
        drive.rate = 0.5 * (drive.rate + self.asked_rate);
    }

    /// About what the laws are linearised now.
    fn linearisation(&mut self) -> Linearisation {
        Linearisation {
            guess: std::mem::take(&mut self.guess),
            geometry: std::mem::take(&mut self.geometry),
            met: self.walls.met.clone(),
            rate: self.guess_rate,
        }
    }

    /// Takes the forces of a linearisation as those that act.
    fn apply(&mut self, applied: Linearisation) {
        self.guess = applied.guess;
        self.geometry = applied.geometry;
        self.walls.met = applied.met;
        self.guess_rate = applied.rate;
    }

    /// One linear solve, or two when the rate has to be found: \\(\mathbf U = \mathbf U_0 +
    /// \dot\gamma\mathbf U_1\\) with the rate at which the moment of all forces is the imposed one.
    pub(super) fn solve_once(
        &mut self,
        drive: &mut Drive,
        solver: &mut Solver,
        aim: Goal,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let mut seconds = 0.0;
        let solved = timed(&mut seconds, || self.balance(drive, solver, aim, effort));
        self.times.solve += seconds;
        solved
    }

    fn balance(
        &mut self,
        drive: &mut Drive,
        solver: &mut Solver,
        aim: Goal,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let Stage { operator, left, velocities, flow, .. } = self;
        effort.count(solver.correct(operator, left, velocities, aim)?);
        let Some(goal) = self.stress else {
            if operator.floats() && !operator.grounded {
                take_mean_off(velocities);
            }
            return Ok(());
        };
        let size = drive.rate.abs().max(1e-3 * goal.moment.abs() / goal.fluid);
        let unit_aim = Goal { target: aim.target / size, ..aim };
        operator.apply(&flow.velocities, &mut flow.left);
        flow.left.iter_mut().zip(&flow.unit).for_each(|(left, unit)| {
            left.linear = unit.linear - left.linear;
            left.angular = unit.angular - left.angular;
        });
        effort.count(solver.correct(operator, &mut flow.left, &mut flow.velocities, unit_aim)?);
        let missing = goal.moment - drive.rate * goal.fluid - flow.moment(drive.rate, velocities);
        let per_rate = goal.fluid + flow.moment_unit - dot(&flow.unit, &flow.velocities);
        let change = missing / per_rate;
        drive.rate += change;
        add_scaled(velocities, change, &flow.velocities);
        add_scaled(left, change, &flow.left);
        Ok(())
    }

    /// Linearises all laws about the present velocities and assembles operator and forces.
    pub(super) fn linearise(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        let mut seconds = 0.0;
        timed(&mut seconds, || self.take_in(laws, drive, step));
        self.times.laws += seconds;
    }

    /// Linearises again those laws that may answer otherwise to other rates, in the geometry of the
    /// last linearisation; what is left must be what the last solve left.
    fn linearise_near(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive) {
        let mut seconds = 0.0;
        timed(&mut seconds, || self.ask_near(laws, drive));
        self.times.laws += seconds;
    }

    fn take_in(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        self.guess.clear();
        self.guess.extend_from_slice(&self.velocities);
        self.guess_rate = drive.rate;
        self.load(drive, step);
        // While the load grows, forces are compared with what they will be.
        let mut square: f64 = drive.external.iter().map(|w| w.linear.norm_squared()).sum();
        for ((left, d), m) in self.left.iter_mut().zip(&self.stokes).zip(&self.guess) {
            let slowed = d[0] * m.linear;
            square += slowed.norm_squared();
            left.linear -= slowed;
            left.angular -= d[1] * m.angular;
        }
        square += self.take_inertia_off(drive);
        self.place_walls(drive, step);
        self.ask(laws, drive, step);
        square += self.assemble(drive.rate, step);
        if self.operator.floats() && !self.operator.grounded {
            take_mean_off(&mut self.left);
        }
        self.scale = square.sqrt().max(self.least_force).max(f64::MIN_POSITIVE);
    }

    /// The share of the external forces that acts when the balance is struck.
    pub fn load_share(&self, drive: &Drive) -> f64 {
        drive.load(self.balanced_at)
    }

    /// The time for which forces balance `[t]`.
    pub(super) fn balanced_at(&self) -> f64 {
        self.balanced_at
    }

    /// Begins with the external forces of this step.
    fn load(&mut self, drive: &Drive, step: f64) {
        let share = match self.placement {
            Placement::Middle => 0.5,
            Placement::End => 1.0,
        };
        self.balanced_at = self.time + share * step;
        let load = self.load_share(drive);
        self.left.fill(Wrench::default());
        for (r, f) in self.left.iter_mut().zip(&drive.external) {
            r.linear = load * f.linear;
            r.angular = load * f.angular;
        }
    }

    /// The 2-norm of what is left of forces and torques.
    pub(super) fn imbalance(&self) -> f64 {
        norm(&self.left, self.operator.length)
    }

    /// Drag coefficients of all particles.
    pub fn drag(&self) -> &[[f64; 2]] {
        &self.stokes
    }
}

/// Takes the mean force or velocity off: without drag only what is relative has a meaning
/// (\[RG09\] eq. 19).
fn take_mean_off(screws: &mut [Screw]) {
    let mean = screws.iter().map(|s| s.linear).sum::<Vector3<f64>>() / screws.len() as f64;
    screws.iter_mut().for_each(|s| s.linear -= mean);
}
