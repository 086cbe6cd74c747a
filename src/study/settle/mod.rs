//! A sphere that sinks onto a fixed one through its film (\[CBC20\] section 3.1), without drag, as
//! eqs. 34–36 have it; without inertia unless it is given a Stokes number.
//!
//! In units of the radius a, the viscosity η and \\(\tau_c = \eta/(a\rho g)\\); the weight is then
//! \\(\tfrac43\pi\\). Smooth spheres approach as \\(u\propto e^{-8t/9\tau_c}\\) (eq. 36).
//! Asperities bear the weight if the contact number \\(\mathcal K = k_n\varepsilon a/W\\) exceeds
//! 1, at \\(u = \varepsilon a - W/k_n\\) (eq. 37); otherwise the film drains at the rate
//! \\(-\tfrac89(1-\mathcal K)/\tau_c\\). Only the distance matters: forces ±W on both spheres are
//! the same as one fixed sphere.

mod figure;
pub mod response;
mod results;
mod sweep_figure;
mod table;

use std::f64::consts::{LN_10, PI};
use std::path::Path;

use nalgebra::Vector3;

use super::few::{self, Spheres};
use super::quantity::Quantity;
use super::sweep::{FinishedSweep, SweepReport};
use super::{Finished, Kept, MakeStudy, Moved, Report, Study};
use crate::case::{Case, StudyKind};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Inertia, Observation, Stepper};
use crate::laws::rough::Touch;
use crate::laws::rough::{Beginning, Film, Rolling, Rough};
use crate::laws::{Interactions, Remote};
use crate::record::column::{Column, Description, describe, values};
use crate::record::keys::Described;
use crate::state::{PairIds, PairMemory, Suspension, Wrench};
use response::Energy;
pub use results::{SettleProgress, SettleSummary, Settled};
pub use table::{Settle, Until};

/// The study of `[settle]`.
pub const KIND: StudyKind = StudyKind::of::<Settle>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(SettleStudy::new(case))
}

/// The weight when \\(\tau_c = a = \eta = 1\\).
const WEIGHT: f64 = 4.0 / 3.0 * PI;

/// Rate of ln u of smooth spheres (eq. 36) `[1/τ_c]`.
pub const SMOOTH_RATE: f64 = -8.0 / 9.0;

/// How many times the theory's time a sphere is watched.
const GIVEN_UP_AFTER: f64 = 2.0;

/// Longest step `[τ_c]`.
const LONGEST_STEP: f64 = 5.0;

/// The same with inertia, in times of a free fall.
const LONGEST_OF_A_FALL: f64 = 0.05;

/// How close to its equilibrium a film has settled.
const CLOSE: f64 = 1e-10;

/// The same with inertia, whose rounding is larger.
const CLOSE_WITH_INERTIA: f64 = 1e-9;

/// The pair after a step.
#[derive(Clone, Debug)]
pub struct FallSample {
    seen: Observation,
    touch: Touch,
    log10_gap: f64,
    centre_gap: f64,
    velocity: f64,
}

impl FallSample {
    /// The pair after the stepper's last step.
    fn new(moved: &Moved<'_>) -> Option<Self> {
        let Moved { stepper, state, seen } = *moved;
        Some(FallSample {
            seen: *seen,
            touch: stepper.touches().next()?.touch,
            log10_gap: state.memory.values[0] / LN_10,
            centre_gap: (state.positions[1] - state.positions[0]).norm() - 2.0,
            velocity: state.velocities[1].linear.y - state.velocities[0].linear.y,
        })
    }

    /// ln u.
    fn log_gap(&self) -> f64 {
        self.log10_gap * LN_10
    }

    /// Tension between the spheres `[W]`.
    fn tension(&self) -> f64 {
        self.touch.tension / WEIGHT
    }
}

/// Columns of the time series.
pub const COLUMNS: &[Column<FallSample>] = &[
    Column::new("time", "τ_c", "time", |p| p.seen.time),
    Column::new("steps", "1", "steps since the start", |p| p.seen.steps as f64),
    Column::new("step", "τ_c", "duration of the last step", |p| p.seen.step),
    Column::new("gap", "a", "thickness of the film u", |p| p.touch.gap),
    Column::new("log10_gap", "1", "decadic logarithm of u/a", |p| p.log10_gap),
    Column::new("centre_gap", "a", "gap of undeflected spheres", |p| p.centre_gap),
    Column::new(
        "tension",
        "W",
        "tension between the spheres, negative when pressed",
        FallSample::tension,
    ),
    Column::new("contact", "W", "force between the asperities", |p| p.touch.contact / WEIGHT),
    Column::new("force_residual", "1", "imbalance of forces", |p| p.seen.effort.force_residual),
    Column::new("solves", "1", "linear systems solved", |p| p.seen.effort.solves as f64),
    Column::new("velocity", "a/τ_c", "rate of change of the distance of the centres", |p| {
        p.velocity
    }),
];

impl Settle {
    fn asperity_stiffness(&self) -> f64 {
        match self.roughness > 0.0 {
            true => self.contact_number * WEIGHT / self.roughness,
            false => self.asperity_ratio * self.stiffness * WEIGHT,
        }
    }

    fn law(&self) -> Rough {
        let asperity_stiffness = self.asperity_stiffness();
        Rough {
            viscosity: 1.0,
            stiffness: asperity_stiffness / self.asperity_ratio,
            asperity_stiffness,
            tangential_stiffness: f64::INFINITY,
            roughness: self.roughness,
            friction: 0.0,
            range: f64::INFINITY,
            beginning: Beginning::Truncated,
            film: Film::Printed { sliding: false, rolling: Rolling::None },
            remote: Remote::NONE,
        }
    }

    /// The thickness at which the asperities bear the weight (eq. 37) `[a]`.
    pub fn equilibrium_gap(&self) -> Option<f64> {
        self.bears().then(|| self.roughness * (1.0 - 1.0 / self.contact_number))
    }

    /// Rate at which the film drains in the end, where it drains for ever `[1/τ_c]`.
    pub fn late_rate(&self) -> Option<f64> {
        let borne = if self.roughness > 0.0 { self.contact_number } else { 0.0 };
        (!self.bears()).then_some(8.0 / 9.0 * (borne - 1.0))
    }

    /// The time that the theory gives to the run `[τ_c]`.
    pub fn expected_time(&self) -> f64 {
        let logs = |from: f64, to: f64| (from / to).ln().max(0.0);
        // Even a film whose rate vanishes is not waited for longer than this.
        let slowest = 1e-3;
        let touching = self.roughness.max(self.end_gap());
        let fall = logs(self.gap, touching) / -SMOOTH_RATE;
        let rest = match self.late_rate() {
            Some(rate) => logs(touching.min(self.gap), self.end_gap()) / (-rate).max(slowest),
            None => -CLOSE.ln() / (-SMOOTH_RATE * (self.contact_number - 1.0)).max(slowest),
        };
        fall + rest + 1.0
    }

    /// When the run ends if nothing else ends it before `[τ_c]`.
    pub fn longest(&self) -> f64 {
        self.max_time.unwrap_or(GIVEN_UP_AFTER * self.expected_time())
    }
}

/// A sphere that sinks onto another, and what it has done.
#[derive(Clone, Debug)]
pub struct SettleStudy {
    /// The table of the case.
    pub table: Settle,
    /// The mass of both spheres.
    inertia: Option<Inertia>,
    /// What the film has done so far.
    pub progress: SettleProgress,
}

impl SettleStudy {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        let table: Settle = case.study_table();
        let inertia = table.inertia(case.inertia.as_ref());
        SettleStudy { table, inertia, progress: SettleProgress::default() }
    }

    /// Whether the film is settled, or as thin as was asked; with inertia, whether the sphere is at
    /// rest as well, or all is known of how it moves.
    fn is_over(&self, sample: &FallSample) -> bool {
        let settle = &self.table;
        let log_gap = sample.log_gap();
        let off = settle.equilibrium_gap().map(|gap| (log_gap - gap.ln()).abs());
        let thin = log_gap <= settle.end_gap().ln();
        let Some(mass) = self.mass() else {
            return off.map_or(thin, |off| off < CLOSE);
        };
        let energy = Energy::of(sample, settle, mass);
        self.progress.rebounds.are_enough()
            || match settle.until {
                Until::Response => energy.shows_no_more(settle),
                Until::Rest => {
                    off.map_or(thin, |off| off < CLOSE_WITH_INERTIA) && energy.is_at_rest(settle)
                }
            }
    }
}

impl Study for SettleStudy {
    /// The two spheres, pressed together by the weight from the beginning.
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let settle = &self.table;
        // With inertia the sphere is let go, and its weight comes to rest on the film later.
        let pressed = if self.inertia.is_some() { 0.0 } else { WEIGHT / settle.law().stiffness };
        let apart = settle.gap - pressed;
        let positions = vec![Vector3::zeros(), Vector3::new(0.0, 2.0 + apart, 0.0)];
        let mut state = Suspension::new(vec![1.0; 2], positions, Cell::Open);
        let values = vec![settle.gap.ln(), 0.0, 0.0, 0.0, 1.0];
        state.memory =
            PairMemory { ids: vec![PairIds::particles(0, 1)], stride: values.len(), values };
        Ok(state)
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let settle = &self.table;
        let down = |y: f64| Wrench { linear: Vector3::new(0.0, y, 0.0), ..Wrench::default() };
        let drive = Drive { external: vec![down(WEIGHT), down(-WEIGHT)], ..Drive::default() };
        let longest = self.longest().min(LONGEST_STEP.max(LONGEST_OF_A_FALL * self.stokes()));
        let pair = Spheres::new(Interactions::of(settle.law()), longest);
        Spheres { inertia: self.inertia, ..pair }.stepper(case, state, drive)
    }

    /// When the study ends, if nothing else ends it before.
    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: self.longest() }
    }

    fn columns(&self) -> Option<Vec<Description>> {
        Some(describe(COLUMNS))
    }

    fn after_step(&mut self, moved: &Moved<'_>) -> (Option<Vec<f64>>, bool) {
        let Some(sample) = FallSample::new(moved) else {
            return (Some(vec![f64::NAN; COLUMNS.len()]), false);
        };
        self.progress.add(&sample, &self.table);
        (Some(values(COLUMNS, &sample)), self.is_over(&sample))
    }

    fn keys(&self) -> Vec<Description> {
        SettleSummary::keys()
    }

    fn kept(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.progress)
    }

    fn likely_end(&self, at: f64) -> Option<f64> {
        Some(self.expected_end(at))
    }

    fn heading(&self, _case: &Case) -> String {
        format!("ε = {}, K = {}", self.table.roughness, self.table.contact_number)
    }

    fn meaning(&self, _case: &Case) -> Result<Vec<String>, Error> {
        Ok(few::meaning(results::meaning(self), self.inertia))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(self, run);
        Ok(Report::new(&results, results.lines(), &results.run.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        figure::draw(self, directory)
    }

    fn conclude_sweep(&self, sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        sweep_figure::draw(sweep).map(SweepReport::of_figures)
    }

    fn quantities(&self, _case: &Case, _paths: bool) -> Vec<Quantity> {
        results::quantities(&self.table)
    }
}
