//! Lines at values of an upright axis, named beside the data.

use plotters::backend::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::Drawn;
use super::font::width;
use super::frame::{Frame, Place};
use super::path::{Curve, clipped, visible};
use super::ruler::Level;
use super::style::{LEVEL, Size, px, stroke, text};

/// Places along the line that are tried for a name.
const TRIES: i32 = 60;

/// Least distance of a name from the ends of the line.
const EDGE: i32 = px(14);

impl<DB: DrawingBackend> Frame<'_, DB> {
    /// Lines at the levels, each with its names where the curves leave room for them.
    pub fn levels<'c>(
        &self,
        levels: &[Level],
        curves: impl Iterator<Item = &'c Curve>,
    ) -> Drawn<DB> {
        let pieces: Vec<Vec<(i32, i32)>> = curves
            .flat_map(|curve| visible(&curve.x, &curve.y, &self.across, &self.up))
            .map(|piece| piece.into_iter().map(|share| self.at(share)).collect())
            .collect();
        let within = |level: &&Level| (0.0..=1.0).contains(&self.up.share(level.value));
        for level in levels.iter().filter(within) {
            self.level(level.value, stroke(LEVEL, 2.0))?;
            self.names(level, &pieces)?;
        }
        Ok(())
    }

    /// The names of a level: one below the other if there is such a room, else each in its own.
    fn names(&self, level: &Level, pieces: &[Vec<(i32, i32)>]) -> Drawn<DB> {
        let (y, high) = (self.y(level.value), px(Size::Note as i32));
        let wide = |name: &str| width(name, Size::Note);
        let both = [level.above.as_str(), level.below.as_str()];
        let widest = both.map(wide).into_iter().max().unwrap_or(0);
        let shared = self.room(widest, (y - high, y + high), pieces);
        for (name, top) in both.into_iter().zip([y - high, y + px(2)]) {
            let alone = || self.room(wide(name), (top, top + high), pieces);
            let rightmost = self.place.right - EDGE - wide(name);
            let left = shared.or_else(alone).unwrap_or(rightmost);
            let style = text(Size::Note, LEVEL, HPos::Left, VPos::Center);
            self.canvas.draw_text(name, &style, (left, top + high / 2))?;
        }
        Ok(())
    }

    /// The left end of the rightmost room of a width, from top to bottom, that no line crosses.
    fn room(
        &self,
        wide: i32,
        (top, bottom): (i32, i32),
        pieces: &[Vec<(i32, i32)>],
    ) -> Option<i32> {
        let (first, last) = (self.place.left + EDGE, self.place.right - EDGE - wide);
        let lefts = (0..=TRIES).map(|k| last - (last - first).max(0) / TRIES * k);
        let free = |left: &i32| {
            let room = Place { left: *left, top, right: left + wide, bottom };
            !pieces.iter().any(|piece| crosses(piece, &room))
        };
        lefts.into_iter().find(free)
    }
}

/// Whether a line comes near a room.
fn crosses(piece: &[(i32, i32)], room: &Place) -> bool {
    let margin = px(8);
    let size = (room.right - room.left + 2 * margin, room.bottom - room.top);
    let share = |(x, y): (i32, i32)| {
        let (x, y) = (x - room.left + margin, y - room.top);
        (f64::from(x) / f64::from(size.0), f64::from(y) / f64::from(size.1))
    };
    piece.windows(2).any(|ends| clipped(share(ends[0]), share(ends[1])).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_a_room_is_noticed() {
        let room = Place { left: 100, top: 100, right: 200, bottom: 140 };
        assert!(crosses(&[(0, 120), (300, 121)], &room));
        assert!(crosses(&[(150, 0), (151, 300)], &room));
        assert!(!crosses(&[(0, 50), (300, 60)], &room));
        assert!(!crosses(&[(400, 0), (401, 300)], &room));
    }
}
