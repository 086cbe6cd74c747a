//! Short runs in memory, for the physics tests.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::Path;

use zerostokes::case::Case;
use zerostokes::integrate::Observation;
use zerostokes::state::Suspension;
use zerostokes::stats::{Estimate, Series, estimate};
use zerostokes::stress;
use zerostokes::study::suspension;

/// A case from its text.
pub fn case(text: &str) -> Case {
    Case::from_text(text, Path::new("test.toml"), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// A bidisperse suspension (1:1.4, equal volumes) with further lines of TOML.
pub fn bidisperse(count: usize, fraction: f64, rest: &str) -> Case {
    case(&format!(
        "[particles]\ncount = {count}\nvolume_fraction = {fraction}\nradii = [1.0, 1.4]\n{rest}"
    ))
}

/// Runs a case to its end.
pub fn simulate(case: &Case) -> (Suspension, Vec<Observation>) {
    let mut state = suspension::initial(case).unwrap_or_else(|e| panic!("{e}"));
    let mut stepper = suspension::stepper(case, &state);
    let end = suspension::end(case);
    let mut seen = Vec::new();
    while !end.reached(&state.clock) {
        seen.push(stepper.step(&mut state, end).unwrap_or_else(|e| panic!("{e}")));
    }
    (state, seen)
}

/// Mean of a quantity after a strain.
pub fn mean(seen: &[Observation], from: f64, quantity: impl Fn(&Observation) -> f64) -> Estimate {
    let at: Vec<f64> = seen.iter().map(|o| o.strain.abs()).collect();
    let values: Vec<f64> = seen.iter().map(quantity).collect();
    estimate(Series::new(&at, &values), from).expect("a run beyond the transient")
}

/// Relative viscosity of a step at unit rate and viscosity.
pub fn viscosity(seen: &Observation) -> f64 {
    stress::shear(&seen.stress.total())
}

/// Particle pressure of a step at unit rate and viscosity.
pub fn pressure(seen: &Observation) -> f64 {
    stress::pressure(&seen.stress.total())
}

/// A row of a table of reference values, by the names of its columns.
pub struct ReferenceRow {
    names: Vec<String>,
    values: Vec<String>,
}

impl ReferenceRow {
    /// A value as it is written.
    pub fn text(&self, name: &str) -> &str {
        let place = self.names.iter().position(|n| n == name).expect("a column of the table");
        &self.values[place]
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("{name}: {}", self.text(name)))
    }
}

/// Reads `tests/reference/NAME`.
pub fn reference(name: &str) -> Vec<ReferenceRow> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let names = split(lines.next().expect("a heading"));
    lines.map(|line| ReferenceRow { names: names.clone(), values: split(line) }).collect()
}
