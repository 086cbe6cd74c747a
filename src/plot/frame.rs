//! A pair of axes and what is drawn between them.

use std::fmt::Display;

use super::canvas::{Canvas, Place, Xy};
use super::mark::Mark;
use super::path::{thinned, visible};
use super::ruler::Ruler;
use super::style::{
    Colour, DECADE, FAINT, GRID, HAIR, INK, MARGIN_BOTTOM, MARGIN_LEFT, MEDIUM, Size, Stroke, THIN,
    TICK, TICK_ACROSS, TICK_GAP, TICK_UP, stroke,
};
use super::text::{Anchor, centred, hanging, width};

/// A pair of axes at their place on a canvas.
pub(super) struct Frame<'a> {
    pub canvas: &'a mut Canvas,
    pub place: Place,
    pub across: Ruler,
    pub up: Ruler,
}

/// Shorter error bars are covered by their point.
const SHORT_BAR: f64 = 26.0;

/// Half the width of the ends of an error bar.
const CAP: f64 = 9.0;

impl Frame<'_> {
    /// The grid, to be drawn first.
    pub fn grid(&mut self) {
        let (faint, grid) = (stroke(FAINT, HAIR), stroke(GRID, HAIR));
        for value in self.across.minor(decades(self.place.width())) {
            self.upright(value, faint);
        }
        for value in self.up.minor(decades(self.place.height())) {
            self.level(value, faint);
        }
        for (value, _) in self.ticks_across() {
            self.upright(value, grid);
        }
        for (value, _) in self.ticks_up() {
            self.level(value, grid);
        }
    }

    /// The box around the axes with ticks, numbers and names, to be drawn last. Without a name the
    /// level axis has no numbers.
    pub fn axes(&mut self, across: Option<&str>, up: &str) {
        let line = stroke(INK, THIN);
        self.canvas.rectangle(self.place, line);
        let Place { left, bottom, .. } = self.place;
        for (value, _) in self.ticks_across() {
            let x = self.x(value);
            self.canvas.line(&[(x, bottom), (x, bottom + TICK)], line);
        }
        for (value, _) in self.ticks_up() {
            let y = self.y(value);
            self.canvas.line(&[(left - TICK, y), (left, y)], line);
        }
        self.label_up(up);
        if let Some(name) = across {
            self.label_across(name);
        }
    }

    /// Numbers and name of the axis that points right.
    fn label_across(&mut self, name: &str) {
        let style = hanging(Size::Small, Anchor::Middle);
        let top = self.place.bottom + TICK + TICK_GAP;
        for (value, label) in self.ticks_across() {
            self.canvas.text(&label, (self.x(value), top), style);
        }
        let style = hanging(Size::Large, Anchor::Middle).within(name, self.place.right);
        let middle = self.place.middle().0;
        self.canvas.text(name, (middle, top + Size::Small.line()), style);
    }

    /// Numbers and name of the axis that points up; the name at the very left of the canvas.
    fn label_up(&mut self, name: &str) {
        let style = centred(Size::Small, Anchor::End);
        let right = self.place.left - TICK - TICK_GAP;
        for (value, label) in self.ticks_up() {
            self.canvas.text(&label, (right, self.y(value)), style);
        }
        let style = hanging(Size::Large, Anchor::Middle).within(name, self.place.height());
        self.canvas.text(name, (MARGIN_LEFT, self.place.middle().1), style.upwards());
    }

    /// A line through the points, cut at the axes.
    pub fn line(&mut self, x: &[f64], y: &[f64], stroke: Stroke) {
        let columns = (self.place.width() as usize).max(1);
        for piece in visible(x, y, &self.across, &self.up) {
            let points: Vec<Xy> =
                thinned(&piece, columns).into_iter().map(|share| self.at(share)).collect();
            self.canvas.line(&points, stroke);
        }
    }

    /// A level band from `low` to `high` over the abscissae `from` to `to`.
    pub fn band(&mut self, (from, to): (f64, f64), (low, high): (f64, f64), paint: impl Display) {
        let (left, bottom) = self.nearest(from, low);
        let (right, top) = self.nearest(to, high);
        if left < right && top < bottom {
            self.canvas.rectangle(Place { left, top, right, bottom }, paint);
        }
    }

    /// The area between two ends at every abscissa, up to the axes.
    pub fn between(&mut self, x: &[f64], ends: &[[f64; 2]], paint: impl Display) {
        let shown = |(x, ends): (&f64, &[f64; 2])| {
            let inside = (0.0..=1.0).contains(&self.across.share(*x));
            let seen = |y: &f64| self.up.share(*y).is_finite();
            (inside && ends.iter().all(seen)).then_some((*x, *ends))
        };
        let places: Vec<(f64, [f64; 2])> = x.iter().zip(ends).filter_map(shown).collect();
        let side = |end: usize| places.iter().map(move |(x, ends)| (*x, ends[end]));
        let outline = side(0).chain(side(1).rev()).map(|(x, y)| self.nearest(x, y));
        let outline: Vec<Xy> = outline.collect();
        if places.len() > 1 {
            self.canvas.polygon(&outline, paint);
        }
    }

    /// A point, if it lies within the axes.
    pub fn point(&mut self, (x, y): (f64, f64), mark: Mark, colour: Colour) {
        let share = (self.across.share(x), self.up.share(y));
        let inside = |s: f64| (0.0..=1.0).contains(&s);
        if inside(share.0) && inside(share.1) {
            mark.draw(self.canvas, self.at(share), colour);
        }
    }

    /// An upright error bar with caps at the ends that lie within the axes.
    pub fn error_bar(&mut self, x: f64, (low, high): (f64, f64), colour: Colour) {
        let (share, top) = (self.across.share(x), self.up.share(high));
        // A bar down to zero or below leaves a logarithmic axis at its lower end.
        let bottom = Some(self.up.share(low)).filter(|s| !s.is_nan()).unwrap_or(-1.0);
        if !(0.0..=1.0).contains(&share) || top.is_nan() || top < 0.0 || bottom > 1.0 {
            return;
        }
        let style = stroke(colour, MEDIUM);
        let (foot, head) = (self.at((share, bottom.max(0.0))), self.at((share, top.min(1.0))));
        if foot.1 - head.1 < SHORT_BAR {
            return;
        }
        self.canvas.line(&[foot, head], style);
        for (end, shown) in [(foot, bottom >= 0.0), (head, top <= 1.0)] {
            if shown {
                self.canvas.line(&[(end.0 - CAP, end.1), (end.0 + CAP, end.1)], style);
            }
        }
    }

    /// The pixel of a point in shares of the axes.
    pub fn at(&self, (across, up): (f64, f64)) -> Xy {
        let Place { left, bottom, .. } = self.place;
        (left + across * self.place.width(), bottom - up * self.place.height())
    }

    /// The pixel of a point, or of the nearest one within the axes.
    pub fn nearest(&self, x: f64, y: f64) -> Xy {
        let within = |share: f64| share.clamp(0.0, 1.0);
        self.at((within(self.across.share(x)), within(self.up.share(y))))
    }

    /// The pixel of an abscissa.
    pub fn x(&self, value: f64) -> f64 {
        self.at((self.across.share(value), 0.0)).0
    }

    /// The pixel of an ordinate.
    pub fn y(&self, value: f64) -> f64 {
        self.at((0.0, self.up.share(value))).1
    }

    fn upright(&mut self, value: f64, stroke: Stroke) {
        let (x, place) = (self.x(value), self.place);
        self.canvas.line(&[(x, place.top), (x, place.bottom)], stroke);
    }

    /// A level line across the frame.
    pub fn level(&mut self, value: f64, stroke: Stroke) {
        let (y, place) = (self.y(value), self.place);
        self.canvas.line(&[(place.left, y), (place.right, y)], stroke);
    }

    fn ticks_across(&self) -> Vec<(f64, String)> {
        self.across.ticks((self.place.width() / TICK_ACROSS).clamp(2.0, 10.0) as usize)
    }

    fn ticks_up(&self) -> Vec<(f64, String)> {
        ticks_up(&self.up, self.place.height())
    }
}

/// The ticks of an upright axis of the given height.
fn ticks_up(up: &Ruler, height: f64) -> Vec<(f64, String)> {
    up.ticks((height / TICK_UP).clamp(2.0, 8.0) as usize)
}

/// Over how many decades minor grid lines of an axis of the given length are told apart.
fn decades(length: f64) -> f64 {
    (length / DECADE).min(6.0)
}

/// Room an upright axis of the given height needs at its left for numbers and name.
pub(super) fn room_left(up: &Ruler, height: f64) -> f64 {
    let ticks = ticks_up(up, height);
    let widest = ticks.iter().map(|(_, label)| width(label, Size::Small)).fold(0.0, f64::max);
    (MARGIN_LEFT + Size::Large.line() + widest + TICK_GAP + TICK).ceil()
}

/// Room a level axis needs below for numbers and name.
pub(super) fn room_below() -> f64 {
    TICK + TICK_GAP + Size::Small.line() + 1.2 * Size::Large.em() + MARGIN_BOTTOM
}
