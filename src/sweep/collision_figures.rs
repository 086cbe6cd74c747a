//! Figures of many collisions: gaps in the course of time (\[NOP23\] fig. 2), restitution against the
//! Stokes number (fig. 3) and the roughness (fig. 4), and angles of rebound (fig. 5).

use std::path::Path;

use super::figures::axis;
use super::names::short;
use super::table::{Row, Scalar, SweepTable};
use super::{FIGURE, POINTS, Status};
use crate::Error;
use crate::case::{Case, Collision, Material};
use crate::plot::{
    Axis, CurveFigure, Line, Panel, Points, TimeSeriesFigure, Trace, curve, time_series,
};
use crate::record::{TIMESERIES, read_columns};
use crate::study::collision;

const MATERIAL: &str = "collision.material";
const STOKES: &str = "collision.stokes";
const ROUGHNESS: &str = "collision.roughness";
const ANGLE: &str = "collision.angle_deg";

const RESTITUTION: &str = "collision.restitution";
const REBOUND: &str = "collision.rebound_angle_deg";

/// The figure of all gaps, without its extension.
const GAPS: &str = "gaps";

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;

/// Gaps are drawn for no more collisions.
const MOST_GAPS: usize = 8;

/// How long gaps are watched, in units of the time through the film at the first speed.
const WATCHED: f64 = 4.0;

/// Draws what can be drawn of a sweep; returns the names of the figures.
pub(super) fn draw(
    directory: &Path,
    table: &SweepTable,
    case: &Case,
) -> Result<Vec<&'static str>, Error> {
    let mut drawn = Vec::new();
    if let Some(figure) = diagram(table, case) {
        curve(&directory.join(FIGURE), &figure)?;
        drawn.push(FIGURE);
    }
    if draw_gaps(directory, table, case)? {
        drawn.push(GAPS);
    }
    Ok(drawn)
}

/// The place of a key that varies.
fn place(table: &SweepTable, key: &str) -> Option<usize> {
    let place = table.keys.iter().position(|k| k == key)?;
    varies(table, place).then_some(place)
}

fn varies(table: &SweepTable, place: usize) -> bool {
    table.rows.windows(2).any(|pair| pair[0].settings[place] != pair[1].settings[place])
}

/// The settings that tell a collision from the others, but for one key.
fn label(table: &SweepTable, row: &Row, across: Option<usize>) -> String {
    let name = |k: usize| {
        let value = short(&row.settings[k]);
        let value = value.strip_suffix(".0").unwrap_or(&value);
        match table.keys[k].as_str() {
            MATERIAL => value.to_owned(),
            STOKES => format!("St = {value}"),
            ROUGHNESS => format!("σ = {value} m"),
            ANGLE => format!("{value}°"),
            "collision.viscosity" => format!("η = {value} Pa s"),
            key => format!("{} {value}", key.strip_prefix("collision.").unwrap_or(key)),
        }
    };
    let told = (0..table.keys.len()).filter(|k| Some(*k) != across && varies(table, *k));
    told.map(name).collect::<Vec<_>>().join(", ")
}

/// The collisions along one curve.
struct Along<'a> {
    label: String,
    rows: Vec<(f64, &'a Row)>,
}

fn along(table: &SweepTable, across: usize) -> Vec<Along<'_>> {
    let mut found: Vec<Along> = Vec::new();
    for row in table.rows.iter().filter(|row| row.status == Status::Finished) {
        let (Some(x), label) = (row.settings[across].number(), label(table, row, Some(across)))
        else {
            continue;
        };
        match found.iter_mut().find(|known| known.label == label) {
            Some(known) => known.rows.push((x, row)),
            None => found.push(Along { label, rows: vec![(x, row)] }),
        }
    }
    found.iter_mut().for_each(|curve| curve.rows.sort_by(|a, b| a.0.total_cmp(&b.0)));
    found
}

fn result(row: &Row, name: &str) -> f64 {
    row.results.get(name).and_then(Scalar::number).unwrap_or(f64::NAN)
}

/// Restitution, or the angle of rebound, against what varies.
fn diagram(table: &SweepTable, case: &Case) -> Option<CurveFigure> {
    let [angle, roughness, stokes] = [ANGLE, ROUGHNESS, STOKES].map(|key| place(table, key));
    let across = angle.or(roughness).or(stokes)?;
    let name = if angle.is_some() { REBOUND } else { RESTITUTION };
    let curves = along(table, across);
    if curves.is_empty() || curves.len() > MOST_CURVES {
        return None;
    }
    let theories = theories(table, &curves, case);
    let beside = angle.is_none() && roughness.is_none() && !theories.is_empty();
    let points: Vec<Points> = curves.iter().map(|curve| measured(curve, name, !beside)).collect();
    let xs = || points.iter().flat_map(|p| &p.curve.x);
    let (x, y, lines) = if angle.is_some() {
        let y = Axis::linear("angle of rebound (°)").between(0.0, 90.0);
        (Axis::linear("angle of impact (°)"), y, vec![held_angle(xs())])
    } else if roughness.is_some() {
        (axis("roughness σ (m)", xs()), restitution_axis(), vec![deforming(&curves)])
    } else {
        let ends = xs().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let zero = Line::new("zero Stokes number", vec![ends.0, ends.1], without(&curves));
        let lines = [zero].into_iter().chain(theories).collect();
        (axis("Stokes number St", xs()), restitution_axis(), lines)
    };
    Some(CurveFigure { x, y, points, lines })
}

fn measured(curve: &Along, name: &str, joined: bool) -> Points {
    let x = curve.rows.iter().map(|(x, _)| *x).collect();
    let y = curve.rows.iter().map(|(_, row)| result(row, name)).collect();
    Points { joined, ..Points::new(curve.label.clone(), x, y) }
}

fn restitution_axis() -> Axis {
    Axis::linear("coefficient of restitution e").between(-0.02, 1.0)
}

/// What spheres without inertia keep of their speed, at both ends of the axis.
fn without(curves: &[Along]) -> Vec<f64> {
    let rows = curves.iter().flat_map(|curve| &curve.rows);
    let most = rows.map(|(_, row)| result(row, "collision.zero_stokes.restitution"));
    vec![most.fold(0.0, f64::max); 2]
}

/// The first sphere goes on with half its speed along the line of centres where the film holds both.
fn held_angle<'a>(xs: impl Iterator<Item = &'a f64>) -> Line {
    let most = xs.fold(0.0_f64, |a, b| a.max(*b));
    let x: Vec<f64> = (0..=100).map(|k| most * f64::from(k) / 100.0).collect();
    let y = x.iter().map(|x| (2.0 * x.to_radians().tan()).atan().to_degrees()).collect();
    Line::new("both held by the film", x, y)
}

/// Where roughness is as large as deformation: left of it, curves are level.
fn deforming(curves: &[Along]) -> Line {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for curve in curves {
        let Some((_, row)) = curve.rows.first() else { continue };
        points.push([result(row, "collision.deformation_gap"), result(row, RESTITUTION)]);
    }
    points.retain(|[gap, e]| *gap > 0.0 && *e > 0.0);
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let column = |k: usize| points.iter().map(|p| p[k]).collect::<Vec<_>>();
    Line::new("roughness equals deformation", column(0), column(1))
}

/// The law of leading order for each material, in the colour of its points.
fn theories(table: &SweepTable, curves: &[Along], case: &Case) -> Vec<Line> {
    let material = table.keys.iter().position(|key| key == MATERIAL);
    let given = collision::table(case);
    if table
        .keys
        .iter()
        .enumerate()
        .any(|(k, key)| key != STOKES && key != MATERIAL && varies(table, k))
    {
        return Vec::new();
    }
    let line = |(k, curve): (usize, &Along)| {
        let given = curve.rows.first().and_then(|(_, row)| of_row(&given, row, material))?;
        let [low, high] = [curve.rows.first()?.0, curve.rows.last()?.0];
        let x: Vec<f64> =
            (0..=200).map(|k| low * (high / low).powf(f64::from(k) / 200.0)).collect();
        let y = x
            .iter()
            .map(|stokes| collision::theory(&Collision { stokes: *stokes, ..given.clone() }));
        let label = if k == 0 { "leading order in 1/St" } else { "" };
        Some(Line::new(label, x.clone(), y.collect()).belonging_to(k))
    };
    curves.iter().enumerate().filter_map(line).collect()
}

/// The table of a row, with the material that it names.
fn of_row(given: &Collision, row: &Row, material: Option<usize>) -> Option<Collision> {
    let Some(place) = material else { return Some(given.clone()) };
    let Scalar::Text(name) = &row.settings[place] else { return None };
    let material = Material::ALL.into_iter().find(|m| m.name() == name)?;
    Some(given.made_of(material))
}

/// The Stokes numbers at which rebound begins, beside the estimate: below them, spheres with and
/// without inertia do the same.
pub(super) fn lines(table: &SweepTable, case: &Case) -> Vec<String> {
    if place(table, STOKES).is_none() || place(table, ANGLE).is_some() {
        return Vec::new();
    }
    let material = table.keys.iter().position(|key| key == MATERIAL);
    let mut known: Vec<Material> = Vec::new();
    let mut lines = Vec::new();
    for row in table.rows.iter().filter(|row| row.status == Status::Finished) {
        let Some(given) = of_row(&collision::table(case), row, material) else { continue };
        if place(table, ROUGHNESS).is_some() || known.contains(&given.material) {
            continue;
        }
        known.push(given.material);
        let about = collision::motion::Setting::new(&given).matter.critical_stokes();
        lines.push(format!(
            "{:<18}  no rebound below St_c = {:.2}, as at zero Stokes number; estimate {about:.2}",
            given.material.name(),
            collision::critical_stokes(&given)
        ));
    }
    lines
}

/// Draws the gaps of a few collisions in one picture.
fn draw_gaps(directory: &Path, table: &SweepTable, case: &Case) -> Result<bool, Error> {
    let finished: Vec<(usize, &Row)> =
        table.rows.iter().enumerate().filter(|(_, r)| r.status == Status::Finished).collect();
    if finished.is_empty() || finished.len() > MOST_GAPS {
        return Ok(false);
    }
    let given = collision::table(case);
    let range = collision::motion::Setting::new(&given).matter.radius;
    let mut traces = Vec::new();
    for (k, (index, row)) in finished.into_iter().enumerate() {
        let file = directory.join(POINTS).join(format!("{:04}", index + 1)).join(TIMESERIES);
        let rows = read_columns(&file)?;
        let unit = range / result(row, "collision.speed");
        let scaled = |name: &str, unit: f64| {
            rows.column(name).unwrap_or_default().iter().map(|v| v / unit).collect::<Vec<f64>>()
        };
        let (mut x, mut y) = (scaled("time", unit), scaled("gap", range));
        // What comes to rest stays there.
        if let (true, Some(last)) = (is_held(row), y.last().copied()) {
            x.push(WATCHED);
            y.push(last);
        }
        let seen = x.iter().take_while(|x| **x <= WATCHED).count();
        x.truncate(seen);
        y.truncate(seen);
        traces.push(Trace::new(label(table, row, None), x, y).in_style(k));
    }
    let figure = TimeSeriesFigure {
        x_label: "time t v₀ / R*".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::linear("gap h / R*"), traces: traces.clone() },
            Panel { axis: Axis::log("gap h / R*"), traces },
        ],
    };
    time_series(&directory.join(GAPS), &figure)?;
    Ok(true)
}

/// Whether the film holds the bodies of a row.
fn is_held(row: &Row) -> bool {
    row.results.get("collision.rebound") == Some(&Scalar::Flag(false))
}
