//! What figures of a whole sweep share, whatever the study.

use std::path::Path;

use crate::case::Case;
use crate::error::Error;
use crate::plot::{Axis, Points};
use crate::record::{Scalar, SweepRow, SweepTable, TIMESERIES, Table, read_columns};

/// The figure of a sweep, without its extension.
pub const FIGURE: &str = "sweep";
/// Where the points of a sweep are.
pub const POINTS: &str = "points";

/// Values that span more are better seen on a logarithmic axis.
const LOGARITHMIC_SPAN: f64 = 30.0;

/// A sweep whose points are done.
#[derive(Clone, Copy, Debug)]
pub struct FinishedSweep<'a> {
    /// The case of one of its points.
    pub case: &'a Case,
    /// Where its files are.
    pub directory: &'a Path,
    /// What the points found.
    pub table: &'a SweepTable,
}

impl FinishedSweep<'_> {
    /// The time series of a point, counted from 0.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn time_series(&self, point: usize) -> Result<Table, Error> {
        let name = format!("{:04}", point + 1);
        read_columns(&self.directory.join(POINTS).join(name).join(TIMESERIES))
    }
}

/// What was made of a sweep.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SweepReport {
    /// What the user wants to see: the pooled curves, and where they jam.
    pub lines: Vec<String>,
    /// The names of the files written, in the sweep's directory.
    pub files: Vec<String>,
}

impl SweepReport {
    /// Of figures, by their names without extensions.
    pub fn of_figures(drawn: Vec<&'static str>) -> Self {
        let mut report = SweepReport::default();
        report.add_figures(&drawn);
        report
    }

    /// Adds figures, by their names without extensions.
    pub fn add_figures(&mut self, drawn: &[&'static str]) {
        let files = drawn.iter().flat_map(|stem| [format!("{stem}.svg"), format!("{stem}.png")]);
        self.files.extend(files);
    }
}

/// A result and its standard error, by their names, against a key; one curve for each value of the
/// other.
pub fn curves(
    table: &SweepTable,
    across: usize,
    other: Option<usize>,
    [mean, stderr]: [&str; 2],
) -> Vec<Points> {
    let number = |row: &SweepRow, name: &str| row.results.get(name).and_then(Scalar::number);
    let mut found: Vec<(Option<&Scalar>, Vec<[f64; 3]>)> = Vec::new();
    for (_, row) in table.finished() {
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
pub fn axis<'a>(label: &str, values: impl Iterator<Item = &'a f64>) -> Axis {
    let (low, high) =
        values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(*v), high.max(*v)));
    if low > 0.0 && high > LOGARITHMIC_SPAN * low { Axis::log(label) } else { Axis::linear(label) }
}

/// A setting with at most four digits.
pub fn short(value: &Scalar) -> String {
    match value {
        Scalar::Number(number) => {
            let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(*number);
            Scalar::Number(rounded).to_string()
        }
        other => other.to_string(),
    }
}
