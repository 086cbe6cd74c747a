//! The scales that make a case's numbers dimensionless.

use nalgebra::Vector3;

use crate::case::{Case, Imposed};
use crate::laws::CaseUnits;

/// The scales that make a case's numbers dimensionless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Radius of the smallest sphere, a `[a]`.
    pub radius: f64,
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Shear rate, or the rate at which the external force would drag a small sphere by its
    /// radius when nothing is sheared `[1/t]`.
    pub rate: f64,
}

impl Scales {
    /// Of a case with the given particles.
    pub fn new(case: &Case, smallest_radius: f64) -> Self {
        let viscosity = case.fluid.viscosity;
        let rate = match case.drive.imposed() {
            Imposed::Stress(stress) => (stress / viscosity).abs(),
            Imposed::Rate(rate) if rate != 0.0 => rate.abs(),
            Imposed::Rate(_) => {
                let body = Vector3::from(case.drive.force).norm();
                let force = case.force.iter().map(|f| Vector3::from(f.vector).norm());
                let drag = 6.0 * std::f64::consts::PI * viscosity * smallest_radius.powi(2);
                let rate = force.fold(body, f64::max) / drag;
                if rate > 0.0 { rate } else { 1.0 }
            }
        };
        Scales { radius: smallest_radius, viscosity, rate }
    }

    /// What the numbers of tables of laws are scaled with.
    pub fn case_units(&self) -> CaseUnits {
        CaseUnits { radius: self.radius, viscosity: self.viscosity }
    }

    /// μγ̇, the unit of stress.
    pub fn stress(&self) -> f64 {
        self.viscosity * self.rate
    }

    /// μγ̇a, the unit of stiffness.
    pub fn stiffness(&self) -> f64 {
        self.stress() * self.radius
    }

    /// μγ̇a², the unit of force.
    pub fn force(&self) -> f64 {
        self.stress() * self.radius * self.radius
    }
}
