//! Bad sweeps as data: each file of `tests/bad_sweeps` starts with the message it must produce, in
//! `# expect:` lines. Paths in messages are relative to `tests/bad_sweeps`.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};

use zerostokes::case::Known;
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

#[test]
fn keys_are_set_in_all_points() {
    let here = program::scratch("sweep-set");
    fs::copy(program::shipped("suspension.toml"), here.join("suspension.toml")).unwrap();
    let text = "case = \"suspension.toml\"\n[set]\n\"particles.count\" = 100\n\
                [[curve]]\nset = { \"contact.friction\" = 0, \"drive.strain\" = 5 }\n\
                [[curve]]\nset = { \"contact.friction\" = 1, \"drive.strain\" = 4 }\n\
                [[over]]\nkey = \"particles.seed\"\nvalues = [1, 2]\n";
    let path = here.join("sweep.toml");
    fs::write(&path, text).unwrap();
    let read = |set: &[&str]| {
        let set: Vec<String> = set.iter().map(ToString::to_string).collect();
        Sweep::read_with(&path, &set, &Known::default())
    };
    let sweep = read(&["drive.strain=9", "particles.count=150"]).unwrap();
    for index in 0..sweep.len() {
        let case = sweep.case(index).unwrap();
        assert_eq!((case.drive.strain, case.particles.count), (Some(9.0), Some(150)));
        assert_eq!(case.laws.contact.friction, [0.0, 1.0][index / 2]);
    }
    let refused = |set: &str| read(&[set]).unwrap_err().to_string();
    assert!(refused("particles.seed=3").contains("is what the sweep varies"));
    let same = read(&["drive.strain=9", "contact.friction=0.5"]).unwrap_err().to_string();
    assert!(same.contains("is all that tells two curves apart"), "{same}");
    assert!(refused("no.such=3").contains("no"), "{}", refused("no.such=3"));
    fs::remove_dir_all(here).unwrap();
}
