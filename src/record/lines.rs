//! The lines of a text file, counted, so that every complaint names one.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use super::compressed::{self, Text};
use super::reading;
use crate::Error;

/// A file that is read line by line.
pub(super) struct Lines {
    path: PathBuf,
    reader: Text,
    /// The line read last, counted from 1; 0 before the first.
    pub line: u64,
}

impl Lines {
    /// Opens a file, compressed or not.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let reader = compressed::open(path).map_err(reading(path))?;
        Ok(Self { path: path.to_path_buf(), reader, line: 0 })
    }

    /// What is wrong with the line read last.
    pub fn bad(&self, reason: impl Into<String>) -> Error {
        self.bad_at(self.line, reason)
    }

    /// What is wrong with a line.
    pub fn bad_at(&self, line: u64, reason: impl Into<String>) -> Error {
        Error::BadLine { path: self.path.clone(), line: line.max(1), reason: reason.into() }
    }

    /// The next line; `None` at the end of the file.
    pub fn read(&mut self) -> Result<Option<String>, Error> {
        let mut text = String::new();
        let length = self.reader.read_line(&mut text).map_err(reading(&self.path))?;
        if length == 0 {
            return Ok(None);
        }
        self.line += 1;
        Ok(Some(text))
    }

    /// The next line that is not blank; `None` at the end of the file.
    pub fn read_filled(&mut self) -> Result<Option<String>, Error> {
        while let Some(line) = self.read()? {
            if !line.trim().is_empty() {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The next line, which has to be there.
    pub fn next(&mut self, expected: &str) -> Result<String, Error> {
        let line = self.read()?;
        line.ok_or_else(|| self.bad(format!("the file ends behind this line, before {expected}")))
    }
}

/// A finite number.
pub(super) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The number in a column, counted from 0.
pub(super) fn number(words: &[&str], column: usize) -> Result<f64, String> {
    let word = words[column];
    finite(word).ok_or_else(|| format!("`{word}` in column {} is not a finite number", column + 1))
}

/// A radius, which has to be positive.
pub(super) fn positive(radius: f64) -> Result<f64, String> {
    if radius > 0.0 { Ok(radius) } else { Err(format!("the radius {radius} is not positive")) }
}
