//! Powers of a step.

use crate::laws::Origin;

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
}

impl Powers {
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
        }
    }
}
