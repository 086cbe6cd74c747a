//! Data files of LAMMPS (`write_data`) with spheres: sizes are diameters there.

use nalgebra::Vector3;

use super::configuration::{Configuration, Format};
use super::digits::DigitCounter;
use super::lines::{Lines, finite, number, positive};
use crate::Error;

/// What is read of a file.
#[derive(Default)]
struct Header {
    count: Option<usize>,
    /// Lower and upper ends along x, y and z.
    ends: [Option<[f64; 2]>; 3],
    /// xy, xz, yz.
    tilts: [f64; 3],
}

/// Reads a data file, which holds one configuration.
pub(super) fn read(lines: &mut Lines) -> Result<Configuration, Error> {
    // The first line is a comment.
    lines.read()?;
    let mut header = Header::default();
    let mut atoms = None;
    while let Some(line) = lines.read_filled()? {
        let text = line.trim();
        let (words, comment) = text.split_once('#').unwrap_or((text, ""));
        match words.trim() {
            "" => {}
            "Atoms" => atoms = Some(read_atoms(lines, &header, comment.trim())?),
            "Velocities" => match &mut atoms {
                Some(atoms) => read_velocities(lines, atoms)?,
                None => return Err(lines.bad("velocities come before `Atoms`")),
            },
            words => {
                let known = header.read(words).map_err(|e| lines.bad(e))?;
                if !known && words.starts_with(char::is_alphabetic) {
                    skip_section(lines)?;
                }
            }
        }
    }
    let mut read = atoms
        .ok_or_else(|| lines.bad("the file ends behind this line, before the section `Atoms`"))?;
    header.put_into(&mut read).map_err(|e| lines.bad_at(1, e))?;
    read.sort_by_id().map_err(|(line, reason)| lines.bad_at(line, reason))?;
    match read.stray() {
        Some((line, reason)) => Err(lines.bad_at(line, reason)),
        None => Ok(read),
    }
}

impl Header {
    /// Reads a line of the header; whether it is one that matters.
    fn read(&mut self, line: &str) -> Result<bool, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = |count: usize| -> Result<Vec<f64>, String> {
            (0..count).map(|k| number(&words, k)).collect()
        };
        match words[..] {
            [count, "atoms"] => {
                let read = count.parse().ok().filter(|count| *count > 0);
                self.count =
                    Some(read.ok_or_else(|| format!("`{count}` is not a number of atoms"))?);
            }
            [_, _, "xlo", "xhi"] | [_, _, "ylo", "yhi"] | [_, _, "zlo", "zhi"] => {
                let axis = ["xlo", "ylo", "zlo"].iter().position(|n| *n == words[2]);
                let ends = numbers(2)?;
                if ends[1] <= ends[0] {
                    return Err(format!("the box has no extent: {} to {}", ends[0], ends[1]));
                }
                self.ends[axis.unwrap_or_default()] = Some([ends[0], ends[1]]);
            }
            [_, _, _, "xy", "xz", "yz"] => self.tilts.copy_from_slice(&numbers(3)?),
            [_, _, _, "avec" | "bvec" | "cvec"] => {
                return Err("boxes of any orientation (`avec`) are not read; \
                            write the file without `triclinic/general`"
                    .to_owned());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn put_into(&self, read: &mut Configuration) -> Result<(), String> {
        let mut ends = [[0.0; 2]; 3];
        for ((to, from), axis) in ends.iter_mut().zip(&self.ends).zip(["x", "y", "z"]) {
            *to = from.ok_or_else(|| format!("no `{axis}lo {axis}hi` in the header"))?;
        }
        let [xy, xz, yz] = self.tilts;
        let [x, y, z] = ends.map(|[low, high]| high - low);
        read.lattice = Some([[x, 0.0, 0.0], [xy, y, 0.0], [xz, yz, z]]);
        read.origin = ends.map(|[low, _]| low);
        // A data file does not say how the box ends.
        read.pbc = [true; 3];
        Ok(())
    }
}

/// Where the columns of a style begin: the diameter; the density and the position follow.
fn diameter_column(style: &str, columns: usize) -> Result<usize, String> {
    match style {
        "sphere" => Ok(2),
        "bpm/sphere" => Ok(3),
        "" if columns == 7 || columns == 10 => Ok(2),
        "" => Err(format!(
            "has {columns} columns, and atoms of style sphere 7 or 10; \
             name the style, `Atoms # sphere`"
        )),
        _ if style.starts_with("hybrid") => Err(format!(
            "atoms of mixed styles (`{style}`) are not read; write a dump with \
             id radius x y z instead"
        )),
        _ => Err(format!(
            "atoms of style `{style}` have no diameter; take `atom_style sphere`, \
             id type diameter density x y z"
        )),
    }
}

fn read_atoms(lines: &mut Lines, header: &Header, style: &str) -> Result<Configuration, Error> {
    let count = header.count.ok_or_else(|| lines.bad("the header names no number of `atoms`"))?;
    if !style.is_empty() {
        diameter_column(style, 0).map_err(|e| lines.bad(e))?;
    }
    let mut read = Configuration::new(Format::LammpsData);
    let mut digits = DigitCounter::default();
    while read.len() < count {
        let atom = read.len() + 1;
        let line = lines.next(&format!("atom {atom} of {count}"))?;
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        if finite(words[0]).is_none() {
            return Err(
                lines.bad(format!("expected atom {atom} of {count}, found `{}`", line.trim()))
            );
        }
        add_atom(&words, style, &mut read, &mut digits).map_err(|e| lines.bad(e))?;
        read.lines.push(lines.line);
    }
    read.precision = digits.precision(1.0);
    Ok(read)
}

fn add_atom(
    words: &[&str],
    style: &str,
    read: &mut Configuration,
    digits: &mut DigitCounter,
) -> Result<(), String> {
    let size = diameter_column(style, words.len())?;
    let wanted = size + 5;
    if words.len() != wanted && words.len() != wanted + 3 {
        let found = words.len();
        return Err(format!(
            "has {found} columns, and an atom of style sphere has {wanted}: id type diameter \
             density x y z, and perhaps three image flags"
        ));
    }
    read.ids.push(id(words[0])?);
    let kind = words[1].parse();
    read.types.push(kind.map_err(|_| format!("the type `{}` is not a whole number", words[1]))?);
    read.radii.push(positive(0.5 * number(words, size)?)?);
    let at = size + 2;
    let position = Vector3::new(number(words, at)?, number(words, at + 1)?, number(words, at + 2)?);
    (0..3).for_each(|k| digits.add(words[at + k], position[k]));
    read.positions.push(position);
    Ok(())
}

fn id(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("the id `{word}` is not a whole number"))
}

/// Velocities and spins, in an order of their own.
fn read_velocities(lines: &mut Lines, atoms: &mut Configuration) -> Result<(), Error> {
    let count = atoms.len();
    let place: std::collections::HashMap<u64, usize> = atoms.ids.iter().copied().zip(0..).collect();
    let mut velocities = vec![Vector3::zeros(); count];
    let mut spins = vec![Vector3::zeros(); count];
    let mut turns = false;
    let mut found = 0;
    let mut digits = DigitCounter::default();
    while found < count {
        let line = lines.next(&format!("the velocity {} of {count}", found + 1))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        if words.len() != 4 && words.len() != 7 {
            let columns = words.len();
            return Err(
                lines.bad(format!("has {columns} columns, and a velocity 7: id vx vy vz wx wy wz"))
            );
        }
        let k = id(words[0]).map_err(|e| lines.bad(e))?;
        let k = *place.get(&k).ok_or_else(|| lines.bad(format!("there is no atom {k}")))?;
        for (axis, column) in (1..words.len()).enumerate() {
            let value = number(&words, column).map_err(|e| lines.bad(e))?;
            let to = if axis < 3 { &mut velocities } else { &mut spins };
            to[k][axis % 3] = value;
            digits.add(words[column], value);
        }
        turns |= words.len() == 7;
        found += 1;
    }
    atoms.velocity_digits = digits.digits();
    atoms.velocities = Some(velocities);
    atoms.spins = turns.then_some(spins);
    Ok(())
}

/// Passes over a section that does not matter: `Masses`, `Pair Coeffs`, …, up to the next but one
/// blank line.
fn skip_section(lines: &mut Lines) -> Result<(), Error> {
    lines.read()?;
    while let Some(line) = lines.read()? {
        if line.trim().is_empty() {
            break;
        }
    }
    Ok(())
}
