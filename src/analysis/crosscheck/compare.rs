//! From the runs in a directory to what they say together.

use std::path::Path;

use super::figure::digits;
use super::fit::{self, Pair};
use super::measure::{Seen, window};
use super::results::{Crosscheck, Finding, Point, Window};
use super::verdict::{Judged, verdict};
use super::{Member, Question};
use crate::case::{Case, Scheme};
use crate::error::Error;
use crate::record::SUMMARY;
use crate::study;
use crate::study::quantity::{Quantity, Scale};

/// Differences below this share of a quantity are rounding, or due to how a run ends.
const DIFFERENCE_ROUNDING: f64 = 1e-9;

/// All runs that are finished.
struct Runs {
    quasi_static: Seen,
    /// In descending order of the Stokes number.
    inertial: Vec<(f64, Seen)>,
    /// Runs with shorter steps, by their Stokes numbers.
    fine: Vec<(f64, Seen)>,
}

impl Runs {
    fn read(question: &Question, case: &Case, directory: &Path) -> Result<Self, Error> {
        let (mut inertial, mut fine) = (Vec::new(), Vec::new());
        let with_paths = question.follows_paths(case);
        let read = |member: Member| -> Result<Seen, Error> {
            Seen::read(&directory.join(member.name()), case, with_paths)
        };
        let quasi_static = read(Member { stokes: 0.0, fine: false })?;
        for member in question.members().into_iter().skip(1) {
            if !directory.join(member.name()).join(SUMMARY).exists() {
                continue;
            }
            let runs = if member.fine { &mut fine } else { &mut inertial };
            runs.push((member.stokes, read(member)?));
        }
        Ok(Runs { quasi_static, inertial, fine })
    }

    fn all(&self) -> impl Iterator<Item = &Seen> + Clone {
        let others = self.inertial.iter().chain(&self.fine).map(|(_, seen)| seen);
        [&self.quasi_static].into_iter().chain(others)
    }

    /// What the length of the steps makes of a quantity at a Stokes number: what shorter ones
    /// change.
    fn numerical(&self, (stokes, run): (f64, &Seen), quantity: &Quantity, window: &Window) -> f64 {
        let fine = self.fine.iter().find(|(other, _)| *other == stokes);
        let change = fine.and_then(|(_, seen)| seen.difference(run, quantity.source, window));
        change.unwrap_or(0.0).abs()
    }
}

/// Compares the finished runs of a question in its directory.
///
/// # Errors
///
/// When a file cannot be read.
pub fn compare(question: &Question, case: &Case, directory: &Path) -> Result<Crosscheck, Error> {
    let runs = Runs::read(question, case, directory)?;
    let window = window(runs.all());
    let mut notes = Vec::new();
    let mut found = Vec::new();
    let study = study::of(case);
    let all = study.quantities(case, question.follows_paths(case));
    for quantity in &all {
        let scale = scale(quantity, &all, &runs, &window);
        match finding(quantity, &runs, &window, scale, question.accuracy) {
            Some(finding) => found.push(finding),
            None => notes.push(format!("{}: not in all runs, not compared", quantity.words)),
        }
    }
    let stiffness: Vec<f64> = runs.all().filter_map(Seen::stiffness).collect();
    let (low, high) =
        stiffness.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), k| (a.min(*k), b.max(*k)));
    if high > low * (1.0 + 1e-9) {
        notes.push(format!(
            "contact.stiffness = \"auto\" became {low:.3e} in one run and {high:.3e} in another; set it \
             to a number to compare like with like"
        ));
    }
    if found.iter().any(|finding| finding.points.iter().any(|point| !point.resolved)) {
        let shorter = match question.scheme(case) {
            Scheme::Implicit => format!("time.tolerance than {:e}", case.time.tolerance),
            Scheme::Verlet => "inertia.safety or inertia.step".to_owned(),
        };
        let more = match study.rows_are_means() {
            true => "; means over a chaotic flow take more strain",
            false => "",
        };
        notes.push(format!(
            "differences with a < are not resolved; a smaller {shorter} tells more{more}"
        ));
    }
    let (title, accuracy) = (case.title.clone(), question.accuracy);
    Ok(Crosscheck { title, accuracy, window, quantities: found, notes })
}

/// What differences of a quantity are measured by, and the unit of that.
fn scale(
    quantity: &Quantity,
    all: &[Quantity],
    runs: &Runs,
    window: &Window,
) -> (f64, &'static str) {
    let value = |of: &Quantity| runs.quasi_static.value(of.source, window);
    let found = match quantity.scale {
        Scale::Own => value(quantity),
        Scale::Of(name) => all.iter().find(|other| other.name == name).and_then(value),
        Scale::Unit(unit) => return (1.0, unit),
        Scale::None => Some(1.0),
    };
    match found.map(f64::abs).filter(|value| *value > 0.0) {
        Some(value) => (value, ""),
        None => (1.0, "units"),
    }
}

/// What the runs say of a quantity; none if one of them lacks it.
fn finding(
    quantity: &Quantity,
    runs: &Runs,
    window: &Window,
    (by, unit): (f64, &'static str),
    accuracy: f64,
) -> Option<Finding> {
    let is_distance = quantity.source.is_distance();
    let own = match is_distance {
        true => 0.0,
        false => runs.quasi_static.value(quantity.source, window)?,
    };
    let numerical = |of: (f64, &Seen)| runs.numerical(of, quantity, window);
    let least = numerical((0.0, &runs.quasi_static)).max(DIFFERENCE_ROUNDING * own.abs());
    let mut points = Vec::new();
    for (stokes, run) in &runs.inertial {
        let difference = run.difference(&runs.quasi_static, quantity.source, window)?;
        let paired = run.paired_error(&runs.quasi_static, quantity.source, window);
        let steps = numerical((*stokes, run)).max(least);
        let uncertainty = steps.hypot(paired.unwrap_or(0.0));
        // What is lost at a larger Stokes number is not found at a smaller one but by chance.
        let found = points.last().is_none_or(|larger: &Point| larger.resolved);
        points.push(Point {
            stokes: *stokes,
            value: own + difference,
            stderr: run.stderr(quantity.source, window),
            difference,
            relative_difference: difference / by,
            relative_uncertainty: uncertainty / by,
            resolved: found && difference.abs() > 2.0 * uncertainty,
            local_order: None,
        });
    }
    Some(judge(quantity, points, Known { own, by, unit, accuracy }))
}

/// What is known of a quantity besides its points.
struct Known {
    own: f64,
    by: f64,
    unit: &'static str,
    accuracy: f64,
}

/// Orders, limit and verdict of points in descending order of the Stokes number.
fn judge(quantity: &Quantity, mut points: Vec<Point>, known: Known) -> Finding {
    let Known { own, by, unit, accuracy } = known;
    for k in 1..points.len() {
        let [one, other] = [points[k], points[k - 1]];
        if one.resolved && other.resolved {
            let pair = |p: Point| -> Pair { (p.stokes, p.difference) };
            points[k].local_order = fit::local_order(pair(one), pair(other));
        }
    }
    let ascending = || points.iter().rev();
    let resolved: Vec<Pair> =
        ascending().filter(|p| p.resolved).map(|p| (p.stokes, p.difference)).collect();
    let order = fit::order(fit::one_sign(&resolved));
    let values: Vec<Pair> = ascending().map(|p| (p.stokes, p.value)).collect();
    let noise = points.iter().map(|p| p.relative_uncertainty * by).fold(0.0, f64::max);
    let extrapolated = fit::limit(&values, 2.0 * noise);
    let judged: Vec<Judged> = ascending()
        .map(|p| Judged {
            stokes: p.stokes,
            size: p.relative_difference.abs(),
            uncertainty: p.relative_uncertainty,
        })
        .collect();
    let within = match unit {
        "" => format!("{} %", digits(100.0 * accuracy)),
        unit => format!("{accuracy} {unit}"),
    };
    Finding {
        name: quantity.name.to_owned(),
        words: quantity.words.to_owned(),
        label: quantity.label.to_owned(),
        unit: unit.to_owned(),
        quasi_static: own,
        is_distance: quantity.source.is_distance(),
        verdict: verdict(&judged, order.as_ref(), accuracy, &within),
        order,
        extrapolated,
        extrapolated_difference: extrapolated.map(|limit| (limit.value - own) / by),
        points,
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Basis;
    use super::*;
    use crate::study::quantity::Source;

    const QUANTITY: Quantity = Quantity {
        name: "q",
        words: "q",
        label: "q",
        source: Source::Result("q"),
        scale: Scale::Own,
    };

    /// q = 2 + 0.6 St, with noise of a given size.
    fn found(stokes: &[f64], noise: f64) -> Finding {
        let point = |(k, &stokes): (usize, &f64)| {
            let difference = 0.6 * stokes + if k % 2 == 0 { -noise } else { noise };
            Point {
                stokes,
                value: 2.0 + difference,
                stderr: None,
                difference,
                relative_difference: 0.5 * difference,
                relative_uncertainty: 0.5 * noise,
                resolved: difference.abs() > 2.0 * noise,
                local_order: None,
            }
        };
        let points = stokes.iter().enumerate().map(point).collect();
        judge(&QUANTITY, points, Known { own: 2.0, by: 2.0, unit: "", accuracy: 0.01 })
    }

    #[test]
    fn differences_of_known_order_are_judged() {
        let finding = found(&[0.1, 0.03, 0.01, 0.003], 0.0);
        let order = finding.order.unwrap();
        assert!((order.value - 1.0).abs() < 1e-9 && (order.coefficient - 0.6).abs() < 1e-9);
        assert!(finding.points[1..].iter().all(|p| (p.local_order.unwrap() - 1.0).abs() < 1e-9));
        assert!(finding.extrapolated_difference.unwrap().abs() < 1e-9);
        assert!((finding.verdict.stokes.unwrap() - 0.01 / 0.3).abs() < 1e-9);
        assert_eq!(finding.verdict.text, "St ≤ 0.033 is within 1 %");
    }

    #[test]
    fn what_is_lost_in_noise_is_not_fitted() {
        let finding = found(&[0.1, 0.03, 0.01, 0.003], 4e-3);
        let resolved: Vec<bool> = finding.points.iter().map(|p| p.resolved).collect();
        assert_eq!(resolved, [true, true, false, false]);
        assert_eq!(finding.order.unwrap().points, 2);
        assert_eq!(finding.points[2].local_order, None);
        let lost = found(&[0.1, 0.03], 1.0);
        assert_eq!((lost.order, lost.verdict.basis), (None, Basis::NotResolved));
    }

    #[test]
    fn one_stokes_number_gives_a_difference_only() {
        let finding = found(&[0.1], 0.0);
        assert_eq!((finding.order, finding.extrapolated), (None, None));
        assert_eq!(finding.verdict.text, "St = 0.1 is not within 1 %");
    }
}
