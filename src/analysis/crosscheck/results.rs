//! What a check found: files, and lines for the screen.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fit::{Limit, Order};
use super::verdict::{Verdict, short};
use super::{RESULTS, TABLE};
use crate::error::Error;
use crate::plot::with_error;
use crate::record::atomic;
use crate::record::column::{Column, FileDescription, describe, values};
use crate::record::keys::{Described, described};

described! {
    /// `crosscheck.json`.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Crosscheck {
        /// The title of the case.
        pub title: Option<String>,
        /// The difference that verdicts are about `[1]`.
        pub accuracy: f64,
        /// The part of the runs that means are over `[1 or t]`.
        pub window: Window,
        /// One per quantity.
        pub quantities: Vec<Finding>,
        /// What the user may want to know.
        pub notes: Vec<String>,
    }

    /// The part of the runs that means are over, in strain, or in time where nothing is sheared.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Window {
        /// Beginning of the window that means are over, in strain or time.
        pub from: f64,
        /// End of that window.
        pub to: f64,
        /// Whether all runs are steady in it; otherwise it is all that they share.
        pub steady: bool,
    }

    /// What was found of a quantity.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Finding {
        /// Name of the quantity.
        pub name: String,
        /// The quantity in words.
        pub words: String,
        /// Its label in the figure.
        pub label: String,
        /// The unit that differences are measured by; empty if that is a value.
        pub unit: String,
        /// Without inertia; 0 for a distance between runs `[q]`.
        pub quasi_static: f64,
        /// Whether it is a distance between a run and the quasi-static one.
        pub is_distance: bool,
        /// In descending order of the Stokes number.
        pub points: Vec<Point>,
        /// The order of its differences; none if fewer than two are resolved.
        pub order: Option<Order>,
        /// Where the runs with inertia point to; none with fewer than two.
        pub extrapolated: Option<Limit>,
        /// That less the quasi-static value, over the scale of differences `[1]`.
        pub extrapolated_difference: Option<f64>,
        /// How small is small enough.
        pub verdict: Verdict,
    }

    /// A quantity at a Stokes number.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Point {
        /// The Stokes number `[1]`.
        pub stokes: f64,
        /// The quantity `[q]`.
        pub value: f64,
        /// Its standard error, if it is a mean over a steady state `[q]`.
        pub stderr: Option<f64>,
        /// The quantity less the quasi-static one `[q]`.
        pub difference: f64,
        /// The same over the scale of differences: the quasi-static value, or a unit `[1]`.
        pub relative_difference: f64,
        /// What is not known of the relative difference, numerically and statistically `[1]`.
        pub relative_uncertainty: f64,
        /// Whether the difference is more than twice that, here and at all larger Stokes numbers.
        pub resolved: bool,
        /// Order between this point and the one of the next larger Stokes number; none if one of
        /// them is not resolved `[1]`.
        pub local_order: Option<f64>,
    }
}

impl Crosscheck {
    /// Writes `crosscheck.csv` and `crosscheck.json`.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), Error> {
        atomic::write_json(&directory.join(RESULTS), self)?;
        atomic::write(&directory.join(TABLE), |out| {
            let mut csv = csv::Writer::from_writer(out);
            let columns = columns();
            csv.write_record(columns.iter().map(|column| &*column.name))?;
            for finding in &self.quantities {
                for point in &finding.points {
                    csv.write_record(values(&columns, &(finding, point)))?;
                }
            }
            csv.flush()
        })
    }

    /// A table of differences, and what they mean.
    pub fn lines(&self) -> Vec<String> {
        let mut cells = vec![heading(&self.quantities)];
        cells.extend(self.quantities.iter().map(cells_of));
        let mut lines = aligned(&cells);
        lines.push(String::new());
        let widest = self.quantities.iter().map(|q| q.words.chars().count()).max().unwrap_or(0);
        for finding in &self.quantities {
            let pad = " ".repeat(widest - finding.words.chars().count());
            lines.push(format!("{}{pad}  {}", finding.words, finding.verdict.text));
        }
        if self.quantities.iter().any(|q| q.name == "relative_viscosity") {
            let Window { from, to, steady } = self.window;
            let how = if steady { "the steady state" } else { "all of it, transient included" };
            lines.push(format!("means are over strain {from:.3} to {to:.3}, {how}"));
        }
        lines
    }
}

/// Columns of `crosscheck.csv`.
fn columns<'a>() -> [Column<(&'a Finding, &'a Point), String>; 10] {
    [
        Column::new("quantity", "text", "what is compared", |(of, _)| of.name.clone()),
        Column::new("stokes", "1", "Stokes number", |(_, at)| number(at.stokes)),
        Column::new("value", "q", "the quantity, in its own unit q", |(_, at)| number(at.value)),
        Column::new("stderr", "q", "its standard error; empty if it is no mean", |(_, at)| {
            at.stderr.map_or(String::new(), number)
        }),
        Column::new("quasi_static", "q", "without inertia; 0 for a distance between runs", |c| {
            number(c.0.quasi_static)
        }),
        Column::new("difference", "q", "value less quasi_static", |(_, at)| number(at.difference)),
        Column::new("relative_difference", "1", "difference over the scale of differences", |c| {
            number(c.1.relative_difference)
        }),
        Column::new("local_order", "1", "order from here to the next larger St", |(_, at)| {
            at.local_order.map_or(String::new(), number)
        }),
        Column::new("relative_uncertainty", "1", "what is not known of relative_difference", |c| {
            number(c.1.relative_uncertainty)
        }),
        Column::new("resolved", "flag", "whether the difference is more than twice that", |c| {
            c.1.resolved.to_string()
        }),
    ]
}

/// The files of a check.
pub fn files() -> Vec<FileDescription> {
    let when = "`zerostokes crosscheck`, one row per quantity and Stokes number";
    vec![
        FileDescription::new(TABLE, when, describe(&columns())),
        FileDescription::new(RESULTS, "`zerostokes crosscheck`", Crosscheck::keys()),
    ]
}

fn number(value: f64) -> String {
    format!("{value:?}")
}

fn heading(findings: &[Finding]) -> Vec<String> {
    let mut cells = vec!["quantity".to_owned(), "St = 0".to_owned()];
    let points = findings.first().map_or(&[][..], |finding| &finding.points);
    cells.extend(points.iter().map(|point| format!("St = {}", short(point.stokes))));
    cells.extend(["order".to_owned(), "(St → 0) − (St = 0)".to_owned()]);
    cells
}

fn cells_of(finding: &Finding) -> Vec<String> {
    let mut cells = vec![finding.words.clone()];
    cells.push(match finding.is_distance {
        true => "–".to_owned(),
        false => with_error(finding.quasi_static, None),
    });
    cells.extend(finding.points.iter().map(|point| change(finding, point)));
    let order = finding.order.map(|order| with_error(order.value, order.stderr));
    cells.push(order.unwrap_or("–".to_owned()));
    cells.push(match finding.extrapolated_difference {
        Some(left) => size(finding, left, !finding.is_distance),
        None => "–".to_owned(),
    });
    cells
}

/// A difference in its unit; one that is not resolved as its bound.
fn change(finding: &Finding, point: &Point) -> String {
    match point.resolved {
        true => size(finding, point.relative_difference, !finding.is_distance),
        false => {
            let most = point.relative_difference.abs().max(2.0 * point.relative_uncertainty);
            format!("< {}", size(finding, most, false))
        }
    }
}

/// `+1.3 %`, or `1.3e-2 a` where differences have a unit.
fn size(finding: &Finding, value: f64, signed: bool) -> String {
    let sign = match (signed, value < 0.0) {
        (_, true) => "−",
        (true, false) => "+",
        (false, false) => "",
    };
    let two = |value: f64| {
        let rounded: f64 = format!("{value:.1e}").parse().unwrap_or(value);
        let plain = rounded == 0.0 || (1e-3..1e4).contains(&rounded);
        if plain { format!("{rounded}") } else { format!("{rounded:e}") }
    };
    match finding.unit.as_str() {
        "" => format!("{sign}{} %", two(100.0 * value.abs())),
        unit => format!("{sign}{} {unit}", two(value.abs())),
    }
}

/// Lines of columns of equal width.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |k: usize| rows.iter().filter_map(|row| row.get(k)).map(|c| length(c)).max();
    let widths: Vec<usize> = (0..columns).map(|k| widest(k).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let pad =
            |(cell, wide): (&String, &usize)| format!("{cell}{}", " ".repeat(wide - length(cell)));
        let cells: Vec<String> = row.iter().zip(&widths).map(pad).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Basis;
    use super::*;

    #[test]
    fn differences_are_told_in_their_units() {
        let point = Point {
            stokes: 0.01,
            value: 1.013,
            stderr: None,
            difference: 0.013,
            relative_difference: 0.013,
            relative_uncertainty: 1e-4,
            resolved: true,
            local_order: None,
        };
        let text = String::new();
        let mut finding = Finding {
            name: "x".to_owned(),
            words: "x".to_owned(),
            label: "x".to_owned(),
            unit: String::new(),
            quasi_static: 1.0,
            is_distance: false,
            points: vec![point, Point { resolved: false, ..point }],
            order: None,
            extrapolated: None,
            extrapolated_difference: Some(-2e-7),
            verdict: Verdict { stokes: None, basis: Basis::NoneWithin, text },
        };
        assert_eq!(cells_of(&finding), ["x", "1.000", "+1.3 %", "< 1.3 %", "–", "−2e-5 %"]);
        (finding.unit, finding.is_distance) = ("a".to_owned(), true);
        assert_eq!(cells_of(&finding)[1..4], ["–", "0.013 a", "< 0.013 a"]);
        // What is left at the limit is a difference.
        assert_eq!(heading(&[finding.clone()])[5], "(St → 0) − (St = 0)");
        let row = values(&columns(), &(&finding, &point)).join(",");
        assert_eq!(row, "x,0.01,1.013,,1.0,0.013,0.013,,0.0001,true");
    }
}
