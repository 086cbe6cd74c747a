//! Two soft spheres pressed together or pulled apart (\[RG09\] section IV A): normal motion through
//! the Poiseuille and the Hertz regime, and Stokes drag at large gaps.
//!
//! In units of the radius R, the viscosity η and \\(\tau = 6\pi\eta R^2/F\\); \\(\kappa =
//! F/ER^2\\).

mod figures;
mod results;
mod table;

use std::f64::consts::PI;
use std::path::Path;

use super::few::{self, Load, Spheres};
use super::quantity::Quantity;
use super::theory::Theory;
use super::{Finished, MakeStudy, Moved, Report, Study};
use crate::case::{Case, StudyKind};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::laws::soft::Film;
use crate::record::column::{Column, Description, describe, values};
use crate::record::keys::Described;
use crate::state::{Suspension, Wrench};
use nalgebra::Vector3;
pub use table::SoftPair;

/// The study of `[soft_pair]`.
pub const KIND: StudyKind = StudyKind::of::<SoftPair>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(SoftPairStudy::new(case))
}

/// The force when \\(\tau = R = \eta = 1\\).
const FORCE: f64 = 6.0 * PI;

/// How many times the theory's time a pair is watched.
const GIVEN_UP_AFTER: f64 = 10.0;

/// The pair after a step.
#[derive(Clone, Debug)]
pub struct PairSample {
    seen: Observation,
    film: Film,
    centre_gap: f64,
    centre_rate: f64,
    theory: Theory,
    /// 1 when pulled, −1 when pressed.
    sign: f64,
}

impl PairSample {
    /// The pair after the stepper's last step.
    fn new(moved: &Moved<'_>, pair: &SoftPair) -> Option<Self> {
        let Moved { stepper, state, seen } = *moved;
        let film = stepper.films().next()?.film;
        let relative = state.velocities[1].linear - state.velocities[0].linear;
        Some(PairSample {
            seen: *seen,
            film,
            centre_gap: (state.positions[1] - state.positions[0]).norm() - 2.0,
            centre_rate: relative.dot(&film.normal),
            theory: pair.theory(),
            sign: pair.sign(),
        })
    }

    fn along(&self, vector: &Vector3<f64>) -> f64 {
        vector.dot(&self.film.normal)
    }
}

/// Columns of the time series.
pub const COLUMNS: &[Column<PairSample>] = &[
    Column::new("time", "τ", "time", |p| p.seen.time),
    Column::new("steps", "1", "steps since the start", |p| p.seen.steps as f64),
    Column::new("step", "τ", "duration of the last step", |p| p.seen.step),
    Column::new("gap", "R", "thickness of the film", |p| p.film.gap),
    Column::new("centre_gap", "R", "gap of undeflected spheres", |p| p.centre_gap),
    Column::new("rate", "R/τ", "rate of change of the film", |p| p.along(&p.film.velocity)),
    Column::new("centre_rate", "R/τ", "rate of change of the distance of the centres", |p| {
        p.centre_rate
    }),
    Column::new("force", "F", "elastic force, positive in tension", |p| {
        p.along(&p.film.force) / FORCE
    }),
    Column::new("ratio", "1", "deflection over film |δⁿ|/h", |p| p.film.deflection_ratio()),
    Column::new(
        "rate_poiseuille",
        "R/τ",
        "rate of the film in Poiseuille's regime, by theory",
        |p| p.sign * p.theory.poiseuille(p.film.gap),
    ),
    Column::new("rate_hertz", "R/τ", "rate of the film in Hertz's regime, by theory", |p| {
        p.sign * p.theory.hertz(p.film.gap)
    }),
    Column::new(
        "rate_with_drag",
        "R/τ",
        "rate of the film in Poiseuille's regime with drag, by theory",
        |p| p.sign * p.theory.with_drag(p.film.gap),
    ),
    Column::new("force_residual", "1", "imbalance of forces", |p| p.seen.effort.force_residual),
    Column::new("solves", "1", "linear systems solved", |p| p.seen.effort.solves as f64),
];

impl SoftPair {
    fn theory(&self) -> Theory {
        Theory::new(self.kappa, self.c_n)
    }

    /// 1 when pulled, −1 when pressed.
    fn sign(&self) -> f64 {
        if self.load == Load::Pull { 1.0 } else { -1.0 }
    }

    /// Thickness at which the two regimes meet `[R]`.
    pub fn crossover(&self) -> f64 {
        self.theory().crossover()
    }

    /// The time that the theory gives to the run `[τ]`.
    pub fn expected_time(&self) -> f64 {
        let (low, high) = (self.gap.min(self.end_gap()), self.gap.max(self.end_gap()));
        let slowed = if self.drag { high } else { 0.0 };
        self.theory().approach_time(high, low) + self.ramp + slowed
    }

    /// Whether a film of this thickness has reached its end.
    fn is_over(&self, gap: f64) -> bool {
        if self.end_gap() > self.gap { gap >= self.end_gap() } else { gap <= self.end_gap() }
    }

    /// When the run ends if the film has not reached its end before `[τ]`.
    pub fn longest(&self) -> f64 {
        self.max_time.unwrap_or(GIVEN_UP_AFTER * self.expected_time())
    }
}

/// Two soft spheres under load.
#[derive(Clone, Debug)]
pub struct SoftPairStudy {
    table: SoftPair,
}

impl SoftPairStudy {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        SoftPairStudy { table: case.study_table() }
    }
}

impl Study for SoftPairStudy {
    /// The two spheres at rest.
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let half = 1.0 + 0.5 * self.table.gap;
        let positions = vec![Vector3::new(-half, 0.0, 0.0), Vector3::new(half, 0.0, 0.0)];
        Ok(Suspension::new(vec![1.0; 2], positions, Cell::Open))
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let pair = &self.table;
        let pull = pair.sign() * FORCE;
        let along = |x: f64| Wrench { linear: Vector3::new(x, 0.0, 0.0), ..Wrench::default() };
        let external = vec![along(-pull), along(pull)];
        let drive = Drive { external, ramp: pair.ramp, ..Drive::default() };
        let film = Spheres::soft(FORCE / pair.kappa, [pair.c_n, pair.c_n], pair.longest());
        let spheres = Spheres { drag: pair.drag, inertia: few::inertia(case), ..film };
        spheres.stepper(case, state, drive)
    }

    /// When the study ends, if the film does not reach its end before.
    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: self.table.longest() }
    }

    fn columns(&self) -> Option<Vec<Description>> {
        Some(describe(COLUMNS))
    }

    fn after_step(&mut self, moved: &Moved<'_>) -> (Option<Vec<f64>>, bool) {
        let Some(sample) = PairSample::new(moved, &self.table) else {
            return (Some(vec![f64::NAN; COLUMNS.len()]), false);
        };
        (Some(values(COLUMNS, &sample)), self.table.is_over(sample.film.gap))
    }

    fn keys(&self) -> Vec<Description> {
        results::SoftPairSummary::keys()
    }

    fn likely_end(&self, _at: f64) -> Option<f64> {
        Some(self.table.expected_time())
    }

    fn heading(&self, _case: &Case) -> String {
        format!("κ = {}, h₀ = {} R", self.table.kappa, self.table.gap)
    }

    fn meaning(&self, case: &Case) -> Result<Vec<String>, Error> {
        Ok(few::meaning(results::meaning(&self.table), few::inertia(case)))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(&self.table, run)?;
        Ok(Report::new(&results, results.lines(), &results.run.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        figures::draw(&self.table, directory)
    }

    fn quantities(&self, _case: &Case, _paths: bool) -> Vec<Quantity> {
        results::quantities(&self.table)
    }
}
