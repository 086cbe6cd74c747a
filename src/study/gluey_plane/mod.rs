//! A gluey particle that is pushed to a plane and pulled off it (\[L09\] section 2).
//!
//! In units of the radius a, the viscosity μ and the mass m: a force of −2 until t = 2, then +2.
//! With inertia there is no drag, as in the paper: the particle hits at \\(\sqrt{q_0}\\) and, if
//! its surface is smooth, is free when all momentum has been given back, at t = 4. Without inertia
//! the velocity is that against Stokes drag: it hits at \\(t_h = 3\pi q_0\\) and is free at \\(4 -
//! t_h\\), or at \\(2 + |\gamma_{min}|/2\\) if γ has reached its least before.

mod results;

use std::path::Path;

use nalgebra::Vector3;

use super::suspension::Scales;
use super::{Finished, Kept, MakeStudy, Report, Step, Study, gluey};
use crate::balance::Medium;
use crate::case::{Case, Check, Given, Gluey, StudyKind, Time};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Setup, Stepper};
use crate::laws::Interactions;
use crate::obstacle::{Obstacle, Obstacles, Shape};
use crate::record::column::{Column, Description, describe, values};
use crate::record::keys::Described;
use crate::solve::Solver;
use crate::state::{Suspension, Wrench};
pub use results::{GlueyPlaneProgress, GlueyPlaneSummary};

/// The study; `[gluey]` is a table that suspensions have too.
pub const KIND: StudyKind = StudyKind {
    name: "gluey-plane",
    table: "gluey",
    says_all: true,
    about: "a gluey particle that is pushed to a plane and pulled off it",
    decode: None,
    schema: None,
    check,
    fill_in,
    behaviour: &(make as MakeStudy),
};

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(GlueyPlaneStudy::new(case))
}

/// What keeps a case from being run.
fn check(check: &mut Check<'_>) {
    let gluey = check.case.laws.gluey.clone().unwrap_or_default();
    check.glue(&gluey);
    check.nothing_else();
    check.steps();
    check.no_accuracy();
    check.inertia();
}

fn fill_in(case: &mut Case, given: Given<'_>) {
    case.laws.gluey.get_or_insert_default().gap.get_or_insert(Gluey::GAP);
    case.fill_in_few(Time::FEW_PARTICLES, given);
}

/// The force, until it turns round and after that.
const FORCE: f64 = -2.0;

/// When the force turns round.
const TURN: f64 = 2.0;

/// When the study ends.
const END: f64 = 5.0;

/// Steps unless given.
const DEFAULT_STEP: f64 = 0.01;

/// Gaps that count as closed `[a]`.
const CLOSED_GAP: f64 = 1e-9;

/// The particle after a step.
#[derive(Clone, Debug)]
pub struct PlaneSample {
    seen: Observation,
    gap: f64,
    velocity: f64,
    gamma: f64,
    force: f64,
}

impl PlaneSample {
    /// The particle after the stepper's last step.
    fn new(stepper: &Stepper, state: &Suspension, seen: &Observation) -> Self {
        let touch = stepper.candidates().first();
        let (gamma, force) = match state.memory.values[..] {
            [gamma, force] => (gamma, force),
            _ => (0.0, 0.0),
        };
        let gap = touch.map_or(state.positions[0].y - 1.0, |touch| touch.end.gap);
        let velocity = state.velocities[0].linear.y;
        PlaneSample { seen: *seen, gap, velocity, gamma, force }
    }
}

/// Columns of the time series.
pub const COLUMNS: &[Column<PlaneSample>] = &[
    Column::new("time", "t", "time", |p| p.seen.time),
    Column::new("steps", "1", "steps since the start", |p| p.seen.steps as f64),
    Column::new("step", "t", "duration of the last step", |p| p.seen.step),
    Column::new("gap", "a", "gap to the plane", |p| p.gap),
    Column::new("velocity", "a/t", "velocity away from the plane", |p| p.velocity),
    Column::new("gamma", "Ft/a²", "potential γ, negative while glued", |p| p.gamma),
    Column::new("force", "F", "force of the plane", |p| p.force),
    Column::new("glued", "1", "1 while it is glued", |p| p.seen.constrained.glued as f64),
    Column::new("constraint_violation", "a", "overlap with the plane", |p| {
        p.seen.constrained.violation
    }),
    Column::new("dual_residual", "1", "imbalance of forces with that of the contact", |p| {
        p.seen.constrained.dual
    }),
    Column::new("complementarity", "a", "product of gap and force, over the largest force", |p| {
        p.seen.constrained.complementarity
    }),
];

/// A gluey particle above a plane, and what it has done there.
#[derive(Clone, Debug)]
pub struct GlueyPlaneStudy {
    table: Gluey,
    progress: GlueyPlaneProgress,
}

impl GlueyPlaneStudy {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        let table = case.laws.gluey.clone().unwrap_or_default();
        GlueyPlaneStudy { table, progress: GlueyPlaneProgress::default() }
    }
}

impl Study for GlueyPlaneStudy {
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let height = 1.0 + results::gap(&self.table);
        Ok(Suspension::new(vec![1.0], vec![Vector3::new(0.0, height, 0.0)], Cell::Open))
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let push = Wrench { linear: Vector3::new(0.0, FORCE, 0.0), ..Wrench::default() };
        let drive = Drive { external: vec![push], reversal: Some(TURN), ..Drive::default() };
        let drag = !self.table.inertia;
        let medium = Medium { viscosity: 1.0, drag, rotation: false, field: None };
        let solver = Solver::new(case.solver.method, case.solver.max_iterations);
        let scales = Scales { radius: 1.0, viscosity: 1.0, rate: 1.0 };
        let settings = gluey::settings(case, &scales);
        let mut setup = Setup::new(Interactions::default(), drive, medium, settings, solver);
        let plane = Shape::Plane { point: Vector3::zeros(), normal: Vector3::y() };
        setup.obstacles = Obstacles::new(vec![Obstacle::fixed("plane", plane)]);
        setup.gluey = gluey::law(case);
        if let Some(law) = &mut setup.gluey {
            law.step.get_or_insert(DEFAULT_STEP);
        }
        Stepper::new(state, setup)
    }

    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: END }
    }

    fn columns(&self) -> Option<Vec<Description>> {
        Some(describe(COLUMNS))
    }

    fn step(
        &mut self,
        stepper: &mut Stepper,
        state: &mut Suspension,
        end: End,
    ) -> Result<Step, Error> {
        let before = state.clone();
        let seen = stepper.step(state, end)?;
        let sample = PlaneSample::new(stepper, state, &seen);
        self.progress.add(&self.table, &before, &sample);
        Ok(Step { seen, row: Some(values(COLUMNS, &sample)), over: false })
    }

    fn keys(&self) -> Vec<Description> {
        GlueyPlaneSummary::keys()
    }

    fn kept(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.progress)
    }

    fn likely_end(&self, _at: f64) -> Option<f64> {
        Some(END)
    }

    fn heading(&self, _case: &Case) -> String {
        "gluey".to_owned()
    }

    fn meaning(&self, _case: &Case) -> Result<Vec<String>, Error> {
        Ok(results::meaning(&self.table))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(&self.table, &self.progress, run);
        Ok(Report::new(&results, results.lines(), &results.run.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        results::draw(directory)
    }
}
