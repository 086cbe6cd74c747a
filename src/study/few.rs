//! What the studies of a few spheres have in common.

use serde::Serialize;

use crate::balance::Medium;
use crate::balance::field::Field;
use crate::case::Case;
use crate::drive::Drive;
use crate::integrate::Aim;
use crate::integrate::Convergence;
use crate::integrate::{Inertia, StepSettings, Stepper};
use crate::laws::soft::Soft;
use crate::laws::{Interactions, Remote};
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

/// What every study of a few spheres says in its summary besides its own results.
#[derive(Clone, Debug, Serialize)]
pub struct Conclusion {
    /// Whether the study reached its end.
    pub finished: bool,
    /// The title of the case.
    pub title: Option<String>,
    /// Time reached, in the study's own unit.
    pub time: f64,
    /// Costs and residuals.
    #[serde(flatten)]
    pub costs: Costs,
    /// What the user may want to know.
    pub advice: Vec<String>,
}

impl Conclusion {
    /// Of a run that reached its end.
    pub fn new(case: &Case, state: &RunState, advice: Vec<String>) -> Self {
        Conclusion {
            finished: true,
            title: case.title.clone(),
            time: state.suspension.clock.time,
            costs: Costs::of(state),
            advice,
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

/// A few spheres in a fluid of unit viscosity.
pub struct Spheres {
    /// How they act on each other.
    pub interactions: Interactions,
    /// What the fluid around pairs does beyond their films.
    pub field: Option<Field>,
    /// Whether Stokes drag acts.
    pub drag: bool,
    /// Whether they spin.
    pub rotation: bool,
    /// When the study ends at the latest.
    pub longest: f64,
    /// Largest strain of a step; 0 where nothing is sheared.
    pub max_strain: f64,
    /// Imbalance of forces, over all forces, at which a stage ends.
    pub residual: f64,
    /// Their mass, if they have one.
    pub inertia: Option<Inertia>,
}

/// The mass of spheres whose units are those of the Stokes number.
pub fn inertia(case: &Case) -> Option<Inertia> {
    case.inertia.as_ref()?.mass(1.0, 1.0)
}

/// Soft spheres that all feel each other.
pub fn soft(modulus: f64, elastic_factors: [f64; 2]) -> Interactions {
    let soft = Soft {
        viscosity: 1.0,
        modulus,
        elastic_factors,
        range: f64::INFINITY,
        rolling: false,
        remote: Remote::NONE,
    };
    Interactions::of(soft)
}

impl Spheres {
    /// Their stepper.
    pub fn stepper(&self, case: &Case, state: &Suspension, drive: Drive) -> Stepper {
        let medium =
            Medium { viscosity: 1.0, drag: self.drag, rotation: self.rotation, field: self.field };
        let solver = Solver::new(case.solver.method, case.solver.max_iterations);
        let settings = self.settings(case);
        let laws = self.interactions.clone();
        let mut stepper = Stepper::new(state, laws, drive, medium, settings, solver);
        if let Some(mass) = self.inertia {
            stepper.set_inertia(state, mass);
        }
        stepper
    }

    /// How their steps are chosen.
    fn settings(&self, case: &Case) -> StepSettings {
        StepSettings {
            tolerance: case.time.tolerance,
            aim: Aim::Trajectory,
            first_step: case.time.first_step.unwrap_or(1e-3),
            max_step: case.time.max_step.unwrap_or(self.longest),
            min_step: SHORTEST,
            max_strain: self.max_strain,
            max_overlap: f64::INFINITY,
            max_stiffness: 0.0,
            adapt_stiffness: false,
            convergence: Convergence {
                law_residual: case.time.friction_residual.unwrap_or(self.residual),
                linear_residual: 1e-3 * case.solver.tolerance,
                most: 20,
            },
        }
    }
}

/// Steps that would have to be shorter are given up `[τ]`.
const SHORTEST: f64 = 1e-12;

/// Imbalance of forces, over all forces, at which a stage with few soft films ends.
pub const FILM_RESIDUAL: f64 = 1e-8;

/// The same with two rough spheres, whose films are solved for exactly.
pub const PAIR_RESIDUAL: f64 = 1e-11;
