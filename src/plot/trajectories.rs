//! Paths of a sphere about another, in a plane.

use std::f64::consts::TAU;
use std::path::Path;

use plotters::backend::DrawingBackend;
use plotters::element::Polygon;
use plotters::style::{Color, RGBColor};

use super::PlotError;
use super::canvas::{Canvas, Drawn, Figure, write};
use super::frame::{Dash, Frame, Place, room_below, room_left};
use super::legend::{Entry, Legend, Sign};
use super::path::Curve;
use super::ruler::{Axis, Ruler, Scale};
use super::style::{LEVEL, SHADE, UNITS, colour, deep, px, stroke};

/// A circle about the origin.
#[derive(Debug, Clone, Default)]
pub struct Disc {
    /// Radius, in the unit of the axes.
    pub radius: f64,
    /// Whether it is a pale area, such as the fixed sphere, or else an interrupted line, such as the
    /// distance that centres keep.
    pub filled: bool,
    /// Name in the legend.
    pub label: String,
}

/// The path of a centre.
#[derive(Debug, Clone, Default)]
pub struct Trajectory {
    /// Places along the path and its name; one that is not finite interrupts it.
    pub curve: Curve,
    /// Which colour and dash it has; without, a solid line in the colour of its place in the figure.
    pub style: Option<usize>,
}

impl Trajectory {
    /// A path through the points.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { curve: Curve::new(label, x, y), style: None }
    }

    /// The same path in the `k`-th colour and dash.
    pub fn in_style(self, k: usize) -> Self {
        Self { style: Some(k), ..self }
    }

    /// The colour of the path in the `j`-th place.
    fn colour(&self, j: usize) -> RGBColor {
        colour(self.style.unwrap_or(j))
    }

    /// Its dash: another when the colours are used up.
    fn dash(&self, j: usize) -> Dash {
        Dash::nth(self.style.unwrap_or(j / COLOURS))
    }
}

/// Paths in a plane, on linear axes.
#[derive(Debug, Clone)]
pub struct TrajectoryFigure {
    /// The level axis. Without a range it holds the paths, or the discs if there is no path.
    pub x: Axis,
    /// The upright axis, alike. Its levels are drawn if they are within it.
    pub y: Axis,
    /// Circles about the origin, behind the paths; cut where they leave the axes.
    pub discs: Vec<Disc>,
    /// The paths; the first on top.
    pub paths: Vec<Trajectory>,
    /// Whether lengths are drawn alike in both directions: the picture takes its shape from the
    /// ranges, of which the shorter is widened if the picture were too narrow or too low.
    pub equal: bool,
}

impl Default for TrajectoryFigure {
    /// Nothing, on equal scales.
    fn default() -> Self {
        let (x, y) = Default::default();
        Self { x, y, discs: Vec::new(), paths: Vec::new(), equal: true }
    }
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If there is neither a finite point nor a disc, or a file cannot be written.
pub fn trajectories(path_stem: &Path, data: &TrajectoryFigure) -> Result<(), PlotError> {
    write(path_stem, &Checked::new(data)?)
}

/// Different colours of lines.
const COLOURS: usize = 7;

/// Corners of a disc.
const CORNERS: u32 = 1440;

/// Greatest and least width and height between the axes, in pixels.
const WIDEST: f64 = 1240.0;
const TALLEST: f64 = 900.0;
const NARROWEST: f64 = 620.0;
const LOWEST: f64 = 280.0;

/// Width and height between free axes, in pixels.
const FREE: (f64, f64) = (1040.0, 720.0);

/// Paths whose axes are known to exist.
struct Checked<'a> {
    data: &'a TrajectoryFigure,
    across: Ruler,
    up: Ruler,
    legend: Legend,
    /// Where the axes are.
    place: Place,
}

impl<'a> Checked<'a> {
    fn new(data: &'a TrajectoryFigure) -> Result<Self, PlotError> {
        let empty = || PlotError::Empty { what: format!("the figure of '{}'", data.y.label) };
        let x = data.paths.iter().flat_map(|path| path.curve.x.iter().copied());
        let y = data.paths.iter().flat_map(|path| path.curve.y.iter().copied());
        let rulers = data.ruler(&data.x, x).zip(data.ruler(&data.y, y));
        let (across, up) = rulers.ok_or_else(empty)?;
        let shape = if data.equal { equal(across, up) } else { (across, up, FREE) };
        let (across, up, (width, height)) = shape;
        let size = (px(width as i32), px(height as i32));
        let whole = |units: i32| (units + UNITS - 1) / UNITS * UNITS;
        let left = whole(room_left(&up, size.1));
        let legend = Legend::new(data.entries(), size.0);
        let top = whole(px(22) + legend.height());
        let place = Place { left, top, right: left + size.0, bottom: top + size.1 };
        Ok(Self { data, across, up, legend, place })
    }

    /// The discs: areas from the largest to the smallest, then lines.
    fn discs<DB: DrawingBackend>(&self, frame: &Frame<'_, DB>) -> Drawn<DB> {
        let turn = |k: u32| (TAU * f64::from(k) / f64::from(CORNERS)).sin_cos();
        let mut areas: Vec<(usize, &Disc)> = self.data.discs(true).collect();
        areas.sort_by(|a, b| b.1.radius.total_cmp(&a.1.radius));
        for (k, disc) in areas {
            let corner = |k: u32| {
                let (y, x) = turn(k);
                let (x, y) = (self.across.share(disc.radius * x), self.up.share(disc.radius * y));
                // What is outside goes to the nearest edge, which cuts the area there.
                frame.at((x.clamp(0.0, 1.0), y.clamp(0.0, 1.0)))
            };
            let mut corners: Vec<(i32, i32)> = (0..CORNERS).map(corner).collect();
            corners.dedup();
            frame.canvas.draw(&Polygon::new(corners, shade(k).filled()))?;
        }
        for (k, disc) in self.data.discs(false) {
            let round = || (0..=CORNERS).map(turn);
            let x: Vec<f64> = round().map(|(_, x)| disc.radius * x).collect();
            let y: Vec<f64> = round().map(|(y, _)| disc.radius * y).collect();
            frame.line(&x, &y, Dash::nth(k + 1), stroke(LEVEL, 3.0))?;
        }
        Ok(())
    }
}

/// The colour of the `k`-th area.
fn shade(k: usize) -> RGBColor {
    deep(SHADE, 0.93f64.powi(k as i32 + 1))
}

/// Rulers of one scale, and the width and height between the axes in pixels.
fn equal(across: Ruler, up: Ruler) -> (Ruler, Ruler, (f64, f64)) {
    let (long, high) = (across.high - across.low, up.high - up.low);
    let pixels = (WIDEST / long).min(TALLEST / high);
    let width = (pixels * long).round().max(NARROWEST);
    let height = (pixels * high).round().max(LOWEST);
    (about(across, width / pixels), about(up, height / pixels), (width, height))
}

/// A ruler of another length about the same middle.
fn about(ruler: Ruler, length: f64) -> Ruler {
    let middle = 0.5 * (ruler.low + ruler.high);
    Ruler { low: middle - 0.5 * length, high: middle + 0.5 * length, ..ruler }
}

impl TrajectoryFigure {
    /// The linear ruler of an axis: from its own range, the paths, or the discs.
    fn ruler(&self, axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Ruler> {
        let axis = Axis { range: axis.range, scale: Scale::Linear, ..Axis::default() };
        let radii = self.discs(true).chain(self.discs(false)).map(|(_, disc)| disc.radius);
        let ends = radii.flat_map(|radius| [-radius, radius]);
        Ruler::of(&axis, values).or_else(|| Ruler::of(&axis, ends))
    }

    /// The discs that can be drawn, filled or not, with their places among them.
    fn discs(&self, filled: bool) -> impl Iterator<Item = (usize, &Disc)> {
        let drawn = move |disc: &&Disc| disc.radius.is_finite() && disc.radius > 0.0;
        self.discs.iter().filter(drawn).filter(move |disc| disc.filled == filled).enumerate()
    }

    /// Paths first, then discs.
    fn entries(&self) -> Vec<Entry> {
        let paths = self.paths.iter().enumerate().map(|(j, path)| Entry {
            label: path.curve.label.clone(),
            colour: path.colour(j),
            sign: Sign::Line(path.dash(j)),
        });
        let areas = self.discs(true).map(|(k, disc)| Entry {
            label: disc.label.clone(),
            colour: shade(k),
            sign: Sign::Patch,
        });
        let outlines = self.discs(false).map(|(k, disc)| Entry {
            label: disc.label.clone(),
            colour: LEVEL,
            sign: Sign::Line(Dash::nth(k + 1)),
        });
        paths.chain(areas).chain(outlines).collect()
    }
}

impl Figure for Checked<'_> {
    fn size(&self) -> (u32, u32) {
        let (right, bottom) = (self.place.right + px(40), self.place.bottom + room_below());
        ((right / UNITS) as u32, ((bottom + px(12)) / UNITS) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>) -> Drawn<DB> {
        let Place { left, .. } = self.place;
        self.legend.draw(canvas, (left, px(10)))?;
        let frame = Frame { canvas, place: self.place, across: self.across, up: self.up };
        frame.grid()?;
        self.discs(&frame)?;
        frame.levels(&self.data.y.levels, self.data.paths.iter().map(|path| &path.curve))?;
        for (j, path) in self.data.paths.iter().enumerate().rev() {
            let (curve, style) = (&path.curve, stroke(path.colour(j), 3.5));
            frame.line(&curve.x, &curve.y, path.dash(j), style)?;
        }
        frame.border()?;
        frame.label_up(&self.data.y.label)?;
        frame.label_across(&self.data.x.label)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, passes, stem};
    use super::*;

    /// Pixels per unit of either axis.
    fn scales(checked: &Checked<'_>) -> (f64, f64) {
        let Checked { across, up, place, .. } = checked;
        let wide = f64::from((place.right - place.left) / UNITS) / (across.high - across.low);
        (wide, f64::from((place.bottom - place.top) / UNITS) / (up.high - up.low))
    }

    /// Draws a figure and returns its size.
    fn drawn(name: &str, figure: &TrajectoryFigure, words: &[&str]) -> (u32, u32) {
        let stem = stem(name);
        trajectories(&stem, figure).unwrap();
        let size = Checked::new(figure).unwrap().size();
        check_files(&stem, size, words);
        size
    }

    #[test]
    fn passing_spheres_are_drawn_wide() {
        let figure = passes(6);
        let words = ["y₀ = 0.05", "y₀ = 1.05", "sphere", "touching", "flow x / R", "−4"];
        let (width, height) = drawn("trajectories", &figure, &words);
        assert!((1300..1500).contains(&width) && (500..700).contains(&height), "{width} {height}");
    }

    #[test]
    fn many_paths_on_free_scales_are_drawn() {
        let mut figure = TrajectoryFigure { equal: false, ..passes(10) };
        (figure.x.range, figure.y.range) = (None, Some((0.0, 3.0)));
        drawn("trajectories_free", &figure, &["y₀ = 1.85"]);
    }

    #[test]
    fn tall_low_and_empty_pictures_have_room() {
        let mut figure = passes(2);
        figure.x.range = Some((-0.2, 0.2));
        let tall = drawn("trajectories_tall", &figure, &["sphere"]);
        figure.x.range = Some((-5.0, 5.0));
        figure.y.range = Some((0.0, 0.2));
        let low = drawn("trajectories_low", &figure, &["sphere"]);
        assert!(tall.0 > 600 && low.1 > 300, "{tall:?} {low:?}");
        figure.paths.clear();
        (figure.x.range, figure.y.range) = (None, None);
        drawn("trajectories_discs", &figure, &["touching"]);
    }

    #[test]
    fn scales_are_equal_and_the_ranges_are_held() {
        for range in [(-0.5, 2.5), (-0.01, 0.03), (-40.0, 41.0)] {
            let mut figure = passes(3);
            figure.y.range = Some(range);
            let checked = Checked::new(&figure).unwrap();
            let (wide, high) = scales(&checked);
            assert!((wide / high - 1.0).abs() < 1e-9, "{wide} {high}");
            let slack = 1.0 / wide;
            assert!(checked.up.low < range.0 + slack && checked.up.high > range.1 - slack);
            assert!(checked.across.low < -5.0 + slack && checked.across.high > 5.0 - slack);
        }
    }

    #[test]
    fn styles_last_for_many_paths() {
        let path = Trajectory::default();
        let looks: Vec<_> = (0..4 * COLOURS).map(|j| (path.colour(j), path.dash(j))).collect();
        assert!((0..looks.len()).all(|j| !looks[..j].contains(&looks[j])));
        let styled = path.in_style(9);
        assert_eq!((styled.colour(0), styled.dash(0)), (colour(9), Dash::nth(9)));
    }

    #[test]
    fn nothing_is_an_error() {
        let figure = TrajectoryFigure { y: Axis::linear("y / R"), ..TrajectoryFigure::default() };
        let error = trajectories(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("y / R"), "{error}");
    }
}
