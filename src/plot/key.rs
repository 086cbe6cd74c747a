//! A key to curves in ordered colours: a column of colours beside the axes, each with its value.

use super::canvas::{Canvas, Place};
use super::number::alike;
use super::style::{BAR, Fill, INK, SIGN_GAP, Size, THIN, ordered, stroke};
use super::text::{Anchor, centred, hanging, width};

/// The values of a parameter, small to large.
pub(super) struct Key {
    name: String,
    labels: Vec<String>,
}

/// Greatest height of a colour.
const TALL: f64 = 58.0;

impl Key {
    /// The key to a parameter that has the given values, in order.
    pub fn new(name: &str, values: &[f64]) -> Self {
        Self { name: name.into(), labels: alike(values) }
    }

    /// Room it needs.
    pub fn width(&self) -> f64 {
        let widths = self.labels.iter().map(|label| width(label, Size::Small));
        let column = BAR + SIGN_GAP + widths.fold(0.0, f64::max);
        column.max(width(&self.name, Size::Large))
    }

    /// Draws it from the left end of a place, in the middle of its height.
    pub fn draw(&self, canvas: &mut Canvas, place: Place) {
        let (head, count) = (Size::Large.line(), self.labels.len().max(1) as f64);
        let tall = ((place.height() - head) / count).clamp(1.0, TALL);
        let top = place.middle().1 - 0.5 * (head + tall * count);
        canvas.text(&self.name, (place.left, top), hanging(Size::Large, Anchor::Start));
        let (left, right, bottom) = (place.left, place.left + BAR, top + head + tall * count);
        let apart = (1.2 * Size::Small.em() / tall) as usize + 1;
        let style = centred(Size::Small, Anchor::Start);
        for (k, label) in self.labels.iter().enumerate() {
            let foot = bottom - tall * k as f64;
            let fill = Fill(ordered(k, self.labels.len()));
            canvas.rectangle(Place { left, top: foot - tall, right, bottom: foot }, fill);
            if k % apart == 0 {
                canvas.text(label, (right + SIGN_GAP, foot - 0.5 * tall), style);
            }
        }
        canvas.rectangle(Place { left, top: top + head, right, bottom }, stroke(INK, THIN));
    }
}
