//! Shapes in the plane of a picture: what is seen of it, and walls along paths.

/// A point of the plane of a picture.
pub type Point = [f64; 2];

/// A rectangle of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Lower left corner. `[a]`
    pub low: Point,
    /// Upper right corner. `[a]`
    pub high: Point,
}

/// The longer side over the shorter one, at most.
const SLENDER: f64 = 3.0;

impl Default for View {
    fn default() -> Self {
        View::NOTHING
    }
}

impl View {
    /// Holds no point.
    pub const NOTHING: View = View { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    /// The least rectangle that also holds a disc.
    pub fn with(mut self, centre: Point, radius: f64) -> Self {
        for (k, c) in centre.into_iter().enumerate() {
            self.low[k] = self.low[k].min(c - radius);
            self.high[k] = self.high[k].max(c + radius);
        }
        self
    }

    /// The least rectangle that holds both.
    pub fn and(self, other: View) -> Self {
        if other.is_empty() { self } else { self.with(other.low, 0.0).with(other.high, 0.0) }
    }

    /// Whether it holds no point.
    pub fn is_empty(&self) -> bool {
        !(0..2).all(|k| self.low[k] <= self.high[k])
    }

    /// Width and height. `[a]`
    pub fn sides(&self) -> Point {
        [self.high[0] - self.low[0], self.high[1] - self.low[1]]
    }

    /// The middle. `[a]`
    pub fn middle(&self) -> Point {
        [0.5 * (self.low[0] + self.high[0]), 0.5 * (self.low[1] + self.high[1])]
    }

    /// Larger on all sides.
    pub fn grown(self, by: f64) -> Self {
        View { low: self.low.map(|c| c - by), high: self.high.map(|c| c + by) }
    }

    /// With room around it, and not too slender.
    pub fn framed(self, share: f64) -> Self {
        let longer = self.sides()[0].max(self.sides()[1]);
        let mut framed = self.grown(share * longer);
        let least = framed.sides()[0].max(framed.sides()[1]) / SLENDER;
        for k in 0..2 {
            let lacking = (least - framed.sides()[k]).max(0.0);
            framed.low[k] -= 0.5 * lacking;
            framed.high[k] += 0.5 * lacking;
        }
        framed
    }

    /// Whether a whole disc is inside.
    pub fn holds(&self, centre: Point, radius: f64) -> bool {
        (0..2).all(|k| centre[k] - radius >= self.low[k] && centre[k] + radius <= self.high[k])
    }
}

/// The polygon between a path and one beside it, to its right.
pub(super) fn band(path: &[Point], closed: bool, width: f64) -> Vec<Point> {
    let count = path.len();
    // Unit vector to the right of the side that begins at a corner.
    let right = |k: usize| {
        let (a, b) = (path[k % count], path[(k + 1) % count]);
        let length = (b[0] - a[0]).hypot(b[1] - a[1]).max(f64::MIN_POSITIVE);
        [(b[1] - a[1]) / length, (a[0] - b[0]) / length]
    };
    let beside = |k: usize| {
        let before = if k == 0 && !closed { right(0) } else { right((k + count - 1) % count) };
        let after = if k + 1 == count && !closed { before } else { right(k) };
        let even = (1.0 + before[0] * after[0] + before[1] * after[1]).max(0.2);
        [0, 1].map(|c| path[k][c] + width * (before[c] + after[c]) / even)
    };
    let mut outline = path.to_vec();
    let mut outer: Vec<Point> = (0..count).map(beside).collect();
    if closed {
        outline.push(path[0]);
        outer.push(outer[0]);
    }
    outline.extend(outer.into_iter().rev());
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn area(polygon: &[Point]) -> f64 {
        let next = polygon.iter().cycle().skip(1);
        let twice: f64 = polygon.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
        0.5 * twice.abs()
    }

    #[test]
    fn walls_lie_outside() {
        assert!((area(&band(&SQUARE, true, 0.1)) - (1.2 * 1.2 - 1.0)).abs() < 1e-12);
        let cup = band(&SQUARE[..3], false, 0.1);
        assert!((area(&cup) - 0.21).abs() < 1e-12, "{cup:?}");
    }

    #[test]
    fn a_view_grows_with_what_is_in_it() {
        let view = View::NOTHING.with([1.0, 2.0], 0.5).and(View::NOTHING);
        assert_eq!((view.low, view.high), ([0.5, 1.5], [1.5, 2.5]));
        assert!(View::NOTHING.is_empty() && !view.is_empty());
        assert!(view.holds([1.0, 2.0], 0.5) && !view.holds([1.1, 2.0], 0.5));
        let slender = View { low: [0.0; 2], high: [9.0, 0.0] }.framed(0.0);
        assert_eq!((slender.sides(), slender.middle()), ([9.0, 3.0], [4.5, 0.0]));
    }
}
