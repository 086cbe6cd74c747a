//! The keys of a type in the order of its fields: a serde deserializer that only takes down what
//! is asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::de::value::{Error, MapDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};

use super::mismatch::join;

/// The keys of each table of a type, by the key of the table; empty for the type itself.
pub type Fields = BTreeMap<String, Vec<&'static str>>;

/// The keys of a type and of the tables in it, in the order of their fields. Keys of groups are
/// among the others.
///
/// # Panics
///
/// If the type is not plain data.
pub fn of<T: DeserializeOwned>() -> Fields {
    let found = RefCell::default();
    let all = Outline { key: String::new(), in_group: false, found: &found };
    T::deserialize(all).expect("the table of a case is plain data");
    found.into_inner()
}

/// A value that is whatever its type wants it to be.
#[derive(Clone)]
struct Outline<'a> {
    key: String,
    in_group: bool,
    found: &'a RefCell<Fields>,
}

/// Methods that hand the visitor a value.
macro_rules! give {
    ($($method:ident: $visit:ident($($value:expr)?)),+ $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit($($value)?)
        })+
    };
}

impl<'de> Deserializer<'de> for Outline<'_> {
    type Error = Error;

    give! {
        deserialize_any: visit_f64(1.0), deserialize_bool: visit_bool(false),
        deserialize_f32: visit_f64(1.0), deserialize_f64: visit_f64(1.0),
        deserialize_i8: visit_i64(1), deserialize_i16: visit_i64(1),
        deserialize_i32: visit_i64(1), deserialize_i64: visit_i64(1),
        deserialize_u8: visit_u64(1), deserialize_u16: visit_u64(1),
        deserialize_u32: visit_u64(1), deserialize_u64: visit_u64(1),
        deserialize_char: visit_char('a'), deserialize_str: visit_str("a"),
        deserialize_string: visit_str("a"), deserialize_identifier: visit_str("a"),
        deserialize_bytes: visit_bytes(b"a"), deserialize_byte_buf: visit_bytes(b"a"),
        deserialize_unit: visit_unit(), deserialize_ignored_any: visit_unit(),
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Items { item: self, left: 1 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Items { item: self, left: n })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let none = std::iter::empty::<(&str, f64)>();
        visitor.visit_map(MapDeserializer::<_, Error>::new(none))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if !self.in_group {
            let keys = fields.iter().flat_map(|name| name.split(' ')).collect();
            self.found.borrow_mut().insert(self.key.clone(), keys);
        }
        visitor.visit_map(Entries { table: self, fields: fields.iter(), value: None })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word: StrDeserializer<'_, Error> = words[0].into_deserializer();
        visitor.visit_enum(word)
    }
}

/// Items that are all alike.
struct Items<'a> {
    item: Outline<'a>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.item.clone()).map(Some)
    }
}

/// Every field of a struct.
struct Entries<'a> {
    table: Outline<'a>,
    fields: std::slice::Iter<'static, &'static str>,
    value: Option<Outline<'a>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(name) = self.fields.next() else { return Ok(None) };
        let Outline { key, found, .. } = &self.table;
        let in_group = name.contains(' ');
        let key = if in_group { key.clone() } else { join(key, name) };
        self.value = Some(Outline { key, in_group, found });
        let name: StrDeserializer<'_, Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let value = self.value.take().expect("a value is asked for after its key");
        seed.deserialize(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are of interest")]
    struct Outer {
        second: f64,
        #[serde(rename = "inner third")]
        group: Group,
        first: Option<Vec<Inner>>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are of interest")]
    struct Group {
        inner: Inner,
        third: [f64; 3],
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are of interest")]
    struct Inner {
        word: Word,
        flag: bool,
    }

    #[derive(Deserialize)]
    enum Word {
        Yes,
    }

    #[test]
    fn keys_come_in_the_order_of_fields_and_groups_are_no_tables() {
        let fields = of::<Outer>();
        assert_eq!(fields[""], ["second", "inner", "third", "first"]);
        assert_eq!(fields["inner"], ["word", "flag"]);
        assert_eq!(fields["first"], ["word", "flag"]);
        assert_eq!(fields.len(), 3);
        let _ = Word::Yes;
    }
}
