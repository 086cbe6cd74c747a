//! Particle configurations as extended XYZ, which OVITO and ASE open as they are.
//!
//! The columns carry the names OVITO maps to its own properties (its manual, "XYZ file reader"):
//! `radius`, `velo` (Velocity), `omega` (Angular Velocity), `id` (Particle Identifier). The species
//! is `X`, which ASE knows as "no element". The comment line holds the cell, the time and the
//! strain.

use nalgebra::Vector3;

use super::append::AppendFile;
use super::column::Description;
use super::table::push_number;
use crate::Error;

/// The columns: name, kind and number of values as the comment line has them, unit, meaning.
const PROPERTIES: [(&str, &str, &str, &str); 6] = [
    ("species", "S:1", "text", "X, which is no element"),
    ("pos", "R:3", "a", "centre"),
    ("id", "I:1", "1", "number of the particle, from 0"),
    ("radius", "R:1", "a", "radius"),
    ("velo", "R:3", "a/t", "velocity"),
    ("omega", "R:3", "1/t", "angular velocity"),
];

/// What the comment line of every configuration holds besides: name, unit, meaning.
const COMMENTS: [(&str, &str, &str); 5] = [
    ("Lattice", "a", "the vectors that span the cell; tilted under Lees–Edwards shear"),
    ("Origin", "a", "the corner of the cell from which they start"),
    ("pbc", "flag", "whether the cell repeats along each of them"),
    ("Time", "t", "time"),
    ("strain", "1", "total strain"),
];

/// The columns and comments of a file of configurations.
pub fn columns() -> Vec<Description> {
    let properties = PROPERTIES.map(|(name, _, unit, meaning)| (name, unit, meaning));
    let all = properties.into_iter().chain(COMMENTS);
    all.map(|(name, unit, meaning)| Description {
        name: name.to_owned(),
        unit,
        meaning: meaning.to_owned(),
    })
    .collect()
}

/// One configuration to be written. All slices are equally long.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Centres. `[a]`
    pub positions: &'a [Vector3<f64>],
    /// Radii. `[a]`
    pub radii: &'a [f64],
    /// Velocities. `[γ̇a]`
    pub velocities: &'a [Vector3<f64>],
    /// Angular velocities. `[γ̇]`
    pub spins: &'a [Vector3<f64>],
    /// The vectors that span the cell, one per row; tilted under Lees–Edwards shear. `[a]`
    pub lattice: [[f64; 3]; 3],
    /// The corner of the cell from which the vectors start. `[a]`
    pub origin: [f64; 3],
    /// Whether the cell repeats along each of its vectors.
    pub pbc: [bool; 3],
    /// The accumulated strain. `[1]`
    pub strain: f64,
    /// The time. `[γ̇⁻¹]`
    pub time: f64,
}

/// A growing file of configurations such as `frames.extxyz`.
#[derive(Debug)]
pub struct FrameWriter {
    file: AppendFile,
}

impl FrameWriter {
    /// Goes on at the end of a file.
    pub fn new(file: AppendFile) -> Self {
        Self { file }
    }

    /// Appends one configuration.
    ///
    /// # Panics
    ///
    /// If the slices of the frame are not equally long.
    pub fn write(&mut self, frame: &Frame) -> Result<(), Error> {
        self.file.append(extended_xyz(frame).as_bytes())
    }

    /// The file, for the checkpoint.
    pub fn file(&self) -> &AppendFile {
        &self.file
    }
}

/// The text of one configuration.
pub fn extended_xyz(frame: &Frame) -> String {
    let count = frame.positions.len();
    let lengths = [frame.radii.len(), frame.velocities.len(), frame.spins.len()];
    assert_eq!(lengths, [count; 3], "radii, velocities and spins of {count} particles");
    let mut text = format!("{count}\n{}\n", comment(frame));
    for i in 0..count {
        text.push('X');
        push_numbers(&mut text, frame.positions[i].as_slice());
        text.push_str(&format!(" {i}"));
        push_numbers(&mut text, &[frame.radii[i]]);
        push_numbers(&mut text, frame.velocities[i].as_slice());
        push_numbers(&mut text, frame.spins[i].as_slice());
        text.push('\n');
    }
    text
}

fn comment(frame: &Frame) -> String {
    let listed = |numbers: &[f64]| {
        let mut text = String::new();
        push_numbers(&mut text, numbers);
        text.trim_start().to_string()
    };
    let properties = PROPERTIES.map(|(name, kind, ..)| format!("{name}:{kind}")).join(":");
    let pbc = frame.pbc.map(|periodic| if periodic { "T" } else { "F" }).join(" ");
    format!(
        "Lattice=\"{}\" Origin=\"{}\" pbc=\"{pbc}\" Properties={properties} Time={:?} strain={:?}",
        listed(frame.lattice.as_flattened()),
        listed(&frame.origin),
        frame.time,
        frame.strain,
    )
}

/// Each number after a blank.
fn push_numbers(text: &mut String, numbers: &[f64]) {
    for number in numbers {
        text.push(' ');
        push_number(text, *number);
    }
}

#[cfg(test)]
mod tests {
    use super::super::append::Mark;
    use super::super::scratch::Scratch;
    use super::super::{WhichFrame, read_frame, visit_frames};
    use super::*;
    use std::fs;

    const LATTICE: [[f64; 3]; 3] = [[10.0, 0.0, 0.0], [2.5, 10.0, 0.0], [0.0, 0.0, 12.0]];

    fn frame<'a>(positions: &'a [Vector3<f64>], radii: &'a [f64], strain: f64) -> Frame<'a> {
        Frame {
            positions,
            radii,
            velocities: positions,
            spins: positions,
            lattice: LATTICE,
            origin: [0.0, -5.0, 0.0],
            pbc: [true, true, false],
            strain,
            time: 0.5,
        }
    }

    #[test]
    fn looks_as_ovito_and_ase_expect() {
        let positions = [Vector3::new(1.0, 0.1, -2.0)];
        let text = extended_xyz(&frame(&positions, &[1.4], 0.25));
        let expected = "1\nLattice=\"10 0 0 2.5 10 0 0 0 12\" Origin=\"0 -5 0\" pbc=\"T T F\" \
             Properties=species:S:1:pos:R:3:id:I:1:radius:R:1:velo:R:3:omega:R:3 Time=0.5 strain=0.25\n\
             X 1 0.1 -2 0 1.4 1 0.1 -2 1 0.1 -2\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_written_is_read_to_the_last_bit() {
        let scratch = Scratch::new();
        let path = scratch.file("frames.extxyz");
        let first = [Vector3::new(1.0 / 3.0, 1e-17, -7.25), Vector3::new(3.0, 4.0, 5.0)];
        let last = first.map(|x| x * 1.1);
        let radii = [1.0, 1.4];
        let mut frames = FrameWriter::new(AppendFile::open(&path, Mark::default()).unwrap());
        frames.write(&frame(&first, &radii, 0.0)).unwrap();
        frames.write(&frame(&last, &radii, 1.0)).unwrap();
        assert_eq!(frames.file().length(), fs::metadata(&path).unwrap().len());

        let read = read_frame(&path, WhichFrame::First).unwrap();
        assert_eq!(read.positions, first);
        assert_eq!(read.radii, radii);
        assert_eq!(read.lattice, Some(LATTICE));
        assert_eq!((read.origin, read.pbc), ([0.0, -5.0, 0.0], [true, true, false]));
        assert_eq!(read_frame(&path, WhichFrame::Last).unwrap().positions, last);

        let mut seen = Vec::new();
        let visit = |frame: super::super::Configuration| {
            seen.push((frame.strain, frame.positions));
            Ok(())
        };
        visit_frames(&path, visit).unwrap();
        assert_eq!(seen, [(Some(0.0), first.to_vec()), (Some(1.0), last.to_vec())]);
    }
}
