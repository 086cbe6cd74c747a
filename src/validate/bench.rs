//! Where a job runs its cases: the same way as `zerostokes run`, in a directory that goes.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Measure, Reference};
use crate::Error;
use crate::case::Case;
use crate::record::{Existing, TIMESERIES, Table, read_columns};
use crate::run;

/// Why a job did not come to its end.
#[derive(Debug)]
pub enum Halt {
    /// It was asked to stop.
    Stopped,
    /// A run failed.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Failed(error)
    }
}

/// A shipped case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    name: &'static str,
    text: &'static str,
}

macro_rules! shipped {
    ($name:literal) => {
        Shipped { name: $name, text: include_str!(concat!("../../", $name)) }
    };
}

/// A dense suspension.
pub const SUSPENSION: Shipped = shipped!("cases/suspension.toml");
/// Two spheres with forces on them.
pub const TWO_SPHERES: Shipped = shipped!("cases/two_spheres.toml");
/// A sphere that sinks onto another.
pub const FALLING_SPHERE: Shipped = shipped!("cases/falling_sphere.toml");
/// Two spheres in shear.
pub const PAIR_SHEAR: Shipped = shipped!("cases/pair_shear.toml");
/// Four soft spheres that swap neighbours.
pub const T1: Shipped = shipped!("cases/t1.toml");
/// A sphere that hits another.
pub const COLLISION: Shipped = shipped!("cases/collision.toml");
/// A gluey particle at a plane.
pub const GLUEY_PLANE: Shipped = shipped!("cases/gluey_plane.toml");
/// Two gluey spheres.
pub const GLUEY_BILLIARD: Shipped = shipped!("cases/gluey_billiard.toml");
/// Gluey discs in a box that turns.
pub const GLUEY_LOTTO: Shipped = shipped!("cases/gluey_lotto.toml");
/// Two soft spheres.
pub const SOFT_PAIR: Shipped = shipped!("cases/soft_pair.toml");

/// Where a job runs its cases.
pub struct Bench<'a> {
    directory: PathBuf,
    /// Hears the share of the job that is done, and says whether to stop.
    tell: &'a dyn Fn(f64) -> bool,
    /// How many cases the job runs.
    runs: usize,
    done: Cell<usize>,
}

/// A case that was run to its end.
pub struct Ran {
    summary: Value,
    /// The time series.
    pub series: Table,
}

impl Ran {
    /// A number of the summary by its place, `/pair/min_gap`; 1 and 0 for true and false, and no
    /// number if there is none.
    pub fn number(&self, place: &str) -> f64 {
        match self.summary.pointer(place) {
            Some(Value::Bool(flag)) => f64::from(u8::from(*flag)),
            Some(value) => value.as_f64().unwrap_or(f64::NAN),
            None => f64::NAN,
        }
    }

    /// A mean of the summary with its standard error, to be compared with something.
    pub fn mean(&self, place: &str, reference: Reference) -> Measure {
        let stderr = Some(self.number(&format!("{place}/stderr"))).filter(|e| e.is_finite());
        let here = self.number(&format!("{place}/mean"));
        Measure { case: String::new(), paper: None, reference, here, stderr }
    }
}

impl<'a> Bench<'a> {
    /// For a job that runs so many cases, in a directory of its own.
    pub fn new(directory: PathBuf, runs: usize, tell: &'a dyn Fn(f64) -> bool) -> Self {
        Bench { directory, tell, runs, done: Cell::new(0) }
    }

    /// Runs a shipped case with keys set, `key=value` each.
    pub fn run(&self, case: Shipped, set: &[String]) -> Result<Ran, Halt> {
        let case = Case::from_text(case.text, Path::new(case.name), set)?;
        let command = crate::record::command_line();
        let (directory, existing) = (&*self.directory, Existing::Replace);
        let job = run::pool::PooledRun { case, directory, existing, command: &command };
        let report = job.run(|share| (self.tell)(self.share(share)))?;
        let summary = report.ok_or(Halt::Stopped)?.summary;
        let series = read_columns(&self.directory.join(TIMESERIES))?;
        self.done.set(self.done.get() + 1);
        Ok(Ran { summary, series })
    }

    /// A file in the directory of the job with a text, for what reads files.
    pub fn file(&self, name: &str, text: &str) -> Result<PathBuf, Halt> {
        let path = self.directory.join(name);
        let named = |source| Error::Io { path: path.clone(), source };
        std::fs::create_dir_all(&self.directory).map_err(named)?;
        std::fs::write(&path, text).map_err(named)?;
        Ok(path)
    }

    /// The share of the job that is done when so much of a run is.
    fn share(&self, run: f64) -> f64 {
        (self.done.get() as f64 + run) / self.runs.max(1) as f64
    }
}

/// A key and its value, in the form that [`Bench::run`] takes.
pub fn set(key: &str, value: impl std::fmt::Debug) -> String {
    format!("{key}={value:?}")
}
