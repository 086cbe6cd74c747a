//! Ranges of numbers that depend on other keys, and how they are written in messages. Those of one
//! key alone are in the schema, beside the key.

use std::fmt;

/// The numbers a key may have.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Anything but zero.
    NotZero,
    /// Strictly between two numbers.
    Between(f64, f64),
    /// From the first number, included, to the second, not included.
    From(f64, f64),
}

impl Range {
    /// Whether a number is in the range.
    pub fn contains(self, value: f64) -> bool {
        match self {
            Range::NotZero => value != 0.0,
            Range::Between(low, high) => low < value && value < high,
            Range::From(low, high) => (low..high).contains(&value),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::From(low, high) if *low > 0.0 && *low < 1e-4 && *high > 1e4 => {
                write!(f, ">= {low:e} and < {high:e}")
            }
            Range::From(low, high) if *low > 0.0 && *low < 1e-4 => {
                write!(f, ">= {low:e} and < {high}")
            }
            Range::NotZero => write!(f, "any number but 0"),
            Range::Between(low, high) => write!(f, "> {low} and < {high}"),
            Range::From(low, high) => write!(f, ">= {low} and < {high}"),
        }
    }
}
