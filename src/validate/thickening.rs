//! Rows of shear thickening: friction that acts above a critical load (\[GB20\] fig. 4).
//!
//! Rates are \\(\hat\gamma = 6\pi\mu a^2\dot\gamma/F_{CL}\\). The paper has N = 500 and says in
//! words how steep the curves are; here N = 200, and limits that other seeds keep as well.

use std::f64::consts::PI;

use super::bench::{Bench, Ran, SUSPENSION, set};
use super::suspension::row;
use super::{Findings, Halt, Job, Measure, Reference, Tolerance};

/// Friction of the figure.
const FRICTION: f64 = 0.5;

/// Where the words come from.
const WORDS: &str = "the paper's figure 4, in words";

/// All jobs.
pub fn jobs() -> Vec<Job> {
    vec![
        plateaus(),
        growth(Growth { phi: 0.45, from: 0.03, strain: 10.0, limits: [1.2, 2.0] }, "gradual", 2.0)
            .noted(
                "growth of η_r when the rate grows tenfold, N = 200, friction 0.5; the limits are \
                 for the paper's words and hold for three seeds",
            ),
        growth(Growth { phi: 0.55, from: 0.01, strain: 8.0, limits: [2.5, 10.0] }, "steeper", 8.0),
        growth(Growth { phi: 0.58, from: 0.003, strain: 2.5, limits: [10.0, 1e4] }, "jump", 18.0),
    ]
}

/// A run at a rate; none for friction at every load.
fn run(bench: &Bench, phi: f64, strain: f64, rate: Option<f64>) -> Result<Ran, Halt> {
    let load = rate.map_or(0.0, |rate| 6.0 * PI / rate);
    let keys = [
        set("particles.volume_fraction", phi),
        set("contact.friction", FRICTION),
        set("contact.critical_load", load),
        set("drive.strain", strain),
        set("output.frames", 0.0),
    ];
    bench.run(SUSPENSION, &keys)
}

/// One viscosity over another, with the errors of both.
fn ratio(above: &Ran, below: &Ran, reference: Reference) -> Measure {
    let [a, b] = [above, below].map(|ran| ran.mean("/relative_viscosity", reference));
    let share = |m: &Measure| m.stderr.unwrap_or(0.0) / m.here;
    let here = a.here / b.here;
    Measure { here, stderr: Some(here * share(&a).hypot(share(&b))), ..a }
}

/// Slow flow is that without friction, fast flow that with friction at every load.
fn plateaus() -> Job {
    let rows = vec![
        row("γ̂ = 0.01, φ = 0.45: η_r / frictionless", Tolerance::Relative(0.05)),
        row("  γ̂ = 30: η_r / that without F_CL", Tolerance::Relative(0.10)),
    ];
    Job::new(rows, 4, 16.0, |bench| {
        let slow = run(bench, 0.45, 10.0, Some(0.01))?;
        let keys = [
            set("particles.volume_fraction", 0.45),
            set("drive.strain", 10.0),
            set("output.frames", 0.0),
        ];
        let frictionless = bench.run(SUSPENSION, &keys)?;
        let fast = run(bench, 0.45, 24.0, Some(30.0))?;
        let frictional = run(bench, 0.45, 24.0, None)?;
        let one = Reference::Value(1.0);
        Ok(vec![vec![ratio(&slow, &frictionless, one)], vec![ratio(&fast, &frictional, one)]])
    })
    .source("limits of the model")
}

/// A tenfold rate, and within which limits the viscosity grows.
#[derive(Clone, Copy)]
struct Growth {
    phi: f64,
    from: f64,
    strain: f64,
    limits: [f64; 2],
}

fn growth(of: Growth, word: &str, cost: f64) -> Job {
    let Growth { phi, from, strain, limits } = of;
    let what = format!("growth at φ = {phi:.2}, γ̂ {from} to {}", 10.0 * from);
    let mut rows = vec![row(what, Tolerance::Relative(0.0)).paper(word)];
    let jumps = word == "jump";
    if jumps {
        let what = "  spread of η_r/mean, over that before";
        rows.push(row(what, Tolerance::Relative(0.0)).paper("large"));
    }
    Job::new(rows, 2, cost, move |bench| -> Findings {
        let slow = run(bench, phi, strain, Some(from))?;
        let fast = run(bench, phi, strain, Some(10.0 * from))?;
        let grown = ratio(&fast, &slow, Reference::Range(limits));
        // A mean over few jumps has no error to speak of.
        let grown = if jumps { Measure { stderr: None, ..grown } } else { grown };
        let [wide, narrow] = [&fast, &slow].map(|ran| {
            ran.number("/relative_viscosity/std") / ran.number("/relative_viscosity/mean")
        });
        let spread =
            Measure { reference: Reference::Range([2.0, 1e3]), ..Measure::new(0.0, wide / narrow) };
        Ok(vec![vec![grown], vec![spread]])
    })
    .source(WORDS)
}
