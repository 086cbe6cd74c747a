//! The end of a run: results, figures, and that it is done.

use super::Run;
use crate::error::Error;
use crate::study::{Finished, Report};

/// Whether a run draws its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// It does.
    Drawn,
    /// It is one of many, and only the whole is drawn.
    Spared,
}

/// Writes the results of a run that reached its end, draws its figures and records that it is done.
///
/// # Errors
///
/// When the time series cannot be read or a file cannot be written.
pub fn conclude(run: Run, figures: Figures) -> Result<Report, Error> {
    let directory = run.directory.path();
    let report = run.study.report(&Finished {
        case: &run.case,
        state: &run.state.suspension,
        totals: &run.state.totals,
        jammed_at: run.state.jammed_at,
        directory,
    })?;
    run.directory.write_summary(&report.summary)?;
    if figures == Figures::Drawn {
        run.study.draw(&run.case, directory)?;
    }
    run.close()?;
    Ok(report)
}
