//! One pair of particles: its geometry, six rates, the forces conjugate to them, a resistance.
//!
//! A pair of spheres i < j has twelve velocities; six are rigid motions of the pair and six are
//! *rates*: squeeze, slide (2), roll (2) and twist. Forces are conjugate to the rates and positive
//! in tension: with tension \\(N\\), shear \\(\mathbf T\\), rolling moment \\(\mathbf M\\) and
//! twisting moment \\(Q\\) the pair takes up the power
//! \\(N\dot h + \mathbf T\cdot\mathbf v + \mathbf M\cdot\mathbf q + Q\tau\\).
//!
//! A flat wall is a partner of infinite radius. Its place in a pair is not its centre but the
//! nearest point of its surface: r is \\(a_i + h\\), and the velocity of j that of the wall's
//! material at this point. Levers tend to \\(l_i = a_i\\) and, counted from there, \\(l_j = h\\).
//! Gap and rates then need no other formula; a law asks [`Pair::meets_wall`] where its own does.

use nalgebra::Vector3;

/// A pair of spheres during one step. Geometry is that of the middle of the step, which makes
/// the scheme second order and keeps the gap of a rigidly turning pair exactly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    /// Radii of curvature \\(a_i, a_j\\) where the surfaces face each other; that of a flat wall is
    /// infinite `[a]`.
    pub radii: [f64; 2],
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Centre distance r, or what stands for it in rates and moments ([`Levers`]); that from the
    /// centre of i to a wall `[a]`.
    pub distance: f64,
    /// Gap h at the beginning of the step, negative when the spheres overlap `[a]`.
    pub gap: f64,
    /// Duration Δt of the step; 0 asks for the forces of this instant `[t]`.
    pub step: f64,
}

impl Pair {
    /// The distance at which the surfaces touch, \\(s = a_i + a_j\\), and \\(a_i\\) at a wall
    /// `[a]`.
    #[inline]
    pub fn sum(&self) -> f64 {
        touching_distance(self.radii)
    }

    /// Harmonic mean radius, \\(\bar a = 2a_ia_j/(a_i+a_j)\\) `[a]`.
    pub fn harmonic_radius(&self) -> f64 {
        harmonic_radius(self.radii)
    }

    /// Whether j is a flat wall.
    #[inline]
    pub fn meets_wall(&self) -> bool {
        is_flat(self.radii)
    }

    /// Lever arms \\(l_i, l_j\\) from the centres to the point of contact; they sum to r. At a wall
    /// it is the point of the sphere, and the lever of the wall the gap `[a]`.
    #[inline]
    pub fn levers(&self) -> [f64; 2] {
        if self.meets_wall() {
            return [self.radii[0], self.distance - self.radii[0]];
        }
        let scale = self.distance / self.sum();
        [scale * self.radii[0], scale * self.radii[1]]
    }

    /// Where the forces of the pair act.
    pub fn arms(&self) -> Arms {
        Arms::Along(self.levers())
    }

    /// The gap at the end of the step if the pair squeezes at the given rate `[a]`.
    #[inline]
    pub fn end_gap(&self, squeeze: f64) -> f64 {
        self.gap + self.step * squeeze
    }
}

/// From the centre of each of the two to the point at which the forces of a pair act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arms {
    /// On the line of the normal, as between spheres: \\(l_i\mathbf n\\) and
    /// \\(-l_j\mathbf n\\), by their lengths `[a]`.
    Along([f64; 2]),
    /// Anywhere, as between bodies of any shape `[a]`.
    Anywhere([Vector3<f64>; 2]),
}

impl From<[f64; 2]> for Arms {
    fn from(levers: [f64; 2]) -> Self {
        Arms::Along(levers)
    }
}

/// How far from the centres the forces of a pair act, which is also how the flow drives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levers {
    /// At shares of the centre distance r in proportion to the radii. They sum to r, so that a
    /// pair that turns as one body meets no resistance.
    #[default]
    OfDistance,
    /// At the radii, whatever the gap: the pair is seen as if it touched, and what it adds to the
    /// stress counted with the sum of radii as well. A pair apart that turns as one body is
    /// resisted, and its torques do not balance.
    OfRadii,
    /// At the radii, but what the pair adds to the stress counted with the centre distance.
    OfRadiiInPlace,
}

impl Levers {
    /// A pair as it is seen with these levers; at walls nothing changes.
    #[inline]
    pub fn see(self, pair: Pair) -> Pair {
        match self {
            Levers::OfDistance => pair,
            Levers::OfRadii | Levers::OfRadiiInPlace => Pair { distance: pair.sum(), ..pair },
        }
    }
}

/// Harmonic mean of two radii, \\(2a_ia_j/(a_i+a_j)\\), and \\(2a_i\\) at a flat wall `[a]`.
pub fn harmonic_radius([a, b]: [f64; 2]) -> f64 {
    if is_flat([a, b]) { 2.0 * a } else { 2.0 * a * b / (a + b) }
}

/// Whether the second of two surfaces is flat.
#[inline]
pub fn is_flat(radii: [f64; 2]) -> bool {
    radii[1].is_infinite()
}

/// The distance from centre to centre, or to the surface of a wall, at which two surfaces touch
/// `[a]`.
#[inline]
pub fn touching_distance([a, b]: [f64; 2]) -> f64 {
    if is_flat([a, b]) { a } else { a + b }
}

/// The gap of two surfaces at a distance from centre to centre, or to the surface of a wall `[a]`.
pub fn gap_at(distance: f64, [a, b]: [f64; 2]) -> f64 {
    if is_flat([a, b]) { distance - a } else { distance - a - b }
}

/// The six rates of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// \\(\dot h = \mathbf n\cdot(\mathbf u_j - \mathbf u_i)\\) `[a/t]`.
    pub squeeze: f64,
    /// \\(\mathbf v = \mathsf P(\mathbf u_j - \mathbf u_i) - (l_i\boldsymbol\omega_i +
    /// l_j\boldsymbol\omega_j)\times\mathbf n\\) `[a/t]`.
    pub slide: Vector3<f64>,
    /// \\(\mathbf q = (\boldsymbol\omega_i - \boldsymbol\omega_j)\times\mathbf n\\): the tangential
    /// part of the relative spin, turned by a right angle about the normal `[1/t]`.
    pub roll: Vector3<f64>,
    /// \\(\tau = \mathbf n\cdot(\boldsymbol\omega_i - \boldsymbol\omega_j)\\) `[1/t]`.
    pub twist: f64,
    /// Not a rate of deformation: the mean spin about the normal, with which tangential memory
    /// turns `[1/t]`.
    pub swirl: f64,
    /// Not a rate of deformation either: the mean spin of the two spheres, weighted by their
    /// levers, \\(\bar{\boldsymbol\omega} = (l_i\boldsymbol\omega_i + l_j\boldsymbol\omega_j)/r\\),
    /// with which deflected surfaces turn; at a flat wall the rotation of its normal `[1/t]`.
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
    #[inline]
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
    #[inline]
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

    #[inline]
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

impl std::ops::Mul<f64> for Resistance {
    type Output = Resistance;

    #[inline]
    fn mul(self, factor: f64) -> Resistance {
        Resistance {
            squeeze: factor * self.squeeze,
            slide: factor * self.slide,
            slide_roll: factor * self.slide_roll,
            roll: factor * self.roll,
            twist: factor * self.twist,
        }
    }
}

impl std::ops::Sub for Rates {
    type Output = Rates;

    #[inline]
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

    #[inline]
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

    #[inline]
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

    #[inline]
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
    #[inline]
    pub fn power(&self, rates: &Rates) -> f64 {
        self.normal * rates.squeeze
            + self.shear.dot(&rates.slide)
            + self.rolling.dot(&rates.roll)
            + self.twisting * rates.twist
    }
}
