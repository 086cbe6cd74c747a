//! What the user types and sees.

mod check;
mod columns;
mod commands;
mod crosscheck;
mod export;
mod keys;
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

use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::Error;

/// Dense suspensions, foams and emulsions at zero Stokes number.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    arg_required_else_help = true,
    after_help = "\
Examples:
  zerostokes check cases/suspension.toml
  zerostokes run cases/t1.toml"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one case; an unfinished run of the same case is continued.
    Run(run::RunArguments),
    /// Continue a run from its last checkpoint, bit for bit as if it had never stopped.
    Resume(run::ResumeArguments),
    /// Run a grid of cases; finished points are kept, unfinished ones are continued.
    Sweep(sweep::SweepArguments),
    /// Redraw the figures of a run, a sweep or a crosscheck from the files in its directory.
    Plot(plot::PlotArguments),
    /// Check a case and print what it means: volume fraction, box, scales, expected cost.
    #[command(after_help = "\
Examples:
  zerostokes check cases/suspension.toml
  zerostokes check cases/thickening.toml --set drive.rate=0.01")]
    Check(CaseArguments),
    /// List the keys of case files, each with unit, default, valid values and meaning.
    Keys(keys::KeysArguments),
    /// List the files that are written, with the unit and meaning of every column and key.
    Columns(columns::ColumnsArguments),
    /// Place spheres at random, without overlap, and write them as extended XYZ.
    Pack(pack::PackArguments),
    /// Find the velocities of one configuration, which may come from another program.
    Mobility(mobility::MobilityArguments),
    /// Write a configuration for LAMMPS.
    Export(export::ExportArguments),
    /// Run a case without inertia and at several Stokes numbers: how much the results differ, and
    /// which Stokes number is small enough.
    Crosscheck(crosscheck::CrosscheckArguments),
    /// Run the benchmarks of the papers and print how this program compares.
    Validate(validate::ValidateArguments),
    /// Write the page of the manual, docs/reference/commands.md.
    #[command(hide = true)]
    Commands(commands::CommandsArguments),
}

/// A case with overrides.
#[derive(Debug, Args)]
struct CaseArguments {
    /// The case file (TOML).
    case: PathBuf,
    /// Override a key of the case, as in `--set particles.count=500`; may be repeated.
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
        Command::Keys(arguments) => keys::keys(&arguments).map(|()| 0),
        Command::Columns(arguments) => columns::columns(&arguments).map(|()| 0),
        Command::Pack(arguments) => pack::pack(&arguments).map(|()| 0),
        Command::Mobility(arguments) => mobility::mobility(&arguments).map(|()| 0),
        Command::Export(arguments) => export::export(&arguments).map(|()| 0),
        Command::Crosscheck(arguments) => crosscheck::crosscheck(arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Commands(_) => commands::commands(&Arguments::command()).map(|()| 0),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The examples at the end of a help text.
    fn examples(command: &clap::Command) -> Vec<String> {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let text = text.strip_prefix("Examples:\n").unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn every_help_ends_with_two_examples_that_parse_and_name_shipped_cases() {
        let program = Arguments::command();
        for command in std::iter::once(&program).chain(program.get_subcommands()) {
            let examples = examples(command);
            assert_eq!(examples.len(), 2, "{}", command.get_name());
            for example in examples {
                let (plain, _) = example.split_once(" > ").unwrap_or((&example, ""));
                let words: Vec<&str> = plain.split(' ').collect();
                let parsed = Arguments::try_parse_from(&words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                let named = command.get_name() == "zerostokes" || words[1] == command.get_name();
                assert!(named, "{example} of {}", command.get_name());
                let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                for file in words.iter().filter(|word| word.starts_with("cases/")) {
                    assert!(root.join(file).is_file(), "{example}: there is no {file}");
                }
            }
        }
    }
}
