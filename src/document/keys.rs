//! The keys of a file as its schema describes them, for a reader.

use serde_json::Value as Json;

use super::mismatch::{join, quoted};
use super::schema::{Range, order, property, short};

/// A key of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key with its tables; `[]` follows the name of a list of tables.
    pub name: String,
    /// Its unit, or `flag`, `word`, `text`, `list`, `table`; empty if nothing is said.
    pub unit: String,
    /// What holds where it is left out, `none`, or `required`.
    pub default: String,
    /// What it may be.
    pub valid: String,
    /// What it means.
    pub meaning: String,
    /// The words that it may be, with their meanings.
    pub words: Vec<(String, String)>,
}

/// A table of a file, or its top.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTable {
    /// The key of the table, as those of [`Key`]; empty for the top of the file.
    pub name: String,
    /// What it is.
    pub meaning: String,
    /// The keys in it that are no tables.
    pub keys: Vec<Key>,
}

impl KeyTable {
    /// How the table begins in a file: `[contact]`, or `[[force]]`.
    pub fn header(&self) -> String {
        let plain = self.name.replace("[]", "");
        if self.name.ends_with("[]") { format!("[[{plain}]]") } else { format!("[{plain}]") }
    }
}

/// The tables of a file, its top first.
pub fn tables(schema: &Json) -> Vec<KeyTable> {
    let mut found = Vec::new();
    collect(schema, "", &mut found);
    found
}

fn collect(schema: &Json, name: &str, found: &mut Vec<KeyTable>) {
    let place = found.len();
    let required = schema.get("required").and_then(Json::as_array);
    let required = |key: &str| required.is_some_and(|names| names.iter().any(|name| name == key));
    let (meaning, _) = meaning_and_unit(schema);
    // `[contact]: spheres that touch` is the meaning of a type; the header is said elsewhere.
    let meaning = meaning.split_once("]`: ").map_or(meaning.as_str(), |(_, rest)| rest);
    let table = KeyTable { name: name.to_owned(), meaning: sentence(meaning), keys: Vec::new() };
    found.push(table);
    for key in order(schema) {
        let Some(inner) = property(schema, key) else { continue };
        let full = join(name, key);
        if inner.get("properties").is_some() {
            collect(inner, &full, found);
        } else if inner.get("items").is_some_and(|items| items.get("properties").is_some()) {
            collect(&inner["items"], &format!("{full}[]"), found);
        } else {
            found[place].keys.push(describe(inner, full, required(key)));
        }
    }
}

fn describe(schema: &Json, name: String, required: bool) -> Key {
    let (meaning, unit) = meaning_and_unit(schema);
    let words = |keyword: &str| schema.get(keyword).and_then(Json::as_str).map(str::to_owned);
    let default = match (required, words("otherwise"), schema.get("default")) {
        (true, ..) => "required".to_owned(),
        (false, Some(words), _) => words,
        (false, None, Some(value)) => written(value),
        (false, None, None) => "none".to_owned(),
    };
    let mut found = Vec::new();
    collect_words(schema, &mut found);
    Key {
        name,
        unit: unit.unwrap_or_else(|| kind(schema).to_owned()),
        default,
        valid: words("within").unwrap_or_else(|| valid(schema)),
        meaning: sentence(&meaning),
        words: found,
    }
}

/// Parts a description such as ``Thinnest film `[a]`.`` in meaning and unit.
fn meaning_and_unit(schema: &Json) -> (String, Option<String>) {
    let text = schema.get("description").and_then(Json::as_str).unwrap_or_default();
    let text = text.trim_end_matches('.');
    match text.strip_suffix("]`").and_then(|text| text.rsplit_once("`[")) {
        Some((meaning, unit)) => {
            let meaning = meaning.trim_end().trim_end_matches('.');
            (meaning.to_owned(), Some(unit.to_owned()))
        }
        None => (text.to_owned(), None),
    }
}

/// With a capital, unless it begins with a symbol.
fn sentence(text: &str) -> String {
    match text.get(..1) {
        Some(first) if text[1..].starts_with(|c: char| c.is_ascii_lowercase() || c == ' ') => {
            first.to_ascii_uppercase() + &text[1..]
        }
        _ => text.to_owned(),
    }
}

/// What stands for the unit of values that are no numbers, and of counts.
fn kind(schema: &Json) -> &'static str {
    match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => "flag",
        Some("integer") => "1",
        Some("array") => match kind(&schema["items"]) {
            "" => "list",
            inner => inner,
        },
        Some("object") => "table",
        Some("string") if schema.get("const").is_none() && schema.get("enum").is_none() => "text",
        Some("number") => "",
        _ if schema.get("oneOf").is_some() || schema.get("enum").is_some() => "word",
        _ => "",
    }
}

fn collect_words(schema: &Json, found: &mut Vec<(String, String)>) {
    if let Some(word) = schema.get("const").and_then(Json::as_str) {
        found.push((word.to_owned(), sentence(&meaning_and_unit(schema).0)));
    }
    let listed = schema.get("enum").and_then(Json::as_array).into_iter().flatten();
    let listed = listed.filter_map(Json::as_str);
    found.extend(listed.map(|word| (word.to_owned(), String::new())));
    for choice in ["oneOf", "anyOf"] {
        let inner = schema.get(choice).and_then(Json::as_array).into_iter().flatten();
        inner.for_each(|inner| collect_words(inner, found));
    }
    if let Some(items) = schema.get("items") {
        collect_words(items, found);
    }
}

/// What a value may be, in words.
fn valid(schema: &Json) -> String {
    let mut words = Vec::new();
    collect_words(schema, &mut words);
    let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    let range = Range::of(schema).map(|range| range.words());
    let number = |any: &str| range.clone().unwrap_or_else(|| any.to_owned());
    match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => format!("whole, {}", number("any")),
        Some("number") => number("any number"),
        Some("array") => list(schema),
        Some("object") => "any keys".to_owned(),
        Some("string") if words.is_empty() => "any text".to_owned(),
        _ if schema.get("anyOf").is_some() => {
            format!("{} or {}", quoted(&words), number("any number"))
        }
        _ if words.is_empty() => "any value".to_owned(),
        _ => quoted(&words),
    }
}

/// What a list may hold, in words.
fn list(schema: &Json) -> String {
    let items = &schema["items"];
    let inner = match (items.get("type").and_then(Json::as_str), valid(items)) {
        (Some("number"), range) if range == "any number" => "numbers".to_owned(),
        (Some("number"), range) => format!("numbers {range}"),
        (Some("integer"), _) => "whole numbers".to_owned(),
        (Some("array"), inner) => format!("lists of {inner}"),
        (_, other) => format!("of {other}"),
    };
    match schema.get("minItems").filter(|least| schema.get("maxItems") == Some(least)) {
        Some(count) => format!("{count} {inner}"),
        None if inner.starts_with("of ") => format!("a list {inner}"),
        None => format!("a list of {inner}"),
    }
}

/// A value as it is written in a file.
fn written(value: &Json) -> String {
    match value {
        Json::Number(number) => number.as_f64().map_or_else(|| number.to_string(), short),
        Json::Array(items) => {
            format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::schema;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// `[film]`: what is between.
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Film {
        /// Gap `[a]`.
        #[schemars(extend("exclusiveMinimum" = 0, "remedy" = "give more"))]
        gap: Option<f64>,
        #[serde(rename = "ends steps")]
        group: Group,
        /// How it ends.
        ending: Ending,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Group {
        /// Its two ends `[length]`.
        #[serde(default)]
        #[schemars(extend("minimum" = 0))]
        ends: [f64; 2],
        /// Steps.
        #[schemars(extend("otherwise" = "as many as it takes", "minimum" = 1))]
        steps: Option<usize>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Ending {
        /// At once.
        Sharp,
        /// Bit by bit.
        Smooth,
    }

    #[test]
    fn keys_have_units_defaults_ranges_and_meanings() {
        let tables = tables(&schema::of::<Film>());
        let [KeyTable { meaning, keys, .. }] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!(meaning, "What is between");
        let told = keys.iter().map(|key| {
            let Key { name, unit, default, valid, meaning, .. } = key;
            format!("{name} | {unit} | {default} | {valid} | {meaning}")
        });
        let expected = [
            "gap | a | none | > 0 | Gap",
            "ends | length | [0, 0] | 2 numbers >= 0 | Its two ends",
            "steps | 1 | as many as it takes | whole, >= 1 | Steps",
            "ending | word | required | \"sharp\", \"smooth\" | How it ends",
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
        let smooth = ("smooth".to_owned(), "Bit by bit".to_owned());
        assert_eq!(keys[3].words[1], smooth);
    }
}
