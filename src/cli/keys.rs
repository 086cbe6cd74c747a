//! `zerostokes keys`: every key of case and sweep files.

use clap::Args;
use serde_json::Value as Json;

use super::print;
use crate::Error;
use crate::case::Known;
use crate::document::keys::{Key, KeyTable, tables};
use crate::document::nearest;
use crate::document::schema::published;
use crate::sweep;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerostokes keys contact
  zerostokes keys contact.friction")]
pub(super) struct KeysArguments {
    /// Show only this table or key, as in contact or contact.friction.
    prefix: Option<String>,
    /// Show the keys of sweep files instead of those of case files.
    #[arg(long)]
    sweep: bool,
    /// Print the JSON Schema, with which editors check and complete the files.
    #[arg(long, conflicts_with_all = ["prefix", "markdown"])]
    json: bool,
    /// Write the page of the manual, docs/reference/keys.md.
    #[arg(long, conflicts_with_all = ["prefix", "sweep"])]
    markdown: bool,
}

/// Widest line on the terminal.
const WIDTH: usize = 96;

pub(super) fn keys(arguments: &KeysArguments) -> Result<(), Error> {
    if arguments.markdown {
        return print(&page());
    }
    let schema = if arguments.sweep { sweep::schema() } else { Known::default().schema() };
    if arguments.json {
        return print(&json(&schema, arguments.sweep));
    }
    let tables = tables(&schema);
    match &arguments.prefix {
        None => print(&tables.iter().flat_map(plain).collect::<Vec<_>>()),
        Some(prefix) => print(&chosen(&tables, &without_indices(prefix), arguments.sweep)?),
    }
}

/// The schema as other programs read it.
fn json(schema: &Json, sweep: bool) -> Vec<String> {
    let mut schema = published(schema);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = format!("{} file of zerostokes", if sweep { "Sweep" } else { "Case" }).into();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
    text.lines().map(str::to_owned).collect()
}

/// What a prefix names: a key, or a table with those in it.
fn chosen(tables: &[KeyTable], prefix: &str, sweep: bool) -> Result<Vec<String>, Error> {
    let all = || tables.iter().flat_map(|table| table.keys.iter().map(move |key| (table, key)));
    let last = |key: &Key| key.name.rsplit('.').next().is_some_and(|name| name == prefix);
    let named = |name: &str| {
        let name = without_indices(name);
        name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
    };
    if let Some((table, key)) = all().find(|(_, key)| without_indices(&key.name) == prefix) {
        return Ok(in_full(table, key));
    }
    let inside: Vec<_> = tables.iter().filter(|table| named(&table.name)).collect();
    if !inside.is_empty() {
        return Ok(inside.into_iter().flat_map(plain).collect());
    }
    let alike: Vec<_> = all().filter(|(_, key)| last(key)).collect();
    if !alike.is_empty() {
        return Ok(alike.into_iter().flat_map(|(_, key)| lines(key)).collect());
    }
    let mut names: Vec<String> = all().map(|(_, key)| without_indices(&key.name)).collect();
    names.extend(tables.iter().map(|table| without_indices(&table.name)));
    names.extend(all().filter_map(|(_, key)| key.name.rsplit('.').next().map(str::to_owned)));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (files, list) = match sweep {
        true => ("sweep", "zerostokes keys --sweep"),
        false => ("case", "zerostokes keys"),
    };
    let remedy = match nearest(prefix, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`{list}` lists all"),
    };
    Err(Error::Usage { reason: format!("{files} files have no key or table `{prefix}`; {remedy}") })
}

/// A key as it is typed: `obstacle[0].kind` and `obstacle[].kind` are the same.
fn without_indices(key: &str) -> String {
    let parts = key.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
    parts.collect::<String>().trim_matches('.').to_owned()
}

/// A table on the terminal.
fn plain(table: &KeyTable) -> Vec<String> {
    let mut found = match table.name.as_str() {
        "" => vec!["At the top, before the first table".to_owned()],
        _ => wrapped(&format!("{}: {}", table.header(), table.meaning), 0),
    };
    found.extend(table.keys.iter().flat_map(lines));
    found.push(String::new());
    found
}

/// A key in a few lines.
fn lines(key: &Key) -> Vec<String> {
    let Key { name, unit, default, valid, meaning, .. } = key;
    let mut found = vec![format!("  {name} [{unit}]")];
    found.extend(wrapped(meaning, 6));
    let must = if default.starts_with("required") { "" } else { "default " };
    found.extend(wrapped(&format!("{must}{default}; valid {valid}"), 6));
    found
}

/// A key with all that is known of it.
fn in_full(table: &KeyTable, key: &Key) -> Vec<String> {
    let Key { name, unit, default, valid, meaning, words } = key;
    let mut found = vec![name.clone()];
    found.extend(wrapped(meaning, 2));
    found.push(String::new());
    let unit = match of_unit(unit) {
        "" => unit.clone(),
        what => format!("{unit}: {what}"),
    };
    for (what, text) in [("unit", &unit), ("default", default), ("valid", valid)] {
        let text = wrapped(text, 12);
        found.push(format!("  {what:<10}{}", text[0].trim_start()));
        found.extend_from_slice(&text[1..]);
    }
    for (word, meaning) in words.iter().filter(|(_, meaning)| !meaning.is_empty()) {
        found.extend(wrapped(&format!("{word:?}: {meaning}"), 12));
    }
    if !table.name.is_empty() {
        found.push(format!("  {:<10}{}", "table", table.header()));
    }
    found
}

/// What is behind a unit, where its name does not say it.
fn of_unit(unit: &str) -> &'static str {
    let own = ["length", "time", "force", "viscosity"].iter().any(|name| unit.contains(name));
    match unit {
        "1" => "a pure number",
        "a" => "the smallest radius, whatever the unit of length",
        "μγ̇a" | "μa" => {
            "of the fluid's viscosity, the rate of the case and the smallest radius"
        }
        "R" | "τ" | "τ_c" => "of the study; `zerostokes check` prints its units",
        _ if unit.starts_with("strain") => "what the run counts",
        _ if own => "the case's own units: any consistent set, SI too",
        _ => "",
    }
}

/// A text in lines that begin with some spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let mut lines = vec![" ".repeat(indent)];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        let used = line.chars().count();
        if used > indent && used + 1 + word.chars().count() > WIDTH {
            lines.push(format!("{}{word}", " ".repeat(indent)));
        } else {
            let space = if used > indent { " " } else { "" };
            *line += &format!("{space}{word}");
        }
    }
    lines
}

/// What the page says before the keys.
const HEAD: &str = include_str!("keys_head.md");

/// The page of the manual.
fn page() -> Vec<String> {
    let mut page: Vec<String> = HEAD.lines().map(str::to_owned).collect();
    let mut part = |heading: &str, schema: &Json| {
        page.extend([String::new(), format!("## {heading}")]);
        page.extend(tables(schema).iter().flat_map(section));
    };
    part("Case files", &Known::default().schema());
    part("Sweep files", &sweep::schema());
    page
}

/// A table as a section of the page.
fn section(table: &KeyTable) -> Vec<String> {
    let mut found = vec![String::new()];
    match table.name.as_str() {
        "" => found.push("### At the top".to_owned()),
        _ => {
            found.extend([format!("### `{}`", table.header()), String::new()]);
            found.extend(wrapped(&format!("{}.", table.meaning), 0));
        }
    }
    found.extend([
        String::new(),
        "| key | unit | default | valid | meaning |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ]);
    found.extend(table.keys.iter().map(|key| {
        let Key { name, unit, default, valid, words, .. } = key;
        let mut meaning = key.meaning.clone();
        for (word, said) in words.iter().filter(|(_, said)| !said.is_empty()) {
            meaning += &format!(". `\"{word}\"`: {said}");
        }
        let meaning = meaning.replace('|', "\\|");
        format!("| `{name}` | {unit} | {default} | {valid} | {meaning} |")
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case_keys(prefix: &str) -> Result<Vec<String>, String> {
        let tables = tables(&Known::default().schema());
        chosen(&tables, &without_indices(prefix), false).map_err(|error| error.to_string())
    }

    #[test]
    fn a_prefix_names_a_key_a_table_or_keys_of_several_tables() {
        let friction = case_keys("contact.friction").unwrap();
        assert_eq!(friction[0], "contact.friction");
        assert!(friction.contains(&"  valid     >= 0".to_owned()), "{friction:?}");
        let drive = case_keys("drive").unwrap().join("\n");
        for name in ["  drive.rate [1/time]", "[drive.oscillation]", "  drive.phase[].to"] {
            assert!(drive.contains(name), "{name} is not in\n{drive}");
        }
        assert_eq!(case_keys("obstacle[0].kind"), case_keys("obstacle.kind"));
        let roughness = case_keys("roughness").unwrap().join("\n");
        assert!(roughness.contains("  rough.roughness") && roughness.contains("  pair.roughness"));
    }

    #[test]
    fn a_misspelt_key_suggests_the_nearest() {
        let nearest = |prefix: &str| case_keys(prefix).unwrap_err();
        assert!(nearest("contact.fricton").ends_with("did you mean `contact.friction`?"));
        assert!(nearest("lubricaton").ends_with("did you mean `lubrication`?"));
        assert!(nearest("temperature").ends_with("`zerostokes keys` lists all"));
    }

    #[test]
    fn lines_are_within_the_width() {
        let all = tables(&Known::default().schema());
        for line in all.iter().flat_map(plain) {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
