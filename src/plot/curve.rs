//! One quantity against another: points with errors, and lines to compare them with.

use std::path::Path;

use plotters::backend::DrawingBackend;
use plotters::style::RGBColor;

use super::PlotError;
use super::canvas::{Canvas, Drawn, Figure, write};
use super::frame::{Dash, Frame, Mark, Place, Shape, room_below, room_left};
use super::legend::{Entry, Legend, Sign};
use super::path::Curve;
use super::ruler::{Axis, Ruler};
use super::style::{INK, colour, pale, px, stroke};

/// Measured points.
#[derive(Debug, Clone)]
pub struct Points {
    /// Abscissae, ordinates and name.
    pub curve: Curve,
    /// Standard error of each ordinate, as many or none; one that is not finite is not drawn.
    pub error: Vec<f64>,
    /// Whether a thin line joins the points.
    pub joined: bool,
}

impl Points {
    /// Points without errors, not joined.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { curve: Curve::new(label, x, y), error: Vec::new(), joined: false }
    }

    /// The same points with standard errors.
    pub fn with_error(self, error: Vec<f64>) -> Self {
        Self { error, ..self }
    }

    /// The same points, joined by a line.
    pub fn joined(self) -> Self {
        Self { joined: true, ..self }
    }

    /// The error of a point, zero if unknown.
    fn error_of(&self, k: usize) -> f64 {
        self.error.get(k).copied().filter(|e| e.is_finite() && *e > 0.0).unwrap_or(0.0)
    }

    /// The lowest and highest ordinates with their errors.
    fn extremes(&self) -> impl Iterator<Item = f64> {
        let ends = |(k, y): (usize, &f64)| [y - self.error_of(k), *y, y + self.error_of(k)];
        self.curve.y.iter().enumerate().flat_map(ends)
    }
}

/// A line to compare points with.
#[derive(Debug, Clone)]
pub struct Line {
    /// Abscissae, ordinates and name; without a name it is not in the legend.
    pub curve: Curve,
    /// Which points it belongs to, by their place in the figure: it takes their colour.
    pub belongs_to: Option<usize>,
    /// Which dash it has; without, that of its place in the figure.
    pub dash: Option<usize>,
}

impl Line {
    /// A line of its own.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { curve: Curve::new(label, x, y), belongs_to: None, dash: None }
    }

    /// The same line in the colour of the `k`-th points.
    pub fn belonging_to(self, k: usize) -> Self {
        Self { belongs_to: Some(k), ..self }
    }

    /// The same line in the `k`-th dash: lines of one meaning look alike.
    pub fn in_dash(self, k: usize) -> Self {
        Self { dash: Some(k), ..self }
    }

    /// The dash of the line in the `k`-th place.
    pub(super) fn dash(&self, k: usize) -> Dash {
        Dash::nth(self.dash.unwrap_or(k))
    }

    /// The colour it has.
    pub(super) fn colour(&self) -> RGBColor {
        self.belongs_to.map_or(INK, colour)
    }
}

/// A diagram.
#[derive(Debug, Clone, Default)]
pub struct CurveFigure {
    /// The level axis.
    pub x: Axis,
    /// The upright axis.
    pub y: Axis,
    /// Measured points. They set the range of the axes.
    pub points: Vec<Points>,
    /// Lines to compare them with, cut where they leave the axes.
    pub lines: Vec<Line>,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If there is no finite point, or a file cannot be written.
pub fn curve(path_stem: &Path, data: &CurveFigure) -> Result<(), PlotError> {
    write(path_stem, &Checked::new(data)?)
}

/// A diagram whose axes are known to exist.
struct Checked<'a> {
    data: &'a CurveFigure,
    across: Ruler,
    up: Ruler,
}

/// More points than these are drawn small.
const MANY: usize = 300;

/// Shapes in the order of use.
const SHAPES: [Shape; 4] = [Shape::Disc, Shape::Square, Shape::Triangle, Shape::Diamond];

impl<'a> Checked<'a> {
    fn new(data: &'a CurveFigure) -> Result<Self, PlotError> {
        let points = data.points.iter().flat_map(|p| p.curve.x.iter().copied());
        let lines = data.lines.iter().flat_map(|line| line.curve.x.iter().copied());
        let across = Ruler::of(&data.x, points).or_else(|| Ruler::of(&data.x, lines));
        let lines = data.lines.iter().flat_map(|line| line.curve.y.iter().copied());
        let up = Ruler::of(&data.y, data.points.iter().flat_map(Points::extremes))
            .or_else(|| Ruler::of(&data.y, lines));
        let empty = || PlotError::Empty { what: format!("the diagram of '{}'", data.y.label) };
        let (across, up) = across.zip(up).ok_or_else(empty)?;
        Ok(Self { data, across, up })
    }

    /// How large points are: many of them are small.
    fn radius(&self) -> i32 {
        let count: usize = self.data.points.iter().map(|points| points.curve.x.len()).sum();
        if count > MANY { 5 } else { Shape::Disc.mark().radius }
    }

    /// Points first, then lines.
    fn entries(&self) -> Vec<Entry> {
        let points = self.data.points.iter().enumerate().map(|(k, points)| Entry {
            label: points.curve.label.clone(),
            colour: colour(k),
            sign: Sign::Marker(SHAPES[k % SHAPES.len()]),
        });
        let lines = self.data.lines.iter().enumerate().map(|(k, line)| Entry {
            label: line.curve.label.clone(),
            colour: line.colour(),
            sign: Sign::Line(line.dash(k)),
        });
        points.chain(lines).collect()
    }

    /// Points with their errors.
    fn points<DB: DrawingBackend>(&self, frame: &Frame<'_, DB>, k: usize) -> Drawn<DB> {
        let points = &self.data.points[k];
        let (x, y) = (&points.curve.x, &points.curve.y);
        if points.joined {
            frame.line(x, y, Dash::Solid, stroke(pale(colour(k), 0.7), 3.0))?;
        }
        for (j, (x, y)) in x.iter().zip(y).enumerate() {
            let error = points.error_of(j);
            if error > 0.0 {
                frame.error_bar(*x, (y - error, y + error), colour(k))?;
            }
        }
        let mark = Mark { shape: SHAPES[k % SHAPES.len()], radius: self.radius() };
        for (x, y) in x.iter().zip(y) {
            frame.point((*x, *y), mark, colour(k))?;
        }
        Ok(())
    }
}

impl Figure for Checked<'_> {
    fn size(&self) -> (u32, u32) {
        (1200, 900)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB> {
        let (width, height) = canvas.dim_in_pixel();
        let (right, bottom) = (width as i32 - px(40), height as i32 - px(12) - room_below());
        let left = room_left(&self.up, px(700));
        let legend = Legend::new(self.entries(), right - left);
        legend.draw(canvas, (left, px(10)))?;
        let place = Place { left, top: px(22) + legend.height(), right, bottom };
        let frame = Frame { canvas, place, across: self.across, up: self.up };
        frame.grid()?;
        let points = self.data.points.iter().map(|points| &points.curve);
        let curves = points.chain(self.data.lines.iter().map(|line| &line.curve));
        frame.levels(&self.data.y.levels, curves)?;
        for (k, line) in self.data.lines.iter().enumerate() {
            let curve = &line.curve;
            frame.line(&curve.x, &curve.y, line.dash(k), stroke(line.colour(), 3.0))?;
        }
        for k in (0..self.data.points.len()).rev() {
            self.points(&frame, k)?;
        }
        frame.border()?;
        frame.label_up(&self.data.y.label)?;
        frame.label_across(&self.data.x.label)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, flow_curve, stem, viscosity};
    use super::*;

    #[test]
    fn viscosity_against_volume_fraction_is_drawn() {
        let stem = stem("viscosity");
        curve(&stem, &viscosity()).unwrap();
        check_files(&stem, (1200, 900), &["volume fraction φ", "μ = 1", "Maron"]);
    }

    #[test]
    fn a_flow_curve_on_log_axes_is_drawn() {
        let stem = stem("flow_curve");
        curve(&stem, &flow_curve()).unwrap();
        check_files(&stem, (1200, 900), &["0.01", "1000", "σ"]);
    }

    #[test]
    fn a_diagram_without_points_is_an_error() {
        let figure = CurveFigure { y: Axis::linear("ηᵣ"), ..CurveFigure::default() };
        let error = curve(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("ηᵣ"), "{error}");
    }
}
