//! This program beside an older one: alternating runs of both on the same cases, processor time and
//! counts per unit of strain, and the ratio of their medians.
//!
//! `cargo bench --bench against -- --binary OLD` runs them; `-- --help` lists the options. Runs
//! alternate, so that both meet the same noise of the machine.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;

/// This program beside an older one, on the same cases.
#[derive(Debug, Parser)]
#[command(name = "against")]
struct Options {
    /// The older program.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Pairs of runs, of which the medians count.
    #[arg(long, default_value_t = 3)]
    pairs: usize,
    /// Only cases whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// The strain of every case is multiplied by this.
    #[arg(long, default_value_t = 1.0)]
    longer: f64,
    /// What cargo says.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A shipped case with some keys set.
struct Timed {
    name: &'static str,
    case: &'static str,
    strain: f64,
    keys: &'static str,
}

/// The cases; those of hard spheres are named by φ, friction and N.
#[rustfmt::skip]
const CASES: [Timed; 9] = [
    hard("0.50, 1, 200", 6.0, "particles.count=200 contact.friction=1"),
    hard("0.50, 1, 500", 4.0, "particles.count=500 contact.friction=1"),
    hard("0.50, 1, 2000", 1.5, "particles.count=2000 contact.friction=1"),
    hard("0.55, 1, 200", 2.0, "particles.volume_fraction=0.55 contact.friction=1"),
    hard("0.55, 1, 500", 1.0, "particles.volume_fraction=0.55 particles.count=500 contact.friction=1"),
    hard("0.50, 0, 2000", 2.0, "particles.count=2000"),
    Timed { name: "thickening at σ = 1", case: "thickening", strain: 0.5,
            keys: "particles.volume_fraction=0.58 drive.stress=1" },
    Timed { name: "soft", case: "soft_suspension", strain: 0.3, keys: "" },
    Timed { name: "rough", case: "rough_suspension", strain: 0.3, keys: "" },
];

const fn hard(name: &'static str, strain: f64, keys: &'static str) -> Timed {
    Timed { name, case: "suspension", strain, keys }
}

/// What a unit of strain took.
#[derive(Clone, Copy, Debug)]
struct Cost {
    seconds: f64,
    steps: f64,
    solves: f64,
    iterations: f64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    // `cargo test` runs benches too, only to see that they run.
    let (true, Some(older)) = (options.bench, &options.binary) else {
        if options.bench {
            eprintln!("--binary OLD names the program to compare with");
        }
        return ExitCode::SUCCESS;
    };
    println!("per unit of strain: processor time / s, steps, solves, iterations; before → now");
    for timed in CASES.iter().filter(|timed| timed.name.contains(&options.only)) {
        match compare(timed, older, &options) {
            Ok([before, now]) => println!(
                "{:20} {:8.3} → {:7.3} ({:4.1} ×)  {:5.0} → {:<5.0} {:6.0} → {:<6.0} {:8.0} → {:<8.0}",
                timed.name,
                before.seconds,
                now.seconds,
                before.seconds / now.seconds,
                before.steps,
                now.steps,
                before.solves,
                now.solves,
                before.iterations,
                now.iterations
            ),
            Err(reason) => println!("{:20} {reason}", timed.name),
        }
    }
    ExitCode::SUCCESS
}

/// The medians of both programs.
fn compare(timed: &Timed, older: &Path, options: &Options) -> Result<[Cost; 2], String> {
    let newer = Path::new(env!("CARGO_BIN_EXE_zerostokes"));
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..options.pairs {
        for (costs, program) in costs.iter_mut().zip([older, newer]) {
            costs.push(run(timed, program, options.longer * timed.strain)?);
        }
    }
    Ok(costs.map(|mut costs| {
        costs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        costs[costs.len() / 2]
    }))
}

/// Runs a case on one thread, in a directory that is removed again.
fn run(timed: &Timed, program: &Path, strain: f64) -> Result<Cost, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = std::env::temp_dir().join(format!("zerostokes-against-{}", std::process::id()));
    let mut command = Command::new(program);
    command.arg("run").arg(root.join(format!("cases/{}.toml", timed.case)));
    command.arg(format!("--set=drive.strain={strain}")).arg("--set=output.frames=0");
    command.args(timed.keys.split_whitespace().map(|key| format!("--set={key}")));
    command.args(["--threads=1", "--quiet", "--force", "--out"]).arg(&out);
    let before = children_seconds();
    let done = command.output().map_err(|error| error.to_string())?;
    let seconds = children_seconds() - before;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).trim().to_owned());
    }
    let summary = std::fs::read_to_string(out.join("summary.json")).map_err(|e| e.to_string())?;
    let summary: serde_json::Value = serde_json::from_str(&summary).map_err(|e| e.to_string())?;
    let _ = std::fs::remove_dir_all(&out);
    let sheared = summary["accumulated_strain"].as_f64().unwrap_or(strain);
    let count = |key: &str| summary[key].as_f64().unwrap_or(f64::NAN) / sheared;
    Ok(Cost {
        seconds: seconds / sheared,
        steps: count("steps"),
        solves: count("solves"),
        iterations: count("iterations"),
    })
}

/// Processor time of all programs that were run and waited for, where the system tells `[s]`.
fn children_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // User and system time of children are fields 16 and 17; a name in brackets is the second.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(13).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}
