//! What is made of configurations and of finished runs.
//!
//! | module | what it does |
//! |---|---|
//! | [`mobility`] | one balance of forces for a configuration that is given |
//! | [`crosscheck`] | one case with less and less inertia, and without |

pub mod crosscheck;
pub mod mobility;
