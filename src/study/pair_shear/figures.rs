//! The figures of a run.

use std::path::Path;

use super::PairShear;
use crate::error::Error;
use crate::plot::{
    Axis, Disc, Panel, TimeSeriesFigure, Trace, Trajectory, TrajectoryFigure, time_series,
    trajectories,
};
use crate::record::{TIMESERIES, read_columns};

/// Draws the relative trajectory (`trajectory`) and the gaps (`gaps`), as \[CBC20\] figs. 8 and 10.
///
/// # Errors
///
/// When the time series cannot be read or a figure cannot be written.
pub(super) fn draw(pair: &PairShear, directory: &Path) -> Result<(), Error> {
    let rows = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| rows.column(name).unwrap_or_default().to_vec();
    let x = column("x");
    let mut axis = Axis::log("gap / a");
    if pair.roughness > 0.0 {
        let size = 0.5 * pair.roughness * (pair.radii[0] + pair.radii[1]);
        axis = axis.with_level(size, "asperities touch below", "");
    }
    let figure = TimeSeriesFigure {
        x_label: "distance along the flow x / a".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis, traces: vec![Trace::new("film", x.clone(), column("gap")).in_style(0)] },
            Panel {
                axis: Axis::linear("force / μγ̇a²"),
                traces: vec![
                    Trace::new("tension", x.clone(), column("tension")).in_style(1),
                    Trace::new("asperities", x, column("contact")).in_style(2),
                ],
            },
        ],
    };
    time_series(&directory.join("gaps"), &figure)?;
    let sum = pair.radii[0] + pair.radii[1];
    let figure = TrajectoryFigure {
        x: Axis::linear("flow x / a")
            .between(pair.start.max(-3.0 * sum), (-pair.start).min(3.0 * sum)),
        y: Axis::linear("gradient y / a"),
        discs: vec![
            Disc { radius: pair.radii[0], filled: true, label: "sphere".to_owned() },
            Disc { radius: sum, filled: false, label: "touching".to_owned() },
        ],
        paths: vec![Trajectory::new("path of the other centre", column("x"), column("y"))],
        equal: true,
    };
    trajectories(&directory.join("trajectory"), &figure)?;
    Ok(())
}
