//! Means of independent runs of the same system, put together.
//!
//! A run counts by the strain it was averaged over: the runs have one correlation time between
//! them, and the strain is known better than the number of effective samples that each found for
//! itself.
//!
//! The error is known in two ways. Propagated, it follows from the errors of the runs; but these
//! know nothing of what a run keeps from its first configuration. The scatter between runs knows,
//! but few runs say it badly. The larger of the two variances is taken, and widened by Student's
//! factor. Its degrees of freedom are those of the scatter, and those of the propagated variance in
//! so far as it agrees: all of them if it is the larger, fewer by the square of the ratio if not.

use super::estimate::student;

/// The mean of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The mean.
    pub mean: f64,
    /// Its standard error as [`Estimate::stderr`](super::Estimate::stderr) gives it.
    pub stderr: Option<f64>,
    /// Effective samples behind that error. `[1]`
    pub effective_samples: f64,
    /// What the run counts: the strain averaged over. `[1]`
    pub weight: f64,
}

/// The mean of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pooled {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` if a single run does not know its own.
    pub stderr: Option<f64>,
    /// How many runs it is made of.
    pub runs: usize,
}

/// A variance and its degrees of freedom.
#[derive(Clone, Copy)]
struct Variance {
    value: f64,
    freedom: f64,
}

/// The mean of independent runs, or `None` without any. Weights that are not positive count as if
/// all were equal.
pub fn pool(parts: &[Part]) -> Option<Pooled> {
    let usable = parts.iter().all(|p| p.weight.is_finite() && p.weight > 0.0);
    let weight = |p: &Part| if usable { p.weight } else { 1.0 };
    let total: f64 = parts.iter().map(weight).sum();
    let shares: Vec<f64> = parts.iter().map(|p| weight(p) / total).collect();
    let mean = parts.iter().zip(&shares).map(|(p, w)| w * p.mean).sum();
    let stderr = match parts {
        [] => return None,
        [one] => one.stderr,
        _ => Some(error(propagated(parts, &shares), scatter(parts, &shares, mean))),
    };
    Some(Pooled { mean, stderr, runs: parts.len() })
}

/// The larger of the two variances, widened.
fn error(propagated: Option<Variance>, scatter: Variance) -> f64 {
    let known = propagated.unwrap_or(Variance { value: 0.0, freedom: 0.0 });
    let value = known.value.max(scatter.value);
    if value <= 0.0 {
        return 0.0;
    }
    let freedom = scatter.freedom + known.freedom * (known.value / value).powi(2);
    value.sqrt() * student(freedom)
}

/// The variance that follows from the errors of the runs, without their Student factors; its
/// degrees of freedom are Welch and Satterthwaite's.
fn propagated(parts: &[Part], shares: &[f64]) -> Option<Variance> {
    let (mut value, mut spread) = (0.0, 0.0);
    for (part, share) in parts.iter().zip(shares) {
        // Half the effective samples, as in the error of a run.
        let freedom = (0.5 * part.effective_samples).max(1.0);
        let own = (share * part.stderr? / student(freedom)).powi(2);
        value += own;
        spread += own * own / freedom;
    }
    let freedom = if spread > 0.0 { value * value / spread } else { 0.0 };
    Some(Variance { value, freedom })
}

/// The variance of the mean of at least two runs from their scatter.
fn scatter(parts: &[Part], shares: &[f64], mean: f64) -> Variance {
    let squares: f64 = shares.iter().map(|w| w * w).sum();
    let about = parts.iter().zip(shares).map(|(p, w)| w * (p.mean - mean).powi(2));
    Variance { value: about.sum::<f64>() / (1.0 - squares) * squares, freedom: 1.0 / squares - 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::noise::{correlated, even, generator, normal};
    use super::super::{Series, estimate};
    use super::*;

    fn part(mean: f64, stderr: f64, weight: f64) -> Part {
        Part { mean, stderr: Some(stderr), effective_samples: 1e6, weight }
    }

    #[test]
    fn runs_count_by_their_strain() {
        let pooled = pool(&[part(10.0, 0.3, 20.0), part(13.0, 0.6, 10.0)]).unwrap();
        assert!((pooled.mean - 11.0).abs() < 1e-12 && pooled.runs == 2);
        let equal = pool(&[part(10.0, 0.3, 0.0), part(13.0, 0.6, 10.0)]).unwrap();
        assert!((equal.mean - 11.5).abs() < 1e-12);
    }

    #[test]
    fn runs_that_agree_have_the_propagated_error() {
        let parts = [10.0, 10.01, 9.99, 10.0].map(|mean| part(mean, 0.4, 5.0));
        let error = pool(&parts).unwrap().stderr.unwrap();
        assert!((error - 0.2).abs() < 1e-3, "{error}");
    }

    #[test]
    fn runs_that_disagree_have_the_error_of_their_scatter() {
        let parts = [9.0, 11.0, 9.0, 11.0].map(|mean| part(mean, 1e-3, 5.0));
        let error = pool(&parts).unwrap().stderr.unwrap();
        // The sample's standard deviation is √(4/3); three degrees of freedom.
        let expected = (4.0f64 / 3.0).sqrt() / 2.0 * student(3.0);
        assert!((error - expected).abs() < 1e-3 * expected, "{error} against {expected}");
    }

    #[test]
    fn one_run_is_left_as_it_is() {
        let one = Part { stderr: None, ..part(3.0, 0.0, 1.0) };
        assert_eq!(pool(&[one]), Some(Pooled { mean: 3.0, stderr: None, runs: 1 }));
        assert_eq!(pool(&[]), None);
        let constant = pool(&[part(1.0, 0.0, 1.0), part(1.0, 0.0, 2.0)]).unwrap();
        assert_eq!((constant.mean, constant.stderr), (1.0, Some(0.0)));
        let unknown = pool(&[Part { mean: 5.0, ..one }, one]).unwrap();
        assert!(unknown.stderr.unwrap() > 1.0, "{unknown:?}");
    }

    /// How often the truth lies within two standard errors of the mean of `runs` runs of 30
    /// correlation times, and the error over the true one; `own` is what each run keeps of its
    /// start, in standard errors of a run.
    fn coverage(runs: usize, own: f64) -> (f64, f64) {
        let mut random = generator(31);
        let (repeats, length) = (400, 30.0);
        let of_run = (2.0f64 / length).sqrt();
        let mut hits = 0;
        let mut stated = 0.0;
        for _ in 0..repeats {
            let mut run = || {
                let at = even(300, 0.1);
                let kept = own * of_run * normal(&mut random);
                let value: Vec<f64> =
                    correlated(&at, 1.0, &mut random).iter().map(|y| y + kept).collect();
                let found = estimate(Series::new(&at, &value), 0.0).unwrap();
                let effective_samples = found.effective_samples;
                Part { mean: found.mean, stderr: found.stderr, effective_samples, weight: length }
            };
            let parts: Vec<Part> = (0..runs).map(|_| run()).collect();
            let pooled = pool(&parts).unwrap();
            let error = pooled.stderr.unwrap();
            hits += usize::from(pooled.mean.abs() < 2.0 * error);
            stated += error / f64::from(repeats);
        }
        let truth = of_run * ((1.0 + own * own) / runs as f64).sqrt();
        (hits as f64 / f64::from(repeats), stated / truth)
    }

    #[test]
    fn the_error_covers_the_truth() {
        for (runs, own) in [(2, 0.0), (3, 0.0), (5, 0.0), (2, 1.0), (3, 1.0), (5, 3.0)] {
            let (covered, ratio) = coverage(runs, own);
            println!("{runs} runs, {own} kept: {covered}, error over true error {ratio:.2}");
            assert!((0.88..=0.995).contains(&covered), "{runs} {own}: {covered}");
            assert!(ratio < 2.5, "{runs} {own}: {ratio}");
        }
    }
}
