//! Checks of `[inertia]`.

use super::Check;
use crate::case::Scheme;

impl Check<'_> {
    /// Everything about particles with a mass.
    pub fn inertia(&mut self) {
        let Some(inertia) = &self.case.inertia else { return };
        match (inertia.stokes, inertia.density) {
            (Some(_), Some(_)) => {
                let problem = "given together with inertia.stokes, which already says it";
                self.fault("inertia.density", problem, "leave out one of the two");
            }
            (None, None) => {
                let problem = "says nothing of the mass";
                let remedy = "add stokes = 0.01, or a density";
                self.fault("inertia", problem, remedy);
            }
            _ => {}
        }
        match inertia.scheme {
            Scheme::Implicit => {
                let keys = ["inertia.safety", "inertia.step", "inertia.prediction"];
                self.refuse(&keys, "inertia.scheme is \"implicit\", whose steps are adapted");
            }
            Scheme::Verlet => self.explicit(),
        }
    }

    /// What the explicit scheme cannot do.
    fn explicit(&mut self) {
        let remedy = "take inertia.scheme = \"implicit\"";
        if self.case.drive.imposes_stress() {
            let problem = "the explicit scheme needs a shear rate, and a stress is imposed";
            self.fault("inertia.scheme", problem, remedy);
        }
        if self.case.laws.soft.is_some() || self.case.laws.rough.is_some() {
            let problem = "films relax faster than any explicit step where they begin";
            self.fault("inertia.scheme", problem, remedy);
        }
    }
}
