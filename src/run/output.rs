//! What a run writes besides its rows: cycles, frames and contacts.

use super::{Run, RunState};
use crate::drive::Protocol;
use crate::error::Error;
use crate::integrate::{Observation, with_flow};
use crate::record::Frame;

/// Columns of `contacts.csv`.
pub(super) const CONTACT_COLUMNS: &[&str] = &[
    "strain",
    "i",
    "j",
    "gap",
    "nx",
    "ny",
    "nz",
    "normal_force",
    "fx",
    "fy",
    "fz",
    "sliding",
    "overloaded",
];

/// Columns of `bonds.csv`; a partner that is no particle is a surface of an obstacle.
pub(super) const BOND_COLUMNS: &[&str] = &["time", "i", "j", "gamma", "force"];

/// Columns of `obstacles.csv`.
pub(super) const LOAD_COLUMNS: &[&str] = &["time", "obstacle", "fx", "fy", "fz", "tx", "ty", "tz"];

impl Run {
    /// Writes the forces on obstacles in the last step.
    pub(super) fn write_loads(&mut self) -> Result<(), Error> {
        let Some(table) = &mut self.loads else { return Ok(()) };
        let time = self.state.suspension.clock.time;
        let loads = self.stepper.obstacle_loads();
        table.write_rows(loads.iter().enumerate().map(|(k, load)| {
            let (f, t) = (load.linear, load.angular);
            [time, k as f64, f.x, f.y, f.z, t.x, t.y, t.z]
        }))
    }

    /// Takes up a step of an oscillation; a cycle that is over becomes a row.
    pub(super) fn record_cycle(&mut self, seen: &Observation) -> Result<(), Error> {
        let (Some(table), Protocol::Oscillation(wave)) = (&mut self.cycles, &self.stepper.protocol)
        else {
            return Ok(());
        };
        let RunState { cycle, suspension, .. } = &mut self.state;
        match cycle.take(seen, wave, &self.units, suspension) {
            Some(row) => table.write_row(&row),
            None => Ok(()),
        }
    }

    /// Writes the particles, and their contacts if asked to.
    pub(super) fn write_frame(&mut self) -> Result<(), Error> {
        if self.case.output.frames <= 0.0 {
            return Ok(());
        }
        let state = &self.state.suspension;
        let vectors = state.cell.images(&state.clock).vectors();
        let lattice = vectors.map_or([[0.0; 3]; 3], |v| v.map(Into::into));
        let rotation = self.stepper.drive.rotation();
        let velocities = self.stepper.velocities_at_end(state);
        let spins: Vec<_> = velocities.iter().map(|m| m.angular + rotation).collect();
        self.frames.write(&Frame {
            positions: &state.positions,
            radii: &state.radii,
            velocities: &with_flow(&state.positions, &velocities, &self.stepper.drive),
            spins: &spins,
            lattice,
            origin: [0.0; 3],
            pbc: [vectors.is_some(); 3],
            strain: state.clock.strain,
            time: state.clock.time,
        })?;
        self.state.frames += 1;
        self.state.frame_at = self.at();
        if let Some(table) = &mut self.bonds {
            let (time, memory) = (state.clock.time, &state.memory);
            let bonds = memory.ids.iter().zip(memory.values.chunks_exact(2));
            table.write_rows(bonds.map(|(ids, values)| {
                let [i, j] = ids.map(f64::from);
                [time, i, j, values[0], values[1]]
            }))?;
        }
        if let Some(table) = &mut self.contacts {
            let strain = state.clock.strain;
            table.write_rows(self.stepper.contacts(state).map(|c| {
                let (n, f) = (c.normal, c.force);
                let [i, j] = c.ids.map(f64::from);
                let [slides, overloaded] = [c.slides, c.overloaded].map(|b| f64::from(u8::from(b)));
                [strain, i, j, c.gap, n.x, n.y, n.z, f.dot(&n), f.x, f.y, f.z, slides, overloaded]
            }))?;
        }
        Ok(())
    }
}
