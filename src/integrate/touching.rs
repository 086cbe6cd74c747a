//! The pairs that touch, or nearly do, at the end of a step: contacts, films, rough surfaces.

use nalgebra::Vector3;

use super::mechanics::Mechanics;
use super::observe::Observation;
use super::pair_view::{PairView, with_memory};
use crate::laws::rough::{Rough, Touch};
use crate::laws::soft::{Film, Soft};
use crate::laws::{Pair, PairEnd, PairLaw};
use crate::state::PairIds;

/// A contact in the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct ContactSeen {
    /// Who the two are.
    pub ids: PairIds,
    /// Gap at the end of the step; the thickness of the film between soft or rough particles `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Contact force on j: springs, dashpot and friction; between soft or rough particles all that
    /// goes through the film `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Whether it slides.
    pub slides: bool,
    /// Whether it is pressed by more than its asperities can bear.
    pub overloaded: bool,
}

/// A film between soft particles at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct FilmSeen {
    /// Who the two are.
    pub ids: PairIds,
    /// Vector from centre i to centre j `[a]`.
    pub separation: Vector3<f64>,
    /// The film.
    pub film: Film,
}

/// A rough pair at the end of the last accepted step.
#[derive(Clone, Copy, Debug)]
pub struct TouchSeen {
    /// Who the two are.
    pub ids: PairIds,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Its film and forces.
    pub touch: Touch,
}

/// What a law is shown of a pair at the end of a step.
pub(super) fn pair_end<'a>(view: &'a PairView, memory: &'a [f64]) -> PairEnd<'a> {
    let PairView { pair, guess, rates, end_gap, .. } = view;
    PairEnd { pair, memory, guess, rates, gap: *end_gap }
}

impl Mechanics {
    /// The rough pairs at the end of the last accepted step; none before the first.
    pub(super) fn touches(&self) -> impl Iterator<Item = TouchSeen> + '_ {
        let (law, pairs) = (self.laws.find::<Rough>(), &self.stage.pairs);
        let remembered = pairs.end_memory.chunks_exact(pairs.stride.max(1));
        self.stage.views(&self.drive).zip(remembered).filter_map(move |(view, memory)| {
            let (law, own) = law.clone()?;
            let now = Pair { step: 0.0, ..*view.pair };
            let touch = law.touch(&now, &memory[own], &view.rates)?;
            Some(TouchSeen { ids: view.ids, normal: view.pair.normal, touch })
        })
    }

    /// The films between soft particles at the end of the last accepted step; none before the
    /// first.
    pub(super) fn films(&self) -> impl Iterator<Item = FilmSeen> + '_ {
        let (law, pairs) = (self.laws.find::<Soft>(), &self.stage.pairs);
        let remembered = pairs.end_memory.chunks_exact(pairs.stride.max(1));
        self.stage.views(&self.drive).zip(remembered).filter_map(move |(view, memory)| {
            let (law, own) = law.clone()?;
            let separation = view.pair.distance * view.pair.normal;
            let film = law.film(view.pair.radii, &separation, &memory[own.clone()]);
            let there = memory[own].iter().any(|x| *x != 0.0);
            there.then_some(FilmSeen { ids: view.ids, separation, film })
        })
    }

    /// Shows `see` every law with every pair at the end of a step.
    fn pair_ends(&self, mut see: impl FnMut(&PairView, &dyn PairLaw, &PairEnd)) {
        let pairs = &self.stage.pairs;
        let films = self.has_films();
        let mut end_memory = pairs.end_memory.chunks_exact(pairs.stride.max(1));
        for mut view in self.stage.views(&self.drive) {
            let now = Pair { step: 0.0, ..*view.pair };
            if films {
                let Some(memory) = end_memory.next() else { return };
                (view.pair, view.memory) = (&now, memory);
            }
            for (law, own) in with_memory(&self.laws, view.memory) {
                see(&view, law, &pair_end(&view, own));
            }
        }
    }

    /// The contacts of the last accepted step; none before the first.
    pub(super) fn contacts(&self) -> Vec<ContactSeen> {
        let mut contacts = Vec::new();
        self.pair_ends(|view, law, end| {
            let touching = law.surfaces(end).filter(|surfaces| surfaces.touch);
            contacts.extend(touching.map(|surfaces| ContactSeen {
                ids: view.ids,
                gap: surfaces.gap,
                normal: surfaces.normal,
                force: law.contact_force(end),
                slides: surfaces.slide == Some(true),
                overloaded: surfaces.overloaded,
            }));
        });
        contacts
    }

    /// Adds what the films of soft and rough particles show. Soft ones touch where they are pressed
    /// together by more than the film is thick, rough ones where their asperities do.
    pub(super) fn observe_films(&self, seen: &mut Observation) {
        seen.gaps.thinnest_film = self.stage.pairs.list.range();
        self.pair_ends(|view, law, end| {
            let Some(surfaces) = law.surfaces(end) else { return };
            seen.gaps.thinnest_film = seen.gaps.thinnest_film.min(surfaces.gap);
            seen.gaps.largest_deflection =
                seen.gaps.largest_deflection.max(surfaces.deflection.abs());
            seen.contacts.frictional += usize::from(surfaces.slide.is_some());
            seen.contacts.sliding += usize::from(surfaces.slide == Some(true));
            seen.contacts.overloaded += usize::from(surfaces.overloaded);
            if surfaces.touch {
                seen.contacts.count += 1;
                seen.contacts.coordination += if view.obstacle.is_some() { 1.0 } else { 2.0 };
            }
        });
    }
}
