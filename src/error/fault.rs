//! What is wrong with a case, and where.

use std::fmt;
use std::path::PathBuf;

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
    /// A setting of a sweep and where it is, `key = value (sweep.toml, line 6)`.
    Sweep(Box<str>),
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
            Place::Sweep(text) => write!(f, ", with {text}"),
        }
    }
}

impl Place {
    /// Whether the place as written already names the key.
    fn names(&self, key: &str) -> bool {
        match self {
            Place::Set(text) => named(text, key),
            Place::Sweep(text) => named(text, key),
            _ => false,
        }
    }
}

/// Whether a setting, `key = value`, is one of this key.
fn named(setting: &str, key: &str) -> bool {
    setting.split('=').next().is_some_and(|name| name.trim() == key)
}
