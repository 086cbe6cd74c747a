//! Moving a suspension through time. The only writer of [`Suspension`] in a run.

pub mod control;
pub mod observe;
mod settings;
pub mod stage;

use nalgebra::Vector3;

use crate::balance::stokes_drag;
use crate::drive::Drive;
use crate::error::Error;
use crate::laws::{Interactions, PairLaw};
use crate::pairs::NeighbourList;
use crate::solve::Solver;
use crate::state::{Motion, Suspension};
use crate::stress::Stress;

use control::Aim;
pub use observe::Observation;
pub use settings::{End, StepSettings};
use stage::{Effort, Stage, StageFailure, StressGoal};

/// The largest displacement of two particles towards each other in a step, relative to the flow,
/// in smallest radii.
const APPROACH: f64 = 0.2;

/// Skin of the neighbour list, in smallest radii.
const SKIN: f64 = 0.4;

/// How often the stiffness may be raised in one step.
const MOST_RAISES: usize = 4;

/// The fraction of the overlap bound at which the stiffness is raised.
const NEARLY: f64 = 0.9;

/// Steps below this fraction of the longest step are given up.
const SMALLEST: f64 = 1e-10;

/// The quasi-static adaptive stepper.
pub struct Stepper {
    interactions: Interactions,
    laws: Vec<Box<dyn PairLaw>>,
    /// What is imposed.
    pub drive: Drive,
    viscosity: f64,
    settings: StepSettings,
    solver: Solver,
    list: NeighbourList,
    stage: Stage,
    drag: Vec<[f64; 2]>,
    /// Trial steps that were thrown away.
    pub rejected: u64,
}

impl Stepper {
    /// A stepper for the particles of `state`.
    pub fn new(
        state: &Suspension,
        interactions: Interactions,
        drive: Drive,
        viscosity: f64,
        settings: StepSettings,
        solver: Solver,
    ) -> Self {
        let laws = interactions.laws();
        let largest = [state.largest_radius(); 2];
        let range = laws.iter().map(|l| l.range(largest)).fold(0.0, f64::max);
        let (smallest, diameter) = (state.smallest_radius(), 2.0 * state.largest_radius());
        // Two particles approach by what they move relative to the flow, and by half of the
        // strain times their distance in the flow's direction of compression.
        let approach = APPROACH * smallest;
        let carried = 0.5 * settings.max_strain * (diameter + range + approach);
        let watched = range + approach + carried;
        // The nearest image is only right up to half of the box.
        let room = state.cell.reach() - diameter - watched;
        let skin = (SKIN * smallest).min(room).max(0.0);
        Stepper {
            interactions,
            laws,
            drive,
            viscosity,
            settings,
            solver,
            list: NeighbourList::new(watched, skin),
            stage: Stage::default(),
            drag: state.radii.iter().map(|a| stokes_drag(viscosity, *a)).collect(),
            rejected: 0,
        }
    }

    /// The largest centre distance at which two particles are watched `[a]`.
    pub fn reach(&self, state: &Suspension) -> f64 {
        2.0 * state.largest_radius() + self.list.range()
    }

    /// Advances `state` by one accepted step that does not go beyond `end`.
    pub fn step(&mut self, state: &mut Suspension, end: End) -> Result<Observation, Error> {
        self.take_up_stiffness(state);
        self.list.active(state, &mut self.stage.pairs);
        self.match_memory(state);
        self.stage.begin(&self.drag, state.smallest_radius(), &state.memory);
        self.stage.stress = self.stress_goal(state);
        let mut proposed = match state.clock.next_step {
            0.0 => self.settings.first_step,
            step => step,
        };
        let mut total = Effort::default();
        let mut raised = 0;
        loop {
            self.guess_rate(state);
            let left = end.left(&state.clock, self.drive.rate);
            let step = proposed.min(self.settings.max_step);
            // Two halves rather than a sliver at the end.
            let step = if left <= step {
                left
            } else if left < 2.0 * step {
                0.5 * left
            } else {
                step
            };
            match self.attempt(state, step, end, raised < MOST_RAISES, &mut total) {
                Trial::Accepted { error } => {
                    let seen = observe::observe(self.view(state), step, total);
                    self.accept(state, step, error, proposed);
                    return Ok(seen);
                }
                Trial::TooDeep => {
                    raised += 1;
                    self.raise_stiffness(state);
                }
                Trial::Shorter { factor, reason } => {
                    self.rejected += 1;
                    proposed = step * factor;
                    if proposed < SMALLEST * self.settings.max_step {
                        return Err(self.give_up(state, proposed, reason));
                    }
                }
            }
        }
    }

    /// The contacts of the last accepted step; none before the first.
    pub fn contacts<'a>(
        &'a self,
        state: &'a Suspension,
    ) -> impl Iterator<Item = observe::ContactSeen> + 'a {
        observe::contacts(self.view(state))
    }

    fn attempt(
        &mut self,
        state: &Suspension,
        step: f64,
        end: End,
        may_stiffen: bool,
        total: &mut Effort,
    ) -> Trial {
        let predicted = control::predict(
            self.settings.aim,
            &state.clock,
            &state.motions,
            &state.earlier_motions,
            step,
        );
        self.stage.motions.clone_from(&predicted);
        let goal = self.settings.convergence;
        let Stepper { stage, laws, drive, solver, .. } = self;
        if let Err(reason) = stage.solve(laws, drive, step, solver, &goal, total) {
            return Trial::Shorter { factor: 0.4, reason };
        }
        let farthest = self.stage.motions.iter().map(|m| m.linear.norm()).fold(0.0, f64::max);
        let allowed = 0.5 * APPROACH * state.smallest_radius();
        if farthest * step > allowed {
            let factor = (0.9 * allowed / (farthest * step)).max(0.2);
            return Trial::Shorter { factor, reason: StageFailure::TooFar };
        }
        let strain = (self.drive.rate * step).abs();
        if strain > 1.001 * self.settings.max_strain {
            let factor = (0.9 * self.settings.max_strain / strain).max(0.2);
            return Trial::Shorter { factor, reason: StageFailure::TooFar };
        }
        let beyond = state.clock.strain.abs() + strain - end.strain;
        if self.drive.stress.is_some() && beyond > 1e-9 * end.strain {
            let factor = (1.0 - beyond / strain).clamp(0.01, 0.99);
            return Trial::Shorter { factor, reason: StageFailure::TooFar };
        }
        if may_stiffen && self.settings.adapt_stiffness && self.too_deep(state) {
            return Trial::TooDeep;
        }
        let error = self.error(state, &predicted, step);
        if error > 1.0 && state.clock.last_steps[0] > 0.0 {
            let factor = control::factor(self.settings.aim, error, error).min(0.8);
            return Trial::Shorter { factor, reason: StageFailure::Inaccurate };
        }
        Trial::Accepted { error }
    }

    /// The scaled error of the trial step: 1 is just tolerable.
    fn error(&self, state: &Suspension, predicted: &[Motion], step: f64) -> f64 {
        let found = &self.stage.motions;
        let radius = state.smallest_radius();
        let unit = self.settings.tolerance * radius;
        match self.settings.aim {
            Aim::Statistics => {
                let square: f64 = found
                    .iter()
                    .zip(predicted)
                    .map(|(m, p)| (m.linear - p.linear).norm_squared())
                    .sum();
                0.5 * step * (square / found.len() as f64).sqrt() / unit
            }
            Aim::Trajectory => {
                let free = found
                    .iter()
                    .zip(predicted)
                    .map(|(m, p)| (m.linear - p.linear).norm() * step / unit)
                    .fold(0.0, f64::max);
                let surprise = |k: usize| found[k].linear - predicted[k].linear;
                self.stage
                    .seen(&self.drive)
                    .map(|s| {
                        let [i, j] = s.ids.map(|k| k as usize);
                        let wrong = s.pair.normal.dot(&(surprise(j) - surprise(i))).abs() * step;
                        let gap = s.pair.gap.abs().clamp(1e-6 * radius, radius);
                        wrong / (gap * self.settings.tolerance)
                    })
                    .fold(free, f64::max)
            }
        }
    }

    fn accept(&mut self, state: &mut Suspension, step: f64, error: f64, proposed: f64) {
        self.remember(state);
        let strain = self.drive.rate * step;
        state.rate = self.drive.rate;
        let clock = &mut state.clock;
        clock.steps += 1;
        clock.time += step;
        clock.strain += strain;
        let factor = control::factor(self.settings.aim, error, clock.last_error);
        // A step cut short by the end of the run says nothing about the next.
        clock.next_step = (step * factor).max(if step < proposed { proposed } else { 0.0 });
        clock.next_step = clock.next_step.min(self.settings.max_step);
        clock.last_steps = [step, clock.last_steps[0]];
        clock.last_error = error;
        let strain_now = clock.strain;
        for (x, m) in state.positions.iter_mut().zip(&self.stage.motions) {
            *x = self.drive.carry(x, &m.linear, step);
            state.cell.wrap(x, strain_now);
        }
        self.list.moved(self.stage.motions.iter().map(|m| step * m.linear), strain);
        std::mem::swap(&mut state.earlier_motions, &mut state.motions);
        state.motions.clone_from(&self.stage.motions);
    }

    /// Advances the memory of all pairs and keeps that of pairs which remember something.
    fn remember(&mut self, state: &mut Suspension) {
        let stride = self.stage.stride;
        state.memory.ids.clear();
        state.memory.values.clear();
        if stride == 0 {
            return;
        }
        let mut memory = vec![0.0; stride];
        for seen in self.stage.seen(&self.drive) {
            memory.copy_from_slice(seen.memory);
            let mut rest = &mut memory[..];
            for law in &self.laws {
                let (own, others) = rest.split_at_mut(law.memory_len());
                law.remember(seen.pair, own, &seen.rates);
                rest = others;
            }
            if memory.iter().any(|x| *x != 0.0) {
                state.memory.ids.push(seen.ids);
                state.memory.values.extend_from_slice(&memory);
            }
        }
    }

    /// What the forces in the box must amount to when the stress is imposed.
    fn stress_goal(&self, state: &Suspension) -> Option<StressGoal> {
        let (stress, volume) = (self.drive.stress?, state.cell.volume()?);
        let unit = Drive::unit_strain_rate();
        let flow = Stress::of_flow(self.viscosity, &unit, &state.radii, volume);
        let fluid = volume * crate::stress::shear(&flow.total());
        Some(StressGoal { moment: stress * volume, fluid })
    }

    /// At imposed stress, begins with the rate of the last step, or that of a tenfold viscosity.
    fn guess_rate(&mut self, state: &Suspension) {
        if let Some(stress) = self.drive.stress {
            let first = 0.1 * stress / self.viscosity;
            self.drive.rate = if state.clock.steps > 0 { state.rate } else { first };
        }
    }

    fn match_memory(&self, state: &mut Suspension) {
        state.memory.stride = self.laws.iter().map(|l| l.memory_len()).sum();
    }

    fn take_up_stiffness(&mut self, state: &Suspension) {
        if let Some(contact) = &mut self.interactions.contact
            && contact.stiffness != state.stiffness
        {
            contact.stiffness = state.stiffness;
            self.laws = self.interactions.laws();
        }
    }

    /// Stiffens all contacts; tangential forces are kept, stretches shrink.
    fn raise_stiffness(&mut self, state: &mut Suspension) {
        const FACTOR: f64 = 1.5;
        state.stiffness *= FACTOR;
        for memory in [&mut state.memory.values, &mut self.stage.memory] {
            for pair in memory.chunks_exact_mut(self.stage.stride.max(1)) {
                let mut rest = pair;
                for law in &self.laws {
                    let (own, others) = rest.split_at_mut(law.memory_len());
                    law.stiffen(own, FACTOR);
                    rest = others;
                }
            }
        }
        self.take_up_stiffness(state);
        self.rejected += 1;
    }

    /// Whether spheres overlap too much at the end of the trial step, and more than before it,
    /// while the stiffness may still be raised.
    fn too_deep(&self, state: &Suspension) -> bool {
        let deepest = |gaps: &mut dyn Iterator<Item = f64>| -gaps.fold(0.0, f64::min);
        let before = deepest(&mut self.stage.pairs.iter().map(|p| p.gap));
        let seen = self.stage.seen(&self.drive);
        let after = deepest(&mut seen.map(|s| s.pair.end_gap(s.rates.squeeze)));
        after > NEARLY * self.settings.max_overlap
            && after > before
            && state.stiffness < self.settings.max_stiffness
    }

    fn view<'a>(&'a self, state: &'a Suspension) -> observe::View<'a> {
        observe::View {
            state,
            stage: &self.stage,
            laws: &self.laws,
            interactions: &self.interactions,
            drive: &self.drive,
            viscosity: self.viscosity,
            range: self.list.range(),
        }
    }

    fn give_up(&self, state: &Suspension, step: f64, reason: StageFailure) -> Error {
        let closest = self.stage.pairs.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
        Error::StepTooSmall {
            step: state.clock.steps,
            strain: state.clock.strain,
            time: state.clock.time,
            size: step,
            pair: closest.map_or([0, 0], |p| p.ids),
            gap: closest.map_or(f64::NAN, |p| p.gap),
            reason: reason.to_string(),
        }
    }
}

/// What became of a trial step.
enum Trial {
    Accepted { error: f64 },
    TooDeep,
    Shorter { factor: f64, reason: StageFailure },
}

/// The velocity of every particle, the flow's part included `[a/t]`.
pub fn velocities(state: &Suspension, drive: &Drive) -> Vec<Vector3<f64>> {
    let with_flow = |(x, m): (&Vector3<f64>, &Motion)| m.linear + drive.velocity(x);
    state.positions.iter().zip(&state.motions).map(with_flow).collect()
}
