//! Linear-spring contact with Coulomb friction (\[GB20\] eq. 5 and appendix C).
//!
//! The normal spring is taken implicitly: \\(N = k_n(h + \theta\Delta t\,\dot h)\\) while that is
//! compressive, plus an optional dashpot \\(\gamma_n\dot h\\). Friction is solved inside the step
//! in secant form: \\(\mathbf T = s(\boldsymbol\xi + \Delta t\,\mathbf v)\\) with
//! \\(s = \min(k_t,\ T_{max}/|\boldsymbol\xi + \Delta t\,\mathbf v|)\\), a resistance
//! \\(s\Delta t\\) that is symmetric and dissipative at every iterate. \\(T_{max} = \mu_c|N|\\), or
//! \\(\mu_c(|N| - F_{CL})\\) with a critical load: friction acts only where the normal force
//! exceeds it, and grows from zero there (Mari et al. 2014).

use nalgebra::Vector3;

use super::{Origin, Pair, PairLaw, Rates, Response};

/// Parameters of the contact law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Normal stiffness k_n, force per overlap `[μγ̇a]`.
    pub stiffness: f64,
    /// Tangential over normal stiffness, k_t/k_n.
    pub tangential_ratio: f64,
    /// Friction coefficient μ_c.
    pub friction: f64,
    /// Normal force below which there is no friction, F_CL `[μγ̇a²]`.
    pub critical_load: f64,
    /// Normal dashpot γ_n `[μa]`.
    pub damping: f64,
    /// Where in the step the springs are evaluated: 1 at its end (implicit Euler), ½ in its middle.
    pub centring: f64,
}

/// A contact during one step.
struct State {
    /// Tension (never positive), its slope in the squeeze rate.
    tension: f64,
    slope: f64,
}

impl Contact {
    fn normal(&self, pair: &Pair, squeeze: f64) -> Option<State> {
        let gap = pair.gap + self.centring * pair.step * squeeze;
        let slope = self.stiffness * self.centring * pair.step + self.damping;
        let tension = self.stiffness * gap + self.damping * squeeze;
        (gap < 0.0 && tension < 0.0).then_some(State { tension, slope })
    }

    /// The largest friction force at a given tension `[μγ̇a²]`.
    fn limit(&self, tension: f64) -> f64 {
        self.friction * (-tension - self.critical_load).max(0.0)
    }

    fn tangential_stiffness(&self) -> f64 {
        self.tangential_ratio * self.stiffness
    }

    /// The stretch at the end of the step if nothing slides, and the secant stiffness.
    fn stretch(
        &self,
        pair: &Pair,
        memory: &[f64],
        rates: &Rates,
        limit: f64,
    ) -> (Vector3<f64>, f64) {
        let stretch = carried(pair, memory) + pair.step * rates.slide;
        let stick = self.tangential_stiffness();
        let length = stretch.norm();
        (stretch, if stick * length > limit { limit / length } else { stick })
    }

    /// Whether a contact slides, or `None` when there is no frictional contact.
    pub fn slides(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Option<bool> {
        let state = self.normal(pair, rates.squeeze)?;
        let limit = self.limit(state.tension);
        let (_, secant) = self.stretch(pair, memory, rates, limit);
        (limit > 0.0).then_some(secant < self.tangential_stiffness())
    }
}

/// The remembered stretch, turned into the tangent plane of the present normal, its length kept.
fn carried(pair: &Pair, memory: &[f64]) -> Vector3<f64> {
    let stretch = Vector3::new(memory[0], memory[1], memory[2]);
    let flat = stretch - pair.normal * pair.normal.dot(&stretch);
    let length = flat.norm();
    if length > 0.0 { flat * (stretch.norm() / length) } else { Vector3::zeros() }
}

impl PairLaw for Contact {
    fn range(&self, _radii: [f64; 2]) -> f64 {
        0.0
    }

    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        let Some(state) = self.normal(pair, rates.squeeze) else {
            return Response::default();
        };
        let mut response = Response::normal(state.tension, state.slope, rates.squeeze);
        let limit = self.limit(state.tension);
        if limit > 0.0 {
            let (_, secant) = self.stretch(pair, memory, rates, limit);
            response.at_rest.shear = secant * carried(pair, memory);
            response.resistance.slide = secant * pair.step;
        }
        response
    }

    fn origins(&self) -> [Origin; 2] {
        [Origin::Contact, Origin::Friction]
    }

    fn memory_len(&self) -> usize {
        if self.friction > 0.0 { 3 } else { 0 }
    }

    fn remember(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        if self.friction == 0.0 {
            return;
        }
        let limit = self.normal(pair, rates.squeeze).map_or(0.0, |s| self.limit(s.tension));
        let stretch = if limit > 0.0 {
            let (stretch, secant) = self.stretch(pair, memory, rates, limit);
            let turned = stretch + pair.step * rates.swirl * pair.normal.cross(&stretch);
            let length = turned.norm();
            let scale = if length > 0.0 { stretch.norm() / length } else { 1.0 };
            turned * (scale * secant / self.tangential_stiffness())
        } else {
            Vector3::zeros()
        };
        memory.copy_from_slice(stretch.as_slice());
    }

    fn stored_energy(&self, _radii: [f64; 2], gap: f64, memory: &[f64]) -> f64 {
        let overlap = gap.min(0.0);
        let stretch: f64 = memory.iter().map(|x| x * x).sum();
        0.5 * self.stiffness * overlap * overlap + 0.5 * self.tangential_stiffness() * stretch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(friction: f64) -> Contact {
        Contact {
            stiffness: 1e4,
            tangential_ratio: 2.0 / 7.0,
            friction,
            critical_load: 0.0,
            damping: 0.0,
            centring: 1.0,
        }
    }

    fn pair(gap: f64) -> Pair {
        Pair { radii: [1.0, 1.0], normal: Vector3::x(), distance: 2.0 + gap, gap, step: 0.01 }
    }

    #[test]
    fn friction_never_exceeds_the_coulomb_bound() {
        let law = law(0.5);
        for slide in [0.0, 1e-3, 0.1, 10.0] {
            let rates = Rates { squeeze: -0.01, slide: Vector3::y() * slide, ..Rates::default() };
            let force = law.respond(&pair(-0.002), &[0.0, 1e-4, 0.0], &rates).force(&rates);
            assert!(force.shear.norm() <= 0.5 * force.normal.abs() * (1.0 + 1e-14));
        }
    }

    #[test]
    fn a_sliding_contact_remembers_the_stretch_of_its_friction() {
        let law = law(0.5);
        let rates = Rates { slide: Vector3::y() * 10.0, ..Rates::default() };
        let mut memory = [0.0; 3];
        law.remember(&pair(-0.002), &mut memory, &rates);
        let expected = 0.5 * 1e4 * 0.002 / (2.0 / 7.0 * 1e4);
        assert!((memory[1] - expected).abs() < 1e-15 && memory[0] == 0.0);
        law.remember(&pair(0.002), &mut memory, &rates);
        assert_eq!(memory, [0.0; 3], "an open contact forgets");
    }

    #[test]
    fn friction_needs_the_critical_load() {
        let law = Contact { critical_load: 30.0, ..law(1.0) };
        let rates = Rates { slide: Vector3::y(), ..Rates::default() };
        let shear = |gap| law.respond(&pair(gap), &[0.0; 3], &rates).force(&rates).shear.norm();
        assert_eq!(shear(-0.002), 0.0);
        assert!((shear(-0.004) - 10.0).abs() < 1e-12);
    }
}
