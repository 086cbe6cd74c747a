//! One balance of forces for a configuration that is given: velocities, stress, pairs; and how far
//! the velocities that were written with it are from them.
//!
//! | file | what it does |
//! |---|---|
//! | `snapshot` | what is balanced, and what a run of this program tells besides |
//! | `compare`, `noise` | velocities of the file, of the law of the case, of the default law |
//! | `lammps` | the laws of an input file of LAMMPS as overrides of a case |
//! | `survey` | all frames of a file, and their means |
//! | `results`, `advice`, `lines`, `tables`, `figure` | what is written and printed |
//!
//! Distances have two parts. That of the file to the law of the case is inertia, if the case has
//! the law of the program that wrote the file; that of the law of the case to the default law of
//! this program is a difference of laws, which no smaller Stokes number removes.

mod advice;
mod compare;
mod figure;
mod lammps;
mod lines;
mod noise;
mod results;
mod snapshot;
mod survey;
mod tables;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

use crate::case::{Boundary, Case, Lubrication, Stiffness};
use crate::cell::Cell;
use crate::drive::{Drive, Flow, Protocol};
use crate::error::Error;
use crate::integrate::{Observation, PairSeen, Stepper};
use crate::record::Configuration;
use crate::state::Suspension;
use crate::study::suspension;
use crate::study::suspension::particles::{check_sizes, placed};

pub use compare::{Comparison, Difference};
pub use lammps::{overrides, script};
pub use results::Results;
pub use snapshot::{OwnRun, Snapshot};
pub use survey::{Chosen, Survey, survey};
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
    /// How the velocities of the file compare with these, or why they do not.
    pub comparison: Result<Comparison, String>,
    /// What is known of springs and films.
    pub springs: Springs,
}

/// What is known of springs and films.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Springs {
    /// The laws need nothing.
    NotNeeded,
    /// They are as the run remembers.
    Remembered,
    /// Nobody tells: springs are taken as unstretched.
    Unknown,
    /// The run remembers so many numbers of a pair, and the laws ask for so many others.
    OfOtherLaws([usize; 2]),
}

/// Balances the forces of a configuration with the laws of a case. Where the case says that space
/// is open, the box of the file does not repeat.
///
/// # Errors
///
/// When the case is not one of particles whose velocities follow from a snapshot, the box is not
/// one that repeats or its size is too small, or spheres overlap too much.
pub fn solve(case: &Case, snapshot: &Snapshot) -> Result<Mobility, Error> {
    let (state, mut stepper, springs) = at_rest(case, snapshot)?;
    let mut state = state;
    let seen = stepper.balance(&mut state)?;
    let pairs = stepper.balanced_pairs().collect();
    let drive = stepper.drive().clone();
    let comparison = compare(case, snapshot, &state, &drive);
    Ok(Mobility { state, drive, seen, pairs, comparison, springs })
}

/// The velocities of the file against those found, and these against the default law's.
fn compare(
    case: &Case,
    snapshot: &Snapshot,
    state: &Suspension,
    drive: &Drive,
) -> Result<Comparison, String> {
    let mut comparison = Comparison::of(snapshot.read, state, drive)?;
    let own = Lubrication { enabled: case.laws.lubrication.enabled, ..Lubrication::default() };
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    if !films && case.laws.lubrication != own {
        let mut other = case.clone();
        other.laws.lubrication = own;
        comparison.add_law(state, velocities(&other, snapshot));
    }
    comparison.noise = noise::of(case, snapshot, state, &comparison);
    Ok(comparison)
}

/// The particles as a balance finds them, if it does.
fn velocities(case: &Case, snapshot: &Snapshot) -> Result<Suspension, Error> {
    let (mut state, mut stepper, _) = at_rest(case, snapshot)?;
    stepper.balance(&mut state)?;
    Ok(state)
}

/// The particles before a balance, and what balances their forces.
fn at_rest(case: &Case, snapshot: &Snapshot) -> Result<(Suspension, Stepper, Springs), Error> {
    let Snapshot { file, read, memory, imposed } = *snapshot;
    check_case(case, snapshot)?;
    let cell = match case.domain.boundary {
        Boundary::Open => Cell::Open,
        Boundary::Periodic => cell(file, read, case.particles.planar)?,
    };
    let mut case = case.clone();
    case.particles.file = Some(file.to_owned());
    if cell == Cell::Open {
        case.domain.boundary = Boundary::Open;
    }
    let state = placed(read, cell);
    if memory.is_none() {
        check_sizes(file, read, &state)?;
    }
    let mut state = suspension::taken_up(&case, state)?;
    let laws = &case.laws;
    let given = laws.rough.as_ref().map_or(laws.contact.stiffness, |rough| rough.stiffness);
    if let (Stiffness::Auto, Some(stiffness)) = (given, read.moment.stiffness) {
        state.stiffness = stiffness;
    }
    let mut setup = suspension::setup(&case, &state);
    // What is found is the motion without a mass, also for a case that has one.
    setup.inertia = None;
    if let Some([along, across]) = imposed {
        // What is imposed over time is only known at this time.
        let size = along.hypot(across);
        let rate = if across == 0.0 { along } else { size };
        if let Flow::Shear { along: unit } = &mut setup.drive.flow
            && across != 0.0
        {
            *unit = [along / size, across / size];
        }
        (setup.drive.rate, setup.drive.stress) = (rate, None);
        setup.protocol = Some(Protocol::Rate(rate));
        // Forces that grow or turn round, and obstacles that move.
        state.clock.time = read.moment.time.unwrap_or_default();
    }
    let stepper = Stepper::new(&state, setup);
    let springs = match (stepper.memory_len(), memory) {
        (0, _) => Springs::NotNeeded,
        (_, None) => Springs::Unknown,
        (needed, Some(memory)) if memory.stride != needed => {
            Springs::OfOtherLaws([memory.stride, needed])
        }
        (_, Some(memory)) => {
            state.memory = memory.clone();
            Springs::Remembered
        }
    };
    Ok((state, stepper, springs))
}

fn check_case(case: &Case, snapshot: &Snapshot) -> Result<(), Error> {
    let hard = "take a case of hard spheres, such as cases/suspension.toml";
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    let reason = if case.study.says_all {
        format!("a case of `{}` has its own particles; {hard}", case.study.name)
    } else if case.laws.gluey.is_some() {
        format!("gluey contacts are met over a step, and an instant has none; {hard}")
    } else if films && snapshot.memory.is_none() {
        format!(
            "the films of soft and rough spheres have a state that no snapshot tells, other than the \
             frames of a run; name its directory, {hard}, or run this one from the snapshot, where \
             films form within the first steps: particles.file in place of count, volume_fraction and \
             radii"
        )
    } else if films && !case.fluid.drag {
        format!(
            "without drag (fluid.drag = false) velocities follow from how the forces of films change, \
             not from the forces of one instant; {hard}"
        )
    } else {
        return Ok(());
    };
    Err(Error::Usage { reason })
}

/// The box of a snapshot: one that is sheared along x where it has that shape, else any.
fn cell(file: &Path, read: &Configuration, layer: bool) -> Result<Cell, Error> {
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
        return Ok(Cell::Periodic { lengths, tilt: edges[(0, 1)], layer });
    }
    Ok(Cell::Fixed { edges })
}
