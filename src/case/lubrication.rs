//! The table of the film between close spheres.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::laws::lubrication::Cutoff;

/// How the spheres of a suspension feel each other through the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LubricationModel {
    /// The two-sphere resistance functions up to the outer gap, with the coupling to the rate of
    /// strain.
    TwoBody,
    /// Lubrication at leading order.
    Lubrication,
    /// The same as Ge & Brandt (2020) print it: truncated, at 0.2 unless `outer_gap` is given (they
    /// take 0.05 to 0.2).
    GeBrandt,
}

impl LubricationModel {
    /// The outer gap of \[GB20\] unless one is given: the largest that they take `[a]`.
    pub const GE_BRANDT_GAP: f64 = 0.2;

    /// Whether how films end is part of the model.
    pub fn is_truncated(self) -> bool {
        self == LubricationModel::GeBrandt
    }

    /// As cases name it.
    pub fn name(self) -> &'static str {
        match self {
            LubricationModel::TwoBody => "two-body",
            LubricationModel::Lubrication => "lubrication",
            LubricationModel::GeBrandt => "ge-brandt",
        }
    }
}

/// `[lubrication]`: the film between close spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lubrication {
    /// Whether the film resists at all.
    pub enabled: bool,
    /// Gap below which the resistance grows no further, the roughness `[a]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1e-3 is a common roughness"))]
    pub inner_gap: f64,
    /// Gap at which the film ends `[a]`.
    #[schemars(extend("within" = "> `inner_gap` and < 1; with `\"two-body\"` < 10"))]
    pub outer_gap: f64,
    /// How the film ends at the outer gap.
    pub cutoff: Cutoff,
    /// How spheres feel each other through the fluid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "otherwise" = "`\"two-body\"`; `\"lubrication\"` where sizes or walls leave no two-sphere functions"
    ))]
    pub hydrodynamics: Option<LubricationModel>,
}

/// The inner gap of Ge & Brandt (2020), and an outer gap with which viscosities and pressures are
/// close to those of LF_DEM.
impl Default for Lubrication {
    fn default() -> Self {
        Self {
            enabled: true,
            inner_gap: 1e-3,
            outer_gap: 0.5,
            cutoff: Cutoff::default(),
            hydrodynamics: None,
        }
    }
}
