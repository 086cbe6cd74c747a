//! `[drive]`: what is imposed, and until when.

use serde::{Deserialize, Serialize};

use crate::drive::{Level, Phase, Protocol, Wave};

/// `[drive]`: what is imposed, and until when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drive {
    /// Which flow is imposed.
    pub flow: FlowKind,
    /// Imposed shear rate γ̇, negative to shear backwards; filled in with [`Drive::DEFAULT_RATE`]
    /// unless something else is imposed. In extension the rate \\(\dot\epsilon\\) of stretching.
    pub rate: Option<f64>,
    /// Imposed shear stress, instead of a rate.
    pub stress: Option<f64>,
    /// Total strain at which the run ends; filled in with [`Drive::DEFAULT_STRAIN`] in a
    /// periodic domain when no other end is given, and with [`super::Accuracy::MOST_STRAIN`] when
    /// an accuracy is asked for `[1]`.
    pub strain: Option<f64>,
    /// Time at which the run ends. With both ends the first one reached counts.
    pub time: Option<f64>,
    /// Force on every particle.
    pub force: [f64; 3],
    /// Time over which all forces on particles grow from nothing; 0 = at once.
    pub ramp: f64,
    /// Time at which all forces on particles turn round; never unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_reversal: Option<f64>,
    /// An oscillation instead of a rate.
    pub oscillation: Option<Oscillation>,
    /// A shear across the flow that oscillates, beside a rate.
    pub cross: Option<Cross>,
    /// Rates or stresses one after another, instead of a single one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phase: Vec<PhaseTable>,
}

/// Which flow is imposed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// Simple shear.
    #[default]
    Shear,
    /// Planar extension.
    Extension,
}

/// `[drive.oscillation]`: the strain \\(\gamma_0\sin(2\pi f t)\\).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oscillation {
    /// Amplitude \\(\gamma_0\\) of the strain `[1]`.
    pub amplitude: f64,
    /// Cycles per time f.
    #[serde(default = "Oscillation::default_frequency")]
    pub frequency: f64,
    /// Cycles after which the run ends `[1]`.
    #[serde(default = "Oscillation::default_cycles")]
    pub cycles: f64,
}

impl Oscillation {
    fn default_frequency() -> f64 {
        1.0
    }

    fn default_cycles() -> f64 {
        20.0
    }

    /// The strain over time.
    pub fn wave(&self) -> Wave {
        Wave { amplitude: self.amplitude, frequency: self.frequency }
    }
}

/// `[drive.cross]`: the strain \\(\gamma_0\sin(2\pi f t)\\) along z.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cross {
    /// Amplitude \\(\gamma_0\\) of the strain `[1]`.
    pub amplitude: f64,
    /// Cycles per time f.
    pub frequency: f64,
}

/// `[[drive.phase]]`: a rate or stress over some strain or time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PhaseTable {
    /// Imposed rate; 0 lets the suspension rest.
    pub rate: Option<f64>,
    /// Imposed stress, instead of a rate.
    pub stress: Option<f64>,
    /// What rate or stress have become at the end; the same unless given.
    pub to: Option<f64>,
    /// How much strain it lasts `[1]`.
    pub strain: Option<f64>,
    /// How much time it lasts, instead of a strain.
    pub time: Option<f64>,
}

impl PhaseTable {
    fn phase(&self) -> Phase {
        let ends = |from: f64| [from, self.to.unwrap_or(from)];
        Phase {
            level: match self.stress {
                Some(stress) => Level::Stress(ends(stress)),
                None => Level::Rate(ends(self.rate.unwrap_or(0.0))),
            },
            strain: self.strain.unwrap_or(f64::INFINITY),
            time: self.time.unwrap_or(f64::INFINITY),
        }
    }
}

/// The shear that is imposed on the suspension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Imposed {
    /// A shear rate.
    Rate(f64),
    /// A shear stress.
    Stress(f64),
}

/// The defaults of `[drive]` that depend on what else is given.
impl Drive {
    /// Shear rate when neither rate nor stress is given.
    pub const DEFAULT_RATE: f64 = 1.0;
    /// Strain at the end of a periodic run `[1]`.
    pub const DEFAULT_STRAIN: f64 = 10.0;

    /// The shear that is imposed; where it changes, the fastest, or the largest stress if no rate
    /// is imposed.
    pub fn imposed(&self) -> Imposed {
        if let Some(oscillation) = &self.oscillation {
            return Imposed::Rate(oscillation.wave().peak_rate());
        }
        if !self.phase.is_empty() {
            let largest = |value: fn(&PhaseTable) -> Option<f64>| {
                let ends =
                    |p: &PhaseTable| value(p).map(|v| v.abs().max(p.to.map_or(0.0, f64::abs)));
                self.phase.iter().filter_map(ends).fold(0.0, f64::max)
            };
            let (rate, stress) = (largest(|p| p.rate), largest(|p| p.stress));
            return if rate > 0.0 { Imposed::Rate(rate) } else { Imposed::Stress(stress) };
        }
        match self.stress {
            Some(stress) => Imposed::Stress(stress),
            None => Imposed::Rate(self.rate.unwrap_or(Self::DEFAULT_RATE)),
        }
    }

    /// What is imposed over time.
    pub fn protocol(&self) -> Protocol {
        if let Some(oscillation) = &self.oscillation {
            return Protocol::Oscillation(oscillation.wave());
        }
        if !self.phase.is_empty() {
            return Protocol::Phases(self.phase.iter().map(PhaseTable::phase).collect());
        }
        match (self.imposed(), self.cross) {
            (Imposed::Rate(rate), Some(Cross { amplitude, frequency })) => {
                Protocol::Cross { rate, wave: Wave { amplitude, frequency } }
            }
            (Imposed::Rate(rate), None) => Protocol::Rate(rate),
            (Imposed::Stress(stress), _) => Protocol::Stress(stress),
        }
    }

    /// Whether a stress is imposed at any time.
    pub fn imposes_stress(&self) -> bool {
        self.stress.is_some() || self.phase.iter().any(|phase| phase.stress.is_some())
    }

    /// Whether the same is imposed all the time.
    pub fn is_steady(&self) -> bool {
        self.oscillation.is_none() && self.phase.is_empty()
    }

    /// Fills in the defaults that depend on what else is given, `judged` if an accuracy is asked
    /// for.
    pub fn fill_in(&mut self, judged: bool) {
        if self.is_steady() {
            if self.stress.is_none() {
                self.rate.get_or_insert(Self::DEFAULT_RATE);
            }
            if judged {
                self.strain.get_or_insert(super::Accuracy::MOST_STRAIN);
            } else if self.strain.is_none() && self.time.is_none() {
                self.strain = Some(Self::DEFAULT_STRAIN);
            }
        }
    }
}
