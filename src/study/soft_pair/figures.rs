//! The figures of a run.

use std::path::Path;

use super::SoftPair;
use crate::error::Error;
use crate::plot::{
    Axis, CurveFigure, Line, Panel, Points, TimeSeriesFigure, Trace, curve, time_series,
};
use crate::record::{TIMESERIES, read_columns};

/// Points under the full load, far enough apart to be told from each other on a logarithmic axis.
fn spread(time: &[f64], gap: &[f64], rate: &[f64], ramp: f64) -> Points {
    const APART: f64 = 0.3;
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = Default::default();
    for k in (0..time.len()).filter(|k| time[*k] > ramp) {
        if x.last().is_none_or(|last| (gap[k] / last).ln().abs() > APART) {
            x.push(gap[k]);
            y.push(rate[k]);
        }
    }
    Points::new("this run", x, y)
}

/// Draws gaps against time (`soft_pair`) and rates against the gap with the laws (`rates`).
///
/// # Errors
///
/// When the time series cannot be read or a figure cannot be written.
pub(super) fn draw(pair: &SoftPair, directory: &Path) -> Result<(), Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
    let trace = |label: &str, name: &str, style: usize| {
        Trace::new(label, column("time"), column(name)).in_style(style)
    };
    let mut gaps = vec![trace("film", "gap", 0)];
    // Pressed spheres overlap, which a logarithmic axis cannot show.
    if column("centre_gap").iter().all(|gap| *gap > 0.0) {
        gaps.push(trace("centres", "centre_gap", 1));
    }
    let ratio = Axis::log("|δⁿ| / h").with_level(1.0, "Hertz", "Poiseuille");
    let figure = TimeSeriesFigure {
        x_label: "time t / τ".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::log("gap / R"), traces: gaps },
            Panel { axis: ratio, traces: vec![trace("", "ratio", 2)] },
        ],
    };
    time_series(&directory.join("soft_pair"), &figure)?;
    let gap = column("gap");
    let size = |name: &str| column(name).iter().map(|r| r.abs()).collect::<Vec<_>>();
    let law = |label: &str, name: &str| Line::new(label, gap.clone(), size(name));
    let mut lines =
        vec![law("Poiseuille, eq. 30", "rate_poiseuille"), law("Hertz, eq. 31", "rate_hertz")];
    if pair.drag {
        lines.push(law("hard spheres with drag", "rate_with_drag"));
    }
    let figure = CurveFigure {
        x: Axis::log("film thickness h / R"),
        y: Axis::log("rate |dh/dt| τ / R"),
        points: vec![spread(&column("time"), &gap, &size("rate"), pair.ramp)],
        lines,
        ..CurveFigure::default()
    };
    curve(&directory.join("rates"), &figure)?;
    Ok(())
}
