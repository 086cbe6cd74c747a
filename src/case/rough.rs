//! The table of rough particles.

use serde::{Deserialize, Serialize};

use super::physics::Stiffness;
use crate::laws::rough::{Beginning, Rolling};

/// How two spheres feel each other through the fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hydrodynamics {
    /// Lubrication at leading order, within a range.
    #[default]
    Lubrication,
    /// The two-sphere resistance functions, with the coupling to the rate of strain.
    TwoBody,
}

/// `[rough]`: a film with elastic bulk, asperities and friction, in place of lubrication and
/// contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rough {
    /// Size of the asperities over the mean radius, ε `[1]`.
    pub roughness: f64,
    /// Stiffness of the bulk k_b; chosen for the overlap bound of `contact` if `"auto"` `[μγ̇a]`.
    pub stiffness: Stiffness,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    pub asperity_ratio: f64,
    /// Tangential stiffness over that of the bulk, k_t/k_b `[1]`.
    pub tangential_ratio: f64,
    /// Coefficient of friction between asperities `[1]`.
    pub friction: f64,
    /// Gap at which the film begins `[a]`.
    pub cutoff: f64,
    /// How it begins there.
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
