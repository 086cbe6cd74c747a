//! Pair laws: each a pure map from the rates of a pair to the forces in it.
//!
//! A pair of spheres i < j has twelve velocities; six are rigid motions of the pair and six are
//! *rates*: squeeze, slide (2), roll (2) and twist. A law is written in the rates alone, so no
//! law can act on a rigid motion, and `balance` mirrors what it returns on both particles, so
//! every law obeys the third law and the balance of torques.
//!
//! Forces are conjugate to the rates and positive in tension: with tension \\(N\\), shear
//! \\(\mathbf T\\), rolling moment \\(\mathbf M\\) and twisting moment \\(Q\\) the pair takes up
//! the power \\(N\dot h + \mathbf T\cdot\mathbf v + \mathbf M\cdot\mathbf q + Q\tau\\).
//!
//! Stiff parts are taken implicitly: a law is asked for its mean force over a step, linearised
//! about the current guess of the rates, and gives back a force at zero rate and a positive
//! semi-definite resistance.

pub mod attraction;
pub mod collision;
pub mod contact;
pub mod lubrication;
#[cfg(test)]
mod properties;
pub mod repulsion;
mod response;
pub mod rough;
pub mod soft;
#[cfg(test)]
mod wall_limit;

use nalgebra::Vector3;

pub use crate::rates::{Pair, PairForce, Rates, Resistance, harmonic_radius, is_wall};
pub use response::{Response, Unsymmetric};

/// The laws that act between the particles of a run. Between soft or rough particles everything goes
/// through the film: repulsion and attraction then act inside its law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interactions {
    /// Hydrodynamic lubrication.
    pub lubrication: Option<lubrication::Lubrication>,
    /// Springs and friction between overlapping spheres.
    pub contact: Option<contact::Contact>,
    /// Electrostatic repulsion.
    pub repulsion: Option<repulsion::Repulsion>,
    /// Van der Waals attraction.
    pub attraction: Option<attraction::Attraction>,
    /// Soft surfaces with their film, instead of all others.
    pub soft: Option<soft::Soft>,
    /// Rough surfaces with their film, instead of all others.
    pub rough: Option<rough::Rough>,
}

impl Interactions {
    /// The law of soft surfaces with the remote forces across its film.
    pub fn within_soft(&self) -> Option<soft::Soft> {
        let (repulsion, attraction) = (self.repulsion, self.attraction);
        self.soft.map(|soft| soft::Soft { repulsion, attraction, ..soft })
    }

    /// The law of rough surfaces with the remote forces across its film.
    pub fn within_rough(&self) -> Option<rough::Rough> {
        let (repulsion, attraction) = (self.repulsion, self.attraction);
        self.rough.map(|rough| rough::Rough { repulsion, attraction, ..rough })
    }

    /// Whether films have a state of their own, so that steps are taken in stages.
    pub fn has_films(&self) -> bool {
        self.soft.is_some() || self.rough.is_some()
    }

    /// The laws as objects, in a fixed order.
    pub fn laws(&self) -> Vec<Box<dyn PairLaw>> {
        if let Some(soft) = self.within_soft() {
            return vec![Box::new(soft)];
        }
        if let Some(rough) = self.within_rough() {
            return vec![Box::new(rough)];
        }
        let mut laws: Vec<Box<dyn PairLaw>> = Vec::new();
        laws.extend(self.lubrication.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.contact.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.repulsion.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.attraction.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws
    }
}

/// Where a stress comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Hydrodynamic lubrication.
    Lubrication,
    /// Normal contact forces.
    Contact,
    /// Tangential contact forces.
    Friction,
    /// Electrostatic repulsion.
    Repulsion,
    /// Van der Waals attraction.
    Attraction,
    /// The elastic force of soft surfaces, which goes through film and remote forces.
    Deflection,
}

impl Origin {
    /// All origins, in the order of output columns.
    pub const ALL: [Origin; Origin::COUNT] = [
        Origin::Lubrication,
        Origin::Contact,
        Origin::Friction,
        Origin::Repulsion,
        Origin::Attraction,
        Origin::Deflection,
    ];

    /// How many there are.
    pub const COUNT: usize = 6;

    /// The place of this origin in [`Origin::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The most numbers that a pair remembers for one law.
pub const LONGEST_MEMORY: usize = 8;

/// A pair law. Pure: the same pair, memory and rates always give the same answer.
pub trait PairLaw: Send + Sync {
    /// The gap beyond which the law gives exactly nothing `[a]`.
    fn range(&self, radii: [f64; 2]) -> f64;

    /// The mean force over the step, linearised about the guess `rates`.
    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response;

    /// Which stress the normal and the tangential force count for.
    fn origins(&self) -> [Origin; 2];

    /// How many numbers a pair remembers for this law, at most [`LONGEST_MEMORY`].
    fn memory_len(&self) -> usize {
        0
    }

    /// Advances the memory over an accepted step with the rates found in it.
    fn advance_memory(&self, _pair: &Pair, _memory: &mut [f64], _rates: &Rates) {}

    /// Fills the memory of a pair that has none yet, at the beginning of a step.
    fn init_memory(&self, _radii: [f64; 2], _separation: &Vector3<f64>, _memory: &mut [f64]) {}

    /// Replaces the memory by its rate of change at this instant.
    fn memory_rate(&self, _pair: &Pair, memory: &mut [f64], _rates: &Rates) {
        memory.fill(0.0);
    }

    /// Puts the memory in order at the end of a step; what is all zero is forgotten.
    fn finish_memory(&self, _pair: &Pair, _memory: &mut [f64]) {}

    /// The gap at which a film begins abruptly, so that steps must end there `[a]`.
    fn cutoff(&self, _radii: [f64; 2]) -> Option<f64> {
        None
    }

    /// How much errors of the memory count, relative to what is remembered and to the radius.
    fn error(&self, _pair: &Pair, _errors: &[f64], _radius: f64) -> f64 {
        0.0
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

    /// Adapts the memory to contacts that become stiffer by a factor, so that forces stay.
    fn stiffen(&self, _memory: &mut [f64], _factor: f64) {}

    /// Energy stored in the pair at the given gap and memory `[μγ̇a³]`.
    fn stored_energy(&self, _radii: [f64; 2], _gap: f64, _memory: &[f64]) -> f64 {
        0.0
    }
}
