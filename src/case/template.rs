//! A case file that waits for its overrides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::overrides::{self, Override};
use super::{Case, LAW_TABLE, Laws, STUDY_TABLE, StudyKind, check, study};
use crate::document::{Node, decode, way};
use crate::error::{CaseFault, Error, Place};
use crate::laws::{self, LawKind, NamedLaws};

/// A case file that was read but not decoded: with overrides it becomes one case or many.
#[derive(Clone, Debug)]
pub struct Template {
    document: Node,
    file: PathBuf,
    studies: Vec<StudyKind>,
    laws: Vec<LawKind>,
    schema: Arc<serde_json::Value>,
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
        let (studies, laws) = (studies.to_vec(), laws::named());
        let schema = schema(&laws).into();
        Ok(Self { document, file: file.to_owned(), studies, laws, schema })
    }

    /// The same case file, in which more laws may be named.
    pub fn with_laws(mut self, laws: &[LawKind]) -> Self {
        self.laws.extend_from_slice(laws);
        self.schema = schema(&self.laws).into();
        self
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
        let faults = check::faults(&case, &document, file, &self.studies, &self.schema);
        if !faults.is_empty() {
            return Err(Error::BadCase { faults });
        }
        (case.study.fill_in)(&mut case, &|key| document.find(&way(key)).is_some());
        Ok(case)
    }

    fn decode(&self, document: &Node) -> Result<Case, CaseFault> {
        let mut rest = document.clone();
        let (study, study_table) = study::take(&mut rest, &self.studies, &self.file)?;
        let named = NamedLaws::take(&mut rest, &self.laws, &self.file)?;
        let tables = [
            (STUDY_TABLE, self.studies.iter().filter_map(StudyKind::own_table).collect()),
            (LAW_TABLE, self.laws.iter().map(|law| law.name).collect()),
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

/// The keys of a case.
fn schema(laws: &[LawKind]) -> serde_json::Value {
    let laws = laws.iter().map(|law| (law.name.to_owned(), (law.schema)().to_value()));
    serde_json::json!({ "properties": serde_json::Map::from_iter(laws) })
}

fn bad(fault: CaseFault) -> Error {
    Error::BadCase { faults: vec![fault] }
}
