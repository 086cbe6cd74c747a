//! How the particles of a run sit and press: tables and a figure from the frames and contacts in
//! its directory.

mod figure;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

use crate::case::Case;
use crate::cell::Cell;
use crate::error::Error;
use crate::plot::distributions;
use crate::record::{
    CONTACT_FORCES, CONTACTS, Configuration, FRAMES, GAPS, PAIR_ANGLES, PAIR_DISTRIBUTION,
    TableWriter, read_columns, visit_frames,
};
use crate::state::Suspension;
use crate::stats::Steady;
use crate::stats::forces::{Contact, ForceDistribution, force_distribution};
use crate::stats::histogram::{Bins, Mean};
use crate::stats::structure::{Closeness, PairStructure, relative_angles};
use crate::study::suspension::Scales;

/// Fewer frames have no scatter to speak of.
const FEWEST_FRAMES: usize = 4;

/// Pairs with a smaller gap are near `[a]`.
const NEAR: f64 = 0.01;

/// What the steady frames of a run show.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Strain of every frame, with its sign.
    pub strains: Vec<f64>,
    /// Volume fraction φ.
    pub volume_fraction: f64,
    /// Whether the run settled.
    pub settled: bool,
    /// Their pairs.
    pub pairs: PairStructure,
    /// Their contact forces.
    pub forces: Forces,
}

/// What is known of contact forces.
#[derive(Debug, Clone)]
pub enum Forces {
    /// The run wrote no contacts.
    NotRecorded,
    /// There was no contact in the steady frames.
    None,
    /// Their distribution.
    Known {
        /// Relative to the mean.
        distribution: ForceDistribution,
        /// The mean, in units of μγ̇a², or of σa² at imposed stress.
        mean: f64,
        /// Whether contacts can slide.
        frictional: bool,
    },
}

/// Reads what the frames and contacts in a run's directory show after the start of the steady
/// state; `None` if there are too few frames, or they are not periodic.
///
/// # Errors
///
/// When a file cannot be read.
pub fn read(case: &Case, directory: &Path, steady: &Steady) -> Result<Option<Structure>, Error> {
    let path = directory.join(FRAMES);
    if case.output.frames <= 0.0 || !path.exists() {
        return Ok(None);
    }
    let (mut strains, mut pairs, mut first) = (Vec::new(), None, None);
    visit_frames(&path, |frame| {
        let Some(strain) = frame.strain.filter(|s| s.abs() >= steady.start) else { return Ok(()) };
        let Some(frame) = periodic(frame) else { return Ok(()) };
        if first.is_none() {
            pairs = PairStructure::new(&frame, closeness(case));
            first = Some((frame.smallest_radius(), frame.volume_fraction().unwrap_or(0.0)));
        }
        if let Some(pairs) = &mut pairs {
            pairs.add(&frame, strain);
            strains.push(strain);
        }
        Ok(())
    })?;
    let (Some(pairs), Some((smallest, volume_fraction)), true) =
        (pairs, first, strains.len() >= FEWEST_FRAMES)
    else {
        return Ok(None);
    };
    let forces = read_forces(case, &directory.join(CONTACTS), &strains, smallest)?;
    Ok(Some(Structure { strains, volume_fraction, settled: steady.settled, pairs, forces }))
}

/// When pairs touch: rough ones before their spheres do.
fn closeness(case: &Case) -> Closeness {
    let touching = case.rough.as_ref().map_or(0.0, |rough| rough.roughness);
    Closeness { touching, near: NEAR }
}

/// The particles of a frame, in the box as it was.
fn periodic(frame: Configuration) -> Option<Suspension> {
    let lattice = frame.lattice.filter(|_| frame.pbc == [true; 3])?;
    let edges = Matrix3::from_columns(&lattice.map(Vector3::from));
    let cell = Cell::Fixed { edges };
    Some(Suspension::new(frame.radii, frame.positions, cell))
}

/// The forces of the contacts in the frames of the given strains.
fn read_forces(case: &Case, path: &Path, strains: &[f64], radius: f64) -> Result<Forces, Error> {
    if !case.output.contacts || !path.exists() {
        return Ok(Forces::NotRecorded);
    }
    let table = read_columns(path)?;
    let column = |name: &str| table.column(name).unwrap_or_default();
    let mut frames = vec![Vec::new(); strains.len()];
    // Rows are in the order of the frames, and have their strain to the last bit.
    let mut frame = 0;
    let rows = column("strain").iter().zip(column("normal_force")).zip(column("sliding"));
    for ((strain, force), sliding) in rows {
        if let Some(ahead) = strains[frame..].iter().position(|s| s == strain) {
            frame += ahead;
            frames[frame].push(Contact { force: *force, slides: *sliding != 0.0 });
        }
    }
    let friction = case.rough.as_ref().map_or(case.contact.friction, |rough| rough.friction);
    Ok(match force_distribution(&frames) {
        None => Forces::None,
        Some(distribution) => Forces::Known {
            mean: distribution.mean / Scales::new(case, radius).force(),
            frictional: friction > 0.0 && case.soft.is_none(),
            distribution,
        },
    })
}

/// Writes the tables and draws `structure.svg` and `.png`, if a run has enough frames; says whether
/// it has.
///
/// # Errors
///
/// When a file cannot be read or written.
pub fn draw(case: &Case, directory: &Path, steady: &Steady) -> Result<bool, Error> {
    let Some(structure) = read(case, directory, steady)? else { return Ok(false) };
    write_tables(&structure, directory)?;
    distributions(&directory.join("structure"), &figure::figure(&structure, case))?;
    Ok(true)
}

/// Columns of `pair_distribution.csv`; those of species only in bidisperse suspensions.
const DISTRIBUTION_COLUMNS: &[&str] = &[
    "distance",
    "g",
    "g_stderr",
    "g_small_small",
    "g_small_small_stderr",
    "g_small_large",
    "g_small_large_stderr",
    "g_large_large",
    "g_large_large_stderr",
];

/// Columns of `pair_angles.csv`.
const ANGLE_COLUMNS: &[&str] =
    &["angle_low", "angle_high", "near", "near_stderr", "contacts", "contacts_stderr"];

/// Columns of `gaps.csv`.
const GAP_COLUMNS: &[&str] =
    &["gap_low", "gap_high", "apart", "apart_stderr", "overlapping", "overlapping_stderr"];

/// Columns of `contact_forces.csv`.
const FORCE_COLUMNS: &[&str] =
    &["force_low", "force_high", "probability", "probability_stderr", "sliding_fraction"];

/// Writes what the figure shows as tables.
fn write_tables(structure: &Structure, directory: &Path) -> Result<(), Error> {
    let write = |name: &str, columns: &'static [&'static str], rows: Vec<Vec<f64>>| {
        TableWriter::open(directory.join(name), columns, 0)?.write_rows(rows)
    };
    let pairs = &structure.pairs;
    let mut g = vec![pairs.distribution()];
    g.extend(pairs.distribution_by_species().into_iter().flatten());
    let bins = pairs.distances.bins;
    let rows = (0..bins.count()).map(|k| with_means(vec![bins.middle(k)], &g, k)).collect();
    write(PAIR_DISTRIBUTION, &DISTRIBUTION_COLUMNS[..1 + 2 * g.len()], rows)?;
    let angles = [&pairs.angles, &pairs.touching_angles].map(relative_angles);
    write(PAIR_ANGLES, ANGLE_COLUMNS, rows_of(pairs.angles.bins, &angles))?;
    let gaps = [&pairs.gaps, &pairs.overlaps].map(|gaps| pairs.per_decade(gaps));
    write(GAPS, GAP_COLUMNS, rows_of(pairs.gaps.bins, &gaps))?;
    if let Forces::Known { distribution, .. } = &structure.forces {
        let mut rows = rows_of(distribution.bins, std::slice::from_ref(&distribution.density));
        for (row, sliding) in rows.iter_mut().zip(&distribution.sliding) {
            row.push(*sliding);
        }
        write(CONTACT_FORCES, FORCE_COLUMNS, rows)?;
    }
    Ok(())
}

/// The ends of every bin, and the means in it with their errors.
fn rows_of(bins: Bins, means: &[Vec<Mean>]) -> Vec<Vec<f64>> {
    let row = |k: usize| with_means(vec![bins.edge(k), bins.edge(k + 1)], means, k);
    (0..bins.count()).map(row).collect()
}

/// A row with the `k`-th of each of the means and its error.
fn with_means(mut row: Vec<f64>, means: &[Vec<Mean>], k: usize) -> Vec<f64> {
    row.extend(means.iter().flat_map(|means| [means[k].value, means[k].stderr]));
    row
}
