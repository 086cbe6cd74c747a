//! Files that only grow, with a length known to the byte.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{reading, writing};
use crate::Error;

/// The lengths in bytes of the appended files of a directory, by file name.
///
/// Empty for a run that starts: every file then begins at length zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lengths(BTreeMap<String, u64>);

impl Lengths {
    /// The length of the file of this name, zero if there was none. `[byte]`
    pub fn of(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// The names of the files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Writes the files down to the disk and takes their lengths.
    pub(super) fn sync(files: &[&AppendFile]) -> Result<Self, Error> {
        let length = |file: &&AppendFile| Ok((file.name(), file.sync()?));
        files.iter().map(length).collect::<Result<_, _>>().map(Self)
    }
}

/// A file that takes whole records at its end.
///
/// Each record goes out in one call, so that whoever looks at the file during a run finds no half
/// rows, and no buffer is left to be lost. A record that does not fit on the disk is taken back.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl AppendFile {
    /// Opens a file to go on at `length` bytes, cutting off what is behind; it is created if it is
    /// absent.
    ///
    /// A file shorter than `length` has lost data and is refused.
    pub fn open(path: impl Into<PathBuf>, length: u64) -> Result<Self, Error> {
        let path = path.into();
        let file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(writing(&path))?;
        let found = file.metadata().map_err(reading(&path))?.len();
        if found < length {
            let reason =
                format!("has {found} bytes, but had {length} when the checkpoint was written");
            return Err(Error::Damaged { path, reason });
        }
        if found > length {
            file.set_len(length).map_err(writing(&path))?;
        }
        Ok(Self { path, file, length })
    }

    /// Appends one record.
    pub fn append(&mut self, record: &[u8]) -> Result<(), Error> {
        if let Err(source) = self.file.write_all(record) {
            let _ = self.file.set_len(self.length);
            return Err(writing(&self.path)(source));
        }
        self.length += record.len() as u64;
        Ok(())
    }

    /// Waits until the disk holds everything appended; returns the length. `[byte]`
    pub fn sync(&self) -> Result<u64, Error> {
        self.file.sync_all().map_err(writing(&self.path))?;
        Ok(self.length)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How much was appended since the file was created. `[byte]`
    pub fn length(&self) -> u64 {
        self.length
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;
    use std::fs;

    #[test]
    fn goes_on_at_the_length_given() {
        let scratch = Scratch::new();
        let path = scratch.file("a.csv");
        let mut file = AppendFile::open(&path, 0).unwrap();
        file.append(b"one\n").unwrap();
        let length = file.sync().unwrap();
        file.append(b"lost\n").unwrap();
        let mut file = AppendFile::open(&path, length).unwrap();
        file.append(b"two\n").unwrap();
        assert_eq!(file.length(), 8);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn a_file_that_lost_data_is_refused() {
        let scratch = Scratch::new();
        let path = scratch.file("a.csv");
        fs::write(&path, "one").unwrap();
        let message = AppendFile::open(&path, 4).unwrap_err().to_string();
        assert!(message.contains("has 3 bytes, but had 4"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let mut file = AppendFile::open("/dev/full", 0).unwrap();
        let error = file.append(b"row\n").unwrap_err();
        assert!(matches!(error, Error::DiskFull { .. }));
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
        assert_eq!(file.length(), 0);
    }
}
