//! How far a run is, and where it will end.

use super::{Counts, Run};

impl Run {
    /// The progress of a run: strain, or cycles of an oscillation, or time when nothing is sheared.
    pub fn at(&self) -> f64 {
        let clock = &self.state.suspension.clock;
        self.counts().at(clock.path, clock.time)
    }

    /// Where the progress ends, or is expected to. A run that asks for an accuracy learns it on its
    /// way.
    pub fn end(&self) -> f64 {
        if let Some(likely) = self.study.likely_end(self.at()) {
            return likely;
        }
        let most = self.counts().end(self.stepper.protocol(), &self.end);
        self.state.stopping.likely_end().map_or(most, |likely| likely.min(most))
    }

    /// What the progress counts.
    pub fn counts(&self) -> Counts {
        Counts::of(self.stepper.protocol(), &self.end)
    }
}
