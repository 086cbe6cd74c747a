//! The table that a sweep ends with on the screen.

use super::band::Banded;
use super::curve::{CurveRow, CurveTable};
use super::names::{RATE, STRESS, word};
use crate::plot::with_error;
use crate::stats::Pooled;
use crate::study::sweep::short;

/// No line is longer, in characters.
const WIDTH: usize = 100;

/// More rows are left to the file.
const MOST_ROWS: usize = 40;

/// A longer setting is cut, in characters.
const LONGEST: usize = 16;

/// One line per row of a curve with its settings, η_r, Π and how its points stand; the shear rate
/// too where the stress is imposed, and η_r with other ranges where there are any. Empty if there
/// is no viscosity to tell.
pub(super) fn listing(
    table: &CurveTable,
    banded: Option<&Banded>,
    imposed_stress: bool,
) -> Vec<String> {
    if !table.rows.iter().any(|row| row.result("relative_viscosity").is_some() || row.jammed > 0) {
        return Vec::new();
    }
    let with_rate = imposed_stress || table.place(STRESS).is_some();
    let mut head: Vec<String> = table.keys.iter().map(|key| heading(key)).collect();
    let keys = head.len();
    head.extend(["η_r", "Π / μγ̇"].map(str::to_owned));
    if with_rate {
        head.push("rate".to_owned());
    }
    if let Some(Banded { ranges: [low, high], .. }) = banded {
        head.push(format!("η_r, range {low} … {high}"));
    }
    head.extend(["seeds", "remarks"].map(str::to_owned));
    let mut lines = vec![head];
    for (index, row) in table.rows.iter().enumerate().take(MOST_ROWS) {
        let mut cells: Vec<String> =
            row.settings.iter().map(|value| cut(&short(value), LONGEST)).collect();
        cells.extend(["relative_viscosity", "particle_pressure"].map(|name| result(row, name)));
        if with_rate {
            cells.push(result(row, "rate"));
        }
        if let Some(banded) = banded {
            let ends = banded.of(index, "relative_viscosity");
            let words = |[low, high]: [f64; 2]| format!("{} … {}", three(low), three(high));
            cells.push(ends.map_or("–".to_owned(), words));
        }
        cells.extend([row.pooled.to_string(), remarks(row)]);
        lines.push(cells);
    }
    let mut lines = aligned(fitting(lines, keys));
    if table.rows.len() > MOST_ROWS {
        lines.push(format!("… and {} more rows", table.rows.len() - MOST_ROWS));
    }
    lines
}

/// Symbols, but for the rate: what is imposed is not what is found.
fn heading(key: &str) -> String {
    cut(&if key == RATE { "rate set".to_owned() } else { word(key) }, LONGEST)
}

/// A number with three digits.
fn three(number: f64) -> String {
    let places = 2.0 - number.abs().max(f64::MIN_POSITIVE).log10().floor();
    format!("{number:.0$}", places.clamp(0.0, 12.0) as usize)
}

fn result(row: &CurveRow, name: &str) -> String {
    row.result(name)
        .map_or("–".to_owned(), |Pooled { mean, stderr, .. }| with_error(*mean, *stderr))
}

/// How the points of a row stand, where that is not as it should be.
fn remarks(row: &CurveRow) -> String {
    let of = |count: usize, what: &str| match (count, row.points) {
        (0, _) => None,
        (_, 1) => Some(what.to_owned()),
        (count, all) if count == all => Some(format!("all {what}")),
        (count, _) => Some(format!("{count} {what}")),
    };
    let all = [
        of(row.jammed, "jammed"),
        of(row.failed, "failed"),
        of(row.missing(), "missing"),
        of(row.unsettled, "not settled"),
        of(row.inaccurate, "less accurate than asked"),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Length of a text on the screen: a dot above a letter takes no room.
fn length(text: &str) -> usize {
    text.chars().filter(|c| *c != '\u{307}').count()
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The widths of the columns.
fn widths(lines: &[Vec<String>]) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    let widest = |k: usize| lines.iter().map(|cells| length(&cells[k])).max().unwrap_or(0);
    (0..columns).map(widest).collect()
}

/// The columns that fit: keys that are the same in all rows go first, then keys from the last on.
fn fitting(mut lines: Vec<Vec<String>>, mut keys: usize) -> Vec<Vec<String>> {
    let remarks = "less accurate than asked".len();
    loop {
        let widths = widths(&lines);
        let (last, rest) = widths.split_last().unwrap_or((&0, &[]));
        let long = rest.iter().map(|w| w + 2).sum::<usize>() + (*last).min(remarks) > WIDTH;
        if !long || keys == 0 {
            return lines;
        }
        let same = |k: &usize| lines[1..].iter().all(|cells| cells[*k] == lines[1][*k]);
        let gone = (0..keys).find(same).unwrap_or(keys - 1);
        lines.iter_mut().for_each(|cells| drop(cells.remove(gone)));
        keys -= 1;
    }
}

/// Lines of columns of equal width, cut at the longest line allowed.
fn aligned(lines: Vec<Vec<String>>) -> Vec<String> {
    let widths = widths(&lines);
    let line = |cells: &Vec<String>| {
        let pad = |(cell, width): (&String, &usize)| {
            format!("{cell}{}", " ".repeat(width - length(cell)))
        };
        let text = cells.iter().zip(&widths).map(pad).collect::<Vec<_>>().join("  ");
        cut(text.trim_end(), WIDTH)
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Scalar;

    fn row(settings: Vec<Scalar>, eta: Option<(f64, f64)>) -> CurveRow {
        let result = |(mean, error): (f64, f64)| Pooled { mean, stderr: Some(error), runs: 2 };
        let named = eta.map(|eta| ("relative_viscosity".to_owned(), result(eta)));
        CurveRow {
            settings,
            points: 2,
            pooled: if eta.is_some() { 2 } else { 0 },
            jammed: if eta.is_some() { 0 } else { 2 },
            results: named.into_iter().collect(),
            ..CurveRow::default()
        }
    }

    #[test]
    fn a_row_says_what_was_found() {
        let keys = ["contact.friction", "drive.stress"].map(str::to_owned).to_vec();
        let settings = |mu: i64, stress: f64| vec![Scalar::Whole(mu), Scalar::Number(stress)];
        let mut second = row(settings(1, 10.0), None);
        second.points = 3;
        let rows = vec![row(settings(0, 0.5), Some((14.53, 0.31))), second];
        let lines = listing(&CurveTable { keys, rows }, None, true);
        assert_eq!(lines[0], "friction  σ     η_r           Π / μγ̇  rate  seeds  remarks");
        assert_eq!(lines[1], "0         0.5   14.53 ± 0.31  –       –     2");
        assert_eq!(
            lines[2],
            "1         10.0  –             –       –     0      2 jammed, 1 missing"
        );
    }

    #[test]
    fn no_line_is_too_long_and_no_list_either() {
        let keys: Vec<String> = (0..12).map(|k| format!("table.quite_a_long_key_{k}")).collect();
        let value = |k: usize| Scalar::Text(format!("a value {k} of some length"));
        let rows = (0..60).map(|_| row((0..12).map(value).collect(), Some((1e7, 1e5)))).collect();
        let lines = listing(&CurveTable { keys, rows }, None, false);
        assert_eq!(lines.len(), MOST_ROWS + 2);
        assert!(lines.iter().all(|line| length(line) <= WIDTH), "{lines:?}");
        assert!(lines[1].contains("±") && lines[41].contains("20 more rows"), "{lines:?}");
        let nothing = CurveTable { keys: vec!["t1.gap".to_owned()], rows: Vec::new() };
        assert!(listing(&nothing, None, false).is_empty());
    }
}
