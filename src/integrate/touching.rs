//! The pairs that touch, or nearly do, at the end of a step: contacts, films, rough surfaces.

use nalgebra::Vector3;

use super::observe::{Observation, View};
use super::stage::Stage;
use crate::drive::Drive;
use crate::laws::contact::Contact;
use crate::laws::rough::Touch;
use crate::laws::soft::Film;
use crate::laws::{Interactions, Pair, PairLaw};

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
        overloaded: false,
    });
    let rough = touches(view.interactions, view.stage, view.film_memory, view.drive);
    let rough =
        rough.filter(|seen| seen.touch.contact > 0.0).map(|TouchSeen { ids, normal, touch }| {
            let on_i = touch.tension * normal + touch.shear;
            let slides = touch.slides == Some(true);
            ContactSeen {
                ids,
                gap: touch.gap,
                normal,
                force: -on_i,
                slides,
                overloaded: touch.overloaded,
            }
        });
    let hard = view.stage.seen(view.drive).filter_map(move |pair| {
        let contact = law?;
        let gap = pair.end_gap;
        let memory = contact_memory(view.interactions, &contact, pair.memory);
        let force = contact.respond(pair.pair, memory, &pair.guess).force(&pair.rates);
        let slides =
            contact.friction > 0.0 && contact.slides(pair.pair, memory, &pair.rates) == Some(true);
        let on_i = force.normal * pair.pair.normal + force.shear;
        (gap < 0.0).then_some(ContactSeen {
            ids: pair.ids,
            gap,
            normal: pair.pair.normal,
            force: -on_i,
            slides,
            overloaded: false,
        })
    });
    hard.chain(pressed).chain(rough)
}

/// The contact law's part of a pair's memory.
pub(super) fn contact_memory<'a>(
    laws: &Interactions,
    contact: &Contact,
    memory: &'a [f64],
) -> &'a [f64] {
    let before = laws.lubrication.map_or(0, |l| l.memory_len());
    &memory[before..before + contact.memory_len()]
}

/// What the films of soft and rough particles show. Soft ones touch where they are pressed together
/// by more than the film is thick, rough ones where their asperities do.
pub(super) fn look_at_films(seen: &mut Observation, view: &View) {
    if !view.interactions.has_films() {
        return;
    }
    let View { interactions, stage, film_memory, drive, .. } = *view;
    seen.thinnest_film = view.range;
    let particles = |ids: [u32; 2]| if stage.is_obstacle(ids[1]) { 1.0 } else { 2.0 };
    for FilmSeen { ids, film, .. } in films(interactions, stage, film_memory, drive) {
        seen.thinnest_film = seen.thinnest_film.min(film.gap);
        seen.largest_deflection = seen.largest_deflection.max(film.normal_deflection.abs());
        seen.contacts += usize::from(film.touches());
        seen.coordination += if film.touches() { particles(ids) } else { 0.0 };
    }
    for TouchSeen { ids, touch, .. } in touches(interactions, stage, film_memory, drive) {
        seen.thinnest_film = seen.thinnest_film.min(touch.gap);
        seen.largest_deflection = seen.largest_deflection.max(touch.deflection.abs());
        seen.contacts += usize::from(touch.contact > 0.0);
        seen.coordination += if touch.contact > 0.0 { particles(ids) } else { 0.0 };
        seen.frictional += usize::from(touch.slides.is_some());
        seen.sliding += usize::from(touch.slides == Some(true));
        seen.overloaded += usize::from(touch.overloaded);
    }
}
