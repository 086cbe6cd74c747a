//! What a user asks for: each study turns a case into a state, a stepper and results.

pub mod summary;
pub mod suspension;
