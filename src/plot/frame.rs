//! A pair of axes and what is drawn between them.

use plotters::backend::DrawingBackend;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, FontTransform, RGBColor, ShapeStyle, WHITE};

use super::canvas::{Canvas, Drawn};
use super::font::width;
use super::path::{thinned, visible};
use super::ruler::Ruler;
use super::style::{FAINT, GRID, INK, Size, UNITS, line_height, px, stroke, text};

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
}

/// The shape of a point, so that curves differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
}

/// A point's shape and radius, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub shape: Shape,
    pub radius: i32,
}

impl Shape {
    /// A point of this shape in the usual size.
    pub fn mark(self) -> Mark {
        Mark { shape: self, radius: 9 }
    }
}

/// A pixel rectangle, in grid units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// A pair of axes at their place on a canvas.
pub(super) struct Frame<'a, DB: DrawingBackend> {
    pub canvas: &'a Canvas<DB>,
    pub place: Place,
    pub across: Ruler,
    pub up: Ruler,
}

/// Length of a tick.
const TICK: i32 = px(8);

impl<DB: DrawingBackend> Frame<'_, DB> {
    /// The grid, to be drawn first.
    pub fn grid(&self) -> Drawn<DB> {
        for value in self.across.minor(decades(self.place.right - self.place.left)) {
            self.upright(value, stroke(FAINT, 1.5))?;
        }
        for value in self.up.minor(decades(self.place.bottom - self.place.top)) {
            self.level(value, stroke(FAINT, 1.5))?;
        }
        for (value, _) in self.across.ticks(self.ticks_across()) {
            self.upright(value, stroke(GRID, 1.5))?;
        }
        for (value, _) in self.up.ticks(self.ticks_up()) {
            self.level(value, stroke(GRID, 1.5))?;
        }
        Ok(())
    }

    /// The box around the axes and the ticks, to be drawn last.
    pub fn border(&self) -> Drawn<DB> {
        let Place { left, top, right, bottom } = self.place;
        let line = stroke(INK, 2.0);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.canvas.draw(&PathElement::new(corners.to_vec(), line))?;
        for (value, _) in self.across.ticks(self.ticks_across()) {
            let x = self.x(value);
            self.canvas.draw(&PathElement::new(vec![(x, bottom), (x, bottom + TICK)], line))?;
        }
        for (value, _) in self.up.ticks(self.ticks_up()) {
            let y = self.y(value);
            self.canvas.draw(&PathElement::new(vec![(left - TICK, y), (left, y)], line))?;
        }
        Ok(())
    }

    /// Numbers and name of the axis that points right.
    pub fn label_across(&self, name: &str) -> Drawn<DB> {
        let style = text(Size::Small, INK, HPos::Center, VPos::Top);
        let top = self.place.bottom + TICK + px(4);
        for (value, label) in self.across.ticks(self.ticks_across()) {
            self.canvas.draw_text(&label, &style, (self.x(value), top))?;
        }
        let middle = (self.place.left + self.place.right) / 2;
        let style = text(Size::Large, INK, HPos::Center, VPos::Top);
        self.canvas.draw_text(name, &style, (middle, top + line_height(Size::Small)))
    }

    /// Numbers and name of the axis that points up; the name at the very left of the canvas.
    pub fn label_up(&self, name: &str) -> Drawn<DB> {
        let style = text(Size::Small, INK, HPos::Right, VPos::Center);
        let right = self.place.left - TICK - px(6);
        for (value, label) in self.up.ticks(self.ticks_up()) {
            self.canvas.draw_text(&label, &style, (right, self.y(value)))?;
        }
        let middle = (self.place.top + self.place.bottom) / 2;
        let style = text(Size::Large, INK, HPos::Center, VPos::Top);
        self.canvas.draw_text(name, &style.transform(FontTransform::Rotate270), (px(8), middle))
    }

    /// A line through the points, cut at the axes.
    pub fn line(&self, x: &[f64], y: &[f64], dash: Dash, style: ShapeStyle) -> Drawn<DB> {
        let columns = ((self.place.right - self.place.left) / UNITS).max(1) as usize;
        for piece in visible(x, y, &self.across, &self.up) {
            let points: Vec<(i32, i32)> =
                thinned(&piece, columns).into_iter().map(|share| self.at(share)).collect();
            for part in dashed(&points, dash) {
                self.canvas.draw(&PathElement::new(part, style))?;
            }
        }
        Ok(())
    }

    /// A level band from `low` to `high` over the abscissae `from` to `to`.
    pub fn band(
        &self,
        (from, to): (f64, f64),
        (low, high): (f64, f64),
        fill: ShapeStyle,
    ) -> Drawn<DB> {
        let inside = |share: f64| share.clamp(0.0, 1.0);
        let (left, right) = (inside(self.across.share(from)), inside(self.across.share(to)));
        let (bottom, top) = (inside(self.up.share(low)), inside(self.up.share(high)));
        if left >= right || bottom >= top {
            return Ok(());
        }
        let corners = [self.at((left, top)), self.at((right, bottom))];
        self.canvas.draw(&Rectangle::new(corners, fill))
    }

    /// A point, if it lies within the axes.
    pub fn point(&self, (x, y): (f64, f64), mark: Mark, colour: RGBColor) -> Drawn<DB> {
        let share = (self.across.share(x), self.up.share(y));
        let inside = |s: f64| (0.0..=1.0).contains(&s);
        if inside(share.0) && inside(share.1) {
            marker(self.canvas, self.at(share), mark, colour)?;
        }
        Ok(())
    }

    /// An upright error bar with caps at the ends that lie within the axes.
    pub fn error_bar(&self, x: f64, (low, high): (f64, f64), colour: RGBColor) -> Drawn<DB> {
        let (share, top) = (self.across.share(x), self.up.share(high));
        // A bar down to zero or below leaves a logarithmic axis at its lower end.
        let bottom = Some(self.up.share(low)).filter(|s| !s.is_nan()).unwrap_or(-1.0);
        if !(0.0..=1.0).contains(&share) || top.is_nan() || top < 0.0 || bottom > 1.0 {
            return Ok(());
        }
        let style = stroke(colour, 3.0);
        let (foot, head) = (self.at((share, bottom.max(0.0))), self.at((share, top.min(1.0))));
        if foot.1 - head.1 < px(26) {
            // The point covers it.
            return Ok(());
        }
        self.canvas.draw(&PathElement::new(vec![foot, head], style))?;
        for (end, shown) in [(foot, bottom >= 0.0), (head, top <= 1.0)] {
            if shown {
                let cap = vec![(end.0 - px(9), end.1), (end.0 + px(9), end.1)];
                self.canvas.draw(&PathElement::new(cap, style))?;
            }
        }
        Ok(())
    }

    /// Grid units of a point in shares of the axes.
    pub fn at(&self, (across, up): (f64, f64)) -> (i32, i32) {
        let Place { left, top, right, bottom } = self.place;
        let x = f64::from(left) + across * f64::from(right - left);
        let y = f64::from(bottom) - up * f64::from(bottom - top);
        (x.round() as i32, y.round() as i32)
    }

    /// Grid units of an abscissa.
    pub fn x(&self, value: f64) -> i32 {
        self.at((self.across.share(value), 0.0)).0
    }

    /// Grid units of an ordinate.
    pub fn y(&self, value: f64) -> i32 {
        self.at((0.0, self.up.share(value))).1
    }

    fn upright(&self, value: f64, style: ShapeStyle) -> Drawn<DB> {
        let (x, place) = (self.x(value), self.place);
        self.canvas.draw(&PathElement::new(vec![(x, place.top), (x, place.bottom)], style))
    }

    /// A level line across the frame.
    pub fn level(&self, value: f64, style: ShapeStyle) -> Drawn<DB> {
        let (y, place) = (self.y(value), self.place);
        self.canvas.draw(&PathElement::new(vec![(place.left, y), (place.right, y)], style))
    }

    fn ticks_across(&self) -> usize {
        ((self.place.right - self.place.left) / px(130)).clamp(2, 10) as usize
    }

    fn ticks_up(&self) -> usize {
        ticks_up(self.place.bottom - self.place.top)
    }
}

/// How many ticks an upright axis of the given height bears.
fn ticks_up(height: i32) -> usize {
    (height / px(40)).clamp(2, 8) as usize
}

/// Over how many decades minor grid lines of an axis of the given length are told apart.
fn decades(length: i32) -> f64 {
    (f64::from(length) / f64::from(px(60))).min(6.0)
}

/// Room an upright axis of the given height needs at its left for numbers and name.
pub(super) fn room_left(up: &Ruler, height: i32) -> i32 {
    let ticks = up.ticks(ticks_up(height));
    let widest = ticks.iter().map(|(_, label)| width(label, Size::Small)).max().unwrap_or(0);
    px(8) + line_height(Size::Large) + widest + TICK + px(10)
}

/// Room a level axis needs below for numbers and name.
pub(super) fn room_below() -> i32 {
    TICK + px(4) + line_height(Size::Small) + px(Size::Large as i32)
}

/// A point with a white rim that keeps it apart from what lies below; a ring shows it.
pub(super) fn marker<DB: DrawingBackend>(
    canvas: &Canvas<DB>,
    (x, y): (i32, i32),
    Mark { shape, radius }: Mark,
    colour: RGBColor,
) -> Drawn<DB> {
    for (r, colour) in [(px(radius) * 4 / 3, WHITE), (px(radius), colour)] {
        let fill = colour.filled();
        let (long, side) = (r * 5 / 4, r * 7 / 8);
        match shape {
            Shape::Disc => canvas.draw(&Circle::new((x, y), r, fill))?,
            Shape::Ring => {
                canvas.draw(&Circle::new((x, y), px(radius) * 8 / 9, stroke(colour, 2.5)))?;
            }
            Shape::Square => {
                canvas.draw(&Rectangle::new([(x - side, y - side), (x + side, y + side)], fill))?;
            }
            Shape::Triangle => {
                let foot = y + r * 3 / 4;
                canvas.draw(&Polygon::new(
                    [(x - long, foot), (x + long, foot), (x, y - long)],
                    fill,
                ))?;
            }
            Shape::Diamond => {
                let corners = [(x - long, y), (x, y - long), (x + long, y), (x, y + long)];
                canvas.draw(&Polygon::new(corners, fill))?;
            }
        }
    }
    Ok(())
}

/// The parts of a line that remain when it is dashed.
pub(super) fn dashed(points: &[(i32, i32)], dash: Dash) -> Vec<Vec<(i32, i32)>> {
    let pattern: &[i32] = match dash {
        Dash::Solid => return vec![points.to_vec()],
        Dash::Dashed => &[16, 9],
        Dash::Dotted => &[4, 7],
        Dash::Mixed => &[16, 7, 4, 7],
    };
    let mut parts = Vec::new();
    let mut part: Vec<(i32, i32)> = points.iter().take(1).copied().collect();
    let (mut turn, mut left) = (0, f64::from(px(pattern[0])));
    for pair in points.windows(2) {
        let step = (f64::from(pair[1].0 - pair[0].0), f64::from(pair[1].1 - pair[0].1));
        let length = step.0.hypot(step.1);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let along = |d: f64| (gone / length * d).round() as i32;
            part.push((pair[0].0 + along(step.0), pair[0].1 + along(step.1)));
            if turn % 2 == 0 {
                parts.push(std::mem::take(&mut part));
            }
            turn += 1;
            left = f64::from(px(pattern[turn % pattern.len()]));
        }
        left -= length - gone;
        if turn % 2 == 0 {
            part.push(pair[1]);
        }
    }
    parts.push(part);
    parts.retain(|part| part.len() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_gaps_fill_the_line() {
        let parts = dashed(&[(0, 0), (px(30), 0), (px(60), 0)], Dash::Dashed);
        let ends: Vec<(i32, i32)> =
            parts.iter().map(|part| (part[0].0 / px(1), part[part.len() - 1].0 / px(1))).collect();
        assert_eq!(ends, [(0, 16), (25, 41), (50, 60)]);
    }
}
