//! A sphere that sinks onto a fixed one through its film (\[CBC20\] section 3.1), without drag, as
//! eqs. 34–36 have it; without inertia unless it is given a Stokes number.
//!
//! In units of the radius a, the viscosity η and \\(\tau_c = \eta/(a\rho g)\\); the weight is then
//! \\(\tfrac43\pi\\). Smooth spheres approach as \\(u\propto e^{-8t/9\tau_c}\\) (eq. 36). Asperities bear
//! the weight if the contact number \\(\mathcal K = k_n\varepsilon a/W\\) exceeds 1, at
//! \\(u = \varepsilon a - W/k_n\\) (eq. 37); otherwise the film drains at the rate
//! \\(-\tfrac89(1-\mathcal K)/\tau_c\\). Only the distance matters: forces ±W on both spheres are the
//! same as one fixed sphere.

mod figure;
pub mod response;

use std::f64::consts::{LN_10, PI};

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::few::{Conclusion, PAIR_RESIDUAL, Spheres, cost_lines};
use crate::case::{Case, Settle, Until};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::integrate::{End, Observation, Stepper};
use crate::laws::lubrication::Cutoff;
use crate::laws::rough::{Film, Rolling, Rough};
use crate::laws::{Interactions, Remote};
use crate::run::RunState;
use crate::state::{PairMemory, Suspension, Wrench};
pub use figure::draw;
use response::{Energy, Place, Rebounds, Response, inertia, longest, mass, stokes};

/// The weight when \\(\tau_c = a = \eta = 1\\).
const WEIGHT: f64 = 4.0 / 3.0 * PI;

/// Rate of ln u of smooth spheres (eq. 36) `[1/τ_c]`.
pub const SMOOTH_RATE: f64 = -8.0 / 9.0;

/// How many times the theory's time a sphere is watched.
const PATIENCE: f64 = 2.0;

/// Longest step `[τ_c]`.
const LONGEST_STEP: f64 = 5.0;

/// The same with inertia, in times of a free fall.
const LONGEST_OF_A_FALL: f64 = 0.05;

/// How close to its equilibrium a film counts as settled.
const SETTLED: f64 = 1e-10;

/// The same with inertia, whose rounding is larger.
const SETTLED_WITH_INERTIA: f64 = 1e-9;

/// Spheres of a larger Stokes number fall before they sink `[1]`.
const EXPONENTIAL: f64 = 1.0;

/// Columns of the time series.
pub const COLUMNS: &[&str] = &[
    "time",
    "steps",
    "step",
    "gap",
    "log10_gap",
    "centre_gap",
    "tension",
    "contact",
    "force_residual",
    "solves",
    "velocity",
];

/// The places of tension and velocity among them.
const TENSION: usize = 6;
const VELOCITY: usize = COLUMNS.len() - 1;

/// The table of the case.
pub fn table(case: &Case) -> Settle {
    case.settle.clone().unwrap_or_default()
}

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
            cutoff: Cutoff::Truncated,
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
            None => -SETTLED.ln() / (-SMOOTH_RATE * (self.contact_number - 1.0)).max(slowest),
        };
        fall + rest + 1.0
    }

    /// When the run ends if nothing else ends it before `[τ_c]`.
    pub fn longest(&self) -> f64 {
        self.max_time.unwrap_or(PATIENCE * self.expected_time())
    }
}

/// The two spheres, pressed together by the weight from the beginning.
pub fn initial(case: &Case) -> Suspension {
    let settle = table(case);
    // With inertia the sphere is let go, and its weight comes to rest on the film later.
    let pressed = if inertia(case).is_some() { 0.0 } else { WEIGHT / settle.law().stiffness };
    let apart = settle.gap - pressed;
    let positions = vec![Vector3::zeros(), Vector3::new(0.0, 2.0 + apart, 0.0)];
    let mut state = Suspension::new(vec![1.0; 2], positions, Cell::Open);
    let values = vec![settle.gap.ln(), 0.0, 0.0, 0.0, 1.0];
    state.memory = PairMemory { ids: vec![[0, 1]], stride: values.len(), values };
    state
}

/// The stepper of the study.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let settle = table(case);
    let down = |y: f64| Wrench { linear: Vector3::new(0.0, y, 0.0), ..Wrench::default() };
    let drive = Drive { external: vec![down(WEIGHT), down(-WEIGHT)], ..Drive::default() };
    let spheres = Spheres {
        interactions: Interactions::of(settle.law()),
        field: None,
        drag: false,
        rotation: false,
        longest: longest(case).min(LONGEST_STEP.max(LONGEST_OF_A_FALL * stokes(case))),
        max_strain: 0.0,
        residual: PAIR_RESIDUAL,
        inertia: inertia(case),
    };
    spheres.stepper(case, state, drive)
}

/// When the study ends, if nothing else ends it before.
pub fn end(case: &Case) -> End {
    End { strain: f64::INFINITY, time: longest(case) }
}

/// Whether the film is settled, or as thin as was asked; with inertia, whether the sphere is at rest as
/// well, or all is known of how it moves.
pub fn is_over(row: &[f64], case: &Case, fall: &Fall) -> bool {
    let settle = table(case);
    let log_gap = row[4] * LN_10;
    let off = settle.equilibrium_gap().map(|gap| (log_gap - gap.ln()).abs());
    let thin = log_gap <= settle.end_gap().ln();
    let Some(mass) = mass(case) else {
        return off.map_or(thin, |off| off < SETTLED);
    };
    let energy = Energy::of(row, &settle, mass);
    fall.rebounds.are_enough()
        || match settle.until {
            Until::Response => energy.shows_no_more(&settle),
            Until::Rest => {
                off.map_or(thin, |off| off < SETTLED_WITH_INERTIA) && energy.is_at_rest(&settle)
            }
        }
}

/// A row of the time series after the stepper's last step.
pub fn row(stepper: &Stepper, state: &Suspension, seen: &Observation) -> Vec<f64> {
    let Some(seen_pair) = stepper.touches().next() else { return vec![f64::NAN; COLUMNS.len()] };
    let touch = seen_pair.touch;
    vec![
        seen.time,
        seen.steps as f64,
        seen.step,
        touch.gap,
        state.memory.values[0] / LN_10,
        (state.positions[1] - state.positions[0]).norm() - 2.0,
        touch.tension / WEIGHT,
        touch.contact / WEIGHT,
        seen.effort.force_residual,
        seen.effort.solves as f64,
        state.velocities[1].linear.y - state.velocities[0].linear.y,
    ]
}

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What happened.
    pub settle: Settled,
    /// How the run went.
    #[serde(flatten)]
    pub run: Conclusion,
}

/// What the film did.
#[derive(Clone, Debug, Serialize)]
pub struct Settled {
    /// Rate of ln u: where the film drains for ever that of its end, otherwise that before asperities
    /// touch; none if they touch from the beginning, if the sphere came up again, or if it falls rather
    /// than sinks (St > 1), because it then does not approach exponentially `[1/τ_c]`.
    pub decay_rate: Option<f64>,
    /// What the theory gives for it `[1/τ_c]`.
    pub theory_rate: f64,
    /// Rate of ln u before asperities touch `[1/τ_c]`.
    pub approach_rate: Option<f64>,
    /// Thickness of the film at the end `[a]`.
    pub final_gap: f64,
    /// Thickness at which asperities bear the weight; none if they cannot `[a]`.
    pub equilibrium_gap: Option<f64>,
    /// Whether the weight is more than the asperities can bear.
    pub overloaded: bool,
    /// Stokes number (eq. 39).
    pub stokes: f64,
    /// What a sphere with inertia does; none without.
    pub response: Option<Response>,
    /// Rebounds in which the surfaces parted.
    pub bounces: usize,
    /// Rebounds in which the film held.
    pub oscillations: usize,
}

/// When ln u was what.
type Point = [f64; 2];

/// What the film has done, as far as rates of ln u need it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fall {
    /// The first step.
    first: Option<Point>,
    /// The last step before asperities touched for the first time.
    above: Option<Point>,
    /// The first step in the last three decades of a film that drains for ever.
    late: Option<Point>,
    /// The last step.
    last: Option<Point>,
    /// Whether asperities have touched.
    #[serde(default)]
    touched: bool,
    /// How often the sphere came up again.
    #[serde(default)]
    rebounds: Rebounds,
}

impl Fall {
    /// How a sphere with inertia has responded so far.
    pub fn response(&self) -> Response {
        self.rebounds.response()
    }

    /// Takes up a step.
    pub fn take(&mut self, row: &[f64], settle: &Settle) {
        let point = [row[0], row[4] * LN_10];
        let first = *self.first.get_or_insert(point);
        self.touched |= point[1] <= settle.roughness.ln();
        if !self.touched {
            self.above = Some(point).filter(|_| first[1] > settle.roughness.ln());
        }
        if point[1] < settle.end_gap().ln() + 3.0 * LN_10 {
            self.late.get_or_insert(point);
        }
        self.last = Some(point);
        let at = Place { film: row[3], centre_gap: row[5], velocity: row[VELOCITY] };
        self.rebounds.take(at, settle.least_rebound());
    }
}

/// Rate of ln u between two steps.
fn rate(from: Option<Point>, to: Option<Point>) -> Option<f64> {
    let ([before, high], [after, low]) = (from?, to?);
    (after > before).then(|| (low - high) / (after - before))
}

/// The results of a study that reached its end.
pub fn summarise(case: &Case, state: &RunState) -> Summary {
    let settle = table(case);
    let final_gap = state.suspension.memory.values[0].exp();
    let Fall { first, above, late, last, ref rebounds, .. } = state.fall;
    let (approach_rate, late_rate) = (rate(first, above), rate(late, last));
    let (stokes, damped) = (stokes(case), rebounds.response() == Response::Damped);
    let theory_rate = settle.late_rate().unwrap_or(SMOOTH_RATE);
    let mut advice = Vec::new();
    let unsettled = match settle.equilibrium_gap() {
        Some(gap) => (final_gap / gap - 1.0).abs() > 1e-8,
        None => final_gap > settle.end_gap() * (1.0 + 1e-9),
    };
    let time = state.suspension.clock.time;
    if unsettled && time >= longest(case) * (1.0 - 1e-9) {
        advice.push(format!(
            "the film is {final_gap:.3e} a thick and has not come to its end at {:.4} τ_c; a larger \
             settle.max_time, with --force, runs for longer",
            time
        ));
    }
    Summary {
        settle: Settled {
            decay_rate: match settle.late_rate() {
                _ if !damped => None,
                Some(_) if settle.roughness > 0.0 => late_rate,
                _ => approach_rate.filter(|_| stokes <= EXPONENTIAL),
            },
            theory_rate,
            approach_rate,
            final_gap,
            equilibrium_gap: settle.equilibrium_gap(),
            overloaded: settle.roughness > 0.0 && !settle.bears(),
            stokes,
            response: inertia(case).map(|_| rebounds.response()),
            bounces: rebounds.bounces,
            oscillations: rebounds.oscillations,
        },
        run: Conclusion::new(case, state, advice),
    }
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let s = &self.settle;
        let rate = match (s.decay_rate, s.bounces + s.oscillations) {
            (Some(rate), _) => format!("{rate:.6} / τ_c"),
            (None, 1..) => "none, because the sphere came up again".to_owned(),
            (None, 0) => "not measured".to_owned(),
        };
        let mut lines = vec![
            format!("film                u = {:.6e} a at {:.4} τ_c", s.final_gap, self.run.time),
            format!("decay rate          {rate}, theory {:.6}", s.theory_rate),
        ];
        lines.push(match s.equilibrium_gap {
            Some(gap) => {
                let off = (s.final_gap / gap - 1.0).abs();
                let reached = if off < 1e-3 { format!("to {off:.0e}") } else { "no".to_owned() };
                format!("equilibrium         u = {gap:.6e} a, reached: {reached}")
            }
            None if s.overloaded => {
                "equilibrium         none: the asperities do not bear the weight".to_owned()
            }
            None => "equilibrium         none: smooth spheres approach for ever".to_owned(),
        });
        if let Some(response) = s.response {
            lines.push(format!(
                "response            {} at St = {:.4}: {} bounces, {} oscillations",
                response.name(),
                s.stokes,
                s.bounces,
                s.oscillations
            ));
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}
