//! What has happened between the two spheres: their last steps, and where they have passed.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::PairShear;
use crate::integrate::Observation;
use crate::laws::rough::Touch;
use crate::record::column::{Column, values};
use crate::study::Moved;

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
pub struct PairShearProgress {
    /// The last steps, the newest last.
    last: Vec<Point>,
    /// Thinnest film, as a logarithm.
    pub(super) thinnest: Option<f64>,
    /// Where the spheres were when they had passed, interpolated `[a]`.
    pub(super) end: Option<[f64; 3]>,
    /// Whether one sphere has come over the other.
    over: bool,
    /// Whether they then turned back: a closed orbit.
    pub(super) bound: bool,
    /// Largest deflection `[a]`.
    pub(super) deflection: f64,
    /// Whether asperities have touched.
    pub(super) touched: bool,
    /// Whether they were ever pressed by more than they can bear.
    pub(super) overloaded: bool,
}

impl PairShearProgress {
    /// Whether the spheres have passed each other, or will never do.
    pub fn is_over(&self) -> bool {
        self.end.is_some() || self.bound
    }

    /// Takes up a step, in which the spheres may have passed `finish` along the flow.
    fn add(&mut self, point: Point, finish: f64) {
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
    let (before, after) = (b.time - a.time, c.time - b.time);
    let (down, up) = ((b.log_gap - a.log_gap) / before, (c.log_gap - b.log_gap) / after);
    let curvature = (up - down) / (before + after);
    if curvature <= 0.0 {
        return b.log_gap;
    }
    let slope = (down * after + up * before) / (before + after);
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

/// The pair after a step.
#[derive(Clone, Debug)]
pub struct PassageSample {
    seen: Observation,
    /// From the first centre to the second.
    apart: Vector3<f64>,
    gap: f64,
    centre_gap: f64,
    /// None out of range.
    touch: Option<Touch>,
    spin: f64,
}

impl PassageSample {
    /// A number of the pair, 0 out of range.
    fn of(&self, number: fn(&Touch) -> f64) -> f64 {
        self.touch.as_ref().map_or(0.0, number)
    }
}

/// Columns of the time series.
pub const COLUMNS: &[Column<PassageSample>] = &[
    Column::new("strain", "1", "strain", |p| p.seen.strain),
    Column::new("steps", "1", "steps since the start", |p| p.seen.steps as f64),
    Column::new("step", "1/γ̇", "duration of the last step", |p| p.seen.step),
    Column::new("x", "a", "from the first centre to the second, along x", |p| p.apart.x),
    Column::new("y", "a", "from the first centre to the second, along y", |p| p.apart.y),
    Column::new("z", "a", "from the first centre to the second, along z", |p| p.apart.z),
    Column::new("gap", "a", "thickness of the film", |p| p.gap),
    Column::new("centre_gap", "a", "gap of undeflected spheres", |p| p.centre_gap),
    Column::new("deflection", "a", "deflection, negative when pressed", |p| p.of(|t| t.deflection)),
    Column::new("tension", "μγ̇a²", "tension between the spheres", |p| p.of(|t| t.tension)),
    Column::new("contact", "μγ̇a²", "force between the asperities", |p| p.of(|t| t.contact)),
    Column::new("shear", "μγ̇a²", "size of the shear force", |p| p.of(|t| t.shear.norm())),
    Column::new("sliding", "1", "1 if the asperities slide", |p| {
        p.of(|t| f64::from(u8::from(t.slides == Some(true))))
    }),
    Column::new("spin_z", "γ̇", "spin of the second sphere about z", |p| p.spin),
    Column::new("force_residual", "1", "imbalance of forces", |p| p.seen.effort.force_residual),
    Column::new("solves", "1", "linear systems solved", |p| p.seen.effort.solves as f64),
];

/// Adds a step to the passage, and makes a row of the time series of it.
pub(super) fn row(
    moved: &Moved<'_>,
    pair: &PairShear,
    progress: &mut PairShearProgress,
) -> Vec<f64> {
    let Moved { stepper, state, seen } = *moved;
    let apart = state.positions[1] - state.positions[0];
    let relative = state.velocities[1].linear - state.velocities[0].linear;
    let velocity = relative + stepper.drive().velocity(&apart);
    let centre_gap = apart.norm() - pair.radii[0] - pair.radii[1];
    let touch = stepper.touches().next().map(|seen| seen.touch);
    let gap = touch.map_or(centre_gap, |t| t.gap);
    let (at, velocity) = (apart.into(), velocity.into());
    progress.add(Point { time: seen.time, at, velocity, log_gap: gap.ln() }, -pair.start);
    progress.touched |= touch.is_some_and(|t| t.contact > 0.0);
    progress.overloaded |= touch.is_some_and(|t| t.overloaded);
    progress.deflection = progress.deflection.max(touch.map_or(0.0, |t| t.deflection.abs()));
    let spin = match pair.rotation {
        true => state.velocities[1].angular.z + stepper.drive().rotation().z,
        false => 0.0,
    };
    values(COLUMNS, &PassageSample { seen: *seen, apart, gap, centre_gap, touch, spin })
}
