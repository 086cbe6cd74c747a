//! Everything that can go wrong, with the numbers that say why.

use std::fmt;
use std::path::PathBuf;

/// The one error type of the crate. Every message ends with what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory concerned.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// A case file, or what `--set` made of it, cannot be run. One line per fault.
    #[error("{}", one_per_line(faults))]
    BadCase {
        /// What is wrong, in the order in which it was found; never empty.
        faults: Vec<CaseFault>,
    },
}

impl Error {
    /// The exit code of a program that stops here: 2 for bad input, 1 for a run that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::BadCase { .. } => 2,
            Error::Io { .. } => 1,
        }
    }
}

/// One thing that is wrong with a case: where, which key, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFault {
    /// The case file as it was named by the user.
    pub file: PathBuf,
    /// Where the key was given.
    pub place: Place,
    /// The key with its table, `particles.count`; empty when no key is concerned.
    pub key: String,
    /// What is wrong, with the value that was given.
    pub problem: String,
    /// What to do; empty when the problem says it.
    pub remedy: String,
}

/// Where a key of a case was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere in particular: something is missing from the file.
    File,
    /// A line of the case file, counted from 1.
    Line(usize),
    /// A character of the case file.
    Character {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// An override on the command line, `key=value`.
    Set(String),
}

impl fmt::Display for CaseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: ", self.file.display(), self.place)?;
        if !self.key.is_empty() && !self.place.names(&self.key) {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.problem)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Character { line, column } => write!(f, ", line {line}, column {column}"),
            Place::Set(text) => write!(f, ", --set {text}"),
        }
    }
}

impl Place {
    /// Whether the place as written already names the key.
    fn names(&self, key: &str) -> bool {
        match self {
            Place::Set(text) => text.split('=').next().is_some_and(|name| name.trim() == key),
            _ => false,
        }
    }
}

fn one_per_line(faults: &[CaseFault]) -> String {
    faults.iter().map(CaseFault::to_string).collect::<Vec<_>>().join("\n")
}
