//! How the fluid film between two rough spheres resists.

use std::f64::consts::PI;

use super::Rough;
use crate::hydro;
use crate::laws::harmonic_radius;
use crate::laws::lubrication::Cutoff;

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
    /// The singular part of the two-sphere resistance functions; what is regular acts beside it.
    TwoBody,
}

/// How rolling and twisting are resisted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// What is left of the friction of a film that does not resist sliding: stretched springs still have
/// to relax.
const FREE_SLIDING: f64 = 1e-9;

/// Relative step of the one derivative that is taken numerically.
const SMALL: f64 = 1e-5;

/// The friction of the film at a thickness u.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Viscous {
    /// Squeeze resistance times the thickness, \\(\zeta u\\), and its slope in u `[μa²]`, `[μa]`.
    pub log_squeeze: [f64; 2],
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
        if self.cutoff == Cutoff::Truncated || self.range.is_infinite() {
            return [1.0, 0.0];
        }
        let slope = -(1.0 - LEAST_TAPER) / self.range;
        let taper = 1.0 + slope * gap;
        if taper > LEAST_TAPER { [taper, slope] } else { [LEAST_TAPER, 0.0] }
    }

    /// The film's friction at a thickness.
    pub(super) fn viscous(&self, radii: [f64; 2], gap: f64) -> Viscous {
        let mut film = match self.film {
            Film::Printed { sliding, rolling } => self.printed(radii, gap, sliding, rolling),
            Film::TwoBody => self.singular(radii, gap),
        };
        let [taper, slope] = self.taper(gap);
        let [squeeze, by_gap] = film.log_squeeze;
        film.log_squeeze = [taper * squeeze, taper * by_gap + slope * squeeze];
        film.slide *= taper;
        film.slide_roll *= taper;
        film.roll *= taper;
        film.twist *= taper;
        film
    }

    /// \[CBC20\] eqs. 3–6, the torques only while u ≤ a.
    fn printed(&self, radii: [f64; 2], gap: f64, sliding: bool, rolling: Rolling) -> Viscous {
        let a = harmonic_radius(radii);
        let eta = PI * self.viscosity;
        let mut film =
            Viscous { log_squeeze: [3.0 / 2.0 * eta * a * a, 0.0], ..Viscous::default() };
        let double = 2.0 * a + gap;
        film.slide = 0.5 * eta * (double * (double / gap).ln() - 2.0 * a);
        if !sliding {
            film.slide *= FREE_SLIDING;
        }
        let factor = match rolling {
            Rolling::Derived => 3.0 / 5.0,
            Rolling::Printed => 3.0 / 2.0,
            Rolling::None => return film,
        };
        let log = (a / gap).ln().max(0.0);
        film.roll = eta * a.powi(3) * (factor + 63.0 / 500.0 * gap / a) * log;
        film.twist = eta * a * a * gap * log;
        film
    }

    /// The singular terms of the two-sphere functions.
    fn singular(&self, radii: [f64; 2], gap: f64) -> Viscous {
        let at = |gap: f64| hydro::singular(radii, gap);
        let (here, step) = (at(gap), SMALL * gap);
        let product = |gap: f64| gap * at(gap).squeeze;
        let slope = (product(gap + step) - product(gap - step)) / (2.0 * step);
        let eta = self.viscosity;
        Viscous {
            log_squeeze: [eta * gap * here.squeeze, eta * slope],
            slide: eta * here.slide,
            slide_roll: eta * here.slide_roll,
            roll: eta * here.roll,
            twist: eta * here.twist,
        }
    }
}
