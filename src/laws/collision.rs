//! Lubricated collision of two spheres with inertia (\[NOP23\]): a film until surfaces are as close
//! as asperities or their deformation let them be, Hertz's contact below, and a blend between the
//! two.
//!
//! With the reduced radius R*, mass m* and modulus E*, and the smallest approach
//! \\(h_{min} = \max(h_\sigma, h_\epsilon)\\), the tension is (eq. 9)
//! $$N = \begin{cases}\zeta\dot h & h_{min} < h \le R^*\\\\
//! (1-w)\,\zeta\dot h + w\,N_c & 0 < h \le h_{min}\\\\ N_c & h \le 0\end{cases},\qquad
//! \zeta = \frac{6\pi\eta R^{*2}}{\max(h, h_{min})},\quad w = 1 - \frac h{h_{min}},$$
//! with \\(N_c = -\tfrac43E^*\sqrt{R^*}\delta^{3/2} + c\dot h\\), \\(\delta = h_{min} - h\\).
//! Damping and the tangential spring are those of Di Renzo & Di Maio 2004. The exponents of eqs. 4
//! and 5 are fifths, \\(h_\epsilon = 0.37\,((\eta v_0/E^*)^2R^{*3})^{1/5}\\): a cube root, as it is
//! printed, is no length. Unlike the laws of suspensions this one is explicit: it gives forces of
//! an instant, in SI units.

use std::f64::consts::PI;

use nalgebra::Vector3;

/// Share by which rounding may put a gap beyond the range of the film.
const GAP_ROUNDING: f64 = 1e-9;

/// What two bodies are made of, and the fluid between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matter {
    /// Reduced radius R* `[m]`.
    pub radius: f64,
    /// Reduced mass m* `[kg]`.
    pub mass: f64,
    /// Reduced modulus E* `[Pa]`.
    pub modulus: f64,
    /// Reduced shear modulus G* `[Pa]`.
    pub shear_modulus: f64,
    /// Restitution without a fluid `[1]`.
    pub dry_restitution: f64,
    /// Mean roughness h_σ `[m]`.
    pub roughness: f64,
    /// Coefficient of friction between asperities `[1]`.
    pub dry_friction: f64,
    /// The same where a film remains `[1]`.
    pub lubricated_friction: f64,
    /// Viscosity of the fluid η `[Pa s]`.
    pub viscosity: f64,
}

impl Matter {
    /// Smallest approach of smooth surfaces that deform, h_ε (eq. 5), at a speed of approach `[m]`.
    pub fn deformation_gap(&self, speed: f64) -> f64 {
        0.37 * ((self.viscosity * speed / self.modulus).powi(2) * self.radius.powi(3)).powf(0.2)
    }

    /// Smallest approach h_min (eq. 6) at a speed of approach `[m]`.
    pub fn smallest_approach(&self, speed: f64) -> f64 {
        self.roughness.max(self.deformation_gap(speed))
    }

    /// Coefficient of friction (eq. 10) at a speed of approach `[1]`.
    pub fn friction(&self, speed: f64) -> f64 {
        match self.roughness >= self.deformation_gap(speed) {
            true => self.dry_friction,
            false => self.lubricated_friction,
        }
    }

    /// Resistance of the film times its thickness, \\(6\pi\eta R^{*2}\\) `[N s]`.
    pub fn film(&self) -> f64 {
        6.0 * PI * self.viscosity * self.radius.powi(2)
    }

    /// The speed of approach at a Stokes number (eq. 2) `[m/s]`.
    pub fn speed(&self, stokes: f64) -> f64 {
        stokes * self.film() / self.mass
    }

    /// How long a dry elastic collision takes at a speed (Hertz) `[s]`.
    pub fn hertz_time(&self, speed: f64) -> f64 {
        2.87 * (self.mass.powi(2) / (self.radius * self.modulus.powi(2) * speed)).powf(0.2)
    }

    /// Below about this Stokes number a head-on collision has no rebound, with h_min at that
    /// number: momentum lost in the film on both ways is that at the start, \\((1 +
    /// 1/e)\ln(R^*/h_{min})\\).
    pub fn critical_stokes(&self) -> f64 {
        let mut stokes = 20.0;
        for _ in 0..50 {
            let approach = self.smallest_approach(self.speed(stokes));
            stokes = (1.0 + 1.0 / self.dry_restitution) * (self.radius / approach).ln();
        }
        stokes
    }

    /// The law of a collision at a normal speed of approach.
    pub fn law(&self, speed: f64) -> Collision {
        let log = self.dry_restitution.ln();
        Collision {
            film: self.film(),
            range: self.radius,
            approach: self.smallest_approach(speed),
            stiffness: 4.0 / 3.0 * self.modulus * self.radius.sqrt(),
            tangential_stiffness: 8.0 * self.shear_modulus * self.radius.sqrt(),
            damping: -2.0 * (5.0_f64 / 6.0).sqrt() * log / log.hypot(PI),
            mass: self.mass,
            friction: self.friction(speed),
        }
    }
}

/// The law of one collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// Resistance of the film times its thickness `[N s]`.
    pub film: f64,
    /// Gap beyond which there is no force `[m]`.
    pub range: f64,
    /// Smallest approach h_min, where contact begins `[m]`.
    pub approach: f64,
    /// Elastic force over δ^{3/2} `[N/m^{3/2}]`.
    pub stiffness: f64,
    /// Tangential stiffness over √δ `[N/m^{3/2}]`.
    pub tangential_stiffness: f64,
    /// Damping over √(stiffness × mass) `[1]`.
    pub damping: f64,
    /// Reduced mass `[kg]`.
    pub mass: f64,
    /// Coefficient of friction `[1]`.
    pub friction: f64,
}

/// The tension between two bodies, by origin `[N]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tension {
    /// Of the film.
    pub film: f64,
    /// Of elastic surfaces.
    pub elastic: f64,
    /// Of their damping.
    pub damping: f64,
}

impl Tension {
    /// All of it `[N]`.
    pub fn total(&self) -> f64 {
        self.film + self.elastic + self.damping
    }

    /// How strongly surfaces are pressed together `[N]`.
    pub fn pressed(&self) -> f64 {
        (-self.elastic - self.damping).max(0.0)
    }
}

/// A tangential force, and the stretch of the spring that belongs to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shear {
    /// Force on the first body `[N]`.
    pub force: Vector3<f64>,
    /// Stretch `[m]`.
    pub stretch: Vector3<f64>,
    /// Whether surfaces slide.
    pub slides: bool,
}

impl Collision {
    /// Share of the contact in the force, w `[1]`.
    fn share(&self, gap: f64) -> f64 {
        (1.0 - gap / self.approach).clamp(0.0, 1.0)
    }

    fn overlap(&self, gap: f64) -> f64 {
        (self.approach - gap).max(0.0)
    }

    /// Whether surfaces touch.
    pub fn touches(&self, gap: f64) -> bool {
        gap < self.approach
    }

    /// Resistance of the film at a gap, with its share in the blend `[N s/m]`.
    pub fn film_resistance(&self, gap: f64) -> f64 {
        if gap > self.range * (1.0 + GAP_ROUNDING) {
            return 0.0;
        }
        (1.0 - self.share(gap)) * self.film / gap.max(self.approach)
    }

    /// The tension at a gap and its rate (eq. 9).
    pub fn tension(&self, gap: f64, rate: f64) -> Tension {
        let (share, overlap) = (self.share(gap), self.overlap(gap));
        let normal_stiffness = 1.5 * self.stiffness * overlap.sqrt();
        Tension {
            film: self.film_resistance(gap) * rate,
            elastic: -share * self.stiffness * overlap.powf(1.5),
            damping: share * self.damping * (normal_stiffness * self.mass).sqrt() * rate,
        }
    }

    /// Energy stored by the elastic part of the tension at a gap `[J]`.
    pub fn stored(&self, gap: f64) -> f64 {
        let (overlap, approach) = (self.overlap(gap), self.approach);
        let blended = |x: f64| 2.0 / 7.0 * self.stiffness * x.powf(3.5) / approach;
        let hertz = |x: f64| 0.4 * self.stiffness * x.powf(2.5);
        match overlap > approach {
            true => blended(approach) + hertz(overlap) - hertz(approach),
            false => blended(overlap),
        }
    }

    /// The tangential force for a stretched spring and a rate of slip: elastic and damped until
    /// Coulomb's limit, and along the spring beyond it. `tension` is that of the same instant.
    pub fn shear(
        &self,
        gap: f64,
        tension: &Tension,
        stretch: Vector3<f64>,
        slip: Vector3<f64>,
    ) -> Shear {
        if !self.touches(gap) {
            return Shear::default();
        }
        let stiffness = self.tangential_stiffness * self.overlap(gap).sqrt();
        let damping = self.damping * (stiffness * self.mass).sqrt();
        let share = self.share(gap);
        let stuck = share * (stiffness * stretch + damping * slip);
        let most = self.friction * tension.pressed();
        let size = stuck.norm();
        if size <= most {
            return Shear { force: stuck, stretch, slides: false };
        }
        let force = stuck * (most / size);
        // The spring is as long as its share of the force that is left.
        let stretch = match share * stiffness > 0.0 {
            true => stretch * (most / size),
            false => Vector3::zeros(),
        };
        Shear { force, stretch, slides: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Delrin in water, roughness 10 nm.
    fn delrin() -> Matter {
        let (radius, density) = (6.35e-3_f64, 1400.0);
        Matter {
            radius: 0.5 * radius,
            mass: 2.0 / 3.0 * PI * radius.powi(3) * density,
            modulus: 2.8e9 / (2.0 * (1.0 - 0.35 * 0.35)),
            shear_modulus: 2.8e9 / (2.0 * 1.35) / (2.0 * 1.65),
            dry_restitution: 0.97,
            roughness: 1e-8,
            dry_friction: 0.2,
            lubricated_friction: 0.1,
            viscosity: 1e-3,
        }
    }

    #[test]
    fn the_smallest_approach_is_that_of_an_independent_program() {
        let delrin = delrin();
        for (stokes, gap) in [(50.0, 2.6853e-8), (200.0, 4.6754e-8)] {
            let found = delrin.smallest_approach(delrin.speed(stokes));
            assert!((found / gap - 1.0).abs() < 1e-4, "{stokes}: {found}");
        }
        let rough = Matter { roughness: 1e-6, ..delrin };
        assert_eq!(rough.smallest_approach(rough.speed(50.0)), 1e-6);
        assert_eq!((rough.friction(1e-2), delrin.friction(1e-2)), (0.2, 0.1));
    }

    #[test]
    fn forces_are_continuous_where_their_form_changes() {
        let law = delrin().law(0.02);
        for gap in [law.approach, 0.0] {
            let beside = |sign: f64| law.tension(gap + sign * 1e-9 * law.approach, -0.01).total();
            let size = law.tension(law.approach, -0.01).total().abs();
            assert!((beside(1.0) - beside(-1.0)).abs() < 1e-6 * size, "{gap}");
        }
        assert_eq!(law.tension(1.01 * law.range, -0.01).total(), 0.0);
        assert!(law.tension(law.range, -0.01).total() < 0.0);
    }

    #[test]
    fn the_elastic_force_is_the_slope_of_the_stored_energy() {
        let law = delrin().law(0.02);
        for gap in [0.7, 0.2, -0.3, -5.0, -100.0].map(|x| x * law.approach) {
            let d = 1e-4 * law.approach;
            let slope = (law.stored(gap + d) - law.stored(gap - d)) / (2.0 * d);
            let force = law.tension(gap, 0.0).elastic;
            assert!((slope / force - 1.0).abs() < 1e-6, "{gap}: {slope} {force}");
        }
        assert_eq!(law.stored(law.approach), 0.0);
    }

    #[test]
    fn friction_is_limited_by_the_contact_force() {
        let law = delrin().law(0.02);
        let gap = -10.0 * law.approach;
        let tension = law.tension(gap, 0.0);
        let along = |x: f64| law.shear(gap, &tension, Vector3::new(0.0, x, 0.0), Vector3::zeros());
        let (small, large) = (along(1e-12), along(1e-3));
        assert!(!small.slides && small.stretch.y == 1e-12);
        let most = law.friction * tension.pressed();
        assert!(large.slides && (large.force.y / most - 1.0).abs() < 1e-12);
        // The shortened spring is just at the limit.
        assert!((along(large.stretch.y).force.y / most - 1.0).abs() < 1e-9);
        let apart = law.shear(2.0 * law.approach, &tension, large.stretch, Vector3::zeros());
        assert_eq!(apart, Shear::default());
    }
}
