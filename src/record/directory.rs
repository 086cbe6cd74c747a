//! A run's directory: who may write in it, and where a run in it begins.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::checkpoint::appended_files;
use super::difference::first_difference;
use super::manifest::{Manifest, Status};
use super::{
    BONDS, CASE, CHECKPOINT, CONTACT_FORCES, CONTACTS, CYCLES, FIGURES, FRAMES, GAPS, LOADS,
    MANIFEST, PAIR_ANGLES, PAIR_DISTRIBUTION, PAIR_MEMORY, SUMMARY, TIMESERIES, atomic, reading,
    refuse_link, writing,
};
use crate::Error;

/// Held locked by the process that writes in the directory; the kernel frees it when that process
/// ends.
const LOCK: &str = ".lock";

/// What a run writes besides `case.toml` and figures.
const FILES: [&str; 14] = [
    SUMMARY,
    MANIFEST,
    CHECKPOINT,
    TIMESERIES,
    FRAMES,
    PAIR_MEMORY,
    CONTACTS,
    BONDS,
    LOADS,
    CYCLES,
    PAIR_DISTRIBUTION,
    PAIR_ANGLES,
    GAPS,
    CONTACT_FORCES,
];

/// What a run writes besides `case.toml`. Only these are ever removed, and what the checkpoint of a
/// run names as appended.
fn written() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().chain(FIGURES)
}

/// What to do with a run that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Go on with an unfinished run of the same case, refuse everything else.
    Keep,
    /// Start over: the files of the run that is there are removed (`--force`).
    Replace,
}

/// Where the run in an opened directory begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At the beginning.
    Fresh,
    /// At the checkpoint, which exists.
    Resume,
}

/// A run's directory, open for writing by this process alone until it is dropped.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    /// Absent on file systems without locks.
    _lock: Option<File>,
}

impl RunDirectory {
    /// Opens `path` for a run of the resolved case `case`; nothing is touched if this is refused.
    ///
    /// | the directory | `Keep` | `Replace` |
    /// |---|---|---|
    /// | is absent or empty | fresh | fresh |
    /// | holds the same case, unfinished | goes on | fresh |
    /// | holds the same case, finished | refused | fresh |
    /// | holds another case | refused | fresh |
    /// | holds other files, no case | refused | fresh, refused if it had to overwrite one |
    /// | is in use by another process | refused | refused |
    pub fn open(path: &Path, case: &str, existing: Existing) -> Result<(Self, Start), Error> {
        decide(path, survey(path, case)?, existing)?;
        fs::create_dir_all(path).map_err(writing(path))?;
        let directory = Self { path: path.to_path_buf(), _lock: lock(path)? };
        // Once more, now that nobody else can change it.
        let start = match decide(path, survey(path, case)?, existing)? {
            Plan::Begin => directory.begin(case)?,
            Plan::GoOn => directory.go_on(),
        };
        directory.remove_leftovers()?;
        Ok((directory, start))
    }

    /// The resolved case of the run in `path`; opening `path` with it resumes that run.
    pub fn case_text(path: &Path) -> Result<String, Error> {
        let file = path.join(CASE);
        fs::read_to_string(&file).map_err(|e| match e.kind() {
            ErrorKind::NotFound => Error::NotARun { directory: path.to_path_buf() },
            _ => reading(&file)(e),
        })
    }

    /// Where the directory is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes `summary.json`.
    pub fn write_summary<T: Serialize>(&self, summary: &T) -> Result<(), Error> {
        atomic::write_json(&self.file(SUMMARY), summary)
    }

    /// Removes the outputs of an earlier run, if any, and puts the case in place. The old case goes
    /// last, so that a directory whose clearing was cut short is still known as a run's.
    fn begin(&self, case: &str) -> Result<Start, Error> {
        // Outputs from outside the crate are known from the checkpoint; no name leads out of here.
        let plain = |name: &&String| Path::new(name).file_name().is_some_and(|own| own == &***name);
        let kept = [LOCK, CASE];
        let others = appended_files(&self.path);
        for name in others.iter().filter(plain).filter(|name| !kept.contains(&name.as_str())) {
            remove_if_present(&self.file(name))?;
        }
        for name in written() {
            remove_if_present(&self.file(name))?;
        }
        atomic::write(&self.file(CASE), |out| out.write_all(case.as_bytes()))?;
        Ok(Start::Fresh)
    }

    fn go_on(&self) -> Start {
        if self.file(CHECKPOINT).exists() { Start::Resume } else { Start::Fresh }
    }

    /// Removes the temporary files of a process that was killed while it wrote.
    fn remove_leftovers(&self) -> Result<(), Error> {
        let names = names_in(&self.path)?;
        names
            .iter()
            .filter(|name| is_leftover(name))
            .try_for_each(|name| remove_if_present(&self.file(name)))
    }
}

/// What a directory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing, or it is absent.
    Nothing,
    /// A run of the case.
    SameCase {
        /// Whether it reached its end.
        finished: bool,
    },
    /// A run of another case.
    AnotherCase {
        /// The first key that differs, with both values.
        difference: String,
    },
    /// Files, but no case.
    Foreign {
        /// One of them.
        example: String,
        /// One that a run would write over.
        overwritten: Option<String>,
    },
}

/// What to do in a directory.
enum Plan {
    Begin,
    GoOn,
}

/// What the directory `path` holds, for a run of the resolved case `case`.
pub fn survey(path: &Path, case: &str) -> Result<Found, Error> {
    let names = names_in(path)?;
    if names.iter().any(|name| name == CASE) {
        return Ok(match first_difference(&RunDirectory::case_text(path)?, case) {
            None => Found::SameCase { finished: is_finished(path) },
            Some(difference) => Found::AnotherCase { difference },
        });
    }
    let mut foreign =
        names.into_iter().filter(|name| name != LOCK && !is_leftover(name)).peekable();
    Ok(match foreign.peek().cloned() {
        None => Found::Nothing,
        Some(example) => Found::Foreign {
            example,
            overwritten: foreign.find(|name| written().any(|file| file == name)),
        },
    })
}

fn decide(path: &Path, found: Found, existing: Existing) -> Result<Plan, Error> {
    let directory = path.to_path_buf();
    match (found, existing) {
        (Found::Foreign { overwritten: Some(example), .. }, _) => Err(Error::ForeignFiles {
            directory,
            remedy: format!("move {example} away or choose another --out"),
            example,
        }),
        (Found::Foreign { example, .. }, Existing::Keep) => Err(Error::ForeignFiles {
            directory,
            example,
            remedy: "choose another --out, or use --force to write beside what is there"
                .to_string(),
        }),
        (_, Existing::Replace) | (Found::Nothing, _) => Ok(Plan::Begin),
        (Found::SameCase { finished: false }, Existing::Keep) => Ok(Plan::GoOn),
        (Found::SameCase { finished: true }, Existing::Keep) => {
            Err(Error::RunFinished { directory })
        }
        (Found::AnotherCase { difference }, Existing::Keep) => {
            Err(Error::AnotherCase { directory, difference })
        }
    }
}

/// Whether the run in a directory reached its end. The manifest is written last and decides;
/// without one the summary does.
fn is_finished(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Summary {
        finished: bool,
    }
    let summary =
        || -> Option<Summary> { serde_json::from_slice(&fs::read(path.join(SUMMARY)).ok()?).ok() };
    match Manifest::read(path) {
        Ok(Some(manifest)) => manifest.status == Status::Finished,
        _ => summary().is_some_and(|summary| summary.finished),
    }
}

/// The sorted names of what is in a directory; none if it is absent.
fn names_in(path: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(reading(path))?,
    };
    let name =
        |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names: io::Result<Vec<_>> = entries.map(name).collect();
    let mut names = names.map_err(reading(path))?;
    names.sort();
    Ok(names)
}

fn is_leftover(name: &str) -> bool {
    written().chain([CASE]).any(|target| atomic::is_temporary_of(name, target))
}

fn remove_if_present(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(writing(path)(e)),
        _ => Ok(()),
    }
}

/// Locks the directory for this process. The lock file stays when the run ends: removing it would
/// let two processes hold locks on two files of the same name.
fn lock(directory: &Path) -> Result<Option<File>, Error> {
    let path = directory.join(LOCK);
    refuse_link(&path)?;
    let mut options = OpenOptions::new();
    let open = options.read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = open.map_err(writing(&path))?;
    match try_lock(&file) {
        Ok(()) => {}
        Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => return Ok(None),
        Err(TryLockError::Error(e)) => return Err(writing(&path)(e)),
        Err(TryLockError::WouldBlock) => {
            let directory = directory.to_path_buf();
            return Err(Error::DirectoryLocked { directory, holder: holder(&path) });
        }
    }
    let write_id = |file: &mut File| {
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())
    };
    write_id(&mut file).map_err(writing(&path))?;
    Ok(Some(file))
}

/// Waits a little: a process that was just killed may still be on its way out.
fn try_lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
            answer => return answer,
        }
    }
    file.try_lock()
}

fn holder(lock: &Path) -> String {
    let process = fs::read_to_string(lock).unwrap_or_default();
    match process.trim() {
        "" => "another process".to_string(),
        process => format!("process {process}"),
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
