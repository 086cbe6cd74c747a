//! `zerostokes plot`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::Error;
use crate::analysis::crosscheck;
use crate::case::Case;
use crate::record::{CASE, RunDirectory};
use crate::study;
use crate::sweep::{SWEEP, conclude_again};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes plot runs/suspension
  zerostokes plot runs/t1_sweep --quiet")]
pub(super) struct PlotArguments {
    /// The directory of a run, of a sweep or of a crosscheck.
    directory: PathBuf,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// Draws a run's figures again, or pools, fits and draws a sweep again, from its files.
pub(super) fn plot(arguments: &PlotArguments) -> Result<(), Error> {
    let directory = &arguments.directory;
    let holds = |name: &str| directory.join(name).exists();
    let lines = match (holds(crosscheck::RESULTS), holds(SWEEP)) {
        (true, _) => of_crosscheck(directory)?,
        (false, true) => of_sweep(directory)?,
        (false, false) => of_run(directory)?,
    };
    if arguments.quiet { Ok(()) } else { print(&lines) }
}

fn case_of(directory: &Path) -> Result<Case, Error> {
    let text = RunDirectory::case_text(directory)?;
    Case::from_text(&text, &directory.join(CASE), &[])
}

fn of_run(directory: &Path) -> Result<Vec<String>, Error> {
    let case = case_of(directory)?;
    study::of(&case).draw(&case, directory)?;
    Ok(vec![format!("figures             {}", directory.display())])
}

fn of_crosscheck(directory: &Path) -> Result<Vec<String>, Error> {
    let mut lines = crosscheck::draw_again(directory)?.lines();
    lines.push(format!("figures             {}", directory.display()));
    Ok(lines)
}

fn of_sweep(directory: &Path) -> Result<Vec<String>, Error> {
    let made = conclude_again(directory)?;
    let files = match made.files.len() {
        0 => "none: there is nothing to draw of this sweep".to_owned(),
        _ => made.files.join(", "),
    };
    let mut lines = made.lines;
    lines.push(format!("files               {files}"));
    Ok(lines)
}
