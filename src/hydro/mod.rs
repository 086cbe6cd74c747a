//! stub
use crate::laws::Resistance;
/// stub
pub fn singular(_radii: [f64; 2], _gap: f64) -> Resistance {
    Resistance::default()
}
/// stub
pub struct Table;
impl Table {
    /// stub
    pub const LARGEST_RATIO: f64 = 10.0;
}
