//! Linear-spring contact with Coulomb friction (\[GB20\] eq. 5 and appendix C).
//!
//! Springs are taken implicitly: as the exact mean over the step, \\(N = (\Phi(h_1) -
//! \Phi(h_0))/(h_1 - h_0)\\) with \\(h_1 = h_0 + \Delta t\,\dot h\\) and \\(\Phi =
//! \tfrac12k_n\min(h,0)^2\\), which is second order and stores exactly what it takes up; or at the
//! end of the step, \\(N = k_n\min(h_1, 0)\\), which damps what is stiffer than the step resolves.
//! Damping brings to rest what a stress cannot move. In flow it dissipates: near jamming, with
//! friction, viscosities are then a quarter too large. An optional dashpot
//! \\(\gamma_n\dot h\\) acts while the force stays compressive.
//!
//! A second, stiffer spring may back the first from a given overlap on. It bears bursts of force,
//! so that overlaps keep to their bound without contacts that are stiffer than they need to be at
//! usual loads: the stiffness follows the load both ways, contact by contact, and nothing is to be
//! remembered.
//!
//! Friction is solved inside the step in secant form. At the end of the step it is
//! \\(\mathbf T = s(\boldsymbol\xi + \Delta t\,\mathbf v)\\) with
//! \\(s = \min(k_t,\ T_{max}/|\boldsymbol\xi + \Delta t\,\mathbf v|)\\). The mean over a step in
//! which a contact sticks for a share q, until its stretch is as long as the limit allows, and then
//! slides, is
//! $$\mathbf T = q\,k_t(\boldsymbol\xi + \tfrac12 q\Delta t\,\mathbf v) + (1 - q)\,s\,\mathbf d,
//! \quad \mathbf d = \boldsymbol\xi + \tfrac12(1 + q)\Delta t\,\mathbf v,\quad
//! s = T_{max}/|\mathbf d|.$$
//! (To take the force of the middle of the step, or the limit if that is less, would make friction
//! too strong in every step in which a contact begins to slide.) Both are resistances that are
//! symmetric and dissipative at every iterate. \\(T_{max} = \mu_c|N|\\), or
//! \\(\mu_c(|N| - F_{CL})\\) with a critical load: friction acts only where the normal force
//! exceeds it, and grows from zero there (Mari et al. 2014).

mod friction;

use nalgebra::Vector3;

use friction::{Stretched, Tangential};

use super::{About, Origin, Pair, PairEnd, PairLaw, Rates, Response, Sample, Surfaces};

/// The stress of normal contact forces.
pub const ORIGIN: Origin = Origin::named("contact");

/// The stress of tangential contact forces.
pub const FRICTION: Origin = Origin::named("friction");

/// The law in the register.
pub const ABOUT: About =
    About { name: "contact", origins: &["contact", "friction"], table: None, samples };

fn samples() -> Vec<Sample> {
    let law = Contact {
        stiffness: 1e5,
        tangential_ratio: 2.0 / 7.0,
        friction: 0.7,
        critical_load: 20.0,
        damping: 0.0,
        backing: None,
        springs: Springs::AtEnd,
    };
    let mean = Contact { springs: Springs::Mean, ..law };
    let damped = Contact { damping: 3.0, ..law };
    let backing = Some(Backing { overlap: 1e-3, ratio: 15.0 });
    vec![
        Sample::new("backed contact", Contact { backing, ..law }).stores(),
        Sample::new("mean backed contact", Contact { backing, ..mean }).stores(),
        Sample::new("contact", law).stores(),
        Sample::new("mean contact", mean).stores(),
        Sample::new("damped contact", damped).ends_abruptly().stores(),
    ]
}

/// The least slope of sliding friction, as a share of that of sticking, while contacts are being
/// found.
const LEAST_SLIDING: f64 = 0.35;

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
    /// The spring that backs the first, if there is one.
    pub backing: Option<Backing>,
    /// When in the step the springs are evaluated.
    pub springs: Springs,
}

/// A normal spring that acts from an overlap on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backing {
    /// The overlap `[a]`.
    pub overlap: f64,
    /// Its stiffness over that of the first spring `[1]`.
    pub ratio: f64,
}

/// When in a step springs are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Springs {
    /// At its end: first order, damps unresolved stiffness.
    AtEnd,
    /// The mean over it: second order, conserves energy.
    Mean,
}

/// The normal force of a contact: tension (never positive) and its slope in the squeeze rate.
struct Pressed {
    tension: f64,
    slope: f64,
}

impl Contact {
    /// The tension of a spring over a step between two gaps, and its slope in the squeeze rate.
    fn spring(&self, k: f64, pair: &Pair, squeeze: f64) -> (f64, f64) {
        let end = pair.end_gap(squeeze);
        match self.springs {
            Springs::AtEnd if end < 0.0 => (k * end, k * pair.step),
            Springs::AtEnd => (0.0, 0.0),
            Springs::Mean => mean_spring(k, pair, squeeze),
        }
    }

    fn pressed(&self, pair: &Pair, squeeze: f64) -> Option<Pressed> {
        let (start, end) = (pair.gap.min(0.0), pair.end_gap(squeeze).min(0.0));
        let (mut spring, mut slope) = self.spring(self.stiffness, pair, squeeze);
        if let Some(Backing { overlap, ratio }) = self.backing
            && start.min(end) < -overlap
        {
            let from = Pair { gap: pair.gap + overlap, ..*pair };
            let (force, steeper) = self.spring(ratio * self.stiffness, &from, squeeze);
            spring += force;
            slope += steeper;
        }
        let touches = match self.springs {
            Springs::AtEnd => end < 0.0,
            Springs::Mean => start + end < 0.0,
        };
        let tension = spring + self.damping * squeeze;
        let slope = slope + self.damping;
        (touches && tension < 0.0).then_some(Pressed { tension, slope })
    }

    /// The largest friction force at a given tension `[μγ̇a²]`.
    fn limit(&self, tension: f64) -> f64 {
        self.friction * (-tension - self.critical_load).max(0.0)
    }

    fn tangential_stiffness(&self) -> f64 {
        self.tangential_ratio * self.stiffness
    }

    /// Whether a contact slides, or `None` when there is no frictional contact.
    pub fn slides(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Option<bool> {
        let limit = self.limit(self.pressed(pair, rates.squeeze)?.tension);
        (limit > 0.0).then(|| self.stretched(pair, memory, rates, limit).slides)
    }

    /// The stretch at the end of a step, in the tangent plane of its middle.
    fn final_stretch(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Vector3<f64> {
        let pressed = self.pressed(pair, rates.squeeze);
        let limit = pressed.map_or(0.0, |p| self.limit(p.tension));
        if limit <= 0.0 {
            return Vector3::zeros();
        }
        self.stretched(pair, memory, rates, limit).end
    }

    /// The slope of the friction of a contact that sticks `[μa]`.
    fn sticking_slope(&self, pair: &Pair) -> f64 {
        let share = match self.springs {
            Springs::AtEnd => 1.0,
            Springs::Mean => 0.5,
        };
        share * self.tangential_stiffness() * pair.step
    }

    fn stretched(&self, pair: &Pair, memory: &[f64], rates: &Rates, limit: f64) -> Stretched {
        let (stiffness, springs) = (self.tangential_stiffness(), self.springs);
        let spring = Tangential { stiffness, limit, springs };
        spring.stretched(carried(pair, memory), &rates.slide, pair.step)
    }
}

/// Mean force over the step of a spring that acts in overlap only, and its slope in the squeeze
/// rate.
fn mean_spring(k: f64, pair: &Pair, squeeze: f64) -> (f64, f64) {
    let (start, end) = (pair.gap.min(0.0), pair.end_gap(squeeze).min(0.0));
    let change = pair.step * squeeze;
    if change == 0.0 || (start < 0.0 && end < 0.0) {
        return (0.5 * k * (start + end), 0.5 * k * pair.step);
    }
    let mean = 0.5 * k * (end * end - start * start) / change;
    (mean, (k * end - mean) / change * pair.step)
}

/// The remembered stretch, turned into the tangent plane of the present normal, its length kept.
fn carried(pair: &Pair, memory: &[f64]) -> Vector3<f64> {
    let stretch = Vector3::new(memory[0], memory[1], memory[2]);
    let flat = stretch - pair.normal * pair.normal.dot(&stretch);
    let length = flat.norm();
    if length > 0.0 { flat * (stretch.norm() / length) } else { Vector3::zeros() }
}

impl PairLaw for Contact {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, _radii: [f64; 2]) -> f64 {
        0.0
    }

    fn remedy(&self) -> Option<&'static str> {
        Some(
            "A larger `time.tolerance`, a softer `contact.stiffness` or a lower \
             `particles.volume_fraction` may help",
        )
    }

    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        let Some(pressed) = self.pressed(pair, rates.squeeze) else {
            return Response::default();
        };
        let mut response = Response::normal(pressed.tension, pressed.slope, rates.squeeze);
        let limit = self.limit(pressed.tension);
        if limit > 0.0 {
            let stretched = self.stretched(pair, memory, rates, limit);
            response.at_rest.shear = stretched.per_stretch * stretched.start;
            response.resistance.slide = stretched.per_velocity;
        }
        response
    }

    fn respond_stiffly(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        let mut response = self.respond(pair, memory, rates);
        let slope = response.resistance.slide;
        let least = LEAST_SLIDING * self.sticking_slope(pair);
        if slope > 0.0 && slope < least {
            response.at_rest.shear -= (least - slope) * rates.slide;
            response.resistance.slide = least;
        }
        response
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN, FRICTION]
    }

    fn memory_len(&self) -> usize {
        if self.friction > 0.0 { 3 } else { 0 }
    }

    fn advance_memory(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        if self.friction == 0.0 {
            return;
        }
        let stretch = self.final_stretch(pair, memory, rates);
        if stretch == Vector3::zeros() {
            memory.fill(0.0);
            return;
        }
        let turned = stretch + pair.step * rates.swirl * pair.normal.cross(&stretch);
        let length = turned.norm();
        let scale = if length > 0.0 { stretch.norm() / length } else { 1.0 };
        memory.copy_from_slice((scale * turned).as_slice());
    }

    fn springs(&self, overlap: f64) -> Option<[f64; 2]> {
        let sticks = if self.friction > 0.0 { self.tangential_ratio } else { 0.0 };
        let backed = self.backing.filter(|backing| overlap > backing.overlap);
        let harder = 1.0 + backed.map_or(0.0, |backing| backing.ratio);
        Some([harder * self.stiffness, sticks / harder])
    }

    fn set_stiffness(&mut self, stiffness: f64) {
        self.stiffness = stiffness;
    }

    fn surfaces(&self, end: &PairEnd) -> Option<Surfaces> {
        (end.gap < 0.0).then(|| Surfaces {
            gap: end.gap,
            normal: end.pair.normal,
            deflection: 0.0,
            touch: true,
            slide: self.slides(end.pair, end.memory, end.rates),
            overloaded: false,
        })
    }

    fn stiffen(&self, memory: &mut [f64], factor: f64) {
        memory.iter_mut().for_each(|x| *x /= factor);
    }

    fn stored_energy(&self, _radii: [f64; 2], gap: f64, memory: &[f64]) -> f64 {
        let overlap = gap.min(0.0);
        let stretch: f64 = memory.iter().map(|x| x * x).sum();
        let backed = self
            .backing
            .map_or(0.0, |backing| backing.ratio * (overlap + backing.overlap).min(0.0).powi(2));
        0.5 * self.stiffness * (overlap * overlap + backed)
            + 0.5 * self.tangential_stiffness() * stretch
    }
}

#[cfg(test)]
mod tests;
