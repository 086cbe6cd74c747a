//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod cli;
pub mod error;
pub mod record;

pub use error::Error;
