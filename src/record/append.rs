//! Files that only grow, with a length known to the byte.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checksum::Checksum;
use super::{reading, refuse_link, writing};
use crate::Error;

/// Where an appended file goes on: how long it is, and the checksum of all bytes before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Length `[byte]`.
    pub length: u64,
    /// Checksum.
    pub checksum: u64,
}

/// The beginning of a file.
impl Default for Mark {
    fn default() -> Self {
        Mark { length: 0, checksum: Checksum::START.value() }
    }
}

/// Where the appended files of a directory go on, by file name.
///
/// Empty for a run that starts: every file then begins at length zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lengths(BTreeMap<String, Mark>);

impl Lengths {
    /// Where the file of this name goes on, at its beginning if there was none.
    pub fn of(&self, name: &str) -> Mark {
        self.0.get(name).copied().unwrap_or_default()
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
    sum: Checksum,
}

impl AppendFile {
    /// Opens a file to go on at a mark, cutting off what is behind; it is created if it is absent.
    ///
    /// A file that is shorter, or whose bytes before the mark are others, is damaged and refused.
    pub fn open(path: impl Into<PathBuf>, at: Mark) -> Result<Self, Error> {
        let path = path.into();
        refuse_link(&path)?;
        let file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(writing(&path))?;
        let found = file.metadata().map_err(reading(&path))?.len();
        if found < at.length {
            let length = at.length;
            let reason =
                format!("has {found} bytes, but had {length} when the checkpoint was written");
            return Err(Error::Damaged { path, reason });
        }
        let sum = sum_of(&path, at.length).map_err(reading(&path))?;
        if sum.value() != at.checksum {
            let reason = "was changed since the checkpoint was written: its checksum is another";
            return Err(Error::Damaged { path, reason: reason.to_owned() });
        }
        if found > at.length {
            file.set_len(at.length).map_err(writing(&path))?;
        }
        Ok(Self { path, file, length: at.length, sum })
    }

    /// Appends one record.
    pub fn append(&mut self, record: &[u8]) -> Result<(), Error> {
        if let Err(source) = self.file.write_all(record) {
            let _ = self.file.set_len(self.length);
            return Err(writing(&self.path)(source));
        }
        self.length += record.len() as u64;
        self.sum.add(record);
        Ok(())
    }

    /// Waits until the disk holds everything appended; returns where the file goes on.
    pub fn sync(&self) -> Result<Mark, Error> {
        self.file.sync_all().map_err(writing(&self.path))?;
        Ok(self.mark())
    }

    /// Where the file goes on.
    pub fn mark(&self) -> Mark {
        Mark { length: self.length, checksum: self.sum.value() }
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

/// The checksum of the first bytes of a file.
fn sum_of(path: &Path, length: u64) -> io::Result<Checksum> {
    let mut sum = Checksum::START;
    if length == 0 {
        return Ok(sum);
    }
    let mut bytes = BufReader::with_capacity(1 << 16, File::open(path)?.take(length));
    loop {
        let part = bytes.fill_buf()?;
        if part.is_empty() {
            return Ok(sum);
        }
        sum.add(part);
        let read = part.len();
        bytes.consume(read);
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
        let mut file = AppendFile::open(&path, Mark::default()).unwrap();
        file.append(b"one\n").unwrap();
        let mark = file.sync().unwrap();
        file.append(b"lost\n").unwrap();
        let mut file = AppendFile::open(&path, mark).unwrap();
        file.append(b"two\n").unwrap();
        assert_eq!(file.length(), 8);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn a_file_that_lost_data_is_refused() {
        let scratch = Scratch::new();
        let path = scratch.file("a.csv");
        fs::write(&path, "one").unwrap();
        let mark = Mark { length: 4, ..Mark::default() };
        let message = AppendFile::open(&path, mark).unwrap_err().to_string();
        assert!(message.contains("has 3 bytes, but had 4"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    }

    #[test]
    fn a_file_whose_bytes_have_changed_is_refused() {
        let scratch = Scratch::new();
        let path = scratch.file("a.csv");
        let mut file = AppendFile::open(&path, Mark::default()).unwrap();
        file.append(b"one\ntwo\n").unwrap();
        let mark = file.sync().unwrap();
        fs::write(&path, "one\ntvo\nthree\n").unwrap();
        let message = AppendFile::open(&path, mark).unwrap_err().to_string();
        assert!(message.contains("was changed since the checkpoint"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntvo\nthree\n");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let scratch = Scratch::new();
        let (path, elsewhere) = (scratch.file("a.csv"), scratch.file("precious"));
        fs::write(&elsewhere, "kept").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let message = AppendFile::open(&path, Mark::default()).unwrap_err().to_string();
        assert!(message.contains("a.csv: is a symbolic link"), "{message}");
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "kept");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let mut file = AppendFile::open("/dev/full", Mark::default()).unwrap();
        let error = file.append(b"row\n").unwrap_err();
        assert!(matches!(error, Error::DiskFull { .. }));
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
        assert_eq!(file.length(), 0);
    }
}
