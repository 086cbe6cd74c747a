//! The table of particles with inertia.

use serde::{Deserialize, Serialize};

use crate::integrate::verlet::Prediction;
use crate::integrate::{Explicit, Inertia as Mass};

/// `[inertia]`: particles that have a mass. Either their density or the Stokes number is given;
/// zero of either is none, as without the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Inertia {
    /// Stokes number: \\(\rho\dot\gamma a^2/\mu\\) (\[GB20\]) with the rate of the case, 1/τ where
    /// nothing is sheared; \\(a\rho\sqrt{2u_0g}/\eta\\) for a falling sphere (\[CBC20\] eq. 39)
    /// `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stokes: Option<f64>,
    /// Density of the particles `[μt/a²]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// How steps are taken.
    pub scheme: Scheme,
    /// Steps of the explicit scheme over the longest that is stable; 0.2 unless given `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<f64>,
    /// Steps of the explicit scheme, instead of such a share; in the unit of `time.max_step`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// The velocities with which the explicit scheme asks for forces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
}

/// How particles with inertia are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Mass enters the balance as a resistance m/Δt; steps are as long as accuracy lets them.
    #[default]
    Implicit,
    /// Modified velocity Verlet (\[GB20\] eq. 11): explicit, steps as short as stability asks.
    Verlet,
}

impl Inertia {
    /// Steps of the explicit scheme over the longest stable one, unless given `[1]`.
    pub const SAFETY: f64 = 0.2;

    /// Rows of a few spheres that are moved explicitly, unless given, in the study's unit of time
    /// or strain.
    pub const INTERVAL: f64 = 1e-2;

    /// What it is to the stepper, given the density at a unit Stokes number and the unit of steps;
    /// none without a mass.
    pub fn mass(&self, unit_density: f64, unit_step: f64) -> Option<Mass> {
        let density = self.density.or(self.stokes.map(|stokes| stokes * unit_density))?;
        let explicit = (self.scheme == Scheme::Verlet).then(|| Explicit {
            safety: self.safety.unwrap_or(Inertia::SAFETY),
            step: self.step.map(|step| step * unit_step),
            prediction: self.prediction.unwrap_or_default(),
        });
        (density > 0.0).then_some(Mass { density, explicit })
    }

    /// Whether particles have a mass.
    pub fn is_some(&self) -> bool {
        self.stokes.or(self.density).is_some_and(|given| given > 0.0)
    }
}
