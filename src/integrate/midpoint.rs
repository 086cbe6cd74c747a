//! Steps of hard particles: the implicit midpoint rule, of second order in smooth stretches.
//!
//! Velocities are constant over the step and forces balance in its middle, with contacts and
//! friction solved inside the step. The error is estimated from the velocities that the last steps
//! led to expect.

use super::error_control::step_factor;
use super::mechanics::Mechanics;
use super::observe::{Done, Observation};
use super::settings::{Aim, End};
use super::trial::{Effort, Moves, StageFailure, Trial};
use super::{Integrator, Placement};
use crate::error::Error;
use crate::state::{Suspension, Velocity};

/// How often the stiffness may be raised in one step.
const MOST_RAISES: usize = 4;

/// The implicit midpoint rule.
pub(super) struct Midpoint;

impl Integrator for Midpoint {
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        end: End,
    ) -> Result<Observation, Error> {
        mechanics.use_stiffness(state);
        let mut proposed = mechanics.proposed_step(state);
        mechanics.impose(state, proposed);
        let mut step = mechanics.trial_step(state, end, proposed);
        mechanics.find_expected_pairs(state, step);
        let mut effort = Effort::default();
        let mut raised = 0;
        loop {
            let may_stiffen = mechanics.settings.adapt_stiffness && raised < MOST_RAISES;
            match attempt(mechanics, state, (step, end), may_stiffen, &mut effort) {
                Trial::Accepted(error, moves) => {
                    let done = Done { step, strains: moves.strains };
                    let seen = mechanics.observe(state, None, done, effort);
                    accept(mechanics, state, moves, step);
                    let aim = mechanics.settings.aim;
                    mechanics.plan_next(state, (step, proposed), error, aim);
                    return Ok(seen);
                }
                Trial::TooDeep => {
                    raised += 1;
                    mechanics.raise_stiffness(state);
                }
                Trial::Missed => {
                    mechanics.find_pairs(state, mechanics.memory_len());
                    continue;
                }
                Trial::Shorter(factor, reason) => {
                    proposed = mechanics.reject(state, step, factor, reason)?;
                }
            }
            step = mechanics.trial_step(state, end, proposed);
        }
    }
}

/// Tries a step.
fn attempt(
    mechanics: &mut Mechanics,
    state: &Suspension,
    (step, end): (f64, End),
    may_stiffen: bool,
    effort: &mut Effort,
) -> Trial {
    let aim = mechanics.settings.aim;
    let predicted = predict(aim, state, step);
    mechanics.stage.moment.placement = Placement::Middle;
    mechanics.stage.velocities.clone_from(&predicted);
    if mechanics.has_inertia() {
        mechanics.extrapolate_momentum(state, step);
    }
    if let Err(reason) = mechanics.solve(step, effort) {
        return Trial::Shorter(0.4, reason);
    }
    mechanics.stage.find_rates(&mechanics.drive);
    let moves = mechanics.uniform_moves(state, step);
    if let Some(shorter) = mechanics.too_far(state, &moves, step, end) {
        return shorter;
    }
    if mechanics.missed_a_pair(state, &moves, step) {
        return Trial::Missed;
    }
    let error = mechanics.velocity_error(state, &predicted, step);
    if may_stiffen && mechanics.too_deep(state) {
        return Trial::TooDeep;
    }
    if error > 1.0 && state.clock.last_steps[0] > 0.0 {
        let factor = step_factor(aim, error, error).min(0.8);
        return Trial::Shorter(factor, StageFailure::Inaccurate);
    }
    Trial::Accepted(error, moves)
}

/// The velocities expected from the last one or two accepted steps.
fn predict(aim: Aim, state: &Suspension, step: f64) -> Vec<Velocity> {
    let [newer, older] = state.clock.last_steps;
    let (last, earlier) = (&state.velocities, &state.earlier_velocities);
    if aim == Aim::Statistics || earlier.len() != last.len() || older == 0.0 {
        return last.clone();
    }
    // Velocities belong to the middles of their steps.
    let slope = (newer + step) / (newer + older);
    last.iter().zip(earlier).map(|(m, e)| *m + slope * (*m - *e)).collect()
}

/// Moves particles and memory by an accepted step.
fn accept(mechanics: &mut Mechanics, state: &mut Suspension, moves: Moves, step: f64) {
    let pairs = &mechanics.stage.pairs;
    pairs.keep(&pairs.after, &mut state.memory);
    mechanics.move_particles(state, moves, step);
    std::mem::swap(&mut state.earlier_velocities, &mut state.velocities);
    state.velocities.clone_from(&mechanics.stage.velocities);
}

impl Mechanics {
    /// Where velocities that are constant over the step take the particles.
    pub(super) fn uniform_moves(&self, state: &Suspension, step: f64) -> Moves {
        let velocities = &self.stage.velocities;
        let arrival = |(x, u): (&_, &Velocity)| self.drive.carry(x, &u.linear, step);
        Moves {
            arrivals: state.positions.iter().zip(velocities).map(arrival).collect(),
            displacements: velocities.iter().map(|u| step * u.linear).collect(),
            strains: self.drive.strains(step),
        }
    }
}
