//! Checks of soft particles: the law's table, and the two studies of a few of them.

use super::Check;
use super::range::Range::{Between, From, NotNegative, Positive};
use crate::case::{
    Boundary, Case, Contact, Domain, Drive, Fluid, Imposed, Load, Lubrication, Particles, Study,
};

/// The reduced forces that can be computed `[1]`.
const HARDEST: f64 = 1e-7;
const SOFTEST: f64 = 3.0;

/// The gaps that can be computed `[R]`.
const THINNEST: f64 = 1e-7;
const THICKEST: f64 = 10.0;

impl Check<'_> {
    /// Everything about `[soft]`, and about spheres without drag or spin.
    pub(super) fn soft(&mut self) {
        let case = self.case;
        for study in Study::ALL {
            if case.has_table(study) {
                let problem = "given although the study is \"suspension\"";
                let remedy =
                    format!("add study = \"{}\" at the top, or leave it out", study.name());
                self.fault(study.table(), problem, remedy);
            }
        }
        if let Some(soft) = &case.soft {
            let stiff = "it is Young's modulus in the unit of stress, as in 1e4";
            self.number("soft.modulus", soft.modulus, Positive, stiff);
            self.factors("soft", [soft.c_n, soft.c_t]);
            let range = "it is the thickness at which a film ends, as in 0.5";
            self.optional("soft.range", soft.range, Positive, range);
            let why = "[soft] has its own film and elasticity";
            let lubrication = Lubrication::default();
            self.unused("lubrication", case.lubrication != lubrication, why);
            self.unused("contact", case.contact != Contact::default(), why);
        }
        self.freedom();
    }

    /// What drag and spin need.
    fn freedom(&mut self) {
        let case = self.case;
        let soft = case.soft.as_ref();
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
        if case.gluey.is_some() {
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

    /// The studies of a few soft spheres.
    pub(super) fn group(&mut self) {
        match self.case.study {
            Study::T1 => self.t1(),
            Study::SoftPair => self.soft_pair(),
            Study::Settle => self.settle(),
            Study::PairShear => self.pair_shear(),
            Study::Collision => self.collision(),
            Study::GlueyPlane => self.gluey_plane(),
            Study::Suspension => {}
        }
        self.nothing_else();
        self.time();
        self.solver();
        self.output();
    }

    fn t1(&mut self) {
        let t1 = self.case.t1.clone().unwrap_or_default();
        self.force_and_gap("t1", t1.kappa, t1.gap);
        self.factors("t1", [t1.c_n, t1.c_t]);
        self.number("t1.ramp", t1.ramp, NotNegative, "1 is the paper's");
        let share = "0.99 is the paper's";
        self.number("t1.completion", t1.completion, Between(0.0, 1.0), share);
        let longest = "leave it out to have it chosen";
        self.optional("t1.max_time", t1.max_time, Positive, longest);
    }

    fn soft_pair(&mut self) {
        let pair = self.case.soft_pair.clone().unwrap_or_default();
        self.force_and_gap("soft_pair", pair.kappa, pair.gap);
        let factor = "1 and 2 are the paper's";
        self.number("soft_pair.c_n", pair.c_n, Positive, factor);
        self.number("soft_pair.ramp", pair.ramp, NotNegative, "0 is at once");
        let (end, pulled) = (pair.end_gap(), pair.load == Load::Pull);
        self.number("soft_pair.end_gap", end, Positive, "it is in units of the radius");
        if (pulled && end <= pair.gap) || (!pulled && end >= pair.gap) {
            let problem = format!("{end:?} is never reached from gap = {:?}", pair.gap);
            let remedy = "a film that is pulled ends thicker, one that is pressed thinner";
            self.fault("soft_pair.end_gap", problem, remedy);
        }
        let longest = "leave it out to have it chosen";
        self.optional("soft_pair.max_time", pair.max_time, Positive, longest);
    }

    fn force_and_gap(&mut self, table: &str, kappa: f64, gap: f64) {
        let soft = "it is force over modulus, as in 3e-3; rounding hides smaller deflections, and \
                    softer spheres are squashed";
        self.number(&format!("{table}.kappa"), kappa, From(HARDEST, SOFTEST), soft);
        let apart = "spheres must not overlap at the start, and films are thin, as in 1e-2";
        self.number(&format!("{table}.gap"), gap, From(THINNEST, THICKEST), apart);
    }

    fn factors(&mut self, table: &str, [c_n, c_t]: [f64; 2]) {
        let factor = "1 and 2 are the paper's";
        self.number(&format!("{table}.c_n"), c_n, Positive, factor);
        self.number(&format!("{table}.c_t"), c_t, Positive, factor);
    }

    /// Tables that these studies make themselves.
    fn nothing_else(&mut self) {
        let Case { study, particles, domain, fluid, lubrication, contact, drive, .. } = self.case;
        let case = self.case;
        let own = study.table();
        let why = format!("[{own}] says all of it");
        self.unused("particles", *particles != Particles::default(), &why);
        self.unused("domain", *domain != Domain::default(), &why);
        self.unused("fluid", *fluid != Fluid::default(), &why);
        self.unused("lubrication", *lubrication != Lubrication::default(), &why);
        self.unused("contact", *contact != Contact::default(), &why);
        self.unused("drive", *drive != Drive::default(), &why);
        self.unused("soft", case.soft.is_some(), &why);
        self.unused("rough", case.rough.is_some(), &why);
        self.unused("repulsion", case.repulsion.is_some(), &why);
        self.unused("attraction", case.attraction.is_some(), &why);
        self.unused("force", !case.force.is_empty(), &why);
        self.unused("obstacle", !case.obstacle.is_empty(), &why);
        self.unused("gluey", *study != Study::GlueyPlane && case.gluey.is_some(), &why);
        for other in Study::ALL {
            let why = format!("the study is another, with [{own}]");
            self.unused(other.table(), other != *study && case.has_table(other), &why);
        }
    }

    /// Notes a fault for a table that has no meaning here.
    pub(super) fn unused(&mut self, table: &str, there: bool, why: &str) {
        if there {
            self.fault(table, format!("given although {why}"), "leave it out");
        }
    }
}
