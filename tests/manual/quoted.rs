//! What a page quotes from a command, against what the command prints.

use std::collections::BTreeSet;

/// Checks that what is quoted has the words of what was said. Of commands that were shortened only
/// the headings of tables are compared: they may have other remarks and fits.
pub fn check(place: &str, quote: &str, said: &str, whole: bool) {
    let headings: BTreeSet<Vec<&str>> = said.lines().map(columns).collect();
    for line in quote.lines().filter(|line| !line.trim().is_empty()) {
        if is_heading(line) {
            let there = headings.contains(&columns(line));
            assert!(there, "{place}: no table has the heading\n{line}\nin\n{said}");
        } else if whole && !line.starts_with("note: ") {
            let label = label(line);
            let there = said.lines().any(|other| other.trim_start().starts_with(label));
            assert!(there, "{place}: no line begins with `{label}` in\n{said}");
        }
    }
}

/// The cells of a line of a table.
fn columns(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Whether a line is the heading of a table: three words or more and no number.
fn is_heading(line: &str) -> bool {
    columns(line).len() > 2 && !line.contains(|c: char| c.is_ascii_digit())
}

/// What a line begins with, before its first number or value.
fn label(line: &str) -> &str {
    let line = line.trim();
    let value = line.find(|c: char| c.is_ascii_digit() || "=:…".contains(c));
    let label = &line[..value.unwrap_or(line.len())];
    label.split("  ").next().unwrap_or(label).trim_end()
}

#[test]
fn words_count_and_numbers_do_not() {
    let said = "φ     η_r   remarks\n0.5   13 ± 1\noverlap             at most 2e-3 a\n";
    check("page", "φ  η_r  remarks\n0.4   9 ± 1\noverlap             at most …\n", said, true);
    check("page", "jamming at 0.6\n", said, false);
    let stale = |quote: &str, whole: bool| {
        std::panic::catch_unwind(|| check("page", quote, said, whole)).is_err()
    };
    assert!(stale("μ  η_r  remarks\n", false));
    assert!(stale("overlaps            at most 1e-3 a\n", true));
    assert!(stale("jamming at 0.6\n", true));
}
