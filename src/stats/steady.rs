//! Where the transient ends.

use serde::{Deserialize, Serialize};

use super::Series;
use super::estimate::error_of_mean;
use crate::record::keys::described;

/// Least part of a run that is thrown away.
const LEAST_DISCARDED: f64 = 0.1;

/// Largest part of a run that is thrown away.
const MOST_DISCARDED: f64 = 0.5;

/// A start beyond this part of the run is late.
const LATE: f64 = 1.0 / 3.0;

/// Bins of the search: wide enough to average over the noise, narrow enough to place the start.
const SEARCH: usize = 40;

/// Finest grid on which a drift is told from noise.
const FINEST: usize = 100;

/// Fewer bins than this cannot tell a drift from noise.
const FEWEST: usize = 10;

/// Among starts whose marginal errors are this close to the least, the earliest is taken:
/// correlated noise makes the exact minimum wander.
const SLACK: f64 = 0.3;

/// A drift of this many standard errors moves the start to later.
const DOUBTFUL: f64 = 2.0;

/// A drift of this many standard errors over the whole run is beyond doubt.
const EVIDENT: f64 = 4.0;

/// A drift smaller than this part of the values is rounding.
const DRIFT_ROUNDING: f64 = 1e-9;

described! {
    /// Where the steady state begins, and whether it does.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct Steady {
        /// Where the transient ends: the strain, or what the series counts `[1]`.
        pub start: f64,
        /// Whether it has settled: not if a series still drifts at the end of the run, or is too
        /// short to tell; the run should then be longer.
        pub settled: bool,
    }
}

/// The end of the transient of a run that recorded several series: the latest of theirs.
///
/// Each series is cut where its marginal standard error is least, $\min_d\, s_d^2/(n-d)$ with
/// $s_d^2$ the variance of what is left: the MSER rule of White [*Simulation* 69 (1997) 323],
/// on 40 even bins. The cut then moves on while what is left drifts by more than two standard
/// errors. Between 10 % and 50 % of the run is thrown away.
///
/// The series is not settled if even its last half drifts, or if it drifts as a whole by more than
/// four standard errors and only the last two thirds or less look steady.
pub fn steady_start(series: &[Series<'_>]) -> Steady {
    let each: Vec<Steady> = series.iter().filter_map(steady).collect();
    let begin = series.iter().map(|s| s.start).fold(0.0, f64::max);
    Steady {
        start: each.iter().map(|s| s.start).fold(begin, f64::max),
        settled: !each.is_empty() && each.len() == series.len() && each.iter().all(|s| s.settled),
    }
}

/// The end of one series' transient, or `None` if the series is empty.
fn steady(series: &Series<'_>) -> Option<Steady> {
    let bins = series.rebinned(series.start, SEARCH)?;
    let count = bins.value.len();
    let place = |cut: f64| series.start + cut * bins.width;
    if count < FEWEST {
        return Some(Steady { start: place(LEAST_DISCARDED * count as f64), settled: false });
    }
    let first = (LEAST_DISCARDED * count as f64).ceil() as usize;
    let last = (MOST_DISCARDED * count as f64) as usize;
    let best = least_error(&bins.value, first, last);
    let calm = (best..=last).find(|&cut| drift(series, place(cut as f64)) <= DOUBTFUL);
    let cut = calm.unwrap_or(last) as f64;
    let late = cut > LATE * count as f64 && drift(series, place(first as f64)) > EVIDENT;
    Some(Steady { start: place(cut), settled: calm.is_some() && !late })
}

/// How many bins to drop, between `first` and `last`, for nearly the least marginal standard error.
fn least_error(bins: &[f64], first: usize, last: usize) -> usize {
    let level = bins[last..].iter().sum::<f64>() / (bins.len() - last) as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut errors = Vec::with_capacity(bins.len());
    for (left, y) in bins.iter().rev().map(|y| y - level).enumerate() {
        let left = (left + 1) as f64;
        sum += y;
        squares += y * y;
        errors.push((squares - sum * sum / left).max(0.0) / (left * left));
    }
    errors.reverse();
    let least = errors[first..=last].iter().copied().fold(f64::INFINITY, f64::min);
    (first..=last).find(|&cut| errors[cut] <= least * (1.0 + SLACK)).unwrap_or(first)
}

/// The linear drift of a series after `start` in units of its standard error.
fn drift(series: &Series<'_>, start: f64) -> f64 {
    let Some(bins) = series.rebinned(start, FINEST) else { return 0.0 };
    let values = &bins.value;
    if values.len() < 3 {
        return 0.0;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let place = |k: usize| (k as f64 + 0.5) / count - 0.5;
    let moment: f64 = values.iter().enumerate().map(|(k, y)| place(k) * (y - mean)).sum();
    // The mean square of the place is (1 - 1/n²)/12.
    let slope = 12.0 * moment / (count - 1.0 / count);
    let largest = values.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    if slope.abs() <= DRIFT_ROUNDING * largest {
        return 0.0;
    }
    let noise: Vec<f64> =
        values.iter().enumerate().map(|(k, y)| y - mean - slope * place(k)).collect();
    // A slope over the unit interval is known √12 times worse than the mean.
    slope.abs() / (12f64.sqrt() * error_of_mean(&noise))
}

#[cfg(test)]
mod tests {
    use super::super::estimate;
    use super::super::noise::{correlated, even, generator, uneven};
    use super::*;

    /// How many of 200 runs of length 10 that approach 60 as `60 - amp·exp(-t/decay)` pass a test,
    /// which is given the start and the distance of the mean from 60 in standard errors.
    fn runs(amp: f64, decay: f64, tau: f64, pass: impl Fn(Steady, f64) -> bool) -> usize {
        let mut random = generator(20);
        let mut run = || {
            let at = even(1000, 0.01);
            let mut value = correlated(&at, tau, &mut random);
            for (y, t) in value.iter_mut().zip(&at) {
                *y += 60.0 - amp * (-t / decay).exp();
            }
            let series = Series::new(&at, &value);
            let steady = steady_start(&[series]);
            let found = estimate(series, steady.start).unwrap();
            pass(steady, (found.mean - 60.0).abs() / found.stderr.unwrap())
        };
        (0..200).filter(|_| run()).count()
    }

    #[test]
    fn noise_alone_is_settled_early() {
        assert!(runs(0.0, 1.0, 0.1, |steady, _| steady.settled) >= 195);
        assert!(runs(0.0, 1.0, 0.1, |steady, _| steady.start <= 3.0) >= 190);
        assert!(runs(0.0, 1.0, 0.5, |steady, _| steady.settled) >= 190);
    }

    #[test]
    fn a_transient_is_thrown_away() {
        for (amp, decay, least, most) in [(5.0, 0.5, 1.0, 3.0), (20.0, 1.0, 2.0, 4.5)] {
            let inside = |s: Steady, _| s.settled && (least..=most).contains(&s.start);
            assert!(runs(amp, decay, 0.1, inside) >= 175, "decay {decay}");
        }
    }

    #[test]
    fn the_mean_after_a_transient_is_within_its_error() {
        for (amp, decay, tau) in [(5.0, 0.5, 0.1), (20.0, 0.5, 0.2), (20.0, 1.0, 0.1)] {
            let covered = runs(amp, decay, tau, |_, distance| distance < 2.0);
            println!("transient {amp} exp(-t/{decay}), correlation {tau}: {covered} of 200");
            assert!(covered >= 165, "transient {amp} exp(-t/{decay}): {covered}");
        }
    }

    #[test]
    fn a_run_that_never_arrives_is_flagged() {
        assert!(runs(20.0, 10.0, 0.1, |s, _| !s.settled) >= 195);
        assert!(runs(60.0, 30.0, 0.1, |s, _| !s.settled) >= 195);
        assert!(runs(5.0, 5.0, 0.02, |s, _| !s.settled) >= 195);
    }

    #[test]
    fn the_latest_of_several_series_counts() {
        let at = uneven(900, 0.01, &mut generator(3));
        let quick: Vec<f64> = correlated(&at, 0.1, &mut generator(4));
        let slow: Vec<f64> = quick.iter().zip(&at).map(|(y, t)| y - 20.0 * (-t).exp()).collect();
        let (quick, slow) = (Series::new(&at, &quick), Series::new(&at, &slow));
        let both = steady_start(&[quick, slow]);
        assert_eq!(both, steady_start(&[slow, quick]));
        assert_eq!(both.start, steady_start(&[slow]).start);
        assert!(both.start > steady_start(&[quick]).start);
    }

    #[test]
    fn a_later_beginning_shifts_the_start_alone() {
        let at = even(500, 0.02);
        let value = correlated(&at, 0.2, &mut generator(5));
        let shifted: Vec<f64> = at.iter().map(|t| t + 7.0).collect();
        let here = steady_start(&[Series::new(&at, &value)]);
        let there = steady_start(&[Series::new(&shifted, &value).starting_at(7.0)]);
        assert!((there.start - here.start - 7.0).abs() < 1e-9);
        assert_eq!(there.settled, here.settled);
    }

    #[test]
    fn a_constant_is_settled_and_a_line_is_not() {
        let at = uneven(300, 0.03, &mut generator(6));
        let constant = vec![0.1; at.len()];
        let line: Vec<f64> = at.iter().map(|t| 3.0 + 0.01 * t).collect();
        assert!(steady_start(&[Series::new(&at, &constant)]).settled);
        assert!(!steady_start(&[Series::new(&at, &line)]).settled);
    }

    #[test]
    fn too_few_rows_are_never_settled() {
        assert_eq!(steady_start(&[]), Steady { start: 0.0, settled: false });
        for count in 0..9 {
            let at = even(count, 1.0);
            let value: Vec<f64> = at.iter().map(|t| t.sin()).collect();
            let steady = steady_start(&[Series::new(&at, &value)]);
            assert!(!steady.settled && steady.start.is_finite());
            assert!((steady.start - 0.1 * count as f64).abs() < 1e-12);
        }
    }
}
