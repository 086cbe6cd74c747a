//! `obstacles.csv`: forces and torques on obstacles, at each row of the time series.

use super::super::output::{Opening, Output, View};
use super::{About, opened};
use crate::error::Error;
use crate::record::column::{Column, describe, values};
use crate::record::{AppendFile, LOADS, TableWriter};
use crate::state::Wrench;

/// What acts on an obstacle in the last step.
struct At {
    time: f64,
    obstacle: usize,
    load: Wrench,
}

/// Columns of `obstacles.csv`.
const COLUMNS: &[Column<At>] = &[
    Column::new("time", "t", "time", |o| o.time),
    Column::new("obstacle", "1", "number of the obstacle in the case, from 0", |o| {
        o.obstacle as f64
    }),
    Column::new("fx", "F", "force on the obstacle, along x", |o| o.load.linear.x),
    Column::new("fy", "F", "force on the obstacle, along y", |o| o.load.linear.y),
    Column::new("fz", "F", "force on the obstacle, along z", |o| o.load.linear.z),
    Column::new("tx", "Fa", "torque about its pivot, along x", |o| o.load.angular.x),
    Column::new("ty", "Fa", "torque about its pivot, along y", |o| o.load.angular.y),
    Column::new("tz", "Fa", "torque about its pivot, along z", |o| o.load.angular.z),
];

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: LOADS,
    when: "where there are obstacles, one row per obstacle and row of `timeseries.csv`",
    columns: || describe(COLUMNS),
    open: |asked| match !asked.case.obstacle.is_empty() {
        true => opened(Loads::open(asked.opening)),
        false => Ok(None),
    },
};

/// The loads on obstacles.
pub struct Loads(TableWriter);

impl Loads {
    /// At the beginning, or where they go on.
    pub fn open(opening: &Opening) -> Result<Self, Error> {
        Ok(Loads(opening.table(LOADS, COLUMNS)?))
    }
}

impl Output for Loads {
    fn name(&self) -> &'static str {
        "obstacles"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_row(&mut self, view: &View, _row: &[f64]) -> Result<(), Error> {
        let time = view.suspension.clock.time;
        let loads = view.stepper.obstacle_loads().into_iter().enumerate();
        let row = |(obstacle, load)| values(COLUMNS, &At { time, obstacle, load });
        self.0.write_rows(loads.map(row))
    }
}
