//! What is compared between runs of a study: with and without inertia, for instance.

/// A quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Its name in files.
    pub name: &'static str,
    /// In words.
    pub words: &'static str,
    /// In figures.
    pub label: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// What its differences are measured by.
    pub scale: Scale,
}

/// Where a quantity comes from. The last five are no properties of a run but distances between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A number of `summary.json`.
    Result(&'static str),
    /// Mean of a column over the window that all runs share.
    Mean(&'static str),
    /// Smallest value of a column.
    Least(&'static str),
    /// When a column, on a logarithmic scale, reaches a value.
    Arrival(&'static str, f64),
    /// Rate of the logarithm of a column between two values.
    Decay(&'static str, [f64; 2]),
    /// Largest distance, over time, of the points whose coordinates these columns are.
    Apart(&'static [&'static str]),
    /// Largest ratio of a column, over time, as a logarithm.
    Ratio(&'static str),
    /// Mean size of the difference of a column over the window that all runs share. (Squares would
    /// make too much of the beginning, when particles with inertia are still at rest in the flow.)
    History(&'static str),
    /// Largest distance of a particle over time, from the frames.
    Paths,
    /// Root-mean-square distance of the particles at the end.
    Ends,
}

impl Source {
    /// Whether it is a distance between two runs: zero for the quasi-static one.
    pub fn is_distance(self) -> bool {
        use Source::{Apart, Ends, History, Paths, Ratio};
        matches!(self, Apart(_) | Ratio(_) | History(_) | Paths | Ends)
    }
}

/// What differences are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The quasi-static value.
    Own,
    /// The quasi-static value of another quantity of the list.
    Of(&'static str),
    /// A unit, `a`.
    Unit(&'static str),
    /// Nothing: it is a ratio.
    None,
}

/// A quantity.
pub const fn quantity(
    name: &'static str,
    words: &'static str,
    label: &'static str,
    source: Source,
    scale: Scale,
) -> Quantity {
    Quantity { name, words, label, source, scale }
}
