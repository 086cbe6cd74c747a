//! How the fluid film between two rough spheres resists.

use std::f64::consts::PI;

use super::Rough;
use crate::hydro;
use crate::laws::{Resistance, harmonic_radius, is_flat};

/// Which formulas the film follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Film {
    /// Those of \[CBC20\] eqs. 3–6.
    Printed {
        /// Whether sliding is resisted.
        sliding: bool,
        /// How rolling and twisting are.
        rolling: Rolling,
    },
    /// The singular part of the two-sphere resistance functions; what is regular acts beside it. At
    /// flat walls, where there are no such functions, those of eqs. 3–6.
    TwoBody,
}

/// How a film begins at its range.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Beginning {
    /// With nothing, and grows in proportion to how far inside the range it is.
    #[default]
    Smooth,
    /// With all of it.
    Truncated,
}

/// How rolling and twisting are resisted.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Rolling {
    /// With the factor 3/5 that Jeffrey and Onishi give at leading order.
    #[default]
    Derived,
    /// With the factor 3/2 that is printed in \[CBC20\] eq. 5.
    Printed,
    /// Not at all.
    None,
}

/// What is left of the film's friction at its range.
const LEAST_TAPER: f64 = 1e-3;

/// Films may be thinner than any number but count as this thick in logarithms `[a]`.
const THINNEST: f64 = 1e-300;

/// What is left of the friction of a film that does not resist sliding: stretched springs still
/// have to relax.
const FREE_SLIDING: f64 = 1e-9;

/// The friction of the film at a thickness u, but for that of squeezing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Viscous {
    /// \\(\nu_t\\) `[μa]`.
    pub slide: f64,
    /// What couples sliding and rolling `[μa²]`.
    pub slide_roll: f64,
    /// `[μa³]`.
    pub roll: f64,
    /// `[μa³]`.
    pub twist: f64,
}

impl Rough {
    /// The share of the film's friction that acts at a thickness, and its slope.
    fn taper(&self, gap: f64) -> [f64; 2] {
        if self.range.is_infinite() {
            return [1.0, 0.0];
        }
        if self.beginning == Beginning::Truncated {
            // Surfaces that feel each other only from afar still have a definite velocity.
            return [if gap < self.range { 1.0 } else { LEAST_TAPER }, 0.0];
        }
        let slope = -(1.0 - LEAST_TAPER) / self.range;
        let taper = 1.0 + slope * gap;
        if taper > LEAST_TAPER { [taper, slope] } else { [LEAST_TAPER, 0.0] }
    }

    /// Which formulas the film between these follows.
    fn film_of(&self, radii: [f64; 2]) -> Film {
        match self.film {
            Film::TwoBody if is_flat(radii) => {
                Film::Printed { sliding: true, rolling: Rolling::Derived }
            }
            film => film,
        }
    }

    /// Squeeze resistance times the thickness, \\(\zeta u\\), and its slope in u `[μa²]`, `[μa]`.
    pub(super) fn log_squeeze(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        let gap = gap.max(THINNEST);
        let [squeeze, by_gap] = match self.film_of(radii) {
            Film::Printed { .. } => [3.0 / 2.0 * PI * harmonic_radius(radii).powi(2), 0.0],
            Film::TwoBody => hydro::Singular::new(radii).log_squeeze(gap),
        };
        let [taper, slope] = self.taper(gap).map(|share| self.viscosity * share);
        [taper * squeeze, taper * by_gap + slope * squeeze]
    }

    /// The film's friction at a thickness against all other rates.
    pub(super) fn viscous(&self, radii: [f64; 2], gap: f64) -> Viscous {
        let gap = gap.max(THINNEST);
        let film = match self.film_of(radii) {
            Film::Printed { sliding, rolling } => printed(radii, gap, sliding, rolling),
            Film::TwoBody => {
                let Resistance { slide, slide_roll, roll, twist, .. } = hydro::singular(radii, gap);
                Viscous { slide, slide_roll, roll, twist }
            }
        };
        let share = self.viscosity * self.taper(gap)[0];
        Viscous {
            slide: share * film.slide,
            slide_roll: share * film.slide_roll,
            roll: share * film.roll,
            twist: share * film.twist,
        }
    }
}

/// \[CBC20\] eqs. 4–6 for a viscosity of 1, the torques only while u ≤ a.
fn printed(radii: [f64; 2], gap: f64, sliding: bool, rolling: Rolling) -> Viscous {
    let a = harmonic_radius(radii);
    let double = 2.0 * a + gap;
    let slide = 0.5 * PI * (double * (double / gap).ln() - 2.0 * a);
    let slide = if sliding { slide } else { FREE_SLIDING * slide };
    let factor = match rolling {
        Rolling::Derived => 3.0 / 5.0,
        Rolling::Printed => 3.0 / 2.0,
        Rolling::None => return Viscous { slide, ..Viscous::default() },
    };
    let log = (a / gap).ln().max(0.0);
    Viscous {
        slide,
        slide_roll: 0.0,
        roll: PI * a.powi(3) * (factor + 63.0 / 500.0 * gap / a) * log,
        twist: PI * a * a * gap * log,
    }
}
