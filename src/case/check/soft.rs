//! Checks of soft particles, and of spheres without drag or spin.

use super::Check;
use crate::case::{Boundary, Contact, Imposed, Lubrication};

impl Check<'_> {
    /// Everything about `[soft]`, and about spheres without drag or spin.
    pub(super) fn soft(&mut self) {
        let case = self.case;
        self.no_study_tables();
        if case.laws.soft.is_some() {
            let why = "[soft] has its own film and elasticity";
            let lubrication = Lubrication::default();
            self.unused("lubrication", case.laws.lubrication != lubrication, why);
            self.unused("contact", case.laws.contact != Contact::default(), why);
            self.only_across_films("soft");
        }
        self.freedom();
    }

    /// What drag and spin need.
    fn freedom(&mut self) {
        let case = self.case;
        let soft = case.laws.soft.as_ref();
        let sheared = case.drive.imposed() != Imposed::Rate(0.0);
        if !case.particles.rotation && sheared {
            let problem = "spheres in a shear flow must spin";
            self.fault("particles.rotation", problem, "leave it out");
        }
        if !case.particles.rotation {
            for (index, force) in case.force.iter().enumerate() {
                if force.torque != [0.0; 3] {
                    let problem = "spheres that do not spin take no torque";
                    let remedy = "leave it out, or set particles.rotation = true";
                    self.fault(&format!("force[{index}].torque"), problem, remedy);
                }
            }
        }
        if case.fluid.drag {
            return;
        }
        if case.laws.gluey.is_some() {
            // What these need is said with them.
            return;
        }
        if soft.is_none() {
            let problem = "only soft spheres can do without drag";
            self.fault("fluid.drag", problem, "leave it out, or make them soft with [soft]");
        } else if case.particles.rotation && !soft.is_some_and(|s| s.rolling) {
            let problem = "without drag nothing keeps spheres from rolling";
            let remedy = match sheared {
                true => "set soft.rolling = true",
                false => "set soft.rolling = true, or particles.rotation = false",
            };
            self.fault("fluid.drag", problem, remedy);
        }
        if sheared && case.domain.boundary == Boundary::Open {
            let problem = "without drag an open flow carries nothing along";
            self.fault("fluid.drag", problem, "set drive.rate = 0, or leave it out");
        }
        self.balanced();
    }

    /// Without drag only forces that add up to zero can be balanced.
    fn balanced(&mut self) {
        let case = self.case;
        let on_all = case.drive.force.iter().any(|f| *f != 0.0);
        if on_all {
            let problem = "without drag a force on all particles has no balance";
            self.fault("drive.force", problem, "set fluid.drag = true");
        }
        let mut sum = [0.0; 3];
        let mut size = 0.0;
        for force in &case.force {
            for (sum, component) in sum.iter_mut().zip(force.vector) {
                *sum += force.particles.len() as f64 * component;
                size += force.particles.len() as f64 * component.abs();
            }
        }
        if sum.iter().any(|s| s.abs() > 1e-9 * size) {
            let problem = format!("without drag forces must add up to zero, not to {sum:?}");
            self.fault("force", problem, "balance them, or set fluid.drag = true");
        }
    }
}
