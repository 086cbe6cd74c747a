//! A long run near jamming: residuals and memory must not grow.
//!
//! `cargo bench --bench soak` shears 500 spheres at φ = 0.55 with friction 1 to a strain of 50, and
//! prints a row per tenth of it. `-- --strain 5 --count 200` takes less. It ends with an error if
//! forces balance worse than they do at first, or if memory grows.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use zerostokes::case::Case;
use zerostokes::cost::peak_memory;
use zerostokes::record::{Existing, Launch};
use zerostokes::run::Run;

/// What residuals may become, over those of the first rows `[1]`.
const WORSE: f64 = 10.0;

/// What memory may become, over that of the first rows `[1]`.
const LARGER: f64 = 1.1;

#[derive(Debug, Parser)]
struct Options {
    /// How far the suspension is sheared.
    #[arg(long, default_value_t = 50.0)]
    strain: f64,
    /// Number of spheres.
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is watched over a tenth of the run.
#[derive(Clone, Copy, Debug, Default)]
struct Tenth {
    force_residual: f64,
    law_residual: f64,
    power_mismatch: f64,
    steps: usize,
    seconds: f64,
    memory: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    // `cargo test` runs benches too, only to see that they run.
    if !options.bench {
        return ExitCode::SUCCESS;
    }
    println!("strain  steps  s       force     laws      power     memory / MB");
    let tenths = soak(&options);
    let [first, last] = [tenths[1], tenths[tenths.len() - 1]];
    let worse = last.force_residual > WORSE * first.force_residual
        || last.power_mismatch > WORSE * first.power_mismatch.max(1e-8);
    let larger = last.memory as f64 > LARGER * first.memory as f64;
    println!("{}", if worse || larger { "residuals or memory grow" } else { "flat" });
    if worse || larger { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn soak(options: &Options) -> Vec<Tenth> {
    let text = format!(
        "[particles]\ncount = {}\nvolume_fraction = 0.55\n[contact]\nfriction = 1.0\n\
         [drive]\nstrain = {:?}\n[output]\nframes = 1.0\n",
        options.count, options.strain
    );
    let case = Case::from_text(&text, Path::new("soak.toml"), &[]).expect("a valid case");
    let directory = tempfile::tempdir().expect("a directory");
    let launch = Launch { seed: 1, threads: 1, command: Vec::new() };
    let mut run = Run::open(case, &directory.path().join("run"), Existing::Keep, launch)
        .expect("a run can be opened");
    let (mut tenths, mut present, mut began) = (Vec::new(), Tenth::default(), Instant::now());
    run.advance(|seen, _| {
        present.force_residual = present.force_residual.max(seen.effort.force_residual);
        present.law_residual = present.law_residual.max(seen.effort.law_residual);
        present.power_mismatch = present.power_mismatch.max(seen.power_mismatch());
        present.steps += 1;
        if seen.strain >= 0.1 * (tenths.len() + 1) as f64 * options.strain * (1.0 - 1e-12) {
            present.seconds = began.elapsed().as_secs_f64();
            present.memory = peak_memory().unwrap_or(0);
            print(seen.strain, &present);
            tenths.push(std::mem::take(&mut present));
            began = Instant::now();
        }
        false
    })
    .expect("the run reaches its end");
    tenths
}

fn print(strain: f64, tenth: &Tenth) {
    let Tenth { force_residual, law_residual, power_mismatch, steps, seconds, memory } = tenth;
    println!(
        "{strain:<6.2}  {steps:<5}  {seconds:<6.1}  {force_residual:.1e}   {law_residual:.1e}   \
         {power_mismatch:.1e}   {:.1}",
        *memory as f64 / 1e6
    );
}
