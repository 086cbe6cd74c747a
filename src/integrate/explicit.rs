//! Suspensions with inertia, explicitly: the modified velocity Verlet scheme (\[GB20\] eq. 11).
//!
//! Nothing is solved and nothing is adapted to an error: forces of an instant accelerate the particles,
//! in steps short enough to be stable. It shares pairs and laws with the quasi-static stepper and
//! nothing else, so that the two can be held against each other. Forces depend on velocities, which
//! are predicted for the end of the step ([`verlet`](super::verlet)). What contacts remember moves with
//! the velocities in the middle of a step; films, whose state has a rate of its own, by Heun's rule.
//!
//! A mode of resistance r and mass m decays at the rate r/m and one of stiffness k oscillates at
//! \\(\sqrt{k/m}\\); the scheme is stable for steps up to twice the inverse of either. Sums over the pairs
//! of a particle bound both.

use super::goal::{Effort, Placement};
use super::momentum::mass;
use super::observe::{self, Done, Flows};
use super::sight::{with_memory, with_memory_mut};
use super::stage::Stage;
use super::times::timed;
use super::verlet::Prediction;
use super::{End, NEAR, Observation, Stepper};
use crate::drive::Flow;
use crate::error::Error;
use crate::laws::{LONGEST_MEMORY, Pair, PairLaw, Rates, Resistance};
use crate::state::{Screw, Suspension, Velocity};

/// The mass of the particles, and how they are moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Density `[μt/a²]`.
    pub density: f64,
    /// How steps are taken explicitly; none where mass enters the balance of the adaptive stepper.
    pub explicit: Option<Explicit>,
}

/// How explicit steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explicit {
    /// Steps over the longest stable one `[1]`.
    pub safety: f64,
    /// Steps, instead of such a share `[t]`.
    pub step: Option<f64>,
    /// The velocities with which forces at the end of a step are found.
    pub prediction: Prediction,
}

/// A resistance or stiffness to sliding turns spheres as well: what it amounts to, over what it is to
/// centres alone, 1 + a²m/I.
const TURNING: f64 = 3.5;

/// A particle counts for at least so many contacts.
const FEWEST: usize = 2;

/// The shortest explicit step, over the time that a run lasts at a unit rate.
const SHORTEST: f64 = 1e-14;

/// The motion after a time at a constant acceleration.
fn later(motion: &Velocity, gained: &Screw, time: f64) -> Velocity {
    Velocity {
        linear: motion.linear + time * gained.linear,
        angular: motion.angular + time * gained.angular,
    }
}

impl Stepper {
    /// Gives the particles a mass.
    pub fn set_inertia(&mut self, state: &Suspension, inertia: Inertia) {
        let spins = self.medium.rotation;
        let masses = state.radii.iter().map(|a| mass(inertia.density, *a, spins));
        self.stage.momentum.masses = masses.collect();
        self.explicit = inertia.explicit;
    }

    /// Advances `state` by one explicit step that does not go beyond `end`.
    pub(super) fn explicit_step(
        &mut self,
        state: &mut Suspension,
        end: End,
        scheme: Explicit,
    ) -> Result<Observation, Error> {
        self.take_up_stiffness(state);
        if state.accelerations.is_empty() {
            self.impose(state, self.first_step());
            self.look_at(state);
            let velocities = state.velocities.clone();
            self.forces_now(&velocities);
            state.accelerations = self.stage.accelerations_left();
            state.clock.next_step = self.stable_step(state, &scheme)?;
        } else if self.stage.pairs.is_empty() || self.has_films() {
            // Films that have ended begin anew.
            self.look_at(state);
        }
        self.impose(state, state.clock.next_step);
        let longest = state.clock.next_step.min(self.longest_step());
        let step = longest.min(self.left(state, end, longest));
        self.impose(state, step);
        let phase = state.clock.phase;
        let begun = self.move_by(state, step);
        let share = scheme.prediction.share() * step;
        let ahead: Vec<_> = zip(state, |motion, gained| later(motion, gained, share));
        self.impose(state, step);
        self.look_at(state);
        self.forces_now(&ahead);
        if self.has_films() {
            self.correct_films(state, step, &begun);
        }
        let found = self.stage.accelerations_left();
        for ((motion, before), after) in
            state.velocities.iter_mut().zip(&mut state.accelerations).zip(found)
        {
            *motion = later(&later(motion, before, 0.5 * step), &after, 0.5 * step);
            *before = after;
        }
        state.clock.next_step = self.stable_step(state, &scheme)?;
        let mut looking = 0.0;
        let mut seen = timed(&mut looking, || self.measure_now(state, step));
        self.stage.times.measure += looking;
        seen.phase = phase;
        self.protocol.turn(&mut state.clock);
        if self.settings.adapt_stiffness
            && seen.largest_overlap() > self.settings.max_overlap
            && state.stiffness < self.settings.max_stiffness
        {
            self.raise_stiffness(state);
        }
        Ok(seen)
    }

    /// Takes up the pairs where they are now, and what they remember.
    fn look_at(&mut self, state: &mut Suspension) {
        let mut finding = 0.0;
        timed(&mut finding, || self.begin(state));
        self.stage.times.neighbours += finding;
        self.stage.placement = Placement::Middle;
        let Stage { pairs, memory, stride, .. } = &mut self.stage;
        if self.laws.has_films() {
            for (pair, memory) in pairs.iter().zip(memory.chunks_exact_mut(*stride)) {
                for (law, own) in with_memory_mut(&self.laws, memory) {
                    law.init_memory(pair.radii, &pair.separation, own);
                }
            }
        }
    }

    /// Moves particles and memory to the end of a step; returns how fast the memory of the pairs changed
    /// at its beginning, where that is needed.
    fn move_by(&mut self, state: &mut Suspension, step: f64) -> Begun {
        let middle = zip(state, |motion, gained| later(motion, gained, 0.5 * step));
        let begun = match self.has_films() {
            true => self.move_films(state, step),
            false => {
                self.move_contacts(state, &middle, step);
                Begun::default()
            }
        };
        let [along, across] = self.drive.strains(step);
        state.clock.go_on(step, [along, across]);
        state.rate = self.drive.rate;
        let images = state.cell.images(&state.clock);
        for (x, m) in state.positions.iter_mut().zip(&middle) {
            *x = self.drive.carry(x, &m.linear, step);
            images.wrap(x);
        }
        self.list.moved(middle.iter().map(|m| step * m.linear), along.hypot(across));
        begun
    }

    /// Advances what contacts remember, with the velocities in the middle of the step.
    fn move_contacts(&mut self, state: &mut Suspension, middle: &[Velocity], step: f64) {
        let Stage { pairs, memory, stride, .. } = &self.stage;
        state.memory.ids.clear();
        state.memory.values.clear();
        if *stride == 0 {
            return;
        }
        let when = (step, Placement::Middle);
        for (p, remembered) in memory.chunks_exact(*stride).enumerate() {
            let (pair, rates) = self.stage.placed_rates(p, middle, &self.drive, when);
            let from = state.memory.values.len();
            state.memory.values.extend_from_slice(remembered);
            let after = &mut state.memory.values[from..];
            for (law, own) in with_memory_mut(&self.laws, after) {
                law.advance_memory(&pair, own, &rates);
            }
            match after.iter().any(|x| *x != 0.0) {
                true => state.memory.ids.push(pairs[p].ids),
                false => state.memory.values.truncate(from),
            }
        }
    }

    /// Predicts the films at the end of a step from how fast they change at its beginning.
    fn move_films(&mut self, state: &mut Suspension, step: f64) -> Begun {
        let drifts = self.film_drifts(&state.velocities, &self.stage.memory);
        state.memory.ids = self.stage.pairs.iter().map(|p| p.ids).collect();
        let ahead = self.stage.memory.iter().zip(&drifts).map(|(m, drift)| m + step * drift);
        state.memory.values = ahead.collect();
        Begun { ids: state.memory.ids.clone(), drifts, memory: self.stage.memory.clone() }
    }

    /// Moves the films again, with the mean of how fast they change at beginning and end.
    fn correct_films(&mut self, state: &mut Suspension, step: f64, begun: &Begun) {
        let stride = self.stage.stride;
        let drifts = self.film_drifts(&self.stage.velocities, &self.stage.memory);
        state.memory.ids.clear();
        state.memory.values.clear();
        self.films.set_end(&self.stage.memory);
        for (p, pair) in self.stage.pairs.iter().enumerate() {
            let own = p * stride..(p + 1) * stride;
            let memory = &mut self.stage.memory[own.clone()];
            if let Ok(k) = begun.ids.binary_search(&pair.ids) {
                let old = k * stride..(k + 1) * stride;
                let before = begun.memory[old.clone()].iter().zip(&begun.drifts[old]);
                for ((m, (start, first)), last) in memory.iter_mut().zip(before).zip(&drifts[own]) {
                    *m = start + 0.5 * step * (first + last);
                }
            }
            let seen = &self.stage.geometry[p];
            for (law, own) in with_memory_mut(&self.laws, memory) {
                law.finish_memory(seen, own);
            }
            if memory.iter().any(|x| *x != 0.0) {
                state.memory.ids.push(pair.ids);
                state.memory.values.extend_from_slice(memory);
            }
        }
        self.films.set_end(&self.stage.memory);
    }

    /// How fast the memory of all pairs changes.
    fn film_drifts(&self, velocities: &[Velocity], memory: &[f64]) -> Vec<f64> {
        let mut drifts = memory.to_vec();
        let now = self.stage.at_start(velocities, &self.drive);
        for ((pair, rates), drift) in now.zip(drifts.chunks_exact_mut(self.stage.stride)) {
            for (law, own) in with_memory_mut(&self.laws, drift) {
                law.memory_rate(&pair, own, &rates);
            }
        }
        drifts
    }

    /// What is seen at the end of a step.
    fn measure_now(&mut self, state: &Suspension, step: f64) -> Observation {
        let momentum = &mut self.stage.momentum;
        momentum.carried.clear();
        let less = |gained: &Screw| Screw { linear: -gained.linear, angular: -gained.angular };
        momentum.carried.extend(state.accelerations.iter().map(less));
        let view = self.view(state);
        let flows = Flows::of(&view);
        let done = Done { step: 0.0, strains: [0.0; 2] };
        let mut seen = observe::observe(view, flows, done, Effort::default());
        seen.steps = state.clock.steps;
        seen.step = step;
        seen.rate = match self.drive.flow {
            Flow::Shear { along } => along[0] * self.drive.rate,
            Flow::Extension => self.drive.rate,
        };
        seen.kinetic_energy = self.stage.momentum.energy(&state.velocities);
        seen
    }

    /// The step that is asked for, or a share of the longest that is stable `[t]`.
    fn stable_step(&self, state: &Suspension, scheme: &Explicit) -> Result<f64, Error> {
        let fastest = self.fastest(state);
        let stable = 2.0 / fastest;
        let step = scheme.step.unwrap_or(scheme.safety * stable);
        // Also where forces are no numbers any more.
        if step <= stable && step >= SHORTEST {
            return Ok(step);
        }
        let closest = self.stage.pairs.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
        let (steps, time) = (state.clock.steps, state.clock.time);
        let pair = closest.map(|p| (p.ids, p.gap));
        Err(Error::Unstable { step: steps, time, size: step, stable, pair })
    }

    /// A bound of the rates and frequencies of all modes `[1/t]`.
    fn fastest(&self, state: &Suspension) -> f64 {
        let Stage { momentum, stokes, operator, .. } = &self.stage;
        let mut resistance: Vec<f64> = vec![0.0; state.len()];
        let mut contacts = vec![0; state.len()];
        let mut stiffness: Vec<f64> = vec![0.0; state.len()];
        // Without obstacles, whose ids are beyond.
        let particles =
            |ids: [u32; 2]| ids.map(|k| k as usize).into_iter().filter(|k| *k < state.len());
        for block in &operator.blocks {
            for id in particles(block.ids) {
                resistance[id] += 2.0 * size(&block.resistance, state.radii[id]);
            }
        }
        let near = NEAR * state.smallest_radius();
        for pair in self.stage.pairs.iter().filter(|pair| pair.gap < near) {
            particles(pair.ids).for_each(|id| contacts[id] += 1);
        }
        let springs = self.laws.iter().filter_map(|law| law.springs());
        let spring = springs.fold(0.0, |all, [k, sticks]| all + k * (1.0 + TURNING * sticks));
        let mut fastest: f64 = 0.0;
        if self.has_films() {
            fastest = self.fastest_film(state, &mut stiffness);
        }
        for (k, m) in momentum.masses.iter().enumerate() {
            let spins = if m[1] > 0.0 { stokes[k][1] / m[1] } else { 0.0 };
            let slowed = (stokes[k][0] / m[0]).max(spins) + resistance[k] / m[0];
            let springs = stiffness[k] + spring * contacts[k].max(FEWEST) as f64;
            fastest = fastest.max(slowed).max((2.0 * springs / m[0]).sqrt());
            if slowed.is_nan() || springs.is_nan() {
                return f64::NAN;
            }
        }
        fastest
    }

    /// A bound of the rates at which films relax, with their stiffness added up by particles.
    fn fastest_film(&self, state: &Suspension, stiffness: &mut [f64]) -> f64 {
        let stride = self.stage.stride;
        let now = self.stage.at_start(&self.stage.velocities, &self.drive);
        let mut fastest: f64 = 0.0;
        let pairs = self.stage.pairs.iter().zip(now).zip(self.stage.memory.chunks_exact(stride));
        for ((p, (pair, rates)), memory) in pairs {
            for (law, own) in with_memory(&self.laws, memory) {
                let relaxing = relaxation(law, &pair, own, &rates);
                fastest = fastest.max(relaxing);
                // Before a film gives way it is a spring.
                let short = 1e-3 / relaxing.max(1e-3);
                let soon = Pair { step: short, ..pair };
                let stiff = law.respond(&soon, own, &rates).resistance;
                let at_once = law.respond(&pair, own, &rates).resistance;
                for id in p.ids.map(|k| k as usize).into_iter().filter(|k| *k < state.len()) {
                    let a = state.radii[id];
                    stiffness[id] += (size(&stiff, a) - size(&at_once, a)).max(0.0) / short;
                }
            }
        }
        fastest
    }
}

/// The memory of pairs at the beginning of a step, and how fast it changes there.
#[derive(Default)]
struct Begun {
    ids: Vec<[u32; 2]>,
    memory: Vec<f64>,
    drifts: Vec<f64>,
}

/// What a resistance is to the motion of a sphere of radius `a` at most.
fn size(r: &Resistance, a: f64) -> f64 {
    let turning = (2.0 * r.slide_roll.abs() / a + r.roll / (a * a)).max(r.twist / (a * a));
    r.squeeze.max(TURNING * r.slide + (TURNING - 1.0) * turning)
}

/// A bound of the rate at which a film relaxes by itself: the largest sum of a row of the slopes of its
/// drift `[1/t]`.
fn relaxation(law: &dyn PairLaw, pair: &Pair, memory: &[f64], rates: &Rates) -> f64 {
    const SMALL: f64 = 1e-6;
    let count = memory.len();
    let drift = |changed: Option<usize>| {
        let mut own = [0.0; LONGEST_MEMORY];
        let own = &mut own[..count];
        own.copy_from_slice(memory);
        if let Some(k) = changed {
            own[k] += SMALL;
        }
        law.memory_rate(pair, own, rates);
        let mut drift = [0.0; LONGEST_MEMORY];
        drift[..count].copy_from_slice(own);
        drift
    };
    let still = drift(None);
    let mut sums = [0.0; LONGEST_MEMORY];
    for k in 0..count {
        let moved = drift(Some(k));
        for d in 0..count {
            sums[d] += (moved[d] - still[d]).abs() / SMALL;
        }
    }
    sums.into_iter().fold(0.0, f64::max)
}

/// Something of every particle's motion and acceleration.
fn zip<T>(state: &Suspension, of: impl Fn(&Velocity, &Screw) -> T) -> Vec<T> {
    state
        .velocities
        .iter()
        .zip(&state.accelerations)
        .map(|(motion, gained)| of(motion, gained))
        .collect()
}
