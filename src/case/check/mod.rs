//! What a case must satisfy beyond its types: ranges, which the schema has beside the keys unless
//! they depend on others, and keys that need or exclude each other.

mod accuracy;
mod drive;
mod gluey;
mod inertia;
mod matter;
mod motion;
mod obstacle;
mod range;
mod rough;
mod soft;

use std::path::Path;

use super::{Case, Contact, Domain, Drive, Fluid, Laws, Lubrication, Particles, StudyKind};
use crate::document::schema::{self, Outside};
use crate::document::{Node, way};
use crate::error::{CaseFault, Place};
pub use range::Range;

/// Everything that keeps a case from being run.
pub(super) fn faults(
    case: &Case,
    document: &Node,
    file: &Path,
    studies: &[StudyKind],
    schema: &serde_json::Value,
) -> Vec<CaseFault> {
    let mut check = Check { case, document, file, studies, faults: Vec::new() };
    for Outside { key, problem, remedy } in schema::outside(document, schema) {
        check.fault(&key, problem, remedy);
    }
    (case.study.check)(&mut check);
    let line = |fault: &CaseFault| match fault.place {
        Place::Line(line) | Place::Character { line, .. } => line,
        Place::File => 0,
        _ => usize::MAX,
    };
    check.faults.sort_by_key(line);
    check.faults
}

/// A case under examination.
pub struct Check<'a> {
    /// The case.
    pub case: &'a Case,
    document: &'a Node,
    file: &'a Path,
    studies: &'a [StudyKind],
    faults: Vec<CaseFault>,
}

impl Check<'_> {
    /// Whether something is wrong in this table.
    fn has_fault_in(&self, table: &str) -> bool {
        let inside = |key: &str| key.split_once('.').is_some_and(|(own, _)| own == table);
        self.faults.iter().any(|fault| inside(&fault.key))
    }

    /// Whether the user gave this key.
    pub fn given(&self, key: &str) -> bool {
        self.document.find(&way(key)).is_some()
    }

    /// The first of the keys that the user gave, or else the first.
    fn given_of<'k>(&self, keys: [&'k str; 2]) -> &'k str {
        keys.into_iter().find(|key| self.given(key)).unwrap_or(keys[0])
    }

    /// Reports a fault at the place where the key was given.
    pub fn fault(&mut self, key: &str, problem: impl Into<String>, remedy: impl Into<String>) {
        self.faults.push(CaseFault {
            file: self.file.to_owned(),
            place: self.document.nearest_place(&way(key)),
            key: key.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }

    /// Reports a fault when the number is out of range.
    pub fn number(&mut self, key: &str, value: f64, range: Range, remedy: &str) {
        if !range.contains(value) {
            self.fault(key, format!("{value:?} is out of range, valid is {range}"), remedy);
        }
    }

    /// Reports a fault for each of the keys that was given although `reason` leaves it no meaning.
    pub fn refuse(&mut self, keys: &[&str], reason: &str) {
        for key in keys {
            if self.given(key) {
                self.fault(key, format!("given although {reason}"), "leave it out");
            }
        }
    }

    /// Reports a table that has no meaning here.
    pub(super) fn unused(&mut self, table: &str, there: bool, why: &str) {
        if there {
            self.fault(table, format!("given although {why}"), "leave it out");
        }
    }

    /// Reports the tables that a study whose own says all of it leaves without meaning.
    pub fn nothing_else(&mut self) {
        let Case { study, particles, domain, fluid, laws, drive, .. } = self.case;
        let Laws { lubrication, contact, soft, rough, gluey, named } = laws;
        let case = self.case;
        let own = study.table;
        let why = format!("[{own}] says all of it");
        self.unused("particles", *particles != Particles::default(), &why);
        self.unused("domain", *domain != Domain::default(), &why);
        self.unused("fluid", *fluid != Fluid::default(), &why);
        self.unused("lubrication", *lubrication != Lubrication::default(), &why);
        self.unused("contact", *contact != Contact::default(), &why);
        self.unused("drive", *drive != Drive::default(), &why);
        self.unused("soft", soft.is_some(), &why);
        self.unused("rough", rough.is_some(), &why);
        for law in named.kinds() {
            self.unused(law.name, true, &why);
        }
        self.unused("force", !case.force.is_empty(), &why);
        self.unused("obstacle", !case.obstacle.is_empty(), &why);
        self.unused("gluey", own != "gluey" && gluey.is_some(), &why);
        let why = format!("the study is another, with [{own}]");
        for other in self.studies.iter().filter(|other| *other != study) {
            if let Some(table) = other.own_table() {
                self.unused(table, self.given(table), &why);
            }
        }
    }

    /// Reports the tables of studies, where the case is one of none of them.
    pub(super) fn no_study_tables(&mut self) {
        let name = self.case.study.name;
        for study in self.studies {
            if let Some(table) = study.own_table().filter(|table| self.given(table)) {
                let problem = format!("given although the study is \"{name}\"");
                let remedy = format!("add study = \"{}\" at the top, or leave it out", study.name);
                self.fault(table, problem, remedy);
            }
        }
    }
}
