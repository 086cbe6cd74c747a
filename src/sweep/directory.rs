//! A sweep's directory: whose it is, and how its points stand.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{POINTS, SWEEP, Sweep, TABLE};
use crate::Error;
use crate::record::{Existing, Found, SUMMARY, atomic, first_difference, survey};

/// The directory of a sweep. Several processes may work in it: each point has its own lock.
#[derive(Debug, Clone)]
pub struct SweepDirectory {
    path: PathBuf,
    /// Digits of a point's number.
    width: usize,
    /// The names of the points, if they are not numbered.
    names: Vec<String>,
}

/// How the directory of a point stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Standing {
    /// Finished, with its summary.
    Finished(Value),
    /// Not finished.
    Open,
    /// Said to be finished, but the results cannot be read.
    Damaged,
    /// Not finished: it stopped on an error.
    Failed,
    /// A run of another case, with the first difference.
    Another(String),
}

impl SweepDirectory {
    /// The directory `path` for a sweep; nothing is written yet.
    ///
    /// # Errors
    ///
    /// When it belongs to another sweep or to something else, unless that is to be replaced.
    pub fn inspect(sweep: &Sweep, path: &Path, existing: Existing) -> Result<Self, Error> {
        let width = sweep.len().to_string().len().max(4);
        let directory = Self { path: path.to_owned(), width, names: sweep.names.clone() };
        if existing == Existing::Replace {
            return Ok(directory);
        }
        let record = directory.file(SWEEP);
        match fs::read_to_string(&record) {
            // Points that have names are compared one by one: others may join them.
            Ok(_) if !sweep.names.is_empty() => Ok(directory),
            Ok(text) => {
                let there = grid_of(&text);
                match first_difference(&there, &sweep.identity()) {
                    Some(difference) => {
                        Err(Error::AnotherSweep { directory: directory.path, difference })
                    }
                    None => Ok(directory),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => directory.refuse_foreign(),
            Err(source) => Err(Error::Io { path: record, source }),
        }
    }

    /// Makes the directory and records the sweep in it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(&self, sweep: &Sweep) -> Result<(), Error> {
        let points = if self.names.is_empty() { self.file(POINTS) } else { self.path.clone() };
        fs::create_dir_all(&points).map_err(|source| Error::Io { path: points, source })?;
        let text = sweep.to_toml();
        atomic::write(&self.file(SWEEP), |out| out.write_all(text.as_bytes()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The table of the sweep.
    pub fn table(&self) -> PathBuf {
        self.file(TABLE)
    }

    /// The directory of a point, counted from 0.
    pub fn point(&self, index: usize) -> PathBuf {
        match self.names.get(index) {
            Some(name) => self.file(name),
            None => self.file(POINTS).join(format!("{:0width$}", index + 1, width = self.width)),
        }
    }

    /// How a point stands, given its resolved case.
    pub(super) fn standing(&self, index: usize, case: &str) -> Result<Standing, Error> {
        let path = self.point(index);
        Ok(match survey(&path, case)? {
            Found::SameCase { finished: true } => match read_summary(&path) {
                Some(summary) => Standing::Finished(summary),
                None => Standing::Damaged,
            },
            Found::AnotherCase { difference } => Standing::Another(difference),
            _ if self.mark(index).exists() => Standing::Failed,
            _ => Standing::Open,
        })
    }

    /// Leaves a note that a point failed, and why.
    pub(super) fn mark_failed(&self, index: usize, why: &Error) -> Result<(), Error> {
        atomic::write(&self.mark(index), |out| writeln!(out, "{why}"))
    }

    /// Removes the note that a point failed.
    pub(super) fn unmark(&self, index: usize) -> Result<(), Error> {
        let path = self.mark(index);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::Io { path, source }),
            _ => Ok(()),
        }
    }

    fn mark(&self, index: usize) -> PathBuf {
        let mut path = self.point(index).into_os_string();
        path.push(".failed");
        path.into()
    }

    fn refuse_foreign(self) -> Result<Self, Error> {
        let first = match fs::read_dir(&self.path) {
            Ok(mut entries) => entries.next(),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(Error::Io { path: self.path, source }),
        };
        let Some(entry) = first else { return Ok(self) };
        let example = entry.map(|e| e.file_name().to_string_lossy().into_owned());
        let reason = format!(
            "{}: is no sweep's directory: it holds {} but no {SWEEP}; choose another --out, or use \
             --force to write beside what is there",
            self.path.display(),
            example.unwrap_or_default()
        );
        Err(Error::Usage { reason })
    }
}

/// What makes two sweeps the same, from the record of one.
fn grid_of(record: &str) -> String {
    let Ok(mut table) = record.parse::<toml::Table>() else { return record.to_owned() };
    table.retain(|key, _| ["set", "over", "curve"].contains(&key));
    toml::to_string(&table).unwrap_or_default()
}

fn read_summary(point: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(point.join(SUMMARY)).ok()?).ok()
}
