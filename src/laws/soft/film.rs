//! The film between two soft surfaces at one instant, and how everything in it changes.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::Soft;
use super::slopes::Slopes;
use crate::laws::{harmonic_radius, is_flat};

/// Two soft spheres and the film between them (\[RG09\] eqs. 3–13).
#[derive(Clone, Copy, Debug)]
pub struct Film {
    /// Film thickness h, always positive `[a]`.
    pub gap: f64,
    /// Unit vector \\(\mathbf n = \boldsymbol\psi/|\boldsymbol\psi|\\) across the film, with
    /// \\(\boldsymbol\psi = \mathbf X - \boldsymbol\delta\\).
    pub normal: Vector3<f64>,
    /// Deflection δ of both surfaces `[a]`.
    pub deflection: Vector3<f64>,
    /// Its normal part, negative when pressed \\(\delta^n\\) `[a]`.
    pub normal_deflection: f64,
    /// Radius of the region through which the force goes, a (eq. 13) `[a]`.
    pub contact_radius: f64,
    /// Elastic force on i (eq. 11, with the factor ½ of appendix A) `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Velocity \\(\mathbf v_s = \mathsf Z^{-1}(\mathbf F - \mathbf F^{rem})\\) of the surfaces
    /// relative to each other `[a/t]`.
    pub velocity: Vector3<f64>,
    /// Friction of the film, normal ζ and tangential λ (eqs. 9 and 10) `[μa]`.
    pub friction: [f64; 2],
    /// Harmonic mean of the radii `[a]`.
    pub(super) mean_radius: f64,
    /// \\(|\boldsymbol\psi|\\), infinite at a flat wall `[a]`.
    pub(super) length: f64,
    /// Remote tension and its slope in h.
    pub(super) remote: [f64; 2],
    /// Slope in h of the logarithm of the taper towards the range.
    pub(super) taper_slope: f64,
}

impl Film {
    /// The film of thickness `gap` across `direction` between spheres whose centres are apart by
    /// `separation`. The film at a wall lies across the separation, and the part of `direction`
    /// along the wall is how far the surface of the sphere lags behind, in radii.
    pub fn new(
        law: &Soft,
        radii: [f64; 2],
        separation: &Vector3<f64>,
        gap: f64,
        direction: Vector3<f64>,
    ) -> Self {
        let mean_radius = harmonic_radius(radii);
        let (normal, length, deflection) = if is_flat(radii) {
            let distance = separation.norm();
            let normal = separation / distance;
            let shift = radii[0] * (direction - normal.dot(&direction) * normal);
            (normal, f64::INFINITY, (distance - radii[0] - gap) * normal - shift)
        } else {
            let length = radii[0] + radii[1] + gap;
            (direction, length, separation - length * direction)
        };
        let normal_deflection = normal.dot(&deflection);
        let square = mean_radius * (2.0 * gap + normal_deflection.abs());
        let contact_radius = square.sqrt();
        let [c_n, c_t] = law.elastic_factors;
        let half = 0.5 * contact_radius * law.modulus;
        let force = half * (c_t * deflection + (c_n - c_t) * normal_deflection * normal);
        let (taper, taper_slope) = law.taper(gap);
        let eta = PI * law.viscosity * taper;
        let zeta = 1.5 * eta * square * square / gap.powi(3);
        let lambda = eta * square / gap;
        // Eq. 1.
        let remote = law.remote.tension(radii, gap);
        let viscous = force - remote[0] * normal;
        let along = normal.dot(&viscous);
        let velocity = viscous / lambda + (along / zeta - along / lambda) * normal;
        Film {
            gap,
            normal,
            deflection,
            normal_deflection,
            contact_radius,
            force,
            velocity,
            friction: [zeta, lambda],
            mean_radius,
            length,
            remote,
            taper_slope,
        }
    }

    /// The length that turns of its direction are counted in `[a]`.
    pub(super) fn arm(&self, radii: [f64; 2]) -> f64 {
        if is_flat(radii) { radii[0] } else { self.length }
    }

    /// The normal part of the viscous share of the force, \\(\mathbf F - \mathbf F^{rem}\\).
    pub(super) fn pull(&self) -> f64 {
        self.normal.dot(&self.force) - self.remote[0]
    }

    /// Whether the surfaces are deflected by more than the film is thick: the Hertz regime, as
    /// opposed to Poiseuille's.
    pub fn is_hertzian(&self) -> bool {
        self.deflection_ratio() > 1.0
    }

    /// Whether the surfaces count as touching: pressed together, and in the Hertz regime.
    pub fn touches(&self) -> bool {
        self.is_hertzian() && self.normal_deflection < 0.0
    }

    /// \\(|\delta^n|/h\\).
    pub fn deflection_ratio(&self) -> f64 {
        self.normal_deflection.abs() / self.gap
    }

    /// Resistance of the film to tilting, \\(\pi\eta a^6/8h^3\\), and to twisting,
    /// \\(\pi\eta a^4/2h\\), of two flat discs, as ζ and λ are theirs `[μa³]`.
    pub fn rolling_and_twisting(&self) -> [f64; 2] {
        let square = self.contact_radius * self.contact_radius;
        let [zeta, lambda] = self.friction;
        [zeta * square / 12.0, 0.5 * lambda * square]
    }

    /// The G and b of \[RG09\] eq. 16 and appendix A:
    /// \\(\dot{\mathbf F} = \mathsf G\dot{\mathbf X} -
    /// \mathbf b\\) while the surfaces slide and separate as the film lets them.
    pub fn stiffness(&self, law: &Soft) -> (Matrix3<f64>, Vector3<f64>) {
        let still = Vector3::zeros();
        let slopes = Slopes::of(self, law);
        let column = |k: usize| slopes.change(&Vector3::ith(k, 1.0), &still)[0];
        let g = Matrix3::from_columns(&[column(0), column(1), column(2)]);
        (g, -slopes.change(&still, &self.velocity)[0])
    }
}
