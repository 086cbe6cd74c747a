//! A case file that waits for its overrides.

use std::path::{Path, PathBuf};

use super::document::{Node, way};
use super::overrides::{self, Override};
use super::{Case, STUDY_TABLE, StudyKind, check, decode, study};
use crate::error::{CaseFault, Error, Place};

/// A case file that was read but not decoded: with overrides it becomes one case or many.
#[derive(Clone, Debug)]
pub struct Template {
    document: Node,
    file: PathBuf,
    studies: Vec<StudyKind>,
}

impl Template {
    /// Reads a case file of one of some studies; the first of them unless it names one.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the file cannot be read or is no TOML.
    pub fn read(path: &Path, studies: &[StudyKind]) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            bad(CaseFault {
                file: path.to_owned(),
                place: Place::File,
                key: String::new(),
                problem: format!("cannot be read: {error}"),
                remedy: "name a case file, such as cases/suspension.toml".to_owned(),
            })
        })?;
        Self::parse(&text, path, studies)
    }

    /// Reads the text of a case; `file` names it in messages and anchors relative paths.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when it is no TOML.
    pub fn parse(text: &str, file: &Path, studies: &[StudyKind]) -> Result<Self, Error> {
        let document = Node::parse(text, file).map_err(bad)?;
        if ["over", "curve"].iter().any(|key| document.find(&way(key)).is_some()) {
            return Err(bad(CaseFault {
                file: file.to_owned(),
                place: Place::File,
                key: String::new(),
                problem: "is a sweep of cases, not a case".to_owned(),
                remedy: "run it with `zerostokes sweep`".to_owned(),
            }));
        }
        Ok(Self { document, file: file.to_owned(), studies: studies.to_vec() })
    }

    /// The case with overrides, later ones win.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the case cannot be run.
    pub fn with<'a>(
        &self,
        overrides: impl IntoIterator<Item = &'a Override>,
    ) -> Result<Case, Error> {
        let file = &self.file;
        let mut document = self.document.clone();
        overrides::apply(&mut document, overrides, file).map_err(bad)?;
        let mut case = self.decode(&document).map_err(bad)?;
        case.anchor(file);
        let faults = check::faults(&case, &document, file, &self.studies);
        if !faults.is_empty() {
            return Err(Error::BadCase { faults });
        }
        (case.study.fill_in)(&mut case, &|key| document.find(&way(key)).is_some());
        Ok(case)
    }

    fn decode(&self, document: &Node) -> Result<Case, CaseFault> {
        let mut rest = document.clone();
        let (study, study_table) = study::take(&mut rest, &self.studies, &self.file)?;
        let tables: Vec<_> = self.studies.iter().filter_map(StudyKind::own_table).collect();
        let case = decode::decode_with(&rest, &self.file, (STUDY_TABLE, &tables))?;
        Ok(Case { study, study_table, ..case })
    }

    /// The case with overrides in the form `key=value`.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the case cannot be run.
    pub fn with_texts(&self, overrides: &[String]) -> Result<Case, Error> {
        self.with(&overrides::read(overrides, &self.file).map_err(bad)?)
    }
}

fn bad(fault: CaseFault) -> Error {
    Error::BadCase { faults: vec![fault] }
}
