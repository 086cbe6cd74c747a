//! What the studies of a few soft spheres have in common.

use serde::Serialize;

use crate::balance::Medium;
use crate::case::Case;
use crate::drive::Drive;
use crate::integrate::control::Aim;
use crate::integrate::stage::Convergence;
use crate::integrate::{StepSettings, Stepper};
use crate::laws::Interactions;
use crate::laws::soft::Soft;
use crate::run::{RunState, Totals};
use crate::solve::Solver;
use crate::state::Suspension;

/// What a study cost, and how well forces balanced.
#[derive(Clone, Debug, Serialize)]
pub struct Costs {
    /// Accepted steps.
    pub steps: u64,
    /// Linear systems solved.
    pub solves: u64,
    /// Trial steps thrown away.
    pub rejected: u64,
    /// Largest imbalance of forces in the state in which a stage ended, over all forces.
    pub worst_force_residual: f64,
    /// Largest mismatch of power in and power taken up.
    pub worst_power_mismatch: f64,
    /// Wall time `[s]`.
    pub wall_seconds: f64,
}

impl Costs {
    /// Of a run.
    pub fn of(state: &RunState) -> Self {
        let totals: &Totals = &state.totals;
        Costs {
            steps: state.suspension.clock.steps,
            solves: totals.solves,
            rejected: totals.rejected,
            worst_force_residual: totals.worst_force_residual,
            worst_power_mismatch: totals.worst_power_mismatch,
            wall_seconds: totals.wall_seconds,
        }
    }
}

/// Costs and residuals as text.
pub fn cost_lines(costs: &Costs) -> Vec<String> {
    vec![
        format!("forces balance      to {:.0e} in every stage", costs.worst_force_residual),
        format!(
            "cost                {} steps, {} solves, {:.3} s",
            costs.steps, costs.solves, costs.wall_seconds
        ),
    ]
}

/// Where the model is asked for more than it holds: films thicker than a radius at the start, and
/// deflections that are not small.
pub fn validity(gap: f64, deflection: f64) -> Vec<String> {
    let mut advice = Vec::new();
    if gap >= 1.0 {
        advice.push(format!(
            "the initial gap of {gap} R is no thin film: lubrication holds for gaps well below R"
        ));
    }
    if deflection > 0.5 {
        advice.push(format!(
            "surfaces were deflected by up to {deflection:.2} R: Hertz's law holds for deflections \
             well below R, that is for a smaller kappa"
        ));
    }
    advice
}

/// Soft spheres of unit radius in a fluid of unit viscosity that all feel each other.
pub struct Spheres {
    /// Young's modulus.
    pub modulus: f64,
    /// c_n and c_t.
    pub elastic_factors: [f64; 2],
    /// Whether Stokes drag acts.
    pub drag: bool,
    /// When the study ends at the latest.
    pub longest: f64,
}

impl Spheres {
    /// Their stepper.
    pub fn stepper(&self, case: &Case, state: &Suspension, drive: Drive) -> Stepper {
        let soft = Soft {
            viscosity: 1.0,
            modulus: self.modulus,
            elastic_factors: self.elastic_factors,
            range: f64::INFINITY,
            rolling: false,
            repulsion: None,
            attraction: None,
        };
        let interactions = Interactions { soft: Some(soft), ..Interactions::default() };
        let medium = Medium { viscosity: 1.0, drag: self.drag, rotation: false };
        let solver = Solver::new(case.solver.method, case.solver.max_iterations);
        Stepper::new(state, interactions, drive, medium, settings(case, self.longest), solver)
    }
}

/// How the steps of a few soft particles are chosen, in a run of a given duration.
fn settings(case: &Case, longest: f64) -> StepSettings {
    StepSettings {
        tolerance: case.time.tolerance,
        aim: Aim::Trajectory,
        first_step: case.time.first_step.unwrap_or(1e-3),
        max_step: case.time.max_step.unwrap_or(longest),
        min_step: SHORTEST,
        max_strain: 0.0,
        max_overlap: f64::INFINITY,
        max_stiffness: 0.0,
        adapt_stiffness: false,
        convergence: Convergence {
            law_residual: case.time.friction_residual.unwrap_or(FILM_RESIDUAL),
            linear_residual: 1e-3 * case.solver.tolerance,
            most: 20,
        },
    }
}

/// Steps that would have to be shorter are given up `[τ]`.
const SHORTEST: f64 = 1e-12;

/// Imbalance of forces, over all forces, at which a stage with few films ends.
const FILM_RESIDUAL: f64 = 1e-8;
