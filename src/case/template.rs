//! A case file that waits for its overrides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::overrides::{self, Override};
use super::{Case, LAW_TABLE, Laws, STUDY_TABLE, StudyKind, check, schema, study};
use crate::document::schema::property;
use crate::document::{Node, decode, way};
use crate::error::{CaseFault, Error, Place};
use crate::laws::{self, LawKind, NamedLaws};

/// The studies and laws that a case file may name. [`Known::default`] has those of the crate.
#[derive(Clone, Debug)]
pub struct Known {
    studies: Vec<StudyKind>,
    laws: Vec<LawKind>,
}

impl Known {
    /// These studies, the first for a case that names none, and the laws of the crate.
    pub fn new(studies: &[StudyKind]) -> Self {
        Known { studies: studies.to_vec(), laws: laws::named() }
    }

    /// And one more study.
    ///
    /// # Panics
    ///
    /// If something else has its name, or that of its table.
    pub fn with_study(mut self, study: StudyKind) -> Self {
        let known = self.studies.iter().any(|other| other.name == study.name);
        assert!(!known, "there is a study {:?} already", study.name);
        study.own_table().into_iter().for_each(|table| self.assert_free(table));
        self.studies.push(study);
        self
    }

    /// And one more law.
    ///
    /// # Panics
    ///
    /// If something else has its name.
    pub fn with_law(mut self, law: LawKind) -> Self {
        self.assert_free(law.name);
        self.laws.push(law);
        self
    }

    /// And the study and the laws of a case, from wherever they are.
    pub fn with_those_of(mut self, case: &Case) -> Self {
        if !self.studies.contains(&case.study) {
            self = self.with_study(case.study);
        }
        for law in case.laws.named.kinds() {
            if !self.laws.contains(&law) {
                self = self.with_law(law);
            }
        }
        self
    }

    /// The keys of case files, as JSON Schema.
    pub fn schema(&self) -> serde_json::Value {
        schema::of(&self.studies, &self.laws)
    }

    /// Makes sure that no key at the top of a case has this name.
    fn assert_free(&self, table: &str) {
        let known = property(&self.schema(), table).is_some();
        assert!(!known, "cases have a key {table:?} already");
    }
}

/// A case file that was read but not decoded: with overrides it becomes one case or many.
#[derive(Clone, Debug)]
pub struct Template {
    document: Node,
    file: PathBuf,
    known: Known,
    schema: Arc<serde_json::Value>,
}

impl Template {
    /// Reads a case file that may name some studies and laws.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when the file cannot be read or is no TOML.
    pub fn read(path: &Path, known: &Known) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            bad(CaseFault {
                file: path.to_owned(),
                place: Place::File,
                key: String::new(),
                problem: format!("cannot be read: {error}"),
                remedy: "name a case file, such as cases/suspension.toml".to_owned(),
            })
        })?;
        Self::parse(&text, path, known)
    }

    /// Reads the text of a case; `file` names it in messages and anchors relative paths.
    ///
    /// # Errors
    ///
    /// [`Error::BadCase`] when it is no TOML.
    pub fn parse(text: &str, file: &Path, known: &Known) -> Result<Self, Error> {
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
        let schema = known.schema().into();
        Ok(Self { document, file: file.to_owned(), known: known.clone(), schema })
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
        let faults = check::faults(&case, &document, file, &self.known.studies, &self.schema);
        if !faults.is_empty() {
            return Err(Error::BadCase { faults });
        }
        (case.study.fill_in)(&mut case, &|key| document.find(&way(key)).is_some());
        Ok(case)
    }

    fn decode(&self, document: &Node) -> Result<Case, CaseFault> {
        let mut rest = document.clone();
        let Known { studies, laws } = &self.known;
        let (study, study_table) = study::take(&mut rest, studies, &self.file)?;
        let named = NamedLaws::take(&mut rest, laws, &self.file)?;
        let tables = [
            (STUDY_TABLE, studies.iter().filter_map(StudyKind::own_table).collect()),
            (LAW_TABLE, laws.iter().map(|law| law.name).collect()),
        ];
        let case: Case = decode::decode_with(&rest, &self.file, &tables)?;
        Ok(Case { study, study_table, laws: Laws { named, ..case.laws }, ..case })
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
