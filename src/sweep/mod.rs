//! Many cases at once: the product of lists of values for keys of one case file.
//!
//! A [`Sweep`] is read from its own file (`file`) as a grid of overrides (`grid`); every point of
//! it is an ordinary run in a directory of its own (`directory`), some of them at a time (`work`).
//! What the points find is one table (`table`), from which figures are drawn (`figures`).
//!
//! | file | what it is |
//! |---|---|
//! | `sweep.toml` | the sweep with all its values; can be run again |
//! | `sweep.csv` | one row per point, see [`SweepTable`] |
//! | `sweep.svg`, `sweep.png` | the figure, if there is one to draw |
//! | `points/0001`, … | a run's directory each, numbered along the grid from 1 |
//! | `points/0001.failed`, … | why a point failed, until it is tried again |

mod directory;
mod figures;
mod file;
mod grid;
mod pair_figures;
mod t1_figure;
mod table;
mod work;

use std::str::FromStr;

pub use directory::SweepDirectory;
pub use figures::{draw, figures};
pub use grid::{Axis, MOST_POINTS, Sweep};
pub use table::{Row, Scalar, Status, SweepTable};
pub use work::{Orders, Tally, Watch, carry_out};

/// The sweep with all its values.
pub const SWEEP: &str = "sweep.toml";
/// One row per point.
pub const TABLE: &str = "sweep.csv";
/// The figure, without its extension.
pub const FIGURE: &str = "sweep";
/// Where the points are.
pub const POINTS: &str = "points";

/// One of several shares of a sweep, `K/N`: every N-th point from the K-th on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// The whole sweep.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether a point, counted from 0, belongs to this share.
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("write K/N with K from 1 to N, as in 1/4".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_the_points_among_them() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|s| s.parse().unwrap()).to_vec();
        for index in 0..10 {
            assert_eq!(shards.iter().filter(|s| s.has(index)).count(), 1);
        }
        assert!(shards[0].has(0) && shards[1].has(4));
        for text in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
