//! Distributions in panels, two in a row: steps with bands of errors, and lines to compare them
//! with.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::curve::Line;
use super::frame::{Frame, room_below, room_left};
use super::legend::{Entry, Legend, Sign};
use super::ruler::{Axis, Ruler, Scale};
use super::style::{
    ABOVE_LEGEND, CRISP, Dash, Fill, LEVEL, MARGIN_RIGHT, Size, THICK, THIN, colour, pale, stroke,
};
use super::text::{Anchor, centred, hanging, width};

/// A quantity given bin by bin.
#[derive(Debug, Clone, Default)]
pub struct Distribution {
    /// Name in the legend.
    pub label: String,
    /// Ends of the bins: one more than there are bins.
    pub edges: Vec<f64>,
    /// The quantity in every bin; one that is not finite is not drawn.
    pub values: Vec<f64>,
    /// Standard errors, as many or none; one that is not finite is not drawn.
    pub errors: Vec<f64>,
}

impl Distribution {
    /// The outline of the bins that an axis can show.
    fn steps(&self, up: &Ruler) -> (Vec<f64>, Vec<f64>) {
        let ends = self.edges.windows(2).flatten().copied().collect();
        let level = |y: f64| if up.scale == Scale::Log && y <= 0.0 { f64::NAN } else { y };
        (ends, self.values.iter().flat_map(|y| [level(*y); 2]).collect())
    }
}

/// A pair of axes with distributions.
#[derive(Debug, Clone, Default)]
pub struct DistributionPanel {
    /// The level axis.
    pub x: Axis,
    /// The upright axis.
    pub y: Axis,
    /// What is drawn, the first on top. They set the range of the axes.
    pub distributions: Vec<Distribution>,
    /// Lines to compare them with, cut where they leave the axes.
    pub lines: Vec<Line>,
    /// Abscissae marked by an upright line, with their names.
    pub marks: Vec<(f64, String)>,
    /// What is written in the panel, line by line.
    pub results: Vec<String>,
    /// What is said, line by line, if there is nothing to draw.
    pub instead: Vec<String>,
}

/// Panels, two in a row.
#[derive(Debug, Clone, Default)]
pub struct DistributionFigure {
    /// What stands above all.
    pub heading: String,
    /// The panels, row by row.
    pub panels: Vec<DistributionPanel>,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If a panel has neither a value that its axes can show nor something to say instead, or a file
/// cannot be written.
pub fn distributions(path_stem: &Path, data: &DistributionFigure) -> Result<(), PlotError> {
    Checked::new(data)?.draw().write(path_stem)
}

/// A figure whose axes are known to exist, except where something is said instead.
struct Checked<'a> {
    data: &'a DistributionFigure,
    axes: Vec<Option<(Ruler, Ruler)>>,
}

impl<'a> Checked<'a> {
    fn new(data: &'a DistributionFigure) -> Result<Self, PlotError> {
        if data.panels.is_empty() {
            return Err(PlotError::Empty { what: "the figure of distributions".into() });
        }
        let axes = data.panels.iter().map(|panel| match axes(panel) {
            None if panel.instead.is_empty() => {
                Err(PlotError::Empty { what: format!("the panel '{}'", panel.y.label) })
            }
            found => Ok(found),
        });
        Ok(Self { data, axes: axes.collect::<Result<_, _>>()? })
    }
}

/// The axes of a panel, if it has values.
fn axes(panel: &DistributionPanel) -> Option<(Ruler, Ruler)> {
    let values = || panel.distributions.iter().flat_map(|d| d.values.iter().copied());
    let edges = || panel.distributions.iter().flat_map(|d| d.edges.iter().copied());
    if !values().any(|y| y.is_finite() && (panel.y.scale == Scale::Linear || y > 0.0)) {
        return None;
    }
    let across = match panel.x.range {
        None if panel.x.scale == Scale::Linear => Ruler::tight(edges()),
        _ => Ruler::of(&panel.x, edges()),
    };
    let tops = panel
        .distributions
        .iter()
        .flat_map(|d| d.values.iter().zip(&d.errors).map(|(value, error)| value + error));
    across.zip(Ruler::of(&panel.y, values().chain(tops)))
}

/// Height of the heading, and size of a panel.
const HEADING: f64 = 64.0;
const PANEL: (f64, f64) = (1000.0, 700.0);

/// Room around what is written inside the axes.
const MARGIN: f64 = 8.0;

impl Checked<'_> {
    fn draw(&self) -> Canvas {
        let rows = self.data.panels.len().div_ceil(2);
        let mut canvas = Canvas::new(2.0 * PANEL.0, HEADING + PANEL.1 * rows as f64);
        let style = centred(Size::Large, Anchor::Middle).within(&self.data.heading, canvas.width);
        canvas.text(&self.data.heading, (0.5 * canvas.width, 0.5 * HEADING), style);
        for (k, (panel, axes)) in self.data.panels.iter().zip(&self.axes).enumerate() {
            let part = match axes {
                Some((across, up)) => draw_panel(panel, *across, *up),
                None => say(&panel.instead),
            };
            let (row, column) = ((k / 2) as f64, (k % 2) as f64);
            canvas.put(&part, (PANEL.0 * column, HEADING + PANEL.1 * row));
        }
        canvas
    }
}

/// Lines in the middle of an empty panel.
fn say(lines: &[String]) -> Canvas {
    let mut canvas = Canvas::new(PANEL.0, PANEL.1);
    let style = centred(Size::Small, Anchor::Middle).in_colour(LEVEL);
    let step = Size::Small.line();
    let first = 0.5 * (canvas.height - step * (lines.len() as f64 - 1.0));
    for (k, line) in lines.iter().enumerate() {
        let middle = (0.5 * canvas.width, first + step * k as f64);
        canvas.text(line, middle, style.within(line, 0.9 * PANEL.0));
    }
    canvas
}

/// One panel with its legend and results.
fn draw_panel(panel: &DistributionPanel, across: Ruler, up: Ruler) -> Canvas {
    let mut canvas = Canvas::new(PANEL.0, PANEL.1);
    let (right, bottom) = (canvas.width - MARGIN_RIGHT, canvas.height - room_below());
    let legend = Legend::new(entries(panel), right - room_left(&up, 0.8 * PANEL.1));
    let top = legend.height() + ABOVE_LEGEND;
    let rows = panel.results.len() as f64 * Size::Small.line();
    let names = if panel.marks.is_empty() { 0.0 } else { Size::Note.line() };
    let needed = if rows + names > 0.0 { rows + names + 1.5 * MARGIN } else { 0.0 };
    let up = up.with_headroom(needed / (bottom - top));
    let left = room_left(&up, bottom - top);
    legend.draw(&mut canvas, (left, 0.0));
    let place = Place { left, top, right, bottom };
    let mut frame = Frame { canvas: &mut canvas, place, across, up };
    frame.grid();
    for (k, distribution) in panel.distributions.iter().enumerate().rev() {
        draw_band(&mut frame, distribution, k);
    }
    draw_marks(&mut frame, &panel.marks, top + MARGIN + rows);
    for (k, line) in panel.lines.iter().enumerate() {
        frame.line(&line.curve.x, &line.curve.y, line.stroke(k + 1));
    }
    for (k, distribution) in panel.distributions.iter().enumerate().rev() {
        let (x, y) = distribution.steps(&frame.up);
        frame.line(&x, &y, stroke(colour(k), THICK));
    }
    let style = hanging(Size::Small, Anchor::End);
    for (k, result) in panel.results.iter().enumerate() {
        let y = top + MARGIN + Size::Small.line() * k as f64;
        frame.canvas.text(result, (right - 2.0 * MARGIN, y), style);
    }
    frame.axes(Some(&panel.x.label), &panel.y.label);
    canvas
}

/// Distributions first, then lines.
fn entries(panel: &DistributionPanel) -> Vec<Entry> {
    let steps = panel.distributions.iter().enumerate().map(|(k, distribution)| Entry {
        label: distribution.label.clone(),
        colour: colour(k),
        sign: Sign::Line(Dash::Solid),
    });
    let lines = panel.lines.iter().enumerate().map(|(k, line)| line.entry(k + 1));
    steps.chain(lines).collect()
}

/// One standard error about every value.
fn draw_band(frame: &mut Frame<'_>, distribution: &Distribution, k: usize) {
    let Distribution { edges, values, errors, .. } = distribution;
    let paint = format!("{} {CRISP}", Fill(pale(colour(k), 0.35)));
    for ((ends, value), error) in edges.windows(2).zip(values).zip(errors) {
        let (low, high) = (value - error, value + error);
        if *error > 0.0 && high > frame.up.low {
            // A band down to zero or below leaves a logarithmic axis at its lower end.
            let low = low.max(frame.up.low);
            frame.band((ends[0], ends[1]), (low, high), &paint);
        }
    }
}

/// Upright lines with their names, which begin at `top`.
fn draw_marks(frame: &mut Frame<'_>, marks: &[(f64, String)], top: f64) {
    for (at, name) in marks {
        if !(0.0..=1.0).contains(&frame.across.share(*at)) {
            continue;
        }
        let (x, half, place) = (frame.x(*at), 0.5 * width(name, Size::Note), frame.place);
        let line = [(x, top + Size::Note.line()), (x, place.bottom)];
        frame.canvas.line(&line, stroke(LEVEL, THIN));
        let (first, last) = (place.left + half + MARGIN, place.right - half - MARGIN);
        let style = hanging(Size::Note, Anchor::Middle).in_colour(LEVEL);
        frame.canvas.text(name, (x.min(last).max(first), top), style);
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, stem};
    use super::*;

    /// Angles with a preferred direction, an exponential on a log axis, and a panel without data.
    fn figure() -> DistributionFigure {
        let angles: Vec<f64> = (0..=18).map(|k| 10.0 * f64::from(k)).collect();
        let preferred = |a: &f64| 1.0 - 0.6 * (2.0 * (a + 5.0).to_radians()).sin();
        let forces: Vec<f64> = (0..=20).map(|k| 0.25 * f64::from(k)).collect();
        let decay = |f: &f64| (-f).exp();
        let both = DistributionPanel {
            x: Axis::linear("angle θ / °"),
            y: Axis::linear("P(θ) / P of isotropic"),
            distributions: vec![Distribution {
                label: "gap < 0.01 a".into(),
                values: angles[..18].iter().map(preferred).collect(),
                errors: vec![0.1; 18],
                edges: angles,
            }],
            marks: vec![(45.0, "extension".into()), (135.0, "compression".into())],
            results: vec!["69 % between 90° and 180°".into()],
            ..DistributionPanel::default()
        };
        let exponential = DistributionPanel {
            x: Axis::linear("f / ⟨f⟩"),
            y: Axis::log("P"),
            distributions: vec![Distribution {
                label: "contacts".into(),
                values: forces[..20].iter().map(decay).collect(),
                errors: forces[..20].iter().map(|f| 0.3 * decay(f).sqrt()).collect(),
                edges: forces.clone(),
            }],
            lines: vec![Line::new("exp(−f)", forces.clone(), forces.iter().map(decay).collect())],
            ..DistributionPanel::default()
        };
        let instead = vec!["no contact forces recorded".into(), "output.contacts".into()];
        let silent = DistributionPanel { instead, ..DistributionPanel::default() };
        DistributionFigure { heading: "31 frames".into(), panels: vec![both, exponential, silent] }
    }

    #[test]
    fn distributions_are_drawn_in_panels() {
        let stem = stem("distributions");
        distributions(&stem, &figure()).unwrap();
        let words = ["31 frames", "compression", "69 %", "exp(−f)", "output.contacts"];
        check_files(&stem, (2000, 1464), &words);
    }

    #[test]
    fn a_panel_without_values_and_words_is_an_error() {
        let mut figure = figure();
        figure.panels[1].distributions[0].values.fill(0.0);
        let error = distributions(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("'P'"), "{error}");
        assert!(distributions(&stem("nothing"), &DistributionFigure::default()).is_err());
    }

    #[test]
    fn empty_bins_interrupt_the_steps_on_a_log_axis() {
        let bins = Distribution {
            edges: vec![0.0, 1.0, 2.0, 3.0],
            values: vec![1.0, 0.0, 2.0],
            ..Distribution::default()
        };
        let ruler = |scale| Ruler { scale, low: 0.5, high: 3.0 };
        let (x, y) = bins.steps(&ruler(Scale::Log));
        assert_eq!(x, [0.0, 1.0, 1.0, 2.0, 2.0, 3.0]);
        assert!(y[2].is_nan() && y[3].is_nan() && y[5] == 2.0);
        assert_eq!(bins.steps(&ruler(Scale::Linear)).1[2], 0.0);
    }
}
