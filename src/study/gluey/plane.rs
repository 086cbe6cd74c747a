//! A gluey particle that is pushed to a plane and pulled off it (\[L09\] section 2).
//!
//! In units of the radius a, the viscosity μ and the mass m: a force of −2 until t = 2, then +2. With inertia there is no drag, as in
//! the paper: the particle hits at \\(\sqrt{q_0}\\) and, if its surface is smooth, is free when all momentum has been given
//! back, at t = 4. Without inertia the velocity is that against Stokes drag: it hits at \\(t_h = 3\pi q_0\\) and is free at \\(4 - t_h\\), or at
//! \\(2 + |\gamma_{min}|/2\\) if γ has reached its least before.

use std::f64::consts::PI;
use std::path::Path;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::balance::Medium;
use crate::case::{Case, Gluey};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::laws::Interactions;
use crate::obstacle::{Obstacle, Obstacles, Shape};
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{TIMESERIES, read_columns};
use crate::run::RunState;
use crate::solve::Solver;
use crate::state::{Suspension, Wrench};
use crate::study::few::{Conclusion, cost_lines};
use crate::study::suspension::Scales;

/// The force, until it turns round and after that.
const FORCE: f64 = -2.0;

/// When the force turns round.
const TURN: f64 = 2.0;

/// When the study ends.
const END: f64 = 5.0;

/// Steps unless given.
const STEP: f64 = 0.01;

/// Gaps that count as closed `[a]`.
const CLOSED: f64 = 1e-9;

/// Columns of the time series.
pub const COLUMNS: &[&str] = &[
    "time",
    "steps",
    "step",
    "gap",
    "velocity",
    "gamma",
    "force",
    "glued",
    "constraint_violation",
    "dual_residual",
    "complementarity",
];

/// The table of the case.
fn table(case: &Case) -> Gluey {
    case.gluey.clone().unwrap_or_default()
}

fn gap(case: &Case) -> f64 {
    table(case).gap.unwrap_or(Gluey::GAP)
}

/// The particle above the plane.
pub fn initial(case: &Case) -> Suspension {
    Suspension::new(vec![1.0], vec![Vector3::new(0.0, 1.0 + gap(case), 0.0)], Cell::Open)
}

/// The stepper of the study.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let push = Wrench { linear: Vector3::new(0.0, FORCE, 0.0), ..Wrench::default() };
    let drive = Drive { external: vec![push], reversal: Some(TURN), ..Drive::default() };
    let drag = !table(case).inertia;
    let medium = Medium { viscosity: 1.0, drag, rotation: false, field: None };
    let solver = Solver::new(case.solver.method, case.solver.max_iterations);
    let scales = Scales { radius: 1.0, viscosity: 1.0, rate: 1.0 };
    let settings = super::settings(case, &scales);
    let none = Interactions::default();
    let mut stepper = Stepper::new(state, none, drive, medium, settings, solver);
    let plane = Shape::Plane { point: Vector3::zeros(), normal: Vector3::y() };
    stepper.set_obstacles(Obstacles::new(vec![Obstacle::fixed("plane", plane)]));
    if let Some(mut law) = super::law(case) {
        law.step.get_or_insert(STEP);
        stepper.set_gluey(state, law);
    }
    stepper
}

/// When the study ends.
pub fn end() -> End {
    End { strain: f64::INFINITY, time: END }
}

/// A row of the time series after the stepper's last step.
pub fn row(stepper: &Stepper, state: &Suspension, seen: &Observation) -> Vec<f64> {
    let touch = stepper.candidates().first();
    let (gamma, force) = match state.memory.values[..] {
        [gamma, force] => (gamma, force),
        _ => (0.0, 0.0),
    };
    let met = &seen.constrained;
    vec![
        seen.time,
        seen.steps as f64,
        seen.step,
        touch.map_or(state.positions[0].y - 1.0, |touch| touch.end.gap),
        state.velocities[0].linear.y,
        gamma,
        force,
        met.glued as f64,
        met.violation,
        met.dual,
        met.complementarity,
    ]
}

/// When the particle hit the plane, and when it came off again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    hit: Option<f64>,
    unstick: Option<f64>,
    /// The least γ so far.
    least: f64,
    worst_complementarity: f64,
    worst_dual: f64,
}

impl Stuck {
    /// Takes up a step; both happen within steps, at the moment that a constant force gives.
    pub fn take(&mut self, case: &Case, before: &Suspension, row: &[f64]) {
        let inertia = table(case).inertia;
        let (start, step) = (before.clock.time, row[2]);
        let force = if start + 0.5 * step < TURN { FORCE } else { -FORCE };
        let gap = before.positions[0].y - 1.0;
        let gamma = before.memory.values.first().copied().unwrap_or(0.0);
        let closed = row[3] < CLOSED;
        if self.hit.is_none() && closed {
            let speed = before.velocities[0].linear.y;
            let within = match inertia {
                // q + ut + ft²/2 = 0
                true => 2.0 * gap / ((speed * speed - 2.0 * force * gap).sqrt() - speed),
                false => 6.0 * PI * gap / -force,
            };
            self.hit = Some(start + within);
        }
        if self.hit.is_some() && self.unstick.is_none() && !closed {
            self.unstick = Some(start + (-gamma / force).max(0.0));
        }
        self.least = self.least.min(row[5]);
        self.worst_dual = self.worst_dual.max(row[9]);
        self.worst_complementarity = self.worst_complementarity.max(row[10]);
    }
}

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What happened.
    pub gluey: Results,
    /// Largest overlap `[a]`.
    pub max_overlap: f64,
    /// Pairs that are glued at the end.
    pub glued_pairs: usize,
    /// How the run went.
    #[serde(flatten)]
    pub run: Conclusion,
}

/// What the particle did.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// When it hit the plane; none if it did not.
    pub hit_time: Option<f64>,
    /// When it came off the plane; none if it did not.
    pub unstick_time: Option<f64>,
    /// What the closed form gives for the two.
    pub expected_hit_time: Option<f64>,
    /// See there.
    pub expected_unstick_time: Option<f64>,
    /// The least γ met `[μ]`.
    pub least_gamma: f64,
    /// Gap at the end `[a]`.
    pub final_gap: f64,
    /// Largest product of gap and force or γ, over the largest force or γ `[a]`.
    pub worst_complementarity: f64,
    /// Largest part of the forces that was not balanced.
    pub worst_dual_residual: f64,
}

/// When the closed forms have the particle hit the plane and come off it.
fn theory(case: &Case) -> [Option<f64>; 2] {
    let (gluey, gap) = (table(case), gap(case));
    let hit = if gluey.inertia { gap.sqrt() } else { 3.0 * PI * gap };
    // With a mass of m all is slower.
    let hit = if gluey.inertia { hit * gluey.mass.unwrap_or(1.0).sqrt() } else { hit };
    if hit > TURN {
        return [None; 2];
    }
    // γ when the force turns round, and what is left of it after a threshold.
    let pushed = if gluey.inertia { FORCE * TURN } else { FORCE * (TURN - hit) };
    let held = pushed.max(gluey.least(1.0));
    [Some(hit), Some(TURN - held / -FORCE)]
}

/// What `check` says of a case.
pub fn expected(case: &Case) -> Vec<String> {
    let [hit, off] = theory(case);
    let time = |t: Option<f64>| t.map_or("never".to_owned(), |t| format!("t = {t:.6}"));
    vec![
        "particles           1 gluey sphere of radius a above a plane".to_owned(),
        "units               a, μ, and the mass; a force of -2 until t = 2, then +2".to_owned(),
        format!("expected hit        {}", time(hit)),
        format!("expected unstick    {}", time(off)),
        "expected cost       under a second".to_owned(),
    ]
}

/// The results of a study that reached its end.
pub fn summarise(case: &Case, state: &RunState) -> Summary {
    let stuck = &state.stuck;
    let [expected_hit_time, expected_unstick_time] = theory(case);
    let glued = state.suspension.memory.values.first().is_some_and(|gamma| *gamma < 0.0);
    Summary {
        gluey: Results {
            hit_time: stuck.hit,
            unstick_time: stuck.unstick,
            expected_hit_time,
            expected_unstick_time,
            least_gamma: stuck.least,
            final_gap: state.suspension.positions[0].y - 1.0,
            worst_complementarity: stuck.worst_complementarity,
            worst_dual_residual: stuck.worst_dual,
        },
        max_overlap: state.totals.max_overlap,
        glued_pairs: usize::from(glued),
        run: Conclusion::new(case, state, Vec::new()),
    }
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let g = &self.gluey;
        let event = |found: Option<f64>, expected: Option<f64>| {
            let text = |t: Option<f64>| t.map_or("never".to_owned(), |t| format!("{t:.8}"));
            format!("t = {}, closed form {}", text(found), text(expected))
        };
        let mut lines = vec![
            format!("hits the plane      {}", event(g.hit_time, g.expected_hit_time)),
            format!("comes off           {}", event(g.unstick_time, g.expected_unstick_time)),
            format!("least γ             {:.6} μ", g.least_gamma),
            format!("gap at the end      {:.6} a", g.final_gap),
            format!(
                "constraints         overlap at most {:.0e} a, complementarity {:.0e} a",
                self.max_overlap, g.worst_complementarity
            ),
        ];
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}

/// `gluey.svg` and `.png`: gap and γ over time.
pub fn draw(directory: &Path) -> Result<(), Error> {
    let table = read_columns(&directory.join(TIMESERIES))?;
    let values = |column: &str| table.column(column).unwrap_or_default().to_vec();
    let panel = |label: &str, column: &str, name: &str| Panel {
        axis: Axis::linear(label),
        traces: vec![Trace::new(name, values("time"), values(column))],
    };
    let figure = TimeSeriesFigure {
        x_label: "time t".to_owned(),
        steady_from: None,
        panels: vec![panel("gap q / a", "gap", "gap"), panel("γ / μ", "gamma", "γ")],
    };
    time_series(&directory.join("gluey"), &figure)?;
    Ok(())
}
