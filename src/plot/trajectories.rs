//! Paths of a sphere about another, in a plane.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::frame::{Frame, room_below, room_left};
use super::legend::{Entry, Legend, Sign};
use super::path::Curve;
use super::ruler::{Axis, Ruler, Scale};
use super::style::{
    ABOVE_LEGEND, BELOW_LEGEND, BOLD, Colour, Dash, Fill, LEVEL, MARGIN_RIGHT, MEDIUM, PALETTE,
    SHADE, colour, deep, stroke,
};

/// A circle about the origin.
#[derive(Debug, Clone, Default)]
pub struct Disc {
    /// Radius, in the unit of the axes.
    pub radius: f64,
    /// Whether it is a pale area, such as the fixed sphere, or else an interrupted line, such as
    /// the distance that centres keep.
    pub filled: bool,
    /// Name in the legend.
    pub label: String,
}

/// The path of a centre.
#[derive(Debug, Clone, Default)]
pub struct Trajectory {
    /// Places along the path and its name; one that is not finite interrupts it.
    pub curve: Curve,
    /// Which colour and dash it has; without, a solid line in the colour of its place in the
    /// figure.
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
    fn colour(&self, j: usize) -> Colour {
        colour(self.style.unwrap_or(j))
    }

    /// Its dash: another when the colours are used up.
    fn dash(&self, j: usize) -> Dash {
        Dash::nth(self.style.unwrap_or(j / PALETTE.len()))
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
    Checked::new(data)?.draw().write(path_stem)
}

/// Greatest and least width and height between the axes.
const WIDEST: f64 = 1240.0;
const TALLEST: f64 = 900.0;
const NARROWEST: f64 = 620.0;
const LOWEST: f64 = 280.0;

/// Width and height between free axes.
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
        let left = room_left(&up, height);
        let legend = Legend::new(data.entries(), width);
        let top = (ABOVE_LEGEND + legend.height() + BELOW_LEGEND).ceil();
        let place = Place { left, top, right: left + width, bottom: top + height };
        Ok(Self { data, across, up, legend, place })
    }

    fn draw(&self) -> Canvas {
        let Self { place, across, up, data, .. } = self;
        let mut canvas = Canvas::new(place.right + MARGIN_RIGHT, place.bottom + room_below());
        self.legend.draw(&mut canvas, (place.left, ABOVE_LEGEND));
        let mut frame = Frame { canvas: &mut canvas, place: *place, across: *across, up: *up };
        frame.grid();
        self.discs(frame.canvas);
        frame.levels(&data.y.levels, data.paths.iter().map(|path| &path.curve));
        for (j, path) in data.paths.iter().enumerate().rev() {
            let style = stroke(path.colour(j), BOLD).dashed(path.dash(j));
            frame.line(&path.curve.x, &path.curve.y, style);
        }
        frame.axes(Some(&data.x.label), &data.y.label);
        canvas
    }

    /// The discs: areas from the largest to the smallest, then lines.
    fn discs(&self, canvas: &mut Canvas) {
        let Self { place, across, up, .. } = self;
        let middle = (
            place.left + across.share(0.0) * place.width(),
            place.bottom - up.share(0.0) * place.height(),
        );
        let pixels =
            (place.width() / (across.high - across.low), place.height() / (up.high - up.low));
        let axes = |disc: &Disc| (disc.radius * pixels.0, disc.radius * pixels.1);
        let mut areas: Vec<(usize, &Disc)> = self.data.discs(true).collect();
        areas.sort_by(|a, b| b.1.radius.total_cmp(&a.1.radius));
        canvas.inside(*place, |canvas| {
            for (k, disc) in areas {
                canvas.ellipse(middle, axes(disc), Fill(shade(k)));
            }
            for (k, disc) in self.data.discs(false) {
                let line = stroke(LEVEL, MEDIUM).dashed(Dash::nth(k + 1));
                canvas.ellipse(middle, axes(disc), line);
            }
        });
    }
}

/// The colour of the `k`-th area.
fn shade(k: usize) -> Colour {
    deep(SHADE, 0.93f64.powi(k as i32 + 1))
}

/// Rulers of one scale, and the width and height between the axes.
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

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, passes, stem};
    use super::*;

    /// Pixels per unit of either axis.
    fn scales(checked: &Checked<'_>) -> (f64, f64) {
        let Checked { across, up, place, .. } = checked;
        let wide = place.width() / (across.high - across.low);
        (wide, place.height() / (up.high - up.low))
    }

    /// Draws a figure and returns its size.
    fn drawn(name: &str, figure: &TrajectoryFigure, words: &[&str]) -> (u32, u32) {
        let stem = stem(name);
        trajectories(&stem, figure).unwrap();
        let canvas = Checked::new(figure).unwrap().draw();
        let size = (canvas.width as u32, canvas.height as u32);
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
        let looks: Vec<_> =
            (0..4 * PALETTE.len()).map(|j| (path.colour(j), path.dash(j))).collect();
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
