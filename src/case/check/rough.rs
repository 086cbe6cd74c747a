//! Checks of rough particles.

use super::Check;
use crate::case::{Contact, Hydrodynamics, Lubrication, ROUGHEST};
use crate::hydro::Table;

impl Check<'_> {
    /// Everything about `[rough]`.
    pub(super) fn rough(&mut self) {
        let Some(rough) = &self.case.laws.rough else { return };
        let case = self.case;
        let largest = case.particles.radii.iter().copied().fold(0.0, f64::max);
        let smallest = case.particles.radii.iter().copied().fold(f64::INFINITY, f64::min);
        self.asperities("rough", rough.roughness, rough.cutoff, largest / smallest);
        let why = "[rough] has its own film, elasticity and friction";
        self.unused("lubrication", case.laws.lubrication != Lubrication::default(), why);
        let contact = Contact { max_overlap: case.laws.contact.max_overlap, ..Contact::default() };
        self.unused("contact", case.laws.contact != contact, why);
        self.only_across_films("rough");
        if case.laws.soft.is_some() {
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

    /// A range that reaches beyond the asperities.
    pub fn asperities(&mut self, table: &str, roughness: f64, cutoff: f64, mean_radius: f64) {
        let size = roughness * mean_radius;
        if cutoff > 0.0 && roughness < ROUGHEST && cutoff <= size {
            let problem = format!("{cutoff:?} is not beyond the asperities, {size:.3} a high");
            let key = format!("{table}.cutoff");
            self.fault(&key, problem, "films begin before asperities touch, as at 0.5 or 4");
        }
    }

    /// Two-sphere functions are tabulated up to a ratio of radii.
    pub fn size_ratio(&mut self, key: &str, radii: &[f64]) {
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
