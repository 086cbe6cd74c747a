//! From the document to the schema: a serde deserializer that knows where every value was given,
//! so that a misspelt key or a wrong type is reported at its line with what is valid there.

use std::fmt;
use std::path::Path;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::de::{MapAccess, SeqAccess, Unexpected};
use serde::forward_to_deserialize_any;

use super::document::{Node, TABLE, Value};
use super::nearest::nearest;
use crate::error::{CaseFault, Place};

/// An array in the words of messages.
const ARRAY: &str = "an array";

/// Decodes a whole document.
pub fn decode<'de, T: serde::Deserialize<'de>>(
    root: &'de Node,
    file: &Path,
) -> Result<T, CaseFault> {
    decode_at(root, "", file)
}

/// Decodes the value of a key.
pub fn decode_at<'de, T: serde::Deserialize<'de>>(
    node: &'de Node,
    key: &str,
    file: &Path,
) -> Result<T, CaseFault> {
    let cursor = Cursor { node, key: key.to_owned() };
    T::deserialize(cursor).map_err(|mismatch| mismatch.into_fault(file))
}

/// Decodes a document; in the list of keys that are valid at its top, some stand for one of them.
pub fn decode_with<'de, T: serde::Deserialize<'de>>(
    root: &'de Node,
    file: &Path,
    (one, some): (&str, &[&'static str]),
) -> Result<T, CaseFault> {
    let cursor = Cursor { node: root, key: String::new() };
    T::deserialize(cursor).map_err(|mut mismatch| {
        if let Kind::UnknownKey { valid, .. } = &mut mismatch.kind
            && let Some(place) = valid.iter().position(|key| *key == one)
        {
            *valid = [&valid[..place], some, &valid[place + 1..]].concat().into();
        }
        mismatch.into_fault(file)
    })
}

/// The place of a word among those that are valid for a key.
pub fn one_of(
    node: &Node,
    key: &str,
    valid: &[&'static str],
    file: &Path,
) -> Result<usize, CaseFault> {
    let kind = match &node.value {
        Value::Text(word) => match valid.iter().position(|known| known == word) {
            Some(place) => return Ok(place),
            None => Kind::UnknownWord { word: word.clone(), valid: valid.into() },
        },
        _ => Kind::Expected(format!("one of {}", quoted(valid))),
    };
    Err(Mismatch::new(kind).at(&Cursor { node, key: key.to_owned() }).into_fault(file))
}

/// Where the document and the schema disagree.
#[derive(Debug)]
struct Mismatch {
    kind: Kind,
    site: Option<Site>,
}

/// How the document and the schema disagree.
#[derive(Debug)]
enum Kind {
    UnknownKey { key: String, valid: Box<[&'static str]> },
    UnknownWord { word: String, valid: Box<[&'static str]> },
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
    fn new(kind: Kind) -> Self {
        Self { kind, site: None }
    }

    /// Adds the place, unless a value further inside has done so.
    fn at(mut self, cursor: &Cursor<'_>) -> Self {
        self.site.get_or_insert_with(|| Site {
            key: cursor.key.clone(),
            place: cursor.node.place.clone(),
            found: cursor.node.describe(),
        });
        self
    }

    fn into_fault(self, file: &Path) -> CaseFault {
        let site = self.site.unwrap_or_else(|| Site {
            key: String::new(),
            place: Place::File,
            found: String::new(),
        });
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
        Self::new(Kind::UnknownWord { word: word.to_owned(), valid: valid.into() })
    }

    fn unknown_field(key: &str, valid: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownKey { key: key.to_owned(), valid: valid.into() })
    }

    fn missing_field(key: &'static str) -> Self {
        Self::new(Kind::MissingKey(key))
    }
}

/// A value on its way into the schema.
struct Cursor<'de> {
    node: &'de Node,
    key: String,
}

impl<'de> Cursor<'de> {
    fn visit<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Mismatch> {
        match &self.node.value {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::HugeInteger(_) => Err(Mismatch::new(Kind::TooLarge)),
            Value::Float(number, _) if number.is_finite() => visitor.visit_f64(*number),
            Value::Float(..) => Err(Mismatch::new(Kind::NotFinite)),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Date(_) => Err(Mismatch::invalid_type(Unexpected::Other("date"), &visitor)),
            Value::Array(items) => {
                visitor.visit_seq(Items { items: items.iter(), key: &self.key, index: 0 })
            }
            Value::Table(entries) => {
                visitor.visit_map(Entries { entries: entries.iter(), key: &self.key, value: None })
            }
        }
    }
}

impl<'de> Deserializer<'de> for Cursor<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.visit(visitor).map_err(|mismatch| mismatch.at(&self))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_some(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match &self.node.value {
            Value::Array(items) if items.len() != length => {
                Err(Mismatch::invalid_length(items.len(), &visitor).at(&self))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        valid: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match &self.node.value {
            Value::Text(word) => {
                let word: StrDeserializer<'_, Mismatch> = word.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Mismatch::new(Kind::Expected(format!("one of {}", quoted(valid))))),
        }
        .map_err(|mismatch| mismatch.at(&self))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple_struct map struct identifier ignored_any
    }
}

/// The items of an array.
struct Items<'de, 'k> {
    items: std::slice::Iter<'de, Node>,
    key: &'k str,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mismatch> {
        let Some(node) = self.items.next() else { return Ok(None) };
        let key = format!("{}[{}]", self.key, self.index);
        self.index += 1;
        seed.deserialize(Cursor { node, key }).map(Some)
    }
}

/// The entries of a table.
struct Entries<'de, 'k> {
    entries: std::slice::Iter<'de, (String, Node)>,
    key: &'k str,
    value: Option<Cursor<'de>>,
}

impl<'de> MapAccess<'de> for Entries<'de, '_> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some((name, node)) = self.entries.next() else { return Ok(None) };
        let cursor = self.value.insert(Cursor { node, key: join(self.key, name) });
        let name: StrDeserializer<'_, Mismatch> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|mismatch| mismatch.at(cursor))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mismatch> {
        match self.value.take() {
            Some(cursor) => seed.deserialize(cursor),
            None => Err(Mismatch::custom("a value was asked for before its key")),
        }
    }
}

fn join(table: &str, name: &str) -> String {
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

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}
