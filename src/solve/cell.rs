//! The part of conjugate gradients in single precision that one chunk of particles does: rows,
//! sweeps, vectors.

use super::lanes::vectorised;
use super::layout::Chunk;
use super::norm;
use super::rows::Six;
use super::sweeps::{Across, Backward, Forward, Lower};
use super::vectors::{AddScaled, Dot, Inverses, Square, Turn, Update};
use crate::balance::Operator;
use crate::state::{Velocity, Wrench};

/// What belongs to a chunk. A thread that works on a chunk holds its lock; none ever waits for it.
#[derive(Default)]
pub struct Cell {
    pub chunk: Chunk,
    pub inverses: Inverses,
    pub found: Vec<Six>,
    /// Residual of the transformed system, and the same preconditioned by the blocks.
    pub residual: Vec<Six>,
    pub preconditioned: Vec<Six>,
    /// The direction of the transformed system, and its product times the blocks. The product
    /// itself is what velocities change by along the direction and what the second sweep leaves.
    pub direction: Vec<Six>,
    pub weighted: Vec<Six>,
    /// By how much a free shear rate grows along the direction.
    pub growth: f32,
    /// The forces that a unit shear rate drives where the rate follows from the velocities, these
    /// of the transformed system, and that times the blocks; empty where it does not.
    pub driven: [Vec<Six>; 3],
    /// The residual in double precision, when it was last known.
    pub exact_residual: Vec<Wrench>,
    /// A sum over the particles of the chunk.
    pub sum: f64,
    /// Whether all its blocks are positive definite.
    pub positive: bool,
}

/// What a chunk shows to its neighbours.
#[derive(Default)]
pub struct Shown {
    /// How velocities change along the direction.
    pub change: Vec<Six>,
    /// What a sweep works with; the residual of the forces where it was recovered.
    pub swept: Vec<Six>,
}

/// The motion of the chunk before and of the one behind, where they come earlier or later than this
/// one; none where they are of no concern.
pub type Around<'a> = Option<[&'a [Six]; 2]>;

impl Cell {
    /// Rows, blocks and residual.
    pub fn begin(&mut self, operator: &Operator, forces: &[Wrench], shown: &mut Shown) {
        self.chunk.fill(&operator.blocks);
        self.positive = self.inverses.take(&self.chunk.diagonals(operator), &self.chunk);
        let n = self.chunk.particles.len();
        for v in [&mut self.residual, &mut self.preconditioned, &mut self.weighted] {
            v.resize(n, Six::default());
        }
        shown.change.resize(n, Six::default());
        shown.swept.resize(n, Six::default());
        self.direction.clear();
        self.direction.resize(n, Six::default());
        let own = |of: &[Wrench], k: &u32| of[*k as usize];
        self.exact_residual.clear();
        self.exact_residual.extend(self.chunk.particles.iter().map(|k| own(forces, k)));
        let [driven, transformed, weighted] = &mut self.driven;
        driven.clear();
        transformed.clear();
        weighted.clear();
        if let Some(free) = &operator.free_rate {
            driven.extend(self.chunk.particles.iter().map(|k| six(&own(&free.forces, k), 1.0)));
            transformed.resize(n, Six::default());
            weighted.resize(n, Six::default());
        }
    }

    /// Transforms the forces of a shear rate that follows from the velocities.
    pub fn transform_driven(&mut self, shown: &mut Shown, around: Around) {
        let [driven, to, weighted] = &mut self.driven;
        let swept = &mut shown.swept;
        swept.copy_from_slice(driven);
        across(&self.chunk, around, swept);
        weighted.copy_from_slice(swept);
        forward(&self.chunk, &self.inverses, swept, weighted);
        to.copy_from_slice(swept);
    }

    /// Takes the residual, and forgets what was found.
    pub fn take(&mut self, scale: f64, shown: &mut Shown, around: Around) {
        self.found.clear();
        self.found.resize(self.residual.len(), Six::default());
        let swept = &mut shown.swept;
        for (to, from) in swept.iter_mut().zip(&self.exact_residual) {
            *to = six(from, scale);
        }
        across(&self.chunk, around, swept);
        self.preconditioned.copy_from_slice(swept);
        forward(&self.chunk, &self.inverses, swept, &mut self.preconditioned);
        self.residual.copy_from_slice(swept);
        self.sum = vectorised(Dot(&self.residual, &self.preconditioned));
    }

    /// The next direction, with a share of the last, and how velocities change along it; the sum is
    /// the power of the forces that a free shear rate drives.
    pub fn turn(&mut self, share: f32, shown: &mut Shown, around: Around) {
        let Shown { change, swept } = shown;
        vectorised(Turn { share, p: &mut self.direction, z: &self.preconditioned });
        if around.is_some() {
            swept.fill(Six::default());
        }
        across(&self.chunk, around, swept);
        vectorised(Backward {
            pairs: &self.chunk.later,
            inverses: &self.inverses.later,
            from: &self.direction,
            to: change,
            around: around.is_some(),
            rest: swept,
        });
        self.sum = vectorised(Dot(&self.driven[0], change));
    }

    /// The second sweep for the product of the direction.
    pub fn multiply(&mut self, shown: &mut Shown, around: Around) {
        let (swept, weighted) = (&mut shown.swept, &mut self.weighted);
        weighted.copy_from_slice(&self.direction);
        if around.is_some() {
            // What acts by the motion of others is added to both.
            vectorised(AddScaled { factor: -1.0, of: swept, to: weighted });
            across(&self.chunk, around, swept);
            vectorised(AddScaled { factor: 1.0, of: swept, to: weighted });
        }
        forward(&self.chunk, &self.inverses, swept, weighted);
    }

    /// The curvature along the direction, where the shear rate grows by `growth` along it.
    pub fn curve(&mut self, growth: f32, shown: &Shown) {
        self.growth = growth;
        let along = [&shown.change[..], &shown.swept].map(|of| Dot(of, &self.direction));
        self.sum = along.map(vectorised).iter().sum();
        if let [_, transformed, weighted] = &self.driven
            && !transformed.is_empty()
        {
            self.sum -= f64::from(growth) * vectorised(Dot(transformed, &self.direction));
            vectorised(AddScaled { factor: -growth, of: weighted, to: &mut self.weighted });
        }
    }

    /// Shows the residual of the transformed system.
    pub fn show(&self, shown: &mut Shown) {
        shown.swept.copy_from_slice(&self.residual);
    }

    /// The residual of the forces from that of the transformed system.
    pub fn recover(&mut self, length: f64, shown: &mut Shown, around: Around) {
        // What acts on a particle comes off.
        let swept = &mut shown.swept;
        swept.fill(Six::default());
        across(&self.chunk, around, swept);
        for (swept, own) in swept.iter_mut().zip(&self.preconditioned) {
            swept.iter_mut().zip(own).for_each(|(swept, own)| *swept = own - *swept);
        }
        let (pairs, of) = (&self.chunk.earlier, &self.residual);
        vectorised(Lower { pairs, of, to: swept });
        self.sum = vectorised(Square { of: swept, length });
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

    /// A step along a direction.
    pub fn step(&mut self, shown: &Shown, step: f32) {
        if let [_, transformed, _] = &self.driven
            && !transformed.is_empty()
        {
            let factor = step * self.growth;
            vectorised(AddScaled { factor, of: transformed, to: &mut self.residual });
        }
        self.sum = vectorised(Update {
            step,
            change: &shown.change,
            rest: &shown.swept,
            weighted: &self.weighted,
            vectors: [&mut self.found, &mut self.residual, &mut self.preconditioned],
        });
    }
}

/// Adds what acts by the motion of the neighbouring chunks.
fn across(chunk: &Chunk, around: Around, to: &mut [Six]) {
    if let Some(around) = around {
        vectorised(Across { pairs: &chunk.across, around, to });
    }
}

/// The sweep from the first colour to the last.
fn forward(chunk: &Chunk, inverses: &Inverses, swept: &mut [Six], weighted: &mut [Six]) {
    let (pairs, inverses) = (&chunk.earlier, &inverses.earlier[..]);
    vectorised(Forward { pairs, inverses, swept, weighted });
}

/// A multiple of forces in single precision.
fn six(of: &Wrench, scale: f64) -> Six {
    let (l, a) = (scale * of.linear, scale * of.angular);
    let [x, y, z, u, v, w] = [l.x, l.y, l.z, a.x, a.y, a.z].map(|c| c as f32);
    [x, y, z, u, v, w, 0.0, 0.0]
}
