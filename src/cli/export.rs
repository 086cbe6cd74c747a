//! `zerostokes export`: configurations for other programs.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{mobility::which, print};
use crate::Error;
use crate::record::lammps_write::{LammpsFile, lammps};
use crate::record::{FRAMES, atomic, read_frame};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes export runs/suspension --format lammps-data -o start.data
  zerostokes export packing.extxyz --format lammps-dump -o packing.dump")]
pub(super) struct ExportArguments {
    /// The directory of a run, or a file with a configuration.
    from: PathBuf,
    /// Format of the file.
    #[arg(long)]
    format: Target,
    /// The frame to take, counted from 1 [default: the last].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    frame: Option<u32>,
    /// File to write; must not exist.
    #[arg(long, short = 'o')]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Target {
    /// A data file for `atom_style sphere`.
    LammpsData,
    /// A text dump.
    LammpsDump,
}

pub(super) fn export(arguments: &ExportArguments) -> Result<(), Error> {
    let ExportArguments { from, out, .. } = arguments;
    let usage = |reason: String| Error::Usage { reason };
    if out.exists() {
        let reason = format!("{} exists; choose another -o (--out) or remove it", out.display());
        return Err(usage(reason));
    }
    let file = file_of(from)?;
    let read = read_frame(&file, which(arguments.frame))?;
    let target = match arguments.format {
        Target::LammpsData => LammpsFile::Data,
        Target::LammpsDump => LammpsFile::Dump,
    };
    let text = lammps(&read, target).map_err(|e| usage(format!("{}: {e}", file.display())))?;
    atomic::write(out, |to| to.write_all(text.as_bytes()))?;
    print(&[format!("{} particles         {}", read.len(), out.display())])
}

/// The file of configurations that a user names: itself, or by the directory of a run.
pub(super) fn file_of(from: &Path) -> Result<PathBuf, Error> {
    if !from.is_dir() {
        return Ok(from.to_owned());
    }
    let file = from.join(FRAMES);
    if file.exists() {
        return Ok(file);
    }
    let directory = from.display();
    Err(Error::Usage {
        reason: format!(
            "{directory}: there is no {FRAMES} in it; run the case with output.frames above 0"
        ),
    })
}
