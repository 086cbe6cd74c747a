//! The case file: what a user asks for, in TOML.
//!
//! Text becomes a `document` that remembers lines (a [`Template`]), `overrides` change it,
//! `decode` turns it into tables (`physics`, `numerics`, …), `check` looks for what cannot be
//! run, and what was left open is filled in. A [`Case`] that was read is therefore complete.
//!
//! Every key has its meaning, unit, range and remedy beside its field; `schema` makes one JSON
//! Schema of them, which checks ranges and is what `zerostokes keys` shows.

mod accuracy;
mod check;
mod drive;
mod gluey;
mod inertia;
mod lubrication;
mod numerics;
mod obstacle;
mod overrides;
mod physics;
mod rough;
mod schema;
mod soft;
mod study;
mod template;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use accuracy::percent;
pub use accuracy::{Accuracy, Quantity};
pub use drive::{Cross, Drive, FlowKind, Imposed, Oscillation, PhaseTable};
pub use gluey::{Gluey, Least};
pub use inertia::{Inertia, Scheme};
pub use lubrication::{Lubrication, LubricationModel};
pub use numerics::{Output, Solver, Time};
pub use obstacle::{ObstacleKind, ObstacleTable, Side};
pub use overrides::Override;
pub(crate) use overrides::read as read_overrides;
pub use physics::{Boundary, Contact, Domain, Fluid, Force, Laws, Particles, Stiffness};

pub use check::{Check, Range};
pub use rough::{Hydrodynamics, ROUGHEST, Rough, SMALL_ASPERITIES};
pub use soft::{ELASTIC_FACTORS, Soft};
pub use study::{Given, StudyKind, StudyTable};

use crate::document::decode;
use crate::error::Error;
use crate::hydro::Table;
use crate::integrate::Aim;
use crate::obstacle::Obstacles;
pub use template::{Known, Template};

/// What stands for the tables of studies, and of laws, in the list of keys.
const STUDY_TABLE: &str = "[study]";
const LAW_TABLE: &str = "[law]";

/// Everything a run is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// A name for reports.
    pub title: Option<String>,
    /// What is asked.
    #[schemars(with = "String")]
    pub study: StudyKind,
    /// The spheres: drawn at random, read from a file or placed one by one.
    pub particles: Particles,
    /// The space the spheres live in.
    pub domain: Domain,
    /// The Newtonian liquid between the spheres.
    pub fluid: Fluid,
    /// The laws between particles.
    #[serde(rename = "lubrication contact [law] soft rough gluey")]
    pub laws: Laws,
    /// The table of the study, by its name, if no other study has it.
    #[serde(rename = "[study]", skip_serializing_if = "toml::Table::is_empty")]
    #[schemars(skip)]
    study_table: toml::Table,
    /// What is imposed, and until when.
    pub drive: Drive,
    /// The mass of the particles, by their density or the Stokes number; none unless given.
    pub inertia: Option<Inertia>,
    /// How well a mean has to be known for the run to end, at `drive.strain` at the latest; not
    /// asked unless given.
    pub accuracy: Option<Accuracy>,
    /// Walls and obstacles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obstacle: Vec<ObstacleTable>,
    /// Constant forces on single particles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub force: Vec<Force>,
    /// The accuracy of the steps.
    pub time: Time,
    /// How linear systems are solved.
    pub solver: Solver,
    /// What is written, and how often.
    pub output: Output,
}

impl Case {
    /// Reads a case file that may name some studies and laws, and applies the overrides,
    /// `key=value` each.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the file cannot be read or the case cannot be run.
    pub fn read_with(path: &Path, overrides: &[String], known: &Known) -> Result<Case, Error> {
        Template::read(path, known)?.with_texts(overrides)
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
        let table = toml::Table::try_from(&written).expect("a case that was read is a table");
        let mut table = decode::ungrouped(table);
        if self.study.says_all {
            for made in ["particles", "domain", "fluid", "lubrication", "contact", "drive"] {
                table.remove(made);
            }
            table = decode::sorted(table);
        }
        toml::to_string(&table).expect("a table can be written")
    }

    /// The walls and obstacles.
    pub fn obstacles(&self) -> Obstacles {
        let bodies = self.obstacle.iter().enumerate().map(|(index, table)| table.body(index));
        Obstacles::new(bodies.collect())
    }

    /// Why there are no two-sphere functions for the spheres of this case, whatever their sizes, if
    /// so.
    pub fn without_two_body(&self) -> Option<&'static str> {
        if !self.particles.rotation {
            Some("two-body hydrodynamics needs spheres that spin")
        } else if !self.obstacle.is_empty() {
            Some("two-sphere functions know of no walls")
        } else {
            None
        }
    }

    /// Whether the radii that the case gives are beyond the tables of two-sphere functions.
    pub fn beyond_tables(&self) -> bool {
        let radii = &self.particles.radii;
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        largest > Table::LARGEST_RATIO * smallest
    }

    /// What has to be right at the end of the run.
    pub fn aim(&self) -> Aim {
        self.time.aim.unwrap_or(Aim::Trajectory)
    }

    /// Makes the path of the configuration independent of where the case file is.
    fn anchor(&mut self, case_file: &Path) {
        if let Some(file) = &mut self.particles.file {
            let joined = case_file.parent().unwrap_or(Path::new("")).join(&*file);
            *file = std::path::absolute(&joined).unwrap_or(joined);
        }
    }
}

#[cfg(test)]
mod tests;
