//! The figures of a run, drawn from the files in its directory.

use std::path::Path;

use serde::Deserialize;

use super::{pictures, protocol, structure};
use crate::case::{Case, FlowKind};
use crate::error::Error;
use crate::laws::Origin;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{SUMMARY, TIMESERIES, Table, read_columns};
use crate::stats::{Estimate, Steady};

/// What the figures of a suspension take from `summary.json`.
#[derive(Debug, Default, Deserialize)]
struct Results {
    /// Whether it jammed.
    #[serde(default)]
    jammed: bool,
    /// Strain at which the steady state begins; none without a steady flow.
    steady: Option<Steady>,
    relative_viscosity: Option<Estimate>,
    particle_pressure: Option<Estimate>,
    n1: Option<Estimate>,
    n2: Option<Estimate>,
}

impl Results {
    /// `None` if the run has no results yet.
    fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(SUMMARY);
        match std::fs::read(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Io { path, source }),
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|e| Error::Damaged { path, reason: e.to_string() }),
        }
    }
}

/// Draws the figures of the run in a directory, and writes the tables behind them. A run that has
/// no results yet has its time series only.
///
/// # Errors
///
/// When a file cannot be read or written.
pub(super) fn draw(case: &Case, directory: &Path) -> Result<(), Error> {
    pictures::draw(case, directory)?;
    if let Some(seen) = protocol::oscillation(case, directory)? {
        return protocol::draw_cycles(directory, &seen);
    }
    match Results::read(directory)? {
        Some(results) if !case.drive.is_steady() => draw_time_series(directory, &results),
        None => draw_time_series(directory, &Results::default()),
        Some(Results { steady: None, .. }) => Ok(()),
        Some(results @ Results { steady: Some(steady), .. }) => {
            draw_time_series(directory, &results)?;
            if case.drive.flow == FlowKind::Extension || case.particles.planar {
                // Directions are those of a shear, densities those of space.
                return Ok(());
            }
            structure::draw(case, directory, &steady).map(|_| ())
        }
    }
}

/// `timeseries.svg` and `.png`: viscosity by origin, pressure and normal stress differences.
fn draw_time_series(directory: &Path, results: &Results) -> Result<(), Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let steady = results.steady.filter(|steady| steady.settled && !results.jammed);
    let strain = values(&table, "accumulated_strain");
    let trace = |label: &str, column: &str, symbol: &str, mean: &Option<Estimate>| {
        let trace = Trace::new(label, strain.clone(), values(&table, column));
        match mean {
            Some(e) => trace.with_mean(symbol, e.mean, e.stderr),
            None => trace,
        }
    };
    let mut viscosity =
        vec![trace("total", "relative_viscosity", "ηᵣ", &results.relative_viscosity).emphasised()];
    for origin in Origin::ALL.iter().map(|origin| origin.name()) {
        let column = format!("viscosity_{origin}");
        if values(&table, &column).iter().any(|x| *x != 0.0) {
            viscosity.push(trace(origin, &column, "", &None));
        }
    }
    let normal = vec![
        trace("particle pressure Π", "particle_pressure", "Π", &results.particle_pressure),
        trace("N₁", "n1", "N₁", &results.n1),
        trace("N₂", "n2", "N₂", &results.n2),
    ];
    let figure = TimeSeriesFigure {
        x_label: match results.jammed {
            true => "strain γ  (jammed)".to_owned(),
            false => format!("strain γ{}", results.steady.as_ref().map_or("", protocol::remark)),
        },
        steady_from: steady.map(|steady| steady.start),
        panels: vec![
            Panel { axis: Axis::linear("viscosity η / μ"), traces: viscosity },
            Panel { axis: Axis::linear("stress / (μγ̇)"), traces: normal },
        ],
    };
    time_series(&directory.join("timeseries"), &figure)?;
    Ok(())
}

fn values(table: &Table, column: &str) -> Vec<f64> {
    table.column(column).unwrap_or_default().to_vec()
}
