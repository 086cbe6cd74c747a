//! Bad sweeps as data: each file of `tests/bad_sweeps` starts with the message it must produce, in
//! `# expect:` lines. Paths in messages are relative to `tests/bad_sweeps`.

use std::fs;
use std::path::{Path, PathBuf};

use zerostokes::sweep::Sweep;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_sweeps")
}

/// The message expected and the one produced, unless they are the same.
fn surprise(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("readable");
    let expected: Vec<_> = text.lines().filter_map(|l| l.strip_prefix("# expect: ")).collect();
    let expected = expected.join("\n");
    let produced = match Sweep::read(path) {
        Ok(_) => "no error".to_owned(),
        Err(error) if error.exit_code() != 2 => format!("exit code of {error}"),
        Err(error) => error.to_string().replace(&format!("{}/", folder().display()), ""),
    };
    (expected != produced).then(|| {
        let name = path.file_name().unwrap_or_default().display();
        format!("{name}\n  expected: {expected}\n  produced: {produced}")
    })
}

#[test]
fn bad_sweeps_are_refused_with_a_message_that_helps() {
    let entries = fs::read_dir(folder()).expect("the folder is part of the repository");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 25, "only {} bad sweeps", files.len());
    let surprises: Vec<_> = files.iter().filter_map(|path| surprise(path)).collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}
