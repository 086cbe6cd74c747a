//! The table of soft particles.

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
