//! Colours and sizes that all figures share.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};

/// Grid units per pixel of the finished figure: plotters rounds every coordinate to a unit.
pub(super) const UNITS: i32 = 4;

/// Okabe and Ito's colours (2008), told apart by colour-blind readers, in the order of use. Yellow is
/// left out: it is lost on white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Axes and text.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);

/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);

/// Minor grid lines.
pub(super) const FAINT: RGBColor = RGBColor(243, 243, 243);

/// Levels and their names.
pub(super) const LEVEL: RGBColor = RGBColor(96, 96, 96);

/// What is not counted.
pub(super) const SHADE: RGBColor = RGBColor(232, 232, 232);

/// Sizes of text, in pixels of line height: an em is 1/1.24 of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Notes inside the axes.
    Note = 27,
    /// Numbers at the ticks, legends.
    Small = 31,
    /// Names of the axes, results.
    Large = 36,
}

/// Pixels of the finished figure in grid units.
pub(super) const fn px(pixels: i32) -> i32 {
    pixels * UNITS
}

/// The colour of the `k`-th curve.
pub(super) fn colour(k: usize) -> RGBColor {
    PALETTE[k % PALETTE.len()]
}

/// Viridis (van der Walt and Smith, 2015) without its yellow end, from dark to light: its order
/// survives grey printing and colour-blindness.
const RAMP: [RGBColor; 8] = [
    RGBColor(68, 1, 84),
    RGBColor(71, 45, 123),
    RGBColor(59, 82, 139),
    RGBColor(44, 114, 142),
    RGBColor(33, 145, 140),
    RGBColor(40, 174, 128),
    RGBColor(94, 201, 98),
    RGBColor(136, 213, 72),
];

/// The `k`-th of `count` colours in order, from dark to light.
pub(super) fn ordered(k: usize, count: usize) -> RGBColor {
    let last = RAMP.len() - 1;
    let place = last as f64 * k as f64 / count.saturating_sub(1).max(1) as f64;
    let below = (place as usize).min(last - 1);
    let (a, b) = (RAMP[below], RAMP[below + 1]);
    let share = (place - below as f64).clamp(0.0, 1.0);
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// A colour mixed with white: `share` 1 leaves it as it is.
pub(super) fn pale(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |c: u8| (255.0 - share * (255.0 - f64::from(c))).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// A colour mixed with black: `share` 1 leaves it as it is.
pub(super) fn deep(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |c: u8| (share * f64::from(c)).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// A line of the given width, in pixels.
pub(super) fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width((width * f64::from(UNITS)).round() as u32)
}

/// Text of one size, anchored as asked.
pub(super) fn text(size: Size, colour: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    let height = f64::from(px(size as i32));
    let font = FontDesc::new(FontFamily::SansSerif, height, FontStyle::Normal);
    TextStyle { font, color: colour.to_backend_color(), pos: Pos::new(h, v) }
}

/// Distance from one line of text to the next, in grid units.
pub(super) fn line_height(size: Size) -> i32 {
    px(size as i32) * 5 / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_colours_become_lighter() {
        let light = |c: RGBColor| {
            0.2126 * f64::from(c.0) + 0.7152 * f64::from(c.1) + 0.0722 * f64::from(c.2)
        };
        let shades: Vec<f64> = (0..20).map(|k| light(ordered(k, 20))).collect();
        assert!(shades.windows(2).all(|pair| pair[0] < pair[1]), "{shades:?}");
        assert_eq!((ordered(0, 1), ordered(1, 2)), (RAMP[0], RAMP[7]));
    }
}
