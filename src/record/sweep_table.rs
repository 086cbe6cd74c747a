//! `sweep.csv`: one row per point, with all that its summary says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;

use super::atomic;
use super::column::{Column, Description, describe};
use crate::Error;

/// How a point stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointStatus {
    /// Its results are there.
    Finished,
    /// It reached its end, but jammed: its numbers are not those of a flow.
    Jammed,
    /// It stopped on an error.
    Failed,
    /// It was not run, or not to its end.
    Missing,
}

impl PointStatus {
    /// As it is written in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Jammed => "jammed",
            Self::Failed => "failed",
            Self::Missing => "missing",
        }
    }

    /// Whether it reached its end.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Finished | Self::Jammed)
    }
}

impl FromStr for PointStatus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Finished, Self::Jammed, Self::Failed, Self::Missing];
        let known = all.into_iter().find(|status| status.name() == text);
        known.ok_or_else(|| format!("'{text}' is no status: finished, jammed, failed or missing"))
    }
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A flag.
    Flag(bool),
    /// A word, or a value that is none of the others.
    Text(String),
}

impl Scalar {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Number(number) => Some(*number),
            Self::Flag(_) | Self::Text(_) => None,
        }
    }

    /// A field of the table as it was written.
    fn of_field(text: &str) -> Self {
        let whole = text.parse().map(Self::Whole);
        let number = || text.parse().map(Self::Number);
        let flag = || text.parse().map(Self::Flag);
        whole.or_else(|_| number()).or_else(|_| flag()).unwrap_or_else(|_| Self::Text(text.into()))
    }

    /// A setting of a case.
    pub fn of_setting(value: &toml::Value) -> Self {
        match value {
            toml::Value::Integer(number) => Self::Whole(*number),
            toml::Value::Float(number) => Self::Number(*number),
            toml::Value::Boolean(flag) => Self::Flag(*flag),
            toml::Value::String(text) => Self::Text(text.clone()),
            other => Self::Text(other.to_string()),
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            // To the last digit; very large and small ones with an exponent.
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A point of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepRow {
    /// The value of every swept key, in the order of [`SweepTable::keys`].
    pub settings: Vec<Scalar>,
    /// How it stands.
    pub status: PointStatus,
    /// The scalars of its summary by their dotted keys; empty unless it reached its end.
    pub results: BTreeMap<String, Scalar>,
}

/// Columns of `sweep.csv`: before and after the swept keys. The results of `summary.json` follow.
const POINT: Column<usize, String> =
    Column::new("point", "1", "number of the point along the grid, from 1", |index| {
        (index + 1).to_string()
    });
const STATUS: Column<SweepRow, String> = Column::new(
    "status",
    "text",
    "how the point stands: `finished`, `jammed`, `failed` or `missing`",
    |row| row.status.name().to_owned(),
);

/// The columns of `sweep.csv`.
pub fn columns() -> Vec<Description> {
    let key = |name: &str, meaning: &str| Description {
        name: name.to_owned(),
        unit: "as in the case",
        meaning: meaning.to_owned(),
    };
    let result = "a number, flag or word of the point's `summary.json` by its key; empty unless it \
                  reached its end";
    let mut columns = describe(&[POINT]);
    columns.push(key("KEY", "value of a swept key; one column each"));
    columns.extend(describe(&[STATUS]));
    columns.push(Description { unit: "as in summary.json", ..key("RESULT", result) });
    columns
}

/// All points of a sweep, in the order of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepTable {
    /// The swept keys.
    pub keys: Vec<String>,
    /// One row per point.
    pub rows: Vec<SweepRow>,
}

impl SweepTable {
    /// Records that a point, counted from 0, reached its end.
    pub fn finish(&mut self, index: usize, summary: &Value) {
        let jammed = summary["jammed"] == true;
        self.rows[index].status = if jammed { PointStatus::Jammed } else { PointStatus::Finished };
        self.rows[index].results = flatten(summary);
    }

    /// The points that are finished and have not jammed, with their numbers from 0.
    pub fn finished(&self) -> impl Iterator<Item = (usize, &SweepRow)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.status == PointStatus::Finished)
    }

    /// The place of a swept key.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.keys.iter().position(|known| known == key)
    }

    /// Number of points that stand so.
    pub fn count(&self, status: PointStatus) -> usize {
        self.rows.iter().filter(|row| row.status == status).count()
    }

    /// The names of all results, sorted. A result named like a swept key is left out.
    pub fn results(&self) -> Vec<String> {
        let taken =
            |name: &str| name == "point" || name == "status" || self.keys.iter().any(|k| k == name);
        let names: BTreeSet<&String> =
            self.rows.iter().flat_map(|row| row.results.keys()).collect();
        names.into_iter().filter(|name| !taken(name)).cloned().collect()
    }

    /// Replaces a file by the table as CSV: `point`, the swept keys, `status`, the results.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let results = self.results();
        atomic::write(path, |out| {
            let mut csv = csv::Writer::from_writer(out);
            let keys = self.keys.iter().map(String::as_str);
            let names = results.iter().map(String::as_str);
            let [point, status] = [[&*POINT.name], [&*STATUS.name]];
            csv.write_record(point.into_iter().chain(keys).chain(status).chain(names))?;
            for (index, row) in self.rows.iter().enumerate() {
                let mut fields = vec![POINT.value(&index)];
                fields.extend(row.settings.iter().map(Scalar::to_string));
                fields.push(STATUS.value(row));
                let text = |name| row.results.get(name).map_or(String::new(), Scalar::to_string);
                fields.extend(results.iter().map(text));
                csv.write_record(&fields)?;
            }
            csv.flush()
        })
    }
}

/// What cannot be read of a table, and where.
fn unreadable(path: &Path, line: u64, reason: impl Into<String>) -> Error {
    Error::BadLine { path: path.to_owned(), line, reason: reason.into() }
}

impl SweepTable {
    /// Reads a table that was written.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no such table.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = std::fs::File::open(path)
            .map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let mut csv = csv::Reader::from_reader(file);
        let again = "the same `zerostokes sweep` command writes it again";
        let bad = |error: csv::Error| {
            let line = error.position().map_or(1, |place| place.line());
            unreadable(path, line, format!("{error}; {again}"))
        };
        let head: Vec<String> = csv.headers().map_err(bad)?.iter().map(str::to_owned).collect();
        let Some(status) = head.iter().position(|name| name == "status").filter(|k| *k > 0) else {
            return Err(unreadable(path, 1, format!("there is no column 'status'; {again}")));
        };
        let mut rows = Vec::new();
        for record in csv.records() {
            let record = record.map_err(bad)?;
            let line = record.position().map_or(0, |place| place.line());
            let fields: Vec<&str> = record.iter().collect();
            let result = |(name, text): (&String, &&str)| (name.clone(), Scalar::of_field(text));
            let results = head.iter().zip(&fields).skip(status + 1);
            rows.push(SweepRow {
                settings: fields[1..status].iter().map(|text| Scalar::of_field(text)).collect(),
                status: fields[status]
                    .parse()
                    .map_err(|reason| unreadable(path, line, format!("{reason}; {again}")))?,
                results: results.filter(|(_, text)| !text.is_empty()).map(result).collect(),
            });
        }
        Ok(Self { keys: head[1..status].to_vec(), rows })
    }
}

/// The scalars of a summary by their dotted keys; arrays are left out, and so is what is not known.
fn flatten(summary: &Value) -> BTreeMap<String, Scalar> {
    let mut found = BTreeMap::new();
    collect("", summary, &mut found);
    found
}

fn collect(key: &str, value: &Value, found: &mut BTreeMap<String, Scalar>) {
    let scalar = match value {
        Value::Object(entries) => {
            for (name, inner) in entries {
                let name = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                collect(&name, inner, found);
            }
            return;
        }
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Scalar::Whole(whole),
            None => Scalar::Number(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::Bool(flag) => Scalar::Flag(*flag),
        Value::String(text) => Scalar::Text(text.clone()),
        Value::Array(_) | Value::Null => return,
    };
    found.insert(key.to_owned(), scalar);
}

#[cfg(test)]
impl SweepRow {
    /// A row without settings: finished with a summary in JSON, or missing if that is empty.
    pub(crate) fn of_summary(summary: &str) -> Self {
        let (settings, results) = (Vec::new(), BTreeMap::new());
        let row = Self { settings, status: PointStatus::Missing, results };
        let mut table = SweepTable { keys: Vec::new(), rows: vec![row] };
        if let Ok(summary) = serde_json::from_str(summary) {
            table.finish(0, &summary);
        }
        table.rows.remove(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> SweepTable {
        let row = |x: f64, name: &str| SweepRow {
            settings: vec![Scalar::Number(x), Scalar::Text(name.to_owned())],
            status: PointStatus::Missing,
            results: BTreeMap::new(),
        };
        let keys = vec!["t1.kappa".to_owned(), "title".to_owned()];
        SweepTable { keys, rows: vec![row(1e-7, "a, b"), row(0.5, "c"), row(3.0, "d")] }
    }

    #[test]
    fn summaries_are_flattened_and_united() {
        let mut table = table();
        let summary = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        table
            .finish(0, &summary(r#"{"b": {"mean": 1.5, "n": 12}, "title": "x", "advice": ["y"]}"#));
        table.finish(2, &summary(r#"{"b": null, "a": true, "c": {"word": "w"}}"#));
        table.rows[1].status = PointStatus::Failed;
        assert_eq!(table.count(PointStatus::Finished), 2);
        let path =
            std::env::temp_dir().join(format!("zerostokes-sweep-{}.csv", std::process::id()));
        table.write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let again = SweepTable::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((&again.keys, again.rows.len()), (&table.keys, 3));
        assert_eq!(again.rows[0].settings, table.rows[0].settings);
        assert_eq!(again.rows[1], table.rows[1]);
        assert_eq!(again.rows[2].results, table.rows[2].results);
        let expected = "point,t1.kappa,title,status,a,b.mean,b.n,c.word\n\
                        1,1e-7,\"a, b\",finished,,1.5,12,\n\
                        2,0.5,c,failed,,,,\n\
                        3,3.0,d,finished,true,,,w\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn numbers_are_written_to_the_last_digit() {
        for number in [0.1 + 0.2, 1e300, -2.5e-17, 1e15, f64::MIN_POSITIVE] {
            assert_eq!(Scalar::Number(number).to_string().parse(), Ok(number));
        }
        assert_eq!(Scalar::Whole(i64::MAX).to_string(), "9223372036854775807");
    }
}
