//! `zerostokes export`: configurations for other programs.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::mobility::{case_of, which};
use super::print;
use crate::Error;
use crate::analysis::mobility::{OwnRun, Snapshot, script};
use crate::record::lammps_write::{LammpsFile, lammps};
use crate::record::{Configuration, FRAMES, atomic, read_frame};

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
    /// The case whose films and springs go into the input [default: that of the run, or all
    /// defaults].
    #[arg(long)]
    case: Option<PathBuf>,
    /// Override a key of the case, as in `--set lubrication.inner_gap=0.01`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The Stokes number ργ̇a²/μ of the input.
    #[arg(long, default_value_t = 0.01)]
    stokes: f64,
    /// The strain that the input goes to.
    #[arg(long, default_value_t = 1.0)]
    strain: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A data file for `atom_style sphere`, one type of atoms per size, and beside it an input file
    /// (.in) that shears it.
    LammpsData,
    /// A text dump.
    LammpsDump,
}

pub(super) fn export(arguments: &ExportArguments) -> Result<(), Error> {
    let ExportArguments { from, out, format, .. } = arguments;
    let usage = |reason: String| Error::Usage { reason };
    let input = out.with_extension("in");
    let inputs = (*format == Target::LammpsData && input != *out).then_some(input);
    for file in [Some(out), inputs.as_ref()].into_iter().flatten() {
        if file.exists() {
            let reason =
                format!("{} exists; choose another -o (--out) or remove it", file.display());
            return Err(usage(reason));
        }
    }
    let file = file_of(from)?;
    let read = read_frame(&file, which(arguments.frame))?;
    let target = match format {
        Target::LammpsData => LammpsFile::Data,
        Target::LammpsDump => LammpsFile::Dump,
    };
    let text = lammps(&read, target).map_err(|e| usage(format!("{}: {e}", file.display())))?;
    let mut lines = vec![format!("{} particles         {}", read.len(), out.display())];
    // In open space there is no flow to compare.
    let script = match &inputs {
        Some(input) if read.lattice.is_some() => {
            Some((input, input_text(arguments, &file, &read)?))
        }
        _ => None,
    };
    atomic::write(out, |to| to.write_all(text.as_bytes()))?;
    if let Some((input, text)) = script {
        atomic::write(input, |to| to.write_all(text.as_bytes()))?;
        lines.push(format!("input               {}", input.display()));
    }
    print(&lines)
}

/// The input of LAMMPS that shears the data file.
fn input_text(
    arguments: &ExportArguments,
    file: &Path,
    read: &Configuration,
) -> Result<String, Error> {
    let run = OwnRun::of(file)?;
    let case = case_of(arguments.case.as_deref(), run.as_ref(), file, &arguments.set)?;
    let asked = [arguments.stokes, arguments.strain];
    if asked.iter().any(|number| !number.is_finite() || *number <= 0.0) {
        return Err(Error::Usage { reason: "--stokes and --strain must be positive".to_owned() });
    }
    let mut run = script(&case, &Snapshot::new(file, read), asked)?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    run.data = name(&arguments.out);
    run.dump = name(&arguments.out.with_extension("dump"));
    Ok(run.text())
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
