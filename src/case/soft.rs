//! The tables of soft particles: `[soft]` for any suspension, `[t1]` and `[soft_pair]` for the two
//! studies.

use serde::{Deserialize, Serialize};

/// `[soft]`: elastic surfaces with a film between them (Soft Dynamics), in place of lubrication and
/// contact. The modulus has no default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Soft {
    /// Young's modulus E, force over area in the case's own units: `drive.rate` against it is the
    /// capillary number μγ̇/E.
    pub modulus: f64,
    /// Elastic factor of normal deflections c_n `[1]`.
    #[serde(default = "one")]
    pub c_n: f64,
    /// Elastic factor of tangential deflections c_t `[1]`.
    #[serde(default = "one")]
    pub c_t: f64,
    /// Thickness at which a film ends; filled in with 0.5 in a periodic domain, none in open space:
    /// there all particles feel each other `[a]`.
    pub range: Option<f64>,
    /// Whether the film resists rolling and twisting.
    #[serde(default)]
    pub rolling: bool,
}

impl Soft {
    /// Where films end in a periodic domain when nothing is said `[a]`.
    pub const DEFAULT_RANGE: f64 = 0.5;
}

fn one() -> f64 {
    1.0
}

/// `[t1]`: four soft spheres that swap neighbours under load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct T1 {
    /// Reduced force κ = |N_y|/(√3 E R²) `[1]`.
    pub kappa: f64,
    /// Initial gap h₀ of all close pairs `[R]`.
    pub gap: f64,
    /// Elastic factor of normal deflections c_n `[1]`.
    pub c_n: f64,
    /// Elastic factor of tangential deflections c_t `[1]`.
    pub c_t: f64,
    /// N_x/N_y: force on the horizontal pair over that on the vertical one `[1]`.
    pub force_x_ratio: f64,
    /// Whether N_y presses A and D together or pulls them apart.
    pub load: Load,
    /// Time over which the forces grow from nothing; 0 = at once `[τ]`.
    pub ramp: f64,
    /// The share of N_y in the vertical pair at which the rearrangement is complete; with N_x > 0, of
    /// N_y − N_x/√3, which is what is left for that pair `[1]`.
    pub completion: f64,
    /// Whether Stokes drag acts on the spheres.
    pub drag: bool,
    /// Whether the group keeps its two mirror planes. Without, it falls over sooner or later, as any
    /// column under load.
    pub symmetric: bool,
    /// Time at which a group that has not rearranged is given up; chosen from the theory when not
    /// given `[τ]`.
    pub max_time: Option<f64>,
}

/// The T1 of figure 4 of the paper.
impl Default for T1 {
    fn default() -> Self {
        Self {
            kappa: 3e-3,
            gap: 1e-2,
            c_n: 1.0,
            c_t: 1.0,
            force_x_ratio: 0.0,
            load: Load::Press,
            ramp: 1.0,
            completion: 0.99,
            drag: false,
            symmetric: true,
            max_time: None,
        }
    }
}

/// Which way a force acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// Inwards.
    Press,
    /// Outwards.
    Pull,
}

/// `[soft_pair]`: two soft spheres pressed together or pulled apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoftPair {
    /// Reduced force κ = |F|/(E R²) `[1]`.
    pub kappa: f64,
    /// Initial gap `[R]`.
    pub gap: f64,
    /// Elastic factor of normal deflections c_n `[1]`.
    pub c_n: f64,
    /// Whether the spheres are pressed together or pulled apart.
    pub load: Load,
    /// Time over which the force grows from nothing; 0 = at once `[τ]`.
    pub ramp: f64,
    /// Whether Stokes drag acts on the spheres.
    pub drag: bool,
    /// Thickness of the film at which the run ends, if it is reached before `max_time`; beyond
    /// `gap` when pulled, below it when pressed; filled in with 10 or a hundredth of `gap` `[R]`.
    pub end_gap: Option<f64>,
    /// Time at which the run ends; chosen from the theory when not given `[τ]`.
    pub max_time: Option<f64>,
}

impl SoftPair {
    /// Thickness of the film at which the run ends `[R]`.
    pub fn end_gap(&self) -> f64 {
        self.end_gap.unwrap_or(match self.load {
            Load::Pull => 10.0,
            Load::Press => 0.01 * self.gap,
        })
    }
}

/// A separation through both regimes.
impl Default for SoftPair {
    fn default() -> Self {
        Self {
            kappa: 3e-3,
            gap: 1e-3,
            c_n: 1.0,
            load: Load::Pull,
            ramp: 1e-2,
            drag: false,
            end_gap: None,
            max_time: None,
        }
    }
}
