//! Checks of rough particles: the law's table, and the two studies of two of them.

use super::Check;
use super::range::Range::{Between, From, NotNegative, Positive};
use crate::case::{Components, Contact, Hydrodynamics, Inertia, Lubrication, Settle, Stiffness};
use crate::hydro::Table;
use crate::laws::rough::Rolling;

/// The roughness beyond which asperities are no longer small against the spheres `[1]`.
const ROUGHEST: f64 = 1.0;

/// The thinnest film that a run may end with: thinner ones are no numbers any more `[a]`.
const THINNEST: f64 = 1e-300;

/// Deflections of the bulk at which the centres of two spheres nearly meet `[a]`.
const SOFTEST: f64 = 1.9;

/// The farthest that two spheres may be apart `[a]`.
const FARTHEST: f64 = 1e4;

impl Check<'_> {
    /// Everything about `[rough]`.
    pub(super) fn rough(&mut self) {
        let Some(rough) = &self.case.rough else { return };
        let case = self.case;
        let largest = case.particles.radii.iter().copied().fold(0.0, f64::max);
        let smallest = case.particles.radii.iter().copied().fold(f64::INFINITY, f64::min);
        self.asperities("rough", rough.roughness, rough.cutoff, largest / smallest);
        if let Stiffness::Given(stiffness) = rough.stiffness {
            let remedy = "films need elastic bulk; \"auto\" chooses it";
            self.number("rough.stiffness", stiffness, Positive, remedy);
        }
        self.ratios("rough", [rough.asperity_ratio, rough.tangential_ratio], rough.friction);
        let why = "[rough] has its own film, elasticity and friction";
        self.unused("lubrication", case.lubrication != Lubrication::default(), why);
        let contact = Contact { max_overlap: case.contact.max_overlap, ..Contact::default() };
        self.unused("contact", case.contact != contact, why);
        if case.soft.is_some() {
            self.fault("soft", "given although [rough] is given as well", "leave out one of them");
        }
        if rough.hydrodynamics == Hydrodynamics::TwoBody {
            self.two_body_matter("rough.hydrodynamics");
        }
    }

    /// What two-body hydrodynamics needs of the particles of a suspension.
    pub(super) fn two_body_matter(&mut self, key: &str) {
        self.size_ratio("particles.radii", &self.case.particles.radii);
        if !self.case.particles.rotation {
            let problem = "two-body hydrodynamics needs spheres that spin";
            self.fault(key, problem, "leave out particles.rotation, or take \"lubrication\"");
        }
    }

    pub(super) fn settle(&mut self) {
        let settle = self.case.settle.clone().unwrap_or_default();
        let smooth = "0 is smooth, and asperities are small, as in 1e-3";
        self.number("settle.roughness", settle.roughness, From(0.0, ROUGHEST), smooth);
        let number =
            "it is what the asperities can bear over the weight; below 1 they cannot bear it";
        self.number("settle.contact_number", settle.contact_number, Positive, number);
        let apart = "it is the thickness of the film at the start, as in 1";
        self.number("settle.gap", settle.gap, Positive, apart);
        self.number("settle.asperity_ratio", settle.asperity_ratio, Positive, "1 is the paper's");
        let bulk = "films need elastic bulk, as in 1e3";
        self.number("settle.stiffness", settle.stiffness, Positive, bulk);
        if settle.gap > 0.0 {
            let thin = "it is a thickness that a draining film reaches, as in 1e-12";
            self.number("settle.end_gap", settle.end_gap(), From(THINNEST, settle.gap), thin);
        }
        self.squashed(&settle);
        let longest = "leave it out to have it chosen";
        self.optional("settle.max_time", settle.max_time, Positive, longest);
    }

    /// A bulk so soft that the weight alone would bring the centres together.
    fn squashed(&mut self, settle: &Settle) {
        let (key, deflection) = match settle.roughness > 0.0 {
            true => {
                let ratio = settle.asperity_ratio / settle.contact_number;
                ("settle.contact_number", settle.roughness * ratio)
            }
            false => ("settle.stiffness", 1.0 / settle.stiffness),
        };
        // A sphere that falls freely deflects it by more: until its weight has done no work any more.
        let falls = self.case.inertia.as_ref().is_some_and(Inertia::is_some);
        let (deflection, by) = match falls {
            true => (deflection + deflection.hypot((2.0 * deflection * settle.gap).sqrt()), "fall"),
            false => (deflection, "weight"),
        };
        if deflection.is_finite() && deflection >= SOFTEST {
            let problem = format!("the {by} deflects the bulk by {deflection:.3} a");
            let remedy = "deflections are small against the radius; give a larger one";
            self.fault(key, problem, remedy);
        }
    }

    pub(super) fn pair_shear(&mut self) {
        let pair = self.case.pair.clone().unwrap_or_default();
        self.number("pair.start", pair.start, Between(-FARTHEST, 0.0), "as in -10");
        let drift = "on one streamline spheres never meet; give a distance > 0, as in 0.1";
        self.number("pair.offset", pair.offset, Positive, drift);
        self.number(
            "pair.offset_z",
            pair.offset_z,
            Between(-FARTHEST, FARTHEST),
            "0 is the plane of shear",
        );
        self.numbers("pair.radii", &pair.radii, Positive, "1 and 1 are equal spheres");
        let [x, y, z] = [pair.start, pair.offset, pair.offset_z];
        let distance = (x * x + y * y + z * z).sqrt();
        if distance <= pair.radii[0] + pair.radii[1] {
            let problem = format!("the spheres overlap at the start, {distance:.3} apart");
            self.fault("pair.start", problem, "start farther apart, as in -10");
        }
        let mean = 0.5 * (pair.radii[0] + pair.radii[1]);
        self.asperities("pair", pair.roughness, pair.cutoff(), mean);
        let bulk = "films need elastic bulk; leave it out for rigid spheres";
        self.optional("pair.stiffness", pair.stiffness, Positive, bulk);
        self.ratios("pair", [pair.asperity_ratio, pair.tangential_ratio], pair.friction);
        self.optional(
            "pair.max_strain",
            pair.max_strain,
            Positive,
            "leave it out to have it chosen",
        );
        if pair.hydrodynamics == Hydrodynamics::TwoBody {
            self.size_ratio("pair.radii", &pair.radii);
            // The defaults mean what they say, and are in every resolved case.
            let why = "two-body hydrodynamics has all components";
            if pair.components != Components::All {
                self.refuse(&["pair.components"], why);
            }
            if pair.rolling != Rolling::Derived {
                self.refuse(&["pair.rolling"], why);
            }
            if !pair.rotation {
                self.refuse(&["pair.rotation"], "two-body hydrodynamics has spheres that spin");
            }
        }
    }

    /// Roughness, and a range that reaches beyond the asperities.
    fn asperities(&mut self, table: &str, roughness: f64, cutoff: f64, mean_radius: f64) {
        let key = format!("{table}.roughness");
        let small = "0 is smooth, and asperities are small, as in 1e-3";
        self.number(&key, roughness, From(0.0, ROUGHEST), small);
        let range = format!("{table}.cutoff");
        self.number(
            &range,
            cutoff.min(f64::MAX),
            Positive,
            "it is the gap at which the film begins",
        );
        let size = roughness * mean_radius;
        if cutoff > 0.0 && roughness < ROUGHEST && cutoff <= size {
            let problem = format!("{cutoff:?} is not beyond the asperities, {size:.3} a high");
            self.fault(&range, problem, "films begin before asperities touch, as at 0.5 or 4");
        }
    }

    fn ratios(&mut self, table: &str, [asperity, tangential]: [f64; 2], friction: f64) {
        let key = |name: &str| format!("{table}.{name}");
        self.number(&key("asperity_ratio"), asperity, Positive, "1 is the paper's");
        self.number(&key("tangential_ratio"), tangential, Positive, "0.3 is common");
        self.number(&key("friction"), friction, NotNegative, "0 is frictionless");
    }

    /// Two-sphere functions are tabulated up to a ratio of radii.
    pub(super) fn size_ratio(&mut self, key: &str, radii: &[f64]) {
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        if largest > Table::LARGEST_RATIO * smallest {
            let problem = format!(
                "the ratio of radii {:.3} is beyond the tables of two-sphere functions, valid is up to {}",
                largest / smallest,
                Table::LARGEST_RATIO
            );
            self.fault(key, problem, "take hydrodynamics = \"lubrication\", or closer radii");
        }
    }
}
