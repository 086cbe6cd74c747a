//! `zerostokes plot`.

use std::path::PathBuf;

use clap::Args;

use super::print;
use crate::Error;
use crate::case::Case;
use crate::record::{CASE, RunDirectory};
use crate::study::figures;

#[derive(Debug, Args)]
pub(super) struct PlotArguments {
    /// The directory of a run.
    directory: PathBuf,
}

pub(super) fn plot(arguments: &PlotArguments) -> Result<(), Error> {
    let directory = &arguments.directory;
    let text = RunDirectory::case_text(directory)?;
    let case = Case::from_text(&text, &directory.join(CASE), &[])?;
    figures::draw(&case, directory)?;
    print(&[format!("figures             {}", directory.display())])
}
