//! Particles as they are in a file, whatever program wrote it.

use std::fmt;

use nalgebra::{Matrix3, Vector3};

use super::digits::Precision;

/// How many boxes a particle may be outside of its own and still be one of it.
const OUTSIDE: f64 = 0.5;

/// Who writes files of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Extended XYZ: this program, ASE, OVITO.
    ExtendedXyz,
    /// A LAMMPS data file, `write_data`.
    LammpsData,
    /// A text dump of LAMMPS, `dump custom`.
    LammpsDump,
    /// A text export of Yade, `export.text` and `export.textExt`.
    Yade,
    /// A configuration of LF_DEM.
    LfDem,
    /// Snapshots of LF_DEM, `par_*.dat`.
    LfDemPar,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::ExtendedXyz => "extended XYZ",
            Format::LammpsData => "LAMMPS data file",
            Format::LammpsDump => "LAMMPS dump",
            Format::Yade => "Yade text export",
            Format::LfDem => "LF_DEM configuration",
            Format::LfDemPar => "LF_DEM snapshot",
        })
    }
}

/// Particles read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// The kind of file.
    pub format: Format,
    /// Centres, as in the file. `[a]`
    pub positions: Vec<Vector3<f64>>,
    /// Radii. `[a]`
    pub radii: Vec<f64>,
    /// Velocities; absent if the file has none. `[a/t]`
    pub velocities: Option<Vec<Vector3<f64>>>,
    /// Angular velocities; absent if the file has none. `[1/t]`
    pub spins: Option<Vec<Vector3<f64>>>,
    /// The names of the particles: their ids in the file, or their places in it.
    pub ids: Vec<u64>,
    /// The line of each particle.
    pub lines: Vec<u64>,
    /// The vectors that span the cell, one per row; absent if the file names none. `[a]`
    pub lattice: Option<[[f64; 3]; 3]>,
    /// The corner of the cell from which the vectors start. `[a]`
    pub origin: [f64; 3],
    /// Where the flow vanishes; at the corner of the cell if absent. `[a]`
    pub still: Option<[f64; 3]>,
    /// Whether the cell repeats along each of its vectors.
    pub pbc: [bool; 3],
    /// When it was, and what was imposed then.
    pub moment: Moment,
    /// How finely centres were written; absent if nothing can be said.
    pub precision: Option<Precision>,
    /// Significant digits of velocities; absent if nothing can be said.
    pub velocity_digits: Option<usize>,
    /// The types of atoms of LAMMPS; empty if the file names none.
    pub types: Vec<u32>,
}

/// What a file says of the instant that it shows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moment {
    /// The accumulated strain. `[1]`
    pub strain: Option<f64>,
    /// The time. `[t]`
    pub time: Option<f64>,
    /// The number of the step in LAMMPS.
    pub step: Option<u64>,
    /// Rates of the imposed flow along x and along z; only this program tells them. `[1/t]`
    pub rate: Option<[f64; 2]>,
    /// The normal stiffness of contacts; only this program tells it. `[μγ̇a]`
    pub stiffness: Option<f64>,
    /// Whether velocities are means over a step, so that nothing balances in this instant.
    pub averaged: bool,
}

impl Configuration {
    /// An empty one.
    pub(super) fn new(format: Format) -> Self {
        Configuration {
            format,
            positions: Vec::new(),
            radii: Vec::new(),
            velocities: None,
            spins: None,
            ids: Vec::new(),
            lines: Vec::new(),
            lattice: None,
            origin: [0.0; 3],
            still: None,
            pbc: [false; 3],
            moment: Moment::default(),
            precision: None,
            velocity_digits: None,
            types: Vec::new(),
        }
    }

    /// The number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no particle at all.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The edges of the cell, in columns `[a]`.
    pub fn edges(&self) -> Option<Matrix3<f64>> {
        self.lattice.map(|rows| Matrix3::from_columns(&rows.map(Vector3::from)))
    }

    /// A particle that is too far outside of the box to be one of it: its line, and what to say.
    pub(super) fn stray(&self) -> Option<(u64, String)> {
        let inverse = self.edges()?.try_inverse()?;
        let origin = Vector3::from(self.origin);
        for (k, x) in self.positions.iter().enumerate() {
            let share = inverse * (x - origin);
            for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                let beyond = (share[axis] - 0.5).abs() - 0.5;
                if self.pbc[axis] && beyond > OUTSIDE {
                    let id = self.ids[k];
                    let unwrapped = match self.format {
                        Format::LammpsDump => {
                            ", or the coordinates are unwrapped and not called so (xu yu zu)"
                        }
                        _ => "",
                    };
                    let reason = format!(
                        "atom {id} is {beyond:.3} boxes outside of the box along {name}; \
                         the box and the coordinates are not of the same configuration{unwrapped}"
                    );
                    return Some((self.lines[k], reason));
                }
            }
        }
        None
    }

    /// Puts the particles in ascending order of their ids; the line and id of one that is there
    /// twice.
    pub(super) fn sort_by_id(&mut self) -> Result<(), (u64, String)> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|k| (self.ids[*k], self.lines[*k]));
        if let Some(twice) = order.windows(2).find(|w| self.ids[w[0]] == self.ids[w[1]]) {
            let (id, first) = (self.ids[twice[0]], self.lines[twice[0]]);
            let reason = format!("atom {id} is there twice: here and in line {first}");
            return Err((self.lines[twice[1]], reason));
        }
        fn sorted<T: Copy>(values: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|k| values[*k]).collect()
        }
        self.positions = sorted(&self.positions, &order);
        self.radii = sorted(&self.radii, &order);
        self.velocities = self.velocities.take().map(|v| sorted(&v, &order));
        self.spins = self.spins.take().map(|v| sorted(&v, &order));
        self.ids = sorted(&self.ids, &order);
        self.lines = sorted(&self.lines, &order);
        if !self.types.is_empty() {
            self.types = sorted(&self.types, &order);
        }
        Ok(())
    }
}
