//! How small a Stokes number is small enough.

use serde::{Deserialize, Serialize};

use super::fit::{Order, Pair, local_order};
use crate::record::keys::{Described, described};

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// All differences are within the accuracy.
    AllWithin,
    /// The limit lies between two Stokes numbers that were tried, by a power law between them.
    Interpolated,
    /// The largest Stokes number that is known to be within the accuracy; what is above is not
    /// resolved.
    Tried,
    /// No difference is within the accuracy; the limit follows from the order.
    Extrapolated,
    /// No difference is within the accuracy, and no order tells where it would be.
    NoneWithin,
    /// What is not known of the differences is larger than the accuracy.
    NotResolved,
}

impl Described for Basis {
    const UNIT: &'static str = "text";
}

described! {
    /// How small a Stokes number is small enough for a quantity.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Verdict {
        /// The largest Stokes number at which the difference stays within the accuracy; none if it
        /// is not known `[1]`.
        pub stokes: Option<f64>,
        /// What it rests on.
        pub basis: Basis,
        /// The verdict in words.
        pub text: String,
    }
}

/// A difference at a Stokes number, over its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The Stokes number.
    pub stokes: f64,
    /// Size of the difference.
    pub size: f64,
    /// What is not known of it.
    pub uncertainty: f64,
}

/// What is known of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Within,
    Beyond,
    Neither,
}

impl Judged {
    fn known(&self, accuracy: f64) -> Known {
        let doubt = 2.0 * self.uncertainty;
        match self.size <= accuracy {
            true if self.size.max(doubt) <= accuracy || self.size > doubt => Known::Within,
            false if self.size > doubt => Known::Beyond,
            _ => Known::Neither,
        }
    }
}

/// The verdict on differences in ascending order of the Stokes number; `within` is the accuracy in
/// words.
pub fn verdict(points: &[Judged], order: Option<&Order>, accuracy: f64, within: &str) -> Verdict {
    let known: Vec<Known> = points.iter().map(|point| point.known(accuracy)).collect();
    let beyond_from = known.iter().position(|k| *k == Known::Beyond).unwrap_or(known.len());
    let last = known[..beyond_from].iter().rposition(|k| *k == Known::Within);
    let Some(last) = last else {
        if beyond_from == 0
            && let Some(least) = points.first()
        {
            let tried = (points.len() == 1).then_some(least.stokes);
            return beyond(*least, order, accuracy, within, tried);
        }
        let text = format!("not resolved: differences are not known to {within}");
        return Verdict { stokes: None, basis: Basis::NotResolved, text };
    };
    let below = points[last];
    let up_to = |stokes: f64| format!("St ≤ {} is within {within}", short(stokes));
    let (stokes, basis, text) = match points.get(last + 1) {
        None if points.len() == 1 => {
            let text = format!("St = {} is within {within}", below.stokes);
            (below.stokes, Basis::AllWithin, text)
        }
        None => {
            let text = format!("{}, every St tried", up_to(below.stokes));
            (below.stokes, Basis::AllWithin, text)
        }
        Some(above) if last + 1 == beyond_from => {
            let limit = between(below, *above, accuracy);
            (limit, Basis::Interpolated, up_to(limit))
        }
        Some(_) => {
            let text = format!("{}; above, it is not resolved", up_to(below.stokes));
            (below.stokes, Basis::Tried, text)
        }
    };
    Verdict { stokes: Some(stokes), basis, text }
}

/// A limit is not extrapolated with a lower order.
const LOWEST_ORDER: f64 = 0.5;

/// A limit is not extrapolated by a larger factor.
const LARGEST_EXTRAPOLATION: f64 = 100.0;

/// The verdict where even the smallest Stokes number is too large.
fn beyond(
    least: Judged,
    order: Option<&Order>,
    accuracy: f64,
    within: &str,
    only: Option<f64>,
) -> Verdict {
    let power = order.map(|order| order.value).filter(|p| *p >= LOWEST_ORDER);
    let limit = power.map(|p| least.stokes * (accuracy / least.size).powf(1.0 / p));
    let not = match only {
        Some(stokes) => format!("St = {stokes} is not within {within}"),
        None => format!("no St tried is within {within}"),
    };
    match limit.filter(|limit| *limit * LARGEST_EXTRAPOLATION >= least.stokes) {
        Some(limit) => {
            let text = format!("{not}; extrapolated, St ≤ {} would be", short(limit));
            Verdict { stokes: Some(limit), basis: Basis::Extrapolated, text }
        }
        None => Verdict { stokes: None, basis: Basis::NoneWithin, text: not },
    }
}

/// Where the power law through two differences passes the accuracy.
fn between(below: Judged, above: Judged, accuracy: f64) -> f64 {
    let pair = |p: Judged| -> Pair { (p.stokes, p.size) };
    match local_order(pair(below), pair(above)).filter(|p| *p > 0.0) {
        Some(p) => below.stokes * (accuracy / below.size).powf(1.0 / p),
        None => below.stokes,
    }
}

/// A Stokes number to two digits.
pub fn short(stokes: f64) -> String {
    let rounded: f64 = format!("{stokes:.1e}").parse().unwrap_or(stokes);
    if (1e-3..1e4).contains(&rounded) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(sizes: &[(f64, f64)], uncertainty: f64) -> Vec<Judged> {
        sizes.iter().map(|&(stokes, size)| Judged { stokes, size, uncertainty }).collect()
    }

    fn told(sizes: &[(f64, f64)], uncertainty: f64, order: Option<f64>) -> Verdict {
        let order = order.map(|value| Order { value, stderr: None, coefficient: 1.0, points: 3 });
        verdict(&judged(sizes, uncertainty), order.as_ref(), 0.01, "1 %")
    }

    #[test]
    fn the_limit_lies_between_two_stokes_numbers() {
        let found = told(&[(1e-3, 2e-3), (1e-2, 2e-2), (1e-1, 0.2)], 0.0, Some(1.0));
        assert_eq!(found.text, "St ≤ 0.005 is within 1 %");
        assert!((found.stokes.unwrap() - 5e-3).abs() < 1e-12);
        assert_eq!(found.basis, Basis::Interpolated);
    }

    #[test]
    fn a_limit_below_all_is_called_extrapolated() {
        let found = told(&[(1e-2, 0.04), (1e-1, 4.0)], 0.0, Some(2.0));
        assert_eq!(found.text, "no St tried is within 1 %; extrapolated, St ≤ 0.005 would be");
        assert_eq!(found.basis, Basis::Extrapolated);
        let slow = told(&[(1e-2, 0.3), (1e-1, 0.4)], 0.0, Some(0.12));
        assert_eq!((slow.text.as_str(), slow.stokes), ("no St tried is within 1 %", None));
        let blind = told(&[(1e-2, 0.04)], 0.0, None);
        assert_eq!((blind.text.as_str(), blind.stokes), ("St = 0.01 is not within 1 %", None));
    }

    #[test]
    fn nothing_is_claimed_beyond_what_was_tried() {
        let found = told(&[(1e-3, 1e-5), (1e-2, 1e-4)], 0.0, Some(1.0));
        assert_eq!(found.text, "St ≤ 0.01 is within 1 %, every St tried");
        assert_eq!(found.stokes, Some(0.01));
    }

    #[test]
    fn noise_beyond_the_accuracy_is_no_verdict() {
        let found = told(&[(1e-3, 5e-3), (1e-2, 2e-3)], 0.03, None);
        assert_eq!((found.basis, found.stokes), (Basis::NotResolved, None));
        assert_eq!(found.text, "not resolved: differences are not known to 1 %");
        let half = told(&[(1e-3, 2e-3), (1e-2, 4e-3)], 8e-3, None);
        assert_eq!((half.basis, half.stokes), (Basis::NotResolved, None));
        let mut points = judged(&[(1e-3, 1e-3), (1e-2, 8e-3), (1e-1, 3e-2)], 1e-4);
        points[1].uncertainty = 0.02;
        points[2].uncertainty = 0.02;
        let tried = verdict(&points, None, 0.01, "1 %");
        assert_eq!(tried.text, "St ≤ 0.001 is within 1 %; above, it is not resolved");
        assert_eq!((tried.basis, tried.stokes), (Basis::Tried, Some(1e-3)));
        // What is far beyond the noise is known all the same.
        let far = told(&[(1e-3, 0.2), (1e-2, 2.0)], 0.03, Some(1.0));
        assert_eq!(far.basis, Basis::Extrapolated);
    }

    #[test]
    fn numbers_have_two_digits() {
        assert_eq!([0.034_56, 1.23e-5, 0.1].map(short), ["0.035", "1.2e-5", "0.1"]);
    }
}
