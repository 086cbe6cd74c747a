//! The balance of one instant: velocities and forces of a configuration that stays where it is.

use nalgebra::Vector3;

use super::mechanics::Mechanics;
use super::observe::Observation;
use super::pair_view::with_memory;
use super::trial::Effort;
use crate::error::Error;
use crate::laws::{Origin, PairForce, Rates, lubrication};
use crate::state::{PairIds, Suspension};

/// Residual of the forces, relative to all forces: there is but one solve, so it may be a good one.
const RESIDUAL: f64 = 1e-9;

/// The time over which the imposed rate is taken, in first steps.
const INSTANT: f64 = 1e-9;

/// A pair within the range of the laws, with all that acts in it at an instant.
#[derive(Clone, Copy, Debug)]
pub struct PairSeen {
    /// Who the two are.
    pub ids: PairIds,
    /// Gap, negative when spheres overlap `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Force on j of all laws `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Normal forces by [`Origin::index`], positive in tension `[μγ̇a²]`.
    pub normal_forces: [f64; Origin::COUNT],
    /// The six rates.
    pub rates: Rates,
}

impl Mechanics {
    /// Finds the velocities at which the forces of this very instant balance, and puts them into
    /// the state.
    pub(super) fn balance(&mut self, state: &mut Suspension) -> Result<Observation, Error> {
        self.use_stiffness(state);
        self.impose(state, INSTANT * self.first_step());
        self.find_pairs(state, self.memory_len());
        self.stage.velocities.clone_from(&state.velocities);
        let mut goal = self.settings.convergence;
        goal.law_residual = goal.law_residual.min(RESIDUAL);
        goal.linear_residual = goal.linear_residual.min(0.1 * RESIDUAL);
        let mut effort = Effort::default();
        let Mechanics { stage, laws, drive, solver, .. } = self;
        let solved = stage.solve(laws, drive, 0.0, (solver, &goal), &mut effort);
        solved.map_err(|reason| self.give_up(state, 0.0, reason))?;
        state.velocities.clone_from(&self.stage.velocities);
        state.rate = self.drive.rate;
        Ok(self.observe_instant(state, effort))
    }

    /// All pairs within the range of the laws, with what acts in them in the last balance.
    pub(super) fn balanced_pairs(&self) -> impl Iterator<Item = PairSeen> + '_ {
        let strain_rate = self.drive.strain_rate();
        self.stage.views(&self.drive).enumerate().map(move |(p, seen)| {
            let mut normal_forces = [0.0; Origin::COUNT];
            let mut all = PairForce::default();
            let mut add = |origin: Origin, force: PairForce| {
                normal_forces[origin.index()] += force.normal;
                all = all + force;
            };
            for (law, memory) in with_memory(&self.laws, seen.memory) {
                law.parts(seen.pair, memory, [&seen.guess, &seen.rates], &mut add);
            }
            if let Some(far_field) = self.stage.fields.of(p) {
                let driven = far_field.driven(&seen.pair.normal, &strain_rate);
                add(lubrication::ORIGIN, far_field.resistance.force(&seen.rates) + driven);
            }
            PairSeen {
                ids: seen.ids,
                gap: seen.pair.gap,
                normal: seen.pair.normal,
                force: -(all.normal * seen.pair.normal + all.shear),
                normal_forces,
                rates: seen.rates,
            }
        })
    }
}
