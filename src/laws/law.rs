//! The trait of all pair laws, and what tables and counts are shown of a pair.

use std::any::Any;
use std::fmt::Debug;

use nalgebra::Vector3;

use super::{Levers, Origin, Pair, PairForce, Rates, Resistance, Response};

/// The most numbers that a pair remembers for one law.
pub const LONGEST_MEMORY: usize = 8;

/// A pair law. Pure: the same pair, memory and rates always give the same response.
///
/// The first four methods make a law; the others have defaults for one that remembers and stores
/// nothing. `init_memory`, `memory_rate`, `finish_memory` and `error` are for laws whose memory is
/// integrated along with the positions ([`PairLaw::has_films`]).
pub trait PairLaw: Any + CloneLaw + Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The gap beyond which the law gives exactly nothing `[a]`.
    fn range(&self, radii: [f64; 2]) -> f64;

    /// Which stress the normal and the tangential force count for.
    fn origins(&self) -> [Origin; 2];

    /// All origins that its parts may count for.
    fn all_origins(&self) -> Vec<Origin> {
        self.origins().to_vec()
    }

    /// The mean force over the step, linearised about the guess `rates`.
    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response;

    /// The same force at the guess, with a slope in which what slides resists at least as much as
    /// keeps solves from overshooting while contacts and friction are being found.
    fn respond_stiffly(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        self.respond(pair, memory, rates)
    }

    /// The response, and what a pair with a film remembers at the end of the step, for laws that
    /// find both at once ([`PairLaw::has_films`]). `end` holds a guess of it, which only says where
    /// to begin. Laws without films leave it alone.
    fn respond_to_end(
        &self,
        pair: &Pair,
        memory: &[f64],
        _end: &mut [f64],
        rates: &Rates,
    ) -> Response {
        self.respond(pair, memory, rates)
    }

    /// Adds the response to those of other laws; for laws that do so faster than by a sum.
    fn add_response(&self, pair: &Pair, memory: &[f64], rates: &Rates, total: &mut Response) {
        *total += self.respond(pair, memory, rates);
    }

    /// Whether its response changes smoothly with the rates, as that of films and remote forces
    /// does: it then stays linearised while contacts that may open, stick or slide are found.
    fn is_smooth(&self) -> bool {
        false
    }

    /// How far from the centres its forces act. Laws that act together share the levers of those
    /// that differ from the usual ones.
    fn levers(&self) -> Levers {
        Levers::OfDistance
    }

    /// Half of what resists the motion of i beyond the reaction on j, of a law that is not
    /// reciprocal; [`PairLaw::respond`] then gives the mean of both.
    fn one_sided(&self, _pair: &Pair, _rates: &Rates) -> Option<Resistance> {
        None
    }

    /// Shows the parts of the force by origin, given the rates about which the law was linearised
    /// and those that were found.
    fn parts(
        &self,
        pair: &Pair,
        memory: &[f64],
        [guess, rates]: [&Rates; 2],
        see: &mut dyn FnMut(Origin, PairForce),
    ) {
        let force = self.respond(pair, memory, guess).force(rates);
        let [normal, tangential] = self.origins();
        see(normal, PairForce { normal: force.normal, ..PairForce::default() });
        see(tangential, PairForce { normal: 0.0, ..force });
    }

    /// Tension at a thickness of the film and its slope `[μγ̇a²]`, `[μγ̇a]`, if the law acts across
    /// the films of soft and rough particles ([`Remote`](super::Remote)); without, it goes with
    /// hard ones only.
    fn across_film(&self, _radii: [f64; 2], _gap: f64) -> Option<[f64; 2]> {
        None
    }

    /// How many numbers a pair remembers for this law, at most [`LONGEST_MEMORY`].
    fn memory_len(&self) -> usize {
        0
    }

    /// Advances the memory over an accepted step with the rates found in it.
    fn advance_memory(&self, _pair: &Pair, _memory: &mut [f64], _rates: &Rates) {}

    /// Energy stored in the pair at the given gap and memory `[μγ̇a³]`.
    fn stored_energy(&self, _radii: [f64; 2], _gap: f64, _memory: &[f64]) -> f64 {
        0.0
    }

    /// Normal stiffness of its contacts at an overlap and the tangential one over it, where it has
    /// springs `[μγ̇a]`, `[1]`.
    fn springs(&self, _overlap: f64) -> Option<[f64; 2]> {
        None
    }

    /// Takes the stiffness of contacts that an automatic choice has found `[μγ̇a]`.
    fn set_stiffness(&mut self, _stiffness: f64) {}

    /// Adapts the memory to contacts that become stiffer by a factor, so that forces stay.
    fn stiffen(&self, _memory: &mut [f64], _factor: f64) {}

    /// Whether its memory is the state of a film, with a rate of its own, so that steps are taken
    /// in stages.
    fn has_films(&self) -> bool {
        false
    }

    /// Fills the memory of a pair that has none yet, at the beginning of a step.
    fn init_memory(&self, _radii: [f64; 2], _separation: &Vector3<f64>, _memory: &mut [f64]) {}

    /// Replaces the memory by its rate of change at this instant.
    fn memory_rate(&self, _pair: &Pair, memory: &mut [f64], _rates: &Rates) {
        memory.fill(0.0);
    }

    /// Puts the memory in order at the end of a step; what is all zero is forgotten.
    fn finish_memory(&self, _pair: &Pair, _memory: &mut [f64]) {}

    /// How much errors of the memory count, relative to what is remembered and to the radius.
    fn error(&self, _pair: &Pair, _errors: &[f64], _radius: f64) -> f64 {
        0.0
    }

    /// The gap at which a film begins abruptly, so that steps must end there `[a]`.
    fn cutoff(&self, _radii: [f64; 2]) -> Option<f64> {
        None
    }

    /// How two surfaces stand to each other at the end of a step; `None` where they are apart.
    fn surfaces(&self, _end: &PairEnd) -> Option<Surfaces> {
        None
    }

    /// The force of a contact on j at the end of a step `[μγ̇a²]`.
    fn contact_force(&self, end: &PairEnd) -> Vector3<f64> {
        let force = self.respond(end.pair, end.memory, end.guess).force(end.rates);
        let on_i = force.normal * end.pair.normal + force.shear;
        -on_i
    }

    /// What a user may try where steps become too short because of this law.
    fn remedy(&self) -> Option<&'static str> {
        None
    }
}

/// A pair at the end of an accepted step, for tables and counts.
#[derive(Clone, Copy, Debug)]
pub struct PairEnd<'a> {
    /// Its geometry: that of the middle of the step, or, for laws with films, of its end, as an
    /// instant.
    pub pair: &'a Pair,
    /// What it remembers for the law: at the beginning of the step, or, for laws with films, at
    /// its end.
    pub memory: &'a [f64],
    /// The rates about which the law was linearised.
    pub guess: &'a Rates,
    /// The rates found.
    pub rates: &'a Rates,
    /// Gap at the end of the step `[a]`.
    pub gap: f64,
}

/// How two surfaces stand to each other.
#[derive(Clone, Copy, Debug)]
pub struct Surfaces {
    /// Gap between them; the thickness of their film, if they have one `[a]`.
    pub gap: f64,
    /// Unit vector across the gap, from i to j.
    pub normal: Vector3<f64>,
    /// Normal deflection `[a]`.
    pub deflection: f64,
    /// Whether they count as in contact.
    pub touch: bool,
    /// Whether they slide; `None` where there is no friction.
    pub slide: Option<bool>,
    /// Whether they are pressed by more than they can bear.
    pub overloaded: bool,
}

/// Copies of a law as an object. Every law that can be cloned has it.
pub trait CloneLaw {
    /// A copy.
    fn boxed(&self) -> Box<dyn PairLaw>;
}

impl<L: PairLaw + Clone> CloneLaw for L {
    fn boxed(&self) -> Box<dyn PairLaw> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn PairLaw> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}
