//! Powers of a step.

use super::mechanics::Mechanics;
use crate::laws::Origin;
use crate::state::Suspension;

/// Where the power of a step comes from and goes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Powers {
    /// Power of the flow on the pairs, of the external forces and of moving obstacles `[μγ̇²a³]`.
    pub input: f64,
    /// Power dissipated by drag `[μγ̇²a³]`.
    pub drag: f64,
    /// Power that goes into the motion of particles with inertia `[μγ̇²a³]`.
    pub inertia: f64,
    /// Power taken up by pairs, dissipated or stored, by [`Origin::index`] `[μγ̇²a³]`.
    pub pairs: [f64; Origin::COUNT],
    /// Power that is only rounding where nothing is done `[μγ̇²a³]`.
    pub rounding: f64,
}

impl Powers {
    /// Power in, less all that is dissipated or stored `[μγ̇²a³]`.
    pub fn missing(&self) -> f64 {
        self.input - self.drag - self.inertia - self.pairs.iter().sum::<f64>()
    }

    /// The power that goes in, or all that is taken up, whichever is larger `[μγ̇²a³]`.
    pub fn size(&self) -> f64 {
        let parts = self.pairs.iter().map(|p| p.abs()).sum::<f64>();
        self.input.abs().max(parts + self.drag + self.inertia.abs())
    }

    /// A weighted sum of two.
    pub(super) fn blend(&self, weight: f64, other: &Powers, other_weight: f64) -> Powers {
        let mix = |a: f64, b: f64| weight * a + other_weight * b;
        Powers {
            input: mix(self.input, other.input),
            drag: mix(self.drag, other.drag),
            inertia: mix(self.inertia, other.inertia),
            pairs: std::array::from_fn(|k| mix(self.pairs[k], other.pairs[k])),
            rounding: self.rounding.max(other.rounding),
        }
    }
}

/// Rounding of velocities, squared, beside the speeds that are imposed `[1]`.
const ROUNDING: f64 = 1e-12;

impl Mechanics {
    /// The power of particles that move by the rounding of what is imposed `[μγ̇²a³]`.
    pub(super) fn rounding_power(&self, state: &Suspension) -> f64 {
        let Some(drag) = self.stage.forces.drag.iter().map(|d| d[0]).reduce(f64::max) else {
            return 0.0;
        };
        let pulled = self.drive.external.iter().map(|f| f.linear.norm()).fold(0.0, f64::max);
        let bodies = self.obstacles().bodies().iter();
        let moved = bodies.map(|body| body.motion(&body.pivot_at(0.0), 0.0).linear.norm());
        let speed = self.drive.rate.abs() * state.smallest_radius()
            + if drag > 0.0 { pulled / drag } else { 0.0 }
            + moved.fold(0.0, f64::max);
        ROUNDING * state.len() as f64 * drag * speed * speed
    }
}
