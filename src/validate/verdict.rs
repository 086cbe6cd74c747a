//! What was found beside what should have been.

use super::Row;

/// What a number is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// A number.
    Value(f64),
    /// Two numbers, either of which would do, and all between.
    Range([f64; 2]),
}

/// How far off a number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// By a share of the reference.
    Relative(f64),
    /// By an amount.
    Absolute(f64),
    /// Not at all: yes (1) or no (0).
    Same,
}

impl Tolerance {
    /// The word for files.
    pub fn kind(self) -> &'static str {
        match self {
            Tolerance::Relative(_) => "relative",
            Tolerance::Absolute(_) => "absolute",
            Tolerance::Same => "same",
        }
    }

    /// The number.
    pub fn size(self) -> f64 {
        match self {
            Tolerance::Relative(size) | Tolerance::Absolute(size) => size,
            Tolerance::Same => 0.0,
        }
    }
}

/// A number found here.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Which of several cases of the row it is; empty if there is only one.
    pub case: String,
    /// What the paper says of this case, if the row does not say it.
    pub paper: Option<f64>,
    /// What it should be.
    pub reference: Reference,
    /// What it is.
    pub here: f64,
    /// Its standard error, where it is a mean.
    pub stderr: Option<f64>,
}

impl Measure {
    /// The only case of a row.
    pub fn new(reference: f64, here: f64) -> Self {
        let reference = Reference::Value(reference);
        Measure { case: String::new(), paper: None, reference, here, stderr: None }
    }

    /// One case of several.
    pub fn of(case: impl Into<String>, reference: f64, here: f64) -> Self {
        Measure { case: case.into(), ..Measure::new(reference, here) }
    }

    /// How far it is from the reference, in units of the tolerance; beyond 1, or no number at all,
    /// is too far.
    pub fn excess(&self, tolerance: Tolerance) -> f64 {
        let nearest = match self.reference {
            Reference::Value(value) => value,
            Reference::Range([low, high]) => self.here.max(low).min(high),
        };
        let apart = (self.here - nearest).abs();
        let allowed = match tolerance {
            Tolerance::Relative(share) => share * nearest.abs(),
            Tolerance::Absolute(_) | Tolerance::Same => tolerance.size(),
        };
        if apart == 0.0 { 0.0 } else { apart / allowed }
    }

    /// Whether it is within the tolerance.
    pub fn is_within(&self, tolerance: Tolerance) -> bool {
        // Nothing is within a tolerance that is no number.
        self.excess(tolerance) <= 1.0
    }
}

/// A row of the table, filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The row.
    pub row: Row,
    /// What was found, one case or more.
    pub measures: Vec<Measure>,
    /// Why nothing was found.
    pub error: Option<String>,
}

impl Finding {
    /// Whether there is something, and all of it is within the tolerance.
    pub fn passes(&self) -> bool {
        let within = |measure: &Measure| measure.is_within(self.row.tolerance);
        self.error.is_none() && !self.measures.is_empty() && self.measures.iter().all(within)
    }

    /// The case that is farthest off, the first of those that are equally so.
    pub fn worst(&self) -> Option<&Measure> {
        let off = |measure: &Measure| {
            let excess = measure.excess(self.row.tolerance);
            if excess.is_nan() { f64::INFINITY } else { excess }
        };
        self.measures.iter().reduce(|worst, next| if off(next) > off(worst) { next } else { worst })
    }
}

/// Whether all rows are within their tolerances, and there are some.
pub fn all_pass(findings: &[Finding]) -> bool {
    !findings.is_empty() && findings.iter().all(Finding::passes)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn finding(tolerance: Tolerance, measures: Vec<Measure>) -> Finding {
        Finding { row: Row::new(Model::Soft, "x", tolerance), measures, error: None }
    }

    #[test]
    fn numbers_pass_up_to_the_tolerance_and_not_beyond() {
        let near = |here: f64, tolerance| Measure::new(-2.0, here).is_within(tolerance);
        assert!(near(-2.01, Tolerance::Relative(0.01)) && near(-1.99, Tolerance::Relative(0.01)));
        assert!(!near(-2.03, Tolerance::Relative(0.01)) && !near(2.0, Tolerance::Relative(0.01)));
        assert!(near(-1.5, Tolerance::Absolute(0.5)) && !near(-1.4, Tolerance::Absolute(0.5)));
        assert!(near(-2.0, Tolerance::Same) && !near(-2.0 + 1e-15, Tolerance::Same));
        assert!(Measure::new(0.0, 0.0).is_within(Tolerance::Relative(0.1)));
        assert!(!Measure::new(0.0, 1e-300).is_within(Tolerance::Relative(0.1)));
    }

    #[test]
    fn what_is_no_number_fails() {
        for here in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for tolerance in [Tolerance::Relative(0.1), Tolerance::Absolute(1e300), Tolerance::Same]
            {
                assert!(!Measure::new(1.0, here).is_within(tolerance), "{here} {tolerance:?}");
                assert!(!Measure::new(f64::NAN, 1.0).is_within(tolerance));
                let range = Reference::Range([0.5, 2.0]);
                let measure = Measure { reference: range, ..Measure::new(1.0, here) };
                assert!(!measure.is_within(tolerance), "{here} {tolerance:?}");
            }
        }
    }

    #[test]
    fn a_range_lets_in_what_is_between_and_a_little_more() {
        let range = Reference::Range([8.0, 9.0]);
        let near = |here: f64| {
            Measure { reference: range, ..Measure::new(0.0, here) }
                .is_within(Tolerance::Relative(0.1))
        };
        assert!(near(7.3) && near(8.5) && near(9.8));
        assert!(!near(7.1) && !near(10.0));
    }

    #[test]
    fn one_bad_case_fails_the_row_and_is_the_one_that_is_shown() {
        let tolerance = Tolerance::Relative(0.01);
        let good = || Measure::of("good", 1.0, 1.001);
        let bad = || Measure::of("bad", 1.0, 1.02);
        let none = || Measure::of("none", 1.0, f64::NAN);
        assert!(finding(tolerance, vec![good(), good()]).passes());
        for (measures, worst) in
            [(vec![good(), bad(), good()], "bad"), (vec![bad(), none(), good()], "none")]
        {
            let found = finding(tolerance, measures);
            assert!(!found.passes());
            assert_eq!(found.worst().unwrap().case, worst);
        }
    }

    #[test]
    fn nothing_found_is_a_failure() {
        let tolerance = Tolerance::Relative(0.01);
        assert!(!finding(tolerance, vec![]).passes());
        let mut found = finding(tolerance, vec![Measure::new(1.0, 1.0)]);
        assert!(all_pass(&[found.clone()]) && !all_pass(&[]));
        found.error = Some("the run broke off".to_owned());
        assert!(!found.passes() && !all_pass(&[found]));
    }
}
