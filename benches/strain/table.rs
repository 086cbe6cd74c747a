//! The table: printed row by row, written as CSV, and what can be read from it.

use std::path::Path;

use zerostokes::cost::{kilobytes_each, megabytes, three_digits};

use super::factor::{EXPLICIT_FACTORIZATIONS, Factorization, exponent};
use super::options::Setting;
use super::row::Measured;

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What it is about.
    pub setting: Setting,
    /// What was measured.
    pub measured: Measured,
    /// A factorization of the same suspension.
    pub factorization: Option<Factorization>,
}

/// All rows so far.
pub struct Table {
    /// The rows that could be measured.
    pub rows: Vec<Row>,
    file: Option<csv::Writer<std::fs::File>>,
}

/// Columns of the file.
const COLUMNS: [&str; 21] = [
    "particles",
    "volume_fraction",
    "friction",
    "seconds_per_strain",
    "processor_seconds_per_strain",
    "steps_per_strain",
    "solves_per_strain",
    "iterations_per_strain",
    "neighbours",
    "laws",
    "solve",
    "measure",
    "advance",
    "peak_memory_bytes",
    "strain_before",
    "strain_measured",
    "seconds_measured",
    "factorization_seconds",
    "factorization_extrapolated",
    "explicit_seconds_per_strain",
    "ratio",
];

/// What is said about columns before the first row.
const LEGEND: &str = "
s, steps, solves, iterations: per unit of strain, at default accuracy, in the steady state.
cpu: processor time of all threads; it does not count what others took of the machine.
%: share of the time in neighbours / laws / solves / measuring / advancing.
memory: the most that the process held, packing included.
factor: one sparse Cholesky factorization of this suspension without analysis; ~ is extrapolated.
explicit: 11000 factorizations, a unit of strain of the classical explicit scheme.
ratio: explicit over s.
strain: sheared before + measured over; * is not in the steady state yet, for want of --budget.
";

impl Row {
    /// Wall time per unit of strain `[s]`.
    pub fn seconds(&self) -> f64 {
        self.measured.cost.seconds / self.measured.cost.strain
    }

    fn explicit(&self) -> Option<f64> {
        self.factorization.map(|f| EXPLICIT_FACTORIZATIONS * f.seconds())
    }

    /// What marks a row that was not sheared for long enough.
    fn star(&self) -> &'static str {
        if self.measured.is_steady() { " " } else { "*" }
    }

    fn line(&self) -> String {
        let (Setting { count, phi, friction }, Measured { cost, before, peak_memory, .. }) =
            (self.setting, self.measured);
        let per_strain = |number: u64| format!("{:.0}", number as f64 / cost.strain);
        let whole = cost.seconds.max(f64::MIN_POSITIVE);
        let shares: Vec<String> = cost
            .times
            .by_name()
            .iter()
            .map(|(_, seconds)| format!("{:.0}", 100.0 * seconds / whole))
            .collect();
        let known = |number: Option<f64>| number.map_or("–".to_owned(), three_digits);
        let mark = match self.factorization {
            Some(Factorization::Extrapolated(_)) => "~",
            _ => "",
        };
        let marked = |number: Option<f64>| {
            number.map_or("–".to_owned(), |number| format!("{mark}{}", three_digits(number)))
        };
        columns(&[
            &count.to_string(),
            &format!("{phi:.2}"),
            &friction.to_string(),
            &three_digits(self.seconds()),
            &known(self.measured.processor_seconds_per_strain()),
            &per_strain(cost.steps),
            &per_strain(cost.solves),
            &per_strain(cost.iterations),
            &shares.join("/"),
            &known(peak_memory.map(megabytes)),
            &known(peak_memory.map(|bytes| kilobytes_each(bytes, count))),
            &marked(self.factorization.map(|f| f.seconds())),
            &marked(self.explicit()),
            &marked(self.explicit().map(|seconds| seconds / self.seconds())),
            &format!("{} + {} {}", three_digits(before), three_digits(cost.strain), self.star()),
        ])
    }

    fn record(&self) -> Vec<String> {
        let (Setting { count, phi, friction }, Measured { cost, before, peak_memory, .. }) =
            (self.setting, self.measured);
        let per_strain = |number: u64| (number as f64 / cost.strain).to_string();
        let known = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let mut record = vec![count.to_string(), phi.to_string(), friction.to_string()];
        record.push(self.seconds().to_string());
        record.push(known(self.measured.processor_seconds_per_strain()));
        record.extend([cost.steps, cost.solves, cost.iterations].map(per_strain));
        let shares = cost.times.by_name();
        record.extend(shares.iter().map(|(_, seconds)| (seconds / cost.seconds).to_string()));
        record.push(known(peak_memory.map(|bytes| bytes as f64)));
        record.extend([before, cost.strain, cost.seconds].map(|number| number.to_string()));
        record.push(known(self.factorization.map(|f| f.seconds())));
        record.push(match self.factorization {
            Some(f) => matches!(f, Factorization::Extrapolated(_)).to_string(),
            None => String::new(),
        });
        record.push(known(self.explicit()));
        record.push(known(self.explicit().map(|seconds| seconds / self.seconds())));
        record
    }
}

/// Fields side by side, right-aligned.
fn columns(fields: &[&str; 15]) -> String {
    let widths = [6, 4, 3, 8, 8, 5, 6, 10, 14, 8, 6, 8, 10, 7, 15];
    let fields = fields.iter().zip(widths).map(|(field, width)| format!("{field:>width$}"));
    fields.collect::<Vec<_>>().join("  ")
}

impl Table {
    /// A table without rows, and the file that they also go to.
    pub fn open(file: Option<&Path>) -> Self {
        let file = file.map(|path| {
            let mut file = csv::Writer::from_path(path).expect("a file for the table");
            file.write_record(COLUMNS).expect("a line in the file");
            file
        });
        println!("{LEGEND}");
        println!(
            "{}",
            columns(&[
                "N",
                "φ",
                "μ_p",
                "s",
                "cpu/s",
                "steps",
                "solves",
                "iterations",
                "%",
                "MB",
                "kB/N",
                "factor/s",
                "explicit/s",
                "ratio",
                "strain  "
            ])
        );
        Table { rows: Vec::new(), file }
    }

    /// Takes in a row and prints it.
    pub fn add(&mut self, row: Row) {
        println!("{}", row.line());
        if let Some(file) = &mut self.file {
            file.write_record(row.record()).expect("a line in the file");
            file.flush().expect("the file on disk");
        }
        self.rows.push(row);
    }

    /// Says that a row could not be measured.
    pub fn fail(&self, setting: Setting, reason: &str) {
        let Setting { count, phi, friction } = setting;
        println!("{count:>6}  {phi:.2}  {friction:>3}  failed: {reason}");
    }

    /// Prints how costs grow with N, and what was extrapolated.
    pub fn end(&self) {
        let grow: Vec<String> = self
            .rows
            .windows(2)
            .filter(|two| two[0].setting.is_like(two[1].setting))
            .map(|two| {
                let [from, to] = [&two[0], &two[1]].map(|row| (row.setting.count, row.seconds()));
                let Setting { phi, friction, .. } = two[0].setting;
                let power = exponent(from, to);
                let star = if two.iter().all(|row| row.measured.is_steady()) { "" } else { " *" };
                let sizes = format!("from {} to {}", from.0, to.0);
                format!("  φ = {phi:.2}, μ_p = {friction}: N^{power:.2} {sizes}{star}")
            })
            .collect();
        if !grow.is_empty() {
            println!("\nSeconds per unit of strain grow as\n{}", grow.join("\n"));
        }
        let laws = self.rows.iter().filter_map(|row| match row.factorization? {
            Factorization::Extrapolated(law) => Some((row.setting, law)),
            Factorization::Measured(_) => None,
        });
        for (Setting { count, phi, friction }, law) in laws {
            println!(
                "Factorization of N = {count} at φ = {phi:.2}, μ_p = {friction}: {} s × ({count}/{})^{:.2}, \
                 from N = {} and {}.",
                three_digits(law.last),
                law.from[1],
                law.exponent,
                law.from[0],
                law.from[1]
            );
        }
    }
}
