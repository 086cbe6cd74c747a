//! Two spheres that pass each other in a shear flow (\[CBC20\] section 3.2): smooth, rough or soft, with
//! lubrication and drag or with two-body hydrodynamics.
//!
//! In units of the smaller radius a, the viscosity η and the shear rate. The relative trajectory of
//! smooth rigid spheres is its own mirror image; roughness and softness shift it to another
//! streamline.

use std::path::Path;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::few::{Conclusion, PAIR_RESIDUAL, Spheres, cost_lines};
use crate::balance::field::{Ending, Field, Reach};
use crate::case::{Case, Components, Hydrodynamics, PairShear};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::laws::lubrication::Cutoff;
use crate::laws::rough::{Film, Rolling, Rough};
use crate::laws::{Interactions, Remote};
use crate::plot::{
    Axis, Disc, Panel, TimeSeriesFigure, Trace, Trajectory, TrajectoryFigure, time_series,
    trajectories,
};
use crate::record::{TIMESERIES, read_columns};
use crate::run::RunState;
use crate::state::Suspension;

/// Stiffness of the asperities of rigid spheres times their size: they give by about a thousandth
/// of it `[μγ̇a²]`.
const RIGID_ASPERITIES: f64 = 1e5;

/// Stiffer asperities would be lost in the rounding of positions `[μγ̇a]`.
const STIFFEST: f64 = 1e9;

/// Deflections beyond this are not small `[a]`.
const LARGE_DEFLECTION: f64 = 0.2;

/// Largest strain of a step.
const MAX_STRAIN: f64 = 2.0;

/// Columns of the time series.
pub const COLUMNS: &[&str] = &[
    "strain",
    "steps",
    "step",
    "x",
    "y",
    "z",
    "gap",
    "centre_gap",
    "deflection",
    "tension",
    "contact",
    "shear",
    "sliding",
    "spin_z",
    "force_residual",
    "solves",
];

/// The table of the case.
pub fn table(case: &Case) -> PairShear {
    case.pair.clone().unwrap_or_default()
}

impl PairShear {
    /// Stiffness of the asperities \\(k_n\\) `[μγ̇a]`.
    fn asperity_stiffness(&self) -> f64 {
        let size = 0.5 * self.roughness * (self.radii[0] + self.radii[1]);
        match self.stiffness {
            Some(bulk) => self.asperity_ratio * bulk,
            None if self.roughness > 0.0 => (RIGID_ASPERITIES / size).min(STIFFEST),
            None => 0.0,
        }
    }

    fn law(&self) -> Rough {
        let asperity_stiffness = self.asperity_stiffness();
        let sliding = self.components == Components::All;
        Rough {
            viscosity: 1.0,
            stiffness: self.stiffness.unwrap_or(f64::INFINITY),
            asperity_stiffness,
            tangential_stiffness: match self.stiffness {
                Some(bulk) => self.tangential_ratio * bulk,
                None if self.friction > 0.0 && self.roughness > 0.0 => {
                    self.tangential_ratio * asperity_stiffness
                }
                None => f64::INFINITY,
            },
            roughness: self.roughness,
            friction: self.friction,
            range: self.cutoff(),
            cutoff: Cutoff::Truncated,
            film: match self.hydrodynamics {
                Hydrodynamics::Lubrication => Film::Printed {
                    sliding,
                    rolling: if sliding { self.rolling } else { Rolling::None },
                },
                Hydrodynamics::TwoBody => Film::TwoBody,
            },
            remote: Remote::NONE,
        }
    }
}

/// The two spheres, apart along the flow, their common centre of drag at rest.
pub fn initial(case: &Case) -> Suspension {
    let pair = table(case);
    let apart = Vector3::new(pair.start, pair.offset, pair.offset_z);
    let [a, b] = pair.radii;
    let positions = vec![-apart * (b / (a + b)), apart * (a / (a + b))];
    Suspension::new(pair.radii.to_vec(), positions, Cell::Open)
}

/// The stepper of the study.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let pair = table(case);
    let drive = Drive { rate: 1.0, ..Drive::default() };
    let spheres = Spheres {
        interactions: Interactions::of(pair.law()),
        field: (pair.hydrodynamics == Hydrodynamics::TwoBody).then(|| Field {
            viscosity: 1.0,
            range: pair.cutoff(),
            inner_gap: 0.0,
            ending: Ending::Truncated,
            reach: Reach::TwoBody,
        }),
        drag: true,
        rotation: pair.rotation,
        longest: MAX_STRAIN,
        max_strain: MAX_STRAIN,
        residual: PAIR_RESIDUAL,
        inertia: super::few::inertia(case),
    };
    spheres.stepper(case, state, drive)
}

/// When spheres that do not part are given up.
pub fn end(case: &Case) -> End {
    End { strain: table(case).longest(), time: f64::INFINITY }
}

/// Relative position and velocity at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    time: f64,
    at: [f64; 3],
    velocity: [f64; 3],
    log_gap: f64,
}

/// What has happened between two spheres that pass each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The last steps, the newest last.
    last: Vec<Point>,
    /// Thinnest film, as a logarithm.
    thinnest: Option<f64>,
    /// Where the spheres were when they had passed, interpolated `[a]`.
    end: Option<[f64; 3]>,
    /// Whether one sphere has come over the other.
    over: bool,
    /// Whether they then turned back: a closed orbit.
    bound: bool,
    /// Largest deflection `[a]`.
    deflection: f64,
    /// Whether asperities have touched.
    touched: bool,
    /// Whether they were ever pressed by more than they can bear.
    overloaded: bool,
}

impl Passage {
    /// Whether the spheres have passed each other, or will never do.
    pub fn is_over(&self) -> bool {
        self.end.is_some() || self.bound
    }

    /// Takes up a step, in which the spheres may have passed `finish` along the flow.
    fn take(&mut self, point: Point, finish: f64) {
        self.last.push(point);
        if self.last.len() > 3 {
            self.last.remove(0);
        }
        self.over |= point.at[0] > 0.0;
        self.bound |= self.over && point.at[1] < 0.0;
        let thinnest = self.thinnest.get_or_insert(point.log_gap);
        *thinnest = thinnest.min(point.log_gap);
        if let [a, b, c] = &self.last[..] {
            *thinnest = thinnest.min(vertex([a, b, c]));
        }
        if let [.., before, now] = &self.last[..]
            && before.at[0] < finish
            && now.at[0] >= finish
        {
            self.end = Some(crossing(before, now, finish));
        }
    }
}

/// The lowest point of the parabola through three, if it lies between them.
fn vertex([a, b, c]: [&Point; 3]) -> f64 {
    if b.log_gap > a.log_gap || b.log_gap > c.log_gap {
        return f64::INFINITY;
    }
    let (left, right) = (b.time - a.time, c.time - b.time);
    let (down, up) = ((b.log_gap - a.log_gap) / left, (c.log_gap - b.log_gap) / right);
    let curvature = (up - down) / (left + right);
    if curvature <= 0.0 {
        return b.log_gap;
    }
    let slope = (down * right + up * left) / (left + right);
    b.log_gap - slope * slope / (4.0 * curvature)
}

/// Where the cubic through two points and their velocities crosses a place along the flow.
fn crossing(before: &Point, now: &Point, finish: f64) -> [f64; 3] {
    let step = now.time - before.time;
    let cubic = |d: usize, s: f64| {
        let (p, q) = (before.at[d], now.at[d]);
        let (v, w) = (step * before.velocity[d], step * now.velocity[d]);
        let rest = 1.0 - s;
        rest * rest * ((1.0 + 2.0 * s) * p + s * v) + s * s * ((3.0 - 2.0 * s) * q - rest * w)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if cubic(0, middle) < finish { low = middle } else { high = middle }
    }
    [0, 1, 2].map(|d| cubic(d, high))
}

/// Takes up a step in the passage, and makes a row of the time series of it.
pub fn row(
    stepper: &Stepper,
    state: &Suspension,
    seen: &Observation,
    pair: &PairShear,
    passage: &mut Passage,
) -> Vec<f64> {
    let apart = state.positions[1] - state.positions[0];
    let relative = state.velocities[1].linear - state.velocities[0].linear;
    let velocity = relative + stepper.drive().velocity(&apart);
    let centre_gap = apart.norm() - pair.radii[0] - pair.radii[1];
    let touch = stepper.touches().next().map(|seen| seen.touch);
    let gap = touch.map_or(centre_gap, |t| t.gap);
    let (at, velocity) = (apart.into(), velocity.into());
    passage.take(Point { time: seen.time, at, velocity, log_gap: gap.ln() }, -pair.start);
    passage.touched |= touch.is_some_and(|t| t.contact > 0.0);
    passage.overloaded |= touch.is_some_and(|t| t.overloaded);
    passage.deflection = passage.deflection.max(touch.map_or(0.0, |t| t.deflection.abs()));
    let of = |f: fn(&crate::laws::rough::Touch) -> f64| touch.as_ref().map_or(0.0, f);
    vec![
        seen.strain,
        seen.steps as f64,
        seen.step,
        apart.x,
        apart.y,
        apart.z,
        gap,
        centre_gap,
        of(|t| t.deflection),
        of(|t| t.tension),
        of(|t| t.contact),
        of(|t| t.shear.norm()),
        of(|t| f64::from(u8::from(t.slides == Some(true)))),
        if pair.rotation {
            state.velocities[1].angular.z + stepper.drive().rotation().z
        } else {
            0.0
        },
        seen.effort.force_residual,
        seen.effort.solves as f64,
    ]
}

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What happened.
    pub pair: Passed,
    /// How the run went.
    #[serde(flatten)]
    pub run: Conclusion,
}

/// What two spheres did that passed each other.
#[derive(Clone, Debug, Serialize)]
pub struct Passed {
    /// Thinnest film `[a]`.
    pub min_gap: f64,
    /// Whether the spheres passed each other.
    pub passed: bool,
    /// Whether they turned back instead: a closed orbit.
    pub bound: bool,
    /// Distance of the centres along the gradient when they had passed; none if they did not `[a]`.
    pub final_offset: Option<f64>,
    /// Distance of the centres along the vorticity then `[a]`.
    pub final_offset_z: Option<f64>,
    /// Change of the distance along the gradient, final less initial `[a]`.
    pub deviation: Option<f64>,
    /// Capillary number, μγ̇a over the stiffness of the bulk; 0 for rigid spheres.
    pub capillary_number: f64,
    /// Whether asperities touched.
    pub touched: bool,
    /// Whether they were ever pressed by more than they can bear.
    pub overloaded: bool,
}

/// The results of a study that reached its end.
pub fn summarise(case: &Case, state: &RunState) -> Summary {
    let pair = table(case);
    let passage = &state.passage;
    let final_offset = passage.end.map(|at| at[1]);
    let mut advice = Vec::new();
    if passage.bound {
        advice.push(
            "the spheres turned back and go round each other on a closed orbit: so near to the axis \
             of the flow, only a larger pair.offset or a farther pair.start lets them pass"
                .to_owned(),
        );
    } else if final_offset.is_none() {
        advice.push(format!(
            "the spheres have not passed each other at strain {:.1}, where the run ends; a larger \
             pair.max_strain, with --force, runs for longer",
            state.suspension.clock.strain
        ));
    }
    if passage.deflection > LARGE_DEFLECTION {
        advice.push(format!(
            "surfaces were deflected by up to {:.2} a: the law holds for deflections well below a, that \
             is for a larger pair.stiffness",
            passage.deflection
        ));
    }
    if passage.overloaded {
        advice.push(
            "the asperities were pressed by more than they can bear, k_n ε a: for that time the film \
             drained as if there were no roughness"
                .to_owned(),
        );
    }
    let passed = Passed {
        min_gap: passage.thinnest.map_or(f64::NAN, f64::exp),
        passed: passage.end.is_some(),
        bound: passage.bound,
        final_offset,
        final_offset_z: passage.end.map(|at| at[2]),
        deviation: final_offset.map(|y| y - pair.offset),
        capillary_number: pair.stiffness.map_or(0.0, |k| 1.0 / k),
        touched: passage.touched,
        overloaded: passage.overloaded,
    };
    Summary { pair: passed, run: Conclusion::new(case, state, advice) }
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let p = &self.pair;
        let mut lines = vec![format!("smallest gap        u = {:.6e} a", p.min_gap)];
        lines.push(match (p.final_offset, p.deviation) {
            (Some(y), Some(dy)) => {
                format!("final offset        {y:.6} a, {dy:+.3e} a from the initial one")
            }
            _ => "final offset        none: the spheres did not pass each other".to_owned(),
        });
        if p.touched {
            lines.push("contact             asperities touched".to_owned());
        }
        lines.extend(cost_lines(&self.run.costs));
        lines
    }
}

/// Draws the relative trajectory (`trajectory`) and the gaps (`gaps`), as \[CBC20\] figs. 8 and 10.
///
/// # Errors
///
/// When the time series cannot be read or a figure cannot be written.
pub fn draw(case: &Case, directory: &Path) -> Result<(), Error> {
    let pair = table(case);
    let rows = read_columns(&directory.join(TIMESERIES))?;
    let column = |name: &str| rows.column(name).unwrap_or_default().to_vec();
    let x = column("x");
    let mut axis = Axis::log("gap / a");
    if pair.roughness > 0.0 {
        let size = 0.5 * pair.roughness * (pair.radii[0] + pair.radii[1]);
        axis = axis.with_level(size, "asperities touch below", "");
    }
    let figure = TimeSeriesFigure {
        x_label: "distance along the flow x / a".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis, traces: vec![Trace::new("film", x.clone(), column("gap")).in_style(0)] },
            Panel {
                axis: Axis::linear("force / μγ̇a²"),
                traces: vec![
                    Trace::new("tension", x.clone(), column("tension")).in_style(1),
                    Trace::new("asperities", x, column("contact")).in_style(2),
                ],
            },
        ],
    };
    time_series(&directory.join("gaps"), &figure)?;
    let sum = pair.radii[0] + pair.radii[1];
    let figure = TrajectoryFigure {
        x: Axis::linear("flow x / a")
            .between(pair.start.max(-3.0 * sum), (-pair.start).min(3.0 * sum)),
        y: Axis::linear("gradient y / a"),
        discs: vec![
            Disc { radius: pair.radii[0], filled: true, label: "sphere".to_owned() },
            Disc { radius: sum, filled: false, label: "touching".to_owned() },
        ],
        paths: vec![Trajectory::new("path of the other centre", column("x"), column("y"))],
        equal: true,
    };
    trajectories(&directory.join("trajectory"), &figure)?;
    Ok(())
}
