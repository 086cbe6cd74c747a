//! One quantity against another for many values of a parameter: points of two sorts, a theory, and
//! colours in the order of the parameter.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::frame::{Frame, room_below, room_left};
use super::key::Key;
use super::legend::{Entry, Legend, Sign};
use super::mark::{Mark, Shape};
use super::path::Curve;
use super::ruler::{Axis, Ruler};
use super::style::{
    ABOVE_LEGEND, BAR_GAP, BELOW_LEGEND, BOLD, Dash, INK, MARGIN_RIGHT, POINT, SINGLE, SMALL_POINT,
    THIN, ordered, stroke,
};

/// What was found at one value of the parameter.
#[derive(Debug, Clone, Default)]
pub struct Family {
    /// Value of the parameter.
    pub value: f64,
    /// Abscissae of the points.
    pub x: Vec<f64>,
    /// Ordinates, as many; a point that is not finite is not drawn.
    pub y: Vec<f64>,
    /// Whether each point is of the first sort, drawn full; if absent, it is of the second.
    pub filled: Vec<bool>,
    /// What theory says, cut where it leaves the axes. Without a theory a line joins the points.
    pub theory: Curve,
}

impl Family {
    /// Points at a value of the parameter, all open, without a theory.
    pub fn new(value: f64, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { value, x, y, ..Self::default() }
    }

    /// The same points, full where `filled` says so.
    pub fn with_filled(self, filled: Vec<bool>) -> Self {
        Self { filled, ..self }
    }

    /// The same points with a theory.
    pub fn with_theory(self, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { theory: Curve::new("", x, y), ..self }
    }

    /// Whether the `k`-th point is drawn full.
    fn is_filled(&self, k: usize) -> bool {
        self.filled.get(k).copied().unwrap_or(false)
    }

    /// The line and its width.
    fn line(&self) -> (&[f64], &[f64], f64) {
        let theory = &self.theory;
        if theory.x.is_empty() { (&self.x, &self.y, THIN) } else { (&theory.x, &theory.y, BOLD) }
    }
}

/// A pair of axes with a family for each value of a parameter.
#[derive(Debug, Clone, Default)]
pub struct FamilyPanel {
    /// The level axis; the points set its range.
    pub x: Axis,
    /// The upright axis; the points and the theories set its range, together with those of other
    /// panels whose axis has the same name.
    pub y: Axis,
    /// Name of the parameter, such as `κ`.
    pub parameter: String,
    /// The families, in any order.
    pub families: Vec<Family>,
}

/// Panels side by side.
#[derive(Debug, Clone, Default)]
pub struct FamilyFigure {
    /// Panels from left to right.
    pub panels: Vec<FamilyPanel>,
    /// Names of full and of open points.
    pub marks: [String; 2],
    /// Name of the theory.
    pub theory: String,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If there is no panel, a panel has no point that its axes can show, or a file cannot be written.
pub fn families(path_stem: &Path, data: &FamilyFigure) -> Result<(), PlotError> {
    Checked::new(data)?.draw().write(path_stem)
}

/// A figure whose axes are known to exist.
struct Checked<'a> {
    data: &'a FamilyFigure,
    panels: Vec<CheckedPanel<'a>>,
}

/// More families than this have smaller points.
const MOST_LARGE_FAMILIES: usize = 6;

/// Width of each of several panels.
const SEVERAL: f64 = 1000.0;

/// A panel with its families in order.
struct CheckedPanel<'a> {
    data: &'a FamilyPanel,
    families: Vec<&'a Family>,
    key: Key,
    across: Ruler,
    up: Ruler,
}

impl<'a> Checked<'a> {
    fn new(data: &'a FamilyFigure) -> Result<Self, PlotError> {
        let panels: Vec<CheckedPanel<'a>> = data
            .panels
            .iter()
            .map(|panel| CheckedPanel::new(panel, data))
            .collect::<Result<_, _>>()?;
        if panels.is_empty() {
            return Err(PlotError::Empty { what: "the figure of families".into() });
        }
        Ok(Self { data, panels })
    }

    /// The two sorts of points, if there are any, and the theory.
    fn entries(&self) -> Vec<Entry> {
        let all = || self.panels.iter().flat_map(|panel| &panel.families);
        let any = |filled: bool| {
            all().any(|family| (0..family.x.len()).any(|k| family.is_filled(k) == filled))
        };
        let signs = [
            (&self.data.marks[0], Sign::Marker(shape(true)), any(true)),
            (&self.data.marks[1], Sign::Marker(shape(false)), any(false)),
            (&self.data.theory, Sign::Line(Dash::Solid), all().any(|f| !f.theory.x.is_empty())),
        ];
        let shown = signs.into_iter().filter(|(_, _, used)| *used);
        shown.map(|(label, sign, _)| Entry { label: label.clone(), colour: INK, sign }).collect()
    }

    fn draw(&self) -> Canvas {
        let count = self.panels.len() as f64;
        let wide = if count == 1.0 { SINGLE.0 } else { SEVERAL };
        let mut canvas = Canvas::new(wide * count, SINGLE.1);
        let rooms = self.panels.iter().map(|panel| room_left(&panel.up, 0.8 * SINGLE.1));
        let left = rooms.fold(0.0, f64::max);
        let keys = self.panels.iter().map(|panel| panel.key.width()).fold(0.0, f64::max);
        let legend = Legend::new(self.entries(), canvas.width - left - MARGIN_RIGHT);
        legend.draw(&mut canvas, (left, ABOVE_LEGEND));
        let top = ABOVE_LEGEND + legend.height() + BELOW_LEGEND;
        let (right, bottom) = (wide - 2.0 * BAR_GAP - keys, canvas.height - room_below());
        for (k, panel) in self.panels.iter().enumerate() {
            let mut part = Canvas::new(wide, SINGLE.1);
            panel.draw(&mut part, Place { left, top, right, bottom });
            canvas.put(&part, (wide * k as f64, 0.0));
        }
        canvas
    }
}

impl<'a> CheckedPanel<'a> {
    fn new(data: &'a FamilyPanel, figure: &FamilyFigure) -> Result<Self, PlotError> {
        let empty = || PlotError::Empty { what: format!("the panel '{}'", data.x.label) };
        let across = extent(data).ok_or_else(empty)?;
        let alike = figure.panels.iter().filter(|panel| panel.y.label == data.y.label);
        let up = Ruler::of(&data.y, alike.flat_map(ordinates)).ok_or_else(empty)?;
        let mut families: Vec<&Family> = data.families.iter().collect();
        families.sort_by(|a, b| a.value.total_cmp(&b.value));
        let values: Vec<f64> = families.iter().map(|family| family.value).collect();
        let key = Key::new(&data.parameter, &values);
        Ok(Self { data, families, key, across, up })
    }

    /// Axes, families and their key, with room for the key between the axes and the right end.
    fn draw(&self, canvas: &mut Canvas, place: Place) {
        self.key.draw(canvas, Place { left: place.right + BAR_GAP, ..place });
        let mut frame = Frame { canvas, place, across: self.across, up: self.up };
        frame.grid();
        let theories = self.families.iter().map(|family| &family.theory);
        frame.levels(&self.data.y.levels, theories);
        let count = self.families.len();
        for (k, family) in self.families.iter().enumerate() {
            let (x, y, width) = family.line();
            frame.line(x, y, stroke(ordered(k, count), width));
        }
        self.points(&mut frame, true);
        self.points(&mut frame, false);
        frame.axes(Some(&self.data.x.label), &self.data.y.label);
    }

    /// The points of one sort.
    fn points(&self, frame: &mut Frame<'_>, filled: bool) {
        let count = self.families.len();
        let radius = if count > MOST_LARGE_FAMILIES { SMALL_POINT } else { POINT };
        let mark = Mark { shape: shape(filled), radius, hollow: false };
        for (k, family) in self.families.iter().enumerate() {
            let points = family.x.iter().zip(&family.y).enumerate();
            for (_, (x, y)) in points.filter(|(j, _)| family.is_filled(*j) == filled) {
                frame.point((*x, *y), mark, ordered(k, count));
            }
        }
    }
}

/// The shape of a point of the first or the second sort.
fn shape(filled: bool) -> Shape {
    if filled { Shape::Square } else { Shape::Ring }
}

/// The level axis of a panel, if it has points.
fn extent(panel: &FamilyPanel) -> Option<Ruler> {
    let drawn = |(x, y): (&f64, &f64)| Ruler::of(&panel.y, [*y].into_iter()).map(|_| *x);
    let points = panel.families.iter().flat_map(|family| family.x.iter().zip(&family.y));
    Ruler::of(&panel.x, points.filter_map(drawn))
}

/// The ordinates of the points of a panel and of the theories where there are points.
fn ordinates(panel: &FamilyPanel) -> impl Iterator<Item = f64> {
    let across = extent(panel);
    let within = move |x: f64| across.is_some_and(|a| (0.0..=1.0).contains(&a.share(x)));
    panel.families.iter().flat_map(move |family| {
        let Curve { x, y, .. } = &family.theory;
        let theory = x.iter().zip(y).filter(move |(x, _)| within(**x)).map(|(_, y)| *y);
        family.y.iter().copied().chain(theory)
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, durations, stem};
    use super::*;

    #[test]
    fn durations_are_drawn_in_two_panels() {
        let stem = stem("durations");
        families(&stem, &durations(4, 4)).unwrap();
        let words = ["κ", "h₀ / R", "Hertz visited", "Poiseuille only", "theory", "10⁻⁴"];
        check_files(&stem, (2000, 900), &words);
    }

    #[test]
    fn many_families_are_drawn() {
        let stem = stem("durations_many");
        families(&stem, &durations(12, 9)).unwrap();
        check_files(&stem, (2000, 900), &["κ"]);
    }

    #[test]
    fn one_panel_is_drawn() {
        let stem = stem("durations_one_panel");
        let mut figure = durations(20, 12);
        figure.panels.truncate(1);
        families(&stem, &figure).unwrap();
        check_files(&stem, (1200, 900), &["κ", "10⁻¹"]);
    }

    #[test]
    fn one_family_with_a_gap_is_drawn() {
        let stem = stem("durations_one_family");
        let mut figure = durations(4, 12);
        figure.panels.truncate(1);
        let panel = &mut figure.panels[0];
        panel.families.truncate(1);
        panel.families[0].theory = Curve::default();
        panel.families[0].y[3] = f64::NAN;
        panel.y = Axis::linear("duration Δ / τ").with_level(10.0, "slow", "fast");
        families(&stem, &figure).unwrap();
        check_files(&stem, (1200, 900), &["κ", "10⁻⁴", "slow", "fast"]);
    }

    #[test]
    fn panels_share_an_axis_of_one_name() {
        let mut figure = durations(4, 4);
        figure.panels[0].families[3].y[0] = 1e6;
        let checked = Checked::new(&figure).unwrap();
        assert_eq!(checked.panels[0].up, checked.panels[1].up);
        figure.panels[1].y = Axis::log("another");
        let checked = Checked::new(&figure).unwrap();
        assert!(checked.panels[0].up.high > 10.0 * checked.panels[1].up.high);
    }

    #[test]
    fn families_without_points_are_an_error() {
        assert!(families(&stem("nothing"), &FamilyFigure::default()).is_err());
        let mut figure = durations(4, 4);
        for family in &mut figure.panels[1].families {
            family.y.fill(f64::NAN);
        }
        let error = families(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("force κ"), "{error}");
    }
}
