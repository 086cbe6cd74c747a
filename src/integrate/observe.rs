//! What is measured in an accepted step. Measuring changes nothing.
//!
//! Stress and powers are those of the forces that balanced in the step: means over the step, and
//! exactly consistent with each other.

use std::time::Instant;

use nalgebra::Matrix3;
use rayon::prelude::*;

use super::linearise::CHUNK;
use super::mechanics::Mechanics;
use super::pair_view::PairView;
use super::powers::Powers;
use super::projected::Constrained;
use super::stage::Stage;
use super::step_pairs::is_blank;
use super::trial::Effort;
use crate::balance::field::{FarField, two_body_power};
use crate::drive::Flow;
use crate::laws::{Origin, PairEnd, lubrication};
use crate::state::{Suspension, Velocity};
use crate::stress::Stress;

/// Measurements of one step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observation {
    /// Steps accepted, this one included.
    pub steps: u64,
    /// Time at the end of the step `[t]`.
    pub time: f64,
    /// Total strain at the end of the step.
    pub strain: f64,
    /// Total strain along z at the end of the step.
    pub cross_strain: f64,
    /// Strain in either direction at the end of the step.
    pub path: f64,
    /// The phase of what is imposed, counted from 0.
    pub phase: usize,
    /// Duration of the step `[t]`.
    pub step: f64,
    /// Rate of the flow, along x `[1/t]`.
    pub rate: f64,
    /// Mean stress over the step; zero in open space. A particle and an obstacle count as a pair
    /// with the vector from the centre to the surface `[μγ̇]`.
    pub stress: Stress,
    /// Where power comes from and goes to.
    pub power: Powers,
    /// Energies at the end of the step.
    pub energy: Energies,
    /// Contacts.
    pub contacts: ContactCounts,
    /// Extreme gaps.
    pub gaps: Gaps,
    /// How well contacts that are constraints were met.
    pub constrained: Constrained,
    /// What the step cost and how well forces balance.
    pub effort: Effort,
}

/// Energies at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energies {
    /// Kinetic energy of the motion relative to the flow `[μγ̇a³]`.
    pub kinetic: f64,
    /// Energy stored in pairs `[μγ̇a³]`.
    pub stored: f64,
}

/// Contacts at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactCounts {
    /// Pairs in contact.
    pub count: usize,
    /// Contacts with friction.
    pub frictional: usize,
    /// Contacts that slide.
    pub sliding: usize,
    /// Rough pairs pressed by more than their asperities can bear.
    pub overloaded: usize,
    /// Mean number of contacts of a particle.
    pub coordination: f64,
    /// Normal stiffness in use `[μγ̇a]`.
    pub stiffness: f64,
}

/// Extreme gaps at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps {
    /// Smallest gap, negative when spheres overlap, and the range of the laws when no pair is
    /// closer `[a]`.
    pub smallest: f64,
    /// Thickness of the thinnest film between soft or rough particles; the smallest gap where there
    /// are none `[a]`.
    pub thinnest_film: f64,
    /// Largest normal deflection of soft or rough particles `[a]`.
    pub largest_deflection: f64,
}

impl Observation {
    /// Power in, less all that is dissipated or stored, relative to the power in or dissipated.
    pub fn power_mismatch(&self) -> f64 {
        // Where particles with inertia move freely there is no power, only rounding of their
        // energy.
        let still = if self.step > 0.0 { 1e-6 * self.energy.kinetic / self.step } else { 0.0 };
        let size = self.power.size().max(still).max(self.power.rounding);
        self.power.missing().abs() / size.max(1e-300)
    }

    /// Largest overlap at the end of the step `[a]`.
    pub fn largest_overlap(&self) -> f64 {
        (-self.gaps.smallest).max(0.0)
    }

    /// The fraction of frictional contacts that slide.
    pub fn sliding_fraction(&self) -> f64 {
        match self.contacts.frictional {
            0 => 0.0,
            count => self.contacts.sliding as f64 / count as f64,
        }
    }
}

/// What a step did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// Its duration `[t]`.
    pub step: f64,
    /// Its strains along x and z.
    pub strains: [f64; 2],
}

/// What the forces of some pairs add up to: moments by origin, and powers.
#[derive(Default)]
struct OfPairs {
    moments: [Matrix3<f64>; Origin::COUNT],
    power: Powers,
}

impl OfPairs {
    fn add(&mut self, mechanics: &Mechanics, p: usize, strain_rate: &Matrix3<f64>) {
        let Mechanics { stage, drive, laws, .. } = mechanics;
        if !stage.responses.pairs[p].acts {
            return;
        }
        let view = &stage.view(p, drive);
        let pair = view.pair;
        let separation = stage.moment_arm(view).transpose();
        let affine = stage.affine(pair);
        let prescribed = view.obstacle.map(|motion| stage.prescribed(pair, &motion));
        stage.by_origin((laws, drive), p, view, |origin, force| {
            let acting = force.normal * pair.normal + force.shear;
            self.moments[origin.index()] += acting * separation;
            self.power.pairs[origin.index()] += force.power(&view.rates);
            self.power.input += drive.rate * force.power(&affine);
            if let Some(prescribed) = &prescribed {
                self.power.input += force.power(prescribed);
            }
        });
        if let Some(far_field) = stage.fields.of(p) {
            self.add_stresslet(stage, (view, far_field), strain_rate);
        }
    }

    /// What the fluid around a pair adds beyond a force.
    #[inline]
    fn add_stresslet(
        &mut self,
        stage: &Stage,
        (view, far_field): (&PairView, &FarField),
        e: &Matrix3<f64>,
    ) {
        let still = Velocity::default();
        let normal = &view.pair.normal;
        let velocities = view.ids.slots().map(|k| stage.velocities.get(k).unwrap_or(&still));
        let stresslet = far_field.stresslet(normal, &view.rates, velocities, e);
        let straining = stresslet.dot(e);
        let mut taken = straining;
        if let Some(two_body) = &far_field.two_body {
            taken += two_body_power(two_body, normal, velocities, e);
        }
        let origin = lubrication::ORIGIN.index();
        self.moments[origin] += stresslet;
        self.power.input += straining;
        self.power.pairs[origin] += taken;
    }
}

/// Stress and powers of forces that balance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flows {
    stress: Stress,
    power: Powers,
}

impl Flows {
    /// Those of the forces that balance in the stage.
    pub(super) fn of(mechanics: &Mechanics, state: &Suspension) -> Self {
        let Mechanics { stage, drive, .. } = mechanics;
        let strain_rate = drive.strain_rate();
        let volume = state.cell.volume();
        let mut flows = Flows::default();
        if let Some(volume) = volume {
            let viscosity = mechanics.medium.viscosity;
            flows.stress = Stress::of_flow(viscosity, &strain_rate, &state.radii, volume);
        }
        let pairs = stage.linearisation.geometry.len();
        let part = |k: usize| {
            let mut part = OfPairs::default();
            for p in k * CHUNK..pairs.min((k + 1) * CHUNK) {
                part.add(mechanics, p, &strain_rate);
            }
            part
        };
        for part in in_chunks(pairs, part) {
            flows.power = flows.power.blend(1.0, &part.power, 1.0);
            if let Some(volume) = volume {
                flows.stress.add_moments(&part.moments, volume);
            }
        }
        let load = stage.load_share(drive);
        for ((u, drag), k) in stage.velocities.iter().zip(&stage.forces.drag).zip(0..) {
            let (slow, turn) = (u.linear.norm_squared(), u.angular.norm_squared());
            flows.power.drag += drag[0] * slow + drag[1] * turn;
            if let Some(f) = drive.external.get::<usize>(k) {
                flows.power.input += load * (f.linear.dot(&u.linear) + f.angular.dot(&u.angular));
            }
        }
        flows.add_inertia(mechanics, volume);
        flows
    }

    /// What the mass of the particles takes up, and the stress of their motion.
    fn add_inertia(&mut self, mechanics: &Mechanics, volume: Option<f64>) {
        let (momentum, velocities) = (&mechanics.stage.momentum, &mechanics.stage.velocities);
        if momentum.masses.is_empty() {
            return;
        }
        let [gained, by_flow] = momentum.powers(velocities, &mechanics.drive);
        self.power.inertia += gained;
        self.power.input += by_flow;
        if let Some(volume) = volume {
            self.stress.kinetic += momentum.flux(velocities) / volume;
        }
    }

    /// A weighted sum of two.
    pub(super) fn blend(&self, weight: f64, other: &Flows, other_weight: f64) -> Flows {
        Flows {
            stress: self.stress.blend(weight, &other.stress, other_weight),
            power: self.power.blend(weight, &other.power, other_weight),
        }
    }
}

impl Mechanics {
    /// Measures a trial step that is about to be accepted; stress and powers are those of the stage
    /// unless they are given.
    pub(super) fn observe(
        &mut self,
        state: &Suspension,
        flows: Option<Flows>,
        done: Done,
        effort: Effort,
    ) -> Observation {
        let begin = Instant::now();
        let flows = flows.unwrap_or_else(|| Flows::of(self, state));
        if !self.has_films() {
            self.remember();
        }
        let Done { step, strains: [strain, across] } = done;
        let stage = &self.stage;
        let mut seen = Observation {
            steps: state.clock.steps + 1,
            time: state.clock.time + step,
            strain: state.clock.strain + strain,
            cross_strain: state.clock.cross + across,
            path: state.clock.path + strain.abs(),
            phase: state.clock.phase,
            step,
            rate: strain / step,
            stress: flows.stress,
            power: Powers { rounding: self.rounding_power(state), ..flows.power },
            effort,
            ..Observation::default()
        };
        seen.energy.kinetic = stage.momentum.energy(&stage.velocities);
        seen.gaps.smallest = f64::INFINITY;
        seen.contacts.stiffness = state.stiffness;
        let pairs = stage.linearisation.geometry.len();
        let part = |k: usize| {
            let mut part = Tally { smallest_gap: f64::INFINITY, ..Tally::default() };
            for p in k * CHUNK..pairs.min((k + 1) * CHUNK) {
                part.add(self, p);
            }
            part
        };
        for part in in_chunks(pairs, part) {
            seen.energy.stored += part.stored_energy;
            seen.gaps.smallest = seen.gaps.smallest.min(part.smallest_gap);
            seen.contacts.count += part.contacts;
            seen.contacts.coordination += part.ends as f64;
            seen.contacts.frictional += part.frictional;
            seen.contacts.sliding += part.sliding;
        }
        if seen.gaps.smallest == f64::INFINITY {
            seen.gaps.smallest = stage.pairs.list.range();
        }
        seen.gaps.thinnest_film = seen.gaps.smallest;
        if self.has_films() {
            self.observe_films(&mut seen);
        }
        seen.contacts.coordination /= state.len() as f64;
        self.stage.times.measure += begin.elapsed().as_secs_f64();
        seen
    }

    /// Measures the forces of this instant.
    pub(super) fn observe_instant(&mut self, state: &Suspension, effort: Effort) -> Observation {
        let done = Done { step: 0.0, strains: [0.0; 2] };
        let mut seen = self.observe(state, None, done, effort);
        seen.steps = state.clock.steps;
        seen.rate = match self.drive.flow {
            Flow::Shear { along } => along[0] * self.drive.rate,
            Flow::Extension => self.drive.rate,
        };
        seen
    }
}

/// Does something for so many pairs in chunks, which are the same for any number of threads.
fn in_chunks<T: Send>(pairs: usize, part: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    match pairs.div_ceil(CHUNK) {
        count if count <= 1 => (0..count).map(part).collect(),
        count => (0..count).into_par_iter().map(part).collect(),
    }
}

/// What some pairs add up to at the end of a step.
#[derive(Default)]
struct Tally {
    stored_energy: f64,
    smallest_gap: f64,
    contacts: usize,
    /// Particles in contacts, each as often as it is.
    ends: usize,
    frictional: usize,
    sliding: usize,
}

impl Tally {
    fn add(&mut self, mechanics: &Mechanics, p: usize) {
        let Mechanics { stage, drive, laws, .. } = mechanics;
        let (pair, end_gap) = (&stage.linearisation.geometry[p], stage.found_end_gap(p, drive));
        self.smallest_gap = self.smallest_gap.min(end_gap);
        let (guess, room) = (&stage.linearisation.rates[p], stage.found.get(p).is_none());
        let room = room.then(|| stage.rates_found(p, drive));
        let rates = room.as_ref().unwrap_or_else(|| &stage.found[p]);
        let ends = if stage.pairs.walls.met(p).is_some() { 1 } else { 2 };
        // Those of films are counted with their films, which are known at the end of the step.
        let counted = !mechanics.has_films();
        let memory = stage.pairs.memory_of(p);
        let after = match counted {
            true => stage.pairs.memory_after(p),
            false => stage.pairs.end_memory_of(p),
        };
        let mut at = 0;
        for law in laws.iter() {
            let own = at..at + law.memory_len();
            at = own.end;
            let (memory, after) = (&memory[own.clone()], &after[own]);
            if is_blank(after) && stage.is_beyond(law.as_ref(), p, pair, end_gap) {
                continue;
            }
            self.stored_energy += law.stored_energy(pair.radii, end_gap, after);
            let end = PairEnd { pair, memory, guess, rates, gap: end_gap };
            let surfaces = if counted { law.surfaces(&end) } else { None };
            if let Some(surfaces) = surfaces.filter(|surfaces| surfaces.touch) {
                self.contacts += 1;
                self.ends += ends;
                self.frictional += usize::from(surfaces.slide.is_some());
                self.sliding += usize::from(surfaces.slide == Some(true));
            }
        }
    }
}
