//! One balance of forces for a configuration that is given: velocities, stress, pairs; and how far
//! the velocities that another program wrote with it are from them.
//!
//! A snapshot does not tell how far tangential springs are stretched: they are taken as
//! unstretched, so contacts rub only through their films.

mod compare;
mod figure;
mod results;
mod tables;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

use crate::case::{Boundary, Case};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{Observation, PairSeen};
use crate::record::Configuration;
use crate::state::Suspension;
use crate::study::suspension;
use crate::study::suspension::particles::{check_sizes, placed};

pub use compare::{Comparison, Difference};
pub use results::Results;
pub use tables::files;

/// Forces of a configuration in balance.
pub struct Mobility {
    /// The particles, their velocities included.
    pub state: Suspension,
    /// What is imposed, with the rate that was found where the stress is.
    pub drive: Drive,
    /// Stress, contacts, residuals.
    pub seen: Observation,
    /// Pairs within the range of the laws.
    pub pairs: Vec<PairSeen>,
    /// How far the velocities of the file are from these; none if it has none.
    pub comparison: Option<Comparison>,
}

/// Balances the forces of a configuration that was read from `file`, with the laws of a case. Where
/// the case says that space is open, the box of the file does not repeat.
///
/// # Errors
///
/// When the case is not one of hard spheres, the box is not one that repeats or its size is too
/// small, or spheres overlap too much.
pub fn solve(case: &Case, file: &Path, read: &Configuration) -> Result<Mobility, Error> {
    check_case(case)?;
    let cell = match case.domain.boundary {
        Boundary::Open => Cell::Open,
        Boundary::Periodic => cell(file, read)?,
    };
    let mut case = case.clone();
    case.particles.file = Some(file.to_owned());
    if cell == Cell::Open {
        case.domain.boundary = Boundary::Open;
    }
    let state = placed(read, cell);
    check_sizes(file, read, &state)?;
    let mut state = suspension::prepared(&case, state)?;
    let mut stepper = suspension::stepper(&case, &state);
    let seen = stepper.balance(&mut state)?;
    let pairs = stepper.balanced_pairs().collect();
    let drive = stepper.drive().clone();
    let comparison = Comparison::of(read, &state, &drive);
    Ok(Mobility { state, drive, seen, pairs, comparison })
}

fn check_case(case: &Case) -> Result<(), Error> {
    let hard = "take a case of hard spheres, such as cases/suspension.toml";
    let reason = if case.study.says_all {
        format!("a case of `{}` has its own particles; {hard}", case.study.name)
    } else if case.laws.soft.is_some() || case.laws.rough.is_some() {
        format!(
            "the films of soft and rough spheres have a state that no snapshot tells; {hard}, or run \
             this one from the snapshot, where films form within the first steps: particles.file in \
             place of count, volume_fraction and radii"
        )
    } else {
        return Ok(());
    };
    Err(Error::Usage { reason })
}

/// The box of a snapshot: one that is sheared along x where it has that shape, else any.
fn cell(file: &Path, read: &Configuration) -> Result<Cell, Error> {
    let bad = |reason: String| Error::BadLine { path: file.to_owned(), line: 1, reason };
    let Some(edges) = read.edges().filter(|_| read.pbc != [false; 3]) else {
        return Ok(Cell::Open);
    };
    if read.pbc != [true; 3] {
        let axes = ["x", "y", "z"].into_iter().zip(read.pbc);
        let repeats: Vec<&str> = axes.filter(|(_, pbc)| *pbc).map(|(axis, _)| axis).collect();
        return Err(bad(format!(
            "the box repeats along {} only, and walls are not known here; boxes repeat in all \
             directions or in none",
            repeats.join(" and ")
        )));
    }
    if edges.determinant() <= 0.0 {
        return Err(bad("the edges of the box do not span a volume".to_owned()));
    }
    let lengths = edges.diagonal();
    let size = lengths.max();
    let sheared =
        Matrix3::from_diagonal(&lengths) + edges[(0, 1)] * Vector3::x() * Vector3::y().transpose();
    if (edges - sheared).abs().max() <= 1e-9 * size && lengths.min() > 0.0 {
        return Ok(Cell::Periodic { lengths, tilt: edges[(0, 1)], layer: false });
    }
    Ok(Cell::Fixed { edges })
}
