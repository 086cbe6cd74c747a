//! What the studies of a few spheres have in common.

use serde::{Deserialize, Serialize};

use crate::balance::Medium;
use crate::balance::field::Field;
use crate::case::Case;
use crate::drive::Drive;
use crate::integrate::Aim;
use crate::integrate::Convergence;
use crate::integrate::{Inertia, Setup, StepSettings, Stepper};
use crate::laws::soft::Soft;
use crate::laws::{Interactions, Remote};
use crate::record::keys::described;
use crate::solve::Solver;
use crate::state::Suspension;
use crate::study::Finished;

described! {
    /// What a study cost, and how well forces balanced.
    #[derive(Clone, Debug, Serialize)]
    pub struct Costs {
        /// Accepted steps.
        pub steps: u64,
        /// Linear systems solved.
        pub solves: u64,
        /// Trial steps thrown away.
        pub rejected: u64,
        /// Largest imbalance of forces in the state in which a stage ended, over all forces `[1]`.
        pub worst_force_residual: f64,
        /// Largest mismatch of power in and power taken up `[1]`.
        pub worst_power_mismatch: f64,
        /// Wall time `[s]`.
        pub wall_seconds: f64,
    }
}

impl Costs {
    /// Of a run.
    pub fn of(run: &Finished<'_>) -> Self {
        let totals = run.totals;
        Costs {
            steps: run.state.clock.steps,
            solves: totals.solves,
            rejected: totals.rejected,
            worst_force_residual: totals.worst_force_residual,
            worst_power_mismatch: totals.worst_power_mismatch,
            wall_seconds: totals.wall_seconds,
        }
    }
}

described! {
    /// What every study of a few spheres says in its summary besides its own results.
    #[derive(Clone, Debug, Serialize)]
    pub struct Conclusion {
        /// Whether the study reached its end.
        pub finished: bool,
        /// The title of the case.
        pub title: Option<String>,
        /// Time reached.
        pub time: f64,
        /// Costs and residuals.
        #[serde(flatten)]
        pub costs: Costs,
        /// What the user may want to know.
        pub advice: Vec<String>,
    }
}

impl Conclusion {
    /// Of a run that reached its end.
    pub fn new(run: &Finished<'_>, advice: Vec<String>) -> Self {
        Conclusion {
            finished: true,
            title: run.case.title.clone(),
            time: run.state.clock.time,
            costs: Costs::of(run),
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

/// What the mass of particles means in a fluid of a viscosity, one fact a line; nothing without
/// one.
pub fn inertia_lines(
    inertia: Option<Inertia>,
    viscosity: f64,
    smallest_radius: f64,
) -> Vec<String> {
    let Some(Inertia { density, explicit }) = inertia else { return Vec::new() };
    let relaxation = 2.0 * density * smallest_radius.powi(2) / (9.0 * viscosity);
    let scheme = match explicit {
        Some(_) => "explicit steps (velocity Verlet), as short as stability asks",
        None => "implicit in the adaptive steps",
    };
    vec![
        format!("inertia             density {density:.4e}, {scheme}"),
        format!("relaxation          2ρa²/9μ = {relaxation:.4e} for the smallest sphere alone"),
    ]
}

/// What a case means, with the mass of spheres of unit radius.
pub fn meaning(mut lines: Vec<String>, mass: Option<Inertia>) -> Vec<String> {
    lines.extend(inertia_lines(mass, 1.0, 1.0));
    lines
}

impl Spheres {
    /// Without drag, spin and mass, in a fluid at rest; films are solved for exactly.
    pub fn new(interactions: Interactions, longest: f64) -> Self {
        Spheres {
            interactions,
            field: None,
            drag: false,
            rotation: false,
            longest,
            max_strain: 0.0,
            residual: PAIR_RESIDUAL,
            inertia: None,
        }
    }

    /// The same, soft, where all feel each other.
    pub fn soft(modulus: f64, elastic_factors: [f64; 2], longest: f64) -> Self {
        let soft = Soft {
            viscosity: 1.0,
            modulus,
            elastic_factors,
            range: f64::INFINITY,
            rolling: false,
            remote: Remote::NONE,
        };
        Spheres { residual: FILM_RESIDUAL, ..Spheres::new(Interactions::of(soft), longest) }
    }

    /// Their stepper.
    pub fn stepper(&self, case: &Case, state: &Suspension, drive: Drive) -> Stepper {
        let medium =
            Medium { viscosity: 1.0, drag: self.drag, rotation: self.rotation, field: self.field };
        let solver = Solver::new(case.solver.method, case.solver.max_iterations);
        let settings = self.settings(case);
        let laws = self.interactions.clone();
        let setup = Setup::new(laws, drive, medium, settings, solver);
        Stepper::new(state, Setup { inertia: self.inertia, ..setup })
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
                linear_residual: 1e-3 * case.solver.tight(),
                most: 20,
            },
        }
    }
}

/// Steps that would have to be shorter are given up `[τ]`.
const SHORTEST: f64 = 1e-12;

/// Imbalance of forces, over all forces, at which a stage with few soft films ends.
const FILM_RESIDUAL: f64 = 1e-8;

/// The same with two rough spheres, whose films are solved for exactly.
const PAIR_RESIDUAL: f64 = 1e-11;

/// Which way a force acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// Inwards.
    Press,
    /// Outwards.
    Pull,
}

/// The smallest reduced force that can be computed `[1]`.
pub const SMALLEST_FORCE: f64 = 1e-7;

/// The reduced force beyond which spheres are squashed `[1]`.
pub const LARGEST_FORCE: f64 = 3.0;

/// What to do about others.
pub const REDUCED_FORCE: &str = "it is force over modulus, as in 3e-3; rounding hides smaller \
                                 deflections, and softer spheres are squashed";

/// The thinnest film that can be computed `[R]`.
pub const THINNEST: f64 = 1e-7;

/// The gap beyond which there is no film `[R]`.
pub const THICKEST: f64 = 10.0;

/// What to do about others.
pub const THIN_FILM: &str = "spheres must not overlap at the start, and films are thin, as in 1e-2";
