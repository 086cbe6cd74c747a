//! A sphere that hits another, or a wall, in a fluid (\[NOP23\]), with inertia. In SI units.
//!
//! The first body comes from where the film begins, at a gap R*, with the speed of the Stokes number
//! \\(\mathrm{St} = m^*v_0/(6\pi\eta R^{*2})\\) (eq. 2); the second is at rest. On its way through the film
//! and back the pair loses \\(6\pi\eta R^{*2}\ln(R^*/h_{min})\\) of its momentum twice, hence
//! $$e \approx e_{dry} - \frac{1 + e_{dry}}{\mathrm{St}}\ln\frac{R^*}{h_{min}},\qquad
//! \mathrm{St}_c \approx \Big(1 + \frac1{e_{dry}}\Big)\ln\frac{R^*}{h_{min}}.$$
//! Below St_c the film holds the bodies: that is what spheres without inertia do at any speed
//! ([`released`]), and where the two descriptions part.
//!
//! Restitution is that along the line on which the bodies would touch, and 0 where the film holds
//! them. The rebound angle is that of the first body's own velocity, as in fig. 5: damped collisions
//! leave it more of its way ahead. Against a wall it is the usual one.

pub mod motion;
mod released;
#[cfg(test)]
mod tests;

use std::path::Path;

use nalgebra::Vector3;
use serde::Serialize;

use super::few::{Conclusion, PAIR_RESIDUAL, Spheres};
use crate::case::{Case, Collision, Partner};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper};
use crate::laws::Interactions;
use crate::plot::{Axis, Panel, TimeSeriesFigure, Trace, time_series};
use crate::record::{TIMESERIES, read_columns};
use crate::run::RunState;
use crate::state::Suspension;
use motion::{Ending, Impact, Setting};
pub use released::{Released, released};

/// Columns of the time series, in SI units.
pub const COLUMNS: &[&str] = &[
    "time",
    "steps",
    "step",
    "gap",
    "gap_rate",
    "slip",
    "velocity_x",
    "velocity_y",
    "spin",
    "partner_velocity_x",
    "partner_velocity_y",
    "partner_spin",
    "tension",
    "tension_film",
    "tension_elastic",
    "tension_damping",
    "shear",
    "kinetic_energy",
    "stored_energy",
    "work_film",
    "work_damping",
    "work_friction",
    "energy_mismatch",
];

/// The table of the case.
pub fn table(case: &Case) -> Collision {
    case.collision.clone().unwrap_or_default()
}

/// The spheres at the start; a wall is not one of them.
pub fn initial(case: &Case) -> Suspension {
    let given = table(case);
    let impact = Setting::new(&given).start();
    let count = spheres(given.partner);
    let positions = impact.bodies[..count].iter().map(|body| body.position).collect();
    let mut state = Suspension::new(vec![given.radius; count], positions, Cell::Open);
    mirror(&impact, &mut state);
    state
}

fn spheres(partner: Partner) -> usize {
    match partner {
        Partner::Sphere => 2,
        Partner::Wall => 1,
    }
}

/// Shows where the bodies are to whoever writes frames and progress.
fn mirror(impact: &Impact, state: &mut Suspension) {
    for (k, body) in impact.bodies.iter().take(state.radii.len()).enumerate() {
        state.positions[k] = body.position;
        state.velocities[k] = body.motion;
    }
    state.clock.time = impact.time;
    state.clock.steps = impact.steps;
}

/// A stepper without inertia that is never used: bodies with inertia have their own steps.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    let spheres = Spheres {
        interactions: Interactions::default(),
        field: None,
        drag: true,
        rotation: true,
        longest: 1.0,
        max_strain: 0.0,
        residual: PAIR_RESIDUAL,
        inertia: None,
    };
    spheres.stepper(case, state, Drive::default())
}

/// When the study ends, if nothing else ends it before.
pub fn end(case: &Case) -> End {
    let setting = Setting::new(&table(case));
    End { strain: f64::INFINITY, time: 2.0 * setting.longest() }
}

/// When the study is expected to end: on the way through the film and back `[s]`.
pub fn expected_time(case: &Case) -> f64 {
    let given = table(case);
    let (back, setting) = (theory(&given), Setting::new(&given));
    setting.approach_time() * (1.0 + 1.0 / if back > 0.0 { back } else { 1.0 })
}

/// One step, with its row of the time series.
pub fn step(case: &Case, impact: &mut Impact, state: &mut Suspension) -> (Observation, Vec<f64>) {
    let setting = Setting::new(&table(case));
    if impact.steps == 0 {
        *impact = setting.start();
    }
    setting.advance(impact);
    mirror(impact, state);
    let gap = setting.sight(&impact.bodies).gap;
    let seen = Observation {
        steps: impact.steps,
        time: impact.time,
        step: impact.step,
        smallest_gap: gap,
        thinnest_film: gap,
        ..Observation::default()
    };
    (seen, row(&setting, impact))
}

/// A row of the time series.
pub fn row(setting: &Setting, impact: &Impact) -> Vec<f64> {
    let (sight, tension, shear) = setting.forces(&impact.bodies, impact.stretch);
    let [i, j] = impact.bodies.map(|body| body.motion);
    // Everything happens in the plane of x and y.
    let sideways = Vector3::z().cross(&sight.normal);
    vec![
        impact.time,
        impact.steps as f64,
        impact.step,
        sight.gap,
        sight.rate,
        sight.slip.dot(&sideways),
        i.linear.x,
        i.linear.y,
        i.angular.z,
        j.linear.x,
        j.linear.y,
        j.angular.z,
        tension.total(),
        tension.film,
        tension.elastic,
        tension.damping,
        shear.force.dot(&sideways),
        setting.kinetic(&impact.bodies),
        setting.law.stored(sight.gap),
        impact.work.film,
        impact.work.damping,
        impact.work.friction,
        setting.energy_mismatch(impact),
    ]
}

/// `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What happened.
    pub collision: Collided,
    /// How the run went.
    #[serde(flatten)]
    pub run: Conclusion,
}

/// What the collision did.
#[derive(Clone, Debug, Serialize)]
pub struct Collided {
    /// What is left of the speed along the line of centres; 0 if the film holds the bodies `[1]`.
    pub restitution: f64,
    /// Angle of the first body's velocity after it `[°]`.
    pub rebound_angle_deg: f64,
    /// Angle of the velocity relative to the second body; none if the film holds them `[°]`.
    pub relative_rebound_angle_deg: Option<f64>,
    /// Smallest gap; negative where surfaces were pressed into each other `[m]`.
    pub min_gap: f64,
    /// Whether they left each other.
    pub rebound: bool,
    /// How it ended.
    pub ending: Ending,
    /// Whether surfaces touched.
    pub touched: bool,
    /// Spin of the first body after it `[1/s]`.
    pub spin: f64,
    /// Largest force that pressed the bodies together, and apart again `[N]`.
    pub largest_pressure: f64,
    /// Largest suction of the film `[N]`.
    pub largest_suction: f64,
    /// Speed of approach `[m/s]`.
    pub speed: f64,
    /// Reduced radius R* `[m]`.
    pub reduced_radius: f64,
    /// Smallest approach h_min, where contact begins `[m]`.
    pub smallest_approach: f64,
    /// That of smooth surfaces, h_ε `[m]`.
    pub deformation_gap: f64,
    /// Friction coefficient in use `[1]`.
    pub friction: f64,
    /// Estimate of St_c, below which there is no rebound `[1]`.
    pub critical_stokes: f64,
    /// Restitution to leading order in 1/St, 0 below St_c `[1]`.
    pub theory_restitution: f64,
    /// Energy not accounted for at the end, over that at the start `[1]`.
    pub energy_mismatch: f64,
    /// The same spheres without inertia, let go where they touch.
    pub zero_stokes: Released,
}

/// Restitution to leading order in 1/St, 0 below St_c `[1]`.
pub fn theory(given: &Collision) -> f64 {
    let setting = Setting::new(given);
    let dry = setting.matter.dry_restitution;
    let lost = (setting.law.range / setting.law.approach).ln();
    let normal = given.stokes * setting.normal_speed / setting.speed;
    (dry - (1.0 + dry) * lost / normal).max(0.0)
}

/// The Stokes number at which a head-on collision begins to rebound, by bisection `[1]`.
pub fn critical_stokes(given: &Collision) -> f64 {
    let rebounds = |stokes: f64| {
        let setting = Setting::new(&Collision { stokes, angle_deg: 0.0, ..given.clone() });
        setting.run().ending == Some(Ending::Parted)
    };
    let about = Setting::new(given).matter.critical_stokes();
    let (mut low, mut high) = (0.5 * about, 2.0 * about);
    while high - low > 1e-3 * about {
        let middle = 0.5 * (low + high);
        if rebounds(middle) { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// The results of a study that reached its end.
///
/// # Errors
///
/// When the same spheres cannot be stepped without inertia.
pub fn summarise(case: &Case, state: &RunState) -> Result<Summary, Error> {
    let given = table(case);
    let (setting, impact) = (Setting::new(&given), &state.impact);
    let ending = impact.ending.unwrap_or(Ending::Undecided);
    let parted = ending == Ending::Parted;
    let mut advice = Vec::new();
    if ending == Ending::Undecided {
        advice.push(format!(
            "the bodies have neither parted nor come to rest at {:.4e} s; a larger \
             collision.max_time, with --force, runs for longer",
            impact.time
        ));
    }
    let (restitution, dry) = (setting.restitution(impact), setting.matter.dry_restitution);
    if parted && restitution > dry {
        advice.push(format!(
            "the restitution {restitution:.4} is above the dry one, {dry}: below h_min = {:.2e} m the \
             contact counts only in part, and so does its damping; the law holds for less roughness, or \
             faster bodies",
            setting.law.approach
        ));
    }
    Ok(Summary {
        collision: Collided {
            restitution,
            rebound_angle_deg: setting.rebound_angle(impact),
            relative_rebound_angle_deg: parted.then(|| setting.relative_angle(impact)),
            min_gap: impact.min_gap,
            rebound: parted,
            ending,
            touched: impact.touched,
            spin: impact.bodies[0].motion.angular.z,
            largest_pressure: impact.extremes[1],
            largest_suction: impact.extremes[0],
            speed: setting.speed,
            reduced_radius: setting.matter.radius,
            smallest_approach: setting.law.approach,
            deformation_gap: setting.matter.deformation_gap(setting.normal_speed),
            friction: setting.law.friction,
            critical_stokes: setting.matter.critical_stokes(),
            theory_restitution: theory(&given),
            energy_mismatch: setting.energy_mismatch(impact),
            zero_stokes: released(case)?,
        },
        run: Conclusion::new(case, state, advice),
    })
}

impl Summary {
    /// What a physicist wants to know at once.
    pub fn lines(&self) -> Vec<String> {
        let c = &self.collision;
        let told = match c.ending {
            Ending::Parted => format!("e = {:.5}", c.restitution),
            Ending::Held => "e = 0: the film holds the bodies".to_owned(),
            Ending::Undecided => "not known: neither parted nor at rest".to_owned(),
        };
        let touched = if c.touched { "touched" } else { "never touched" };
        vec![
            format!("restitution         {told}; to leading order {:.5}", c.theory_restitution),
            format!("rebound angle       {:.3}°", c.rebound_angle_deg),
            format!(
                "smallest gap        {:.4e} m, contact below {:.4e} m: {touched}",
                c.min_gap, c.smallest_approach
            ),
            format!("critical number     St_c ≈ {:.2}", c.critical_stokes),
            format!("without inertia     {}", c.zero_stokes.words()),
            format!("energy              to {:.0e} of that at the start", c.energy_mismatch.abs()),
            format!(
                "cost                {} steps, {:.3} s",
                self.run.costs.steps, self.run.costs.wall_seconds
            ),
        ]
    }
}

/// Draws gap and rate against time (`collision`), as \[NOP23\] fig. 2.
///
/// # Errors
///
/// When the time series cannot be read or the figure cannot be written.
pub fn draw(case: &Case, directory: &Path) -> Result<(), Error> {
    let setting = Setting::new(&table(case));
    let rows = read_columns(&directory.join(TIMESERIES))?;
    let scaled = |name: &str, unit: f64| {
        let values = rows.column(name).unwrap_or_default();
        values.iter().map(|value| value / unit).collect::<Vec<f64>>()
    };
    let (time, range) = (scaled("time", setting.approach_time()), setting.law.range);
    let gap = scaled("gap", range);
    let films =
        Axis::log("gap h / R*").with_level(setting.law.approach / range, "film", "surfaces touch");
    let trace = |y: Vec<f64>| vec![Trace::new("", time.clone(), y).in_style(0)];
    let figure = TimeSeriesFigure {
        x_label: "time t v₀ / R*".to_owned(),
        steady_from: None,
        panels: vec![
            Panel { axis: Axis::linear("gap h / R*"), traces: trace(gap.clone()) },
            Panel { axis: films, traces: trace(gap) },
            Panel {
                axis: Axis::linear("rate of the gap / v₀"),
                traces: trace(scaled("gap_rate", setting.normal_speed)),
            },
        ],
    };
    time_series(&directory.join("collision"), &figure)?;
    Ok(())
}
