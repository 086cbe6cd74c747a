//! How far a run is, and where it will end.

use super::{Counts, Run};
use crate::case::Study;
use crate::study::{collision, gluey, pair_shear, settle, soft_pair, t1};

impl Run {
    /// The progress of a run: strain, or cycles of an oscillation, or time when nothing is sheared.
    pub fn at(&self) -> f64 {
        let clock = &self.state.suspension.clock;
        self.counts().at(clock.path, clock.time)
    }

    /// Where the progress ends, or is expected to. A run that asks for an accuracy learns it on its
    /// way.
    pub fn end(&self) -> f64 {
        match self.case.study {
            Study::T1 => return t1::table(&self.case).likely_end(),
            Study::SoftPair => return soft_pair::table(&self.case).expected_time(),
            Study::Settle => return settle::response::likely_end(&self.case, self.at()),
            Study::PairShear => return pair_shear::table(&self.case).expected_strain(),
            Study::Collision => return collision::expected_time(&self.case),
            Study::GlueyPlane => return gluey::plane::end().time,
            Study::Suspension => {}
        }
        let most = self.counts().end(self.stepper.protocol(), &self.end);
        self.state.stopping.likely_end().map_or(most, |likely| likely.min(most))
    }

    /// What the progress counts.
    pub fn counts(&self) -> Counts {
        Counts::of(self.stepper.protocol(), &self.end)
    }
}
