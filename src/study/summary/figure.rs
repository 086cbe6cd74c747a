//! The figure of a run: its time series.

use std::path::Path;

use super::Summary;
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{TIMESERIES, read_columns};
use crate::stats::Estimate;

/// Draws the time series of a run, `timeseries.svg` and `.png`, from the files in its directory.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub fn draw(directory: &Path, summary: &Summary) -> Result<(), Error> {
    let Some(steady) = &summary.steady else {
        return Ok(());
    };
    let table = read_columns(&directory.join(TIMESERIES))?;
    let strain: Vec<f64> =
        table.column("strain").unwrap_or_default().iter().map(|s| s.abs()).collect();
    let trace = |label: &str, column: &str| {
        Trace::new(label, strain.clone(), table.column(column).unwrap_or_default().to_vec())
    };
    let with = |trace: Trace, symbol: &str, e: &Option<Estimate>| match e {
        Some(e) => trace.with_mean(symbol, e.mean, e.stderr),
        None => trace,
    };
    let mut viscosity =
        vec![with(trace("total", "relative_viscosity"), "ηᵣ", &summary.relative_viscosity)];
    for origin in ["lubrication", "contact", "friction", "repulsion", "attraction", "deflection"] {
        let column = format!("viscosity_{origin}");
        if table.column(&column).is_some_and(|c| c.iter().any(|x| *x != 0.0)) {
            viscosity.push(trace(origin, &column));
        }
    }
    let normal = vec![
        with(trace("Π", "particle_pressure"), "Π", &summary.particle_pressure),
        trace("N₁", "n1"),
        trace("N₂", "n2"),
    ];
    let figure = TimeSeriesFigure {
        x_label: "strain γ".to_owned(),
        steady_from: Some(steady.start),
        panels: vec![
            Panel { axis: Axis::linear("viscosity η / μ"), traces: viscosity },
            Panel { axis: Axis::linear("stress / (μγ̇)"), traces: normal },
        ],
    };
    time_series(&directory.join("timeseries"), &figure)?;
    Ok(())
}
