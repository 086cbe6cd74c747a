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
