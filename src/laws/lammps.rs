//! The films of LAMMPS's pair styles `lubricate` and `lubricate/poly`, for comparisons with it.
//!
//! Forces act at the radii ([`Levers::OfRadiiInPlace`]) in rates, torques and what the strain
//! drives; in its virial they count with the centre distance. Gaps saturate at the inner gap and
//! films are truncated at the outer one. Drag is that of single spheres (`flagVF 0`).
//!
//! `lubricate`, between equal spheres, with \\(\xi = h/a\\) and \\(\ell = \ln1/\xi\\): squeezing
//! \\(6\pi\mu a(1/4\xi + 9\ell/40)\\), sliding \\(\pi\mu a\ell\\), rolling
//! \\(\tfrac{3\pi}{20}\mu a^3\ell\\), which is four times too small.
//!
//! `lubricate/poly`, for what acts on i, with \\(\xi = h/a_i\\) and \\(\beta = a_j/a_i\\):
//! squeezing
//! $$6\pi\mu a_i\Big[\frac{\beta^2}{(1+\beta)^2\xi} + \frac{1+7\beta+\beta^2}{5(1+\beta)^3}\ell +
//! \frac{1+18\beta-29\beta^2+18\beta^3+\beta^4}{21(1+\beta)^4}\xi\ell\Big],$$
//! sliding
//! $$6\pi\mu a_i\Big[\frac{4\beta(2+\beta+2\beta^2)}{15(1+\beta)^3}\ell +
//! \frac{4(16-45\beta+58\beta^2-45\beta^3+16\beta^4)}{375(1+\beta)^4}\xi\ell\Big],$$
//! rolling
//! $$8\pi\mu a_i^3\Big[\frac{2\beta}{5(1+\beta)}\ell +
//! \frac{2(8+6\beta+33\beta^2)}{125(1+\beta)^2}\xi\ell\Big].$$
//! What acts on j is the same with the two exchanged, which is not the reaction: between unequal
//! spheres the two differ by about a tenth. Their balance is not symmetric.
//!
//! Both styles add half of the rate of a box length to spins: in dumps the mean spin is
//! \\(-\dot\gamma L_y/2\\) instead of \\(-\dot\gamma/2\\), and with friction results are wrong.

use std::f64::consts::PI;

use super::film::{Cutoff, Ended, Resisting};
use super::lubrication;
use super::{About, Levers, Origin, Pair, PairLaw, Rates, Resistance, Response, Sample, WallLimit};

/// The laws in the register.
pub const ABOUT: About = About { name: "lammps", origins: &[], table: None, samples };

fn samples() -> Vec<Sample> {
    let law = Lubricate { viscosity: 1.3, inner_gap: 1e-2, outer_gap: 0.15, style: Style::Equal };
    let poly = Lubricate { style: Style::Poly, ..law };
    let sample = |name, law: Lubricate| {
        let sample = Sample::new(name, law).ends_abruptly().stores().at_wall(WallLimit::None);
        sample.invariant_in_contact()
    };
    vec![
        sample("lubrication of LAMMPS", law).between_equals(),
        sample("poly lubrication of LAMMPS", poly).one_sided(),
    ]
}

/// Which pair style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `lubricate`: equal spheres.
    Equal,
    /// `lubricate/poly`: any spheres, not reciprocal.
    Poly,
}

/// The films of LAMMPS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lubricate {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Gap below which the resistance no longer grows `[a]`.
    pub inner_gap: f64,
    /// Gap beyond which there is none `[a]`.
    pub outer_gap: f64,
    /// The pair style.
    pub style: Style,
}

/// \\(C/\xi + A\ell + B\xi\ell\\) as its three coefficients.
type Terms = [f64; 3];

/// What acts on one sphere next to another.
struct OneSide {
    radius: f64,
    squeeze: Terms,
    slide: Terms,
    roll: Terms,
}

impl OneSide {
    /// Of \\(a_i\\) next to \\(a_j\\).
    fn new(law: &Lubricate, [a, b]: [f64; 2]) -> Self {
        let (force, torque) = (6.0 * PI * law.viscosity * a, 8.0 * PI * law.viscosity * a.powi(3));
        if law.style == Style::Equal {
            return OneSide {
                radius: a,
                squeeze: [force / 4.0, force * 9.0 / 40.0, 0.0],
                slide: [0.0, force / 6.0, 0.0],
                roll: [0.0, torque * 3.0 / 160.0, 0.0],
            };
        }
        let beta = b / a;
        let sum = 1.0 + beta;
        let [b2, b3, b4] = [beta.powi(2), beta.powi(3), beta.powi(4)];
        let (third, fourth) = (sum.powi(3), sum.powi(4));
        OneSide {
            radius: a,
            squeeze: [
                force * b2 / (sum * sum),
                force * (1.0 + 7.0 * beta + b2) / (5.0 * third),
                force * (1.0 + 18.0 * beta - 29.0 * b2 + 18.0 * b3 + b4) / (21.0 * fourth),
            ],
            slide: [
                0.0,
                force * 4.0 * beta * (2.0 + beta + 2.0 * b2) / (15.0 * third),
                force * 4.0 * (16.0 - 45.0 * beta + 58.0 * b2 - 45.0 * b3 + 16.0 * b4)
                    / (375.0 * fourth),
            ],
            roll: [
                0.0,
                torque * 2.0 * beta / (5.0 * sum),
                torque * 2.0 * (8.0 + 6.0 * beta + 33.0 * b2) / (125.0 * sum * sum),
            ],
        }
    }

    fn at(&self, [pole, log, next]: Terms, gap: f64) -> f64 {
        let xi = gap / self.radius;
        pole / xi - (log + next * xi) * xi.ln()
    }

    fn resistance(&self, gap: f64) -> Resistance {
        let [squeeze, slide, roll] =
            [self.squeeze, self.slide, self.roll].map(|terms| self.at(terms, gap));
        Resistance { squeeze, slide, roll, ..Resistance::default() }
    }

    /// The integral of the resistance to squeezing over the gap, up to a constant `[μa²]`.
    fn squeeze_integral(&self, gap: f64) -> f64 {
        let ([pole, log, next], xi) = (self.squeeze, gap / self.radius);
        let (ell, square) = (xi.ln(), xi * xi);
        let first = xi * (ell - 1.0);
        let second = 0.5 * square * (ell - 0.5);
        self.radius * (pole * ell - log * first - next * second)
    }
}

/// The mean of what acts on both sides, or half of the difference.
struct Both {
    sides: [OneSide; 2],
    weights: [f64; 2],
}

impl Both {
    fn sum(&self, of: impl Fn(&OneSide) -> f64) -> f64 {
        self.weights[0] * of(&self.sides[0]) + self.weights[1] * of(&self.sides[1])
    }
}

impl Resisting for Both {
    fn squeeze(&self, gap: f64) -> f64 {
        self.sum(|side| side.at(side.squeeze, gap))
    }

    fn squeeze_integral(&self, gap: f64) -> f64 {
        self.sum(|side| side.squeeze_integral(gap))
    }

    fn resistance(&self, gap: f64) -> Resistance {
        let [i, j] = [0, 1].map(|k| self.sides[k].resistance(gap) * self.weights[k]);
        let mut sum = i;
        sum += j;
        sum
    }
}

impl Lubricate {
    fn film(&self, pair: &Pair, weights: [f64; 2]) -> Option<Ended<Both>> {
        let [a, b] = pair.radii;
        let sides = [OneSide::new(self, [a, b]), OneSide::new(self, [b, a])];
        let (film, cutoff) = (Both { sides, weights }, Cutoff::Truncated);
        let ended = Ended { film, inner_gap: self.inner_gap, outer_gap: self.outer_gap, cutoff };
        (!pair.meets_wall()).then_some(ended)
    }
}

impl PairLaw for Lubricate {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        self.outer_gap
    }

    fn levers(&self) -> Levers {
        Levers::OfRadiiInPlace
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        if pair.gap.min(pair.end_gap(rates.squeeze)) >= self.outer_gap {
            return Response::default();
        }
        self.film(pair, [0.5, 0.5]).map(|film| film.respond(pair, rates)).unwrap_or_default()
    }

    fn one_sided(&self, pair: &Pair, rates: &Rates) -> Option<Resistance> {
        let middle = pair.gap + 0.5 * pair.step * rates.squeeze;
        if self.style == Style::Equal || middle >= self.outer_gap {
            return None;
        }
        Some(self.film(pair, [0.5, -0.5])?.resistance(middle))
    }

    fn origins(&self) -> [Origin; 2] {
        [lubrication::ORIGIN; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: Lubricate =
        Lubricate { viscosity: 1.0, inner_gap: 1e-3, outer_gap: 0.5, style: Style::Poly };

    fn pair(radii: [f64; 2], gap: f64) -> Pair {
        Pair { radii, gap, distance: radii[0] + radii[1], ..Pair::default() }
    }

    #[test]
    fn equal_spheres_push_each_other_alike() {
        let pair = pair([1.0; 2], 0.03);
        let odd = LAW.one_sided(&pair, &Rates::default()).unwrap();
        assert_eq!(odd, Resistance::default());
        // Both styles share the first two terms of squeezing and the first of sliding.
        let of = |style| {
            let law = Lubricate { style, ..LAW };
            law.respond(&pair, &[], &Rates::default()).resistance
        };
        let (poly, equal) = (of(Style::Poly), of(Style::Equal));
        assert!((poly.squeeze / equal.squeeze - 1.0).abs() < 0.01);
        assert!((poly.slide / equal.slide - 1.0).abs() < 0.05);
        assert!(poly.roll > 3.0 * equal.roll, "{poly:?} {equal:?}");
    }

    #[test]
    fn unequal_spheres_do_not_react() {
        let pair = pair([1.0, 1.4], 0.03);
        let mean = LAW.respond(&pair, &[], &Rates::default()).resistance;
        let half = LAW.one_sided(&pair, &Rates::default()).unwrap();
        let apart = 2.0 * half.squeeze.abs() / mean.squeeze;
        assert!((0.005..0.2).contains(&apart), "{apart}");
        let swapped = Pair { radii: [1.4, 1.0], ..pair };
        let other = LAW.one_sided(&swapped, &Rates::default()).unwrap();
        assert!((other.squeeze + half.squeeze).abs() < 1e-12 * mean.squeeze);
        assert!((other.slide + half.slide).abs() < 1e-12 * mean.slide);
    }

    #[test]
    fn the_integral_is_that_of_the_resistance() {
        let film = LAW.film(&pair([1.0, 1.4], 0.1), [0.5; 2]).unwrap();
        for (from, to) in [(0.01, 0.3), (0.0, 0.02), (0.4, 0.6)] {
            let n = 100_000;
            let width = (to - from) / n as f64;
            let sum: f64 =
                (0..n).map(|k| film.squeeze(from + (k as f64 + 0.5) * width) * width).sum();
            let exact = film.squeeze_integral(to) - film.squeeze_integral(from);
            assert!((sum / exact - 1.0).abs() < 1e-6, "{from} {to}: {sum} {exact}");
        }
    }
}
