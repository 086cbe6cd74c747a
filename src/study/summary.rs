//! The results of a run, from its time series: steady means with errors, costs, advice.

use std::path::Path;

use serde::Serialize;

use crate::case::{Case, Imposed, Stiffness};
use crate::cost::Cost;
use crate::error::Error;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series, with_error};
use crate::record::{TIMESERIES, Table, read_columns};
use crate::run::{RunState, Totals};
use crate::stats::{Estimate, Series, Steady, estimate, steady_start};
use crate::study::protocol::{self, OscillationSeen, PhaseSeen};
use crate::study::suspension::JAMMED_STIFFNESS;

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Whether the case reached its end.
    pub finished: bool,
    /// The title of the case.
    pub title: Option<String>,
    /// Number of particles N.
    pub particles: usize,
    /// Volume fraction φ; none in open space.
    pub volume_fraction: Option<f64>,
    /// Strain reached, with its sign.
    pub strain: f64,
    /// Strain reached, counted positive in either direction.
    pub accumulated_strain: f64,
    /// Time reached `[t]`.
    pub time: f64,
    /// Strain at which the steady state begins, and whether the run settled.
    pub steady: Option<Steady>,
    /// η_r, the solvent and the spheres' own stresslets included.
    pub relative_viscosity: Option<Estimate>,
    /// Particle pressure Π `[μγ̇]`.
    pub particle_pressure: Option<Estimate>,
    /// First normal stress difference `[μγ̇]`.
    pub n1: Option<Estimate>,
    /// Second normal stress difference `[μγ̇]`.
    pub n2: Option<Estimate>,
    /// Parts of η_r by origin.
    pub viscosity: Parts,
    /// Mean number of contacts of a particle.
    pub coordination: Option<Estimate>,
    /// Fraction of frictional contacts that slide.
    pub sliding_fraction: Option<Estimate>,
    /// Mean shear rate, over time `[1/t]`.
    pub rate: f64,
    /// The strain at which an imposed stress stopped the flow; none if it flowed to the end.
    pub jammed_at: Option<f64>,
    /// Smallest gap met, negative when spheres overlapped `[a]`.
    pub smallest_gap: Option<f64>,
    /// Thickness of the thinnest film between soft or rough particles `[a]`.
    pub thinnest_film: Option<f64>,
    /// Largest normal deflection of soft or rough particles `[a]`.
    pub largest_deflection: Option<f64>,
    /// Largest number of rough pairs that were pressed at once by more than their asperities can
    /// bear.
    pub most_overloaded: Option<usize>,
    /// Normal stiffness of hard or rough particles at the end `[μγ̇a]`.
    pub stiffness: Option<f64>,
    /// Accepted steps.
    pub steps: u64,
    /// Costs and residuals.
    #[serde(flatten)]
    pub totals: Totals,
    /// What every phase did, where there are phases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseSeen>,
    /// What an oscillation did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oscillation: Option<OscillationSeen>,
    /// What the user may want to change.
    pub advice: Vec<String>,
}

/// η_r by origin.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Parts {
    /// The fluid: 1.
    pub solvent: Option<Estimate>,
    /// Single spheres: 2.5 φ.
    pub einstein: Option<Estimate>,
    /// Lubrication.
    pub lubrication: Option<Estimate>,
    /// Normal contact forces.
    pub contact: Option<Estimate>,
    /// Friction.
    pub friction: Option<Estimate>,
    /// Repulsion.
    pub repulsion: Option<Estimate>,
    /// Attraction.
    pub attraction: Option<Estimate>,
    /// Elastic forces of soft surfaces.
    pub deflection: Option<Estimate>,
}

impl Parts {
    /// The parts that are there, as text.
    fn listed(&self) -> Vec<String> {
        let parts = [
            ("solvent", &self.solvent),
            ("spheres", &self.einstein),
            ("lubrication", &self.lubrication),
            ("contact", &self.contact),
            ("friction", &self.friction),
            ("repulsion", &self.repulsion),
            ("attraction", &self.attraction),
            ("deflection", &self.deflection),
        ];
        let mean = |(name, part): (&str, &Option<Estimate>)| {
            part.as_ref().filter(|e| e.mean != 0.0).map(|e| format!("{name} {:.3}", e.mean))
        };
        parts.into_iter().filter_map(mean).collect()
    }
}

/// A mean over less strain is not called steady.
const LEAST_STRAIN: f64 = 2.0;

/// A mean over fewer independent samples is not called steady.
const LEAST_SAMPLES: f64 = 8.0;

/// Deflections beyond this are not small `[a]`.
const LARGE_DEFLECTION: f64 = 0.5;

/// Steady means of the columns of a time series.
struct Means<'a> {
    table: &'a Table,
    /// Strain, counted positive.
    at: Vec<f64>,
    steady: Option<Steady>,
}

impl<'a> Means<'a> {
    fn new(table: &'a Table, flows: bool) -> Self {
        let at: Vec<f64> = table.column("accumulated_strain").unwrap_or_default().to_vec();
        let mut means = Means { table, at, steady: None };
        if flows && !means.at.is_empty() {
            let watched = ["relative_viscosity", "particle_pressure"].map(|c| means.series(c));
            let mut steady = steady_start(&watched);
            let averaged = means.at.last().copied().unwrap_or(0.0) - steady.start;
            let samples = estimate(watched[0], steady.start).map_or(0.0, |e| e.effective_samples);
            steady.settled &= averaged >= LEAST_STRAIN && samples >= LEAST_SAMPLES;
            means.steady = Some(steady);
        }
        means
    }

    fn series(&self, column: &str) -> Series<'_> {
        Series::new(&self.at, self.table.column(column).unwrap_or_default())
    }

    fn of(&self, column: &str) -> Option<Estimate> {
        estimate(self.series(column), self.steady.as_ref()?.start)
    }
}

/// The results of a run that reached its end, from the time series in its directory.
///
/// # Errors
///
/// When the time series cannot be read.
pub fn summarise(case: &Case, state: &RunState, directory: &Path) -> Result<Summary, Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let suspension = &state.suspension;
    let fraction = suspension.volume_fraction();
    let sheared = fraction.is_some() && case.drive.imposed() != Imposed::Rate(0.0);
    // A jammed suspension has no steady flow to average over.
    let steady = case.drive.is_steady() && state.jammed_at.is_none();
    let means = Means::new(&table, sheared && steady);
    let oscillation = protocol::oscillation(case, directory)?;
    let totals = &state.totals;
    let column = |name: &str| table.column(name).unwrap_or_default();
    let smallest_gap = column("smallest_gap").iter().copied().reduce(f64::min);
    let soft = case.soft.is_some();
    let films = soft || case.rough.is_some();
    let overloaded = column("overloaded").iter().copied().reduce(f64::max);
    let stiffness = column("stiffness").last().copied().filter(|_| !soft);
    let thinnest_film = column("thinnest_film").iter().copied().reduce(f64::min);
    let largest_deflection = column("largest_deflection").iter().copied().reduce(f64::max);
    Ok(Summary {
        finished: true,
        title: case.title.clone(),
        particles: suspension.len(),
        volume_fraction: fraction,
        strain: suspension.clock.strain,
        accumulated_strain: suspension.clock.path,
        time: suspension.clock.time,
        relative_viscosity: match &oscillation {
            Some(seen) => seen.viscosity,
            None => means.of("relative_viscosity"),
        },
        particle_pressure: match &oscillation {
            Some(seen) => seen.particle_pressure,
            None => means.of("particle_pressure"),
        },
        n1: means.of("n1"),
        n2: means.of("n2"),
        viscosity: Parts {
            solvent: means.of("viscosity_solvent"),
            einstein: means.of("viscosity_einstein"),
            lubrication: means.of("viscosity_lubrication"),
            contact: means.of("viscosity_contact"),
            friction: means.of("viscosity_friction"),
            repulsion: means.of("viscosity_repulsion"),
            attraction: means.of("viscosity_attraction"),
            deflection: means.of("viscosity_deflection"),
        },
        coordination: means.of("coordination"),
        sliding_fraction: means.of("sliding_fraction"),
        rate: suspension.clock.strain / suspension.clock.time,
        jammed_at: state.jammed_at,
        smallest_gap,
        thinnest_film: thinnest_film.filter(|_| films),
        largest_deflection: largest_deflection.filter(|_| films),
        most_overloaded: overloaded.filter(|_| case.rough.is_some()).map(|most| most as usize),
        stiffness,
        steps: suspension.clock.steps,
        totals: totals.clone(),
        advice: advice(
            case,
            totals,
            stiffness,
            largest_deflection.filter(|_| films),
            means.steady.as_ref(),
        ),
        phases: protocol::phases(case, &table),
        oscillation,
        steady: means.steady,
    })
}

fn advice(
    case: &Case,
    totals: &Totals,
    stiffness: Option<f64>,
    deflection: Option<f64>,
    steady: Option<&Steady>,
) -> Vec<String> {
    let mut advice = Vec::new();
    if totals.fallbacks > 0 {
        advice.push(format!(
            "in {} of {} solves the chosen solver failed and the other one stepped in; \
             solver.max_iterations or solver.method may spare the detour",
            totals.fallbacks, totals.solves
        ));
    }
    let (bound, overlap) = (case.contact.max_overlap, totals.max_overlap);
    if let (Stiffness::Given(_), Some(k)) = (case.contact.stiffness, stiffness)
        && overlap > bound
    {
        let needed = 1.2 * k * overlap / bound;
        advice.push(format!(
            "spheres overlapped by {overlap:.2e} a, more than contact.max_overlap = {bound}: \
             contact.stiffness = {needed:.1e} would keep to it, and so would \"auto\""
        ));
    }
    let jammed = stiffness.is_some_and(|k| k >= JAMMED_STIFFNESS);
    if case.contact.stiffness == Stiffness::Auto && overlap > bound && jammed {
        advice.push(format!(
            "spheres overlapped by {overlap:.2e} a, more than contact.max_overlap = {bound}, \
             although the stiffness was raised to {:.1e} μγ̇a: the suspension jams or nearly so; \
             lower particles.volume_fraction or contact.friction",
            stiffness.unwrap_or(0.0)
        ));
    }
    if let Some(deflection) = deflection
        && deflection > LARGE_DEFLECTION
    {
        advice.push(format!(
            "surfaces were deflected by up to {deflection:.2} a: the law holds for deflections well \
             below a; a larger {} keeps to it",
            if case.soft.is_some() { "soft.modulus" } else { "rough.stiffness" }
        ));
    }
    if steady.is_some_and(|s| !s.settled) {
        advice.push(
            "the stress still drifts, or the run is too short to tell: only a larger drive.strain \
             gives a mean and an error that can be trusted"
                .to_owned(),
        );
    }
    advice
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let number = |e: &Option<Estimate>| match e {
            Some(e) => with_error(e.mean, e.stderr),
            None => "–".to_owned(),
        };
        let mean = |e: &Option<Estimate>| e.as_ref().map_or(0.0, |e| e.mean);
        let mut lines = Vec::new();
        if let Some(strain) = self.jammed_at {
            lines.push(format!(
                "jammed              at strain {strain:.3}: the imposed stress drives no flow"
            ));
        }
        if let (Some(_), Some(steady)) = (&self.relative_viscosity, &self.steady) {
            lines.push(format!(
                "relative viscosity  η_r = {}   ({})",
                number(&self.relative_viscosity),
                self.viscosity.listed().join(", ")
            ));
            lines.push(format!("particle pressure   Π   = {} μγ̇", number(&self.particle_pressure)));
            lines.push(format!(
                "normal stresses     N1  = {} μγ̇,  N2 = {} μγ̇",
                number(&self.n1),
                number(&self.n2)
            ));
            let sliding = match (self.thinnest_film, self.most_overloaded) {
                (Some(_), None) => String::new(),
                _ => format!(", {:.0} % sliding", 100.0 * mean(&self.sliding_fraction)),
            };
            lines.push(format!(
                "contacts            Z   = {} per particle{sliding}",
                number(&self.coordination)
            ));
            lines.push(format!(
                "averaged over       strain {:.2} to {:.2}{}",
                steady.start,
                self.accumulated_strain,
                if steady.settled { "" } else { "  (not settled)" }
            ));
        }
        lines.extend(self.phases.iter().enumerate().map(|(k, phase)| phase.line(k)));
        lines.extend(self.oscillation.iter().flat_map(OscillationSeen::lines));
        lines.push(match (self.thinnest_film, self.largest_deflection) {
            (Some(film), Some(deflection)) => {
                let overloaded = self.most_overloaded.map_or(String::new(), |most| {
                    format!(", {most} pairs at most beyond what asperities bear")
                });
                format!(
                    "films               at least {film:.2e} a thick, deflections up to \
                     {deflection:.2e} a{overloaded}"
                )
            }
            _ => format!(
                "overlap             at most {:.2e} a, stiffness {:.1e} μγ̇a",
                self.totals.max_overlap,
                self.stiffness.unwrap_or(0.0)
            ),
        });
        let t = &self.totals;
        lines.push(format!(
            "forces balance      to {:.0e}, contact laws to {:.0e}, power to {:.0e}",
            t.worst_force_residual, t.worst_friction_residual, t.worst_power_mismatch
        ));
        lines.extend(self.cost().lines("the whole run", t.peak_memory_bytes));
        lines
    }

    /// What the whole run cost.
    fn cost(&self) -> Cost {
        let t = &self.totals;
        Cost {
            particles: self.particles,
            strain: self.accumulated_strain,
            seconds: t.wall_seconds,
            steps: self.steps,
            solves: t.solves,
            iterations: t.iterations,
            times: t.stage_seconds,
        }
    }
}

/// Draws the time series of a run, `timeseries.svg` and `.png`, from the files in its directory.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub fn draw(directory: &Path, summary: &Summary) -> Result<(), Error> {
    if let Some(seen) = &summary.oscillation {
        return protocol::draw_cycles(directory, seen);
    }
    if summary.steady.is_none() && summary.phases.is_empty() {
        return Ok(());
    }
    let table = read_columns(&directory.join(TIMESERIES))?;
    let strain = table.column("accumulated_strain").unwrap_or_default().to_vec();
    let trace = |label: &str, column: &str| {
        Trace::new(label, strain.clone(), table.column(column).unwrap_or_default().to_vec())
    };
    let with = |trace: Trace, symbol: &str, e: &Option<Estimate>| match e {
        Some(e) => trace.with_mean(symbol, e.mean, e.stderr),
        None => trace,
    };
    let mut viscosity =
        vec![with(trace("total", "relative_viscosity"), "ηᵣ", &summary.relative_viscosity)];
    for origin in ["lubrication", "contact", "friction", "repulsion", "attraction", "deflection"] {
        let column = format!("viscosity_{origin}");
        if table.column(&column).is_some_and(|c| c.iter().any(|x| *x != 0.0)) {
            viscosity.push(trace(origin, &column));
        }
    }
    let normal = vec![
        with(trace("Π", "particle_pressure"), "Π", &summary.particle_pressure),
        trace("N₁", "n1"),
        trace("N₂", "n2"),
    ];
    let figure = TimeSeriesFigure {
        x_label: "strain γ".to_owned(),
        steady_from: summary.steady.map(|steady| steady.start),
        panels: vec![
            Panel { axis: Axis::linear("viscosity η / μ"), traces: viscosity },
            Panel { axis: Axis::linear("stress / (μγ̇)"), traces: normal },
        ],
    };
    time_series(&directory.join("timeseries"), &figure)?;
    Ok(())
}
