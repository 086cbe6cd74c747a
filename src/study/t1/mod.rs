//! A T1 rearrangement of four soft spheres (\[RG09\] section IV): from the case to particles, laws
//! and stepper, and what is watched in every step.
//!
//! B and C touch on the horizontal axis, A and D lie above and below. The forces N_x on B and C and
//! N_y on A and D press inwards when positive. In units of the radius R, the viscosity η and
//! \\(\tau = 6\pi\sqrt3\,\eta R^2/|N_y|\\); \\(\kappa = |N_y|/\sqrt3ER^2\\).
//!
//! The loaded group is a column that falls over: any asymmetry grows, rounding included. Unless asked
//! not to, the study keeps its two mirror planes by averaging the state over them after every step.

use std::f64::consts::PI;

mod group;
mod motion;
pub mod results;

use nalgebra::Vector3;

use super::few::{FILM_RESIDUAL, Spheres, inertia, soft};
use super::theory::Theory;
use crate::case::{Case, Load, T1};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::integrate::{End, Stepper};
use crate::state::{Suspension, Wrench};
pub use group::{COLUMNS, Group, Story};
pub use motion::step;

/// The particles, in their order.
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;
const D: u32 = 3;

/// How many times the theory's duration a group is watched.
const PATIENCE: f64 = 10.0;

/// Force unit: N_y/√3 when \\(\tau = R = \eta = 1\\).
const FORCE: f64 = 6.0 * PI;

/// The table of the case.
pub fn table(case: &Case) -> T1 {
    case.t1.clone().unwrap_or_default()
}

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

    /// The force in the vertical pair, over |N_y|, at which the rearrangement is complete: its share
    /// of N_y, or, where N_x wedges B and C between A and D, of what is left for it at
    /// θ = 30°, \\(N_y - N_x/\sqrt3\\).
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
        let chosen = PATIENCE * (self.expected_duration() + self.ramp + 5.0);
        self.max_time.unwrap_or(chosen)
    }
}

/// The four spheres at rest.
pub fn initial(case: &Case) -> Suspension {
    let t1 = table(case);
    let half = 1.0 + 0.5 * t1.gap;
    let tall = 3f64.sqrt() * half;
    let positions = vec![
        Vector3::new(0.0, tall, 0.0),
        Vector3::new(-half, 0.0, 0.0),
        Vector3::new(half, 0.0, 0.0),
        Vector3::new(0.0, -tall, 0.0),
    ];
    Suspension::new(vec![1.0; 4], positions, Cell::Open)
}

/// The stepper of the study.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let t1 = table(case);
    let [x, y] = t1.forces();
    let along = |x: f64, y: f64| Wrench { linear: Vector3::new(x, y, 0.0), ..Wrench::default() };
    let external = vec![along(0.0, -y), along(x, 0.0), along(-x, 0.0), along(0.0, y)];
    let drive = Drive { external, ramp: t1.ramp, ..Drive::default() };
    let spheres = Spheres {
        interactions: soft(t1.modulus(), [t1.c_n, t1.c_t]),
        field: None,
        drag: t1.drag,
        rotation: false,
        longest: t1.longest(),
        max_strain: 0.0,
        residual: FILM_RESIDUAL,
        inertia: inertia(case),
    };
    spheres.stepper(case, state, drive)
}

/// When the study ends, if nothing happens before.
pub fn end(case: &Case) -> End {
    End { strain: f64::INFINITY, time: table(case).longest() }
}
