//! Statistics of correlated time series: where the steady state begins, and how well its mean
//! is known.
//!
//! A run records one row per step, or per few steps, and every row is the *mean over its
//! interval*. Steps are adaptive, so the rows are not evenly spaced: means weigh a row by its
//! length, and whatever needs even spacing works on the [rebinned](Series) series.
//!
//! ```
//! use zerostokes::stats::{Series, estimate, steady_start};
//!
//! let strain: Vec<f64> = (1..=400).map(|k| 0.02 * k as f64).collect();
//! let viscosity: Vec<f64> =
//!     strain.iter().map(|g| 60.0 - 30.0 * (-g / 0.3f64).exp() + (37.0 * g).sin()).collect();
//! let series = Series::new(&strain, &viscosity);
//! let steady = steady_start(&[series]);
//! assert!(steady.settled && steady.start > 0.7 && steady.start < 4.0);
//! let mean = estimate(series, steady.start).unwrap().mean;
//! assert!((mean - 60.0).abs() < 0.5);
//! ```
//!
//! Frames are samples too: [`structure`] counts how particles sit about each other and [`forces`]
//! how hard they press, with errors from the scatter between blocks of frames ([`histogram`]).

mod estimate;
mod fit;
pub mod forces;
pub mod histogram;
mod pool;
mod series;
mod steady;
pub mod structure;

pub use estimate::{Estimate, estimate};
pub use fit::{Divergence, Measured, divergence, divergence_with_exponent};
pub use pool::{Part, Pooled, pool};
pub use series::Series;
pub use steady::{Steady, steady_start};

#[cfg(test)]
pub(crate) mod noise;
