//! Rows of gluey particles (\[L09\]).

use super::bench::{GLUEY_BILLIARD, GLUEY_LOTTO, GLUEY_PLANE, Ran, set};
use super::{Bench, Findings, Halt, Job, Measure, Model, Row, Tolerance};

/// The jobs of this model; all of them are quick.
pub fn jobs() -> Vec<Job> {
    vec![inertial(), rough(), against_drag(), billiard(), lotto()]
}

fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
    Row::new(Model::Gluey, what, tolerance)
}

/// Steps that end at the events, and steps that miss them.
const STEPS: [f64; 3] = [0.01, 0.03, 0.63];

/// A number of the summary of a run at a plane, for each step, beside what the closed form gives.
fn each(bench: &Bench, more: &[String], place: &str, expected: f64) -> Result<Vec<Measure>, Halt> {
    let at = |step: f64| {
        let keys = [&[set("time.step", step)], more].concat();
        let ran = bench.run(GLUEY_PLANE, &keys)?;
        Ok(Measure::of(format!("step {step}"), expected, ran.number(place)))
    };
    STEPS.into_iter().map(at).collect()
}

const HIT: &str = "/gluey/hit_time";
const OFF: &str = "/gluey/unstick_time";

fn inertial() -> Job {
    let rows = vec![
        row("plane, with inertia: hits at", Tolerance::Absolute(1e-6)).paper("1"),
        row("  comes off at", Tolerance::Absolute(1e-6)).paper("4"),
        row("  least γ", Tolerance::Absolute(1e-6)).paper("-4"),
    ];
    Job::new(rows, 9, 0.2, |bench| -> Findings {
        let least = each(bench, &[], "/gluey/least_gamma", -4.0)?;
        Ok(vec![each(bench, &[], HIT, 1.0)?, each(bench, &[], OFF, 4.0)?, least])
    })
    .source("closed form")
}

fn rough() -> Job {
    let rows = vec![
        row("  rough, γ_min = -3: comes off at", Tolerance::Absolute(1e-6)).paper("3.5"),
        row("  inelastic, γ_min = 0: comes off at", Tolerance::Absolute(1e-6)).paper("2"),
    ];
    Job::new(rows, 6, 0.1, |bench| -> Findings {
        let of = |gamma: f64, off: f64| each(bench, &[set("gluey.gamma_min", gamma)], OFF, off);
        Ok(vec![of(-3.0, 3.5)?, of(0.0, 2.0)?])
    })
    .source("closed form")
}

fn against_drag() -> Job {
    let rows = vec![
        row("plane, Stokes drag, q₀ = 0.1: hits at", Tolerance::Absolute(1e-8)),
        row("  comes off at", Tolerance::Absolute(1e-8)),
        row("  rough, γ_min = -1: comes off at", Tolerance::Absolute(1e-8)),
    ];
    Job::new(rows, 9, 0.2, |bench| -> Findings {
        let hit = 0.3 * std::f64::consts::PI;
        let keys = [set("gluey.inertia", false), set("gluey.gap", 0.1)];
        let rough = [&keys[..], &[set("gluey.gamma_min", -1.0)]].concat();
        let off = each(bench, &keys, OFF, 4.0 - hit)?;
        Ok(vec![each(bench, &keys, HIT, hit)?, off, each(bench, &rough, OFF, 2.5)?])
    })
    .source("closed form")
}

/// Glued at a distance d two spheres turn at \\(v_t\\), and part after \\(d\,v_n/v_t^2\\).
fn billiard() -> Job {
    let rows = vec![row("billiard: spheres part at", Tolerance::Absolute(0.01))];
    Job::new(rows, 1, 1.0, |bench| -> Findings {
        let ran = bench.run(GLUEY_BILLIARD, &[set("time.step", 1e-3)])?;
        Ok(vec![vec![Measure::of("step 0.001", 8.695_027_775, last_glued(&ran))]])
    })
    .source("closed form: d v_n/v_t² after the hit")
}

/// The last time at which a pair was glued.
fn last_glued(ran: &Ran) -> f64 {
    let column = |name: &str| ran.series.column(name).unwrap_or_default();
    let glued = column("time").iter().zip(column("glued_pairs"));
    glued.filter(|(_, count)| **count > 0.0).map(|(time, _)| *time).fold(f64::NAN, f64::max)
}

fn lotto() -> Job {
    let rows = vec![
        row("lotto, 160 discs, first 0.3: overlap / a", Tolerance::Absolute(1e-6)),
        row("  complementarity / a", Tolerance::Absolute(1e-6)),
    ];
    Job::new(rows, 1, 2.0, |bench| -> Findings {
        let keys = [set("drive.time", 0.3), set("output.frames", 0.0)];
        let ran = bench.run(GLUEY_LOTTO, &keys)?;
        let at = |place: &str| vec![Measure::of("γ_min = -1", 0.0, ran.number(place))];
        Ok(vec![at("/constraints/violation"), at("/constraints/complementarity")])
    })
    .source("gaps stay open, γ D = 0")
}
