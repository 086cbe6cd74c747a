//! `zerostokes mobility`: balances of forces for configurations.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::export::file_of;
use super::print;
use crate::Error;
use crate::analysis::mobility::{Chosen, OwnRun, Survey, overrides, survey};
use crate::case::Case;
use crate::record::lammps_input::read_lammps_input;
use crate::record::{
    BALANCES, DIFFERENCES, FrameReader, MANIFEST, PAIRS, SUMMARY, VELOCITIES, WhichFrame,
    read_frame,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes mobility packing.extxyz cases/suspension.toml
  zerostokes mobility runs/suspension cases/suspension.toml --frame 3 --out runs/third")]
pub(super) struct MobilityArguments {
    /// A configuration: extended XYZ, LAMMPS data or dump, Yade text export, LF_DEM, each also
    /// compressed by gzip or zstd; or the directory of a run.
    snapshot: PathBuf,
    /// The case whose laws are taken; it needs no particles [default: that of the run, or all
    /// defaults].
    case: Option<PathBuf>,
    /// Override a key of the case, as in `--set contact.stiffness=1e4`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Take the laws and the shear rate of an input file of LAMMPS.
    #[arg(long, value_name = "FILE")]
    lammps_input: Option<PathBuf>,
    /// A variable of that input, as on the command line of LAMMPS (-var NAME VALUE).
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, requires = "lammps_input")]
    lammps_var: Vec<(String, String)>,
    /// One frame, counted from 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "frames")]
    frame: Option<u32>,
    /// All frames with their means, or the last.
    #[arg(long, default_value = "all")]
    frames: FramesAsked,
    /// Directory for the tables, the summary and, if the snapshot has velocities, the figures
    /// [default: runs/NAME-OF-SNAPSHOT-mobility].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Replace the results of an earlier call.
    #[arg(long)]
    force: bool,
}

/// The frames that a user asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FramesAsked {
    /// All of the file.
    All,
    /// The last.
    Last,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, as in kn=2e4")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(super) fn mobility(arguments: &MobilityArguments) -> Result<(), Error> {
    let file = &file_of(&arguments.snapshot)?;
    FrameReader::open(file)?;
    let out = out(arguments)?;
    let run = OwnRun::of(file)?;
    let chosen = match (arguments.frame, arguments.frames) {
        (None, FramesAsked::All) => Chosen::All,
        (frame, _) => Chosen::One(which(frame)),
    };
    let (set, notes) = settings(arguments, file)?;
    let case = case_of(arguments.case.as_deref(), run.as_ref(), file, &set)?;
    let own_case = run.is_some() && arguments.case.is_none();
    let asked = Survey { case: &case, file, run: run.as_ref(), own_case, frames: chosen };
    let (found, results) = survey(&asked, &out)?;
    let figures = found.draw(&out)?;
    if arguments.quiet {
        return Ok(());
    }
    let mut lines = results.lines();
    lines.extend(results.advice.iter().map(|advice| format!("note: {advice}")));
    lines.extend(notes.iter().map(|note| format!("note: LAMMPS input: {note}")));
    let names = [VELOCITIES, PAIRS, SUMMARY, BALANCES, DIFFERENCES];
    let mut files = names.map(str::to_owned).to_vec();
    files.extend(
        figures.into_iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]),
    );
    lines.push(format!("files               {}: {}", out.display(), files.join(", ")));
    print(&lines)
}

/// The directory to write into.
fn out(arguments: &MobilityArguments) -> Result<PathBuf, Error> {
    let stem = arguments.snapshot.file_stem().unwrap_or_default().to_string_lossy();
    let by_default = || Path::new("runs").join(format!("{stem}-mobility"));
    let out = arguments.out.clone().unwrap_or_else(by_default);
    let usage = |reason: &str| Error::Usage { reason: format!("{}: {reason}", out.display()) };
    if out.join(MANIFEST).exists() {
        return Err(usage("holds a run; choose another --out"));
    }
    if out.join(VELOCITIES).exists() && !arguments.force {
        return Err(usage(
            "holds an earlier balance; choose another --out, or replace it with --force",
        ));
    }
    Ok(out)
}

/// The overrides of the case, those that the user gives last, and what is to be said about them.
fn settings(
    arguments: &MobilityArguments,
    file: &Path,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let Some(path) = &arguments.lammps_input else {
        return Ok((arguments.set.clone(), Vec::new()));
    };
    let input = read_lammps_input(path, &arguments.lammps_var)?;
    let read = read_frame(file, WhichFrame::First)?;
    let (mut set, mut notes) = overrides(&input, &read)
        .map_err(|reason| Error::Usage { reason: format!("{}: {reason}", path.display()) })?;
    notes.insert(0, format!("taken as --set {}", set.join(" --set ")));
    set.extend(arguments.set.iter().cloned());
    Ok((set, notes))
}

/// The case that a user names, else that of the run, else all defaults.
pub(super) fn case_of(
    named: Option<&Path>,
    run: Option<&OwnRun>,
    file: &Path,
    set: &[String],
) -> Result<Case, Error> {
    match (named, run) {
        (Some(path), _) => read_case(path, file, set),
        (None, Some(run)) => read_case(&run.case(), file, set),
        (None, None) => Case::from_text("", Path::new("(all defaults)"), &with_file(file, set)),
    }
}

/// The case with the particles of the file in place of its own; or as it is, if it is whole with
/// what the user sets.
fn read_case(path: &Path, file: &Path, set: &[String]) -> Result<Case, Error> {
    let read = Case::read(path, &with_file(file, set));
    read.or_else(|error| Case::read(path, set).map_err(|_| error))
}

/// The overrides with the file as that of the particles.
fn with_file(file: &Path, set: &[String]) -> Vec<String> {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let value = toml::Value::String(path.to_string_lossy().into_owned());
    [&[format!("particles.file={value}")], set].concat()
}

/// The frame that a user asks for.
pub(super) fn which(frame: Option<u32>) -> WhichFrame {
    frame.map_or(WhichFrame::Last, |number| WhichFrame::Number(number as usize))
}
