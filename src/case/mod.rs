//! The case file: what a user asks for, in TOML.
//!
//! Text becomes a `document` that remembers lines (a [`Template`]), `overrides` change it,
//! `decode` turns it into the schema (`physics`, `numerics`), `check` looks for what cannot be
//! run, and what was left open is filled in. A [`Case`] that was read is therefore complete.

mod accuracy;
mod check;
mod collision;
pub(crate) mod decode;
pub(crate) mod document;
mod drive;
mod gluey;
mod inertia;
mod nearest;
mod numerics;
mod obstacle;
mod overrides;
mod physics;
mod rough;
mod soft;
mod template;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub(crate) use accuracy::percent;
pub use accuracy::{Accuracy, Quantity};
pub use collision::{Collision, Material, Partner, Properties};
pub use drive::{Cross, Drive, FlowKind, Imposed, Oscillation, PhaseTable};
pub use gluey::{Gluey, Least};
pub use inertia::{Inertia, Scheme};
pub use numerics::{Output, Solver, Time};
pub use obstacle::{ObstacleKind, ObstacleTable, Side};
pub use overrides::Override;
pub(crate) use overrides::read as read_overrides;
pub use physics::{
    Attraction, Boundary, Contact, Domain, Fluid, Force, Lubrication, Particles, Repulsion,
    Stiffness,
};

pub use rough::{Components, Hydrodynamics, PairShear, Rough, Settle, Until};
pub use soft::{Load, Soft, SoftPair, T1};

use crate::error::Error;
use crate::integrate::Aim;
use crate::obstacle::Obstacles;
pub use template::Template;

/// Everything a run is told. Lengths are in units of the smallest radius a.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// A name for reports.
    pub title: Option<String>,
    /// What is asked.
    pub study: Study,
    /// The spheres.
    pub particles: Particles,
    /// The space they live in.
    pub domain: Domain,
    /// The liquid between them.
    pub fluid: Fluid,
    /// The film between close spheres.
    pub lubrication: Lubrication,
    /// Spheres that touch.
    pub contact: Contact,
    /// Electric double layer, none unless given.
    pub repulsion: Option<Repulsion>,
    /// Van der Waals attraction, none unless given.
    pub attraction: Option<Attraction>,
    /// Soft surfaces in place of lubrication and contact, none unless given.
    pub soft: Option<Soft>,
    /// Rough surfaces in place of lubrication and contact, none unless given.
    pub rough: Option<Rough>,
    /// Contacts that are constraints and remember, in place of springs, none unless given.
    pub gluey: Option<Gluey>,
    /// Four soft spheres that swap neighbours; only for that study.
    pub t1: Option<T1>,
    /// Two soft spheres; only for that study.
    pub soft_pair: Option<SoftPair>,
    /// A sphere that sinks onto another; only for that study.
    pub settle: Option<Settle>,
    /// Two spheres that pass each other; only for that study.
    pub pair: Option<PairShear>,
    /// Two bodies that collide, with inertia; only for that study.
    pub collision: Option<Collision>,
    /// What is imposed, and until when.
    pub drive: Drive,
    /// The mass of the particles, none unless given.
    pub inertia: Option<Inertia>,
    /// How well a mean has to be known for the run to end, not asked unless given.
    pub accuracy: Option<Accuracy>,
    /// Walls and obstacles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacle: Vec<ObstacleTable>,
    /// Constant forces on single particles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub force: Vec<Force>,
    /// The accuracy of the steps.
    pub time: Time,
    /// The linear systems.
    pub solver: Solver,
    /// What is written.
    pub output: Output,
}

/// What a case asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Study {
    /// The rheology of a suspension.
    #[default]
    Suspension,
    /// The duration of a rearrangement of four soft spheres.
    T1,
    /// Approach or separation of two soft spheres.
    SoftPair,
    /// A sphere that sinks onto another.
    Settle,
    /// Two spheres that pass each other in a shear flow.
    PairShear,
    /// A sphere that hits another, or a wall, with inertia.
    Collision,
    /// A gluey particle that is pushed to a plane and pulled off it.
    GlueyPlane,
}

impl Study {
    /// The studies that have a table that no other has.
    pub const ALL: [Study; 5] =
        [Study::T1, Study::SoftPair, Study::Settle, Study::PairShear, Study::Collision];

    /// The name in a case file.
    pub fn name(self) -> &'static str {
        match self {
            Study::Suspension => "suspension",
            Study::T1 => "t1",
            Study::SoftPair => "soft-pair",
            Study::Settle => "settle",
            Study::PairShear => "pair-shear",
            Study::Collision => "collision",
            Study::GlueyPlane => "gluey-plane",
        }
    }

    /// The table that says all of it; for a suspension, that of its particles.
    pub fn table(self) -> &'static str {
        match self {
            Study::Suspension => "particles",
            Study::T1 => "t1",
            Study::SoftPair => "soft_pair",
            Study::Settle => "settle",
            Study::PairShear => "pair",
            Study::Collision => "collision",
            Study::GlueyPlane => "gluey",
        }
    }
}

impl Case {
    /// Whether the table of a study was given.
    fn has_table(&self, study: Study) -> bool {
        match study {
            Study::Suspension => true,
            Study::T1 => self.t1.is_some(),
            Study::SoftPair => self.soft_pair.is_some(),
            Study::Settle => self.settle.is_some(),
            Study::PairShear => self.pair.is_some(),
            Study::Collision => self.collision.is_some(),
            Study::GlueyPlane => self.gluey.is_some(),
        }
    }

    /// Reads a case file and applies the overrides, `key=value` each.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the file cannot be read or the case cannot be run.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Case, Error> {
        Template::read(path)?.with_texts(overrides)
    }

    /// Reads a case from its text; `file` names it in messages and anchors relative paths.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the case cannot be run.
    pub fn from_text(text: &str, file: &Path, overrides: &[String]) -> Result<Case, Error> {
        Template::parse(text, file)?.with_texts(overrides)
    }

    /// The case as TOML with every default written out; reads back as the same case.
    ///
    /// # Panics
    ///
    /// On a seed beyond 2⁶³ − 1, which TOML cannot hold and [`Case::read`] never returns.
    pub fn to_toml(&self) -> String {
        let mut written = self.clone();
        if written.particles.file.is_some() || written.particles.radius_range.is_some() {
            written.particles.radii.clear();
        }
        if self.study == Study::Suspension {
            return toml::to_string(&written).expect("a case that was read can be written");
        }
        let mut table = toml::Table::try_from(&written).expect("a case that was read is a table");
        for made in ["particles", "domain", "fluid", "lubrication", "contact", "drive"] {
            table.remove(made);
        }
        toml::to_string(&table).expect("a table can be written")
    }

    /// The walls and obstacles.
    pub fn obstacles(&self) -> Obstacles {
        let bodies = self.obstacle.iter().enumerate().map(|(index, table)| table.body(index));
        Obstacles::new(bodies.collect())
    }

    /// What has to be right at the end of the run.
    pub fn aim(&self) -> Aim {
        let sheared = self.drive.imposed() != Imposed::Rate(0.0);
        self.time.aim.unwrap_or(match self.domain.boundary {
            Boundary::Periodic if sheared && self.study == Study::Suspension => Aim::Statistics,
            _ => Aim::Trajectory,
        })
    }

    /// Makes the path of the configuration independent of where the case file is.
    fn anchor(&mut self, case_file: &Path) {
        if let Some(file) = &mut self.particles.file {
            let joined = case_file.parent().unwrap_or(Path::new("")).join(&*file);
            *file = std::path::absolute(&joined).unwrap_or(joined);
        }
    }

    /// Fills in the defaults that depend on what else is given; `given` tells which keys were.
    fn fill_in(&mut self, given: impl Fn(&str) -> bool) {
        self.time.aim = Some(self.aim());
        match self.study {
            Study::Suspension => {
                self.fill_in_suspension();
                if self.drive.oscillation.is_some() && !given("output.frames") {
                    // Once in a cycle.
                    self.output.frames = 1.0;
                }
            }
            _ => {
                self.fill_in_group();
                if !given("time.tolerance") {
                    self.time.tolerance = match self.study {
                        Study::PairShear => Time::PASSING,
                        _ => Time::FEW_PARTICLES,
                    };
                }
                if !given("output.frames") {
                    self.output.frames = 0.0;
                }
                let explicit = self.inertia.as_ref().is_some_and(|i| i.scheme == Scheme::Verlet);
                if explicit && !given("output.interval") {
                    // Not every one of millions of steps.
                    self.output.interval = Inertia::INTERVAL;
                }
            }
        }
    }

    fn fill_in_group(&mut self) {
        match self.study {
            Study::T1 => drop(self.t1.get_or_insert_default()),
            Study::SoftPair => {
                let pair = self.soft_pair.get_or_insert_default();
                pair.end_gap = Some(pair.end_gap());
            }
            Study::Settle => {
                let settle = self.settle.get_or_insert_default();
                settle.end_gap = Some(settle.end_gap());
            }
            Study::PairShear => {
                let pair = self.pair.get_or_insert_default();
                let cutoff = pair.cutoff();
                pair.cutoff = cutoff.is_finite().then_some(cutoff);
            }
            Study::Collision => self.collision.get_or_insert_default().fill_in(),
            Study::GlueyPlane => {
                self.gluey.get_or_insert_default().gap.get_or_insert(Gluey::GAP);
            }
            Study::Suspension => {}
        }
    }

    fn fill_in_suspension(&mut self) {
        let particles = &mut self.particles;
        if particles.count.is_some() && particles.volume_shares.is_empty() {
            let classes = particles.radii.len();
            particles.volume_shares = vec![1.0 / classes as f64; classes];
        }
        self.drive.fill_in(self.accuracy.is_some());
        if let Some(soft) = &mut self.soft
            && self.domain.boundary == Boundary::Periodic
        {
            soft.range.get_or_insert(Soft::DEFAULT_RANGE);
        }
    }
}

#[cfg(test)]
mod tests;
