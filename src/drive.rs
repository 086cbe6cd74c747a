//! What is imposed on the suspension: the flow and external forces.

mod protocol;

use nalgebra::{Matrix3, Vector3};

use crate::state::Wrench;

pub use protocol::{Level, Phase, Protocol, Wave};

/// A homogeneous flow that is imposed, at unit rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow {
    /// Shear \\(\mathbf U^\infty = \dot\gamma y\,\hat{\mathbf e}\\).
    Shear {
        /// The x and z components of the unit vector \\(\hat{\mathbf e}\\).
        along: [f64; 2],
    },
    /// Planar extension \\(\mathbf U^\infty = \dot\epsilon(x, -y, 0)\\).
    Extension,
}

impl Default for Flow {
    fn default() -> Self {
        Flow::Shear { along: [1.0, 0.0] }
    }
}

impl Flow {
    /// The rate-of-strain tensor at unit rate.
    pub fn strain_rate(&self) -> Matrix3<f64> {
        match self {
            Flow::Shear { along: [x, z] } => {
                let (x, z) = (0.5 * x, 0.5 * z);
                Matrix3::new(0.0, x, 0.0, x, 0.0, z, 0.0, z, 0.0)
            }
            Flow::Extension => Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 0.0)),
        }
    }

    /// The angular velocity at unit rate.
    pub fn rotation(&self) -> Vector3<f64> {
        match self {
            Flow::Shear { along: [x, z] } => Vector3::new(0.5 * z, 0.0, -0.5 * x),
            Flow::Extension => Vector3::zeros(),
        }
    }

    /// How fast the flow brings two points together that lie along its direction of compression,
    /// over their distance, at unit rate.
    pub fn compression(&self) -> f64 {
        match self {
            Flow::Shear { .. } => 0.5,
            Flow::Extension => 1.0,
        }
    }

    /// The stress that is measured against the rate: shear stress, or half of the difference of
    /// normal stresses, which a Newtonian fluid has in the same proportion to the rate of strain.
    pub fn stress(&self, stress: &Matrix3<f64>) -> f64 {
        match self {
            Flow::Shear { .. } => crate::stress::shear(stress),
            Flow::Extension => 0.25 * crate::stress::n1(stress),
        }
    }

    /// The velocity at a point, at unit rate `[a]`.
    fn velocity(&self, at: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Flow::Shear { along: [x, z] } => Vector3::new(x * at.y, 0.0, z * at.y),
            Flow::Extension => Vector3::new(at.x, -at.y, 0.0),
        }
    }
}

/// The imposed flow and forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// The flow at unit rate.
    pub flow: Flow,
    /// Rate γ̇ of the flow: imposed, or found in every step so that the stress is the imposed one
    /// `[1/t]`.
    pub rate: f64,
    /// Imposed shear stress σ; none when the rate is imposed `[μγ̇]`.
    pub stress: Option<f64>,
    /// External force and torque on every particle; empty when there are none.
    pub external: Vec<Wrench>,
    /// Time over which the external forces grow from nothing; 0 when they act at once `[t]`.
    pub ramp: f64,
    /// Time at which all external forces turn round; none if they never do `[t]`.
    pub reversal: Option<f64>,
}

impl Drive {
    /// The rate-of-strain tensor \\(\mathsf E^\infty\\) (\[GB20\] eq. 9a) `[1/t]`.
    pub fn strain_rate(&self) -> Matrix3<f64> {
        self.rate * self.flow.strain_rate()
    }

    /// The angular velocity \\(\boldsymbol\Omega^\infty\\) of the flow `[1/t]`.
    pub fn rotation(&self) -> Vector3<f64> {
        self.rate * self.flow.rotation()
    }

    /// The velocity of the flow at a point `[a/t]`.
    pub fn velocity(&self, at: &Vector3<f64>) -> Vector3<f64> {
        self.rate * self.flow.velocity(at)
    }

    /// Rates of the flow along x and along z, that of an extension along x `[1/t]`.
    pub fn rates(&self) -> [f64; 2] {
        match self.flow {
            Flow::Shear { along } => along.map(|share| share * self.rate),
            Flow::Extension => [self.rate, 0.0],
        }
    }

    /// The rate at which strain along x grows in a step of a duration `[1/t]`.
    pub fn rate_along(&self, step: f64) -> f64 {
        match self.flow {
            Flow::Shear { along } => along[0] * self.rate,
            Flow::Extension => self.strains(step)[0] / step,
        }
    }

    /// The share of the external forces that acts at a time, negative once they have turned round.
    pub fn load(&self, time: f64) -> f64 {
        let sign = if self.reversal.is_some_and(|turn| time > turn) { -1.0 } else { 1.0 };
        if time < self.ramp { sign * time / self.ramp } else { sign }
    }

    /// Moves a point with velocity `relative` to the flow for a time, by the backward rule: with
    /// the flow of where it arrives.
    pub fn carry_back(
        &self,
        at: &Vector3<f64>,
        relative: &Vector3<f64>,
        time: f64,
    ) -> Vector3<f64> {
        let moved = at + time * relative;
        match self.flow {
            Flow::Shear { along: [x, z] } => {
                let slid = time * self.rate * moved.y;
                moved + Vector3::new(x * slid, 0.0, z * slid)
            }
            Flow::Extension => stretched(&moved, time * self.rate),
        }
    }

    /// Moves a point with velocity `relative` to the flow for a time, by the midpoint rule.
    pub fn carry(&self, at: &Vector3<f64>, relative: &Vector3<f64>, time: f64) -> Vector3<f64> {
        match self.flow {
            Flow::Shear { along: [x, z] } => {
                let slid = time * self.rate * (at.y + 0.5 * time * relative.y);
                at + time * relative + Vector3::new(x * slid, 0.0, z * slid)
            }
            Flow::Extension => {
                let half = 0.5 * time * self.rate;
                stretched(&(at + half * self.flow.velocity(at) + time * relative), half)
            }
        }
    }
}

/// The point whose position less `share` of the velocity of a planar extension there is given.
fn stretched(from: &Vector3<f64>, share: f64) -> Vector3<f64> {
    Vector3::new(from.x / (1.0 - share), from.y / (1.0 + share), from.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Vector3<f64> = Vector3::new(0.7, -1.3, 0.4);
    const RELATIVE: Vector3<f64> = Vector3::new(-0.2, 0.5, 0.9);

    fn drives() -> [Drive; 3] {
        let of = |flow| Drive { flow, rate: 0.8, ..Drive::default() };
        [of(Flow::default()), of(Flow::Shear { along: [0.6, -0.8] }), of(Flow::Extension)]
    }

    #[test]
    fn velocities_are_strain_and_rotation() {
        for drive in drives() {
            let sum = drive.strain_rate() * AT + drive.rotation().cross(&AT);
            assert!((sum - drive.velocity(&AT)).norm() < 1e-15);
            assert!(drive.strain_rate().trace().abs() < 1e-15);
            // Twice E:E is the square of the rate in shear, four times it in extension.
            let square = 2.0 * drive.flow.strain_rate().norm_squared();
            let newtonian = drive.flow.stress(&(2.0 * drive.flow.strain_rate()));
            match drive.flow {
                Flow::Shear { along } => assert!((newtonian - along[0]).abs() < 1e-15),
                Flow::Extension => assert!((newtonian - 1.0).abs() < 1e-15 && square == 4.0),
            }
        }
    }

    #[test]
    fn points_move_by_the_midpoint_and_by_the_backward_rule() {
        for drive in drives() {
            let end = drive.carry(&AT, &RELATIVE, 0.3);
            let expected = 0.3 * (RELATIVE + drive.velocity(&(0.5 * (AT + end))));
            assert!((end - AT - expected).norm() < 1e-15);
            let end = drive.carry_back(&AT, &RELATIVE, 0.3);
            assert!((end - AT - 0.3 * (RELATIVE + drive.velocity(&end))).norm() < 1e-15);
        }
    }

    #[test]
    fn what_is_imposed_is_what_happens() {
        for mut drive in drives() {
            let strains = if drive.flow == Flow::Extension { [0.3, 0.0] } else { [0.3, -0.1] };
            drive.impose(strains, 0.7);
            let found = drive.strains(0.7);
            assert!((found[0] - strains[0]).abs() < 1e-15 && (found[1] - strains[1]).abs() < 1e-15);
            let end = drive.carry(&AT, &Vector3::zeros(), 0.7);
            let exact = match drive.flow {
                Flow::Shear { .. } => AT + AT.y * Vector3::new(0.3, 0.0, -0.1),
                Flow::Extension => Vector3::new(0.3f64.exp() * AT.x, AT.y / 0.3f64.exp(), AT.z),
            };
            assert!((end - exact).norm() < 1e-15);
        }
    }
}
