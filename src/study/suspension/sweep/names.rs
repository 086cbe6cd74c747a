//! Keys and curves in the words of figures and tables.

use std::collections::{BTreeMap, BTreeSet};

use super::curve::CurveTable;
use crate::record::Scalar;
use crate::study::sweep::short;

/// The volume fraction.
pub(super) const FRACTION: &str = "particles.volume_fraction";
/// The imposed shear rate.
pub(super) const RATE: &str = "drive.rate";
/// The imposed shear stress.
pub(super) const STRESS: &str = "drive.stress";
/// The friction coefficient.
pub(super) const FRICTION: &str = "contact.friction";

/// A key in figures: a symbol of the field, or its own last word. μ is the viscosity of the fluid.
pub(super) fn symbol(key: &str) -> String {
    match key {
        FRACTION => "φ".to_owned(),
        RATE => "γ̇".to_owned(),
        STRESS => "σ".to_owned(),
        FRICTION => "μ_p".to_owned(),
        "particles.count" => "N".to_owned(),
        "gluey.gamma_min" => "γₘᵢₙ".to_owned(),
        "contact.critical_load" => "F_CL".to_owned(),
        _ => key.rsplit('.').next().unwrap_or(key).replace('_', " "),
    }
}

/// A key in tables and lines of text: as in figures, but for symbols with subscripts.
pub(super) fn word(key: &str) -> String {
    if key == FRICTION { "friction".to_owned() } else { symbol(key) }
}

/// Some of the settings of a row as one text.
pub(super) fn together(settings: &[Scalar], keys: &[usize]) -> String {
    keys.iter().map(|k| format!("{}\n", settings[*k])).collect()
}

/// Rows of a table that lie on one curve.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    /// What tells it from the others in figures, `μ_p = 1`; empty if it is the only one.
    pub label: String,
    /// The same in lines of text, `friction = 1`.
    pub name: String,
    /// The keys that do not vary along it, with their values.
    pub settings: Vec<(String, Scalar)>,
    /// Its rows, in ascending order of what varies along it.
    pub rows: Vec<usize>,
}

/// The curves along a key whose values are numbers, one for each combination of the other keys.
pub(super) fn curves_along(table: &CurveTable, across: usize) -> Vec<Curve> {
    let others: Vec<usize> = (0..table.keys.len()).filter(|k| *k != across).collect();
    let telling = telling(table, &others);
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut curves: Vec<Curve> = Vec::new();
    for (index, row) in table.rows.iter().enumerate() {
        let next = curves.len();
        let place = *known.entry(together(&row.settings, &telling)).or_insert(next);
        if place < next {
            curves[place].rows.push(index);
            continue;
        }
        let named = |word: fn(&str) -> String| {
            let name =
                |k: &usize| format!("{} = {}", word(&table.keys[*k]), short(&row.settings[*k]));
            telling.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let (label, name) = (named(symbol), named(word));
        let setting = |k: &usize| (table.keys[*k].clone(), row.settings[*k].clone());
        let settings = others.iter().map(setting).collect();
        curves.push(Curve { label, name, settings, rows: vec![index] });
    }
    let place = |index: &usize| table.rows[*index].settings[across].number().unwrap_or(f64::NAN);
    curves.iter_mut().for_each(|c| c.rows.sort_by(|a, b| place(a).total_cmp(&place(b))));
    curves
}

/// The keys that tell curves apart: one that says no more than those before it is left out, such as
/// a strain that goes with a friction coefficient.
fn telling(table: &CurveTable, others: &[usize]) -> Vec<usize> {
    let count = |keys: &[usize]| {
        let all = table.rows.iter().map(|row| together(&row.settings, keys));
        all.collect::<BTreeSet<String>>().len()
    };
    let mut kept: Vec<usize> = Vec::new();
    for key in others {
        let mut more = kept.clone();
        more.push(*key);
        if count(&more) > count(&kept) {
            kept = more;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::curve::CurveRow;
    use super::*;

    #[test]
    fn curves_are_named_by_what_tells_them_apart() {
        let row = |mu: i64, strain: f64, phi: f64| CurveRow {
            settings: vec![Scalar::Whole(mu), Scalar::Number(strain), Scalar::Number(phi)],
            ..CurveRow::default()
        };
        let keys = [FRICTION, "drive.strain", FRACTION].map(str::to_owned).to_vec();
        let rows = vec![row(0, 20.0, 0.5), row(0, 20.0, 0.4), row(1, 16.0, 0.4)];
        let table = CurveTable { keys, rows };
        let curves = curves_along(&table, 2);
        let labels: Vec<&str> = curves.iter().map(|c| c.label.as_str()).collect();
        assert_eq!(labels, ["μ_p = 0", "μ_p = 1"]);
        assert_eq!(curves[1].name, "friction = 1");
        assert_eq!(curves[0].rows, [1, 0]);
        assert_eq!(curves[1].settings[1], ("drive.strain".to_owned(), Scalar::Number(16.0)));
        assert_eq!(symbol("time.first_step"), "first step");
        let numbers = [0.0158113883008, 0.4, 20.0, 1.23456e-9].map(Scalar::Number);
        assert_eq!(numbers.map(|n| short(&n)), ["0.01581", "0.4", "20.0", "1.235e-9"]);
    }
}
