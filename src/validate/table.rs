//! The table, on the screen and as a file.

use std::path::Path;

use super::{Finding, Measure, Reference, Tolerance};
use crate::Error;
use crate::plot::with_error;
use crate::record::atomic;
use crate::record::column::{Column, FileDescription, describe, values};

/// The name of the file.
pub const FILE: &str = "validate.csv";

/// Widths of the columns but the last.
const WIDTHS: [usize; 5] = [57, 14, 15, 14, 10];

/// Width of the screen that the table fits on.
const SCREEN: usize = 120;

/// The names of the columns.
pub fn heading() -> String {
    line(["what", "paper", "reference", "here", "tolerance", "verdict"].map(str::to_owned))
}

/// A row and its notes.
pub fn lines(finding: &Finding) -> Vec<String> {
    let mut cells = cells(finding);
    cells[0].insert_str(0, "  ");
    let mut lines = vec![line(cells)];
    for note in notes(finding) {
        lines.extend(wrapped(note, SCREEN - 6).into_iter().map(|text| format!("      {text}")));
    }
    lines
}

/// What stands in the columns: what is compared, what the paper prints, the reference, what is
/// found here, the tolerance and the verdict. Of several cases it is the worst.
pub fn cells(finding: &Finding) -> [String; 6] {
    let row = &finding.row;
    let more = match (finding.measures.len(), row.tolerance) {
        (0 | 1, _) => String::new(),
        (cases, Tolerance::Same) => format!(", {cases} cases"),
        (cases, _) => format!(", worst of {cases}"),
    };
    let none = || "–".to_owned();
    let tolerance = row.tolerance;
    let worst = finding.worst();
    let own = worst.and_then(|m| m.paper).map(figure);
    let printed = (!row.paper.is_empty()).then(|| row.paper.clone());
    [
        format!("{}{more}", row.what),
        own.or(printed).unwrap_or_else(none),
        worst.map_or_else(none, |m| reference(m, tolerance)),
        worst.map_or_else(none, |m| here(m, tolerance)),
        allowance(tolerance),
        (if finding.passes() { "ok" } else { "FAILED" }).to_owned(),
    ]
}

/// What a reader has to know: why a row failed, in which case, and the note of the row.
pub fn notes(finding: &Finding) -> impl Iterator<Item = &str> {
    let worst = finding.worst().map(|m| &m.case);
    let case = worst.filter(|case| !finding.passes() && !case.is_empty());
    let notes = [finding.error.as_ref(), case, Some(&finding.row.note)];
    notes.into_iter().flatten().map(String::as_str).filter(|note| !note.is_empty())
}

/// How many rows are within their tolerances.
pub fn count(findings: &[Finding]) -> String {
    let passed = findings.iter().filter(|finding| finding.passes()).count();
    let numbers: usize = findings.iter().map(|finding| finding.measures.len()).sum();
    format!("{passed} of {} within tolerance ({numbers} numbers compared)", findings.len())
}

fn line(cells: [String; 6]) -> String {
    let mut text = String::new();
    for (k, cell) in cells.iter().enumerate() {
        text += cell;
        if let Some(width) = WIDTHS.get(k) {
            // One blank at least, however long the cell.
            let blanks = width.saturating_sub(cell.chars().count()).max(1);
            text.extend(std::iter::repeat_n(' ', blanks));
        }
    }
    text
}

/// Words in lines of at most `width` characters.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Up to six digits, with an exponent where they would be hard to read.
fn figure(x: f64) -> String {
    if !x.is_finite() {
        return "none".to_owned();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let rounded = format!("{x:.5e}");
    let (digits, power) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    if (-3..6).contains(&power) {
        let decimals = (5 - power).max(0) as usize;
        return trimmed(&format!("{x:.decimals$}")).to_owned();
    }
    format!("{}e{power}", trimmed(digits))
}

/// Without zeros that say nothing.
fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

fn yes_or_no(x: f64) -> String {
    match x {
        1.0 => "yes".to_owned(),
        0.0 => "no".to_owned(),
        _ => figure(x),
    }
}

/// A reference as the table shows it.
pub fn reference(measure: &Measure, tolerance: Tolerance) -> String {
    match (measure.reference, tolerance) {
        (Reference::Value(value), Tolerance::Same) => yes_or_no(value),
        (Reference::Value(value), _) => figure(value),
        (Reference::Range([low, high]), _) => format!("{low:.2} to {high:.2}"),
    }
}

fn here(measure: &Measure, tolerance: Tolerance) -> String {
    match (tolerance, measure.stderr) {
        (Tolerance::Same, _) => yes_or_no(measure.here),
        (_, Some(error)) => with_error(measure.here, Some(error)),
        // What should vanish needs no digits.
        _ if measure.reference == Reference::Value(0.0)
            && measure.here.is_finite()
            && measure.here != 0.0 =>
        {
            format!("{:.1e}", measure.here)
        }
        _ => figure(measure.here),
    }
}

/// A tolerance as the table shows it.
pub fn allowance(tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Relative(share) if share < 1e-4 => format!("{share:e}"),
        Tolerance::Relative(share) => format!("{} %", figure(100.0 * share)),
        Tolerance::Absolute(size) if 0.0 < size && size < 1e-3 => format!("± {size:e}"),
        Tolerance::Absolute(size) => format!("± {}", figure(size)),
        Tolerance::Same => "the same".to_owned(),
    }
}

/// A line of the file: the number of a row of the table, what was found, and one of its numbers.
type Line<'a> = (usize, &'a Finding, Option<&'a Measure>);

/// Columns of the file.
fn columns<'a>() -> [Column<Line<'a>, String>; 15] {
    [
        Column::new("row", "1", "row of the table, from 1", |(row, ..)| row.to_string()),
        Column::new("model", "text", "group of benchmarks", |l| l.1.row.model.key().to_owned()),
        Column::new("what", "text", "what is compared", |l| l.1.row.what.trim().to_owned()),
        Column::new("case", "text", "the case", |l| l.2.map_or(String::new(), |m| m.case.clone())),
        Column::new("paper", "text", "what the paper prints", |(_, found, measure)| {
            let own = measure.and_then(|m| m.paper);
            own.map_or(found.row.paper.clone(), |paper| number(Some(paper)))
        }),
        Column::new("reference", "q", "reference, or lower end of its range", |l| {
            number(range(l).0)
        }),
        Column::new("reference_to", "q", "upper end of the range", |l| number(range(l).1)),
        Column::new("here", "q", "what this program finds", |l| number(l.2.map(|m| m.here))),
        Column::new(
            "stderr",
            "q",
            "standard error of what it finds; empty if it is no mean",
            |l| number(l.2.and_then(|m| m.stderr)),
        ),
        Column::new("tolerance", "1 or q", "allowed difference", |l| {
            number(Some(l.1.row.tolerance.size()))
        }),
        Column::new(
            "tolerance_kind",
            "text",
            "whether the tolerance is relative or absolute",
            |l| l.1.row.tolerance.kind().to_owned(),
        ),
        Column::new("verdict", "text", "`ok` or `failed`", |(_, found, measure)| {
            let close = measure.is_some_and(|m| m.is_within(found.row.tolerance));
            (if found.error.is_none() && close { "ok" } else { "failed" }).to_owned()
        }),
        Column::new("source", "text", "where the reference comes from", |l| {
            l.1.row.source.to_owned()
        }),
        Column::new("note", "text", "what explains the row", |l| l.1.row.note.clone()),
        Column::new("error", "text", "why there is no number", |l| {
            l.1.error.clone().unwrap_or_default()
        }),
    ]
}

/// The file.
pub fn files() -> Vec<FileDescription> {
    let when = "`zerostokes validate --out DIR`, one row per number that is compared";
    vec![FileDescription::new(FILE, when, describe(&columns()))]
}

fn number(x: Option<f64>) -> String {
    x.map_or(String::new(), |x| format!("{x:?}"))
}

/// The ends of a reference.
fn range((.., measure): &Line<'_>) -> (Option<f64>, Option<f64>) {
    match measure.map(|m| m.reference) {
        Some(Reference::Value(value)) => (Some(value), None),
        Some(Reference::Range([low, high])) => (Some(low), Some(high)),
        None => (None, None),
    }
}

/// Writes all numbers, also those of rows of which the table shows only the worst case.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(path: &Path, findings: &[Finding]) -> Result<(), Error> {
    atomic::write(path, |out| {
        let mut csv = csv::Writer::from_writer(out);
        let columns = columns();
        csv.write_record(columns.iter().map(|column| &*column.name))?;
        for (row, finding) in (1..).zip(findings) {
            if finding.measures.is_empty() {
                csv.write_record(values(&columns, &(row, finding, None)))?;
            }
            for measure in &finding.measures {
                csv.write_record(values(&columns, &(row, finding, Some(measure))))?;
            }
        }
        csv.flush()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Extent, Model, Row, jobs};
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        let said = [0.0, 2.5, -8.0 / 9.0, 4.719946e-5, 18875.94, 1e-44, 0.08279266, f64::NAN];
        let expected =
            ["0", "2.5", "-0.888889", "4.71995e-5", "18875.9", "1e-44", "0.0827927", "none"];
        let shown = said.map(figure);
        assert!(shown.iter().zip(expected).all(|(s, e)| s == e), "{shown:?}");
    }

    #[test]
    fn every_row_fits_its_columns_and_the_screen() {
        for job in [Extent::Quick, Extent::Full].into_iter().flat_map(jobs) {
            for row in job.rows {
                let wide = 2 + row.what.chars().count() + ", worst of 34".len();
                let wide = if job.runs == 1 { wide - ", worst of 34".len() } else { wide };
                assert!(wide < WIDTHS[0], "{} is {wide} wide", row.what);
                assert!(row.paper.chars().count() < WIDTHS[1], "{}", row.paper);
                assert!(allowance(row.tolerance).chars().count() < WIDTHS[4], "{:?}", row);
                let found = Finding { row, measures: vec![], error: Some("x ".repeat(99)) };
                let widest = lines(&found).iter().map(|l| l.chars().count()).max();
                assert!(widest <= Some(SCREEN), "{widest:?}");
            }
        }
    }

    #[test]
    fn a_row_that_fails_says_which_case_and_why() {
        let row = Row::new(Model::Soft, "durations", Tolerance::Relative(0.1)).note("a note");
        let measures = vec![Measure::of("first", 1.0, 1.0), Measure::of("second", 1.0, 2.0)];
        let mut found = Finding { row, measures, error: None };
        let text = lines(&found).join("\n");
        assert!(text.contains("worst of 2") && text.contains("FAILED"), "{text}");
        assert!(text.contains("second") && text.contains("a note"), "{text}");
        assert_eq!(count(&[found.clone()]), "0 of 1 within tolerance (2 numbers compared)");
        found.measures.pop();
        let text = lines(&found).join("\n");
        assert!(text.contains(" ok") && !text.contains("first"), "{text}");
        found.error = Some("the step fell to 1e-12".to_owned());
        assert!(lines(&found).join("\n").contains("the step fell"));
    }

    #[test]
    fn the_file_holds_every_number() {
        let row = Row::new(Model::Soft, "  x, y", Tolerance::Relative(0.1));
        let row = row.paper("1/3").source("theory");
        let measures = vec![Measure::of("a", 1.0, 1.05), Measure::of("b", 1.0, f64::NAN)];
        let empty = Finding { row: row.clone(), measures: vec![], error: Some("e".to_owned()) };
        let path = std::env::temp_dir().join(format!("validate-{}.csv", std::process::id()));
        write(&path, &[Finding { row, measures, error: None }, empty]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "1,soft,\"x, y\",a,1/3,1.0,,1.05,,0.1,relative,ok,theory,,",
                "1,soft,\"x, y\",b,1/3,1.0,,NaN,,0.1,relative,failed,theory,,",
                "2,soft,\"x, y\",,1/3,,,,,0.1,relative,failed,theory,,e",
            ]
        );
    }
}
