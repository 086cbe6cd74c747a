//! A picture of the spheres, seen along the vorticity.

use std::path::Path;

use plotters::backend::DrawingBackend;
use plotters::element::{Circle, PathElement};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor};

use super::PlotError;
use super::canvas::{Canvas, Drawn, Figure, write};
use super::frame::Shape;
use super::legend::{Entry, Legend, Sign};
use super::style::{INK, Size, colour, deep, pale, px, stroke, text};

/// Spheres in a box.
#[derive(Debug, Clone)]
pub struct ConfigurationFigure {
    /// Centres: flow, gradient and vorticity direction. `[a]`
    pub positions: Vec<[f64; 3]>,
    /// Radii. `[a]`
    pub radii: Vec<f64>,
    /// Lower corner of the box. `[a]`
    pub low: [f64; 3],
    /// Upper corner of the box. `[a]`
    pub high: [f64; 3],
}

/// Draws `path_stem.svg` and `path_stem.png`: the spheres projected on the plane of shear, near
/// ones over far ones, each size in its colour.
///
/// # Errors
///
/// If there is no sphere or no box, or a file cannot be written.
pub fn configuration(path_stem: &Path, data: &ConfigurationFigure) -> Result<(), PlotError> {
    let sides = (0..3).map(|k| data.high[k] - data.low[k]);
    let whole = data.positions.iter().flatten().chain(&data.radii).all(|v| v.is_finite());
    let drawable = !data.positions.is_empty() && data.radii.len() == data.positions.len();
    if !(whole && drawable && sides.into_iter().all(|side| side > 0.0 && side.is_finite())) {
        return Err(PlotError::Empty { what: "the configuration".into() });
    }
    write(path_stem, data)
}

/// Length of the longer side of the box, in pixels.
const SIDE: f64 = 900.0;

/// Room around the box for what sticks out, the legend above and the names below, in pixels.
const MARGIN: i32 = 30;
const ABOVE: i32 = 50;
const BELOW: i32 = 50;

/// More sizes than this share one colour: the spheres are polydisperse.
const SPECIES: usize = 6;

impl Figure for ConfigurationFigure {
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.spread();
        let round = |units: f64| (units * self.pixels()).ceil() as i32 + 2 * MARGIN;
        (round(width) as u32, (round(height) + ABOVE + BELOW) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB> {
        let species = self.species();
        let mut order: Vec<usize> = (0..self.positions.len()).collect();
        order.sort_by(|&a, &b| self.positions[a][2].total_cmp(&self.positions[b][2]));
        for k in order {
            self.sphere(canvas, k, kind(&species, self.radii[k]))?;
        }
        self.outline(canvas)?;
        let entries = species.iter().enumerate().map(|(k, radius)| Entry {
            label: format!("radius {radius:.3}").trim_end_matches('0').trim_end_matches('.').into(),
            colour: colour(k),
            sign: Sign::Marker(Shape::Disc),
        });
        let (width, height) = canvas.dim_in_pixel();
        let room = width as i32 - 2 * px(MARGIN);
        Legend::new(entries.collect(), room).draw(canvas, (px(MARGIN), px(10)))?;
        let style = text(Size::Small, INK, HPos::Center, VPos::Center);
        let below = (width as i32 / 2, height as i32 - px(MARGIN));
        canvas.draw_text("flow x →,  gradient y ↑", &style, below)
    }
}

impl ConfigurationFigure {
    /// Width and height of what is shown: the box and the spheres that stick out. `[a]`
    fn spread(&self) -> (f64, f64) {
        let out = 2.0 * self.out();
        (self.high[0] - self.low[0] + out, self.high[1] - self.low[1] + out)
    }

    /// How far a sphere may stick out of the box. `[a]`
    fn out(&self) -> f64 {
        self.radii.iter().copied().fold(0.0, f64::max)
    }

    /// Pixels per unit of length.
    fn pixels(&self) -> f64 {
        let (width, height) = self.spread();
        SIDE / width.max(height)
    }

    /// Grid units of a point of the plane of shear.
    fn at(&self, x: f64, y: f64) -> (i32, i32) {
        let scale = self.pixels() * f64::from(px(1));
        let x = (x - self.low[0] + self.out()) * scale;
        let y = (self.high[1] + self.out() - y) * scale;
        (px(MARGIN) + x.round() as i32, px(MARGIN + ABOVE) + y.round() as i32)
    }

    /// The different radii, small to large; empty if there are too many.
    fn species(&self) -> Vec<f64> {
        let mut radii = self.radii.clone();
        radii.sort_by(f64::total_cmp);
        radii.dedup_by(|a, b| (*a - *b).abs() < 1e-6 * b.abs());
        if radii.len() > SPECIES { Vec::new() } else { radii }
    }

    /// A ball; far ones fade.
    fn sphere<DB: DrawingBackend>(&self, canvas: &Canvas<DB>, k: usize, kind: usize) -> Drawn<DB> {
        let [x, y, z] = self.positions[k];
        let near = ((z - self.low[2]) / (self.high[2] - self.low[2])).clamp(0.0, 1.0);
        let base = pale(colour(kind), 0.35 + 0.65 * near);
        let radius = self.radii[k] * self.pixels() * f64::from(px(1));
        ball(canvas, self.at(x, y), radius, base)
    }

    /// The box.
    fn outline<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB> {
        let ([left, bottom, _], [right, top, _]) = (self.low, self.high);
        let corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)];
        let path = corners.map(|(x, y)| self.at(x, y)).to_vec();
        canvas.draw(&PathElement::new(path, stroke(INK, 3.0)))
    }
}

/// Shades of a ball.
const SHADES: u32 = 10;

/// A ball lit from the upper left, in grid units.
pub(super) fn ball<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    (x, y): (i32, i32),
    radius: f64,
    base: RGBColor,
) -> Drawn<DB> {
    let disc = |shift: f64, radius: f64, fill: RGBColor| {
        let shift = shift.round() as i32;
        let centre = (x - shift, y - shift);
        canvas.draw(&Circle::new(centre, radius.round() as i32, fill.filled()))
    };
    disc(0.0, radius, deep(base, 0.6))?;
    for step in 0..SHADES {
        let lit = f64::from(step) / f64::from(SHADES);
        let size = (0.96 - 0.85 * lit) * radius;
        disc(0.38 * lit * radius, size, pale(base, 1.0 - 0.7 * lit * lit))?;
    }
    Ok(())
}

/// Which of the species a radius belongs to.
fn kind(species: &[f64], radius: f64) -> usize {
    species.iter().position(|s| (s - radius).abs() <= 1e-5 * s).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, spheres, stem};
    use super::*;

    #[test]
    fn spheres_are_drawn() {
        let stem = stem("configuration");
        let figure = spheres();
        configuration(&stem, &figure).unwrap();
        check_files(&stem, figure.size(), &["radius 1", "radius 1.4", "gradient"]);
    }

    #[test]
    fn a_picture_needs_spheres_and_a_box() {
        let mut figure = spheres();
        figure.high = figure.low;
        assert!(configuration(&stem("nothing"), &figure).is_err());
        figure = spheres();
        figure.radii.pop();
        assert!(configuration(&stem("nothing"), &figure).is_err());
    }
}
