//! What a user asks for: each study turns a case into a state, a stepper and results.

pub mod collision;
pub mod crosscheck;
mod few;
pub mod figures;
mod fluid;
pub mod gluey;
pub mod mobility;
pub mod pair_shear;
mod particles;
pub mod pictures;
pub mod protocol;
pub mod settle;
pub mod soft_pair;
pub mod structure;
pub mod summary;
pub mod suspension;
pub mod t1;
pub mod theory;

use crate::case::{Case, Study};
use crate::error::Error;
use crate::integrate::{End, Inertia, Stepper};
use crate::run::Run;
use crate::state::Suspension;

/// The particles that a case begins with.
///
/// # Errors
///
/// When they cannot be packed or read, or overlap.
pub fn initial(case: &Case) -> Result<Suspension, Error> {
    match case.study {
        Study::Suspension => suspension::initial(case),
        Study::T1 => Ok(t1::initial(case)),
        Study::SoftPair => Ok(soft_pair::initial(case)),
        Study::Settle => Ok(settle::initial(case)),
        Study::PairShear => Ok(pair_shear::initial(case)),
        Study::Collision => Ok(collision::initial(case)),
        Study::GlueyPlane => Ok(gluey::plane::initial(case)),
    }
}

/// The stepper of a case for the particles of `state`.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    match case.study {
        Study::Suspension => suspension::stepper(case, state),
        Study::T1 => t1::stepper(case, state),
        Study::SoftPair => soft_pair::stepper(case, state),
        Study::Settle => settle::stepper(case, state),
        Study::PairShear => pair_shear::stepper(case, state),
        Study::Collision => collision::stepper(case, state),
        Study::GlueyPlane => gluey::plane::stepper(case, state),
    }
}

/// The mass of the particles of a case, and how they are moved; none without inertia.
pub fn inertia(case: &Case, smallest_radius: f64) -> Option<Inertia> {
    match case.study {
        Study::Suspension => {
            suspension::inertia(case, &suspension::Scales::new(case, smallest_radius))
        }
        Study::T1 | Study::SoftPair | Study::PairShear => few::inertia(case),
        Study::Settle => settle::response::inertia(case),
        Study::Collision | Study::GlueyPlane => None,
    }
}

/// Where a case ends at the latest.
pub fn end(case: &Case) -> End {
    match case.study {
        Study::Suspension => suspension::end(case),
        Study::T1 => t1::end(case),
        Study::SoftPair => soft_pair::end(case),
        Study::Settle => settle::end(case),
        Study::PairShear => pair_shear::end(case),
        Study::Collision => collision::end(case),
        Study::GlueyPlane => gluey::plane::end(),
    }
}

/// Columns of the time series of a study that makes its own rows; none for one that leaves them to
/// the run.
pub fn columns(study: Study) -> Option<&'static [&'static str]> {
    Some(match study {
        Study::Suspension => return None,
        Study::T1 => t1::COLUMNS,
        Study::SoftPair => soft_pair::COLUMNS,
        Study::Settle => settle::COLUMNS,
        Study::PairShear => pair_shear::COLUMNS,
        Study::Collision => collision::COLUMNS,
        Study::GlueyPlane => gluey::plane::COLUMNS,
    })
}

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

/// Whether a run draws its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// It does.
    Drawn,
    /// It is one of many, and only the whole is drawn.
    Spared,
}

/// Writes the results of a run that reached its end, draws its figures and notes that it is done.
///
/// # Errors
///
/// When the time series cannot be read or a file cannot be written.
pub fn conclude(run: Run, figures: Figures) -> Result<Report, Error> {
    let directory = run.directory.path().to_owned();
    let (case, state) = (&run.case, &run.state);
    let report = match case.study {
        Study::Suspension => {
            let results = summary::summarise(case, state, &directory)?;
            Report::new(&results, results.lines(), &results.advice)
        }
        Study::T1 => {
            let results = t1::results::summarise(case, state);
            Report::new(&results, results.lines(), &results.advice)
        }
        Study::SoftPair => {
            let results = soft_pair::summarise(case, state, &directory)?;
            Report::new(&results, results.lines(), &results.run.advice)
        }
        Study::Settle => {
            let results = settle::summarise(case, state);
            Report::new(&results, results.lines(), &results.run.advice)
        }
        Study::PairShear => {
            let results = pair_shear::summarise(case, state);
            Report::new(&results, results.lines(), &results.run.advice)
        }
        Study::Collision => {
            let results = collision::summarise(case, state)?;
            Report::new(&results, results.lines(), &results.run.advice)
        }
        Study::GlueyPlane => {
            let results = gluey::plane::summarise(case, state);
            Report::new(&results, results.lines(), &results.run.advice)
        }
    };
    run.directory.write_summary(&report.summary)?;
    if figures == Figures::Drawn {
        figures::draw(case, &directory)?;
    }
    run.close()?;
    Ok(report)
}

impl Report {
    fn new(results: &impl serde::Serialize, lines: Vec<String>, advice: &[String]) -> Self {
        let summary = serde_json::to_value(results).expect("a summary is plain data");
        Report { summary, lines, advice: advice.to_vec() }
    }
}
