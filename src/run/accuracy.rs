//! Runs that end when a mean is known well enough.

use std::path::Path;

use super::Run;
use super::looks::Found;
use crate::case::{Accuracy, Quantity};
use crate::error::Error;
use crate::record::{observation, read_columns};
use crate::stats::{Estimate, Series, Steady, estimate};
use crate::study::summary::{Verdict, steady_state};

/// The columns of the time series that tell how well a mean is known.
const WATCHED: [&str; 3] = ["accumulated_strain", "relative_viscosity", "particle_pressure"];

/// What the time series says of the watched columns so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct History {
    /// Strain, counted positive.
    strain: Vec<f64>,
    viscosity: Vec<f64>,
    pressure: Vec<f64>,
}

impl History {
    /// From the file of a run; a resumed one has rows already.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let table = read_columns(path)?;
        let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
        let [strain, viscosity, pressure] = WATCHED.map(column);
        Ok(History { strain, viscosity, pressure })
    }

    /// Takes up a row of the file.
    pub fn push(&mut self, row: &[f64]) {
        let place = |name| observation::COLUMNS.iter().position(|column| *column == name);
        let [strain, viscosity, pressure] =
            WATCHED.map(|name| place(name).map_or(f64::NAN, |k| row[k]));
        self.add(strain, viscosity, pressure);
    }

    /// Takes up the numbers of a row.
    pub fn add(&mut self, strain: f64, viscosity: f64, pressure: f64) {
        self.strain.push(strain);
        self.viscosity.push(viscosity);
        self.pressure.push(pressure);
    }

    /// Takes the last row back.
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
        let verdict = Verdict::new(asked, steady.as_ref(), mean.as_ref());
        let samples = mean.map_or(0.0, |mean| mean.effective_samples);
        Found { met: verdict.met, samples, excess: verdict.reached.map(|r| r / verdict.goal) }
    }
}

impl Run {
    /// Takes up a row that was written.
    pub(super) fn note(&mut self, row: &[f64]) {
        if let Some(history) = &mut self.history {
            history.push(row);
        }
    }

    /// Ends the run if it is time to look and the mean is known well enough.
    pub(super) fn look(&mut self) {
        let strain = self.state.suspension.clock.path;
        let (Some(asked), Some(history)) = (&self.case.accuracy, &mut self.history) else { return };
        if !self.state.looks.is_due(strain) {
            return;
        }
        // The row that is being gathered would be written at the end.
        let open = !self.state.row.is_empty();
        if open {
            history.push(&self.state.row.clone().take());
        }
        let found = history.judge(asked);
        if open {
            history.pop();
        }
        self.state.over = self.state.looks.take(strain, &found);
    }
}
