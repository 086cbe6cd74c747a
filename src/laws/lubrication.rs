//! Frame-invariant lubrication between unequal spheres (\[GB20\] eq. 4 and appendix A).
//!
//! Printed, eq. 4 with appendix A is frame invariant only where the centre distance r equals the
//! sum of radii s, and eq. A.2g is mislabelled (it is \\(R_{y,jjc}\\), used in A.1g). The form
//! used here is exact at every gap. With \\(\delta = \max(2h/s, \delta_{min})\\),
//! \\(\ell = \ln(1/\delta)\\) and \\(\lambda = a_j/a_i\\),
//! $$X = 6\pi\mu a_i\left[\frac{2\lambda^2}{(1+\lambda)^3}\frac1\delta +
//! \frac{\lambda(1+7\lambda+\lambda^2)}{5(1+\lambda)^3}\,\ell\right],$$
//! $$C_{ii} = \tfrac{16\pi}{5}\mu\frac{a_i^3a_j}{s}\ell,\quad
//! C_{jj} = \tfrac{16\pi}{5}\mu\frac{a_ia_j^3}{s}\ell,\quad
//! C_{ij} = \tfrac{4\pi}{5}\mu\frac{a_i^2a_j^2}{s}\ell,$$
//! and with \\(\mathbf s_k = \mathsf P(\mathbf u_i-\mathbf u_j)/r +
//! \boldsymbol\omega_k\times\mathbf n\\) the dissipation is \\(X\dot h^2 + C_{ii}s_i^2 +
//! 2C_{ij}\mathbf s_i\cdot\mathbf s_j + C_{jj}s_j^2\\).
//!
//! At a flat wall (\\(a_j\to\infty\\) with the rates of [`super`]) this becomes, with \\(\delta =
//! h/a\\),
//! $$X = 6\pi\mu\Big[\frac{a^2}h + \frac a5\,\ell\Big],\qquad
//! C_{ii} = \tfrac{16\pi}5\mu a^3\ell,\quad C_{jj} = \tfrac{16\pi}5\mu a\,\ell,\quad
//! C_{ij} = \tfrac{4\pi}5\mu a^2\ell,$$
//! and with \\(\mathbf w = \mathbf v + a\mathbf q\\) the dissipation is \\(X\dot h^2 + C_{ii}q^2 -
//! 2C_{ij}\mathbf q\cdot\mathbf w + C_{jj}w^2\\): the leading logarithms of Goldman,
//! Cox & Brenner 1967. All films at walls are these; the two-sphere functions have no such limit.
//!
//! These are the leading terms near contact. Against the exact functions of two equal spheres
//! ([`hydro`], \\(X/6\pi\mu a\\) = 26.2, 3.21, 1.32, 0.886 at \\(\delta\\) = .01, .1, .3, .5) they
//! are 0.7, 6, 16 and 26 % too small. Films of suspensions follow the exact ones unless a case says
//! otherwise ([`Film::TwoBody`]): what is singular at contact is here, what is regular in
//! [`crate::balance::field`]. How both end is said by a [`Cutoff`]. Where they end is a choice in
//! any model that leaves out what decays slowly between spheres that are farther apart: at a
//! volume fraction of 0.5, without friction, the relative viscosity is 14.1, 15.3 and 17.2 with
//! outer gaps of 0.3, 0.5 and 1. With 0.5, N = 200 spheres of radii 1 and 1.4 have, beside LF_DEM
//! (its 2.5 φ added):
//!
//! | friction | φ | η_r | LF_DEM | Π | LF_DEM |
//! |---|---|---|---|---|---|
//! | 0 | 0.40 | 6.43 ± 0.13 | 6.76 ± 0.14 | 2.31 ± 0.09 | 2.38 |
//! | 0 | 0.45 | 9.9 ± 0.2 | 10.2 ± 0.1 | 5.2 ± 0.2 | 5.0 |
//! | 0 | 0.50 | 15.3 ± 0.5 | 15.6 ± 0.2 | 10.7 ± 0.3 | 10.7 |
//! | 0 | 0.55 | 27.8 ± 0.7 | 27.9 ± 0.5 | 29.8 ± 1.0 | 28.7 |
//! | 0 | 0.58 | 51.8 ± 1.4 | 46.8 ± 1.9 | 80.6 ± 2.5 | 70.5 |
//! | 1 | 0.40 | 10.1 ± 0.2 | 11.3 ± 0.3 | 5.6 ± 0.2 | 6.7 |
//! | 1 | 0.45 | 21.6 ± 0.4 | 23.9 ± 0.7 | 17.9 ± 0.5 | 20.2 |

use std::f64::consts::PI;

use super::film::{Ended, Resisting};
use super::{About, Origin, Pair, PairLaw, Rates, Resistance, Response, Sample, WallLimit};
use crate::hydro;

pub use super::film::Cutoff;

/// The stress of lubrication.
pub const ORIGIN: Origin = Origin::named("lubrication");

/// The law in the register.
pub const ABOUT: About =
    About { name: "lubrication", origins: &["lubrication"], table: None, samples };

fn samples() -> Vec<Sample> {
    let law = Lubrication {
        viscosity: 1.3,
        inner_gap: 1e-3,
        outer_gap: 0.3,
        cutoff: Cutoff::Smooth,
        film: Film::Leading,
    };
    let ended = |cutoff| Lubrication { cutoff, ..law };
    let two_body = |cutoff| Lubrication { film: Film::TwoBody, cutoff, ..law };
    // Truncated films count gaps in mean radii, and two-sphere functions have no limit.
    let apart = |name, law: Lubrication| Sample::new(name, law).at_wall(WallLimit::None).stores();
    vec![
        Sample::new("lubrication", law).stores(),
        apart("lubrication with a window", ended(Cutoff::Window)),
        apart("truncated lubrication", ended(Cutoff::Truncated)).ends_abruptly(),
        apart("two-body lubrication", two_body(Cutoff::Window)),
        apart("truncated two-body lubrication", two_body(Cutoff::Truncated)).ends_abruptly(),
        apart("two-body lubrication less its end", two_body(Cutoff::Smooth)),
    ]
}

/// Parameters of the lubrication law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lubrication {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Gap below which the resistance no longer grows (roughness), \[GB20\] h_inner `[a]`.
    pub inner_gap: f64,
    /// Gap at which lubrication ends, \[GB20\] h_outer `[a]`.
    pub outer_gap: f64,
    /// How it ends there.
    pub cutoff: Cutoff,
    /// Which formulas the film follows.
    pub film: Film,
}

/// Which formulas a film follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Film {
    /// Those above, at leading order.
    #[default]
    Leading,
    /// All that is singular at contact in the two-sphere resistance functions; what is regular acts
    /// beside it.
    TwoBody,
}

/// The film between two particular spheres at leading order: \\(X = A/\delta + B\ell\\) and so on.
struct Leading {
    /// 6πμa_i · 2λ²/(1+λ)³ `[μa]`.
    inverse: f64,
    /// 6πμa_i · λ(1+7λ+λ²)/(5(1+λ)³) `[μa]`.
    logarithm: f64,
    /// The length that gaps are counted in: half of the sum of radii, or the radius at a wall
    /// `[a]`.
    half_sum: f64,
    /// The resistance to all other rates where ℓ is 1.
    tangential: Resistance,
}

impl Leading {
    fn new(viscosity: f64, pair: &Pair) -> Self {
        let [a, b] = pair.radii;
        let six = 6.0 * PI * viscosity * a;
        let tangential = tangential(viscosity, pair);
        if pair.meets_wall() {
            return Leading { inverse: six, logarithm: six / 5.0, half_sum: a, tangential };
        }
        let lambda = b / a;
        let cube = (1.0 + lambda).powi(3);
        Leading {
            inverse: six * 2.0 * lambda * lambda / cube,
            logarithm: six * lambda * (1.0 + 7.0 * lambda + lambda * lambda) / (5.0 * cube),
            half_sum: 0.5 * (a + b),
            tangential,
        }
    }
}

impl Resisting for Leading {
    fn squeeze(&self, gap: f64) -> f64 {
        let delta = gap / self.half_sum;
        self.inverse / delta - self.logarithm * delta.ln()
    }

    fn squeeze_integral(&self, gap: f64) -> f64 {
        self.squeeze_and_integral(gap)[1]
    }

    fn squeeze_and_integral(&self, gap: f64) -> [f64; 2] {
        let delta = gap / self.half_sum;
        let log = delta.ln();
        let integral = self.inverse * log - self.logarithm * delta * (log - 1.0);
        [self.inverse / delta - self.logarithm * log, self.half_sum * integral]
    }

    fn resistance(&self, gap: f64) -> Resistance {
        let delta = gap / self.half_sum;
        let log = -delta.ln();
        let squeeze = self.inverse / delta + self.logarithm * log;
        Resistance { squeeze, ..self.tangential * log }
    }
}

/// Slide and roll resistances from \\(C_{ii}, C_{ij}, C_{jj}\\) where ℓ is 1, in the lever arms of
/// `pair`: \\(\mathbf s_i = (-\mathbf v + l_j\mathbf q)/r,\ \mathbf s_j = (-\mathbf v - l_i\mathbf
/// q)/r\\).
pub(super) fn tangential(viscosity: f64, pair: &Pair) -> Resistance {
    if pair.meets_wall() {
        return tangential_at_wall(viscosity, pair.radii[0]);
    }
    let [a, b] = pair.radii;
    let [la, lb] = pair.levers();
    let unit = PI * viscosity * a * b / pair.sum();
    let c_aa = 16.0 / 5.0 * unit * a * a;
    let c_bb = 16.0 / 5.0 * unit * b * b;
    let c_ab = 4.0 / 5.0 * unit * a * b;
    let r2 = (la + lb) * (la + lb);
    Resistance {
        squeeze: 0.0,
        slide: (c_aa + 2.0 * c_ab + c_bb) / r2,
        slide_roll: (-lb * c_aa + (la - lb) * c_ab + la * c_bb) / r2,
        roll: (lb * lb * c_aa - 2.0 * la * lb * c_ab + la * la * c_bb) / r2,
        twist: 0.0,
    }
}

/// The same at a flat wall.
fn tangential_at_wall(viscosity: f64, a: f64) -> Resistance {
    let unit = PI * viscosity * a;
    let c_aa = 16.0 / 5.0 * unit * a * a;
    let c_bb = 16.0 / 5.0 * unit;
    let c_ab = 4.0 / 5.0 * unit * a;
    Resistance {
        squeeze: 0.0,
        slide: c_bb,
        slide_roll: a * c_bb - c_ab,
        roll: c_aa - 2.0 * a * c_ab + a * a * c_bb,
        twist: 0.0,
    }
}

/// The singular part of the two-sphere functions.
struct Singular {
    film: hydro::Singular,
    viscosity: f64,
}

impl Resisting for Singular {
    #[inline]
    fn squeeze(&self, gap: f64) -> f64 {
        self.viscosity * self.film.squeeze(gap)
    }

    fn squeeze_integral(&self, gap: f64) -> f64 {
        self.viscosity * self.film.squeeze_and_integral(gap)[1]
    }

    fn squeeze_and_integral(&self, gap: f64) -> [f64; 2] {
        self.film.squeeze_and_integral(gap).map(|x| self.viscosity * x)
    }

    fn resistance(&self, gap: f64) -> Resistance {
        self.film.at(gap) * self.viscosity
    }
}

impl Lubrication {
    /// The squeeze resistance \\(X^A\\) at a gap, of two-sphere functions the part that is singular
    /// `[μa]`.
    pub fn squeeze_resistance(&self, radii: [f64; 2], gap: f64) -> f64 {
        let distance = super::touching_distance(radii) + gap;
        let pair = Pair { radii, distance, gap, ..Pair::default() };
        match self.film_of(&pair) {
            Film::Leading => self.leading(&pair).squeeze(gap),
            Film::TwoBody => self.singular(&pair).squeeze(gap),
        }
    }

    fn leading(&self, pair: &Pair) -> Ended<Leading> {
        self.ended(pair, Leading::new(self.viscosity, pair))
    }

    #[inline(always)]
    fn singular(&self, pair: &Pair) -> Ended<Singular> {
        let film = hydro::Singular::new(pair.radii);
        self.ended(pair, Singular { film, viscosity: self.viscosity })
    }

    #[inline(always)]
    fn ended<F>(&self, pair: &Pair, film: F) -> Ended<F> {
        let outer_gap = match pair.meets_wall() {
            true => self.wall_outer_gap(pair.radii[0]),
            false => self.outer_gap,
        };
        Ended { film, inner_gap: self.inner_gap, outer_gap, cutoff: self.cutoff }
    }

    /// Where the film at a wall ends: where its value there is not subtracted, or made for
    /// two-sphere functions that reach farther, at the latest at a radius, beyond which its
    /// logarithms would be negative `[a]`.
    fn wall_outer_gap(&self, radius: f64) -> f64 {
        match (self.film, self.cutoff) {
            (Film::Leading, Cutoff::Smooth) => self.outer_gap,
            _ => self.outer_gap.min(radius),
        }
    }

    /// Which formulas the film of a pair follows.
    #[inline]
    fn film_of(&self, pair: &Pair) -> Film {
        if pair.meets_wall() { Film::Leading } else { self.film }
    }
}

impl PairLaw for Lubrication {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.cutoff.reach(self.outer_gap)
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        if pair.gap.min(pair.end_gap(rates.squeeze)) >= self.cutoff.reach(self.outer_gap) {
            return Response::default();
        }
        match self.film_of(pair) {
            Film::Leading => self.leading(pair).respond(pair, rates),
            Film::TwoBody => self.singular(pair).respond(pair, rates),
        }
    }

    fn add_response(&self, pair: &Pair, _memory: &[f64], rates: &Rates, total: &mut Response) {
        if pair.gap.min(pair.end_gap(rates.squeeze)) >= self.cutoff.reach(self.outer_gap) {
            return;
        }
        let (at_rest, resistance) = match self.film_of(pair) {
            Film::Leading => self.leading(pair).linearised(pair, rates),
            Film::TwoBody => self.singular(pair).linearised(pair, rates),
        };
        total.at_rest.normal += at_rest;
        total.resistance += resistance;
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }
}

#[cfg(test)]
mod tests;
