//! What a unit of strain costs in the steady state at default accuracy, over N, φ and friction,
//! next to one factorization of the same suspension.
//!
//! `cargo bench --bench strain` prints a table; options follow `--`, and `-- --help` lists them.
//! Every row is measured in a process of its own, so that its memory is its own, and so is every
//! factorization. The machine should have nothing else to do.

#[path = "strain/bandwidth.rs"]
mod bandwidth;
#[path = "strain/factor.rs"]
mod factor;
#[path = "strain/kernel.rs"]
mod kernel;
#[path = "strain/options.rs"]
mod options;
#[path = "strain/page.rs"]
mod page;
#[path = "strain/row.rs"]
mod row;
#[path = "strain/table.rs"]
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use serde::Serialize;
use serde::de::DeserializeOwned;

use factor::{Factorization, Factorized};
use options::{Options, Setting};
use row::{Measured, Sheared};
use table::{Row, Table};
use zerostokes::state::Suspension;

fn main() -> ExitCode {
    let options = Options::parse();
    match (options.task(), options.one_step) {
        (Some(task), _) => row::with_threads(options.threads, || answer(&options, task)),
        // `cargo test` runs benches too, only to see that they run.
        (None, _) if !options.bench => ExitCode::SUCCESS,
        (None, Some(count)) => {
            row::with_threads(options.threads, || kernel::print_one_step(count));
            ExitCode::SUCCESS
        }
        (None, None) => {
            all_rows(&options);
            ExitCode::SUCCESS
        }
    }
}

/// What a process that was started for one row has to do.
#[derive(Clone, Copy, Debug)]
enum Task<'a> {
    /// Shear, measure, and leave the suspension in a file.
    Measure(&'a Path),
    /// Factorize the matrix of the suspension in a file.
    Factorize(&'a Path),
    /// Shear the suspension in a file on by so many steps.
    Shear(&'a Path, u64),
}

/// Does a task and prints what comes out, for the process that asked.
fn answer(options: &Options, task: Task) -> ExitCode {
    let setting = options.settings()[0];
    let done = match task {
        Task::Measure(file) => row::measure(setting, options.budget).map(|(measured, state)| {
            write_state(file, &state);
            print_answer(&measured);
        }),
        Task::Factorize(file) => factor::factorize(setting, &read_state(file))
            .map(|factorized| print_answer(&factorized)),
        Task::Shear(file, steps) => {
            row::shear(setting, read_state(file), steps).map(|sheared| print_answer(&sheared))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn print_answer(answer: &impl Serialize) {
    println!("{}", serde_json::to_string(answer).expect("plain data"));
}

fn write_state(file: &Path, state: &Suspension) {
    let file = std::fs::File::create(file).expect("a file for the suspension");
    serde_json::to_writer(std::io::BufWriter::new(file), state).expect("a suspension on disk");
}

fn read_state(file: &Path) -> Suspension {
    let file = std::fs::File::open(file).expect("the file of the suspension");
    serde_json::from_reader(std::io::BufReader::new(file)).expect("a suspension")
}

/// Starts this program again for one setting and takes up what it answers.
fn ask<T: DeserializeOwned>(
    options: &Options,
    setting: Setting,
    threads: Option<usize>,
    task: Task,
) -> Result<T, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = std::process::Command::new(program);
    command.args(setting.arguments()).arg(format!("--budget={}", options.budget));
    command.args(threads.map(|n| format!("--threads={n}")));
    match task {
        Task::Measure(file) => command.arg("--measure").arg(file),
        Task::Factorize(file) => command.arg("--factorize").arg(file),
        Task::Shear(file, steps) => {
            command.arg(format!("--steps={steps}")).arg("--shear").arg(file)
        }
    };
    let done = command.output().map_err(|e| e.to_string())?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(said.lines().last().unwrap_or("killed").to_owned());
    }
    serde_json::from_slice(&done.stdout).map_err(|e| e.to_string())
}

/// Where the suspension of a row waits for other processes; gone with this value.
struct Kept(PathBuf);

impl Kept {
    fn new(setting: Setting) -> Self {
        let Setting { count, phi, friction } = setting;
        let process = std::process::id();
        let name = format!("zerostokes-strain-{process}-{count}-{phi}-{friction}.json");
        Kept(std::env::temp_dir().join(name))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Nothing is there when the row failed.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn all_rows(options: &Options) {
    let threads = options.threads.unwrap_or_else(rayon::current_num_threads);
    println!("Threads: {threads}; one for factorizations.");
    let load = load();
    if let Some(load) = load {
        println!("Load: {load:.2} before the first row; anything but 0 spoils times.");
    }
    let bandwidth = bandwidth::streaming_bandwidth();
    println!("Memory: {:.1} GB/s read and written by one thread.", 1e-9 * bandwidth);
    kernel::print_bandwidth(bandwidth);
    let mut table = Table::open(options.csv.as_deref());
    let mut kept = Vec::new();
    for setting in options.settings() {
        let file = Kept::new(setting);
        let measured: Result<Measured, String> =
            ask(options, setting, options.threads, Task::Measure(&file.0));
        match measured {
            Ok(measured) => {
                let factorization = factorization(options, setting, &file, &table.rows);
                table.add(Row { setting, measured, factorization });
                if options.is_scaled(setting) {
                    kept.push((setting, measured, file));
                }
            }
            Err(reason) => table.fail(setting, &reason),
        }
    }
    table.end();
    if let Some(path) = &options.page {
        page::replace(path, &table.rows, threads, load).expect("a page with a place for the table");
    }
    if !kept.is_empty() {
        println!(
            "\nTwo threads over one, the same steps from the end of the row (φ = 0.5, friction 1):"
        );
    }
    for (setting, measured, file) in kept {
        speed_up(options, setting, &measured, &file);
    }
}

/// How many processes wanted to run in the last minute, where the system tells.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The factorization of a row: measured, or extrapolated where it would take too much.
fn factorization(
    options: &Options,
    setting: Setting,
    file: &Kept,
    rows: &[Row],
) -> Option<Factorization> {
    let below: Vec<(usize, Factorized)> = rows
        .iter()
        .filter(|row| row.setting.is_like(setting))
        .filter_map(|row| match row.factorization? {
            Factorization::Measured(factorized) => Some((row.setting.count, factorized)),
            Factorization::Extrapolated(_) => None,
        })
        .collect();
    if let Some(expected) = factor::too_much(setting.count, &below) {
        return expected.map(Factorization::Extrapolated);
    }
    match ask(options, setting, Some(1), Task::Factorize(&file.0)) {
        Ok(factorized) => Some(Factorization::Measured(factorized)),
        Err(reason) => {
            println!("no factorization at N = {}: {reason}", setting.count);
            None
        }
    }
}

/// Prints how much faster two threads are than one.
fn speed_up(options: &Options, setting: Setting, measured: &Measured, file: &Kept) {
    let steps = measured.steps_within(0.25 * options.budget);
    let [one, two] = [1, 2].map(|threads| -> Result<Sheared, String> {
        ask(options, setting, Some(threads), Task::Shear(&file.0, steps))
    });
    match (one, two) {
        (Ok(one), Ok(two)) => println!(
            "  N = {:<6} × {:.2}   ({:.2} s and {:.2} s for {steps} steps)",
            setting.count,
            one.seconds / two.seconds,
            one.seconds,
            two.seconds
        ),
        (Err(reason), _) | (_, Err(reason)) => println!("  N = {}: {reason}", setting.count),
    }
}
