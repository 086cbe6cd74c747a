//! The tables of a balance: `velocities.csv` and `pairs.csv`.

use std::path::Path;

use nalgebra::Vector3;

use super::compare::parts;
use super::results::Results;
use super::survey::COLUMNS;
use super::{Difference, Mobility};
use crate::error::Error;
use crate::integrate::{PairSeen, lab_velocities};
use crate::laws::{Origin, contact, lubrication};
use crate::record::column::{Column, Description, FileDescription, describe, values};
use crate::record::frames::{FrameMotion, MoreColumn, Values};
use crate::record::keys::Described;
use crate::record::{
    BALANCES, Configuration, DIFFERENCES, Frame, FrameWriter, Mark, PAIRS, SUMMARY, TableWriter,
    VELOCITIES, atomic,
};
use crate::state::Velocity;

/// A particle in the balance.
#[derive(Clone)]
struct Moving {
    id: u64,
    radius: f64,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
    /// Relative to the flow.
    relative: Velocity,
    /// Those of the file relative to the flow, and how far they are from the ones found.
    theirs: [Apart; 2],
}

/// A vector of the file, and its differences to the one found, with and without their mean.
#[derive(Clone, Copy)]
struct Apart {
    vector: Vector3<f64>,
    with_mean: f64,
    without_mean: f64,
}

/// Columns of `velocities.csv`: `u` and `w` are velocity and spin relative to the flow.
fn velocity_columns() -> Vec<Column<Moving>> {
    let of = Column::<Moving>::vector;
    let mut columns = vec![
        Column::new("id", "1", "the particle's id in the file", |p: &Moving| p.id as f64),
        Column::new("radius", "L", "radius", |p| p.radius),
    ];
    columns.extend(of(["x", "y", "z"], "L", "centre", |p, k| p.position[k]));
    columns.extend(of(["vx", "vy", "vz"], "L/t", "velocity", |p, k| p.velocity[k]));
    columns.extend(of(["omegax", "omegay", "omegaz"], "1/t", "spin", |p, k| p.spin[k]));
    columns.extend(of(["ux", "uy", "uz"], "L/t", "velocity less the flow's", |p, k| {
        p.relative.linear[k]
    }));
    columns.extend(of(["wx", "wy", "wz"], "1/t", "spin less the flow's", |p, k| {
        p.relative.angular[k]
    }));
    columns
}

/// What follows if the file has velocities; differences are over the root mean square of `u` or
/// `w`.
fn comparison_columns() -> Vec<Column<Moving>> {
    let (one, of) = (Column::<Moving>::new, Column::<Moving>::vector);
    let mut columns = Vec::new();
    columns.extend(of(["file_ux", "file_uy", "file_uz"], "L/t", "u of the file", |p, k| {
        p.theirs[0].vector[k]
    }));
    columns.extend([
        one("u_difference", "1", "distance from u to that of the file", |p| p.theirs[0].with_mean),
        one("u_difference_without_mean", "1", "distance of u without the mean difference", |p| {
            p.theirs[0].without_mean
        }),
    ]);
    columns.extend(of(["file_wx", "file_wy", "file_wz"], "1/t", "w of the file", |p, k| {
        p.theirs[1].vector[k]
    }));
    columns.extend([
        one("w_difference", "1", "distance from w to that of the file", |p| p.theirs[1].with_mean),
        one("w_difference_without_mean", "1", "distance of w without the mean difference", |p| {
            p.theirs[1].without_mean
        }),
    ]);
    columns
}

/// A pair in the balance, with the ids of the file.
struct Near {
    ids: [u64; 2],
    pair: PairSeen,
}

impl Near {
    /// The normal force of an origin.
    fn by(&self, origin: Origin) -> f64 {
        self.pair.normal_forces[origin.index()]
    }
}

/// Columns of `pairs.csv`: forces act on the second particle, normal forces are positive in
/// tension.
fn pair_columns() -> Vec<Column<Near>> {
    let (one, of) = (Column::<Near>::new, Column::<Near>::vector);
    let mut columns = vec![
        one("id_i", "1", "the id of particle i in the file", |n| n.ids[0] as f64),
        one("id_j", "1", "that of its partner j", |n| n.ids[1] as f64),
        one("gap", "L", "gap, negative where spheres overlap", |n| n.pair.gap),
    ];
    columns.extend(of(["nx", "ny", "nz"], "1", "unit vector from i to j", |n, k| n.pair.normal[k]));
    columns.extend(of(["fx", "fy", "fz"], "F", "force on j", |n, k| n.pair.force[k]));
    columns.extend([
        one("normal_force", "F", "normal force, positive in tension", |n| {
            n.pair.normal_forces.iter().sum()
        }),
        one("normal_lubrication", "F", "part of the normal force due to lubrication", |n| {
            n.by(lubrication::ORIGIN)
        }),
        one("normal_contact", "F", "part of the normal force due to contact", |n| {
            n.by(contact::ORIGIN)
        }),
        one("squeeze", "L/t", "rate of the gap", |n| n.pair.rates.squeeze),
    ]);
    columns.extend(of(["slide_x", "slide_y", "slide_z"], "L/t", "sliding", |n, k| {
        n.pair.rates.slide[k]
    }));
    columns
        .extend(of(["roll_x", "roll_y", "roll_z"], "1/t", "rolling", |n, k| n.pair.rates.roll[k]));
    columns.extend([
        one("twist", "1/t", "relative spin about the normal", |n| n.pair.rates.twist),
        one("spin_about_normal", "1/t", "mean spin about it", |n| n.pair.rates.swirl),
    ]);
    columns
}

/// The files of a balance.
pub fn files() -> Vec<FileDescription> {
    let velocities = [velocity_columns(), comparison_columns()].concat();
    let one = "`zerostokes mobility`, one row per particle of the last frame; the last ten columns if \
               the snapshot has velocities; L is the unit of length of the file";
    let two = "`zerostokes mobility`, one row per pair of the last frame within the range of the laws; \
               L is the unit of length of the file";
    let all = "`zerostokes mobility`, one row per frame; differences are over the root mean square \
               found";
    let shown = "`zerostokes mobility`, every frame with the velocities found and these columns, for \
                 OVITO; `velo` and `omega` are those found";
    vec![
        FileDescription::new(BALANCES, all, describe(COLUMNS)),
        FileDescription::new(DIFFERENCES, shown, difference_columns()),
        FileDescription::new(VELOCITIES, one, describe(&velocities)),
        FileDescription::new(PAIRS, two, describe(&pair_columns())),
        FileDescription::new(SUMMARY, "`zerostokes mobility`", Results::keys()),
    ]
}

impl Mobility {
    /// Writes the two tables and the summary into a directory.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    pub(super) fn write(
        &self,
        read: &Configuration,
        results: &Results,
        directory: &Path,
    ) -> Result<(), Error> {
        let mut columns = velocity_columns();
        if self.comparison.is_ok() {
            columns.extend(comparison_columns());
        }
        let mut table = TableWriter::open(directory.join(VELOCITIES), &columns, Mark::default())?;
        table.write_rows(self.moving(read).iter().map(|particle| values(&columns, particle)))?;
        let columns = pair_columns();
        let mut table = TableWriter::open(directory.join(PAIRS), &columns, Mark::default())?;
        table.write_rows(self.pairs.iter().map(|pair| {
            // Surfaces of obstacles are numbered after the particles.
            let numbers = pair.ids.numbers(read.len());
            let ids = numbers.map(|k| read.ids.get(k as usize).copied().unwrap_or(k.into()));
            values(&columns, &Near { ids, pair: *pair })
        }))?;
        atomic::write_json(&directory.join(SUMMARY), results)
    }

    fn moving(&self, read: &Configuration) -> Vec<Moving> {
        let (state, compared) = (&self.state, self.comparison.as_ref().ok());
        let velocities = lab_velocities(state, &self.drive);
        let velocities_of_file =
            compared.and_then(|c| c.velocities.as_deref().zip(c.velocity.as_ref()));
        let spins_of_file = compared.and_then(|c| c.spins.as_deref().zip(c.spin.as_ref()));
        let rotation = self.drive.rotation();
        let moving = |(k, relative): (usize, &Velocity)| Moving {
            id: read.ids[k],
            radius: state.radii[k],
            position: state.positions[k],
            velocity: velocities[k],
            spin: relative.angular + rotation,
            relative: *relative,
            theirs: [
                apart(velocities_of_file, k, &relative.linear),
                apart(spins_of_file, k, &relative.angular),
            ],
        };
        state.velocities.iter().enumerate().map(moving).collect()
    }
}

/// A vector of the file and its differences to the one found; NaN where the file has none.
fn apart(theirs: Option<(&[Vector3<f64>], &Difference)>, k: usize, ours: &Vector3<f64>) -> Apart {
    let Some((theirs, all)) = theirs else {
        let vector = Vector3::repeat(f64::NAN);
        return Apart { vector, with_mean: f64::NAN, without_mean: f64::NAN };
    };
    let (vector, mean) = (theirs[k], Vector3::from(all.mean));
    let difference = vector - ours;
    let [with_mean, without_mean] = [difference, difference - mean].map(|d| d.norm() / all.scale);
    Apart { vector, with_mean, without_mean }
}

/// The columns of `differences.extxyz` behind those of frames: name, unit, meaning.
const DIFFERENCE_COLUMNS: [(&str, &str, &str); 5] = [
    ("difference", "L/t", "velocity of the file less that found, without the mean"),
    ("difference_size", "1", "its size over the root mean square found"),
    ("spin_difference", "1/t", "spin of the file less that found, without the mean"),
    ("law_difference", "L/t", "velocity with the default law less that found, without the mean"),
    ("law_difference_size", "1", "its size over the root mean square found"),
];

fn difference_columns() -> Vec<Description> {
    let columns = DIFFERENCE_COLUMNS.iter();
    let describe = |(name, unit, meaning): &(&'static str, &'static str, &'static str)| {
        Description { name: (*name).to_owned(), unit, meaning: (*meaning).to_owned() }
    };
    columns.map(describe).collect()
}

/// Differences without their mean, and their sizes over the scale.
fn apart_from(
    theirs: Option<&Vec<Vector3<f64>>>,
    all: Option<&Difference>,
    ours: &[Vector3<f64>],
) -> Option<(Vec<Vector3<f64>>, Vec<f64>)> {
    let (theirs, all) = (theirs?, all?);
    let mean = Vector3::from(all.mean);
    let apart: Vec<_> = theirs.iter().zip(ours).map(|(t, o)| t - o - mean).collect();
    let sizes = apart.iter().map(|d| d.norm() / all.scale).collect();
    Some((apart, sizes))
}

/// Writes a frame with the velocities found and how far those of the file are from them.
pub(super) fn write_differences(
    found: &Mobility,
    read: &Configuration,
    to: &mut FrameWriter,
) -> Result<(), Error> {
    let state = &found.state;
    let [linear, angular] = parts(state);
    let compared = found.comparison.as_ref().ok();
    let velocity =
        compared.and_then(|c| apart_from(c.velocities.as_ref(), c.velocity.as_ref(), &linear));
    let spin = compared.and_then(|c| apart_from(c.spins.as_ref(), c.spin.as_ref(), &angular));
    let law = compared
        .and_then(|c| apart_from(c.law_velocities.as_ref(), c.law_velocity.as_ref(), &linear));
    let names = DIFFERENCE_COLUMNS.map(|(name, ..)| name);
    let mut more = Vec::new();
    if let Some((vectors, sizes)) = &velocity {
        more.push(MoreColumn { name: names[0], values: Values::Vectors(vectors) });
        more.push(MoreColumn { name: names[1], values: Values::Numbers(sizes) });
    }
    if let Some((vectors, _)) = &spin {
        more.push(MoreColumn { name: names[2], values: Values::Vectors(vectors) });
    }
    if let Some((vectors, sizes)) = &law {
        more.push(MoreColumn { name: names[3], values: Values::Vectors(vectors) });
        more.push(MoreColumn { name: names[4], values: Values::Numbers(sizes) });
    }
    let rotation = found.drive.rotation();
    let spins: Vec<_> = angular.iter().map(|spin| spin + rotation).collect();
    let vectors = state.cell.images(&state.clock).vectors();
    to.write(&Frame {
        positions: &state.positions,
        radii: &state.radii,
        ids: &read.ids,
        motion: Some(FrameMotion {
            velocities: &lab_velocities(state, &found.drive),
            spins: &spins,
            rate: found.drive.rates(),
            of_instant: true,
        }),
        more: &more,
        lattice: vectors.map_or([[0.0; 3]; 3], |v| v.map(Into::into)),
        pbc: [vectors.is_some(); 3],
        strain: read.moment.strain.unwrap_or_default(),
        time: read.moment.time.or(read.moment.step.map(|s| s as f64)).unwrap_or_default(),
        ..Frame::default()
    })
}
