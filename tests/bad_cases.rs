//! Bad cases as data: each file of `tests/bad` starts with the message it must produce, in
//! `# expect:` lines, and with the overrides it is read with, in `# set:` lines. Paths in messages
//! are relative to `tests/bad`; a message that ends with `…` may go on, as lists of tables do.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use zerostokes::case::Case;
use zerostokes::sweep::Sweep;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is part of the repository");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

fn comments(text: &str, mark: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("# ")?.strip_prefix(mark))
        .map(|rest| rest.trim().to_owned())
        .collect()
}

/// What is wrong with the test itself, if anything: the message expected and the one produced.
fn surprise(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("readable");
    let expected = comments(&text, "expect:").join("\n");
    let produced = match Case::read(path, &comments(&text, "set:")) {
        Ok(_) => "no error".to_owned(),
        Err(error) if error.exit_code() != 2 => format!("exit code of {error}"),
        Err(error) => {
            error.to_string().replace(&format!("{}/", root().join("tests/bad").display()), "")
        }
    };
    let as_expected = match expected.strip_suffix('…') {
        Some(beginning) => produced.starts_with(beginning),
        None => produced == expected,
    };
    (!as_expected).then(|| {
        let name = path.file_name().unwrap_or_default().display();
        format!("{name}\n  expected: {expected}\n  produced: {produced}")
    })
}

#[test]
fn bad_cases_are_refused_with_a_message_that_helps() {
    let files = files("tests/bad");
    assert!(files.len() >= 25, "only {} bad cases", files.len());
    let surprises: Vec<_> = files.iter().filter_map(|path| surprise(path)).collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn shipped_cases_are_read() {
    for path in files("cases") {
        if program::is_sweep(&path) {
            let sweep = Sweep::read(&path).unwrap_or_else(|error| panic!("{error}"));
            assert!(!sweep.is_empty(), "{}", path.display());
            continue;
        }
        let case = Case::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let again = Case::from_text(&case.to_toml(), &path, &[]);
        assert_eq!(again.unwrap_or_else(|error| panic!("{error}")), case);
    }
}
