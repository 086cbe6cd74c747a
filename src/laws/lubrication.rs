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
//! Truncation at the outer gap makes the resistance jump; by default the value at the cutoff is
//! subtracted, which leaves every resistance continuous and positive.
//!
//! Over a step the squeeze force is the exact mean \\((\Phi(h_1)-\Phi(h_0))/\Delta t\\) with
//! \\(\Phi' = X\\): a pair that closes from a wide gap meets the resistance of every gap on its
//! way.

use std::f64::consts::PI;

use super::{
    About, Origin, Pair, PairLaw, Rates, Resistance, Response, Sample, WallLimit, is_flat,
};
use crate::hydro;

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
    let truncated = Lubrication { cutoff: Cutoff::Truncated, ..law };
    let two_body = Lubrication { film: Film::TwoBody, ..law };
    // Truncated films count gaps in mean radii, and two-sphere functions have no limit.
    let apart = |name, law: Lubrication| Sample::new(name, law).at_wall(WallLimit::None).stores();
    vec![
        Sample::new("lubrication", law).stores(),
        apart("truncated lubrication", truncated).ends_abruptly(),
        apart("two-body lubrication", two_body),
    ]
}

/// How lubrication ends at the outer gap.
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
    /// The value at the cutoff is subtracted: resistances fall to zero continuously.
    #[default]
    Smooth,
    /// Plain truncation, as printed in \[GB20\] appendix B.
    Truncated,
}

/// Parameters of the lubrication law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lubrication {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Gap below which the resistance no longer grows (roughness), \[GB20\] h_inner `[a]`.
    pub inner_gap: f64,
    /// Gap beyond which there is no lubrication, \[GB20\] h_outer `[a]`.
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

/// The law between two particular spheres: \\(X = A/\delta + B\ell\\) and so on.
#[derive(Clone, Copy)]
struct Coefficients {
    /// 6πμa_i · 2λ²/(1+λ)³ `[μa]`.
    inverse: f64,
    /// 6πμa_i · λ(1+7λ+λ²)/(5(1+λ)³) `[μa]`.
    logarithm: f64,
    /// The length that gaps are counted in: half of the sum of radii, or the radius at a wall
    /// `[a]`.
    half_sum: f64,
    delta_inner: f64,
    delta_outer: f64,
    /// The δ at which ℓ is zero: the cutoff where it is smooth, else 1.
    reference: f64,
    /// A/δ at the cutoff, to be subtracted.
    inverse_offset: f64,
}

impl Coefficients {
    fn new(law: &Lubrication, [a, b]: [f64; 2]) -> Self {
        let six = 6.0 * PI * law.viscosity * a;
        if is_flat([a, b]) {
            return Coefficients::of(law, [six, six / 5.0], a, law.wall_outer_gap(a));
        }
        let lambda = b / a;
        let cube = (1.0 + lambda).powi(3);
        let inverse = six * 2.0 * lambda * lambda / cube;
        let logarithm = six * lambda * (1.0 + 7.0 * lambda + lambda * lambda) / (5.0 * cube);
        Coefficients::of(law, [inverse, logarithm], 0.5 * (a + b), law.outer_gap)
    }

    /// From the factors of 1/δ and ℓ, the length that δ is counted in, and the outer gap.
    fn of(law: &Lubrication, factors: [f64; 2], half_sum: f64, outer_gap: f64) -> Self {
        let [inverse, logarithm] = factors;
        let delta_outer = outer_gap / half_sum;
        let mut c = Coefficients {
            inverse,
            logarithm,
            half_sum,
            delta_inner: law.inner_gap / half_sum,
            delta_outer,
            reference: 1.0,
            inverse_offset: 0.0,
        };
        if law.cutoff == Cutoff::Smooth {
            c.reference = delta_outer;
            c.inverse_offset = c.inverse / delta_outer;
        }
        c
    }

    /// X^A and ∫X^A dδ/half_sum at δ between the cutoffs, from one logarithm.
    fn both(&self, delta: f64) -> (f64, f64) {
        let log = (delta / self.reference).ln();
        let squeeze = self.inverse / delta - self.inverse_offset - self.logarithm * log;
        let primitive =
            self.inverse * log - self.logarithm * delta * (log - 1.0) - self.inverse_offset * delta;
        (squeeze, primitive)
    }

    /// X^A at a gap `[μa]`.
    fn squeeze(&self, gap: f64) -> f64 {
        let delta = (gap / self.half_sum).max(self.delta_inner);
        if delta >= self.delta_outer {
            return 0.0;
        }
        self.both(delta).0
    }

    /// X at a gap `[μa]`, and ∫X dh up to it `[μa²]`.
    fn squeeze_and_integral(&self, gap: f64) -> (f64, f64) {
        let delta = gap / self.half_sum;
        let inside = delta.clamp(self.delta_inner, self.delta_outer);
        let (squeeze, primitive) = self.both(inside);
        // Saturated below the inner gap, nothing beyond the outer one.
        let beyond = if delta > self.delta_inner { 0.0 } else { squeeze * (delta - inside) };
        let squeeze = if delta >= self.delta_outer { 0.0 } else { squeeze };
        (squeeze, self.half_sum * (primitive + beyond))
    }

    /// ℓ at a gap, less its value at the cutoff.
    fn log(&self, gap: f64) -> f64 {
        let delta = (gap / self.half_sum).max(self.delta_inner);
        if delta >= self.delta_outer { 0.0 } else { -(delta / self.reference).ln() }
    }
}

impl Lubrication {
    /// The squeeze resistance \\(X^A\\) at a gap `[μa]`.
    pub fn squeeze_resistance(&self, radii: [f64; 2], gap: f64) -> f64 {
        Coefficients::new(self, radii).squeeze(gap)
    }

    /// Slide and roll resistances from \\(C_{ii}, C_{ij}, C_{jj}\\), in the lever arms of `pair`:
    /// \\(\mathbf s_i = (-\mathbf v + l_j\mathbf q)/r,\ \mathbf s_j = (-\mathbf v - l_i\mathbf
    /// q)/r\\).
    fn tangential(&self, pair: &Pair, log: f64) -> Resistance {
        if pair.meets_wall() {
            return self.tangential_at_wall(pair, log);
        }
        let [a, b] = pair.radii;
        let [la, lb] = pair.levers();
        let unit = PI * self.viscosity * log * a * b / pair.sum();
        let c_aa = 16.0 / 5.0 * unit * a * a;
        let c_bb = 16.0 / 5.0 * unit * b * b;
        let c_ab = 4.0 / 5.0 * unit * a * b;
        let r2 = pair.distance * pair.distance;
        Resistance {
            squeeze: 0.0,
            slide: (c_aa + 2.0 * c_ab + c_bb) / r2,
            slide_roll: (-lb * c_aa + (la - lb) * c_ab + la * c_bb) / r2,
            roll: (lb * lb * c_aa - 2.0 * la * lb * c_ab + la * la * c_bb) / r2,
            twist: 0.0,
        }
    }
}

impl Lubrication {
    /// Slide and roll resistances at a flat wall.
    fn tangential_at_wall(&self, pair: &Pair, log: f64) -> Resistance {
        let a = pair.radii[0];
        let unit = PI * self.viscosity * log * a;
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

    /// Where the film at a wall ends: where it is truncated, or made for two-sphere functions that
    /// reach farther, at the latest at a radius, beyond which its logarithms would be negative
    /// `[a]`.
    fn wall_outer_gap(&self, radius: f64) -> f64 {
        match (self.film, self.cutoff) {
            (Film::Leading, Cutoff::Smooth) => self.outer_gap,
            _ => self.outer_gap.min(radius),
        }
    }

    /// Which formulas the film of a pair follows.
    fn film_of(&self, pair: &Pair) -> Film {
        if pair.meets_wall() { Film::Leading } else { self.film }
    }
}

/// What a film between two particular spheres does at any gap.
trait Squeezing {
    /// Squeeze resistance at a gap `[μa]`.
    fn squeeze(&self, gap: f64) -> f64;

    /// The same, and its integral over the gap up to this one `[μa²]`.
    fn squeeze_and_integral(&self, gap: f64) -> (f64, f64);
}

impl Squeezing for Coefficients {
    fn squeeze(&self, gap: f64) -> f64 {
        Coefficients::squeeze(self, gap)
    }

    fn squeeze_and_integral(&self, gap: f64) -> (f64, f64) {
        Coefficients::squeeze_and_integral(self, gap)
    }
}

/// The singular part of the two-sphere functions, less its value at the cutoff.
struct Singular<'a> {
    law: &'a Lubrication,
    film: hydro::Singular,
    end: Resistance,
}

impl<'a> Singular<'a> {
    fn new(law: &'a Lubrication, radii: [f64; 2]) -> Self {
        let film = hydro::Singular::new(radii);
        let end = match law.cutoff {
            Cutoff::Smooth if law.outer_gap.is_finite() => film.at(law.outer_gap),
            _ => Resistance::default(),
        };
        Singular { law, film, end }
    }

    /// The resistance to all rates at a gap.
    fn resistance(&self, gap: f64) -> Resistance {
        if gap >= self.law.outer_gap {
            return Resistance::default();
        }
        let here = self.film.at(gap.max(self.law.inner_gap));
        let (end, eta) = (&self.end, self.law.viscosity);
        Resistance {
            squeeze: eta * (here.squeeze - end.squeeze),
            slide: eta * (here.slide - end.slide),
            slide_roll: eta * (here.slide_roll - end.slide_roll),
            roll: eta * (here.roll - end.roll),
            twist: eta * (here.twist - end.twist),
        }
    }
}

impl Squeezing for Singular<'_> {
    fn squeeze(&self, gap: f64) -> f64 {
        if gap >= self.law.outer_gap {
            return 0.0;
        }
        let here = self.film.squeeze(gap.max(self.law.inner_gap));
        self.law.viscosity * (here - self.end.squeeze)
    }

    fn squeeze_and_integral(&self, gap: f64) -> (f64, f64) {
        let (inner, squeeze) = (self.law.inner_gap, self.squeeze(gap));
        if gap <= inner {
            return (squeeze, squeeze * (gap - inner));
        }
        let gap = gap.min(self.law.outer_gap);
        let primitive = |h: f64| self.film.squeeze_integral(h);
        let whole = primitive(gap) - primitive(inner) - self.end.squeeze * (gap - inner);
        (squeeze, self.law.viscosity * whole)
    }
}

impl Lubrication {
    /// The exact mean of the squeeze force over a step, linearised about the guess.
    fn squeezed(&self, pair: &Pair, film: &impl Squeezing, rates: &Rates) -> Response {
        let end = pair.end_gap(rates.squeeze);
        let change = end - pair.gap;
        // A change too small for the difference of integrals: the resistance of the mean gap.
        let (slope, integral) = film.squeeze_and_integral(end);
        let mean = if change.abs() > 1e-6 * (pair.gap.abs() + self.inner_gap) {
            (integral - film.squeeze_and_integral(pair.gap).1) / change
        } else {
            film.squeeze(pair.gap + 0.5 * change)
        };
        Response::normal(mean * rates.squeeze, slope, rates.squeeze)
    }
}

impl PairLaw for Lubrication {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.outer_gap
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        if pair.gap.min(pair.end_gap(rates.squeeze)) >= self.outer_gap {
            return Response::default();
        }
        let middle = pair.gap + 0.5 * pair.step * rates.squeeze;
        let (mut response, tangential) = match self.film_of(pair) {
            Film::Leading => {
                let c = Coefficients::new(self, pair.radii);
                (self.squeezed(pair, &c, rates), self.tangential(pair, c.log(middle)))
            }
            Film::TwoBody => {
                let s = Singular::new(self, pair.radii);
                (self.squeezed(pair, &s, rates), s.resistance(middle))
            }
        };
        response.resistance = Resistance { squeeze: response.resistance.squeeze, ..tangential };
        response
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }
}

#[cfg(test)]
mod tests;
