//! `zerostokes run` and `zerostokes resume`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::{Mode, Progress, Snapshot, say};
use super::signals::Interrupt;
use super::{CaseArguments, print};
use crate::Error;
use crate::case::Case;
use crate::drive::Flow;
use crate::integrate::Observation;
use crate::record::{CASE, Existing, Launch, RunDirectory};
use crate::run::{Counts, Figures, Outcome, Run, conclude};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes run cases/t1.toml
  zerostokes run cases/suspension.toml --set particles.count=200 --set contact.friction=1")]
pub(super) struct RunArguments {
    #[command(flatten)]
    case: CaseArguments,
    /// Directory for the results [default: runs/NAME-OF-CASE].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Start over, replacing what an earlier run wrote.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes resume runs/suspension
  zerostokes resume runs/suspension --threads 2 --quiet")]
pub(super) struct ResumeArguments {
    /// The directory of an unfinished run.
    directory: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Debug, Args)]
struct CommonArguments {
    /// Number of threads; results do not depend on it [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: RunArguments) -> Result<u8, Error> {
    let case = Case::read(&arguments.case.case, &arguments.case.set)?;
    let stem = arguments.case.case.file_stem().unwrap_or_default();
    let out = arguments.out.unwrap_or_else(|| Path::new("runs").join(stem));
    let existing = if arguments.force { Existing::Replace } else { Existing::Keep };
    carry_out(case, &out, existing, &arguments.common)
}

pub(super) fn resume(arguments: ResumeArguments) -> Result<u8, Error> {
    let text = RunDirectory::case_text(&arguments.directory)?;
    let case = Case::from_text(&text, &arguments.directory.join(CASE), &[])?;
    match carry_out(case, &arguments.directory, Existing::Keep, &arguments.common) {
        Err(Error::RunFinished { directory }) => {
            if !arguments.common.quiet {
                say(&format!("{}: finished already, nothing is left to do", directory.display()));
            }
            Ok(0)
        }
        done => done,
    }
}

fn carry_out(
    case: Case,
    out: &Path,
    existing: Existing,
    common: &CommonArguments,
) -> Result<u8, Error> {
    let threads = common.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Error::Threads { reason: e.to_string() })?;
    let launch = Launch {
        seed: case.particles.seed,
        threads: pool.current_num_threads(),
        command: crate::record::command_line(),
    };
    let interrupt = Interrupt::listen()?;
    let mut run = Run::open(case, out, existing, launch)?;
    let heading = heading(&run, out);
    let said = run.notes();
    if !common.quiet {
        say(&heading);
        said.iter().for_each(|note| say(&format!("note: {note}")));
    }
    let (counts, flow) = (run.counts(), run.drive().flow);
    let mut progress = Progress::new(Mode::choose(common.quiet), counts.name(), run.end());
    let viscosity = run.case.fluid.viscosity;
    let radius = run.state.suspension.smallest_radius();
    let outcome = pool.install(|| {
        run.advance(|seen, end| {
            progress.expect(end);
            progress.update(&snapshot(seen, counts, [viscosity, radius], &flow));
            interrupt.requested().is_some()
        })
    });
    progress.finish();
    if outcome? == Outcome::Interrupted {
        let signal = interrupt.requested();
        say(&format!(
            "stopped at {} {:.4}; go on with: zerostokes resume {}",
            counts.name(),
            run.at(),
            out.display()
        ));
        return Ok(signal.map_or(1, |s| s.exit_code()));
    }
    finish(run, out, common.quiet, &said)
}

/// Writes the results, and tells them with the advice that was not said before.
fn finish(run: Run, out: &Path, quiet: bool, said: &[String]) -> Result<u8, Error> {
    let report = conclude(run, Figures::Drawn)?;
    if !quiet {
        for advice in report.advice.iter().filter(|advice| !said.contains(advice)) {
            say(&format!("note: {advice}"));
        }
        let mut lines = report.lines;
        lines.push(format!("files               {}", out.display()));
        print(&lines)?;
    }
    Ok(0)
}

fn heading(run: &Run, out: &Path) -> String {
    let state = &run.state.suspension;
    let fraction = state.volume_fraction().map_or(String::new(), |phi| format!(", φ = {phi:.4}"));
    let title = run.case.title.as_deref().unwrap_or("zerostokes");
    let what = if state.clock.steps > 0 { "resuming" } else { "running" };
    let matter = run.study.heading(&run.case);
    format!("{title}: N = {}{fraction}, {matter}; {what} in {}", state.len(), out.display())
}

fn snapshot(
    seen: &Observation,
    counts: Counts,
    [viscosity, radius]: [f64; 2],
    flow: &Flow,
) -> Snapshot {
    let rate = seen.rate;
    let sheared = rate != 0.0;
    let eta = flow.stress(&seen.stress.total()) / (viscosity * rate);
    Snapshot {
        at: counts.after(seen),
        eta_r: (sheared && eta != 0.0).then_some(eta),
        step: seen.step * if sheared { rate.abs() } else { 1.0 },
        smallest_gap: Some(seen.gaps.thinnest_film / radius),
    }
}
