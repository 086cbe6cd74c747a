//! The outputs of the program, one file each. An output describes itself in a constant `ABOUT`,
//! which is added to the `REGISTER`; that it is written where a case asks for it, and its columns
//! on the page of files, follow from that.

mod bonds;
mod contacts;
mod cycles;
mod frames;
mod obstacles;
mod pair_memory;
mod timeseries;

use super::output::{Opening, Output};
use crate::case::Case;
use crate::drive::Protocol;
use crate::error::Error;
use crate::integrate::Stepper;
use crate::record::column::{Description, FileDescription};

/// An entry of the register.
struct About {
    /// The file.
    file: &'static str,
    /// Where and when it is written.
    when: &'static str,
    /// Its columns.
    columns: fn() -> Vec<Description>,
    /// Opens it, if it is asked for.
    open: fn(&Asked<'_>) -> Opened,
}

/// An output, if it is asked for.
type Opened = Result<Option<Box<dyn Output>>, Error>;

/// All outputs.
const REGISTER: &[About] = &[
    timeseries::ABOUT,
    frames::ABOUT,
    pair_memory::ABOUT,
    contacts::ABOUT,
    bonds::ABOUT,
    obstacles::ABOUT,
    cycles::ABOUT,
];

/// What a run asks of its outputs.
struct Asked<'a> {
    /// The case.
    case: &'a Case,
    /// What is imposed.
    protocol: &'a Protocol,
    /// Numbers that a pair remembers.
    memory: usize,
    /// The columns of the time series.
    columns: &'a [&'a str],
    /// Where they take up their work.
    opening: &'a Opening<'a>,
}

/// Boxes an output that is asked for.
fn opened(output: Result<impl Output + 'static, Error>) -> Opened {
    Ok(Some(Box::new(output?)))
}

/// The outputs of a case that a stepper moves; `columns` are those of the time series.
pub(super) fn of_case(
    case: &Case,
    stepper: &Stepper,
    columns: &[impl AsRef<str>],
    opening: &Opening,
) -> Result<Vec<Box<dyn Output>>, Error> {
    let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
    let (protocol, memory) = (stepper.protocol(), stepper.memory_len());
    let asked = Asked { case, protocol, memory, columns: &columns, opening };
    REGISTER.iter().filter_map(|about| (about.open)(&asked).transpose()).collect()
}

/// The files that outputs write.
pub fn files() -> Vec<FileDescription> {
    let describe = |about: &About| FileDescription::new(about.file, about.when, (about.columns)());
    REGISTER.iter().map(describe).collect()
}
