//! Whether a trial step is good enough, and how long the next one is: an embedded error estimate
//! and a PI controller.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::mechanics::{LARGEST_APPROACH, Mechanics, PARALLEL_PARTICLES};
use super::settings::{Aim, End};
use super::trial::{Moves, StageFailure, Trial};
use crate::error::Error;
use crate::state::{Suspension, Velocity};

/// The least and the most that a step may change by at once, as a factor.
const STEP_CHANGE: [f64; 2] = [0.3, 1.5];

/// The fraction of the overlap bound at which the stiffness is raised.
const OVERLAP_MARGIN: f64 = 0.9;

/// The share of the farthest way allowed in a step that particles are planned to go in the next.
const PLANNED_REACH: f64 = 0.8;

/// The order of the error estimate in the step, for each aim.
fn order(aim: Aim) -> f64 {
    match aim {
        Aim::Statistics => 2.0,
        Aim::Trajectory => 3.0,
    }
}

/// By what factor the step should change after a scaled error (1 is just tolerable), given the
/// error of the last accepted step.
pub(super) fn step_factor(aim: Aim, error: f64, last: f64) -> f64 {
    let (error, last) = (error.max(1e-4), last.max(1e-4));
    let p = order(aim);
    let wanted = 0.9 * error.powf(-0.7 / p) * last.powf(0.3 / p);
    wanted.clamp(STEP_CHANGE[0], STEP_CHANGE[1])
}

impl Mechanics {
    /// The farthest that a particle moves relative to the flow, over what it may in a step.
    fn farthest(&self, state: &Suspension, moves: &Moves) -> f64 {
        let farthest = moves.displacements.iter().map(|d| d.norm()).fold(0.0, f64::max);
        farthest / (0.5 * LARGEST_APPROACH * state.smallest_radius())
    }

    /// The longest step in which no particle would move too far if all went on as in the step
    /// `moves`, where only statistics matter: the steps of a path are those that its error asks
    /// for `[t]`.
    pub(super) fn longest_after(&self, state: &Suspension, moves: &Moves, step: f64) -> f64 {
        match self.settings.aim {
            Aim::Trajectory => f64::INFINITY,
            Aim::Statistics => PLANNED_REACH * step / self.farthest(state, moves),
        }
    }

    /// A shorter step, if this one moves particles or the flow too far.
    pub(super) fn too_far(
        &self,
        state: &Suspension,
        moves: &Moves,
        step: f64,
        end: End,
    ) -> Option<Trial> {
        // A load that acts at once makes soft spheres jump, however short the first step is.
        if state.clock.steps == 0 && !self.medium.drag && !self.has_inertia() {
            return None;
        }
        let shorter = |factor: f64| Some(Trial::Shorter(factor, StageFailure::TooFar));
        let farthest = self.farthest(state, moves);
        if farthest > 1.0 {
            return shorter((0.9 / farthest).max(0.2));
        }
        if !self.obstacles().is_empty() {
            let approach = self.wall_approach(state, moves, step);
            let allowed = LARGEST_APPROACH * state.smallest_radius();
            if approach > allowed {
                return shorter((0.9 * allowed / approach).max(0.2));
            }
        }
        let strain = moves.strain();
        if strain > 1.001 * self.settings.max_strain {
            return shorter((0.9 * self.settings.max_strain / strain).max(0.2));
        }
        let last = end.strain.min(self.protocol.next_path(&state.clock));
        let beyond = state.clock.path + strain - last;
        if self.drive.stress.is_some() && beyond > 1e-9 * last {
            return shorter((1.0 - beyond / strain).clamp(0.01, 0.99));
        }
        None
    }

    /// By how much a particle and a surface that it feels approach each other at most `[a]`.
    fn wall_approach(&self, state: &Suspension, moves: &Moves, step: f64) -> f64 {
        let obstacles = self.obstacles();
        let mut farthest: f64 = 0.0;
        let (start, range) = (state.clock.time, self.stage.pairs.list.range());
        let particles = state.positions.iter().zip(&moves.arrivals).zip(&state.radii);
        for ((x, arrival), radius) in particles {
            obstacles.near(arrival, radius + range, start + step, |surface, after| {
                if let Some(before) = obstacles.foot(surface, x, start) {
                    farthest = farthest.max(before.distance - after.distance);
                }
            });
        }
        farthest
    }

    /// The scaled error of velocities that are constant over the step: 1 is just tolerable.
    pub(super) fn velocity_error(
        &self,
        state: &Suspension,
        predicted: &[Velocity],
        step: f64,
    ) -> f64 {
        let found = &self.stage.velocities;
        let radius = state.smallest_radius();
        let unit = self.settings.tolerance * radius;
        let both = || found.iter().zip(predicted);
        match self.settings.aim {
            Aim::Statistics => {
                let square: f64 = both().map(|(u, p)| (u.linear - p.linear).norm_squared()).sum();
                0.5 * step * (square / found.len() as f64).sqrt() / unit
            }
            Aim::Trajectory => {
                let free = both()
                    .map(|(u, p)| (u.linear - p.linear).norm() * step / unit)
                    .fold(0.0, f64::max);
                // What obstacles do is known.
                let surprise = |k: usize| match found.get(k) {
                    Some(found) => found.linear - predicted[k].linear,
                    None => Vector3::zeros(),
                };
                let relative = |view: super::pair_view::PairView| {
                    let [i, j] = view.ids.slots();
                    let wrong = view.pair.normal.dot(&(surprise(j) - surprise(i))).abs() * step;
                    let gap = view.pair.gap.abs().clamp(1e-6 * radius, radius);
                    wrong / (gap * self.settings.tolerance)
                };
                self.stage.views(&self.drive).map(relative).fold(free, f64::max)
            }
        }
    }

    /// Whether spheres overlap too much at the end of the trial step, and more than before it,
    /// while the stiffness may still be raised.
    pub(super) fn too_deep(&self, state: &Suspension) -> bool {
        let deepest = |gaps: &mut dyn Iterator<Item = f64>| -gaps.fold(0.0, f64::min);
        let before = deepest(&mut self.stage.pairs.active.iter().map(|p| p.gap));
        let gap = |p: usize| self.stage.found_end_gap(p, &self.drive);
        let pairs = 0..self.stage.linearisation.geometry.len();
        let after = match state.len() >= PARALLEL_PARTICLES {
            true => -pairs.into_par_iter().with_min_len(1024).map(gap).reduce(|| 0.0, f64::min),
            false => deepest(&mut pairs.map(gap)),
        };
        after > OVERLAP_MARGIN * self.settings.max_overlap
            && after > before
            && state.stiffness < self.settings.max_stiffness
    }

    /// Decides on the next step after one with a scaled error was accepted.
    pub(super) fn plan_next(
        &self,
        state: &mut Suspension,
        (step, proposed): (f64, f64),
        error: f64,
        aim: Aim,
    ) {
        let clock = &mut state.clock;
        let factor = step_factor(aim, error, clock.last_error);
        // A step cut short by the end of the run says nothing about the next.
        clock.next_step = (step * factor).max(if step < proposed { proposed } else { 0.0 });
        clock.next_step = clock.next_step.min(self.longest_step());
        clock.last_error = error;
        self.protocol.turn(clock);
    }

    /// Says why steps have become too short.
    pub(super) fn give_up(&self, state: &Suspension, step: f64, reason: StageFailure) -> Error {
        Error::StepTooSmall {
            step: state.clock.steps,
            strain: state.clock.strain,
            time: state.clock.time,
            size: step,
            pair: self.stage.pairs.closest(),
            reason: reason.to_string(),
            remedy: match self.has_films() && !self.medium.drag {
                true => {
                    "Without drag forces and torques on every group of particles that feel each \
                     other must balance; otherwise a ramp of the load or another tolerance may help"
                }
                false => self.laws.remedy(),
            },
        }
    }
}
