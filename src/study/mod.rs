//! What a user asks for: each study turns a case into a state, a stepper and results.
//!
//! A study is a folder with everything that belongs to it. It implements two traits: its table of
//! the case is a [`StudyTable`] (keys, checks, defaults), and what it does is a [`Study`] (start,
//! steps, what it watches, results, figures). One line of [`STUDIES`] registers it.
//!
//! | study | what it is |
//! |---|---|
//! | [`suspension`] | spheres under shear or external forces |
//! | [`t1`] | four soft spheres that swap neighbours |
//! | [`soft_pair`] | two soft spheres, pressed together or pulled apart |
//! | [`settle`] | a sphere that sinks onto another |
//! | [`pair_shear`] | two spheres that pass each other in a shear flow |
//! | [`collision`] | a sphere that hits another, or a wall, with inertia |
//! | [`gluey_plane`] | a gluey particle that is pushed to a plane and pulled off it |
//!
//! A study from outside works the same way: [`Case::read_with`] takes what a case file may name
//! ([`Known`]), and whatever runs the case finds its study by [`of`].
//!
//! [`StudyTable`]: crate::case::StudyTable

pub mod collision;
pub mod few;
pub mod gluey;
pub mod gluey_plane;
pub mod pair_shear;
pub mod quantity;
pub mod settle;
pub mod soft_pair;
pub mod suspension;
pub mod sweep;
pub mod t1;
pub mod theory;

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::case::{Case, Known, StudyKind, Template};
use crate::cost::Totals;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::record::column::{Description, FileDescription};
use crate::record::{SUMMARY, TIMESERIES, Table};
use crate::state::Suspension;
use quantity::Quantity;
use sweep::{FinishedSweep, SweepReport};

/// All studies; the first is that of a case which names none.
pub const STUDIES: &[StudyKind] = &[
    suspension::KIND,
    t1::KIND,
    soft_pair::KIND,
    settle::KIND,
    pair_shear::KIND,
    collision::KIND,
    gluey_plane::KIND,
];

/// The files of studies: the time series of those that make their own rows, the summaries of all,
/// and what suspensions add.
pub fn files() -> Vec<FileDescription> {
    let studies = || STUDIES.iter().map(|kind| (kind.name, of(&kind.defaults())));
    let file = |file, name: &str, columns| {
        let when = format!("the study `{name}`");
        FileDescription { file, when: when.into(), columns }
    };
    let series =
        studies().filter_map(|(name, study)| Some(file(TIMESERIES, name, study.columns()?)));
    let summaries = studies().map(|(name, study)| file(SUMMARY, name, study.keys()));
    let suspensions = suspension::structure::files().into_iter().chain(suspension::sweep::files());
    series.chain(summaries).chain(suspensions).collect()
}

/// Makes the study of a case: what a [`StudyKind`] has as its behaviour.
pub type MakeStudy = fn(&Case) -> Box<dyn Study>;

/// The study of a case.
///
/// # Panics
///
/// If the case was read with a kind of study whose behaviour is no [`MakeStudy`].
pub fn of(case: &Case) -> Box<dyn Study> {
    let make = case.study.behaviour.downcast_ref::<MakeStudy>();
    make.expect("a study is registered with what makes it")(case)
}

/// The studies and laws of the crate.
impl Default for Known {
    fn default() -> Self {
        Known::new(STUDIES)
    }
}

/// Cases of the studies and laws of the crate.
impl Case {
    /// Reads a case file and applies the overrides, `key=value` each.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the file cannot be read or the case cannot be run.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Case, Error> {
        Case::read_with(path, overrides, &Known::default())
    }

    /// Reads a case from its text; `file` names it in messages and anchors relative paths.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the case cannot be run.
    pub fn from_text(text: &str, file: &Path, overrides: &[String]) -> Result<Case, Error> {
        Template::parse(text, file, &Known::default())?.with_texts(overrides)
    }
}

/// What is done with a case. A study knows its table and what it has seen so far, its progress.
///
/// Only the first three methods and [`Study::report`] have to be written; the others are for
/// studies that watch more than the rheology, end by themselves, or have figures.
pub trait Study: Send {
    /// The particles that a case begins with.
    ///
    /// # Errors
    ///
    /// When they cannot be packed or read, or overlap.
    fn initial(&self, case: &Case) -> Result<Suspension, Error>;

    /// The stepper of a case for the particles of `state`.
    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper;

    /// Where a case ends at the latest.
    fn end(&self, case: &Case) -> End;

    /// The results of a run that reached its end.
    ///
    /// # Errors
    ///
    /// When a file of the run cannot be read.
    fn report(&self, run: &Finished<'_>) -> Result<Report, Error>;

    /// Columns of the time series, if the study makes its own rows; none if it leaves them to the
    /// run, which then reports stresses and contacts.
    fn columns(&self) -> Option<Vec<Description>> {
        None
    }

    /// Keys of `summary.json`.
    fn keys(&self) -> Vec<Description> {
        Vec::new()
    }

    /// One step up to an end, and what the study has seen in it.
    ///
    /// # Errors
    ///
    /// When the step fails.
    fn step(
        &mut self,
        stepper: &mut Stepper,
        state: &mut Suspension,
        end: End,
    ) -> Result<Step, Error> {
        let seen = stepper.step(state, end)?;
        let (row, over) = self.after_step(&Moved { stepper, state, seen: &seen });
        Ok(Step { seen, row, over })
    }

    /// What the study makes of a step: the row of the time series, if it makes its own, and whether
    /// it has seen what it waited for.
    fn after_step(&mut self, _moved: &Moved<'_>) -> (Option<Vec<f64>>, bool) {
        (None, false)
    }

    /// What the study has seen so far, if that is more than its time series says.
    fn kept(&mut self) -> Option<&mut dyn Kept> {
        None
    }

    /// What the study has seen so far, as a checkpoint keeps it.
    fn progress(&mut self) -> Value {
        self.kept().map_or(Value::Null, |kept| kept.save())
    }

    /// Goes on from what a checkpoint kept.
    ///
    /// # Errors
    ///
    /// When it is not what [`Study::progress`] gave.
    fn resume(&mut self, progress: Value) -> Result<(), serde_json::Error> {
        self.kept().map_or(Ok(()), |kept| kept.restore(progress))
    }

    /// The strain or time at which a run that has come to `at` is likely to end; none if nothing
    /// but the case tells.
    fn likely_end(&self, _at: f64) -> Option<f64> {
        None
    }

    /// What a run says of the case before it begins, in a few words.
    fn heading(&self, case: &Case) -> String {
        case.study.name.to_owned()
    }

    /// What a user has to know of a case and its particles before a run begins.
    fn notes(&self, _case: &Case, _state: &Suspension) -> Vec<String> {
        Vec::new()
    }

    /// What a case means, one fact a line.
    ///
    /// # Errors
    ///
    /// When the particles cannot be placed.
    fn meaning(&self, _case: &Case) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Steps and seconds that a case may take on one core, if that can be told without running it.
    fn expected_cost(&self, _case: &Case) -> Option<[f64; 2]> {
        None
    }

    /// Draws the figures of the run in a directory.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    fn draw(&self, _case: &Case, _directory: &Path) -> Result<(), Error> {
        Ok(())
    }

    /// Makes of a sweep what can be made.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    fn conclude_sweep(&self, _sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        Ok(SweepReport::default())
    }

    /// What is compared between runs with and without inertia; `paths` if those of single particles
    /// are known.
    fn quantities(&self, _case: &Case, _paths: bool) -> Vec<Quantity> {
        Vec::new()
    }

    /// The column of a time series along which runs are compared.
    fn clock(&self, _rows: &Table) -> &'static str {
        "time"
    }

    /// Whether rows are means over their intervals, of a flow that is chaotic.
    fn rows_are_means(&self) -> bool {
        false
    }

    /// Why there is no run without inertia to compare with, and what to do instead.
    fn always_inertial(&self) -> Option<[&'static str; 2]> {
        None
    }
}

/// Particles after a step.
#[derive(Clone, Copy)]
pub struct Moved<'a> {
    /// What moved them, with the pairs of the step.
    pub stepper: &'a Stepper,
    /// The particles.
    pub state: &'a Suspension,
    /// What every step shows.
    pub seen: &'a Observation,
}

/// A step as a study has seen it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What every step shows.
    pub seen: Observation,
    /// The row of the time series, if the study makes its own.
    pub row: Option<Vec<f64>>,
    /// Whether the study has seen what it waited for.
    pub over: bool,
}

/// A run that reached its end.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The case.
    pub case: &'a Case,
    /// The particles at the end.
    pub state: &'a Suspension,
    /// What was spent, and the worst that was met.
    pub totals: &'a Totals,
    /// The strain at which an imposed stress stopped the flow.
    pub jammed_at: Option<f64>,
    /// Where its files are.
    pub directory: &'a Path,
}

/// What a finished run has to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is in `summary.json`.
    pub summary: Value,
    /// The results, one fact a line.
    pub lines: Vec<String>,
    /// What the user may want to change.
    pub advice: Vec<String>,
}

impl Report {
    /// Of results that are written as they are.
    ///
    /// # Panics
    ///
    /// If the results are no plain data.
    pub fn new(results: &impl Serialize, lines: Vec<String>, advice: &[String]) -> Self {
        Report { summary: plain(results), lines, advice: advice.to_vec() }
    }
}

/// Plain data as JSON.
fn plain(data: &impl Serialize) -> Value {
    serde_json::to_value(data).expect("it is plain data")
}

/// Plain data that a checkpoint keeps.
pub trait Kept {
    /// As JSON.
    fn save(&self) -> Value;

    /// Replaces it by what was saved.
    ///
    /// # Errors
    ///
    /// When that is other data.
    fn restore(&mut self, saved: Value) -> Result<(), serde_json::Error>;
}

impl<T: Serialize + DeserializeOwned> Kept for T {
    fn save(&self) -> Value {
        plain(self)
    }

    fn restore(&mut self, saved: Value) -> Result<(), serde_json::Error> {
        *self = serde_json::from_value(saved)?;
        Ok(())
    }
}
