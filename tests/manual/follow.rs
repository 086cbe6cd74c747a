//! A page, followed as a user would.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::blocks::{Block, Instead, blocks};
use crate::{pages, program, quoted};

/// Runs what a page says, in order.
pub fn follow(page: &str) {
    let name = format!("manual-{}", page.replace(['/', '.'], "-"));
    let here = program::scratch(&name);
    copy_cases(&here);
    let mut said: Option<Said> = None;
    for block in blocks(page, &pages::text(page)) {
        let place = format!("{page}:{}", block.line);
        if let Some(file) = block.file() {
            std::fs::write(here.join(file), &block.text).unwrap();
        }
        match block.language.as_str() {
            "sh" => match commands(&place, &block) {
                Some(script) => {
                    if script.contains("python3 ") && !has_python("") {
                        tell(&format!("{place}: SKIPPED to the end of the page, no python3"));
                        break;
                    }
                    if let Some(missing) = missing_python(&here, &script) {
                        tell(&format!("{place}: SKIPPED, python3 has no {missing}"));
                        said = None;
                        continue;
                    }
                    let whole = block.instead.is_none();
                    said = Some(Said { text: run(&place, &here, &script), whole });
                }
                None => said = None,
            },
            "text" => {
                if let Some(said) = &said {
                    quoted::check(&place, &block.text, &said.text, said.whole);
                }
            }
            _ => {}
        }
    }
    std::fs::remove_dir_all(here).unwrap();
}

/// What commands printed, and whether they were all that the page says.
struct Said {
    text: String,
    whole: bool,
}

/// The shipped cases, so that pages may write beside them.
fn copy_cases(here: &Path) {
    std::fs::create_dir(here.join("cases")).unwrap();
    for entry in std::fs::read_dir(program::shipped("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            std::fs::copy(&path, here.join("cases").join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// The commands of a block, or of the comment before it; none if it is skipped.
fn commands(place: &str, block: &Block) -> Option<String> {
    let text = match &block.instead {
        Some(Instead::Skip(_)) => return None,
        Some(Instead::Run(other)) => other.clone(),
        None => block.text.replace("cargo run --release -- ", "zerostokes "),
    };
    let foreign = text.lines().find(|line| {
        ["cargo ", "git ", "pip ", "rustup "].iter().any(|program| line.starts_with(program))
    });
    if let Some(line) = foreign {
        panic!("{place}: `{line}` is not for tests; put <!-- test: skip, why --> before the fence");
    }
    Some(text)
}

/// Runs a script in a directory with the program on the path; what it printed.
fn run(place: &str, here: &Path, script: &str) -> String {
    let began = Instant::now();
    let built = PathBuf::from(env!("CARGO_BIN_EXE_zerostokes"));
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let first = built.parent().expect("a folder").to_owned();
    let path = std::env::join_paths(std::iter::once(first).chain(std::env::split_paths(&rest)));
    let done = Command::new("sh")
        .args(["-e", "-c", script])
        .current_dir(here)
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    let both = [done.stdout, done.stderr].concat();
    let both = String::from_utf8_lossy(&both).into_owned();
    assert!(done.status.success(), "{place}: {}\n{script}\n{both}", done.status);
    println!("{place}: {:.1} s", began.elapsed().as_secs_f64());
    both
}

/// What a script of Python imports and is not there, if the commands run one.
fn missing_python(here: &Path, script: &str) -> Option<String> {
    let files = script.lines().filter_map(|line| line.strip_prefix("python3 "));
    files.map(str::trim).find_map(|file| {
        let text = std::fs::read_to_string(here.join(file)).unwrap_or_default();
        let imported = text.lines().filter_map(|line| {
            line.strip_prefix("import ")
                .or_else(|| line.strip_prefix("from "))?
                .split([' ', '.'])
                .next()
        });
        imported
            .collect::<Vec<_>>()
            .into_iter()
            .find(|package| !has_python(&format!("import {package}")))
            .map(str::to_owned)
    })
}

/// Whether there is a Python that can do something.
fn has_python(something: &str) -> bool {
    let done = Command::new("python3").args(["-c", something]).output();
    done.is_ok_and(|done| done.status.success())
}

/// Says something that the harness does not swallow.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
