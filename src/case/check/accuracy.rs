//! Checks of `[accuracy]`.

use super::Check;
use super::range::Range::Between;
use crate::case::{Boundary, Study};

impl Check<'_> {
    /// Everything about the accuracy that is asked for.
    pub(super) fn accuracy(&mut self) {
        let Some(accuracy) = &self.case.accuracy else { return };
        if self.case.study != Study::Suspension {
            let problem = "given although only the stress of a sheared suspension is averaged";
            return self.fault("accuracy", problem, "leave it out");
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
        let remedy = "it is a fraction: 0.02 asks for a standard error of 2 %";
        self.number("accuracy.relative_error", accuracy.relative_error, Between(0.0, 1.0), remedy);
    }
}
