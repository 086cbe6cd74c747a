//! How far a run or a sweep is: a bar on a terminal, plain lines when redirected, nothing with
//! `--quiet`.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How progress is shown, always on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A bar that is redrawn.
    Bar,
    /// A line now and then.
    Lines,
    /// Nothing.
    Quiet,
}

impl Mode {
    /// Nothing if `quiet`; else a bar if stderr is a terminal, and lines if not.
    pub fn choose(quiet: bool) -> Self {
        match (quiet, stderr().is_terminal()) {
            (true, _) => Self::Quiet,
            (false, true) => Self::Bar,
            (false, false) => Self::Lines,
        }
    }
}

/// Writes a line to stderr. A run does not stop because nobody listens any more.
pub fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(stderr(), "{text}");
}

/// What a run says about itself.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot {
    /// The strain, or the time, reached. `[1]` or `[γ̇⁻¹]`
    pub at: f64,
    /// The relative viscosity, where there is one. `[1]`
    pub eta_r: Option<f64>,
    /// The size of the last step. `[γ̇⁻¹]`
    pub step: f64,
    /// The smallest gap between two particles, where there are two. `[a]`
    pub smallest_gap: Option<f64>,
}

/// A bar, or lines now and then, for something that goes from 0 to 1.
#[derive(Debug)]
pub struct Meter {
    mode: Mode,
    bar: ProgressBar,
    pace: Pace,
}

/// The bar's resolution.
const BAR_LENGTH: u64 = 1000;

impl Meter {
    /// At its beginning.
    pub fn new(mode: Mode) -> Self {
        let bar =
            if mode == Mode::Bar { ProgressBar::new(BAR_LENGTH) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {msg}").expect("the template is right");
        bar.set_style(style.progress_chars("=> "));
        Self { mode, bar, pace: Pace::new(mode, Instant::now()) }
    }

    /// Shows what `words` makes of the time left, if it is time to; says whether it was.
    pub fn update(
        &mut self,
        fraction: f64,
        words: impl FnOnce(Option<Duration>) -> String,
    ) -> bool {
        if self.mode == Mode::Quiet {
            return true;
        }
        let now = Instant::now();
        let due = self.pace.is_due(fraction, now);
        if due {
            self.show(fraction, words(self.pace.time_left(fraction, now)));
        }
        due
    }

    /// Shows a text at once.
    pub fn show(&self, fraction: f64, text: String) {
        match self.mode {
            Mode::Bar => {
                self.bar.set_position((fraction * BAR_LENGTH as f64) as u64);
                self.bar.set_message(text);
            }
            Mode::Lines => say(&text),
            Mode::Quiet => {}
        }
    }

    /// Prints a line that stays, whatever the mode, without disturbing the bar.
    pub fn exclaim(&self, text: &str) {
        match self.mode {
            Mode::Bar => self.bar.println(text),
            Mode::Lines | Mode::Quiet => say(text),
        }
    }

    /// Lets something be printed elsewhere without disturbing the bar.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Leaves the bar as it is.
    pub fn finish(&self) {
        self.bar.abandon();
    }
}

/// Shows how far one run is.
#[derive(Debug)]
pub struct Progress {
    quantity: &'static str,
    end: f64,
    meter: Meter,
    /// What was heard last, unless it was shown.
    unshown: Option<Snapshot>,
}

impl Progress {
    /// For a run that ends when `quantity` (`"strain"` or `"time"`) reaches `end`.
    pub fn new(mode: Mode, quantity: &'static str, end: f64) -> Self {
        Self { quantity, end, meter: Meter::new(mode), unshown: None }
    }

    /// Tells where the run is now expected to end.
    pub fn expect(&mut self, end: f64) {
        self.end = end;
    }

    /// Tells where the run is; cheap enough to be called every step.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let (quantity, end, fraction) = (self.quantity, self.end, self.fraction(snapshot.at));
        let shown = self.meter.update(fraction, |left| describe(snapshot, quantity, end, left));
        self.unshown = if shown { None } else { Some(*snapshot) };
    }

    /// Shows the last state and leaves it standing, wherever the run stopped.
    pub fn finish(&mut self) {
        if let Some(last) = self.unshown.take() {
            let text = describe(&last, self.quantity, self.end, None);
            self.meter.show(self.fraction(last.at), text);
        }
        self.meter.finish();
    }

    fn fraction(&self, at: f64) -> f64 {
        if self.end > 0.0 { (at / self.end).clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// When to show something, and how long the rest will take.
#[derive(Debug)]
struct Pace {
    mode: Mode,
    began: Instant,
    /// Where the run stood when it was first heard of: not at zero after a resume.
    first: Option<f64>,
    shown: Instant,
    tenth: u32,
}

impl Pace {
    const REDRAW: Duration = Duration::from_millis(100);
    const LINE: Duration = Duration::from_secs(5);

    fn new(mode: Mode, now: Instant) -> Self {
        Self { mode, began: now, first: None, shown: now, tenth: 0 }
    }

    /// A bar is redrawn ten times a second. A line comes at every tenth of the run, and in between
    /// every five seconds, more rarely the longer the run lasts.
    fn is_due(&mut self, fraction: f64, now: Instant) -> bool {
        let tenth = (fraction * 10.0 + 1e-9) as u32;
        if self.first.is_none() {
            self.first = Some(fraction);
            self.tenth = tenth;
        }
        let since = now - self.shown;
        let due = match self.mode {
            Mode::Bar => since >= Self::REDRAW,
            Mode::Lines => tenth > self.tenth || since >= Self::LINE.max((now - self.began) / 20),
            Mode::Quiet => false,
        };
        if due {
            self.shown = now;
            self.tenth = tenth;
        }
        due
    }

    /// At the pace so far.
    fn time_left(&self, fraction: f64, now: Instant) -> Option<Duration> {
        let done = fraction - self.first?;
        let seconds = (now - self.began).as_secs_f64() * (1.0 - fraction) / done;
        if done > 0.0 { Duration::try_from_secs_f64(seconds).ok() } else { None }
    }
}

/// `strain 1.250 of 5 (25 %)  η_r 14.7  Δt 3.0e-3  gap 1.2e-4  2 min left`
fn describe(snapshot: &Snapshot, quantity: &str, end: f64, left: Option<Duration>) -> String {
    let percent = if end > 0.0 { (100.0 * snapshot.at / end).floor().min(100.0) } else { 100.0 };
    let mut text = format!("{quantity} {:.3} of {} ({percent:.0} %)", snapshot.at, rounded(end));
    if let Some(eta_r) = snapshot.eta_r {
        text += &format!("  η_r {eta_r:.1}");
    }
    text += &format!("  Δt {:.1e}", snapshot.step);
    if let Some(gap) = snapshot.smallest_gap {
        text += &format!("  gap {gap:.1e}");
    }
    if let Some(left) = left {
        text += &format!("  {} left", span(left));
    }
    text
}

/// To four digits, and as short as it goes.
fn rounded(end: f64) -> f64 {
    format!("{end:.3e}").parse().unwrap_or(end)
}

/// A duration to the precision one plans with.
pub fn span(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s < 100.0 => format!("{:.0} s", s.ceil()),
        s if s < 6000.0 => format!("{:.0} min", (s / 60.0).ceil()),
        s if s < 48.0 * 3600.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} d", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: Snapshot =
        Snapshot { at: 1.25, eta_r: Some(14.68), step: 3e-3, smallest_gap: Some(1.2e-4) };

    #[test]
    fn a_line_says_what_one_wants_to_know() {
        let text = describe(&SNAPSHOT, "strain", 5.0, Some(Duration::from_secs(119)));
        assert_eq!(text, "strain 1.250 of 5 (25 %)  η_r 14.7  Δt 3.0e-3  gap 1.2e-4  2 min left");
        let bare = Snapshot { eta_r: None, smallest_gap: None, ..SNAPSHOT };
        assert_eq!(describe(&bare, "time", 5.0, None), "time 1.250 of 5 (25 %)  Δt 3.0e-3");
    }

    #[test]
    fn a_quick_run_gives_a_line_every_tenth() {
        let start = Instant::now();
        let mut pace = Pace::new(Mode::Lines, start);
        let lines = (0..=1000).filter(|i| pace.is_due(f64::from(*i) / 1000.0, start)).count();
        assert_eq!(lines, 10);
    }

    #[test]
    fn a_slow_run_gives_a_line_every_five_seconds_and_fewer_later() {
        let start = Instant::now();
        let mut pace = Pace::new(Mode::Lines, start);
        let mut lines = |range: std::ops::Range<u64>| {
            range.filter(|s| pace.is_due(0.0, start + Duration::from_secs(*s))).count()
        };
        assert_eq!(lines(0..100), 19);
        assert!(lines(100..86_400) < 150);
    }

    #[test]
    fn the_time_left_counts_from_where_the_run_was_resumed() {
        let start = Instant::now();
        let mut pace = Pace::new(Mode::Bar, start);
        assert_eq!(pace.time_left(0.5, start), None);
        pace.is_due(0.5, start);
        assert_eq!(pace.time_left(0.5, start), None);
        let left = pace.time_left(0.6, start + Duration::from_secs(10)).unwrap();
        assert!((left.as_secs_f64() - 40.0).abs() < 1e-6);
    }

    #[test]
    fn spans_are_round() {
        let say = |seconds| span(Duration::from_secs(seconds));
        assert_eq!(
            [say(59), say(100), say(7200), say(300_000)],
            ["59 s", "2 min", "2.0 h", "3.5 d"]
        );
    }

    #[test]
    fn every_mode_can_be_driven_to_its_end() {
        for mode in [Mode::Bar, Mode::Quiet] {
            let mut progress = Progress::new(mode, "strain", 5.0);
            progress.update(&SNAPSHOT);
            progress.finish();
        }
    }
}
