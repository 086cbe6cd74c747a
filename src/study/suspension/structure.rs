//! How the particles of a run sit and press: tables and a figure from the frames and contacts in
//! its directory.

mod figure;

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

use crate::case::Case;
use crate::cell::Cell;
use crate::error::Error;
use crate::plot::distributions;
use crate::record::column::{Column, FileDescription, describe, values};
use crate::record::{
    CONTACT_FORCES, CONTACTS, Configuration, FRAMES, GAPS, Mark, PAIR_ANGLES, PAIR_DISTRIBUTION,
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
const NEAR_GAP: f64 = 0.01;

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
        let Some(strain) = frame.moment.strain.filter(|s| s.abs() >= steady.start) else {
            return Ok(());
        };
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
    let touching = case.laws.rough.as_ref().map_or(0.0, |rough| rough.roughness);
    Closeness { touching, near: NEAR_GAP }
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
    let friction =
        case.laws.rough.as_ref().map_or(case.laws.contact.friction, |rough| rough.friction);
    Ok(match force_distribution(&frames) {
        None => Forces::None,
        Some(distribution) => Forces::Known {
            mean: distribution.mean / Scales::new(case, radius).force(),
            frictional: friction > 0.0 && case.laws.soft.is_none(),
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

/// What is known of a bin of a distribution.
#[derive(Clone, Debug)]
pub struct Bin {
    low: f64,
    middle: f64,
    high: f64,
    means: Vec<Mean>,
    /// Fraction of its contacts that slide, where it has contacts.
    sliding: f64,
}

const fn low(name: &'static str, unit: &'static str, meaning: &'static str) -> Column<Bin> {
    Column::new(name, unit, meaning, |bin| bin.low)
}

const fn high(name: &'static str, unit: &'static str, meaning: &'static str) -> Column<Bin> {
    Column::new(name, unit, meaning, |bin| bin.high)
}

/// Two columns: the `k`-th mean, and its standard error.
fn mean(k: usize, name: &str, unit: &'static str, meaning: &str) -> [Column<Bin>; 2] {
    let (error, of) = (format!("{name}_stderr"), format!("standard error of {name}"));
    [
        Column::part(name.to_owned(), unit, meaning.to_owned(), k, |bin, k| bin.means[k].value),
        Column::part(error, unit, of, k, |bin, k| bin.means[k].stderr),
    ]
}

/// Columns of `pair_distribution.csv`; those of species only in bidisperse suspensions.
fn distribution_columns(species: bool) -> Vec<Column<Bin>> {
    let mut columns =
        vec![Column::new("distance", "aᵢ + aⱼ", "distance of centres r", |b: &Bin| b.middle)];
    columns.extend(mean(0, "g", "1", "pair distribution g(r)"));
    let by_species = [
        ("g_small_small", "g(r) among the smaller particles"),
        ("g_small_large", "g(r) between smaller and larger ones"),
        ("g_large_large", "g(r) among the larger ones"),
    ];
    for (k, (name, meaning)) in by_species.into_iter().enumerate().filter(|_| species) {
        columns.extend(mean(1 + k, name, "1", meaning));
    }
    columns
}

/// Columns of `pair_angles.csv`.
fn angle_columns() -> Vec<Column<Bin>> {
    let over = "over those of pairs without a preferred direction";
    let mut columns = vec![
        low(
            "angle_low",
            "°",
            "lower end of the bin of angles with the flow, in the plane of shear",
        ),
        high("angle_high", "°", "upper end; compression is at 135°"),
    ];
    columns.extend(mean(0, "near", "1", &format!("pairs with a gap below 0.01 a, {over}")));
    columns.extend(mean(1, "contacts", "1", &format!("pairs that touch, {over}")));
    columns
}

/// Columns of `gaps.csv`.
fn gap_columns() -> Vec<Column<Bin>> {
    let per = "of a particle, per decade of the gap";
    let mut columns = vec![
        low("gap_low", "a", "lower end of the bin of gaps"),
        high("gap_high", "a", "upper end"),
    ];
    columns.extend(mean(0, "apart", "1", &format!("neighbours with such a gap, {per}")));
    columns.extend(mean(1, "overlapping", "1", &format!("neighbours that overlap by that, {per}")));
    columns
}

/// Columns of `contact_forces.csv`.
fn force_columns() -> Vec<Column<Bin>> {
    let mut columns = vec![
        low("force_low", "⟨F⟩", "lower end of the bin of normal forces"),
        high("force_high", "⟨F⟩", "upper end; ⟨F⟩ is the mean of all contacts"),
    ];
    columns.extend(mean(0, "probability", "1/⟨F⟩", "probability density of a contact's force"));
    let sliding = "fraction of these contacts that slide";
    columns.push(Column::new("sliding_fraction", "1", sliding, |bin| bin.sliding));
    columns
}

/// The tables of the structure.
pub fn files() -> Vec<FileDescription> {
    let all = [
        (PAIR_DISTRIBUTION, distribution_columns(true)),
        (PAIR_ANGLES, angle_columns()),
        (GAPS, gap_columns()),
        (CONTACT_FORCES, force_columns()),
    ];
    let when = "a suspension in steady shear, at the end, of its steady frames";
    all.map(|(file, columns)| FileDescription::new(file, when, describe(&columns))).to_vec()
}

/// Writes what the figure shows as tables.
fn write_tables(structure: &Structure, directory: &Path) -> Result<(), Error> {
    let write = |name: &str, columns: Vec<Column<Bin>>, bins: Vec<Bin>| {
        let rows = bins.iter().map(|bin| values(&columns, bin));
        TableWriter::open(directory.join(name), &columns, Mark::default())?.write_rows(rows)
    };
    let pairs = &structure.pairs;
    let mut g = vec![pairs.distribution()];
    g.extend(pairs.distribution_by_species().into_iter().flatten());
    let columns = distribution_columns(g.len() > 1);
    write(PAIR_DISTRIBUTION, columns, bins_of(pairs.distances.bins, &g))?;
    let angles = [&pairs.angles, &pairs.touching_angles].map(relative_angles);
    write(PAIR_ANGLES, angle_columns(), bins_of(pairs.angles.bins, &angles))?;
    let gaps = [&pairs.gaps, &pairs.overlaps].map(|gaps| pairs.per_decade(gaps));
    write(GAPS, gap_columns(), bins_of(pairs.gaps.bins, &gaps))?;
    if let Forces::Known { distribution, .. } = &structure.forces {
        let mut bins = bins_of(distribution.bins, std::slice::from_ref(&distribution.density));
        for (bin, sliding) in bins.iter_mut().zip(&distribution.sliding) {
            bin.sliding = *sliding;
        }
        write(CONTACT_FORCES, force_columns(), bins)?;
    }
    Ok(())
}

/// Every bin with the means in it.
fn bins_of(bins: Bins, means: &[Vec<Mean>]) -> Vec<Bin> {
    let bin = |k: usize| Bin {
        low: bins.edge(k),
        middle: bins.middle(k),
        high: bins.edge(k + 1),
        means: means.iter().map(|means| means[k]).collect(),
        sliding: f64::NAN,
    };
    (0..bins.count()).map(bin).collect()
}
