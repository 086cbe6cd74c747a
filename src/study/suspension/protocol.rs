//! What is found of phases and oscillations, from the files of a run.

use std::path::Path;

use serde::Serialize;

use super::summary::{sampled_start, steady_state};
use crate::case::Case;
use crate::drive::{Level, Protocol};
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series, with_error};
use crate::record::keys::described;
use crate::record::{CYCLES, Table, read_columns};
use crate::stats::{Estimate, Series, Steady, estimate};

described! {
    /// What one phase did.
    #[derive(Clone, Debug, Serialize)]
    pub struct PhaseSeen {
        /// Imposed rate at the beginning and end of the phase `[1/t]`.
        pub rate: Option<[f64; 2]>,
        /// Imposed stress at its beginning and end `[F/a²]`.
        pub stress: Option<[f64; 2]>,
        /// Accumulated strain at its beginning and end `[1]`.
        pub strain: [f64; 2],
        /// Time at its beginning and end `[t]`.
        pub time: [f64; 2],
        /// Strain since its beginning after which it is steady; none for a ramp or a rest.
        pub steady: Option<Steady>,
        /// Mean of η where it is steady `[μ]`.
        pub relative_viscosity: Option<Estimate>,
        /// Mean of Π where it is steady `[μγ̇]`.
        pub particle_pressure: Option<Estimate>,
        /// Least η, and the strain since the beginning at which it is `[μ, 1]`.
        pub lowest_viscosity: Option<[f64; 2]>,
        /// Mean shear stress over its last row `[F/a²]`.
        pub last_stress: f64,
    }

    /// What an oscillation did.
    #[derive(Clone, Debug, Serialize)]
    pub struct OscillationSeen {
        /// Amplitude of the strain γ₀ `[1]`.
        pub amplitude: f64,
        /// Frequency f, cycles per time `[1/t]`.
        pub frequency: f64,
        /// Cycles that are over.
        pub cycles: usize,
        /// Cycle after which it is steady.
        pub steady: Steady,
        /// The part of the stress in phase with the rate, over μωγ₀: η′ `[μ]`.
        pub viscosity: Option<Estimate>,
        /// The part in phase with the strain: η″ = G′/(μω) `[μ]`.
        pub elastic_viscosity: Option<Estimate>,
        /// Mean pressure Π `[2πfγ₀μ]`.
        pub particle_pressure: Option<Estimate>,
        /// Mean number of contacts of a particle `[1]`.
        pub coordination: Option<Estimate>,
        /// Mean square of the distance of a particle from where it was a cycle before `[a²]`.
        pub mean_square_displacement: Option<Estimate>,
        /// Fraction of particles that are farther than 0.1 a from where they were a cycle before
        /// `[1]`.
        pub mobile_fraction: Option<Estimate>,
    }
}

/// What the phases of a case did, those that began; none if it has no phases.
pub fn phases(case: &Case, table: &Table) -> Vec<PhaseSeen> {
    let Protocol::Phases(phases) = case.drive.protocol() else { return Vec::new() };
    let column = |name: &str| table.column(name).unwrap_or_default();
    let (path, time, number) = (column("accumulated_strain"), column("time"), column("phase"));
    let mut found = Vec::new();
    for (k, phase) in phases.iter().enumerate() {
        let first = number.partition_point(|n| *n < k as f64);
        let rows = first..number.partition_point(|n| *n <= k as f64);
        let Some(last) = rows.clone().last() else { continue };
        let before = |values: &[f64]| first.checked_sub(1).map_or(0.0, |row| values[row]);
        let began = before(path);
        let at: Vec<f64> = path[rows.clone()].iter().map(|s| s - began).collect();
        let series = |name: &str| -> &[f64] { column(name).get(rows.clone()).unwrap_or_default() };
        let viscosity = series("relative_viscosity");
        let (rate, stress) = match phase.level {
            Level::Rate(ends) => (Some(ends), None),
            Level::Stress(ends) => (None, Some(ends)),
        };
        let [begin, end] = rate.or(stress).unwrap_or_default();
        let flows = begin != 0.0 || end != 0.0;
        let watched = [viscosity, series("particle_pressure")].map(|v| Series::new(&at, v));
        let held = flows && begin == end;
        let steady = held.then(|| steady_state(&at, viscosity, series("particle_pressure")));
        let steady = steady.flatten();
        let mean = |k: usize| steady.and_then(|s| estimate(watched[k], s.start));
        let lowest = at.iter().zip(viscosity).min_by(|a, b| a.1.total_cmp(b.1));
        found.push(PhaseSeen {
            rate,
            stress,
            strain: [began, path[last]],
            time: [before(time), time[last]],
            steady,
            relative_viscosity: mean(0),
            particle_pressure: mean(1),
            lowest_viscosity: lowest.filter(|_| flows).map(|(at, eta)| [*eta, *at]),
            last_stress: column("shear_stress").get(last).copied().unwrap_or(0.0),
        });
    }
    found
}

/// What the oscillation of a case did; none if it has none, or not a cycle is over.
///
/// # Errors
///
/// When the table of cycles cannot be read.
pub fn oscillation(case: &Case, directory: &Path) -> Result<Option<OscillationSeen>, Error> {
    let Some(given) = &case.drive.oscillation else { return Ok(None) };
    let table = read_columns(&directory.join(CYCLES))?;
    let cycles = table.column("cycle").unwrap_or_default();
    if cycles.is_empty() {
        return Ok(None);
    }
    let series = |name: &str| Series::new(cycles, table.column(name).unwrap_or_default());
    let steady = sampled_start(&["viscosity", "particle_pressure"].map(series));
    let mean = |name: &str| estimate(series(name), steady.start);
    Ok(Some(OscillationSeen {
        amplitude: given.amplitude,
        frequency: given.frequency,
        cycles: cycles.len(),
        steady,
        viscosity: mean("viscosity"),
        elastic_viscosity: mean("elastic_viscosity"),
        particle_pressure: mean("particle_pressure"),
        coordination: mean("coordination"),
        mean_square_displacement: mean("mean_square_displacement"),
        mobile_fraction: mean("mobile_fraction"),
    }))
}

/// What is said of a mean that is not settled.
pub(super) fn remark(steady: &Steady) -> &'static str {
    if steady.settled { "" } else { "  (not settled)" }
}

fn number(e: &Option<Estimate>) -> String {
    e.as_ref().map_or("–".to_owned(), |e| with_error(e.mean, e.stderr))
}

impl PhaseSeen {
    /// The phase in a line.
    pub fn line(&self, index: usize) -> String {
        let [from, to] = self.strain;
        let imposed = match (self.rate, self.stress) {
            (Some([a, b]), _) if a == b => format!("rate {a}"),
            (Some([a, b]), _) => format!("rate {a} to {b}"),
            (_, Some([a, b])) if a == b => format!("stress {a}"),
            (_, Some([a, b])) => format!("stress {a} to {b}"),
            _ => String::new(),
        };
        let lowest = self
            .lowest_viscosity
            .map_or(String::new(), |[eta, at]| format!(", least {eta:.3} after strain {at:.3}"));
        let mean = match &self.relative_viscosity {
            Some(_) => {
                let remark = self.steady.as_ref().map_or("", remark);
                format!(": η_r = {}{remark}{lowest}", number(&self.relative_viscosity))
            }
            None => format!(": stress {:.4} at its end", self.last_stress),
        };
        format!("phase {:<14}{imposed}, strain {from:.3} to {to:.3}{mean}", index + 1)
    }
}

impl OscillationSeen {
    /// The results, one fact a line.
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!(
                "oscillation         γ₀ = {}, f = {}: {} cycles, averaged from the {}th{}",
                self.amplitude,
                self.frequency,
                self.cycles,
                self.steady.start.floor() + 1.0,
                remark(&self.steady)
            ),
            format!(
                "complex viscosity   η′ = {},  η″ = {}",
                number(&self.viscosity),
                number(&self.elastic_viscosity)
            ),
            format!(
                "back after a cycle  mean square distance {} a², {} of the particles beyond 0.1 a",
                number(&self.mean_square_displacement),
                number(&self.mobile_fraction)
            ),
        ]
    }
}

/// Draws what the cycles of an oscillation did, `cycles.svg` and `.png`.
///
/// # Errors
///
/// When the table of cycles cannot be read or the figure cannot be written.
pub fn draw_cycles(directory: &Path, seen: &OscillationSeen) -> Result<(), Error> {
    let table = read_columns(&directory.join(CYCLES))?;
    let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
    let trace = |label: &str, name: &str, mean: &Option<Estimate>| {
        let trace = Trace::new(label, column("cycle"), column(name));
        match mean {
            Some(e) => trace.with_mean(label, e.mean, e.stderr),
            None => trace,
        }
    };
    let figure = TimeSeriesFigure {
        x_label: format!("cycle{}", remark(&seen.steady)),
        steady_from: Some(seen.steady.start).filter(|_| seen.steady.settled),
        panels: vec![
            Panel {
                axis: Axis::linear("viscosity η / μ"),
                traces: vec![
                    trace("η′", "viscosity", &seen.viscosity),
                    trace("η″", "elastic_viscosity", &seen.elastic_viscosity),
                ],
            },
            Panel {
                axis: Axis::linear("mobile fraction"),
                traces: vec![trace("beyond 0.1 a", "mobile_fraction", &seen.mobile_fraction)],
            },
        ],
    };
    time_series(&directory.join("cycles"), &figure)?;
    Ok(())
}
