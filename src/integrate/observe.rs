//! What is measured in an accepted step. Looking changes nothing.
//!
//! Stress and powers are those of the forces that balanced in the step: means over the step, and
//! exactly consistent with each other.

use nalgebra::Matrix3;
use rayon::prelude::*;

use super::gluey::Constrained;
use super::goal::Effort;
use super::sight::{Seen, with_memory};
use super::stage::Stage;
use super::touching::{self, ended};
use crate::balance::affine_rates;
use crate::balance::field::{FarField, two_body_power};
use crate::drive::Drive;
use crate::laws::{Interactions, LONGEST_MEMORY, Origin, lubrication};
use crate::state::{Suspension, Velocity};
use crate::stress::Stress;

/// Pairs that are summed together.
const TOGETHER: usize = 1024;

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
    /// Mean stress over the step; zero in open space. A particle and an obstacle count as a pair with
    /// the vector from the centre to the surface `[μγ̇]`.
    pub stress: Stress,
    /// Power of the flow on the pairs, of the external forces and of moving obstacles `[μγ̇²a³]`.
    pub power_in: f64,
    /// Power dissipated by drag `[μγ̇²a³]`.
    pub power_drag: f64,
    /// Power that goes into the motion of particles with inertia `[μγ̇²a³]`.
    pub power_inertia: f64,
    /// Power taken up by pairs, dissipated or stored, by [`Origin::index`] `[μγ̇²a³]`.
    pub power_pairs: [f64; Origin::COUNT],
    /// Kinetic energy of the motion relative to the flow `[μγ̇a³]`.
    pub kinetic_energy: f64,
    /// Energy stored in pairs at the end of the step `[μγ̇a³]`.
    pub stored_energy: f64,
    /// Pairs in contact.
    pub contacts: usize,
    /// Contacts with friction.
    pub frictional: usize,
    /// Contacts that slide.
    pub sliding: usize,
    /// Rough pairs pressed by more than their asperities can bear.
    pub overloaded: usize,
    /// Mean number of contacts of a particle.
    pub coordination: f64,
    /// Smallest gap at the end of the step, negative when spheres overlap, and the range of
    /// the laws when no pair is closer `[a]`.
    pub smallest_gap: f64,
    /// Thickness of the thinnest film between soft or rough particles at the end of the step; the
    /// smallest gap where there are none `[a]`.
    pub thinnest_film: f64,
    /// Largest normal deflection of soft or rough particles `[a]`.
    pub largest_deflection: f64,
    /// Normal stiffness in use `[μγ̇a]`.
    pub stiffness: f64,
    /// How well contacts that are constraints were met.
    pub constrained: Constrained,
    /// What the step cost and how well forces balance.
    pub effort: Effort,
}

impl Observation {
    /// Power in, less all that is dissipated or stored, relative to the power in or dissipated.
    pub fn power_mismatch(&self) -> f64 {
        let taken = self.power_drag + self.power_inertia + self.power_pairs.iter().sum::<f64>();
        // Where particles with inertia move freely there is no power, only rounding of their energy.
        let still = if self.step > 0.0 { 1e-6 * self.kinetic_energy / self.step } else { 0.0 };
        let parts = self.power_pairs.iter().map(|p| p.abs()).sum::<f64>();
        let parts = parts + self.power_drag + self.power_inertia.abs();
        let size = self.power_in.abs().max(parts).max(still);
        (self.power_in - taken).abs() / size.max(1e-300)
    }

    /// Largest overlap at the end of the step `[a]`.
    pub fn largest_overlap(&self) -> f64 {
        (-self.smallest_gap).max(0.0)
    }

    /// The fraction of frictional contacts that slide.
    pub fn sliding_fraction(&self) -> f64 {
        if self.frictional == 0 { 0.0 } else { self.sliding as f64 / self.frictional as f64 }
    }
}

/// All that can be looked at.
pub(super) struct View<'a> {
    pub state: &'a Suspension,
    pub stage: &'a Stage,
    pub laws: &'a Interactions,
    pub drive: &'a Drive,
    pub viscosity: f64,
    pub range: f64,
    /// What films remember at the end of the step.
    pub film_memory: &'a [f64],
}

/// What a step did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// Its duration `[t]`.
    pub step: f64,
    /// Its strains along x and z.
    pub strains: [f64; 2],
}

/// Stress and powers of forces that balance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flows {
    stress: Stress,
    power_in: f64,
    power_drag: f64,
    power_inertia: f64,
    power_pairs: [f64; Origin::COUNT],
}

impl Flows {
    /// Those of the forces that balance in the stage.
    pub(super) fn of(view: &View) -> Self {
        let strain_rate = view.drive.strain_rate();
        let state = view.state;
        let mut flows = Flows::default();
        if let Some(volume) = state.cell.volume() {
            flows.stress = Stress::of_flow(view.viscosity, &strain_rate, &state.radii, volume);
        }
        let pairs = view.stage.geometry.len();
        let part = |k: usize| {
            let mut part = Flows::default();
            for p in k * TOGETHER..pairs.min((k + 1) * TOGETHER) {
                part.add(view, p, &strain_rate);
            }
            part
        };
        flows = in_parts(pairs, part).iter().fold(flows, |all, part| all.blend(1.0, part, 1.0));
        let load = view.stage.load_share(view.drive);
        for ((m, drag), k) in view.stage.velocities.iter().zip(view.stage.drag()).zip(0..) {
            let (slow, turn) = (m.linear.norm_squared(), m.angular.norm_squared());
            flows.power_drag += drag[0] * slow + drag[1] * turn;
            if let Some(f) = view.drive.external.get::<usize>(k) {
                flows.power_in += load * (f.linear.dot(&m.linear) + f.angular.dot(&m.angular));
            }
        }
        flows.add_inertia(view);
        flows
    }

    /// What the mass of the particles takes up, and the stress of their motion.
    fn add_inertia(&mut self, view: &View) {
        let (momentum, velocities) = (&view.stage.momentum, &view.stage.velocities);
        if momentum.masses.is_empty() {
            return;
        }
        let [gained, by_flow] = momentum.powers(velocities, view.drive);
        self.power_inertia += gained;
        self.power_in += by_flow;
        if let Some(volume) = view.state.cell.volume() {
            self.stress.kinetic += momentum.flux(velocities) / volume;
        }
    }

    fn add(&mut self, view: &View, p: usize, strain_rate: &Matrix3<f64>) {
        let pair = &view.stage.see(p, view.drive);
        let geometry = pair.pair;
        let separation = geometry.distance * geometry.normal;
        let affine = view.stage.affine(geometry);
        let prescribed = pair.obstacle.map(|motion| view.stage.prescribed(geometry, &motion));
        for (law, memory) in with_memory(view.laws, pair.memory) {
            law.parts(geometry, memory, [&pair.guess, &pair.rates], &mut |origin, force| {
                if let Some(volume) = view.state.cell.volume() {
                    let acting = force.normal * geometry.normal + force.shear;
                    self.stress.add(origin, &acting, &separation, volume);
                }
                self.power_pairs[origin.index()] += force.power(&pair.rates);
                self.power_in += view.drive.rate * force.power(&affine);
                if let Some(prescribed) = &prescribed {
                    self.power_in += force.power(prescribed);
                }
            });
        }
        if let Some(far_field) = view.stage.far_field(p, geometry) {
            self.add_far_field(view, pair, &far_field, strain_rate);
        }
    }

    /// What the fluid around a pair adds: forces, and a stresslet of its own.
    fn add_far_field(&mut self, view: &View, pair: &Seen, far_field: &FarField, e: &Matrix3<f64>) {
        let geometry = pair.pair;
        let normal = &geometry.normal;
        let force = far_field.resistance.force(&pair.rates) + far_field.driven(normal, e);
        let still = Velocity::default();
        let moving = &view.stage.velocities;
        let velocities = pair.ids.map(|k| moving.get(k as usize).unwrap_or(&still));
        let stresslet = far_field.stresslet(normal, &pair.rates, velocities, e);
        let straining = (stresslet.transpose() * e).trace();
        let origin = lubrication::ORIGIN;
        if let Some(volume) = view.state.cell.volume() {
            let acting = force.normal * normal + force.shear;
            self.stress.add(origin, &acting, &(geometry.distance * normal), volume);
            self.stress.pairs[origin.index()] += stresslet / volume;
        }
        self.power_in += force.power(&affine_rates(geometry, e)) + straining;
        if let Some(motion) = &pair.obstacle {
            self.power_in += force.power(&view.stage.prescribed(geometry, motion));
        }
        let mut taken = force.power(&pair.rates) + straining;
        if let Some(two_body) = &far_field.two_body {
            taken += two_body_power(two_body, normal, velocities, e);
        }
        self.power_pairs[origin.index()] += taken;
    }

    /// A weighted sum of two.
    pub(super) fn blend(&self, weight: f64, other: &Flows, other_weight: f64) -> Flows {
        let mix = |a: f64, b: f64| weight * a + other_weight * b;
        let mut flows = *self;
        flows.stress = self.stress.blend(weight, &other.stress, other_weight);
        flows.power_in = mix(self.power_in, other.power_in);
        flows.power_drag = mix(self.power_drag, other.power_drag);
        flows.power_inertia = mix(self.power_inertia, other.power_inertia);
        for (own, other) in flows.power_pairs.iter_mut().zip(other.power_pairs) {
            *own = mix(*own, other);
        }
        flows
    }
}

/// Measures a trial step that is about to be accepted.
pub(super) fn observe(view: View, flows: Flows, done: Done, effort: Effort) -> Observation {
    let state = view.state;
    let Done { step, strains: [strain, across] } = done;
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
        power_in: flows.power_in,
        power_drag: flows.power_drag,
        power_inertia: flows.power_inertia,
        kinetic_energy: view.stage.momentum.energy(&view.stage.velocities),
        power_pairs: flows.power_pairs,
        smallest_gap: f64::INFINITY,
        stiffness: state.stiffness,
        effort,
        ..Observation::default()
    };
    let pairs = view.stage.geometry.len();
    let part = |k: usize| {
        let mut part = Tally { smallest_gap: f64::INFINITY, ..Tally::default() };
        for p in k * TOGETHER..pairs.min((k + 1) * TOGETHER) {
            part.look_at(&view, &view.stage.see(p, view.drive));
        }
        part
    };
    for part in in_parts(pairs, part) {
        seen.stored_energy += part.stored_energy;
        seen.smallest_gap = seen.smallest_gap.min(part.smallest_gap);
        seen.contacts += part.contacts;
        seen.coordination += part.ends as f64;
        seen.frictional += part.frictional;
        seen.sliding += part.sliding;
    }
    if seen.smallest_gap == f64::INFINITY {
        seen.smallest_gap = view.range;
    }
    seen.thinnest_film = seen.smallest_gap;
    touching::look_at_films(&mut seen, &view);
    seen.coordination /= state.len() as f64;
    seen
}

/// Does something for so many pairs in parts, which are the same for any number of threads.
fn in_parts<T: Send>(pairs: usize, part: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    match pairs.div_ceil(TOGETHER) {
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
    fn look_at(&mut self, view: &View, pair: &Seen) {
        let geometry = pair.pair;
        let counted = !view.laws.has_films();
        for (law, memory) in with_memory(view.laws, pair.memory) {
            let mut after = [0.0; LONGEST_MEMORY];
            let after = &mut after[..memory.len()];
            after.copy_from_slice(memory);
            law.advance_memory(geometry, after, &pair.rates);
            self.stored_energy += law.stored_energy(geometry.radii, pair.end_gap, after);
            let surfaces = if counted { law.surfaces(&ended(pair, memory)) } else { None };
            if let Some(surfaces) = surfaces.filter(|surfaces| surfaces.touch) {
                self.contacts += 1;
                self.ends += if pair.obstacle.is_some() { 1 } else { 2 };
                self.frictional += usize::from(surfaces.slide.is_some());
                self.sliding += usize::from(surfaces.slide == Some(true));
            }
        }
        self.smallest_gap = self.smallest_gap.min(pair.end_gap);
    }
}
