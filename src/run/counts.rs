//! What the progress of a run counts.

use crate::drive::Protocol;
use crate::integrate::{End, Observation};

/// What the progress of a run counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counts {
    /// Strain, in either direction.
    Strain,
    /// Time `[t]`.
    Time,
    /// Cycles of an oscillation of a frequency `[1/t]`.
    Cycles(f64),
}

impl Counts {
    /// What counts where something is imposed until an end.
    pub fn of(protocol: &Protocol, end: &End) -> Self {
        match protocol {
            Protocol::Oscillation(wave) => Counts::Cycles(wave.frequency),
            _ if end.strain.is_finite() || protocol.counts_strain() => Counts::Strain,
            _ => Counts::Time,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Counts::Strain => "strain",
            Counts::Time => "time",
            Counts::Cycles(_) => "cycles",
        }
    }

    /// How far a run is after strain in either direction, and time.
    pub fn at(self, path: f64, time: f64) -> f64 {
        match self {
            Counts::Strain => path,
            Counts::Time => time,
            Counts::Cycles(frequency) => time * frequency,
        }
    }

    /// How far a run is after a step.
    pub fn after(self, seen: &Observation) -> f64 {
        self.at(seen.path, seen.time)
    }

    /// Where a run ends, or is expected to.
    pub fn end(self, protocol: &Protocol, end: &End) -> f64 {
        let phases = protocol.length(self == Counts::Strain);
        phases.unwrap_or_else(|| match end.strain.is_finite() {
            true => end.strain,
            false => self.at(end.strain, end.time),
        })
    }
}
