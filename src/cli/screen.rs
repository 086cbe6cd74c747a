//! What the user sees while many runs are at work.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::progress::{Meter, Mode};
use super::signals::Interrupt;

/// How far many runs are.
pub(super) trait Tally: Clone {
    /// The share of the work that is done.
    fn fraction(&self) -> f64;

    /// One line, after a time and with that which is left, if it is known.
    fn line(&self, elapsed: Duration, left: Option<Duration>) -> String;
}

/// A meter that all threads may move.
pub(super) struct Screen<T> {
    pub interrupt: Interrupt,
    pub began: Instant,
    shown: Mutex<Shown<T>>,
}

/// The meter, and what it has not shown.
struct Shown<T> {
    meter: Meter,
    /// What was heard last, unless it was shown.
    last: Option<T>,
}

impl<T: Tally> Screen<T> {
    pub fn new(mode: Mode, interrupt: Interrupt) -> Self {
        let shown = Mutex::new(Shown { meter: Meter::new(mode), last: None });
        Self { interrupt, began: Instant::now(), shown }
    }

    fn shown(&self) -> MutexGuard<'_, Shown<T>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows how far all is, if it is time to.
    pub fn show(&self, tally: &T) {
        let (elapsed, mut shown) = (self.began.elapsed(), self.shown());
        let due = shown.meter.update(tally.fraction(), |left| tally.line(elapsed, left));
        shown.last = if due { None } else { Some(tally.clone()) };
    }

    /// Prints a line that stays.
    pub fn exclaim(&self, text: &str) {
        self.shown().meter.exclaim(text);
    }

    /// Lets something be printed elsewhere.
    pub fn aside(&self, print: impl FnOnce()) {
        self.shown().meter.aside(print);
    }

    /// Whether the user wants to stop.
    pub fn is_stopped(&self) -> bool {
        self.interrupt.requested().is_some()
    }

    /// Shows the last state and leaves it standing.
    pub fn finish(&self) {
        let mut shown = self.shown();
        if let Some(last) = shown.last.take() {
            shown.meter.show(last.fraction(), last.line(self.began.elapsed(), None));
        }
        shown.meter.finish();
    }
}
