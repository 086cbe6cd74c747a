//! The scale of a map: which colour is which value.

use super::canvas::{Canvas, Place};
use super::ruler::Ruler;
use super::style::{BAR, Colour, INK, RAMP, Size, THIN, TICK, TICK_GAP, ramp, stroke};
use super::text::{Anchor, centred, hanging, width};

/// Colours in order, from the lowest value to the highest.
pub(super) struct ColourBar {
    name: String,
    ruler: Ruler,
    /// Whether the highest value is the darkest rather than the lightest.
    dark_above: bool,
}

/// About as many ticks as this.
const TICKS: usize = 8;

/// Room between the numbers and the name.
const GAP: f64 = 12.0;

impl ColourBar {
    /// The bar of a quantity between the ends of a ruler.
    pub fn new(name: &str, ruler: Ruler) -> Self {
        Self { name: name.into(), ruler, dark_above: false }
    }

    /// The other way round: the highest value is the darkest.
    pub fn dark_above(self) -> Self {
        Self { dark_above: true, ..self }
    }

    /// The colour of a value.
    pub fn colour(&self, value: f64) -> Colour {
        self.at(self.ruler.share(value).clamp(0.0, 1.0))
    }

    /// The colour at a share of the height.
    fn at(&self, share: f64) -> Colour {
        ramp(if self.dark_above { 1.0 - share } else { share })
    }

    /// Room it needs.
    pub fn width(&self) -> f64 {
        let labels = self.ruler.ticks(TICKS).into_iter().map(|(_, label)| label);
        let widest = labels.map(|label| width(&label, Size::Small)).fold(0.0, f64::max);
        (BAR + TICK + TICK_GAP + widest + GAP + Size::Large.line()).ceil()
    }

    /// Draws it from the left end of a place, over its whole height.
    pub fn draw(&self, canvas: &mut Canvas, place: Place) {
        let bar = Place { right: place.left + BAR, ..place };
        let stop = |k: usize| {
            let share = k as f64 / (RAMP.len() - 1) as f64;
            format!("<stop offset=\"{share:.5}\" stop-color=\"{}\"/>", self.at(share))
        };
        let stops: String = (0..RAMP.len()).map(stop).collect();
        canvas.element(format_args!(
            "<linearGradient id=\"bar\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\
             {stops}</linearGradient>"
        ));
        canvas.rectangle(bar, "fill=\"url(#bar)\"");
        let (line, numbers) = (stroke(INK, THIN), centred(Size::Small, Anchor::Start));
        canvas.rectangle(bar, line);
        for (value, label) in self.ruler.ticks(TICKS) {
            let y = place.bottom - self.ruler.share(value) * place.height();
            canvas.line(&[(bar.right, y), (bar.right + TICK, y)], line);
            canvas.text(&label, (bar.right + TICK + TICK_GAP, y), numbers);
        }
        let style = hanging(Size::Large, Anchor::Middle).within(&self.name, place.height());
        let name = (place.left + self.width() - Size::Large.line(), place.middle().1);
        canvas.text(&self.name, name, style.upwards());
    }
}

#[cfg(test)]
mod tests {
    use super::super::ruler::Scale;
    use super::*;

    #[test]
    fn colours_go_from_end_to_end() {
        let bar = ColourBar::new("", Ruler { scale: Scale::Log, low: 1e-4, high: 1.0 });
        assert_eq!(bar.colour(1e-4), RAMP[0]);
        assert_eq!(bar.colour(1e-2), ramp(0.5));
        assert_eq!((bar.colour(1.0), bar.colour(7.0)), (RAMP[7], RAMP[7]));
        let bar = bar.dark_above();
        assert_eq!((bar.colour(1e-4), bar.colour(1.0)), (RAMP[7], RAMP[0]));
    }
}
