//! Legends: rows of entries above the axes, clear of the data.

use plotters::backend::DrawingBackend;
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor};

use super::canvas::{Canvas, Drawn};
use super::font::width;
use super::frame::{Dash, Shape, dashed, marker};
use super::style::{INK, Size, line_height, px, stroke, text};

/// What stands before a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sign {
    Line(Dash),
    Marker(Shape),
    Patch,
}

/// A name with its sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub label: String,
    pub colour: RGBColor,
    pub sign: Sign,
}

/// Entries arranged in rows.
pub(super) struct Legend {
    rows: Vec<Vec<(Entry, i32)>>,
}

/// Length of a sign.
const SIGN: i32 = px(36);

/// Room around a sign.
const GAP: i32 = px(10);

impl Legend {
    /// Breaks the entries into rows no longer than `room`.
    pub fn new(entries: Vec<Entry>, room: i32) -> Self {
        let mut rows: Vec<Vec<(Entry, i32)>> = Vec::new();
        let mut used = 0;
        for entry in entries.into_iter().filter(|e| !e.label.is_empty()) {
            let length = SIGN + GAP + width(&entry.label, Size::Small) + 2 * GAP;
            if used + length > room + 2 * GAP || rows.is_empty() {
                rows.push(Vec::new());
                used = 0;
            }
            used += length;
            if let Some(row) = rows.last_mut() {
                row.push((entry, length));
            }
        }
        Self { rows }
    }

    /// Height of all rows.
    pub fn height(&self) -> i32 {
        self.rows.len() as i32 * line_height(Size::Small)
    }

    /// Draws the rows from the upper left corner on.
    pub fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>, corner: (i32, i32)) -> Drawn<DB> {
        let style = text(Size::Small, INK, HPos::Left, VPos::Center);
        let mut y = corner.1 + line_height(Size::Small) / 2;
        for row in &self.rows {
            let mut x = corner.0;
            for (entry, length) in row {
                draw_sign(canvas, entry, (x, y))?;
                canvas.draw_text(&entry.label, &style, (x + SIGN + GAP, y))?;
                x += length;
            }
            y += line_height(Size::Small);
        }
        Ok(())
    }
}

/// Draws a sign with its left end at `(x, y)`.
fn draw_sign<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    entry: &Entry,
    (x, y): (i32, i32),
) -> Drawn<DB> {
    match entry.sign {
        Sign::Line(dash) => {
            for piece in dashed(&[(x, y), (x + SIGN, y)], dash) {
                canvas.draw(&PathElement::new(piece, stroke(entry.colour, 4.0)))?;
            }
            Ok(())
        }
        Sign::Marker(shape) => marker(canvas, (x + SIGN / 2, y), shape.mark(), entry.colour),
        Sign::Patch => {
            let half = px(11);
            let corners = [(x, y - half), (x + SIGN, y + half)];
            canvas.draw(&Rectangle::new(corners, entry.colour.filled()))
        }
    }
}
