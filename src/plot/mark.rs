//! Points.

use super::canvas::{Canvas, Place, Xy, short};
use super::style::{Colour, FINE, Fill, POINT, WHITE, stroke};

/// The shape of a point, so that curves differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
}

/// A point's shape and radius, and whether it is drawn as an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    pub shape: Shape,
    pub radius: f64,
    pub hollow: bool,
}

impl Shape {
    /// A point of this shape in the usual size.
    pub fn mark(self) -> Mark {
        Mark { shape: self, radius: POINT, hollow: false }
    }
}

/// Width of the white rim of a point, at most, and over its radius.
const RIM: f64 = 2.0;
const RIM_SHARE: f64 = 0.3;

impl Mark {
    /// Draws the point with a white rim that keeps it apart from what lies below; a ring shows it.
    pub fn draw(self, canvas: &mut Canvas, (x, y): Xy, colour: Colour) {
        let Self { shape, radius, hollow } = self;
        // Half of the stroke is covered by the point.
        let rim = short(2.0 * RIM.min(RIM_SHARE * radius));
        let (fill, white) = (Fill(colour), WHITE);
        let paint = match hollow {
            true => format!("{} stroke=\"{colour}\" stroke-width=\"{rim}\"", Fill(white)),
            false => {
                format!("{fill} stroke=\"{white}\" stroke-width=\"{rim}\" paint-order=\"stroke\"")
            }
        };
        let (long, side, foot) = (1.25 * radius, 0.875 * radius, y + 0.75 * radius);
        match shape {
            Shape::Disc => canvas.circle((x, y), radius, paint),
            Shape::Ring => canvas.circle((x, y), radius * 8.0 / 9.0, stroke(colour, FINE)),
            Shape::Square => {
                let (left, top, right, bottom) = (x - side, y - side, x + side, y + side);
                canvas.rectangle(Place { left, top, right, bottom }, paint);
            }
            Shape::Triangle => {
                canvas.polygon(&[(x - long, foot), (x + long, foot), (x, y - long)], paint);
            }
            Shape::Diamond => {
                let corners = [(x - long, y), (x, y - long), (x + long, y), (x, y + long)];
                canvas.polygon(&corners, paint);
            }
        }
    }
}
