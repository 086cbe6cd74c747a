//! The figure of a falling sphere.

use std::path::Path;

use super::{SMOOTH_RATE, SettleStudy};
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{TIMESERIES, read_columns};

/// Draws thickness and forces against time (`settle`), as \[CBC20\] fig. 6.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub(super) fn draw(study: &SettleStudy, directory: &Path) -> Result<(), Error> {
    let settle = &study.table;
    let rows = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| rows.column(name).unwrap_or_default().to_vec();
    let time = column("time");
    // Films that are too thin for a number are not drawn.
    let film = column("gap").into_iter().map(|u| if u > 0.0 { u } else { f64::NAN }).collect();
    let mut films = vec![Trace::new("film", time.clone(), film).in_style(0)];
    let smooth = time.iter().map(|t| settle.gap * (SMOOTH_RATE * t).exp()).collect();
    let mut smooth = Trace::new("smooth spheres, eq. 36", time.clone(), smooth).in_style(1);
    // A line far below the film would hide what the film does.
    let least = 0.1 * column("gap").last().copied().unwrap_or(0.0);
    smooth.curve.y.iter_mut().filter(|y| **y < least).for_each(|y| *y = f64::NAN);
    // A sphere of much inertia has nothing to do with it.
    if study.stokes() <= 1.0 {
        films.push(smooth);
    }
    let mut axis = Axis::log("film thickness u / a");
    if settle.roughness > 0.0 {
        axis = axis.with_level(settle.roughness, "asperities touch below", "");
    }
    let mut panels = Vec::new();
    if study.inertia.is_some() {
        let path = Trace::new("", time.clone(), column("centre_gap")).in_style(3);
        let axis = Axis::linear("gap of centres u_n / a");
        panels.push(Panel { axis, traces: vec![path] });
    }
    panels.extend([
        Panel { axis, traces: films },
        Panel {
            axis: Axis::linear("force / weight"),
            traces: vec![
                Trace::new("asperities", time.clone(), column("contact")).in_style(2),
                Trace::new("film", time, column("contact").iter().map(|c| 1.0 - c).collect())
                    .in_style(0),
            ],
        },
    ]);
    let figure =
        TimeSeriesFigure { x_label: "time t / τ_c".to_owned(), steady_from: None, panels };
    time_series(&directory.join("settle"), &figure)?;
    Ok(())
}
