//! The particles that a suspension begins with: drawn and packed, listed in the case, or read.

use std::path::Path;

use nalgebra::Vector3;

use crate::case::{Boundary, Case, FlowKind, Particles};
use crate::cell::{Cell, orientation};
use crate::error::Error;
use crate::pack::{self, Species};
use crate::pairs::{ActivePair, NeighbourList};
use crate::record::{Configuration, Format, WhichFrame, read_frame};
use crate::state::Suspension;

/// The largest overlap of spheres from another program, in smaller radii.
const DEEPEST: f64 = 0.25;

/// The particles that a suspension begins with.
///
/// # Errors
///
/// When they cannot be packed, or the file cannot be read.
pub fn of(case: &Case) -> Result<Suspension, Error> {
    let given = &case.particles;
    let periodic = case.domain.boundary == Boundary::Periodic;
    if let Some(file) = &given.file {
        return of_configuration(case, file, &read_frame(file, WhichFrame::Last)?);
    }
    if let Some(positions) = &given.positions {
        let positions = positions.iter().map(|x| Vector3::from(*x)).collect();
        let cell = match case.domain.lengths {
            Some(lengths) if periodic => {
                let (lengths, layer) = (Vector3::from(lengths), given.planar);
                Cell::Periodic { lengths, tilt: 0.0, layer }
            }
            _ => Cell::Open,
        };
        let mut state = Suspension::new(given.radii.clone(), positions, cell);
        for (motion, velocity) in state.velocities.iter_mut().zip(given.velocities.iter().flatten())
        {
            motion.linear = Vector3::from(*velocity);
        }
        return Ok(state);
    }
    match given.region {
        Some(region) => scattered(case, region),
        None => drawn(case),
    }
}

/// The radius of the smallest of them, without packing them where the case says it `[a]`.
///
/// # Errors
///
/// When they cannot be packed, or the file cannot be read.
pub fn smallest_radius(case: &Case) -> Result<f64, Error> {
    let given = &case.particles;
    if given.file.is_none() && given.region.is_none() && given.spread == 0.0 {
        return Ok(given.radii.iter().copied().fold(f64::INFINITY, f64::min));
    }
    Ok(of(case)?.smallest_radius())
}

/// The particles of a configuration that was read from `file`.
///
/// # Errors
///
/// When its box is not one that the flow of the case can shear.
fn of_configuration(case: &Case, file: &Path, read: &Configuration) -> Result<Suspension, Error> {
    let periodic = case.domain.boundary == Boundary::Periodic;
    let cell = match (periodic, read.lattice) {
        (false, _) => Cell::Open,
        (true, lattice) => {
            let line = if read.format == Format::ExtendedXyz { 2 } else { 1 };
            let bad = |reason| Error::BadLine { path: file.to_owned(), line, reason };
            box_of(case, lattice, read.format).map_err(bad)?
        }
    };
    let state = placed(read, cell);
    if read.format != Format::ExtendedXyz {
        check_sizes(file, read, &state)?;
    }
    Ok(turned(case, state))
}

/// Spheres that overlap by a large part of their radii are not what the file means.
pub fn check_sizes(file: &Path, read: &Configuration, state: &Suspension) -> Result<(), Error> {
    let mut pairs = Vec::new();
    NeighbourList::new(0.0, 0.0).active(state, &mut pairs);
    let share = |pair: &ActivePair| -pair.gap / pair.radii[0].min(pair.radii[1]);
    let worst = pairs.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let Some(pair) = worst.filter(|pair| share(pair) > DEEPEST) else { return Ok(()) };
    let [i, j] = pair.ids.slots();
    let (first, other) = (read.ids[i], read.ids[j]);
    Err(Error::BadLine {
        path: file.to_owned(),
        line: read.lines[j],
        reason: format!(
            "particles {first} (line {}) and {other} overlap by {:.3} of the smaller radius, beyond \
             what contacts are made for ({DEEPEST}); are radii and diameters mixed up, or is the box \
             of another configuration?",
            read.lines[i],
            share(pair)
        ),
    })
}

/// The particles of a configuration in a box; in open space where the file has them.
pub fn placed(read: &Configuration, cell: Cell) -> Suspension {
    let origin = match cell {
        Cell::Open => Vector3::zeros(),
        _ => Vector3::from(read.origin),
    };
    let positions = read.positions.iter().map(|x| x - origin).collect();
    let mut state = Suspension::new(read.radii.clone(), positions, cell);
    let images = state.cell.images(&state.clock);
    state.positions.iter_mut().for_each(|x| images.wrap(x));
    state
}

/// The box of a file: its first edge along x, its third along z.
fn box_of(case: &Case, lattice: Option<[[f64; 3]; 3]>, format: Format) -> Result<Cell, String> {
    let l = lattice.ok_or(match format {
        Format::ExtendedXyz => {
            "has no Lattice=\"…\", which a periodic domain needs; add it to the comment line or set \
             domain.boundary = \"open\""
        }
        _ => "has no box, which a periodic domain needs; set domain.boundary = \"open\"",
    })?;
    let size = l[0][0].max(l[1][1]).max(l[2][2]);
    let others = [l[0][1], l[0][2], l[1][2], l[2][0], l[2][1]];
    if others.iter().any(|x| x.abs() > 1e-9 * size) {
        return Err(
            "has a box of another shape than one that is sheared along x; take a frame of a run \
                    without drive.cross and without extension"
                .into(),
        );
    }
    let square = (l[0][0] - l[1][1]).abs() <= 1e-9 * size && l[1][0].abs() <= 1e-9 * size;
    if case.drive.flow == FlowKind::Extension && !square {
        return Err(
            "has a box that is not square in the plane of the flow, which extension needs".into()
        );
    }
    let lengths = Vector3::new(l[0][0], l[1][1], l[2][2]);
    Ok(Cell::Periodic { lengths, tilt: l[1][0], layer: case.particles.planar })
}

/// A box as its flow needs it: square and turned for extension, and as it is for shear.
fn turned(case: &Case, mut state: Suspension) -> Suspension {
    if let (FlowKind::Extension, Cell::Periodic { lengths, .. }) = (case.drive.flow, state.cell) {
        let turn = orientation();
        for x in &mut state.positions {
            let plane = turn * x.xy();
            (x.x, x.y) = (plane.x, plane.y);
        }
        state.cell = Cell::Stretched { length: lengths.x, depth: lengths.z };
    }
    state
}

/// Spheres drawn at random in a part of open space, away from obstacles.
fn scattered(case: &Case, region: [[f64; 3]; 2]) -> Result<Suspension, Error> {
    let given = &case.particles;
    let count = given.count.unwrap_or_default();
    let radii = match given.radius_range {
        Some(range) => pack::even_radii(count, range, given.seed),
        None => pack::draw_radii(count, &species(given), given.seed)?,
    };
    let corners = region.map(Vector3::from);
    let positions = pack::scatter(&radii, corners, &case.obstacles(), given.seed)?;
    Ok(Suspension::new(radii, positions, Cell::Open))
}

/// Spheres drawn and packed at random.
fn drawn(case: &Case) -> Result<Suspension, Error> {
    let given = &case.particles;
    let (count, fraction) =
        (given.count.unwrap_or_default(), given.volume_fraction.unwrap_or_default());
    let radii = pack::draw_radii(count, &species(given), given.seed)?;
    if given.planar {
        return layer(case, radii, fraction);
    }
    let lengths = pack::box_lengths(&radii, fraction, case.domain.aspect);
    let packing = pack::random_packing(&radii, &lengths, given.seed)?;
    let (radii, positions) = pack::numbered_by_layers(radii, packing.positions);
    Ok(turned(case, Suspension::new(radii, positions, Cell::periodic(lengths))))
}

/// A layer of spheres: `fraction` is that of the area which they cover, and the layer is as deep as
/// the largest of them.
fn layer(case: &Case, radii: Vec<f64>, fraction: f64) -> Result<Suspension, Error> {
    let covered: f64 = radii.iter().map(|a| std::f64::consts::PI * a * a).sum();
    let [x, y, _] = case.domain.aspect;
    let side = (covered / fraction / (x * y)).sqrt();
    let packing = pack::random_layer(&radii, [x * side, y * side], case.particles.seed)?;
    let depth = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let lengths = Vector3::new(x * side, y * side, depth);
    let cell = Cell::Periodic { lengths, tilt: 0.0, layer: true };
    Ok(Suspension::new(radii, packing.positions, cell))
}

/// The size classes of a case.
fn species(given: &Particles) -> Vec<Species> {
    let classes = given.radii.iter().zip(&given.volume_shares);
    classes
        .map(|(&radius, &volume_share)| Species { radius, volume_share, spread: given.spread })
        .collect()
}
