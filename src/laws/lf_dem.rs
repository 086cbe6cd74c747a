//! The films and contacts of LF_DEM, for comparisons with it digit by digit.
//!
//! Gaps are counted in mean radii, \\(\xi = 2h/s\\), also those at which films saturate and end.
//! With \\(\lambda = a_j/a_i\\) and the coefficients of [`super::lubrication`],
//! $$X = 6\pi\mu a_i\,\frac{2\lambda^2}{(1+\lambda)^3}\,\frac1{\xi+\delta},\qquad
//! \ell = \ln\frac1{\xi+\delta}:$$
//! there is no logarithm in X, gaps are shifted by δ = 10⁻³ instead of held at it, and the film is
//! truncated at ξ = 0.5. Forces act at the radii ([`Levers::OfRadii`]), in rates, in what the
//! strain drives and in the stress, so that a pair apart that turns as one body is resisted.
//!
//! In contact 1/(ξ + δ) becomes that of a dashpot, \\(4k_nt_r\\) with \\(t_r = 10^{-3}\\), and ℓ is
//! ln 1/δ. Springs push with \\(6\pi\mu\dot\gamma k_n(s/2)^2|\xi|\\): the stiffness of a contact is
//! in proportion to the mean radius, and \\(6\pi k_n\\) that of two small spheres. LF_DEM takes
//! \\(k_n = 10^4\\) and \\(k_t = k_n/2\\). Its viscosity has no 2.5 φ.
//!
//! On a frame of its own (φ = 0.5, no friction) velocities and spins that films and springs drive
//! are those of LF_DEM to all digits; what the flow drives in dashpots is not, by 0.8 % in
//! velocities and 7 % in spins, which leaves 0.1 % in the viscosity and 0.03 % in the pressure.
//! Runs of N = 200 with this law give η_r, Π = 7.01 ± .07, 2.48 ± .07 (LF_DEM with its 2.5 φ: 6.76
//! ± .14, 2.38) at φ = .40, 10.4 ± .2, 5.2 ± .1 (10.2 ± .1, 5.0) at .45, 15.7 ± .2, 10.7 ± .3
//! (15.6 ± .2, 10.7) at .50 and, with friction 1, 24.8 ± .6, 21.8 ± .8 (23.9 ± .7, 20.2) at .45.

use std::f64::consts::PI;

use super::contact::Contact;
use super::film::{Cutoff, Ended, Resisting};
use super::lubrication::{self, tangential};
use super::{
    About, Levers, Origin, Pair, PairEnd, PairLaw, Rates, Resistance, Response, Sample, Surfaces,
};
use super::{WallLimit, touching_distance};

/// The stiffness of contacts in LF_DEM's units, \\(k_n\\) `[6πμγ̇a]`.
pub const STIFFNESS: f64 = 1e4;

/// The tangential stiffness over the normal one `[1]`.
pub const TANGENTIAL_RATIO: f64 = 0.5;

/// The time in which a contact relaxes, \\(t_r\\) `[1/γ̇]`.
pub const RELAXATION: f64 = 1e-3;

/// The laws in the register.
pub const ABOUT: About = About { name: "lf-dem", origins: &[], table: None, samples };

fn samples() -> Vec<Sample> {
    let film = LfDem { viscosity: 1.3, shift: 1e-3, range: 0.5, dashpot: 40.0 };
    let contact = Contact {
        stiffness: 1e5,
        tangential_ratio: TANGENTIAL_RATIO,
        friction: 0.7,
        critical_load: 0.0,
        damping: 0.0,
        backing: None,
        springs: super::contact::Springs::AtEnd,
    };
    let contact = SizedContact { contact, radius: 1.0 };
    vec![
        Sample::new("lubrication of LF_DEM", film)
            .ends_abruptly()
            .stores()
            .at_wall(WallLimit::None)
            .invariant_in_contact(),
        Sample::new("contacts of LF_DEM", contact).stores().at_wall(WallLimit::None),
    ]
}

/// The films of LF_DEM, and the dashpots of its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LfDem {
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// By how much gaps are shifted, δ, in mean radii `[1]`.
    pub shift: f64,
    /// Gap at which films end, in mean radii `[1]`.
    pub range: f64,
    /// What takes the place of 1/(ξ + δ) in contact `[1]`.
    pub dashpot: f64,
}

impl LfDem {
    /// What takes the place of 1/(ξ + δ) in contacts of a stiffness in LF_DEM's units.
    pub fn dashpot_of(stiffness: f64) -> f64 {
        4.0 * stiffness * RELAXATION
    }
}

/// The film between two particular spheres.
struct Between {
    /// 6πμa_i · 2λ²/(1+λ)³ `[μa]`.
    inverse: f64,
    half_sum: f64,
    law: LfDem,
    /// The resistance to all other rates where ℓ is 1.
    tangential: Resistance,
}

impl Between {
    fn shifted(&self, gap: f64) -> f64 {
        gap.max(0.0) / self.half_sum + self.law.shift
    }
}

impl Resisting for Between {
    fn squeeze(&self, gap: f64) -> f64 {
        self.inverse * if gap < 0.0 { self.law.dashpot } else { 1.0 / self.shifted(gap) }
    }

    fn squeeze_integral(&self, gap: f64) -> f64 {
        let apart = self.half_sum * self.inverse * self.shifted(gap).ln();
        apart + self.inverse * self.law.dashpot * gap.min(0.0)
    }

    fn resistance(&self, gap: f64) -> Resistance {
        let tangential = self.tangential * -self.shifted(gap).ln();
        Resistance { squeeze: self.squeeze(gap), ..tangential }
    }
}

impl PairLaw for LfDem {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, radii: [f64; 2]) -> f64 {
        0.5 * self.range * touching_distance(radii)
    }

    fn levers(&self) -> Levers {
        Levers::OfRadii
    }

    fn respond(&self, pair: &Pair, _memory: &[f64], rates: &Rates) -> Response {
        let outer_gap = self.range(pair.radii);
        if pair.meets_wall() || pair.gap.min(pair.end_gap(rates.squeeze)) >= outer_gap {
            return Response::default();
        }
        let lambda = pair.radii[1] / pair.radii[0];
        let film = Between {
            inverse: 12.0 * PI * self.viscosity * pair.radii[0] * lambda * lambda
                / (1.0 + lambda).powi(3),
            half_sum: 0.5 * pair.sum(),
            law: *self,
            tangential: tangential(self.viscosity, pair),
        };
        let inner_gap = f64::NEG_INFINITY;
        Ended { film, inner_gap, outer_gap, cutoff: Cutoff::Truncated }.respond(pair, rates)
    }

    fn origins(&self) -> [Origin; 2] {
        [lubrication::ORIGIN; 2]
    }
}

/// Contacts whose stiffness is in proportion to the mean radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizedContact {
    /// The contact between spheres of the radius below.
    pub contact: Contact,
    /// The radius to which its stiffness belongs `[a]`.
    pub radius: f64,
}

impl SizedContact {
    /// The contact between two particular spheres.
    fn of(&self, radii: [f64; 2]) -> Contact {
        let share = 0.5 * touching_distance(radii) / self.radius;
        Contact { stiffness: share * self.contact.stiffness, ..self.contact }
    }
}

impl PairLaw for SizedContact {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, radii: [f64; 2]) -> f64 {
        self.contact.range(radii)
    }

    fn origins(&self) -> [Origin; 2] {
        self.contact.origins()
    }

    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        self.of(pair.radii).respond(pair, memory, rates)
    }

    fn respond_stiffly(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        self.of(pair.radii).respond_stiffly(pair, memory, rates)
    }

    fn memory_len(&self) -> usize {
        self.contact.memory_len()
    }

    fn advance_memory(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        self.of(pair.radii).advance_memory(pair, memory, rates);
    }

    fn springs(&self, overlap: f64) -> Option<[f64; 2]> {
        self.contact.springs(overlap)
    }

    fn set_stiffness(&mut self, stiffness: f64) {
        self.contact.set_stiffness(stiffness);
    }

    fn stiffen(&self, memory: &mut [f64], factor: f64) {
        self.contact.stiffen(memory, factor);
    }

    fn surfaces(&self, end: &PairEnd) -> Option<Surfaces> {
        self.of(end.pair.radii).surfaces(end)
    }

    fn stored_energy(&self, radii: [f64; 2], gap: f64, memory: &[f64]) -> f64 {
        self.of(radii).stored_energy(radii, gap, memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_pushes_as_that_of_lf_dem() {
        // 6πμγ̇ k_n (s/2)² |ξ| with k_n = 1e4, radii 1 and 1.4, ξ = −1e-3.
        let contact = Contact {
            stiffness: 6.0 * PI * STIFFNESS,
            tangential_ratio: TANGENTIAL_RATIO,
            friction: 0.0,
            critical_load: 0.0,
            damping: 0.0,
            backing: None,
            springs: crate::laws::contact::Springs::AtEnd,
        };
        let law = SizedContact { contact, radius: 1.0 };
        let pair = Pair { radii: [1.0, 1.4], gap: -1.2e-3, distance: 2.4, ..Pair::default() };
        let rates = Rates::default();
        let pushed = -law.respond(&pair, &[], &rates).force(&rates).normal;
        let expected = 6.0 * PI * STIFFNESS * 1.2 * 1.2 * 1e-3;
        assert!((pushed / expected - 1.0).abs() < 1e-12, "{pushed} {expected}");
    }

    #[test]
    fn films_have_no_logarithm_and_contacts_a_dashpot() {
        let dashpot = LfDem::dashpot_of(STIFFNESS);
        let law = LfDem { viscosity: 1.0, shift: 1e-3, range: 0.5, dashpot };
        let squeeze = |radii: [f64; 2], gap: f64| {
            let pair = Pair { radii, gap, distance: radii[0] + radii[1], ..Pair::default() };
            law.respond(&pair, &[], &Rates::default()).resistance.squeeze
        };
        // Equal spheres have g₁ = 1/4.
        let expected = 6.0 * PI * 0.25;
        assert!((squeeze([1.0; 2], 0.1) * 0.101 / expected - 1.0).abs() < 1e-12);
        assert!((squeeze([1.0; 2], -1e-3) / (40.0 * expected) - 1.0).abs() < 1e-12);
        // 0.5, 0.6 and 0.7 a by pair.
        for (radii, range) in [([1.0, 1.0], 0.5), ([1.0, 1.4], 0.6), ([1.4, 1.4], 0.7)] {
            assert!(squeeze(radii, range - 1e-9) > 1.0 && squeeze(radii, range + 1e-9) == 0.0);
        }
    }
}
