//! Gluey particles (\[L09\]): from a case to the law of contacts and to steps.

use super::suspension::Scales;
use crate::case::{Case, Gluey, Imposed};
use crate::integrate::Aim;
use crate::integrate::Convergence;
use crate::integrate::StepSettings;
use crate::integrate::projected::{Gluey as Law, Mass};
use crate::solve::projection::Freedom;

/// The longest step in a flow, as strain.
const LONGEST_STRAIN: f64 = 0.02;

/// The first step, over the time in which the largest force moves the smallest particle by its
/// radius.
const FIRST_STEP: f64 = 1e-3;

/// Steps that would have to be shorter are given up, over the first.
const SHORTEST: f64 = 1e-9;

impl Gluey {
    /// The mass of particles; none without inertia.
    fn masses(&self) -> Option<Mass> {
        let mass = match (self.mass, self.density) {
            (None, Some(density)) => Mass::Density(density),
            (mass, _) => Mass::Each(mass.unwrap_or(1.0)),
        };
        self.inertia.then_some(mass)
    }
}

/// The law of the contacts of a case; none where they are springs.
pub fn law(case: &Case) -> Option<Law> {
    let gluey = case.laws.gluey.as_ref()?;
    Some(Law {
        least: gluey.least(case.fluid.viscosity),
        step: case.time.step,
        potential: gluey.potential,
        freedom: if case.particles.planar { Freedom::Plane } else { Freedom::Space },
        mass: gluey.masses(),
    })
}

/// How steps are chosen.
pub(super) fn settings(case: &Case, scales: &Scales) -> StepSettings {
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    let longest = if sheared { LONGEST_STRAIN } else { f64::INFINITY };
    let max_strain = case.time.max_step.unwrap_or(longest);
    let first = case.time.first_step.unwrap_or(FIRST_STEP / scales.rate);
    StepSettings {
        tolerance: case.time.tolerance,
        aim: Aim::Trajectory,
        first_step: first,
        max_step: if sheared { max_strain / scales.rate } else { max_strain },
        min_step: SHORTEST * case.time.step.unwrap_or(first).min(first),
        max_strain: if sheared { max_strain } else { 0.0 },
        max_overlap: f64::INFINITY,
        max_stiffness: 0.0,
        adapt_stiffness: false,
        convergence: Convergence {
            law_residual: case.time.friction_residual.unwrap_or(1e-8),
            linear_residual: case.solver.tight(),
            most: 60,
        },
    }
}
