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
use crate::record::column::{Description, describe};
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
    if case.gluey.is_some() {
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

/// The columns of every table that a run of a suspension may write, by file. Lengths are in units
/// of the smallest radius a, stresses in those of the fluid's viscosity μ and the rate γ̇ of the
/// step; t and F are the case's units of time and force.
pub fn tables() -> Vec<(&'static str, Vec<Description>)> {
    vec![
        (TIMESERIES, describe(&super::series::columns(&Origin::ALL))),
        (CONTACTS, describe(contacts::COLUMNS)),
        (BONDS, describe(bonds::COLUMNS)),
        (LOADS, describe(obstacles::COLUMNS)),
        (CYCLES, describe(cycles::COLUMNS)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::column::faults;

    #[test]
    fn every_column_has_a_name_of_its_own_a_unit_and_a_meaning() {
        for (file, columns) in tables() {
            assert_eq!(faults(&columns), [""; 0], "{file}");
        }
    }
}
