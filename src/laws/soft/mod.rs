//! Soft Dynamics: elastic surfaces that the film between them deflects (\[RG09\]).
//!
//! A pair carries a deflection δ, so that the film has a thickness and a direction of its own:
//! \\(\boldsymbol\psi = \mathbf X - \boldsymbol\delta\\), \\(h = |\boldsymbol\psi| - s\\),
//! \\(\mathbf n = \boldsymbol\psi/|\boldsymbol\psi|\\). The elastic force goes through the film,
//! \\(\mathbf F = \mathbf F^{vis} + \mathbf F^{rem}\\) (eq. 1), which is an element of Maxwell:
//! $$\dot{\boldsymbol\psi} = \mathsf Z^{-1}(\mathbf F - \mathbf F^{rem}) +
//! \bar{\boldsymbol\omega}\times\boldsymbol\psi,\qquad
//! \mathbf F = \tfrac a2E\,(c_n\mathbf n\mathbf n^T + c_t\mathsf P)\,\boldsymbol\delta .$$
//! The last term of the first equation is the extension to spheres that spin,
//! \\(\bar{\boldsymbol\omega} = (l_i\boldsymbol\omega_i + l_j\boldsymbol\omega_j)/r\\): in the
//! frame that turns with it δ grows with the rates of the pair, so a rigid motion does nothing.
//!
//! Remembered are ln h and n, not δ: in the logarithm the squeezing of a film is a straight line,
//! and no step however long makes it negative. A step is taken backward (the state at its end gives
//! the forces), with film and deflection solved for in the pair and eliminated, which leaves a
//! force and its slope in the rates. The slope tends to G Δt for short steps and to Z for long
//! ones.
//!
//! Departures from print: the sign in eq. 15; ½ in the elastic force, as in appendix A; for unlike
//! spheres R is the harmonic mean of the radii and 2R their sum; at a flat wall R is twice the
//! radius. Within a finite `range` the film's friction is multiplied by \\(1 - h/h_{range}\\),
//! which takes the Poiseuille friction at the range off. Rolling and twisting are resisted, on
//! request, as by two discs of radius a.

mod film;
mod slopes;
mod step;
#[cfg(test)]
mod tests;

use nalgebra::{Matrix3, Vector3};

use super::repulsion::Repulsion;
use super::{
    About, Interactions, Origin, Pair, PairEnd, PairLaw, Rates, Remote, Response, Surfaces,
};
use super::{Sample, WallLimit, gap_at, harmonic_radius};
pub use film::Film;
use step::{Solved, Step, straight};

/// The stress of soft surfaces: their elastic force, which goes through film and remote forces.
pub const ORIGIN: Origin = Origin::named("deflection");

/// The law in the register.
pub const ABOUT: About = About { name: "soft", origins: &["deflection"], table: None, samples };

fn samples() -> Vec<Sample> {
    let law = || Soft {
        viscosity: 1.0,
        modulus: 300.0,
        elastic_factors: [1.0, 0.7],
        range: 0.5,
        rolling: false,
        remote: Remote::NONE,
    };
    let repulsion = Repulsion { force: 4.0, debye_length: 0.02, smallest_radius: 1.0 };
    let remote = Remote::of(Interactions::of(repulsion));
    // A thousandth of the film's friction is left at its range. The slope is that of a force that
    // changes because the centres move. The film of a large sphere that turns knows its direction
    // to second order in the step only, times the radius.
    let sample = |name, law: Soft| {
        let sample = Sample::new(name, law).ends_abruptly().approximate_slope();
        sample.at_wall(WallLimit::SameUnturned)
    };
    vec![
        sample("soft", law()),
        sample("rolling soft", Soft { rolling: true, ..law() }),
        sample("remote soft", Soft { rolling: true, remote, ..law() }),
    ]
}

/// Parameters of the law.
#[derive(Clone, Debug)]
pub struct Soft {
    /// Viscosity of the fluid, η `[μ]`.
    pub viscosity: f64,
    /// Young's modulus E `[μγ̇]`.
    pub modulus: f64,
    /// Elastic factors \\(c_n, c_t\\).
    pub elastic_factors: [f64; 2],
    /// Gap at which the film ends; infinite if it never does `[a]`.
    pub range: f64,
    /// Whether the film resists rolling and twisting.
    pub rolling: bool,
    /// Remote forces across the film.
    pub remote: Remote,
}

/// The thinnest film that spheres without history may begin with, in mean radii.
const THINNEST_START: f64 = 1e-9;

/// What is left of the film's friction at its range: next to nothing, but surfaces that feel each
/// other no more still have a definite velocity.
const LEAST_TAPER: f64 = 1e-3;

/// Numbers that a pair remembers.
const MEMORY: usize = 4;

/// What a pair remembers.
#[derive(Clone, Copy, Debug)]
struct Memory {
    /// ln h.
    log_gap: f64,
    /// Direction of n; of any length. At a flat wall, whose film never tilts, n and how far the
    /// surface of the sphere lags behind, in radii.
    direction: Vector3<f64>,
}

impl Memory {
    /// None where nothing was remembered yet.
    fn read(memory: &[f64]) -> Option<Self> {
        let direction = Vector3::new(memory[1], memory[2], memory[3]);
        (direction != Vector3::zeros()).then_some(Memory { log_gap: memory[0], direction })
    }

    /// Of spheres that are not deflected.
    fn fresh(radii: [f64; 2], separation: &Vector3<f64>) -> Self {
        let distance = separation.norm();
        let gap = gap_at(distance, radii).max(THINNEST_START * harmonic_radius(radii));
        Memory { log_gap: gap.ln(), direction: separation / distance }
    }

    fn write(&self, memory: &mut [f64]) {
        memory[0] = self.log_gap;
        memory[1..4].copy_from_slice(self.direction.as_slice());
    }
}

/// What slides away below a particle at a wall, in its radii: the foot of a particle follows it
/// along the wall, whose material stays behind. Between spheres the separation itself turns.
fn slipping(pair: &Pair, rates: &Rates) -> Vector3<f64> {
    if pair.meets_wall() { rates.slide / pair.radii[0] } else { Vector3::zeros() }
}

impl Soft {
    /// The taper, from 1 to almost 0 at the range, and the slope of its logarithm.
    fn taper(&self, gap: f64) -> (f64, f64) {
        let slope = -(1.0 - LEAST_TAPER) / self.range;
        let taper = 1.0 + slope * gap;
        if taper > LEAST_TAPER { (taper, slope / taper) } else { (LEAST_TAPER, 0.0) }
    }

    /// The film at the end of a step, looked for from a guess; `None` when there is no solution.
    fn advance(&self, pair: &Pair, base: Memory, guess: Memory, rates: &Rates) -> Option<Solved> {
        let separation = pair.distance * pair.normal;
        let (radii, spin, duration) = (pair.radii, rates.spin, pair.step);
        if duration > 0.0 {
            let slipping = slipping(pair, rates);
            return Step { law: self, radii, separation, base, spin, slipping, duration }
                .solve(guess);
        }
        let direction = straight(radii, base.direction);
        let film = Film::new(self, radii, &separation, base.log_gap.exp(), direction);
        Some(Solved { film, slope: Matrix3::zeros(), memory: base })
    }

    fn remembered_film(&self, end: &PairEnd) -> Option<Film> {
        Memory::read(end.memory)?;
        let separation = end.pair.distance * end.pair.normal;
        Some(self.film(end.pair.radii, &separation, end.memory))
    }

    /// The film that a pair remembers, when its centres are apart by `separation`.
    pub fn film(&self, radii: [f64; 2], separation: &Vector3<f64>, memory: &[f64]) -> Film {
        let known = Memory::read(memory).unwrap_or_else(|| Memory::fresh(radii, separation));
        let direction = straight(radii, known.direction);
        Film::new(self, radii, separation, known.log_gap.exp(), direction)
    }
}

impl PairLaw for Soft {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn range(&self, radii: [f64; 2]) -> f64 {
        self.range.max(self.remote.range(radii))
    }

    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response {
        let mut end = [0.0; MEMORY];
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
        let guess = Memory::read(end).unwrap_or(base);
        let Some(solved) = self.advance(pair, base, guess, rates) else {
            let mut failed = Response::default();
            failed.at_rest.normal = f64::NAN;
            return failed;
        };
        solved.memory.write(end);
        let mut response =
            Response::tensor(&pair.normal, solved.film.force, pair.step * solved.slope, rates);
        if self.rolling {
            let [roll, twist] = solved.film.rolling_and_twisting();
            response.resistance.roll = roll;
            response.resistance.twist = twist;
        }
        response
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn origins(&self) -> [Origin; 2] {
        [ORIGIN; 2]
    }

    fn memory_len(&self) -> usize {
        MEMORY
    }

    fn advance_memory(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        let base = Memory::read(memory);
        if let Some(solved) = base.and_then(|base| self.advance(pair, base, base, rates)) {
            solved.memory.write(memory);
        }
    }

    fn has_films(&self) -> bool {
        true
    }

    fn surfaces(&self, end: &PairEnd) -> Option<Surfaces> {
        let film = self.remembered_film(end)?;
        Some(Surfaces {
            gap: film.gap,
            normal: film.normal,
            deflection: film.normal_deflection,
            touch: film.touches(),
            slide: None,
            overloaded: false,
        })
    }

    fn contact_force(&self, end: &PairEnd) -> Vector3<f64> {
        self.remembered_film(end).map_or_else(Vector3::zeros, |film| -film.force)
    }

    fn remedy(&self) -> Option<&'static str> {
        Some("A larger `time.tolerance`, a ramp of the load or a larger `soft.modulus` may help")
    }

    fn init_memory(&self, radii: [f64; 2], separation: &Vector3<f64>, memory: &mut [f64]) {
        let near = gap_at(separation.norm(), radii) < self.range(radii);
        if near && Memory::read(memory).is_none() {
            Memory::fresh(radii, separation).write(memory);
        }
    }

    fn memory_rate(&self, pair: &Pair, memory: &mut [f64], rates: &Rates) {
        let Some(known) = Memory::read(memory) else { return };
        let separation = pair.distance * pair.normal;
        let film = self.film(pair.radii, &separation, memory);
        let speed = film.normal.dot(&film.velocity);
        let slide = film.velocity - speed * film.normal;
        let direction = if pair.meets_wall() { known.direction } else { film.normal };
        let turn = slide / film.arm(pair.radii) + rates.spin.cross(&direction);
        let turn = turn - slipping(pair, rates);
        Memory { log_gap: speed / film.gap, direction: turn }.write(memory);
    }

    fn finish_memory(&self, pair: &Pair, memory: &mut [f64]) {
        let Some(known) = Memory::read(memory) else { return };
        if known.log_gap.exp() >= self.range(pair.radii) {
            return memory.fill(0.0);
        }
        let direction = match pair.meets_wall() {
            true => known.direction + (1.0 - pair.normal.dot(&known.direction)) * pair.normal,
            false => known.direction.normalize(),
        };
        Memory { direction, ..known }.write(memory);
    }

    fn error(&self, pair: &Pair, errors: &[f64], radius: f64) -> f64 {
        let length = if pair.meets_wall() { pair.radii[0] } else { pair.distance };
        let turned = Vector3::new(errors[1], errors[2], errors[3]).norm() * length / radius;
        // Thick films count relative to the radius.
        let thickness = ((pair.distance - pair.sum()) / radius).max(1.0);
        (errors[0].abs() * thickness).max(turned)
    }
}
