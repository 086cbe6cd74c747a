//! `[t1]`: the table of the study.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{ELASTIC_FACTORS, StudyTable};
use crate::study::few::{
    LARGEST_FORCE, Load, REDUCED_FORCE, SMALLEST_FORCE, THICKEST, THIN_FILM, THINNEST,
};

/// `[t1]`: four soft spheres that swap neighbours under load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct T1 {
    /// Reduced force κ = |N_y|/(√3 E R²) `[1]`.
    #[schemars(extend(
        "minimum" = SMALLEST_FORCE, "exclusiveMaximum" = LARGEST_FORCE, "remedy" = REDUCED_FORCE
    ))]
    pub kappa: f64,
    /// Initial gap h₀ of all close pairs `[R]`.
    #[schemars(extend(
        "minimum" = THINNEST, "exclusiveMaximum" = THICKEST, "remedy" = THIN_FILM
    ))]
    pub gap: f64,
    /// Elastic factor of normal deflections, c_n `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = ELASTIC_FACTORS))]
    pub c_n: f64,
    /// Elastic factor of tangential deflections, c_t `[1]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = ELASTIC_FACTORS))]
    pub c_t: f64,
    /// N_x/N_y: force on the horizontal pair over that on the vertical one `[1]`.
    pub force_x_ratio: f64,
    /// Whether N_y presses A and D together or pulls them apart.
    pub load: Load,
    /// Time over which the forces grow from nothing; 0 lets them act at once `[τ]`.
    #[schemars(extend("minimum" = 0, "remedy" = "1 is the paper's"))]
    pub ramp: f64,
    /// The share of N_y in the vertical pair at which the rearrangement is complete; with N_x > 0,
    /// of N_y − N_x/√3, which is what is left for that pair `[1]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "exclusiveMaximum" = 1, "remedy" = "0.99 is the paper's"
    ))]
    pub completion: f64,
    /// Whether Stokes drag acts on the spheres.
    pub drag: bool,
    /// Whether the group keeps its two mirror planes. Without, it falls over sooner or later, as
    /// any column under load.
    pub symmetric: bool,
    /// Time at which a group that has not rearranged is given up `[τ]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "chosen from the theory",
        "remedy" = "leave it out to have it chosen"
    ))]
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

impl StudyTable for T1 {
    const STUDY: &'static str = "t1";
    const TABLE: &'static str = "t1";
}
