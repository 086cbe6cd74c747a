//! The frames of a file of configurations, one after another, whatever program wrote it.

use std::io::Read;
use std::path::Path;

use super::configuration::{Configuration, Format};
use super::lf_dem_par::Snapshots;
use super::lines::Lines;
use super::{compressed, frames_read, lammps_data, lammps_dump, lf_dem, lf_dem_par, reading, yade};
use crate::Error;

/// Which of the frames of a file to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichFrame {
    /// The first.
    First,
    /// The last.
    Last,
    /// One of them, counted from 1.
    Number(usize),
}

impl WhichFrame {
    /// Whether a frame, counted from 1, is the one asked for and no other will be.
    fn is(self, frame: usize) -> bool {
        match self {
            WhichFrame::First => frame == 1,
            WhichFrame::Last => false,
            WhichFrame::Number(number) => frame == number,
        }
    }

    /// The frame asked for was not there.
    fn missing(self, frames: usize) -> String {
        match (self, frames) {
            (_, 0) => "the file holds no frame".to_owned(),
            (WhichFrame::Number(number), 1) => {
                format!("there is no frame {number}: the file holds one")
            }
            (WhichFrame::Number(number), _) => {
                format!("there is no frame {number}: the file holds {frames}, counted from 1")
            }
            _ => format!("the file holds {frames} frames"),
        }
    }
}

/// A file of configurations that is read frame by frame.
pub struct FrameReader {
    lines: Lines,
    kind: Kind,
    frames: usize,
}

/// How frames are read.
enum Kind {
    ExtendedXyz,
    LammpsDump,
    LfDemPar(Snapshots),
    /// The file holds one configuration.
    One(fn(&mut Lines) -> Result<Configuration, Error>),
}

impl FrameReader {
    /// Opens a file of any kind that is known, recognised by what is in it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is of no known kind.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let kind = match recognise(path)? {
            Format::ExtendedXyz => Kind::ExtendedXyz,
            Format::LammpsDump => Kind::LammpsDump,
            Format::LfDemPar => Kind::LfDemPar(Snapshots::default()),
            Format::LammpsData => Kind::One(lammps_data::read),
            Format::Yade => Kind::One(yade::read),
            Format::LfDem => Kind::One(lf_dem::read),
        };
        Ok(Self { lines: Lines::open(path)?, kind, frames: 0 })
    }

    /// The next frame; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// When something is missing from it.
    pub fn read(&mut self) -> Result<Option<Configuration>, Error> {
        let (lines, number) = (&mut self.lines, self.frames + 1);
        let frame = match &mut self.kind {
            Kind::ExtendedXyz => frames_read::frame(lines)?,
            Kind::LammpsDump => lammps_dump::frame(lines, number)?,
            Kind::LfDemPar(snapshots) => lf_dem_par::frame(lines, snapshots, number)?,
            Kind::One(_) if number > 1 => None,
            Kind::One(read) => Some(read(lines)?),
        };
        self.frames += usize::from(frame.is_some());
        Ok(frame)
    }
}

/// Reads a frame of a file of any kind that is known.
///
/// # Errors
///
/// When the file cannot be read, is of no known kind, or something is missing from it.
pub fn read_frame(path: &Path, which: WhichFrame) -> Result<Configuration, Error> {
    Ok(read_numbered(path, which)?.1)
}

/// The same with the number of the frame, counted from 1.
///
/// # Errors
///
/// When the file cannot be read, is of no known kind, or something is missing from it.
pub fn read_numbered(path: &Path, which: WhichFrame) -> Result<(usize, Configuration), Error> {
    let mut reader = FrameReader::open(path)?;
    let mut chosen = None;
    while let Some(frame) = reader.read()? {
        if which.is(reader.frames) {
            return Ok((reader.frames, frame));
        }
        chosen = Some(frame);
    }
    let last = chosen.filter(|_| which == WhichFrame::Last);
    let missing = || reader.lines.bad(which.missing(reader.frames));
    Ok((reader.frames, last.ok_or_else(missing)?))
}

/// Calls `visit` with every frame of a file, one after the other.
///
/// # Errors
///
/// When the file cannot be read, or `visit` fails.
pub fn visit_frames(
    path: &Path,
    mut visit: impl FnMut(Configuration) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = FrameReader::open(path)?;
    while let Some(frame) = reader.read()? {
        visit(frame)?;
    }
    Ok(())
}

/// What kind of file it is.
fn recognise(path: &Path) -> Result<Format, Error> {
    let mut head = Vec::new();
    let file = compressed::open(path).map_err(reading(path))?;
    file.take(4096).read_to_end(&mut head).map_err(reading(path))?;
    let head = String::from_utf8_lossy(&head);
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let filled: Vec<&str> = head.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let first = filled.first().copied().unwrap_or_default();
    if name.ends_with(".xyz") || name.ends_with(".extxyz") || first.parse::<u64>().is_ok() {
        return Ok(Format::ExtendedXyz);
    }
    if first.starts_with("ITEM:") {
        return Ok(Format::LammpsDump);
    }
    if first.starts_with("#format") {
        return Ok(Format::Yade);
    }
    if first.starts_with("# np1 ") || first.starts_with("# np ") {
        return Ok(Format::LfDem);
    }
    if first.starts_with("# LF_DEM version") {
        return Ok(Format::LfDemPar);
    }
    if filled.iter().any(|line| line.ends_with(" atoms") || line.ends_with("xlo xhi")) {
        return Ok(Format::LammpsData);
    }
    Err(Error::BadLine {
        path: path.to_owned(),
        line: 1,
        reason:
            "is no configuration that is known: extended XYZ, a LAMMPS data file, a text dump of \
                 LAMMPS, a text export of Yade (#format …), a configuration (# np1 …) or a snapshot \
                 (par_*.dat) of LF_DEM"
                .to_owned(),
    })
}
