//! The page of benchmarks is the one that the program would make now.

use std::path::Path;

use zerostokes::validate::page::fixed_cells;
use zerostokes::validate::{
    Extent, Finding, Job, TableTally, Tolerance, Watch, carry_out, jobs, table,
};

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
