//! Steps with deflecting films: a diagonally implicit scheme of third order.
//!
//! Between soft particles the film has a state of its own, and without drag the positions have
//! none: they follow from the balance of forces at every instant, which makes the equations
//! differential-algebraic; the harder the particles, the nearer are the forces to Lagrange
//! multipliers. The scheme (Kennedy & Carpenter 2003, the implicit half of ARK3(2)4L\[2\]SA) is
//! made for that: L-stable, so that films that relax faster than a step do no harm; stiffly
//! accurate, so that forces balance in the state in which a step ends; and with stages of second
//! order, so that hard particles cost no accuracy. The first stage is explicit, each of the other
//! three one backward step of duration γΔt from a base that the stages before it have shifted. A
//! second set of weights estimates the error.

mod error;
mod found;

use nalgebra::Vector3;

use super::Integrator;
use super::error_control::step_factor;
use super::mechanics::Mechanics;
use super::observe::{Done, Flows, Observation};
use super::pair_view::with_memory_mut;
use super::settings::{Aim, End};
use super::stage::Stage;
use super::trial::{Effort, Moves, Placement, StageFailure, Trial};
use crate::drive::{Drive, Flow};
use crate::error::Error;
use crate::laws::gap_at;
use crate::state::{Suspension, Velocity};
use found::Found;

const STAGES: usize = 4;

/// γ, the root of \\(\gamma^3 - 3\gamma^2 + \tfrac32\gamma - \tfrac16\\) that makes it L-stable.
const GAMMA: f64 = 0.435_866_521_508_459;

/// When the stages end, in steps.
const TIMES: [f64; STAGES] = [0.0, 2.0 * GAMMA, 3.0 / 5.0, 1.0];

/// Weights of the rates of the stages in each stage.
const WEIGHTS: [[f64; STAGES]; STAGES] = {
    let [_, c2, c3, _] = TIMES;
    let a32 = c3 * (c3 - c2) / (2.0 * c2);
    let b2 = (-2.0 + 3.0 * c3 + 3.0 * c2 * (1.0 - c3)) / (6.0 * c2 * (c3 - c2));
    let b3 = (1.0 - 6.0 * GAMMA + 6.0 * GAMMA * GAMMA) / (3.0 * c3 * (c3 - c2));
    [
        [0.0; STAGES],
        [GAMMA, GAMMA, 0.0, 0.0],
        [c3 - a32 - GAMMA, a32, GAMMA, 0.0],
        [1.0 - b2 - b3 - GAMMA, b2, b3, GAMMA],
    ]
};

/// The scheme, with what the stages of a trial step found.
#[derive(Default)]
pub(super) struct Esdirk {
    /// The pairs at the beginning of the step.
    start: Start,
    /// What was found in each stage.
    stages: [Found; STAGES],
    /// The imposed flow.
    flow: Flow,
}

/// The pairs at the beginning of a step.
#[derive(Default)]
struct Start {
    /// Their separations `[a]`.
    separations: Vec<Vector3<f64>>,
    /// Centres of the particles that meet a surface `[a]`.
    centres: Vec<Vector3<f64>>,
    /// What they remember.
    memory: Vec<f64>,
}

impl Integrator for Esdirk {
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        end: End,
    ) -> Result<Observation, Error> {
        let mut proposed = mechanics.proposed_step(state);
        mechanics.impose(state, proposed);
        mechanics.find_pairs(state, mechanics.memory_len());
        mechanics.stage.pairs.init_memory(&mechanics.laws);
        let mut effort = start_anew(mechanics, state);
        self.begin(mechanics, state);
        loop {
            let step = mechanics.trial_step(state, end, proposed);
            match self.attempt(mechanics, state, (step, end), &mut effort) {
                Trial::Accepted(error, moves) => {
                    let done = Done { step, strains: moves.strains };
                    let seen = mechanics.observe(state, Some(self.flows()), done, effort);
                    self.accept(mechanics, state, moves, step);
                    mechanics.plan_next(state, (step, proposed), error, Aim::Trajectory);
                    return Ok(seen);
                }
                Trial::Shorter(factor, reason) => {
                    proposed = mechanics.reject(state, step, factor, reason)?;
                }
                Trial::TooDeep | Trial::Missed => {
                    unreachable!("films have no overlap to bound, and pairs as far as steps go")
                }
            }
        }
    }
}

/// Finds the velocities at the beginning of a step where those of the step before may not be right:
/// at the very beginning, and where films begin and end abruptly.
fn start_anew(mechanics: &mut Mechanics, state: &mut Suspension) -> Effort {
    let mut effort = Effort::default();
    let mut pairs = mechanics.stage.pairs.active.iter();
    let abrupt =
        pairs.any(|pair| mechanics.laws.iter().any(|law| law.cutoff(pair.radii).is_some()));
    let trajectory = mechanics.settings.aim == Aim::Trajectory && mechanics.medium.drag;
    if mechanics.has_inertia() {
        if abrupt || state.accelerations.is_empty() {
            mechanics.evaluate_forces(&state.velocities);
            state.accelerations = mechanics.stage.residual_accelerations();
        }
        return effort;
    }
    if !trajectory || !(abrupt || state.clock.steps == 0) {
        return effort;
    }
    mechanics.stage.moment.placement = Placement::End;
    mechanics.stage.velocities.clone_from(&state.velocities);
    // Without a solution the old velocities have to do: they are only the first of four.
    if mechanics.newton(0.0, &mut effort).is_ok() {
        state.velocities.clone_from(&mechanics.stage.velocities);
    }
    effort
}

impl Esdirk {
    /// Takes up pairs and memory at the beginning of a step, which is the first stage, and how fast
    /// they change there.
    fn begin(&mut self, mechanics: &Mechanics, state: &Suspension) {
        let Mechanics { stage, drive, laws, .. } = mechanics;
        let start = &mut self.start;
        start.separations.clear();
        start.separations.extend(stage.pairs.active.iter().map(|p| p.separation));
        start.memory.clone_from(&stage.pairs.memory);
        let met = &stage.pairs.walls.met;
        start.centres.clear();
        start.centres.extend(met.iter().map(|met| met.centre));
        // A rate that is imposed is that of the whole step.
        let known = drive.stress.is_some() && state.clock.steps > 0;
        let rate = if known { state.rate } else { drive.rate };
        self.flow = drive.flow;
        let flow = Drive { rate, flow: drive.flow, ..Drive::default() };
        let first = &mut self.stages[0];
        first.unknowns.set(&state.velocities, rate);
        first.accelerations.clone_from(&state.accelerations);
        first.separations.clear();
        let pairs = 0..stage.pairs.active.len();
        let separation_rate = |p| stage.separation_rate(p, &state.velocities, &flow);
        first.separations.extend(pairs.map(separation_rate));
        first.centres.clear();
        first.centres.extend(
            met.iter()
                .map(|met| state.velocities[met.particle].linear + flow.velocity(&met.centre)),
        );
        first.memory.clone_from(&stage.pairs.memory);
        let at_start = stage.at_start(&state.velocities, &flow);
        let rates = first.memory.chunks_exact_mut(stage.pairs.stride);
        for ((pair, now), memory) in at_start.zip(rates) {
            for (law, own) in with_memory_mut(laws, memory) {
                law.memory_rate(&pair, own, &now);
            }
        }
    }

    /// Puts what was at the beginning of the step into the pairs of `stage`.
    fn restore(&self, stage: &mut Stage) {
        for (pair, separation) in stage.pairs.active.iter_mut().zip(&self.start.separations) {
            pair.separation = *separation;
            pair.gap = gap_at(separation.norm(), pair.radii);
        }
        for (met, centre) in stage.pairs.walls.met.iter_mut().zip(&self.start.centres) {
            met.centre = *centre;
        }
        stage.pairs.memory.clone_from(&self.start.memory);
    }

    /// Puts the base of stage `k` into the pairs of `stage`.
    fn set_base(&self, stage: &mut Stage, k: usize, step: f64) {
        let earlier = || WEIGHTS[k][..k].iter().zip(&self.stages);
        for (p, pair) in stage.pairs.active.iter_mut().enumerate() {
            pair.separation = self.start.separations[p];
            for (weight, earlier) in earlier() {
                pair.separation += step * weight * earlier.separations[p];
            }
            pair.gap = gap_at(pair.separation.norm(), pair.radii);
        }
        for (m, met) in stage.pairs.walls.met.iter_mut().enumerate() {
            met.centre = self.start.centres[m];
            for (weight, earlier) in earlier() {
                met.centre += step * *weight * earlier.centres[m];
            }
        }
        stage.pairs.memory.clone_from(&self.start.memory);
        for (weight, earlier) in earlier() {
            for (m, rate) in stage.pairs.memory.iter_mut().zip(&earlier.memory) {
                *m += step * weight * rate;
            }
        }
    }

    /// The velocities from which stage `k` starts, where particles have inertia.
    fn base_velocities(&self, k: usize, step: f64) -> Vec<Velocity> {
        let mut base = self.stages[0].unknowns.velocities.clone();
        for (weight, earlier) in WEIGHTS[k][..k].iter().zip(&self.stages) {
            for (base, gained) in base.iter_mut().zip(&earlier.accelerations) {
                *base += step * *weight * *gained;
            }
        }
        base
    }

    /// Tries a step in three stages.
    fn attempt(
        &mut self,
        mechanics: &mut Mechanics,
        state: &Suspension,
        (step, end): (f64, End),
        effort: &mut Effort,
    ) -> Trial {
        mechanics.stage.moment.placement = Placement::End;
        let drive = &mechanics.drive;
        if drive.stress.is_none() && self.stages[0].unknowns.rate != drive.rate {
            // Another rate than that for which the first stage was found.
            self.restore(&mut mechanics.stage);
            mechanics.stage.moment.start = state.clock.time;
            self.begin(mechanics, state);
        }
        for k in 1..STAGES {
            if let Err(reason) = self.stage(mechanics, state, (k, step), effort) {
                return Trial::Shorter(0.5, reason);
            }
        }
        finish_memory(mechanics);
        if mechanics.settings.aim == Aim::Trajectory
            && let Some(shorter) = self.past_cutoff(mechanics)
        {
            return shorter;
        }
        let error = self.error(mechanics, state, step);
        if error > 1.0 {
            let factor = step_factor(Aim::Trajectory, error, error).min(0.8);
            return Trial::Shorter(factor, StageFailure::Inaccurate);
        }
        let moves = self.moves(mechanics, state, step);
        let shorter = mechanics.too_far(state, &moves, step, end);
        shorter.unwrap_or(Trial::Accepted(error, moves))
    }

    /// Solves stage `k`.
    fn stage(
        &mut self,
        mechanics: &mut Mechanics,
        state: &Suspension,
        (k, step): (usize, f64),
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        let mut guess = std::mem::take(&mut mechanics.stage.velocities);
        self.predict(state, k, step, &mut guess);
        mechanics.stage.velocities = guess;
        self.set_base(&mut mechanics.stage, k, step);
        mechanics.stage.moment.start = state.clock.time + (TIMES[k] - GAMMA) * step;
        let duration = GAMMA * step;
        if mechanics.has_inertia() {
            mechanics.accelerate_from(&self.base_velocities(k, step), duration);
        }
        mechanics.newton(duration, effort)?;
        self.stages[k].take(mechanics, duration);
        if k < STAGES - 1 {
            self.stages[k].flows = Flows::of(mechanics, state);
        }
        Ok(())
    }

    /// Guesses the velocities of stage `k` from those of two others.
    fn predict(&self, state: &Suspension, k: usize, step: f64, guess: &mut Vec<Velocity>) {
        let [_, late, early, _] = self.stages.each_ref().map(|found| &found.unknowns.velocities);
        let before = (TIMES[1] - 1.0) * state.clock.last_steps[0];
        let (newer, older, times) = match k {
            1 => (&state.velocities, &state.earlier_velocities, [0.0, before]),
            2 => (late, &state.velocities, [TIMES[1] * step, 0.0]),
            _ => (late, early, [TIMES[1] * step, TIMES[2] * step]),
        };
        // Before the second step there is nothing to extrapolate from.
        let steady = k < 3 && state.clock.steps < 1;
        let reach = (TIMES[k] * step - times[0]) / (times[0] - times[1]);
        let slope = if steady || !reach.is_finite() { 0.0 } else { reach.min(3.0) };
        guess.clear();
        if slope == 0.0 {
            guess.extend_from_slice(newer);
            return;
        }
        guess.extend(newer.iter().zip(older).map(|(n, o)| *n + slope * (*n - *o)));
    }

    /// Mean stress and powers over the step, to second order: from the two stages inside it.
    fn flows(&self) -> Flows {
        let [_, late, early, _] = &self.stages;
        let weight = (0.5 - TIMES[2]) / (TIMES[1] - TIMES[2]);
        late.flows.blend(weight, &early.flows, 1.0 - weight)
    }

    /// Where the stages take the particles.
    fn moves(&self, mechanics: &Mechanics, state: &Suspension, step: f64) -> Moves {
        let weighted = || WEIGHTS[STAGES - 1].iter().zip(&self.stages);
        let displacement =
            |k| weighted().map(|(weight, found)| step * *weight * found.velocity(k)).sum();
        let arrival = |(k, x): (usize, &Vector3<f64>)| self.arrival(k, *x, step);
        let strain =
            || step * weighted().map(|(weight, found)| weight * found.unknowns.rate).sum::<f64>();
        Moves {
            arrivals: state.positions.iter().enumerate().map(arrival).collect(),
            displacements: (0..state.len()).map(displacement).collect(),
            strains: match mechanics.drive.stress {
                Some(_) => [strain(), 0.0],
                None => mechanics.drive.strains(step),
            },
        }
    }

    /// Where a particle arrives that was at `from`.
    fn arrival(&self, particle: usize, from: Vector3<f64>, step: f64) -> Vector3<f64> {
        let mut rates = [Vector3::zeros(); STAGES];
        let mut at = from;
        for k in 0..STAGES {
            let found = &self.stages[k];
            let drive = Drive { rate: found.unknowns.rate, flow: self.flow, ..Drive::default() };
            if k == 0 {
                rates[0] = found.velocity(particle) + drive.velocity(&from);
                continue;
            }
            let earlier = WEIGHTS[k][..k].iter().zip(&rates);
            let base = earlier.fold(from, |x, (weight, rate)| x + step * *weight * rate);
            at = drive.carry_back(&base, found.velocity(particle), GAMMA * step);
            rates[k] = (at - base) / (GAMMA * step);
        }
        at
    }

    /// Moves particles and memory by an accepted step.
    fn accept(&self, mechanics: &mut Mechanics, state: &mut Suspension, moves: Moves, step: f64) {
        let pairs = &mechanics.stage.pairs;
        pairs.keep(&pairs.end_memory, &mut state.memory);
        mechanics.move_particles(state, moves, step);
        let [_, late, _, last] = &self.stages;
        // The stage that ends last before the end of the step comes before it.
        state.earlier_velocities.clone_from(&late.unknowns.velocities);
        state.velocities.clone_from(&last.unknowns.velocities);
        state.accelerations.clone_from(&last.accelerations);
    }
}

/// Finds what films remember at the end of the step, where the last stage ends.
fn finish_memory(mechanics: &mut Mechanics) {
    let mut end = std::mem::take(&mut mechanics.stage.pairs.end_memory);
    let Mechanics { stage, drive, laws, .. } = mechanics;
    end.clone_from(&stage.pairs.memory);
    for (view, memory) in stage.views(drive).zip(end.chunks_exact_mut(stage.pairs.stride)) {
        for (law, own) in with_memory_mut(laws, memory) {
            law.advance_memory(view.pair, own, &view.rates);
            law.finish_memory(view.pair, own);
        }
    }
    stage.pairs.end_memory = end;
}
