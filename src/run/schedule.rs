//! When rows and frames are due.

use serde::{Deserialize, Serialize};

/// What is due at some progress is due this fraction of it earlier: sums round `[1]`.
const DUE_ROUNDING: f64 = 1e-12;

/// Where the last row and the last frame were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The progress at which the last row ended.
    row_end: f64,
    /// Frames written.
    frames: u64,
    /// The progress of the last frame.
    frame_at: f64,
}

impl Schedule {
    /// Whether a row ends at this progress, where one is `interval` long.
    pub fn row_is_due(&self, at: f64, interval: f64) -> bool {
        at - self.row_end >= interval * (1.0 - DUE_ROUNDING)
    }

    /// A row ends here.
    pub fn end_row(&mut self, at: f64) {
        self.row_end = at;
    }

    /// Whether a frame is due at this progress, where there is one `every` so much; none if zero.
    pub fn frame_is_due(&self, at: f64, every: f64) -> bool {
        every > 0.0 && at >= every * self.frames as f64 * (1.0 - DUE_ROUNDING)
    }

    /// Whether no frame was written at or after this progress.
    pub fn lacks_frame(&self, at: f64) -> bool {
        self.frame_at < at
    }

    /// Whether no frame was written yet.
    pub fn lacks_first_frame(&self) -> bool {
        self.frames == 0
    }

    /// A frame is written here.
    pub fn add_frame(&mut self, at: f64) {
        self.frames += 1;
        self.frame_at = at;
    }
}
