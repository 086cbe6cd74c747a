//! A study from outside the crate: how fast a single sphere sinks.
//!
//! `cargo run --example custom_study` runs it in a directory of its own and prints what it found.

use std::f64::consts::PI;

use nalgebra::Vector3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zerostokes::Error;
use zerostokes::case::{Case, Known, StudyKind, StudyTable};
use zerostokes::cell::Cell;
use zerostokes::drive::Drive;
use zerostokes::integrate::{End, Setup, StepSettings, Stepper};
use zerostokes::record::{Existing, Launch};
use zerostokes::run::{Figures, Outcome, Run, conclude};
use zerostokes::state::{Suspension, Wrench};
use zerostokes::study::{Finished, MakeStudy, Report, Study};

/// `[sink]`: a single sphere that sinks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Sink {
    /// The weight `[force]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "1 is the default"))]
    weight: f64,
    /// How long it is watched `[time]`.
    #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "10 is the default"))]
    time: f64,
}

impl Default for Sink {
    fn default() -> Self {
        Sink { weight: 1.0, time: 10.0 }
    }
}

impl StudyTable for Sink {
    const STUDY: &'static str = "sink";
    const TABLE: &'static str = "sink";
}

const KIND: StudyKind = StudyKind::of::<Sink>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(case.study_table::<Sink>())
}

impl Study for Sink {
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        Ok(Suspension::new(vec![1.0], vec![Vector3::zeros()], Cell::Open))
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let weight = Wrench { linear: -self.weight * Vector3::y(), ..Wrench::default() };
        let drive = Drive { external: vec![weight], ..Drive::default() };
        let settings = StepSettings { tolerance: case.time.tolerance, ..StepSettings::default() };
        Stepper::new(state, Setup { drive, settings, ..Setup::default() })
    }

    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: self.time }
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let speed = -run.state.positions[0].y / run.state.clock.time;
        let expected = self.weight / (6.0 * PI);
        let lines = vec![format!("speed {speed:.6}, Stokes {expected:.6}")];
        Ok(Report::new(&serde_json::json!({ "speed": speed }), lines, &[]))
    }
}

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let here = std::env::temp_dir().join(format!("zerostokes-sink-{}", std::process::id()));
    std::fs::create_dir_all(&here).expect("a directory to write to");
    let file = here.join("sink.toml");
    std::fs::write(&file, "study = \"sink\"\n[sink]\nweight = 3\n").expect("a case");
    let case = Case::read_with(&file, &[], &Known::default().with_study(KIND))?;
    let launch = Launch { seed: 1, threads: 1, command: vec![] };
    let mut run = Run::open(case, &here.join("out"), Existing::Keep, launch)?;
    assert_eq!(run.advance(|_, _| false)?, Outcome::Finished);
    let report = conclude(run, Figures::Drawn)?;
    println!("{}", report.lines.join("\n"));
    let speed = report.summary["speed"].as_f64().expect("a number");
    assert!((speed * 6.0 * PI / 3.0 - 1.0).abs() < 1e-9, "{speed}");
    std::fs::remove_dir_all(&here).expect("what was written goes");
    Ok(())
}
