//! `curve_fit.json`: where each curve diverges with φ.
//!
//! The particle pressure is all contacts, and diverges as Π = K [φ/(φ_J − φ)]² (\[GB20\], Boyer et
//! al. 2011): its fit tells φ_J. The viscosity has a share of the fluid besides and no agreed
//! exponent; what its points say of φ_J with the exponent free is told as well.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::curve::CurveTable;
use super::names::{Curve, FRACTION, curves_along};
use crate::Error;
use crate::plot::with_error;
use crate::record::column::Description;
use crate::record::keys::{Described, described};
use crate::record::{Scalar, atomic};
use crate::stats::{Divergence, Measured, divergence, divergence_with_exponent};

/// Exponents whose fits stand beside the free one, to show what the choice does: that of Mari et
/// al. 2014 for frictionless spheres, and that of Boyer et al. 2011.
const EXPONENTS: [f64; 2] = [1.6, 2.0];

/// The exponent with which the particle pressure diverges.
const PRESSURE_EXPONENT: f64 = 2.0;

/// The fits of Π = K [φ/(φ_J − φ)]² and η_r = A (1 − φ/φ_J)^−λ to a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct JammingFit {
    /// What tells the curve from others in figures, `μ_p = 1`; empty if it is the only one.
    pub label: String,
    /// The same in lines of text, `friction = 1`.
    pub name: String,
    /// The keys that do not vary along it.
    pub settings: Vec<(String, Scalar)>,
    /// The fit of Π/φ² with λ = 2; none if there are too few points, or they do not say where it
    /// diverges.
    pub pressure: Option<Divergence>,
    /// The fit of η_r with λ free; none likewise.
    pub fit: Option<Divergence>,
    /// Fits with given exponents.
    pub given: Vec<Divergence>,
}

impl JammingFit {
    /// `φ_J = 0.652 ± 0.004 (λ = 1.9)` of the viscosity, if it is known.
    pub fn words(&self) -> Option<String> {
        self.fit.as_ref().map(in_words)
    }

    /// The same of the pressure.
    pub fn pressure_words(&self) -> Option<String> {
        self.pressure.as_ref().map(in_words)
    }
}

fn in_words(fit: &Divergence) -> String {
    let at = with_error(fit.at, Some(fit.at_stderr));
    format!("φ_J = {at} (λ = {:.1})", fit.exponent)
}

/// One fit for each curve along the volume fraction with four points or more.
pub(super) fn jamming_fits(table: &CurveTable) -> Vec<JammingFit> {
    let Some(across) = table.place(FRACTION) else { return Vec::new() };
    if table.numbers(across).len() < 4 {
        return Vec::new();
    }
    let measured = |index: &usize, name: &str| {
        let row = &table.rows[*index];
        let found = row.result(name)?;
        Some(Measured { x: row.settings[across].number()?, y: found.mean, stderr: found.stderr? })
    };
    let reduced =
        |p: Measured| Measured { y: p.y / p.x.powi(2), stderr: p.stderr / p.x.powi(2), ..p };
    let curves = curves_along(table, across).into_iter();
    let fit = curves.map(|curve| {
        let of = |name| curve.rows.iter().filter_map(move |row| measured(row, name));
        let points: Vec<Measured> = of("relative_viscosity").collect();
        let pressures: Vec<Measured> = of("particle_pressure").map(reduced).collect();
        let pressure = divergence_with_exponent(&pressures, PRESSURE_EXPONENT);
        let fit = divergence(&points);
        let given = EXPONENTS.iter().filter_map(|e| divergence_with_exponent(&points, *e));
        let given = given.collect();
        let Curve { label, name, settings, .. } = curve;
        (points.len(), JammingFit { label, name, settings, pressure, fit, given })
    });
    fit.filter(|(points, _)| *points >= 4).map(|(_, fit)| fit).collect()
}

described! {
    /// A fit as it is written.
    #[derive(Serialize)]
    struct Written {
        /// The swept keys that do not vary along the curve `[as in the case]`.
        curve: Map<String, Value>,
        /// The law of the pressure.
        pressure_law: &'static str,
        /// The fit of Π; none if the points do not tell where it diverges.
        pressure_fit: Option<WrittenFit>,
        /// The law of the viscosity.
        law: &'static str,
        /// The fit of η with a free exponent; none likewise.
        fit: Option<WrittenFit>,
        /// Fits of η with given exponents.
        with_given_exponent: Vec<WrittenFit>,
    }

    /// What was fitted, every name in the words of the law.
    #[derive(Serialize)]
    struct WrittenFit {
        /// Where the law diverges, φ_J `[1]`.
        jamming_fraction: f64,
        /// Standard error of φ_J `[1]`.
        jamming_fraction_stderr: f64,
        /// The range of φ_J that fits nearly as well `[1]`.
        interval: [f64; 2],
        /// Standard error of φ_J by leaving out one point after the other `[1]`.
        jackknife_stderr: Option<f64>,
        /// Exponent λ `[1]`.
        exponent: f64,
        /// Its standard error; 0 where it is given `[1]`.
        exponent_stderr: f64,
        /// Amplitude A or K `[as in the law]`.
        amplitude: f64,
        /// The smallest φ that was fitted `[1]`.
        fitted_from: f64,
        /// How many points were fitted.
        fitted_points: usize,
        /// χ² of the fit `[1]`.
        chi_squared: f64,
        /// Its degrees of freedom.
        degrees_of_freedom: usize,
        /// Whether χ² is as small as errors of that size make it.
        good_fit: bool,
    }
}

/// The keys of a curve in `curve_fit.json`.
pub(super) fn keys() -> Vec<Description> {
    Written::keys()
}

impl From<&Divergence> for WrittenFit {
    fn from(fit: &Divergence) -> Self {
        Self {
            jamming_fraction: fit.at,
            jamming_fraction_stderr: fit.at_stderr,
            interval: fit.interval,
            jackknife_stderr: fit.jackknife,
            exponent: fit.exponent,
            exponent_stderr: fit.exponent_stderr,
            amplitude: fit.amplitude,
            fitted_from: fit.from,
            fitted_points: fit.points,
            chi_squared: fit.chi_squared,
            degrees_of_freedom: fit.freedom,
            good_fit: fit.good(),
        }
    }
}

/// Replaces a file by the fits as JSON.
pub(super) fn write_fits(path: &Path, fits: &[JammingFit]) -> Result<(), Error> {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Whole(number) => Value::from(*number),
        Scalar::Number(number) => Value::from(*number),
        Scalar::Flag(flag) => Value::from(*flag),
        Scalar::Text(text) => Value::from(text.clone()),
    };
    let written = |fit: &JammingFit| Written {
        curve: fit.settings.iter().map(|(key, setting)| (key.clone(), value(setting))).collect(),
        pressure_law: "particle_pressure = amplitude * phi^2 * (1 - phi / jamming_fraction)^-exponent",
        pressure_fit: fit.pressure.as_ref().map(WrittenFit::from),
        law: "relative_viscosity = amplitude * (1 - phi / jamming_fraction)^-exponent",
        fit: fit.fit.as_ref().map(WrittenFit::from),
        with_given_exponent: fit.given.iter().map(WrittenFit::from).collect(),
    };
    atomic::write_json(path, &fits.iter().map(written).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::curve::tests::table;
    use super::*;

    #[test]
    fn a_curve_says_where_it_jams() {
        let summary = |phi: f64| {
            let eta = 1.4 * (1.0 - phi / 0.64).powf(-1.6);
            let error = 0.01 * eta;
            let (pressure, its) = (0.8 * (phi / (0.64 - phi)).powi(2), 0.02 * phi);
            format!(
                "{{\"relative_viscosity\": {{\"mean\": {eta}, \"stderr\": {error}}}, \
                 \"particle_pressure\": {{\"mean\": {pressure}, \"stderr\": {its}}}}}"
            )
        };
        let points: Vec<(f64, String)> =
            [0.4, 0.45, 0.5, 0.55, 0.58].map(|phi| (phi, summary(phi))).to_vec();
        let rows: Vec<(f64, i64, &str)> = points.iter().map(|(x, s)| (*x, 1, &**s)).collect();
        let fits = jamming_fits(&CurveTable::new(&table(&rows)));
        assert_eq!(fits.len(), 1);
        let words = fits[0].words().unwrap();
        assert!(words.starts_with("φ_J = 0.640") && words.ends_with("(λ = 1.6)"), "{words}");
        let words = fits[0].pressure_words().unwrap();
        assert!(words.starts_with("φ_J = 0.640") && words.ends_with("(λ = 2.0)"), "{words}");
        assert!((fits[0].given[0].at - 0.64).abs() < 1e-4, "{:?}", fits[0].given);
        assert!(jamming_fits(&CurveTable::new(&table(&rows[..3]))).is_empty());
    }
}
