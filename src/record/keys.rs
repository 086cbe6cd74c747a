//! Keys of JSON files: a struct that is written describes them by the documentation of its fields.

use super::column::Description;

/// A value of a JSON file.
pub trait Described {
    /// Its unit unless the documentation of its key ends with one, as in `[a]`; empty where the
    /// documentation must.
    const UNIT: &'static str;

    /// What follows its key: `[]` of a list, `.*` of values that are explained elsewhere.
    const ENDING: &'static str = "";

    /// Its keys, if it is an object.
    fn keys() -> Vec<Description> {
        Vec::new()
    }
}

/// Values of these types have this unit, and no keys.
macro_rules! plain {
    ($unit:literal: $($type:ty),+) => {
        $(impl Described for $type {
            const UNIT: &'static str = $unit;
        })+
    };
}
plain!("": f64, nalgebra::Vector3<f64>);
plain!("1": u32, u64, usize);
plain!("flag": bool);
plain!("text": String, &'static str);

impl Described for serde_json::Map<String, serde_json::Value> {
    const UNIT: &'static str = "";
    const ENDING: &'static str = ".*";
}

impl<T: Described> Described for Option<T> {
    const UNIT: &'static str = T::UNIT;
    const ENDING: &'static str = T::ENDING;

    fn keys() -> Vec<Description> {
        T::keys()
    }
}

impl<T: Described> Described for Vec<T> {
    const UNIT: &'static str = T::UNIT;
    const ENDING: &'static str = "[]";

    fn keys() -> Vec<Description> {
        T::keys()
    }
}

impl<T: Described, const N: usize> Described for [T; N] {
    const UNIT: &'static str = T::UNIT;
    const ENDING: &'static str = "[]";
}

/// Defines structs that are written as JSON, and describes their keys: each field is documented,
/// and its documentation ends with its unit.
macro_rules! described {
    ($(
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)*)])*
                $shown:vis $field:ident: $type:ty,
            )*
        }
    )+) => {$(
        $(#[$attribute])*
        $visible struct $name {
            $(
                $(#[doc = $doc])+
                $(#[serde($($serde)*)])*
                $shown $field: $type,
            )*
        }

        impl $crate::record::keys::Described for $name {
            const UNIT: &'static str = "";

            fn keys() -> Vec<$crate::record::column::Description> {
                let mut keys = Vec::new();
                $(keys.extend($crate::record::keys::field::<$type>(
                    stringify!($field),
                    concat!($($doc),+),
                    stringify!($($($serde)*)*),
                ));)*
                keys
            }
        }
    )+};
}
pub(crate) use described;

/// The keys of a field with its documentation and its attributes of serde.
pub(crate) fn field<T: Described>(
    name: &str,
    documentation: &'static str,
    serde: &str,
) -> Vec<Description> {
    let keys = T::keys();
    let (meaning, unit) = meaning_and_unit(documentation);
    let name = format!("{name}{}", T::ENDING);
    match serde {
        "skip" => Vec::new(),
        "flatten" => {
            let beside = |key: Description| Description { unit: key_unit(&key, unit), ..key };
            keys.into_iter().map(beside).collect()
        }
        _ if keys.is_empty() => {
            vec![Description { name, unit: unit.unwrap_or(T::UNIT), meaning: meaning.to_owned() }]
        }
        _ => {
            let below = |key: Description| Description {
                name: format!("{name}.{}", key.name),
                unit: key_unit(&key, unit),
                ..key
            };
            keys.into_iter().map(below).collect()
        }
    }
}

/// The unit of a key; where it has none, that of the field which holds it.
fn key_unit(key: &Description, holder: Option<&'static str>) -> &'static str {
    if key.unit.is_empty() { holder.unwrap_or_default() } else { key.unit }
}

/// Parts a documentation such as ``Thinnest film `[a]`.`` in meaning and unit.
fn meaning_and_unit(documentation: &'static str) -> (&'static str, Option<&'static str>) {
    let text = documentation.trim().trim_end_matches('.');
    match text.strip_suffix("]`").and_then(|text| text.rsplit_once("`[")) {
        Some((meaning, unit)) => (meaning.trim_end().trim_end_matches('.'), Some(unit)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    described! {
        /// Two lengths.
        #[derive(serde::Serialize)]
        pub struct Inner {
            /// The long one,
            /// on two lines `[a]`.
            pub long: f64,
            /// In the unit of what it belongs to.
            pub short: Option<f64>,
            /// Not written.
            #[serde(skip)]
            pub _hidden: bool,
        }

        /// A file.
        #[derive(serde::Serialize)]
        pub struct Outer {
            /// How many `[10]`.
            pub count: usize,
            /// Lengths `[m]`.
            pub inner: Vec<Inner>,
            /// Beside the others `[s]`.
            #[serde(flatten)]
            pub beside: Inner,
            /// Whether.
            pub whether: bool,
        }
    }

    #[test]
    fn keys_are_described_by_the_documentation() {
        let keys = Outer::keys();
        let seen: Vec<[&str; 3]> =
            keys.iter().map(|key| [&*key.name, key.unit, &*key.meaning]).collect();
        let long = "The long one, on two lines";
        let short = "In the unit of what it belongs to";
        assert_eq!(
            seen,
            [
                ["count", "10", "How many"],
                ["inner[].long", "a", long],
                ["inner[].short", "m", short],
                ["long", "a", long],
                ["short", "s", short],
                ["whether", "flag", "Whether"],
            ]
        );
    }
}
