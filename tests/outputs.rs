//! An output of one's own, and whether it resumes as exactly as those of the program.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::scratch;
use serde_json::Value;
use zerostokes::Error;
use zerostokes::case::Case;
use zerostokes::integrate::Observation;
use zerostokes::record::{AppendFile, Column, Existing, Launch, TableWriter, column};
use zerostokes::run::output::remembered;
use zerostokes::run::{Opening, Outcome, Output, Run, View};

const CASE: &str = "[particles]\ncount = 30\nvolume_fraction = 0.3\n[drive]\nstrain = 0.6\n\
     [output]\nframes = 0.2\ninterval = 0.05\ncontacts = true\n";

const FILES: [&str; 4] = ["timeseries.csv", "frames.extxyz", "contacts.csv", "work.csv"];

/// The work of the flow on the pairs so far, every third row.
struct Work {
    table: TableWriter,
    done: Done,
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Done {
    work: f64,
    rows: u64,
}

const COLUMNS: &[Column<Done>] = &[
    Column::new("rows", "1", "rows so far", |done| done.rows as f64),
    Column::new("work", "Fa", "work so far", |done| done.work),
];

impl Work {
    fn open(opening: &Opening) -> Result<Box<dyn Output>, Error> {
        let table = opening.table("work.csv", COLUMNS)?;
        Ok(Box::new(Work { table, done: opening.memory("work")? }))
    }
}

impl Output for Work {
    fn name(&self) -> &'static str {
        "work"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.table.file()]
    }

    fn after_step(&mut self, _view: &View, seen: &Observation) -> Result<(), Error> {
        self.done.work += seen.power.input * seen.step;
        Ok(())
    }

    fn at_row(&mut self, _view: &View, _row: &[f64]) -> Result<(), Error> {
        self.done.rows += 1;
        if !self.done.rows.is_multiple_of(3) {
            return Ok(());
        }
        self.table.write_row(&column::values(COLUMNS, &self.done))
    }

    fn memory(&self) -> Value {
        remembered(&self.done)
    }
}

/// Runs the case up to a strain and leaves it there.
fn run(out: &Path, until: f64) -> Outcome {
    let case = Case::from_text(CASE, Path::new("case.toml"), &[]).unwrap();
    let launch = Launch { command: vec![], threads: 1, seed: 1 };
    let mut run = Run::open(case, out, Existing::Keep, launch).unwrap();
    run.add_output(Work::open).unwrap();
    run.advance(|seen, _| seen.strain > until).unwrap()
}

#[test]
fn an_output_from_outside_resumes_to_the_byte() {
    let here = scratch("outputs");
    let [whole, parts] = ["whole", "parts"].map(|name| here.join(name));
    assert_eq!(run(&whole, 1.0), Outcome::Finished);
    assert_eq!(run(&parts, 0.17), Outcome::Interrupted);
    // What a killed run has written after its checkpoint is cut off.
    let mut text = std::fs::read_to_string(parts.join("work.csv")).unwrap();
    text.push_str("7,lost\n");
    std::fs::write(parts.join("work.csv"), text).unwrap();
    assert_eq!(run(&parts, 0.42), Outcome::Interrupted);
    assert_eq!(run(&parts, 1.0), Outcome::Finished);
    for name in FILES {
        let [one, other] = [&whole, &parts].map(|out| std::fs::read(out.join(name)).unwrap());
        assert!(one == other && !one.is_empty(), "{name}");
    }
    let text = std::fs::read_to_string(whole.join("work.csv")).unwrap();
    assert!(text.starts_with("rows,work\n3,") && text.lines().count() >= 3, "{text}");
    std::fs::remove_dir_all(here).unwrap();
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let here = scratch("outputs-twice");
    let case = Case::from_text(CASE, Path::new("case.toml"), &[]).unwrap();
    let launch = Launch { command: vec![], threads: 1, seed: 1 };
    let mut run = Run::open(case, &here.join("out"), Existing::Keep, launch).unwrap();
    run.add_output(Work::open).unwrap();
    let message = run.add_output(Work::open).unwrap_err().to_string();
    assert_eq!(message, "two outputs are called work; rename one of them");
    drop(run);
    std::fs::remove_dir_all(here).unwrap();
}
