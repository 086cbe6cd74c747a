//! `timeseries.csv`: means, extremes and counts of the steps of each row.

use super::super::output::{Opening, Output, View};
use super::super::series;
use super::{About, opened};
use crate::error::Error;
use crate::laws::Origin;
use crate::record::column::describe;
use crate::record::{AppendFile, TIMESERIES, TableWriter};

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: TIMESERIES,
    when: "a suspension, one row per `output.interval`; parts of stresses have columns where the case \
           has their law",
    columns: || describe(&series::columns(&Origin::ALL)),
    open: |asked| opened(TimeSeries::open(asked.opening, asked.columns)),
};

/// The rows of the run.
pub struct TimeSeries(TableWriter);

impl TimeSeries {
    /// With the columns of a study.
    pub fn open(opening: &Opening, columns: &[impl AsRef<str>]) -> Result<Self, Error> {
        Ok(TimeSeries(opening.table(TIMESERIES, columns)?))
    }
}

impl Output for TimeSeries {
    fn name(&self) -> &'static str {
        "time series"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_row(&mut self, _view: &View, row: &[f64]) -> Result<(), Error> {
        self.0.write_row(row)
    }

    fn at_end(&mut self, _view: &View, rest: Option<&[f64]>) -> Result<(), Error> {
        rest.map_or(Ok(()), |row| self.0.write_row(row))
    }
}
