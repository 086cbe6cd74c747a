//! Axes: which values they show, and where their ticks are.

use super::number::{alike, tick};

/// How values are spaced along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal differences are equally long.
    #[default]
    Linear,
    /// Equal ratios are equally long; values that are not positive are not drawn.
    Log,
}

/// An axis as the caller asks for it.
#[derive(Debug, Clone, Default)]
pub struct Axis {
    /// Name and unit, such as `relative viscosity ηᵣ`.
    pub label: String,
    /// Spacing of the values.
    pub scale: Scale,
    /// First and last value; chosen from the data if absent.
    pub range: Option<(f64, f64)>,
    /// Values marked by a thin line, if the axis is upright.
    pub levels: Vec<Level>,
}

/// A value that parts what lies above from what lies below.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Where the line is.
    pub value: f64,
    /// What is above it; may be empty.
    pub above: String,
    /// What is below it; may be empty.
    pub below: String,
}

impl Axis {
    /// A linear axis over the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A logarithmic axis over the data.
    pub fn log(label: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// The same axis from `low` to `high`.
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// The same axis with a line at a value, and names for what is above and below it.
    pub fn with_level(
        mut self,
        value: f64,
        above: impl Into<String>,
        below: impl Into<String>,
    ) -> Self {
        self.levels.push(Level { value, above: above.into(), below: below.into() });
        self
    }
}

/// Share of an axis between its ends and the levels, for their names.
const BESIDE_LEVEL: f64 = 0.15;

/// An axis whose ends are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ruler {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
}

impl Ruler {
    /// The ruler of an axis; from its own range, or else from the values with a margin and its
    /// levels. `None` if neither range nor values are proper.
    pub fn of(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Self> {
        let scale = axis.scale;
        let fits = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
        if let Some((low, high)) = axis.range.filter(|(a, b)| fits(a) && fits(b) && a < b) {
            return Some(Self { scale, low, high });
        }
        let (low, high) = values
            .filter(fits)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let ruler = (low <= high).then(|| Self { scale, low, high }.widened());
        let levels = || axis.levels.iter().map(|level| level.value).filter(fits);
        ruler.map(|ruler| levels().fold(ruler, Self::around))
    }

    /// The same ruler, longer if a level and its names would not be within it.
    fn around(self, level: f64) -> Self {
        let near = |share: f64| ((share + BESIDE_LEVEL - 1.0) / (1.0 - BESIDE_LEVEL)).max(0.0);
        let above = self.stretched(0.0, near(self.share(level)));
        above.stretched(near(1.0 - above.share(level)), 0.0)
    }

    /// A linear ruler that ends exactly at the first and last of the values.
    pub fn tight(values: impl Iterator<Item = f64>) -> Option<Self> {
        let ends = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let ruler = Self { scale: Scale::Linear, low: ends.0, high: ends.1 };
        (ends.0 <= ends.1).then(|| if ends.0 < ends.1 { ruler } else { ruler.widened() })
    }

    /// Room beyond the data, and zero if they come near it.
    fn widened(self) -> Self {
        let Self { scale, low, high } = self;
        if scale == Scale::Log {
            let margin = (high / low).powf(0.06).max(1.05);
            return Self { scale, low: low / margin, high: high * margin }.within_numbers();
        }
        let span = if high > low { high - low } else { high.abs().max(1.0) };
        let near = |end: f64, other: f64| end.abs() <= 0.4 * other.abs();
        let low_end = if low >= 0.0 && near(low, high) { 0.0 } else { low - 0.06 * span };
        let high_end = if high <= 0.0 && near(high, low) { 0.0 } else { high + 0.06 * span };
        Self { scale, low: low_end, high: high_end }
    }

    /// The same ruler with a share of its length left free at the upper end.
    pub fn with_headroom(self, share: f64) -> Self {
        self.stretched(0.0, 1.0 / (1.0 - share.clamp(0.0, 0.9)) - 1.0)
    }

    /// The same ruler, longer at its ends by shares of its length.
    fn stretched(self, below: f64, above: f64) -> Self {
        let Self { scale, low, high } = self;
        let (low, high) = match scale {
            Scale::Linear => (low - below * (high - low), high + above * (high - low)),
            Scale::Log => (low / (high / low).powf(below), high * (high / low).powf(above)),
        };
        Self { scale, low, high }.within_numbers()
    }

    /// The same ruler, where it does not go beyond what numbers can be: margins of hundreds of
    /// decades do.
    fn within_numbers(self) -> Self {
        match self.scale {
            Scale::Linear => self,
            Scale::Log => {
                Self { low: self.low.max(f64::MIN_POSITIVE), high: self.high.min(f64::MAX), ..self }
            }
        }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end; not finite if it has no place.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value <= 0.0 => f64::NAN,
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// The labelled ticks, at most about `most`, with their labels.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if self.scale == Scale::Linear {
            return self.even_ticks(most);
        }
        let decades = (self.high / self.low).log10();
        let stride = (decades / most as f64).ceil().max(1.0) as i32;
        let candidates: [&[f64]; 2] = [&[1.0], &[1.0, 2.0, 5.0]];
        for digits in candidates {
            let ticks = self.decade_ticks(digits, stride);
            if ticks.len() >= 3 && ticks.len() <= most + 2 {
                return ticks;
            }
        }
        if decades < 1.0 { self.even_ticks(most) } else { self.decade_ticks(&[1.0], stride) }
    }

    /// Lines between the labelled ticks: the digits 2 to 9 of each decade, if there are at most
    /// `most` decades.
    pub fn minor(&self, most: f64) -> Vec<f64> {
        if self.scale == Scale::Linear || (self.high / self.low).log10() > most {
            return Vec::new();
        }
        let digits: Vec<f64> = (1..10).map(f64::from).collect();
        self.decade_ticks(&digits, 1).into_iter().map(|(value, _)| value).collect()
    }

    /// Ticks at 1, 2, 2.5 or 5 times a power of ten apart.
    fn even_ticks(&self, most: usize) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / most.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let nice = [1.0, 2.0, 2.5, 5.0, 10.0].map(|digit| digit * power);
        let step = nice.into_iter().find(|s| *s >= rough * (1.0 - 1e-9)).unwrap_or(nice[4]);
        // Half a turn in degrees is divided as an angle.
        let step = if (self.low, self.high) == (0.0, 180.0) { 45.0 } else { step };
        let first = (self.low / step - 1e-6).ceil() as i64;
        let last = (self.high / step + 1e-6).floor() as i64;
        (first..=last).map(|k| k as f64 * step).map(|v| (v, tick(v, step))).collect()
    }

    /// Ticks at the given digits of every `stride`-th decade.
    fn decade_ticks(&self, digits: &[f64], stride: i32) -> Vec<(f64, String)> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let values: Vec<f64> = (first..=last)
            .filter(|power| power % stride == 0)
            .flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)))
            .filter(|value| (-1e-9..=1.0 + 1e-9).contains(&self.share(*value)))
            .collect();
        let labels = alike(&values);
        values.into_iter().zip(labels).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: Ruler, most: usize) -> Vec<String> {
        ruler.ticks(most).into_iter().map(|(_, label)| label).collect()
    }

    fn ruler(scale: Scale, low: f64, high: f64) -> Ruler {
        Ruler { scale, low, high }
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(ruler(Scale::Linear, 0.0, 10.0), 6), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            labels(ruler(Scale::Linear, 0.4, 0.61), 5),
            ["0.40", "0.45", "0.50", "0.55", "0.60"]
        );
        assert_eq!(labels(ruler(Scale::Linear, -12.0, 7.0), 5), ["−10", "−5", "0", "5"]);
        let half_a_turn = ["0", "45", "90", "135", "180"];
        assert_eq!(labels(ruler(Scale::Linear, 0.0, 180.0), 5), half_a_turn);
    }

    #[test]
    fn an_axis_down_to_the_smallest_numbers_ends() {
        let wide = ruler(Scale::Log, 1e-300, 10.0).widened();
        assert!(wide.low > 0.0 && labels(wide, 6).len() <= 8);
        let stretched = ruler(Scale::Log, 1e-307, 1e300).stretched(0.5, 0.5);
        assert!(stretched.low > 0.0 && stretched.high.is_finite());
    }

    #[test]
    fn log_ticks_follow_the_decades() {
        assert_eq!(labels(ruler(Scale::Log, 0.5, 2e3), 6), ["1", "10", "100", "1000"]);
        assert_eq!(labels(ruler(Scale::Log, 3.0, 150.0), 6), ["5", "10", "20", "50", "100"]);
        assert_eq!(labels(ruler(Scale::Log, 40.0, 80.0), 6), ["40", "50", "60", "70", "80"]);
        assert_eq!(labels(ruler(Scale::Log, 1e-6, 1e6), 6).len(), 7);
        assert_eq!(labels(ruler(Scale::Log, 1e-4, 0.2), 6), ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
    }

    #[test]
    fn the_range_holds_the_data() {
        let axis = Axis::linear("");
        let near_zero = Ruler::of(&axis, [2.0, 60.0].into_iter()).unwrap();
        assert!(near_zero.low == 0.0 && near_zero.high > 60.0);
        let far = Ruler::of(&axis, [50.0, f64::NAN, 60.0].into_iter()).unwrap();
        assert!(far.low < 50.0 && far.low > 40.0);
        let single = Ruler::of(&axis, [3.0].into_iter()).unwrap();
        assert!(single.low < 3.0 && single.high > 3.0);
        assert!(Ruler::of(&axis, [f64::NAN].into_iter()).is_none());
        let log = Ruler::of(&Axis::log(""), [-1.0, 0.0, 5.0].into_iter()).unwrap();
        assert!(log.low > 0.0 && log.low < 5.0 && log.high > 5.0);
        let asked = Ruler::of(&Axis::log("").between(1.0, 10.0), std::iter::empty()).unwrap();
        assert_eq!((asked.low, asked.high), (1.0, 10.0));
    }

    #[test]
    fn the_range_holds_the_levels_and_their_names() {
        for (value, share) in [(10.0, 1.0 - BESIDE_LEVEL), (0.001, BESIDE_LEVEL)] {
            for axis in [Axis::log(""), Axis::linear("")] {
                let axis = axis.with_level(value, "above", "below");
                let ruler = Ruler::of(&axis, [0.1, 0.2].into_iter()).unwrap();
                assert!((ruler.share(value) - share).abs() < 1e-9, "{ruler:?}");
            }
        }
        let axis = Axis::log("").with_level(0.15, "", "");
        let values = [0.1, 0.2];
        assert_eq!(
            Ruler::of(&axis, values.into_iter()),
            Ruler::of(&Axis::log(""), values.into_iter())
        );
    }
}
