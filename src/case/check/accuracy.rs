//! Checks of `[accuracy]`.

use super::Check;
use crate::case::Boundary;

impl Check<'_> {
    /// Everything about the accuracy that is asked for.
    pub fn accuracy(&mut self) {
        if self.case.accuracy.is_none() {
            return;
        }
        if self.case.domain.boundary == Boundary::Open {
            let problem = "given although an open domain has no stress to average";
            let remedy = "leave it out, or set domain.boundary = \"periodic\"";
            self.fault("accuracy", problem, remedy);
        }
        if !self.case.drive.is_steady() {
            let problem = "given although only a steady flow has a mean";
            self.fault("accuracy", problem, "leave it out, or impose a steady rate or stress");
        }
    }

    /// An accuracy that is asked for where nothing is averaged.
    pub fn no_accuracy(&mut self) {
        if self.case.accuracy.is_some() {
            let problem = "given although only the stress of a sheared suspension is averaged";
            self.fault("accuracy", problem, "leave it out");
        }
    }
}
