//! The pages that the program makes are those that it would make now.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use zerostokes::study::STUDIES;

fn made() -> String {
    let made = program::zerostokes(Path::new("."), "columns --markdown");
    assert!(made.status.success(), "{}", program::complaint(&made));
    String::from_utf8(made.stdout).expect("text")
}

#[test]
fn the_page_of_files_is_up_to_date() {
    let page = "docs/reference/files.md";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let made = made();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    let line = 1 + differs.unwrap_or(kept.lines().count().min(made.lines().count()));
    assert!(
        kept == made,
        "{page} is stale from line {line} on; make it anew with\n  \
         cargo run --release -- columns --markdown > {page}"
    );
}

#[test]
fn the_page_of_files_has_the_summary_of_every_study() {
    let page = made();
    for study in STUDIES {
        let heading = format!("\n## `summary.json`: the study `{}`\n", study.name);
        assert_eq!(page.matches(&heading).count(), 1, "{heading}");
    }
}
