//! What every cycle of an oscillation did, cycle by cycle: `cycles.csv`.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::drive::Wave;
use crate::integrate::Observation;
use crate::record::observation::Units;
use crate::state::Suspension;
use crate::stress;

/// Columns of `cycles.csv`.
pub const CYCLE_COLUMNS: &[&str] = &[
    "cycle",
    "time",
    "viscosity",
    "elastic_viscosity",
    "particle_pressure",
    "coordination",
    "mean_square_displacement",
    "mobile_fraction",
];

/// A particle that is farther from where it was a cycle before has moved for good `[a]`.
const MOBILE: f64 = 0.1;

/// A cycle under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cycle {
    /// Cycles that are over.
    pub count: u64,
    /// Where the particles were when it began; empty before the first step `[a]`.
    began: Vec<Vector3<f64>>,
    /// Integrals over time of the stress times cosine and sine, of pressure and of contacts.
    sums: [f64; 4],
    time: f64,
}

impl Cycle {
    /// Begins with where the particles are.
    pub fn begin(&mut self, state: &Suspension) {
        if self.began.is_empty() {
            self.began.clone_from(&state.positions);
        }
    }

    /// Takes up a step after which the particles are as in `state`; a row when the cycle is over.
    ///
    /// The stress of a step is constant, so its Fourier components in a cycle,
    /// \\(\eta' = \frac2T\int\sigma\cos\omega t\,dt\\) and \\(\eta'' = \frac2T\int\sigma\sin\omega t\,dt\\)
    /// in units of \\(\mu\omega\gamma_0\\), are sums over steps.
    pub fn take(
        &mut self,
        seen: &Observation,
        wave: &Wave,
        units: &Units,
        state: &Suspension,
    ) -> Option<[f64; 8]> {
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
            seen.coordination * seen.step,
        ];
        self.sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.time += seen.step;
        let cycles = seen.time * wave.frequency;
        (cycles >= (self.count + 1) as f64 * (1.0 - 1e-12)).then(|| self.end(seen, units, state))
    }

    fn end(&mut self, seen: &Observation, units: &Units, state: &Suspension) -> [f64; 8] {
        let images = state.cell.images(&state.clock);
        let moved = |(from, to)| images.separation(from, to).norm() / units.radius;
        let moved: Vec<f64> = self.began.iter().zip(&state.positions).map(moved).collect();
        let count = moved.len() as f64;
        let square = moved.iter().map(|d| d * d).sum::<f64>() / count;
        let mobile = moved.iter().filter(|d| **d > MOBILE).count() as f64 / count;
        let [cosine, sine, pressure, contacts] = self.sums.map(|sum| sum / self.time);
        self.count += 1;
        self.sums = [0.0; 4];
        self.time = 0.0;
        self.began.clone_from(&state.positions);
        let number = self.count as f64;
        [number, seen.time, 2.0 * cosine, 2.0 * sine, pressure, contacts, square, mobile]
    }
}
