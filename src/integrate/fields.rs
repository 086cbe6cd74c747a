//! What the fluid around the pairs of a stage does beyond their films. It changes slowly with the
//! geometry, so that it is found once in a stage, where the stage begins, and taken as that in all
//! its iterations and in what is measured.

use crate::balance::field::{FarField, Field};

/// What the fluid around pairs does.
#[derive(Default)]
pub(super) struct Fields {
    /// How it is found; none where there is nothing beyond films.
    pub law: Option<Field>,
    /// Whether those that were found are kept.
    pub kept: bool,
    /// What was found; empty where there is nothing.
    pub pairs: Vec<Option<FarField>>,
}

impl Fields {
    /// What the fluid around pair `p` does.
    #[inline]
    pub fn of(&self, p: usize) -> Option<&FarField> {
        self.pairs.get(p)?.as_ref()
    }

    /// How it is to be found for the guess; none where it is kept, or where there is nothing.
    pub fn sought(&self) -> Option<Field> {
        self.law.filter(|_| !self.kept)
    }
}
