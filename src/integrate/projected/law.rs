//! How gluey contacts behave.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::solve::projection::Freedom;

/// How gluey contacts behave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gluey {
    /// The least γ, at most 0; −∞ for smooth surfaces `[μ]`.
    pub least: f64,
    /// Steps; chosen by how far particles move when not given. Shorter where gaps would not come
    /// right `[t]`.
    pub step: Option<f64>,
    /// How γ changes with the impulse.
    pub potential: Potential,
    /// What particles are free to do.
    pub freedom: Freedom,
    /// Mass of every particle; none without inertia.
    pub mass: Option<Mass>,
}

/// How γ changes with the impulse of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Potential {
    /// As the logarithm of a film does, dγ/dt = −Rλ (\[L09\] eq. 2.7, remark 3.2).
    #[default]
    Film,
    /// By the impulse itself, dγ/dt = −λ, as printed in Algorithm 3.3.
    Impulse,
}

/// The mass of gluey particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// The same for all.
    Each(f64),
    /// By volume.
    Density(f64),
}
