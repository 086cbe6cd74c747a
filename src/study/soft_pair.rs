//! Two soft spheres pressed together or pulled apart (\[RG09\] section IV A): normal motion through
//! the Poiseuille and the Hertz regime, and Stokes drag at large gaps.
//!
//! In units of the radius R, the viscosity η and \\(\tau = 6\pi\eta R^2/F\\); \\(\kappa = F/ER^2\\).

use std::f64::consts::PI;
use std::path::Path;

use nalgebra::Vector3;
use serde::Serialize;

use super::few::{Conclusion, FILM_RESIDUAL, Spheres, cost_lines, soft, validity};
use super::theory::Theory;
use crate::case::{Case, Load, SoftPair};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::plot::{
    Axis, CurveFigure, Line, Panel, Points, TimeSeriesFigure, Trace, curve, time_series,
};
use crate::record::{TIMESERIES, Table, read_columns};
use crate::run::RunState;
use crate::state::{Suspension, Wrench};

/// The force when \\(\tau = R = \eta = 1\\).
const FORCE: f64 = 6.0 * PI;

/// How many times the theory's time a pair is watched.
const PATIENCE: f64 = 10.0;

/// Ratios \\(|\delta^n|/h\\) below and above which a film is deep in one regime.
const DEEP: f64 = 30.0;

/// Columns of the time series.
pub const COLUMNS: &[&str] = &[
    "time",
    "steps",
    "step",
    "gap",
    "centre_gap",
    "rate",
    "centre_rate",
    "force",
    "ratio",
    "rate_poiseuille",
    "rate_hertz",
    "rate_with_drag",
    "force_residual",
    "solves",
];

/// The table of the case.
pub fn table(case: &Case) -> SoftPair {
    case.soft_pair.clone().unwrap_or_default()
}

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

    /// When the run ends if the film has not reached its end before `[τ]`.
    pub fn longest(&self) -> f64 {
        self.max_time.unwrap_or(PATIENCE * self.expected_time())
    }
}

/// The two spheres at rest.
pub fn initial(case: &Case) -> Suspension {
    let half = 1.0 + 0.5 * table(case).gap;
    let positions = vec![Vector3::new(-half, 0.0, 0.0), Vector3::new(half, 0.0, 0.0)];
    Suspension::new(vec![1.0; 2], positions, Cell::Open)
}

/// The stepper of the study.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let pair = table(case);
    let pull = pair.sign() * FORCE;
    let along = |x: f64| Wrench { linear: Vector3::new(x, 0.0, 0.0), ..Wrench::default() };
    let external = vec![along(-pull), along(pull)];
    let drive = Drive { external, ramp: pair.ramp, ..Drive::default() };
    let spheres = Spheres {
        interactions: soft(FORCE / pair.kappa, [pair.c_n, pair.c_n]),
        field: None,
        drag: pair.drag,
        rotation: false,
        longest: pair.longest(),
        max_strain: 0.0,
        residual: FILM_RESIDUAL,
        inertia: super::few::inertia(case),
    };
    spheres.stepper(case, state, drive)
}

/// When the study ends, if the film does not reach its end before.
pub fn end(case: &Case) -> End {
    End { strain: f64::INFINITY, time: table(case).longest() }
}

/// Whether the film has reached its end.
pub fn is_over(row: &[f64], pair: &SoftPair) -> bool {
    let gap = row[3];
    if pair.end_gap() > pair.gap { gap >= pair.end_gap() } else { gap <= pair.end_gap() }
}

/// A row of the time series after the stepper's last step.
pub fn row(stepper: &Stepper, state: &Suspension, seen: &Observation, pair: &SoftPair) -> Vec<f64> {
    let film = stepper.films().next().map(|f| f.film);
    let Some(film) = film else { return vec![f64::NAN; COLUMNS.len()] };
    let along = |v: Vector3<f64>| v.dot(&film.normal);
    let centres = state.positions[1] - state.positions[0];
    let approach = along(state.velocities[1].linear - state.velocities[0].linear);
    let (theory, sign) = (pair.theory(), pair.sign());
    vec![
        seen.time,
        seen.steps as f64,
        seen.step,
        film.gap,
        centres.norm() - 2.0,
        along(film.velocity),
        approach,
        along(film.force) / FORCE,
        film.deflection_ratio(),
        sign * theory.poiseuille(film.gap),
        sign * theory.hertz(film.gap),
        sign * theory.with_drag(film.gap),
        seen.effort.force_residual,
        seen.effort.solves as f64,
    ]
}

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What happened.
    pub soft_pair: Motion,
    /// How the run went.
    #[serde(flatten)]
    pub run: Conclusion,
}

/// What the film did, compared with the laws of eqs. 30 and 31.
#[derive(Clone, Debug, Serialize)]
pub struct Motion {
    /// Thickness of the film at the end `[R]`.
    pub final_gap: f64,
    /// Centre distance less two radii at the end `[R]`.
    pub final_centre_gap: f64,
    /// Thickness at which the regimes meet `[R]`.
    pub crossover_gap: f64,
    /// Rate over that of eq. 30, deepest in the Poiseuille regime (with drag: over that of hard
    /// spheres with drag); none if never deep in it.
    pub poiseuille_ratio: Option<f64>,
    /// Rate over that of eq. 31, deepest in the Hertz regime; none if never deep in it.
    pub hertz_ratio: Option<f64>,
    /// Speed of separation over that of two lone spheres, \\(2F/6\pi\eta R\\), at the end; when pulled with drag.
    pub stokes_ratio: Option<f64>,
}

/// The results of a study that reached its end.
///
/// # Errors
///
/// When the time series cannot be read.
pub fn summarise(case: &Case, state: &RunState, directory: &Path) -> Result<Summary, Error> {
    let pair = table(case);
    let table = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| table.column(name).unwrap_or_default();
    let last = |name: &str| column(name).last().copied().unwrap_or(f64::NAN);
    let poiseuille = if pair.drag { "rate_with_drag" } else { "rate_poiseuille" };
    let deflection = column("gap").iter().zip(column("ratio")).map(|(h, r)| h * r);
    let motion = Motion {
        final_gap: last("gap"),
        final_centre_gap: last("centre_gap"),
        crossover_gap: pair.crossover(),
        poiseuille_ratio: deepest(&table, poiseuille, pair.ramp, |ratio| 1.0 / ratio),
        hertz_ratio: deepest(&table, "rate_hertz", pair.ramp, |ratio| ratio),
        stokes_ratio: (pair.drag && pair.load == Load::Pull)
            .then(|| 0.5 * last("centre_rate").abs()),
    };
    let mut advice = validity(pair.gap, deflection.fold(0.0, f64::max));
    let short =
        if pair.load == Load::Pull { 1.0 } else { -1.0 } * (pair.end_gap() - motion.final_gap);
    if short > 0.0 {
        advice.push(format!(
            "the film is {:.3e} R thick and not {:.3e} R at {:.4} τ, where the run ends; a larger \
             soft_pair.max_time, with --force, runs for longer",
            motion.final_gap,
            pair.end_gap(),
            state.suspension.clock.time
        ));
    }
    Ok(Summary { soft_pair: motion, run: Conclusion::new(case, state, advice) })
}

/// The rate over that of a law, where the film is deepest in its regime once the load is complete.
fn deepest(table: &Table, law: &str, ramp: f64, depth: impl Fn(f64) -> f64) -> Option<f64> {
    let column = |name: &str| table.column(name).unwrap_or_default();
    let (time, ratio) = (column("time"), column("ratio"));
    (0..time.len())
        .filter(|k| time[*k] > ramp && depth(ratio[*k]) > DEEP)
        .max_by(|a, b| depth(ratio[*a]).total_cmp(&depth(ratio[*b])))
        .map(|k| column("rate")[k] / column(law)[k])
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let m = &self.soft_pair;
        let ratio = |r: Option<f64>| r.map_or("not met".to_owned(), |r| format!("{r:.5}"));
        let mut lines = vec![
            format!("film                h = {:.4e} R at {:.4} τ", m.final_gap, self.run.time),
            format!("centres             r − 2R = {:.4e} R", m.final_centre_gap),
            format!("regimes meet        at h = {:.4e} R", m.crossover_gap),
            format!("Poiseuille          rate / theory = {}", ratio(m.poiseuille_ratio)),
            format!("Hertz               rate / theory = {}", ratio(m.hertz_ratio)),
        ];
        if let Some(stokes) = m.stokes_ratio {
            lines.push(format!("Stokes              speed / that of lone spheres = {stokes:.5}"));
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}

/// Points under the full load, far enough apart to be told from each other on a logarithmic axis.
fn spread(time: &[f64], gap: &[f64], rate: &[f64], ramp: f64) -> Points {
    const APART: f64 = 0.3;
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = Default::default();
    for k in (0..time.len()).filter(|k| time[*k] > ramp) {
        if x.last().is_none_or(|last| (gap[k] / last).ln().abs() > APART) {
            x.push(gap[k]);
            y.push(rate[k]);
        }
    }
    Points::new("this run", x, y)
}

/// Draws gaps against time (`soft_pair`) and rates against the gap with the laws (`rates`).
///
/// # Errors
///
/// When the time series cannot be read or a figure cannot be written.
pub fn draw(case: &Case, directory: &Path) -> Result<(), Error> {
    let pair = table(case);
    let table = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| table.column(name).unwrap_or_default().to_vec();
    let trace = |label: &str, name: &str, style: usize| {
        Trace::new(label, column("time"), column(name)).in_style(style)
    };
    let mut gaps = vec![trace("film", "gap", 0)];
    // Pressed spheres overlap, which a logarithmic axis cannot show.
    if column("centre_gap").iter().all(|gap| *gap > 0.0) {
        gaps.push(trace("centres", "centre_gap", 1));
    }
    let ratio = Axis::log("|δⁿ| / h").with_level(1.0, "Hertz", "Poiseuille");
    let figure = TimeSeriesFigure {
        x_label: "time t / τ".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::log("gap / R"), traces: gaps },
            Panel { axis: ratio, traces: vec![trace("", "ratio", 2)] },
        ],
    };
    time_series(&directory.join("soft_pair"), &figure)?;
    let gap = column("gap");
    let size = |name: &str| column(name).iter().map(|r| r.abs()).collect::<Vec<_>>();
    let law = |label: &str, name: &str| Line::new(label, gap.clone(), size(name));
    let mut lines =
        vec![law("Poiseuille, eq. 30", "rate_poiseuille"), law("Hertz, eq. 31", "rate_hertz")];
    if pair.drag {
        lines.push(law("hard spheres with drag", "rate_with_drag"));
    }
    let figure = CurveFigure {
        x: Axis::log("film thickness h / R"),
        y: Axis::log("rate |dh/dt| τ / R"),
        points: vec![spread(&column("time"), &gap, &size("rate"), pair.ramp)],
        lines,
    };
    curve(&directory.join("rates"), &figure)?;
    Ok(())
}
