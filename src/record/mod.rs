//! A run's directory: one file per output format, the checkpoint and the manifest.
//!
//! Nothing here knows the simulation: states and summaries are any serde types, a table is a list
//! of [`Column`]s, and frames are slices.
//!
//! | file | written by | how |
//! |---|---|---|
//! | `case.toml` | [`RunDirectory::open`] | atomically, once |
//! | `manifest.json` | [`Manifest`] | atomically, at start and end |
//! | `timeseries.csv`, `pair_memory.csv`, `contacts.csv`, `bonds.csv`, `obstacles.csv`, `cycles.csv` | [`TableWriter`] | appended, whole rows |
//! | `frames.extxyz` | [`FrameWriter`] | appended, whole frames |
//! | `checkpoint.json` | [`write_checkpoint`] | atomically |
//! | `pair_distribution.csv`, `pair_angles.csv`, `gaps.csv`, `contact_forces.csv` | [`TableWriter`] | at the end |
//! | `summary.json` | [`atomic::write_json`] | atomically, at the end |
//! | `velocities.csv`, `pairs.csv`, `frames.csv` | [`TableWriter`] | of balances, `zerostokes mobility` |
//! | `differences.extxyz` | [`FrameWriter`] | the same |
//!
//! A checkpoint holds lengths and checksums of the appended files at its instant. Opening these
//! files where the checkpoint says cuts off whatever a killed run wrote after it, so that a run
//! killed at any instant and resumed leaves the same bytes as a run that was never stopped; a file
//! whose bytes before are others is refused.
//!
//! Configurations of other programs are read by [`read_frame`], one file per format, and written
//! for LAMMPS by [`lammps_write`]. Files may be compressed by gzip or zstd.

pub mod append;
pub mod atomic;
pub mod checkpoint;
mod checksum;
pub mod clock;
pub mod column;
mod compressed;
pub mod configuration;
mod difference;
pub mod digits;
pub mod directory;
pub mod frame_reader;
pub mod frames;
mod frames_read;
pub mod keys;
mod lammps_data;
mod lammps_dump;
mod lammps_expression;
pub mod lammps_input;
pub mod lammps_script;
pub mod lammps_write;
mod lf_dem;
mod lf_dem_par;
mod lines;
pub mod manifest;
mod row;
pub mod sweep_table;
pub mod table;
mod yade;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::Error;

pub use append::{AppendFile, Lengths, Mark};
pub use checkpoint::{Checkpoint, read_checkpoint, write_checkpoint};
pub use column::{Column, Gather};
pub use configuration::{Configuration, Format, Moment};
pub use difference::first_difference;
pub use digits::Precision;
pub use directory::{Existing, Found, RunDirectory, Start, survey};
pub use frame_reader::{FrameReader, WhichFrame, read_frame, read_numbered, visit_frames};
pub use frames::{Frame, FrameWriter};
pub use manifest::{Launch, Manifest, Status, command_line};
pub use row::Row;
pub use sweep_table::{PointStatus, Scalar, SweepRow, SweepTable};
pub use table::{Table, TableWriter, read_columns};

/// The resolved case, with every default.
pub const CASE: &str = "case.toml";
/// Who ran what, where and when.
pub const MANIFEST: &str = "manifest.json";
/// One row per sample.
pub const TIMESERIES: &str = "timeseries.csv";
/// Particle configurations.
pub const FRAMES: &str = "frames.extxyz";
/// What pairs remember at each frame.
pub const PAIR_MEMORY: &str = "pair_memory.csv";
/// One row per contact and sample, on request.
pub const CONTACTS: &str = "contacts.csv";
/// Velocities of a configuration in balance, one row per particle.
pub const VELOCITIES: &str = "velocities.csv";
/// Forces and rates of a configuration in balance, one row per pair.
pub const PAIRS: &str = "pairs.csv";
/// Balances of many configurations, one row per frame.
pub const BALANCES: &str = "frames.csv";
/// How far the velocities of a file are from those at which forces balance, for OVITO.
pub const DIFFERENCES: &str = "differences.extxyz";
/// One row per pair that touches and frame, where contacts are gluey.
pub const BONDS: &str = "bonds.csv";
/// Forces and torques on obstacles, one row per obstacle and sample.
pub const LOADS: &str = "obstacles.csv";
/// What every cycle of an oscillation did.
pub const CYCLES: &str = "cycles.csv";
/// The figures of the time series, of the structure, of cycles and of configurations, in both
/// formats.
pub const FIGURES: [&str; 12] = [
    "timeseries.svg",
    "timeseries.png",
    "structure.svg",
    "structure.png",
    "cycles.svg",
    "cycles.png",
    "configuration.svg",
    "configuration.png",
    "bonds.svg",
    "bonds.png",
    "paths.svg",
    "paths.png",
];
/// g(r) of the steady frames.
pub const PAIR_DISTRIBUTION: &str = "pair_distribution.csv";
/// Directions of near pairs in the steady frames.
pub const PAIR_ANGLES: &str = "pair_angles.csv";
/// Gaps and overlaps in the steady frames.
pub const GAPS: &str = "gaps.csv";
/// Distribution of contact forces in the steady frames, if contacts are written.
pub const CONTACT_FORCES: &str = "contact_forces.csv";
/// Everything a restart needs.
pub const CHECKPOINT: &str = "checkpoint.json";
/// The results.
pub const SUMMARY: &str = "summary.json";

/// The directory part of a path, `.` where there is none.
fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Turns what went wrong reading `path` into an error that names it.
fn reading(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Io { path, source }
}

/// Turns what went wrong writing `path` into an error that names it and, on a full disk, says what
/// is safe.
fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            let remedy = full_disk_remedy(&parent(&path));
            Error::DiskFull { path, source, remedy }
        }
        _ => Error::Io { path, source },
    }
}

/// What is safe, and what to do, when the disk that holds `directory` is full.
fn full_disk_remedy(directory: &Path) -> String {
    let resume = format!("free space and `zerostokes resume {}`", directory.display());
    if directory.join(CHECKPOINT).exists() {
        format!("nothing was lost: the last checkpoint is intact; {resume}")
    } else if directory.join(CASE).exists() {
        format!("no checkpoint was written yet; {resume} starts the run anew")
    } else {
        "free space and try again".to_string()
    }
}

/// Refuses a symbolic link: what a run writes stays in its directory.
fn refuse_link(path: &Path) -> Result<(), Error> {
    let link = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink());
    match link {
        true => Err(Error::Usage {
            reason: format!(
                "{}: is a symbolic link, and nothing is written through one; remove it",
                path.display()
            ),
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod scratch {
    //! Directories for tests, removed when the test ends well.

    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU32, Ordering};

    static COUNT: AtomicU32 = AtomicU32::new(0);

    /// An empty directory of its own for one test.
    pub struct Scratch(PathBuf);

    impl Scratch {
        pub fn new() -> Self {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("zerostokes-test-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        pub fn path(&self) -> &Path {
            &self.0
        }

        pub fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        pub fn names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> io::Error {
        ErrorKind::StorageFull.into()
    }

    #[test]
    fn a_full_disk_names_the_file_and_says_what_is_safe() {
        let scratch = scratch::Scratch::new();
        let path = scratch.file(TIMESERIES);
        let message = |path: &Path| writing(path)(full()).to_string();
        assert!(message(&path).contains("timeseries.csv") && message(&path).ends_with("try again"));
        std::fs::write(scratch.file(CASE), "").unwrap();
        assert!(message(&path).contains("no checkpoint was written yet"));
        std::fs::write(scratch.file(CHECKPOINT), "").unwrap();
        let remedy = format!("`zerostokes resume {}`", scratch.path().display());
        assert!(message(&path).contains("nothing was lost: the last checkpoint is intact"));
        assert!(message(&path).ends_with(&remedy), "{}", message(&path));
    }
}
