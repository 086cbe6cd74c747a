//! Orders of differences in the Stokes number, and the limit that runs with inertia point to.

use crate::record::keys::described;
use serde::{Deserialize, Serialize};

described! {
    /// The law \\(d = C\,{\rm St}^p\\) that fits differences best.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Order {
        /// Order p: differences fall as C·St^p `[1]`.
        pub value: f64,
        /// Its standard error from the scatter about the law; none with two points `[1]`.
        pub stderr: Option<f64>,
        /// Coefficient C, with its sign, in the unit of the quantity `[q]`.
        pub coefficient: f64,
        /// How many points were fitted.
        pub points: usize,
    }

    /// Where runs with inertia point to, without a look at the quasi-static one.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Limit {
        /// The value at St → 0, in the unit of the quantity `[q]`.
        pub value: f64,
        /// The order it was found with `[1]`.
        pub order: f64,
        /// Whether three runs gave that order; otherwise it was taken to be 1.
        pub measured: bool,
    }
}

/// A Stokes number and what was found there.
pub type Pair = (f64, f64);

/// The points from the smallest Stokes number on whose differences have one sign, given in
/// ascending order: beyond a change of sign there is no power law.
pub fn one_sign(points: &[Pair]) -> &[Pair] {
    let sign = points.first().map_or(0.0, |p| p.1.signum());
    let end = points.iter().position(|p| p.1.signum() != sign || p.1 == 0.0);
    &points[..end.unwrap_or(points.len())]
}

/// The order between two differences.
pub fn local_order(one: Pair, other: Pair) -> Option<f64> {
    let order = (one.1 / other.1).ln() / (one.0 / other.0).ln();
    order.is_finite().then_some(order)
}

/// Least squares of ln|d| on ln St; none with fewer than two points. All differences have one sign.
pub fn order(points: &[Pair]) -> Option<Order> {
    let count = points.len() as f64;
    let logs: Vec<Pair> = points.iter().map(|(s, d)| (s.ln(), d.abs().ln())).collect();
    let mean = |of: fn(&Pair) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    if logs.len() < 2 || spread <= 0.0 || !y.is_finite() {
        return None;
    }
    let value = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    let left: f64 = logs.iter().map(|p| (p.1 - y - value * (p.0 - x)).powi(2)).sum();
    let stderr = (logs.len() > 2).then(|| (left / (count - 2.0) / spread).sqrt());
    let coefficient = points[0].1.signum() * (y - value * x).exp();
    Some(Order { value, stderr, coefficient, points: logs.len() })
}

/// Orders between which the order of a limit is looked for.
const ORDERS: (f64, f64) = (0.2, 6.0);

/// The limit of values at the smallest Stokes numbers, given in ascending order, and what
/// differences of them mean nothing: \\(q = q_0 + C\,{\rm St}^p\\) through the first three; through
/// the first two with p = 1 if three do not tell the order. None with fewer than two points.
pub fn limit(points: &[Pair], noise: f64) -> Option<Limit> {
    let [a, b, ..] = points else { return None };
    let through = |order: f64| {
        let (low, high) = (a.0.powf(order), b.0.powf(order));
        a.1 - (b.1 - a.1) * low / (high - low)
    };
    let told = points.get(2).and_then(|c| order_of_three([*a, *b, *c], noise));
    let order = told.unwrap_or(1.0);
    Some(Limit { value: through(order), order, measured: told.is_some() })
}

/// The order of three values alone, by bisection.
fn order_of_three([a, b, c]: [Pair; 3], noise: f64) -> Option<f64> {
    let (near, far) = (b.1 - a.1, c.1 - b.1);
    if near * far <= 0.0 || near.abs().min(far.abs()) <= noise {
        return None;
    }
    let excess = |p: f64| {
        let [a, b, c] = [a, b, c].map(|point| (point.0 / b.0).powf(p));
        (c - b) / (b - a) - far / near
    };
    let (mut low, mut high) = ORDERS;
    if excess(low) > 0.0 || excess(high) < 0.0 {
        return None;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { high = middle } else { low = middle }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOKES: [f64; 4] = [3e-3, 1e-2, 3e-2, 1e-1];

    fn law(q0: f64, c: f64, p: f64) -> Vec<Pair> {
        STOKES.iter().map(|s| (*s, q0 + c * s.powf(p))).collect()
    }

    #[test]
    fn a_known_order_and_coefficient_are_recovered() {
        for (c, p) in [(0.7, 1.0), (-30.0, 2.0), (1e-4, 1.37)] {
            let found = order(&law(0.0, c, p)).unwrap();
            assert!((found.value - p).abs() < 1e-12, "{found:?}");
            assert!((found.coefficient / c - 1.0).abs() < 1e-12, "{found:?}");
            assert!(found.stderr.unwrap() < 1e-10 && found.points == 4);
        }
        let [a, b] = [(0.01, 2e-4), (0.1, 2e-3)];
        assert!((local_order(a, b).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(order(&[a, b]).unwrap().stderr, None);
        assert_eq!(order(&[a]), None);
    }

    #[test]
    fn scatter_about_the_law_is_the_error_of_the_order() {
        let mut points = law(0.0, 1.0, 1.0);
        points[1].1 *= 1.2;
        points[2].1 /= 1.2;
        let found = order(&points).unwrap();
        assert!((found.value - 1.0).abs() < found.stderr.unwrap() * 2.0);
        assert!((0.03..0.2).contains(&found.stderr.unwrap()), "{found:?}");
    }

    #[test]
    fn the_limit_is_found_without_the_quasi_static_value() {
        for (q0, c, p) in [(14.5, 3.0, 1.0), (-2.0, 0.4, 2.0), (1e-3, -1e-2, 1.5)] {
            let found = limit(&law(q0, c, p), 1e-12).unwrap();
            assert!((found.value / q0 - 1.0).abs() < 1e-9 && found.measured, "{found:?}");
            assert!((found.order - p).abs() < 1e-6, "{found:?}");
        }
        let two = limit(&law(2.0, 1.0, 1.0)[..2], 0.0).unwrap();
        assert!((two.value - 2.0).abs() < 1e-12 && !two.measured);
        assert_eq!(limit(&law(2.0, 1.0, 1.0)[..1], 0.0), None);
    }

    #[test]
    fn noise_does_not_give_an_order_to_the_limit() {
        let noisy = [(3e-3, 5.0), (1e-2, 5.0 + 1e-7), (3e-2, 5.0 - 2e-7)];
        assert!(!limit(&noisy, 0.0).unwrap().measured);
        let small = [(3e-3, 5.0), (1e-2, 5.0 + 1e-7), (3e-2, 5.0 + 4e-7)];
        let found = limit(&small, 1e-6).unwrap();
        assert!(!found.measured && (found.value - 5.0).abs() < 1e-6);
    }

    #[test]
    fn a_change_of_sign_ends_the_power_law() {
        let points = [(1e-3, -1e-3), (1e-2, -1e-2), (1e-1, 0.05), (1.0, -1.0)];
        assert_eq!(one_sign(&points).len(), 2);
        assert_eq!(one_sign(&points[..2]).len(), 2);
        assert!(one_sign(&[]).is_empty());
    }
}
