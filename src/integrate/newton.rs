//! Newton's method, for stages whose films are solved for exactly.

use super::goal::{Convergence, Effort, StageFailure};
use super::stage::Stage;
use crate::drive::Drive;
use crate::laws::PairLaw;
use crate::solve::{Goal, Solver};

impl Stage {
    /// Finds the velocities by Newton's method: until the forces that the laws give at the velocities
    /// themselves balance.
    pub fn newton(
        &mut self,
        laws: &[Box<dyn PairLaw>],
        drive: &mut Drive,
        step: f64,
        solver: &mut Solver,
        goal: &Convergence,
        effort: &mut Effort,
    ) -> Result<(), StageFailure> {
        self.exact = self.stress.is_none() && solver.takes_any_slope(self.operator.drag.len());
        let mut best = f64::INFINITY;
        for _ in 0..=goal.most {
            self.linearise(laws, drive, step);
            if let Some(ids) = self.lost {
                return Err(StageFailure::Film(ids));
            }
            // Forces below what rounding leaves of stiff films count as that, but a few particles are
            // taken as far as rounding lets them.
            let imbalance = self.imbalance();
            let rounded = imbalance > goal.law_residual * self.scale;
            self.scale = self.scale.max(self.noise / goal.law_residual);
            effort.law_residual = imbalance / self.scale;
            let improves = self.exact && rounded && effort.law_residual < 0.3 * best;
            let met = effort.law_residual <= goal.law_residual && self.meets_stress(drive);
            if met && !improves {
                effort.force_residual = effort.force_residual.max(effort.law_residual);
                return Ok(());
            }
            if effort.law_residual.is_nan() || effort.law_residual > 1e3 * best {
                break;
            }
            best = best.min(effort.law_residual);
            let target = (0.05 * effort.law_residual).max(goal.linear_residual) * self.scale;
            let aim = Goal { target, proven: false };
            self.solve_once(drive, solver, aim, effort).map_err(StageFailure::Solve)?;
        }
        Err(StageFailure::Unconverged { law_residual: effort.law_residual })
    }

    /// Whether the moment of all forces at the guess is the imposed one, if there is one.
    fn meets_stress(&self, drive: &Drive) -> bool {
        let Some(goal) = self.stress else { return true };
        let pairs = self.flow.moment(drive.rate, &self.velocities);
        let missing = goal.moment - drive.rate * goal.fluid - pairs;
        missing.abs() <= 1e-6 * goal.moment.abs()
    }
}
