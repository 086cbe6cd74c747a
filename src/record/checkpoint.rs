//! Everything a restart needs, in one file that is always whole.
//!
//! `checkpoint.json` is one JSON object: the format's name and version, the program's version, the
//! lengths and checksums of the appended files, the state, and a checksum of all bytes before it.
//! Numbers are written with as many digits as it takes to read the same bits back. JSON has no
//! infinities and no NaN: a state must hold none (use an `Option` where a number may be missing),
//! or it cannot be read back.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::append::{AppendFile, Lengths};
use super::checksum::Checksum;
use super::{CHECKPOINT, atomic, reading};
use crate::Error;

const FORMAT: &str = "zerostokes checkpoint";
/// Raised whenever an older program could not read the file, or would read it wrongly.
const VERSION: u32 = 3;

/// A state, and how long the appended files were at that instant.
#[derive(Debug, Deserialize)]
pub struct Checkpoint<T> {
    /// Where the appended files go on.
    pub lengths: Lengths,
    /// What was given to [`write_checkpoint`].
    pub state: T,
}

/// Writes the appended files down to the disk, then the checkpoint that refers to them.
pub fn write_checkpoint<T: Serialize>(
    directory: &Path,
    state: &T,
    files: &[&AppendFile],
) -> Result<(), Error> {
    let lengths = Lengths::sync(files)?;
    atomic::write(&directory.join(CHECKPOINT), |out| serialize(out, &lengths, state))
}

/// The last checkpoint of a run's directory, `None` if there is none yet.
pub fn read_checkpoint<T: DeserializeOwned>(
    directory: &Path,
) -> Result<Option<Checkpoint<T>>, Error> {
    let path = directory.join(CHECKPOINT);
    match fs::read(&path) {
        Ok(bytes) => {
            let damaged = |reason| Error::Damaged { path, reason };
            deserialize(&bytes).map(Some).map_err(damaged)
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(reading(&path)(e)),
    }
}

/// The files that the run in a directory appends to, as far as its last checkpoint tells.
pub(super) fn appended_files(directory: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Named {
        lengths: Lengths,
    }
    let bytes = fs::read(directory.join(CHECKPOINT)).unwrap_or_default();
    let named = serde_json::from_slice::<Named>(&bytes);
    named.map_or_else(|_| Vec::new(), |named| named.lengths.names().map(str::to_owned).collect())
}

fn serialize<T: Serialize>(out: &mut dyn Write, lengths: &Lengths, state: &T) -> io::Result<()> {
    let mut out = Checked { out, sum: Checksum::START };
    let program = env!("CARGO_PKG_VERSION");
    write!(out, r#"{{"format":"{FORMAT}","version":{VERSION},"program":"{program}","lengths":"#)?;
    serde_json::to_writer(&mut out, lengths)?;
    out.write_all(b",\n\"state\":")?;
    serde_json::to_writer(&mut out, state)?;
    let last = end(out.sum);
    out.write_all(last.as_bytes())
}

fn deserialize<T: DeserializeOwned>(bytes: &[u8]) -> Result<Checkpoint<T>, String> {
    let header: Header =
        serde_json::from_slice(bytes).map_err(|e| format!("is no whole checkpoint ({e})"))?;
    if header.format.as_deref() != Some(FORMAT) {
        return Err("is not a checkpoint of zerostokes".to_string());
    }
    if header.version != Some(VERSION) {
        let found = header.version.map_or("unknown".to_string(), |v| v.to_string());
        let program = header.program.unwrap_or_default();
        return Err(format!(
            "is a checkpoint of format {found}, written by zerostokes {program}; \
             this program reads format {VERSION}"
        ));
    }
    if !is_whole(bytes) {
        return Err("is damaged: its checksum does not match its contents".to_string());
    }
    serde_json::from_slice(bytes)
        .map_err(|e| format!("holds a state this program cannot read ({e})"))
}

/// What is looked at first, whatever the rest is.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
    program: Option<String>,
}

/// The last bytes of the file, always equally many.
fn end(sum: Checksum) -> String {
    format!(",\n\"checksum\":\"{:016x}\"}}\n", sum.value())
}

fn is_whole(bytes: &[u8]) -> bool {
    let length = end(Checksum::START).len();
    let Some((contents, last)) = bytes.len().checked_sub(length).map(|at| bytes.split_at(at))
    else {
        return false;
    };
    let mut sum = Checksum::START;
    sum.add(contents);
    end(sum).as_bytes() == last
}

/// Passes bytes on and sums them up.
struct Checked<'a> {
    out: &'a mut dyn Write,
    sum: Checksum,
}

impl Write for Checked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::append::Mark;
    use super::super::scratch::Scratch;
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct State {
        positions: Vec<nalgebra::Vector3<f64>>,
        random: u128,
        gap: Option<f64>,
    }

    fn state(count: usize) -> State {
        let positions = (0..count).map(|i| {
            let x = 1.0 / (i as f64 + 3.0);
            nalgebra::Vector3::new(x, -x.exp(), x * 1e-300)
        });
        State { positions: positions.collect(), random: u128::MAX / 7, gap: None }
    }

    fn bits(state: &State) -> Vec<u64> {
        state.positions.iter().flat_map(|p| p.iter().map(|x| x.to_bits())).collect()
    }

    #[test]
    fn every_bit_comes_back_for_many_particles() {
        let scratch = Scratch::new();
        let before = state(100_000);
        write_checkpoint(scratch.path(), &before, &[]).unwrap();
        let after: Checkpoint<State> = read_checkpoint(scratch.path()).unwrap().unwrap();
        assert_eq!(bits(&after.state), bits(&before));
        assert_eq!(after.state.random, before.random);
        let json: serde_json::Result<serde_json::Value> =
            serde_json::from_slice(&fs::read(scratch.file(CHECKPOINT)).unwrap());
        assert!(json.is_ok());
    }

    #[test]
    fn there_may_be_none() {
        let scratch = Scratch::new();
        assert!(read_checkpoint::<State>(scratch.path()).unwrap().is_none());
    }

    #[test]
    fn a_killed_run_goes_on_to_the_same_bytes() {
        let scratch = Scratch::new();
        let path = scratch.file("timeseries.csv");
        let mut rows = AppendFile::open(&path, Mark::default()).unwrap();
        rows.append(b"a\n1\n").unwrap();
        write_checkpoint(scratch.path(), &state(1), &[&rows]).unwrap();
        rows.append(b"2\n3\nhalf a ro").unwrap();
        drop(rows);

        let found: Checkpoint<State> = read_checkpoint(scratch.path()).unwrap().unwrap();
        assert_eq!(found.lengths.of("frames.extxyz"), Mark::default());
        let mut rows = AppendFile::open(&path, found.lengths.of("timeseries.csv")).unwrap();
        rows.append(b"2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a\n1\n2\n");
    }

    fn message_for(contents: &[u8]) -> String {
        let scratch = Scratch::new();
        fs::write(scratch.file(CHECKPOINT), contents).unwrap();
        read_checkpoint::<State>(scratch.path()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_checkpoint_of_this_version_is_told_apart() {
        let foreign = message_for(br#"{"step": 3}"#);
        assert!(foreign.contains("not a checkpoint of zerostokes"), "{foreign}");
        let newer =
            message_for(br#"{"format":"zerostokes checkpoint","version":7,"program":"9.1.0"}"#);
        assert!(newer.contains("of format 7, written by zerostokes 9.1.0"), "{newer}");
        assert!(newer.contains("reads format 3"), "{newer}");
        let empty = message_for(b"");
        assert!(empty.contains("checkpoint.json: is no whole checkpoint"), "{empty}");
        assert!(empty.contains("--force"), "{empty}");
    }

    #[test]
    fn damage_anywhere_is_found() {
        let scratch = Scratch::new();
        write_checkpoint(scratch.path(), &state(5), &[]).unwrap();
        let whole = fs::read(scratch.file(CHECKPOINT)).unwrap();
        for at in (0..whole.len()).step_by(3) {
            let mut changed = whole.clone();
            changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
            assert!(deserialize::<State>(&changed).is_err(), "byte {at}");
            assert!(deserialize::<State>(&whole[..at]).is_err(), "cut at {at}");
        }
        assert!(deserialize::<State>(&whole).is_ok());
    }

    #[test]
    fn a_state_of_another_shape_is_refused() {
        let scratch = Scratch::new();
        write_checkpoint(scratch.path(), &[1.0], &[]).unwrap();
        let message = read_checkpoint::<State>(scratch.path()).unwrap_err().to_string();
        assert!(message.contains("state this program cannot read"), "{message}");
    }
}
