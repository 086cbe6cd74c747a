//! A T1 rearrangement of four soft spheres (\[RG09\] section IV): from the case to particles, laws
//! and stepper, and what is watched in every step.
//!
//! B and C touch on the horizontal axis, A and D lie above and below. The forces N_x on B and C and
//! N_y on A and D press inwards when positive. In units of the radius R, the viscosity η and
//! \\(\tau = 6\pi\sqrt3\,\eta R^2/|N_y|\\); \\(\kappa = |N_y|/\sqrt3ER^2\\).
//!
//! The loaded group is a column that falls over: any asymmetry grows, rounding included. Unless
//! asked not to, the study keeps its two mirror planes by averaging the state over them after every
//! step.

use std::f64::consts::PI;
use std::path::Path;

mod group;
mod meaning;
mod motion;
pub mod results;
mod sweep_figure;
mod table;

use nalgebra::Vector3;

use super::few::{self, Load, Spheres};
use super::quantity::Quantity;
use super::sweep::{FinishedSweep, SweepReport};
use super::theory::Theory;
use super::{Finished, Kept, MakeStudy, Report, Step, Study};
use crate::case::{Case, StudyKind};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Stepper};
use crate::record::column::{Description, describe};
use crate::record::keys::Described;
use crate::state::{Suspension, Wrench};
pub use group::{COLUMNS, Group, GroupSample, T1Progress};
pub use motion::step;
pub use table::T1;

/// The study of `[t1]`.
pub const KIND: StudyKind = StudyKind::of::<T1>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(T1Study::new(case))
}

/// The particles, in their order.
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;
const D: u32 = 3;

/// How many times the theory's duration a group is watched.
const GIVEN_UP_AFTER: f64 = 10.0;

/// Force unit: N_y/√3 when \\(\tau = R = \eta = 1\\).
const FORCE: f64 = 6.0 * PI;

impl T1 {
    /// Young's modulus in units of this study `[ηR/τ]`.
    pub fn modulus(&self) -> f64 {
        FORCE / self.kappa
    }

    /// N_x and N_y, positive inwards.
    pub fn forces(&self) -> [f64; 2] {
        let sign = if self.load == Load::Press { 1.0 } else { -1.0 };
        let vertical = sign * 3f64.sqrt() * FORCE;
        [self.force_x_ratio * vertical, vertical]
    }

    /// The force in the vertical pair, over |N_y|, at which the rearrangement is complete: its
    /// share of N_y, or, where N_x wedges B and C between A and D, of what is left for it at θ =
    /// 30°, \\(N_y - N_x/\sqrt3\\).
    pub fn completion_force(&self) -> f64 {
        self.completion * (1.0 - self.force_x_ratio.max(0.0) / 3f64.sqrt())
    }

    /// The regime of figure 3, I to VI.
    pub fn regime(&self) -> &'static str {
        let [x, y] = self.forces();
        match (y > 3f64.sqrt() * x, x >= 0.0, y >= 0.0) {
            (false, true, true) => "I",
            (true, true, _) => "II",
            (true, false, true) => "III",
            (true, false, false) => "IV",
            (false, false, _) => "V",
            (false, true, false) => "VI",
        }
    }

    /// Whether the theory expects a rearrangement: \\(N_y > \sqrt3N_x\\).
    pub fn is_expected(&self) -> bool {
        matches!(self.regime(), "II" | "III" | "IV")
    }

    /// The theory for the horizontal pair at the start, and the force in it over N_y/√3 (eq. 26).
    fn horizontal(&self) -> (Theory, f64) {
        let share = (3f64.sqrt() * self.force_x_ratio - 1.0).abs().max(0.05);
        (Theory::new(self.kappa * share, self.c_n), share)
    }

    /// What the theory says of the duration (eqs. 32 and 33) `[τ]`.
    pub fn expected_duration(&self) -> f64 {
        let (theory, share) = self.horizontal();
        theory.separation_time(self.gap) / share
    }

    /// A guess of when the study ends: after the horizontal pair has separated the vertical one has
    /// to meet `[τ]`.
    pub fn likely_end(&self) -> f64 {
        let guess =
            if self.is_expected() { 1.3 * self.expected_duration() + 4.0 } else { self.longest() };
        guess.min(self.longest())
    }

    /// When a group that has not rearranged is given up `[τ]`.
    pub fn longest(&self) -> f64 {
        let chosen = GIVEN_UP_AFTER * (self.expected_duration() + self.ramp + 5.0);
        self.max_time.unwrap_or(chosen)
    }
}

/// Four soft spheres under load, and what has happened to them.
#[derive(Clone, Debug)]
pub struct T1Study {
    table: T1,
    /// What has happened so far.
    pub progress: T1Progress,
}

impl T1Study {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        T1Study { table: case.study_table(), progress: T1Progress::default() }
    }
}

impl Study for T1Study {
    /// The four spheres at rest.
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let half = 1.0 + 0.5 * self.table.gap;
        let tall = 3f64.sqrt() * half;
        let positions = vec![
            Vector3::new(0.0, tall, 0.0),
            Vector3::new(-half, 0.0, 0.0),
            Vector3::new(half, 0.0, 0.0),
            Vector3::new(0.0, -tall, 0.0),
        ];
        Ok(Suspension::new(vec![1.0; 4], positions, Cell::Open))
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let t1 = &self.table;
        let [x, y] = t1.forces();
        let along =
            |x: f64, y: f64| Wrench { linear: Vector3::new(x, y, 0.0), ..Wrench::default() };
        let external = vec![along(0.0, -y), along(x, 0.0), along(-x, 0.0), along(0.0, y)];
        let drive = Drive { external, ramp: t1.ramp, ..Drive::default() };
        let films = Spheres::soft(t1.modulus(), [t1.c_n, t1.c_t], t1.longest());
        let spheres = Spheres { drag: t1.drag, inertia: few::inertia(case), ..films };
        spheres.stepper(case, state, drive)
    }

    /// When the study ends, if nothing happens before.
    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: self.table.longest() }
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
        let (seen, group) = step(stepper, state, end, &self.table, &mut self.progress)?;
        let over = self.progress.is_over(&self.table);
        Ok(Step { seen, row: Some(group.row(&seen)), over })
    }

    fn keys(&self) -> Vec<Description> {
        results::T1Summary::keys()
    }

    fn kept(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.progress)
    }

    fn likely_end(&self, _at: f64) -> Option<f64> {
        Some(self.table.likely_end())
    }

    fn heading(&self, _case: &Case) -> String {
        format!("κ = {}, h₀ = {} R", self.table.kappa, self.table.gap)
    }

    fn meaning(&self, case: &Case) -> Result<Vec<String>, Error> {
        Ok(few::meaning(meaning::lines(&self.table), few::inertia(case)))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(&self.table, &self.progress, run);
        Ok(Report::new(&results, results.lines(), &results.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        results::draw(directory)
    }

    fn conclude_sweep(&self, sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        sweep_figure::draw(sweep, &self.table).map(SweepReport::of_figures)
    }

    fn quantities(&self, _case: &Case, _paths: bool) -> Vec<Quantity> {
        results::QUANTITIES.to_vec()
    }
}
