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

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::theory::Theory;
use crate::balance::Medium;
use crate::case::{Case, Load, T1};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::control::Aim;
use crate::integrate::stage::Convergence;
use crate::integrate::{End, Observation, StepSettings, Stepper};
use crate::laws::Interactions;
use crate::laws::soft::{Film, Soft};
use crate::solve::Solver;
use crate::state::{Suspension, Wrench};

/// The particles, in their order.
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;
const D: u32 = 3;

/// A sphere has left the group when all films around it are thicker `[R]`.
const LEFT: f64 = 1.0;

/// How many times the theory's duration a group is watched.
const PATIENCE: f64 = 10.0;

/// Force unit: N_y/√3 when \\(\tau = R = \eta = 1\\).
const FORCE: f64 = 6.0 * PI;

/// Columns of the time series.
pub const COLUMNS: &[&str] = &[
    "time",
    "steps",
    "step",
    "angle_deg",
    "gap_horizontal",
    "gap_vertical",
    "gap_diagonal",
    "normal_horizontal",
    "normal_vertical",
    "normal_diagonal",
    "shear_diagonal",
    "ratio_horizontal",
    "ratio_vertical",
    "ratio_diagonal",
    "force_residual",
    "solves",
];

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
    let soft = Soft {
        viscosity: 1.0,
        modulus: t1.modulus(),
        elastic_factors: [t1.c_n, t1.c_t],
        range: f64::INFINITY,
        rolling: false,
        repulsion: None,
        attraction: None,
    };
    let interactions = Interactions { soft: Some(soft), ..Interactions::default() };
    let medium = Medium { viscosity: 1.0, drag: t1.drag, rotation: false };
    let settings = settings(case, t1.longest());
    Stepper::new(state, interactions, drive, medium, settings, solver(case))
}

/// How the steps of a few soft particles are chosen, in a run of a given duration.
pub(super) fn settings(case: &Case, longest: f64) -> StepSettings {
    StepSettings {
        tolerance: case.time.tolerance,
        aim: Aim::Trajectory,
        first_step: case.time.first_step.unwrap_or(1e-3),
        max_step: case.time.max_step.unwrap_or(longest),
        min_step: SHORTEST,
        max_strain: 0.0,
        max_overlap: f64::INFINITY,
        max_stiffness: 0.0,
        adapt_stiffness: false,
        convergence: Convergence {
            law_residual: case.time.friction_residual.unwrap_or(FILM_RESIDUAL),
            linear_residual: 1e-3 * case.solver.tolerance,
            most: 20,
        },
    }
}

/// Steps that would have to be shorter are given up `[τ]`.
const SHORTEST: f64 = 1e-12;

/// Imbalance of forces, over all forces, at which a stage with few films ends.
const FILM_RESIDUAL: f64 = 1e-8;

pub(super) fn solver(case: &Case) -> Solver {
    Solver::new(case.solver.method, case.solver.max_iterations)
}

/// When the study ends, if nothing happens before.
pub fn end(case: &Case) -> End {
    End { strain: f64::INFINITY, time: table(case).longest() }
}

/// The group at one instant. Forces are in units of |N_y|, positive in compression; the three kinds
/// of pair in the order horizontal, vertical, diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Group {
    /// θ, between the lines AB and BC of centres `[rad]`.
    pub angle: f64,
    /// Thickness of the films `[R]`.
    pub gaps: [f64; 3],
    /// Normal forces.
    pub normal: [f64; 3],
    /// Tangential force of the diagonal pairs.
    pub shear: f64,
    /// \\(|\delta^n|/h\\).
    pub ratios: [f64; 3],
    /// Largest deflection `[R]`.
    pub deflection: f64,
    /// Whether a sphere has left all others.
    pub apart: bool,
}

impl Group {
    /// The group after the stepper's last step.
    pub fn observe(stepper: &Stepper, state: &Suspension, t1: &T1) -> Self {
        let force = t1.forces()[1].abs();
        let mut group = Group::default();
        let mut nearest = [f64::INFINITY; 4];
        for seen in stepper.films() {
            let (kind, share) = match seen.ids {
                [B, C] => (0, 1.0),
                [A, D] => (1, 1.0),
                _ => (2, 0.25),
            };
            let film: &Film = &seen.film;
            let pull = film.force.dot(&film.normal);
            group.gaps[kind] += share * film.gap;
            group.normal[kind] -= share * pull / force;
            group.ratios[kind] += share * film.deflection_ratio();
            group.deflection = group.deflection.max(film.normal_deflection.abs());
            if kind == 2 {
                group.shear += share * (film.force - pull * film.normal).norm() / force;
            }
            for id in seen.ids {
                let nearest = &mut nearest[id as usize];
                *nearest = nearest.min(film.gap);
            }
        }
        group.apart = nearest.iter().any(|gap| *gap > LEFT.max(2.0 * t1.gap));
        let x = |id: u32| state.positions[id as usize];
        let (tall, wide) = ((x(A) - x(D)).norm(), (x(C) - x(B)).norm());
        group.angle = tall.atan2(wide);
        group
    }

    /// A row of the time series.
    pub fn row(&self, seen: &Observation) -> Vec<f64> {
        let mut row = vec![seen.time, seen.steps as f64, seen.step, self.angle.to_degrees()];
        row.extend(self.gaps);
        row.extend(self.normal);
        row.push(self.shear);
        row.extend(self.ratios);
        row.extend([seen.effort.force_residual, seen.effort.solves as f64]);
        row
    }
}

/// What has happened to the group so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// Whether A and D have come closer than B and C.
    pub swapped: bool,
    /// When the vertical pair carried its share of the force `[τ]`.
    pub completed: Option<f64>,
    /// When a sphere had left the group `[τ]`.
    pub separated: Option<f64>,
    /// Whether the horizontal pair was ever deflected by more than its film is thick.
    pub hertz: bool,
    /// Largest deflection met `[R]`.
    pub deflection: f64,
    /// θ at completion, or when last looked at `[°]`.
    pub angle_deg: f64,
    /// When last looked at `[τ]`.
    pub time: f64,
    /// Force in the vertical pair, over N_y, when last looked at.
    pub vertical: f64,
}

impl Story {
    /// Whether neighbours were swapped.
    pub fn occurred(&self) -> bool {
        self.swapped || self.completed.is_some()
    }

    /// Whether nothing more is asked. Where B and C are pulled the group is watched until it parts.
    pub fn is_over(&self, t1: &T1) -> bool {
        let pulled = t1.forces()[0] < 0.0;
        self.separated.is_some() || (self.completed.is_some() && !pulled)
    }

    fn add(&mut self, group: &Group, time: f64) {
        self.swapped |= group.gaps[1] < group.gaps[0];
        self.hertz |= group.ratios[0] > 1.0;
        self.deflection = self.deflection.max(group.deflection);
        // Once complete, the end is the completion's.
        if self.completed.is_none_or(|completed| completed == time) {
            self.angle_deg = group.angle.to_degrees();
        }
        self.vertical = group.normal[1];
        self.time = time;
        if group.apart {
            self.separated.get_or_insert(time);
        }
    }
}

/// Advances the group by one step, which ends where the rearrangement completes.
pub fn step(
    stepper: &mut Stepper,
    state: &mut Suspension,
    end: End,
    t1: &T1,
    story: &mut Story,
) -> Result<(Observation, Group), Error> {
    let before = state.clone();
    let (mut seen, mut group) = advance(stepper, state, end, t1)?;
    let enough = t1.completion_force();
    let reaches =
        |group: &Group| t1.load == Load::Press && t1.is_expected() && group.normal[1] >= enough;
    if story.completed.is_none() && reaches(&group) {
        let wanted = Completion { t1, from: [before.clock.time, story.vertical] };
        (seen, group) = wanted.locate(stepper, &before, state, (seen, group))?;
        story.completed = Some(seen.time);
    }
    story.add(&group, seen.time);
    Ok((seen, group))
}

fn advance(
    stepper: &mut Stepper,
    state: &mut Suspension,
    end: End,
    t1: &T1,
) -> Result<(Observation, Group), Error> {
    let seen = stepper.step(state, end)?;
    if t1.symmetric {
        symmetrise(state);
    }
    Ok((seen, Group::observe(stepper, state, t1)))
}

/// The end of a rearrangement, looked for inside a step.
struct Completion<'a> {
    t1: &'a T1,
    /// Time and vertical force at the beginning of the step.
    from: [f64; 2],
}

impl Completion<'_> {
    /// Repeats the step from its beginning with other durations, by regula falsi (Illinois).
    fn locate(
        &self,
        stepper: &mut Stepper,
        before: &Suspension,
        state: &mut Suspension,
        mut found: (Observation, Group),
    ) -> Result<(Observation, Group), Error> {
        const MOST: usize = 40;
        const CLOSE: f64 = 1e-9;
        let enough = self.t1.completion_force();
        let short = |vertical: f64| vertical - enough;
        let mut low = [self.from[0], short(self.from[1])];
        let mut high = [found.0.time, short(found.1.normal[1])];
        let mut solves = found.0.effort.solves;
        for _ in 0..MOST {
            if high[1].abs() <= CLOSE || high[0] - low[0] <= 1e-12 * high[0] {
                break;
            }
            let time = low[0] + (high[0] - low[0]) * low[1] / (low[1] - high[1]);
            *state = before.clone();
            let end = End { strain: f64::INFINITY, time };
            let mut trial = advance(stepper, state, end, self.t1)?;
            while state.clock.time < time * (1.0 - 1e-12) {
                trial = advance(stepper, state, end, self.t1)?;
            }
            solves += trial.0.effort.solves;
            let left = short(trial.1.normal[1]);
            found = trial;
            if left.abs() <= CLOSE {
                break;
            }
            if left > 0.0 {
                high = [time, left];
                low[1] *= 0.5;
            } else {
                low = [time, left];
                high[1] *= 0.5;
            }
        }
        found.0.effort.solves = solves;
        Ok(found)
    }
}

/// Averages the group over its two mirror planes.
fn symmetrise(state: &mut Suspension) {
    let x = &mut state.positions;
    let half = 0.5 * (x[C as usize].x - x[B as usize].x);
    let tall = 0.5 * (x[A as usize].y - x[D as usize].y);
    x[A as usize] = Vector3::new(0.0, tall, 0.0);
    x[B as usize] = Vector3::new(-half, 0.0, 0.0);
    x[C as usize] = Vector3::new(half, 0.0, 0.0);
    x[D as usize] = Vector3::new(0.0, -tall, 0.0);
    let stride = state.memory.stride;
    let (mut gap, mut across, mut down) = (0.0, 0.0, 0.0);
    for (ids, memory) in state.memory.ids.iter().zip(state.memory.values.chunks_exact(stride)) {
        if !matches!(*ids, [B, C] | [A, D]) {
            gap += 0.25 * memory[0];
            across += 0.25 * memory[1].abs();
            down += 0.25 * memory[2];
        }
    }
    let length = f64::hypot(across, down);
    for (ids, memory) in state.memory.ids.iter().zip(state.memory.values.chunks_exact_mut(stride)) {
        let (log_gap, [x, y]) = match *ids {
            [B, C] => (memory[0], [1.0, 0.0]),
            [A, D] => (memory[0], [0.0, -1.0]),
            [A, B] | [C, D] => (gap, [-across / length, down / length]),
            _ => (gap, [across / length, down / length]),
        };
        memory.copy_from_slice(&[log_gap, x, y, 0.0]);
    }
    for motions in [&mut state.motions, &mut state.earlier_motions] {
        if let [a, b, c, d] = &mut motions[..] {
            let wide = 0.5 * (c.linear.x - b.linear.x);
            let tall = 0.5 * (a.linear.y - d.linear.y);
            a.linear = Vector3::new(0.0, tall, 0.0);
            b.linear = Vector3::new(-wide, 0.0, 0.0);
            c.linear = Vector3::new(wide, 0.0, 0.0);
            d.linear = Vector3::new(0.0, -tall, 0.0);
        }
    }
}
