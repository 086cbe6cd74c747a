//! Many cases at once: the product of lists of values for keys of one case file, or several curves
//! of such products.
//!
//! A [`Sweep`] is read from its own file (`file`, `together`) as a grid of overrides (`grid`);
//! every point of it is an ordinary run in a directory of its own (`directory`), some of them at a
//! time (`work`). What the points find is one table ([`SweepTable`]). Curves, fits and figures are
//! made from it (`conclusion`) by the study ([`crate::study::Study::conclude_sweep`]).
//!
//! | file | what it is |
//! |---|---|
//! | `sweep.toml` | the sweep with all its values; can be run again |
//! | `sweep.csv` | one row per point, see [`SweepTable`] |
//! | `curve.csv` | one row per combination of the keys but the seed, pooled |
//! | `curve_fit.json` | where each curve η_r(φ) of four points or more diverges |
//! | `viscosity.svg`, `.png`, `normal_viscosity` | η_r and Π/(μγ̇) against φ, if that is varied |
//! | `flow_curve.svg`, `.png`, `flow_curve_stress` | η_r against rate and stress, if one is varied |
//! | `configurations.svg`, `.png` | where particles in open space end, of two to six points |
//! | `sweep.svg`, `.png` | the figure of anything else, if there is one to draw |
//! | `points/0001`, … | a run's directory each, numbered along the grid from 1 |
//! | `points/0001.failed`, … | why a point failed, until it is tried again |

mod conclusion;
mod directory;
mod file;
mod grid;
mod set;
mod together;
mod work;

use std::str::FromStr;

pub use crate::record::{PointStatus, SweepTable};
pub use crate::study::sweep::{POINTS, SweepReport};
pub use conclusion::{conclude, conclude_again};
pub use directory::SweepDirectory;
pub use file::schema;
pub use grid::{CurveBlock, MANY_POINTS, MOST_POINTS, Sweep, SweepAxis};
pub use work::{Orders, SweepTally, Watch, carry_out};

/// The sweep with all its values.
pub const SWEEP: &str = "sweep.toml";
/// One row per point.
pub const TABLE: &str = "sweep.csv";

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
