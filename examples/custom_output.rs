//! An output of one's own: how fast particles move across the shear flow, in `speeds.csv`.
//!
//! The run below is stopped on its way and taken up again; `speeds.csv` is then the same to the
//! byte as that of a run that was never stopped: the checkpoint knows how long the file was.

use std::path::Path;

use zerostokes::Error;
use zerostokes::case::Case;
use zerostokes::record::{AppendFile, Column, Existing, Launch, TableWriter, column};
use zerostokes::run::{Opening, Outcome, Output, Run, View};
use zerostokes::state::{Suspension, Velocity};

/// Root mean square over the particles.
fn rms(state: &Suspension, of: fn(&Velocity) -> f64) -> f64 {
    let squares: f64 = state.velocities.iter().map(|velocity| of(velocity).powi(2)).sum();
    (squares / state.len() as f64).sqrt()
}

/// A column is a name, a unit, a meaning and a function.
const COLUMNS: &[Column<Suspension>] = &[
    Column::new("strain", "1", "strain", |s| s.clock.strain),
    Column::new("speed_x", "aγ̇", "speed along the flow, beyond it", |s| rms(s, |v| v.linear.x)),
    Column::new("speed_y", "aγ̇", "speed across the flow", |s| rms(s, |v| v.linear.y)),
];

struct Speeds(TableWriter);

impl Speeds {
    fn open(opening: &Opening) -> Result<Box<dyn Output>, Error> {
        Ok(Box::new(Speeds(opening.table("speeds.csv", COLUMNS)?)))
    }
}

impl Output for Speeds {
    fn name(&self) -> &'static str {
        "speeds"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_row(&mut self, view: &View, _row: &[f64]) -> Result<(), Error> {
        self.0.write_row(&column::values(COLUMNS, view.suspension))
    }
}

/// Runs the shipped case with few particles, or goes on with it, until a strain.
fn run(directory: &Path, until: f64) -> Result<Outcome, Error> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/suspension.toml");
    let few = ["particles.count=40", "drive.strain=1", "output.interval=0.1"].map(str::to_owned);
    let launch = Launch { command: vec![], threads: 1, seed: 1 };
    let mut run = Run::open(Case::read(&file, &few)?, directory, Existing::Keep, launch)?;
    run.add_output(Speeds::open)?;
    run.advance(|seen, _| seen.strain > until)
}

/// Runs the example.
pub fn main() {
    let here = std::env::temp_dir().join(format!("custom-output-{}", std::process::id()));
    let [whole, parts] = ["whole", "parts"].map(|name| here.join(name));
    assert_eq!(run(&whole, 2.0).expect("a run"), Outcome::Finished);
    assert_eq!(run(&parts, 0.35).expect("its first part"), Outcome::Interrupted);
    assert_eq!(run(&parts, 2.0).expect("its second part"), Outcome::Finished);
    let [one, other] = [whole, parts].map(|run| std::fs::read_to_string(run.join("speeds.csv")));
    let (table, resumed) = (one.expect("a table"), other.expect("another"));
    std::fs::remove_dir_all(here).expect("it was made above");
    println!("{table}");
    assert_eq!(table, resumed);
    // Spheres make way for each other in all directions, at speeds of about their radius times γ̇.
    let last = table.lines().last().expect("rows").split(',').map(|n| n.parse().expect("a number"));
    let last: Vec<f64> = last.collect();
    assert!(last[1] > 0.1 && last[2] > 0.1 && last[2] < 3.0, "{last:?}");
}
