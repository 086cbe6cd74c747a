//! The outputs of the program, one file each.

mod bonds;
mod contacts;
mod cycles;
mod frames;
mod obstacles;
mod timeseries;

use super::output::{Opening, Output};
use crate::case::Case;
use crate::drive::Protocol;
use crate::error::Error;
use crate::laws::Origin;
use crate::record::column::{FileDescription, describe};
use crate::record::{BONDS, CONTACTS, CYCLES, LOADS, TIMESERIES};

/// The outputs of a case in which something is imposed; `columns` are those of the time series.
pub(super) fn of_case(
    case: &Case,
    protocol: &Protocol,
    columns: &[impl AsRef<str>],
    opening: &Opening,
) -> Result<Vec<Box<dyn Output>>, Error> {
    let mut all: Vec<Box<dyn Output>> = vec![
        Box::new(timeseries::TimeSeries::open(opening, columns)?),
        Box::new(frames::Frames::open(opening)?),
    ];
    if case.output.contacts {
        all.push(Box::new(contacts::Contacts::open(opening)?));
    }
    if case.laws.gluey.is_some() {
        all.push(Box::new(bonds::Bonds::open(opening)?));
    }
    if !case.obstacle.is_empty() {
        all.push(Box::new(obstacles::Loads::open(opening)?));
    }
    if let Protocol::Oscillation(wave) = protocol {
        all.push(Box::new(cycles::Cycles::open(opening, *wave)?));
    }
    Ok(all)
}

/// The tables that a run of a suspension may write.
pub fn files() -> Vec<FileDescription> {
    let series = describe(&super::series::columns(&Origin::ALL));
    vec![
        FileDescription::new(
            TIMESERIES,
            "a suspension, one row per `output.every`: means over the row where nothing else is \
             said; a part of a stress has columns where the case has its law",
            series,
        ),
        FileDescription::new(
            CONTACTS,
            "with `output.contacts`, one row per contact and frame",
            describe(contacts::COLUMNS),
        ),
        FileDescription::new(
            BONDS,
            "where contacts are gluey, one row per pair that touches and frame",
            describe(bonds::COLUMNS),
        ),
        FileDescription::new(
            LOADS,
            "where there are obstacles, one row per obstacle and row of `timeseries.csv`",
            describe(obstacles::COLUMNS),
        ),
        FileDescription::new(
            CYCLES,
            "in oscillating flow, one row per cycle",
            describe(cycles::COLUMNS),
        ),
    ]
}
