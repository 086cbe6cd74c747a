//! The mean of a correlated series and its honest standard error.

use serde::{Deserialize, Serialize};

use super::Series;
use super::series::Bins;
use crate::record::keys::Described;

/// Finest grid the correlation function is summed on.
const FINEST: usize = 8192;

/// The window of the correlation sum, in integrated correlation times (Sokal's `c`).
const WINDOW: f64 = 4.0;

/// A mean with everything needed to judge it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean, each row weighed by its interval. In the unit of the series.
    pub mean: f64,
    /// Standard error of the mean. Correlation is accounted for, and few effective samples widen
    /// it by Student's factor, so that `mean ± 2 stderr` still holds the truth nine times in ten.
    /// `None` when a single row leaves it unknown; zero only if all rows are equal. In the unit
    /// of the series.
    pub stderr: Option<f64>,
    /// Standard deviation of the rows, each weighed by its interval. In the unit of the series.
    pub std: f64,
    /// Integrated correlation time, ∫₀^∞ ρ dt, about half a row if there is none. In the unit of
    /// the abscissa, `[1]` for strain.
    pub correlation: f64,
    /// Length of the series in units of twice its correlation time: the number of independent
    /// samples that would know the mean as well. `[1]`
    pub effective_samples: f64,
}

impl Described for Estimate {
    const UNIT: &'static str = "";
    const ENDING: &'static str = ".*";
}

/// The mean of a series after `from`, or `None` if it has no row there.
///
/// The variance of the mean is the sum of the autocovariance over a window,
/// $V = \frac1n \bigl(c_0 + 2\sum_{k=1}^{W} c_k\bigr)$, with Sokal's automatic window: the smallest
/// $W \ge 4\tau(W)$ [A. D. Sokal, *Monte Carlo methods in statistical mechanics* (1997),
/// section 3]. Subtracting the sample's own mean lowers every $c_k$ by about $V$, which is put
/// back [U. Wolff, *Comput. Phys. Commun.* 156 (2004) 143].
pub fn estimate(series: Series<'_>, from: f64) -> Option<Estimate> {
    let bins = series.rebinned(from, FINEST)?;
    let length = bins.width * bins.value.len() as f64;
    let (mut sum, mut rows) = (0.0, 0);
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for row in series.intervals(from) {
        sum += row.length() * row.value;
        rows += 1;
        (lowest, highest) = (lowest.min(row.value), highest.max(row.value));
    }
    let mean = (sum / length).clamp(lowest, highest);
    let square = series.intervals(from).map(|row| row.length() * (row.value - mean).powi(2));
    let std = (square.sum::<f64>() / length).sqrt();
    // Rows that are all equal have no error and nothing to correlate.
    let varied = lowest < highest;
    let (stderr, samples) = if varied { of_bins(&bins, std) } else { (0.0, rows as f64) };
    Some(Estimate {
        mean,
        stderr: (rows > 1).then_some(stderr),
        std,
        correlation: 0.5 * length / samples,
        effective_samples: samples,
    })
}

/// Standard error of the mean, and the effective number of samples, of rows that are not all equal
/// and have the standard deviation `std`.
fn of_bins(bins: &Bins, std: f64) -> (f64, f64) {
    let count = bins.value.len();
    if count < 2 {
        // One row outweighs all others together: their spread is all that is known.
        return (std * student(1.0), 1.0);
    }
    let mut found = windowed(&bins.value);
    // Bins may average a fluctuation away; independent rows would not.
    found.variance = found.variance.max(std * std / (bins.rows - 1.0));
    (found.error(count), 1.0 + std * std / found.variance)
}

/// Standard error of the mean of even samples, at least two.
pub(super) fn error_of_mean(samples: &[f64]) -> f64 {
    windowed(samples).error(samples.len())
}

/// Variance of the mean, and the integrated correlation time in bins.
struct Windowed {
    variance: f64,
    time: f64,
}

impl Windowed {
    /// Standard error of the mean of `count` bins.
    ///
    /// A windowed sum knows the variance worse than independent samples would: half the effective
    /// samples count as degrees of freedom. That half is measured, see the coverage test below.
    fn error(&self, count: usize) -> f64 {
        let samples = count as f64 / (2.0 * self.time);
        self.variance.sqrt() * student(samples / 2.0)
    }
}

/// The windowed autocovariance sum of at least two bins.
fn windowed(value: &[f64]) -> Windowed {
    let count = value.len();
    let mean = value.iter().sum::<f64>() / count as f64;
    let deviation: Vec<f64> = value.iter().map(|y| y - mean).collect();
    let variance = covariance(&deviation, 0);
    let mut sum = variance;
    let mut found = unbiased(sum, variance, 0, count);
    for window in 1..=count / 2 {
        if window as f64 > WINDOW * found.time {
            break;
        }
        sum += 2.0 * covariance(&deviation, window);
        found = unbiased(sum, variance, window, count);
    }
    found
}

/// Autocovariance at a lag, normalised by the full count.
fn covariance(deviation: &[f64], lag: usize) -> f64 {
    let pairs = deviation.iter().zip(&deviation[lag..]);
    pairs.map(|(a, b)| a * b).sum::<f64>() / deviation.len() as f64
}

/// Puts back what subtracting the sample mean took from the sum over `2 window + 1` lags.
///
/// Never below the values for uncorrelated bins: anticorrelation is not credited, because a short
/// series fakes it easily.
fn unbiased(sum: f64, variance: f64, window: usize, count: usize) -> Windowed {
    let (w, n) = (window as f64, count as f64);
    let lost = (2.0 * w + 1.0) / n - w * (w + 1.0) / (n * n);
    let of_mean = (sum / n / (1.0 - lost)).max(variance / (n - 1.0));
    Windowed { variance: of_mean, time: (0.5 * n * of_mean / (variance + of_mean)).max(0.5) }
}

/// Half of Student's quantile at the level of two normal deviations, for `freedom` ≥ 1 degrees of
/// freedom: Abramowitz and Stegun 26.7.5 at x = 2.
pub(super) fn student(freedom: f64) -> f64 {
    let x = 1.0 / freedom.max(1.0);
    1.0 + x * (5.0 / 4.0 + x * (49.0 / 32.0 + x * (183.0 / 128.0)))
}

#[cfg(test)]
mod tests {
    use super::super::noise::{correlated as process, even, generator, normal, uneven};
    use super::*;

    /// How often, in 200 runs of `length` correlation times, the true mean lies within
    /// ±2 standard errors.
    fn coverage(length: f64, step: f64, even_steps: bool) -> f64 {
        let mut random = generator(11);
        let mut run = || {
            let count = (length / step).round() as usize;
            let at = if even_steps { even(count, step) } else { uneven(count, step, &mut random) };
            let value: Vec<f64> =
                process(&at, 1.0, &mut random).iter().map(|y| 40.0 + 3.0 * y).collect();
            let found = estimate(Series::new(&at, &value), 0.0).unwrap();
            (found.mean - 40.0).abs() < 2.0 * found.stderr.unwrap()
        };
        (0..200).filter(|_| run()).count() as f64 / 200.0
    }

    #[test]
    fn the_error_covers_the_truth() {
        for (length, step) in [(20.0, 0.1), (20.0, 0.5), (100.0, 0.1), (100.0, 1.0)] {
            for even_steps in [true, false] {
                let covered = coverage(length, step, even_steps);
                println!("{length} correlation times, step {step}, even {even_steps}: {covered}");
                assert!((0.88..=0.99).contains(&covered), "{length} {step}: {covered}");
            }
        }
    }

    #[test]
    fn the_error_is_not_wider_than_need_be() {
        // The variance of the mean of a long series is 2τ/T.
        let mut random = generator(12);
        let mut ratio = 0.0;
        for _ in 0..50 {
            let at = even(5000, 0.1);
            let value = process(&at, 1.0, &mut random);
            let found = estimate(Series::new(&at, &value), 0.0).unwrap();
            ratio += found.stderr.unwrap() / (2.0f64 / 500.0).sqrt() / 50.0;
        }
        assert!((0.95..1.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn the_correlation_time_is_found() {
        let at = uneven(200_000, 0.05, &mut generator(13));
        let value = process(&at, 2.0, &mut generator(14));
        let found = estimate(Series::new(&at, &value), 0.0).unwrap();
        assert!((found.correlation - 2.0).abs() < 0.2, "{found:?}");
        assert!((found.std - 1.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn independent_samples_have_the_textbook_error() {
        let mut random = generator(15);
        let at = even(10_000, 0.01);
        let value: Vec<f64> = at.iter().map(|_| normal(&mut random)).collect();
        let found = estimate(Series::new(&at, &value), 0.0).unwrap();
        assert!((found.stderr.unwrap() * 100.0 - 1.0).abs() < 0.1, "{found:?}");
        assert!((found.correlation - 0.005).abs() < 0.001, "{found:?}");
    }

    #[test]
    fn rows_are_weighed_by_their_intervals() {
        let found = estimate(Series::new(&[1.0, 1.5, 4.0], &[2.0, 8.0, 4.0]), 0.0).unwrap();
        assert!((found.mean - 4.0).abs() < 1e-12);
        assert!((found.std - 3f64.sqrt()).abs() < 1e-12);
        let later = estimate(Series::new(&[1.0, 1.5, 4.0], &[2.0, 8.0, 4.0]), 1.25).unwrap();
        assert!((later.mean - (0.25 * 8.0 + 2.5 * 4.0) / 2.75).abs() < 1e-12);
    }

    #[test]
    fn short_series_are_honest() {
        assert_eq!(estimate(Series::new(&[], &[]), 0.0), None);
        assert_eq!(estimate(Series::new(&[1.0, 2.0], &[3.0, 4.0]), 2.0), None);
        let one = estimate(Series::new(&[1.0], &[3.0]), 0.0).unwrap();
        assert_eq!((one.mean, one.stderr, one.std), (3.0, None, 0.0));
        for (at, value) in [
            (vec![1.0, 2.0], vec![3.0, 4.0]),
            (vec![1.0, 2.0, 3.0], vec![3.0, 4.0, 3.0]),
            (vec![0.01, 2.0], vec![3.0, 4.0]),
            (vec![1.0, 2.0, 3.0, 4.0], vec![1.0, -1.0, 1.0, -1.0]),
            (vec![0.4, 1.0, 1.4, 2.0], vec![3.0, -2.0, 3.0, -2.0]),
        ] {
            let found = estimate(Series::new(&at, &value), 0.0).unwrap();
            let textbook = found.std / (value.len() as f64 - 1.0).sqrt();
            assert!(found.stderr.unwrap() > 0.99 * textbook, "{found:?}");
            assert!(found.stderr.unwrap().is_finite() && found.effective_samples.is_finite());
        }
    }

    #[test]
    fn a_constant_has_no_error() {
        for count in 2..20 {
            let at = uneven(count, 0.1, &mut generator(16));
            let found = estimate(Series::new(&at, &vec![0.1; count]), 0.0).unwrap();
            assert_eq!((found.mean, found.stderr, found.std), (0.1, Some(0.0), 0.0));
        }
    }

    #[test]
    fn it_serialises_without_nan() {
        let one = estimate(Series::new(&[1.0], &[3.0]), 0.0).unwrap();
        let json = serde_json::to_value(one).unwrap();
        assert!(json["stderr"].is_null() && json["mean"] == 3.0);
    }
}
