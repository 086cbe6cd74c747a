//! How a run went: panels one above the other that share the strain axis.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::frame::{Frame, room_below, room_left};
use super::legend::{Entry, Legend, Sign};
use super::number::with_error;
use super::path::Curve;
use super::ruler::{Axis, Ruler};
use super::style::{
    BOLD, Colour, Dash, FINE, Fill, INK, MARGIN_RIGHT, SHADE, SINGLE, Size, Stroke, THICK, colour,
    deep, pale, stroke,
};
use super::text::{Anchor, hanging, width};

/// The steady value of a trace.
#[derive(Debug, Clone)]
pub struct Mean {
    /// Symbol in the panel, such as `ηᵣ`.
    pub symbol: String,
    /// Mean, in the unit of the trace.
    pub value: f64,
    /// Standard error, if known, in the unit of the trace.
    pub stderr: Option<f64>,
}

/// A recorded quantity with its steady value.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The quantity against strain.
    pub curve: Curve,
    /// What the steady part gives.
    pub mean: Option<Mean>,
    /// Which colour and dash it has; without, a solid line in the colour of its place in the panel.
    pub style: Option<usize>,
    /// Whether it is drawn thicker than the others.
    pub emphasised: bool,
}

impl Trace {
    /// A trace without a mean.
    pub fn new(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { curve: Curve::new(label, x, y), mean: None, style: None, emphasised: false }
    }

    /// The same trace with its mean.
    pub fn with_mean(self, symbol: impl Into<String>, value: f64, stderr: Option<f64>) -> Self {
        Self { mean: Some(Mean { symbol: symbol.into(), value, stderr }), ..self }
    }

    /// The same trace in the `k`-th colour and dash: what belongs together in several panels looks
    /// alike, whichever of it a panel lacks.
    pub fn in_style(self, k: usize) -> Self {
        Self { style: Some(k), ..self }
    }

    /// The same trace, thicker than the others.
    pub fn emphasised(self) -> Self {
        Self { emphasised: true, ..self }
    }

    /// The colour of the trace in the `j`-th place.
    fn colour(&self, j: usize) -> Colour {
        colour(self.style.unwrap_or(j))
    }

    fn dash(&self) -> Dash {
        self.style.map_or(Dash::Solid, Dash::nth)
    }

    /// How the trace in the `j`-th place is drawn.
    fn stroke(&self, j: usize) -> Stroke {
        let wide = if self.emphasised || self.style.is_some() { THICK } else { FINE };
        stroke(self.colour(j), wide).dashed(self.dash())
    }

    /// The steady value, if it is known.
    fn steady(&self) -> Option<&Mean> {
        self.mean.as_ref().filter(|mean| mean.value.is_finite())
    }

    /// The line in the legend of the trace in the `j`-th place.
    fn entry(&self, j: usize) -> Entry {
        let (label, colour) = (self.curve.label.clone(), self.colour(j));
        Entry { label, colour, sign: Sign::Line(self.dash()) }
    }
}

/// A pair of axes with traces.
#[derive(Debug, Clone)]
pub struct Panel {
    /// The upright axis.
    pub axis: Axis,
    /// What is drawn; the first on top.
    pub traces: Vec<Trace>,
}

/// A run in panels that share the level axis.
#[derive(Debug, Clone)]
pub struct TimeSeriesFigure {
    /// Name of the level axis, such as `strain γ`.
    pub x_label: String,
    /// Where the steady part begins: what is before it is shaded.
    pub steady_from: Option<f64>,
    /// Panels from top to bottom. Of two the first is the taller, more are of equal height. A name
    /// is in the legend of the first panel that has it in its colour and dash.
    pub panels: Vec<Panel>,
}

/// Draws `path_stem.svg` and `path_stem.png`.
///
/// # Errors
///
/// If a panel has no finite point, or a file cannot be written.
pub fn time_series(path_stem: &Path, data: &TimeSeriesFigure) -> Result<(), PlotError> {
    Checked::new(data)?.draw().write(path_stem)
}

/// A figure whose axes are known to exist.
struct Checked<'a> {
    data: &'a TimeSeriesFigure,
    across: Ruler,
    up: Vec<Ruler>,
}

impl<'a> Checked<'a> {
    fn new(data: &'a TimeSeriesFigure) -> Result<Self, PlotError> {
        let empty = |what: &str| PlotError::Empty { what: format!("the panel '{what}'") };
        let all = || data.panels.iter().flat_map(|panel| &panel.traces);
        let strains = all().flat_map(|trace| trace.curve.x.iter().copied());
        let across = Ruler::tight(strains.chain(starts_at_zero(data)));
        let across = across.ok_or_else(|| PlotError::Empty { what: "the time series".into() })?;
        let up = data.panels.iter().map(|panel| {
            let values = panel.traces.iter().flat_map(|trace| trace.curve.y.iter().copied());
            Ruler::of(&panel.axis, values).ok_or_else(|| empty(&panel.axis.label))
        });
        let up = up.collect::<Result<_, _>>()?;
        Ok(Self { data, across, up })
    }
}

/// A run that was recorded from its first steps begins at zero.
fn starts_at_zero(data: &TimeSeriesFigure) -> Option<f64> {
    let first = data.panels.first()?.traces.first()?.curve.x.first()?;
    let last = data.panels.first()?.traces.first()?.curve.x.last()?;
    (*first > 0.0 && *first < 0.2 * last).then_some(0.0)
}

/// Room above and below a legend, between results, and beside and above them.
const GAP: f64 = 11.0;
const BETWEEN: f64 = 36.0;
const BESIDE: f64 = 16.0;
const ABOVE: f64 = 10.0;

impl Checked<'_> {
    /// The legend of a panel: what is not in a panel above.
    fn entries(&self, k: usize) -> Vec<Entry> {
        let all = |panel: &Panel| -> Vec<Entry> {
            panel.traces.iter().enumerate().map(|(j, trace)| trace.entry(j)).collect()
        };
        let above: Vec<Entry> = self.data.panels[..k].iter().flat_map(all).collect();
        let mut entries = all(&self.data.panels[k]);
        entries.retain(|entry| !above.contains(entry));
        if k == 0 && self.data.steady_from.is_some() {
            let (sign, colour) = (Sign::Line(Dash::Dashed), INK);
            entries.push(Entry { label: "steady mean".into(), colour, sign });
            entries.push(Entry { label: "transient".into(), colour: SHADE, sign: Sign::Patch });
        }
        entries
    }

    /// The panels below each other.
    fn draw(&self) -> Canvas {
        let count = self.up.len();
        let mut canvas = Canvas::new(SINGLE.0, 400.0 + 250.0 * count as f64);
        let (right, bottom) = (canvas.width - MARGIN_RIGHT, canvas.height - room_below());
        let left = self.up.iter().map(|up| room_left(up, 300.0)).fold(0.0, f64::max);
        let legends: Vec<Legend> =
            (0..count).map(|k| Legend::new(self.entries(k), right - left)).collect();
        let taken = legends.iter().map(|legend| legend.height() + 2.0 * GAP).sum::<f64>();
        let first = if count == 2 { 1.5 } else { 1.0 };
        let rest = (bottom - taken) / (count as f64 - 1.0 + first);
        let mut top = 0.0;
        for (k, legend) in legends.iter().enumerate() {
            legend.draw(&mut canvas, (left, top + GAP));
            top += legend.height() + 2.0 * GAP;
            let bottom = top + if k == 0 { first * rest } else { rest };
            self.panel(&mut canvas, k, Place { left, top, right, bottom });
            top = bottom;
        }
        canvas
    }

    /// One panel with its traces, means and results.
    fn panel(&self, canvas: &mut Canvas, k: usize, place: Place) {
        let panel = &self.data.panels[k];
        let rows = results(panel, place.width() - 2.0 * BESIDE);
        let needed = if rows.is_empty() { 0.0 } else { ABOVE + rows.len() as f64 * ROW };
        let up = self.up[k].with_headroom(needed / place.height());
        let mut frame = Frame { canvas, place, across: self.across, up };
        if let Some(from) = self.data.steady_from {
            frame.band((self.across.low, from), (up.low, up.high), Fill(SHADE));
        }
        frame.grid();
        frame.levels(&panel.axis.levels, panel.traces.iter().map(|trace| &trace.curve));
        let traces = || panel.traces.iter().enumerate().rev();
        let steady = || traces().filter_map(|(j, trace)| Some((trace.colour(j), trace.steady()?)));
        for (colour, mean) in steady() {
            let error = mean.stderr.unwrap_or(0.0);
            let band = (mean.value - error, mean.value + error);
            let paint = format!("{} fill-opacity=\"0.6\"", Fill(pale(colour, 0.6)));
            frame.band(self.steady_span(), band, paint);
        }
        for (j, trace) in traces() {
            frame.line(&trace.curve.x, &trace.curve.y, trace.stroke(j));
        }
        for (colour, mean) in steady() {
            let (from, to) = self.steady_span();
            let line = stroke(deep(colour, 0.6), BOLD).dashed(Dash::Dashed);
            frame.line(&[from, to], &[mean.value; 2], line);
        }
        write_results(&mut frame, &rows);
        let last = k + 1 == self.up.len();
        frame.axes(last.then_some(&self.data.x_label), &panel.axis.label);
    }

    /// Where the steady part begins and ends.
    fn steady_span(&self) -> (f64, f64) {
        (self.data.steady_from.unwrap_or(self.across.low), self.across.high)
    }
}

/// A result as text, its colour and its width.
type Written = (String, Colour, f64);

/// Height of a row of results.
const ROW: f64 = Size::Large.line();

/// The results of a panel in rows no longer than `room`.
fn results(panel: &Panel, room: f64) -> Vec<Vec<Written>> {
    let mut rows: Vec<Vec<Written>> = Vec::new();
    let mut used = 0.0;
    for (j, trace) in panel.traces.iter().enumerate() {
        let Some(mean) = trace.steady() else { continue };
        let result = format!("{} = {}", mean.symbol, with_error(mean.value, mean.stderr));
        let length = width(&result, Size::Large) + BETWEEN;
        if rows.is_empty() || used + length > room + BETWEEN {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += length;
        if let Some(row) = rows.last_mut() {
            row.push((result, deep(trace.colour(j), 0.75), length));
        }
    }
    rows
}

/// Writes the results into the free room at the top, flush right.
fn write_results(frame: &mut Frame<'_>, rows: &[Vec<Written>]) {
    for (k, row) in rows.iter().enumerate() {
        let wide: f64 = row.iter().map(|(_, _, length)| length).sum();
        let mut x = frame.place.right - BESIDE + BETWEEN - wide;
        for (result, colour, length) in row {
            let style = hanging(Size::Large, Anchor::Start).in_colour(*colour);
            frame.canvas.text(result, (x, frame.place.top + ABOVE + k as f64 * ROW), style);
            x += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, four_panels, run, stem};
    use super::*;

    #[test]
    fn a_run_is_drawn_in_two_panels() {
        let stem = stem("time_series");
        time_series(&stem, &run()).unwrap();
        check_files(&stem, (1200, 900), &["ηᵣ = 64.", "contact", "strain", "N₁ = −"]);
    }

    #[test]
    fn a_rearrangement_is_drawn_in_four_panels() {
        let stem = stem("four_panels");
        let figure = four_panels();
        time_series(&stem, &figure).unwrap();
        let words = ["gap", "angle", "force", "Hertz", "Poiseuille", "diagonal, tangential"];
        check_files(&stem, (1200, 1400), &words);
    }

    #[test]
    fn the_legend_names_what_is_new() {
        let figure = four_panels();
        let checked = Checked::new(&figure).unwrap();
        let named = |k: usize| {
            let entries = checked.entries(k).into_iter().map(|entry| entry.label);
            entries.filter(|label| !label.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(named(0), ["horizontal", "vertical", "diagonal"]);
        assert_eq!(named(2), ["diagonal, tangential"]);
        assert!(named(1).is_empty() && named(3).is_empty());
    }

    #[test]
    fn nothing_to_draw_is_an_error() {
        let mut figure = run();
        figure.panels[1].traces.truncate(1);
        figure.panels[1].traces[0].curve.y.fill(f64::NAN);
        let error = time_series(&stem("nothing"), &figure).unwrap_err();
        assert!(error.to_string().contains("normal stress"), "{error}");
        figure.panels.clear();
        assert!(matches!(time_series(&stem("nothing"), &figure), Err(PlotError::Empty { .. })));
    }

    #[test]
    fn a_single_row_is_drawn() {
        let stem = stem("single_row");
        let trace = Trace::new("total", vec![0.5], vec![12.0]).with_mean("ηᵣ", 12.0, None);
        let panel = Panel { axis: Axis::linear("ηᵣ"), traces: vec![trace] };
        let figure =
            TimeSeriesFigure { x_label: "γ".into(), steady_from: None, panels: vec![panel] };
        time_series(&stem, &figure).unwrap();
        check_files(&stem, (1200, 650), &["ηᵣ = 12.00"]);
    }

    #[test]
    fn a_missing_directory_is_named() {
        let error = time_series(&stem("none").join("missing/figure"), &run()).unwrap_err();
        assert!(error.to_string().contains("missing"), "{error}");
    }
}
