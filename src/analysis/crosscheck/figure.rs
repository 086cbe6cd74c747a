//! Differences against the Stokes number.

use std::path::Path;

use super::FIGURE;
use super::results::{Crosscheck, Finding, Point};
use crate::error::Error;
use crate::plot::{Axis, CurveFigure, Line, Points, curve};

/// Draws `crosscheck.svg` and `.png`; says whether there was a difference to draw.
///
/// # Errors
///
/// When a file cannot be written.
pub fn draw(directory: &Path, results: &Crosscheck) -> Result<bool, Error> {
    let resolved = |finding: &&Finding| finding.points.iter().any(|p| p.resolved);
    let shown: Vec<&Finding> = results.quantities.iter().filter(resolved).collect();
    if shown.is_empty() {
        return Ok(false);
    }
    let unit = shown.iter().map(|finding| finding.unit.as_str()).find(|unit| !unit.is_empty());
    let share = shown.iter().any(|finding| finding.unit.is_empty());
    let percent = format!("{} %", digits(100.0 * results.accuracy));
    let (name, asked) = match (share, unit) {
        (_, None) => ("relative difference from St = 0".to_owned(), percent),
        (false, Some(unit)) => {
            (format!("difference from St = 0 / {unit}"), format!("{} {unit}", results.accuracy))
        }
        (true, Some(unit)) => (
            format!("difference from St = 0, relative or / {unit}"),
            format!("{percent} or {} {unit}", results.accuracy),
        ),
    };
    let figure = CurveFigure {
        x: Axis::log("Stokes number St"),
        y: Axis::log(name).with_level(results.accuracy, format!("accuracy {asked}"), ""),
        points: shown.iter().map(|finding| points(finding)).collect(),
        lines: shown.iter().enumerate().filter_map(|(k, finding)| slope(finding, k)).collect(),
        ..CurveFigure::default()
    };
    curve(&directory.join(FIGURE), &figure)?;
    Ok(true)
}

/// A number without the rubble of a product.
pub fn digits(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// The differences that are resolved.
fn points(finding: &Finding) -> Points {
    let known: Vec<&Point> = finding.points.iter().filter(|p| p.resolved).collect();
    let column = |of: fn(&Point) -> f64| known.iter().map(|p| of(p)).collect::<Vec<f64>>();
    let label = match finding.order {
        Some(order) => format!("{}, order {:.2}", finding.label, order.value),
        None => finding.label.clone(),
    };
    let (x, y) = (column(|p| p.stokes), column(|p| p.relative_difference.abs()));
    Points::new(label, x, y).with_error(column(|p| p.relative_uncertainty))
}

/// The power law that was fitted, over the points and half a decade to either side.
fn slope(finding: &Finding, k: usize) -> Option<Line> {
    let order = finding.order?;
    // Differences over their scale.
    let scale = finding.points.iter().find(|p| p.resolved && p.difference != 0.0)?;
    let over = (scale.relative_difference / scale.difference).abs();
    let stokes = finding.points.iter().map(|p| p.stokes);
    let (low, high) = stokes.fold((f64::INFINITY, 0.0_f64), |(a, b), s| (a.min(s), b.max(s)));
    let x = vec![low / 3.0, high * 3.0];
    let law = |s: &f64| over * order.coefficient.abs() * s.powf(order.value);
    let y = x.iter().map(law).collect();
    Some(Line::new("", x, y).belonging_to(k))
}
