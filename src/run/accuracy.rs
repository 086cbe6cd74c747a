//! Runs that end when a mean is known well enough.

use std::path::Path;

use super::Run;
use super::series::Sample;
use super::stopping::Found;
use crate::case::{Accuracy, Quantity};
use crate::error::Error;
use crate::record::{Column, read_columns};
use crate::stats::{Estimate, Series, Steady, estimate};
use crate::study::suspension::summary::{AccuracyVerdict, steady_state};

/// The columns of the time series that tell how well a mean is known.
const HISTORY_COLUMNS: [&str; 3] =
    ["accumulated_strain", "relative_viscosity", "particle_pressure"];

/// What the time series says of the watched columns so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct History {
    /// The places of the watched columns in a row.
    places: [usize; 3],
    /// Strain, counted positive.
    strain: Vec<f64>,
    viscosity: Vec<f64>,
    pressure: Vec<f64>,
}

impl History {
    /// From the file of a run with these columns; a resumed one has rows already.
    pub fn read(path: &Path, columns: &[Column<Sample>]) -> Result<Self, Error> {
        let table = read_columns(path)?;
        let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
        let [strain, viscosity, pressure] = HISTORY_COLUMNS.map(column);
        let place = |name| columns.iter().position(|column| column.name == name);
        let places = HISTORY_COLUMNS.map(|name| place(name).unwrap_or(usize::MAX));
        Ok(History { places, strain, viscosity, pressure })
    }

    /// Adds a row of the file.
    pub fn push(&mut self, row: &[f64]) {
        let number = |place: usize| row.get(place).copied().unwrap_or(f64::NAN);
        let [strain, viscosity, pressure] = self.places.map(number);
        self.add(strain, viscosity, pressure);
    }

    /// Adds the watched numbers of a row.
    pub fn add(&mut self, strain: f64, viscosity: f64, pressure: f64) {
        self.strain.push(strain);
        self.viscosity.push(viscosity);
        self.pressure.push(pressure);
    }

    /// Removes the last row.
    fn pop(&mut self) {
        for column in [&mut self.strain, &mut self.viscosity, &mut self.pressure] {
            column.pop();
        }
    }

    fn steady(&self) -> Option<Steady> {
        steady_state(&self.strain, &self.viscosity, &self.pressure)
    }

    /// The mean that was asked for, over the steady state.
    pub fn mean(&self, asked: &Accuracy) -> Option<Estimate> {
        let values = match asked.quantity {
            Quantity::RelativeViscosity => &self.viscosity,
            Quantity::ParticlePressure => &self.pressure,
        };
        estimate(Series::new(&self.strain, values), self.steady()?.start)
    }

    /// What the summary would say if the run ended here.
    pub fn judge(&self, asked: &Accuracy) -> Found {
        let steady = self.steady();
        let mean = self.mean(asked);
        let verdict = AccuracyVerdict::new(asked, steady.as_ref(), mean.as_ref());
        let samples = mean.map_or(0.0, |mean| mean.effective_samples);
        Found { met: verdict.met, samples, excess: verdict.reached.map(|r| r / verdict.goal) }
    }
}

impl Run {
    /// Ends the run if the mean that was asked for is known well enough, where it is time to see.
    pub(super) fn stop_if_accurate(&mut self) {
        let strain = self.state.suspension.clock.path;
        let (Some(asked), Some(history)) = (&self.case.accuracy, &mut self.history) else { return };
        if !self.state.stopping.is_due(strain) {
            return;
        }
        // The row that is being gathered would be written at the end.
        let row = &self.state.row;
        if !row.is_empty() {
            history.push(&row.finished(&self.columns));
        }
        let found = history.judge(asked);
        if !row.is_empty() {
            history.pop();
        }
        self.state.over = self.state.stopping.decide(strain, &found);
    }
}
