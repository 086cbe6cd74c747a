//! `[drive]`: what is imposed, and until when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::drive::{Level, Phase, Protocol, Wave};

/// `[drive]`: what is imposed, and until when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Drive {
    /// Which flow is imposed.
    pub flow: FlowKind,
    /// Imposed shear rate γ̇, negative to shear backwards; in extension, the rate ε̇ of stretching
    /// `[1/time]`.
    #[schemars(extend(
        "otherwise" = "1, unless a stress, an oscillation or phases are imposed",
        "within" = "any number but 0; in open space also 0"
    ))]
    pub rate: Option<f64>,
    /// Imposed shear stress, instead of a rate `[force/length²]`.
    #[schemars(extend("notZero" = true, "remedy" = "give a stress, or impose drive.rate"))]
    pub stress: Option<f64>,
    /// Strain at which the run ends, counted in either direction of shear `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "in a periodic domain 10 if `drive.time` is not given, 50 with `[accuracy]`",
        "remedy" =
            "it counts up in either direction; a negative drive.rate shears backwards"
    ))]
    pub strain: Option<f64>,
    /// Time at which the run ends. With both ends, the first one reached counts `[time]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "give the time at which the run ends"))]
    pub time: Option<f64>,
    /// Force on every particle `[force]`.
    pub force: [f64; 3],
    /// Time over which all forces on particles grow from nothing; 0 lets them act at once
    /// `[time]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 lets forces act at once"))]
    pub ramp: f64,
    /// Time at which all forces on particles turn round `[time]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "never", "remedy" = "give a time"
    ))]
    pub force_reversal: Option<f64>,
    /// The strain γ₀ sin(2πft), instead of a rate; none unless given.
    pub oscillation: Option<Oscillation>,
    /// The strain γ₀ sin(2πft) along z, across the flow, beside a rate; none unless given.
    pub cross: Option<Cross>,
    /// Rates or stresses one after another, instead of a single one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phase: Vec<PhaseTable>,
}

/// Which flow is imposed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// Simple shear.
    #[default]
    Shear,
    /// Planar extension.
    Extension,
}

/// `[drive.oscillation]`: the strain γ₀ sin(2πft).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Oscillation {
    /// Amplitude γ₀ of the strain `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "give the largest strain, as in 0.1"
    ))]
    pub amplitude: f64,
    /// Cycles per time, f `[1/time]`.
    #[serde(default = "Oscillation::default_frequency")]
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "give cycles per time, as in 1.0"))]
    pub frequency: f64,
    /// Cycles after which the run ends `[1]`.
    #[serde(default = "Oscillation::default_cycles")]
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "20 is the default"))]
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

/// `[drive.cross]`: beside a rate, the strain γ₀ sin(2πft) along z, across the flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cross {
    /// Amplitude γ₀ of the strain `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "give the largest strain across, as in 0.1"
    ))]
    pub amplitude: f64,
    /// Cycles per time, f `[1/time]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "give cycles per time, as in 1.0"))]
    pub frequency: f64,
}

/// `[[drive.phase]]`: a rate or a stress over some strain or time, one phase after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PhaseTable {
    /// Imposed rate; 0 lets the suspension rest `[1/time]`.
    pub rate: Option<f64>,
    /// Imposed stress, instead of a rate `[force/length²]`.
    pub stress: Option<f64>,
    /// What the rate or the stress has become at the end, growing evenly
    /// `[1/time or force/length²]`.
    #[schemars(extend("otherwise" = "the same as at the beginning"))]
    pub to: Option<f64>,
    /// Strain that it lasts `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "say how long it lasts, with strain or time"
    ))]
    pub strain: Option<f64>,
    /// Time that it lasts, instead of a strain `[time]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "say how long it lasts, with strain or time"
    ))]
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
