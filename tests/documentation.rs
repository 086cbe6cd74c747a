//! The pages that the program makes are those that it would make now.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use zerostokes::study::STUDIES;
use zerostokes::validate::page::fixed_cells;
use zerostokes::validate::{
    Extent, Finding, Job, TableTally, Tolerance, Watch, carry_out, jobs, table,
};

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

const BENCHMARKS: &str = "docs/validation.md";

/// How the page of benchmarks is made anew.
const ANEW: &str = "make it anew with\n  cargo run --release -- validate --out validated\n  \
                    cp validated/validation.md docs/validation.md";

/// The cells of all rows of the page of benchmarks, in their order.
fn benchmarks() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(BENCHMARKS);
    let page = std::fs::read_to_string(path).expect("the page of benchmarks");
    let (_, tables) = page.split_once("\n## ").expect("tables after the head");
    let rows = tables.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.filter(|row| !row.starts_with("what | "));
    rows.map(|row| row.split(" | ").map(str::to_owned).collect()).collect()
}

/// Without the number of cases, which is known only once they were run.
fn without_cases(what: &str) -> &str {
    let is_count = |text: &str| text.parse::<usize>().is_ok();
    match what.rsplit_once(", ") {
        Some((head, tail))
            if tail.strip_prefix("worst of ").is_some_and(is_count)
                || tail.strip_suffix(" cases").is_some_and(is_count) =>
        {
            head
        }
        _ => what,
    }
}

#[test]
fn the_page_of_benchmarks_has_the_rows_of_the_program() {
    let kept = benchmarks();
    let rows: Vec<_> = jobs(Extent::Full).into_iter().flat_map(|job| job.rows).collect();
    for (kept, row) in kept.iter().zip(&rows) {
        let [what, paper, _, _, tolerance, verdict, source] = &kept[..] else {
            panic!("{BENCHMARKS}: {kept:?}");
        };
        let found = [without_cases(what), tolerance, source];
        assert_eq!(found, fixed_cells(row), "{BENCHMARKS} is stale; {ANEW}");
        assert!(row.paper.is_empty() || *paper == row.paper, "{what}: {paper} is stale; {ANEW}");
        assert_eq!(verdict, "ok", "{BENCHMARKS}: {what}");
    }
    assert_eq!(kept.len(), rows.len(), "rows of {BENCHMARKS}; {ANEW}");
}

/// Hears nothing.
struct Silent;

impl Watch for Silent {
    fn found(&self, _: &Finding) {}

    fn progress(&self, _: &TableTally) {}

    fn stop(&self) -> bool {
        false
    }
}

/// Jobs that cost more are not run again: their numbers are means of sheared suspensions `[s]`.
const MOST_COST: f64 = 5.0;

/// References are compared as they are printed. What is found here depends on the machine in its
/// last digits: it may differ by a tenth of the tolerance.
#[test]
fn the_numbers_of_the_page_of_benchmarks_are_those_of_the_program() {
    let kept = benchmarks();
    let mut place = 0;
    for job in jobs(Extent::Full) {
        let rows = &kept[place..place + job.rows.len()];
        place += job.rows.len();
        if job.cost < MOST_COST {
            compare(rows, job);
        }
    }
}

fn compare(rows: &[Vec<String>], job: Job) {
    let findings = carry_out(&[job], 1, &Silent).expect("a place to run cases in");
    assert_eq!(findings.len(), rows.len());
    for (row, finding) in rows.iter().zip(&findings) {
        let tolerance = finding.row.tolerance;
        let references: Vec<String> =
            finding.measures.iter().map(|m| table::reference(m, tolerance)).collect();
        let (what, reference, here) = (&row[0], &row[2], &row[3]);
        assert!(references.contains(reference), "{what}: {reference} is stale; {ANEW}");
        let ([measure], Ok(kept)) = (&finding.measures[..], here.parse::<f64>()) else { continue };
        let now = measure.here;
        assert!(is_near(kept, now, tolerance), "{what}: {here} is stale, it is {now}; {ANEW}");
    }
}

/// Whether a number of the page is the present one, as far as its six digits tell.
fn is_near(kept: f64, now: f64, tolerance: Tolerance) -> bool {
    let allowed = match tolerance {
        Tolerance::Relative(share) => share * now.abs(),
        Tolerance::Absolute(_) | Tolerance::Same => tolerance.size(),
    };
    (kept - now).abs() <= 0.1 * allowed + 1e-5 * now.abs()
}

#[test]
fn the_page_of_the_architecture_has_every_module() {
    let read = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(path).expect("a page, its figure or the crate")
    };
    let [page, figure, root] =
        ["docs/developers/architecture.md", "docs/figures/architecture.svg", "src/lib.rs"]
            .map(read);
    let modules = root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(page.contains(&format!("\n| [`{module}`](../../src/{module}")), "page: {module}");
        assert!(figure.contains(&format!(">{module}</text>")), "figure: {module}");
    }
}

/// Links of a page to files beside it, without their places inside a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let files = ends.map(|link| link.split('#').next().unwrap_or(link));
    files.filter(|link| !link.is_empty() && !link.contains("://") && !link.contains(' '))
}

#[test]
fn pages_for_developers_and_generated_pages_link_to_what_there_is() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for page in ["architecture", "adding", "numerics", "contributing", "releases"]
        .map(|name| format!("developers/{name}.md"))
        .into_iter()
        .chain(["performance.md", "validation.md"].map(str::to_owned))
    {
        let path = docs.join(&page);
        let text = std::fs::read_to_string(&path).expect("a page");
        for link in links(&text) {
            assert!(path.with_file_name("").join(link).exists(), "{page}: no {link}");
        }
    }
}

#[test]
fn cases_are_lessons_and_what_they_suggest_to_run_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files =
        std::fs::read_dir(root.join("cases")).expect("cases").map(|file| file.unwrap().path());
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
            let checked = program::zerostokes(root, &format!("check {settings}"));
            assert!(checked.status.success(), "{command}: {}", program::complaint(&checked));
        }
    }
}
