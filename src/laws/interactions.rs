//! The laws of a run.

use std::any::Any;
use std::ops::{Deref, Range};

use super::{LONGEST_MEMORY, Levers, Origin, PairLaw};

/// The laws that act between the particles of a run, in the order in which they were added: their
/// forces are summed, and what a pair remembers is kept, in this order.
#[derive(Clone, Debug, Default)]
pub struct Interactions(Vec<Box<dyn PairLaw>>);

impl Interactions {
    /// No laws.
    pub const NONE: Interactions = Interactions(Vec::new());

    /// One law.
    pub fn of(law: impl PairLaw) -> Self {
        Interactions::default().with(law)
    }

    /// The same with one more law.
    ///
    /// # Panics
    ///
    /// If it remembers more than [`LONGEST_MEMORY`] numbers.
    pub fn with(mut self, law: impl PairLaw) -> Self {
        assert!(law.memory_len() <= LONGEST_MEMORY, "{} remembers too much", law.name());
        self.0.push(Box::new(law));
        self
    }

    /// The same with one more law, if there is one.
    pub fn with_some(self, law: Option<impl PairLaw>) -> Self {
        match law {
            Some(law) => self.with(law),
            None => self,
        }
    }

    /// The same with others after them.
    pub fn with_all(mut self, others: Interactions) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Those for which something holds.
    pub fn only(mut self, holds: impl Fn(&dyn PairLaw) -> bool) -> Self {
        self.0.retain(|law| holds(law.as_ref()));
        self
    }

    /// The first law of a type, and where a pair's memory of it is.
    pub fn find<L: PairLaw>(&self) -> Option<(&L, Range<usize>)> {
        let mut start = 0;
        for law in &self.0 {
            let end = start + law.memory_len();
            let any: &dyn Any = law.as_ref();
            if let Some(law) = any.downcast_ref() {
                return Some((law, start..end));
            }
            start = end;
        }
        None
    }

    /// Whether films have a state of their own, so that steps are taken in stages.
    pub fn has_films(&self) -> bool {
        self.iter().any(|law| law.has_films())
    }

    /// How far from the centres their forces act.
    pub fn levers(&self) -> Levers {
        let levers = self.iter().map(|law| law.levers());
        levers.into_iter().find(|levers| *levers != Levers::OfDistance).unwrap_or_default()
    }

    /// All origins that forces may count for: those of the register, then those of other laws.
    pub fn origins(&self) -> Vec<Origin> {
        let mut origins = Origin::ALL.to_vec();
        for origin in self.iter().flat_map(|law| law.all_origins()) {
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        origins
    }

    /// Gives all contacts the stiffness that an automatic choice has found `[μγ̇a]`.
    pub fn set_stiffness(&mut self, stiffness: f64) {
        self.0.iter_mut().for_each(|law| law.set_stiffness(stiffness));
    }

    /// What a user may try where steps become too short.
    pub fn remedy(&self) -> &'static str {
        self.iter()
            .find_map(|law| law.remedy())
            .unwrap_or("A smaller `time.max_step` or a lower `particles.volume_fraction` may help")
    }
}

impl Deref for Interactions {
    type Target = [Box<dyn PairLaw>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::contact::Contact;
    use crate::laws::repulsion::Repulsion;
    use crate::laws::{REGISTER, rough::Rough};

    #[test]
    fn a_law_is_found_by_its_type_with_its_memory() {
        let laws = |name: &str| {
            let about = REGISTER.iter().find(|about| about.name == name).expect("a law");
            (about.samples)().remove(0).law
        };
        let all = Interactions(vec![laws("repulsion"), laws("contact"), laws("rough")]);
        assert_eq!(all.find::<Repulsion>().map(|(_, memory)| memory), Some(0..0));
        assert_eq!(all.find::<Contact>().map(|(_, memory)| memory), Some(0..3));
        assert_eq!(all.find::<Rough>().map(|(_, memory)| memory), Some(3..8));
        assert!(all.has_films() && all.len() == 3);
    }
}
