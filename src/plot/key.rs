//! A key to curves in ordered colours: a column of colours beside the axes, each with its value.

use plotters::backend::DrawingBackend;
use plotters::element::{PathElement, Rectangle};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Canvas, Drawn};
use super::font::width;
use super::frame::Place;
use super::number::alike;
use super::style::{INK, Size, line_height, ordered, px, stroke, text};

/// The values of a parameter, small to large.
pub(super) struct Key {
    name: String,
    labels: Vec<String>,
}

/// Width of the column, greatest height of a colour, and room beside and below them.
const BAR: i32 = px(34);
const TALL: i32 = px(58);
const GAP: i32 = px(10);

impl Key {
    /// The key to a parameter that has the given values, in order.
    pub fn new(name: &str, values: &[f64]) -> Self {
        Self { name: name.into(), labels: alike(values) }
    }

    /// Room it needs.
    pub fn width(&self) -> i32 {
        let labels = self.labels.iter().map(|label| width(label, Size::Small)).max();
        let column = BAR + GAP + labels.unwrap_or(0);
        column.max(width(&self.name, Size::Large))
    }

    /// Draws it from the left end of a place, in the middle of its height.
    pub fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>, place: Place) -> Drawn<DB> {
        let head = line_height(Size::Large);
        let count = self.labels.len().max(1) as i32;
        let tall = ((place.bottom - place.top - head) / count).clamp(1, TALL);
        let top = (place.top + place.bottom - head - tall * count) / 2;
        let style = text(Size::Large, INK, HPos::Left, VPos::Top);
        canvas.draw_text(&self.name, &style, (place.left, top))?;
        let (left, right, bottom) = (place.left, place.left + BAR, top + head + tall * count);
        let apart = (px(Size::Small as i32) / tall + 1) as usize;
        let style = text(Size::Small, INK, HPos::Left, VPos::Center);
        for (k, label) in self.labels.iter().enumerate() {
            let foot = bottom - tall * k as i32;
            let fill = ordered(k, self.labels.len()).filled();
            canvas.draw(&Rectangle::new([(left, foot - tall), (right, foot)], fill))?;
            if k % apart == 0 {
                canvas.draw_text(label, &style, (right + GAP, foot - tall / 2))?;
            }
        }
        let head = bottom - tall * count;
        let corners = [(left, head), (right, head), (right, bottom), (left, bottom), (left, head)];
        canvas.draw(&PathElement::new(corners.to_vec(), stroke(INK, 2.0)))
    }
}
