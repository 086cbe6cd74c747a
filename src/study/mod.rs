//! What a user asks for: each study turns a case into a state, a stepper and results.

pub mod summary;
pub mod suspension;

use crate::error::Error;
use crate::run::Run;

/// What a finished run has to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is in `summary.json`.
    pub summary: serde_json::Value,
    /// The results, one fact a line.
    pub lines: Vec<String>,
    /// What the user may want to change.
    pub advice: Vec<String>,
}

/// Writes the results of a run that reached its end, draws its figures and notes that it is done.
///
/// # Errors
///
/// When the time series cannot be read or a file cannot be written.
pub fn conclude(run: Run) -> Result<Report, Error> {
    let directory = run.directory.path().to_owned();
    let results = summary::summarise(&run.case, &run.state, &directory)?;
    run.directory.write_summary(&results)?;
    summary::draw(&directory, &results)?;
    run.close()?;
    let summary = serde_json::to_value(&results).expect("a summary is plain data");
    Ok(Report { summary, lines: results.lines(), advice: results.advice })
}
