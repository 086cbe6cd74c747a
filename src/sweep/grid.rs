//! The grid: the product of all axes, numbered with the last axis fastest; or several such
//! products, one curve after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::case::{Case, Known, Override, Template};
use crate::document::decode::sorted;
use crate::document::way;
use crate::error::Error;
use crate::record::{PointStatus, Scalar, SweepRow, SweepTable};

/// A larger grid is a mistake.
pub const MOST_POINTS: usize = 100_000;

/// A grid of more points is not run unasked.
pub const MANY_POINTS: usize = 2000;

/// A key and the values it takes.
#[derive(Clone, Debug)]
pub struct SweepAxis {
    /// The key of the case.
    pub key: String,
    /// Its values; never empty.
    pub values: Vec<Override>,
}

/// A part of a sweep with settings and axes of its own.
#[derive(Clone, Debug)]
pub struct CurveBlock {
    /// What is set in all its points.
    pub set: Vec<Override>,
    /// What is varied; may be empty.
    pub axes: Vec<SweepAxis>,
}

impl CurveBlock {
    /// The keys that it sets or varies, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let set = self.set.iter().map(Override::key);
        set.chain(self.axes.iter().map(|axis| axis.key.as_str()))
    }
}

/// A case file and what is varied in it. All its points can be run.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// A name for reports.
    pub title: Option<String>,
    /// The sweep file as the user named it.
    pub file: PathBuf,
    /// The case file, independent of where the program runs.
    pub case_file: PathBuf,
    /// What is varied in all curves; empty only if there are curves.
    pub axes: Vec<SweepAxis>,
    /// Curves, each with all of the axes above; all name the same keys. Empty if the grid is one
    /// product.
    pub curves: Vec<CurveBlock>,
    /// The directories of the points where they have names; empty if they are numbered.
    pub(super) names: Vec<String>,
    pub(super) set: Vec<Override>,
    pub(super) template: Template,
}

impl Sweep {
    /// A sweep that no file describes: the curves of one case, with a directory's name for every
    /// point. Makes sure that every point can be run.
    ///
    /// # Errors
    ///
    /// When the case cannot be read, or a point cannot be run.
    pub fn of_case(
        case_file: &Path,
        set: Vec<Override>,
        curves: Vec<CurveBlock>,
        names: Vec<String>,
    ) -> Result<Sweep, Error> {
        let template = Template::read(case_file, &Known::default())?;
        let (title, file) = (None, case_file.to_owned());
        let case_file = std::path::absolute(case_file).unwrap_or_else(|_| file.clone());
        let sweep = Sweep { title, file, case_file, axes: vec![], curves, names, set, template };
        sweep.check()?;
        Ok(sweep)
    }

    /// Its table without results.
    pub fn table(&self) -> SweepTable {
        let setting = |setting: &&Override| Scalar::of_setting(&setting.value());
        let row = |index: usize| SweepRow {
            settings: self.settings(index).iter().map(setting).collect(),
            status: PointStatus::Missing,
            results: BTreeMap::new(),
        };
        SweepTable {
            keys: self.keys().into_iter().map(str::to_owned).collect(),
            rows: (0..self.len()).map(row).collect(),
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        let common = size(&self.axes);
        match self.curves.as_slice() {
            [] => common,
            curves => curves.iter().map(|curve| size(&curve.axes) * common).sum(),
        }
    }

    /// Never: there is an axis or a curve, and all axes have a value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys that differ between points: those of the curves, then those varied in all.
    pub fn keys(&self) -> Vec<&str> {
        let own = self.curves.first().into_iter().flat_map(CurveBlock::keys);
        own.chain(self.axes.iter().map(|axis| axis.key.as_str())).collect()
    }

    /// The value of every key at a point, counted from 0.
    pub fn settings(&self, index: usize) -> Vec<&Override> {
        let (curve, mut rest) = self.curve_of(index);
        let own = curve.map_or(&[][..], |curve| &curve.axes);
        let mut chosen: Vec<&Override> = Vec::new();
        for axis in own.iter().chain(&self.axes).rev() {
            chosen.push(&axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        chosen.reverse();
        let set = curve.into_iter().flat_map(|curve| &curve.set);
        let all: Vec<&Override> = set.chain(chosen).collect();
        // Curves may name their keys in any order.
        let of = |key: &&str| all.iter().copied().find(|s| way(s.key()) == way(key));
        self.keys().iter().filter_map(of).collect()
    }

    /// The curve of a point, if there are curves, and its number within it.
    fn curve_of(&self, index: usize) -> (Option<&CurveBlock>, usize) {
        let mut rest = index;
        for curve in &self.curves {
            let own = size(&curve.axes) * size(&self.axes);
            if rest < own {
                return (Some(curve), rest);
            }
            rest -= own;
        }
        (None, rest)
    }

    /// The settings of a point in words, `contact.friction = 1, particles.seed = 2`.
    pub fn describe(&self, index: usize) -> String {
        let settings = self.settings(index);
        settings.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(", ")
    }

    /// The case of a point, counted from 0.
    ///
    /// # Errors
    ///
    /// When a file that the case needs has gone since the sweep was read.
    pub fn case(&self, index: usize) -> Result<Case, Error> {
        self.template.with(self.set.iter().chain(self.settings(index)))
    }

    /// The sweep as TOML, with all values; reads back as the same sweep.
    pub fn to_toml(&self) -> String {
        let mut text = toml::Table::new();
        if let Some(title) = &self.title {
            text.insert("title".into(), title.clone().into());
        }
        text.insert("case".into(), self.case_file.display().to_string().into());
        text.extend(self.grid());
        toml::to_string(&sorted(text)).expect("tables of plain values can be written")
    }

    /// What makes two sweeps the same, as TOML: neither a title nor where the case file is. The
    /// cases themselves are compared point by point.
    pub(super) fn identity(&self) -> String {
        toml::to_string(&sorted(self.grid())).expect("tables of plain values can be written")
    }

    fn grid(&self) -> toml::Table {
        let mut grid = written(&self.set, &self.axes);
        let curves = self.curves.iter().map(|curve| written(&curve.set, &curve.axes));
        let curves: Vec<toml::Table> = curves.collect();
        if !curves.is_empty() {
            grid.insert("curve".into(), curves.into());
        }
        grid
    }

    /// Decodes every point and looks for what cannot be run.
    pub(super) fn check(&self) -> Result<(), Error> {
        let mut first: Option<(usize, Error)> = None;
        let (mut bad, mut alike) = (0, true);
        for index in 0..self.len() {
            let Err(error) = self.case(index) else { continue };
            bad += 1;
            match &first {
                Some((_, known)) => alike = alike && reasons(known) == reasons(&error),
                None => first = Some((index, error)),
            }
        }
        let Some((index, error)) = first else { return Ok(()) };
        let (number, all) = (index + 1, self.len());
        let which = match bad {
            _ if bad == all && alike => format!("all {all} points"),
            1 => format!("point {number} of {all} ({})", self.describe(index)),
            _ => format!(
                "point {number} of {all} ({}), the first of {bad} bad ones",
                self.describe(index)
            ),
        };
        Err(Error::BadPoints { file: self.file.clone(), which, source: Box::new(error) })
    }
}

/// Number of points of a product.
fn size(axes: &[SweepAxis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).product()
}

/// Settings and axes as a sweep file has them; what is empty is not written.
fn written(set: &[Override], axes: &[SweepAxis]) -> toml::Table {
    let set: toml::Table = set.iter().map(|s| (s.key().to_owned(), s.value())).collect();
    let axis = |axis: &SweepAxis| {
        let values = axis.values.iter().map(Override::value).collect();
        let entries = [("key", axis.key.clone().into()), ("values", toml::Value::Array(values))];
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
        entries.collect::<toml::Table>()
    };
    let axes: Vec<toml::Table> = axes.iter().map(axis).collect();
    let mut table = toml::Table::new();
    if !set.is_empty() {
        table.insert("set".into(), set.into());
    }
    if !axes.is_empty() {
        table.insert("over".into(), axes.into());
    }
    table
}

/// What is wrong, wherever it was given.
fn reasons(error: &Error) -> Vec<(&str, &str, &str)> {
    match error {
        Error::BadCase { faults } => {
            faults.iter().map(|f| (&*f.key, &*f.problem, &*f.remedy)).collect()
        }
        _ => Vec::new(),
    }
}

/// How the values of a range are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Spacing {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios.
    Log,
}

/// Digits that are kept of the values of a range: enough for any physics, and 0.3 stays 0.3.
const DIGITS: i32 = 12;

/// `count` values (at least 2) from one end to the other, both included.
pub(super) fn range(from: f64, to: f64, count: usize, spacing: Spacing) -> Vec<f64> {
    let value = |k: usize| {
        let share = k as f64 / (count - 1) as f64;
        match spacing {
            _ if k == 0 => from,
            _ if k == count - 1 => to,
            Spacing::Linear => rounded(from + (to - from) * share, from.abs().max(to.abs())),
            Spacing::Log => {
                let value = (from.ln() + (to.ln() - from.ln()) * share).exp();
                rounded(value, value)
            }
        }
    };
    (0..count).map(value).collect()
}

/// A value with as many digits as are worth writing, when values up to `scale` are there.
fn rounded(value: f64, scale: f64) -> f64 {
    let leading = if scale > 0.0 { scale.log10().floor() as i32 } else { 0 };
    let places = DIGITS - 1 - leading;
    if (0..300).contains(&places) {
        let places = places as usize;
        // Not minus zero.
        format!("{value:.places$}").parse().unwrap_or(value) + 0.0
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_round_where_they_can_be() {
        assert_eq!(range(0.1, 0.5, 5, Spacing::Linear), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(range(-0.3, 0.3, 3, Spacing::Linear), [-0.3, 0.0, 0.3]);
        assert_eq!(range(100.0, 400.0, 4, Spacing::Linear), [100.0, 200.0, 300.0, 400.0]);
        assert_eq!(range(1e-4, 0.1, 4, Spacing::Log), [1e-4, 1e-3, 1e-2, 0.1]);
        assert_eq!(range(1000.0, 1.0, 4, Spacing::Log), [1000.0, 100.0, 10.0, 1.0]);
        assert_eq!(range(1e-200, 1e-198, 3, Spacing::Log)[1], 1e-199);
    }

    #[test]
    fn ranges_end_exactly_where_they_are_told() {
        let (from, to) = (0.123_456_789_012_345_6, 7.0 / 3.0);
        for spacing in [Spacing::Linear, Spacing::Log] {
            let values = range(from, to, 12, spacing);
            assert_eq!((values.len(), values[0], values[11]), (12, from, to));
            assert!(values.is_sorted());
        }
        let values = range(1.0, 8.0, 4, Spacing::Log);
        assert!((values[1] - 2.0).abs() < 1e-11 && (values[2] - 4.0).abs() < 1e-11);
    }
}
