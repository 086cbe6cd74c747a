//! The results of a run, from its time series: steady means with errors, costs, advice.

mod accuracy;
mod advice;
mod films;
mod lines;
mod means;

use std::collections::BTreeMap;

use nalgebra::Vector3;
use serde::Serialize;

use crate::case::{Case, Imposed};
use crate::cost::Totals;
use crate::error::Error;
use crate::integrate::Convergence;
use crate::laws::Origin;
use crate::record::column::Description;
use crate::record::keys::{Described, described};
use crate::record::{TIMESERIES, read_columns};
use crate::state::Suspension;
use crate::stats::{Estimate, Steady};
use crate::study::Finished;
use crate::study::suspension::protocol::{self, OscillationSeen, PhaseSeen};
use crate::study::suspension::setup::convergence;
use advice::{NOTED_MISMATCH, advice};
use means::Means;

pub use accuracy::AccuracyVerdict;
pub use means::{sampled_start, steady_state};

described! {
    /// `summary.json`.
    #[derive(Clone, Debug, Serialize)]
    pub struct SuspensionSummary {
        /// What was run, and how far.
        #[serde(flatten)]
        pub reached: Reached,
        /// Stresses and contacts, averaged over the steady flow.
        #[serde(flatten)]
        pub rheology: Rheology,
        /// How close particles came.
        #[serde(flatten)]
        pub pairs: ClosePairs,
        /// Particles that have left the boxes with open sides in which they began; none where there
        /// are no obstacles.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub left: Option<usize>,
        /// Costs and residuals.
        #[serde(flatten)]
        pub totals: Totals,
        /// What every step was to keep to.
        pub promised: Promised,
        /// What every phase did, where there are phases.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub phases: Vec<PhaseSeen>,
        /// What an oscillation did.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub oscillation: Option<OscillationSeen>,
        /// What the user may want to change.
        pub advice: Vec<String>,
    }

    /// What was run, and how far.
    #[derive(Clone, Debug, Serialize)]
    pub struct Reached {
        /// Whether the case reached its end.
        pub finished: bool,
        /// The title of the case.
        pub title: Option<String>,
        /// Number of particles N.
        pub particles: usize,
        /// Volume fraction φ; none in open space `[1]`.
        pub volume_fraction: Option<f64>,
        /// Strain reached, with its sign `[1]`.
        pub strain: f64,
        /// Strain reached, counted positive in either direction `[1]`.
        pub accumulated_strain: f64,
        /// Time reached `[t]`.
        pub time: f64,
        /// Accepted steps.
        pub steps: u64,
    }
}

described! {
    /// What every step was to keep to; the worst that was met stands beside it.
    #[derive(Clone, Copy, Debug, Serialize)]
    pub struct Promised {
        /// The largest imbalance of forces and torques, relative to all forces `[1]`.
        pub force_residual: f64,
        /// The largest imbalance of the contact and friction laws, relative to all forces `[1]`.
        pub friction_residual: f64,
        /// The largest part of the power that may be neither dissipated nor stored without a word;
        /// a hundred times more ends a run `[1]`.
        pub power_mismatch: f64,
    }
}

impl Promised {
    fn new(case: &Case, state: &Suspension) -> Self {
        let Convergence { law_residual, linear_residual, .. } = convergence(case, state);
        // With films the laws are solved for themselves, not their linearisation.
        let films = case.laws.soft.is_some() || case.laws.rough.is_some();
        Promised {
            force_residual: if films { law_residual.max(linear_residual) } else { linear_residual },
            friction_residual: law_residual,
            power_mismatch: NOTED_MISMATCH,
        }
    }
}

impl Reached {
    fn new(case: &Case, state: &Suspension) -> Self {
        Reached {
            finished: true,
            title: case.title.clone(),
            particles: state.len(),
            volume_fraction: state.volume_fraction(),
            strain: state.clock.strain,
            accumulated_strain: state.clock.path,
            time: state.clock.time,
            steps: state.clock.steps,
        }
    }
}

described! {
    /// Stresses and contacts, averaged over the steady flow.
    #[derive(Clone, Debug, Serialize)]
    pub struct Rheology {
        /// Strain at which the steady state begins, and whether the run settled.
        pub steady: Option<Steady>,
        /// How well the mean that was asked for is known; none if no accuracy was asked for.
        pub accuracy: Option<AccuracyVerdict>,
        /// Viscosity of the suspension η, the solvent and the spheres' own stresslets included
        /// `[μ]`.
        pub relative_viscosity: Option<Estimate>,
        /// Particle pressure Π `[μγ̇]`.
        pub particle_pressure: Option<Estimate>,
        /// First normal stress difference N₁ `[μγ̇]`.
        pub n1: Option<Estimate>,
        /// Second normal stress difference N₂ `[μγ̇]`.
        pub n2: Option<Estimate>,
        /// Parts of η by origin.
        pub viscosity: Parts,
        /// Mean number of contacts of a particle `[1]`.
        pub coordination: Option<Estimate>,
        /// Fraction of frictional contacts that slide `[1]`.
        pub sliding_fraction: Option<Estimate>,
        /// Mean shear rate over time where the flow is steady, so that the mean stress is η
        /// times it; of the whole run where it is not `[1/t]`.
        pub rate: f64,
        /// Whether it jammed: an imposed stress stopped the flow, or an imposed rate pressed hard
        /// spheres into each other beyond `contact.max_overlap`, so that the means above are those
        /// of the springs.
        pub jammed: bool,
        /// The strain at which an imposed stress stopped the flow; none if it flowed to the end
        /// `[1]`.
        pub jammed_at: Option<f64>,
    }
}

/// Whether a run shears a box that repeats.
fn is_sheared(run: &Finished<'_>) -> bool {
    let periodic = run.state.volume_fraction().is_some();
    periodic && run.case.drive.imposed() != Imposed::Rate(0.0)
}

/// Whether the particles are hard spheres, which springs keep apart.
fn has_springs(case: &Case) -> bool {
    let laws = &case.laws;
    let others = laws.soft.is_some() || laws.rough.is_some() || laws.gluey.is_some();
    laws.contact.enabled && !others
}

/// Whether an overlap is more than hard spheres are allowed `[a]`.
fn is_beyond(case: &Case, overlap: f64) -> bool {
    has_springs(case) && overlap > case.laws.contact.max_overlap
}

impl Rheology {
    fn new(run: &Finished<'_>, means: &Means<'_>, oscillation: Option<&OscillationSeen>) -> Self {
        let (case, clock) = (run.case, &run.state.clock);
        let overlaps = means.overlap().is_some_and(|overlap| is_beyond(case, overlap));
        let jammed = run.jammed_at.is_some() || is_sheared(run) && overlaps;
        let accuracy = case.accuracy.as_ref().map(|asked| {
            let mean = means.of(asked.quantity.column());
            let verdict = AccuracyVerdict::new(asked, means.steady.as_ref(), mean.as_ref());
            AccuracyVerdict { met: verdict.met && !jammed, ..verdict }
        });
        Rheology {
            accuracy,
            relative_viscosity: match oscillation {
                Some(seen) => seen.viscosity,
                None => means.of("relative_viscosity"),
            },
            particle_pressure: match oscillation {
                Some(seen) => seen.particle_pressure,
                None => means.of("particle_pressure"),
            },
            n1: means.of("n1"),
            n2: means.of("n2"),
            viscosity: Parts::new(means),
            coordination: means.of("coordination"),
            sliding_fraction: means.of("sliding_fraction"),
            rate: means.rate().unwrap_or(clock.strain / clock.time),
            jammed,
            jammed_at: run.jammed_at,
            steady: means.steady,
        }
    }
}

described! {
    /// How close particles came.
    #[derive(Clone, Debug, Serialize)]
    pub struct ClosePairs {
        /// Smallest gap met, negative when spheres overlapped `[a]`.
        pub smallest_gap: Option<f64>,
        /// Thickness of the thinnest film between soft or rough particles `[a]`.
        pub thinnest_film: Option<f64>,
        /// Largest normal deflection of soft or rough particles `[a]`.
        pub largest_deflection: Option<f64>,
        /// Largest number of rough pairs that were pressed at once by more than their asperities
        /// can bear.
        pub most_overloaded: Option<usize>,
        /// Largest overlap where the flow was averaged, or in the whole run where it was not; of
        /// hard spheres only `[a]`.
        pub steady_overlap: Option<f64>,
        /// Normal stiffness of hard or rough particles at the end `[μγ̇a]`.
        pub stiffness: Option<f64>,
        /// Pairs that are glued at the end; none where contacts are springs.
        pub glued_pairs: Option<usize>,
        /// How well contacts that are constraints were met, at worst.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub constraints: Option<Constraints>,
    }
}

impl ClosePairs {
    fn new(case: &Case, state: &Suspension, means: &Means<'_>) -> Self {
        let table = means.table;
        let column = |name: &str| table.column(name).unwrap_or_default().iter().copied();
        let (soft, rough) = (case.laws.soft.is_some(), case.laws.rough.is_some());
        let films = soft || rough;
        let glued = || state.memory.values.chunks(2).filter(|m| m[0] < 0.0).count();
        let worst = |name: &str| column(name).fold(0.0, f64::max);
        let met = || Constraints {
            violation: worst("constraint_violation"),
            dual_residual: worst("dual_residual"),
            complementarity: worst("complementarity"),
        };
        let overloaded = column("overloaded").reduce(f64::max).filter(|_| rough);
        let stiffness = column("stiffness").last().filter(|_| !soft);
        ClosePairs {
            smallest_gap: column("smallest_gap").reduce(f64::min),
            thinnest_film: column("thinnest_film").reduce(f64::min).filter(|_| films),
            largest_deflection: column("largest_deflection").reduce(f64::max).filter(|_| films),
            most_overloaded: overloaded.map(|most| most as usize),
            steady_overlap: means.overlap().filter(|_| has_springs(case)),
            stiffness: stiffness.filter(|_| case.laws.gluey.is_none()),
            glued_pairs: case.laws.gluey.as_ref().map(|_| glued()),
            constraints: case.laws.gluey.as_ref().map(|_| met()),
        }
    }
}

described! {
    /// How well contacts that are constraints were met, at worst.
    #[derive(Clone, Copy, Debug, Serialize)]
    pub struct Constraints {
        /// Largest overlap of gluey contacts `[a]`.
        pub violation: f64,
        /// Largest part of the forces that was not balanced `[1]`.
        pub dual_residual: f64,
        /// Largest product of gap and force or γ, over the largest force or γ `[a]`.
        pub complementarity: f64,
    }
}

/// η_r by origin.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Parts {
    /// The fluid: 1.
    pub solvent: Option<Estimate>,
    /// Single spheres: 2.5 φ.
    pub einstein: Option<Estimate>,
    /// Pairs, by the name of their origin.
    #[serde(flatten)]
    pub pairs: BTreeMap<String, Option<Estimate>>,
}

/// Origins are known when the program runs.
impl Described for Parts {
    const UNIT: &'static str = "";

    fn keys() -> Vec<Description> {
        let part = |name: &str, meaning: String| Description {
            name: format!("{name}.*"),
            unit: "μ",
            meaning,
        };
        let mut keys = vec![
            part("solvent", "Part of η due to the fluid: 1".to_owned()),
            part("einstein", "Part of η due to single spheres: 2.5 φ".to_owned()),
        ];
        let pairs = Origin::ALL.iter().map(|origin| origin.name());
        keys.extend(pairs.map(|name| part(name, format!("Part of η due to {name}"))));
        keys
    }
}

impl Parts {
    fn new(means: &Means<'_>) -> Self {
        let part = |name: &str| (name.to_owned(), means.of(&format!("viscosity_{name}")));
        let others = ["solvent", "einstein", "kinetic"];
        // Laws from outside the crate have columns, too.
        let columns = means.names().filter_map(|name| name.strip_prefix("viscosity_"));
        let origins = Origin::ALL.iter().map(|origin| origin.name());
        Parts {
            solvent: means.of("viscosity_solvent"),
            einstein: means.of("viscosity_einstein"),
            pairs: origins.chain(columns).filter(|name| !others.contains(name)).map(part).collect(),
        }
    }
}

/// How many particles have left boxes with open sides that they began in.
fn left(case: &Case, state: &Suspension) -> Option<usize> {
    let obstacles = case.obstacles();
    if obstacles.is_empty() {
        return None;
    }
    let gone = |x: &Vector3<f64>, time: f64| obstacles.has_left(x, time);
    // Only where somebody is out of a box does it matter who was in it.
    if !state.positions.iter().any(|x| gone(x, state.clock.time)) {
        return Some(0);
    }
    let began = super::initial(case).ok()?;
    let both = began.positions.iter().zip(&state.positions);
    Some(both.filter(|(x, y)| !gone(x, 0.0) && gone(y, state.clock.time)).count())
}

/// The results of a run that reached its end, from the time series in its directory.
///
/// # Errors
///
/// When the time series cannot be read.
pub fn summarise(run: &Finished<'_>) -> Result<SuspensionSummary, Error> {
    let &Finished { case, state, totals, directory, .. } = run;
    let table = read_columns(&directory.join(TIMESERIES))?;
    let oscillation = protocol::oscillation(case, directory)?;
    // A jammed suspension has no steady flow to average over.
    let flows = is_sheared(run) && case.drive.is_steady() && run.jammed_at.is_none();
    let means = Means::new(&table, flows);
    let mut summary = SuspensionSummary {
        reached: Reached::new(case, state),
        rheology: Rheology::new(run, &means, oscillation.as_ref()),
        pairs: ClosePairs::new(case, state, &means),
        left: left(case, state),
        totals: totals.clone(),
        promised: Promised::new(case, state),
        phases: protocol::phases(case, &table),
        oscillation,
        advice: Vec::new(),
    };
    summary.advice = advice(case, &summary);
    Ok(summary)
}
