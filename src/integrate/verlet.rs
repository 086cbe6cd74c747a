//! Suspensions with inertia, explicitly: the modified velocity Verlet scheme (\[GB20\] eq. 11).
//!
//! Nothing is solved and nothing is adapted to an error: forces of an instant accelerate the
//! particles, in steps short enough to be stable. It shares pairs and laws with the quasi-static
//! integrators and nothing else, so that they can be held against each other. Forces depend on
//! velocities, which are predicted for the end of the step ([`verlet()`]). What contacts remember
//! moves with the velocities in the middle of a step; films, whose state has a rate of its own, by
//! Heun's rule.
//!
//! A mode of resistance r and mass m decays at the rate r/m and one of stiffness k oscillates at
//! \\(\sqrt{k/m}\\); the scheme is stable for steps up to twice the inverse of either. Sums over
//! the pairs of a particle bound both.

mod bodies;

use super::Integrator;
use super::mechanics::{CONTACT_REACH, Mechanics};
use super::observe::Observation;
use super::pair_view::{with_memory, with_memory_mut};
use super::settings::End;
use super::step_pairs::StepPairs;
use super::trial::{Effort, Moves, Placement};
use crate::error::Error;
use crate::laws::{LONGEST_MEMORY, Pair, PairLaw, Rates, Resistance};
use crate::state::{PairIds, Screw, Suspension, Velocity};
pub use bodies::{Body, Prediction, verlet};

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

/// A resistance or stiffness to sliding turns spheres as well: what it amounts to, over what it is
/// to centres alone, 1 + a²m/I.
const SLIDING_FACTOR: f64 = 3.5;

/// The fewest contacts that a particle counts for.
const FEWEST_CONTACTS: usize = 2;

/// The shortest explicit step, over the time that a run lasts at a unit rate.
const SHORTEST: f64 = 1e-14;

/// The velocity after a time at a constant acceleration.
fn later(velocity: &Velocity, gained: &Screw, time: f64) -> Velocity {
    *velocity + time * *gained
}

/// The velocities of all particles after a time.
fn all_later(state: &Suspension, time: f64) -> Vec<Velocity> {
    let both = state.velocities.iter().zip(&state.accelerations);
    both.map(|(velocity, gained)| later(velocity, gained, time)).collect()
}

/// The explicit integrator.
pub(super) struct Verlet {
    scheme: Explicit,
}

/// The memory of pairs at the beginning of a step, and how fast it changes there.
struct Begun {
    ids: Vec<PairIds>,
    memory: Vec<f64>,
    rates: Vec<f64>,
}

impl Integrator for Verlet {
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        end: End,
    ) -> Result<Observation, Error> {
        mechanics.use_stiffness(state);
        if state.accelerations.is_empty() {
            mechanics.impose(state, mechanics.first_step());
            place_pairs(mechanics, state);
            mechanics.evaluate_forces(&state.velocities);
            state.accelerations = mechanics.stage.residual_accelerations();
            state.clock.next_step = self.stable_step(mechanics, state)?;
        } else if mechanics.stage.pairs.active.is_empty() || mechanics.has_films() {
            // Films that have ended begin anew.
            place_pairs(mechanics, state);
        }
        mechanics.impose(state, state.clock.next_step);
        let longest = state.clock.next_step.min(mechanics.longest_step());
        let step = longest.min(mechanics.remaining(state, end, longest));
        mechanics.impose(state, step);
        let phase = state.clock.phase;
        let begun = self.advance(mechanics, state, step);
        let ahead = all_later(state, self.scheme.prediction.share() * step);
        mechanics.impose(state, step);
        place_pairs(mechanics, state);
        mechanics.evaluate_forces(&ahead);
        if let Some(begun) = begun {
            correct_films(mechanics, state, step, &begun);
        }
        let found = mechanics.stage.residual_accelerations();
        let both = state.velocities.iter_mut().zip(&mut state.accelerations);
        for ((velocity, before), after) in both.zip(found) {
            *velocity = later(&later(velocity, before, 0.5 * step), &after, 0.5 * step);
            *before = after;
        }
        let next = self.stable_step(mechanics, state)?;
        let mut seen = measure(mechanics, state, step);
        seen.phase = phase;
        mechanics.protocol.turn(&mut state.clock);
        state.clock.next_step = next;
        let settings = &mechanics.settings;
        if settings.adapt_stiffness
            && seen.largest_overlap() > settings.max_overlap
            && state.stiffness < settings.max_stiffness
        {
            mechanics.raise_stiffness(state);
        }
        Ok(seen)
    }
}

/// Finds the pairs where they are now, and what they remember.
fn place_pairs(mechanics: &mut Mechanics, state: &mut Suspension) {
    mechanics.find_pairs(state, mechanics.memory_len());
    mechanics.stage.moment.placement = Placement::Middle;
    if mechanics.has_films() {
        mechanics.stage.pairs.init_memory(&mechanics.laws);
    }
}

/// Advances what contacts remember, with the velocities in the middle of the step.
fn advance_contacts(mechanics: &Mechanics, state: &mut Suspension, middle: &[Velocity], step: f64) {
    let Mechanics { stage, drive, laws, .. } = mechanics;
    let mut after = stage.pairs.memory.clone();
    let when = (step, Placement::Middle);
    for (p, memory) in after.chunks_exact_mut(stage.pairs.stride.max(1)).enumerate() {
        let (pair, rates) = stage.placed_rates(p, middle, drive, when);
        for (law, own) in with_memory_mut(laws, memory) {
            law.advance_memory(&pair, own, &rates);
        }
    }
    stage.pairs.keep(&after, &mut state.memory);
}

/// Predicts the films at the end of a step from how fast they change at its beginning.
fn predict_films(mechanics: &Mechanics, state: &mut Suspension, step: f64) -> Begun {
    let pairs = &mechanics.stage.pairs;
    let rates = film_rates(mechanics, &state.velocities);
    state.memory.ids = pairs.active.iter().map(|p| p.ids).collect();
    let ahead = pairs.memory.iter().zip(&rates).map(|(m, rate)| m + step * rate);
    state.memory.values = ahead.collect();
    Begun { ids: state.memory.ids.clone(), rates, memory: pairs.memory.clone() }
}

/// Moves the films again, with the mean of how fast they change at beginning and end.
fn correct_films(mechanics: &mut Mechanics, state: &mut Suspension, step: f64, begun: &Begun) {
    let rates = film_rates(mechanics, &mechanics.stage.velocities);
    let Mechanics { stage, laws, .. } = mechanics;
    let StepPairs { active, memory, stride, .. } = &mut stage.pairs;
    for (p, pair) in active.iter().enumerate() {
        let own = p * *stride..(p + 1) * *stride;
        let memory = &mut memory[own.clone()];
        if let Ok(k) = begun.ids.binary_search(&pair.ids) {
            let old = k * *stride..(k + 1) * *stride;
            let before = begun.memory[old.clone()].iter().zip(&begun.rates[old]);
            for ((m, (start, first)), last) in memory.iter_mut().zip(before).zip(&rates[own]) {
                *m = start + 0.5 * step * (first + last);
            }
        }
        for (law, own) in with_memory_mut(laws, memory) {
            law.finish_memory(&stage.linearisation.geometry[p], own);
        }
    }
    let pairs = &mut stage.pairs;
    pairs.keep(&pairs.memory, &mut state.memory);
    pairs.end_memory.clone_from(&pairs.memory);
}

/// How fast the memory of all pairs changes.
fn film_rates(mechanics: &Mechanics, velocities: &[Velocity]) -> Vec<f64> {
    let Mechanics { stage, drive, laws, .. } = mechanics;
    let mut rates = stage.pairs.memory.clone();
    let now = stage.at_start(velocities, drive);
    for ((pair, moving), rate) in now.zip(rates.chunks_exact_mut(stage.pairs.stride)) {
        for (law, own) in with_memory_mut(laws, rate) {
            law.memory_rate(&pair, own, &moving);
        }
    }
    rates
}

/// Measures the end of a step.
fn measure(mechanics: &mut Mechanics, state: &Suspension, step: f64) -> Observation {
    let carried = &mut mechanics.stage.momentum.carried;
    carried.clear();
    let less = |gained: &Screw| Screw { linear: -gained.linear, angular: -gained.angular };
    carried.extend(state.accelerations.iter().map(less));
    let mut seen = mechanics.observe_instant(state, Effort::default());
    seen.step = step;
    seen.energy.kinetic = mechanics.stage.momentum.energy(&state.velocities);
    seen
}

impl Verlet {
    pub(super) fn new(scheme: Explicit) -> Self {
        Verlet { scheme }
    }

    /// Moves particles and memory to the end of a step; returns how the films began, where there
    /// are films.
    fn advance(
        &self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        step: f64,
    ) -> Option<Begun> {
        let middle = all_later(state, 0.5 * step);
        let begun = match mechanics.has_films() {
            true => Some(predict_films(mechanics, state, step)),
            false => {
                advance_contacts(mechanics, state, &middle, step);
                None
            }
        };
        let drive = &mechanics.drive;
        let arrival = |(x, u): (&_, &Velocity)| drive.carry(x, &u.linear, step);
        let moves = Moves {
            arrivals: state.positions.iter().zip(&middle).map(arrival).collect(),
            displacements: middle.iter().map(|u| step * u.linear).collect(),
            strains: drive.strains(step),
        };
        mechanics.move_particles(state, moves, step);
        begun
    }

    /// The step that is asked for, or a share of the longest that is stable `[t]`.
    fn stable_step(&self, mechanics: &Mechanics, state: &Suspension) -> Result<f64, Error> {
        let stable = 2.0 / fastest_mode(mechanics, state);
        let step = self.scheme.step.unwrap_or(self.scheme.safety * stable);
        // Also where forces are no numbers any more.
        if step <= stable && step >= SHORTEST {
            return Ok(step);
        }
        let (steps, time) = (state.clock.steps, state.clock.time);
        let pair = mechanics.stage.pairs.closest();
        Err(Error::Unstable { step: steps, time, size: step, stable, pair })
    }
}

/// A bound of the rates and frequencies of all modes `[1/t]`.
fn fastest_mode(mechanics: &Mechanics, state: &Suspension) -> f64 {
    let stage = &mechanics.stage;
    let mut resistance: Vec<f64> = vec![0.0; state.len()];
    let mut contacts = vec![0; state.len()];
    let mut stiffness: Vec<f64> = vec![0.0; state.len()];
    for block in &stage.forces.operator.blocks {
        for id in block.ids.moving() {
            resistance[id] += 2.0 * size(&block.resistance, state.radii[id]);
        }
    }
    let near = CONTACT_REACH * state.smallest_radius();
    for pair in stage.pairs.active.iter().filter(|pair| pair.gap < near) {
        pair.ids.moving().for_each(|id| contacts[id] += 1);
    }
    let overlap = stage.pairs.active.iter().map(|pair| -pair.gap).fold(0.0, f64::max);
    let springs = mechanics.laws.iter().filter_map(|law| law.springs(overlap));
    let spring = springs.fold(0.0, |all, [k, sticks]| all + k * (1.0 + SLIDING_FACTOR * sticks));
    let mut fastest: f64 = 0.0;
    if mechanics.has_films() {
        fastest = fastest_film(mechanics, state, &mut stiffness);
    }
    for ((k, m), drag) in stage.momentum.masses.iter().enumerate().zip(&stage.forces.drag) {
        let spins = if m[1] > 0.0 { drag[1] / m[1] } else { 0.0 };
        let slowed = (drag[0] / m[0]).max(spins) + resistance[k] / m[0];
        let springs = stiffness[k] + spring * contacts[k].max(FEWEST_CONTACTS) as f64;
        fastest = fastest.max(slowed).max((2.0 * springs / m[0]).sqrt());
        if slowed.is_nan() || springs.is_nan() {
            return f64::NAN;
        }
    }
    fastest
}

/// A bound of the rates at which films relax, with their stiffness added up by particles.
fn fastest_film(mechanics: &Mechanics, state: &Suspension, stiffness: &mut [f64]) -> f64 {
    let Mechanics { stage, drive, laws, .. } = mechanics;
    let now = stage.at_start(&stage.velocities, drive);
    let mut fastest: f64 = 0.0;
    let memory = stage.pairs.memory.chunks_exact(stage.pairs.stride);
    for ((p, (pair, rates)), memory) in stage.pairs.active.iter().zip(now).zip(memory) {
        for (law, own) in with_memory(laws, memory) {
            let relaxing = relaxation(law, &pair, own, &rates);
            fastest = fastest.max(relaxing);
            // Before a film gives way it is a spring.
            let short = 1e-3 / relaxing.max(1e-3);
            let soon = Pair { step: short, ..pair };
            let stiff = law.respond(&soon, own, &rates).resistance;
            let at_once = law.respond(&pair, own, &rates).resistance;
            for id in p.ids.moving() {
                let a = state.radii[id];
                stiffness[id] += (size(&stiff, a) - size(&at_once, a)).max(0.0) / short;
            }
        }
    }
    fastest
}

/// What a resistance is to the motion of a sphere of radius `a` at most.
fn size(r: &Resistance, a: f64) -> f64 {
    let turning = (2.0 * r.slide_roll.abs() / a + r.roll / (a * a)).max(r.twist / (a * a));
    r.squeeze.max(SLIDING_FACTOR * r.slide + (SLIDING_FACTOR - 1.0) * turning)
}

/// A bound of the rate at which a film relaxes by itself: the largest sum of a row of the slopes of
/// its memory's rate `[1/t]`.
fn relaxation(law: &dyn PairLaw, pair: &Pair, memory: &[f64], rates: &Rates) -> f64 {
    const SMALL: f64 = 1e-6;
    let count = memory.len();
    let rate = |changed: Option<usize>| {
        let mut own = [0.0; LONGEST_MEMORY];
        let own = &mut own[..count];
        own.copy_from_slice(memory);
        if let Some(k) = changed {
            own[k] += SMALL;
        }
        law.memory_rate(pair, own, rates);
        let mut rate = [0.0; LONGEST_MEMORY];
        rate[..count].copy_from_slice(own);
        rate
    };
    let still = rate(None);
    let mut sums = [0.0; LONGEST_MEMORY];
    for k in 0..count {
        let moved = rate(Some(k));
        for d in 0..count {
            sums[d] += (moved[d] - still[d]).abs() / SMALL;
        }
    }
    sums.into_iter().fold(0.0, f64::max)
}
