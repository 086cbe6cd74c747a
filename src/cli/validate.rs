//! `zerostokes validate`.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;

use super::print;
use super::progress::{Mode, say, span};
use super::screen::{self, Screen};
use super::signals::Interrupt;
use crate::Error;
use crate::validate::{
    Extent, Finding, Model, TableTally, Watch, all_pass, carry_out, jobs, page, table,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes validate --quick
  zerostokes validate --out runs/validation")]
pub(super) struct ValidateArguments {
    /// Run a part of every group of benchmarks, in seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// Also write every number to validate.csv in this directory, and the table to validation.md.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of cases to run at a time [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
}

pub(super) fn validate(arguments: &ValidateArguments) -> Result<u8, Error> {
    if let Some(out) = &arguments.out {
        let named = |source| Error::Io { path: out.clone(), source };
        std::fs::create_dir_all(out).map_err(named)?;
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.jobs.map_or_else(cores, usize::from);
    let extent = if arguments.quick { Extent::Quick } else { Extent::Full };
    let interrupt = Interrupt::listen()?;
    let screen = Screen::new(Mode::choose(false), interrupt);
    let watch = TableScreen { screen: &screen, model: Mutex::new(None) };
    let jobs = jobs(extent);
    let rows: usize = jobs.iter().map(|job| job.rows.len()).sum();
    print(&[table::heading()])?;
    let outcome = carry_out(&jobs, workers, &watch);
    screen.finish();
    let findings = outcome?;
    if let Some(signal) = screen.interrupt.requested()
        && findings.len() < rows
    {
        say(&format!("stopped with {} of {rows} rows filled in", findings.len()));
        return Ok(signal.exit_code());
    }
    conclude(&findings, screen.began.elapsed(), arguments)
}

/// Ends the table, writes the files and chooses the exit code.
fn conclude(
    findings: &[Finding],
    time: Duration,
    arguments: &ValidateArguments,
) -> Result<u8, Error> {
    let mut lines = vec![String::new(), format!("{}, {}", table::count(findings), span(time))];
    if let Some(out) = &arguments.out {
        let (numbers, page) = (out.join(table::FILE), out.join(page::FILE));
        table::write(&numbers, findings)?;
        page::write(&page, findings)?;
        lines.push(format!("files               {}", numbers.display()));
        lines.push(format!("                    {}", page.display()));
    }
    print(&lines)?;
    Ok(exit_code(findings))
}

/// 0 only if every row is within its tolerance.
fn exit_code(findings: &[Finding]) -> u8 {
    if all_pass(findings) {
        return 0;
    }
    let failed = findings.iter().filter(|finding| !finding.passes()).count();
    say(&format!("error: {failed} of {} rows are not within tolerance", findings.len()));
    1
}

/// What the user sees while the jobs are at work.
struct TableScreen<'a> {
    screen: &'a Screen<TableTally>,
    /// The group of the last row.
    model: Mutex<Option<Model>>,
}

impl Watch for TableScreen<'_> {
    fn found(&self, finding: &Finding) {
        let mut last = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let model = finding.row.model;
        let mut lines = Vec::new();
        if *last != Some(model) {
            lines.extend([String::new(), model.title().to_owned()]);
            *last = Some(model);
        }
        lines.extend(table::lines(finding));
        // A closed pipe is no error, and nothing else can go wrong.
        self.screen.aside(|| drop(print(&lines)));
    }

    fn progress(&self, tally: &TableTally) {
        self.screen.show(tally);
    }

    fn stop(&self) -> bool {
        self.screen.is_stopped()
    }
}

impl screen::Tally for TableTally {
    fn fraction(&self) -> f64 {
        self.fraction
    }

    fn line(&self, elapsed: Duration, left: Option<Duration>) -> String {
        describe(self, elapsed, left)
    }
}

/// `12 of 48 rows (25 %)  61 s elapsed  3 min left`
fn describe(tally: &TableTally, elapsed: Duration, left: Option<Duration>) -> String {
    let percent = (100.0 * tally.fraction).floor();
    let mut text = format!(
        "{} of {} rows ({percent:.0} %)  {} elapsed",
        tally.filled,
        tally.rows,
        span(elapsed)
    );
    if let Some(left) = left.filter(|_| tally.filled < tally.rows) {
        text += &format!("  {} left", span(left));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{Measure, Row, Tolerance};

    #[test]
    fn a_row_out_of_tolerance_gives_exit_code_1() {
        let finding = |here: f64| {
            let row = Row::new(Model::Soft, "x", Tolerance::Relative(0.1));
            Finding { row, measures: vec![Measure::new(1.0, here)], error: None }
        };
        assert_eq!(exit_code(&[finding(1.0), finding(1.05)]), 0);
        assert_eq!(exit_code(&[finding(1.0), finding(1.2)]), 1);
        assert_eq!(exit_code(&[finding(f64::NAN), finding(1.0)]), 1);
        assert_eq!(exit_code(&[]), 1);
    }

    #[test]
    fn a_line_says_how_far_the_table_is() {
        let tally = TableTally { rows: 48, filled: 12, fraction: 0.257 };
        let (elapsed, left) = (Duration::from_secs(61), Duration::from_secs(179));
        assert_eq!(
            describe(&tally, elapsed, Some(left)),
            "12 of 48 rows (25 %)  61 s elapsed  3 min left"
        );
    }
}
