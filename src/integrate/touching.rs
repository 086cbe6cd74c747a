//! The pairs that touch, or nearly do, at the end of a step: contacts, films, rough surfaces.

use nalgebra::Vector3;

use super::observe::{Observation, View};
use super::sight::{Seen, with_memory};
use super::stage::Stage;
use crate::drive::Drive;
use crate::laws::rough::{Rough, Touch};
use crate::laws::soft::{Film, Soft};
use crate::laws::{Interactions, Pair, PairEnd, PairLaw};

/// A contact in the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct ContactSeen {
    /// Ids, i < j; N + k for surface k of the obstacles.
    pub ids: [u32; 2],
    /// Gap at the end of the step; the thickness of the film between soft or rough particles `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Contact force on j: springs, dashpot and friction; between soft or rough particles all that goes
    /// through the film `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Whether it slides.
    pub slides: bool,
    /// Whether it is pressed by more than its asperities can bear.
    pub overloaded: bool,
}

/// A film between soft particles at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct FilmSeen {
    /// Ids, i < j; N + k for surface k of the obstacles.
    pub ids: [u32; 2],
    /// Vector from centre i to centre j `[a]`.
    pub separation: Vector3<f64>,
    /// The film.
    pub film: Film,
}

/// A rough pair at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct TouchSeen {
    /// Ids, i < j; N + k for surface k of the obstacles.
    pub ids: [u32; 2],
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Its film and forces.
    pub touch: Touch,
}

/// The rough pairs of a step that feel each other, given what is remembered at its end.
pub(super) fn touches<'a>(
    laws: &'a Interactions,
    stage: &'a Stage,
    memory: &'a [f64],
    drive: &'a Drive,
) -> impl Iterator<Item = TouchSeen> + 'a {
    let law = laws.find::<Rough>();
    let remembered = memory.chunks_exact(stage.stride.max(1));
    stage.seen(drive).zip(remembered).filter_map(move |(seen, memory)| {
        let (law, own) = law.clone()?;
        let now = Pair { step: 0.0, ..*seen.pair };
        let touch = law.touch(&now, &memory[own], &seen.rates)?;
        Some(TouchSeen { ids: seen.ids, normal: seen.pair.normal, touch })
    })
}

/// The films of a step, given what is remembered at its end.
pub(super) fn films<'a>(
    laws: &'a Interactions,
    stage: &'a Stage,
    memory: &'a [f64],
    drive: &'a Drive,
) -> impl Iterator<Item = FilmSeen> + 'a {
    let law = laws.find::<Soft>();
    let remembered = memory.chunks_exact(stage.stride.max(1));
    stage.seen(drive).zip(remembered).filter_map(move |(pair, memory)| {
        let (law, own) = law.clone()?;
        let separation = pair.pair.distance * pair.pair.normal;
        let film = law.film(pair.pair.radii, &separation, &memory[own.clone()]);
        let there = memory[own].iter().any(|x| *x != 0.0);
        there.then_some(FilmSeen { ids: pair.ids, separation, film })
    })
}

/// What a law is shown of a pair at the end of a step.
pub(super) fn ended<'a>(seen: &'a Seen, memory: &'a [f64]) -> PairEnd<'a> {
    let Seen { pair, guess, rates, end_gap, .. } = seen;
    PairEnd { pair, memory, guess, rates, gap: *end_gap }
}

/// Shows every law every pair at the end of a step, with its part of the pair's memory.
fn ends(view: &View, mut see: impl FnMut(&Seen, &dyn PairLaw, &PairEnd)) {
    let stage = view.stage;
    let films = view.laws.has_films();
    for (p, mut seen) in stage.seen(view.drive).enumerate() {
        let now = Pair { step: 0.0, ..*seen.pair };
        let memory = if films {
            seen.pair = &now;
            let Some(memory) = view.film_memory.chunks_exact(stage.stride.max(1)).nth(p) else {
                return;
            };
            memory
        } else {
            seen.memory
        };
        for (law, own) in with_memory(view.laws, memory) {
            see(&seen, law, &ended(&seen, own));
        }
    }
}

/// The contacts of a step.
pub(super) fn contacts(view: View) -> impl Iterator<Item = ContactSeen> {
    let mut contacts = Vec::new();
    ends(&view, |seen, law, end| {
        let Some(surfaces) = law.surfaces(end).filter(|surfaces| surfaces.touch) else { return };
        contacts.push(ContactSeen {
            ids: seen.ids,
            gap: surfaces.gap,
            normal: surfaces.normal,
            force: law.contact_force(end),
            slides: surfaces.slide == Some(true),
            overloaded: surfaces.overloaded,
        });
    });
    contacts.into_iter()
}

/// What the films of soft and rough particles show. Soft ones touch where they are pressed together
/// by more than the film is thick, rough ones where their asperities do.
pub(super) fn look_at_films(seen: &mut Observation, view: &View) {
    if !view.laws.has_films() {
        return;
    }
    seen.thinnest_film = view.range;
    ends(view, |pair, law, end| {
        let Some(surfaces) = law.surfaces(end) else { return };
        seen.thinnest_film = seen.thinnest_film.min(surfaces.gap);
        seen.largest_deflection = seen.largest_deflection.max(surfaces.deflection.abs());
        seen.frictional += usize::from(surfaces.slide.is_some());
        seen.sliding += usize::from(surfaces.slide == Some(true));
        seen.overloaded += usize::from(surfaces.overloaded);
        if surfaces.touch {
            seen.contacts += 1;
            seen.coordination += if view.stage.is_obstacle(pair.ids[1]) { 1.0 } else { 2.0 };
        }
    });
}
