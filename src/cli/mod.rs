//! What the user types and sees.

mod check;
mod columns;
mod crosscheck;
mod export;
mod mobility;
mod pack;
mod plot;
pub mod progress;
mod run;
mod screen;
pub mod signals;
mod sweep;
mod validate;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::Error;

/// Dense suspensions, foams and emulsions at zero Stokes number.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one case; an unfinished run of the same case goes on by itself.
    Run(run::RunArguments),
    /// Go on from the last checkpoint, bit for bit as if never stopped.
    Resume(run::ResumeArguments),
    /// Run a grid of cases; what is finished is kept, what is not goes on.
    Sweep(sweep::SweepArguments),
    /// Draw the figures of a run or of a sweep again, from the files in its directory.
    Plot(plot::PlotArguments),
    /// Read a case and say what it means: φ, box, scales, cost. Runs nothing.
    Check(CaseArguments),
    /// List the files that are written, with the unit and meaning of every column and key.
    Columns(columns::ColumnsArguments),
    /// Place spheres at random and write them as extended XYZ.
    Pack(pack::PackArguments),
    /// Balance the forces of a configuration once, also of one that another program wrote.
    Mobility(mobility::MobilityArguments),
    /// Write a configuration for LAMMPS.
    Export(export::ExportArguments),
    /// Run a case at several Stokes numbers and at zero: differences, their order, and how small is
    /// small enough.
    Crosscheck(crosscheck::CrosscheckArguments),
    /// Run the papers' benchmarks: a table of paper, reference, here and verdict.
    Validate(validate::ValidateArguments),
}

/// A case with overrides.
#[derive(Debug, Args)]
struct CaseArguments {
    /// The case file (TOML).
    case: PathBuf,
    /// Override a key of the case, as in `--set particles.count=500`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Parses the command line and does what it says.
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(arguments) => run::run(arguments),
        Command::Resume(arguments) => run::resume(arguments),
        Command::Sweep(arguments) => sweep::sweep(&arguments),
        Command::Plot(arguments) => plot::plot(&arguments).map(|()| 0),
        Command::Check(arguments) => check::check(&arguments).map(|()| 0),
        Command::Columns(arguments) => columns::columns(&arguments).map(|()| 0),
        Command::Pack(arguments) => pack::pack(&arguments).map(|()| 0),
        Command::Mobility(arguments) => mobility::mobility(&arguments).map(|()| 0),
        Command::Export(arguments) => export::export(&arguments).map(|()| 0),
        Command::Crosscheck(arguments) => crosscheck::crosscheck(arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            progress::say(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Prints lines to stdout; a closed pipe is no error.
fn print(lines: &[String]) -> Result<(), Error> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    for line in lines {
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    Ok(())
}
