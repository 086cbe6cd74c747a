//! `cycles.csv`: what every cycle of an oscillation did.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::output::{Opening, Output, View, remembered};
use super::super::series::Units;
use super::{About, opened};
use crate::drive::{Protocol, Wave};
use crate::error::Error;
use crate::integrate::Observation;
use crate::record::column::{Column, describe, values};
use crate::record::{AppendFile, CYCLES, TableWriter};
use crate::state::Suspension;
use crate::stress;

/// The name in checkpoints.
const NAME: &str = "cycles";

/// A particle that is farther from where it was a cycle before has moved for good `[a]`.
const LARGEST_REVERSIBLE: f64 = 0.1;

/// A cycle that is over.
struct Done {
    /// Its number, from 1.
    number: u64,
    time: f64,
    /// Means of the stress times cosine and sine, of pressure and of contacts.
    means: [f64; 4],
    mean_square: f64,
    mobile: f64,
}

/// Columns of `cycles.csv`.
const COLUMNS: &[Column<Done>] = &[
    Column::new("cycle", "1", "number of the cycle, from 1", |c| c.number as f64),
    Column::new("time", "t", "time at the end of the cycle", |c| c.time),
    Column::new("viscosity", "μ", "η′, in phase with the rate", |c| 2.0 * c.means[0]),
    Column::new("elastic_viscosity", "μ", "η″, in phase with the strain", |c| 2.0 * c.means[1]),
    Column::new("particle_pressure", "2πfγ₀μ", "mean pressure Π", |c| c.means[2]),
    Column::new("coordination", "1", "mean number of contacts of a particle", |c| c.means[3]),
    Column::new(
        "mean_square_displacement",
        "a²",
        "mean square displacement since the cycle before",
        |c| c.mean_square,
    ),
    Column::new(
        "mobile_fraction",
        "1",
        "fraction of particles that moved by more than 0.1 a since then",
        |c| c.mobile,
    ),
];

/// A cycle under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Cycle {
    /// Cycles that are over.
    count: u64,
    /// Where the particles were when it began; empty before the first step `[a]`.
    began: Vec<Vector3<f64>>,
    /// Integrals over time of the stress times cosine and sine, of pressure and of contacts.
    sums: [f64; 4],
    time: f64,
}

impl Cycle {
    /// Adds a step.
    ///
    /// The stress of a step is constant, so its Fourier components in a cycle,
    /// \\(\eta' = \frac2T\int\sigma\cos\omega t\,dt\\) and
    /// \\(\eta'' = \frac2T\int\sigma\sin\omega t\,dt\\) in units of \\(\mu\omega\gamma_0\\), are
    /// sums over steps.
    fn add(&mut self, seen: &Observation, wave: &Wave, units: &Units) {
        let omega = TAU * wave.frequency;
        let [from, to] = [seen.time - seen.step, seen.time].map(|time| omega * time);
        let total = seen.stress.total();
        let driving = units.flow.stress(&total) / units.stress;
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let share = 2.0 * half.sin() / omega;
        let pressure = stress::pressure(&total) / units.stress;
        let parts = [
            driving * share * middle.cos(),
            driving * share * middle.sin(),
            pressure * seen.step,
            seen.contacts.coordination * seen.step,
        ];
        self.sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.time += seen.step;
    }

    /// Whether it is over after a step.
    fn is_over(&self, seen: &Observation, wave: &Wave) -> bool {
        let cycles = seen.time * wave.frequency;
        cycles >= (self.count + 1) as f64 * (1.0 - 1e-12)
    }

    /// Ends it with where the particles are; the next one begins.
    fn end(&mut self, seen: &Observation, units: &Units, state: &Suspension) -> Done {
        let images = state.cell.images(&state.clock);
        let moved = |(from, to)| images.separation(from, to).norm() / units.radius;
        let moved: Vec<f64> = self.began.iter().zip(&state.positions).map(moved).collect();
        let count = moved.len() as f64;
        let mean_square = moved.iter().map(|d| d * d).sum::<f64>() / count;
        let mobile = moved.iter().filter(|d| **d > LARGEST_REVERSIBLE).count() as f64 / count;
        let means = self.sums.map(|sum| sum / self.time);
        let number = self.count + 1;
        let began = state.positions.clone();
        *self = Cycle { count: number, began, ..Cycle::default() };
        Done { number, time: seen.time, means, mean_square, mobile }
    }
}

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: CYCLES,
    when: "in oscillating flow, one row per cycle",
    columns: || describe(COLUMNS),
    open: |asked| match asked.protocol {
        Protocol::Oscillation(wave) => opened(Cycles::open(asked.opening, *wave)),
        _ => Ok(None),
    },
};

/// The cycles of an oscillation.
pub struct Cycles {
    table: TableWriter,
    wave: Wave,
    cycle: Cycle,
}

impl Cycles {
    /// At the beginning, or where they go on.
    pub fn open(opening: &Opening, wave: Wave) -> Result<Self, Error> {
        let table = opening.table(CYCLES, COLUMNS)?;
        Ok(Cycles { table, wave, cycle: opening.memory(NAME)? })
    }
}

impl Output for Cycles {
    fn name(&self) -> &'static str {
        NAME
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.table.file()]
    }

    fn begin(&mut self, view: &View) -> Result<(), Error> {
        if self.cycle.began.is_empty() {
            self.cycle.began.clone_from(&view.suspension.positions);
        }
        Ok(())
    }

    fn after_step(&mut self, view: &View, seen: &Observation) -> Result<(), Error> {
        self.cycle.add(seen, &self.wave, view.units);
        if !self.cycle.is_over(seen, &self.wave) {
            return Ok(());
        }
        let done = self.cycle.end(seen, view.units, view.suspension);
        self.table.write_row(&values(COLUMNS, &done))
    }

    fn memory(&self) -> Value {
        remembered(&self.cycle)
    }
}
