//! Pair laws: each a pure map from the rates of a pair to the forces in it.
//!
//! A pair of spheres i < j has twelve velocities; six are rigid motions of the pair and six are
//! *rates*: squeeze, slide (2), roll (2) and twist. A law is written in the rates alone, so no
//! law can act on a rigid motion, and `balance` mirrors what it returns on both particles, so
//! every law obeys the third law and the balance of torques.
//!
//! Forces are conjugate to the rates and positive in tension: with tension \\(N\\), shear
//! \\(\mathbf T\\), rolling moment \\(\mathbf M\\) and twisting moment \\(Q\\) the pair takes up
//! the power \\(N\dot h + \mathbf T\cdot\mathbf v + \mathbf M\cdot\mathbf q + Q\tau\\).
//!
//! Stiff parts are taken implicitly: a law is asked for its mean force over a step, linearised
//! about the current guess of the rates, and gives back a force at zero rate and a positive
//! semi-definite resistance.
//!
//! A flat wall is the limit of a partner whose radius grows without bound. Its place in a pair is the
//! nearest point of its surface, which has no radius: r is \\(a_i + h\\), and the velocity of j that of the
//! wall's material at this point. Levers tend to \\(l_i = a_i\\) and, counted from there, \\(l_j = h\\). Gap and
//! rates then need no other formula; a law asks [`Pair::meets_wall`] where its own does.

pub mod attraction;
pub mod collision;
pub mod contact;
pub mod lubrication;
#[cfg(test)]
mod properties;
pub mod repulsion;
mod response;
pub mod rough;
pub mod soft;
#[cfg(test)]
mod wall_limit;

use nalgebra::Vector3;

pub use response::{Response, Unsymmetric};

/// A pair of spheres during one step. Geometry is that of the middle of the step, which makes
/// the scheme second order and keeps the gap of a rigidly turning pair exactly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    /// The radii \\(a_i, a_j\\); j is a flat wall where its radius is 0 `[a]`.
    pub radii: [f64; 2],
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Centre distance r; that from the centre of i to a wall `[a]`.
    pub distance: f64,
    /// Gap h at the beginning of the step, negative when the spheres overlap `[a]`.
    pub gap: f64,
    /// Duration Δt of the step; 0 asks for the forces of this instant `[t]`.
    pub step: f64,
}

impl Pair {
    /// Sum of the radii, s `[a]`.
    pub fn sum(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// Harmonic mean radius, \\(\bar a = 2a_ia_j/(a_i+a_j)\\) `[a]`.
    pub fn harmonic_radius(&self) -> f64 {
        harmonic_radius(self.radii)
    }

    /// Whether j is a flat wall.
    pub fn meets_wall(&self) -> bool {
        is_wall(self.radii)
    }

    /// Lever arms \\(l_i, l_j\\) from the centres to the point of contact; they sum to r. At a wall it is the
    /// point of the sphere, and the lever of the wall the gap `[a]`.
    pub fn levers(&self) -> [f64; 2] {
        if self.meets_wall() {
            return [self.radii[0], self.distance - self.radii[0]];
        }
        let scale = self.distance / self.sum();
        [scale * self.radii[0], scale * self.radii[1]]
    }

    /// The gap at the end of the step if the pair squeezes at the given rate `[a]`.
    pub fn end_gap(&self, squeeze: f64) -> f64 {
        self.gap + self.step * squeeze
    }
}

/// Harmonic mean of two radii, \\(2a_ia_j/(a_i+a_j)\\), and \\(2a_i\\) at a flat wall `[a]`.
pub fn harmonic_radius([a, b]: [f64; 2]) -> f64 {
    if is_wall([a, b]) { 2.0 * a } else { 2.0 * a * b / (a + b) }
}

/// Whether the second of two is a flat wall, which has no radius of its own.
pub fn is_wall(radii: [f64; 2]) -> bool {
    radii[1] == 0.0
}

/// The six rates of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// \\(\dot h = \mathbf n\cdot(\mathbf u_j - \mathbf u_i)\\) `[a/t]`.
    pub squeeze: f64,
    /// \\(\mathbf v = \mathsf P(\mathbf u_j - \mathbf u_i) - (l_i\boldsymbol\omega_i +
    /// l_j\boldsymbol\omega_j)\times\mathbf n\\) `[a/t]`.
    pub slide: Vector3<f64>,
    /// \\(\mathbf q = (\boldsymbol\omega_i - \boldsymbol\omega_j)\times\mathbf n\\): the tangential part of
    /// the relative spin, turned by a right angle about the normal `[1/t]`.
    pub roll: Vector3<f64>,
    /// \\(\tau = \mathbf n\cdot(\boldsymbol\omega_i - \boldsymbol\omega_j)\\) `[1/t]`.
    pub twist: f64,
    /// Not a rate of deformation: the mean spin about the normal, with which tangential memory
    /// turns `[1/t]`.
    pub swirl: f64,
    /// Not a rate of deformation either: the mean spin of the two spheres, weighted by their
    /// levers, \\(\bar{\boldsymbol\omega} = (l_i\boldsymbol\omega_i + l_j\boldsymbol\omega_j)/r\\), with
    /// which deflected surfaces turn; at a flat wall the rotation of its normal `[1/t]`.
    pub spin: Vector3<f64>,
}

impl Rates {
    /// Squeeze and slide as one vector, given the normal `[a/t]`.
    pub fn relative(&self, normal: &Vector3<f64>) -> Vector3<f64> {
        self.squeeze * normal + self.slide
    }
}

/// Symmetric positive semi-definite resistance of a pair in the six rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resistance {
    /// Force per squeeze rate `[μa]`.
    pub squeeze: f64,
    /// Force per slide rate `[μa]`.
    pub slide: f64,
    /// Force per roll rate, and moment per slide rate `[μa²]`.
    pub slide_roll: f64,
    /// Moment per roll rate `[μa³]`.
    pub roll: f64,
    /// Moment per twist rate `[μa³]`.
    pub twist: f64,
}

impl Resistance {
    /// The resistive force at given rates.
    pub fn force(&self, rates: &Rates) -> PairForce {
        PairForce {
            normal: self.squeeze * rates.squeeze,
            shear: self.slide * rates.slide + self.slide_roll * rates.roll,
            rolling: self.slide_roll * rates.slide + self.roll * rates.roll,
            twisting: self.twist * rates.twist,
        }
    }
}

/// Forces conjugate to the rates, positive in tension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairForce {
    /// Tension N `[μγ̇a²]`.
    pub normal: f64,
    /// Shear force T on particle i `[μγ̇a²]`.
    pub shear: Vector3<f64>,
    /// Rolling moment M `[μγ̇a³]`.
    pub rolling: Vector3<f64>,
    /// Twisting moment Q `[μγ̇a³]`.
    pub twisting: f64,
}

impl std::ops::AddAssign for Resistance {
    fn add_assign(&mut self, other: Self) {
        self.squeeze += other.squeeze;
        self.slide += other.slide;
        self.slide_roll += other.slide_roll;
        self.roll += other.roll;
        self.twist += other.twist;
    }
}

impl std::ops::Sub for Resistance {
    type Output = Resistance;

    fn sub(self, other: Resistance) -> Resistance {
        Resistance {
            squeeze: self.squeeze - other.squeeze,
            slide: self.slide - other.slide,
            slide_roll: self.slide_roll - other.slide_roll,
            roll: self.roll - other.roll,
            twist: self.twist - other.twist,
        }
    }
}

impl std::ops::Sub for Rates {
    type Output = Rates;

    fn sub(self, other: Rates) -> Rates {
        Rates {
            squeeze: self.squeeze - other.squeeze,
            slide: self.slide - other.slide,
            roll: self.roll - other.roll,
            twist: self.twist - other.twist,
            swirl: self.swirl - other.swirl,
            spin: self.spin - other.spin,
        }
    }
}

impl std::ops::Add for PairForce {
    type Output = PairForce;

    fn add(self, other: PairForce) -> PairForce {
        PairForce {
            normal: self.normal + other.normal,
            shear: self.shear + other.shear,
            rolling: self.rolling + other.rolling,
            twisting: self.twisting + other.twisting,
        }
    }
}

impl std::ops::Mul<f64> for PairForce {
    type Output = PairForce;

    fn mul(self, factor: f64) -> PairForce {
        PairForce {
            normal: factor * self.normal,
            shear: factor * self.shear,
            rolling: factor * self.rolling,
            twisting: factor * self.twisting,
        }
    }
}

impl std::ops::Sub for PairForce {
    type Output = PairForce;

    fn sub(self, other: PairForce) -> PairForce {
        PairForce {
            normal: self.normal - other.normal,
            shear: self.shear - other.shear,
            rolling: self.rolling - other.rolling,
            twisting: self.twisting - other.twisting,
        }
    }
}

impl PairForce {
    /// The power that the pair takes up at the given rates `[μγ̇²a³]`.
    pub fn power(&self, rates: &Rates) -> f64 {
        self.normal * rates.squeeze
            + self.shear.dot(&rates.slide)
            + self.rolling.dot(&rates.roll)
            + self.twisting * rates.twist
    }
}

/// The laws that act between the particles of a run. Between soft or rough particles everything goes
/// through the film: repulsion and attraction then act inside its law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interactions {
    /// Hydrodynamic lubrication.
    pub lubrication: Option<lubrication::Lubrication>,
    /// Springs and friction between overlapping spheres.
    pub contact: Option<contact::Contact>,
    /// Electrostatic repulsion.
    pub repulsion: Option<repulsion::Repulsion>,
    /// Van der Waals attraction.
    pub attraction: Option<attraction::Attraction>,
    /// Soft surfaces with their film, instead of all others.
    pub soft: Option<soft::Soft>,
    /// Rough surfaces with their film, instead of all others.
    pub rough: Option<rough::Rough>,
}

impl Interactions {
    /// The law of soft surfaces with the remote forces across its film.
    pub fn within_soft(&self) -> Option<soft::Soft> {
        let (repulsion, attraction) = (self.repulsion, self.attraction);
        self.soft.map(|soft| soft::Soft { repulsion, attraction, ..soft })
    }

    /// The law of rough surfaces with the remote forces across its film.
    pub fn within_rough(&self) -> Option<rough::Rough> {
        let (repulsion, attraction) = (self.repulsion, self.attraction);
        self.rough.map(|rough| rough::Rough { repulsion, attraction, ..rough })
    }

    /// Whether films have a state of their own, so that steps are taken in stages.
    pub fn has_films(&self) -> bool {
        self.soft.is_some() || self.rough.is_some()
    }

    /// The laws as objects, in a fixed order.
    pub fn laws(&self) -> Vec<Box<dyn PairLaw>> {
        if let Some(soft) = self.within_soft() {
            return vec![Box::new(soft)];
        }
        if let Some(rough) = self.within_rough() {
            return vec![Box::new(rough)];
        }
        let mut laws: Vec<Box<dyn PairLaw>> = Vec::new();
        laws.extend(self.lubrication.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.contact.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.repulsion.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws.extend(self.attraction.map(|l| Box::new(l) as Box<dyn PairLaw>));
        laws
    }
}

/// Where a stress comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Hydrodynamic lubrication.
    Lubrication,
    /// Normal contact forces.
    Contact,
    /// Tangential contact forces.
    Friction,
    /// Electrostatic repulsion.
    Repulsion,
    /// Van der Waals attraction.
    Attraction,
    /// The elastic force of soft surfaces, which goes through film and remote forces.
    Deflection,
}

impl Origin {
    /// All origins, in the order of output columns.
    pub const ALL: [Origin; Origin::COUNT] = [
        Origin::Lubrication,
        Origin::Contact,
        Origin::Friction,
        Origin::Repulsion,
        Origin::Attraction,
        Origin::Deflection,
    ];

    /// How many there are.
    pub const COUNT: usize = 6;

    /// The place of this origin in [`Origin::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The most numbers that a pair remembers for one law.
pub const LONGEST_MEMORY: usize = 8;

/// A pair law. Pure: the same pair, memory and rates always give the same answer.
pub trait PairLaw: Send + Sync {
    /// The gap beyond which the law gives exactly nothing `[a]`.
    fn range(&self, radii: [f64; 2]) -> f64;

    /// The mean force over the step, linearised about the guess `rates`.
    fn respond(&self, pair: &Pair, memory: &[f64], rates: &Rates) -> Response;

    /// Which stress the normal and the tangential force count for.
    fn origins(&self) -> [Origin; 2];

    /// How many numbers a pair remembers for this law, at most [`LONGEST_MEMORY`].
    fn memory_len(&self) -> usize {
        0
    }

    /// Advances the memory over an accepted step with the rates found in it.
    fn advance_memory(&self, _pair: &Pair, _memory: &mut [f64], _rates: &Rates) {}

    /// Fills the memory of a pair that has none yet, at the beginning of a step.
    fn init_memory(&self, _radii: [f64; 2], _separation: &Vector3<f64>, _memory: &mut [f64]) {}

    /// Replaces the memory by its rate of change at this instant.
    fn memory_rate(&self, _pair: &Pair, memory: &mut [f64], _rates: &Rates) {
        memory.fill(0.0);
    }

    /// Puts the memory in order at the end of a step; what is all zero is forgotten.
    fn finish_memory(&self, _pair: &Pair, _memory: &mut [f64]) {}

    /// The gap at which a film begins abruptly, so that steps must end there `[a]`.
    fn cutoff(&self, _radii: [f64; 2]) -> Option<f64> {
        None
    }

    /// How much errors of the memory count, relative to what is remembered and to the radius.
    fn error(&self, _pair: &Pair, _errors: &[f64], _radius: f64) -> f64 {
        0.0
    }

    /// Shows the parts of the force by origin, given the rates about which the law was linearised
    /// and those that were found.
    fn parts(
        &self,
        pair: &Pair,
        memory: &[f64],
        [guess, rates]: [&Rates; 2],
        see: &mut dyn FnMut(Origin, PairForce),
    ) {
        let force = self.respond(pair, memory, guess).force(rates);
        let [normal, tangential] = self.origins();
        see(normal, PairForce { normal: force.normal, ..PairForce::default() });
        see(tangential, PairForce { normal: 0.0, ..force });
    }

    /// Adapts the memory to contacts that become stiffer by a factor, so that forces stay.
    fn stiffen(&self, _memory: &mut [f64], _factor: f64) {}

    /// Energy stored in the pair at the given gap and memory `[μγ̇a³]`.
    fn stored_energy(&self, _radii: [f64; 2], _gap: f64, _memory: &[f64]) -> f64 {
        0.0
    }
}
