//! What all integrators work with: laws, drive and medium of a run, and the balance of a step.

use std::time::Instant;

use super::momentum::mass;
use super::settings::{End, StepSettings};
use super::stage::Stage;
use super::trial::{Effort, Moves, StageFailure, StressGoal};
use super::{Inertia, Setup};
use crate::balance::Medium;
use crate::drive::{Drive, Protocol};
use crate::error::Error;
use crate::laws::Interactions;
use crate::obstacle::Obstacles;
use crate::pairs::{NeighbourList, Slabs};
use crate::solve::Solver;
use crate::state::Suspension;
use crate::stress::Stress;

/// The largest displacement of two particles towards each other in a step, relative to the flow,
/// in smallest radii.
pub(super) const LARGEST_APPROACH: f64 = 0.2;

/// The gap up to which a pair belongs to the contact set, in smallest radii.
pub(super) const CONTACT_REACH: f64 = 0.05;

/// Particles from which on threads may share the work of a step.
pub(super) const PARALLEL_PARTICLES: usize = 100;

/// Skin of the neighbour list, in smallest radii.
const SKIN: f64 = 0.7;

/// The laws, the drive and the medium of a run, and the balance of a step.
pub struct Mechanics {
    pub(super) laws: Interactions,
    /// What is imposed now.
    pub(super) drive: Drive,
    /// What is imposed over time.
    pub(super) protocol: Protocol,
    pub(super) medium: Medium,
    pub(super) settings: StepSettings,
    pub(super) solver: Solver,
    pub(super) stage: Stage,
    /// Drag of single particles.
    drag: Vec<[f64; 2]>,
    /// The force on a particle below which it is taken as none `[μγ̇a²]`.
    pub(super) least_force: f64,
    /// Trial steps that were thrown away.
    pub(super) rejected: u64,
}

impl Mechanics {
    pub(super) fn new(state: &Suspension, setup: Setup) -> Self {
        let Setup { laws, drive, protocol, medium, obstacles, inertia, settings, .. } = setup;
        let free = drive.stress.is_none() || obstacles.is_empty();
        assert!(free, "a stress cannot be imposed on a suspension with obstacles");
        let largest = [state.largest_radius(); 2];
        let field = medium.field.map_or(0.0, |field| field.reach_gap());
        let range = laws.iter().map(|l| l.range(largest)).fold(field, f64::max);
        let mut stage = Stage { levers: laws.levers(), ..Stage::default() };
        stage.fields.law = medium.field;
        stage.pairs.list = neighbour_list(state, range, &drive, &settings);
        stage.pairs.walls.obstacles = obstacles;
        stage.forces.operator.turning = medium.rotation;
        if let Some(Inertia { density, .. }) = inertia {
            let masses = state.radii.iter().map(|a| mass(density, *a, medium.rotation));
            stage.momentum.masses = masses.collect();
        }
        // Without a law there is nothing to be in contact with, and films are evaluated as a whole.
        let reach = CONTACT_REACH * state.smallest_radius();
        let whole = laws.is_empty() || laws.has_films();
        stage.contact_set.reach = if whole { f64::NEG_INFINITY } else { reach };
        Mechanics {
            laws,
            protocol: protocol.unwrap_or_else(|| Protocol::steady(&drive)),
            drive,
            medium,
            settings,
            solver: setup.solver,
            stage,
            drag: state.radii.iter().map(|a| medium.drag(*a)).collect(),
            least_force: setup.least_force,
            rejected: 0,
        }
    }

    /// Lists the pairs of a step, and what they remember.
    pub(super) fn list_pairs(&mut self, state: &mut Suspension, stride: usize) {
        let begin = Instant::now();
        let stage = &mut self.stage;
        let reach = 2.0 * state.largest_radius() + stage.pairs.list.range();
        stage.forces.operator.slabs = Slabs::new(state, reach);
        stage.pairs.find(state, self.laws.has_films());
        state.memory.stride = stride;
        stage.pairs.recall(&state.memory);
        stage.begin(&self.drag, state.smallest_radius());
        stage.moment.start = state.clock.time;
        stage.forces.least_scale = self.least_force * (state.len() as f64).sqrt();
        stage.times.neighbours += begin.elapsed().as_secs_f64();
    }

    /// Numbers that the laws of a pair remember.
    pub(super) fn memory_len(&self) -> usize {
        self.laws.iter().map(|law| law.memory_len()).sum()
    }

    /// Whether films have a state of their own.
    pub(super) fn has_films(&self) -> bool {
        self.laws.has_films()
    }

    /// Whether particles have a mass.
    pub(super) fn has_inertia(&self) -> bool {
        self.stage.momentum.exists()
    }

    /// The obstacles.
    pub(super) fn obstacles(&self) -> &Obstacles {
        &self.stage.pairs.walls.obstacles
    }

    /// The step that the controller proposes `[t]`.
    pub(super) fn proposed_step(&self, state: &Suspension) -> f64 {
        match state.clock.next_step {
            0.0 => self.first_step(),
            step => step,
        }
    }

    /// The first step `[t]`.
    pub(super) fn first_step(&self) -> f64 {
        self.settings.first_step.min(self.protocol.longest_step())
    }

    /// The longest step at what is imposed now `[t]`.
    pub(super) fn longest_step(&self) -> f64 {
        let settings = &self.settings;
        let rate = self.drive.rate.abs();
        let by_strain = match self.drive.stress {
            None if rate > 0.0 && settings.max_strain > 0.0 => settings.max_strain / rate,
            _ => settings.max_step,
        };
        by_strain.min(self.protocol.longest_step())
    }

    /// The duration of a trial step, given what is proposed, and imposes what is due in it `[t]`.
    pub(super) fn trial_step(&mut self, state: &Suspension, end: End, proposed: f64) -> f64 {
        self.impose(state, proposed.min(self.longest_step()));
        let step = proposed.min(self.longest_step());
        let step = without_sliver(step, self.remaining(state, end, step));
        self.impose(state, step);
        step
    }

    /// The time that remains until the end, or until something else is imposed `[t]`.
    pub(super) fn remaining(&self, state: &Suspension, end: End, step: f64) -> f64 {
        let clock = &state.clock;
        let to_end =
            end.remaining(clock, self.drive.rate_along(step)).min(self.until_loaded(state));
        to_end.min(self.protocol.remaining(&self.drive, clock))
    }

    /// The time until the external forces act in full, or turn round, where steps must end;
    /// infinite after that.
    fn until_loaded(&self, state: &Suspension) -> f64 {
        let until = |moment: f64| {
            let remaining = moment - state.clock.time;
            if remaining > 1e-12 * moment { remaining } else { f64::INFINITY }
        };
        self.drive.reversal.map_or(f64::INFINITY, until).min(until(self.drive.ramp))
    }

    /// Imposes what is due in a step.
    pub(super) fn impose(&mut self, state: &Suspension, step: f64) {
        self.protocol.impose(&mut self.drive, &state.clock, step);
        if let Some(stress) = self.drive.stress {
            // The rate of the last step, or that of a tenfold viscosity, to begin with.
            let first = 0.1 * stress / self.medium.viscosity;
            let known = state.clock.last_steps[0] > 0.0;
            self.drive.rate = if known { state.rate } else { first };
        }
        self.stage.moment.unit_strain_rate = self.drive.flow.strain_rate();
        self.stage.moment.unit_rotation = self.drive.flow.rotation();
        self.stage.imposed.goal = self.stress_goal(state);
    }

    /// What the forces in the box must amount to when the stress is imposed.
    fn stress_goal(&self, state: &Suspension) -> Option<StressGoal> {
        let (stress, volume) = (self.drive.stress?, state.cell.volume()?);
        let unit = self.drive.flow.strain_rate();
        let flow = Stress::of_flow(self.medium.viscosity, &unit, &state.radii, volume);
        let fluid = volume * crate::stress::shear(&flow.total());
        // What moving particles carry is that of the step before.
        let kinetic = crate::stress::shear(&self.stage.momentum.flux(&state.velocities));
        Some(StressGoal { moment: stress * volume - kinetic, fluid })
    }

    /// Solves the balance of a trial step, contacts and friction included.
    pub(super) fn solve(&mut self, step: f64, effort: &mut Effort) -> Result<(), StageFailure> {
        let Mechanics { stage, laws, drive, solver, settings, .. } = self;
        stage.solve(laws, drive, step, (solver, &settings.convergence), effort)
    }

    /// Solves the balance of a stage by Newton's method.
    pub(super) fn newton(&mut self, step: f64, effort: &mut Effort) -> Result<(), StageFailure> {
        let Mechanics { stage, laws, drive, solver, settings, .. } = self;
        stage.newton(laws, drive, step, (solver, &settings.convergence), effort)
    }

    /// Moves the particles by an accepted step.
    pub(super) fn move_particles(&mut self, state: &mut Suspension, moves: Moves, step: f64) {
        let strain = moves.strain();
        state.rate = self.drive.rate;
        state.clock.go_on(step, moves.strains);
        let images = state.cell.images(&state.clock);
        for (x, arrival) in state.positions.iter_mut().zip(moves.arrivals) {
            *x = arrival;
            images.wrap(x);
        }
        let closed = self.drive.flow.compression() * strain;
        self.stage.pairs.list.moved(moves.displacements.into_iter(), closed);
    }

    /// The next, shorter step to try after one of duration `step` was rejected.
    ///
    /// # Errors
    ///
    /// When it would be shorter than the settings allow.
    pub(super) fn reject(
        &mut self,
        state: &Suspension,
        step: f64,
        factor: f64,
        reason: StageFailure,
    ) -> Result<f64, Error> {
        self.rejected += 1;
        let proposed = step * factor;
        if proposed < self.settings.min_step {
            return Err(self.give_up(state, proposed, reason));
        }
        Ok(proposed)
    }
}

/// A list of the pairs that may come within the range of the laws in a step.
fn neighbour_list(
    state: &Suspension,
    range: f64,
    drive: &Drive,
    settings: &StepSettings,
) -> NeighbourList {
    let (smallest, diameter) = (state.smallest_radius(), 2.0 * state.largest_radius());
    // Two particles approach by what they move relative to the flow, and by half of the
    // strain (all of it in extension) times their distance in the flow's direction of compression.
    let compressed = drive.flow.compression() * settings.max_strain;
    let approach = LARGEST_APPROACH * smallest;
    let flows = settings.max_strain > 0.0;
    let carried = if flows { compressed * (diameter + range + approach) } else { 0.0 };
    let watched = range + approach + carried;
    // The nearest image is only right up to half of the box.
    let room = state.cell.reach() - diameter - watched;
    let skin = (SKIN * smallest).min(room).max(0.0);
    NeighbourList::new(watched, skin)
}

/// A step that ends where the remaining time does, or leaves more than a sliver of it: the last two
/// are of the same length.
fn without_sliver(step: f64, remaining: f64) -> f64 {
    if remaining <= step {
        remaining
    } else if remaining < 2.0 * step {
        0.5 * remaining
    } else {
        step
    }
}
