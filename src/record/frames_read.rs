//! Configurations from extended XYZ files, written by this program or any other.

use nalgebra::Vector3;

use super::configuration::{Configuration, Format, Moment};
use super::digits::DigitCounter;
use super::frames::MEAN_OF_STEP;
use super::lines::{Lines, finite, number, positive};
use crate::Error;

/// The number of particles that begins a frame; `None` at the end of the file.
fn count(lines: &mut Lines) -> Result<Option<usize>, Error> {
    let Some(line) = lines.read_filled()? else { return Ok(None) };
    let text = line.trim();
    match text.parse() {
        Ok(0) => Err(lines.bad("the frame holds no particles")),
        Ok(count) => Ok(Some(count)),
        Err(_) => Err(lines.bad(format!("expected the number of particles, found `{text}`"))),
    }
}

/// The next frame, which needs the columns `pos:R:3` and `radius:R:1`; `None` at the end of the
/// file.
pub(super) fn frame(lines: &mut Lines) -> Result<Option<Configuration>, Error> {
    let Some(count) = count(lines)? else { return Ok(None) };
    let header = Header::parse(&lines.next("the comment line")?).map_err(|e| lines.bad(e))?;
    let Header { columns, lattice, origin, pbc, moment } = header;
    let mut frame = Configuration::new(Format::ExtendedXyz);
    let mut digits = [DigitCounter::default(), DigitCounter::default()];
    for particle in 1..=count {
        let line = lines.next(&format!("particle {particle} of {count}"))?;
        columns.parse(&line, &mut frame, &mut digits).map_err(|e| lines.bad(e))?;
        frame.lines.push(lines.line);
    }
    let (precision, velocity_digits) = (digits[0].precision(1.0), digits[1].digits());
    Ok(Some(Configuration { lattice, origin, pbc, moment, precision, velocity_digits, ..frame }))
}

/// What the comment line says.
struct Header {
    columns: Columns,
    lattice: Option<[[f64; 3]; 3]>,
    origin: [f64; 3],
    pbc: [bool; 3],
    moment: Moment,
}

impl Header {
    fn parse(comment: &str) -> Result<Self, String> {
        let pairs = key_values(comment)?;
        let find = |key: &str| {
            pairs.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v.as_str())
        };
        let properties = find("Properties").ok_or(
            "no Properties=… in this line: extended XYZ names pos:R:3 and radius:R:1 there",
        )?;
        let lattice = find("Lattice").map(|text| numbers::<9>("Lattice", text)).transpose()?;
        let origin = find("Origin").map(|text| numbers::<3>("Origin", text)).transpose()?;
        let pbc = find("pbc").map(flags).transpose()?;
        Ok(Self {
            columns: Columns::find(properties)?,
            lattice: lattice.map(|l| [[l[0], l[1], l[2]], [l[3], l[4], l[5]], [l[6], l[7], l[8]]]),
            origin: origin.unwrap_or_default(),
            pbc: pbc.unwrap_or([lattice.is_some(); 3]),
            moment: Moment {
                strain: find("strain").and_then(finite),
                time: find("Time").and_then(finite),
                step: None,
                rate: find("rate").and_then(|text| numbers::<2>("rate", text).ok()),
                stiffness: find("stiffness").and_then(finite).filter(|k| *k > 0.0),
                averaged: find("velocities") == Some(MEAN_OF_STEP),
            },
        })
    }
}

/// The `key=value` and `key="value"` of a comment line.
fn key_values(comment: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = comment.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => value(key, after)?,
            None => ("T", after),
        };
        pairs.push((key.to_string(), value.to_string()));
        rest = after.trim_start();
    }
    Ok(pairs)
}

/// The value at the beginning of a text, and what is behind it.
fn value<'a>(key: &str, text: &'a str) -> Result<(&'a str, &'a str), String> {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').ok_or(format!("the quotes of {key} do not close")),
        None => Ok(text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))),
    }
}

fn numbers<const N: usize>(key: &str, text: &str) -> Result<[f64; N], String> {
    let read: Option<Vec<f64>> = text.split_whitespace().map(finite).collect();
    let array = read.and_then(|read| read.try_into().ok());
    array.ok_or_else(|| format!("{key} needs {N} numbers, found `{text}`"))
}

fn flags(text: &str) -> Result<[bool; 3], String> {
    let flag = |word: &str| match word {
        "T" | "1" | "True" | "true" => Some(true),
        "F" | "0" | "False" | "false" => Some(false),
        _ => None,
    };
    let read: Option<Vec<bool>> = text.split_whitespace().map(flag).collect();
    let array = read.and_then(|read| read.try_into().ok());
    array.ok_or_else(|| format!("pbc needs three of T and F, found `{text}`"))
}

/// Where in a particle's line its numbers are.
struct Columns {
    position: usize,
    radius: usize,
    velocity: Option<usize>,
    spin: Option<usize>,
    id: Option<usize>,
    total: usize,
}

impl Columns {
    /// Finds the columns in `name:type:count:name:type:count:…`.
    fn find(properties: &str) -> Result<Self, String> {
        let words: Vec<&str> = properties.split(':').collect();
        let [mut position, mut radius, mut velocity, mut spin, mut id] = [None; 5];
        let mut total = 0;
        for triple in words.chunks(3) {
            let &[name, kind, count] = triple else {
                return Err(format!("Properties={properties} is not made of name:type:count"));
            };
            let width: usize = count
                .parse()
                .map_err(|_| format!("`{count}` in Properties is not a number of columns"))?;
            match (name.to_ascii_lowercase().as_str(), kind, width) {
                ("pos", "R", 3) => position = Some(total),
                ("radius", "R", 1) => radius = Some(total),
                ("velo" | "vel" | "velocity" | "velocities", "R", 3) => velocity = Some(total),
                ("omega" | "angular_velocity", "R", 3) => spin = Some(total),
                ("id", "I", 1) => id = Some(total),
                _ => {}
            }
            total += width;
        }
        let missing = |column| format!("no column {column} in Properties={properties}");
        Ok(Self {
            position: position.ok_or_else(|| missing("pos:R:3"))?,
            radius: radius.ok_or_else(|| missing("radius:R:1"))?,
            velocity,
            spin,
            id,
            total,
        })
    }

    /// Adds the particle of a line.
    fn parse(
        &self,
        line: &str,
        to: &mut Configuration,
        digits: &mut [DigitCounter; 2],
    ) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != self.total {
            return Err(format!(
                "has {} columns where Properties names {}",
                words.len(),
                self.total
            ));
        }
        let vector = |c: usize| -> Result<Vector3<f64>, String> {
            Ok(Vector3::new(number(&words, c)?, number(&words, c + 1)?, number(&words, c + 2)?))
        };
        to.radii.push(positive(number(&words, self.radius)?)?);
        let position = vector(self.position)?;
        (0..3).for_each(|k| digits[0].add(words[self.position + k], position[k]));
        to.positions.push(position);
        for (column, values) in [(self.velocity, &mut to.velocities), (self.spin, &mut to.spins)] {
            if let Some(column) = column {
                let vector = vector(column)?;
                (0..3).for_each(|k| digits[1].add(words[column + k], vector[k]));
                values.get_or_insert_default().push(vector);
            }
        }
        let place = to.ids.len() as u64;
        to.ids.push(self.id.and_then(|c| words[c].parse().ok()).unwrap_or(place));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::super::{WhichFrame, read_frame};
    use super::*;
    use std::fs;

    fn read(text: &str, which: WhichFrame) -> Result<Configuration, Error> {
        let scratch = Scratch::new();
        let path = scratch.file("c.xyz");
        fs::write(&path, text).unwrap();
        read_frame(&path, which)
    }

    fn message(text: &str) -> String {
        read(text, WhichFrame::Last).unwrap_err().to_string()
    }

    /// As ASE 3.29 writes a configuration with an array `radius`.
    const ASE: &str = "2\nLattice=\"10.0 0.0 0.0 2.5 10.0 0.0 0.0 0.0 10.0\" \
        Properties=species:S:1:pos:R:3:radius:R:1 pbc=\"T T F\"\n\
        X        1.00000000       2.00000000       3.00000000       1.00000000\n\
        X        5.00000000       5.00000000       5.00000000       1.40000000\n";

    #[test]
    fn a_file_of_ase_is_read() {
        let read = read(ASE, WhichFrame::First).unwrap();
        assert_eq!(read.positions[1], Vector3::new(5.0, 5.0, 5.0));
        assert_eq!(read.radii, [1.0, 1.4]);
        assert_eq!(read.lattice.unwrap()[1], [2.5, 10.0, 0.0]);
        assert_eq!(read.pbc, [true, true, false]);
    }

    #[test]
    fn the_comment_line_may_come_in_any_style() {
        let text =
            "1\nfinal properties=\"radius:R:1:pos:R:3:tag:I:1\" note=\"a b=c\"\n2 0 1 -1e-3 7\n\n";
        let read = read(text, WhichFrame::Last).unwrap();
        assert_eq!((read.positions[0], read.radii[0]), (Vector3::new(0.0, 1.0, -1e-3), 2.0));
        assert_eq!((read.lattice, read.pbc), (None, [false; 3]));
    }

    #[test]
    fn velocities_spins_and_ids_are_read_where_they_are() {
        let text = "1\nProperties=pos:R:3:radius:R:1:id:I:1:velo:R:3:omega:R:3\n\
                    0.25 1.125 2 1 7 1 2 3 4 5 6\n";
        let read = read(text, WhichFrame::Number(1)).unwrap();
        assert_eq!(read.velocities.unwrap(), [Vector3::new(1.0, 2.0, 3.0)]);
        assert_eq!(read.spins.unwrap(), [Vector3::new(4.0, 5.0, 6.0)]);
        assert_eq!((read.ids, read.lines, read.precision.unwrap().digits), (vec![7], vec![3], 4));
    }

    #[test]
    fn a_frame_that_is_not_there_is_missed() {
        let error = read(ASE, WhichFrame::Number(3)).unwrap_err().to_string();
        assert!(error.ends_with("c.xyz:4: there is no frame 3: the file holds one"), "{error}");
    }

    #[test]
    fn errors_name_the_file_the_line_and_what_was_expected() {
        let plain = message("1\njust a comment\nX 0 0 0\n");
        assert!(plain.contains("c.xyz:2: no Properties"), "{plain}");
        let columns = "1\nProperties=pos:R:3:radius:R:1\n";
        for (text, expected) in [
            ("", "c.xyz:1: the file holds no frame"),
            ("two\n", "c.xyz:1: expected the number of particles, found `two`"),
            ("0\nProperties=pos:R:3\n", "c.xyz:1: the frame holds no particles"),
            ("1\n", "c.xyz:1: the file ends behind this line, before the comment line"),
            (
                "1\nProperties=pos:R:3\n0 0 0\n",
                "c.xyz:2: no column radius:R:1 in Properties=pos:R:3",
            ),
            ("1\nProperties=pos:R\n", "c.xyz:2: Properties=pos:R is not made of name:type:count"),
            (
                "1\nLattice=\"1 2\" Properties=pos:R:3:radius:R:1\n",
                "c.xyz:2: Lattice needs 9 numbers, found `1 2`",
            ),
            ("1\nLattice=\"1 2\n", "c.xyz:2: the quotes of Lattice do not close"),
            (columns, "c.xyz:2: the file ends behind this line, before particle 1 of 1"),
            (&format!("{columns}0 0 0\n"), "c.xyz:3: has 3 columns where Properties names 4"),
            (&format!("{columns}0 nan 0 1\n"), "c.xyz:3: `nan` in column 2 is not a finite number"),
            (&format!("{columns}0 0 0 -1\n"), "c.xyz:3: the radius -1 is not positive"),
        ] {
            let message = message(text);
            assert!(message.ends_with(expected), "{message}\nbut expected\n{expected}");
        }
    }
}
