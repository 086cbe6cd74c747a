//! Points.

use super::canvas::{Canvas, Xy};
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

/// A point's shape and radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    pub shape: Shape,
    pub radius: f64,
}

impl Shape {
    /// A point of this shape in the usual size.
    pub fn mark(self) -> Mark {
        Mark { shape: self, radius: POINT }
    }
}

impl Mark {
    /// Draws the point with a white rim that keeps it apart from what lies below; a ring shows it.
    pub fn draw(self, canvas: &mut Canvas, at: Xy, colour: Colour) {
        if self.shape == Shape::Ring {
            canvas.circle(at, self.radius * 8.0 / 9.0, stroke(colour, FINE));
            return;
        }
        self.filled(canvas, at, 4.0 / 3.0 * self.radius, WHITE);
        self.filled(canvas, at, self.radius, colour);
    }

    fn filled(self, canvas: &mut Canvas, (x, y): Xy, radius: f64, colour: Colour) {
        let (long, side, foot) = (1.25 * radius, 0.875 * radius, y + 0.75 * radius);
        let corners = match self.shape {
            Shape::Disc | Shape::Ring => return canvas.circle((x, y), radius, Fill(colour)),
            Shape::Square => {
                vec![
                    (x - side, y - side),
                    (x + side, y - side),
                    (x + side, y + side),
                    (x - side, y + side),
                ]
            }
            Shape::Triangle => vec![(x - long, foot), (x + long, foot), (x, y - long)],
            Shape::Diamond => vec![(x - long, y), (x, y - long), (x + long, y), (x, y + long)],
        };
        canvas.polygon(&corners, Fill(colour));
    }
}
