//! Velocities and spins of a file against those at which forces balance, component by component,
//! with the slope of one in the other. Both inertia and another law change it.

use std::path::Path;

use nalgebra::Vector3;

use super::{Difference, Mobility};
use crate::error::Error;
use crate::plot::{Axis, CurveFigure, Line, Points, curve};

/// Room beyond the largest component.
const ROOM: f64 = 1.05;

impl Mobility {
    /// Draws `velocities` and `spins` of the file against those found; returns the names of the
    /// figures, none of what the file does not have.
    ///
    /// # Errors
    ///
    /// When a figure cannot be written.
    pub fn draw(&self, directory: &Path) -> Result<Vec<&'static str>, Error> {
        let Ok(comparison) = &self.comparison else { return Ok(Vec::new()) };
        let linear: Vec<_> = self.state.velocities.iter().map(|m| m.linear).collect();
        let angular: Vec<_> = self.state.velocities.iter().map(|m| m.angular).collect();
        let mut drawn = Vec::new();
        for (name, theirs, all, ours) in [
            ("velocities", &comparison.velocities, comparison.velocity, &linear),
            ("spins", &comparison.spins, comparison.spin, &angular),
        ] {
            let pair = theirs.as_ref().zip(all);
            if let Some(figure) = pair.and_then(|(t, all)| scatter(name, t, ours, &all)) {
                curve(&directory.join(name), &figure)?;
                drawn.push(name);
            }
        }
        Ok(drawn)
    }
}

/// Components relative to the flow over the root mean square found, the mean difference taken out;
/// none if nothing moves relative to the flow.
fn scatter(
    name: &str,
    theirs: &[Vector3<f64>],
    ours: &[Vector3<f64>],
    all: &Difference,
) -> Option<CurveFigure> {
    let mean = Vector3::from(all.mean);
    let points = ["x", "y", "z"].into_iter().enumerate().map(|(axis, name)| {
        let ours = ours.iter().map(|u| u[axis] / all.scale).collect();
        let theirs = theirs.iter().map(|u| (u - mean)[axis] / all.scale).collect();
        Points::new(name, ours, theirs)
    });
    let points: Vec<Points> = points.collect();
    let values = points.iter().flat_map(|p| p.curve.x.iter().chain(&p.curve.y));
    let most = ROOM * values.fold(0.0_f64, |most, u| most.max(u.abs()));
    if !most.is_finite() || most == 0.0 {
        return None;
    }
    let ends = |slope: f64| vec![-slope * most, slope * most];
    let slope = format!("slope {:.3}", all.slope);
    Some(CurveFigure {
        x: Axis::linear("zero Stokes number: motion − flow, over its rms").between(-most, most),
        y: Axis::linear(format!("{name} of the file, over the same")).between(-most, most),
        lines: vec![
            Line::new("the same", ends(1.0), ends(1.0)),
            Line::new(slope, ends(1.0), ends(all.slope)),
        ],
        points,
        ..CurveFigure::default()
    })
}
