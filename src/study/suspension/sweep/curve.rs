//! `curve.csv`: points that differ only in their seed, pooled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::names::together;
use crate::Error;
use crate::record::column::{Column, Description, describe, values};
use crate::record::{PointStatus, Scalar, SweepRow, SweepTable, atomic};
use crate::stats::{Part, Pooled, pool};

/// The key whose values are pooled.
pub const SEED: &str = "particles.seed";

/// The mean shear rate: a result without an error of its own.
const RATE: &str = "rate";

/// All points of a sweep that differ only in their seed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CurveRow {
    /// The value of every key, in the order of [`CurveTable::keys`].
    pub settings: Vec<Scalar>,
    /// How many points there are.
    pub points: usize,
    /// How many of them are pooled: finished, and they flowed.
    pub pooled: usize,
    /// How many jammed: they have no flow of hard spheres and are not pooled.
    pub jammed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many of the pooled ones still drifted, or were too short to tell.
    pub unsettled: usize,
    /// How many of the pooled ones missed the accuracy that was asked.
    pub inaccurate: usize,
    /// The results that have a mean, by their names.
    pub results: BTreeMap<String, Pooled>,
}

impl CurveRow {
    /// How many points were not run to their end.
    pub fn missing(&self) -> usize {
        self.points - self.pooled - self.jammed - self.failed
    }

    /// A result.
    pub fn result(&self, name: &str) -> Option<&Pooled> {
        self.results.get(name)
    }
}

/// Columns of `curve.csv` between the keys and the results: how the points stand.
const COUNTS: &[Column<CurveRow, usize>] = &[
    Column::new("points", "1", "points that differ only in their seed", |row| row.points),
    Column::new("pooled", "1", "those that finished and flowed: their means are pooled", |row| {
        row.pooled
    }),
    Column::new("jammed", "1", "those that jammed", |row| row.jammed),
    Column::new("failed", "1", "those that stopped on an error", |row| row.failed),
    Column::new("missing", "1", "those that were not run to their end", CurveRow::missing),
    Column::new(
        "unsettled",
        "1",
        "pooled ones that still drift, or are too short to tell",
        |row| row.unsettled,
    ),
    Column::new("inaccurate", "1", "pooled ones that missed the accuracy asked for", |row| {
        row.inaccurate
    }),
];

/// The columns of `curve.csv`.
pub(super) fn columns() -> Vec<Description> {
    let named = |name: &str, unit, meaning: &str| Description {
        name: name.to_owned(),
        unit,
        meaning: meaning.to_owned(),
    };
    let key = "value of a swept key but the seed; one column each";
    let mut columns = vec![named("KEY", "as in the case", key)];
    columns.extend(describe(COUNTS));
    columns.extend([
        named("RESULT.mean", "as in summary.json", "pooled mean of a result; empty without one"),
        named("RESULT.stderr", "as in summary.json", "its standard error"),
        named("RESULT.seeds", "1", "points that it is pooled of"),
    ]);
    columns
}

/// The curves of a sweep: one row for each combination of the keys that are not the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveTable {
    /// The swept keys without the seed.
    pub keys: Vec<String>,
    /// The rows, in the order of their first points.
    pub rows: Vec<CurveRow>,
}

impl CurveTable {
    /// Pools the points of a sweep, see [`pool`].
    pub fn new(table: &SweepTable) -> Self {
        let is_seed = |key: &str| key.replace(' ', "") == SEED;
        let kept: Vec<usize> =
            (0..table.keys.len()).filter(|k| !is_seed(&table.keys[*k])).collect();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: Vec<(Vec<Scalar>, Vec<&SweepRow>)> = Vec::new();
        for row in &table.rows {
            let place = *known.entry(together(&row.settings, &kept)).or_insert(groups.len());
            if place == groups.len() {
                let settings = kept.iter().map(|k| row.settings[*k].clone()).collect();
                groups.push((settings, Vec::new()));
            }
            groups[place].1.push(row);
        }
        let rows = groups.into_iter().map(|(settings, rows)| pooled(settings, &rows));
        let keys = kept.iter().map(|k| table.keys[*k].clone()).collect();
        Self { keys, rows: rows.collect() }
    }

    /// The names of all results, sorted.
    pub fn results(&self) -> Vec<&str> {
        let names = self.rows.iter().flat_map(|row| row.results.keys());
        names.map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The place of a key.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|k| k.replace(' ', "") == key)
    }

    /// The numbers that a key takes, in ascending order; empty if one of its values is no number.
    pub fn numbers(&self, place: usize) -> Vec<f64> {
        let numbers: Option<Vec<f64>> =
            self.rows.iter().map(|row| row.settings[place].number()).collect();
        let mut numbers = numbers.unwrap_or_default();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers
    }

    /// Replaces a file by the table as CSV: the keys, how the points stand, and mean, standard
    /// error and number of seeds of every result.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let names = self.results();
        atomic::write(path, |out| {
            let mut csv = csv::Writer::from_writer(out);
            let mut head: Vec<String> = self.keys.clone();
            head.extend(COUNTS.iter().map(|column| column.name.to_string()));
            for name in &names {
                head.extend(["mean", "stderr", "seeds"].map(|part| format!("{name}.{part}")));
            }
            csv.write_record(&head)?;
            for row in &self.rows {
                let mut fields: Vec<String> = row.settings.iter().map(Scalar::to_string).collect();
                fields.extend(values(COUNTS, row).iter().map(usize::to_string));
                for name in &names {
                    let found = row.result(name);
                    let number = |v: Option<f64>| v.map_or(String::new(), |v| format!("{v:?}"));
                    fields.push(number(found.map(|p| p.mean)));
                    fields.push(number(found.and_then(|p| p.stderr)));
                    fields.push(found.map_or(0, |p| p.runs).to_string());
                }
                csv.write_record(&fields)?;
            }
            csv.flush()
        })
    }
}

/// Points of the same settings but for their seeds.
fn pooled(settings: Vec<Scalar>, rows: &[&SweepRow]) -> CurveRow {
    let flowing: Vec<&SweepRow> =
        rows.iter().copied().filter(|row| row.status == PointStatus::Finished).collect();
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    let denied = |row: &SweepRow, name: &str| row.results.get(name) == Some(&Scalar::Flag(false));
    let flags = |names: &[&str]| {
        flowing.iter().filter(|row| names.iter().any(|name| denied(row, name))).count()
    };
    let names: BTreeSet<&str> = flowing
        .iter()
        .flat_map(|row| row.results.keys())
        .filter_map(|name| name.strip_suffix(".mean").or((name == RATE).then_some(RATE)))
        .collect();
    let result = |name: &str| {
        let parts: Vec<Part> = flowing.iter().filter_map(|row| part(row, name)).collect();
        pool(&parts).map(|pooled| (name.to_owned(), pooled))
    };
    CurveRow {
        settings,
        points: rows.len(),
        pooled: flowing.len(),
        jammed: count(PointStatus::Jammed),
        failed: count(PointStatus::Failed),
        unsettled: flags(&["steady.settled", "oscillation.steady.settled"]),
        inaccurate: flags(&["accuracy.met"]),
        results: names.into_iter().filter_map(result).collect(),
    }
}

/// What a point says of a result.
fn part(row: &SweepRow, name: &str) -> Option<Part> {
    let number = |key: &str| row.results.get(key).and_then(Scalar::number);
    let of = |part: &str| number(&format!("{name}.{part}"));
    let averaged = |strain: f64| strain - number("steady.start").unwrap_or(0.0);
    Some(Part {
        mean: if name == RATE { number(RATE)? } else { of("mean")? },
        stderr: of("stderr"),
        effective_samples: of("effective_samples").unwrap_or(0.0),
        weight: number("accumulated_strain").map_or(1.0, averaged),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Points of φ and seed with their viscosities.
    pub fn table(points: &[(f64, i64, &str)]) -> SweepTable {
        let row = |(phi, seed, summary): &(f64, i64, &str)| {
            let settings = vec![Scalar::Number(*phi), Scalar::Whole(*seed)];
            SweepRow { settings, ..SweepRow::of_summary(summary) }
        };
        let keys = vec!["particles.volume_fraction".to_owned(), SEED.to_owned()];
        SweepTable { keys, rows: points.iter().map(row).collect() }
    }

    fn summary(mean: f64, stderr: f64) -> String {
        format!(
            "{{\"strain\": 11, \"steady\": {{\"start\": 1, \"settled\": true}}, \
             \"relative_viscosity\": {{\"mean\": {mean}, \"stderr\": {stderr}, \
             \"effective_samples\": 1e6}}, \"rate\": 1.0}}"
        )
    }

    #[test]
    fn seeds_are_pooled_and_jammed_points_are_not() {
        let [a, b] = [summary(10.0, 0.3), summary(10.2, 0.3)];
        let jammed = r#"{"strain": 2, "jammed": true, "relative_viscosity": {"mean": 4e5}}"#;
        let points = [(0.5, 1, &*a), (0.5, 2, &*b), (0.6, 1, &*a), (0.6, 2, jammed), (0.6, 3, "")];
        let curve = CurveTable::new(&table(&points));
        assert_eq!(curve.keys, ["particles.volume_fraction"]);
        assert_eq!(curve.numbers(0), [0.5, 0.6]);
        let [first, second] = &curve.rows[..] else { panic!("{curve:?}") };
        let eta = first.result("relative_viscosity").unwrap();
        assert!((eta.mean - 10.1).abs() < 1e-12 && eta.runs == 2);
        assert!((eta.stderr.unwrap() - 0.3 / 2f64.sqrt()).abs() < 1e-3);
        assert_eq!((first.points, first.pooled, first.missing()), (2, 2, 0));
        assert_eq!((second.pooled, second.jammed, second.missing()), (1, 1, 1));
        let alone = second.result("relative_viscosity").unwrap();
        assert_eq!((alone.mean, alone.stderr, alone.runs), (10.0, Some(0.3), 1));
        assert_eq!(second.result("rate").unwrap().mean, 1.0);
    }

    #[test]
    fn the_table_is_written() {
        let a = summary(10.0, 0.25);
        let curve = CurveTable::new(&table(&[(0.5, 1, &*a), (0.6, 1, "")]));
        let name = format!("zerostokes-curve-{}.csv", std::process::id());
        let path = std::env::temp_dir().join(name);
        curve.write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let expected = "particles.volume_fraction,points,pooled,jammed,failed,missing,unsettled,\
             inaccurate,rate.mean,rate.stderr,rate.seeds,relative_viscosity.mean,\
             relative_viscosity.stderr,relative_viscosity.seeds\n\
             0.5,1,1,0,0,0,0,0,1.0,,1,10.0,0.25,1\n\
             0.6,1,0,0,0,1,0,0,,,0,,,0\n";
        assert_eq!(text, expected);
    }
}
