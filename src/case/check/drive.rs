//! Checks of what is imposed.

use super::Check;
use super::range::Range::NotZero;
use crate::case::{Boundary, FlowKind, Imposed, PhaseTable};

impl Check<'_> {
    pub(super) fn drive(&mut self) {
        let drive = &self.case.drive;
        let periodic = self.case.domain.boundary == Boundary::Periodic;
        if drive.rate.is_some() && drive.stress.is_some() {
            let problem = "given although drive.rate is given as well";
            self.fault("drive.stress", problem, "impose either a rate or a stress");
        }
        if periodic {
            let remedy = "give a shear rate, or impose drive.stress";
            self.number("drive.rate", drive.rate.unwrap_or(1.0), NotZero, remedy);
        } else {
            self.refuse(&["drive.stress"], "an open domain has no stress, only drive.rate");
            let keys = ["drive.oscillation", "drive.cross", "drive.phase"];
            self.refuse(&keys, "an open domain has only drive.rate");
        }
        self.oscillation();
        self.cross();
        self.phases();
        if drive.flow == FlowKind::Extension {
            self.extension();
        }
    }

    fn oscillation(&mut self) {
        if self.case.drive.oscillation.is_none() {
            return;
        }
        let reason = "drive.oscillation says what is imposed, and for how many cycles";
        self.refuse(
            &["drive.rate", "drive.stress", "drive.strain", "drive.time", "drive.phase"],
            reason,
        );
    }

    fn cross(&mut self) {
        if self.case.drive.cross.is_some() {
            let keys = ["drive.stress", "drive.oscillation", "drive.phase"];
            self.refuse(&keys, "drive.cross goes with a steady drive.rate");
        }
    }

    fn phases(&mut self) {
        let phases = self.case.drive.phase.clone();
        if phases.is_empty() {
            return;
        }
        let reason = "drive.phase says what is imposed, and until when";
        self.refuse(&["drive.rate", "drive.stress", "drive.strain", "drive.time"], reason);
        for (index, phase) in phases.iter().enumerate() {
            self.phase(&format!("drive.phase[{index}]"), phase);
        }
        let moves = |p: &PhaseTable| [p.rate, p.stress, p.to].iter().flatten().any(|v| *v != 0.0);
        if !phases.iter().any(moves) {
            let problem = "nothing flows in any phase";
            self.fault(
                "drive.phase",
                problem,
                "give a rate or a stress other than 0 in one of them",
            );
        }
    }

    fn phase(&mut self, key: &str, phase: &PhaseTable) {
        let either = "impose either a rate or a stress";
        match (phase.rate, phase.stress) {
            (None, None) => self.fault(key, "has neither rate nor stress", either),
            (Some(_), Some(_)) => self.fault(key, "has both rate and stress", either),
            _ => {}
        }
        let lasts = "say how long it lasts, with strain or time";
        match (phase.strain, phase.time) {
            (None, None) => self.fault(key, "has neither strain nor time", lasts),
            (Some(_), Some(_)) => self.fault(key, "has both strain and time", "give one of them"),
            _ => {}
        }
        let through_zero = match (phase.rate.or(phase.stress), phase.to) {
            (Some(from), Some(to)) => from * to <= 0.0,
            (Some(from), None) => from == 0.0,
            _ => false,
        };
        if through_zero && phase.strain.is_some() {
            let problem = "a strain may never be reached where nothing flows";
            self.fault(&format!("{key}.strain"), problem, "give the time that it lasts instead");
        }
    }

    fn extension(&mut self) {
        let case = self.case;
        if case.domain.boundary == Boundary::Open {
            let problem = "an open domain knows only shear";
            self.fault("drive.flow", problem, "set domain.boundary = \"periodic\"");
        }
        self.refuse(&["drive.stress"], "extension is imposed by drive.rate");
        if case.drive.phase.iter().any(|phase| phase.stress.is_some()) {
            let problem = "a stress in a phase, but extension is imposed by a rate";
            self.fault("drive.phase", problem, "give rates");
        }
        self.refuse(&["drive.cross"], "only a shear has another across it");
        if case.laws.soft.is_some() || case.laws.rough.is_some() {
            let table = if case.laws.soft.is_some() { "soft" } else { "rough" };
            let problem = format!("spheres of [{table}] can be sheared only");
            self.fault("drive.flow", problem, format!("leave out [{table}], or set \"shear\""));
        }
        let aspect = case.domain.aspect;
        if aspect[0] != aspect[1] {
            let problem = "a box that is stretched must be square in the plane of the flow";
            self.fault("domain.aspect", problem, "make its first two numbers the same");
        }
        if case.particles.positions.is_some() {
            let problem = "positions are for boxes that are sheared";
            self.fault("particles.positions", problem, "give count and volume_fraction, or a file");
        }
    }

    pub(super) fn end(&mut self) {
        let drive = &self.case.drive;
        let at_rest = drive.imposed() == Imposed::Rate(0.0);
        let open = self.case.domain.boundary == Boundary::Open;
        if open && at_rest && drive.strain.is_some() {
            let remedy = "end the run with drive.time";
            self.fault("drive.strain", "never reached at drive.rate = 0", remedy);
        } else if open && at_rest && drive.time.is_none() {
            let remedy = "say when the run ends, as in drive.time = 10";
            self.fault("drive.time", "missing at drive.rate = 0", remedy);
        } else if open && drive.time.is_none() && drive.strain.is_none() {
            let remedy = "say when the run ends, with drive.strain or drive.time";
            self.fault("drive.strain", "missing in an open domain", remedy);
        }
    }
}
