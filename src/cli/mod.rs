//! What the user types and sees.

pub mod progress;
pub mod signals;
