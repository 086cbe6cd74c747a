//! How the crate is built: modules in layers, functions, files and structs of a size to be read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate from the ground up: each may use those before it, and no other.
const LAYERS: [&str; 27] = [
    "plot",
    "error",
    "document",
    "record",
    "clock",
    "cell",
    "state",
    "rates",
    "hydro",
    "laws",
    "stress",
    "obstacle",
    "pack",
    "pairs",
    "stats",
    "balance",
    "solve",
    "drive",
    "integrate",
    "cost",
    "case",
    "study",
    "run",
    "sweep",
    "analysis",
    "validate",
    "cli",
];

/// Most lines of a file, and of a function.
const MOST_FILE_LINES: usize = 400;
const MOST_FUNCTION_LINES: usize = 60;

/// Most fields of a struct.
const MOST_FIELDS: usize = 15;

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a folder of sources") {
        let path = entry.expect("a source").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The sources of a folder, with their paths inside it.
fn sources_of(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let inside = |path: &PathBuf| path.strip_prefix(&root).expect("inside").to_owned();
    files.iter().map(|path| (inside(path), fs::read_to_string(path).expect("text"))).collect()
}

/// The sources of the crate.
fn sources() -> Vec<(PathBuf, String)> {
    let sources = sources_of("src");
    assert!(sources.len() > 200, "only {} sources", sources.len());
    sources
}

/// All sources: those of the crate, of tests, benchmarks and examples.
fn all_sources() -> impl Iterator<Item = (PathBuf, String)> {
    let others = ["tests", "benches", "examples"].into_iter().flat_map(sources_of);
    sources().into_iter().chain(others)
}

/// The top-level module of a source.
fn module(path: &Path) -> String {
    let first = path.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Whether a source is made of tests only; these may use anything.
fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.contains("tests") || name.ends_with("test_data.rs")
}

/// The modules that a source uses outside its tests and comments.
fn used(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text
        .split("#[cfg(test)]")
        .next()
        .expect("a beginning")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    assert!(!code.contains("use crate::{"), "one `use crate::module` a line");
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
    };
    code.match_indices("crate::").map(|(at, found)| name(&code[at + found.len()..])).collect()
}

#[test]
fn modules_use_only_those_below_them() {
    let place = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    for (path, text) in sources().iter().filter(|(path, _)| !is_test(path)) {
        let own = module(path);
        if own == "lib" || own == "main" {
            continue;
        }
        let from = place(&own).unwrap_or_else(|| panic!("`{own}` has no layer"));
        for other in used(text).iter().filter(|other| **other != own && !other.is_empty()) {
            // Macros and re-exports of the crate's root have no layer of their own.
            let Some(to) = place(other) else { continue };
            assert!(to < from, "{}: `{own}` uses `{other}`, which is above it", path.display());
        }
    }
}

#[test]
fn every_module_has_a_layer() {
    let modules: BTreeSet<String> = sources().iter().map(|(path, _)| module(path)).collect();
    let mut layers: BTreeSet<String> = LAYERS.iter().map(ToString::to_string).collect();
    layers.extend(["lib".to_owned(), "main".to_owned()]);
    assert_eq!(modules, layers);
}

/// Names and lines of items that begin with a word; sources are formatted, so an item ends where a
/// brace stands below its beginning.
fn items<'a>(text: &'a str, word: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        words.contains(&word) && !line.trim_start().starts_with("//")
    };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| begins(line)) {
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let one_line = line.trim_end().ends_with(['}', ';']);
        let length = lines[at..].iter().position(|line| line.starts_with(&end)).unwrap_or(0);
        if !one_line {
            found.push((line.trim(), lines[at..=at + length].to_vec()));
        }
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    for (path, text) in all_sources() {
        let lines = text.lines().count();
        assert!(lines <= MOST_FILE_LINES, "{} has {lines} lines", path.display());
        for (name, lines) in items(&text, "fn") {
            let count = lines.len();
            let place = path.display();
            assert!(count <= MOST_FUNCTION_LINES, "{place}: `{name}` has {count} lines");
        }
    }
}

#[test]
fn structs_have_few_fields() {
    for (path, text) in sources() {
        for (name, lines) in items(&text, "struct") {
            let indent = lines[0].len() - lines[0].trim_start().len() + 4;
            let is_field = |line: &&&str| {
                let own = line.len() - line.trim_start().len() == indent;
                let text = line.trim_start();
                let comment = text.starts_with("//") || text.starts_with('#');
                own && !comment && text.contains(": ")
            };
            let fields = lines[1..].iter().filter(is_field).count();
            let place = path.display();
            assert!(fields <= MOST_FIELDS, "{place}: `{name}` has {fields} fields");
        }
    }
}

#[test]
fn lines_are_within_a_hundred_columns() {
    for (path, text) in all_sources() {
        let mut message = false;
        for (number, line) in text.lines().enumerate() {
            // Messages and rows of tables may be longer: they must not be broken.
            let free = message || line.contains('"') || line.trim_start().starts_with("//! |");
            let (width, place) = (line.chars().count(), path.display());
            assert!(width <= 100 || free, "{place}:{} has {width} columns", number + 1);
            message = line.ends_with('\\');
        }
    }
}
