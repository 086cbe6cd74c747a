//! Columns of tables: a name, a unit, a meaning and the function that gives the number.
//!
//! A table is a list of columns, and everything follows from the list: the header of the file, the
//! numbers of a row, the documentation.
//!
//! ```
//! use zerostokes::record::column::{Column, values};
//!
//! struct Box { length: f64, width: f64 }
//!
//! const COLUMNS: &[Column<Box>] = &[
//!     Column::new("length", "a", "length of the box", |b| b.length),
//!     Column::new("area", "a²", "area of its floor", |b| b.length * b.width),
//! ];
//!
//! assert_eq!(values(COLUMNS, &Box { length: 2.0, width: 3.0 }), [2.0, 6.0]);
//! ```

use std::borrow::Cow;

/// How a column gathers the steps of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// The value of the last step.
    Last,
    /// Mean, with the weights of the steps.
    Mean,
    /// Smallest.
    Least,
    /// Largest.
    Most,
    /// Sum.
    Sum,
    /// Mean, weighted by the duration of the steps.
    OverTime,
}

impl Gather {
    /// What is gathered after the first sample `x` of a row.
    pub(super) fn first(self, x: f64, weight: f64) -> f64 {
        if self == Gather::Mean { x * weight } else { x }
    }

    /// What is gathered after one more sample, which lasted a `share` of the row so far.
    pub(super) fn next(self, gathered: f64, x: f64, weight: f64, share: f64) -> f64 {
        match self {
            Gather::Last => x,
            Gather::Mean => gathered + x * weight,
            Gather::Least => gathered.min(x),
            Gather::Most => gathered.max(x),
            Gather::Sum => gathered + x,
            Gather::OverTime => gathered + (x - gathered) * share,
        }
    }
}

/// A column of a table whose rows are made of samples `S`, with numbers unless `T` is another type.
#[derive(Clone, Debug)]
pub struct Column<S, T = f64> {
    /// Its name in the header.
    pub name: Cow<'static, str>,
    /// Its unit; `"1"` for a pure number.
    pub unit: &'static str,
    /// What it holds, for a reader.
    pub meaning: Cow<'static, str>,
    /// How it gathers the samples of one row.
    pub gather: Gather,
    value: Value<S, T>,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
enum Value<S, T> {
    /// A function of the sample.
    Of(fn(&S) -> T),
    /// A function of the sample that has several parts, and which of them.
    Part(fn(&S, usize) -> T, usize),
}

impl<S, T> Column<S, T> {
    /// A column that holds the last value.
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        value: fn(&S) -> T,
    ) -> Self {
        let (name, meaning) = (Cow::Borrowed(name), Cow::Borrowed(meaning));
        Column { name, unit, meaning, gather: Gather::Last, value: Value::Of(value) }
    }

    /// One of several columns that are alike: that of part `part`.
    pub fn part(
        name: String,
        unit: &'static str,
        meaning: String,
        part: usize,
        value: fn(&S, usize) -> T,
    ) -> Self {
        let (name, meaning) = (Cow::Owned(name), Cow::Owned(meaning));
        Column { name, unit, meaning, gather: Gather::Last, value: Value::Part(value, part) }
    }

    /// Three columns of a vector's components along x, y and z.
    pub fn vector(
        names: [&'static str; 3],
        unit: &'static str,
        meaning: &'static str,
        value: fn(&S, usize) -> T,
    ) -> [Self; 3] {
        [0, 1, 2].map(|k| {
            let meaning = format!("{meaning}, along {}", ["x", "y", "z"][k]);
            Column::part(names[k].to_owned(), unit, meaning, k, value)
        })
    }

    /// The same column, gathered in another way.
    pub const fn gathered(mut self, gather: Gather) -> Self {
        self.gather = gather;
        self
    }

    /// Its value.
    pub fn value(&self, sample: &S) -> T {
        match self.value {
            Value::Of(value) => value(sample),
            Value::Part(value, part) => value(sample, part),
        }
    }
}

/// The name, for headers.
impl<S, T> AsRef<str> for Column<S, T> {
    fn as_ref(&self) -> &str {
        &self.name
    }
}

/// The row of a sample.
pub fn values<S, T>(columns: &[Column<S, T>], sample: &S) -> Vec<T> {
    columns.iter().map(|column| column.value(sample)).collect()
}

/// What a reader wants to know of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Its name in the header.
    pub name: String,
    /// Its unit; `"1"` for a pure number.
    pub unit: &'static str,
    /// What it holds.
    pub meaning: String,
}

/// The name, for headers.
impl AsRef<str> for Description {
    fn as_ref(&self) -> &str {
        &self.name
    }
}

/// What a reader wants to know of some columns.
pub fn describe<S, T>(columns: &[Column<S, T>]) -> Vec<Description> {
    let describe = |column: &Column<S, T>| Description {
        name: column.name.to_string(),
        unit: column.unit,
        meaning: column.meaning.to_string(),
    };
    columns.iter().map(describe).collect()
}

/// What a reader wants to know of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDescription {
    /// Its name.
    pub file: &'static str,
    /// Where and when it is written.
    pub when: Cow<'static, str>,
    /// Its columns, or keys.
    pub columns: Vec<Description>,
}

impl FileDescription {
    /// Of a file, where and when it is written, and its columns or keys.
    pub fn new(file: &'static str, when: &'static str, columns: Vec<Description>) -> Self {
        FileDescription { file, when: when.into(), columns }
    }
}

/// Names of columns that have no unit or no meaning, or the name of another one.
pub fn faults(columns: &[Description]) -> Vec<&str> {
    let is_bad = |k: usize| {
        let Description { name, unit, meaning } = &columns[k];
        let twice = columns[..k].iter().any(|column| column.name == *name);
        twice || name.is_empty() || unit.is_empty() || meaning.is_empty()
    };
    (0..columns.len()).filter(|k| is_bad(*k)).map(|k| &*columns[k].name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_three_columns() {
        let columns = Column::vector(["x", "y", "z"], "a", "centre", |at: &[f64; 3], k| at[k]);
        assert_eq!(values(&columns, &[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        let last = Description { name: "z".into(), unit: "a", meaning: "centre, along z".into() };
        assert_eq!(describe(&columns)[2], last);
        assert!(faults(&describe(&columns)).is_empty());
        let unitless = Description { unit: "", ..last.clone() };
        assert_eq!(faults(&[last.clone(), last, unitless]), ["z", "z"]);
    }
}
