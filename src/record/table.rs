//! Tables of numbers: one header line, then rows; pandas and spreadsheets read them as they are.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::append::{AppendFile, Mark};
use super::{reading, writing};
use crate::Error;

/// A growing table such as `timeseries.csv` or `contacts.csv`.
#[derive(Debug)]
pub struct TableWriter {
    /// How many columns there are.
    columns: usize,
    file: AppendFile,
}

impl TableWriter {
    /// Opens a table to go on at a mark (the beginning: a new one), see [`AppendFile::open`].
    /// Columns are names, or [`Column`](super::column::Column)s.
    ///
    /// Going on with other columns than the file has is refused.
    pub fn open(
        path: impl Into<PathBuf>,
        columns: &[impl AsRef<str>],
        at: Mark,
    ) -> Result<Self, Error> {
        let path = path.into();
        let header = record(columns).map_err(writing(&path))?;
        if at.length > 0 {
            check_header(&path, &header)?;
        }
        let mut file = AppendFile::open(path, at)?;
        if at.length == 0 {
            file.append(&header)?;
        }
        Ok(Self { columns: columns.len(), file })
    }

    /// Appends one row, with one number per column.
    pub fn write_row(&mut self, row: &[f64]) -> Result<(), Error> {
        self.write_rows([row])
    }

    /// Appends rows that belong together, in one go.
    ///
    /// # Panics
    ///
    /// If a row has not one number per column.
    pub fn write_rows<R: AsRef<[f64]>>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), Error> {
        let path = self.file.path();
        let mut text = csv::Writer::from_writer(Vec::new());
        for row in rows {
            assert_eq!(row.as_ref().len(), self.columns, "numbers in a row of {}", path.display());
            write_numbers(&mut text, row.as_ref()).map_err(|e| writing(path)(e.into()))?;
        }
        let bytes = text.into_inner().map_err(|e| writing(path)(e.into_error()))?;
        self.file.append(&bytes)
    }

    /// The file, for the checkpoint.
    pub fn file(&self) -> &AppendFile {
        &self.file
    }
}

/// One line of numbers.
fn write_numbers(text: &mut csv::Writer<Vec<u8>>, row: &[f64]) -> csv::Result<()> {
    let mut number = String::new();
    for value in row {
        number.clear();
        push_number(&mut number, *value);
        text.write_field(&number)?;
    }
    text.write_record(None::<&[u8]>)
}

/// One line of a table.
fn record(fields: &[impl AsRef<str>]) -> io::Result<Vec<u8>> {
    let mut text = csv::Writer::from_writer(Vec::new());
    text.write_record(fields.iter().map(|field| -> &str { field.as_ref() }))?;
    text.into_inner().map_err(|e| e.into_error())
}

fn check_header(path: &Path, header: &[u8]) -> Result<(), Error> {
    let mut found = Vec::new();
    let file = File::open(path).map_err(reading(path))?;
    BufReader::new(file).read_until(b'\n', &mut found).map_err(reading(path))?;
    if found == header {
        return Ok(());
    }
    let reason = format!(
        "has other columns than this program writes: {}",
        String::from_utf8_lossy(&found).trim()
    );
    Err(Error::Damaged { path: path.to_path_buf(), reason })
}

/// Writes a number with the fewest digits that read back to the same bits; whole numbers without a
/// point.
pub(super) fn push_number(text: &mut String, value: f64) {
    let _ = write!(text, "{value:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
}

/// A table read back, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// The names of the columns, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers of a column, `None` if the table has no column of this name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.names.iter().position(|n| n == name)?;
        Some(&self.columns[index])
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// Reads a table of numbers; an empty field counts as NaN.
pub fn read_columns(path: &Path) -> Result<Table, Error> {
    let file = File::open(path).map_err(reading(path))?;
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers().map_err(|e| unreadable(path, e))?;
    let names: Vec<String> = header.iter().map(str::to_string).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record.map_err(|e| unreadable(path, e))?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((field, name), column) in record.iter().zip(&names).zip(&mut columns) {
            let value = number(field).ok_or_else(|| Error::BadLine {
                path: path.to_path_buf(),
                line,
                reason: format!("`{field}` in column {name} is not a number"),
            })?;
            column.push(value);
        }
    }
    Ok(Table { names, columns })
}

fn number(field: &str) -> Option<f64> {
    if field.trim().is_empty() { Some(f64::NAN) } else { field.trim().parse().ok() }
}

fn unreadable(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => reading(path)(source),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => Error::BadLine {
            path: path.to_path_buf(),
            line,
            reason: format!("has {len} fields where the header names {expected_len}"),
        },
        other => Error::BadLine {
            path: path.to_path_buf(),
            line,
            reason: format!("is not a row ({other:?})"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;
    use std::fs;

    const COLUMNS: &[&str] = &["strain", "eta_r", "steps"];

    #[test]
    fn numbers_are_short_and_exact() {
        let text = |value| {
            let mut text = String::new();
            push_number(&mut text, value);
            text
        };
        assert_eq!(text(3.0), "3");
        assert_eq!(text(-0.1), "-0.1");
        assert_eq!(text(1e-7), "1e-7");
        assert_eq!(text(f64::NAN), "NaN");
        for value in [1.0 / 3.0, f64::MIN_POSITIVE, f64::MAX, -0.0, 2f64.powi(60), 5e-324] {
            assert_eq!(text(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let scratch = Scratch::new();
        let path = scratch.file("timeseries.csv");
        let mut table = TableWriter::open(&path, COLUMNS, Mark::default()).unwrap();
        table.write_row(&[0.0, 1.0 / 3.0, 10.0]).unwrap();
        table.write_rows([[0.01, f64::NAN, 20.0], [0.02, f64::INFINITY, 30.0]]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let expected = "strain,eta_r,steps\n0,0.3333333333333333,10\n0.01,NaN,20\n0.02,inf,30\n";
        assert_eq!(text, expected);
        let read = read_columns(&path).unwrap();
        assert_eq!((read.names().len(), read.rows()), (3, 3));
        assert_eq!(read.column("steps").unwrap(), [10.0, 20.0, 30.0]);
        assert_eq!(read.column("eta_r").unwrap()[0], 1.0 / 3.0);
        assert_eq!(read.column("absent"), None);
    }

    #[test]
    fn goes_on_behind_the_last_row_of_the_checkpoint() {
        let scratch = Scratch::new();
        let path = scratch.file("timeseries.csv");
        let mut table = TableWriter::open(&path, COLUMNS, Mark::default()).unwrap();
        table.write_row(&[1.0, 2.0, 3.0]).unwrap();
        let mark = table.file().mark();
        table.write_row(&[4.0, 5.0, 6.0]).unwrap();
        let mut table = TableWriter::open(&path, COLUMNS, mark).unwrap();
        table.write_row(&[7.0, 8.0, 9.0]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "strain,eta_r,steps\n1,2,3\n7,8,9\n");
        let message = TableWriter::open(&path, &["strain"], mark).unwrap_err().to_string();
        assert!(
            message.contains("other columns") && message.contains("strain,eta_r,steps"),
            "{message}"
        );
    }

    #[test]
    #[should_panic(expected = "numbers in a row")]
    fn a_row_needs_one_number_per_column() {
        let scratch = Scratch::new();
        let mut table = TableWriter::open(scratch.file("a.csv"), COLUMNS, Mark::default()).unwrap();
        let _ = table.write_row(&[1.0]);
    }

    #[test]
    fn bad_rows_are_errors_with_their_line() {
        let scratch = Scratch::new();
        let path = scratch.file("a.csv");
        let message = |text: &str| {
            fs::write(&path, text).unwrap();
            read_columns(&path).unwrap_err().to_string()
        };
        let short = message("a,b\n1,2\n3\n");
        assert!(short.ends_with("a.csv:3: has 1 fields where the header names 2"), "{short}");
        let word = message("a,b\n1,two\n");
        assert!(word.ends_with("a.csv:2: `two` in column b is not a number"), "{word}");
        fs::write(&path, "a,b\n1,\n").unwrap();
        assert!(read_columns(&path).unwrap().column("b").unwrap()[0].is_nan());
    }
}
