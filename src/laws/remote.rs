//! Forces that act across a film without touching: repulsion and attraction together.

use super::attraction::{self, Attraction};
use super::repulsion::{self, Repulsion};
use super::{Interactions, Origin, PairLaw};

/// The remote forces that act across a film.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remote {
    /// Electrostatic repulsion.
    pub repulsion: Option<Repulsion>,
    /// Van der Waals attraction.
    pub attraction: Option<Attraction>,
}

impl Remote {
    /// No remote forces.
    pub const NONE: Remote = Remote { repulsion: None, attraction: None };

    /// Those among some laws.
    pub fn of(laws: &Interactions) -> Self {
        let repulsion = laws.find().map(|(law, _)| *law);
        Remote { repulsion, attraction: laws.find().map(|(law, _)| *law) }
    }

    /// Tension at a film thickness, and its slope.
    pub fn tension(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        let [repulsion, attraction] = self.both(radii, gap);
        [repulsion[0] + attraction[0], repulsion[1] + attraction[1]]
    }

    /// Tensions at a film thickness by origin `[μγ̇a²]`.
    pub fn parts(&self, radii: [f64; 2], gap: f64) -> [(Origin, f64); 2] {
        let [repulsion, attraction] = self.both(radii, gap);
        [(repulsion::ORIGIN, repulsion[0]), (attraction::ORIGIN, attraction[0])]
    }

    /// The gap beyond which there is nothing `[a]`.
    pub fn range(&self, radii: [f64; 2]) -> f64 {
        let repulsion = self.repulsion.map_or(0.0, |r| r.range(radii));
        let attraction = self.attraction.map_or(0.0, |a| a.range(radii));
        repulsion.max(attraction)
    }

    fn both(&self, radii: [f64; 2], gap: f64) -> [[f64; 2]; 2] {
        let repulsion = self.repulsion.map_or([0.0; 2], |r| r.tension(radii, gap));
        let attraction = self.attraction.map_or([0.0; 2], |a| a.tension(radii, gap));
        [repulsion, attraction]
    }
}
