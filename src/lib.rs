//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod error;
pub mod pack;

pub use error::Error;
