//! The schema of a type as a user sees its table: keys of groups are among the others, in the order
//! of the fields, and what may be left out is not said to be null.

use serde_json::{Map, Value as Json, json};

use super::fields::Fields;
use super::mismatch::join;
use super::schema::BOUNDS;

/// The keyword that keeps the order of the keys of a table.
pub(super) const ORDER: &str = "order";

/// Tidies the schema of the table with this key, and what is in it.
pub(super) fn tidy(schema: &mut Json, key: &str, fields: &Fields) {
    let Some(object) = schema.as_object_mut() else { return };
    drop_null(object);
    object.remove("title");
    object.remove("format");
    if let Some(Json::String(text)) = object.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "");
    }
    if object.contains_key("properties") {
        ungroup(object);
        object.remove("default");
        let order = fields.get(key).map_or(&[][..], Vec::as_slice);
        object.insert(ORDER.to_owned(), json!(order));
    }
    if let Some(Json::Object(properties)) = object.get_mut("properties") {
        for (name, inner) in properties {
            tidy(inner, &join(key, name), fields);
        }
    }
    if let Some(items) = object.remove("items") {
        let mut items = with_bounds(items, object);
        tidy(&mut items, key, fields);
        object.insert("items".to_owned(), items);
    }
    for choice in ["anyOf", "oneOf"] {
        for inner in object.get_mut(choice).and_then(Json::as_array_mut).into_iter().flatten() {
            tidy(inner, key, fields);
        }
    }
}

/// An optional key is left out, and never null.
fn drop_null(object: &mut Map<String, Json>) {
    if object.get("default").is_some_and(Json::is_null) {
        object.remove("default");
    }
    if let Some(Json::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = &kinds[..] {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Json::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Json::Object(only)] = &choices[..] {
            let only = only.clone();
            object.remove("anyOf");
            for (keyword, value) in only {
                object.entry(keyword).or_insert(value);
            }
            drop_null(object);
        }
    }
}

/// Puts the keys of groups beside the others.
fn ungroup(object: &mut Map<String, Json>) {
    let Some(Json::Object(properties)) = object.get_mut("properties") else { return };
    let groups: Vec<String> =
        properties.keys().filter(|name| name.contains(' ')).cloned().collect();
    let mut inner_required = Vec::new();
    for group in groups {
        let Some(Json::Object(mut inner)) = properties.remove(&group) else { continue };
        if let Some(Json::Object(keys)) = inner.remove("properties") {
            properties.extend(keys);
        }
        if let Some(Json::Array(names)) = inner.remove("required") {
            inner_required.extend(names);
        }
    }
    if let Some(Json::Array(required)) = object.remove("required") {
        let own = required.into_iter();
        let own = own.filter(|name| name.as_str().is_some_and(|name| !name.contains(' ')));
        inner_required.extend(own);
    }
    if !inner_required.is_empty() {
        object.insert("required".to_owned(), inner_required.into());
    }
}

/// Bounds beside a list are those of its items.
fn with_bounds(mut items: Json, list: &mut Map<String, Json>) -> Json {
    let taken: Vec<_> =
        BOUNDS.iter().chain(&["remedy"]).filter_map(|bound| list.remove_entry(*bound)).collect();
    if let Json::Object(item) = &mut items {
        item.extend(taken);
    }
    items
}
