//! Figures of a whole sweep.

use std::path::Path;

use super::table::{Row, Scalar, SweepTable};
use super::{FIGURE, Status};
use crate::Error;
use crate::case::{Case, Study};
use crate::plot::{Axis, CurveFigure, Points, curve};

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;

/// Values that span more are better seen on a logarithmic axis.
const WIDE: f64 = 30.0;

/// Draws what can be drawn of a sweep in its directory, given the case of one of its points; returns
/// the names of the figures, without their extensions.
///
/// # Errors
///
/// When a figure cannot be written.
pub fn figures(
    directory: &Path,
    table: &SweepTable,
    case: &Case,
) -> Result<Vec<&'static str>, Error> {
    let one = |drawn: bool| if drawn { vec![FIGURE] } else { Vec::new() };
    match case.study {
        Study::Suspension => draw(directory, table).map(one),
        Study::T1 => super::t1_figure::draw(directory, table, case).map(one),
        Study::PairShear => super::pair_figures::draw(directory, table, case),
        Study::SoftPair | Study::Settle => Ok(Vec::new()),
    }
}

/// Draws the relative viscosity with its errors against the first key that is a number, one curve
/// for each value of the other key. Nothing is drawn if there are more keys or nothing is known.
///
/// # Errors
///
/// When a figure cannot be written.
pub fn draw(directory: &Path, table: &SweepTable) -> Result<bool, Error> {
    let is_number = |k: usize| table.rows.iter().all(|row| row.settings[k].number().is_some());
    let across = (0..table.keys.len()).find(|k| is_number(*k));
    let (Some(across), true) = (across, table.keys.len() <= 2) else { return Ok(false) };
    let other = (0..table.keys.len()).find(|k| *k != across);
    let names = ["relative_viscosity.mean", "relative_viscosity.stderr"];
    let points = curves(table, across, other, names);
    if points.is_empty() || points.len() > MOST_CURVES {
        return Ok(false);
    }
    let figure = CurveFigure {
        x: axis(&table.keys[across], points.iter().flat_map(|p| &p.curve.x)),
        y: axis("relative viscosity ηᵣ", points.iter().flat_map(|p| &p.curve.y)),
        points,
        lines: Vec::new(),
    };
    curve(&directory.join(FIGURE), &figure)?;
    Ok(true)
}

/// A result and its standard error, by their names, against a key; one curve for each value of the
/// other.
pub(super) fn curves(
    table: &SweepTable,
    across: usize,
    other: Option<usize>,
    [mean, stderr]: [&str; 2],
) -> Vec<Points> {
    let number = |row: &Row, name: &str| row.results.get(name).and_then(Scalar::number);
    let mut found: Vec<(Option<&Scalar>, Vec<[f64; 3]>)> = Vec::new();
    for row in table.rows.iter().filter(|row| row.status == Status::Finished) {
        let (Some(x), Some(y)) = (row.settings[across].number(), number(row, mean)) else {
            continue;
        };
        let point = [x, y, number(row, stderr).unwrap_or(f64::NAN)];
        let name = other.map(|k| &row.settings[k]);
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => found.push((name, vec![point])),
        }
    }
    let curve = |(name, mut points): (Option<&Scalar>, Vec<[f64; 3]>)| {
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let column = |k: usize| points.iter().map(|p| p[k]).collect::<Vec<_>>();
        let label = other.zip(name).map(|(k, value)| format!("{} = {value}", table.keys[k]));
        let [x, y, error] = [0, 1, 2].map(column);
        Points::new(label.unwrap_or_default(), x, y).with_error(error).joined()
    };
    found.into_iter().map(curve).collect()
}

/// An axis over values, logarithmic if they are positive and span much.
pub(super) fn axis<'a>(label: &str, values: impl Iterator<Item = &'a f64>) -> Axis {
    let (low, high) =
        values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(*v), high.max(*v)));
    if low > 0.0 && high > WIDE * low { Axis::log(label) } else { Axis::linear(label) }
}
