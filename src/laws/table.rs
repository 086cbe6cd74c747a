//! The tables that name laws in a case file.
//!
//! A law whose forces add to those of the others has its table in its own file, as a [`LawTable`].
//! Keys, ranges and the law that is made of them follow from it.

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny};
use serde::{Deserialize, Serialize, Serializer};

use super::{Interactions, PairLaw};
use crate::document::Node;
use crate::document::decode::decode_at;
use crate::document::schema;
use crate::error::CaseFault;

/// What the numbers of a case are scaled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseUnits {
    /// Radius of the smallest sphere, the unit of lengths in a case.
    pub radius: f64,
    /// Viscosity of the fluid.
    pub viscosity: f64,
}

/// The table that names a law in a case file. Its doc comments are the meaning of its keys.
pub trait LawTable: Serialize + DeserializeOwned + JsonSchema + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The law.
    fn law(&self, units: CaseUnits) -> impl PairLaw + use<Self>;

    /// The largest force between two of the smallest spheres that touch, which contacts have to
    /// bear.
    fn largest_force(&self, _units: CaseUnits) -> f64 {
        0.0
    }
}

/// A law as case files know it.
#[derive(Clone, Copy)]
pub struct LawKind {
    /// The name of its table.
    pub name: &'static str,
    /// The keys of its table.
    pub schema: fn() -> serde_json::Value,
    decode: fn(&Node, &Path) -> Result<toml::Value, CaseFault>,
    add: fn(Interactions, &toml::Value, CaseUnits) -> Interactions,
    largest_force: fn(&toml::Value, CaseUnits) -> f64,
}

impl LawKind {
    /// The law of a table.
    pub const fn of<T: LawTable>() -> Self {
        LawKind {
            name: T::NAME,
            schema: schema::of::<T>,
            decode: |node, file| {
                let table: T = decode_at(node, T::NAME, file)?;
                Ok(toml::Value::try_from(table).expect("the table of a law is plain data"))
            },
            add: |laws, table, units| laws.with(read::<T>(table).law(units)),
            largest_force: |table, units| read::<T>(table).largest_force(units),
        }
    }
}

fn read<T: LawTable>(table: &toml::Value) -> T {
    table.clone().try_into().expect("a table that was decoded can be decoded again")
}

impl PartialEq for LawKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for LawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The laws that a case names by their tables, in the order in which they are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedLaws(Vec<(LawKind, toml::Value)>);

impl NamedLaws {
    /// Takes the tables of known laws out of a document.
    ///
    /// # Errors
    ///
    /// When a table is not as its law has it.
    pub fn take(document: &mut Node, known: &[LawKind], file: &Path) -> Result<Self, CaseFault> {
        let mut named = Vec::new();
        for kind in known {
            if let Some(node) = document.take(kind.name) {
                named.push((*kind, (kind.decode)(&node, file)?));
            }
        }
        Ok(NamedLaws(named))
    }

    /// The table of a law, if the case has it.
    pub fn get<T: LawTable>(&self) -> Option<T> {
        self.0.iter().find(|(kind, _)| kind.name == T::NAME).map(|(_, table)| read(table))
    }

    /// Names of laws that do not act across the films of soft and rough particles, among those
    /// that can be made: their tables are not `faulty`.
    pub fn not_across_films(&self, faulty: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let units = CaseUnits { radius: 1.0, viscosity: 1.0 };
        let sound = self.0.iter().filter(|(kind, _)| !faulty(kind.name));
        let apart = sound.filter(|(kind, table)| {
            let law = (kind.add)(Interactions::default(), table, units);
            law.iter().all(|law| law.across_film([1.0; 2], 1.0).is_none())
        });
        apart.map(|(kind, _)| kind.name).collect()
    }

    /// The laws that are named.
    pub fn kinds(&self) -> impl Iterator<Item = LawKind> {
        self.0.iter().map(|(kind, _)| *kind)
    }

    /// The laws themselves.
    pub fn interactions(&self, units: CaseUnits) -> Interactions {
        let laws = Interactions::default();
        self.0.iter().fold(laws, |laws, (kind, table)| (kind.add)(laws, table, units))
    }

    /// Names and largest forces between two of the smallest spheres that touch.
    pub fn largest_forces(&self, units: CaseUnits) -> impl Iterator<Item = (&'static str, f64)> {
        let force = move |(kind, table): &(LawKind, _)| (kind.largest_force)(table, units);
        self.0.iter().map(move |named| (named.0.name, force(named)))
    }
}

impl Serialize for NamedLaws {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, table)| (kind.name, table)))
    }
}

/// Only those who know the laws can tell which one a name means: [`NamedLaws::take`] has done so.
impl<'de> Deserialize<'de> for NamedLaws {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| NamedLaws::default())
    }
}
