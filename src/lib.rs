//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod error;
pub mod plot;
pub mod stats;

pub use error::Error;
