//! From the document to the schema: a serde deserializer that knows where every value was given,
//! so that a misspelt key or a wrong type is reported at its line with what is valid there.
//!
//! A struct may keep some keys of its table in a struct of its own, a group. The field of a group
//! is renamed to the keys that it holds, `#[serde(rename = "velocity spin pivot")]`; what is
//! written is turned back by [`ungrouped`]. (Serde's `flatten` would lose the places.)

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::de::{MapAccess, SeqAccess, Unexpected};
use serde::forward_to_deserialize_any;

use super::mismatch::{Kind, Mismatch, join, quoted};
use super::{Node, Value};
use crate::error::CaseFault;

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
    T::deserialize(Cursor::new(node, key)).map_err(|mismatch| mismatch.into_fault(file))
}

/// Decodes a document; in the list of keys that are valid at its top, some stand for others.
pub fn decode_with<'de, T: serde::Deserialize<'de>>(
    root: &'de Node,
    file: &Path,
    stand_ins: &[(&str, Vec<&'static str>)],
) -> Result<T, CaseFault> {
    T::deserialize(Cursor::new(root, "")).map_err(|mut mismatch| {
        if let Kind::UnknownKey { valid, .. } = &mut mismatch.kind {
            for (one, others) in stand_ins {
                if let Some(place) = valid.iter().position(|key| key == one) {
                    valid.splice(place..=place, others.iter().copied());
                }
            }
        }
        mismatch.into_fault(file)
    })
}

/// A table as it is written in a file: keys of groups, and tables that stand for others (their
/// names are in brackets), are among the others.
pub fn ungrouped(table: toml::Table) -> toml::Table {
    let mut plain = toml::Table::new();
    for (key, value) in table {
        match inside(value, &ungrouped) {
            toml::Value::Table(inner) if key.contains([' ', '[']) => plain.extend(inner),
            value => {
                plain.insert(key, value);
            }
        }
    }
    plain
}

/// A table in the order of its keys, and so those inside.
pub fn sorted(table: toml::Table) -> toml::Table {
    let entries = table.into_iter().map(|(key, value)| (key, inside(value, &sorted)));
    entries.collect::<BTreeMap<_, _>>().into_iter().collect()
}

/// The value, with the tables in it changed.
fn inside(value: toml::Value, change: &dyn Fn(toml::Table) -> toml::Table) -> toml::Value {
    match value {
        toml::Value::Table(table) => change(table).into(),
        toml::Value::Array(items) => {
            items.into_iter().map(|item| inside(item, change)).collect::<Vec<_>>().into()
        }
        other => other,
    }
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
            None => Kind::UnknownWord { word: word.clone(), valid: valid.to_vec() },
        },
        _ => Kind::Expected(format!("one of {}", quoted(valid))),
    };
    Err(Mismatch::new(kind).at(key, node).into_fault(file))
}

/// A value on its way into the schema.
struct Cursor<'de> {
    node: &'de Node,
    key: String,
    /// The keys of a group, where only these are decoded.
    group: Option<&'static str>,
}

impl<'de> Cursor<'de> {
    fn new(node: &'de Node, key: &str) -> Self {
        Cursor { node, key: key.to_owned(), group: None }
    }

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
            Value::Table(_) => visitor.visit_map(Entries::new(self, &[])),
        }
    }
}

impl<'de> Deserializer<'de> for Cursor<'de> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.visit(visitor).map_err(|mismatch| mismatch.at(&self.key, self.node))
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
                Err(Mismatch::invalid_length(items.len(), &visitor).at(&self.key, self.node))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        match &self.node.value {
            Value::Table(_) => visitor.visit_map(Entries::new(&self, fields)),
            _ => self.visit(visitor),
        }
        .map_err(|mismatch| mismatch.at(&self.key, self.node))
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
        .map_err(|mismatch| mismatch.at(&self.key, self.node))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple_struct map identifier ignored_any
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
        seed.deserialize(Cursor::new(node, &key)).map(Some)
    }
}

/// The entries of a table: first those with a field of their own, then the groups.
struct Entries<'de> {
    entries: std::vec::IntoIter<(&'de str, Cursor<'de>)>,
    value: Option<Cursor<'de>>,
}

impl<'de> Entries<'de> {
    fn new(table: &Cursor<'de>, fields: &[&'static str]) -> Self {
        let Cursor { node, key, group } = table;
        let Value::Table(all) = &node.value else { unreachable!("only tables have entries") };
        let has = |group: &str, name: &str| group.split(' ').any(|key| key == name);
        let groups: Vec<_> = fields.iter().copied().filter(|name| name.contains(' ')).collect();
        let own = |name: &str| {
            group.is_none_or(|group| has(group, name)) && !groups.iter().any(|g| has(g, name))
        };
        let own = all.iter().filter(|(name, _)| own(name));
        // Names of groups, and in brackets, are the schema's own; in a file they are unknown keys.
        let known = |name: &'de str| if name.contains([' ', '[']) { "?" } else { name };
        let own = own.map(|(name, node)| (known(name), Cursor::new(node, &join(key, name))));
        let whole = |group| (group, Cursor { node, key: key.clone(), group: Some(group) });
        let entries: Vec<_> = own.chain(groups.iter().map(|group| whole(*group))).collect();
        Entries { entries: entries.into_iter(), value: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some((name, cursor)) = self.entries.next() else { return Ok(None) };
        let cursor = self.value.insert(cursor);
        let name: StrDeserializer<'_, Mismatch> = name.into_deserializer();
        seed.deserialize(name).map(Some).map_err(|mismatch| mismatch.at(&cursor.key, cursor.node))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mismatch> {
        match self.value.take() {
            Some(cursor) => seed.deserialize(cursor),
            None => Err(Mismatch::custom("a value was asked for before its key")),
        }
    }
}
