//! Configurations as LAMMPS reads them: data files and dumps, with all digits.

use std::fmt::Write;

use nalgebra::Vector3;

use super::configuration::Configuration;

/// What is written for LAMMPS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LammpsFile {
    /// For `read_data` with `atom_style sphere`.
    Data,
    /// For `read_dump`, OVITO and others.
    Dump,
}

/// The density that is written: LAMMPS needs one.
const DENSITY: f64 = 1.0;

/// Radii that differ by less are the same, relative to them.
const SAME_RADIUS: f64 = 1e-9;

/// Most types of atoms: with more sizes than that, all spheres are of one type.
const MOST_TYPES: usize = 20;

/// Types of atoms, one per size.
#[derive(Debug, Clone, PartialEq)]
pub struct AtomTypes {
    /// The type of every particle, counted from 1.
    pub of: Vec<usize>,
    /// The radius of every type, the smallest first; none where there are too many sizes for
    /// types of their own. `[a]`
    pub radii: Vec<f64>,
}

impl AtomTypes {
    /// Of radii.
    pub fn new(radii: &[f64]) -> Self {
        let mut sizes = radii.to_vec();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup_by(|b, a| *b - *a <= SAME_RADIUS * *a);
        if sizes.len() > MOST_TYPES {
            return AtomTypes { of: vec![1; radii.len()], radii: Vec::new() };
        }
        // The largest size that is not above the radius.
        let of = |radius: &f64| sizes.partition_point(|size| size <= radius).max(1);
        AtomTypes { of: radii.iter().map(of).collect(), radii: sizes }
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.radii.len().max(1)
    }
}

/// The text of a configuration.
///
/// # Errors
///
/// When the box is not one of LAMMPS: the first edge along x, the second in the plane of x and y.
pub fn lammps(read: &Configuration, file: LammpsFile) -> Result<String, String> {
    let cell = Bounds::of(read)?;
    Ok(match file {
        LammpsFile::Data => data(read, &cell),
        LammpsFile::Dump => dump(read, &cell),
    })
}

/// A box with its lower corner, its lengths and xy, xz, yz.
struct Bounds {
    corner: [f64; 3],
    lengths: [f64; 3],
    tilts: [f64; 3],
    ends: &'static str,
    tilted: bool,
}

impl Bounds {
    fn of(read: &Configuration) -> Result<Self, String> {
        let Some(l) = read.lattice.filter(|l| l.iter().flatten().any(|x| *x != 0.0)) else {
            return Ok(Self::around(read));
        };
        let size = l[0][0].max(l[1][1]).max(l[2][2]);
        let above = [l[0][1], l[0][2], l[1][2]];
        if above.iter().any(|x| x.abs() > 1e-12 * size) {
            return Err(
                "the box is not one of LAMMPS, whose first edge is along x and whose second \
                        is in the plane of x and y; take a frame of a run without extension and \
                        without drive.cross"
                    .to_owned(),
            );
        }
        if read.pbc != [true; 3] {
            return Err("the box does not repeat in every direction".to_owned());
        }
        let tilts = [l[1][0], l[2][0], l[2][1]];
        Ok(Self {
            corner: read.origin,
            lengths: [l[0][0], l[1][1], l[2][2]],
            tilts,
            ends: "pp pp pp",
            tilted: true,
        })
    }

    /// In open space: a box around all spheres that does not repeat.
    fn around(read: &Configuration) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for (x, radius) in read.positions.iter().zip(&read.radii) {
            for k in 0..3 {
                low[k] = low[k].min(x[k] - radius);
                high[k] = high[k].max(x[k] + radius);
            }
        }
        let lengths = [0, 1, 2].map(|k| high[k] - low[k]);
        Self { corner: low, lengths, tilts: [0.0; 3], ends: "ff ff ff", tilted: false }
    }

    fn upper(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| self.corner[k] + self.lengths[k])
    }
}

/// A number with 17 significant digits, which reads back to the same bits.
fn exact(value: f64) -> String {
    format!("{value:.16e}")
}

fn listed(vector: &Vector3<f64>) -> String {
    [vector.x, vector.y, vector.z].map(exact).join(" ")
}

/// Ids as LAMMPS wants them: from 1.
fn ids(read: &Configuration) -> impl Iterator<Item = u64> {
    let shift = u64::from(read.ids.contains(&0));
    read.ids.iter().map(move |id| id + shift)
}

fn data(read: &Configuration, cell: &Bounds) -> String {
    let mut text = String::from("LAMMPS data file: spheres, one type of atoms per size\n\n");
    let types = AtomTypes::new(&read.radii);
    let _ = writeln!(text, "{} atoms\n{} atom types\n", read.len(), types.count());
    for (axis, (low, high)) in ["x", "y", "z"].iter().zip(cell.corner.iter().zip(cell.upper())) {
        let _ = writeln!(text, "{} {} {axis}lo {axis}hi", exact(*low), exact(high));
    }
    if cell.tilted {
        let _ = writeln!(text, "{} xy xz yz", cell.tilts.map(exact).join(" "));
    }
    text.push_str("\nAtoms # sphere\n\n");
    for (k, id) in ids(read).enumerate() {
        let (x, kind, diameter) = (&read.positions[k], types.of[k], exact(2.0 * read.radii[k]));
        let _ = writeln!(text, "{id} {kind} {diameter} {DENSITY} {}", listed(x));
    }
    if let Some(velocities) = &read.velocities {
        text.push_str("\nVelocities\n\n");
        for (k, id) in ids(read).enumerate() {
            let spin = read.spins.as_ref().map_or(Vector3::zeros(), |spins| spins[k]);
            let _ = writeln!(text, "{id} {} {}", listed(&velocities[k]), listed(&spin));
        }
    }
    text
}

fn dump(read: &Configuration, cell: &Bounds) -> String {
    let mut text = String::from("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n");
    let _ = writeln!(text, "{}", read.len());
    let [xy, xz, yz] = cell.tilts;
    let around = [[0.0, xy, xz, xy + xz], [0.0, 0.0, 0.0, yz], [0.0; 4]];
    let tilts = if cell.tilted { "xy xz yz " } else { "" };
    let _ = writeln!(text, "ITEM: BOX BOUNDS {tilts}{}", cell.ends);
    for (k, high) in cell.upper().into_iter().enumerate() {
        let low = cell.corner[k] + around[k].iter().copied().fold(0.0, f64::min);
        let high = high + around[k].iter().copied().fold(0.0, f64::max);
        let tilt = if cell.tilted { format!(" {}", exact(cell.tilts[k])) } else { String::new() };
        let _ = writeln!(text, "{} {}{tilt}", exact(low), exact(high));
    }
    text.push_str("ITEM: ATOMS id type radius x y z");
    let further = [(&read.velocities, " vx vy vz"), (&read.spins, " omegax omegay omegaz")];
    let further = further.into_iter().filter_map(|(values, names)| Some((values.as_ref()?, names)));
    further.clone().for_each(|(_, names)| text.push_str(names));
    text.push('\n');
    let types = AtomTypes::new(&read.radii);
    for (k, id) in ids(read).enumerate() {
        let (x, radius) = (listed(&read.positions[k]), exact(read.radii[k]));
        let _ = write!(text, "{id} {} {radius} {x}", types.of[k]);
        further.clone().for_each(|(values, _)| {
            let _ = write!(text, " {}", listed(&values[k]));
        });
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_a_type_of_its_own() {
        let types = AtomTypes::new(&[1.4, 1.0, 1.0 + 1e-12, 1.4, 2.0]);
        assert_eq!(types.of, [2, 1, 1, 2, 3]);
        assert_eq!(types.radii, [1.0, 1.4, 2.0]);
        let many: Vec<f64> = (0..30).map(|k| 1.0 + 0.01 * f64::from(k)).collect();
        let types = AtomTypes::new(&many);
        assert!(types.radii.is_empty() && types.of.iter().all(|kind| *kind == 1));
    }
}
