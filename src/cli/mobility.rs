//! `zerostokes mobility`: one balance of forces for a configuration.

use std::path::{Path, PathBuf};

use clap::Args;

use super::export::file_of;
use super::{CaseArguments, print};
use crate::Error;
use crate::analysis::mobility::{Results, solve};
use crate::case::Case;
use crate::record::{MANIFEST, PAIRS, SUMMARY, VELOCITIES, WhichFrame, read_frame};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes mobility packing.extxyz cases/suspension.toml
  zerostokes mobility runs/suspension cases/suspension.toml --frame 3 --out runs/third")]
pub(super) struct MobilityArguments {
    /// A configuration: extended XYZ, LAMMPS data or dump, Yade text export, LF_DEM; or the
    /// directory of a run.
    snapshot: PathBuf,
    #[command(flatten)]
    case: CaseArguments,
    /// The frame to take, counted from 1 [default: the last].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    frame: Option<u32>,
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

pub(super) fn mobility(arguments: &MobilityArguments) -> Result<(), Error> {
    let snapshot = &file_of(&arguments.snapshot)?;
    let case = Case::read(&arguments.case.case, &arguments.case.set)?;
    let stem = arguments.snapshot.file_stem().unwrap_or_default().to_string_lossy();
    let by_default = || Path::new("runs").join(format!("{stem}-mobility"));
    let out = arguments.out.clone().unwrap_or_else(by_default);
    if out.join(MANIFEST).exists() {
        let reason = format!("{}: holds a run; choose another --out", out.display());
        return Err(Error::Usage { reason });
    }
    let read = read_frame(snapshot, which(arguments.frame))?;
    if out.join(VELOCITIES).exists() && !arguments.force {
        let reason = format!(
            "{}: holds an earlier balance; choose another --out, or replace it with --force",
            out.display()
        );
        return Err(Error::Usage { reason });
    }
    let found = solve(&case, snapshot, &read)?;
    let results = Results::new(&case, &read, &found);
    found.write(&read, &results, &out)?;
    let figures = found.draw(&out)?;
    if arguments.quiet {
        return Ok(());
    }
    let mut lines = results.lines();
    lines.extend(results.advice.iter().map(|advice| format!("note: {advice}")));
    let mut files = [VELOCITIES, PAIRS, SUMMARY].map(str::to_owned).to_vec();
    files.extend(
        figures.into_iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]),
    );
    lines.push(format!("files               {}: {}", out.display(), files.join(", ")));
    print(&lines)
}

/// The frame that a user asks for.
pub(super) fn which(frame: Option<u32>) -> WhichFrame {
    frame.map_or(WhichFrame::Last, |number| WhichFrame::Number(number as usize))
}
