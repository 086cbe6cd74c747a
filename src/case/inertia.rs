//! The table of particles with inertia.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::integrate::verlet::Prediction;
use crate::integrate::{Explicit, Inertia as Mass};

/// `[inertia]`: particles that have a mass. Either their density or the Stokes number is given;
/// zero of either is no mass, as without the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Inertia {
    /// Stokes number: ργ̇a²/μ (\[GB20\]) with the rate of the case, 1/τ where nothing is sheared;
    /// aρ√(2u₀g)/μ for a falling sphere (\[CBC20\] eq. 39) `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0, "remedy" = "0 is no inertia, 0.01 is little"))]
    pub stokes: Option<f64>,
    /// Density of the particles, instead of the Stokes number; in the studies of a few spheres in
    /// μτ/a² `[force × time²/length⁴]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0, "remedy" = "0 is no inertia, 0.01 is little"))]
    pub density: Option<f64>,
    /// How steps are taken.
    pub scheme: Scheme,
    /// Step of the explicit scheme over the longest that is stable `[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "minimum" = 1e-6, "exclusiveMaximum" = 1,
        "otherwise" = "0.2 with the scheme `\"verlet\"`",
        "remedy" = "it is a share of the longest stable step, as in 0.2"
    ))]
    pub safety: Option<f64>,
    /// Step of the explicit scheme, instead of such a share `[strain, or time without shear]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "`inertia.safety` times the longest that is stable",
        "remedy" = "leave it out to have it chosen"
    ))]
    pub step: Option<f64>,
    /// The velocities with which the explicit scheme asks for forces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "\"whole\" with the scheme `\"verlet\"`"))]
    pub prediction: Option<Prediction>,
}

/// How particles with inertia are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Mass enters the balance as a resistance m/Δt; steps are as long as accuracy permits.
    #[default]
    Implicit,
    /// Modified velocity Verlet (\[GB20\] eq. 11): explicit, steps as short as stability demands.
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
