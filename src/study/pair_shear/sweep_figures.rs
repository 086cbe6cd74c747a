//! Figures of many pairs of spheres in shear: trajectories and gaps (\[CBC20\] figs. 8 and 10),
//! smallest gaps (fig. 9), and the map of deviations over roughness and capillary number (fig. 11).

use std::path::Path;

use super::PairShear;
use crate::Error;
use crate::plot::{
    Axis, CurveFigure, Disc, Line, MapFigure, Panel, TimeSeriesFigure, Trace, Trajectory,
    TrajectoryFigure, curve, map, time_series, trajectories,
};
use crate::record::{Scalar, SweepTable, Table};
use crate::study::sweep::{FIGURE, FinishedSweep, axis, curves};

const ROUGHNESS: &str = "pair.roughness";
const STIFFNESS: &str = "pair.stiffness";

/// The figures of all paths, without their extensions.
const TRAJECTORIES: &str = "trajectories";
const GAPS: &str = "gaps";

/// More trajectories cannot be told apart.
const MOST_PATHS: usize = 14;

/// How far along the flow trajectories are drawn, in sums of radii.
const LENGTH_SHOWN: f64 = 2.5;

/// Deviations below this are shown as none `[a]`.
const NO_DEVIATION: f64 = 1e-2;

/// Draws what can be drawn of a sweep; returns the names of the figures.
pub(super) fn draw(
    sweep: &FinishedSweep<'_>,
    pair: &PairShear,
) -> Result<Vec<&'static str>, Error> {
    let &FinishedSweep { directory, table, .. } = sweep;
    if let Some(figure) = deviations(table) {
        map(&directory.join(FIGURE), &figure)?;
        return Ok(vec![FIGURE]);
    }
    let mut drawn = Vec::new();
    if draw_smallest_gaps(directory, table)? {
        drawn.push(FIGURE);
    }
    if draw_paths(sweep, pair)? {
        drawn.extend([TRAJECTORIES, GAPS]);
    }
    Ok(drawn)
}

/// The distinct values of a key, in ascending order.
fn values(table: &SweepTable, key: usize) -> Vec<f64> {
    let mut values: Vec<f64> =
        table.rows.iter().filter_map(|row| row.settings[key].number()).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The map of deviations, if roughness and stiffness are all that was swept.
fn deviations(table: &SweepTable) -> Option<MapFigure> {
    let (rough, stiff) = (table.place(ROUGHNESS)?, table.place(STIFFNESS)?);
    let xs = values(table, rough);
    // Softer is higher: the capillary number is the inverse of the stiffness.
    let stiffness = values(table, stiff);
    let ys: Vec<f64> = stiffness.iter().rev().map(|k| 1.0 / k).collect();
    if table.keys.len() != 2 || xs.len() < 2 || ys.len() < 2 || xs[0] <= 0.0 {
        return None;
    }
    let mut deviations = vec![f64::NAN; xs.len() * ys.len()];
    for (_, row) in table.finished() {
        let column = xs.iter().position(|x| Some(*x) == row.settings[rough].number())?;
        let from_stiffest =
            stiffness.iter().rev().position(|k| Some(*k) == row.settings[stiff].number())?;
        let found = row.results.get("pair.deviation").and_then(Scalar::number);
        deviations[from_stiffest * xs.len() + column] = found.map_or(f64::NAN, f64::abs);
    }
    let (low, high) = (xs[0].max(ys[0]), xs[xs.len() - 1].min(ys[ys.len() - 1]));
    let guide = if low < high {
        vec![Line::new("Ca = ε", vec![low, high], vec![low, high])]
    } else {
        Vec::new()
    };
    Some(MapFigure {
        x: Axis::log("roughness ε"),
        y: Axis::log("capillary number Ca = μγ̇a / k"),
        xs,
        ys,
        values: deviations,
        label: "deviation / a".to_owned(),
        logarithmic: true,
        zero_below: Some((NO_DEVIATION, format!("less than {NO_DEVIATION} a"))),
        lines: guide,
    })
}

/// The smallest gap against the first key that is a number, one curve for each value of the other.
fn draw_smallest_gaps(directory: &Path, table: &SweepTable) -> Result<bool, Error> {
    let is_number = |k: usize| table.rows.iter().all(|row| row.settings[k].number().is_some());
    let across = (0..table.keys.len()).find(|k| is_number(*k) && values(table, *k).len() > 1);
    let (Some(across), true) = (across, table.keys.len() <= 2) else { return Ok(false) };
    let other = (0..table.keys.len()).find(|k| *k != across);
    let points = curves(table, across, other, ["pair.min_gap", ""]);
    if points.is_empty() || points.len() > MOST_PATHS {
        return Ok(false);
    }
    let figure = CurveFigure {
        x: axis(&table.keys[across], points.iter().flat_map(|p| &p.curve.x)),
        y: axis("smallest gap / a", points.iter().flat_map(|p| &p.curve.y)),
        points,
        ..CurveFigure::default()
    };
    curve(&directory.join(FIGURE), &figure)?;
    Ok(true)
}

/// A run that passed, with its name in the legend.
struct Passed {
    label: String,
    rows: Table,
}

/// A setting in the words of a legend: what is a word speaks for itself.
fn name(key: &str, value: &Scalar) -> String {
    let key = key.strip_prefix("pair.").unwrap_or(key);
    match value {
        Scalar::Text(word) => word.clone(),
        Scalar::Flag(true) => format!("with {key}"),
        Scalar::Flag(false) => format!("without {key}"),
        number => format!("{key} {number}"),
    }
}

/// Draws the trajectories and the gaps of all runs in one picture each.
fn draw_paths(sweep: &FinishedSweep<'_>, pair: &PairShear) -> Result<bool, Error> {
    let &FinishedSweep { directory, table, .. } = sweep;
    if !(1..=MOST_PATHS).contains(&table.finished().count()) {
        return Ok(false);
    }
    let mut paths = Vec::new();
    for (point, row) in table.finished() {
        let settings = table.keys.iter().zip(&row.settings);
        let label: Vec<String> = settings.map(|(key, value)| name(key, value)).collect();
        paths.push(Passed { label: label.join(", "), rows: sweep.time_series(point)? });
    }
    let column = |path: &Passed, name: &str| path.rows.column(name).unwrap_or_default().to_vec();
    let sum = pair.radii[0] + pair.radii[1];
    let reach = LENGTH_SHOWN * sum;
    let path = |(k, p): (usize, &Passed)| {
        Trajectory::new(p.label.clone(), column(p, "x"), column(p, "y")).in_style(k)
    };
    let figure = TrajectoryFigure {
        x: Axis::linear("flow x / a").between(-reach, reach),
        y: Axis::linear("gradient y / a").between(-0.2 * sum, 1.35 * sum),
        discs: vec![
            Disc { radius: pair.radii[0], filled: true, label: "sphere".to_owned() },
            Disc { radius: sum, filled: false, label: "touching".to_owned() },
        ],
        paths: paths.iter().enumerate().map(path).collect(),
        equal: true,
    };
    trajectories(&directory.join(TRAJECTORIES), &figure)?;
    let within = |p: &Passed| {
        let (x, gap) = (column(p, "x"), column(p, "gap"));
        let near: Vec<usize> = (0..x.len()).filter(|k| x[*k].abs() <= reach).collect();
        let pick = |from: &[f64]| near.iter().map(|k| from[*k]).collect::<Vec<_>>();
        Trace::new(p.label.clone(), pick(&x), pick(&gap))
    };
    let figure = TimeSeriesFigure {
        x_label: "distance along the flow x / a".to_owned(),
        steady_from: None,
        panels: vec![Panel {
            axis: Axis::log("gap u / a"),
            traces: paths.iter().enumerate().map(|(k, p)| within(p).in_style(k)).collect(),
        }],
    };
    time_series(&directory.join(GAPS), &figure)?;
    Ok(true)
}
