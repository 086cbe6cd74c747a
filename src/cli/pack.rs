//! `zerostokes pack`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::print;
use crate::Error;
use crate::pack::{Species, box_lengths, draw_radii, random_packing};
use crate::plot::with_error;
use crate::record::frames::extended_xyz;
use crate::record::{Frame, atomic};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes pack --count 500 --volume-fraction 0.5
  zerostokes pack -n 200 -p 0.6 --radii 1,2 --volume-shares 1,3 -o start.extxyz")]
pub(super) struct PackArguments {
    /// Number of spheres.
    #[arg(long, short = 'n', value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Volume fraction φ.
    #[arg(long, short = 'p', value_parser = positive)]
    volume_fraction: f64,
    /// Radii, one for each size class.
    #[arg(long, value_delimiter = ',', default_values_t = [1.0, 1.4], value_parser = positive)]
    radii: Vec<f64>,
    /// Shares of the solid volume, one for each size class [default: equal shares].
    #[arg(long, value_delimiter = ',', value_parser = positive)]
    volume_shares: Vec<f64>,
    /// Relative standard deviation of a log-normal distribution about each radius.
    #[arg(long, default_value_t = 0.0)]
    spread: f64,
    /// Proportions of the box along x, y and z.
    #[arg(
        long,
        value_delimiter = ',',
        num_args = 3,
        default_values_t = [1.0, 1.0, 1.0],
        value_parser = positive
    )]
    aspect: Vec<f64>,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write, extended XYZ; must not exist.
    #[arg(long, short = 'o', default_value = "packing.extxyz")]
    out: PathBuf,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("give a positive number".to_owned()),
    }
}

pub(super) fn pack(arguments: &PackArguments) -> Result<(), Error> {
    let shares = if arguments.volume_shares.is_empty() {
        vec![1.0; arguments.radii.len()]
    } else {
        arguments.volume_shares.clone()
    };
    let usage = |reason: String| Error::Usage { reason };
    if shares.len() != arguments.radii.len() {
        return Err(usage(format!(
            "--volume-shares has {} numbers and --radii {}; give one share per radius",
            shares.len(),
            arguments.radii.len()
        )));
    }
    if !(0.0..1.0).contains(&arguments.spread) {
        return Err(usage(format!("--spread {} must be in 0 to 1", arguments.spread)));
    }
    if arguments.out.exists() {
        return Err(usage(format!(
            "{} exists; choose another --out or remove it",
            arguments.out.display()
        )));
    }
    let species: Vec<Species> = arguments
        .radii
        .iter()
        .zip(&shares)
        .map(|(&radius, &volume_share)| Species { radius, volume_share, spread: arguments.spread })
        .collect();
    let start = Instant::now();
    let radii = draw_radii(arguments.count as usize, &species, arguments.seed)?;
    let aspect = [arguments.aspect[0], arguments.aspect[1], arguments.aspect[2]];
    let lengths = box_lengths(&radii, arguments.volume_fraction, aspect);
    let packing = random_packing(&radii, &lengths, arguments.seed)?;
    let text = extended_xyz(&Frame {
        positions: &packing.positions,
        radii: &radii,
        lattice: [[lengths.x, 0.0, 0.0], [0.0, lengths.y, 0.0], [0.0, 0.0, lengths.z]],
        pbc: [true; 3],
        ..Frame::default()
    });
    atomic::write(&arguments.out, |file| file.write_all(text.as_bytes()))?;
    print(&[format!(
        "{} spheres at φ = {} in a box of {} × {} × {}, largest overlap {:.1e} a, {:.2} s: {}",
        radii.len(),
        arguments.volume_fraction,
        with_error(lengths.x, None),
        with_error(lengths.y, None),
        with_error(lengths.z, None),
        packing.largest_overlap,
        start.elapsed().as_secs_f64(),
        arguments.out.display()
    )])
}
