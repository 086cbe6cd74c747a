//! What a unit of strain costs: time and where it goes, steps, solves, memory.

mod totals;

use serde::{Deserialize, Serialize};

use crate::integrate::Times;

pub use totals::Totals;

/// What has been spent on a stretch of strain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Number of particles N.
    pub particles: usize,
    /// Strain of the stretch, counted positive.
    pub strain: f64,
    /// Wall time `[s]`.
    pub seconds: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Linear systems solved.
    pub solves: u64,
    /// Iterations of conjugate gradients in them.
    pub iterations: u64,
    /// Wall time by stage of a step.
    pub times: Times,
}

/// Costs of a unit of strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerStrain {
    /// Wall time `[s]`.
    pub seconds: f64,
    /// Accepted steps.
    pub steps: f64,
    /// Linear systems solved.
    pub solves: f64,
    /// Iterations of conjugate gradients.
    pub iterations: f64,
}

impl Cost {
    /// Per unit of strain; none where nothing is sheared.
    pub fn per_strain(&self) -> Option<PerStrain> {
        let strain = Some(self.strain).filter(|strain| *strain > 0.0)?;
        Some(PerStrain {
            seconds: self.seconds / strain,
            steps: self.steps as f64 / strain,
            solves: self.solves as f64 / strain,
            iterations: self.iterations as f64 / strain,
        })
    }

    /// Fractions of the wall time by stage; what no stage accounts for is `"files"`. None before
    /// any time has passed.
    pub fn shares(&self) -> Vec<(&'static str, f64)> {
        let stages = self.times.by_name();
        let whole = self.seconds.max(self.times.total());
        if whole <= 0.0 {
            return Vec::new();
        }
        let rest = ("files", whole - self.times.total());
        stages.into_iter().chain([rest]).map(|(name, seconds)| (name, seconds / whole)).collect()
    }

    /// As text, one fact a line; `over` says what was spent on, such as `"the whole run"`.
    pub fn lines(&self, over: &str, peak_memory: Option<u64>) -> Vec<String> {
        let mut lines = vec![format!(
            "cost                {} steps, {} solves, {} iterations, {:.1} s",
            self.steps, self.solves, self.iterations, self.seconds
        )];
        if let Some(each) = self.per_strain() {
            let [seconds, steps, solves, iterations] =
                [each.seconds, each.steps, each.solves, each.iterations].map(three_digits);
            lines.push(format!(
                "per unit of strain  {seconds} s, {steps} steps, {solves} solves, \
                 {iterations} iterations   (mean over {over})"
            ));
        }
        let shares: Vec<String> =
            self.shares().iter().map(|(name, part)| format!("{name} {}", percent(*part))).collect();
        if !shares.is_empty() {
            lines.push(format!("time goes into      {}", shares.join(", ")));
        }
        if let Some(bytes) = peak_memory {
            lines.push(format!(
                "memory              at most {} MB, {} kB per particle",
                three_digits(megabytes(bytes)),
                three_digits(kilobytes_each(bytes, self.particles))
            ));
        }
        lines
    }
}

/// The times of two stretches together.
pub fn sum(a: &Times, b: &Times) -> Times {
    combine(a, b, |a, b| a + b)
}

/// The times from an earlier reading to a later one.
pub fn since(earlier: &Times, later: &Times) -> Times {
    combine(later, earlier, |a, b| a - b)
}

fn combine(a: &Times, b: &Times, of: impl Fn(f64, f64) -> f64) -> Times {
    Times {
        neighbours: of(a.neighbours, b.neighbours),
        laws: of(a.laws, b.laws),
        solve: of(a.solve, b.solve),
        measure: of(a.measure, b.measure),
        advance: of(a.advance, b.advance),
    }
}

/// The most memory that this process has held so far, in bytes; none where the system does not
/// tell.
pub fn peak_memory() -> Option<u64> {
    high_water_mark(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The line `VmHWM:  1234 kB` of a process's status, in bytes.
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// Millions of bytes.
pub fn megabytes(bytes: u64) -> f64 {
    1e-6 * bytes as f64
}

/// Thousands of bytes for each of some particles.
pub fn kilobytes_each(bytes: u64, particles: usize) -> f64 {
    1e-3 * bytes as f64 / particles.max(1) as f64
}

/// A number that is not negative with three digits, or more before the point.
pub fn three_digits(number: f64) -> String {
    let decade = if number > 0.0 { number.log10().floor() } else { 2.0 };
    let decimals = (2.0 - decade).clamp(0.0, 9.0) as usize;
    format!("{number:.decimals$}")
}

/// A fraction in percent.
pub fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost() -> Cost {
        Cost {
            particles: 200,
            strain: 4.0,
            seconds: 10.0,
            steps: 100,
            solves: 800,
            iterations: 40_000,
            times: Times { neighbours: 0.5, laws: 2.0, solve: 5.0, measure: 0.25, advance: 1.25 },
        }
    }

    #[test]
    fn costs_are_shared_out_over_strain() {
        let each = PerStrain { seconds: 2.5, steps: 25.0, solves: 200.0, iterations: 10_000.0 };
        assert_eq!(cost().per_strain(), Some(each));
        assert_eq!(Cost { strain: 0.0, ..cost() }.per_strain(), None);
    }

    #[test]
    fn shares_are_of_the_wall_time_and_add_up() {
        let shares = cost().shares();
        assert_eq!(shares.last(), Some(&("files", 0.1)));
        assert!((shares.iter().map(|(_, part)| part).sum::<f64>() - 1.0).abs() < 1e-12);
        // A clock that is read too early makes no share negative.
        let early = Cost { seconds: 8.0, ..cost() }.shares();
        assert!(early.iter().all(|(_, part)| *part >= 0.0));
        assert!((early.iter().map(|(_, part)| part).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(Cost::default().shares().is_empty());
    }

    #[test]
    fn every_cost_is_told() {
        let said = cost().lines("the whole run", Some(24_000_000));
        let expected = [
            "cost                100 steps, 800 solves, 40000 iterations, 10.0 s",
            "per unit of strain  2.50 s, 25.0 steps, 200 solves, 10000 iterations   (mean over the \
             whole run)",
            "time goes into      neighbours 5 %, laws 20 %, solve 50 %, measure 2 %, advance 12 %, \
             files 10 %",
            "memory              at most 24.0 MB, 120 kB per particle",
        ];
        assert_eq!(said, expected);
        assert_eq!(Cost { strain: 0.0, ..cost() }.lines("", None).len(), 2);
    }

    #[test]
    fn times_add_and_subtract_stage_by_stage() {
        let one = cost().times;
        let both = sum(&one, &one);
        assert_eq!(both.total(), 2.0 * one.total());
        assert_eq!(since(&one, &both), one);
    }

    #[test]
    fn the_high_water_mark_is_found() {
        let status =
            "Name:\tzerostokes\nVmPeak:\t  9000 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 800 kB\n";
        assert_eq!(high_water_mark(status), Some(1234 * 1024));
        assert_eq!(high_water_mark("Name:\tzerostokes\n"), None);
        if cfg!(target_os = "linux") {
            let block = vec![1u8; 1 << 24];
            assert!(peak_memory() > Some(1 << 24), "{}", std::hint::black_box(block).len());
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        let said = [0.0, 0.01234, 0.4567, 5.678, 56.78, 567.8, 56789.0].map(three_digits);
        assert_eq!(said, ["0", "0.0123", "0.457", "5.68", "56.8", "568", "56789"]);
    }
}
