//! The table as a part of a page of the manual.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use zerostokes::cost::{megabytes, three_digits};
use zerostokes::record::clock::rfc3339;

use super::table::Row;

/// What encloses the part of the page that is made here.
const BEGIN: &str = "<!-- made by the benchmark `strain`: begin -->\n";
const END: &str = "<!-- made by the benchmark `strain`: end -->";

/// Replaces the part of the page between the marks.
pub fn replace(path: &Path, rows: &[Row], threads: usize, load: Option<f64>) -> io::Result<()> {
    let page = std::fs::read_to_string(path)?;
    let place = page.find(BEGIN).map(|k| k + BEGIN.len()).zip(page.find(END));
    let (begin, end) = place.ok_or_else(|| io::Error::other("the page has no marks"))?;
    let made = part(rows, threads, load);
    std::fs::write(path, format!("{}\n{made}\n{}", &page[..begin], &page[end..]))
}

/// A load above this means that others were at work.
const SHARED_LOAD: f64 = 0.5;

/// When and where it was measured, and the rows.
fn part(rows: &[Row], threads: usize, load: Option<f64>) -> String {
    let others = match load {
        Some(load) if load > SHARED_LOAD => {
            format!("The machine was shared with other work: its load was {load:.1} at the start.")
        }
        Some(_) => "The machine had nothing else to do.".to_owned(),
        None => "How busy the machine was is not known.".to_owned(),
    };
    let date = rfc3339(SystemTime::now());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "Version {}, measured on {}: {}, {cores} cores, {threads} of them used.\n\
         {others}\n\n\
         | N | φ | μ_p | CPU s | wall s | steps | solves | iterations | % of time | MB | strain |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
        env!("CARGO_PKG_VERSION"),
        date.split('T').next().unwrap_or(&date),
        processor().unwrap_or_else(|| "a processor without a name".to_owned()),
    );
    rows.iter().for_each(|row| text += &line(row));
    text
}

fn line(row: &Row) -> String {
    let (setting, measured) = (row.setting, row.measured);
    let cost = measured.cost;
    let known = |number: Option<f64>| number.map_or("–".to_owned(), three_digits);
    let per_strain = |number: u64| format!("{:.0}", number as f64 / cost.strain);
    let shares = cost.times.by_name();
    let shares = shares.iter().map(|(_, s)| format!("{:.0}", 100.0 * s / cost.seconds));
    let star = if measured.is_steady() { "" } else { " \\*" };
    let cells = [
        setting.count.to_string(),
        format!("{:.2}", setting.phi),
        setting.friction.to_string(),
        known(measured.processor_seconds_per_strain()),
        three_digits(row.seconds()),
        per_strain(cost.steps),
        per_strain(cost.solves),
        per_strain(cost.iterations),
        shares.collect::<Vec<_>>().join(" / "),
        known(measured.peak_memory.map(megabytes)),
        format!("{} + {}{star}", three_digits(measured.before), three_digits(cost.strain)),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// What the processor calls itself, where the system tells.
fn processor() -> Option<String> {
    let told = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
