//! Snapshots of LF_DEM (`par_*.dat`): a header of the file, the names of the columns, and frames,
//! each with a header of its own. They have six digits. What is read is turned as in
//! [`lf_dem`](super::lf_dem): y here is z there, and z here is −y there.
//!
//! Positions are relative to the middle of the box, where the flow vanishes unless
//! `origin_zero_flow` was switched off; velocities then differ from those here by a drift of half
//! the box height times the rate.

use nalgebra::Vector3;

use super::configuration::{Configuration, Format};
use super::digits::DigitCounter;
use super::lines::{Lines, finite, number, positive};
use crate::Error;

/// What was read of a file of snapshots so far.
#[derive(Default)]
pub(super) struct Snapshots(Header);

/// The next frame, its number counted from 1; `None` at the end of the file.
pub(super) fn frame(
    lines: &mut Lines,
    Snapshots(header): &mut Snapshots,
    number: usize,
) -> Result<Option<Configuration>, Error> {
    let mut strained = Strained::default();
    while let Some(line) = lines.read_filled()? {
        let text = line.trim();
        let Some(comment) = text.strip_prefix('#') else {
            return read_spheres(lines, header, &strained, (text, number)).map(Some);
        };
        header.read(comment).map_err(|e| lines.bad(e))?;
        strained.read(comment).map_err(|e| lines.bad(e))?;
    }
    Ok(None)
}

/// What the first lines of a file say.
#[derive(Default)]
struct Header {
    count: Option<usize>,
    /// Along x, y and z of LF_DEM.
    lengths: [Option<f64>; 3],
    /// Columns by name: the first of each, counted from 0.
    columns: Vec<(String, usize)>,
}

impl Header {
    /// Reads a line behind its `#`.
    fn read(&mut self, comment: &str) -> Result<(), String> {
        if let Some((place, name)) = comment.split_once(": ")
            && let Ok(first) = place.split('-').next().unwrap_or_default().parse::<usize>()
        {
            self.columns.push((name.trim().to_owned(), first.max(1) - 1));
            return Ok(());
        }
        match comment.split_whitespace().collect::<Vec<_>>()[..] {
            ["np", count] => {
                let read = count.parse().ok().filter(|count| *count > 0);
                self.count =
                    Some(read.ok_or_else(|| format!("`{count}` is not a number of particles"))?);
            }
            [name @ ("Lx" | "Ly" | "Lz"), length] => {
                let read = finite(length).filter(|length| *length > 0.0);
                let axis = ["Lx", "Ly", "Lz"].iter().position(|n| *n == name).unwrap_or_default();
                self.lengths[axis] =
                    Some(read.ok_or_else(|| format!("`{length}` is not a length of the box"))?);
            }
            ["flow_type", kind] if kind.contains("ext") => {
                return Err(format!(
                    "the flow is `{kind}`, whose boxes are not read; take a simple shear"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// The number of particles and the box, which have to be there.
    fn system(&self) -> Result<(usize, [f64; 3]), String> {
        let missing = |name: &str| format!("no `# {name} …` in the header of the file");
        let count = self.count.ok_or_else(|| missing("np"))?;
        let [x, y, z] = self.lengths;
        let lengths =
            [x.ok_or_else(|| missing("Lx"))?, y.ok_or(missing("Ly"))?, z.ok_or(missing("Lz"))?];
        Ok((count, lengths))
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, column)| *column)
    }

    /// The columns of a vector: `name (x, y, z)`, or one of each.
    fn vector(&self, name: &str) -> Option<[usize; 3]> {
        let together = self.column(&format!("{name} (x, y, z)")).map(|k| [k, k + 1, k + 2]);
        let single = |axis: &str| self.column(&format!("{name} {axis}"));
        together.or_else(|| Some([single("x")?, single("y")?, single("z")?]))
    }
}

/// What the header of a frame says.
#[derive(Default)]
struct Strained {
    strain: Option<f64>,
    /// Displacement of the image above the box along x.
    displacement: Option<f64>,
}

impl Strained {
    /// Reads a line behind its `#`: `name : value`, or in older files strain, displacement, rate, …
    fn read(&mut self, comment: &str) -> Result<(), String> {
        if let Some((name, value)) = comment.split_once(" : ") {
            let value = finite(value.trim());
            match name.trim() {
                "cumulated strain" => self.strain = value,
                "shear disp" => self.displacement = value,
                "theta" if value.is_some_and(|angle| angle != 0.0) => {
                    return Err(
                        "the box is sheared across x as well, and the file does not tell how \
                                far; take a snapshot with theta 0"
                            .to_owned(),
                    );
                }
                _ => {}
            }
            return Ok(());
        }
        let numbers: Option<Vec<f64>> = comment.split_whitespace().map(finite).collect();
        if let Some([strain, displacement, _, ..]) = numbers.as_deref() {
            (self.strain, self.displacement) = (Some(*strain), Some(*displacement));
        }
        Ok(())
    }
}

/// Where in a line the numbers of a sphere are.
struct Columns {
    radius: usize,
    position: [usize; 3],
    velocity: Option<[usize; 3]>,
    spin: Option<[usize; 3]>,
    last: usize,
}

impl Columns {
    fn find(header: &Header) -> Result<Self, String> {
        let names = || header.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        let (Some(radius), Some(position)) = (header.column("radius"), header.vector("position"))
        else {
            let remedy = if header.column("position z").is_some() {
                "discs in a plane are not read"
            } else {
                "take the file par_*.dat of the run"
            };
            let listed = names().join(", ");
            return Err(format!(
                "no columns radius and position (x, y, z) among `{listed}`; {remedy}"
            ));
        };
        let (velocity, spin) = (header.vector("velocity"), header.vector("angular velocity"));
        let ends = [Some(position), velocity, spin].into_iter().flatten().map(|triple| triple[2]);
        let last = ends.fold(radius, usize::max);
        Ok(Columns { radius, position, velocity, spin, last })
    }
}

/// The spheres of a frame, whose first line and number have been read.
fn read_spheres(
    lines: &mut Lines,
    header: &Header,
    strained: &Strained,
    (first, frame): (&str, usize),
) -> Result<Configuration, Error> {
    let columns = Columns::find(header).map_err(|e| lines.bad(e))?;
    let (count, lengths) = header.system().map_err(|e| lines.bad(e))?;
    let displacement = strained.displacement.ok_or_else(|| {
        lines.bad("no `# shear disp : …` above the spheres: the box may be sheared by any amount")
    })?;
    let mut read = Configuration::new(Format::LfDemPar);
    let mut digits = [DigitCounter::default(), DigitCounter::default()];
    let remedy = match frame {
        1 => String::new(),
        _ => format!("; the last whole frame is --frame {}", frame - 1),
    };
    let mut line = first.to_owned();
    loop {
        add(&line, &columns, &mut read, &mut digits).map_err(|e| lines.bad(e))?;
        read.ids.push(read.lines.len() as u64);
        read.lines.push(lines.line);
        if read.len() == count {
            break;
        }
        line = lines.next(&format!("sphere {} of {count}{remedy}", read.len() + 1))?;
    }
    let [x, y, z] = lengths;
    let along = displacement - x * (displacement / x).round();
    read.lattice = Some([[x, 0.0, 0.0], [along, z, 0.0], [0.0, 0.0, y]]);
    read.pbc = [true; 3];
    read.moment.strain = strained.strain;
    read.precision = digits[0].precision(1.0);
    read.velocity_digits = digits[1].digits();
    read.origin = [-0.5 * (x + along), -0.5 * z, -0.5 * y];
    read.still = Some([0.0; 3]);
    match read.stray() {
        Some((line, reason)) => Err(lines.bad_at(line, reason)),
        None => Ok(read),
    }
}

/// Adds the sphere of a line.
fn add(
    line: &str,
    columns: &Columns,
    read: &mut Configuration,
    digits: &mut [DigitCounter; 2],
) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() <= columns.last {
        let (found, wanted) = (words.len(), columns.last + 1);
        return Err(format!("has {found} columns where the header names {wanted} or more"));
    }
    let vector = |columns: [usize; 3]| -> Result<Vector3<f64>, String> {
        let [x, y, z] = columns.map(|column| number(&words, column));
        Ok(Vector3::new(x?, z?, -y?))
    };
    let position = vector(columns.position)?;
    let vectors = [Some(columns.position), columns.velocity];
    for (columns, digits) in vectors.into_iter().zip(digits) {
        for k in columns.into_iter().flatten() {
            digits.add(words[k], finite(words[k]).unwrap_or_default());
        }
    }
    read.positions.push(position);
    read.radii.push(positive(number(&words, columns.radius)?)?);
    if let Some(columns) = columns.velocity {
        read.velocities.get_or_insert_default().push(vector(columns)?);
    }
    if let Some(columns) = columns.spin {
        read.spins.get_or_insert_default().push(vector(columns)?);
    }
    Ok(())
}
