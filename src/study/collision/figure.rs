//! The figure of a collision.

use std::path::Path;

use super::motion::Setting;
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{TIMESERIES, read_columns};

/// Draws gap and rate against time (`collision`), as \[NOP23\] fig. 2.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub(super) fn draw(setting: &Setting, directory: &Path) -> Result<(), Error> {
    let rows = read_columns(&directory.join(TIMESERIES))?;
    let scaled = |name: &str, unit: f64| {
        let values = rows.column(name).unwrap_or_default();
        values.iter().map(|value| value / unit).collect::<Vec<f64>>()
    };
    let (time, range) = (scaled("time", setting.approach_time()), setting.law.range);
    let gap = scaled("gap", range);
    let films =
        Axis::log("gap h / R*").with_level(setting.law.approach / range, "film", "surfaces touch");
    let trace = |y: Vec<f64>| vec![Trace::new("", time.clone(), y).in_style(0)];
    let figure = TimeSeriesFigure {
        x_label: "time t v₀ / R*".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::linear("gap h / R*"), traces: trace(gap.clone()) },
            Panel { axis: films, traces: trace(gap) },
            Panel {
                axis: Axis::linear("rate of the gap / v₀"),
                traces: trace(scaled("gap_rate", setting.normal_speed)),
            },
        ],
    };
    time_series(&directory.join("collision"), &figure)?;
    Ok(())
}
