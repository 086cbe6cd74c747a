//! The pages that the program makes are those that it would make now, and say all of every key.

#[path = "common/program.rs"]
mod program;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use zerostokes::case::{Case, Known};
use zerostokes::document::keys::{Key, KeyTable, tables};
use zerostokes::study::STUDIES;
use zerostokes::sweep;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn made(command: &str) -> String {
    let made = program::zerostokes(Path::new("."), command);
    assert!(made.status.success(), "{}", program::complaint(&made));
    String::from_utf8(made.stdout).expect("text")
}

/// A page is what the command makes now.
fn is_fresh(page: &str, command: &str) {
    let kept = std::fs::read_to_string(root().join(page)).unwrap_or_default();
    let made = made(command);
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    let line = 1 + differs.unwrap_or(kept.lines().count().min(made.lines().count()));
    assert!(
        kept == made,
        "{page} is stale from line {line} on; make it anew with\n  \
         cargo run --release -- {command} > {page}"
    );
}

#[test]
fn the_pages_that_the_program_makes_are_up_to_date() {
    is_fresh("docs/reference/files.md", "columns --markdown");
    is_fresh("docs/reference/keys.md", "keys --markdown");
    is_fresh("docs/reference/commands.md", "commands");
}

#[test]
fn the_page_of_files_has_the_summary_of_every_study() {
    let page = made("columns --markdown");
    for study in STUDIES {
        let heading = format!("\n## `summary.json`: the study `{}`\n", study.name);
        assert_eq!(page.matches(&heading).count(), 1, "{heading}");
    }
}

fn case_tables() -> Vec<KeyTable> {
    tables(&Known::default().schema())
}

#[test]
fn every_key_has_a_unit_a_default_valid_values_and_a_meaning() {
    let all = [case_tables(), tables(&sweep::schema())].concat();
    let keys: Vec<&Key> = all.iter().flat_map(|table| &table.keys).collect();
    assert!(keys.len() > 150, "only {} keys", keys.len());
    for table in &all {
        assert!(!table.meaning.is_empty(), "{}", table.header());
    }
    for key in keys {
        let Key { name, unit, default, valid, meaning, words } = key;
        assert!(![unit, default, valid, meaning].iter().any(|text| text.is_empty()), "{key:?}");
        for text in [meaning, default, valid] {
            assert!(!text.contains("\\") && !text.contains("[`"), "{name} is not plain: {text}");
        }
        let is_word = valid.contains('"') && !valid.contains(" or ") && !valid.contains('`');
        assert_eq!(unit == "word", is_word, "{key:?}");
        assert!(unit != "word" || words.iter().all(|(_, meaning)| !meaning.is_empty()), "{key:?}");
    }
}

/// A document that has nothing but an unknown key in a table, as an override.
fn with_unknown_key(table: &KeyTable) -> String {
    let name = &table.name;
    match (name.strip_suffix("[]"), name.as_str()) {
        (_, "") => "no_such_key=1".to_owned(),
        (Some(list), _) => format!("{list}=[{{no_such_key=1}}]"),
        (None, table) => format!("{table}.no_such_key=1"),
    }
}

/// The decoder says which keys are valid where an unknown one is given: they are those of the
/// schema.
#[test]
fn the_decoder_accepts_the_keys_of_the_schema_and_no_others() {
    let all = case_tables();
    for table in &all {
        let set = with_unknown_key(table);
        let fault = Case::from_text("", Path::new("case.toml"), std::slice::from_ref(&set));
        let fault = fault.expect_err(&set).to_string();
        let (_, accepted) = fault.rsplit_once(": ").expect("a list of keys");
        let accepted: BTreeSet<&str> = accepted.split(", ").collect();
        let inside = |name: &str| {
            let rest = match table.name.as_str() {
                "" => Some(name),
                table => name.strip_prefix(table)?.strip_prefix('.'),
            };
            rest.filter(|rest| !rest.contains('.')).map(|rest| rest.replace("[]", ""))
        };
        let keys = table.keys.iter().map(|key| key.name.as_str());
        let described = keys.chain(all.iter().map(|table| table.name.as_str()));
        let described = described.filter(|name| !name.is_empty()).filter_map(inside);
        let described: BTreeSet<String> = described.collect();
        let described: BTreeSet<&str> = described.iter().map(String::as_str).collect();
        assert_eq!(described, accepted, "{fault}");
    }
}

/// The keys of a table that is written, those of tables in it too.
fn keys_of(value: &toml::Value, name: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::Table(entries) => {
            for (key, inner) in entries {
                let dot = if name.is_empty() { "" } else { "." };
                keys_of(inner, &format!("{name}{dot}{key}"), found);
            }
        }
        toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
            items.iter().for_each(|item| keys_of(item, &format!("{name}[]"), found));
        }
        _ => found.push(name.to_owned()),
    }
}

fn shipped(sweeps: bool) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("cases")).expect("shipped cases");
    let files = files.map(|file| file.expect("a file").path());
    let toml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    let found: Vec<_> =
        files.filter(|path| toml(path) && program::is_sweep(path) == sweeps).collect();
    assert!(found.len() > 5, "only {} files", found.len());
    found
}

#[test]
fn every_key_that_a_case_is_resolved_to_is_described() {
    let tables = case_tables();
    let known: BTreeSet<&str> =
        tables.iter().flat_map(|table| &table.keys).map(|key| key.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    for file in shipped(false) {
        let text = Case::read(&file, &[]).expect("a case").to_toml();
        let mut keys = Vec::new();
        keys_of(&text.parse::<toml::Table>().expect("TOML").into(), "", &mut keys);
        for key in keys {
            assert!(known.contains(key.as_str()), "{}: {key} is not described", file.display());
            seen.insert(key);
        }
    }
    assert!(seen.len() > 100, "only {} keys were seen", seen.len());
}

#[test]
fn every_key_of_a_shipped_sweep_is_described() {
    let tables = tables(&sweep::schema());
    let known: BTreeSet<&str> =
        tables.iter().flat_map(|table| &table.keys).map(|key| key.name.as_str()).collect();
    for file in shipped(true) {
        let text = std::fs::read_to_string(&file).expect("a sweep");
        let mut keys = Vec::new();
        keys_of(&text.parse::<toml::Table>().expect("TOML").into(), "", &mut keys);
        for key in keys {
            // What is set are keys of the case.
            let key = key.split_once("set.").map_or(key.clone(), |(at, _)| format!("{at}set"));
            assert!(known.contains(key.as_str()), "{}: {key} is not described", file.display());
        }
    }
}

/// Where the default of a key is a value, the resolved case of a study that says nothing has it.
#[test]
fn defaults_are_those_of_a_case_that_says_nothing_else() {
    let compared = STUDIES.iter().map(|study| {
        let set = match study.says_all {
            true => Vec::new(),
            false => ["particles.count=9", "particles.volume_fraction=0.1"].map(Into::into).into(),
        };
        let text = format!("study = {:?}", study.name);
        let case = Case::from_text(&text, Path::new("case.toml"), &set).expect("a case");
        compare_defaults(&case.to_toml().parse().expect("TOML"))
    });
    let compared: usize = compared.sum();
    assert!(compared > 80, "only {compared} defaults were compared");
}

/// The number of keys of a case whose described default is a value: that which they have.
fn compare_defaults(case: &toml::Table) -> usize {
    let mut compared = 0;
    for key in case_tables().iter().flat_map(|table| &table.keys) {
        let Some((table, name)) = key.name.split_once('.') else { continue };
        let Some(value) = case.get(table).and_then(|table| table.get(name)) else { continue };
        let Ok(default) = format!("x = {}", key.default).parse::<toml::Table>() else { continue };
        let numbers = |value: &toml::Value| -> Vec<f64> {
            let items = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
            let number = |v: &toml::Value| v.as_float().or(v.as_integer().map(|n| n as f64));
            items.iter().filter_map(number).collect()
        };
        let same = *value == default["x"]
            || (!numbers(value).is_empty() && numbers(value) == numbers(&default["x"]));
        assert!(same, "{}: {value} is not {}", key.name, key.default);
        compared += 1;
    }
    compared
}

#[test]
fn the_schema_for_editors_is_json_schema_of_all_tables() {
    let text = made("keys --json");
    let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["additionalProperties"], false);
    let friction = &schema["properties"]["contact"]["properties"]["friction"];
    assert_eq!((&friction["type"], &friction["minimum"]), (&"number".into(), &0.into()));
    assert_eq!(schema["properties"]["repulsion"]["required"].as_array().map(Vec::len), Some(2));
    assert!(!text.contains("\"order\"") && !text.contains("null"), "our own keywords");
    let sweep: serde_json::Value =
        serde_json::from_str(&made("keys --sweep --json")).expect("JSON");
    assert_eq!(sweep["required"], serde_json::json!(["case"]));
}

#[test]
fn keys_shows_a_table_or_a_key_and_suggests_the_nearest() {
    let table = made("keys contact");
    assert!(table.starts_with("[contact]: ") && table.contains("\n  contact.friction [1]\n"));
    let key = made("keys contact.friction");
    for line in ["contact.friction", "  unit      1: a pure number", "  default   0"] {
        assert!(key.lines().any(|found| found == line), "{line} is not in\n{key}");
    }
    let misspelt = program::zerostokes(Path::new("."), "keys contact.fricton");
    assert_eq!(misspelt.status.code(), Some(2));
    let said = program::complaint(&misspelt);
    assert!(said.contains("did you mean `contact.friction`?"), "{said}");
}

/// Pages of the reference that are written by hand link to files that are there.
#[test]
fn links_of_the_reference_lead_somewhere() {
    let folder = root().join("docs/reference");
    for page in std::fs::read_dir(&folder).expect("pages") {
        let page = page.expect("a page").path();
        let text = std::fs::read_to_string(&page).expect("text");
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            let there = file.is_empty() || file.starts_with("http") || folder.join(file).is_file();
            assert!(there, "{}: {link} leads nowhere", page.display());
        }
    }
}

/// The examples of help texts that take no time, as they are printed; the others are parsed by a
/// test of the crate.
#[test]
fn short_examples_of_help_texts_run() {
    let here = program::scratch("examples");
    let cases = std::fs::read_dir(root().join("cases")).expect("shipped cases");
    std::fs::create_dir(here.join("cases")).expect("a directory");
    for file in cases.map(|file| file.expect("a file").path()) {
        std::fs::copy(&file, here.join("cases").join(file.file_name().expect("a name")))
            .expect("a copy");
    }
    let mut run = 0;
    for command in ["check", "keys", "columns", "pack", "export", "commands"] {
        let help = made(&format!("{command} --help"));
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for example in examples.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (plain, _) = example.split_once(" > ").unwrap_or((example, ""));
            if plain.contains("runs/") {
                continue;
            }
            let words = plain.strip_prefix("zerostokes ").expect("the program");
            let done = program::zerostokes(&here, words);
            assert!(done.status.success(), "{example}: {}", program::complaint(&done));
            run += 1;
        }
    }
    assert!(run >= 10, "only {run} examples were run");
    std::fs::remove_dir_all(&here).expect("what was written goes");
}

#[test]
fn the_page_of_the_architecture_has_every_module() {
    let read = |path: &str| {
        std::fs::read_to_string(root().join(path)).expect("a page, its figure or the crate")
    };
    let [page, figure, crate_root] =
        ["docs/developers/architecture.md", "docs/figures/architecture.svg", "src/lib.rs"]
            .map(read);
    let modules =
        crate_root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(page.contains(&format!("\n| [`{module}`](../../src/{module}")), "page: {module}");
        assert!(figure.contains(&format!(">{module}</text>")), "figure: {module}");
    }
}

#[test]
fn cases_are_lessons_and_what_they_suggest_to_run_is_valid() {
    let files =
        std::fs::read_dir(root().join("cases")).expect("cases").map(|file| file.unwrap().path());
    for case in files.filter(|path| path.extension().is_some_and(|end| end == "toml")) {
        let text = std::fs::read_to_string(&case).expect("text");
        for word in ["# Asks: ", "# Shows: ", "# Prints: ", "# Takes: ", "# Units: ", "# Try next"]
        {
            assert!(text.contains(word), "{}: no {word}", case.display());
        }
        let commands = text.lines().filter_map(|line| line.strip_prefix("#   zerostokes run "));
        let commands: Vec<&str> = commands.collect();
        assert!(commands.len() >= 2, "{}", case.display());
        for command in commands {
            let settings = command.split(" --out ").next().unwrap_or(command);
            let checked = program::zerostokes(root(), &format!("check {settings}"));
            assert!(checked.status.success(), "{command}: {}", program::complaint(&checked));
        }
    }
}

/// What a case says of itself after a word at the beginning of a comment, in one line.
fn told(case: &str, word: &str) -> String {
    let (_, rest) = case.split_once(&format!("# {word}: ")).expect("a case says what it asks");
    let mut lines = rest.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let more = lines.map_while(|line| line.strip_prefix("#   "));
    more.fold(first, |text, line| format!("{text} {}", line.trim()))
}

#[test]
fn the_page_of_cases_says_what_each_asks_and_takes() {
    let page = std::fs::read_to_string(root().join("docs/reference/cases.md")).expect("the page");
    for file in std::fs::read_dir(root().join("cases")).expect("cases") {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|end| end == "toml") {
            let case = std::fs::read_to_string(&path).expect("text");
            let name = path.file_name().unwrap().display().to_string();
            let (asks, takes) = (told(&case, "Asks"), told(&case, "Takes"));
            let row = format!("| [`{name}`](../../cases/{name}) | {asks} | {takes} |");
            assert!(page.contains(&row), "docs/reference/cases.md lacks\n{row}");
        }
    }
}
