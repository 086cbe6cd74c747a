//! Forces that act across a film without touching, such as repulsion and attraction.

use super::{Interactions, Origin, PairLaw};

/// The remote forces that act across a film: those laws that have a tension there
/// ([`PairLaw::across_film`]).
#[derive(Clone, Debug, Default)]
pub struct Remote(Interactions);

impl Remote {
    /// No remote forces.
    pub const NONE: Remote = Remote(Interactions::NONE);

    /// Those among some laws.
    pub fn of(laws: Interactions) -> Self {
        Remote(laws.only(|law| law.across_film([1.0; 2], 1.0).is_some()))
    }

    /// Tension at a film thickness, and its slope.
    pub fn tension(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        let tensions = self.0.iter().filter_map(|law| law.across_film(radii, gap));
        tensions.fold([0.0; 2], |sum, [tension, slope]| [sum[0] + tension, sum[1] + slope])
    }

    /// Tensions at a film thickness by origin `[μγ̇a²]`.
    pub fn parts(&self, radii: [f64; 2], gap: f64) -> impl Iterator<Item = (Origin, f64)> + '_ {
        let part =
            move |law: &dyn PairLaw| Some((law.origins()[0], law.across_film(radii, gap)?[0]));
        self.0.iter().filter_map(move |law| part(law.as_ref()))
    }

    /// The origins of all of them.
    pub fn origins(&self) -> impl Iterator<Item = Origin> + '_ {
        self.0.iter().map(|law| law.origins()[0])
    }

    /// The gap beyond which there is nothing `[a]`.
    pub fn range(&self, radii: [f64; 2]) -> f64 {
        self.0.iter().map(|law| law.range(radii)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::attraction::{self, Attraction};
    use crate::laws::lubrication::{Cutoff, Film, Lubrication};
    use crate::laws::repulsion::{self, Repulsion};

    #[test]
    fn every_law_that_acts_across_films_adds_its_tension() {
        let repulsion = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
        let attraction = Attraction { hamaker: 0.5, regularisation: 0.1, range: 0.4 };
        let (film, cutoff) = (Film::Leading, Cutoff::Smooth);
        let hard = Lubrication { viscosity: 1.0, inner_gap: 1e-3, outer_gap: 0.5, cutoff, film };
        let laws = Interactions::of(repulsion).with(hard).with(attraction);
        let remote = Remote::of(laws);
        let (radii, gap) = ([1.0, 1.4], 0.05);
        let [repelled, attracted] = [repulsion.tension(radii, gap), attraction.tension(radii, gap)];
        let sum = [0, 1].map(|k| repelled[k] + attracted[k]);
        assert_eq!(remote.tension(radii, gap), sum);
        let parts = [(repulsion::ORIGIN, repelled[0]), (attraction::ORIGIN, attracted[0])];
        assert!(remote.parts(radii, gap).eq(parts));
        // That of the attraction: the film of hard spheres is not there.
        assert_eq!(remote.range(radii), 0.4);
    }
}
