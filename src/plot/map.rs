//! A quantity over a grid of two parameters, in colours.

use std::path::Path;

use super::PlotError;
use super::canvas::{Canvas, Place};
use super::colour_bar::ColourBar;
use super::curve::Line;
use super::frame::Frame;
use super::legend::{Entry, Sign, place_below};
use super::mark::Shape;
use super::ruler::{Axis, Ruler, Scale};
use super::style::{
    BAR_GAP, CRISP, Colour, Dash, FINE, Fill, INK, LEVEL, MARGIN_RIGHT, SINGLE, THICK, WHITE, ZERO,
    stroke,
};

/// A map.
#[derive(Debug, Clone, Default)]
pub struct MapFigure {
    /// The level axis; it ends with the cells, unless it has a range.
    pub x: Axis,
    /// The upright axis, alike. Levels are not drawn: `lines` can be seen on the colours.
    pub y: Axis,
    /// Grid values of the level axis, each greater than the one before it.
    pub xs: Vec<f64>,
    /// Grid values of the upright axis, alike.
    pub ys: Vec<f64>,
    /// The quantity at `(xs[i], ys[j])` in the place `j * xs.len() + i`; what is not finite is not
    /// known, and its cell is empty.
    pub values: Vec<f64>,
    /// Name of the quantity.
    pub label: String,
    /// Whether equal ratios rather than differences of the quantity are equal steps in colour.
    /// Cells are then empty where it is negative, or zero without a name.
    pub logarithmic: bool,
    /// Values of a lesser size than this are one grey, which has the name.
    pub zero_below: Option<(f64, String)>,
    /// Lines over the map, dark on white, cut where they leave the axes.
    pub lines: Vec<Line>,
}

/// Draws `path_stem.svg` and `path_stem.png`: each value as a rectangle whose sides lie halfway to
/// its neighbours, on a logarithmic axis at the geometric mean.
///
/// # Errors
///
/// If the grid does not ascend, or has no place on a logarithmic axis, or there are not as many
/// values as cells; if no value is finite, or a file cannot be written.
pub fn map(path_stem: &Path, data: &MapFigure) -> Result<(), PlotError> {
    Checked::new(data)?.draw().write(path_stem)
}

/// Radius of the ring in an empty cell: at most, and over the shorter side of the cell.
const RING: f64 = 8.0;
const RING_SHARE: f64 = 1.0 / 3.0;

/// What is known of the quantity in a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    /// It has a colour.
    Shown(f64),
    /// It is small.
    Zero,
    /// It has no colour on a logarithmic scale.
    NotPositive,
    /// Nothing.
    Unknown,
}

/// A map whose axes are known to exist.
struct Checked<'a> {
    data: &'a MapFigure,
    cells: Vec<Cell>,
    /// Sides of the columns and of the rows.
    sides: [Vec<f64>; 2],
    across: Ruler,
    up: Ruler,
    /// Without a value to show there is none.
    bar: Option<ColourBar>,
}

impl<'a> Checked<'a> {
    fn new(data: &'a MapFigure) -> Result<Self, PlotError> {
        let empty =
            |why: &str| PlotError::Empty { what: format!("the map of '{}'{why}", data.label) };
        let proper = ascends(&data.xs, data.x.scale) && ascends(&data.ys, data.y.scale);
        if !proper {
            return Err(empty(", whose grid does not ascend along its axes,"));
        }
        let (columns, rows, count) = (data.xs.len(), data.ys.len(), data.values.len());
        if count != columns * rows {
            return Err(empty(&format!(", with {count} values for {columns} × {rows} cells,")));
        }
        let cells: Vec<Cell> = data.values.iter().map(|value| data.cell(*value)).collect();
        if cells.iter().all(|cell| *cell == Cell::Unknown) {
            return Err(empty(""));
        }
        let sides = [sides(&data.xs, data.x.scale), sides(&data.ys, data.y.scale)];
        let across = ruler(&data.x, &sides[0]).ok_or_else(|| empty(""))?;
        let up = ruler(&data.y, &sides[1]).ok_or_else(|| empty(""))?;
        let scale = if data.logarithmic { Scale::Log } else { Scale::Linear };
        let bar = extent(&cells, scale).map(|ruler| ColourBar::new(&data.label, ruler));
        Ok(Self { data, cells, sides, across, up, bar })
    }

    /// What cells without a colour of their own mean, if there are any, and the lines.
    fn entries(&self) -> Vec<Entry> {
        let any = |cell: Cell| self.cells.contains(&cell);
        // Without a bar the quantity has no name elsewhere.
        let named = |what: &str| match self.bar {
            Some(_) => what.into(),
            None => format!("{}: {what}", self.data.label),
        };
        let mut entries: Vec<Entry> = Vec::new();
        if let Some((_, name)) = self.data.zero_below.as_ref().filter(|_| any(Cell::Zero)) {
            entries.push(Entry { label: named(name), colour: ZERO, sign: Sign::Patch });
        }
        let missing = match (any(Cell::Unknown), any(Cell::NotPositive)) {
            (true, true) => Some("not known or not positive"),
            (true, false) => Some("not known"),
            (false, true) => Some("not positive"),
            (false, false) => None,
        };
        entries.extend(missing.map(|what| Entry {
            label: if entries.is_empty() { named(what) } else { what.into() },
            colour: LEVEL,
            sign: Sign::Marker(Shape::Ring),
        }));
        entries.extend(self.data.lines.iter().enumerate().map(|(k, line)| Entry {
            label: line.curve.label.clone(),
            colour: INK,
            sign: Sign::Line(Dash::nth(k)),
        }));
        entries
    }

    fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(SINGLE.0, SINGLE.1);
        let bar = self.bar.as_ref().map_or(MARGIN_RIGHT, |bar| 1.5 * BAR_GAP + bar.width());
        let right = canvas.width - bar;
        let place = place_below(&mut canvas, self.entries(), &self.up, right);
        let mut frame = Frame { canvas: &mut canvas, place, across: self.across, up: self.up };
        self.cells(&mut frame);
        let lines = || self.data.lines.iter().map(|line| &line.curve).enumerate();
        for (_, line) in lines() {
            frame.line(&line.x, &line.y, stroke(WHITE, 2.0 * THICK));
        }
        for (k, line) in lines() {
            frame.line(&line.x, &line.y, stroke(INK, THICK).dashed(Dash::nth(k)));
        }
        frame.axes(Some(&self.data.x.label), &self.data.y.label);
        if let Some(bar) = &self.bar {
            bar.draw(&mut canvas, Place { left: right + BAR_GAP, ..place });
        }
        canvas
    }

    /// The cells from left to right and upwards, and rings in the empty ones.
    fn cells(&self, frame: &mut Frame<'_>) {
        let [columns, rows] = &self.sides;
        let cells: Vec<(Place, Colour)> = (0..self.cells.len())
            .map(|k| {
                let (i, j) = (k % self.data.xs.len(), k / self.data.xs.len());
                let (left, bottom) = frame.nearest(columns[i], rows[j]);
                let (right, top) = frame.nearest(columns[i + 1], rows[j + 1]);
                (Place { left, top, right, bottom }, self.colour(self.cells[k]))
            })
            .filter(|(place, _)| place.left < place.right && place.top < place.bottom)
            .collect();
        frame.canvas.group(CRISP, |canvas| {
            for (place, colour) in cells.iter().filter(|(_, colour)| *colour != WHITE) {
                canvas.rectangle(*place, Fill(*colour));
            }
        });
        for (place, _) in cells.iter().filter(|(_, colour)| *colour == WHITE) {
            let radius = (RING_SHARE * place.width().min(place.height())).min(RING);
            if radius > 2.0 {
                let line = stroke(LEVEL, (radius / 3.0).min(FINE));
                frame.canvas.circle(place.middle(), radius, line);
            }
        }
    }

    /// The colour of a cell.
    fn colour(&self, cell: Cell) -> Colour {
        match (cell, &self.bar) {
            (Cell::Shown(value), Some(bar)) => bar.colour(value),
            (Cell::Zero, _) => ZERO,
            _ => WHITE,
        }
    }
}

impl MapFigure {
    /// What a value means.
    fn cell(&self, value: f64) -> Cell {
        let small = |(limit, _): &(f64, String)| value.abs() < *limit || value == 0.0;
        if !value.is_finite() {
            Cell::Unknown
        } else if self.zero_below.as_ref().is_some_and(small) {
            Cell::Zero
        } else if self.logarithmic && value <= 0.0 {
            Cell::NotPositive
        } else {
            Cell::Shown(value)
        }
    }
}

/// Whether each value has its place on an axis, beyond the one before it.
fn ascends(values: &[f64], scale: Scale) -> bool {
    let fits = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
    values.iter().all(fits) && values.windows(2).all(|pair| pair[0] < pair[1])
}

/// The sides of cells about the values: halfway between neighbours, and as far out at the ends.
fn sides(values: &[f64], scale: Scale) -> Vec<f64> {
    let log = scale == Scale::Log;
    let along = |v: f64| if log { v.ln() } else { v };
    let back = |v: f64| if log { v.exp() } else { v };
    let steps: Vec<f64> = values.iter().map(|v| along(*v)).collect();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Vec::new() };
    // About a single value: a decade, or half of it to either side.
    let lone = match scale {
        Scale::Log => 10f64.ln(),
        Scale::Linear if *first == 0.0 => 1.0,
        Scale::Linear => first.abs(),
    };
    let between: Vec<f64> = steps.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let foot = between.first().map_or(0.5 * lone, |side| side - first);
    let head = between.last().map_or(0.5 * lone, |side| last - side);
    let ends = (first - foot, last + head);
    std::iter::once(ends.0).chain(between).chain([ends.1]).map(back).collect()
}

/// The ruler of an axis that ends with the cells, unless it has a range.
fn ruler(axis: &Axis, sides: &[f64]) -> Option<Ruler> {
    let range = axis.range.or(sides.first().copied().zip(sides.last().copied()));
    let axis = Axis { range, scale: axis.scale, ..Axis::default() };
    Ruler::of(&axis, sides.iter().copied())
}

/// The scale of the colours, if there are any.
fn extent(cells: &[Cell], scale: Scale) -> Option<Ruler> {
    let values = cells.iter().filter_map(|cell| match cell {
        Cell::Shown(value) => Some(*value),
        _ => None,
    });
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    if low > high {
        return None;
    }
    if high - low > 1e-9 * high.abs().max(low.abs()) {
        return Some(Ruler { scale, low, high });
    }
    ruler(&Axis { scale, ..Axis::default() }, &sides(&[low], scale))
}

#[cfg(test)]
mod tests {
    use super::super::test_data::{check_files, deviations, stem};
    use super::*;

    fn fails(figure: &MapFigure, word: &str) {
        let error = map(&stem("nothing"), figure).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }

    #[test]
    fn a_map_with_zero_gaps_and_lines_is_drawn() {
        let stem = stem("map");
        map(&stem, &deviations(25, 25)).unwrap();
        let words = ["capillary", "no deviation", "not known", "Ca = ε", "10⁻²", "deviation Δ"];
        check_files(&stem, (1200, 900), &words);
    }

    #[test]
    fn a_fine_map_on_other_scales_is_drawn() {
        let stem = stem("map_fine");
        let mut figure = deviations(61, 61);
        figure.logarithmic = false;
        figure.zero_below = None;
        for value in figure.values.iter_mut().filter(|value| value.is_nan()) {
            *value = 0.0;
        }
        figure.x = Axis::linear("x");
        figure.xs = (0..61).map(|k| 0.1 * f64::from(k)).collect();
        figure.lines.clear();
        map(&stem, &figure).unwrap();
        check_files(&stem, (1200, 900), &["0.02", "10⁻⁴"]);
    }

    #[test]
    fn one_row_or_one_column_is_drawn() {
        for (name, columns, rows) in [("map_row", 13, 1), ("map_column", 1, 13), ("map_cell", 1, 1)]
        {
            let stem = stem(name);
            map(&stem, &deviations(columns, rows)).unwrap();
            check_files(&stem, (1200, 900), &["ε"]);
        }
    }

    #[test]
    fn a_map_without_variety_is_drawn() {
        for (name, value, logarithmic, words) in [
            ("map_equal", 3e-3, true, ["deviation Δ", "10⁻²"]),
            ("map_equal_linear", 3e-3, false, ["deviation Δ", "0.004"]),
            ("map_zero", 0.0, true, ["R: no deviation", "ε"]),
        ] {
            let stem = stem(name);
            let mut figure = deviations(5, 4);
            figure.logarithmic = logarithmic;
            figure.values.fill(value);
            map(&stem, &figure).unwrap();
            check_files(&stem, (1200, 900), &words);
        }
    }

    #[test]
    fn a_log_scale_tells_what_it_cannot_show() {
        let mut figure = MapFigure { zero_below: None, lines: Vec::new(), ..deviations(3, 1) };
        let label = |values: [f64; 3], figure: &mut MapFigure| {
            figure.values = values.to_vec();
            let checked = Checked::new(figure).unwrap();
            checked.entries().first().map_or(String::new(), |entry| entry.label.clone())
        };
        assert_eq!(label([1.0, 0.0, -1.0], &mut figure), "not positive");
        assert_eq!(label([1.0, f64::NAN, 2.0], &mut figure), "not known");
        assert_eq!(label([1.0, f64::NAN, 0.0], &mut figure), "not known or not positive");
        assert_eq!(label([1.0, 2.0, 3.0], &mut figure), "");
        assert_eq!(label([0.0; 3], &mut figure), "deviation Δ / R: not positive");
        figure.zero_below = Some((0.0, "none".into()));
        assert_eq!(label([1.0, 0.0, 3.0], &mut figure), "none");
    }

    #[test]
    fn sides_lie_halfway() {
        assert_eq!(sides(&[1.0, 2.0, 4.0], Scale::Linear), [0.5, 1.5, 3.0, 5.0]);
        assert_eq!(sides(&[4.0], Scale::Linear), [2.0, 6.0]);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a / b - 1.0).abs() < 1e-9);
        assert!(near(&sides(&[1.0, 4.0, 400.0], Scale::Log), &[0.5, 2.0, 40.0, 4000.0]));
        assert!(near(&sides(&[1.0], Scale::Log), &[0.1f64.sqrt(), 10f64.sqrt()]));
    }

    #[test]
    fn a_map_needs_a_grid_and_values() {
        fails(&MapFigure::default(), "no finite point");
        let good = deviations(4, 3);
        fails(&MapFigure { values: vec![f64::NAN; 12], ..good.clone() }, "deviation");
        fails(&MapFigure { values: vec![1.0; 11], ..good.clone() }, "11 values for 4 × 3");
        fails(&MapFigure { xs: vec![1.0, 2.0, 2.0, 3.0], ..good.clone() }, "ascend");
        fails(&MapFigure { xs: vec![0.0, 2.0, 3.0, 4.0], ..good }, "ascend");
    }
}
