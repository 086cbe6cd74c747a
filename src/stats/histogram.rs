//! Histograms over many frames, with errors from the scatter between blocks of frames.

use super::estimate::student;

/// Blocks of consecutive frames whose scatter tells the error: long ones know nothing of each
/// other.
const BLOCKS: usize = 10;

/// Where values are counted: equal steps of the value, or of its decimal logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bins {
    low: f64,
    width: f64,
    count: usize,
    logarithmic: bool,
}

impl Bins {
    /// Bins of equal width from `low` on.
    pub fn even(low: f64, width: f64, count: usize) -> Self {
        Bins { low, width, count, logarithmic: false }
    }

    /// Bins of equal ratio over whole decades, from 10^`first` to 10^`last`.
    pub fn decades(first: i32, last: i32, per_decade: usize) -> Self {
        let count = (last - first).max(0) as usize * per_decade;
        Bins { low: f64::from(first), width: 1.0 / per_decade as f64, count, logarithmic: true }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Their width: of the value, or of its decimal logarithm.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The lower end of a bin; that of the bin behind the last is the end of all.
    pub fn edge(&self, bin: usize) -> f64 {
        self.value(bin as f64)
    }

    /// The middle of a bin, of its logarithm where that is binned.
    pub fn middle(&self, bin: usize) -> f64 {
        self.value(bin as f64 + 0.5)
    }

    fn value(&self, place: f64) -> f64 {
        let value = self.low + place * self.width;
        if self.logarithmic { 10f64.powf(value) } else { value }
    }

    /// The bin of a value, if it has one.
    pub fn find(&self, value: f64) -> Option<usize> {
        let value = if self.logarithmic { value.log10() } else { value };
        let place = (value - self.low) / self.width;
        // A value that is not a number is in no bin.
        (place >= 0.0 && place < self.count as f64).then_some(place as usize)
    }
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    /// The mean over the frames.
    pub value: f64,
    /// Its standard error from the scatter between at most ten blocks of consecutive frames, with
    /// Student's factor for so few; not a number for one frame.
    pub stderr: f64,
}

impl Mean {
    /// The mean of evenly spaced samples, not a number if there are none.
    pub fn of(samples: &[f64]) -> Self {
        let (total, count) = (samples.len() as f64, samples.len().min(BLOCKS));
        let value = samples.iter().sum::<f64>() / total;
        if count < 2 {
            return Mean { value, stderr: f64::NAN };
        }
        let end = |block: usize| block * samples.len() / count;
        let blocks = (0..count).map(|block| &samples[end(block)..end(block + 1)]);
        let deviation = |block: &[f64]| block.iter().map(|y| y - value).sum::<f64>() / total;
        let square: f64 = blocks.map(|block| deviation(block).powi(2)).sum();
        let freedom = count as f64 - 1.0;
        Mean { value, stderr: (square * count as f64 / freedom).sqrt() * student(freedom) }
    }
}

/// Counts per bin, frame by frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Where is counted.
    pub bins: Bins,
    frames: Vec<Vec<f64>>,
}

impl Histogram {
    /// One that has seen nothing.
    pub fn new(bins: Bins) -> Self {
        Histogram { bins, frames: Vec::new() }
    }

    /// Begins the counts of another frame.
    pub fn begin(&mut self) {
        self.frames.push(vec![0.0; self.bins.count()]);
    }

    /// Counts a value in the last frame; one that has no bin is ignored.
    pub fn count(&mut self, value: f64) {
        if let (Some(bin), Some(frame)) = (self.bins.find(value), self.frames.last_mut()) {
            frame[bin] += 1.0;
        }
    }

    /// The counts of every frame, bin by bin.
    pub fn frames(&self) -> impl Iterator<Item = &[f64]> {
        self.frames.iter().map(Vec::as_slice)
    }

    /// What was counted in every frame.
    pub fn totals(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.iter().sum()).collect()
    }

    /// The mean count of every bin over what is `expected` in it.
    pub fn relative(&self, expected: impl Fn(usize) -> f64) -> Vec<Mean> {
        let mean = |bin: usize| {
            let expected = expected(bin);
            let samples: Vec<f64> = self.frames.iter().map(|frame| frame[bin] / expected).collect();
            Mean::of(&samples)
        };
        (0..self.bins.count()).map(mean).collect()
    }

    /// The probability density of the counted values: mean counts over their total and the width
    /// of a bin. Not a number if nothing was counted.
    pub fn density(&self) -> Vec<Mean> {
        let total = Mean::of(&self.totals()).value;
        self.relative(|_| total * self.bins.width())
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::{correlated, even, generator};
    use super::*;
    use rand::RngExt;

    #[test]
    fn values_fall_between_the_edges_of_their_bin() {
        for bins in [Bins::even(-0.5, 0.25, 8), Bins::decades(-3, 1, 5)] {
            for bin in 0..bins.count() {
                assert_eq!(bins.find(bins.middle(bin)), Some(bin));
                let (low, high) = (bins.edge(bin), bins.edge(bin + 1));
                assert!(low < bins.middle(bin) && bins.middle(bin) < high);
                assert_eq!(bins.find(0.999 * high + 0.001 * low), Some(bin));
            }
            let end = bins.edge(bins.count());
            let beyond = [-1.0, f64::NAN, f64::INFINITY, 1.001 * end];
            assert!(beyond.iter().all(|value| bins.find(*value).is_none()));
        }
        assert!((Bins::decades(-3, 1, 5).edge(5) - 1e-2).abs() < 1e-15);
    }

    /// The error is that of binomial counts: 100 values in each of 40 frames, a fifth in each bin.
    #[test]
    fn errors_are_those_of_independent_counts() {
        let mut random = generator(5);
        let (mut near, mut far) = (0, 0.0f64);
        for _ in 0..50 {
            let mut histogram = Histogram::new(Bins::even(0.0, 0.2, 5));
            for _ in 0..40 {
                histogram.begin();
                (0..100).for_each(|_| histogram.count(random.random::<f64>()));
            }
            assert_eq!(histogram.totals(), [100.0; 40]);
            for mean in histogram.density() {
                let expected = 5.0 * (0.2f64 * 0.8 / 4000.0).sqrt();
                near += usize::from((mean.value - 1.0).abs() < 2.0 * expected);
                far += mean.stderr / expected / 250.0;
            }
        }
        assert!((225..=248).contains(&near), "{near} of 250");
        assert!(far > 0.9 && far < 1.4, "{far}");
    }

    /// Two standard errors hold the truth in more than nine of ten runs, also of correlated frames.
    #[test]
    fn errors_hold_for_correlated_frames() {
        let mut random = generator(6);
        for (frames, memory) in [(12, 0.3), (100, 0.3), (100, 2.0)] {
            let held = (0..400).filter(|_| {
                let mean = Mean::of(&correlated(&even(frames, 1.0), memory, &mut random));
                mean.value.abs() < 2.0 * mean.stderr
            });
            let held = held.count();
            assert!((360..=396).contains(&held), "{held} of 400 with {frames} frames");
        }
    }

    #[test]
    fn one_frame_has_no_error() {
        let mut histogram = Histogram::new(Bins::even(0.0, 1.0, 2));
        histogram.begin();
        histogram.count(0.5);
        let density = histogram.density();
        assert_eq!((density[0].value, density[1].value), (1.0, 0.0));
        assert!(density[0].stderr.is_nan());
    }
}
