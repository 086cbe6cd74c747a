//! Steady means of a run.

use crate::record::Table;
use crate::stats::{Estimate, Series, Steady, estimate, steady_start};

/// A mean over less strain is not called steady.
const LEAST_STRAIN: f64 = 2.0;

/// A mean over fewer independent samples is not called steady.
pub(super) const LEAST_SAMPLES: f64 = 8.0;

/// Where the steady state of a sheared suspension begins, from the strain, counted positive, and
/// its two watched series: η_r and Π. None without a row.
pub fn steady_state(strain: &[f64], viscosity: &[f64], pressure: &[f64]) -> Option<Steady> {
    let last = *strain.last()?;
    let mut steady = sampled_start(&[viscosity, pressure].map(|v| Series::new(strain, v)));
    steady.settled &= last - steady.start >= LEAST_STRAIN;
    Some(steady)
}

/// Where series become steady; not settled without enough independent samples of the first.
pub fn sampled_start(watched: &[Series<'_>]) -> Steady {
    let mut steady = steady_start(watched);
    let mean = watched.first().and_then(|first| estimate(*first, steady.start));
    steady.settled &= mean.is_some_and(|mean| mean.effective_samples >= LEAST_SAMPLES);
    steady
}

/// Steady means of the columns of a time series.
pub(super) struct Means<'a> {
    pub table: &'a Table,
    /// Strain, counted positive.
    at: Vec<f64>,
    /// Where the steady state begins; none where nothing flows.
    pub steady: Option<Steady>,
}

impl<'a> Means<'a> {
    /// Of the whole series.
    pub fn new(table: &'a Table, flows: bool) -> Self {
        let column = |name: &str| table.column(name).unwrap_or_default();
        let at = column("accumulated_strain").to_vec();
        let steady = steady_state(&at, column("relative_viscosity"), column("particle_pressure"));
        Means { table, at, steady: steady.filter(|_| flows) }
    }

    /// Of the rate, over time.
    pub fn rate(&self) -> Option<f64> {
        let column = |name: &str| self.table.column(name).unwrap_or_default();
        let (strain, time) = (column("strain"), column("time"));
        // From the beginning of the first row that counts.
        let start = self.steady?.start;
        let first = self.at.partition_point(|at| *at <= start);
        let before = |values: &[f64]| first.checked_sub(1).map_or(0.0, |row| values[row]);
        let passed = time.last()? - before(time);
        (passed > 0.0).then_some((strain.last()? - before(strain)) / passed)
    }

    /// The largest overlap where the flow is steady, or of the whole run where it is not.
    pub fn overlap(&self) -> Option<f64> {
        let overlaps = self.table.column("largest_overlap").unwrap_or_default();
        let start = self.steady.map_or(0.0, |steady| steady.start);
        let counted = self.at.iter().zip(overlaps).filter(|(at, _)| **at >= start);
        counted.map(|(_, overlap)| *overlap).reduce(f64::max)
    }

    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.names().iter().map(String::as_str)
    }

    /// Of a column.
    pub fn of(&self, column: &str) -> Option<Estimate> {
        let series = Series::new(&self.at, self.table.column(column).unwrap_or_default());
        estimate(series, self.steady.as_ref()?.start)
    }
}
