//! Bodies with inertia: the modified velocity Verlet scheme (\[GB20\] eq. 11, after Groot & Warren
//! 1997).
//!
//! Forces at the end of a step depend on velocities there, which are predicted. As printed (eq.
//! 11c) they are taken from the middle of the step, so that friction lags by half a step and the
//! scheme is of first order wherever forces depend on velocities. Predicted over the whole step,
//! \\(\mathbf v^n + \Delta t\,\boldsymbol\alpha^n\\), it is of second order at the same cost.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::state::Screw;

/// A body that moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its centre `[m]`.
    pub position: Vector3<f64>,
    /// Velocity and spin `[m/s]`, `[1/s]`.
    pub motion: Screw,
    /// Their rates `[m/s²]`, `[1/s²]`.
    pub acceleration: Screw,
}

/// The velocities with which forces at the end of a step are found.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// Those predicted for the end of the step: second order.
    #[default]
    Whole,
    /// Those in the middle of the step, as printed: first order.
    Half,
}

impl Prediction {
    /// The share of a step over which they are predicted.
    pub(crate) fn share(self) -> f64 {
        match self {
            Prediction::Whole => 1.0,
            Prediction::Half => 0.5,
        }
    }
}

impl Body {
    /// Where it is after a step (eq. 11a).
    pub fn position_after(&self, step: f64) -> Vector3<f64> {
        self.position + step * (self.motion.linear + 0.5 * step * self.acceleration.linear)
    }

    fn motion_after(&self, step: f64, acceleration: &Screw) -> Screw {
        self.motion + step * *acceleration
    }
}

/// One step of all bodies; `accelerations` are those of bodies at their places with their
/// velocities.
pub fn verlet<const N: usize>(
    bodies: &[Body; N],
    step: f64,
    prediction: Prediction,
    accelerations: impl FnOnce(&[Body; N]) -> [Screw; N],
) -> [Body; N] {
    let ahead = prediction.share() * step;
    let predicted = bodies.map(|body| Body {
        position: body.position_after(step),
        motion: body.motion_after(ahead, &body.acceleration),
        ..body
    });
    let found = accelerations(&predicted);
    let mut moved = predicted;
    for (k, body) in moved.iter_mut().enumerate() {
        let (before, after) = (bodies[k].acceleration, found[k]);
        body.motion = bodies[k].motion_after(step, &(0.5 * (before + after)));
        body.acceleration = after;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damped oscillator, x'' = −x − x', and a spin that decays: how far from the solution at t =
    /// 2.
    fn error(steps: usize, prediction: Prediction) -> f64 {
        let rates = |bodies: &[Body; 1]| {
            let [Body { position, motion, .. }] = bodies;
            [Screw { linear: -position - motion.linear, angular: -motion.angular }]
        };
        let mut body = Body { position: Vector3::x(), ..Body::default() };
        body.motion.angular.z = 1.0;
        body.acceleration = rates(&[body])[0];
        for _ in 0..steps {
            [body] = verlet(&[body], 2.0 / steps as f64, prediction, rates);
        }
        let (t, w) = (2.0_f64, 0.75_f64.sqrt());
        let exact = (-0.5 * t).exp() * ((w * t).cos() + 0.5 / w * (w * t).sin());
        (body.position.x - exact).abs() + (body.motion.angular.z - (-t).exp()).abs()
    }

    #[test]
    fn the_scheme_is_of_second_order_with_velocities_of_the_whole_step() {
        for (prediction, order) in [(Prediction::Whole, 2.0), (Prediction::Half, 1.0)] {
            let errors = [100, 200, 400].map(|steps| error(steps, prediction));
            for pair in errors.windows(2) {
                let found = (pair[0] / pair[1]).log2();
                assert!((found - order).abs() < 0.1, "{prediction:?}: {errors:?}");
            }
        }
        assert!(error(400, Prediction::Whole) < 1e-5);
    }
}
