//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod case;
pub mod error;

pub use error::Error;
