//! A series of interval means, and its average on an even grid.

/// A recorded quantity: row `k` is its mean over the interval `(at[k-1], at[k]]`.
///
/// The first interval begins at `start`. Rows that do not advance (`at[k] ≤ at[k-1]`) and rows
/// that are not finite are passed over; the next good row then stands for the whole gap.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Where the first interval begins, `[1]` for strain or `[γ̇⁻¹]` for time.
    pub start: f64,
    /// Accumulated strain (or time) at the end of each interval, increasing.
    pub at: &'a [f64],
    /// Mean over each interval, in any unit.
    pub value: &'a [f64],
}

/// A mean over `(from, to]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub from: f64,
    pub to: f64,
    pub value: f64,
}

impl Interval {
    /// Length of the interval.
    pub fn length(&self) -> f64 {
        self.to - self.from
    }
}

/// A series averaged on bins of one width: what correlation functions need.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    pub width: f64,
    pub value: Vec<f64>,
    /// How many equal rows would weigh like the rows: (Σw)²/Σw².
    pub rows: f64,
}

impl<'a> Series<'a> {
    /// A series whose first interval begins at 0.
    pub fn new(at: &'a [f64], value: &'a [f64]) -> Self {
        Self { start: 0.0, at, value }
    }

    /// The same series with its first interval beginning at `start`.
    pub fn starting_at(self, start: f64) -> Self {
        Self { start, ..self }
    }

    /// The good intervals after `from`; one that straddles `from` is cut there.
    pub(super) fn intervals(&self, from: f64) -> impl Iterator<Item = Interval> {
        let rows = self.at.iter().zip(self.value);
        rows.scan(self.start, move |last, (&to, &value)| {
            let good = to.is_finite() && value.is_finite() && to > *last;
            let interval = Interval { from: last.max(from), to, value };
            *last = if good { to } else { *last };
            Some((good && to > from).then_some(interval))
        })
        .flatten()
    }

    /// The part after `from` on even bins, at most `most` of them, with the integral kept.
    ///
    /// The bins are as wide as the interval a random instant lies in (Σw²/Σw), so they are never
    /// more numerous than the rows: a burst of tiny steps does not pose as many samples.
    pub(super) fn rebinned(&self, from: f64, most: usize) -> Option<Bins> {
        let from = from.max(self.start);
        let (mut sum, mut squares) = (0.0, 0.0);
        for interval in self.intervals(from) {
            sum += interval.length();
            squares += interval.length().powi(2);
        }
        if sum <= 0.0 {
            return None;
        }
        // Equal intervals of inexact length must not lose a bin to rounding.
        let rows = sum * sum / squares;
        let count = ((rows + 1e-6).floor() as usize).clamp(1, most);
        let width = sum / count as f64;
        let mut value = vec![0.0; count];
        for interval in self.intervals(from) {
            spread(&mut value, interval, from, width);
        }
        Some(Bins { width, value, rows })
    }
}

/// Adds an interval to the bins it overlaps, each by its share.
fn spread(bins: &mut [f64], interval: Interval, from: f64, width: f64) {
    let last = bins.len() - 1;
    let (left, right) = ((interval.from - from) / width, (interval.to - from) / width);
    let first = (left as usize).min(last);
    for (k, bin) in bins.iter_mut().enumerate().take(right as usize + 1).skip(first) {
        let top = if k == last { f64::INFINITY } else { (k + 1) as f64 };
        let overlap = right.min(top) - left.max(k as f64);
        *bin += interval.value * overlap.max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_rows_are_their_own_bins() {
        let at: Vec<f64> = (1..=10).map(|k| 0.1 * k as f64).collect();
        let value: Vec<f64> = (0..10).map(|k| (k * k) as f64).collect();
        let bins = Series::new(&at, &value).rebinned(0.0, 1000).unwrap();
        assert_eq!(bins.value.len(), 10);
        for (bin, row) in bins.value.iter().zip(&value) {
            assert!((bin - row).abs() < 1e-9, "{bin} {row}");
        }
    }

    #[test]
    fn rebinning_keeps_the_integral() {
        let at = [0.3, 0.31, 0.35, 1.2, 1.21, 2.0, 3.7];
        let value = [1.0, -4.0, 9.0, 2.5, 100.0, 3.0, 0.5];
        let series = Series::new(&at, &value).starting_at(0.1);
        for from in [0.0, 0.1, 0.32, 1.205, 3.0] {
            let exact: f64 = series.intervals(from).map(|i| i.length() * i.value).sum();
            for most in [1, 2, 100] {
                let bins = series.rebinned(from, most).unwrap();
                let binned = bins.value.iter().sum::<f64>() * bins.width;
                assert!((binned - exact).abs() < 1e-12, "from {from}: {binned} for {exact}");
            }
        }
    }

    #[test]
    fn bad_rows_are_passed_over() {
        let at = [1.0, 2.0, 2.0, 1.5, 3.0, f64::NAN];
        let value = [1.0, f64::NAN, 5.0, 7.0, 9.0, 2.0];
        let series = Series::new(&at, &value);
        let kept: Vec<f64> = series.intervals(0.0).map(|i| i.value).collect();
        assert_eq!(kept, [1.0, 5.0, 9.0]);
    }

    #[test]
    fn nothing_is_left_beyond_the_end() {
        assert!(Series::new(&[1.0], &[2.0]).rebinned(1.0, 10).is_none());
        assert!(Series::new(&[], &[]).rebinned(0.0, 10).is_none());
    }
}
