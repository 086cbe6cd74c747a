//! What a case must satisfy beyond its types: ranges, and keys that need or exclude each other.

mod accuracy;
mod collision;
mod drive;
mod gluey;
mod group;
mod inertia;
mod matter;
mod motion;
mod obstacle;
mod range;
mod rough;

use std::path::Path;

use super::document::{Node, way};
use super::{Case, Study};
use crate::error::CaseFault;
use range::Range;

/// Everything that keeps a case from being run.
pub fn faults(case: &Case, document: &Node, file: &Path) -> Vec<CaseFault> {
    let mut check = Check { case, document, file, faults: Vec::new() };
    match case.study {
        Study::Suspension => {
            check.matter();
            check.motion();
            check.obstacles();
            check.gluey();
            check.planar();
        }
        _ => check.group(),
    }
    check.accuracy();
    check.inertia();
    check.faults
}

/// A case under examination.
struct Check<'a> {
    case: &'a Case,
    document: &'a Node,
    file: &'a Path,
    faults: Vec<CaseFault>,
}

impl Check<'_> {
    /// Whether the user gave this key.
    fn given(&self, key: &str) -> bool {
        self.document.find(&way(key)).is_some()
    }

    /// The first of the keys that the user gave, or else the first.
    fn given_of<'k>(&self, keys: [&'k str; 2]) -> &'k str {
        keys.into_iter().find(|key| self.given(key)).unwrap_or(keys[0])
    }

    /// Notes a fault at the place where the key was given.
    fn fault(&mut self, key: &str, problem: impl Into<String>, remedy: impl Into<String>) {
        self.faults.push(CaseFault {
            file: self.file.to_owned(),
            place: self.document.nearest_place(&way(key)),
            key: key.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }

    /// Notes a fault when the number is out of range.
    fn number(&mut self, key: &str, value: f64, range: Range, remedy: &str) {
        if !range.contains(value) {
            self.fault(key, format!("{value:?} is out of range, valid is {range}"), remedy);
        }
    }

    /// The same for a number that may be left out.
    fn optional(&mut self, key: &str, value: Option<f64>, range: Range, remedy: &str) {
        if let Some(value) = value {
            self.number(key, value, range, remedy);
        }
    }

    /// The same for each number of an array.
    fn numbers(&mut self, key: &str, values: &[f64], range: Range, remedy: &str) {
        for (index, &value) in values.iter().enumerate() {
            self.number(&format!("{key}[{index}]"), value, range, remedy);
        }
    }

    /// Notes a fault for each of the keys that was given although `reason` leaves it no meaning.
    fn refuse(&mut self, keys: &[&str], reason: &str) {
        for key in keys {
            if self.given(key) {
                self.fault(key, format!("given although {reason}"), "leave it out");
            }
        }
    }
}
