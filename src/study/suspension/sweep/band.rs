//! What a change of the range of hydrodynamics does to a curve: a band beside it.
//!
//! Pairwise hydrodynamics has a range that is a choice, not a prediction. A sweep that takes a
//! range, a smaller and a larger one tells what the choice is worth: the curve is that of the range
//! in the middle, and the other two are the ends of a band.

use std::collections::BTreeMap;

use super::curve::{CurveRow, CurveTable};
use super::names::together;
use crate::study::sweep::short;

/// The range of hydrodynamics.
const RANGE: &str = "lubrication.outer_gap";

/// Keys that need not be the same at the ends of a band: a shorter run has larger errors.
const FREE: [&str; 2] = [RANGE, "drive.strain"];

/// The curves of a table at the range in the middle, and what the other two ranges give.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Banded {
    /// The rows at the range in the middle.
    pub table: CurveTable,
    /// For every row of the table the same with the smallest and with the largest range.
    ends: Vec<[Option<CurveRow>; 2]>,
    /// The smallest and the largest range, as they are written.
    pub ranges: [String; 2],
}

impl Banded {
    /// Splits a table, if it has three ranges of which the middle one has all rows of the others.
    pub fn new(all: &CurveTable) -> Option<Self> {
        let place = all.place(RANGE)?;
        let [low, middle, high] = all.numbers(place)[..] else { return None };
        let free = |key: &str| FREE.contains(&key.replace(' ', "").as_str());
        let telling: Vec<usize> = (0..all.keys.len()).filter(|k| !free(&all.keys[*k])).collect();
        let at = |range: f64| {
            let rows = all.rows.iter().filter(move |row| number(row, place) == Some(range));
            let named = rows.map(|row| (together(&row.settings, &telling), row));
            named.collect::<BTreeMap<String, &CurveRow>>()
        };
        let (curve, ends) = (at(middle), [at(low), at(high)]);
        if ends.iter().flat_map(BTreeMap::keys).any(|name| !curve.contains_key(name)) {
            return None;
        }
        let rows = all.rows.iter().filter(|row| number(row, place) == Some(middle));
        let of = |row: &CurveRow| {
            let name = together(&row.settings, &telling);
            ends.each_ref().map(|end| end.get(&name).copied().cloned())
        };
        let written = |range| {
            let row = all.rows.iter().find(|row| number(row, place) == Some(range));
            row.map_or(String::new(), |row| short(&row.settings[place]))
        };
        Some(Banded {
            ends: rows.clone().map(of).collect(),
            ranges: [written(low), written(high)],
            table: CurveTable { keys: all.keys.clone(), rows: rows.cloned().collect() },
        })
    }

    /// A result with the smallest and with the largest range, where a row has both and they are
    /// settled.
    pub fn of(&self, row: usize, result: &str) -> Option<[f64; 2]> {
        let settled = |row: &&CurveRow| row.unsettled == 0;
        let mean =
            |end: &Option<CurveRow>| Some(end.as_ref().filter(settled)?.result(result)?.mean);
        let [low, high] = self.ends[row].each_ref().map(mean);
        Some([low?, high?])
    }
}

fn number(row: &CurveRow, place: usize) -> Option<f64> {
    row.settings[place].number()
}

#[cfg(test)]
mod tests {
    use super::super::names::FRACTION;
    use super::*;
    use crate::record::Scalar;
    use crate::stats::Pooled;

    fn table(points: &[[f64; 4]]) -> CurveTable {
        let row = |[range, strain, phi, mean]: &[f64; 4]| CurveRow {
            settings: [*range, *strain, *phi].map(Scalar::Number).to_vec(),
            results: [("eta".to_owned(), Pooled { mean: *mean, stderr: None, runs: 1 })].into(),
            ..CurveRow::default()
        };
        let keys = [RANGE, "drive.strain", FRACTION].map(str::to_owned).to_vec();
        CurveTable { keys, rows: points.iter().map(row).collect() }
    }

    #[test]
    fn the_curve_is_that_of_the_range_in_the_middle() {
        let mut points = vec![
            [0.5, 20.0, 0.4, 6.0],
            [0.5, 20.0, 0.5, 15.0],
            [0.3, 9.0, 0.5, 14.0],
            [0.7, 9.0, 0.5, 16.0],
        ];
        let banded = Banded::new(&table(&points)).unwrap();
        assert_eq!(banded.table.rows.len(), 2);
        assert_eq!((banded.of(0, "eta"), banded.of(1, "eta")), (None, Some([14.0, 16.0])));
        assert_eq!((banded.of(1, "none"), &banded.ranges), (None, &["0.3".into(), "0.7".into()]));
        let mut drifting = table(&points);
        drifting.rows[3].unsettled = 1;
        assert_eq!(Banded::new(&drifting).unwrap().of(1, "eta"), None);
        // Where the range in the middle is missing somewhere there are three curves.
        points.push([0.7, 9.0, 0.55, 30.0]);
        assert_eq!(Banded::new(&table(&points)), None);
        assert_eq!(Banded::new(&table(&points[..3])), None);
    }
}
