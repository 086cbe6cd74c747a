//! Files that are replaced whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use tempfile::NamedTempFile;

use super::{parent, writing};
use crate::Error;

/// Replaces `path` by what `fill` writes, or leaves it as it was.
///
/// The text goes to a temporary file beside it, which is flushed to the disk and then renamed, so
/// that a reader, a crash or a full disk never meets half a file. On any error the temporary file
/// is removed.
pub fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    replace(path, fill).map_err(writing(path))
}

/// Replaces `path` by `value` as indented JSON, see [`write()`].
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let temporary = temporary(path)?;
    let mut out = BufWriter::with_capacity(1 << 16, temporary.as_file());
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|failed| failed.error)?;
    sync_directory(&parent(path))
}

/// Makes the names in a directory durable (a rename is not, until then).
fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// `.NAME.XXXXXX.tmp` beside the file: hidden, new, and removed unless it is put in place.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut named = tempfile::Builder::new();
    named.prefix(&prefix).rand_bytes(RANDOM_LETTERS).suffix(".tmp");
    #[cfg(unix)]
    let readable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    // As any other file: the user's mask takes off what others must not do.
    named.permissions(readable);
    named.tempfile_in(parent(path))
}

/// Letters and digits of a temporary name that are drawn at random.
const RANDOM_LETTERS: usize = 6;

/// Whether a file's name is the one of a temporary file for `target`.
pub(super) fn is_temporary_of(name: &str, target: &str) -> bool {
    let rest = name.strip_prefix('.').and_then(|rest| rest.strip_prefix(target));
    let random = rest.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".tmp"));
    let drawn = |r: &str| r.len() == RANDOM_LETTERS && r.bytes().all(|b| b.is_ascii_alphanumeric());
    random.is_some_and(drawn)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    #[test]
    fn replaces_the_file_and_leaves_nothing_else() {
        let scratch = Scratch::new();
        let path = scratch.file("a.json");
        write_json(&path, &[1.0, 0.1]).unwrap();
        write_json(&path, &[2.5]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[\n  2.5\n]\n");
        assert_eq!(scratch.names(), ["a.json"]);
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let scratch = Scratch::new();
        let path = scratch.file("a.txt");
        fs::write(&path, "old").unwrap();
        let error = write(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(matches!(error, Err(Error::DiskFull { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(scratch.names(), ["a.txt"]);
    }

    #[test]
    fn a_rename_that_fails_removes_the_temporary_file() {
        let scratch = Scratch::new();
        let path = scratch.file("taken");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("inside"), "").unwrap();
        assert!(write(&path, |out| out.write_all(b"new")).is_err());
        assert_eq!(scratch.names(), ["taken"]);
    }

    #[test]
    fn a_missing_directory_is_an_error_that_names_the_file() {
        let scratch = Scratch::new();
        let error = write(&scratch.file("absent/a.txt"), |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("absent/a.txt"), "{error}");
    }

    #[test]
    fn temporary_names_are_recognised() {
        let scratch = Scratch::new();
        let files = [0, 1].map(|_| temporary(&scratch.file("checkpoint.json")).unwrap());
        let names = scratch.names();
        assert!(names.iter().all(|name| is_temporary_of(name, "checkpoint.json")), "{names:?}");
        assert!(names.iter().all(|name| !is_temporary_of(name, "case.toml")));
        assert!(names.len() == 2 && names[0] != names[1], "{names:?}");
        drop(files);
        assert!(scratch.names().is_empty());
        assert!(!is_temporary_of(".checkpoint.json.mine.tmp", "checkpoint.json"));
    }
}
