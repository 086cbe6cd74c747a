//! Rows of Soft Dynamics (\[RG09\]).

use super::bench::{Ran, SOFT_PAIR, T1, set};
use super::reference::{Entry, T1_DURATIONS, entries};
use super::{Bench, Extent, Findings, Halt, Job, Measure, Model, Row, Tolerance};

/// Agreement asked of durations with an independent program.
const DURATION: Tolerance = Tolerance::Relative(2e-3);

/// Where durations come from.
const PROGRAM: &str = "stiff integration by a separate program, t1_durations.csv";

/// The jobs of this model.
pub fn jobs(extent: Extent) -> Vec<Job> {
    vec![
        figure_4(),
        durations(extent, 1.0),
        durations(extent, 2.0),
        hertz_exponents(),
        occurrence(),
        soft_pair(),
        inertia(),
    ]
}

fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
    Row::new(Model::Soft, what, tolerance)
}

fn rearrange(bench: &Bench, kappa: f64, gap: f64, more: &[String]) -> Result<Ran, Halt> {
    let keys = [set("t1.kappa", kappa), set("t1.gap", gap)];
    bench.run(T1, &[&keys, more].concat())
}

/// The rows of the table with an elastic factor.
fn with_factor(entries: &[Entry<'_>], factor: f64) -> Vec<[f64; 4]> {
    let names = ["kappa", "h0_over_R", "duration_over_tau", "hertz_visited"];
    let picked = entries.iter().filter(|e| e.number("c_n") == factor && e.number("c_t") == factor);
    picked.map(|e| names.map(|name| e.number(name))).collect()
}

fn figure_4() -> Job {
    let row = row("T1 of figure 4 (κ = 3e-3, h₀ = 0.01 R): duration [τ]", DURATION)
        .paper("100 to 250")
        .note(
            "erratum: the paper's equations give 11.9 τ (10.2 τ for c = 2); 207 τ belongs to \
             κ = 0.1",
        );
    Job::new(vec![row], 1, 0.1, |bench| {
        let table = with_factor(&entries(T1_DURATIONS), 1.0);
        let wanted = table.iter().find(|[kappa, gap, ..]| [*kappa, *gap] == [3e-3, 1e-2]);
        let reference = wanted.map_or(f64::NAN, |entry| entry[2]);
        let ran = rearrange(bench, 3e-3, 1e-2, &[])?;
        Ok(vec![vec![Measure::new(reference, ran.number("/t1/duration"))]])
    })
    .source(PROGRAM)
}

/// How fast the duration comes to that without inertia.
fn inertia() -> Job {
    let row = row("T1 duration with inertia: order in St", Tolerance::Absolute(0.1))
        .note("St 0.01 and 0.003, κ = 3e-3, h₀ = 0.01 R");
    Job::new(vec![row], 3, 0.3, |bench| {
        let duration = |stokes: f64| -> Result<f64, Halt> {
            let ran = rearrange(bench, 3e-3, 1e-2, &[set("inertia.stokes", stokes)])?;
            Ok(ran.number("/t1/duration"))
        };
        let still = duration(0.0)?;
        let [large, small] = [duration(1e-2)? - still, duration(3e-3)? - still];
        Ok(vec![vec![Measure::new(1.0, (large / small).ln() / (1e-2_f64 / 3e-3).ln())]])
    })
    .source("theory: a small mass acts in first order")
}

/// Durations over (κ, h₀), and whether the film was ever in the Hertz regime.
fn durations(extent: Extent, factor: f64) -> Job {
    let rows = vec![
        row(format!("T1 durations over (κ, h₀), c = {factor} [τ]"), DURATION),
        row("  whether the Hertz regime is visited", Tolerance::Same),
    ];
    // One in six still spans forces and gaps.
    let every = if extent == Extent::Quick { 6 } else { 1 };
    let table: Vec<[f64; 4]> =
        with_factor(&entries(T1_DURATIONS), factor).into_iter().step_by(every).collect();
    let runs = table.len();
    Job::new(rows, runs, 0.1 * runs as f64, move |bench| -> Findings {
        let (mut times, mut regimes) = (Vec::new(), Vec::new());
        for [kappa, gap, duration, hertz] in &table {
            let factors = [set("t1.c_n", factor), set("t1.c_t", factor)];
            let ran = rearrange(bench, *kappa, *gap, &factors)?;
            let case = format!("kappa {kappa}, gap {gap}");
            times.push(Measure::of(case.clone(), *duration, ran.number("/t1/duration")));
            regimes.push(Measure::of(case, *hertz, ran.number("/t1/visited_hertz")));
        }
        Ok(vec![times, regimes])
    })
    .source(PROGRAM)
}

/// Deep in the Hertz regime durations are \\((2\kappa/c)^{4/3}(R/h_0)^2\tau/8\\).
fn hertz_exponents() -> Job {
    let rows = vec![
        row("T1 in the Hertz regime: exponent of κ", Tolerance::Absolute(0.02)).paper("4/3"),
        row("  exponent of h₀", Tolerance::Absolute(0.01)).paper("-2"),
        row("  duration over (2κ/c)^4/3 (R/h₀)² τ/8", Tolerance::Relative(0.05)).note(
            "erratum: eq. 31 and what follows from it are scaling laws; the prefactor is the \
             model's own",
        ),
    ];
    Job::new(rows, 3, 0.4, |bench| {
        let duration = |kappa: f64, gap: f64| -> Result<f64, Halt> {
            Ok(rearrange(bench, kappa, gap, &[])?.number("/t1/duration"))
        };
        let (hard, soft, thick) =
            (duration(1e-3, 1e-5)?, duration(1e-2, 1e-5)?, duration(1e-2, 1e-4)?);
        let law = 2e-3_f64.powf(4.0 / 3.0) * 1e10 / 8.0;
        Ok(vec![
            vec![Measure::new(4.0 / 3.0, (soft / hard).log10())],
            vec![Measure::new(-2.0, (thick / soft).log10())],
            vec![Measure::new(1.0, hard / law)],
        ])
    })
    .source("closed form, from eq. 31")
}

fn occurrence() -> Job {
    let what = |ratio: &str| format!("T1 happens at N_x/N_y = {ratio}");
    let rows = vec![
        row(what("0.3"), Tolerance::Same).paper("yes"),
        row(what("1.0"), Tolerance::Same).paper("no"),
    ];
    Job::new(rows, 2, 0.2, |bench| {
        let happens = |ratio: f64| -> Result<f64, Halt> {
            let force = [set("t1.force_x_ratio", ratio)];
            Ok(rearrange(bench, 1e-2, 0.05, &force)?.number("/t1/occurred"))
        };
        Ok(vec![vec![Measure::new(1.0, happens(0.3)?)], vec![Measure::new(0.0, happens(1.0)?)]])
    })
    .source("the paper: hard spheres need N_y > √3 N_x")
}

fn soft_pair() -> Job {
    let tolerance = Tolerance::Relative(5e-3);
    let rows = vec![
        row("soft pair, thick film: rate over h/τ (Poiseuille)", tolerance).paper("1"),
        row("  thin: over 4h³(2κ/c)^-4/3/τ (Hertz)", tolerance)
            .paper("0.63")
            .note("erratum: printed, eq. 31 has 1 for 4 and for 2/c, and is for scaling only"),
    ];
    Job::new(rows, 1, 0.1, |bench| {
        let keys = [
            set("soft_pair.kappa", 1e-2),
            set("soft_pair.gap", 1e-5),
            set("soft_pair.end_gap", 1e3),
        ];
        let ran = bench.run(SOFT_PAIR, &keys)?;
        let of =
            |name: &str| vec![Measure::new(1.0, ran.number(&format!("/soft_pair/{name}_ratio")))];
        Ok(vec![of("poiseuille"), of("hertz")])
    })
    .source("closed forms of thick and thin films, eqs. 30 and 31")
}
