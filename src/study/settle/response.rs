//! What a sphere with inertia does on the film (\[CBC20\] figs. 4 and 5).
//!
//! After it has fallen it may come up again. If the surfaces part, so that the film takes up most
//! of the way, it has bounced; if the film holds it and the bulk takes up the way, it oscillates
//! about where it rests. Rebounds of less than a hundredth of the initial gap cannot be seen and do
//! not count. Neither do those of less than twice the deflection at rest, \\(2W/k\\): a sphere that
//! is let go rings on its bulk by that much, however little it weighs and wherever it is, with
//! nothing of its fall in it.

use serde::{Deserialize, Serialize};

use super::{FallSample, Settle, SettleStudy, WEIGHT};
use crate::case;
use crate::integrate::Inertia;
use crate::record::keys::Described;
use crate::state::sphere_volume;

/// The smallest rebound that counts, over the initial gap.
const SMALLEST_REBOUND: f64 = 1e-2;

impl Settle {
    /// The smallest rebound that counts: one that can be seen, and is more than the ringing of a
    /// sphere that is let go `[a]`.
    pub fn least_rebound(&self) -> f64 {
        (SMALLEST_REBOUND * self.gap).max(2.0 * WEIGHT / self.law().stiffness)
    }

    /// The mass of the spheres, from \\(\mathrm{St} = a\rho\sqrt{2u_0g}/\eta\\) (eq. 39) with
    /// \\(\rho g = 1\\) in the units of the study. Two spheres of twice the mass that approach each
    /// other are as one that falls onto one that is fixed.
    pub fn inertia(&self, table: Option<&case::Inertia>) -> Option<Inertia> {
        let table = table?;
        let unit_density = table.stokes.unwrap_or(0.0) / (2.0 * self.gap);
        let mass = table.mass(unit_density, 1.0)?;
        Some(Inertia { density: 2.0 * mass.density, ..mass })
    }
}

/// After so many rebounds the response is known.
const MOST_REBOUNDS: usize = 60;

/// How long a sphere with inertia is watched on top of the time that the film needs, in times of a
/// free fall.
const FALLS: f64 = 40.0;

/// How a sphere comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// It never comes up again.
    Damped,
    /// The film holds it, and it swings on the bulk.
    Oscillating,
    /// The surfaces part.
    Bouncing,
    /// Some of both.
    Mixed,
}

impl Described for Response {
    const UNIT: &'static str = "text";
}

impl Response {
    /// All of them.
    pub const ALL: [Response; 4] =
        [Response::Damped, Response::Oscillating, Response::Bouncing, Response::Mixed];

    /// Its name in `summary.json`.
    pub fn name(self) -> &'static str {
        match self {
            Response::Damped => "damped",
            Response::Oscillating => "oscillating",
            Response::Bouncing => "bouncing",
            Response::Mixed => "mixed",
        }
    }
}

/// The rebounds of a sphere so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rebounds {
    /// Velocity at the last step `[a/τ_c]`.
    velocity: f64,
    /// Centre gap where it last turned upwards `[a]`.
    lowest: f64,
    /// Thickness of the film there `[a]`.
    #[serde(default)]
    thinnest: f64,
    /// Rebounds in which the surfaces parted.
    pub bounces: usize,
    /// Rebounds in which the film held.
    pub oscillations: usize,
}

/// Where a sphere is.
#[derive(Clone, Copy, Debug)]
pub struct SpherePlace {
    /// Gap of the undeflected spheres `[a]`.
    pub centre_gap: f64,
    /// Thickness of the film `[a]`.
    pub film: f64,
    /// Velocity, positive upwards `[a/τ_c]`.
    pub velocity: f64,
}

impl Rebounds {
    /// Adds a step of a sphere whose rebounds count from `least` on `[a]`.
    pub fn add(&mut self, at: SpherePlace, least: f64) {
        if self.velocity <= 0.0 && at.velocity > 0.0 {
            (self.lowest, self.thinnest) = (at.centre_gap, at.film);
        }
        let rise = at.centre_gap - self.lowest;
        if self.velocity > 0.0 && at.velocity <= 0.0 && rise > least {
            match at.film - self.thinnest > 0.5 * rise {
                true => self.bounces += 1,
                false => self.oscillations += 1,
            }
        }
        self.velocity = at.velocity;
    }

    /// What it amounts to.
    pub fn response(&self) -> Response {
        match (self.bounces > 0, self.oscillations > 0) {
            (false, false) => Response::Damped,
            (false, true) => Response::Oscillating,
            (true, false) => Response::Bouncing,
            (true, true) => Response::Mixed,
        }
    }

    /// Whether there is nothing more to learn.
    pub fn are_enough(&self) -> bool {
        self.bounces + self.oscillations >= MOST_REBOUNDS
    }
}

/// The energy of a falling sphere above that of rest, by what it is in.
#[derive(Clone, Copy, Debug)]
pub struct Energy {
    /// In its motion and in the bulk beyond its deflection at rest.
    swing: f64,
    /// In its height above an empty film.
    height: f64,
}

impl Energy {
    /// After a step.
    pub(super) fn of(sample: &FallSample, settle: &Settle, mass: f64) -> Self {
        let (film, velocity) = (sample.touch.gap, sample.velocity);
        let stiffness = settle.law().stiffness;
        let beyond = WEIGHT * (1.0 + sample.tension());
        Energy {
            swing: 0.5 * mass * velocity * velocity + 0.5 * beyond * beyond / stiffness,
            height: WEIGHT * film,
        }
    }

    /// Whether no rebound can be seen any more, of either kind.
    pub fn shows_no_more(&self, settle: &Settle) -> bool {
        let least = settle.least_rebound();
        let oscillation = 0.5 * settle.law().stiffness * (0.5 * least).powi(2);
        self.swing + self.height < oscillation.min(WEIGHT * least)
    }

    /// Whether the swing is small beside what the bulk stores at rest.
    pub fn is_at_rest(&self, settle: &Settle) -> bool {
        const SMALL: f64 = 1e-4;
        self.swing < SMALL * 0.5 * WEIGHT * WEIGHT / settle.law().stiffness
    }
}

impl SettleStudy {
    /// The mass of the sphere that falls, if it has one.
    pub(super) fn mass(&self) -> Option<f64> {
        self.inertia.map(|mass| 0.5 * mass.density * sphere_volume(1.0))
    }

    /// The Stokes number (eq. 39), which is also the time of a free fall in τ_c; 0 without inertia.
    pub fn stokes(&self) -> f64 {
        self.inertia.map_or(0.0, |mass| (mass.density * self.table.gap).sqrt())
    }

    /// When a run ends if nothing else ends it before `[τ_c]`.
    pub fn longest(&self) -> f64 {
        let settle = &self.table;
        settle.max_time.unwrap_or(settle.longest() + FALLS * self.stokes())
    }

    /// When a run that has come to a time is likely to end `[τ_c]`. How often a sphere will bounce
    /// is not known before: after the first guess it is taken to need as long again.
    pub fn expected_end(&self, time: f64) -> f64 {
        let mut likely = self.table.expected_time() + 2.0 * self.stokes();
        while likely < time {
            likely *= 2.0;
        }
        likely.min(self.longest()).max(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(path: &[[f64; 3]]) -> Rebounds {
        let mut rebounds = Rebounds::default();
        for &[centre_gap, film, velocity] in path {
            rebounds.add(SpherePlace { centre_gap, film, velocity }, SMALLEST_REBOUND);
        }
        rebounds
    }

    #[test]
    fn rebounds_are_told_by_what_takes_up_the_way() {
        let fall = [[0.5, 0.5, -1.0], [-0.1, 1e-3, -0.2]];
        let parts = [[-0.09, 1e-3, 0.1], [0.3, 0.29, 0.1], [0.31, 0.3, -0.1]];
        let holds = [[-0.09, 1e-3, 0.1], [-0.02, 1e-3, 0.1], [-0.01, 1e-3, -0.1]];
        let join = |ways: &[&[[f64; 3]]]| after(&ways.concat()).response();
        assert_eq!(join(&[&fall]), Response::Damped);
        assert_eq!(join(&[&fall, &parts]), Response::Bouncing);
        assert_eq!(join(&[&fall, &holds]), Response::Oscillating);
        assert_eq!(join(&[&fall, &parts, &fall, &holds]), Response::Mixed);
        // It rings on its bulk while the film drains.
        let rings = [[0.95, 0.99, 0.1], [0.98, 0.98, -0.1]];
        assert_eq!(join(&[&[[0.99, 1.0, -1.0]], &rings]), Response::Oscillating);
        let trembles = [[-0.1, 1e-3, 0.1], [-0.095, 1e-3, -0.1]];
        assert_eq!(join(&[&fall, &trembles]), Response::Damped);
    }
}
