//! What a run writes while it goes on: the seam between the loop and the files.
//!
//! An output appends to files of its own. A checkpoint keeps how long they are and what the output
//! remembers; a run that resumes cuts the files back to that length, so that it leaves the same
//! bytes as one that was never stopped. The loop knows no output by name: an output of one's own is
//! added with [`Run::add_output`](super::Run::add_output).
//!
//! ```
//! use zerostokes::error::Error;
//! use zerostokes::record::{AppendFile, Column, TableWriter, column};
//! use zerostokes::run::{Opening, Output, View};
//! use zerostokes::state::Suspension;
//!
//! /// Writes the height of the highest centre with every row of the time series.
//! struct Height(TableWriter);
//!
//! const COLUMNS: &[Column<Suspension>] = &[
//!     Column::new("time", "t", "time", |s| s.clock.time),
//!     Column::new("height", "a", "highest centre", |s| {
//!         s.positions.iter().map(|at| at.y).fold(f64::NEG_INFINITY, f64::max)
//!     }),
//! ];
//!
//! impl Height {
//!     fn open(opening: &Opening) -> Result<Box<dyn Output>, Error> {
//!         Ok(Box::new(Height(opening.table("height.csv", COLUMNS)?)))
//!     }
//! }
//!
//! impl Output for Height {
//!     fn name(&self) -> &'static str {
//!         "height"
//!     }
//!
//!     fn files(&self) -> Vec<&AppendFile> {
//!         vec![self.0.file()]
//!     }
//!
//!     fn at_row(&mut self, view: &View, _row: &[f64]) -> Result<(), Error> {
//!         self.0.write_row(&column::values(COLUMNS, view.suspension))
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::series::Units;
use crate::case::Case;
use crate::error::Error;
use crate::integrate::{Observation, Stepper};
use crate::record::{AppendFile, CHECKPOINT, Lengths, RunDirectory, TableWriter};
use crate::state::Suspension;

/// What an output may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The case.
    pub case: &'a Case,
    /// The particles.
    pub suspension: &'a Suspension,
    /// What moves them, with the pairs of the last step.
    pub stepper: &'a Stepper,
    /// The units in which the run reports.
    pub units: &'a Units,
}

/// Something that a run writes.
pub trait Output: Send {
    /// Its name in checkpoints, which no other output of the run has.
    fn name(&self) -> &'static str;

    /// The files that it appends to.
    fn files(&self) -> Vec<&AppendFile>;

    /// Before the first step, also of a run that resumes.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn begin(&mut self, _view: &View) -> Result<(), Error> {
        Ok(())
    }

    /// After every accepted step.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn after_step(&mut self, _view: &View, _seen: &Observation) -> Result<(), Error> {
        Ok(())
    }

    /// Where a row of the time series ends, with its numbers.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn at_row(&mut self, _view: &View, _row: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    /// Where a frame is due, the start and the end of the run included.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn at_frame(&mut self, _view: &View) -> Result<(), Error> {
        Ok(())
    }

    /// At the end of the run, with the row of the steps since the last one, if there are any.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn at_end(&mut self, _view: &View, _rest: Option<&[f64]>) -> Result<(), Error> {
        Ok(())
    }

    /// What it has to remember between two steps; [`Opening::memory`] gives it back.
    fn memory(&self) -> Value {
        Value::Null
    }
}

/// What outputs remember, by their names.
pub type Memories = BTreeMap<String, Value>;

/// Where an output takes up its work: at the beginning, or at a checkpoint.
pub struct Opening<'a> {
    pub(super) directory: &'a RunDirectory,
    pub(super) lengths: &'a Lengths,
    pub(super) memories: &'a Memories,
}

impl Opening<'_> {
    /// Opens a file where it goes on.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or has lost data.
    pub fn file(&self, name: &str) -> Result<AppendFile, Error> {
        AppendFile::open(self.directory.file(name), self.lengths.of(name))
    }

    /// Opens a table where it goes on. Columns are names, or [`Column`](crate::record::Column)s.
    ///
    /// # Errors
    ///
    /// When it cannot be written, has lost data, or has other columns.
    pub fn table(&self, name: &str, columns: &[impl AsRef<str>]) -> Result<TableWriter, Error> {
        TableWriter::open(self.directory.file(name), columns, self.lengths.of(name))
    }

    /// What the output of this name remembered; the default at the beginning.
    ///
    /// # Errors
    ///
    /// When the checkpoint holds something else.
    pub fn memory<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, Error> {
        let Some(memory) = self.memories.get(name) else { return Ok(T::default()) };
        T::deserialize(memory).map_err(|e| Error::Damaged {
            path: self.directory.file(CHECKPOINT),
            reason: format!("holds something else than {name} remembers ({e})"),
        })
    }
}

/// What is to be remembered, as a checkpoint holds it.
///
/// # Panics
///
/// If it is no plain data.
pub fn remembered(memory: &impl Serialize) -> Value {
    serde_json::to_value(memory).expect("what an output remembers is plain data")
}

/// What some outputs remember.
pub(super) fn memories(outputs: &[Box<dyn Output>]) -> Memories {
    let memories = outputs.iter().map(|output| (output.name().to_owned(), output.memory()));
    memories.filter(|(_, memory)| !memory.is_null()).collect()
}
