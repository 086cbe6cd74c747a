//! What the schema of a table says of its keys: the ranges of numbers.
//!
//! The schema of a table follows from its struct (`schemars`). Doc comments are the meaning, and
//! the unit in brackets at their end is the unit; ranges are JSON Schema's own keywords. Keywords
//! of our own beside a field:
//!
//! | keyword | says |
//! |---|---|
//! | `notZero` | any number but 0 |
//! | `remedy` | in messages, what to do about a number outside |
//! | `within` | in words, a range that depends on other keys (a check of the case has it) |
//! | `otherwise` | in words, what holds where the key is left out, if that depends on others |

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::mismatch::join;
use super::tidy::{ORDER, tidy};
use super::{Node, Value, fields};

/// The keywords that bound numbers.
pub(super) const BOUNDS: [&str; 5] =
    ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "notZero"];

/// The schema of a table, with those of the tables in it: its keys as they are written in a file.
pub fn of<T: JsonSchema + DeserializeOwned>() -> Json {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema, "", &fields::of::<T>());
    schema
}

/// The keys of a table in order.
pub fn order(schema: &Json) -> Vec<&str> {
    let order = schema.get(ORDER).and_then(Json::as_array);
    order.into_iter().flatten().filter_map(Json::as_str).collect()
}

/// Puts the keys of a table in order; one that is not there stands for others.
pub fn set_order(schema: &mut Json, order: &[&str]) {
    schema[ORDER] = order.into();
}

/// The schema for other programs: without the order of keys.
pub fn published(schema: &Json) -> Json {
    match schema {
        Json::Object(object) => {
            let others = object.iter().filter(|(keyword, _)| *keyword != ORDER);
            Json::Object(others.map(|(name, value)| (name.clone(), published(value))).collect())
        }
        Json::Array(items) => items.iter().map(published).collect(),
        other => other.clone(),
    }
}

/// A number outside of the range of its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// The key, with its table.
    pub key: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

/// All numbers of a document that are outside of the ranges of their keys.
pub fn outside(node: &Node, schema: &Json) -> Vec<Outside> {
    let mut found = Vec::new();
    visit(node, schema, "", &mut found);
    found
}

fn visit(node: &Node, schema: &Json, key: &str, found: &mut Vec<Outside>) {
    match &node.value {
        Value::Table(entries) => {
            for (name, inner) in entries {
                if let Some(schema) = property(schema, name) {
                    visit(inner, schema, &join(key, name), found);
                }
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (index, item) in items.iter().enumerate() {
                visit(item, schema, &format!("{key}[{index}]"), found);
            }
        }
        Value::Integer(number) => check(*number as f64, schema, key, found),
        Value::Float(number, _) => check(*number, schema, key, found),
        _ => {}
    }
}

/// The schema of a key of a table.
pub fn property<'a>(schema: &'a Json, name: &str) -> Option<&'a Json> {
    schema.get("properties")?.get(name)
}

fn check(value: f64, schema: &Json, key: &str, found: &mut Vec<Outside>) {
    let Some(range) = Range::of(schema).filter(|range| !range.contains(value)) else { return };
    let value = if range.whole { format!("{value}") } else { format!("{value:?}") };
    let problem = format!("{value} is out of range, valid is {}", range.words());
    let remedy = schema.get("remedy").and_then(Json::as_str).unwrap_or_default().to_owned();
    found.push(Outside { key: key.to_owned(), problem, remedy });
}

/// The numbers that a key may have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The bounds, in the order of [`BOUNDS`].
    bounds: [Option<f64>; 4],
    not_zero: bool,
    whole: bool,
}

impl Range {
    /// The range in the schema of a key; none if any number will do.
    pub fn of(schema: &Json) -> Option<Range> {
        let schema: &Map<String, Json> = schema.as_object()?;
        let mut bounds = [None; 4];
        for (bound, keyword) in bounds.iter_mut().zip(BOUNDS) {
            *bound = schema.get(keyword).and_then(Json::as_f64);
        }
        let not_zero = schema.get("notZero").is_some();
        let whole = schema.get("type").is_some_and(|kind| kind.to_string().contains("integer"));
        let any = bounds.iter().all(Option::is_none) && !not_zero;
        (!any).then_some(Range { bounds, not_zero, whole })
    }

    fn contains(&self, value: f64) -> bool {
        let [least, above, most, below] = self.bounds;
        least.is_none_or(|bound| value >= bound)
            && above.is_none_or(|bound| value > bound)
            && most.is_none_or(|bound| value <= bound)
            && below.is_none_or(|bound| value < bound)
            && !(self.not_zero && value == 0.0)
    }

    /// The range in words.
    pub fn words(&self) -> String {
        if self.not_zero {
            return "any number but 0".to_owned();
        }
        if let ([Some(least), None, Some(most), None], true) = (self.bounds, self.whole) {
            return format!("{least} to {most}");
        }
        let bounds = self.bounds.iter().zip([">=", ">", "<=", "<"]);
        let bounds =
            bounds.filter_map(|(bound, sign)| Some(format!("{sign} {}", short((*bound)?))));
        bounds.collect::<Vec<_>>().join(" and ")
    }
}

/// A number as it is written shortest.
pub(super) fn short(value: f64) -> String {
    let far = value != 0.0 && !(1e-4..1e5).contains(&value.abs());
    if far { format!("{value:e}") } else { format!("{value}") }
}
