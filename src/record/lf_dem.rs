//! Configurations of LF_DEM. It shears along x with the gradient along z; here the gradient is
//! along y, so what is read is turned about x: y here is z there, and z here is −y there.

use nalgebra::Vector3;

use super::configuration::{Configuration, Format};
use super::digits::DigitCounter;
use super::lines::{Lines, number, positive};
use crate::Error;

/// Reads a configuration.
pub(super) fn read(lines: &mut Lines) -> Result<Configuration, Error> {
    let names = lines.next("`# np1 np2 vf lx ly lz …`")?;
    let values = lines.next("the numbers of the header")?;
    let header = Header::parse(&names, &values).map_err(|e| lines.bad(e))?;
    let mut read = Configuration::new(Format::LfDem);
    let mut digits = DigitCounter::default();
    while let Some(line) = lines.read_filled()? {
        if line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() < 4 {
            let found = words.len();
            return Err(lines.bad(format!("has {found} columns where a sphere has 4: x y z r")));
        }
        let mut x = [0.0; 4];
        for (k, value) in x.iter_mut().enumerate() {
            *value = number(&words, k).map_err(|e| lines.bad(e))?;
        }
        (0..3).for_each(|k| digits.add(words[k], x[k]));
        read.positions.push(Vector3::new(x[0], x[2], header.lengths[1] - x[1]));
        read.radii.push(positive(x[3]).map_err(|e| lines.bad(e))?);
        read.ids.push(read.lines.len() as u64);
        read.lines.push(lines.line);
    }
    if read.len() != header.count {
        let (found, wanted) = (read.len(), header.count);
        return Err(lines.bad(format!("the file ends behind {found} spheres of {wanted}")));
    }
    let [x, y, z] = header.lengths;
    let [along, across] = header.displacement;
    read.lattice = Some([[x, 0.0, 0.0], [along, z, -across], [0.0, 0.0, y]]);
    read.pbc = [true; 3];
    read.precision = digits.precision(1.0);
    match read.stray() {
        Some((line, reason)) => Err(lines.bad_at(line, reason)),
        None => Ok(read),
    }
}

/// What the two lines of the header say.
struct Header {
    count: usize,
    lengths: [f64; 3],
    /// Displacement of the image above the box along x and y.
    displacement: [f64; 2],
}

impl Header {
    fn parse(names: &str, values: &str) -> Result<Self, String> {
        let split = |text: &str| -> Vec<String> {
            text.trim().trim_start_matches('#').split_whitespace().map(str::to_owned).collect()
        };
        let (names, values) = (split(names), split(values));
        let words: Vec<&str> = values.iter().map(String::as_str).collect();
        let value = |name: &str| match names.iter().position(|n| n == name) {
            Some(at) if at < words.len() => number(&words, at).map(Some),
            _ => Ok(None),
        };
        let needed = |name: &str| {
            value(name)?.ok_or_else(|| format!("no `{name}` in the header of two lines"))
        };
        let lengths = [needed("lx")?, needed("ly")?, needed("lz")?];
        if lengths.iter().any(|length| *length <= 0.0) {
            return Err(format!("the box has no extent: {lengths:?}"));
        }
        if let Some(wall) = names.iter().find(|n| n.starts_with("np_wall") || *n == "np_fixed") {
            return Err(format!(
                "the header names `{wall}`, and walls are not known here; \
                 take a configuration without them"
            ));
        }
        let count = match value("np")? {
            Some(count) => count,
            None => needed("np1")? + value("np2")?.unwrap_or(0.0),
        };
        let along = value("disp")?.or(value("dispx")?).unwrap_or(0.0);
        let displacement = [along, value("dispy")?.unwrap_or(0.0)];
        Ok(Header { count: count as usize, lengths, displacement })
    }
}
