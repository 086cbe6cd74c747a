//! What a stage finds, and how fast it changes what the next ones start from.

use nalgebra::Vector3;

use crate::integrate::linearise::Unknowns;
use crate::integrate::mechanics::Mechanics;
use crate::integrate::observe::Flows;
use crate::state::Screw;

/// What one stage found.
#[derive(Default)]
pub(super) struct Found {
    /// Velocities and shear rate.
    pub unknowns: Unknowns,
    /// How particles with inertia are accelerated; otherwise empty.
    pub accelerations: Vec<Screw>,
    /// Stress and powers.
    pub flows: Flows,
    /// Rates of change of the separations, of the centres at surfaces, and of the memory.
    pub separations: Vec<Vector3<f64>>,
    pub centres: Vec<Vector3<f64>>,
    pub memory: Vec<f64>,
}

impl Found {
    pub fn velocity(&self, particle: usize) -> &Vector3<f64> {
        &self.unknowns.velocities[particle].linear
    }

    /// Takes over what a stage of some duration has found.
    pub fn take(&mut self, mechanics: &Mechanics, duration: f64) {
        let Mechanics { stage, drive, .. } = mechanics;
        self.unknowns.set(&stage.velocities, drive.rate);
        self.accelerations.clear();
        let moved = 0..stage.momentum.masses.len();
        let gained = moved.map(|k| stage.momentum.acceleration(k, &stage.velocities[k]));
        self.accelerations.extend(gained);
        self.centres.clear();
        self.centres.extend(stage.pairs.walls.met.iter().map(|met| {
            let velocity = &stage.velocities[met.particle].linear;
            (drive.carry_back(&met.centre, velocity, duration) - met.centre) / duration
        }));
        let pairs = &stage.pairs;
        self.separations.clear();
        self.separations.extend(
            stage.linearisation.geometry.iter().zip(&pairs.active).map(|(placed, pair)| {
                (placed.distance * placed.normal - pair.separation) / duration
            }),
        );
        self.memory.clear();
        let ends = pairs.advanced.iter().zip(&pairs.memory);
        self.memory.extend(ends.map(|(end, base)| (end - base) / duration));
    }
}
