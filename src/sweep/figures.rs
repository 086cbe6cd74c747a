//! Figures of a whole sweep.

use std::path::Path;

use super::curve::CurveTable;
use super::jamming::JammingFit;
use super::table::{Row, Scalar, SweepTable};
use super::{FIGURE, Status, curve_figures};
use crate::Error;
use crate::case::{Case, Study};
use crate::plot::{Axis, Points};

/// Values that span more are better seen on a logarithmic axis.
const WIDE: f64 = 30.0;

/// Draws what can be drawn of a sweep in its directory, given its pooled curves and the case of one
/// of its points; returns the names of the figures, without their extensions.
pub(super) fn figures(
    directory: &Path,
    table: &SweepTable,
    curves: &CurveTable,
    case: &Case,
    fits: &[JammingFit],
) -> Result<Vec<&'static str>, Error> {
    match case.study {
        Study::Suspension => {
            let mut drawn = curve_figures::draw(directory, curves, case, fits)?;
            drawn.extend(super::configuration_figure::draw(directory, table)?);
            Ok(drawn)
        }
        Study::T1 => {
            let drawn = super::t1_figure::draw(directory, table, case)?;
            Ok(if drawn { vec![FIGURE] } else { Vec::new() })
        }
        Study::PairShear => super::pair_figures::draw(directory, table, case),
        Study::Collision => super::collision_figures::draw(directory, table, case),
        Study::Settle => super::settle_figure::draw(directory, table),
        Study::SoftPair | Study::GlueyPlane => Ok(Vec::new()),
    }
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
