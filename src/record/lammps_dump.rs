//! Text dumps of LAMMPS (`dump custom`): columns in any order, boxes with or without tilt.
//!
//! The header of a tilted box holds the bounds of a box around it (manual of LAMMPS, "Triclinic
//! simulation boxes"); the corner follows from them and the tilts.

use nalgebra::{Matrix3, Vector3};

use super::configuration::{Configuration, Format};
use super::digits::DigitCounter;
use super::lines::{Lines, number, positive};
use crate::Error;

/// What a dump should have, for messages.
const COMMAND: &str = "dump 1 all custom 1000 FILE id type radius x y z vx vy vz \
                       omegax omegay omegaz";

/// The next frame, its number counted from 1; `None` at the end of the file.
pub(super) fn frame(lines: &mut Lines, which: usize) -> Result<Option<Configuration>, Error> {
    let Some(mut line) = lines.read_filled()? else { return Ok(None) };
    let (mut count, mut cell, mut step) = (None, None, None);
    loop {
        let Some(item) = line.trim().strip_prefix("ITEM:").map(|item| item.trim().to_owned())
        else {
            return Err(lines.bad(format!("expected `ITEM: …`, found `{}`", line.trim())));
        };
        if let Some(columns) = item.strip_prefix("ATOMS") {
            let missing = |what: &str| format!("atoms come before `ITEM: {what}`");
            let count = count.ok_or_else(|| lines.bad(missing("NUMBER OF ATOMS")))?;
            let cell = cell.ok_or_else(|| lines.bad(missing("BOX BOUNDS")))?;
            let mut read = atoms(lines, columns, count, cell, which)?;
            read.moment.step = step;
            return Ok(Some(read));
        } else if let Some(flags) = item.strip_prefix("BOX BOUNDS") {
            cell = Some(bounds(lines, flags)?);
        } else if item == "NUMBER OF ATOMS" {
            count = Some(number_of_atoms(lines)?);
        } else if item == "TIMESTEP" {
            step = lines.next("the number of the step")?.trim().parse().ok();
        } else {
            lines.next(&format!("what `ITEM: {item}` is"))?;
        }
        line = lines.next("the next `ITEM:` of this frame")?;
    }
}

fn number_of_atoms(lines: &mut Lines) -> Result<usize, Error> {
    let text = lines.next("the number of atoms")?;
    match text.trim().parse() {
        Ok(0) => Err(lines.bad("the frame holds no atoms")),
        Ok(count) => Ok(count),
        Err(_) => Err(lines.bad(format!("expected a number of atoms, found `{}`", text.trim()))),
    }
}

/// The box of a frame.
struct Bounds {
    corner: Vector3<f64>,
    /// In columns.
    edges: Matrix3<f64>,
    pbc: [bool; 3],
}

fn bounds(lines: &mut Lines, flags: &str) -> Result<Bounds, Error> {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    if flags.first() == Some(&"abc") {
        return Err(lines.bad(
            "boxes of any orientation (`abc origin`) are not read; \
             write the dump without `triclinic/general yes`",
        ));
    }
    let tilted = flags.starts_with(&["xy", "xz", "yz"]);
    let ends = if tilted { &flags[3..] } else { &flags[..] };
    let wanted = if tilted { 3 } else { 2 };
    let mut rows = [[0.0; 3]; 3];
    for (row, axis) in rows.iter_mut().zip(["x", "y", "z"]) {
        let line = lines.next(&format!("the bounds of the box along {axis}"))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != wanted {
            let found = words.len();
            return Err(lines
                .bad(format!("the bounds along {axis} are {wanted} numbers here, found {found}")));
        }
        for (k, value) in row[..wanted].iter_mut().enumerate() {
            *value = number(&words, k).map_err(|e| lines.bad(e))?;
        }
    }
    let [xy, xz, yz] = rows.map(|row| row[2]);
    let around = [[0.0, xy, xz, xy + xz], [0.0, 0.0, 0.0, yz], [0.0; 4]];
    let (mut corner, mut edges) = (Vector3::zeros(), Matrix3::zeros());
    for (k, shifts) in around.iter().enumerate() {
        let least = shifts.iter().copied().fold(0.0, f64::min);
        let most = shifts.iter().copied().fold(0.0, f64::max);
        corner[k] = rows[k][0] - least;
        edges[(k, k)] = rows[k][1] - most - corner[k];
        if edges[(k, k)] <= 0.0 {
            let axis = ["x", "y", "z"][k];
            return Err(lines.bad(format!("the box has no extent along {axis}")));
        }
    }
    (edges[(0, 1)], edges[(0, 2)], edges[(1, 2)]) = (xy, xz, yz);
    let repeats = |k: usize| ends.get(k).is_none_or(|end| *end == "pp");
    Ok(Bounds { corner, edges, pbc: [0, 1, 2].map(repeats) })
}

/// How positions are written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// As they are: `x y z`.
    Plain,
    /// Not wrapped into the box: `xu yu zu`.
    Unwrapped,
    /// In shares of the box: `xs ys zs`, or `xsu ysu zsu`.
    Scaled,
}

/// Where in an atom's line its numbers are.
struct Columns {
    style: Style,
    position: [usize; 3],
    id: usize,
    /// The column of the radius, or of twice it.
    size: (usize, f64),
    kind: Option<usize>,
    velocity: Option<[usize; 3]>,
    spin: Option<[usize; 3]>,
    /// Angular momentum, and the mass that turns it into a spin.
    turning: Option<([usize; 3], usize)>,
    total: usize,
}

impl Columns {
    fn find(names: &str) -> Result<Self, String> {
        let names: Vec<&str> = names.split_whitespace().collect();
        let find = |name: &str| names.iter().position(|n| *n == name);
        let triple = |prefix: &str, suffix: &str| {
            let at = |axis| find(&format!("{prefix}{axis}{suffix}"));
            Some([at("x")?, at("y")?, at("z")?])
        };
        let styles = [("", Style::Plain), ("u", Style::Unwrapped), ("s", Style::Scaled)];
        let styles = styles.into_iter().chain([("su", Style::Scaled)]);
        let position = styles.filter_map(|(suffix, style)| Some((triple("", suffix)?, style)));
        let Some((position, style)) = position.into_iter().next() else {
            return Err(no_position(&names));
        };
        let radius = find("radius").map(|column| (column, 1.0));
        let size = radius.or(find("diameter").map(|column| (column, 0.5)));
        let missing = |what: &str| {
            format!("no column {what} among `{}`; write it with `{COMMAND}`", names.join(" "))
        };
        if let Some(what) = half_written(&names) {
            return Err(format!("{what}; write it with `{COMMAND}`"));
        }
        Ok(Columns {
            style,
            position,
            id: find("id").ok_or_else(|| missing("id"))?,
            size: size.ok_or_else(|| missing("radius or diameter"))?,
            kind: find("type"),
            velocity: triple("v", ""),
            spin: triple("omega", ""),
            turning: triple("angmom", "").zip(find("mass")),
            total: names.len(),
        })
    }

    fn add(
        &self,
        line: &str,
        cell: &Bounds,
        to: &mut Configuration,
        digits: &mut [DigitCounter; 2],
    ) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != self.total {
            let (found, wanted) = (words.len(), self.total);
            return Err(format!("has {found} columns where ITEM: ATOMS names {wanted}"));
        }
        let vector = |columns: [usize; 3]| -> Result<Vector3<f64>, String> {
            let [x, y, z] = columns.map(|column| number(&words, column));
            Ok(Vector3::new(x?, y?, z?))
        };
        let written = vector(self.position)?;
        (0..3).for_each(|k| digits[0].add(words[self.position[k]], written[k]));
        to.positions.push(match self.style {
            Style::Plain => written,
            Style::Unwrapped => cell.wrapped(written),
            Style::Scaled => cell.wrapped(cell.corner + cell.edges * written),
        });
        let radius = positive(self.size.1 * number(&words, self.size.0)?)?;
        to.radii.push(radius);
        if let Some(columns) = self.velocity {
            let velocity = vector(columns)?;
            (0..3).for_each(|k| digits[1].add(words[columns[k]], velocity[k]));
            to.velocities.get_or_insert_default().push(velocity);
        }
        if let Some(kind) = self.kind.and_then(|column| words[column].parse().ok()) {
            to.types.push(kind);
        }
        if let Some(columns) = self.spin {
            to.spins.get_or_insert_default().push(vector(columns)?);
        } else if let Some((columns, mass)) = self.turning {
            let inertia = 0.4 * number(&words, mass)? * radius * radius;
            to.spins.get_or_insert_default().push(vector(columns)? / inertia);
        }
        let id = words[self.id];
        to.ids.push(id.parse().map_err(|_| format!("the id `{id}` is not a whole number"))?);
        Ok(())
    }
}

/// What is there of velocities and spins without the rest of it.
fn half_written(names: &[&str]) -> Option<String> {
    let spins = if names.contains(&"omegax") { "omega" } else { "angmom" };
    for prefix in ["v", "omega", "angmom"] {
        // Spins are not asked for twice.
        if prefix == "angmom" && spins == "omega" {
            continue;
        }
        let mut wanted: Vec<String> =
            ["x", "y", "z"].iter().map(|axis| format!("{prefix}{axis}")).collect();
        if prefix == "angmom" {
            wanted.push("mass".to_owned());
        }
        let has = |name: &&String| names.contains(&name.as_str());
        let there: Vec<&str> = wanted[..3].iter().filter(has).map(String::as_str).collect();
        let missing: Vec<&str> =
            wanted.iter().filter(|name| !has(name)).map(String::as_str).collect();
        if !there.is_empty() && !missing.is_empty() {
            let what = if prefix == "v" { "velocities" } else { "spins" };
            let (there, missing) = (there.join(" "), missing.join(" "));
            return Some(format!("{what} are incomplete: `{there}` without `{missing}`"));
        }
    }
    None
}

/// Why no column of positions was found.
fn no_position(names: &[&str]) -> String {
    let listed = names.join(" ");
    let of_axis = |name: &&str| {
        let mut rest = name.chars();
        matches!(rest.next(), Some('x' | 'y' | 'z'))
            && matches!(rest.as_str(), "" | "u" | "s" | "su")
    };
    let some: Vec<&str> = names.iter().copied().filter(|name| of_axis(name)).collect();
    match some.is_empty() {
        true => format!("no columns x y z among `{listed}`; write it with `{COMMAND}`"),
        false => format!(
            "positions are of mixed or incomplete styles: `{}`; write x y z, xu yu zu or xs ys zs",
            some.join(" ")
        ),
    }
}

impl Bounds {
    /// A position as it is in the box; velocities are those of the particle there.
    fn wrapped(&self, x: Vector3<f64>) -> Vector3<f64> {
        let Some(inverse) = self.edges.try_inverse() else { return x };
        let mut turns = (inverse * (x - self.corner)).map(f64::floor);
        (0..3).filter(|k| !self.pbc[*k]).for_each(|k| turns[k] = 0.0);
        if turns == Vector3::zeros() { x } else { x - self.edges * turns }
    }
}

fn atoms(
    lines: &mut Lines,
    names: &str,
    count: usize,
    cell: Bounds,
    which: usize,
) -> Result<Configuration, Error> {
    let columns = Columns::find(names).map_err(|e| lines.bad(e))?;
    let mut frame = Configuration::new(Format::LammpsDump);
    let mut digits = [DigitCounter::default(), DigitCounter::default()];
    for atom in 1..=count {
        let remedy = match which {
            1 => String::new(),
            _ => format!("; the last whole frame is --frame {}", which - 1),
        };
        let line = lines.next(&format!("atom {atom} of {count}{remedy}"))?;
        columns.add(&line, &cell, &mut frame, &mut digits).map_err(|e| lines.bad(e))?;
        frame.lines.push(lines.line);
    }
    let unit = if columns.style == Style::Scaled { cell.edges.max() } else { 1.0 };
    frame.precision = digits[0].precision(unit);
    frame.velocity_digits = digits[1].digits();
    if frame.types.len() != count {
        frame.types.clear();
    }
    let column = |k: usize| cell.edges.column(k).into_owned().into();
    // A box that does not repeat holds all atoms and means nothing else.
    if cell.pbc != [false; 3] {
        frame.lattice = Some([0, 1, 2].map(column));
        frame.origin = cell.corner.into();
        frame.pbc = cell.pbc;
    }
    frame.sort_by_id().map_err(|(line, reason)| lines.bad_at(line, reason))?;
    match frame.stray() {
        Some((line, reason)) => Err(lines.bad_at(line, reason)),
        None => Ok(frame),
    }
}
