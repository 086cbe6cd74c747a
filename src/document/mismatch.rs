//! Where a document and its schema disagree, in words for the person who wrote the file.

use std::fmt;
use std::path::Path;

use serde::de::Unexpected;

use super::nearest;
use super::{Node, TABLE};
use crate::error::{CaseFault, Place};

/// An array in the words of messages.
const ARRAY: &str = "an array";

/// Where the document and the schema disagree.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) kind: Kind,
    site: Option<Box<Site>>,
}

/// How the document and the schema disagree.
#[derive(Debug)]
pub(super) enum Kind {
    UnknownKey { key: String, valid: Vec<&'static str> },
    UnknownWord { word: String, valid: Vec<&'static str> },
    MissingKey(&'static str),
    Expected(String),
    NotFinite,
    TooLarge,
    Other(String),
}

/// The value at which a mismatch was found.
#[derive(Debug)]
struct Site {
    key: String,
    place: Place,
    found: String,
}

impl Mismatch {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, site: None }
    }

    /// Adds the place, unless a value further inside has done so.
    pub(super) fn at(mut self, key: &str, node: &Node) -> Self {
        self.site.get_or_insert_with(|| {
            Box::new(Site {
                key: key.to_owned(),
                place: node.place.clone(),
                found: node.describe(),
            })
        });
        self
    }

    pub(super) fn into_fault(self, file: &Path) -> CaseFault {
        let nowhere = || Site { key: String::new(), place: Place::File, found: String::new() };
        let site = self.site.map_or_else(nowhere, |site| *site);
        let (problem, remedy) = self.kind.explain(&site);
        let key = match self.kind {
            Kind::MissingKey(name) => join(&site.key, name),
            _ => site.key,
        };
        CaseFault { file: file.to_owned(), place: site.place, key, problem, remedy }
    }
}

impl Kind {
    /// The problem and the remedy.
    fn explain(&self, site: &Site) -> (String, String) {
        match self {
            Kind::UnknownKey { key, valid } => {
                let table = match site.key.strip_suffix(key.as_str()) {
                    None | Some("") => "at the top level".to_owned(),
                    Some(table) => format!("in {}", header(table.trim_end_matches('.'))),
                };
                let remedy = format!("{}valid {table}: {}", did_you_mean(key, valid), list(valid));
                ("unknown key".to_owned(), remedy)
            }
            Kind::UnknownWord { word, valid } => {
                let remedy = format!("{}valid: {}", did_you_mean(word, valid), quoted(valid));
                (format!("unknown word {word:?}"), remedy)
            }
            Kind::MissingKey(_) => {
                let remedy = match site.key.as_str() {
                    "" => "give it at the top, before the first [table]".to_owned(),
                    table => format!("give it in {}", header(table)),
                };
                ("missing".to_owned(), remedy)
            }
            Kind::Expected(expected) => {
                let single = site.found == TABLE && expected == ARRAY && !site.key.contains('.');
                let remedy = if single { format!("write [[{}]]", site.key) } else { String::new() };
                (format!("expected {expected}, found {}", site.found), remedy)
            }
            Kind::NotFinite => {
                (format!("{} is not finite", site.found), "give a finite number".to_owned())
            }
            Kind::TooLarge => {
                let remedy = format!("give at most {}", i64::MAX);
                (format!("{} is too large", site.found), remedy)
            }
            Kind::Other(message) => (message.clone(), String::new()),
        }
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }
}

impl serde::de::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Kind::Other(message.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        Self::new(Kind::Expected(in_words(&expected.to_string())))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(_: usize, expected: &dyn serde::de::Expected) -> Self {
        Self::new(Kind::Expected(in_words(&expected.to_string())))
    }

    fn unknown_variant(word: &str, valid: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownWord { word: word.to_owned(), valid: valid.to_vec() })
    }

    fn unknown_field(key: &str, valid: &'static [&'static str]) -> Self {
        let valid = valid.iter().flat_map(|name| name.split(' ')).collect();
        Self::new(Kind::UnknownKey { key: key.to_owned(), valid })
    }

    fn missing_field(key: &'static str) -> Self {
        Self::new(Kind::MissingKey(key))
    }
}

/// The key of an entry of a table.
pub(super) fn join(table: &str, name: &str) -> String {
    if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") }
}

/// A table as its header is written: `[contact]`, or `[[force]]` for `force[1]`.
fn header(table: &str) -> String {
    match table.split_once('[') {
        Some((array, _)) => format!("[[{array}]]"),
        None => format!("[{table}]"),
    }
}

/// What serde expects, in a user's words.
fn in_words(expected: &str) -> String {
    match expected {
        "usize" | "u64" => "a whole number, 0 or more".to_owned(),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "path string" => "a string in quotes".to_owned(),
        "a sequence" => ARRAY.to_owned(),
        "a map" => TABLE.to_owned(),
        "anything at all" => "a number, a string, true, false or an array of these".to_owned(),
        "an array of length 3" => "three numbers, [x, y, z]".to_owned(),
        other if other.starts_with("struct ") => TABLE.to_owned(),
        other => other.to_owned(),
    }
}

fn did_you_mean(word: &str, valid: &[&str]) -> String {
    nearest(word, valid).map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

fn list(words: &[&str]) -> String {
    words.join(", ")
}

/// Words in quotes, one after another.
pub(super) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}
