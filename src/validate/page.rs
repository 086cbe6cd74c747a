//! The table as a page of the manual.

use std::path::Path;

use super::table::{allowance, cells, count, notes, wrapped};
use super::{Finding, Row};
use crate::Error;
use crate::record::atomic;

/// The name of the file.
pub const FILE: &str = "validation.md";

/// What the page says before the tables.
const HEAD: &str = "\
# Validation

`zerostokes validate` runs the benchmarks of the papers whose models the program has, each from a
shipped case, and compares what comes out with numbers that were not made by this program: closed
forms, published tables, separate programs. It takes a few minutes on two cores, `--quick` a few
seconds for a part of every group, and it exits with 0 only if every row is within its tolerance.

With `--out DIR` it also writes this page, `DIR/validation.md`, and `DIR/validate.csv` with every
number behind it. Nothing on this page is written by hand.

| column | meaning |
|---|---|
| what | the quantity, with its unit in brackets; ↳ is about the same runs as the row above it |
| paper | what the paper prints, which may be a bound or words; – where it prints nothing |
| reference | what the verdict is by. It differs from the paper where the paper's number does not \
  follow from its own equations; a note then says so |
| here | what this program finds; ± is the standard error of a mean |
| tolerance | how far *here* may be from the reference: relative in %, or a small number such as \
  1e-8; ± is absolute; *the same* is for yes and no |
| verdict | ok, or FAILED |
| source | where the reference comes from; files are in `tests/reference` |

A row with several cases shows the worst of them, that is the one farthest from its reference in
units of the tolerance.
";

/// Width of the lines of the page that are not rows.
const WIDTH: usize = 100;

/// The page.
pub fn page(findings: &[Finding]) -> String {
    let mut lines: Vec<String> = HEAD.lines().map(str::to_owned).collect();
    let version = env!("CARGO_PKG_VERSION");
    lines.extend([String::new(), format!("Version {version}: {}.", count(findings))]);
    for group in findings.chunk_by(|a, b| a.row.model == b.row.model) {
        lines.extend([String::new(), format!("## {}", group[0].row.model.title()), String::new()]);
        lines.push("| what | paper | reference | here | tolerance | verdict | source |".to_owned());
        lines.push("|---|---|---|---|---|---|---|".to_owned());
        lines.extend(group.iter().map(table_row));
        let notes: Vec<String> = group.iter().flat_map(list_items).collect();
        if !notes.is_empty() {
            lines.push(String::new());
        }
        lines.extend(notes);
    }
    lines.join("\n") + "\n"
}

fn table_row(finding: &Finding) -> String {
    let [what, paper, reference, here, tolerance, verdict] = cells(finding);
    let source = finding.row.source.to_owned();
    let cells = [named(&what), paper, reference, here, tolerance, verdict, source];
    format!("| {} |", cells.map(|cell| escaped(&cell)).join(" | "))
}

/// The notes of a row as items of a list.
fn list_items(finding: &Finding) -> Vec<String> {
    let what = finding.row.what.trim();
    let item = |note| wrapped(&escaped(&format!("{what}: {note}.")), WIDTH - 2);
    let marks = std::iter::once("- ").chain(std::iter::repeat("  "));
    let marked = |lines: Vec<String>| lines.into_iter().zip(marks.clone());
    let items = notes(finding).flat_map(|note| marked(item(note)));
    items.map(|(line, mark)| format!("{mark}{line}")).collect()
}

/// What the page says of a row before anything is run: what is compared, the tolerance and the
/// source, as they stand in its cells.
pub fn fixed_cells(row: &Row) -> [String; 3] {
    [named(&row.what), allowance(row.tolerance), row.source.to_owned()].map(|cell| escaped(&cell))
}

/// Rows that go on with the one above are marked.
fn named(what: &str) -> String {
    match what.strip_prefix("  ") {
        Some(more) => format!("↳ {more}"),
        None => what.to_owned(),
    }
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

/// Writes the page.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(path: &Path, findings: &[Finding]) -> Result<(), Error> {
    atomic::write(path, |out| out.write_all(page(findings).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::{Measure, Model, Tolerance};
    use super::*;

    #[test]
    fn a_page_has_a_table_for_each_model_and_its_notes_below() {
        let found = |model, what: &str, note: &str| {
            let row = Row::new(model, what, Tolerance::Relative(0.1)).note(note);
            let row = row.source("theory").paper("R*");
            Finding { row, measures: vec![Measure::new(1.0, 1.05)], error: None }
        };
        let long = "word ".repeat(30);
        let text = page(&[
            found(Model::Soft, "first", &long),
            found(Model::Soft, "  second", ""),
            found(Model::Gluey, "third", ""),
        ]);
        assert!(text.contains("| first | R\\* | 1 | 1.05 | 10 % | ok | theory |\n"), "{text}");
        assert!(text.contains("| ↳ second |") && text.contains("\n- first: word word"), "{text}");
        assert_eq!(text.matches("\n## ").count(), 2);
        let lines = || text.lines().filter(|line| !line.starts_with('|'));
        assert!(lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        let [what, tolerance, source] =
            fixed_cells(&Row::new(Model::Soft, "  x", Tolerance::Same).source("y"));
        assert_eq!([&*what, &tolerance, &source], ["↳ x", "the same", "y"]);
    }
}
