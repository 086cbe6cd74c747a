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
    ("velo", "R:3", "a/t", "velocity at this instant"),
    ("omega", "R:3", "1/t", "angular velocity at this instant"),
];

/// How many of them say how particles move.
const MOTIONS: usize = 2;

/// What the comment line says of velocities that are not those of the instant.
pub(super) const MEAN_OF_STEP: &str = "mean-of-step";

/// What the comment line of every configuration holds besides: name, unit, meaning.
const COMMENTS: [(&str, &str, &str); 8] = [
    ("Lattice", "a", "the vectors that span the cell; tilted under Lees–Edwards shear"),
    ("Origin", "a", "the corner of the cell from which they start"),
    ("pbc", "flag", "whether the cell repeats along each of them"),
    ("Time", "t", "time"),
    ("strain", "1", "total strain"),
    ("stiffness", "μγ̇a", "normal stiffness of contacts, where there are springs"),
    ("rate", "1/t", "rates of the imposed flow along x and along z"),
    (
        "velocities",
        "text",
        "instant: forces balance at these velocities in this configuration, or particles have a \
         mass; mean-of-step: means over the last step, where contacts are gluey or no balance was \
         found",
    ),
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
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// Centres. `[a]`
    pub positions: &'a [Vector3<f64>],
    /// Radii. `[a]`
    pub radii: &'a [f64],
    /// How they move; none where nothing is known of it.
    pub motion: Option<FrameMotion<'a>>,
    /// Columns of one's own.
    pub more: &'a [MoreColumn<'a>],
    /// The ids; the places in the frame if there are none.
    pub ids: &'a [u64],
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
    /// The normal stiffness of contacts; none where there are no springs. `[μγ̇a]`
    pub stiffness: Option<f64>,
}

/// How the particles of a frame move.
#[derive(Debug, Clone, Copy)]
pub struct FrameMotion<'a> {
    /// Velocities. `[γ̇a]`
    pub velocities: &'a [Vector3<f64>],
    /// Angular velocities. `[γ̇]`
    pub spins: &'a [Vector3<f64>],
    /// Rates of the imposed flow along x and along z. `[1/t]`
    pub rate: [f64; 2],
    /// Whether they are those of the instant; else they are means over a step.
    pub of_instant: bool,
}

/// A column that is written behind the others.
#[derive(Debug, Clone, Copy)]
pub struct MoreColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values.
    pub values: Values<'a>,
}

/// The values of a column.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// A number for every particle.
    Numbers(&'a [f64]),
    /// A vector for every particle.
    Vectors(&'a [Vector3<f64>]),
}

impl Values<'_> {
    /// As the comment line has them.
    fn kind(&self) -> &'static str {
        match self {
            Values::Numbers(_) => "R:1",
            Values::Vectors(_) => "R:3",
        }
    }

    fn of(&self, k: usize) -> &[f64] {
        match self {
            Values::Numbers(numbers) => std::slice::from_ref(&numbers[k]),
            Values::Vectors(vectors) => vectors[k].as_slice(),
        }
    }
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
    let moving = frame.motion.map_or([count; 2], |m| [m.velocities.len(), m.spins.len()]);
    let lengths = [frame.radii.len(), moving[0], moving[1]];
    assert_eq!(lengths, [count; 3], "radii, velocities and spins of {count} particles");
    let mut text = format!("{count}\n{}\n", comment(frame));
    for i in 0..count {
        text.push('X');
        push_numbers(&mut text, frame.positions[i].as_slice());
        text.push_str(&format!(" {}", frame.ids.get(i).copied().unwrap_or(i as u64)));
        push_numbers(&mut text, &[frame.radii[i]]);
        if let Some(motion) = &frame.motion {
            push_numbers(&mut text, motion.velocities[i].as_slice());
            push_numbers(&mut text, motion.spins[i].as_slice());
        }
        frame.more.iter().for_each(|column| push_numbers(&mut text, column.values.of(i)));
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
    let known = PROPERTIES.len() - if frame.motion.is_some() { 0 } else { MOTIONS };
    let properties = PROPERTIES[..known].iter().map(|(name, kind, ..)| format!("{name}:{kind}"));
    let more = frame.more.iter().map(|column| format!("{}:{}", column.name, column.values.kind()));
    let properties = properties.chain(more).collect::<Vec<_>>().join(":");
    let pbc = frame.pbc.map(|periodic| if periodic { "T" } else { "F" }).join(" ");
    let mut comment = format!(
        "Lattice=\"{}\" Origin=\"{}\" pbc=\"{pbc}\" Properties={properties} Time={:?} strain={:?}",
        listed(frame.lattice.as_flattened()),
        listed(&frame.origin),
        frame.time,
        frame.strain,
    );
    if let Some(stiffness) = frame.stiffness {
        comment += &format!(" stiffness={stiffness:?}");
    }
    if let Some(motion) = &frame.motion {
        let velocities = if motion.of_instant { "instant" } else { MEAN_OF_STEP };
        comment += &format!(" rate=\"{}\" velocities={velocities}", listed(&motion.rate));
    }
    comment
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
    use super::super::{Moment, WhichFrame, read_frame, visit_frames};
    use super::*;
    use std::fs;

    const LATTICE: [[f64; 3]; 3] = [[10.0, 0.0, 0.0], [2.5, 10.0, 0.0], [0.0, 0.0, 12.0]];

    fn frame<'a>(positions: &'a [Vector3<f64>], radii: &'a [f64], strain: f64) -> Frame<'a> {
        Frame {
            positions,
            radii,
            motion: Some(FrameMotion {
                velocities: positions,
                spins: positions,
                rate: [2.0, 0.0],
                of_instant: strain > 0.0,
            }),
            lattice: LATTICE,
            origin: [0.0, -5.0, 0.0],
            pbc: [true, true, false],
            strain,
            time: 0.5,
            stiffness: Some(1e4),
            ..Frame::default()
        }
    }

    #[test]
    fn looks_as_ovito_and_ase_expect() {
        let positions = [Vector3::new(1.0, 0.1, -2.0)];
        let text = extended_xyz(&frame(&positions, &[1.4], 0.25));
        let expected = "1\nLattice=\"10 0 0 2.5 10 0 0 0 12\" Origin=\"0 -5 0\" pbc=\"T T F\" \
             Properties=species:S:1:pos:R:3:id:I:1:radius:R:1:velo:R:3:omega:R:3 Time=0.5 \
             strain=0.25 stiffness=10000.0 rate=\"2 0\" velocities=instant\n\
             X 1 0.1 -2 0 1.4 1 0.1 -2 1 0.1 -2\n";
        assert_eq!(text, expected);
        let more = [
            MoreColumn { name: "size", values: Values::Numbers(&[2.5]) },
            MoreColumn { name: "apart", values: Values::Vectors(&positions) },
        ];
        let still =
            Frame { motion: None, more: &more, ids: &[7], ..frame(&positions, &[1.4], 0.25) };
        let expected = "1\nLattice=\"10 0 0 2.5 10 0 0 0 12\" Origin=\"0 -5 0\" pbc=\"T T F\" \
             Properties=species:S:1:pos:R:3:id:I:1:radius:R:1:size:R:1:apart:R:3 Time=0.5 \
             strain=0.25 stiffness=10000.0\nX 1 0.1 -2 7 1.4 2.5 1 0.1 -2\n";
        assert_eq!(extended_xyz(&still), expected);
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
        let moment = Moment {
            strain: Some(0.0),
            time: Some(0.5),
            step: None,
            rate: Some([2.0, 0.0]),
            stiffness: Some(1e4),
            averaged: true,
        };
        assert_eq!(read.moment, moment);
        let read = read_frame(&path, WhichFrame::Last).unwrap();
        assert_eq!((&read.positions[..], read.moment.averaged), (&last[..], false));

        let mut seen = Vec::new();
        let visit = |frame: super::super::Configuration| {
            seen.push((frame.moment.strain, frame.positions));
            Ok(())
        };
        visit_frames(&path, visit).unwrap();
        assert_eq!(seen, [(Some(0.0), first.to_vec()), (Some(1.0), last.to_vec())]);
    }
}
