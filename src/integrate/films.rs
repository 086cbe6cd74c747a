//! Steps with deflecting films: a diagonally implicit scheme of third order.
//!
//! Between soft particles the film has a state of its own, and without drag the positions have
//! none: they follow from the balance of forces at every instant, which makes the equations
//! differential-algebraic; the harder the particles, the nearer are the forces to Lagrange
//! multipliers. The scheme (Kennedy & Carpenter 2003, the implicit half of ARK3(2)4L\[2\]SA) is made
//! for that: L-stable, so that films that relax faster than a step do no harm; stiffly accurate, so
//! that forces balance in the state in which a step ends; and with stages of second order, so that
//! hard particles cost no accuracy. The first stage is explicit, each of the other three one
//! backward step of duration γΔt from a base that the stages before it have shifted. A second set
//! of weights estimates the error.

use nalgebra::Vector3;

use super::control::Aim;
use super::goal::{Effort, Placement, StageFailure};
use super::observe::Flows;
use super::sight::with_memory_mut;
use super::stage::Stage;
use super::{Stepper, Trial};
use crate::drive::{Drive, Flow};
use crate::state::{Screw, Suspension, Velocity};

pub(super) const STAGES: usize = 4;

/// γ, the root of \\(\gamma^3 - 3\gamma^2 + \tfrac32\gamma - \tfrac16\\) that makes it L-stable.
pub(super) const GAMMA: f64 = 0.435_866_521_508_459;

/// When the stages end, in steps.
const TIMES: [f64; STAGES] = [0.0, 2.0 * GAMMA, 3.0 / 5.0, 1.0];

/// Weights of the rates of the stages in each stage.
pub(super) const WEIGHTS: [[f64; STAGES]; STAGES] = {
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

/// The stages of a trial step.
#[derive(Default)]
pub(super) struct Films {
    /// Separations of the pairs at the beginning of the step `[a]`.
    pub(super) separations: Vec<Vector3<f64>>,
    /// Centres of the particles that meet a surface then `[a]`.
    centres: Vec<Vector3<f64>>,
    /// Memory of the pairs then.
    pub(super) memory: Vec<f64>,
    /// What was found in each stage.
    pub(super) stages: [Found; STAGES],
    /// Memory at the end of the step.
    end: Vec<f64>,
    /// The imposed flow.
    flow: Flow,
}

/// What one stage found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) velocities: Vec<Velocity>,
    /// How particles with inertia are accelerated; otherwise empty.
    pub(super) accelerations: Vec<Screw>,
    /// Shear rate.
    rate: f64,
    /// Stress and powers.
    flows: Flows,
    /// Rates of change of the separations, of the centres at surfaces, and of the memory.
    separations: Vec<Vector3<f64>>,
    centres: Vec<Vector3<f64>>,
    pub(super) memory: Vec<f64>,
}

impl Films {
    /// Takes up the pairs at the beginning of a step, which is the first stage.
    pub(super) fn begin(&mut self, stage: &Stage, state: &Suspension, drive: &Drive) {
        self.separations.clear();
        self.separations.extend(stage.pairs.iter().map(|p| p.separation));
        self.memory.clone_from(&stage.memory);
        let first = &mut self.stages[0];
        first.velocities.clone_from(&state.velocities);
        first.accelerations.clone_from(&state.accelerations);
        // A rate that is imposed is that of the whole step.
        let found = drive.stress.is_some() && state.clock.steps > 0;
        first.rate = if found { state.rate } else { drive.rate };
        self.flow = drive.flow;
        let flow = Drive { rate: first.rate, flow: drive.flow, ..Drive::default() };
        first.separations.clear();
        let pairs = 0..stage.pairs.len();
        first.separations.extend(pairs.map(|p| stage.separation_rate(p, &state.velocities, &flow)));
        self.centres.clear();
        self.centres.extend(stage.walls.met.iter().map(|met| met.centre));
        first.centres.clear();
        first.centres.extend(
            stage
                .walls
                .met
                .iter()
                .map(|met| state.velocities[met.particle].linear + flow.velocity(&met.centre)),
        );
    }

    /// Shear rate at the beginning of the step `[1/t]`.
    pub(super) fn first_rate(&self) -> f64 {
        self.stages[0].rate
    }

    /// The flow at the beginning of the step.
    fn first_flow(&self) -> Drive {
        Drive { rate: self.first_rate(), flow: self.flow, ..Drive::default() }
    }

    /// Rates of change of the memory at the beginning of the step.
    pub(super) fn set_first_memory_rates(&mut self, rates: Vec<f64>) {
        self.stages[0].memory = rates;
    }

    /// Puts what was at the beginning of the step into the pairs of `stage`.
    fn restore(&self, stage: &mut Stage) {
        for (pair, separation) in stage.pairs.iter_mut().zip(&self.separations) {
            pair.separation = *separation;
            pair.gap = separation.norm() - pair.radii[0] - pair.radii[1];
        }
        for (met, centre) in stage.walls.met.iter_mut().zip(&self.centres) {
            met.centre = *centre;
        }
        stage.memory.clone_from(&self.memory);
    }

    /// Puts the base of stage `k` into the pairs of `stage`.
    fn base(&self, stage: &mut Stage, k: usize, step: f64) {
        for (p, pair) in stage.pairs.iter_mut().enumerate() {
            pair.separation = self.separations[p];
            for (weight, earlier) in WEIGHTS[k][..k].iter().zip(&self.stages) {
                pair.separation += step * weight * earlier.separations[p];
            }
            pair.gap = pair.separation.norm() - pair.radii[0] - pair.radii[1];
        }
        for (m, met) in stage.walls.met.iter_mut().enumerate() {
            met.centre = self.centres[m];
            for (weight, earlier) in WEIGHTS[k][..k].iter().zip(&self.stages) {
                met.centre += step * *weight * earlier.centres[m];
            }
        }
        stage.memory.clone_from(&self.memory);
        for (weight, earlier) in WEIGHTS[k][..k].iter().zip(&self.stages) {
            for (m, rate) in stage.memory.iter_mut().zip(&earlier.memory) {
                *m += step * weight * rate;
            }
        }
    }

    /// Strain of the step.
    pub(super) fn strain(&self, step: f64) -> f64 {
        let shares = WEIGHTS[STAGES - 1].iter().zip(&self.stages);
        step * shares.map(|(weight, found)| weight * found.rate).sum::<f64>()
    }

    /// Mean stress and powers over the step, to second order: from the two stages inside it.
    pub(super) fn flows(&self) -> Flows {
        let [_, late, early, _] = &self.stages;
        let weight = (0.5 - TIMES[2]) / (TIMES[1] - TIMES[2]);
        late.flows.blend(weight, &early.flows, 1.0 - weight)
    }

    /// Where a particle arrives that was at `from`.
    pub(super) fn arrival(&self, particle: usize, from: Vector3<f64>, step: f64) -> Vector3<f64> {
        let mut rates = [Vector3::zeros(); STAGES];
        let mut at = from;
        for k in 0..STAGES {
            let found = &self.stages[k];
            let drive = Drive { rate: found.rate, flow: self.flow, ..Drive::default() };
            if k == 0 {
                rates[0] = found.velocities[particle].linear + drive.velocity(&from);
                continue;
            }
            let earlier = WEIGHTS[k][..k].iter().zip(&rates);
            let base = earlier.fold(from, |x, (weight, rate)| x + step * *weight * rate);
            at = drive.carry_back(&base, &found.velocities[particle].linear, GAMMA * step);
            rates[k] = (at - base) / (GAMMA * step);
        }
        at
    }

    /// How far a particle moves relative to the flow.
    pub(super) fn displacement(&self, particle: usize, step: f64) -> Vector3<f64> {
        let shares = WEIGHTS[STAGES - 1].iter().zip(&self.stages);
        shares.map(|(weight, found)| step * *weight * found.velocities[particle].linear).sum()
    }

    /// The memory of all pairs at the end of the step.
    pub(super) fn end_memory(&self) -> &[f64] {
        &self.end
    }

    /// Notes the memory at the end of a step that was taken otherwise.
    pub(super) fn set_end(&mut self, memory: &[f64]) {
        self.end.clear();
        self.end.extend_from_slice(memory);
    }

    /// The velocities at the end of the step and in the stage that ends last before it.
    pub(super) fn last_velocities(&self) -> [&[Velocity]; 2] {
        [&self.stages[3].velocities, &self.stages[1].velocities]
    }

    /// The accelerations at the end of the step, where particles have inertia.
    pub(super) fn last_accelerations(&self) -> &[Screw] {
        &self.stages[STAGES - 1].accelerations
    }
}

impl Stepper {
    /// Adds pairs whose centres are beyond the range while a film still holds them.
    pub(super) fn keep_stretched(&mut self, state: &Suspension) {
        let listed = self.stage.pairs.len();
        for ids in &state.memory.ids {
            let known = self.stage.pairs[..listed].binary_search_by(|p| p.ids.cmp(ids));
            if known.is_err() {
                let stretched = self.remembered_pair(state, *ids);
                self.stage.pairs.extend(stretched);
            }
        }
        self.stage.pairs.sort_unstable_by_key(|p| p.ids);
    }

    /// Gives every pair a memory, and keeps pairs and memory as they are at the beginning of the
    /// step.
    pub(super) fn init_films(&mut self, state: &mut Suspension) -> Effort {
        let Stage { pairs, memory, stride, .. } = &mut self.stage;
        for (pair, memory) in pairs.iter().zip(memory.chunks_exact_mut(*stride)) {
            for (law, own) in with_memory_mut(&self.laws, memory) {
                law.init_memory(pair.radii, &pair.separation, own);
            }
        }
        let effort = self.start_anew(state);
        self.restart_films(state);
        effort
    }

    /// Takes up pairs and memory at the beginning of a step, and how fast they change there.
    fn restart_films(&mut self, state: &Suspension) {
        self.films.begin(&self.stage, state, &self.drive);
        let mut rates = self.stage.memory.clone();
        let flow = self.films.first_flow();
        let at_start = self.stage.at_start(&state.velocities, &flow);
        for ((pair, now), memory) in at_start.zip(rates.chunks_exact_mut(self.stage.stride)) {
            for (law, own) in with_memory_mut(&self.laws, memory) {
                law.memory_rate(&pair, own, &now);
            }
        }
        self.films.set_first_memory_rates(rates);
    }

    /// Finds the velocities at the beginning of a step where those of the step before may not be right:
    /// at the very beginning, and where films begin and end abruptly.
    fn start_anew(&mut self, state: &mut Suspension) -> Effort {
        let mut effort = Effort::default();
        let mut pairs = self.stage.pairs.iter();
        let abrupt = pairs.any(|pair| self.laws.iter().any(|law| law.cutoff(pair.radii).is_some()));
        let trajectory = self.settings.aim == Aim::Trajectory && self.medium.drag;
        if self.has_inertia() {
            if abrupt || state.accelerations.is_empty() {
                self.forces_now(&state.velocities);
                state.accelerations = self.stage.accelerations_left();
            }
            return effort;
        }
        if !trajectory || !(abrupt || state.clock.steps == 0) {
            return effort;
        }
        self.stage.placement = Placement::End;
        self.stage.velocities.clone_from(&state.velocities);
        let goal = self.settings.convergence;
        let Stepper { stage, laws, drive, solver, .. } = self;
        // Without an answer the old velocities have to do: they are only the first of four.
        if stage.newton(laws, drive, 0.0, solver, &goal, &mut effort).is_ok() {
            state.velocities.clone_from(&stage.velocities);
        }
        effort
    }

    /// Tries a step in three stages.
    pub(super) fn attempt_films(
        &mut self,
        state: &Suspension,
        step: f64,
        total: &mut Effort,
    ) -> Trial {
        self.stage.placement = Placement::End;
        if self.drive.stress.is_none() && self.films.first_rate() != self.drive.rate {
            // Another rate than that for which films were woken.
            self.films.restore(&mut self.stage);
            self.stage.time = state.clock.time;
            self.restart_films(state);
        }
        for k in 1..STAGES {
            if let Err(reason) = self.film_stage(state, k, step, total) {
                return Trial::Shorter { factor: 0.5, reason };
            }
        }
        self.films.end.clone_from(&self.stage.memory);
        let Stepper { films, stage, laws, drive, .. } = self;
        for (seen, memory) in stage.seen(drive).zip(films.end.chunks_exact_mut(stage.stride)) {
            for (law, own) in with_memory_mut(laws, memory) {
                law.advance_memory(seen.pair, own, &seen.rates);
                law.finish_memory(seen.pair, own);
            }
        }
        if self.settings.aim == Aim::Trajectory
            && let Some(shorter) = self.past_edge()
        {
            return shorter;
        }
        let error = self.film_error(state, step);
        if error > 1.0 {
            let factor = super::control::factor(Aim::Trajectory, error, error).min(0.8);
            return Trial::Shorter { factor, reason: StageFailure::Inaccurate };
        }
        Trial::Accepted { error }
    }

    fn film_stage(
        &mut self,
        state: &Suspension,
        k: usize,
        step: f64,
        total: &mut Effort,
    ) -> Result<(), StageFailure> {
        let mut guess = std::mem::take(&mut self.stage.velocities);
        self.predict_stage(state, k, step, &mut guess);
        self.stage.velocities = guess;
        self.films.base(&mut self.stage, k, step);
        self.stage.time = state.clock.time + (TIMES[k] - GAMMA) * step;
        let duration = GAMMA * step;
        self.accelerate_stage(k, step);
        let goal = self.settings.convergence;
        let Stepper { films, stage, laws, drive, solver, .. } = self;
        stage.newton(laws, drive, duration, solver, &goal, total)?;
        let found = &mut films.stages[k];
        found.velocities.clone_from(&stage.velocities);
        found.accelerations.clear();
        let moved = 0..stage.momentum.masses.len();
        let gained = moved.map(|k| stage.momentum.acceleration(k, &stage.velocities[k]));
        found.accelerations.extend(gained);
        found.rate = drive.rate;
        found.centres.clear();
        found.centres.extend(stage.walls.met.iter().map(|met| {
            let velocity = &stage.velocities[met.particle].linear;
            (drive.carry_back(&met.centre, velocity, duration) - met.centre) / duration
        }));
        found.separations.clear();
        found.memory.clear();
        let mut after = vec![0.0; stage.stride];
        for (seen, pair) in stage.seen(drive).zip(&stage.pairs) {
            let separation = seen.pair.distance * seen.pair.normal;
            found.separations.push((separation - pair.separation) / duration);
            after.copy_from_slice(seen.memory);
            for (law, own) in with_memory_mut(laws, &mut after) {
                law.advance_memory(seen.pair, own, &seen.rates);
            }
            let rates = after.iter().zip(seen.memory).map(|(end, base)| (end - base) / duration);
            found.memory.extend(rates);
        }
        if k < STAGES - 1 {
            self.films.stages[k].flows = Flows::of(&self.view(state));
        }
        Ok(())
    }

    /// Guesses the velocities of stage `k` from those of two others.
    fn predict_stage(&self, state: &Suspension, k: usize, step: f64, guess: &mut Vec<Velocity>) {
        let stages = &self.films.stages;
        let before = (TIMES[1] - 1.0) * state.clock.last_steps[0];
        let (newer, older, times) = match k {
            1 => (&state.velocities, &state.earlier_velocities, [0.0, before]),
            2 => (&stages[1].velocities, &state.velocities, [TIMES[1] * step, 0.0]),
            _ => (&stages[1].velocities, &stages[2].velocities, [TIMES[1] * step, TIMES[2] * step]),
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
        guess.extend(newer.iter().zip(older).map(|(n, o)| Velocity {
            linear: n.linear + slope * (n.linear - o.linear),
            angular: n.angular + slope * (n.angular - o.angular),
        }));
    }
}
