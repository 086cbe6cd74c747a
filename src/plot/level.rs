//! Lines at values of an upright axis, named beside the data.

use super::canvas::{Place, Xy};
use super::frame::Frame;
use super::path::{Curve, clipped, visible};
use super::ruler::Level;
use super::style::{LEVEL, Size, THIN, stroke};
use super::text::{Anchor, centred, width};

/// Places along the line that are tried for a name.
const NAME_PLACES: u32 = 60;

/// Least distance of a name from the ends of the line, and from curves.
const EDGE: f64 = 14.0;
const NAME_DISTANCE: f64 = 8.0;

/// Height of a name.
const HIGH: f64 = 1.24 * Size::Note.em();

impl Frame<'_> {
    /// Lines at the levels, each with its names where the curves leave room for them.
    pub fn levels<'c>(&mut self, levels: &[Level], curves: impl Iterator<Item = &'c Curve>) {
        let pieces: Vec<Vec<Xy>> = curves
            .flat_map(|curve| visible(&curve.x, &curve.y, &self.across, &self.up))
            .map(|piece| piece.into_iter().map(|share| self.at(share)).collect())
            .collect();
        for level in levels {
            if (0.0..=1.0).contains(&self.up.share(level.value)) {
                self.level(level.value, stroke(LEVEL, THIN));
                self.names(level, &pieces);
            }
        }
    }

    /// The names of a level: one below the other if there is such a room, else each in its own.
    fn names(&mut self, level: &Level, pieces: &[Vec<Xy>]) {
        let y = self.y(level.value);
        let wide = |name: &str| width(name, Size::Note);
        let both = [level.above.as_str(), level.below.as_str()];
        let widest = both.map(wide).into_iter().fold(0.0, f64::max);
        let shared = self.room(widest, (y - HIGH, y + HIGH), pieces);
        for (name, top) in both.into_iter().zip([y - HIGH, y + 2.0]) {
            let alone = || self.room(wide(name), (top, top + HIGH), pieces);
            let rightmost = self.place.right - EDGE - wide(name);
            let left = shared.or_else(alone).unwrap_or(rightmost);
            let style = centred(Size::Note, Anchor::Start).in_colour(LEVEL);
            self.canvas.text(name, (left, top + 0.5 * HIGH), style);
        }
    }

    /// The left end of the rightmost room of a width, from top to bottom, that no line crosses.
    fn room(&self, wide: f64, (top, bottom): (f64, f64), pieces: &[Vec<Xy>]) -> Option<f64> {
        let (first, last) = (self.place.left + EDGE, self.place.right - EDGE - wide);
        let step = (last - first).max(0.0) / f64::from(NAME_PLACES);
        let free = |left: &f64| {
            let room = Place {
                left: left - NAME_DISTANCE,
                top,
                right: left + wide + NAME_DISTANCE,
                bottom,
            };
            !pieces.iter().any(|piece| crosses(piece, &room))
        };
        (0..=NAME_PLACES).map(|k| last - step * f64::from(k)).find(free)
    }
}

/// Whether a line comes into a room.
fn crosses(piece: &[Xy], room: &Place) -> bool {
    let share = |(x, y): Xy| ((x - room.left) / room.width(), (y - room.top) / room.height());
    piece.windows(2).any(|ends| clipped(share(ends[0]), share(ends[1])).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_a_room_is_noticed() {
        let room = Place { left: 100.0, top: 100.0, right: 200.0, bottom: 140.0 };
        assert!(crosses(&[(0.0, 120.0), (300.0, 121.0)], &room));
        assert!(crosses(&[(150.0, 0.0), (151.0, 300.0)], &room));
        assert!(!crosses(&[(0.0, 50.0), (300.0, 60.0)], &room));
        assert!(!crosses(&[(400.0, 0.0), (401.0, 300.0)], &room));
    }
}
