//! The durations of rearrangements over force and gap, with the theory: \[RG09\] figure 5.

use super::T1;
use crate::Error;
use crate::plot::{Axis, Family, FamilyFigure, FamilyPanel, families};
use crate::record::{Scalar, SweepRow, SweepTable};
use crate::study::sweep::{FIGURE, FinishedSweep};

const KAPPA: &str = "t1.kappa";
const GAP: &str = "t1.gap";

/// Points of a line of the theory.
const LINE_POINTS: usize = 200;

/// A rearrangement that came to its end.
struct Point {
    kappa: f64,
    gap: f64,
    duration: f64,
    hertz: bool,
}

/// Draws durations against the gap for every force, and against the force for every gap. Nothing is
/// drawn when other keys are swept too, or no rearrangement came to its end.
pub(super) fn draw(sweep: &FinishedSweep<'_>, given: &T1) -> Result<Vec<&'static str>, Error> {
    let table = sweep.table;
    if table.keys.iter().any(|key| key != KAPPA && key != GAP) {
        return Ok(Vec::new());
    }
    let points: Vec<Point> =
        table.finished().filter_map(|(_, row)| point(row, table, given)).collect();
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let mut panels = Vec::new();
    if table.keys.iter().any(|key| key == GAP) {
        let families = group(&points, |p| [p.kappa, p.gap], |kappa, gap| [kappa, gap], given);
        panels.push(panel("initial gap h₀ / R", "κ", families));
    }
    if table.keys.iter().any(|key| key == KAPPA) {
        let families = group(&points, |p| [p.gap, p.kappa], |gap, kappa| [kappa, gap], given);
        panels.push(panel("reduced force κ", "h₀ / R", families));
    }
    let figure = FamilyFigure {
        panels,
        marks: ["Hertz regime visited".into(), "Poiseuille regime only".into()],
        theory: "theory, eqs. 32 and 33".into(),
    };
    families(&sweep.directory.join(FIGURE), &figure)?;
    Ok(vec![FIGURE])
}

fn point(row: &SweepRow, table: &SweepTable, given: &T1) -> Option<Point> {
    let setting = |key: &str, otherwise: f64| {
        let place = table.keys.iter().position(|k| k == key);
        place.map_or(Some(otherwise), |k| row.settings[k].number())
    };
    Some(Point {
        kappa: setting(KAPPA, given.kappa)?,
        gap: setting(GAP, given.gap)?,
        duration: row.results.get("t1.duration").and_then(Scalar::number)?,
        hertz: row.results.get("t1.visited_hertz") == Some(&Scalar::Flag(true)),
    })
}

fn panel(x: &str, parameter: &str, families: Vec<Family>) -> FamilyPanel {
    FamilyPanel {
        x: Axis::log(x),
        y: Axis::log("duration Δ / τ"),
        parameter: parameter.to_owned(),
        families,
    }
}

/// One family for every value of the first coordinate, along the second, with the theory.
fn group(
    points: &[Point],
    coordinates: impl Fn(&Point) -> [f64; 2],
    as_case: impl Fn(f64, f64) -> [f64; 2],
    given: &T1,
) -> Vec<Family> {
    let mut values: Vec<f64> = points.iter().map(|p| coordinates(p)[0]).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let along = points.iter().map(|p| coordinates(p)[1]);
    let (low, high) = along.fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
    let fine = |k: usize| low * (high / low).powf(k as f64 / (LINE_POINTS - 1) as f64);
    let family = |value: f64| {
        let mut own: Vec<&Point> = points.iter().filter(|p| coordinates(p)[0] == value).collect();
        own.sort_by(|a, b| coordinates(a)[1].total_cmp(&coordinates(b)[1]));
        let x = own.iter().map(|p| coordinates(p)[1]).collect();
        let y = own.iter().map(|p| p.duration).collect();
        let dense: Vec<f64> = (0..LINE_POINTS).map(fine).collect();
        let theory = dense.iter().map(|x| {
            let [kappa, gap] = as_case(value, *x);
            T1 { kappa, gap, ..given.clone() }.expected_duration()
        });
        let theory = theory.collect();
        Family::new(value, x, y)
            .with_filled(own.iter().map(|p| p.hertz).collect())
            .with_theory(dense, theory)
    };
    values.into_iter().map(family).collect()
}
