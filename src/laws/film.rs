//! The film between two particular surfaces: what it resists at any gap, where it ends, and its
//! mean over a step.
//!
//! Over a step the squeeze force is the exact mean \\((\Phi(h_1)-\Phi(h_0))/\Delta t\\) with
//! \\(\Phi' = X\\): a pair that closes from a wide gap meets the resistance of every gap on its
//! way. (Where the gap changes by less than a tenth, Simpson's rule gives it to a part in a
//! million.) All other rates meet the resistance of the middle of the step.

use super::{Pair, Rates, Resistance, Response};

/// Gaps that differ by less than a millionth of this share of the touching distance count as one,
/// where no inner gap is larger.
const LEAST_SCALE: f64 = 1e-4;

/// Changes of the gap, relative to it, up to which Simpson's rule gives the mean `[1]`.
const SIMPSON: f64 = 0.1;

/// How films end at the outer gap.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Cutoff {
    /// Unchanged up to the outer gap; beyond it what acts there fades to nothing, in proportion,
    /// over a twentieth of the outer gap. In sheared suspensions steps, viscosities and pressures
    /// are those of plain truncation within their errors; trajectories take 30 to 50 % fewer steps.
    #[default]
    Window,
    /// Unchanged up to the outer gap and nothing beyond it, as printed in \[GB20\] appendix B.
    Truncated,
    /// The value at the outer gap is subtracted at every gap. Resistances end without a jump, but
    /// are too small everywhere: with an outer gap of 0.5 that of squeezing by 26 % at a gap of
    /// 0.1 and by 66 % at 0.3, which makes viscosities 8 to 16 % and pressures 15 to 30 % lower.
    Smooth,
}

impl Cutoff {
    /// Width of the window, over the outer gap `[1]`.
    pub const WINDOW: f64 = 0.05;

    /// The gap beyond which a film that ends at an outer gap gives nothing `[a]`.
    pub fn reach(self, outer_gap: f64) -> f64 {
        match self {
            Cutoff::Window => (1.0 + Self::WINDOW) * outer_gap,
            Cutoff::Truncated | Cutoff::Smooth => outer_gap,
        }
    }

    /// The share that is left at a gap beyond the outer one of what acts there.
    pub fn left_beyond(self, outer_gap: f64, gap: f64) -> f64 {
        match self {
            Cutoff::Window => (1.0 - (gap - outer_gap) / (Self::WINDOW * outer_gap)).max(0.0),
            Cutoff::Truncated | Cutoff::Smooth => 0.0,
        }
    }
}

/// What a film would resist if it had no end.
pub(super) trait Resisting {
    /// Squeeze resistance at a gap `[μa]`.
    fn squeeze(&self, gap: f64) -> f64;

    /// Its integral over the gap, up to a constant `[μa²]`.
    fn squeeze_integral(&self, gap: f64) -> f64;

    /// Both.
    fn squeeze_and_integral(&self, gap: f64) -> [f64; 2] {
        [self.squeeze(gap), self.squeeze_integral(gap)]
    }

    /// Resistance to all rates at a gap.
    fn resistance(&self, gap: f64) -> Resistance;
}

/// A film between its limits.
pub(super) struct Ended<F> {
    /// What it resists between them.
    pub film: F,
    /// Gap below which resistances no longer change `[a]`.
    pub inner_gap: f64,
    /// Gap at which it ends `[a]`.
    pub outer_gap: f64,
    /// How it ends there.
    pub cutoff: Cutoff,
}

impl<F: Resisting> Ended<F> {
    /// The share that acts at a gap of what acts within the limits; none where nothing does.
    #[inline]
    fn share(&self, gap: f64) -> Option<f64> {
        if gap < self.outer_gap {
            return Some(1.0);
        }
        let left = self.cutoff.left_beyond(self.outer_gap, gap);
        (left > 0.0).then_some(left)
    }

    /// The gap within the limits that is next to this one `[a]`.
    #[inline]
    fn within(&self, gap: f64) -> f64 {
        gap.max(self.inner_gap).min(self.outer_gap)
    }

    /// Squeeze resistance taken off everywhere `[μa]`.
    #[inline]
    fn offset(&self) -> f64 {
        match self.cutoff {
            Cutoff::Smooth if self.outer_gap.is_finite() => self.film.squeeze(self.outer_gap),
            _ => 0.0,
        }
    }

    /// Squeeze resistance at a gap `[μa]`.
    #[inline]
    pub fn squeeze(&self, gap: f64) -> f64 {
        let Some(share) = self.share(gap) else { return 0.0 };
        share * (self.film.squeeze(self.within(gap)) - self.offset())
    }

    /// The integral of the squeeze resistance over the gap, up to a constant `[μa²]`.
    pub fn squeeze_integral(&self, gap: f64) -> f64 {
        let within = self.within(gap);
        let inside = self.film.squeeze_integral(within) - self.offset() * within;
        if gap < self.inner_gap {
            return inside + (gap - within) * self.squeeze(within);
        }
        if gap <= self.outer_gap || self.cutoff != Cutoff::Window {
            return inside;
        }
        // The mean share from the outer gap to this one, or to where nothing is left.
        let end = gap.min(self.cutoff.reach(self.outer_gap));
        let mean = 0.5 * (1.0 + self.cutoff.left_beyond(self.outer_gap, end));
        inside + mean * (end - self.outer_gap) * self.film.squeeze(self.outer_gap)
    }

    /// Resistance to all rates at a gap.
    #[inline]
    pub fn resistance(&self, gap: f64) -> Resistance {
        let Some(share) = self.share(gap) else { return Resistance::default() };
        let mut here = self.film.resistance(self.within(gap));
        if self.cutoff == Cutoff::Smooth && self.outer_gap.is_finite() {
            here = here - self.film.resistance(self.outer_gap);
        }
        if share < 1.0 { here * share } else { here }
    }

    /// The mean force over a step, linearised about the guess.
    pub fn respond(&self, pair: &Pair, rates: &Rates) -> Response {
        let mut response = Response::default();
        (response.at_rest.normal, response.resistance) = self.linearised(pair, rates);
        response
    }

    /// The same as tension at rest and resistance.
    #[inline(always)]
    pub fn linearised(&self, pair: &Pair, rates: &Rates) -> (f64, Resistance) {
        let end = pair.end_gap(rates.squeeze);
        let middle = self.resistance(0.5 * (pair.gap + end));
        let (mean, slope) = self.mean_squeeze(pair, end, middle.squeeze);
        let at_rest = mean * rates.squeeze - slope * rates.squeeze;
        (at_rest, Resistance { squeeze: slope, ..middle })
    }

    /// The mean squeeze resistance over the gaps of a step, given that of their middle, and the
    /// resistance at the end `[μa]`.
    #[inline]
    fn mean_squeeze(&self, pair: &Pair, end: f64, middle: f64) -> (f64, f64) {
        let (low, high) = (pair.gap.min(end), pair.gap.max(end));
        let change = end - pair.gap;
        let small = 1e-6 * (pair.gap.abs() + self.inner_gap.max(LEAST_SCALE * pair.sum()));
        if change.abs() <= small {
            // Too small for the difference of integrals.
            return (middle, self.squeeze(end));
        }
        let inside = low > self.inner_gap && high < self.outer_gap;
        if inside && change.abs() < SIMPSON * low {
            let slope = self.squeeze(end);
            return ((self.squeeze(pair.gap) + 4.0 * middle + slope) / 6.0, slope);
        }
        let (slope, integral) = if inside {
            let [squeeze, integral] = self.film.squeeze_and_integral(end);
            (squeeze - self.offset(), integral - self.offset() * end)
        } else {
            (self.squeeze(end), self.squeeze_integral(end))
        };
        ((integral - self.squeeze_integral(pair.gap)) / change, slope)
    }
}
