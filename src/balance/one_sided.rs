//! Forces that are not reciprocal: what acts on i beyond its reaction on j. No physical law has
//! any; some that other programs compute with do.
//!
//! What is mirrored is the mean of what acts on i and, with its sign turned, on j. Half of their
//! difference acts on both alike: on j with the opposite sign of what [`mirror`] says.

use nalgebra::Matrix6;

use super::{Mirrored, Operator, PairBlock, mirror, motion_of, rates};
use crate::laws::Resistance;
use crate::state::{Velocity, Wrench};

impl Mirrored {
    /// Adds to the forces on two particles what acts on both alike.
    pub(crate) fn add_alike(self, forces: &mut [Wrench], [i, j]: [usize; 2]) {
        self.add_to(forces, 0, i);
        self.opposite().add_to(forces, 1, j);
    }
}

impl PairBlock {
    /// The block that a one-sided resistance adds between the motion of one side and the force and
    /// torque on another.
    fn one_sided(&self, resistance: &Resistance, [to, from]: [usize; 2]) -> Matrix6<f64> {
        let block = PairBlock { resistance: *resistance, ..*self };
        match (to, from) {
            (0, 0) => block.diagonal(0),
            (1, 1) => -block.diagonal(1),
            (0, _) => block.coupling(),
            _ => -block.coupling().transpose(),
        }
    }
}

impl Operator {
    /// The block of the one-sided resistance of a pair; zero where there is none.
    pub(super) fn one_sided_block(&self, pair: usize, sides: [usize; 2]) -> Matrix6<f64> {
        let block = |resistance| self.blocks[pair].one_sided(resistance, sides);
        self.one_sided.get(pair).map_or_else(Matrix6::zeros, block)
    }

    /// Adds the forces of one-sided resistances.
    pub(super) fn apply_one_sided(&self, velocities: &[Velocity], out: &mut [Wrench]) {
        for (k, (block, resistance)) in self.blocks.iter().zip(&self.one_sided).enumerate() {
            let [i, j] = block.ids.slots().map(|k| motion_of(velocities, k));
            let arms = self.arms_of(k);
            let force = resistance.force(&rates(&block.normal, arms, i, j));
            mirror(&block.normal, arms, &force).opposite().add_alike(out, block.ids.slots());
        }
    }
}
