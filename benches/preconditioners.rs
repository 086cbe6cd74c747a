//! Preconditioners for conjugate gradients on the frictional system of a real step, next to each other;
//! and, for few particles, factorization next to iteration.
//!
//! `cargo bench --bench preconditioners` prints two tables; options follow `--`. One thread. All methods
//! start from zero, and reach the same residuals in double precision. The machine should have nothing
//! else to do.

// Loops over lanes and entries of small blocks read better with indices.
#![allow(clippy::needless_range_loop)]

#[path = "preconditioners/blocks.rs"]
mod blocks;
#[path = "preconditioners/coarse.rs"]
mod coarse;
#[path = "preconditioners/colour_sweeps.rs"]
mod colour_sweeps;
#[path = "preconditioners/coloured.rs"]
mod coloured;
#[path = "preconditioners/factor.rs"]
mod factor;
#[path = "preconditioners/iterate.rs"]
mod iterate;
#[path = "preconditioners/measure.rs"]
mod measure;
#[path = "preconditioners/policy.rs"]
mod policy;
#[path = "preconditioners/sheared.rs"]
mod sheared;
#[path = "preconditioners/sweeps.rs"]
mod sweeps;
#[path = "preconditioners/triangular.rs"]
mod triangular;
#[path = "preconditioners/vectors.rs"]
mod vectors;

use clap::Parser;
use zerostokes::balance::Operator;
use zerostokes::solve::mixed::Mixed;

use coarse::TwoLevel;
use coloured::Coloured;
use factor::Lagged;
use iterate::Method;
use measure::Measured;
use sheared::Sheared;
use triangular::{Eisenstat, Incomplete, Kind};

/// Preconditioners next to each other, and factorization next to iteration.
#[derive(Clone, Debug, Parser)]
#[command(name = "preconditioners")]
struct Options {
    /// Numbers of particles of the first table, such as 500,2000.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "200,500,2000,8000")]
    sizes: Vec<usize>,
    /// Numbers of particles of the second table.
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "10,20,40,60,100,200")]
    few: Vec<usize>,
    /// One of the tables only: 1 or 2.
    #[arg(long)]
    table: Option<usize>,
    /// Steps by which kept factors are old.
    #[arg(long, value_delimiter = ',', value_name = "STEPS,…", default_value = "1,5,20")]
    lags: Vec<usize>,
    /// Seconds to shear a suspension.
    #[arg(long, default_value_t = 20.0)]
    budget: f64,
    /// What cargo says.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Particles up to which a factor is kept.
const FACTORIZED: usize = 2000;

/// Relaxations of Gauss–Seidel.
const RELAXATIONS: [f64; 2] = [1.0, 1.3];

fn main() {
    let options = Options::parse();
    // `cargo test` runs benches too, only to see that they run.
    if !options.bench {
        return;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        if options.table != Some(2) {
            options.sizes.iter().for_each(|count| compare(*count, &options));
        }
        if options.table != Some(1) {
            policy::table(&options.few);
        }
    });
}

/// The first table, for one size.
fn compare(count: usize, options: &Options) {
    let kept = options.lags.iter().copied().max().unwrap_or(0).max(1);
    let sheared = sheared::shear(count, options.budget, kept);
    let operator = &sheared.operators[0];
    println!(
        "\nN = {count}, φ = 0.5, μ = 1, strain {:.3} in {} steps, {:.2} pairs per particle:",
        sheared.state.clock.strain,
        sheared.steps,
        operator.blocks.len() as f64 / count as f64
    );
    if !Mixed::takes(operator) {
        println!("  not of drag and plain pairs");
        return;
    }
    head();
    simple_rows(&sheared, count);
    let order = sheared::order(operator);
    let ordered = in_order(operator, &order);
    let plain = in_order(operator, &[]);
    let name = "Gauss–Seidel by colours, Eisenstat";
    let set_up = || Coloured::new(&plain);
    print(count, measure::method(name, &plain, &sheared.rhs, set_up), name);
    swept_rows(&ordered, &sheared, count);
    if count <= FACTORIZED {
        for &lag in &options.lags {
            let earlier = in_order(&sheared.operators[lag], &order);
            let name = format!("Cholesky of {lag} steps before");
            let set_up = || Lagged::new(&ordered, &earlier);
            print(count, measure::method(&name, &ordered, &sheared.rhs, set_up), &name);
        }
    }
    let name = "Jacobi + rigid aggregates";
    let set_up = || TwoLevel::new(&ordered, &sheared.state);
    print(count, measure::method(name, &ordered, &sheared.rhs, set_up), name);
}

/// An operator with its particles in another order.
fn in_order(operator: &Operator, order: &[u32]) -> Operator {
    let mut operator = operator.clone();
    operator.order = order.to_vec();
    operator
}

/// Block Jacobi.
fn simple_rows(sheared: &Sheared, count: usize) {
    let operator = &sheared.operators[0];
    let own = TwoLevel::jacobi(operator).expect("positive blocks");
    let name = "block Jacobi, double";
    print(count, Some(measure::double(name, operator, &sheared.rhs)), name);
    let name = "block Jacobi, single (program)";
    let other = &sheared.operators[1];
    let measured = measure::mixed(name, operator, other, &sheared.rhs, own.bytes());
    print(count, Some(measured), name);
    let name = "block Jacobi, single (here)";
    let set_up = || TwoLevel::jacobi(operator);
    print(count, measure::method(name, operator, &sheared.rhs, set_up), name);
}

/// Gauss–Seidel and incomplete factorizations.
fn swept_rows(ordered: &Operator, sheared: &Sheared, count: usize) {
    for relaxation in RELAXATIONS {
        let name = format!("Gauss–Seidel, Eisenstat, ω = {relaxation}");
        let set_up = || Some(Eisenstat::new(ordered, Kind::GaussSeidel(relaxation)));
        print(count, measure::method(&name, ordered, &sheared.rhs, set_up), &name);
    }
    let shift = Eisenstat::new(ordered, Kind::Diagonal).shift;
    let name = format!("diagonal IC, Eisenstat, shift {shift}");
    let set_up = || Some(Eisenstat::new(ordered, Kind::Diagonal));
    print(count, measure::method(&name, ordered, &sheared.rhs, set_up), &name);
    let shift = Incomplete::new(ordered).shift;
    let name = format!("IC(0), shift {shift}");
    let set_up = || Some(Incomplete::new(ordered));
    print(count, measure::method(&name, ordered, &sheared.rhs, set_up), &name);
}

fn head() {
    println!(
        "  {:<35} {:>9} {:>7} {:>9} {:>7} {:>9} {:>9} {:>9}",
        "", "set-up", "to 1e-4", "", "to 1e-9", "", "each", "kept"
    );
    println!(
        "  {:<35} {:>9} {:>7} {:>9} {:>7} {:>9} {:>9} {:>9}",
        "preconditioner", "ms", "iter.", "ms", "iter.", "ms", "µs/iter.", "B/part."
    );
}

fn print(count: usize, measured: Option<Measured>, name: &str) {
    let Some(measured) = measured else {
        println!("  {name:<35} cannot be set up");
        return;
    };
    let cells = measured.reached.map(|reached| match reached {
        Some((iterations, seconds)) => format!("{iterations:>7} {:>9.3}", 1e3 * seconds),
        None => format!("{:>7} {:>9}", "–", "–"),
    });
    let each = measured.reached[1].or(measured.reached[0]);
    let each = each.map_or(f64::NAN, |(iterations, seconds)| 1e6 * seconds / iterations as f64);
    println!(
        "  {:<35} {:>9.3} {} {} {:>9.2} {:>9.0}",
        measured.name,
        1e3 * measured.setup,
        cells[0],
        cells[1],
        each,
        measured.bytes as f64 / count as f64
    );
}
