//! Text exports of Yade, `export.text` and `export.textExt`: centres and radii, perhaps velocities,
//! never a box.

use nalgebra::Vector3;

use super::configuration::{Configuration, Format};
use super::digits::DigitCounter;
use super::lines::{Lines, number, positive};
use crate::Error;

/// Reads an export, which holds one configuration.
pub(super) fn read(lines: &mut Lines) -> Result<Configuration, Error> {
    let first = lines.next("`#format x_y_z_r`")?;
    let format = first.trim().strip_prefix("#format").unwrap_or_default().trim().to_owned();
    let mut columns: Vec<String> = format.split('_').map(str::to_owned).collect();
    if columns.len() < 4 || columns[..4] != ["x", "y", "z", "r"] {
        return Err(lines.bad(format!(
            "the format `{format}` does not begin with x_y_z_r; export it with \
             export.text(FILE), or export.textExt(FILE, format='x_y_z_r')"
        )));
    }
    let attributes = columns.last().is_some_and(|last| last == "attrs");
    let mut read = Configuration::new(Format::Yade);
    let mut digits = [DigitCounter::default(), DigitCounter::default()];
    while let Some(line) = lines.read_filled()? {
        if let Some(comment) = line.trim().strip_prefix('#') {
            let names: Vec<String> = comment.split_whitespace().map(str::to_owned).collect();
            if names.len() >= 4 && names[..4] == ["x", "y", "z", "r"] {
                if !read.is_empty() && names != columns {
                    return Err(lines.bad("names other columns after the first sphere"));
                }
                columns = names;
                check_vectors(&columns).map_err(|e| lines.bad(e))?;
            }
            continue;
        }
        let open = attributes && columns.last().is_some_and(|last| last == "attrs");
        add(&line, &columns, open, &mut read, &mut digits).map_err(|e| lines.bad(e))?;
        read.ids.push(read.lines.len() as u64);
        read.lines.push(lines.line);
    }
    if read.is_empty() {
        return Err(lines.bad("the file ends behind this line, before the first sphere"));
    }
    read.precision = digits[0].precision(1.0);
    read.velocity_digits = digits[1].digits();
    Ok(read)
}

/// The components of velocity and spin.
const VECTORS: [[&str; 3]; 2] = [["vx", "vy", "vz"], ["wx", "wy", "wz"]];

/// A velocity or a spin has all three components, side by side, or none.
fn check_vectors(columns: &[String]) -> Result<(), String> {
    for vector in VECTORS {
        let some = columns.iter().any(|name| vector.contains(&name.as_str()));
        if some && !columns.windows(3).any(|names| names == vector) {
            let (names, wanted) = (columns.join(" "), vector.join(" "));
            return Err(format!("`{names}` has not all of `{wanted}`, side by side"));
        }
    }
    Ok(())
}

/// Adds the sphere of a line; `open` if nobody says how many columns there are.
fn add(
    line: &str,
    columns: &[String],
    open: bool,
    read: &mut Configuration,
    digits: &mut [DigitCounter; 2],
) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if (!open && words.len() != columns.len()) || words.len() < 4 {
        let (found, wanted) = (words.len(), columns.len());
        return Err(format!("has {found} columns where `{}` names {wanted}", columns.join(" ")));
    }
    let vector = |at: usize| -> Result<Vector3<f64>, String> {
        Ok(Vector3::new(number(&words, at)?, number(&words, at + 1)?, number(&words, at + 2)?))
    };
    let position = vector(0)?;
    (0..3).for_each(|k| digits[0].add(words[k], position[k]));
    read.positions.push(position);
    read.radii.push(positive(number(&words, 3)?)?);
    let triple = |first: [&str; 3]| {
        let at = columns.windows(3).position(|names| names == first);
        at.filter(|at| at + 2 < words.len())
    };
    if let Some(at) = triple(VECTORS[0]) {
        let velocity = vector(at)?;
        (0..3).for_each(|k| digits[1].add(words[at + k], velocity[k]));
        read.velocities.get_or_insert_default().push(velocity);
    }
    if let Some(at) = triple(VECTORS[1]) {
        read.spins.get_or_insert_default().push(vector(at)?);
    }
    Ok(())
}
