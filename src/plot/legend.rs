//! Legends: rows of entries above the axes, clear of the data.

use super::canvas::{Canvas, Place, Xy};
use super::frame::{room_below, room_left};
use super::mark::Shape;
use super::ruler::Ruler;
use super::style::{
    ABOVE_LEGEND, BELOW_LEGEND, Colour, Dash, Fill, MARGIN_RIGHT, SIGN, SIGN_GAP, Size, THICK,
    stroke,
};
use super::text::{Anchor, centred, width};

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
    pub colour: Colour,
    pub sign: Sign,
}

/// Entries arranged in rows.
pub(super) struct Legend {
    rows: Vec<Vec<(Entry, f64)>>,
    room: f64,
}

/// Half the height of a patch.
const PATCH: f64 = 11.0;

impl Legend {
    /// Breaks the entries into rows no longer than `room`; several in columns, if they need
    /// no more rows.
    pub fn new(mut entries: Vec<Entry>, room: f64) -> Self {
        entries.retain(|entry| !entry.label.is_empty());
        let length = |entry: &Entry| SIGN + width(&entry.label, Size::Small) + 3.0 * SIGN_GAP;
        let lengths: Vec<f64> = entries.iter().map(length).collect();
        let widest = lengths.iter().copied().fold(0.0, f64::max);
        let free = rows(entries.iter().cloned().zip(lengths), room);
        let even = rows(entries.into_iter().map(|entry| (entry, widest)), room);
        let columns = free.len() > 1 && even.len() == free.len();
        Self { rows: if columns { even } else { free }, room }
    }

    /// Height of all rows.
    pub fn height(&self) -> f64 {
        self.rows.len() as f64 * Size::Small.line()
    }

    /// Draws the rows from the upper left corner on.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): Xy) {
        let style = centred(Size::Small, Anchor::Start);
        for (k, row) in self.rows.iter().enumerate() {
            let (mut x, y) = (left, top + (k as f64 + 0.5) * Size::Small.line());
            for (entry, length) in row {
                draw_sign(canvas, entry, (x, y));
                let style = style.within(&entry.label, self.room - SIGN - SIGN_GAP);
                canvas.text(&entry.label, (x + SIGN + SIGN_GAP, y), style);
                x += length;
            }
        }
    }
}

/// Rows of entries that take the given lengths.
fn rows(entries: impl Iterator<Item = (Entry, f64)>, room: f64) -> Vec<Vec<(Entry, f64)>> {
    let mut rows: Vec<Vec<(Entry, f64)>> = Vec::new();
    let mut used = 0.0;
    for (entry, length) in entries {
        match rows.last_mut() {
            // The room after the last entry of a row may be missing.
            Some(row) if used + length <= room + 2.0 * SIGN_GAP => row.push((entry, length)),
            _ => {
                rows.push(vec![(entry, length)]);
                used = 0.0;
            }
        }
        used += length;
    }
    rows
}

/// Draws a legend at the top of a canvas and returns the place below it, for axes of which the
/// upright one is known and that end at `right`.
pub(super) fn place_below(
    canvas: &mut Canvas,
    entries: Vec<Entry>,
    up: &Ruler,
    right: f64,
) -> Place {
    let left = room_left(up, 0.8 * canvas.height);
    let legend = Legend::new(entries, canvas.width - MARGIN_RIGHT - left);
    legend.draw(canvas, (left, ABOVE_LEGEND));
    let top = ABOVE_LEGEND + legend.height() + BELOW_LEGEND;
    Place { left, top, right, bottom: canvas.height - room_below() }
}

/// Draws a sign with its left end at `(x, y)`.
fn draw_sign(canvas: &mut Canvas, entry: &Entry, (x, y): Xy) {
    let Entry { colour, sign, .. } = *entry;
    match sign {
        Sign::Line(dash) => {
            canvas.line(&[(x, y), (x + SIGN, y)], stroke(colour, THICK).dashed(dash));
        }
        Sign::Marker(shape) => shape.mark().draw(canvas, (x + 0.5 * SIGN, y), colour),
        Sign::Patch => {
            let place = Place { left: x, top: y - PATCH, right: x + SIGN, bottom: y + PATCH };
            canvas.rectangle(place, Fill(colour));
        }
    }
}
