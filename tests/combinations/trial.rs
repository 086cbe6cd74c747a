//! Trying out a case with some features.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value as Json;
use toml::{Table, Value};

use zerostokes::case::Case;
use zerostokes::record::{Existing, Launch};
use zerostokes::run::{Outcome as Ending, Run};

use crate::features::{Axis, BASE, Feature, Use};
use crate::program::{complaint, program, scratch};

/// What comes of two features together.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Forces and powers balance.
    Works,
    /// Refused before anything runs, with the reason.
    Refused(String),
    /// Neither.
    Failed(String),
}

/// The power mismatch beyond which a result is wrong `[1]`.
const POWER: f64 = 1e-4;
/// The force residual beyond which a result is wrong; solvers promise 1e-9 or, where contacts are
/// constraints, 1e-7 `[1]`.
const FORCE: f64 = 1e-6;

/// Tries out a case with the features, in a directory of its own.
pub fn try_out(features: &[&Feature]) -> Outcome {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let here = scratch(&format!("combinations-{number}"));
    let case = here.join("case.toml");
    std::fs::write(&case, toml::to_string(&table(features)).unwrap()).unwrap();
    let used = features.iter().map(|f| f.used).find(|u| *u != Use::Run).unwrap_or(Use::Run);
    let outcome = pack(&here, features).unwrap_or_else(|| match used {
        Use::Run => run(&here),
        Use::Resume => resume(&here, &case),
        Use::Sweep => sweep(&here),
        Use::Mobility => mobility(&here),
        Use::Crosscheck => crosscheck(&here),
    });
    let _ = std::fs::remove_dir_all(&here);
    outcome
}

/// The case with all features merged into it.
fn table(features: &[&Feature]) -> Table {
    let mut table: Table = BASE.parse().unwrap();
    for feature in features {
        merge(&mut table, feature.set.parse().unwrap());
    }
    for key in features.iter().flat_map(|f| f.without) {
        let (group, name) = key.split_once('.').unwrap();
        table[group].as_table_mut().unwrap().remove(name);
    }
    if features.iter().any(|f| f.axis == Axis::Units) {
        in_si_units(&mut table);
    }
    reconcile(table["particles"].as_table_mut().unwrap());
    table
}

/// Takes out what a file tells, and makes the part of space in which a layer is drawn flat.
fn reconcile(particles: &mut Table) {
    if particles.contains_key("file") {
        ["radii", "region"].iter().for_each(|key| drop(particles.remove(*key)));
    }
    let planar = particles.contains_key("planar");
    let corners = particles.get_mut("region").and_then(Value::as_array_mut);
    for corner in corners.into_iter().flatten().filter(|_| planar) {
        // A layer needs more room along and across.
        for (axis, factor) in [3.0, 3.0, 0.0].into_iter().enumerate() {
            let length = &mut corner.as_array_mut().unwrap()[axis];
            *length = Value::Float(factor * length.as_float().unwrap());
        }
    }
}

fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => merge(inner, value),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

/// Radii of a micrometre, in water, at a rate of 10 per second.
fn in_si_units(table: &mut Table) {
    let (length, viscosity, rate) = (1e-6, 1e-3, 10.0);
    let stress = viscosity * rate;
    let force = stress * length * length;
    let units = [
        ("particles.radii", length),
        ("particles.region", length),
        ("drive.rate", rate),
        ("drive.time", 1.0 / rate),
        ("drive.stress", stress),
        ("drive.force", force),
        ("drive.phase.rate", rate),
        ("drive.oscillation.frequency", rate),
        ("soft.modulus", stress),
        ("contact.critical_load", force),
        ("repulsion.force", force),
        ("attraction.hamaker", force * length),
        ("gluey.gamma_min", viscosity),
        ("force.vector", force),
        ("force.torque", force * length),
        ("obstacle.point", length),
        ("obstacle.radius", length),
        ("obstacle.velocity", length * rate),
    ];
    let two_sizes = Value::Array([1.0, 1.4].map(Value::Float).to_vec());
    table["particles"].as_table_mut().unwrap().entry("radii").or_insert(two_sizes);
    merge(table, "fluid.viscosity = 1e-3".parse().unwrap());
    scale(table, "", &units);
    let drive = table["drive"].as_table_mut().unwrap();
    if let Some(Value::Table(oscillation)) = drive.get_mut("oscillation") {
        oscillation.insert("frequency".to_owned(), Value::Float(rate));
    }
}

fn scale(table: &mut Table, path: &str, units: &[(&str, f64)]) {
    for (key, value) in table.iter_mut() {
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        scale_value(value, &path, units);
    }
}

fn scale_value(value: &mut Value, path: &str, units: &[(&str, f64)]) {
    match value {
        Value::Table(inner) => scale(inner, path, units),
        Value::Array(items) => items.iter_mut().for_each(|item| scale_value(item, path, units)),
        Value::Float(number) => {
            let unit = units.iter().find(|(key, _)| *key == path);
            *number *= unit.map_or(1.0, |(_, unit)| *unit);
        }
        _ => {}
    }
}

/// Writes the packing that a case or a command reads; an outcome if that fails.
fn pack(here: &Path, features: &[&Feature]) -> Option<Outcome> {
    let unit = if features.iter().any(|f| f.axis == Axis::Units) { 1e-6 } else { 1.0 };
    let equal = features.iter().any(|f| f.set.contains("particles.radii = [1.0]"));
    let larger = if equal { unit } else { 1.4 * unit };
    let line = format!(
        "pack --count 40 --volume-fraction 0.4 --radii {unit:e} --radii {larger:e} -o packing.extxyz"
    );
    let packed = program(here).args(line.split_whitespace()).output().unwrap();
    (!packed.status.success()).then(|| Outcome::Failed(complaint(&packed)))
}

/// What the program says of a command: nothing if it succeeds.
fn command(here: &Path, line: &str) -> Option<Outcome> {
    let output = program(here).args(line.split_whitespace()).output().unwrap();
    let said = complaint(&output);
    let error = said.lines().find(|line| line.contains("error:")).unwrap_or("").to_owned();
    match output.status.code() {
        Some(0) => None,
        Some(2) if error.contains("panicked") => Some(Outcome::Failed(said)),
        Some(2) => Some(Outcome::Refused(reason(&said))),
        code => Some(Outcome::Failed(format!("exit {code:?}: {error}"))),
    }
}

/// The first reason in what the program says, without file and line.
fn reason(said: &str) -> String {
    let lines = said.lines().map(|line| line.trim_start_matches("error: "));
    let fault = lines.clone().find(|line| line.contains("line ")).or(lines.last());
    let fault = fault.unwrap_or_default();
    let parts: Vec<&str> = fault.splitn(3, ": ").collect();
    match parts[..] {
        [place, key, rest] if place.contains("line ") => format!("`{key}`: {rest}"),
        _ => fault.to_owned(),
    }
}

fn run(here: &Path) -> Outcome {
    command(here, "run case.toml --quiet --threads 1 --out run")
        .unwrap_or_else(|| balanced(&here.join("run")))
}

/// Whether forces and powers balance in a run.
fn balanced(directory: &Path) -> Outcome {
    let text = std::fs::read_to_string(directory.join("summary.json")).unwrap_or_default();
    let summary: Json = serde_json::from_str(&text).unwrap_or_default();
    let number = |key: &str| summary[key].as_f64().unwrap_or(f64::NAN);
    let (force, power) = (number("worst_force_residual"), number("worst_power_mismatch"));
    match force <= FORCE && power <= POWER {
        true => Outcome::Works,
        false => Outcome::Failed(format!("force residual {force:e}, power mismatch {power:e}")),
    }
}

fn sweep(here: &Path) -> Outcome {
    let text = "case = \"case.toml\"\n[[over]]\nkey = \"particles.seed\"\nvalues = [1, 2]\n";
    std::fs::write(here.join("sweep.toml"), text).unwrap();
    command(here, "sweep sweep.toml --quiet --jobs 1 --out sweep").unwrap_or_else(|| {
        let table = std::fs::read_to_string(here.join("sweep/sweep.csv")).unwrap_or_default();
        match table.lines().count() {
            3 => Outcome::Works,
            rows => Outcome::Failed(format!("{rows} lines in sweep.csv")),
        }
    })
}

fn mobility(here: &Path) -> Outcome {
    command(here, "mobility packing.extxyz case.toml --quiet --out balance").unwrap_or_else(|| {
        match here.join("balance/summary.json").exists() {
            true => Outcome::Works,
            false => Outcome::Failed("no summary.json".to_owned()),
        }
    })
}

fn crosscheck(here: &Path) -> Outcome {
    let line = "crosscheck case.toml --stokes 0.1,0.05 --quiet --jobs 1 --out crosscheck";
    command(here, line).unwrap_or_else(|| match here.join("crosscheck/crosscheck.json").exists() {
        true => Outcome::Works,
        false => Outcome::Failed("no crosscheck.json".to_owned()),
    })
}

/// Stopped after a few steps and resumed, a run writes the same bytes.
fn resume(here: &Path, path: &Path) -> Outcome {
    let case = match Case::read(path, &[]) {
        Ok(case) => case,
        Err(error) => return Outcome::Refused(reason(&error.to_string())),
    };
    let out = |name: &str| here.join(name);
    let step = |name: &str, most: usize| advance(case.clone(), out(name), most);
    let done = step("whole", usize::MAX)
        .and_then(|()| step("halves", 4))
        .and_then(|()| step("halves", usize::MAX));
    if let Err(outcome) = done {
        return outcome;
    }
    let read = |name: &str, file: &str| std::fs::read(out(name).join(file)).unwrap_or_default();
    for file in ["timeseries.csv", "frames.extxyz"] {
        if read("whole", file) != read("halves", file) {
            return Outcome::Failed(format!("{file} of the resumed run differs"));
        }
    }
    Outcome::Works
}

/// Goes on with a run for at most so many steps.
fn advance(case: Case, out: PathBuf, most: usize) -> Result<(), Outcome> {
    let launch = Launch { seed: 1, threads: 1, command: Vec::new() };
    let mut run = Run::open(case, &out, Existing::Keep, launch)
        .map_err(|error| Outcome::Refused(error.to_string()))?;
    let mut steps = 0;
    let ended = run.advance(|_, _| {
        steps += 1;
        steps >= most
    });
    match ended {
        Ok(Ending::Finished | Ending::Interrupted) => Ok(()),
        Err(error) => Err(Outcome::Failed(error.to_string())),
    }
}
