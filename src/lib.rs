//! Dense suspensions, foams and emulsions at zero Stokes number.

pub mod error;

pub use error::Error;
