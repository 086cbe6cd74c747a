//! `zerostokes columns`: the files that are written, with their columns and keys.

use clap::Args;

use super::print;
use crate::Error;
use crate::analysis::{crosscheck, mobility};
use crate::record::column::{Description, FileDescription};
use crate::record::keys::Described;
use crate::record::{MANIFEST, Manifest, sweep_table};
use crate::run;
use crate::study;
use crate::sweep;
use crate::validate;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes columns
  zerostokes columns timeseries.csv")]
pub(super) struct ColumnsArguments {
    /// Show only this file, as in timeseries.csv.
    file: Option<String>,
    /// Write the page of the manual, docs/reference/files.md.
    #[arg(long)]
    markdown: bool,
}

/// What the page says before the files.
const HEAD: &str = "\
# Files and their columns

This page is made by `zerostokes columns --markdown`; `zerostokes columns timeseries.csv` shows one
file on the terminal.

Tables are CSV with one header line. In JSON files a dot leads into an object, `[]` into a list, and
an absent number is `null`. `.*` after the name of a mean stands for `mean`, `stderr` (its standard
error, which accounts for correlation), `std` (the scatter of the rows), `correlation` (in strain,
or in what the run counts) and `effective_samples`; after other names for numbers by name, as of
origins of stress or stages of a step.

| unit | meaning |
|---|---|
| 1 | a pure number |
| a | the smallest radius of a suspension or of a pair; `R` in the studies of soft spheres. In \
  frames, contacts, velocities and pairs it is the unit of length of the case or file, which is \
  the same where the smallest radius is 1 |
| t, F | the units of time and force of a case or study; without a force scale 1/γ̇ and μγ̇a² |
| μ, μγ̇ | viscosity of the fluid; that times the present shear rate, the unit of stress (that \
  of the case for a stiffness, at rest and in oscillations) |
| τ, τ_c, W, N_y | time and force of a study, which `zerostokes check` prints |
| s, m, N, J | SI units: wall time, and the study of collisions |
| bytes | memory |
| q | the unit of the quantity that the row is about |
| flag, text | true or false; a word |
";

/// Every file with columns or keys that the program writes.
fn files() -> Vec<FileDescription> {
    let point = "a sweep, one row per point";
    let mut files = run::outputs::files();
    files.extend(study::files());
    files.push(FileDescription::new(MANIFEST, "every run", Manifest::keys()));
    files.push(FileDescription::new(sweep::TABLE, point, sweep_table::columns()));
    files.extend(mobility::files());
    files.extend(crosscheck::files());
    files.extend(validate::table::files());
    files
}

pub(super) fn columns(arguments: &ColumnsArguments) -> Result<(), Error> {
    let all = files();
    let wanted = |file: &&FileDescription| arguments.file.as_ref().is_none_or(|f| file.file == f);
    let chosen: Vec<&FileDescription> = all.iter().filter(wanted).collect();
    if chosen.is_empty() {
        let mut names: Vec<&str> = all.iter().map(|file| file.file).collect();
        names.sort_unstable();
        names.dedup();
        let reason = format!("no such file is written; these are: {}", names.join(", "));
        return Err(Error::Usage { reason });
    }
    let mut lines = Vec::new();
    if arguments.markdown {
        lines.extend(HEAD.lines().map(str::to_owned));
    }
    for file in chosen {
        lines.extend(if arguments.markdown { markdown(file) } else { plain(file) });
    }
    print(&lines)
}

/// A file on the terminal.
fn plain(file: &FileDescription) -> Vec<String> {
    let width = |text: fn(&Description) -> &str| {
        file.columns.iter().map(|column| text(column).chars().count()).max().unwrap_or(0)
    };
    let (names, units) = (width(|column| &column.name), width(|column| column.unit));
    let mut lines = vec![format!("{}: {}", file.file, file.when)];
    lines.extend(file.columns.iter().map(|Description { name, unit, meaning }| {
        format!("  {name:<names$}  {:<units$}  {}", unit, sentence(meaning), units = units)
    }));
    lines.push(String::new());
    lines
}

/// A file as a section of the page.
fn markdown(file: &FileDescription) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("## `{}`: {}", file.file, file.when),
        String::new(),
        "| name | unit | meaning |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    lines.extend(file.columns.iter().map(|Description { name, unit, meaning }| {
        let meaning = sentence(meaning).replace('|', "\\|");
        format!("| `{name}` | {unit} | {meaning} |")
    }));
    lines
}

/// With a capital, unless it begins with a symbol.
fn sentence(text: &str) -> String {
    let word = text.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
    let is_word = word.len() > 1 || text.starts_with("a ");
    match is_word {
        true => format!("{}{}", text[..1].to_ascii_uppercase(), &text[1..]),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::column::faults;

    #[test]
    fn every_column_and_key_has_a_name_of_its_own_a_unit_and_a_meaning() {
        for file in files() {
            assert!(!file.columns.is_empty(), "{} of {}", file.file, file.when);
            assert_eq!(faults(&file.columns), [""; 0], "{} of {}", file.file, file.when);
        }
    }

    #[test]
    fn sentences_begin_with_a_capital_and_symbols_stay() {
        let texts = ["force on j", "η′, in phase", "u of the file", "a number", "|δⁿ|/h"];
        let expected = ["Force on j", "η′, in phase", "u of the file", "A number", "|δⁿ|/h"];
        assert_eq!(texts.map(sentence), expected);
    }
}
