//! The group at one instant, and what has happened to it.

use std::f64::consts::FRAC_PI_4;

use serde::{Deserialize, Serialize};

use super::{A, B, C, D, T1};
use crate::integrate::{Observation, Stepper};
use crate::laws::soft::Film;
use crate::record::column::{Column, values};
use crate::state::Suspension;

/// A sphere has left the group when all films around it are thicker `[R]`.
const LEFT: f64 = 1.0;

/// The group after a step.
#[derive(Clone, Debug)]
pub struct GroupSample {
    seen: Observation,
    group: Group,
}

/// Columns of the time series.
pub const COLUMNS: &[Column<GroupSample>] = &[
    Column::new("time", "τ", "time", |s| s.seen.time),
    Column::new("steps", "1", "steps since the start", |s| s.seen.steps as f64),
    Column::new("step", "τ", "duration of the last step", |s| s.seen.step),
    Column::new("angle_deg", "°", "θ, between the lines AB and BC", |s| {
        s.group.angle.to_degrees()
    }),
    Column::new("gap_horizontal", "R", "thickness of the film between B and C", |s| {
        s.group.gaps[0]
    }),
    Column::new("gap_vertical", "R", "thickness of the film between A and D", |s| s.group.gaps[1]),
    Column::new("gap_diagonal", "R", "mean film of the four other pairs", |s| s.group.gaps[2]),
    Column::new(
        "normal_horizontal",
        "N_y",
        "force between B and C, positive in compression",
        |s| s.group.normal[0],
    ),
    Column::new("normal_vertical", "N_y", "force between A and D, positive in compression", |s| {
        s.group.normal[1]
    }),
    Column::new("normal_diagonal", "N_y", "mean force in the four other pairs", |s| {
        s.group.normal[2]
    }),
    Column::new("shear_diagonal", "N_y", "mean tangential force in the four other pairs", |s| {
        s.group.shear
    }),
    Column::new("ratio_horizontal", "1", "deflection over film |δⁿ|/h between B and C", |s| {
        s.group.ratios[0]
    }),
    Column::new("ratio_vertical", "1", "deflection over film |δⁿ|/h between A and D", |s| {
        s.group.ratios[1]
    }),
    Column::new("ratio_diagonal", "1", "mean |δⁿ|/h of the four other pairs", |s| {
        s.group.ratios[2]
    }),
    Column::new("force_residual", "1", "imbalance of forces", |s| s.seen.effort.force_residual),
    Column::new("solves", "1", "linear systems solved", |s| s.seen.effort.solves as f64),
];

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
            let (kind, share) = match seen.ids.slots().map(|id| id as u32) {
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
            for id in seen.ids.moving() {
                let nearest = &mut nearest[id];
                *nearest = nearest.min(film.gap);
            }
        }
        group.apart = nearest.iter().any(|gap| *gap > LEFT.max(2.0 * t1.gap));
        let x = |id: u32| state.positions[id as usize];
        let (tall, wide) = ((x(A) - x(D)).norm(), (x(C) - x(B)).norm());
        group.angle = tall.atan2(wide);
        group
    }

    /// Whether A and D are closer to each other than B and C are: θ < 45°.
    pub fn is_swapped(&self) -> bool {
        self.angle < FRAC_PI_4
    }

    /// A row of the time series.
    pub fn row(&self, seen: &Observation) -> Vec<f64> {
        values(COLUMNS, &GroupSample { seen: *seen, group: *self })
    }
}

/// What has happened to the group so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct T1Progress {
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

impl T1Progress {
    /// Whether neighbours were swapped.
    pub fn occurred(&self) -> bool {
        self.swapped
    }

    /// Whether nothing more is asked. Where B and C are pulled the group is watched until it parts.
    pub fn is_over(&self, t1: &T1) -> bool {
        let pulled = t1.forces()[0] < 0.0;
        self.separated.is_some() || (self.completed.is_some() && !pulled)
    }

    pub(super) fn add(&mut self, group: &Group, time: f64) {
        self.swapped |= group.is_swapped();
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
