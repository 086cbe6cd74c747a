//! The figure of many falling spheres: which of them are damped, oscillate or bounce, over
//! roughness and contact number (\[CBC20\] fig. 5).

use super::response::Response;
use crate::Error;
use crate::plot::{CurveFigure, Points, curve};
use crate::record::{Scalar, SweepRow, SweepTable};
use crate::study::sweep::{FIGURE, FinishedSweep, axis};

const ROUGHNESS: &str = "settle.roughness";
const CONTACT_NUMBER: &str = "settle.contact_number";

/// Draws the picture if roughness and contact number were swept, or one of them and the Stokes
/// number; returns the names of the figures.
pub(super) fn draw(sweep: &FinishedSweep<'_>) -> Result<Vec<&'static str>, Error> {
    let table = sweep.table;
    let known = [
        (ROUGHNESS, "roughness ε"),
        (CONTACT_NUMBER, "contact number K"),
        ("inertia.stokes", "Stokes number St"),
    ];
    let swept: Vec<_> =
        known.iter().filter_map(|(key, label)| Some((table.place(key)?, *label))).collect();
    let [(x, across), (y, up)] = swept[..] else { return Ok(Vec::new()) };
    if table.keys.len() != 2 {
        return Ok(Vec::new());
    }
    let points: Vec<Points> =
        Response::ALL.iter().filter_map(|kind| points(table, [x, y], *kind)).collect();
    if points.is_empty() {
        return Ok(Vec::new());
    }
    // The Stokes number is the same for all points unless it was swept.
    let stokes = table.rows.iter().find_map(|row| row.results.get("settle.stokes")?.number());
    let across = match stokes.filter(|_| table.place("inertia.stokes").is_none()) {
        Some(stokes) => format!("{across}, at St = {stokes}"),
        None => across.to_owned(),
    };
    let figure = CurveFigure {
        x: axis(&across, points.iter().flat_map(|p| &p.curve.x)),
        y: axis(up, points.iter().flat_map(|p| &p.curve.y)),
        points,
        ..CurveFigure::default()
    };
    curve(&sweep.directory.join(FIGURE), &figure)?;
    Ok(vec![FIGURE])
}

/// Where spheres respond in one way.
fn points(table: &SweepTable, [x, y]: [usize; 2], kind: Response) -> Option<Points> {
    let responds = |row: &&SweepRow| match row.results.get("settle.response") {
        Some(Scalar::Text(found)) => found == kind.name(),
        _ => false,
    };
    let place = |row: &SweepRow| Some([row.settings[x].number()?, row.settings[y].number()?]);
    let places: Vec<[f64; 2]> = table.rows.iter().filter(responds).filter_map(place).collect();
    let column = |k: usize| places.iter().map(|p| p[k]).collect();
    (!places.is_empty()).then(|| Points::new(kind.name(), column(0), column(1)))
}
