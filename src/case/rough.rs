//! The table of rough particles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::physics::Stiffness;
use crate::laws::rough::{Beginning, Rolling};

/// How two spheres feel each other through the fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hydrodynamics {
    /// Lubrication at leading order, within a range.
    #[default]
    Lubrication,
    /// The two-sphere resistance functions, with the coupling to the rate of strain.
    TwoBody,
}

/// The roughness beyond which asperities are no longer small against the spheres `[1]`.
pub const ROUGHEST: f64 = 1.0;

/// What to do about others.
pub const SMALL_ASPERITIES: &str = "0 is smooth, and asperities are small, as in 1e-3";

/// `[rough]`: a film with elastic bulk, asperities and friction, in place of lubrication and
/// contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rough {
    /// Size of the asperities over the mean radius of a pair, ε; 0 is smooth `[1]`.
    #[schemars(extend("minimum" = 0, "exclusiveMaximum" = ROUGHEST, "remedy" = SMALL_ASPERITIES))]
    pub roughness: f64,
    /// Stiffness of the bulk, k_b; its inverse is the capillary number `[μγ̇a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "films need elastic bulk; \"auto\" chooses it"
    ))]
    pub stiffness: Stiffness,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1 is the paper's"))]
    pub asperity_ratio: f64,
    /// Tangential stiffness over that of the bulk, k_t/k_b `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "0.3 is common"))]
    pub tangential_ratio: f64,
    /// Coefficient of friction between asperities `[1]`.
    #[schemars(extend("minimum" = 0, "remedy" = "0 is frictionless"))]
    pub friction: f64,
    /// Gap at which the film begins, beyond the asperities `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "remedy" = "it is the gap at which the film begins"
    ))]
    pub cutoff: f64,
    /// How the film begins there.
    pub ending: Beginning,
    /// How the film resists rolling and twisting.
    pub rolling: Rolling,
    /// How the film resists.
    pub hydrodynamics: Hydrodynamics,
}

/// Asperities of a hundredth of the radius without friction.
impl Default for Rough {
    fn default() -> Self {
        Self {
            roughness: 1e-2,
            stiffness: Stiffness::Auto,
            asperity_ratio: 1.0,
            tangential_ratio: 0.3,
            friction: 0.0,
            cutoff: 0.5,
            ending: Beginning::Smooth,
            rolling: Rolling::Derived,
            hydrodynamics: Hydrodynamics::Lubrication,
        }
    }
}
