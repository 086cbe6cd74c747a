//! Figures of pooled curves: viscosities against the volume fraction, flow curves, or the viscosity
//! against whatever was varied.

use std::path::Path;

use super::band::Banded;
use super::correlations::{normal_viscosities, viscosities};
use super::curve::{CurveRow, CurveTable};
use super::jamming::JammingFit;
use super::names::{Curve, FRACTION, RATE, STRESS, curves_along, symbol};
use crate::Error;
use crate::case::{Case, Imposed};
use crate::laws::repulsion::RepulsionTable;
use crate::plot::{Axis, Band, CurveFigure, Line, PlotError, Points, curve};
use crate::stats::Divergence;
use crate::study::suspension::particles::smallest_radius;
use crate::study::sweep::{FIGURE, axis};

/// The figures, without their extensions.
const VISCOSITY: &str = "viscosity";
const NORMAL_VISCOSITY: &str = "normal_viscosity";
const FLOW_CURVE: &str = "flow_curve";
const FLOW_CURVE_STRESS: &str = "flow_curve_stress";

/// Names of the results.
const ETA: &str = "relative_viscosity";
const PRESSURE: &str = "particle_pressure";

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;

/// Points of a fitted line.
const LINE_POINTS: usize = 200;

/// Curves with what goes with them in figures.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub table: &'a CurveTable,
    /// What other ranges give, if the curves have bands.
    pub banded: Option<&'a Banded>,
    /// The case of one of the points.
    pub case: &'a Case,
    pub fits: &'a [JammingFit],
}

/// Draws every figure that a table of curves has points for; returns their names.
///
/// # Errors
///
/// When a figure cannot be written.
pub(super) fn draw(directory: &Path, shown: Shown<'_>) -> Result<Vec<&'static str>, Error> {
    let Shown { table, case, .. } = shown;
    let varied = |key: &str| table.place(key).filter(|k| table.numbers(*k).len() > 1);
    let mut figures: Vec<(&'static str, CurveFigure)> = Vec::new();
    if let Some(across) = varied(FRACTION) {
        figures.push((VISCOSITY, against_fraction(shown, across)));
        figures.push((NORMAL_VISCOSITY, normal_against_fraction(shown, across)));
    }
    if let Some(across) = varied(RATE).or(varied(STRESS)) {
        figures.extend(flow_curves(table, across, case));
    }
    if figures.is_empty()
        && let Some(across) = (0..table.keys.len()).find(|k| table.numbers(*k).len() > 1)
    {
        figures.push((FIGURE, against_key(table, across)));
    }
    let mut drawn = Vec::new();
    for (name, figure) in figures {
        let seen = |p: &Points| p.curve.y.iter().any(|y| y.is_finite());
        if figure.points.iter().any(seen) && figure.points.len() <= MOST_CURVES {
            match curve(&directory.join(name), &figure) {
                Ok(()) => drawn.push(name),
                // No point is on a logarithmic axis: there is nothing to see.
                Err(PlotError::Empty { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(drawn)
}

/// A result with its errors along a curve; `x` gives the abscissa of a row.
fn points(
    table: &CurveTable,
    line: &Curve,
    result: &str,
    x: impl Fn(&CurveRow) -> Option<f64>,
) -> Points {
    let point = |index: &usize| {
        let row = &table.rows[*index];
        let found = row.result(result)?;
        let place = [x(row)?, found.mean, found.stderr.unwrap_or(f64::NAN)];
        Some((place, row.unsettled > 0))
    };
    let (found, unsettled): (Vec<[f64; 3]>, _) = line.rows.iter().filter_map(point).unzip();
    let [x, y, error] = [0, 1, 2].map(|k| found.iter().map(|p| p[k]).collect());
    Points::new(line.label.clone(), x, y).with_error(error).hollow_where(unsettled)
}

/// A result against a key, one set of points for each curve that has any.
fn along(table: &CurveTable, across: usize, result: &str) -> Vec<Points> {
    let setting = |row: &CurveRow| row.settings[across].number();
    let lines = curves_along(table, across);
    let all = lines.iter().map(|line| points(table, line, result, setting));
    all.filter(|points| !points.curve.x.is_empty()).collect()
}

/// What other ranges give of a result along the curves that [`along`] finds.
fn bands(shown: Shown<'_>, across: usize, result: &str) -> Vec<Band> {
    let Shown { table, banded: Some(banded), .. } = shown else { return Vec::new() };
    let has = |row: &usize| table.rows[*row].result(result).is_some();
    let lines = curves_along(table, across).into_iter().filter(|line| line.rows.iter().any(has));
    let end =
        |row: &usize| Some((table.rows[*row].settings[across].number()?, banded.of(*row, result)?));
    let band = |(k, line): (usize, Curve)| {
        let (x, ends): (Vec<f64>, Vec<[f64; 2]>) = line.rows.iter().filter_map(end).unzip();
        let [from, to] = &banded.ranges;
        let label =
            if k == 0 { format!("range of hydrodynamics {from} to {to}") } else { String::new() };
        Band { label, belongs_to: k, x, ends }
    };
    lines.enumerate().map(band).collect()
}

/// The lowest and the highest abscissa.
fn range(points: &[Points]) -> (f64, f64) {
    let all = points.iter().flat_map(|p| &p.curve.x);
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// η_r(φ) with published curves and fits.
fn against_fraction(shown: Shown<'_>, across: usize) -> CurveFigure {
    let Shown { table, case, fits, .. } = shown;
    let mut points = along(table, across, ETA);
    let (low, high) = range(&points);
    let mut lines = if is_hard(case) { viscosities(low, high) } else { Vec::new() };
    let fit = |label: &str| {
        let fit = fits.iter().find(|fit| fit.label == label)?;
        fit.fit.zip(fit.words())
    };
    add_fits(&mut points, &mut lines, fit, |fit, x| fit.at(x));
    let (x, y) = (Axis::linear("volume fraction φ"), Axis::log("relative viscosity ηᵣ"));
    CurveFigure { x, y, points, lines, bands: bands(shown, across, ETA) }
}

/// Draws the fits of curves, found by their labels, and names them in the legend; points without
/// one are joined.
fn add_fits(
    points: &mut [Points],
    lines: &mut Vec<Line>,
    fit: impl Fn(&str) -> Option<(Divergence, String)>,
    law: impl Fn(&Divergence, f64) -> f64,
) {
    for (k, own) in points.iter_mut().enumerate() {
        let Some((fit, words)) = fit(&own.curve.label) else {
            own.joined = true;
            continue;
        };
        let (from, to) = (fit.from, own.curve.x.iter().copied().fold(0.0, f64::max));
        let at = |k: usize| from + (to - from) * k as f64 / (LINE_POINTS - 1) as f64;
        let x: Vec<f64> = (0..LINE_POINTS).map(at).collect();
        let y = x.iter().map(|x| law(&fit, *x)).collect();
        lines.push(Line::new("", x, y).belonging_to(k));
        own.curve.label = match own.curve.label.as_str() {
            "" => format!("simulation: {words}"),
            label => format!("{label}: {words}"),
        };
    }
}

/// η_n(φ) = Π/(μγ̇) with published curves and fits.
fn normal_against_fraction(shown: Shown<'_>, across: usize) -> CurveFigure {
    let Shown { table, case, fits, .. } = shown;
    let mut points = along(table, across, PRESSURE);
    let (low, high) = range(&points);
    let mut lines = if is_hard(case) { normal_viscosities(low, high) } else { Vec::new() };
    let fit = |label: &str| {
        let fit = fits.iter().find(|fit| fit.label == label)?;
        fit.pressure.zip(fit.pressure_words())
    };
    add_fits(&mut points, &mut lines, fit, |fit, x| x * x * fit.at(x));
    let x = Axis::linear("volume fraction φ");
    let y = Axis::log("normal viscosity ηₙ = Π / (μγ̇)");
    CurveFigure { x, y, points, lines, bands: bands(shown, across, PRESSURE) }
}

/// Published curves are those of hard spheres.
fn is_hard(case: &Case) -> bool {
    case.laws.soft.is_none() && case.laws.rough.is_none()
}

/// η_r against one key, in its own name.
fn against_key(table: &CurveTable, across: usize) -> CurveFigure {
    let points: Vec<Points> = along(table, across, ETA).into_iter().map(Points::joined).collect();
    let key = &table.keys[across];
    let (name, sign) = (key.rsplit('.').next().unwrap_or(key).replace('_', " "), symbol(key));
    let label = if name == sign { name } else { format!("{name} {sign}") };
    CurveFigure {
        x: axis(&label, points.iter().flat_map(|p| &p.curve.x)),
        y: axis("relative viscosity ηᵣ", points.iter().flat_map(|p| &p.curve.y)),
        points,
        ..CurveFigure::default()
    }
}

/// The force that rates and stresses are measured by, as it is named in an axis.
#[derive(Clone, Copy)]
struct Scale<'a> {
    table: &'a CurveTable,
    case: &'a Case,
    /// The smallest radius a, and the key and symbol of the force.
    force: Option<(f64, &'static str, &'static str)>,
}

/// Forces that make a scale: their keys and symbols.
const FORCES: [(&str, &str); 2] = [("contact.critical_load", "F_CL"), ("repulsion.force", "F_R")];

impl<'a> Scale<'a> {
    /// The first force that is positive in all rows.
    fn of(table: &'a CurveTable, case: &'a Case) -> Self {
        let plain = Self { table, case, force: None };
        let there = |(key, _): &(&str, &str)| {
            table.rows.iter().all(|row| plain.number(row, key).is_some_and(|force| force > 0.0))
        };
        let force = FORCES.into_iter().find(there).and_then(|(key, symbol)| {
            smallest_radius(case).ok().map(|radius| (radius, key, symbol))
        });
        Self { force, ..plain }
    }

    /// A key of a row: as it was varied, or as the case has it.
    fn number(&self, row: &CurveRow, key: &str) -> Option<f64> {
        if let Some(place) = self.table.place(key) {
            return row.settings[place].number();
        }
        match key {
            "contact.critical_load" => Some(self.case.laws.contact.critical_load),
            "repulsion.force" => self.case.laws.named.get::<RepulsionTable>().map(|r| r.force),
            "fluid.viscosity" => Some(self.case.fluid.viscosity),
            RATE => match self.case.drive.imposed() {
                Imposed::Rate(rate) => Some(rate),
                Imposed::Stress(_) => None,
            },
            STRESS => self.case.drive.stress,
            _ => None,
        }
    }

    /// What is imposed on a row, a rate or a stress.
    fn imposed(&self, row: &CurveRow) -> Option<Imposed> {
        if self.table.place(RATE).is_some() {
            return self.number(row, RATE).map(Imposed::Rate);
        }
        match self.number(row, STRESS) {
            Some(stress) => Some(Imposed::Stress(stress)),
            None => self.number(row, RATE).map(Imposed::Rate),
        }
    }

    /// The rate and the stress of a row, counted positive. One of them is imposed; the other
    /// follows from σ = η_r μ γ̇, over the strain that η_r was averaged over.
    fn rate_and_stress(&self, row: &CurveRow) -> Option<[f64; 2]> {
        let resistance = row.result(ETA)?.mean * self.number(row, "fluid.viscosity")?;
        let [rate, stress] = match self.imposed(row)? {
            Imposed::Rate(rate) => [rate, rate * resistance],
            Imposed::Stress(stress) => [stress / resistance, stress],
        };
        let Some((radius, key, _)) = self.force else {
            return Some([rate.abs(), stress.abs()]);
        };
        let per_force = radius.powi(2) / self.number(row, key)?;
        let viscosity = self.number(row, "fluid.viscosity")?;
        Some([rate.abs() * viscosity * per_force, stress.abs() * per_force])
    }

    fn labels(&self) -> [String; 2] {
        match self.force {
            Some((_, _, force)) => {
                [format!("shear rate γ̇μa² / {force}"), format!("shear stress σa² / {force}")]
            }
            None => ["shear rate γ̇".to_owned(), "shear stress σ".to_owned()],
        }
    }
}

/// η_r against the rate and against the stress.
fn flow_curves(table: &CurveTable, across: usize, case: &Case) -> Vec<(&'static str, CurveFigure)> {
    let scale = Scale::of(table, case);
    let lines = curves_along(table, across);
    let figure = |which: usize| {
        let x = |row: &CurveRow| scale.rate_and_stress(row).map(|found| found[which]);
        let all = lines.iter().map(|line| points(table, line, ETA, x).joined());
        CurveFigure {
            x: Axis::log(scale.labels()[which].clone()),
            y: Axis::log("relative viscosity ηᵣ"),
            points: all.filter(|points| !points.curve.x.is_empty()).collect(),
            ..CurveFigure::default()
        }
    };
    vec![(FLOW_CURVE, figure(0)), (FLOW_CURVE_STRESS, figure(1))]
}

#[cfg(test)]
#[path = "curve_figures_tests.rs"]
mod tests;
