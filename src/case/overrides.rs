//! Changes to a case file before it is decoded: `--set key=value`, or the settings of a sweep.

use std::path::Path;

use crate::document::{Node, Step, Value, way};
use crate::error::{CaseFault, Place};

/// Keys that stand for the same choice: setting one drops what the file says of the others.
const ALTERNATIVES: [(&str, &[&str]); 3] = [
    ("drive.rate", &["drive.stress"]),
    ("drive.stress", &["drive.rate"]),
    (
        "particles.file",
        &[
            "particles.count",
            "particles.volume_fraction",
            "particles.radii",
            "particles.volume_shares",
            "particles.spread",
            "particles.positions",
            "particles.velocities",
            "particles.region",
            "particles.radius_range",
            "domain.lengths",
        ],
    ),
];

/// A key of a case and the value it is given.
#[derive(Clone, Debug)]
pub struct Override {
    key: String,
    value: Node,
}

impl Override {
    /// A key and its value, which knows where it was given.
    pub(crate) fn new(key: String, value: Node) -> Self {
        Self { key, value }
    }

    /// The key with its table, `particles.count`.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value.
    pub fn value(&self) -> toml::Value {
        self.value.to_toml()
    }
}

impl std::fmt::Display for Override {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", self.key, self.value())
    }
}

/// Reads overrides in the form `key=value`.
pub fn read(texts: &[String], file: &Path) -> Result<Vec<Override>, CaseFault> {
    let fault = |text: &str, refusal| fault(file, Place::Set(text.to_owned()), refusal);
    texts.iter().map(|text| parse(text).map_err(|refusal| fault(text, refusal))).collect()
}

/// Applies the overrides in order; later ones win.
pub fn apply<'a>(
    root: &mut Node,
    overrides: impl IntoIterator<Item = &'a Override>,
    file: &Path,
) -> Result<(), CaseFault> {
    overrides.into_iter().try_for_each(|Override { key, value }| {
        drop_alternatives(root, key);
        insert(root, &way(key), value.clone(), &value.place)
            .map_err(|refusal| fault(file, value.place.clone(), refusal))
    })
}

/// What is wrong, and the remedy.
type Refusal = (String, String);

fn fault(file: &Path, place: Place, (problem, remedy): Refusal) -> CaseFault {
    CaseFault { file: file.to_owned(), place, key: String::new(), problem, remedy }
}

fn parse(text: &str) -> Result<Override, Refusal> {
    let place = Place::Set(text.to_owned());
    let (key, value) =
        text.split_once('=').map(|(k, v)| (k.trim(), v.trim())).ok_or_else(|| {
            ("there is no `=`".to_owned(), "write key=value, as in particles.count=500".to_owned())
        })?;
    let no_key = way(key).is_empty();
    if no_key || value.is_empty() {
        let missing = if no_key { "key before" } else { "value after" };
        let remedy = "write key=value, as in particles.count=500".to_owned();
        return Err((format!("there is no {missing} the `=`"), remedy));
    }
    Ok(Override::new(key.to_owned(), read_value(value, &place)?))
}

/// A value in TOML syntax; what can only be a bare word is a string.
fn read_value(text: &str, place: &Place) -> Result<Node, Refusal> {
    Node::parse_value(text, place).or_else(|message| {
        if text.starts_with(['[', '{', '"', '\'']) {
            let remedy = "close what is opened, and keep the shell from taking the quotes";
            return Err((format!("not a TOML value: {message}"), remedy.to_owned()));
        }
        Ok(Node { value: Value::Text(text.to_owned()), place: place.clone() })
    })
}

fn drop_alternatives(root: &mut Node, key: &str) {
    let others = ALTERNATIVES.iter().filter(|(set, _)| *set == key).flat_map(|(_, others)| *others);
    for (table, name) in others.filter_map(|other| other.split_once('.')) {
        let Value::Table(tables) = &mut root.value else { return };
        let found = tables.iter_mut().find(|(key, _)| key == table);
        if let Some((_, Node { value: Value::Table(entries), .. })) = found {
            entries.retain(|(key, node)| key != name || !matches!(node.place, Place::Line(_)));
        }
    }
}

/// Puts a node at the end of a way, making the tables that are missing.
fn insert(parent: &mut Node, way: &[Step], node: Node, place: &Place) -> Result<(), Refusal> {
    let Some((step, rest)) = way.split_first() else {
        *parent = node;
        return Ok(());
    };
    let found = parent.describe();
    match (&mut parent.value, step) {
        (Value::Table(entries), Step::Key(name)) => {
            let known = entries.iter().position(|(key, _)| key == name);
            if known.is_none() && matches!(rest.first(), Some(Step::Index(_))) {
                let remedy = "set the whole array, as in particles.radii=[1,1.4]".to_owned();
                return Err((format!("the case file gives no array `{name}`"), remedy));
            }
            let index = known.unwrap_or_else(|| {
                let empty = Node { value: Value::Table(Vec::new()), place: place.clone() };
                entries.push((name.clone(), empty));
                entries.len() - 1
            });
            insert(&mut entries[index].1, rest, node, place)
        }
        (Value::Array(items), Step::Index(index)) => match items.get_mut(*index) {
            Some(item) => insert(item, rest, node, place),
            None => {
                let remedy = "count from 0, or set the whole array".to_owned();
                Err((format!("there is no [{index}] in {found}"), remedy))
            }
        },
        (_, Step::Key(name)) => {
            let remedy = "name the tables of the case file, as in contact.friction=0.5".to_owned();
            Err((format!("`{name}` is looked for in {found}"), remedy))
        }
        (_, Step::Index(index)) => {
            let remedy = "only arrays are numbered".to_owned();
            Err((format!("[{index}] is looked for in {found}"), remedy))
        }
    }
}
