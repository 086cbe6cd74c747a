//! What is imposed on the suspension: the flow and external forces.

use nalgebra::{Matrix3, Vector3};

use crate::state::Wrench;

/// The imposed flow and forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Shear rate γ̇ of \\(\mathbf U^\infty = \dot\gamma y\hat{\mathbf x}\\): imposed, or found
    /// in every step so that the stress is the imposed one `[1/t]`.
    pub rate: f64,
    /// Imposed shear stress σ; none when the rate is imposed `[μγ̇]`.
    pub stress: Option<f64>,
    /// External force and torque on every particle; empty when there are none.
    pub external: Vec<Wrench>,
    /// Time over which the external forces grow from nothing; 0 when they act at once `[t]`.
    pub ramp: f64,
}

impl Drive {
    /// The rate-of-strain tensor \\(\mathsf E^\infty\\) (\[GB20\] eq. 9a) `[1/t]`.
    pub fn strain_rate(&self) -> Matrix3<f64> {
        self.rate * Self::unit_strain_rate()
    }

    /// The rate-of-strain tensor at unit shear rate.
    pub fn unit_strain_rate() -> Matrix3<f64> {
        Matrix3::new(0.0, 0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    }

    /// The angular velocity \\(\boldsymbol\Omega^\infty\\) of the flow `[1/t]`.
    pub fn rotation(&self) -> Vector3<f64> {
        self.rate * Self::unit_rotation()
    }

    /// The angular velocity of the flow at unit shear rate.
    pub fn unit_rotation() -> Vector3<f64> {
        Vector3::new(0.0, 0.0, -0.5)
    }

    /// The velocity of the flow at a point `[a/t]`.
    pub fn velocity(&self, at: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(self.rate * at.y, 0.0, 0.0)
    }

    /// The share of the external forces that acts at a time.
    pub fn load(&self, time: f64) -> f64 {
        if time < self.ramp { time / self.ramp } else { 1.0 }
    }

    /// Moves a point with velocity `relative` to the flow for a time, by the backward rule: with
    /// the flow of where it arrives.
    pub fn carry_back(
        &self,
        at: &Vector3<f64>,
        relative: &Vector3<f64>,
        time: f64,
    ) -> Vector3<f64> {
        let end = at.y + time * relative.y;
        at + time * relative + Vector3::new(time * self.rate * end, 0.0, 0.0)
    }

    /// Moves a point with velocity `relative` to the flow for a time, by the midpoint rule.
    pub fn carry(&self, at: &Vector3<f64>, relative: &Vector3<f64>, time: f64) -> Vector3<f64> {
        let middle = at.y + 0.5 * time * relative.y;
        at + time * relative + Vector3::new(time * self.rate * middle, 0.0, 0.0)
    }
}
