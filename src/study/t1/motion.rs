//! Steps of the group: up to the end of the rearrangement, and on the mirror planes.

use nalgebra::Vector3;

use super::{A, B, C, D, Group, T1, T1Progress};
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::state::Suspension;
use crate::study::few::Load;

/// Advances the group by one step, which ends where the rearrangement completes.
pub fn step(
    stepper: &mut Stepper,
    state: &mut Suspension,
    end: End,
    t1: &T1,
    progress: &mut T1Progress,
) -> Result<(Observation, Group), Error> {
    let before = state.clone();
    let (mut seen, mut group) = advance(stepper, state, end, t1)?;
    let enough = t1.completion_force();
    let reaches =
        |group: &Group| t1.load == Load::Press && group.is_swapped() && group.normal[1] >= enough;
    if progress.completed.is_none() && reaches(&group) {
        let wanted = Completion { t1, from: [before.clock.time, progress.vertical] };
        // If the force was there before the neighbours had swapped, the swap is the end.
        if progress.vertical < enough {
            (seen, group) = wanted.locate(stepper, &before, state, (seen, group))?;
        }
        progress.completed = Some(seen.time);
    }
    progress.add(&group, seen.time);
    Ok((seen, group))
}

fn advance(
    stepper: &mut Stepper,
    state: &mut Suspension,
    end: End,
    t1: &T1,
) -> Result<(Observation, Group), Error> {
    let seen = stepper.step(state, end)?;
    if t1.symmetric {
        symmetrise(state);
    }
    Ok((seen, Group::observe(stepper, state, t1)))
}

/// The end of a rearrangement, looked for inside a step.
struct Completion<'a> {
    t1: &'a T1,
    /// Time and vertical force at the beginning of the step.
    from: [f64; 2],
}

impl Completion<'_> {
    /// Repeats the step from its beginning with other durations, by regula falsi (Illinois).
    fn locate(
        &self,
        stepper: &mut Stepper,
        before: &Suspension,
        state: &mut Suspension,
        mut found: (Observation, Group),
    ) -> Result<(Observation, Group), Error> {
        const MOST_TRIALS: usize = 40;
        const FORCE_TOLERANCE: f64 = 1e-9;
        let enough = self.t1.completion_force();
        let short = |vertical: f64| vertical - enough;
        let mut low = [self.from[0], short(self.from[1])];
        let mut high = [found.0.time, short(found.1.normal[1])];
        let mut solves = found.0.effort.solves;
        for _ in 0..MOST_TRIALS {
            if high[1].abs() <= FORCE_TOLERANCE || high[0] - low[0] <= 1e-12 * high[0] {
                break;
            }
            let time = low[0] + (high[0] - low[0]) * low[1] / (low[1] - high[1]);
            *state = before.clone();
            let end = End { strain: f64::INFINITY, time };
            let mut trial = advance(stepper, state, end, self.t1)?;
            solves += trial.0.effort.solves;
            while state.clock.time < time * (1.0 - 1e-12) {
                trial = advance(stepper, state, end, self.t1)?;
                solves += trial.0.effort.solves;
            }
            let residual = short(trial.1.normal[1]);
            found = trial;
            if residual.abs() <= FORCE_TOLERANCE {
                break;
            }
            if residual > 0.0 {
                high = [time, residual];
                low[1] *= 0.5;
            } else {
                low = [time, residual];
                high[1] *= 0.5;
            }
        }
        found.0.effort.solves = solves;
        Ok(found)
    }
}

/// Averages the group over its two mirror planes.
fn symmetrise(state: &mut Suspension) {
    let x = &mut state.positions;
    let half = 0.5 * (x[C as usize].x - x[B as usize].x);
    let tall = 0.5 * (x[A as usize].y - x[D as usize].y);
    x[A as usize] = Vector3::new(0.0, tall, 0.0);
    x[B as usize] = Vector3::new(-half, 0.0, 0.0);
    x[C as usize] = Vector3::new(half, 0.0, 0.0);
    x[D as usize] = Vector3::new(0.0, -tall, 0.0);
    let stride = state.memory.stride;
    let (mut gap, mut across, mut down) = (0.0, 0.0, 0.0);
    for (ids, memory) in state.memory.ids.iter().zip(state.memory.values.chunks_exact(stride)) {
        if !matches!(ids.slots().map(|id| id as u32), [B, C] | [A, D]) {
            gap += 0.25 * memory[0];
            across += 0.25 * memory[1].abs();
            down += 0.25 * memory[2];
        }
    }
    let length = f64::hypot(across, down);
    for (ids, memory) in state.memory.ids.iter().zip(state.memory.values.chunks_exact_mut(stride)) {
        let (log_gap, [x, y]) = match ids.slots().map(|id| id as u32) {
            [B, C] => (memory[0], [1.0, 0.0]),
            [A, D] => (memory[0], [0.0, -1.0]),
            [A, B] | [C, D] => (gap, [-across / length, down / length]),
            _ => (gap, [across / length, down / length]),
        };
        memory.copy_from_slice(&[log_gap, x, y, 0.0]);
    }
    let Suspension { velocities, earlier_velocities, accelerations, .. } = state;
    for velocities in [velocities, earlier_velocities, accelerations] {
        if let [a, b, c, d] = &mut velocities[..] {
            let wide = 0.5 * (c.linear.x - b.linear.x);
            let tall = 0.5 * (a.linear.y - d.linear.y);
            a.linear = Vector3::new(0.0, tall, 0.0);
            b.linear = Vector3::new(-wide, 0.0, 0.0);
            c.linear = Vector3::new(wide, 0.0, 0.0);
            d.linear = Vector3::new(0.0, -tall, 0.0);
        }
    }
}
