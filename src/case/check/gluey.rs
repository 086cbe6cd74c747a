//! Checks of `[gluey]`, and of motion in a plane.

use super::Check;
use crate::case::{Contact, FlowKind, Gluey};

impl Check<'_> {
    /// Everything about contacts that are constraints.
    pub fn gluey(&mut self) {
        let case = self.case;
        let Some(gluey) = &case.laws.gluey else { return };
        self.glue(gluey);
        self.refuse(&["gluey.gap"], "it is for the study \"gluey-plane\"");
        let why = "[gluey] keeps particles apart without springs";
        self.unused("contact", case.laws.contact != Contact::default(), why);
        for (table, there) in
            [("soft", case.laws.soft.is_some()), ("rough", case.laws.rough.is_some())]
        {
            self.unused(table, there, "[gluey] has its own films");
        }
        self.unused("inertia", case.inertia.is_some(), "gluey.inertia says it");
        if case.drive.imposes_stress() {
            let problem = "constraints need a shear rate, and a stress is imposed";
            self.fault("gluey", problem, "give drive.rate");
        }
        if !case.fluid.drag && !gluey.inertia {
            let problem = "without drag and without inertia nothing resists a force";
            self.fault("fluid.drag", problem, "leave it out, or set gluey.inertia = true");
        }
    }

    /// Keys of least γ and of masses that exclude each other.
    pub fn glue(&mut self, gluey: &Gluey) {
        if gluey.roughness.is_some() {
            self.refuse(&["gluey.gamma_min"], "gluey.roughness says it");
        }
        if gluey.mass.is_some() {
            self.refuse(&["gluey.density"], "gluey.mass says it");
        }
        if !gluey.inertia {
            self.refuse(&["gluey.mass", "gluey.density"], "gluey.inertia is false");
        }
    }

    /// What motion in a plane needs.
    pub fn planar(&mut self) {
        let case = self.case;
        let moving = case.laws.gluey.as_ref().is_some_and(|gluey| gluey.inertia);
        if case.particles.velocities.is_some() && !moving {
            let problem = "given although particles have no inertia that would carry them on";
            self.fault("particles.velocities", problem, "set gluey.inertia = true in [gluey]");
        }
        if !case.particles.planar {
            return;
        }
        let remedy = "set it to 0, or particles.planar = false";
        let away = "points out of the plane of x and y";
        if case.drive.force[2] != 0.0 {
            self.fault("drive.force", away, remedy);
        }
        for (k, force) in case.force.iter().enumerate() {
            if force.vector[2] != 0.0 {
                self.fault(&format!("force[{k}].vector"), away, remedy);
            }
            if force.torque[0] != 0.0 || force.torque[1] != 0.0 {
                self.fault(&format!("force[{k}].torque"), away, remedy);
            }
        }
        let same = "give all positions the same z, or set particles.planar = false";
        let heights = case.particles.positions.iter().flatten().map(|x| x[2]);
        let heights: Vec<f64> = heights.collect();
        if let Some(k) = heights.iter().position(|z| *z != heights[0]) {
            let key = format!("particles.positions[{k}]");
            self.fault(&key, "is out of the plane of the others", same);
        }
        if case.particles.region.is_some_and(|[low, high]| low[2] != high[2]) {
            self.fault("particles.region", "has a depth", "give both corners the same z");
        }
        self.refuse(&["drive.cross"], "particles.planar keeps particles in the plane of x and y");
        if case.drive.flow == FlowKind::Extension {
            let problem = "a layer can be sheared only";
            self.fault("drive.flow", problem, "leave it out, or set particles.planar = false");
        }
    }
}
