//! One trial step: the balance of forces in the middle of the step, with everything stiff,
//! unilateral or frictional solved inside it.
//!
//! Unknown are the motions, taken as constant over the step. Geometry is that of the middle of
//! the step (the implicit midpoint rule); laws answer with mean forces over the step, linearised
//! about the current guess. The loop is: guess → geometry and rates → laws → operator and right-hand
//! side → solve → better guess, until the forces that the laws give at the guess balance.

use nalgebra::Vector3;
use rayon::prelude::*;

pub use super::goal::{Convergence, Effort, Placement, StageFailure, StressGoal};
use super::sight::{placed, with_memory};
use super::times::{Times, timed};
use crate::balance::field::{Around, Field, driven_whole};
use crate::balance::{Operator, PairBlock, add_mirrored, mirror};
use crate::drive::Drive;
use crate::laws::{Pair, PairForce, PairLaw, Rates, Response};
use crate::pairs::ActivePair;
use crate::solve::{Failure, Solver, add_scaled, dot, norm};
use crate::state::{Motion, PairMemory, Screw, Wrench};

/// Pairs above which threads share the evaluation of laws.
const PARALLEL_PAIRS: usize = 1000;

/// Relative rounding of a separation less what makes up most of it.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The balance of one trial step, with its buffers.
#[derive(Default)]
pub struct Stage {
    /// When in the step the geometry is taken.
    pub placement: Placement,
    /// Time at the beginning of the step `[t]`.
    pub time: f64,
    /// The pairs of the step.
    pub pairs: Vec<ActivePair>,
    /// What every pair remembers at the beginning of the step, `stride` numbers each.
    pub memory: Vec<f64>,
    /// Numbers that one pair remembers.
    pub stride: usize,
    /// What the fluid around pairs does beyond their films.
    pub field: Option<Field>,
    /// The motions found.
    pub motions: Vec<Motion>,
    /// The shear stress to be met, when it is imposed.
    pub stress: Option<StressGoal>,
    /// Where the time of all steps went.
    pub(super) times: Times,
    /// The guess about which the laws were last linearised.
    pub(super) guess: Vec<Motion>,
    pub(super) guess_rate: f64,
    pub(super) geometry: Vec<Pair>,
    pub(super) operator: Operator,
    rhs: Vec<Wrench>,
    work: Vec<Wrench>,
    scale: f64,
    flow: FlowShare,
    /// A pair whose law found no answer.
    lost: Option<[u32; 2]>,
    /// The time for which forces balance `[t]`.
    balanced_at: f64,
    /// Whether slopes may be unsymmetric: where the solver takes them, and not at imposed stress.
    exact: bool,
    /// What rounding of positions leaves of the forces.
    noise: f64,
}

/// What the laws answer in one pair.
struct Answer {
    response: Response,
    /// Rates that a unit shear rate drives.
    affine: Rates,
    /// Rates of the guess.
    rates: Rates,
    /// What the fluid around the pair does.
    around: Option<Box<Around>>,
}

/// About what the laws were linearised when the forces that act were found.
struct Linearisation {
    guess: Vec<Motion>,
    geometry: Vec<Pair>,
    rate: f64,
}

/// The part of the balance that is proportional to the shear rate, needed where the stress is
/// imposed: \\(\mathbf F = \mathbf F_0 + \dot\gamma\mathbf F_1\\).
#[derive(Default)]
struct FlowShare {
    /// \\(\mathbf F_1\\).
    unit: Vec<Wrench>,
    /// \\(\mathbf U_1 = \mathsf R^{-1}\mathbf F_1\\), kept as a first guess.
    motions: Vec<Motion>,
    /// Moment of the pair forces at rest, \\(\sum\mathbf f_0\cdot\mathbf q^E_1\\).
    moment_rest: f64,
    /// Moment that the unit rate drives directly, \\(\sum\mathbf q^E_1\cdot\mathsf r\,\mathbf q^E_1\\).
    moment_unit: f64,
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
        self.stride = remembered.stride;
        self.memory.clear();
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
        self.flow.unit.resize(drag.len(), Wrench::default());
        // Not kept from step to step: a resumed run would not have it.
        self.flow.motions.clear();
        self.flow.motions.resize(drag.len(), Motion::default());
        self.rhs.resize(drag.len(), Wrench::default());
        self.work.resize(drag.len(), Wrench::default());
    }

    /// Finds the motions over a step of duration `step`, starting from the guess in `motions`, and
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
        for iteration in 0..=goal.most {
            effort.law_residual = self.imbalance() / self.scale;
            let close = iteration > 0 && effort.law_residual <= goal.law_residual;
            let wanted = if close { 0.0 } else { 0.1 * effort.law_residual };
            let target = wanted.max(goal.linear_residual) * self.scale;
            self.solve_once(drive, solver, target, effort).map_err(StageFailure::Solve)?;
            effort.force_residual = self.imbalance() / self.scale;
            let applied = close.then(|| self.linearisation());
            self.linearise(laws, drive, step);
            if let Some(applied) = applied {
                effort.law_residual = self.imbalance() / self.scale;
                if effort.law_residual <= goal.law_residual {
                    self.apply(applied);
                    return Ok(());
                }
            }
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Finds the motions by Newton's method: until the forces that the laws give at the motions
    /// themselves balance.
    pub fn newton(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        solver: &mut Solver,
        goal: &Convergence,
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        self.exact = self.stress.is_none() && solver.takes_any_slope(self.operator.drag.len());
        let mut best = f64::INFINITY;
        for _ in 0..=goal.most {
            self.linearise(laws, drive, step);
            if let Some(ids) = self.lost {
                return Err(StageFailure::Film(ids));
            }
            // Forces below what rounding leaves of stiff films count as that, but a few particles are
            // taken as far as rounding lets them.
            let imbalance = self.imbalance();
            let rounded = imbalance > goal.law_residual * self.scale;
            self.scale = self.scale.max(self.noise / goal.law_residual);
            effort.law_residual = imbalance / self.scale;
            let improves = self.exact && rounded && effort.law_residual < 0.3 * best;
            let met = effort.law_residual <= goal.law_residual && self.meets_stress(drive);
            if met && !improves {
                effort.force_residual = effort.force_residual.max(effort.law_residual);
                return Ok(());
            }
            if effort.law_residual.is_nan() || effort.law_residual > 1e3 * best {
                break;
            }
            best = best.min(effort.law_residual);
            let target = (0.05 * effort.law_residual).max(goal.linear_residual) * self.scale;
            self.solve_once(drive, solver, target, effort).map_err(StageFailure::Solve)?;
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Whether the moment of all forces at the guess is the imposed one, if there is one.
    fn meets_stress(&self, drive: &Drive) -> bool {
        let Some(goal) = self.stress else { return true };
        let pairs = self.flow.moment_rest + drive.rate * self.flow.moment_unit
            - dot(&self.flow.unit, &self.motions);
        let missing = goal.moment - drive.rate * goal.fluid - pairs;
        missing.abs() <= 1e-6 * goal.moment.abs()
    }

    /// About what the laws are linearised now.
    fn linearisation(&mut self) -> Linearisation {
        Linearisation {
            guess: std::mem::take(&mut self.guess),
            geometry: std::mem::take(&mut self.geometry),
            rate: self.guess_rate,
        }
    }

    /// Takes the forces of a linearisation as those that act.
    fn apply(&mut self, applied: Linearisation) {
        self.guess = applied.guess;
        self.geometry = applied.geometry;
        self.guess_rate = applied.rate;
    }

    /// One linear solve, or two when the rate has to be found: \\(\mathbf U = \mathbf U_0 +
    /// \dot\gamma\mathbf U_1\\) with the rate at which the moment of all forces is the imposed one.
    fn solve_once(
        &mut self,
        drive: &mut Drive,
        solver: &mut Solver,
        target: f64,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let mut seconds = 0.0;
        let solved = timed(&mut seconds, || self.balance(drive, solver, target, effort));
        self.times.solve += seconds;
        solved
    }

    fn balance(
        &mut self,
        drive: &mut Drive,
        solver: &mut Solver,
        target: f64,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let Some(goal) = self.stress else {
            let solved = solver.solve(&self.operator, &self.rhs, &mut self.motions, target)?;
            effort.count(solved);
            if self.operator.floats() {
                take_mean_off(&mut self.motions);
            }
            return Ok(());
        };
        let share = &mut self.flow;
        let size = drive.rate.abs().max(1e-3 * goal.moment.abs() / goal.fluid);
        let solved =
            solver.solve(&self.operator, &share.unit, &mut share.motions, target / size)?;
        effort.count(solved);
        add_scaled(&mut self.rhs, -drive.rate, &share.unit);
        add_scaled(&mut self.motions, -drive.rate, &share.motions);
        let solved = solver.solve(&self.operator, &self.rhs, &mut self.motions, target)?;
        effort.count(solved);
        let missing = goal.moment - share.moment_rest + dot(&share.unit, &self.motions);
        let per_rate = goal.fluid + share.moment_unit - dot(&share.unit, &share.motions);
        drive.rate = missing / per_rate;
        add_scaled(&mut self.rhs, drive.rate, &share.unit);
        add_scaled(&mut self.motions, drive.rate, &share.motions);
        Ok(())
    }

    /// Linearises all laws about the present motions and assembles operator and right-hand side.
    fn linearise(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        let mut seconds = 0.0;
        timed(&mut seconds, || self.take_in(laws, drive, step));
        self.times.laws += seconds;
    }

    fn take_in(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        self.guess.clear();
        self.guess.extend_from_slice(&self.motions);
        self.guess_rate = drive.rate;
        self.geometry.clear();
        let (motions, placement) = (&self.guess, self.placement);
        let place = |p: &ActivePair| placed(p, motions, drive, step, placement);
        self.geometry.extend(self.pairs.iter().map(place));
        self.load(drive, step);
        // While the load grows, forces are compared with what they will be.
        let mut square: f64 = drive.external.iter().map(|w| w.linear.norm_squared()).sum();
        let drag = self.operator.drag.iter().zip(&self.guess);
        square += drag.map(|(d, m)| (d[0] * m.linear).norm_squared()).sum::<f64>();
        let answers = self.answers(laws, drive.rate);
        square += self.assemble(answers, step);
        add_scaled(&mut self.rhs, drive.rate, &self.flow.unit);
        if self.operator.floats() {
            take_mean_off(&mut self.rhs);
        }
        let all = norm(&self.rhs, self.operator.length);
        self.scale = square.sqrt().max(all).max(f64::MIN_POSITIVE);
    }

    /// What the laws answer about the guess, pair by pair.
    fn answers(&self, laws: &[Box<dyn PairLaw>], rate: f64) -> Vec<Answer> {
        let respond = |p: usize| {
            let pair = &self.geometry[p];
            let affine = self.affine(pair);
            let rates = self.rates(p, &self.guess, &affine, rate);
            let memory = &self.memory[p * self.stride..(p + 1) * self.stride];
            let mut response = total_response(laws, pair, memory, &rates);
            if response.skew.is_some() && !self.exact {
                response = response.symmetrised(&pair.normal, &rates);
            }
            let around = self.field.and_then(|field| field.around(pair)).map(Box::new);
            Answer { response, affine, rates, around }
        };
        let range = 0..self.pairs.len();
        if range.len() >= PARALLEL_PAIRS {
            range.into_par_iter().with_min_len(128).map(respond).collect()
        } else {
            range.map(respond).collect()
        }
    }

    /// Makes the operator and the right-hand side of the answers; returns the sum of the squares of
    /// all pair forces.
    fn assemble(&mut self, answers: Vec<Answer>, step: f64) -> f64 {
        self.operator.blocks.clear();
        self.operator.skews.clear();
        self.operator.turns.clear();
        self.operator.wholes.clear();
        let skewed = answers.iter().any(|answer| answer.response.skew.is_some());
        self.lost = None;
        self.flow.unit.fill(Wrench::default());
        (self.flow.moment_rest, self.flow.moment_unit) = (0.0, 0.0);
        let unit = Drive::unit_strain_rate();
        let (mut square, mut noise) = (0.0, 0.0);
        for (p, Answer { mut response, affine, rates, around }) in answers.into_iter().enumerate() {
            if response == Response::default() && around.is_none() {
                continue;
            }
            let (pair, ids) = (&self.geometry[p], self.pairs[p].ids);
            if response.at_rest.normal.is_nan() {
                self.lost = Some(ids);
            }
            let (normal, levers) = (pair.normal, self.levers(pair));
            add_mirrored(ids, &mirror(&normal, levers, &response.at_rest), &mut self.rhs);
            let mut driven = PairForce::default();
            if let Some(around) = &around {
                response.resistance += around.resistance;
                driven = around.driven(&normal, &unit);
                self.flow.moment_unit += around.moment(pair, &unit);
                if let Some(whole) = around.whole {
                    for (side, k) in ids.iter().enumerate() {
                        let Screw { linear, angular } = driven_whole(&whole, &normal, side, &unit);
                        self.flow.unit[*k as usize].linear -= linear;
                        self.flow.unit[*k as usize].angular -= angular;
                    }
                    self.operator.wholes.push(whole);
                }
            }
            let driven = driven + (response.force(&affine) - response.at_rest);
            add_mirrored(ids, &mirror(&normal, levers, &driven), &mut self.flow.unit);
            self.flow.moment_rest += response.at_rest.power(&affine);
            self.flow.moment_unit += driven.power(&affine);
            let all = mirror(&normal, levers, &response.force(&rates));
            square += 2.0 * all.force.norm_squared();
            let resistance = response.resistance;
            noise += (ROUNDING * pair.distance * resistance.squeeze.max(resistance.slide)).powi(2);
            self.operator.blocks.push(PairBlock { ids, normal, levers, resistance });
            if skewed {
                let skew = response.skew.map(|skew| *skew).unwrap_or_default();
                self.operator.skews.push(skew);
                if self.exact {
                    let turned = if skew.turns { step * all.force } else { Vector3::zeros() };
                    self.operator.turns.push(turned);
                }
            }
        }
        self.noise = if step > 0.0 { noise.sqrt() / step } else { 0.0 };
        self.operator.symmetric = self.operator.skews.is_empty() || !self.exact;
        self.operator.index();
        square
    }

    /// The share of the external forces that acts when the balance is struck.
    pub fn load_share(&self, drive: &Drive) -> f64 {
        drive.load(self.balanced_at)
    }

    /// Puts the external forces of this step on the right-hand side.
    fn load(&mut self, drive: &Drive, step: f64) {
        let share = match self.placement {
            Placement::Middle => 0.5,
            Placement::End => 1.0,
        };
        self.balanced_at = self.time + share * step;
        let load = self.load_share(drive);
        self.rhs.fill(Wrench::default());
        for (r, f) in self.rhs.iter_mut().zip(&drive.external) {
            r.linear = load * f.linear;
            r.angular = load * f.angular;
        }
    }

    /// The 2-norm of what is left of forces and torques at the present motions.
    fn imbalance(&mut self) -> f64 {
        self.operator.apply(&self.motions, &mut self.work);
        for (w, r) in self.work.iter_mut().zip(&self.rhs) {
            w.linear -= r.linear;
            w.angular -= r.angular;
        }
        norm(&self.work, self.operator.length)
    }

    /// Drag coefficients of all particles.
    pub fn drag(&self) -> &[[f64; 2]] {
        &self.operator.drag
    }
}

/// Takes the mean force or velocity off: without drag only what is relative has a meaning
/// (\[RG09\] eq. 19).
fn take_mean_off(screws: &mut [Screw]) {
    let mean = screws.iter().map(|s| s.linear).sum::<Vector3<f64>>() / screws.len() as f64;
    screws.iter_mut().for_each(|s| s.linear -= mean);
}

/// The sum of all laws.
fn total_response(
    laws: &[Box<dyn PairLaw>],
    pair: &Pair,
    memory: &[f64],
    rates: &Rates,
) -> Response {
    let mut total = Response::default();
    for (law, memory) in with_memory(laws, memory) {
        total += law.respond(pair, memory, rates);
    }
    total
}
