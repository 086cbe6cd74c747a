//! What a stage finds, and how fast it changes what the next ones start from.

use nalgebra::Vector3;

use crate::integrate::linearise::Unknowns;
use crate::integrate::mechanics::Mechanics;
use crate::integrate::observe::Flows;
use crate::integrate::pair_view::with_memory_mut;
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
        let Mechanics { stage, drive, laws, .. } = mechanics;
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
        self.separations.clear();
        self.memory.clear();
        let mut after = vec![0.0; stage.pairs.stride];
        for (view, pair) in stage.views(drive).zip(&stage.pairs.active) {
            let separation = view.pair.distance * view.pair.normal;
            self.separations.push((separation - pair.separation) / duration);
            after.copy_from_slice(view.memory);
            for (law, own) in with_memory_mut(laws, &mut after) {
                law.advance_memory(view.pair, own, &view.rates);
            }
            let rates = after.iter().zip(view.memory).map(|(end, base)| (end - base) / duration);
            self.memory.extend(rates);
        }
    }
}
