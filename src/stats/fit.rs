//! Where a measured curve diverges: \\(y = A\,(1 - x/x_J)^{-\lambda}\\).
//!
//! The fit is one of \\(\ln y\\), weighed by the relative errors. For a given \\(x_J\\) it is a
//! straight line in \\(-\ln(1 - x/x_J)\\), so that only \\(\chi^2(x_J)\\) is left to be searched.
//!
//! The law holds near the divergence. So the lowest points are left out, one at a time, while a
//! misfit as large as that of the rest would happen in less than one of twenty good fits. The rule
//! looks at the misfit only, never at \\(x_J\\).

use serde::Serialize;

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Abscissa, positive.
    pub x: f64,
    /// Ordinate, positive.
    pub y: f64,
    /// Standard error of the ordinate.
    pub stderr: f64,
}

/// The law \\(y = A\,(1 - x/x_J)^{-\lambda}\\) that fits a curve best.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Divergence {
    /// x_J, in the unit of the abscissa.
    pub at: f64,
    /// Its standard error: the larger of half the interval in which χ² grows by less than one (more
    /// if the fit is bad), and of the jackknife over the points if five or more are fitted.
    pub at_stderr: f64,
    /// The interval in which χ² grows by less than one; it need not be symmetric.
    pub interval: [f64; 2],
    /// The jackknife's standard error of x_J, with five points or more.
    pub jackknife: Option<f64>,
    /// λ.
    pub exponent: f64,
    /// Its standard error; zero if it was given.
    pub exponent_stderr: f64,
    /// A, in the unit of the ordinate.
    pub amplitude: f64,
    /// The lowest abscissa that was fitted.
    pub from: f64,
    /// How many points were fitted.
    pub points: usize,
    /// The misfit.
    pub chi_squared: f64,
    /// Points less parameters.
    pub freedom: usize,
}

impl Divergence {
    /// Whether the law describes the points: nineteen of twenty good fits have no larger misfit.
    pub fn good(&self) -> bool {
        self.chi_squared <= often(self.freedom)
    }

    /// The law at an abscissa, infinite from x_J on.
    pub fn at(&self, x: f64) -> f64 {
        if x < self.at {
            self.amplitude * (1.0 - x / self.at).powf(-self.exponent)
        } else {
            f64::INFINITY
        }
    }
}

/// Fewer points are not fitted: there are three parameters.
const FEWEST_POINTS: usize = 4;

/// Relative errors below this are not believed: particles and steps are finite. `[1]`
const FLOOR: f64 = 0.01;

/// x_J is looked for up to this multiple of the highest abscissa.
const FARTHEST_DIVERGENCE: f64 = 1.5;

/// Places at which χ² is looked at first.
const PLACES: usize = 300;

/// Fits the law to a curve, the exponent free. `None` if fewer than four points have a positive
/// value and an error, or if they do not say where the curve diverges.
pub fn divergence(points: &[Measured]) -> Option<Divergence> {
    fit_upper(points, None)
}

/// The same with a given exponent.
pub fn divergence_with_exponent(points: &[Measured], exponent: f64) -> Option<Divergence> {
    fit_upper(points, Some(exponent))
}

fn fit_upper(points: &[Measured], exponent: Option<f64>) -> Option<Divergence> {
    let fits = |p: &&Measured| [p.x, p.y, p.stderr].iter().all(|v| v.is_finite() && *v > 0.0);
    let mut points: Vec<Measured> = points.iter().filter(fits).copied().collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut logs = Logs { points: points.iter().map(Log::new).collect(), exponent };
    let parameters = if exponent.is_some() { 2 } else { 3 };
    loop {
        let freedom = logs.points.len().checked_sub(parameters)?;
        if logs.points.len() < FEWEST_POINTS {
            return None;
        }
        let best = logs.best();
        let good = best.is_some_and(|at| logs.line(at).misfit <= often(freedom));
        if good || logs.points.len() == FEWEST_POINTS {
            return logs.judged(best?, freedom);
        }
        logs.points.remove(0);
    }
}

/// The misfit that nineteen of twenty good fits stay below (Wilson and Hilferty 1931).
fn often(freedom: usize) -> f64 {
    let n = freedom as f64;
    let part = 2.0 / (9.0 * n);
    n * (1.0 - part + 1.645 * part.sqrt()).powi(3)
}

/// A point with the logarithm of its ordinate.
#[derive(Clone, Copy)]
struct Log {
    x: f64,
    value: f64,
    weight: f64,
}

impl Log {
    fn new(point: &Measured) -> Self {
        let error = (point.stderr / point.y).max(FLOOR);
        Self { x: point.x, value: point.y.ln(), weight: error.powi(-2) }
    }
}

/// The straight line through the logarithms for one x_J.
struct Line {
    misfit: f64,
    exponent: f64,
    /// Variance of the exponent at this x_J.
    variance: f64,
    logarithm: f64,
}

/// Points to be fitted, in ascending order.
struct Logs {
    points: Vec<Log>,
    exponent: Option<f64>,
}

impl Logs {
    fn line(&self, at: f64) -> Line {
        let rise = |p: &Log| -(-p.x / at).ln_1p();
        let sum =
            |f: &dyn Fn(&Log) -> f64| self.points.iter().map(|p| p.weight * f(p)).sum::<f64>();
        let all = sum(&|_| 1.0);
        let (x, y) = (sum(&rise) / all, sum(&|p| p.value) / all);
        let xx = sum(&|p| (rise(p) - x).powi(2));
        let xy = sum(&|p| (rise(p) - x) * (p.value - y));
        let (exponent, variance) = match self.exponent {
            Some(given) => (given, 0.0),
            None => (xy / xx, 1.0 / xx),
        };
        let logarithm = y - exponent * x;
        let misfit = sum(&|p| (p.value - logarithm - exponent * rise(p)).powi(2));
        Line { misfit, exponent, variance, logarithm }
    }

    /// x_J at a place between 0, just above the highest point, and 1, the furthest.
    fn at(&self, place: f64) -> f64 {
        let top = self.points.last().map_or(1.0, |p| p.x);
        let (near, far) = (1e-4 * top, (FARTHEST_DIVERGENCE - 1.0) * top);
        top + near * (far / near).powf(place)
    }

    /// Where the misfit is least, unless that is at the end of the search.
    fn best(&self) -> Option<f64> {
        let misfit = |k: usize| self.line(self.at(k as f64 / PLACES as f64)).misfit;
        let least = (0..=PLACES).min_by(|a, b| misfit(*a).total_cmp(&misfit(*b)))?;
        if least == 0 || least == PLACES {
            return None;
        }
        // Golden section between its neighbours.
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let step = 1.0 / PLACES as f64;
        let (mut low, mut high) = ((least - 1) as f64 * step, (least + 1) as f64 * step);
        for _ in 0..60 {
            let (a, b) = (high - golden * (high - low), low + golden * (high - low));
            if self.line(self.at(a)).misfit < self.line(self.at(b)).misfit {
                high = b;
            } else {
                low = a;
            }
        }
        let at = self.at(0.5 * (low + high));
        (self.line(at).exponent > 0.0).then_some(at)
    }

    /// Where the misfit reaches a bound between the best x_J and an end of the search.
    fn edge(&self, best: f64, end: f64, bound: f64) -> Option<f64> {
        if self.line(end).misfit < bound {
            return None;
        }
        let (mut inside, mut outside) = (best, end);
        for _ in 0..80 {
            let middle = 0.5 * (inside + outside);
            if self.line(middle).misfit < bound { inside = middle } else { outside = middle }
        }
        Some(0.5 * (inside + outside))
    }

    /// The fit with its errors; `None` if the points allow any x_J above some value.
    fn judged(&self, at: f64, freedom: usize) -> Option<Divergence> {
        let line = self.line(at);
        let badness = (line.misfit / freedom as f64).max(1.0);
        let bound = line.misfit + badness;
        let high = self.edge(at, self.at(1.0), bound)?;
        let low = self.edge(at, self.at(0.0), bound).unwrap_or(self.at(0.0));
        let half = 0.5 * (high - low);
        let jackknife = self.jackknife();
        let along = 0.5 * (self.line(high).exponent - self.line(low).exponent);
        Some(Divergence {
            at,
            at_stderr: half.max(jackknife.unwrap_or(0.0)),
            interval: [low, high],
            jackknife,
            exponent: line.exponent,
            exponent_stderr: (along * along + badness * line.variance).sqrt(),
            amplitude: line.logarithm.exp(),
            from: self.points.first()?.x,
            points: self.points.len(),
            chi_squared: line.misfit,
            freedom,
        })
    }

    /// The jackknife's error of x_J. Without one of the points the search may find nothing: then
    /// x_J is as far as can be.
    fn jackknife(&self) -> Option<f64> {
        let count = self.points.len();
        if count <= FEWEST_POINTS {
            return None;
        }
        let without = |k: usize| {
            let mut points = self.points.clone();
            points.remove(k);
            let rest = Logs { points, exponent: self.exponent };
            rest.best().unwrap_or(rest.at(1.0))
        };
        let found: Vec<f64> = (0..count).map(without).collect();
        let n = count as f64;
        let mean = found.iter().sum::<f64>() / n;
        let squares: f64 = found.iter().map(|at| (at - mean).powi(2)).sum();
        Some(((n - 1.0) / n * squares).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::{generator, normal};
    use super::*;

    const DENSE: [f64; 6] = [0.45, 0.48, 0.51, 0.54, 0.57, 0.60];

    fn law(x: f64) -> f64 {
        1.5 * (1.0 - x / 0.65f64).powf(-1.8)
    }

    fn exact(x: &[f64], error: f64) -> Vec<Measured> {
        x.iter().map(|x| Measured { x: *x, y: law(*x), stderr: error * law(*x) }).collect()
    }

    /// η_r of the reference code at one friction, with its missing 2.5 φ, up to φ = `top`.
    fn reference(friction: &str, top: f64) -> Vec<Measured> {
        let text = include_str!("../../tests/reference/lf_dem_viscosity_n200.csv");
        let rows = text.lines().filter(|line| line.starts_with(&format!("{friction},")));
        let point = |line: &str| {
            let column = |k: usize| line.split(',').nth(k).unwrap().parse::<f64>().unwrap();
            Measured { x: column(1), y: column(3) + 2.5 * column(1), stderr: column(5) }
        };
        rows.map(point).filter(|p| p.x <= top).collect()
    }

    #[test]
    fn a_law_without_noise_is_found() {
        let found = divergence(&exact(&DENSE, 0.02)).unwrap();
        assert!((found.at - 0.65).abs() < 1e-5, "{found:?}");
        assert!((found.exponent - 1.8).abs() < 1e-3 && (found.amplitude - 1.5).abs() < 1e-2);
        assert!(found.points == 6 && found.freedom == 3 && found.at(0.7).is_infinite());
        assert!(found.good());
        let given = divergence_with_exponent(&exact(&DENSE, 0.02), 1.8).unwrap();
        assert!((given.at - 0.65).abs() < 1e-5 && given.freedom == 4, "{given:?}");
        assert!(given.at_stderr < 0.5 * found.at_stderr);
    }

    #[test]
    fn the_error_covers_the_truth() {
        let mut random = generator(41);
        for (x, noise) in [(&DENSE[..], 0.02), (&DENSE[..], 0.05), (&DENSE[1..5], 0.02)] {
            let (mut hits, mut found) = (0, Vec::new());
            for _ in 0..300 {
                let mut points = exact(x, noise);
                points.iter_mut().for_each(|p| p.y *= (noise * normal(&mut random)).exp());
                let Some(fit) = divergence(&points) else { continue };
                hits += usize::from((fit.at - 0.65).abs() < 2.0 * fit.at_stderr);
                found.push((fit.at, fit.at_stderr));
            }
            let n = found.len() as f64;
            let scatter = (found.iter().map(|(at, _)| (at - 0.65).powi(2)).sum::<f64>() / n).sqrt();
            let stated = found.iter().map(|(_, error)| error).sum::<f64>() / n;
            let covered = hits as f64 / n;
            println!(
                "{} points, {noise}: {n} found, {covered:.3} covered, scatter {scatter:.4}, \
                 stated {stated:.4}",
                x.len()
            );
            assert!(covered >= 0.88 && n > 150.0, "{noise}: {covered} of {n}");
            assert!(stated < 3.0 * scatter, "{noise}: {stated} against {scatter}");
        }
    }

    #[test]
    fn low_points_that_do_not_fit_are_left_out() {
        let mut points = exact(&DENSE, 0.01);
        for (x, y) in [(0.1, 1.3), (0.2, 1.8), (0.3, 2.9)] {
            points.push(Measured { x, y, stderr: 0.01 * y });
        }
        let found = divergence(&points).unwrap();
        assert!(found.from > 0.3 && (found.at - 0.65).abs() < 2.0 * found.at_stderr, "{found:?}");
    }

    #[test]
    fn a_curve_that_is_no_power_law_is_told() {
        let mut points = exact(&DENSE, 0.01);
        points[3].y *= 0.9;
        let found = divergence(&points).unwrap();
        assert!(!found.good() && found.points == 4, "{found:?}");
        let clean = divergence(&exact(&DENSE[2..], 0.01)).unwrap();
        assert!(found.at_stderr > 1.5 * clean.at_stderr, "{found:?} against {clean:?}");
    }

    #[test]
    fn points_that_do_not_tell_have_no_answer() {
        assert!(divergence(&exact(&DENSE[..3], 0.01)).is_none());
        let flat = DENSE.map(|x| Measured { x, y: 3.0, stderr: 0.1 });
        assert!(divergence(&flat).is_none());
        assert!(divergence(&exact(&[0.1, 0.15, 0.2, 0.25], 0.1)).is_none());
        let without = exact(&DENSE, 0.0);
        assert!(divergence(&without).is_none());
    }

    #[test]
    fn the_reference_code_jams_where_random_packings_do() {
        for top in [0.58, 0.60] {
            let found = divergence(&reference("0", top)).unwrap();
            println!("up to {top}: {found:?}");
            assert!((0.64..0.66).contains(&found.at), "{found:?}");
            assert!((1.3..1.9).contains(&found.exponent), "{found:?}");
        }
        let frictional = divergence(&reference("1", 0.54)).unwrap();
        println!("frictional: {frictional:?}");
        assert!((0.56..0.63).contains(&frictional.at), "{frictional:?}");
    }
}
