//! Notes the commit the program is built from, for the manifest of every run.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(commit) = own_commit() else { return };
    println!("cargo::rustc-env=ZEROSTOKES_COMMIT={commit}");
    // The log of HEAD changes with every commit and every checkout.
    if let Some(log) =
        git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The commit, if the repository is this package's own and not one it was unpacked in.
fn own_commit() -> Option<String> {
    let top = Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()?;
    if top == here { git(&["rev-parse", "HEAD"]) } else { None }
}

/// What a git command prints, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
