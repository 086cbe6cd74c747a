//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod balance;
pub mod case;
pub mod cell;
pub mod cli;
pub mod drive;
pub mod error;
pub mod integrate;
pub mod laws;
pub mod pack;
pub mod pairs;
pub mod plot;
pub mod record;
pub mod run;
pub mod solve;
pub mod state;
pub mod stats;
pub mod stress;
pub mod study;

pub use error::Error;
