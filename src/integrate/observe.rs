//! What is measured in an accepted step. Looking changes nothing.
//!
//! Stress and powers are those of the forces that balanced in the step: means over the step, and
//! exactly consistent with each other.

use nalgebra::{Matrix3, Vector3};

use super::goal::Effort;
use super::sight::{Seen, with_memory};
use super::stage::Stage;
use crate::balance::affine_rates;
use crate::balance::field::{Around, whole_power};
use crate::drive::Drive;
use crate::laws::contact::Contact;
use crate::laws::rough::Touch;
use crate::laws::soft::Film;
use crate::laws::{Interactions, Origin, Pair, PairLaw};
use crate::state::Suspension;
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
    /// Duration of the step `[t]`.
    pub step: f64,
    /// Shear rate `[1/t]`.
    pub rate: f64,
    /// Mean stress over the step; zero in open space `[μγ̇]`.
    pub stress: Stress,
    /// Power of the flow on the pairs and of the external forces `[μγ̇²a³]`.
    pub power_in: f64,
    /// Power dissipated by drag `[μγ̇²a³]`.
    pub power_drag: f64,
    /// Power taken up by pairs, dissipated or stored, in the order of `Origin::ALL` `[μγ̇²a³]`.
    pub power_pairs: [f64; Origin::COUNT],
    /// Energy stored in pairs at the end of the step `[μγ̇a³]`.
    pub stored_energy: f64,
    /// Pairs in contact.
    pub contacts: usize,
    /// Contacts with friction.
    pub frictional: usize,
    /// Contacts that slide.
    pub sliding: usize,
    /// Mean number of contacts of a particle.
    pub coordination: f64,
    /// Smallest gap at the end of the step, negative when spheres overlap, and the range of
    /// the laws when no pair is closer `[a]`.
    pub smallest_gap: f64,
    /// Thickness of the thinnest film between soft particles at the end of the step; the smallest
    /// gap where there are none `[a]`.
    pub thinnest_film: f64,
    /// Largest normal deflection of soft particles `[a]`.
    pub largest_deflection: f64,
    /// Normal stiffness in use `[μγ̇a]`.
    pub stiffness: f64,
    /// What the step cost and how well forces balance.
    pub effort: Effort,
}

impl Observation {
    /// Power in, less all that is dissipated or stored, relative to the power in or dissipated.
    pub fn power_mismatch(&self) -> f64 {
        let taken = self.power_drag + self.power_pairs.iter().sum::<f64>();
        (self.power_in - taken).abs() / self.power_in.abs().max(taken.abs()).max(1e-300)
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

/// A contact in the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct ContactSeen {
    /// Ids, i < j.
    pub ids: [u32; 2],
    /// Gap at the end of the step; the thickness of the film between soft particles `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Contact force on j: springs, dashpot and friction `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Whether it slides.
    pub slides: bool,
}

/// A film between soft particles at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct FilmSeen {
    /// Ids, i < j.
    pub ids: [u32; 2],
    /// Vector from centre i to centre j `[a]`.
    pub separation: Vector3<f64>,
    /// The film.
    pub film: Film,
}

/// A rough pair at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct TouchSeen {
    /// Ids, i < j.
    pub ids: [u32; 2],
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Its film and forces.
    pub touch: Touch,
}

/// The rough pairs of a step that feel each other, given what is remembered at its end.
pub(super) fn touches<'a>(
    laws: &Interactions,
    stage: &'a Stage,
    memory: &'a [f64],
    drive: &'a Drive,
) -> impl Iterator<Item = TouchSeen> + 'a {
    let law = laws.within_rough();
    let remembered = memory.chunks_exact(stage.stride.max(1));
    stage.seen(drive).zip(remembered).filter_map(move |(seen, memory)| {
        let now = Pair { step: 0.0, ..*seen.pair };
        let touch = law?.touch(&now, memory, &seen.rates)?;
        Some(TouchSeen { ids: seen.ids, normal: seen.pair.normal, touch })
    })
}

/// The films of a step, given what is remembered at its end.
pub(super) fn films<'a>(
    laws: &Interactions,
    stage: &'a Stage,
    memory: &'a [f64],
    drive: &'a Drive,
) -> impl Iterator<Item = FilmSeen> + 'a {
    let law = laws.within_soft();
    let remembered = memory.chunks_exact(stage.stride.max(1));
    stage.seen(drive).zip(remembered).filter_map(move |(pair, memory)| {
        let separation = pair.pair.distance * pair.pair.normal;
        let film = law?.film(pair.pair.radii, &separation, memory);
        let there = memory.iter().any(|x| *x != 0.0);
        there.then_some(FilmSeen { ids: pair.ids, separation, film })
    })
}

/// The contacts of a step.
pub(super) fn contacts<'a>(view: View<'a>) -> impl Iterator<Item = ContactSeen> + 'a {
    let law = view.interactions.contact;
    let pressed = films(view.interactions, view.stage, view.film_memory, view.drive);
    let pressed = pressed.filter(|seen| seen.film.touches()).map(|seen| ContactSeen {
        ids: seen.ids,
        gap: seen.film.gap,
        normal: seen.film.normal,
        force: -seen.film.force,
        slides: false,
    });
    let hard = view.stage.seen(view.drive).filter_map(move |pair| {
        let contact = law?;
        let gap = pair.end_gap;
        let memory = contact_memory(view.interactions, &contact, pair.memory);
        let force = contact.respond(pair.pair, memory, &pair.guess).force(&pair.rates);
        let slides =
            contact.friction > 0.0 && contact.slides(pair.pair, memory, &pair.rates) == Some(true);
        let on_i = force.normal * pair.pair.normal + force.shear;
        let seen =
            ContactSeen { ids: pair.ids, gap, normal: pair.pair.normal, force: -on_i, slides };
        (gap < 0.0).then_some(seen)
    });
    hard.chain(pressed)
}

/// The contact law's part of a pair's memory.
fn contact_memory<'a>(laws: &Interactions, contact: &Contact, memory: &'a [f64]) -> &'a [f64] {
    let before = laws.lubrication.map_or(0, |l| l.memory_len());
    &memory[before..before + contact.memory_len()]
}

/// All that can be looked at.
pub(super) struct View<'a> {
    pub state: &'a Suspension,
    pub stage: &'a Stage,
    pub laws: &'a [Box<dyn PairLaw>],
    pub interactions: &'a Interactions,
    pub drive: &'a Drive,
    pub viscosity: f64,
    pub range: f64,
    /// What films remember at the end of the step.
    pub film_memory: &'a [f64],
}

/// Stress and powers of forces that balance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flows {
    stress: Stress,
    power_in: f64,
    power_drag: f64,
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
        for pair in view.stage.seen(view.drive) {
            flows.add(view, &pair, &strain_rate);
        }
        let load = view.stage.load_share(view.drive);
        for ((m, drag), k) in view.stage.motions.iter().zip(view.stage.drag()).zip(0..) {
            let (slow, turn) = (m.linear.norm_squared(), m.angular.norm_squared());
            flows.power_drag += drag[0] * slow + drag[1] * turn;
            if let Some(f) = view.drive.external.get::<usize>(k) {
                flows.power_in += load * (f.linear.dot(&m.linear) + f.angular.dot(&m.angular));
            }
        }
        flows
    }

    fn add(&mut self, view: &View, pair: &Seen, strain_rate: &Matrix3<f64>) {
        let geometry = pair.pair;
        let separation = geometry.distance * geometry.normal;
        let affine = affine_rates(geometry, strain_rate);
        for (law, memory) in with_memory(view.laws, pair.memory) {
            law.parts(geometry, memory, [&pair.guess, &pair.rates], &mut |origin, force| {
                if let Some(volume) = view.state.cell.volume() {
                    let acting = force.normal * geometry.normal + force.shear;
                    self.stress.add(origin, &acting, &separation, volume);
                }
                self.power_pairs[origin.index()] += force.power(&pair.rates);
                self.power_in += force.power(&affine);
            });
        }
        if let Some(around) = view.stage.field.and_then(|field| field.around(geometry)) {
            self.add_around(view, pair, &around, strain_rate);
        }
    }

    /// What the fluid around a pair adds: forces, and a stresslet of its own.
    fn add_around(&mut self, view: &View, pair: &Seen, around: &Around, e: &Matrix3<f64>) {
        let geometry = pair.pair;
        let normal = &geometry.normal;
        let force = around.resistance.force(&pair.rates) + around.driven(normal, e);
        let motions = pair.ids.map(|k| &view.stage.motions[k as usize]);
        let stresslet = around.stresslet(normal, &pair.rates, motions, e);
        let straining = (stresslet.transpose() * e).trace();
        let origin = Origin::Lubrication;
        if let Some(volume) = view.state.cell.volume() {
            let acting = force.normal * normal + force.shear;
            self.stress.add(origin, &acting, &(geometry.distance * normal), volume);
            self.stress.pairs[origin.index()] += stresslet / volume;
        }
        self.power_in += force.power(&affine_rates(geometry, e)) + straining;
        let mut taken = force.power(&pair.rates) + straining;
        if let Some(whole) = &around.whole {
            taken += whole_power(whole, normal, motions, e);
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
        for (own, other) in flows.power_pairs.iter_mut().zip(other.power_pairs) {
            *own = mix(*own, other);
        }
        flows
    }
}

/// Measures a trial step that is about to be accepted.
pub(super) fn observe(
    view: View,
    flows: Flows,
    [step, strain]: [f64; 2],
    effort: Effort,
) -> Observation {
    let state = view.state;
    let mut seen = Observation {
        steps: state.clock.steps + 1,
        time: state.clock.time + step,
        strain: state.clock.strain + strain,
        step,
        rate: strain / step,
        stress: flows.stress,
        power_in: flows.power_in,
        power_drag: flows.power_drag,
        power_pairs: flows.power_pairs,
        smallest_gap: f64::INFINITY,
        stiffness: state.stiffness,
        effort,
        ..Observation::default()
    };
    for pair in view.stage.seen(view.drive) {
        look_at(&mut seen, &view, &pair);
    }
    if seen.smallest_gap == f64::INFINITY {
        seen.smallest_gap = view.range;
    }
    seen.thinnest_film = seen.smallest_gap;
    if view.interactions.soft.is_some() {
        let films = films(view.interactions, view.stage, view.film_memory, view.drive);
        look_at_films(&mut seen, films, view.range);
    }
    seen.coordination = 2.0 * seen.contacts as f64 / state.len() as f64;
    seen
}

/// Soft particles touch where they are pressed together by more than the film is thick.
fn look_at_films(seen: &mut Observation, films: impl Iterator<Item = FilmSeen>, range: f64) {
    seen.thinnest_film = range;
    for FilmSeen { film, .. } in films {
        seen.thinnest_film = seen.thinnest_film.min(film.gap);
        seen.largest_deflection = seen.largest_deflection.max(film.normal_deflection.abs());
        seen.contacts += usize::from(film.touches());
    }
}

fn look_at(seen: &mut Observation, view: &View, pair: &Seen) {
    let geometry = pair.pair;
    for (law, memory) in with_memory(view.laws, pair.memory) {
        let mut after = memory.to_vec();
        law.remember(geometry, &mut after, &pair.rates);
        seen.stored_energy += law.stored_energy(geometry.radii, pair.end_gap, &after);
    }
    let end = pair.end_gap;
    seen.smallest_gap = seen.smallest_gap.min(end);
    if let Some(contact) = &view.interactions.contact
        && end < 0.0
    {
        seen.contacts += 1;
        let memory = contact_memory(view.interactions, contact, pair.memory);
        if contact.friction > 0.0
            && let Some(slides) = contact.slides(geometry, memory, &pair.rates)
        {
            seen.frictional += 1;
            seen.sliding += slides as usize;
        }
    }
}
