//! What is asked for: which rows, how long, where to.

use std::path::{Path, PathBuf};

use clap::Parser;
use zerostokes::case::Case;

use super::Task;

const SIZES: [usize; 6] = [200, 500, 2000, 8000, 32_000, 100_000];

/// The sizes that are measured unless more is asked for.
const USUAL: usize = 4;

const FRACTIONS: [f64; 2] = [0.5, 0.55];

const FRICTIONS: [f64; 2] = [0.0, 1.0];

/// What a unit of strain costs in the steady state at default accuracy.
///
/// Without options: N = 200, 500, 2000 and 8000 at φ = 0.5, friction 0 and 1.
#[derive(Clone, Debug, Parser)]
#[command(name = "strain")]
pub struct Options {
    /// Every row: N = 200 to 100000, φ = 0.5 and 0.55, friction 0 and 1, and the speed-up by
    /// threads.
    #[arg(long)]
    pub all: bool,
    /// Numbers of particles, such as 500,2000.
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    pub sizes: Vec<usize>,
    /// Volume fractions, such as 0.5,0.55.
    #[arg(long, value_delimiter = ',', value_name = "φ,…")]
    pub phi: Vec<f64>,
    /// Friction coefficients, such as 0,1.
    #[arg(long, value_delimiter = ',', value_name = "μ_p,…")]
    pub friction: Vec<f64>,
    /// Threads [default: all cores].
    #[arg(long)]
    pub threads: Option<usize>,
    /// Seconds for a row, packing and factorization not counted: what would take longer is sheared
    /// and measured over less strain, and the row says so.
    #[arg(long, default_value_t = 120.0)]
    pub budget: f64,
    /// A file for the table, as CSV.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    /// A page of the manual whose table is replaced, docs/performance.md.
    #[arg(long)]
    pub page: Option<PathBuf>,
    /// Measures the speed-up of two threads over one at φ = 0.5, friction 1 for rows of N = 500 and
    /// more.
    #[arg(long, conflicts_with = "threads")]
    pub scaling: bool,
    /// Instead of all that, packs N particles and takes a single step, such as 1000000.
    #[arg(long, value_name = "N")]
    pub one_step: Option<usize>,
    /// What cargo says.
    #[arg(long, hide = true)]
    pub bench: bool,
    #[arg(long, hide = true)]
    measure: Option<PathBuf>,
    #[arg(long, hide = true)]
    factorize: Option<PathBuf>,
    #[arg(long, hide = true, requires = "steps")]
    shear: Option<PathBuf>,
    #[arg(long, hide = true)]
    steps: Option<u64>,
}

/// What makes a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Number of particles N.
    pub count: usize,
    /// Volume fraction φ.
    pub phi: f64,
    /// Friction coefficient μ_p.
    pub friction: f64,
}

impl Options {
    /// What this process was started for, if it is one of many.
    pub fn task(&self) -> Option<Task<'_>> {
        let measure = self.measure.as_deref().map(Task::Measure);
        let factorize = || self.factorize.as_deref().map(Task::Factorize);
        let shear = || Some(Task::Shear(self.shear.as_deref()?, self.steps?));
        measure.or_else(factorize).or_else(shear)
    }

    /// All rows: by volume fraction, friction, and ascending N.
    pub fn settings(&self) -> Vec<Setting> {
        fn or<T: Clone>(given: &[T], usual: &[T], all: bool, every: &[T]) -> Vec<T> {
            match (given.is_empty(), all) {
                (false, _) => given.to_vec(),
                (true, true) => every.to_vec(),
                (true, false) => usual.to_vec(),
            }
        }
        let mut sizes = or(&self.sizes, &SIZES[..USUAL], self.all, &SIZES);
        sizes.sort_unstable();
        let mut settings = Vec::new();
        for phi in or(&self.phi, &FRACTIONS[..1], self.all, &FRACTIONS) {
            for friction in or(&self.friction, &FRICTIONS, self.all, &FRICTIONS) {
                settings.extend(sizes.iter().map(|&count| Setting { count, phi, friction }));
            }
        }
        settings
    }

    /// Whether the speed-up by threads is measured for a row.
    pub fn is_scaled(&self, setting: Setting) -> bool {
        (self.scaling || self.all && self.threads.is_none())
            && setting.count >= 500
            && setting.phi == 0.5
            && setting.friction == 1.0
    }
}

impl Setting {
    /// The case: everything else has its default.
    pub fn case(&self) -> Case {
        let Setting { count, phi, friction } = self;
        let text = format!(
            "[particles]\ncount = {count}\nvolume_fraction = {phi:?}\n\
             [contact]\nfriction = {friction:?}\n"
        );
        Case::from_text(&text, Path::new("bench.toml"), &[]).expect("a valid case")
    }

    /// As options.
    pub fn arguments(&self) -> [String; 3] {
        let Setting { count, phi, friction } = self;
        [format!("--sizes={count}"), format!("--phi={phi}"), format!("--friction={friction}")]
    }

    /// Whether another one differs at most in size.
    pub fn is_like(&self, other: Setting) -> bool {
        self.phi == other.phi && self.friction == other.friction
    }
}
