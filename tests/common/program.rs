//! The program itself, as a user runs it.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A new empty directory under the system's one for temporary files.
pub fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("zerostokes-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// The program in a directory, without arguments yet.
pub fn program(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zerostokes"));
    command.current_dir(directory);
    command
}

/// Runs the program with arguments separated by blanks.
pub fn zerostokes(directory: &Path, arguments: &str) -> Output {
    program(directory).args(arguments.split_whitespace()).output().unwrap()
}

/// What the program said on stderr.
pub fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the program prints with arguments separated by blanks, if it succeeds.
pub fn said(directory: &Path, arguments: &str) -> String {
    let out = zerostokes(directory, arguments);
    assert!(out.status.success(), "{arguments}: {}", complaint(&out));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A JSON file.
pub fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is written in an SVG file, subscripts as plain letters.
pub fn words(svg: &str) -> String {
    svg.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect()
}

/// A file of a shipped case.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(name)
}

/// Whether a file is a sweep: it names the case that it varies.
pub fn is_sweep(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().any(|line| line.starts_with("case = "))
}

/// A frictional case, written into a directory.
pub fn write_case(directory: &Path, count: usize, strain: f64, rest: &str) -> PathBuf {
    let path = directory.join("case.toml");
    let text = format!(
        "[particles]\ncount = {count}\nvolume_fraction = 0.5\n[drive]\nstrain = {strain}\n\
         [contact]\nfriction = 0.5\n{rest}"
    );
    std::fs::write(&path, text).unwrap();
    path
}
