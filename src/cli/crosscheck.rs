//! `zerostokes crosscheck`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::{Mode, say, span};
use super::screen::Screen;
use super::signals::Interrupt;
use super::sweep::{SweepScreen, command_line};
use super::{CaseArguments, print};
use crate::Error;
use crate::analysis::crosscheck::{
    ACCURACY, Crosscheck, FIGURE, Question, RESULTS, STOKES, TABLE, checked_stokes, compare, draw,
};
use crate::case::Scheme;
use crate::record::Existing;
use crate::sweep::{Orders, Shard, Sweep, SweepDirectory, carry_out};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes crosscheck cases/pair_shear.toml
  zerostokes crosscheck cases/falling_sphere.toml --stokes 1e-1,1e-2,1e-3 --accuracy 0.02")]
pub(super) struct CrosscheckArguments {
    #[command(flatten)]
    case: CaseArguments,
    /// Stokes numbers to run; the case without inertia is always run.
    #[arg(
        long,
        value_name = "S1,S2,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = stokes_number,
        default_values_t = STOKES
    )]
    stokes: Vec<f64>,
    /// The difference that counts as small: relative, or in radii for lengths.
    #[arg(long, value_parser = accuracy, default_value_t = ACCURACY)]
    accuracy: f64,
    /// How steps with inertia are taken [default: as the case says].
    #[arg(long)]
    scheme: Option<SchemeName>,
    /// Directory for the results [default: runs/NAME-OF-CASE_crosscheck].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Number of runs at a time; results do not depend on it [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Start over, replacing what earlier runs wrote.
    #[arg(long)]
    force: bool,
}

/// A scheme as it is typed.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SchemeName {
    /// Steps as long as accuracy permits.
    Implicit,
    /// Explicit steps, as short as stability demands.
    Verlet,
}

fn stokes_number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "write numbers, as in --stokes 1e-1,1e-2".to_owned())
}

fn accuracy(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "write a share between 0 and 1: 0.01 is 1 %".to_owned())
}

pub(super) fn crosscheck(arguments: CrosscheckArguments) -> Result<u8, Error> {
    let (question, quiet) = (question(&arguments)?, arguments.quiet);
    let stem = question.case_file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let case = question.case()?;
    let sweep = question.sweep(&case)?;
    let out = arguments.out.unwrap_or_else(|| Path::new("runs").join(format!("{stem}_crosscheck")));
    let existing = if arguments.force { Existing::Replace } else { Existing::Keep };
    let directory = SweepDirectory::inspect(&sweep, &out, existing)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let orders = Orders {
        jobs: arguments.jobs.map_or_else(cores, usize::from),
        shard: Shard::WHOLE,
        existing,
        command: crate::record::command_line(),
    };
    let interrupt = Interrupt::listen()?;
    if !quiet {
        say(&heading(&question, &sweep, &out));
        question.notes(&case).iter().for_each(|note| say(&format!("note: {note}")));
    }
    let screen = Screen::new(Mode::choose(quiet), interrupt);
    let watch = SweepScreen { sweep: &sweep, screen: &screen };
    let outcome = carry_out(&sweep, &directory, &orders, &watch);
    screen.finish();
    let (tally, table) = outcome?;
    if let Some(signal) = screen.interrupt.requested()
        && tally.skipped + tally.finished + tally.failed < tally.points
    {
        let (done, all) = (tally.skipped + tally.finished, tally.points);
        let again = command_line(&orders.command);
        say(&format!(
            "stopped with {done} of {all} runs finished; go on with the same command: {again}"
        ));
        return Ok(signal.exit_code());
    }
    let failed = Error::PointsFailed {
        failed: tally.failed,
        points: tally.points,
        table: directory.table(),
    };
    if !table.rows[0].status.is_done() {
        return Err(failed);
    }
    let results = compare(&question, &case, &out)?;
    results.write(&out)?;
    let drawn = draw(&out, &results)?;
    if !quiet {
        tell(&results, &out, drawn)?;
        print(&[format!("time                {}", span(screen.began.elapsed()))])?;
    }
    if tally.failed > 0 { Err(failed) } else { Ok(0) }
}

/// What is asked.
fn question(arguments: &CrosscheckArguments) -> Result<Question, Error> {
    Ok(Question {
        case_file: arguments.case.case.clone(),
        set: arguments.case.set.clone(),
        stokes: checked_stokes(&arguments.stokes)?,
        scheme: arguments.scheme.map(|name| match name {
            SchemeName::Implicit => Scheme::Implicit,
            SchemeName::Verlet => Scheme::Verlet,
        }),
        accuracy: arguments.accuracy,
    })
}

fn heading(question: &Question, sweep: &Sweep, out: &Path) -> String {
    let numbers: Vec<String> = question.stokes.iter().map(|s| format!("{s:?}")).collect();
    let (name, runs) = (question.case_file.display(), sweep.len());
    format!("{name} at St = 0 and {}: {runs} runs in {}", numbers.join(", "), out.display())
}

/// The table, the verdicts and the files.
pub(super) fn tell(results: &Crosscheck, out: &Path, drawn: bool) -> Result<(), Error> {
    results.notes.iter().for_each(|note| say(&format!("note: {note}")));
    let mut files = vec![out.join(TABLE).display().to_string(), RESULTS.to_owned()];
    if drawn {
        files.extend([format!("{FIGURE}.svg"), format!("{FIGURE}.png")]);
    }
    let mut lines = results.lines();
    lines.push(format!("files               {}", files.join(", ")));
    print(&lines)
}
