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
pub fn conclude(mut run: Run, figures: Figures) -> Result<Report, Error> {
    let mut report = run.report()?;
    run.directory.write_summary(&report.summary)?;
    if figures == Figures::Drawn {
        // Results without a figure are results all the same.
        let undrawn = run.study.draw(&run.case, run.directory.path()).err();
        run.state.totals.record_memory();
        report = run.report()?;
        let undrawn = undrawn.map(|error| format!("not all figures were drawn: {error}"));
        report.advise(undrawn.into_iter().collect());
        run.directory.write_summary(&report.summary)?;
    }
    run.close()?;
    Ok(report)
}

impl Run {
    /// The results of a run that reached its end.
    fn report(&self) -> Result<Report, Error> {
        let mut report = self.study.report(&Finished {
            case: &self.case,
            state: &self.state.suspension,
            totals: &self.state.totals,
            jammed_at: self.state.jammed_at,
            directory: self.directory.path(),
        })?;
        report.advise(self.state.doubts.clone());
        Ok(report)
    }
}
