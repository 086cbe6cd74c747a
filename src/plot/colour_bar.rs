//! The scale of a map: which colour is which value.

use plotters::backend::DrawingBackend;
use plotters::element::{PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, FontTransform, RGBColor};

use super::canvas::{Canvas, Drawn};
use super::font::width;
use super::frame::Place;
use super::ruler::Ruler;
use super::style::{INK, Size, line_height, ordered, px, stroke, text};

/// Colours in order, from the lowest value to the highest.
pub(super) struct ColourBar {
    name: String,
    ruler: Ruler,
    /// Whether the highest value is the darkest rather than the lightest.
    dark_above: bool,
}

/// Different colours: more than the eye tells apart.
const COLOURS: usize = 256;

/// Width of the bar, length of a tick and room around them.
const BAR: i32 = px(34);
const TICK: i32 = px(8);
const GAP: i32 = px(6);

/// About as many ticks as this.
const TICKS: usize = 8;

impl ColourBar {
    /// The bar of a quantity between the ends of a ruler.
    pub fn new(name: &str, ruler: Ruler) -> Self {
        Self { name: name.into(), ruler, dark_above: false }
    }

    /// The other way round: the highest value is the darkest.
    pub fn dark_above(self) -> Self {
        Self { dark_above: true, ..self }
    }

    /// The colour of a step from the lowest value on.
    fn step(&self, k: usize) -> RGBColor {
        ordered(if self.dark_above { COLOURS - 1 - k } else { k }, COLOURS)
    }

    /// The colour of a value.
    pub fn colour(&self, value: f64) -> RGBColor {
        let share = self.ruler.share(value).clamp(0.0, 1.0);
        self.step((share * (COLOURS - 1) as f64).round() as usize)
    }

    /// Room it needs.
    pub fn width(&self) -> i32 {
        let labels = self.ruler.ticks(TICKS).into_iter().map(|(_, label)| label);
        let widest = labels.map(|label| width(&label, Size::Small)).max().unwrap_or(0);
        BAR + TICK + GAP + widest + 2 * GAP + line_height(Size::Large)
    }

    /// Draws it from the left end of a place, over its whole height.
    pub fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<DB>, place: Place) -> Drawn<DB> {
        let Place { left, top, bottom, .. } = place;
        let (right, tall) = (left + BAR, f64::from(bottom - top));
        let height = |share: f64| bottom - (share * tall).round() as i32;
        for k in 0..COLOURS {
            // Each reaches to the upper end, where the next covers it: no seams.
            let foot = height(k as f64 / COLOURS as f64);
            let fill = self.step(k).filled();
            canvas.draw(&Rectangle::new([(left, top), (right, foot)], fill))?;
        }
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        let (line, numbers) = (stroke(INK, 2.0), text(Size::Small, INK, HPos::Left, VPos::Center));
        canvas.draw(&PathElement::new(corners.to_vec(), line))?;
        for (value, label) in self.ruler.ticks(TICKS) {
            let y = height(self.ruler.share(value));
            canvas.draw(&PathElement::new(vec![(right, y), (right + TICK, y)], line))?;
            canvas.draw_text(&label, &numbers, (right + TICK + GAP, y))?;
        }
        let style = text(Size::Large, INK, HPos::Center, VPos::Top);
        let name = (left + self.width() - line_height(Size::Large), (top + bottom) / 2);
        canvas.draw_text(&self.name, &style.transform(FontTransform::Rotate270), name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ruler::Scale;
    use super::*;

    #[test]
    fn colours_go_from_end_to_end() {
        let bar = ColourBar::new("", Ruler { scale: Scale::Log, low: 1e-4, high: 1.0 });
        assert_eq!(bar.colour(1e-4), ordered(0, 2));
        assert_eq!(bar.colour(1e-2), ordered(128, COLOURS));
        assert_eq!((bar.colour(1.0), bar.colour(7.0)), (ordered(1, 2), ordered(1, 2)));
        let bar = bar.dark_above();
        assert_eq!((bar.colour(1e-4), bar.colour(1.0)), (ordered(1, 2), ordered(0, 2)));
    }
}
