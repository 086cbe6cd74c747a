//! What the schema of a table says of its keys: the ranges of numbers.
//!
//! The schema of a table follows from its struct (`schemars`). Doc comments are the meaning, and
//! the unit in brackets at their end is the unit; ranges are JSON Schema's own keywords, and
//! `remedy` says in messages what to do about a number outside.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value as Json};

use super::{Node, Value};

/// The keywords that bound numbers.
const BOUNDS: [&str; 5] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "notZero"];

/// The schema of a type, with that of every type in it.
pub fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
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
                    let separator = if key.is_empty() { "" } else { "." };
                    visit(inner, schema, &format!("{key}{separator}{name}"), found);
                }
            }
        }
        Value::Array(items) => {
            let inner = schema.get("items").filter(|inner| inner.get("properties").is_some());
            for (index, item) in items.iter().enumerate() {
                visit(item, inner.unwrap_or(schema), &format!("{key}[{index}]"), found);
            }
        }
        Value::Integer(number) => check(*number as f64, schema, key, found),
        Value::Float(number, _) => check(*number, schema, key, found),
        _ => {}
    }
}

/// The schema of a key of a table.
pub fn property<'a>(schema: &'a Json, name: &str) -> Option<&'a Json> {
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    let optional = || schema.get("anyOf")?.as_array()?.iter().find_map(|s| property(s, name));
    own.or_else(optional)
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
fn short(value: f64) -> String {
    let small = value != 0.0 && value.abs() < 1e-4;
    if small { format!("{value:e}") } else { format!("{value}") }
}
