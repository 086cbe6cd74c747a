//! What a sweep leaves besides its table: pooled curves, fits and figures. All of it follows from
//! the table and the case of a point, so that it can be made again from the directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::curve::CurveTable;
use super::jamming::{JammingFit, jamming_fits, write_fits};
use super::listing::listing;
use super::{CURVE, CURVE_FIT, POINTS, SWEEP, SweepTable, TABLE, collision_figures, figures};
use crate::Error;
use crate::case::{Case, Study};
use crate::record::CASE;

/// What was made of a sweep.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conclusion {
    /// What the user wants to see: the pooled curves, and where they jam.
    pub lines: Vec<String>,
    /// The names of the files written, in the sweep's directory.
    pub files: Vec<String>,
}

/// Pools the seeds of a sweep, fits and draws what can be, and writes all of it into the directory,
/// given the case of one of the points.
///
/// # Errors
///
/// When a file cannot be written.
pub fn conclude(directory: &Path, table: &SweepTable, case: &Case) -> Result<Conclusion, Error> {
    let mut made = Conclusion::default();
    let curves = CurveTable::new(table);
    let mut fits = Vec::new();
    if case.study == Study::Suspension {
        curves.write(&directory.join(CURVE))?;
        made.files.push(CURVE.to_owned());
        fits = jamming_fits(&curves);
        made.lines = listing(&curves, case.drive.stress.is_some());
        made.lines.extend(fits.iter().flat_map(told));
    }
    if case.study == Study::Collision {
        made.lines = collision_figures::lines(table, case);
    }
    if !fits.is_empty() {
        write_fits(&directory.join(CURVE_FIT), &fits)?;
        made.files.push(CURVE_FIT.to_owned());
    }
    let drawn = figures::figures(directory, table, &curves, case, &fits)?;
    made.files.extend(drawn.iter().flat_map(|stem| [format!("{stem}.svg"), format!("{stem}.png")]));
    Ok(made)
}

/// Where a curve jams, and whether the law describes it.
fn told(fit: &JammingFit) -> Vec<String> {
    let curve = match fit.label.as_str() {
        "" => "jamming".to_owned(),
        label => format!("jamming at {label}"),
    };
    let mut lines = Vec::new();
    let told = [
        (fit.pressure_words(), fit.pressure, "the pressure"),
        (fit.words(), fit.fit, "the viscosity"),
    ];
    for (words, found, what) in told {
        let Some((words, found)) = words.zip(found) else { continue };
        let (points, from) = (found.points, found.from);
        lines.push(format!("{words} from {what}, {points} points from φ = {from} on"));
        if !found.good() {
            let per = found.chi_squared / found.freedom as f64;
            lines.push(format!("  not well described: χ² = {per:.1} per degree of freedom"));
        }
    }
    if lines.is_empty() {
        lines.push("φ_J is not determined by these points".to_owned());
    }
    let heads = std::iter::once(&*curve).chain(std::iter::repeat(""));
    heads.zip(&lines).map(|(head, line)| format!("{head:<18}  {line}")).collect()
}

/// Makes everything again from the files in a sweep's directory.
///
/// # Errors
///
/// When it is no sweep's directory, has no finished point, or a file cannot be read or written.
pub fn conclude_again(directory: &Path) -> Result<Conclusion, Error> {
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
