//! A file as written: values that remember where each one was given, and how they are turned into
//! the types that the program works with.

pub mod decode;
mod fields;
pub mod keys;
mod mismatch;
mod nearest;
pub mod schema;
mod tidy;

use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::error::{CaseFault, Place};
pub use nearest::nearest;

/// A table in the words of messages.
pub const TABLE: &str = "a table";

/// A value of the document and where it was given.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where its key was given.
    pub place: Place,
}

/// What TOML can say. Tables keep the order of the file.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer.
    Integer(i64),
    /// An integer TOML has no room for, as written.
    HugeInteger(String),
    /// A number with a point or an exponent, and how it was written.
    Float(f64, String),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or a time, as written; no key wants one.
    Date(String),
    /// An array.
    Array(Vec<Node>),
    /// A table.
    Table(Vec<(String, Node)>),
}

/// One step of the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a table.
    Key(String),
    /// A place in an array, from 0.
    Index(usize),
}

impl Node {
    /// Reads the text of a file.
    pub fn parse(text: &str, file: &Path) -> Result<Node, CaseFault> {
        let root = DeTable::parse(text).map_err(|error| syntax_fault(text, file, &error))?;
        let place_of = |offset: usize| Place::Line(line_and_column(text, offset).0);
        Ok(Node { value: table(root.get_ref(), &place_of), place: Place::File })
    }

    /// Reads one value in TOML syntax; all of it is given at `place`.
    pub fn parse_value(text: &str, place: &Place) -> Result<Node, String> {
        let value = DeValue::parse(text).map_err(|error| error.message().to_owned())?;
        Ok(Node { value: convert(value.get_ref(), &|_| place.clone()), place: place.clone() })
    }

    /// The same value, given at another place with all that is in it.
    pub fn moved(&self, place: &Place) -> Node {
        let value = match &self.value {
            Value::Array(items) => Value::Array(items.iter().map(|n| n.moved(place)).collect()),
            Value::Table(entries) => {
                Value::Table(entries.iter().map(|(k, n)| (k.clone(), n.moved(place))).collect())
            }
            other => other.clone(),
        };
        Node { value, place: place.clone() }
    }

    /// The value without its places. What TOML has no type for becomes a string.
    pub fn to_toml(&self) -> toml::Value {
        match &self.value {
            Value::Text(text) | Value::HugeInteger(text) | Value::Date(text) => {
                toml::Value::String(text.clone())
            }
            Value::Integer(number) => toml::Value::Integer(*number),
            Value::Float(number, _) => toml::Value::Float(*number),
            Value::Boolean(value) => toml::Value::Boolean(*value),
            Value::Array(items) => toml::Value::Array(items.iter().map(Node::to_toml).collect()),
            Value::Table(entries) => {
                let entries = entries.iter().map(|(key, node)| (key.clone(), node.to_toml()));
                toml::Value::Table(entries.collect())
            }
        }
    }

    /// The value at the end of a way, if there is one.
    pub fn find(&self, way: &[Step]) -> Option<&Node> {
        way.iter().try_fold(self, |node, step| node.child(step))
    }

    /// Where the value at the end of a way was given, or else the nearest table around it.
    pub fn nearest_place(&self, way: &[Step]) -> Place {
        let mut node = self;
        for step in way {
            match node.child(step) {
                Some(child) => node = child,
                None => break,
            }
        }
        node.place.clone()
    }

    fn child(&self, step: &Step) -> Option<&Node> {
        match (&self.value, step) {
            (Value::Table(entries), Step::Key(name)) => {
                entries.iter().find(|(key, _)| key == name).map(|(_, node)| node)
            }
            (Value::Array(items), Step::Index(index)) => items.get(*index),
            _ => None,
        }
    }

    /// Removes a key of a table.
    pub fn take(&mut self, key: &str) -> Option<Node> {
        let Value::Table(entries) = &mut self.value else { return None };
        let place = entries.iter().position(|(name, _)| name == key)?;
        Some(entries.remove(place).1)
    }

    /// The value in a few words, for messages.
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the string {text:?}"),
            Value::Integer(number) => format!("the integer {number}"),
            Value::HugeInteger(text) => format!("the integer {text}"),
            Value::Float(_, text) => format!("the number {text}"),
            Value::Boolean(value) => format!("the boolean {value}"),
            Value::Date(text) => format!("the date {text}"),
            Value::Array(items) => format!("an array of length {}", items.len()),
            Value::Table(_) => TABLE.to_owned(),
        }
    }
}

/// The way that a dotted key such as `force[0].vector` or `particles.count` describes.
pub fn way(key: &str) -> Vec<Step> {
    key.split(['.', '[', ']'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| match part.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key(part.to_owned()),
        })
        .collect()
}

fn table(entries: &DeTable<'_>, place_of: &dyn Fn(usize) -> Place) -> Value {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let converted = entries.into_iter().map(|(key, value)| {
        let place = place_of(key.span().start);
        (key.get_ref().to_string(), Node { value: convert(value.get_ref(), place_of), place })
    });
    Value::Table(converted.collect())
}

fn convert(value: &DeValue<'_>, place_of: &dyn Fn(usize) -> Place) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) => Value::Integer(value),
            Err(_) => Value::HugeInteger(number.to_string()),
        },
        DeValue::Float(number) => {
            let value = number.as_str().parse().unwrap_or(f64::NAN);
            Value::Float(value, number.as_str().to_owned())
        }
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(items) => {
            let node = |item: &toml::Spanned<DeValue<'_>>| Node {
                value: convert(item.get_ref(), place_of),
                place: place_of(item.span().start),
            };
            Value::Array(items.iter().map(node).collect())
        }
        DeValue::Table(entries) => table(entries, place_of),
    }
}

fn syntax_fault(text: &str, file: &Path, error: &toml::de::Error) -> CaseFault {
    let offset = error.span().map_or(text.len(), |span| span.start);
    let (line, column) = line_and_column(text, offset);
    CaseFault {
        file: file.to_owned(),
        place: Place::Character { line, column },
        key: String::new(),
        problem: format!("not valid TOML: {}", error.message().replace(", expected nothing", "")),
        remedy: "write one `key = value` per line under its [table], words in quotes".to_owned(),
    }
}

/// Line and column of a byte, both counted from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
