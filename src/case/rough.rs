//! The tables of rough particles: `[rough]` for any suspension, `[settle]` and `[pair]` for the two
//! studies of two spheres.

use serde::{Deserialize, Serialize};

use super::physics::Stiffness;
use crate::laws::lubrication::Cutoff;
use crate::laws::rough::Rolling;

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

/// `[rough]`: a film with elastic bulk, asperities and friction, in place of lubrication and contact.
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
    pub ending: Cutoff,
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
            ending: Cutoff::Smooth,
            rolling: Rolling::Derived,
            hydrodynamics: Hydrodynamics::Lubrication,
        }
    }
}

/// `[settle]`: a sphere that sinks onto a fixed one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settle {
    /// Size of the asperities over the radius, ε; 0 is smooth `[1]`.
    pub roughness: f64,
    /// Contact number K = k_n ε a / weight: what the asperities can bear over the weight `[1]`.
    pub contact_number: f64,
    /// Initial thickness of the film `[a]`.
    pub gap: f64,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    pub asperity_ratio: f64,
    /// Stiffness of the bulk of smooth spheres, where the contact number says nothing `[weight/a]`.
    pub stiffness: f64,
    /// Thickness at which the run ends where the film drains for ever; filled in with 1e-12, or less
    /// where rough spheres need it `[a]`.
    pub end_gap: Option<f64>,
    /// Time at which the run ends; chosen from the theory when not given `[τ_c]`.
    pub max_time: Option<f64>,
    /// What a sphere with inertia is watched for.
    pub until: Until,
}

/// What ends the run of a falling sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// It has come to rest, or its film is as thin as was asked.
    #[default]
    Rest,
    /// It is known whether it bounces or oscillates.
    Response,
}

/// Rough spheres that bear twice the weight.
impl Default for Settle {
    fn default() -> Self {
        Self {
            roughness: 1e-3,
            contact_number: 2.0,
            gap: 1.0,
            asperity_ratio: 1.0,
            stiffness: 1e3,
            end_gap: None,
            max_time: None,
            until: Until::Rest,
        }
    }
}

impl Settle {
    /// Whether the asperities bear the weight, so that there is an equilibrium.
    pub fn bears(&self) -> bool {
        self.roughness > 0.0 && self.contact_number > 1.0
    }

    /// Thickness at which a film that drains for ever ends `[a]`.
    pub fn end_gap(&self) -> f64 {
        let smooth = 1e-12 * self.gap.min(1.0);
        self.end_gap.unwrap_or(match self.roughness > 0.0 {
            true => smooth.min(1e-6 * self.roughness),
            false => smooth,
        })
    }
}

/// `[pair]`: two spheres that pass each other in a shear flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PairShear {
    /// Distance of the centres along the gradient at the start `[a]`.
    pub offset: f64,
    /// Distance of the centres along the vorticity at the start `[a]`.
    pub offset_z: f64,
    /// Distance of the centres along the flow at the start, negative; the run ends at its opposite
    /// `[a]`.
    pub start: f64,
    /// The two radii `[a]`.
    pub radii: [f64; 2],
    /// Size of the asperities over the mean radius, ε; 0 is smooth `[1]`.
    pub roughness: f64,
    /// Stiffness of the bulk k_b; rigid when not given. Its inverse is the capillary number `[μγ̇a]`.
    pub stiffness: Option<f64>,
    /// Stiffness of the asperities over that of the bulk, k_n/k_b `[1]`.
    pub asperity_ratio: f64,
    /// Tangential stiffness over that of the bulk, k_t/k_b `[1]`.
    pub tangential_ratio: f64,
    /// Coefficient of friction between asperities `[1]`.
    pub friction: f64,
    /// Gap beyond which the spheres do not feel each other; filled in with 4 for lubrication, none for
    /// two-body hydrodynamics `[a]`.
    pub cutoff: Option<f64>,
    /// How the spheres feel each other through the fluid.
    pub hydrodynamics: Hydrodynamics,
    /// Whether the film resists sliding, rolling and twisting, or only squeezing.
    pub components: Components,
    /// How the film resists rolling and twisting.
    pub rolling: Rolling,
    /// Whether the spheres spin; without, they only move.
    pub rotation: bool,
    /// Strain at which spheres that do not part are given up `[1]`.
    pub max_strain: Option<f64>,
}

/// What of lubrication acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Components {
    /// All of it.
    #[default]
    All,
    /// Only that of squeezing.
    Normal,
}

/// Smooth rigid spheres nearly on one streamline.
impl Default for PairShear {
    fn default() -> Self {
        Self {
            offset: 0.1,
            offset_z: 0.0,
            start: -10.0,
            radii: [1.0; 2],
            roughness: 0.0,
            stiffness: None,
            asperity_ratio: 1.0,
            tangential_ratio: 0.3,
            friction: 0.0,
            cutoff: None,
            hydrodynamics: Hydrodynamics::Lubrication,
            components: Components::All,
            rolling: Rolling::Derived,
            rotation: true,
            max_strain: None,
        }
    }
}

impl PairShear {
    /// Where lubrication begins when nothing is said, the value of \[CBC20\] `[a]`.
    pub const DEFAULT_CUTOFF: f64 = 4.0;

    /// Gap beyond which the spheres do not feel each other `[a]`.
    pub fn cutoff(&self) -> f64 {
        self.cutoff.unwrap_or(match self.hydrodynamics {
            Hydrodynamics::Lubrication => Self::DEFAULT_CUTOFF,
            Hydrodynamics::TwoBody => f64::INFINITY,
        })
    }

    /// Strain that it takes to pass each other on undisturbed streamlines, and to turn about each
    /// other.
    pub fn expected_strain(&self) -> f64 {
        2.0 * self.start.abs() / self.offset.abs().max(1e-6) + 10.0
    }

    /// Strain at which spheres that do not part are given up.
    pub fn longest(&self) -> f64 {
        self.max_strain.unwrap_or(2.0 * self.expected_strain() + 200.0)
    }
}
