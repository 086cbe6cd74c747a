//! Everything that can go wrong, with the numbers that say why.

use std::path::PathBuf;

/// The one error type of the crate. Every message ends with what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory concerned.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The adaptive step became too small.
    #[error(
        "step {step} at strain {strain:.6}, time {time:.6}: the step fell to {size:.1e} because \
         {reason}; closest pair {} and {} with gap {gap:.3e}. A larger `time.tolerance`, a softer \
         `contact.stiffness` or a lower `particles.volume_fraction` may help", pair[0], pair[1]
    )]
    StepTooSmall {
        /// Accepted steps so far.
        step: u64,
        /// Total strain.
        strain: f64,
        /// Time `[t]`.
        time: f64,
        /// The step that was tried last `[t]`.
        size: f64,
        /// The closest pair.
        pair: [u32; 2],
        /// Its gap `[a]`.
        gap: f64,
        /// Why the step was shortened.
        reason: String,
    },
}
