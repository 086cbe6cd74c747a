//! The page of commands, made of what clap knows.

use clap::{Arg, Args, Command};

use super::keys::wrapped;
use super::print;
use crate::Error;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes commands
  zerostokes commands > docs/reference/commands.md")]
pub(super) struct CommandsArguments {}

/// What the page says before the commands.
const HEAD: &str = "\
# Commands

This page is made by `zerostokes commands`; `zerostokes help run` shows a command on the terminal.

`--set KEY=VALUE` overrides a key of the case ([keys](keys.md)) and may be repeated; the value is in
TOML syntax, and words need no quotes. What a command writes is described in [files](files.md), what
it returns in [exit codes](exit_codes.md). Results never depend on the number of threads or jobs.
";

/// Prints the page.
pub(super) fn commands(program: &Command) -> Result<(), Error> {
    let mut program = program.clone();
    program.build();
    let shown = || program.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help");
    let mut lines: Vec<String> = HEAD.lines().map(str::to_owned).collect();
    lines.extend(["", "| command | does |", "|---|---|"].map(str::to_owned));
    lines.extend(shown().map(|command| {
        let name = command.get_name();
        format!("| [`{name}`](#zerostokes-{name}) | {} |", about(command))
    }));
    shown().for_each(|command| lines.extend(section(command)));
    print(&lines)
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// A command as a section of the page.
fn section(command: &Command) -> Vec<String> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut lines =
        vec![String::new(), format!("## zerostokes {}", command.get_name()), String::new()];
    lines.extend(wrapped(&format!("{}.", about(command)), 0));
    lines.extend(["", "```text"].map(str::to_owned));
    lines.extend(usage.lines().map(|line| line.trim().to_owned()));
    lines.extend(["```", "", "| argument | default | meaning |", "|---|---|---|"].map(Into::into));
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help");
    lines.extend(shown.map(row));
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    lines.extend(["", "```sh"].map(str::to_owned));
    lines.extend(examples.lines().skip(1).map(|line| line.trim().to_owned()));
    lines.push("```".to_owned());
    lines
}

/// An argument as a row of its table.
fn row(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let takes = arg.get_action().takes_values();
    let values = if takes { names.join(" ") } else { String::new() };
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    let name = [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let name = [name, values].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let mut meaning = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let mut default: Vec<String> =
        arg.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect();
    // Defaults that depend on something else stand in the text.
    if let Some((text, words)) = meaning.clone().split_once(" [default: ") {
        meaning = text.to_owned();
        default = vec![words.trim_end_matches(['.', ']']).to_owned()];
    }
    let default = match (default.is_empty(), arg.is_required_set(), takes) {
        (_, _, false) => "off".to_owned(),
        (false, ..) => default.join(","),
        (true, true, _) => "required".to_owned(),
        (true, false, _) => "none".to_owned(),
    };
    let words = arg.get_possible_values();
    if takes && !words.is_empty() {
        let word = |value: &clap::builder::PossibleValue| {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            format!("`{}`{help}", value.get_name())
        };
        meaning += &format!("; {}", words.iter().map(word).collect::<Vec<_>>().join("; "));
    }
    format!("| `{}` | {default} | {meaning} |", name.join(" "))
}
