//! Figures of many collisions.
use std::path::Path;

use super::table::SweepTable;
use crate::Error;
use crate::case::Case;

pub(super) fn draw(_: &Path, _: &SweepTable, _: &Case) -> Result<Vec<&'static str>, Error> {
    Ok(Vec::new())
}
