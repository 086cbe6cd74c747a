//! What a sweep leaves besides its table. All of it follows from the table and the case of a point,
//! so that it can be made again from the directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::{POINTS, SWEEP, TABLE};
use crate::Error;
use crate::case::Case;
use crate::record::{CASE, SweepTable};
use crate::study;
use crate::study::sweep::{FinishedSweep, SweepReport};

/// Makes of a sweep in its directory what its study can, given the case of one of the points.
///
/// # Errors
///
/// When a file cannot be written.
pub fn conclude(directory: &Path, table: &SweepTable, case: &Case) -> Result<SweepReport, Error> {
    study::of(case).conclude_sweep(&FinishedSweep { case, directory, table })
}

/// Makes everything again from the files in a sweep's directory.
///
/// # Errors
///
/// When it is no sweep's directory, has no finished point, or a file cannot be read or written.
pub fn conclude_again(directory: &Path) -> Result<SweepReport, Error> {
    let path = directory.join(TABLE);
    if !path.exists() || !directory.join(SWEEP).exists() {
        let reason = format!(
            "{}: is no sweep's directory: there is no {SWEEP} with a {TABLE} in it; give the \
             directory that `zerostokes sweep SWEEP --out DIR` wrote",
            directory.display()
        );
        return Err(Error::Usage { reason });
    }
    let table = SweepTable::read(&path)?;
    let reason = || Error::Usage {
        reason: format!(
            "{}: no point has begun yet; run the sweep first",
            directory.join(POINTS).display()
        ),
    };
    let case = Case::read(&case_of_a_point(directory)?.ok_or_else(reason)?, &[])?;
    conclude(directory, &table, &case)
}

/// The resolved case of the first point that has one.
fn case_of_a_point(directory: &Path) -> Result<Option<PathBuf>, Error> {
    let points = directory.join(POINTS);
    let entries = fs::read_dir(&points).map_err(|source| Error::Io { path: points, source })?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join(CASE)))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    Ok(found.into_iter().next())
}
