//! What a law says of itself for the register, and the samples that tests of every law run over.

use super::{LawKind, PairLaw};

/// A radius that stands for an infinite one `[a]`.
pub const LARGE: f64 = 1e5;

/// An entry of the register.
#[derive(Clone, Copy)]
pub struct About {
    /// Name of the law.
    pub name: &'static str,
    /// Names of the stresses that it brings. Laws that come later may count for them, too.
    pub origins: &'static [&'static str],
    /// The table that names it in case files, if its forces add to those of other laws.
    pub table: Option<LawKind>,
    /// The law with parameters of usual size.
    pub samples: fn() -> Vec<Sample>,
}

/// A law with parameters of usual size for the tests of every law (`tests/laws`). All properties
/// are expected to hold; where one cannot, the sample says so.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What it shows.
    pub name: &'static str,
    /// The law.
    pub law: Box<dyn PairLaw>,
    /// The force falls to zero continuously at the range.
    pub smooth_end: bool,
    /// The slope that it gives is the derivative of the tension.
    pub exact_slope: bool,
    /// Overlapping spheres have a force.
    pub may_overlap: bool,
    /// In a step the pair takes up no less than its stored energy grows by.
    pub stores: bool,
    /// A pair that turns as one body meets no resistance, and torques balance, at every gap; if
    /// not, in contact only ([`Levers`](super::Levers)).
    pub invariant: bool,
    /// The law holds between unequal spheres.
    pub any_sizes: bool,
    /// What acts on j is the reaction to what acts on i.
    pub reciprocal: bool,
    /// What the force at a flat wall is the limit of.
    pub wall: WallLimit,
}

/// What the force at a flat wall is the limit of as a sphere grows.
#[derive(Clone, Debug)]
pub enum WallLimit {
    /// The same law.
    Same,
    /// The same law, at walls that do not turn.
    SameUnturned,
    /// This law at a sphere of radius [`LARGE`].
    Other(Box<dyn PairLaw>),
    /// No law: walls have formulas of their own.
    None,
}

impl Sample {
    /// A sample that has all properties, but of the energy that it stores nothing is known.
    pub fn new(name: &'static str, law: impl PairLaw) -> Self {
        Sample {
            name,
            law: Box::new(law),
            smooth_end: true,
            exact_slope: true,
            may_overlap: true,
            stores: false,
            invariant: true,
            any_sizes: true,
            reciprocal: true,
            wall: WallLimit::Same,
        }
    }

    /// The force jumps at the range.
    pub fn ends_abruptly(self) -> Self {
        Sample { smooth_end: false, ..self }
    }

    /// The slope is not the derivative of the tension.
    pub fn approximate_slope(self) -> Self {
        Sample { exact_slope: false, ..self }
    }

    /// Overlapping spheres have no force.
    pub fn never_overlaps(self) -> Self {
        Sample { may_overlap: false, ..self }
    }

    /// The pair takes up no less than its stored energy grows by.
    pub fn stores(self) -> Self {
        Sample { stores: true, ..self }
    }

    /// Pairs apart that turn as one body are resisted, and their torques do not balance.
    pub fn invariant_in_contact(self) -> Self {
        Sample { invariant: false, ..self }
    }

    /// Between unequal spheres what acts on j is not the reaction to what acts on i.
    pub fn one_sided(self) -> Self {
        Sample { reciprocal: false, ..self }
    }

    /// The law is for equal spheres.
    pub fn between_equals(self) -> Self {
        Sample { any_sizes: false, ..self }
    }

    /// What the force at a flat wall is the limit of.
    pub fn at_wall(self, wall: WallLimit) -> Self {
        Sample { wall, ..self }
    }
}
