//! How all figures look: colours, fonts, widths of lines, lengths and distances. Lengths are in
//! pixels.

use std::fmt;

/// Families that are tried in this order. PNG files have the first; the next is as wide, so that
/// text in SVG files fits wherever they are read.
pub(super) const FONTS: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// Sizes of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Notes inside the axes.
    Note = 22,
    /// Numbers at the ticks, legends.
    Small = 25,
    /// Names of the axes, results.
    Large = 29,
}

impl Size {
    /// Length of an em.
    pub const fn em(self) -> f64 {
        self as i32 as f64
    }

    /// Distance from one line of text to the next.
    pub const fn line(self) -> f64 {
        1.55 * self.em()
    }
}

/// Size of subscripts and superscripts over that of the text, and how far they are lowered and
/// raised, in em of the text.
pub(super) const SCRIPT: f64 = 0.7;
pub(super) const LOWERED: f64 = 0.2;
pub(super) const RAISED: f64 = 0.36;

/// How far the baseline lies below the top of a text, and below its middle, in em.
pub(super) const BELOW_TOP: f64 = 0.76;
pub(super) const BELOW_MIDDLE: f64 = 0.32;

/// Widths of lines: grid, levels, frames, points' errors and theories, curves, and what stands out.
pub(super) const HAIR: f64 = 1.5;
pub(super) const THIN: f64 = 2.0;
pub(super) const FINE: f64 = 2.5;
pub(super) const MEDIUM: f64 = 3.0;
pub(super) const BOLD: f64 = 3.5;
pub(super) const THICK: f64 = 4.0;

/// Length of a tick, and room between it and its number.
pub(super) const TICK: f64 = 8.0;
pub(super) const TICK_GAP: f64 = 5.0;

/// Least distances of labelled ticks along a level and an upright axis, and of decades whose minor
/// grid lines are told apart.
pub(super) const TICK_ACROSS: f64 = 130.0;
pub(super) const TICK_UP: f64 = 40.0;
pub(super) const DECADE: f64 = 60.0;

/// Room around a figure: left of the name of an axis, right of the axes, above the legend, between
/// it and the axes, below everything.
pub(super) const MARGIN_LEFT: f64 = 8.0;
pub(super) const MARGIN_RIGHT: f64 = 40.0;
pub(super) const ABOVE_LEGEND: f64 = 10.0;
pub(super) const BELOW_LEGEND: f64 = 12.0;
pub(super) const MARGIN_BOTTOM: f64 = 8.0;

/// Size of a figure with one pair of axes.
pub(super) const SINGLE: (f64, f64) = (1200.0, 900.0);

/// Length of the sign of an entry in a legend, and room beside it.
pub(super) const SIGN: f64 = 42.0;
pub(super) const SIGN_GAP: f64 = 10.0;

/// Width of a bar of colours, and room beside it.
pub(super) const BAR: f64 = 34.0;
pub(super) const BAR_GAP: f64 = 24.0;

/// Radius of points: as usual, of many curves, of very many points.
pub(super) const POINT: f64 = 9.0;
pub(super) const SMALL_POINT: f64 = 7.0;
pub(super) const TINY_POINT: f64 = 5.0;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Paper.
pub(super) const WHITE: Colour = Colour(255, 255, 255);

/// Axes and text.
pub(super) const INK: Colour = Colour(34, 34, 34);

/// Grid lines.
pub(super) const GRID: Colour = Colour(226, 226, 226);

/// Minor grid lines.
pub(super) const FAINT: Colour = Colour(243, 243, 243);

/// Levels and their names.
pub(super) const LEVEL: Colour = Colour(96, 96, 96);

/// What is not counted.
pub(super) const SHADE: Colour = Colour(232, 232, 232);

/// What is too small for a map: a grey that is not among the colours of its values.
pub(super) const ZERO: Colour = Colour(216, 216, 216);

/// Obstacles, walls, and partners that touch and no more.
pub(super) const STONE: Colour = Colour(164, 166, 172);
pub(super) const WALL: Colour = Colour(96, 98, 104);
pub(super) const TOUCH: Colour = Colour(120, 120, 126);

/// Two sorts of particles, four layers, and particles that only show where they are.
pub(super) const HALVES: [Colour; 2] = [LAYERS[0], LAYERS[2]];
pub(super) const LAYERS: [Colour; 4] =
    [Colour(44, 56, 84), Colour(46, 134, 171), Colour(244, 190, 92), Colour(200, 85, 45)];
pub(super) const SHADOW: Colour = Colour(232, 234, 238);

/// Okabe and Ito's colours (2008), told apart by colour-blind readers, in the order of use. Yellow
/// is left out: it is lost on white.
pub(super) const PALETTE: [Colour; 7] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(230, 159, 0),
    Colour(204, 121, 167),
    Colour(86, 180, 233),
    Colour(0, 0, 0),
];

/// The colour of the `k`-th curve.
pub(super) fn colour(k: usize) -> Colour {
    PALETTE[k % PALETTE.len()]
}

/// Viridis (van der Walt and Smith, 2015) without its yellow end, from dark to light: its order
/// survives grey printing and colour-blindness.
pub(super) const RAMP: [Colour; 8] = [
    Colour(68, 1, 84),
    Colour(71, 45, 123),
    Colour(59, 82, 139),
    Colour(44, 114, 142),
    Colour(33, 145, 140),
    Colour(40, 174, 128),
    Colour(94, 201, 98),
    Colour(136, 213, 72),
];

/// The colour at a share of the way from dark to light.
pub(super) fn ramp(share: f64) -> Colour {
    let last = RAMP.len() - 1;
    let place = last as f64 * share.clamp(0.0, 1.0);
    let below = (place as usize).min(last - 1);
    mixed(RAMP[below], RAMP[below + 1], place - below as f64)
}

/// The `k`-th of `count` colours in order, from dark to light.
pub(super) fn ordered(k: usize, count: usize) -> Colour {
    ramp(k as f64 / count.saturating_sub(1).max(1) as f64)
}

/// A colour on the way from one to another.
fn mixed(from: Colour, to: Colour, share: f64) -> Colour {
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// A colour mixed with white: `share` 1 leaves it as it is.
pub(super) fn pale(colour: Colour, share: f64) -> Colour {
    mixed(WHITE, colour, share)
}

/// A colour mixed with black: `share` 1 leaves it as it is.
pub(super) fn deep(colour: Colour, share: f64) -> Colour {
    mixed(Colour(0, 0, 0), colour, share)
}

/// How a line is interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Dashed,
    Dotted,
    Mixed,
}

impl Dash {
    /// The dash of the `k`-th line.
    pub fn nth(k: usize) -> Self {
        [Self::Solid, Self::Dashed, Self::Dotted, Self::Mixed][k % 4]
    }

    /// Lengths of strokes and gaps.
    fn pattern(self) -> &'static str {
        match self {
            Dash::Solid => "",
            Dash::Dashed => "14 8",
            Dash::Dotted => "4 7",
            Dash::Mixed => "13 6 4 6",
        }
    }
}

/// The inside of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill(pub Colour);

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fill=\"{}\"", self.0)
    }
}

/// For areas that meet: blurred edges would leave seams.
pub(super) const CRISP: &str = "shape-rendering=\"crispEdges\"";

/// A line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    colour: Colour,
    width: f64,
    dash: Dash,
}

/// A solid line of the given width.
pub(super) fn stroke(colour: Colour, width: f64) -> Stroke {
    Stroke { colour, width, dash: Dash::Solid }
}

impl Stroke {
    /// The same line, interrupted.
    pub fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }
}

impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { colour, width, dash } = self;
        write!(f, "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"")?;
        match dash.pattern() {
            "" => Ok(()),
            pattern => write!(f, " stroke-dasharray=\"{pattern}\""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_colours_become_lighter() {
        let light =
            |c: Colour| 0.2126 * f64::from(c.0) + 0.7152 * f64::from(c.1) + 0.0722 * f64::from(c.2);
        let shades: Vec<f64> = (0..20).map(|k| light(ordered(k, 20))).collect();
        assert!(shades.windows(2).all(|pair| pair[0] < pair[1]), "{shades:?}");
        assert_eq!((ordered(0, 1), ordered(1, 2)), (RAMP[0], RAMP[7]));
    }
}
