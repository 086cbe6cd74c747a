//! What the fluid around the pairs of a stage does beyond their films. It changes slowly with the
//! geometry, so that it is found once in a stage, where the stage begins, and taken as that in all
//! its iterations and in what is measured.

use rayon::prelude::*;

use super::linearise::PARALLEL_PAIRS;
use super::pair_view::placed;
use super::stage::Stage;
use crate::balance::field::{FarField, Field};
use crate::drive::Drive;

/// What the fluid around pairs does.
#[derive(Default)]
pub(super) struct Fields {
    /// How it is found; none where there is nothing beyond films.
    pub law: Option<Field>,
    /// Whether those that were found are kept.
    pub kept: bool,
    pairs: Vec<Option<FarField>>,
}

impl Fields {
    /// What the fluid around pair `p` does.
    pub fn of(&self, p: usize) -> Option<&FarField> {
        self.pairs.get(p)?.as_ref()
    }
}

impl Stage {
    /// Finds what the fluid around all pairs does when particles move as in the guess, unless it is
    /// kept. Surfaces must be placed.
    pub(super) fn find_fields(&mut self, drive: &Drive, step: f64) {
        let Some(law) = self.fields.law.filter(|_| !self.fields.kept) else { return };
        let mut pairs = std::mem::take(&mut self.fields.pairs);
        pairs.resize(self.pairs.active.len(), None);
        let one = |(p, field): (usize, &mut Option<FarField>)| {
            *field = self.field_of(&law, p, drive, step);
        };
        match pairs.len() >= PARALLEL_PAIRS {
            true => pairs.par_iter_mut().enumerate().with_min_len(128).for_each(one),
            false => pairs.iter_mut().enumerate().for_each(one),
        }
        self.fields.pairs = pairs;
    }

    /// Around obstacles there is only what resists relative motion, and only next to spheres.
    fn field_of(&self, law: &Field, p: usize, drive: &Drive, step: f64) -> Option<FarField> {
        match self.pairs.walls.met(p) {
            Some(met) if law.knows(met.placed.radii) => law.far_field(&met.placed),
            Some(_) => None,
            None => {
                let about = &self.linearisation.about.velocities;
                let active = &self.pairs.active[p];
                law.far_field(&placed(active, about, drive, step, self.moment.placement))
            }
        }
    }
}
