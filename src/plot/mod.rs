//! Figures, drawn once as SVG; resvg makes PNG of it.
//!
//! Input is plain data: nothing here knows the simulation. [`time_series`](time_series()) shows how
//! quantities changed, [`curve`](curve()) one quantity against another, [`families`](families())
//! the same for many values of a parameter, [`distributions`](distributions()) how often values
//! occur, [`map`](map()) a quantity over two parameters, [`trajectories`](trajectories()) paths in
//! a plane, [`picture`](picture()) particles among obstacles. Colours are safe for colour-blind
//! readers, sizes are those of a talk, and legends lie beside the data, never on them.
//!
//! `style` holds colours, fonts, widths and distances, `canvas` writes the elements and the two
//! files, `text` sets labels and their subscripts, `mark` is a point, `ruler` an axis, `frame` what
//! is drawn inside axes, `level` lines at marked values, `legend` and `key` what the curves are,
//! `colour_bar` the scale of a map, `scene` what is in a picture, `outline` shapes in it.

mod canvas;
mod colour_bar;
mod curve;
mod distributions;
mod families;
mod frame;
mod key;
mod legend;
mod level;
mod map;
mod mark;
mod number;
mod outline;
mod path;
mod picture;
mod ruler;
mod scene;
mod style;
mod text;
mod time_series;
mod trajectories;

use std::path::PathBuf;

pub use curve::{Band, CurveFigure, Line, Points, curve};
pub use distributions::{Distribution, DistributionFigure, DistributionPanel, distributions};
pub use families::{Family, FamilyFigure, FamilyPanel, families};
pub use map::{MapFigure, map};
pub use number::with_error;
pub use outline::{Point, View};
pub use path::Curve;
pub use picture::{PictureFigure, picture};
pub use ruler::{Axis, Level, Scale};
pub use scene::{Body, Colouring, Scene, SceneDisc, ScenePath, Tube};
pub use time_series::{Mean, Panel, TimeSeriesFigure, Trace, time_series};
pub use trajectories::{Disc, Trajectory, TrajectoryFigure, trajectories};

/// Why a figure was not written.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// There is nothing that could be drawn.
    #[error("{what} has no finite point to draw; check that the run recorded any rows")]
    Empty {
        /// The figure or the panel concerned.
        what: String,
    },
    /// Drawing or writing failed.
    #[error("{}: the figure was not written: {reason}; check the directory", path.display())]
    Write {
        /// The file concerned.
        path: PathBuf,
        /// What the backend said.
        reason: String,
    },
}

#[cfg(test)]
mod test_data;
