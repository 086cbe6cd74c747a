//! Figures of many collisions: gaps over time (\[NOP23\] fig. 2), restitution against the
//! Stokes number (fig. 3) and the roughness (fig. 4), and angles of rebound (fig. 5).

use super::motion::Setting;
use super::{Collision, Material, Partner, critical_stokes, theory};
use crate::Error;
use crate::plot::{
    Axis, CurveFigure, Line, Panel, Points, TimeSeriesFigure, Trace, curve, time_series,
};
use crate::record::{PointStatus, Scalar, SweepRow, SweepTable};
use crate::study::sweep::{FIGURE, FinishedSweep, axis, short};

const MATERIAL: &str = "collision.material";
const STOKES: &str = "collision.stokes";
const ROUGHNESS: &str = "collision.roughness";
const ANGLE: &str = "collision.angle_deg";
const PARTNER: &str = "collision.partner";

const RESTITUTION: &str = "collision.restitution";
const REBOUND: &str = "collision.rebound_angle_deg";

/// The figure of all gaps, without its extension.
const GAPS: &str = "gaps";

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;

/// Gaps are drawn for no more collisions.
const MOST_GAPS: usize = 8;

/// Stokes numbers between the ends of a line that takes a run for each.
const SAMPLES: u32 = 40;

/// Thinner gaps are not drawn: surfaces have touched long before `[R*]`.
const THINNEST: f64 = 1e-5;

/// How long gaps are watched, in units of the time through the film at the first speed.
const TIME_SHOWN: f64 = 4.0;

/// Draws what can be drawn of a sweep; returns the names of the figures.
pub(super) fn draw(
    sweep: &FinishedSweep<'_>,
    given: &Collision,
) -> Result<Vec<&'static str>, Error> {
    let &FinishedSweep { directory, table, .. } = sweep;
    let mut drawn = Vec::new();
    if let Some(figure) = diagram(table, given) {
        curve(&directory.join(FIGURE), &figure)?;
        drawn.push(FIGURE);
    }
    if draw_gaps(sweep, given)? {
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
fn label(table: &SweepTable, row: &SweepRow, across: Option<usize>) -> String {
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
    rows: Vec<(f64, &'a SweepRow)>,
}

fn along(table: &SweepTable, across: usize) -> Vec<Along<'_>> {
    let mut found: Vec<Along> = Vec::new();
    for row in table.rows.iter().filter(|row| row.status == PointStatus::Finished) {
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

fn result(row: &SweepRow, name: &str) -> f64 {
    row.results.get(name).and_then(Scalar::number).unwrap_or(f64::NAN)
}

/// Restitution, or the angle of rebound, against what varies.
fn diagram(table: &SweepTable, given: &Collision) -> Option<CurveFigure> {
    let [angle, roughness, stokes] = [ANGLE, ROUGHNESS, STOKES].map(|key| place(table, key));
    let across = angle.or(roughness).or(stokes)?;
    let name = if angle.is_some() { REBOUND } else { RESTITUTION };
    let curves = along(table, across);
    if curves.is_empty() || curves.len() > MOST_CURVES {
        return None;
    }
    let kinds = kinds(table, &curves, given);
    let theories = theories(&curves, &kinds);
    let beside = angle.is_none() && roughness.is_none() && !theories.is_empty();
    let mut points: Vec<Points> =
        curves.iter().map(|curve| measured(curve, name, !beside)).collect();
    if beside {
        points.iter_mut().zip(&kinds).for_each(|(points, given)| {
            let critical = critical_stokes(given);
            points.curve.label =
                format!("{}, rebound from St = {critical:.1}", given.material.name());
        });
    }
    let xs = || points.iter().flat_map(|p| &p.curve.x);
    let (x, y, lines) = if angle.is_some() {
        let y = Axis::linear("angle of rebound (°)").between(0.0, 93.0);
        let line = (!table.keys.iter().any(|key| key == PARTNER))
            .then(|| expected_angle(given.partner, xs()));
        (Axis::linear("angle of impact (°)"), y, line.into_iter().collect())
    } else if roughness.is_some() {
        let of = shared_material(table, given).map(|name| format!(" of {name}"));
        let x = format!("roughness σ{} (m)", of.unwrap_or_default());
        (axis(&x, xs()), restitution_axis(), deforming(table, given))
    } else {
        let ends = xs().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let zero = Line::new("zero Stokes number", vec![ends.0, ends.1], without(&curves));
        let lines = [zero].into_iter().chain(theories).collect();
        (axis("Stokes number St", xs()), restitution_axis(), lines)
    };
    Some(CurveFigure { x, y, points, lines, ..CurveFigure::default() })
}

/// Which material all collisions are of, where the legend does not tell.
fn shared_material(table: &SweepTable, given: &Collision) -> Option<&'static str> {
    let place = table.keys.iter().position(|key| key == MATERIAL);
    if place.is_some_and(|place| varies(table, place)) {
        return None;
    }
    let first = table.rows.first();
    let material = first.and_then(|row| of_row(given, row, place)).map(|own| own.material);
    Some(material.unwrap_or(given.material).name())
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

/// What is known of angles: the first of two spheres goes on with half its speed along the line of
/// centres where the film holds both; from a wall, a sphere without friction and loss comes as from
/// a mirror.
fn expected_angle<'a>(partner: Partner, xs: impl Iterator<Item = &'a f64>) -> Line {
    let most = xs.fold(0.0_f64, |a, b| a.max(*b));
    let x: Vec<f64> = (0..=100).map(|k| most * f64::from(k) / 100.0).collect();
    let held = |x: &f64| (2.0 * x.to_radians().tan()).atan().to_degrees();
    match partner {
        Partner::Sphere => {
            let y = x.iter().map(held).collect();
            Line::new("both held by the film", x, y)
        }
        Partner::Wall => Line::new("mirror", x.clone(), x),
    }
}

/// Where roughness is as large as deformation: left of it, curves are level. Only if nothing but
/// the roughness and the Stokes number varies.
fn deforming(table: &SweepTable, given: &Collision) -> Vec<Line> {
    let others = |k: usize| ![STOKES, ROUGHNESS].contains(&table.keys[k].as_str());
    let Some(stokes) = place(table, STOKES) else { return Vec::new() };
    if (0..table.keys.len()).any(|k| others(k) && varies(table, k)) {
        return Vec::new();
    }
    let known = || table.rows.iter().filter_map(|row| row.settings[stokes].number());
    let [low, high] = [known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max)];
    let (mut gaps, mut kept) = (Vec::new(), Vec::new());
    for stokes in spaced(low, high, SAMPLES) {
        let mut smooth = Collision { stokes, ..given.clone() };
        smooth.given.roughness = Some(0.0);
        let setting = Setting::new(&smooth);
        let e = setting.restitution(&setting.run());
        if e > 0.0 {
            gaps.push(setting.law.approach);
            kept.push(e);
        }
    }
    vec![Line::new("roughness equals deformation", gaps, kept)]
}

/// Numbers in equal ratios.
fn spaced(low: f64, high: f64, count: u32) -> Vec<f64> {
    (0..=count).map(|k| low * (high / low).powf(f64::from(k) / f64::from(count))).collect()
}

/// What collides along each curve; empty if more than the material and the Stokes number varies.
fn kinds(table: &SweepTable, curves: &[Along], given: &Collision) -> Vec<Collision> {
    let material = table.keys.iter().position(|key| key == MATERIAL);
    let others = |k: usize| ![STOKES, MATERIAL].contains(&table.keys[k].as_str());
    if (0..table.keys.len()).any(|k| others(k) && varies(table, k)) {
        return Vec::new();
    }
    curves.iter().filter_map(|curve| of_row(given, curve.rows.first()?.1, material)).collect()
}

/// The law of leading order for each curve from where it rebounds on, in the colour of its points.
fn theories(curves: &[Along], kinds: &[Collision]) -> Vec<Line> {
    let line = |(k, (curve, given)): (usize, (&Along, &Collision))| {
        let (Some((low, _)), Some((high, _))) = (curve.rows.first(), curve.rows.last()) else {
            return Line::new("", Vec::new(), Vec::new());
        };
        let at = |stokes: f64| theory(&Collision { stokes, ..given.clone() });
        let (x, y): (Vec<f64>, Vec<f64>) = spaced(*low, *high, 10 * SAMPLES)
            .into_iter()
            .map(|stokes| (stokes, at(stokes)))
            .filter(|(_, e)| *e > 0.0)
            .unzip();
        let label = if k == 0 { "leading order in 1/St" } else { "" };
        Line::new(label, x, y).belonging_to(k).in_dash(1)
    };
    curves.iter().zip(kinds).enumerate().map(line).collect()
}

/// The table of a row, with the material that it names.
fn of_row(given: &Collision, row: &SweepRow, material: Option<usize>) -> Option<Collision> {
    let Some(place) = material else { return Some(given.clone()) };
    let Scalar::Text(name) = &row.settings[place] else { return None };
    let material = Material::ALL.into_iter().find(|m| m.name() == name)?;
    Some(given.made_of(material))
}

/// The Stokes numbers at which rebound begins, beside the estimate: below them, spheres with and
/// without inertia do the same.
pub(super) fn lines(table: &SweepTable, given: &Collision) -> Vec<String> {
    if place(table, STOKES).is_none() || place(table, ANGLE).is_some() {
        return Vec::new();
    }
    let material = table.keys.iter().position(|key| key == MATERIAL);
    let mut known: Vec<Material> = Vec::new();
    let mut lines = Vec::new();
    for row in table.rows.iter().filter(|row| row.status == PointStatus::Finished) {
        let Some(given) = of_row(given, row, material) else { continue };
        if place(table, ROUGHNESS).is_some() || known.contains(&given.material) {
            continue;
        }
        known.push(given.material);
        let about = Setting::new(&given).matter.critical_stokes();
        lines.push(format!(
            "{:<18}  no rebound below St_c = {:.2}, as at zero Stokes number; estimate {about:.2}",
            given.material.name(),
            critical_stokes(&given)
        ));
    }
    lines
}

/// Draws the gaps of a few collisions in one picture.
fn draw_gaps(sweep: &FinishedSweep<'_>, given: &Collision) -> Result<bool, Error> {
    let &FinishedSweep { directory, table, .. } = sweep;
    if !(1..=MOST_GAPS).contains(&table.finished().count()) {
        return Ok(false);
    }
    let setting = Setting::new(given);
    let range = setting.matter.radius;
    let mut traces = Vec::new();
    for (k, (point, row)) in table.finished().enumerate() {
        let rows = sweep.time_series(point)?;
        let unit = range / result(row, "collision.speed");
        let scaled = |name: &str, unit: f64| {
            rows.column(name).unwrap_or_default().iter().map(|v| v / unit).collect::<Vec<f64>>()
        };
        // The time series begins behind the first step.
        let (mut x, mut y) = (vec![0.0], vec![1.0]);
        x.extend(scaled("time", unit));
        y.extend(scaled("gap", range));
        // What comes to rest stays there.
        if let (true, Some(last)) = (is_held(row), y.last().copied()) {
            x.push(TIME_SHOWN);
            y.push(last);
        }
        let seen = x.iter().take_while(|x| **x <= TIME_SHOWN).count();
        x.truncate(seen);
        y.truncate(seen);
        traces.push(Trace::new(label(table, row, None), x, y).in_style(k));
    }
    let touch = setting.law.approach / range;
    let films = Axis::log("gap h / R*").between(THINNEST, 2.0);
    // Other surfaces touch elsewhere.
    let alike = table.keys.iter().all(|key| key == STOKES || key == ANGLE);
    let films = if alike { films.with_level(touch, "film", "touch") } else { films };
    let of = shared_material(table, given).map(|name| format!(" ({name})"));
    let figure = TimeSeriesFigure {
        x_label: format!("time t v₀ / R*{}", of.unwrap_or_default()),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::linear("gap h / R*"), traces: traces.clone() },
            Panel { axis: films, traces },
        ],
    };
    time_series(&directory.join(GAPS), &figure)?;
    Ok(true)
}

/// Whether the film holds the bodies of a row.
fn is_held(row: &SweepRow) -> bool {
    row.results.get("collision.rebound") == Some(&Scalar::Flag(false))
}
