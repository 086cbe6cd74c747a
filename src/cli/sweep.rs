//! `zerostokes sweep`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::print;
use super::progress::{Mode, say, span};
use super::screen::{self, Screen};
use super::signals::Interrupt;
use crate::Error;
use crate::case::{Case, Known};
use crate::record::Existing;
use crate::study;
use crate::sweep::{
    MANY_POINTS, Orders, PointStatus, Shard, Sweep, SweepDirectory, SweepReport, SweepTable,
    SweepTally, TABLE, Watch, carry_out, conclude,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes sweep cases/t1_sweep.toml
  zerostokes sweep cases/rheology_sweep.toml --out runs/curve --shard 1/4")]
pub(super) struct SweepArguments {
    /// The sweep file (TOML): a case, and what to vary in it.
    sweep: PathBuf,
    /// Directory for the results [default: runs/NAME-OF-SWEEP].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Set a key in all points, whatever the file says of it, as in `--set drive.strain=40`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Number of points to run at a time; results do not depend on it [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Run only the K-th of N parts of the points, to spread a sweep over machines.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Start over, replacing what earlier points wrote.
    #[arg(long)]
    force: bool,
    /// Run the sweep even if it has thousands of points.
    #[arg(long)]
    yes: bool,
}

pub(super) fn sweep(arguments: &SweepArguments) -> Result<u8, Error> {
    let sweep = Sweep::read_with(&arguments.sweep, &arguments.set, &Known::default())?;
    let stem = arguments.sweep.file_stem().unwrap_or_default();
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(stem));
    let existing = if arguments.force { Existing::Replace } else { Existing::Keep };
    let directory = SweepDirectory::inspect(&sweep, &out, existing)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.map_or_else(cores, usize::from);
    if sweep.len() > MANY_POINTS && !arguments.yes {
        return Err(Error::Usage { reason: many(&sweep, jobs)? });
    }
    let orders = Orders {
        jobs,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        existing,
        command: crate::record::command_line(),
    };
    let interrupt = Interrupt::listen()?;
    if !arguments.quiet {
        say(&heading(&sweep, &orders, &out));
    }
    let screen = Screen::new(Mode::choose(arguments.quiet), interrupt);
    let watch = SweepScreen { sweep: &sweep, screen: &screen };
    let outcome = carry_out(&sweep, &directory, &orders, &watch);
    screen.finish();
    let (tally, table) = outcome?;
    if let Some(signal) = screen.interrupt.requested()
        && tally.skipped + tally.finished + tally.failed < tally.points
    {
        say(&format!(
            "stopped with {} of {} points finished; go on with the same command: {}",
            tally.skipped + tally.finished,
            tally.points,
            command_line(&orders.command)
        ));
        return Ok(signal.exit_code());
    }
    let made = conclude(&out, &table, &sweep.case(0)?)?;
    if !arguments.quiet {
        print(&made.lines)?;
        print(&lines(&tally, &table, screen.began.elapsed(), &files(&out, &made)))?;
    }
    if tally.failed > 0 {
        let (failed, points) = (tally.failed, tally.points);
        return Err(Error::PointsFailed { failed, points, table: directory.table() });
    }
    Ok(0)
}

fn heading(sweep: &Sweep, orders: &Orders, out: &Path) -> String {
    let title = sweep.title.as_deref().unwrap_or("zerostokes");
    let curves = match sweep.curves.len() {
        0 => None,
        1 => Some("1 curve".to_owned()),
        count => Some(format!("{count} curves")),
    };
    let axis = |axis: &crate::sweep::SweepAxis| format!("{} × {}", axis.values.len(), axis.key);
    let axes = curves.into_iter().chain(sweep.axes.iter().map(axis)).collect::<Vec<_>>().join(", ");
    let (points, jobs) = (sweep.len(), orders.jobs);
    format!("{title}: {points} points ({axes}), {jobs} at a time, in {}", out.display())
}

/// The command line as a shell takes it again.
pub(super) fn command_line(words: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let quoted = |word: &String| match word.chars().all(plain) && !word.is_empty() {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let rest = words.iter().skip(1).map(quoted);
    ["zerostokes".to_owned()].into_iter().chain(rest).collect::<Vec<_>>().join(" ")
}

/// Why so many points are not run unasked, with the time that they may take.
fn many(sweep: &Sweep, jobs: usize) -> Result<String, Error> {
    let points = sweep.len();
    // The first point, the last and the one in the middle stand for all.
    let mut known = Vec::new();
    for index in [0, points / 2, points - 1] {
        known.extend(seconds(&sweep.case(index)?));
    }
    let time = match known.len() {
        0 => String::new(),
        count => {
            let each = known.iter().sum::<f64>() / count as f64;
            let all = Duration::from_secs_f64((each * points as f64 / jobs as f64).min(1e9));
            format!(", about {} with {jobs} at a time", span(all))
        }
    };
    Ok(format!(
        "{}: {points} points{time}: more than {MANY_POINTS} are not run unasked; add --yes to run \
         them, or take fewer values",
        sweep.file.display()
    ))
}

/// What a point may take on one core, if that can be said without running it.
fn seconds(case: &Case) -> Option<f64> {
    study::of(case).expected_cost(case).map(|[_, seconds]| seconds)
}

fn files(out: &Path, made: &SweepReport) -> String {
    let mut files = vec![out.join(TABLE).display().to_string()];
    files.extend(made.files.iter().cloned());
    files.join(", ")
}

fn lines(tally: &SweepTally, table: &SweepTable, time: Duration, files: &str) -> Vec<String> {
    let earlier = match tally.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} of them earlier"),
    };
    let mut lines = vec![
        format!("points              {}", tally.points),
        format!("finished            {}{earlier}", tally.skipped + tally.finished),
        format!("failed              {}", tally.failed),
    ];
    let jammed = table.count(PointStatus::Jammed);
    if jammed > 0 {
        lines.insert(2, format!("jammed              {jammed} of them: not pooled, not drawn"));
    }
    if table.rows.len() > tally.points {
        let (all, there) = (table.rows.len(), table.count(PointStatus::Finished) + jammed);
        lines.push(format!("whole sweep         {there} of {all} points finished"));
    }
    lines.push(format!("time                {}", span(time)));
    lines.push(format!("files               {files}"));
    lines
}

/// What the user sees while a sweep runs.
pub(super) struct SweepScreen<'a> {
    pub sweep: &'a Sweep,
    pub screen: &'a Screen<SweepTally>,
}

impl Watch for SweepScreen<'_> {
    fn progress(&self, tally: &SweepTally) {
        self.screen.show(tally);
    }

    fn failed(&self, index: usize, error: &Error) {
        let what = self.sweep.describe(index);
        self.screen.exclaim(&format!("point {} ({what}) failed: {error}", index + 1));
    }

    fn stop(&self) -> bool {
        self.screen.is_stopped()
    }
}

impl screen::Tally for SweepTally {
    fn fraction(&self) -> f64 {
        self.fraction()
    }

    fn line(&self, elapsed: Duration, left: Option<Duration>) -> String {
        describe(self, elapsed, left)
    }
}

/// `12 of 48 points (25 %)  2 running  1 failed  1 min elapsed  3 min left`
fn describe(tally: &SweepTally, elapsed: Duration, left: Option<Duration>) -> String {
    let done = tally.skipped + tally.finished + tally.failed;
    let percent = (100.0 * tally.fraction()).floor();
    let mut text = format!("{done} of {} points ({percent:.0} %)", tally.points);
    let running = tally.running.iter().flatten().count();
    if running > 0 {
        text += &format!("  {running} running");
    }
    if tally.failed > 0 {
        text += &format!("  {} failed", tally.failed);
    }
    text += &format!("  {} elapsed", span(elapsed));
    if let Some(left) = left.filter(|_| done < tally.points) {
        text += &format!("  {} left", span(left));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_the_sweep_is() {
        let running = vec![Some(0.5), None, Some(0.25)];
        let mut tally = SweepTally { points: 8, skipped: 1, finished: 2, failed: 1, running };
        let said = |tally: &SweepTally| {
            describe(tally, Duration::from_secs(61), Some(Duration::from_secs(119)))
        };
        let text = "4 of 8 points (59 %)  2 running  1 failed  61 s elapsed  2 min left";
        assert_eq!(said(&tally), text);
        tally = SweepTally { points: 8, skipped: 8, ..SweepTally::default() };
        assert_eq!(said(&tally), "8 of 8 points (100 %)  61 s elapsed");
    }

    #[test]
    fn the_command_line_can_be_pasted() {
        let words = ["target/zerostokes", "sweep", "my sweep.toml", "--shard", "1/2"];
        let line = command_line(&words.map(str::to_owned));
        assert_eq!(line, "zerostokes sweep 'my sweep.toml' --shard 1/2");
    }
}
