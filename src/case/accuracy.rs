//! The table of a run that ends when its mean is known well enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[accuracy]`: the run ends when a mean is known this well, at `drive.strain` at the latest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accuracy {
    /// Standard error of the mean over the mean at which the run may end `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1,
        "remedy" = "it is a fraction: 0.02 asks for a standard error of 2 %"
    ))]
    pub relative_error: f64,
    /// The quantity whose mean it is.
    #[serde(default)]
    pub quantity: Quantity,
}

impl Accuracy {
    /// The most strain of a run that asks for an accuracy, unless given `[1]`.
    pub const MOST_STRAIN: f64 = 50.0;
}

/// The quantities whose mean can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// η_r. Under an imposed stress it is the rate that fluctuates, and η_r with it.
    #[default]
    RelativeViscosity,
    /// Π, the particle pressure.
    ParticlePressure,
}

impl Quantity {
    /// Its column in `timeseries.csv`, and its name in a case file.
    pub fn column(self) -> &'static str {
        match self {
            Quantity::RelativeViscosity => "relative_viscosity",
            Quantity::ParticlePressure => "particle_pressure",
        }
    }

    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Quantity::RelativeViscosity => "η_r",
            Quantity::ParticlePressure => "Π",
        }
    }
}

/// A fraction in percent, to two digits.
pub(crate) fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let digits = (1.0 - percent.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{percent:.digits$} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_have_two_digits() {
        let words = [0.02, 0.1, 0.345, 0.0012, 1.5].map(percent);
        assert_eq!(words, ["2.0 %", "10 %", "34 %", "0.12 %", "150 %"]);
    }
}
