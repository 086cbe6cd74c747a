//! The table of soft particles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[soft]`: elastic surfaces with a film between them (Soft Dynamics), in place of lubrication and
/// contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Soft {
    /// Young's modulus E; μγ̇/E is the capillary number `[force/length²]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "remedy" = "it is Young's modulus in the unit of stress, as in 1e4"
    ))]
    pub modulus: f64,
    /// Elastic factor of normal deflections, c_n `[1]`.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = ELASTIC_FACTORS))]
    pub c_n: f64,
    /// Elastic factor of tangential deflections, c_t `[1]`.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = ELASTIC_FACTORS))]
    pub c_t: f64,
    /// Thickness at which a film ends `[a]`.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "0.5 in a periodic domain; in open space none: all feel each other",
        "remedy" = "it is the thickness at which a film ends, as in 0.5"
    ))]
    pub range: Option<f64>,
    /// Whether the film resists rolling and twisting.
    #[serde(default)]
    pub rolling: bool,
}

/// What to do about an elastic factor out of range.
pub const ELASTIC_FACTORS: &str = "1 and 2 are the paper's";

impl Soft {
    /// Where films end in a periodic domain when nothing is said `[a]`.
    pub const DEFAULT_RANGE: f64 = 0.5;
}

fn one() -> f64 {
    1.0
}
