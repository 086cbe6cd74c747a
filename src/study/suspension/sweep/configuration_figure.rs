//! The last configurations of a few runs side by side.

use std::path::{Path, PathBuf};

use super::names::symbol;
use crate::Error;
use crate::case::{Case, Known};
use crate::record::{CASE, PointStatus};
use crate::study::suspension::pictures;
use crate::study::sweep::{FinishedSweep, POINTS, short};

/// The figure, without its extension.
const CONFIGURATIONS: &str = "configurations";

/// More runs are too many to look at.
const MOST_RUNS: usize = 6;

/// Draws the points that have pictures, if there are two to six; returns the names of the figures.
pub(super) fn draw(sweep: &FinishedSweep<'_>) -> Result<Vec<&'static str>, Error> {
    let &FinishedSweep { case, directory, table } = sweep;
    let known = Known::default().with_those_of(case);
    let width = table.rows.len().to_string().len().max(4);
    let mut runs: Vec<(String, Case, PathBuf)> = Vec::new();
    for (k, row) in table.rows.iter().enumerate().filter(|(_, r)| r.status == PointStatus::Finished)
    {
        let point = directory.join(POINTS).join(format!("{:0width$}", k + 1));
        if table.rows.len() > MOST_RUNS || !point.join(CASE).is_file() {
            continue;
        }
        let settings = table.keys.iter().zip(&row.settings);
        let named = settings.map(|(key, value)| match value.number() {
            Some(number) => format!("{} = {number}", symbol(key)).replace('-', "−"),
            None => short(value),
        });
        let label = named.collect::<Vec<_>>().join(", ");
        runs.push((label, Case::read_with(&point.join(CASE), &[], &known)?, point));
    }
    if runs.len() < 2 || !runs.iter().all(|(_, case, _)| pictures::has_pictures(case)) {
        return Ok(Vec::new());
    }
    let seen: Vec<(String, Case, &Path)> =
        runs.iter().map(|(label, case, path)| (label.clone(), case.clone(), &**path)).collect();
    let drawn = pictures::draw_together(&directory.join(CONFIGURATIONS), &seen)?;
    Ok(if drawn { vec![CONFIGURATIONS] } else { Vec::new() })
}
