//! What a case knows of the study that it asks for: a name, a table, checks and defaults.
//!
//! What a study *does* is none of a case's business: it is written above, and found again through
//! [`StudyKind::behaviour`].

use std::any::Any;
use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny};
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};

use super::check::Check;
use super::{Case, Inertia, Scheme, Time};
use crate::document::Node;
use crate::document::decode::{self, decode_at};
use crate::document::schema;
use crate::error::CaseFault;
use crate::integrate::Aim;

/// The key that names the study.
const STUDY: &str = "study";

/// The table of a study that says all of it: no other table of the case describes its particles.
pub trait StudyTable: Serialize + DeserializeOwned + JsonSchema + Default {
    /// The name of the study in a case file.
    const STUDY: &'static str;
    /// The name of the table.
    const TABLE: &'static str;
    /// The tolerance of the steps unless given `[1]`.
    const TOLERANCE: f64 = Time::FEW_PARTICLES;

    /// Reports what keeps the study from being run, beyond the ranges beside the keys.
    fn check(&self, _check: &mut Check<'_>) {}

    /// Reports what is wrong with `[inertia]`.
    fn check_inertia(&self, check: &mut Check<'_>) {
        check.inertia();
    }

    /// Fills in the defaults that depend on what else is given.
    fn fill_in(&mut self) {}
}

/// Whether the user gave a key.
pub type Given<'a> = &'a dyn Fn(&str) -> bool;

/// Decodes the table of a study, if it is there.
type Decode = fn(Option<&Node>, &Path) -> Result<toml::Value, CaseFault>;

/// A study as case files know it.
#[derive(Clone, Copy)]
pub struct StudyKind {
    /// The name in a case file.
    pub name: &'static str,
    /// The table that says most of it.
    pub table: &'static str,
    /// Whether that table says all of it, so that those of particles, domain, fluid, laws and drive
    /// have no meaning.
    pub says_all: bool,
    /// What it is; of a study with a table of its own, the documentation of the table says it.
    pub about: &'static str,
    /// Decodes the table; none if it is one of those that every case may have.
    pub decode: Option<Decode>,
    /// The keys of the table, if it is not one of those that every case may have.
    pub schema: Option<fn() -> serde_json::Value>,
    /// Reports what keeps a case from being run.
    pub check: fn(&mut Check<'_>),
    /// Fills in the defaults that depend on what else is given.
    pub fill_in: fn(&mut Case, Given<'_>),
    /// What the study does, for those who know its type.
    pub behaviour: &'static (dyn Any + Send + Sync),
}

impl StudyKind {
    /// No study yet: a case has one once it is read.
    const NONE: StudyKind = StudyKind {
        name: "",
        table: "",
        says_all: false,
        about: "",
        decode: None,
        schema: None,
        check: |_| {},
        fill_in: |_, _| {},
        behaviour: &(),
    };

    /// The study of a table that says all of it.
    pub const fn of<T: StudyTable>(behaviour: &'static (dyn Any + Send + Sync)) -> StudyKind {
        StudyKind {
            name: T::STUDY,
            table: T::TABLE,
            says_all: true,
            about: "",
            decode: Some(decode_table::<T>),
            schema: Some(schema::of::<T>),
            check: check_table::<T>,
            fill_in: fill_in_table::<T>,
            behaviour,
        }
    }

    /// A case that says nothing but the study, whether it can be run or not.
    ///
    /// # Panics
    ///
    /// If the study's table cannot be decoded although it is left out.
    pub fn defaults(&self) -> Case {
        let mut study_table = toml::Table::new();
        if let Some(decode) = self.decode {
            let table = decode(None, Path::new("")).expect("a table that is left out is in order");
            study_table.insert(self.table.to_owned(), table);
        }
        Case { study: *self, study_table, ..Case::default() }
    }

    /// The name of the table, if no other study has it.
    pub(super) fn own_table(&self) -> Option<&'static str> {
        self.decode.map(|_| self.table)
    }
}

fn decode_table<T: StudyTable>(node: Option<&Node>, file: &Path) -> Result<toml::Value, CaseFault> {
    let table = match node {
        Some(node) => decode_at(node, T::TABLE, file)?,
        None => T::default(),
    };
    Ok(resolved(&table))
}

fn check_table<T: StudyTable>(check: &mut Check<'_>) {
    let table = check.case.study_table::<T>();
    table.check(check);
    check.nothing_else();
    check.steps();
    check.no_accuracy();
    table.check_inertia(check);
}

fn fill_in_table<T: StudyTable>(case: &mut Case, given: Given<'_>) {
    let mut table = case.study_table::<T>();
    table.fill_in();
    case.study_table.insert(T::TABLE.to_owned(), resolved(&table));
    case.fill_in_few(T::TOLERANCE, given);
}

fn resolved(table: &impl Serialize) -> toml::Value {
    toml::Value::try_from(table).expect("the table of a study is plain data")
}

impl Case {
    /// The table of the study, of the type that the study has.
    ///
    /// # Panics
    ///
    /// If the case is one of another study.
    pub fn study_table<T: StudyTable>(&self) -> T {
        let table = self.study_table.get(T::TABLE).filter(|_| self.study.name == T::STUDY);
        let table = table.unwrap_or_else(|| panic!("the study is {}", self.study.name));
        table.clone().try_into().expect("a table that was decoded can be decoded again")
    }

    /// Fills in the defaults of a study of a few particles: steps of this tolerance, no frames, and
    /// not every one of millions of explicit steps.
    pub fn fill_in_few(&mut self, tolerance: f64, given: Given<'_>) {
        self.time.aim.get_or_insert(Aim::Trajectory);
        if !given("time.tolerance") {
            self.time.tolerance = tolerance;
        }
        if !given("output.frames") {
            self.output.frames = 0.0;
        }
        let explicit = self.inertia.as_ref().is_some_and(|i| i.scheme == Scheme::Verlet);
        if explicit && !given("output.interval") {
            self.output.interval = Inertia::INTERVAL;
        }
    }
}

/// Takes the study and its table out of a document; the first of the studies unless one is named.
pub(super) fn take(
    document: &mut Node,
    studies: &[StudyKind],
    file: &Path,
) -> Result<(StudyKind, toml::Table), CaseFault> {
    let kind = match document.take(STUDY) {
        Some(node) => {
            let names: Vec<_> = studies.iter().map(|study| study.name).collect();
            studies[decode::one_of(&node, STUDY, &names, file)?]
        }
        None => studies.first().copied().unwrap_or_default(),
    };
    let mut own = toml::Table::new();
    for study in studies {
        let (Some(name), Some(decode)) = (study.own_table(), study.decode) else { continue };
        let node = document.take(name);
        // Even one that has no meaning here is read, because a slip in it comes first.
        if node.is_some() || *study == kind {
            let table = decode(node.as_ref(), file)?;
            if *study == kind {
                own.insert(name.to_owned(), table);
            }
        }
    }
    Ok((kind, own))
}

impl Default for StudyKind {
    fn default() -> Self {
        StudyKind::NONE
    }
}

impl PartialEq for StudyKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for StudyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for StudyKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// Only a register of studies can tell which one a name means: `take` has done so before.
impl<'de> Deserialize<'de> for StudyKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| StudyKind::NONE)
    }
}
