//! What is made of many suspensions: seeds are pooled into curves (`curve`), which are listed
//! (`listing`), fitted (`jamming`) and drawn (`curve_figures`, `configuration_figure`) beside
//! published ones (`correlations`) and what other ranges of hydrodynamics give (`band`).

mod band;
mod configuration_figure;
mod correlations;
mod curve;
mod curve_figures;
mod jamming;
mod listing;
mod names;

use crate::Error;
use crate::record::column::FileDescription;
use crate::study::sweep::{FinishedSweep, SweepReport};
use band::Banded;
use curve::CurveTable;
use curve_figures::Shown;
use jamming::{JammingFit, jamming_fits, write_fits};
use listing::listing;

/// One row per combination of the keys but the seed.
const CURVE: &str = "curve.csv";
/// Where curves of viscosities diverge.
const CURVE_FIT: &str = "curve_fit.json";

/// The files of a sweep of suspensions besides `sweep.csv`.
pub(in crate::study) fn files() -> Vec<FileDescription> {
    let curve = "a sweep of suspensions, one row per combination of the keys but the seed";
    let fit = "a sweep of suspensions over the volume fraction, for every curve of four points";
    vec![
        FileDescription::new(CURVE, curve, curve::columns()),
        FileDescription::new(CURVE_FIT, fit, jamming::keys()),
    ]
}

/// Pools the seeds of a sweep, fits and draws what can be, and writes all of it into the directory,
/// given the case of one of the points.
///
/// # Errors
///
/// When a file cannot be written.
pub(super) fn conclude(sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
    let &FinishedSweep { case, directory, table } = sweep;
    let mut made = SweepReport::default();
    let curves = CurveTable::new(table);
    curves.write(&directory.join(CURVE))?;
    made.files.push(CURVE.to_owned());
    let banded = Banded::new(&curves);
    let banded = banded.as_ref();
    let table = banded.map_or(&curves, |banded| &banded.table);
    let fits = jamming_fits(table);
    made.lines = listing(table, banded, case.drive.stress.is_some());
    made.lines.extend(fits.iter().flat_map(told));
    if !fits.is_empty() {
        write_fits(&directory.join(CURVE_FIT), &fits)?;
        made.files.push(CURVE_FIT.to_owned());
    }
    let shown = Shown { table, banded, case, fits: &fits };
    made.add_figures(&curve_figures::draw(directory, shown)?);
    made.add_figures(&configuration_figure::draw(sweep)?);
    Ok(made)
}

/// Where a curve jams, and whether the law describes it.
fn told(fit: &JammingFit) -> Vec<String> {
    let curve = match fit.name.as_str() {
        "" => "jamming".to_owned(),
        name => format!("jamming at {name}"),
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
