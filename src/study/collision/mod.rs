//! A sphere that hits another, or a wall, in a fluid (\[NOP23\]), with inertia. In SI units.
//!
//! The first body comes from where the film begins, at a gap R*, with the speed of the Stokes
//! number \\(\mathrm{St} = m^*v_0/(6\pi\eta R^{*2})\\) (eq. 2); the second is at rest. On its way
//! through the film and back the pair loses \\(6\pi\eta R^{*2}\ln(R^*/h_{min})\\) of its momentum
//! twice, hence
//! $$e \approx e_{dry} - \frac{1 + e_{dry}}{\mathrm{St}}\ln\frac{R^*}{h_{min}},\qquad
//! \mathrm{St}_c \approx \Big(1 + \frac1{e_{dry}}\Big)\ln\frac{R^*}{h_{min}}.$$
//! Below St_c the film holds the bodies: that is what spheres without inertia do at any speed
//! ([`released`]), and where the two descriptions part.
//!
//! Restitution is that along the line on which the bodies would touch, and 0 where the film holds
//! them. The rebound angle is that of the first body's own velocity, as in fig. 5: damped
//! collisions leave it more of its way ahead. Against a wall it is the usual one.

mod figure;
pub mod motion;
mod released;
mod results;
mod sweep_figures;
mod table;
#[cfg(test)]
mod tests;

use std::path::Path;

use nalgebra::Vector3;

use super::few::Spheres;
use super::sweep::{FinishedSweep, SweepReport};
use super::{Finished, Kept, MakeStudy, Report, Step, Study};
use crate::case::{Case, StudyKind};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Gaps, Observation, Stepper};
use crate::laws::Interactions;
use crate::laws::collision::{Shear, Tension};
use crate::record::column::{Column, Description, describe, values};
use crate::record::keys::Described;
use crate::state::Screw;
use crate::state::Suspension;
use motion::{CollisionProgress, Ending, Setting};
pub use released::{Released, released};
pub use table::{Collision, Given, Material, Partner, Properties};

/// The study of `[collision]`.
pub const KIND: StudyKind = StudyKind::of::<Collision>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(CollisionStudy::new(case))
}

/// Two bodies after a step.
#[derive(Clone, Debug)]
pub struct CollisionSample {
    progress: CollisionProgress,
    sight: motion::Sight,
    /// Tangential direction in the plane of x and y, where everything happens.
    sideways: Vector3<f64>,
    tension: Tension,
    shear: Shear,
    kinetic: f64,
    stored: f64,
    mismatch: f64,
}

impl CollisionSample {
    fn motion(&self, body: usize) -> Screw {
        self.progress.bodies[body].motion
    }
}

/// Columns of the time series, in SI units.
pub const COLUMNS: &[Column<CollisionSample>] = &[
    Column::new("time", "s", "time", |c| c.progress.time),
    Column::new("steps", "1", "steps since the start", |c| c.progress.steps as f64),
    Column::new("step", "s", "duration of the last step", |c| c.progress.step),
    Column::new("gap", "m", "gap", |c| c.sight.gap),
    Column::new("gap_rate", "m/s", "rate of change of the gap", |c| c.sight.rate),
    Column::new("slip", "m/s", "rate of slip of the surfaces", |c| c.sight.slip.dot(&c.sideways)),
    Column::new("velocity_x", "m/s", "velocity of the first body, along x", |c| {
        c.motion(0).linear.x
    }),
    Column::new("velocity_y", "m/s", "velocity of the first body, along y", |c| {
        c.motion(0).linear.y
    }),
    Column::new("spin", "1/s", "spin of the first body about z", |c| c.motion(0).angular.z),
    Column::new("partner_velocity_x", "m/s", "velocity of the second body, along x", |c| {
        c.motion(1).linear.x
    }),
    Column::new("partner_velocity_y", "m/s", "velocity of the second body, along y", |c| {
        c.motion(1).linear.y
    }),
    Column::new("partner_spin", "1/s", "spin of the second body about z", |c| {
        c.motion(1).angular.z
    }),
    Column::new("tension", "N", "tension between the bodies", |c| c.tension.total()),
    Column::new("tension_film", "N", "part of the tension due to the film", |c| c.tension.film),
    Column::new("tension_elastic", "N", "part of the tension due to elastic surfaces", |c| {
        c.tension.elastic
    }),
    Column::new("tension_damping", "N", "part of the tension due to their damping", |c| {
        c.tension.damping
    }),
    Column::new("shear", "N", "tangential force on the first body", |c| {
        c.shear.force.dot(&c.sideways)
    }),
    Column::new("kinetic_energy", "J", "energy of motion", |c| c.kinetic),
    Column::new("stored_energy", "J", "energy stored in elastic surfaces", |c| c.stored),
    Column::new("work_film", "J", "work spent in the film", |c| c.progress.work.film),
    Column::new("work_damping", "J", "work spent in damping", |c| c.progress.work.damping),
    Column::new("work_friction", "J", "work spent by friction", |c| c.progress.work.friction),
    Column::new("energy_mismatch", "1", "energy that is missing, over that of the start", |c| {
        c.mismatch
    }),
];

fn spheres(partner: Partner) -> usize {
    match partner {
        Partner::Sphere => 2,
        Partner::Wall => 1,
    }
}

/// Shows where the bodies are to whoever writes frames and progress.
fn mirror(impact: &CollisionProgress, state: &mut Suspension) {
    for (k, body) in impact.bodies.iter().take(state.radii.len()).enumerate() {
        state.positions[k] = body.position;
        state.velocities[k] = body.motion;
    }
    state.clock.time = impact.time;
    state.clock.steps = impact.steps;
}

/// A row of the time series.
pub fn row(setting: &Setting, impact: &CollisionProgress) -> Vec<f64> {
    let (sight, tension, shear) = setting.forces(&impact.bodies, impact.stretch);
    let sample = CollisionSample {
        progress: impact.clone(),
        sight,
        sideways: Vector3::z().cross(&sight.normal),
        tension,
        shear,
        kinetic: setting.kinetic(&impact.bodies),
        stored: setting.law.stored(sight.gap),
        mismatch: setting.energy_mismatch(impact),
    };
    values(COLUMNS, &sample)
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

/// Two bodies that collide, and where they are.
#[derive(Clone, Debug)]
pub struct CollisionStudy {
    table: Collision,
    setting: Setting,
    progress: CollisionProgress,
}

impl CollisionStudy {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        let table: Collision = case.study_table();
        let setting = Setting::new(&table);
        CollisionStudy { progress: setting.start(), table, setting }
    }
}

impl Study for CollisionStudy {
    /// The spheres at the start; a wall is not one of them.
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let start = self.setting.start();
        let count = spheres(self.table.partner);
        let positions = start.bodies[..count].iter().map(|body| body.position).collect();
        let radii = vec![self.table.radius; count];
        let mut state = Suspension::new(radii, positions, Cell::Open);
        mirror(&start, &mut state);
        Ok(state)
    }

    /// A stepper without inertia that is never used: bodies with inertia have their own steps.
    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let alone = Spheres::new(Interactions::default(), 1.0);
        let spheres = Spheres { drag: true, rotation: true, ..alone };
        spheres.stepper(case, state, Drive::default())
    }

    /// When the study ends, if nothing else ends it before.
    fn end(&self, _case: &Case) -> End {
        End { strain: f64::INFINITY, time: 2.0 * self.setting.longest() }
    }

    fn columns(&self) -> Option<Vec<Description>> {
        Some(describe(COLUMNS))
    }

    fn step(
        &mut self,
        _stepper: &mut Stepper,
        state: &mut Suspension,
        _end: End,
    ) -> Result<Step, Error> {
        let (setting, now) = (&self.setting, &mut self.progress);
        setting.advance(now);
        mirror(now, state);
        let gap = setting.sight(&now.bodies).gap;
        let seen = Observation {
            steps: now.steps,
            time: now.time,
            step: now.step,
            gaps: Gaps { smallest: gap, thinnest_film: gap, ..Gaps::default() },
            ..Observation::default()
        };
        Ok(Step { seen, row: Some(row(setting, now)), over: now.ending.is_some() })
    }

    fn keys(&self) -> Vec<Description> {
        results::CollisionSummary::keys()
    }

    fn kept(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.progress)
    }

    /// On the way through the film and back.
    fn likely_end(&self, _at: f64) -> Option<f64> {
        let back = theory(&self.table);
        let slower = 1.0 / if back > 0.0 { back } else { 1.0 };
        Some(self.setting.approach_time() * (1.0 + slower))
    }

    fn heading(&self, _case: &Case) -> String {
        let given = &self.table;
        format!("{}, St = {}, {}°", given.material.name(), given.stokes, given.angle_deg)
    }

    fn meaning(&self, _case: &Case) -> Result<Vec<String>, Error> {
        Ok(results::meaning(&self.table))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(&self.table, &self.progress, run)?;
        Ok(Report::new(&results, results.lines(), &results.run.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        figure::draw(&self.setting, directory)
    }

    fn conclude_sweep(&self, sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        let lines = sweep_figures::lines(sweep.table, &self.table);
        let drawn = sweep_figures::draw(sweep, &self.table)?;
        Ok(SweepReport { lines, ..SweepReport::of_figures(drawn) })
    }

    fn always_inertial(&self) -> Option<[&'static str; 2]> {
        Some([
            "bodies that collide always have inertia: there is no quasi-static run to \
             compare with",
            "vary collision.stokes in a sweep, as cases/collision_stokes_sweep.toml does",
        ])
    }
}
