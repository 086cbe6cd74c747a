//! Lubricated rough contact (\[CBC20\]): a film of fluid, elastic bulk, asperities that touch, and
//! Coulomb friction between them.
//!
//! Three lengths: \\(u_n = r - s\\) of the geometry, the thickness \\(u > 0\\) of the fluid film,
//! which is a state, and the deflection \\(u_e = u_n - u\\) of the bulk. The tension is \\(N =
//! k_b(u_n - u)\\) and goes through film, asperities and remote forces (eq. 13),
//! $$k_b(u_n - u) = \tfrac32\pi\eta\bar a^2\,\frac{\dot u}{u} -
//! k_n\max(0,\ \varepsilon a - u) + N_{rem}(u) .$$
//! Remembered is ln u: u falls below 1e-40 in real runs and never reaches zero. A step is taken
//! backward in ln u, which is solved for in the pair and eliminated (eq. 22 differences u itself;
//! the two agree to the order of a backward step), which leaves a tension and its slope in the
//! squeeze rate, never negative, at any step. Rigid bulk, \\(k_b\to\infty\\), is the limit \\(u =
//! u_n\\) of the same formulas.
//!
//! Sliding stretches a spring \\(k_t\\) in series with the film's friction \\(\nu_t(u)\\) and,
//! beside it, a slider that holds up to \\(\mu|N^c|\\) (eqs. 23–33; here eqs. 26 and 31 have the
//! signs that eqs. 27 and 32 imply):
//! $$\dot{\mathbf v}_e = \mathbf v - \dot{\mathbf v} + \boldsymbol\Omega\times\mathbf v_e,\qquad
//! \mathbf T = k_t\mathbf v_e,\qquad
//! \mathbf T = \nu_t\dot{\mathbf v} + \mu|N^c|\,\dot{\mathbf v}/|\dot{\mathbf v}|$$
//! with the rotation \\(\boldsymbol\Omega\\) of the pair, its mean spin about the normal included.
//! Without contact that is an element of Maxwell; while \\(|\mathbf T|\le\mu|N^c|\\) the contact
//! sticks.
//!
//! The time unit of eqs. 14–22 is \\(\tfrac32\pi\eta a/k_b\\); the crossing time of eq. 20 (with
//! the sign that eq. 17 gives it) is not needed, because the pair is solved with its kink. Between
//! unlike spheres the film's friction takes the harmonic mean \\(\bar a\\) of the radii, which is
//! what lubrication gives, and asperities are ε times the mean radius \\(a = s/2\\). At a flat wall
//! \\(\bar a\\) is twice the radius, and asperities are ε times the radius: those of the sphere.
//!
//! A pair pressed by more than \\(k_n\varepsilon a\\) has no equilibrium: its film drains for ever.
//! Such pairs are counted as overloaded.

mod memory;
mod normal;
mod tangential;
#[cfg(test)]
mod tests;
mod viscous;

use nalgebra::Vector3;

use super::attraction::Attraction;
use super::contact::{self, FRICTION};
use super::lubrication;
use super::repulsion::Repulsion;
use super::{
    About, Interactions, LARGE, Origin, Pair, PairEnd, PairForce, PairLaw, Rates, Remote, Response,
};
use super::{Sample, Surfaces, Unsymmetric, WallLimit, gap_at, is_flat, touching_distance};
use memory::{Memory, REMEMBERED};
use normal::Squeezed;
use tangential::Sheared;
pub use viscous::{Beginning, Film, Rolling};

/// Parameters of the law.
#[derive(Clone, Debug)]
pub struct Rough {
    /// Viscosity of the fluid η `[μ]`.
    pub viscosity: f64,
    /// Stiffness of the bulk \\(k_b\\), infinite for rigid spheres `[μγ̇a]`.
    pub stiffness: f64,
    /// Stiffness of the asperities \\(k_n\\) `[μγ̇a]`.
    pub asperity_stiffness: f64,
    /// Tangential stiffness \\(k_t\\); may be infinite where there is no friction `[μγ̇a]`.
    pub tangential_stiffness: f64,
    /// Size of the asperities over the mean radius, ε.
    pub roughness: f64,
    /// Coefficient of friction between asperities, \\(\mu_m\\).
    pub friction: f64,
    /// Gap \\(u_n\\) of the undeflected spheres at which the film begins `[a]`.
    pub range: f64,
    /// How the film begins there.
    pub beginning: Beginning,
    /// How the film resists.
    pub film: Film,
    /// Remote forces across the film.
    pub remote: Remote,
}

/// The law in the register.
pub const ABOUT: About = About { name: "rough", origins: &[], table: None, samples };

fn samples() -> Vec<Sample> {
    let film = |rolling| Film::Printed { sliding: true, rolling };
    let smooth = || Rough {
        viscosity: 1.0,
        stiffness: 1e4,
        asperity_stiffness: 1e4,
        tangential_stiffness: 3e3,
        roughness: 5e-3,
        friction: 0.0,
        range: 0.5,
        beginning: Beginning::Smooth,
        film: film(Rolling::None),
        remote: Remote::NONE,
    };
    let law = || Rough { friction: 0.4, ..smooth() };
    let rigid = || Rough { stiffness: f64::INFINITY, ..law() };
    let slick = Rough { friction: 0.0, tangential_stiffness: f64::INFINITY, ..rigid() };
    let repulsion = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
    let attraction = Attraction { hamaker: 0.5, regularisation: 0.1, range: 0.4 };
    let remote = Remote::of(Interactions::of(repulsion).with(attraction));
    // A thousandth of the film's friction is left at its range, or all of it where it is truncated.
    // The slope is that of a force that changes because the centres move.
    let sample = |name, law: Rough| Sample::new(name, law).ends_abruptly().approximate_slope();
    // Of two spheres asperities grow with the mean radius; those of a wall are none.
    let walled = |name, law: Rough| {
        let roughness = 2.0 * law.roughness / (1.0 + LARGE);
        let beside = Rough { roughness, ..law.clone() };
        sample(name, law).at_wall(WallLimit::Other(Box::new(beside))).stores()
    };
    let apart = |name, law: Rough| sample(name, law).at_wall(WallLimit::None);
    vec![
        walled("frictionless rough", smooth()),
        walled("frictional rough", law()),
        apart("truncated rough", Rough { beginning: Beginning::Truncated, ..law() }).stores(),
        walled("rolling rough", Rough { film: film(Rolling::Derived), ..law() }),
        walled("rolling as printed rough", Rough { film: film(Rolling::Printed), ..law() }),
        apart("two-body rough", Rough { film: Film::TwoBody, ..law() }).stores(),
        apart("remote rough", Rough { remote, ..law() }),
        apart("rigid frictional rough", rigid()).never_overlaps().stores(),
        apart("rigid rough", slick).never_overlaps().stores(),
    ]
}

/// The thinnest film that spheres without history may begin with, in mean radii.
const THINNEST_START: f64 = 1e-9;

/// What rounding of positions may add up to in a step, relative to a distance.
const POSITION_ROUNDING: f64 = 1e-15;

/// A pair at one instant, or at the end of a step.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Thickness of the film u `[a]`.
    pub gap: f64,
    /// Deflection of the bulk \\(u_e\\), negative when pressed `[a]`.
    pub deflection: f64,
    /// Tension N `[μγ̇a²]`.
    pub tension: f64,
    /// Force between the asperities \\(|N^c|\\) `[μγ̇a²]`.
    pub contact: f64,
    /// Shear force **T** `[μγ̇a²]`.
    pub shear: Vector3<f64>,
    /// Whether the asperities slide; `None` where there is no friction.
    pub slides: Option<bool>,
    /// Whether the pair is pressed by more than the asperities can bear, \\(k_n\varepsilon a\\).
    pub overloaded: bool,
}

/// Normal and tangential part of a pair at the end of a step.
struct Solved {
    squeezed: Squeezed,
    sheared: Sheared,
}

impl Solved {
    /// What is remembered of it.
    fn memory(&self) -> Memory {
        Memory { log_gap: self.squeezed.log_gap, stretch: self.sheared.stretch }
    }
}

impl Rough {
    /// Size of the asperities between two spheres, εa, or of a sphere at a wall `[a]`.
    pub fn asperities(&self, radii: [f64; 2]) -> f64 {
        let mean = if is_flat(radii) { radii[0] } else { 0.5 * (radii[0] + radii[1]) };
        self.roughness * mean
    }

    /// What the asperities can bear, \\(k_n\varepsilon a\\) `[μγ̇a²]`.
    pub fn bearable(&self, radii: [f64; 2]) -> f64 {
        self.asperity_stiffness * self.asperities(radii)
    }

    fn is_rigid(&self) -> bool {
        self.stiffness.is_infinite()
    }

    /// The pair at the end of a step from what it remembers, with a guess of ln u there; `None`
    /// without a film.
    fn solve(&self, pair: &Pair, base: Memory, guess: f64, rates: &Rates) -> Option<Solved> {
        let squeezed = self.squeezed(pair, [base.log_gap, guess], rates.squeeze)?;
        let sheared = self.sheared(pair, base.stretch, rates, &squeezed);
        Some(Solved { squeezed, sheared })
    }

    /// What a pair does that ends a step with the given rates; `None` if it does nothing.
    pub fn touch(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Option<Touch> {
        let base = Memory::read(memory)?;
        let Solved { squeezed, sheared } = self.solve(pair, base, base.log_gap, rates)?;
        let pressed = squeezed.tension - self.remote.tension(pair.radii, squeezed.gap)[0];
        Some(Touch {
            gap: squeezed.gap,
            deflection: if self.is_rigid() { 0.0 } else { squeezed.tension / self.stiffness },
            tension: squeezed.tension,
            contact: squeezed.contact,
            shear: sheared.shear,
            slides: (sheared.limit > 0.0).then_some(sheared.slides),
            overloaded: squeezed.contact > 0.0 && -pressed > self.bearable(pair.radii),
        })
    }
}

impl PairLaw for Rough {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, radii: [f64; 2]) -> f64 {
        self.range.max(self.remote.range(radii))
    }

    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        let mut end = [0.0; REMEMBERED];
        end.copy_from_slice(memory);
        self.respond_to_end(pair, memory, &mut end, rates)
    }

    fn respond_to_end(
        &self,
        pair: &Pair,
        memory: &[f64],
        end: &mut [f64],
        rates: &Rates,
    ) -> Response {
        let Some(base) = Memory::read(memory) else {
            return Response::default();
        };
        let guess = Memory::read(end).unwrap_or(base).log_gap;
        let Some(solved) = self.solve(pair, base, guess, rates) else {
            let mut failed = Response::default();
            failed.at_rest.normal = f64::NAN;
            return failed;
        };
        solved.memory().write(end);
        let Solved { squeezed, sheared } = solved;
        let mut resistance = sheared.resistance;
        resistance.squeeze = squeezed.resistance;
        let acting = resistance.force(rates);
        let mut response = Response {
            at_rest: PairForce {
                normal: squeezed.tension - acting.normal,
                shear: sheared.shear - acting.shear,
                rolling: sheared.rolling - acting.rolling,
                twisting: 0.0,
            },
            resistance,
            unsymmetric: None,
        };
        if self.friction > 0.0 {
            let unsymmetric = Unsymmetric {
                shear_by_squeeze: squeezed.contact_by_squeeze * sheared.shear_by_contact,
                shear_by_slide: sheared.anisotropy,
                ..Unsymmetric::default()
            };
            let (_, extra) = unsymmetric.force(rates);
            response.at_rest.shear -= extra;
            response.unsymmetric = Some(Box::new(unsymmetric));
        }
        response
    }

    fn origins(&self) -> [Origin; 2] {
        [lubrication::ORIGIN; 2]
    }

    fn all_origins(&self) -> Vec<Origin> {
        self.origins().into_iter().chain(self.remote.origins()).collect()
    }

    fn parts(
        &self,
        pair: &Pair,
        memory: &[f64],
        [_, rates]: [&Rates; 2],
        see: &mut dyn FnMut(Origin, PairForce),
    ) {
        let base = Memory::read(memory);
        let Some(solved) = base.and_then(|base| self.solve(pair, base, base.log_gap, rates)) else {
            return;
        };
        let Solved { squeezed, sheared } = solved;
        let normal = |normal: f64| PairForce { normal, ..PairForce::default() };
        let shear = |shear: Vector3<f64>| PairForce { shear, ..PairForce::default() };
        see(contact::ORIGIN, normal(-squeezed.contact));
        see(FRICTION, shear(sheared.friction));
        let mut in_film = squeezed.tension + squeezed.contact;
        for (origin, tension) in self.remote.parts(pair.radii, squeezed.gap) {
            see(origin, normal(tension));
            in_film -= tension;
        }
        see(
            lubrication::ORIGIN,
            PairForce {
                normal: in_film,
                shear: sheared.shear - sheared.friction,
                rolling: sheared.rolling,
                twisting: sheared.resistance.twist * rates.twist,
            },
        );
    }

    fn memory_len(&self) -> usize {
        REMEMBERED
    }

    fn advance_memory(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        let base = Memory::read(memory);
        if let Some(solved) = base.and_then(|base| self.solve(pair, base, base.log_gap, rates)) {
            solved.memory().write(memory);
        }
    }

    fn has_films(&self) -> bool {
        true
    }

    fn surfaces(&self, end: &PairEnd) -> Option<Surfaces> {
        let touch = self.touch(end.pair, end.memory, end.rates)?;
        Some(Surfaces {
            gap: touch.gap,
            normal: end.pair.normal,
            deflection: touch.deflection,
            touch: touch.contact > 0.0,
            slide: touch.slides,
            overloaded: touch.overloaded,
        })
    }

    fn contact_force(&self, end: &PairEnd) -> Vector3<f64> {
        let Some(touch) = self.touch(end.pair, end.memory, end.rates) else {
            return Vector3::zeros();
        };
        let on_i = touch.tension * end.pair.normal + touch.shear;
        -on_i
    }

    fn remedy(&self) -> Option<&'static str> {
        Some(if self.is_rigid() {
            "Films between rigid spheres are lost in rounding below 1e-12 a: a `stiffness`, \
             however large, follows them to any thickness"
        } else {
            "Another `time.tolerance`, a softer `stiffness` or less `friction` may help"
        })
    }

    fn init_memory(&self, radii: [f64; 2], separation: &Vector3<f64>, memory: &mut [f64]) {
        let gap = gap_at(separation.norm(), radii);
        if gap < self.range(radii) && Memory::read(memory).is_none() {
            let log_gap = gap.max(0.5 * THINNEST_START * touching_distance(radii)).ln();
            Memory { log_gap, stretch: Vector3::zeros() }.write(memory);
            memory[4] = 1.0;
        }
    }

    fn memory_rate(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        let Some(now) = Memory::read(memory) else { return };
        let log_gap = self.widening(pair, now.log_gap, rates.squeeze);
        let stretch = self.stretching(pair, now, rates);
        Memory { log_gap, stretch }.write(memory);
        memory[4] = 0.0;
    }

    fn finish_memory(&self, pair: &Pair, memory: &mut [f64]) {
        let Some(now) = Memory::read(memory) else { return };
        if pair.distance - pair.sum() >= self.range(pair.radii) {
            return memory.fill(0.0);
        }
        let flat = now.stretch - pair.normal.dot(&now.stretch) * pair.normal;
        Memory { stretch: flat, ..now }.write(memory);
    }

    fn cutoff(&self, _radii: [f64; 2]) -> Option<f64> {
        (self.beginning == Beginning::Truncated && self.range.is_finite()).then_some(self.range)
    }

    fn error(&self, pair: &Pair, errors: &[f64], radius: f64) -> f64 {
        let stretch = Vector3::new(errors[1], errors[2], errors[3]).norm() / radius;
        let apart = pair.distance - pair.sum();
        // Between rigid spheres the film is known no better than the rounding of positions.
        let rounding =
            if self.is_rigid() { POSITION_ROUNDING * pair.distance / apart } else { 0.0 };
        let film = (errors[0].abs() - rounding).max(0.0);
        (film * (apart / radius).max(1.0)).max(stretch)
    }

    fn stored_energy(&self, radii: [f64; 2], gap: f64, memory: &[f64]) -> f64 {
        let Some(now) = Memory::read(memory) else { return 0.0 };
        let film = now.log_gap.exp();
        let bulk = if self.is_rigid() { 0.0 } else { self.stiffness * (gap - film).powi(2) };
        let pressed = (self.asperities(radii) - film).max(0.0);
        let asperities = self.asperity_stiffness * pressed * pressed;
        let springs = self.tangential_stiffness.min(f64::MAX) * now.stretch.norm_squared();
        0.5 * (bulk + asperities + springs)
    }
}
