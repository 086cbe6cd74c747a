//! The keys of case files, as one schema.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::{Case, LAW_TABLE, STUDY_TABLE, StudyKind};
use crate::document::schema;
use crate::laws::LawKind;

/// The tables that every case may have.
static COMMON: LazyLock<Json> = LazyLock::new(schema::of::<Case>);

/// The keys of case files that may name some studies and laws.
pub(super) fn of(studies: &[StudyKind], laws: &[LawKind]) -> Json {
    let mut case = COMMON.clone();
    let studied = studies.iter().filter_map(|study| Some((study.own_table()?, study.schema?)));
    let studied: Vec<_> = studied.map(|(table, schema)| (table, schema())).collect();
    let named: Vec<_> = laws.iter().map(|law| (law.name, (law.schema)())).collect();
    let mut order = Vec::new();
    for key in schema::order(&COMMON) {
        match key {
            STUDY_TABLE => order.extend(studied.iter().map(|(table, _)| *table)),
            LAW_TABLE => order.extend(named.iter().map(|(law, _)| *law)),
            key => order.push(key),
        }
    }
    schema::set_order(&mut case, &order);
    case["properties"]["study"] = study_key(studies, &studied);
    for (table, schema) in studied.into_iter().chain(named) {
        case["properties"][table] = schema;
    }
    case
}

/// The key that names the study.
fn study_key(studies: &[StudyKind], tables: &[(&str, Json)]) -> Json {
    let words = studies.iter().map(|study| {
        let own = || tables.iter().find(|(table, _)| *table == study.table);
        let said = || own().and_then(|(_, schema)| schema["description"].as_str());
        let about = if study.about.is_empty() { said().unwrap_or_default() } else { study.about };
        let about = about.split_once("]`: ").map_or(about, |(_, about)| about);
        json!({ "const": study.name, "description": about.trim_end_matches('.') })
    });
    let words: Vec<Json> = words.collect();
    let first = studies.first().map(|study| study.name);
    json!({ "description": "What is asked.", "oneOf": words, "default": first })
}
