//! One sparse Cholesky factorization of a suspension: the unit of work of the classical scheme,
//! which takes springs explicitly and factorizes the matrix of drag and lubrication in every step.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use zerostokes::balance::{Operator, PairBlock, stokes_drag};
use zerostokes::cost;
use zerostokes::laws::lubrication::Lubrication;
use zerostokes::laws::{Pair, PairLaw, Rates};
use zerostokes::pairs::NeighbourList;
use zerostokes::solve::{Method, Solver};
use zerostokes::state::{Suspension, Velocity, Wrench};
use zerostokes::study::suspension::{Scales, interactions};

use super::options::Setting;

/// Factorizations per unit of strain of the classical explicit scheme: two in each of 5500 steps.
pub const EXPLICIT_FACTORIZATIONS: f64 = 11_000.0;

/// Factorizations are repeated for so long `[s]`, and so often at most.
const REPEATED_SECONDS: f64 = 3.0;
const MOST_REPEATS: usize = 10;

/// Factorizations that need more memory or time are extrapolated `[bytes]`, `[s]`.
const MOST_MEMORY: f64 = 8e9;
const MOST_SECONDS: f64 = 180.0;

/// Up to this size a factorization is tried even where none of a smaller suspension tells what it
/// needs.
const SURELY_SMALL: usize = 8000;

/// What a factorization took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Factorized {
    /// Time of the fastest, the analysis of the graph not counted `[s]`.
    pub seconds: f64,
    /// The most memory that the process held `[bytes]`.
    pub peak_memory: Option<u64>,
}

/// The factorization of a row.
#[derive(Clone, Copy, Debug)]
pub enum Factorization {
    /// Of the very suspension that was sheared.
    Measured(Factorized),
    /// From smaller ones.
    Extrapolated(PowerLaw),
}

/// A time that grows as a power of N.
#[derive(Clone, Copy, Debug)]
pub struct PowerLaw {
    /// The size that is asked for.
    pub count: usize,
    /// The two sizes that were measured.
    pub from: [usize; 2],
    /// The time of the larger one `[s]`.
    pub last: f64,
    /// The exponent.
    pub exponent: f64,
}

impl Factorization {
    /// Its time `[s]`.
    pub fn seconds(&self) -> f64 {
        match self {
            Factorization::Measured(factorized) => factorized.seconds,
            Factorization::Extrapolated(law) => law.value(),
        }
    }
}

impl PowerLaw {
    fn new(count: usize, [from, to]: [(usize, f64); 2]) -> Self {
        let exponent = exponent(from, to);
        PowerLaw { count, from: [from.0, to.0], last: to.1, exponent }
    }

    /// What is expected.
    pub fn value(&self) -> f64 {
        self.last * (self.count as f64 / self.from[1] as f64).powf(self.exponent)
    }
}

/// The exponent with which something grows from one size to another.
pub fn exponent((from, low): (usize, f64), (to, high): (usize, f64)) -> f64 {
    (high / low).ln() / (to as f64 / from as f64).ln()
}

/// Whether a factorization takes too much, by those of smaller suspensions, ascending; if so, what
/// can be said of its time.
pub fn too_much(count: usize, below: &[(usize, Factorized)]) -> Option<Option<PowerLaw>> {
    let [.., small, large] = below else {
        return (count > SURELY_SMALL).then_some(None);
    };
    let time = PowerLaw::new(count, [small, large].map(|(n, f)| (*n, f.seconds)));
    let bytes = |f: &Factorized| f.peak_memory.unwrap_or(0).max(1) as f64;
    let memory = PowerLaw::new(count, [small, large].map(|(n, f)| (*n, bytes(f))));
    (time.value() > MOST_SECONDS || memory.value() > MOST_MEMORY).then_some(Some(time))
}

/// Factorizes the matrix of a suspension as often as time allows.
pub fn factorize(setting: Setting, state: &Suspension) -> Result<Factorized, String> {
    let operator = operator(setting, state);
    let push = Wrench { linear: nalgebra::Vector3::x(), ..Wrench::default() };
    let rhs = vec![push; state.len()];
    let mut velocities = vec![Velocity::default(); state.len()];
    let mut solver = Solver::new(Method::Direct, 1);
    let mut timed = || {
        let start = Instant::now();
        match solver.solve(&operator, &rhs, &mut velocities, 0.0) {
            Ok(solved) if !solved.fell_back => Ok(start.elapsed().as_secs_f64()),
            _ => Err("the factorization failed".to_owned()),
        }
    };
    // The first one analyses the graph, which the others need not.
    timed()?;
    let (mut fastest, mut spent) = (f64::INFINITY, 0.0);
    for _ in 0..MOST_REPEATS {
        let seconds = timed()?;
        fastest = fastest.min(seconds);
        spent += seconds;
        if spent > REPEATED_SECONDS {
            break;
        }
    }
    Ok(Factorized { seconds: fastest, peak_memory: cost::peak_memory() })
}

/// Drag and lubrication of all pairs in a suspension. Contacts are among these pairs, so springs
/// would change numbers in the matrix but none of its pattern, and not the time of a factorization.
pub fn operator(setting: Setting, state: &Suspension) -> Operator {
    let case = setting.case();
    let scales = Scales::new(&case, state.smallest_radius());
    let laws = interactions(&case, state, &scales);
    let (law, _) = laws.find::<Lubrication>().expect("lubrication");
    let mut pairs = Vec::new();
    NeighbourList::new(law.outer_gap, 0.0).active(state, &mut pairs);
    let blocks = pairs.iter().map(|p| {
        let distance = p.separation.norm();
        let normal = p.separation / distance;
        let pair = Pair { radii: p.radii, normal, distance, gap: p.gap, step: 0.0 };
        let resistance = law.respond(&pair, &[], &Rates::default()).resistance;
        PairBlock { ids: p.ids, normal, levers: pair.levers(), resistance }
    });
    let drag = state.radii.iter().map(|a| stokes_drag(scales.viscosity, *a)).collect();
    Operator::new(drag, blocks.collect(), scales.radius)
}
