//! The film between two soft surfaces at one instant, and how everything in it changes.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::Soft;
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
    mean_radius: f64,
    /// \\(|\boldsymbol\psi|\\), infinite at a flat wall `[a]`.
    length: f64,
    /// The viscous share of the force, \\(\mathbf F - \mathbf F^{rem}\\).
    viscous: Vector3<f64>,
    /// Remote tension and its slope in h.
    remote: [f64; 2],
    /// Slope in h of the logarithm of the taper towards the range.
    taper_slope: f64,
}

/// Small changes of what a film does.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Of the elastic force.
    pub force: Vector3<f64>,
    /// Of the normal part of the surfaces' velocity.
    pub normal_velocity: f64,
    /// Of the tangential part.
    pub tangential_velocity: Vector3<f64>,
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
            viscous,
            remote,
            taper_slope,
        }
    }

    /// The length that turns of its direction are counted in `[a]`.
    pub(super) fn arm(&self, radii: [f64; 2]) -> f64 {
        if is_flat(radii) { radii[0] } else { self.length }
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

    /// First-order changes when the centres move apart by `d_centres` and the surfaces by
    /// `d_surfaces` (\[RG09\] appendix A, with δ = X − ψ).
    pub fn change(
        &self,
        law: &Soft,
        d_centres: &Vector3<f64>,
        d_surfaces: &Vector3<f64>,
    ) -> Change {
        let n = self.normal;
        let d_gap = n.dot(d_surfaces);
        let d_normal = (d_surfaces - d_gap * n) / self.length;
        let d_deflection = d_centres - d_surfaces;
        let d_normal_deflection = n.dot(&d_deflection) + self.deflection.dot(&d_normal);
        let sign =
            if self.normal_deflection == 0.0 { 0.0 } else { self.normal_deflection.signum() };
        let square = self.contact_radius * self.contact_radius;
        // Relative change of the contact radius.
        let d_size = 0.5 * self.mean_radius * (2.0 * d_gap + sign * d_normal_deflection) / square;
        let [c_n, c_t] = law.elastic_factors;
        let half = 0.5 * self.contact_radius * law.modulus;
        let along = d_normal_deflection * n + self.normal_deflection * d_normal;
        let d_force = d_size * self.force + half * (c_t * d_deflection + (c_n - c_t) * along);
        let d_viscous = d_force - self.remote[1] * d_gap * n - self.remote[0] * d_normal;
        let [zeta, lambda] = self.friction;
        let thinner = d_gap / self.gap;
        let taper = self.taper_slope * d_gap;
        let pull = n.dot(&self.viscous);
        let d_pull = n.dot(&d_viscous) + d_normal.dot(&self.viscous);
        let normal_velocity = (d_pull - pull * (4.0 * d_size - 3.0 * thinner + taper)) / zeta;
        let tangential = self.viscous - pull * n;
        let d_tangential = d_viscous - d_pull * n - pull * d_normal;
        let tangential_velocity =
            (d_tangential - (2.0 * d_size - thinner + taper) * tangential) / lambda;
        Change { force: d_force, normal_velocity, tangential_velocity }
    }

    /// The G and b of \[RG09\] eq. 16 and appendix A:
    /// \\(\dot{\mathbf F} = \mathsf G\dot{\mathbf X} -
    /// \mathbf b\\) while the surfaces slide and separate as the film lets them.
    pub fn stiffness(&self, law: &Soft) -> (Matrix3<f64>, Vector3<f64>) {
        let still = Vector3::zeros();
        let column = |k: usize| self.change(law, &Vector3::ith(k, 1.0), &still).force;
        let g = Matrix3::from_columns(&[column(0), column(1), column(2)]);
        (g, -self.change(law, &still, &self.velocity).force)
    }
}
