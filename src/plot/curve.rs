//! One quantity against another: points with errors, and lines to compare them with.

use std::path::Path;

use super::PlotError;
use super::canvas::Canvas;
use super::frame::Frame;
use super::legend::{Entry, Sign, place_below};
use super::mark::{Mark, Shape};
use super::path::Curve;
use super::ruler::{Axis, Ruler};
use super::style::{
    Colour, Dash, Fill, INK, MARGIN_RIGHT, MEDIUM, POINT, SINGLE, Stroke, TINY_POINT, colour, pale,
    stroke,
};

/// Measured points.
#[derive(Debug, Clone)]
pub struct Points {
    /// Abscissae, ordinates and name.
    pub curve: Curve,
    /// Standard error of each ordinate, as many or none; one that is not finite is not drawn.
    pub error: Vec<f64>,
    /// Which points are not settled and drawn hollow, as many or none.
    pub hollow: Vec<bool>,
    /// Whether a thin line joins the points.
    pub joined: bool,
}

impl Points {
    /// Points without errors, not joined.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        let (error, hollow) = (Vec::new(), Vec::new());
        Self { curve: Curve::new(label, x, y), error, hollow, joined: false }
    }

    /// The same points with standard errors.
    pub fn with_error(self, error: Vec<f64>) -> Self {
        Self { error, ..self }
    }

    /// The same points, hollow where they are not settled.
    pub fn hollow_where(self, hollow: Vec<bool>) -> Self {
        Self { hollow, ..self }
    }

    /// Whether a point is hollow.
    fn is_hollow(&self, k: usize) -> bool {
        self.hollow.get(k).copied().unwrap_or(false)
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
    pub(super) fn colour(&self) -> Colour {
        self.belongs_to.map_or(INK, colour)
    }

    /// How the line in the `k`-th place is drawn.
    pub(super) fn stroke(&self, k: usize) -> Stroke {
        stroke(self.colour(), MEDIUM).dashed(self.dash(k))
    }

    /// The entry of the line in the `k`-th place in a legend.
    pub(super) fn entry(&self, k: usize) -> Entry {
        let sign = Sign::Line(self.dash(k));
        Entry { label: self.curve.label.clone(), colour: self.colour(), sign }
    }
}

/// What lies between two ends beside points, in their pale colour.
#[derive(Debug, Clone)]
pub struct Band {
    /// Name; without one it is not in the legend.
    pub label: String,
    /// Which points it belongs to, by their place in the figure.
    pub belongs_to: usize,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Both ends at every abscissa.
    pub ends: Vec<[f64; 2]>,
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
    /// Bands beside points, drawn below all else.
    pub bands: Vec<Band>,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If there is no finite point, or a file cannot be written.
pub fn curve(path_stem: &Path, data: &CurveFigure) -> Result<(), PlotError> {
    Checked::new(data)?.draw().write(path_stem)
}

/// A diagram whose axes are known to exist.
struct Checked<'a> {
    data: &'a CurveFigure,
    across: Ruler,
    up: Ruler,
}

/// More points than these are drawn small.
const MOST_LARGE_POINTS: usize = 300;

/// How pale bands are.
const BAND: f64 = 0.25;

/// What hollow points are.
const UNSETTLED: &str = "hollow: not settled";

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

    /// The shape and size of the `k`-th points: many of them are small.
    fn mark(&self, k: usize) -> Mark {
        let count: usize = self.data.points.iter().map(|points| points.curve.x.len()).sum();
        let radius = if count > MOST_LARGE_POINTS { TINY_POINT } else { POINT };
        Mark { shape: SHAPES[k % SHAPES.len()], radius, hollow: false }
    }

    /// Points first, then lines.
    fn entries(&self) -> Vec<Entry> {
        let points = self.data.points.iter().enumerate().map(|(k, points)| Entry {
            label: points.curve.label.clone(),
            colour: colour(k),
            sign: Sign::Marker(self.mark(k).shape),
        });
        let lines = self.data.lines.iter().enumerate().map(|(k, line)| line.entry(k));
        let hollow = self.data.points.iter().any(|points| points.hollow.contains(&true));
        let unsettled =
            Entry { label: UNSETTLED.to_owned(), colour: INK, sign: Sign::Marker(Shape::Ring) };
        let bands = self.data.bands.iter().map(|band| Entry {
            label: band.label.clone(),
            colour: pale(INK, BAND),
            sign: Sign::Patch,
        });
        points.chain(lines).chain(bands).chain(hollow.then_some(unsettled)).collect()
    }

    fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(SINGLE.0, SINGLE.1);
        let right = canvas.width - MARGIN_RIGHT;
        let place = place_below(&mut canvas, self.entries(), &self.up, right);
        let mut frame = Frame { canvas: &mut canvas, place, across: self.across, up: self.up };
        frame.grid();
        let points = self.data.points.iter().map(|points| &points.curve);
        let curves = points.chain(self.data.lines.iter().map(|line| &line.curve));
        frame.levels(&self.data.y.levels, curves);
        for Band { belongs_to, x, ends, .. } in &self.data.bands {
            frame.between(x, ends, Fill(pale(colour(*belongs_to), BAND)));
        }
        for (k, line) in self.data.lines.iter().enumerate() {
            frame.line(&line.curve.x, &line.curve.y, line.stroke(k));
        }
        for k in (0..self.data.points.len()).rev() {
            self.points(&mut frame, k);
        }
        frame.axes(Some(&self.data.x.label), &self.data.y.label);
        canvas
    }

    /// Points with their errors.
    fn points(&self, frame: &mut Frame<'_>, k: usize) {
        let points = &self.data.points[k];
        let (x, y) = (&points.curve.x, &points.curve.y);
        if points.joined {
            frame.line(x, y, stroke(pale(colour(k), 0.7), MEDIUM));
        }
        for (j, (x, y)) in x.iter().zip(y).enumerate() {
            let error = points.error_of(j);
            if error > 0.0 {
                frame.error_bar(*x, (y - error, y + error), colour(k));
            }
        }
        for (j, (x, y)) in x.iter().zip(y).enumerate() {
            let mark = Mark { hollow: points.is_hollow(j), ..self.mark(k) };
            frame.point((*x, *y), mark, colour(k));
        }
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
        check_files(&stem, (1200, 900), &["volume fraction φ", "μ_p = 1", "Maron"]);
    }

    #[test]
    fn a_flow_curve_on_log_axes_is_drawn() {
        let stem = stem("flow_curve");
        curve(&stem, &flow_curve()).unwrap();
        check_files(&stem, (1200, 900), &["0.01", "1000", "σ"]);
    }

    #[test]
    fn a_band_beside_points_is_drawn() {
        let stem = stem("viscosity_band");
        let mut figure = viscosity();
        let x = figure.points[0].curve.x.clone();
        let ends = figure.points[0].curve.y.iter().map(|y| [0.8 * y, 1.3 * y]).collect();
        figure.bands.push(Band { label: "range 0.3 to 0.7".into(), belongs_to: 0, x, ends });
        curve(&stem, &figure).unwrap();
        check_files(&stem, (1200, 900), &["range 0.3 to 0.7", "<polygon"]);
    }

    #[test]
    fn a_diagram_without_points_is_an_error() {
        let figure = CurveFigure { y: Axis::linear("ηᵣ"), ..CurveFigure::default() };
        let error = curve(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("ηᵣ"), "{error}");
    }
}
