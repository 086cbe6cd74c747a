//! The part of conjugate gradients in single precision that one chunk of particles does: rows,
//! sweeps, vectors.

use super::lanes::vectorised;
use super::layout::Chunk;
use super::norm;
use super::rows::Six;
use super::sweeps::{Backward, Forward, Lower, Outer};
use super::vectors::{AddScaled, Blocks, Dot, Square, Turn, Update};
use crate::balance::Operator;
use crate::state::{Velocity, Wrench};

/// What belongs to a chunk. A thread that works on a chunk holds its lock; none ever waits for it.
#[derive(Default)]
pub struct Cell {
    pub chunk: Chunk,
    pub blocks: Blocks,
    pub found: Vec<Six>,
    /// Residual of the transformed system, and the same preconditioned by the blocks.
    pub residual: Vec<Six>,
    pub preconditioned: Vec<Six>,
    /// The direction of the transformed system, and its product.
    pub direction: Vec<Six>,
    pub product: Vec<Six>,
    /// What a sweep works with; the residual of the forces where it was recovered.
    pub swept: Vec<Six>,
    /// The forces that a unit shear rate drives where the rate follows from the velocities, and
    /// these of the transformed system; empty where it does not.
    pub driven: [Vec<Six>; 2],
    /// The residual in double precision, when it was last known.
    pub exact_residual: Vec<Wrench>,
    /// A sum over the particles of the chunk.
    pub sum: f64,
    /// Whether all its blocks are positive definite.
    pub positive: bool,
}

impl Cell {
    /// Rows, blocks and residual.
    pub fn begin(&mut self, operator: &Operator, forces: &[Wrench]) {
        self.chunk.fill(&operator.blocks);
        self.positive = self.blocks.take(&self.chunk.diagonals(operator));
        let n = self.chunk.particles.len();
        for v in [&mut self.residual, &mut self.preconditioned, &mut self.product, &mut self.swept]
        {
            v.resize(n, Six::default());
        }
        self.direction.clear();
        self.direction.resize(n, Six::default());
        self.exact_residual.clear();
        self.exact_residual
            .extend(self.chunk.particles.iter().map(|particle| forces[*particle as usize]));
        self.begin_driven(operator);
    }

    /// The forces of a shear rate that follows from the velocities.
    fn begin_driven(&mut self, operator: &Operator) {
        let [driven, transformed] = &mut self.driven;
        driven.clear();
        let Some(free) = &operator.free_rate else { return };
        driven.extend(self.chunk.particles.iter().map(|k| six(&free.forces[*k as usize], 1.0)));
        transformed.resize(driven.len(), Six::default());
        self.swept.copy_from_slice(driven);
        vectorised(Forward {
            pairs: &self.chunk.earlier,
            inverses: &self.blocks.inverses,
            from: &mut self.swept,
            plus: None,
            to: transformed,
        });
    }

    /// The next direction, with a share of the last, and how velocities change along it.
    pub fn turn(&mut self, share: f32, change: &mut Vec<Six>) {
        change.resize(self.direction.len(), Six::default());
        vectorised(Turn { share, p: &mut self.direction, z: &self.preconditioned });
        vectorised(Backward {
            pairs: &self.chunk.later,
            inverses: &self.blocks.inverses,
            from: &self.direction,
            to: change,
            rest: &mut self.swept,
        });
        self.sum = vectorised(Dot(&self.driven[0], change));
    }

    /// The product of the direction, the chunk being number `k`, and its curvature, where the shear
    /// rate grows by `growth` along it.
    pub fn multiply(&mut self, k: usize, all: &[&[Six]], growth: f32) {
        vectorised(Outer { pairs: &self.chunk.outer, all, to: &mut self.swept });
        vectorised(Forward {
            pairs: &self.chunk.earlier,
            inverses: &self.blocks.inverses,
            from: &mut self.swept,
            plus: Some(all[k]),
            to: &mut self.product,
        });
        if !self.driven[0].is_empty() {
            vectorised(AddScaled { factor: -growth, of: &self.driven[1], to: &mut self.product });
        }
        self.sum = vectorised(Dot(&self.product, &self.direction));
    }

    /// The residual of the forces from that of the transformed system.
    pub fn recover(&mut self, length: f64) {
        self.swept.copy_from_slice(&self.preconditioned);
        let (pairs, of) = (&self.chunk.earlier, &self.residual);
        vectorised(Lower { pairs, of, to: &mut self.swept });
        self.sum = vectorised(Square { of: &self.swept, length });
    }

    /// Takes what a correction does off the residual; the shear rate grows by `growth` with it.
    pub fn prove(&mut self, operator: &Operator, correction: &[Velocity], growth: f64) {
        let Cell { chunk, exact_residual: residual, .. } = self;
        for (residual, particle) in residual.iter_mut().zip(&chunk.particles) {
            let particle = *particle as usize;
            let ([slow, turn], motion) = (operator.drag[particle], &correction[particle]);
            residual.linear -= slow * motion.linear;
            residual.angular -= turn * motion.angular;
            if let Some(free) = &operator.free_rate {
                *residual += growth * free.forces[particle];
            }
        }
        chunk.visit(|pair, side, row, other| {
            let block = &operator.blocks[pair];
            let [i, j] = block.ids.slots().map(|k| &correction[k]);
            let force = block.force(block.levers.into(), i, j);
            force.add_to(residual, side, row);
            if let Some(other) = other {
                force.add_to(residual, 1 - side, other);
            }
        });
        self.sum = norm(residual, operator.length).powi(2);
    }

    /// Takes the residual, and forgets what was found.
    pub fn take(&mut self, scale: f64) {
        self.found.clear();
        self.found.resize(self.residual.len(), Six::default());
        for (to, from) in self.swept.iter_mut().zip(&self.exact_residual) {
            *to = six(from, scale);
        }
        vectorised(Forward {
            pairs: &self.chunk.earlier,
            inverses: &self.blocks.inverses,
            from: &mut self.swept,
            plus: None,
            to: &mut self.residual,
        });
        self.step(None, 0.0);
    }

    /// A step along a direction, if there is one, and the preconditioned residual after it.
    pub fn step(&mut self, change: Option<&[Six]>, step: f32) {
        self.sum = vectorised(Update {
            step,
            moved: change.map(|change| [change, &self.product]),
            vectors: [&mut self.found, &mut self.residual, &mut self.preconditioned],
            blocks: &self.blocks.plain,
        });
    }
}

/// A multiple of forces in single precision.
fn six(of: &Wrench, scale: f64) -> Six {
    let (l, a) = (scale * of.linear, scale * of.angular);
    let [x, y, z, u, v, w] = [l.x, l.y, l.z, a.x, a.y, a.z].map(|c| c as f32);
    [x, y, z, u, v, w, 0.0, 0.0]
}
