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
    /// Films and contacts of LF_DEM. Gaps of this table are in mean radii of the pair, and
    /// `contact.stiffness` is that of two small spheres, in proportion to the mean radius for
    /// others: 6π·10⁴ if `"auto"`, as LF_DEM has it, and not raised.
    LfDem,
    /// Those of LAMMPS's pair style `lubricate`, for equal spheres.
    LammpsLubricate,
    /// Those of LAMMPS's pair style `lubricate/poly`, which are not reciprocal: for `mobility`
    /// only.
    LammpsLubricatePoly,
}

impl LubricationModel {
    /// The outer gap of \[GB20\] unless one is given: the largest that they take `[a]`.
    pub const GE_BRANDT_GAP: f64 = 0.2;

    /// The most particles for which the balance of a law that is not reciprocal is solved: a dense
    /// matrix of six rows each `[1]`.
    pub const MOST_UNSYMMETRIC: usize = 1000;

    /// Whether how films end is part of the model.
    pub fn is_truncated(self) -> bool {
        !matches!(self, LubricationModel::TwoBody | LubricationModel::Lubrication)
    }

    /// Whether it is the law of another program, which knows of no walls.
    pub fn is_foreign(self) -> bool {
        self.is_truncated() && self != LubricationModel::GeBrandt
    }

    /// As cases name it.
    pub fn name(self) -> &'static str {
        match self {
            LubricationModel::TwoBody => "two-body",
            LubricationModel::Lubrication => "lubrication",
            LubricationModel::GeBrandt => "ge-brandt",
            LubricationModel::LfDem => "lf-dem",
            LubricationModel::LammpsLubricate => "lammps-lubricate",
            LubricationModel::LammpsLubricatePoly => "lammps-lubricate-poly",
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
