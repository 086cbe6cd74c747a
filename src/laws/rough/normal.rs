//! The normal part of a rough contact: ln u over a step, solved for and eliminated.

use super::Rough;
use crate::laws::Pair;

/// Most iterations of the solution inside a pair; halving alone needs about sixty.
const MOST_ITERATIONS: usize = 200;

/// After so small a relative change of ln u Newton's method is exact: the next would be its square.
const LAST_CHANGE: f64 = 1e-8;

/// A guess of ln u that is farther than this from the solution is not used.
const FARTHEST_GUESS: f64 = 0.2;

/// The normal part of a pair at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squeezed {
    /// Thickness of the film u `[a]`.
    pub gap: f64,
    /// ln u.
    pub log_gap: f64,
    /// Tension N `[μγ̇a²]`.
    pub tension: f64,
    /// Force between the asperities \\(|N^c|\\) `[μγ̇a²]`.
    pub contact: f64,
    /// Tension per squeeze rate `[μa]`.
    pub resistance: f64,
    /// Change of \\(|N^c|\\) per squeeze rate `[μa]`.
    pub contact_by_squeeze: f64,
}

/// The balance of the film's forces at a thickness (eq. 22 in forces): what film, asperities and
/// remote forces carry.
#[derive(Clone, Copy)]
struct Carried {
    tension: f64,
    /// Slope in ln u.
    slope: f64,
}

impl Rough {
    /// Force between the asperities at a film thickness, and its slope.
    fn asperity_force(&self, radii: [f64; 2], gap: f64) -> [f64; 2] {
        let pressed = self.asperities(radii) - gap;
        if pressed > 0.0 {
            [self.asperity_stiffness * pressed, -self.asperity_stiffness]
        } else {
            [0.0; 2]
        }
    }

    fn carried(&self, pair: &Pair, log_gap: f64, base: f64) -> Carried {
        let gap = log_gap.exp();
        let [film, by_gap] = self.log_squeeze(pair.radii, gap);
        let speed = (log_gap - base) / pair.step;
        let [contact, contact_slope] = self.asperity_force(pair.radii, gap);
        let [remote, remote_slope] = self.remote.tension(pair.radii, gap);
        Carried {
            tension: film * speed - contact + remote,
            slope: film / pair.step + gap * (by_gap * speed - contact_slope + remote_slope),
        }
    }

    /// The normal part at the end of a step from ln u at its beginning and a guess of it at the
    /// end; at an instant, for no step.
    pub(super) fn squeezed(
        &self,
        pair: &Pair,
        [base, guess]: [f64; 2],
        squeeze: f64,
    ) -> Option<Squeezed> {
        if pair.step == 0.0 {
            return self.squeezed_now(pair, base, squeeze);
        }
        let apart = pair.distance - pair.sum();
        let log_gap = if self.is_rigid() {
            (apart > 0.0).then(|| apart.ln())?
        } else {
            self.film_end(pair, [base, guess], apart)?
        };
        let gap = log_gap.exp();
        let carried = self.carried(pair, log_gap, base);
        let give = carried.slope.max(0.0);
        // Slopes in the gap of the centres, of the tension and of the film.
        let (by_apart, thinning) = if self.is_rigid() {
            (give / gap, 1.0)
        } else {
            let bulk = self.stiffness * gap;
            (self.stiffness * give / (give + bulk), bulk / (give + bulk))
        };
        // Of two expressions for the same force, the one that rounding harms less.
        let in_film = self.log_squeeze(pair.radii, gap)[0] * log_gap.abs() / pair.step;
        let tension = if self.is_rigid() || in_film < self.stiffness * pair.distance {
            carried.tension
        } else {
            self.stiffness * (apart - gap)
        };
        let [contact, contact_slope] = self.asperity_force(pair.radii, gap);
        Some(Squeezed {
            gap,
            log_gap,
            tension,
            contact,
            resistance: pair.step * by_apart,
            contact_by_squeeze: pair.step * contact_slope * thinning,
        })
    }

    /// The normal part at one instant.
    fn squeezed_now(&self, pair: &Pair, log_gap: f64, squeeze: f64) -> Option<Squeezed> {
        let apart = pair.distance - pair.sum();
        let log_gap = if self.is_rigid() { (apart > 0.0).then(|| apart.ln())? } else { log_gap };
        let gap = log_gap.exp();
        let contact = self.asperity_force(pair.radii, gap)[0];
        let (tension, resistance) = if self.is_rigid() {
            let friction = self.log_squeeze(pair.radii, gap)[0] / gap;
            let at_rest = self.remote.tension(pair.radii, gap)[0] - contact;
            (at_rest + friction * squeeze, friction)
        } else {
            (self.stiffness * (apart - gap), 0.0)
        };
        Some(Squeezed { gap, log_gap, tension, contact, resistance, contact_by_squeeze: 0.0 })
    }

    /// Rate of change of ln u at one instant.
    pub(super) fn widening(&self, pair: &Pair, log_gap: f64, squeeze: f64) -> f64 {
        let apart = pair.distance - pair.sum();
        if self.is_rigid() {
            return if apart > 0.0 { squeeze / apart } else { 0.0 };
        }
        let gap = log_gap.exp();
        let tension = self.stiffness * (apart - gap) - self.remote.tension(pair.radii, gap)[0];
        let contact = self.asperity_force(pair.radii, gap)[0];
        (tension + contact) / self.log_squeeze(pair.radii, gap)[0]
    }

    /// ln u at the end of a step when the undeflected surfaces are `apart` then: where what the
    /// bulk and what the film carry are the same. Newton's method from the guess; where it does not
    /// converge at once, from the base and kept within bounds by halving.
    fn film_end(&self, pair: &Pair, [base, guess]: [f64; 2], apart: f64) -> Option<f64> {
        let excess = |log_gap: f64| {
            let carried = self.carried(pair, log_gap, base);
            let gap = log_gap.exp();
            let bulk = self.stiffness * (apart - gap);
            (carried.tension - bulk, carried.slope + self.stiffness * gap)
        };
        if let Some(near) = next_to(guess, excess) {
            return Some(near);
        }
        // Between a film that has done nothing and one that follows the centres.
        let other = if apart > 0.0 { apart.ln() } else { base };
        let (mut low, mut high) = (base.min(other) - 1.0, base.max(other) + 1.0);
        let mut stride = 1.0;
        while excess(low).0 > 0.0 {
            low -= stride;
            stride *= 2.0;
            if stride > 1e9 {
                return None;
            }
        }
        stride = 1.0;
        while excess(high).0 < 0.0 {
            high += stride;
            stride *= 2.0;
            if stride > 1e3 {
                return None;
            }
        }
        let mut log_gap = base.clamp(low, high);
        for _ in 0..MOST_ITERATIONS {
            let (value, slope) = excess(log_gap);
            if value > 0.0 {
                high = log_gap;
            } else {
                low = log_gap;
            }
            let newton = log_gap - value / slope;
            let inside = newton > low && newton < high;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let change = (next - log_gap).abs();
            log_gap = next;
            let last = if inside { LAST_CHANGE } else { 1e-15 };
            if change <= last * log_gap.abs().max(1.0) {
                return Some(log_gap);
            }
        }
        (high - low < 1e-12 * log_gap.abs().max(1.0)).then_some(log_gap)
    }
}

/// The zero next to a guess of a function with a slope: Newton's method as long as it converges
/// fast.
fn next_to(guess: f64, function: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    let (mut at, mut most) = (guess, FARTHEST_GUESS);
    loop {
        let (value, slope) = function(at);
        let change = -value / slope;
        let converges = slope > 0.0 && change.abs() < most;
        if !converges {
            return None;
        }
        at += change;
        if change.abs() <= LAST_CHANGE * at.abs().max(1.0) {
            return Some(at);
        }
        most = 0.3 * change.abs();
    }
}
