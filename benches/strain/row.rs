//! One row: a suspension sheared into its steady state, and measured there.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use zerostokes::cost::{self, Cost};
use zerostokes::integrate::{End, Stepper};
use zerostokes::state::Suspension;
use zerostokes::study::suspension;

use super::options::Setting;

/// Strain before anything is measured.
const BEFORE: f64 = 2.0;

/// The share of the budget that may go into it.
const SHARE_BEFORE: f64 = 0.75;

/// The least strain, time and number of steps over which a row is measured; only the steps have to
/// be, whatever the budget.
const LEAST_STRAIN: f64 = 1.0;
const LEAST_SECONDS: f64 = 2.0;
const LEAST_STEPS: u64 = 3;

/// What a row found.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Costs of the stretch that was measured.
    pub cost: Cost,
    /// Processor time of all threads in that stretch, where the system tells `[s]`.
    pub processor_seconds: Option<f64>,
    /// Strain before it.
    pub before: f64,
    /// The most memory that the process held, packing included `[bytes]`.
    pub peak_memory: Option<u64>,
}

/// What some steps took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Sheared {
    /// Wall time `[s]`.
    pub seconds: f64,
}

impl Measured {
    /// Processor time per unit of strain, where the system tells `[s]`.
    pub fn processor_seconds_per_strain(&self) -> Option<f64> {
        Some(self.processor_seconds? / self.cost.strain)
    }

    /// Whether it was sheared as far as it should be before it was measured.
    pub fn is_steady(&self) -> bool {
        self.before >= BEFORE
    }

    /// How many steps can be expected within some seconds, those of the measured stretch at most.
    pub fn steps_within(&self, seconds: f64) -> u64 {
        let fraction = (seconds / self.cost.seconds).min(1.0);
        (fraction * self.cost.steps as f64).ceil().max(LEAST_STEPS as f64) as u64
    }
}

/// Does something with a number of threads, or with all cores.
pub fn with_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.expect("threads").install(work)
}

/// Shears a suspension into its steady state and measures what it costs to shear it on, in about
/// the given seconds.
pub fn measure(setting: Setting, budget: f64) -> Result<(Measured, Suspension), String> {
    let case = setting.case();
    let mut state = suspension::initial(&case).map_err(|e| e.to_string())?;
    let mut stepper = suspension::stepper(&case, &state);
    let start = Instant::now();
    let spent = || start.elapsed().as_secs_f64();
    while state.clock.strain < BEFORE && spent() < SHARE_BEFORE * budget {
        advance(&mut stepper, &mut state, &mut Cost::default())?;
    }
    let (before, earlier) = (state.clock.strain, *stepper.times());
    let processor = processor_seconds();
    let mut cost = Cost { particles: state.len(), ..Cost::default() };
    let window = Instant::now();
    while cost.steps < LEAST_STEPS
        || (cost.strain < LEAST_STRAIN || cost.seconds < LEAST_SECONDS) && spent() < budget
    {
        advance(&mut stepper, &mut state, &mut cost)?;
        cost.strain = state.clock.strain - before;
        cost.seconds = window.elapsed().as_secs_f64();
    }
    cost.times = cost::since(&earlier, stepper.times());
    let processor_seconds = processor.zip(processor_seconds()).map(|(from, to)| to - from);
    let peak_memory = cost::peak_memory();
    Ok((Measured { cost, processor_seconds, before, peak_memory }, state))
}

/// The time for which the threads of this process have run so far, where the system tells `[s]`. It
/// does not count what others took of the machine.
fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += told.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(1e-9 * nanoseconds)
}

/// Shears a suspension on by some steps.
pub fn shear(setting: Setting, mut state: Suspension, steps: u64) -> Result<Sheared, String> {
    let mut stepper = suspension::stepper(&setting.case(), &state);
    let start = Instant::now();
    for _ in 0..steps {
        advance(&mut stepper, &mut state, &mut Cost::default())?;
    }
    Ok(Sheared { seconds: start.elapsed().as_secs_f64() })
}

/// One step, counted.
fn advance(stepper: &mut Stepper, state: &mut Suspension, cost: &mut Cost) -> Result<(), String> {
    let end = End { strain: f64::INFINITY, time: f64::INFINITY };
    let seen = stepper.step(state, end).map_err(|e| e.to_string())?;
    cost.steps += 1;
    cost.solves += seen.effort.solves as u64;
    cost.iterations += seen.effort.iterations as u64;
    Ok(())
}
