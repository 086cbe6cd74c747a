//! Sparse Cholesky factorization of the resistance: six unknowns for every particle.

use super::blocks::BlockCholesky;
use super::{Failure, Solved, add_scaled};
use crate::balance::Operator;
use crate::state::{Velocity, Wrench};

/// A factorization with its analysis and buffers.
#[derive(Default)]
pub struct Cholesky {
    matrix: BlockCholesky,
    /// Ids of the pairs of particles, and which blocks these are.
    pairs: Vec<[u32; 2]>,
    blocks: Vec<u32>,
    unknowns: Vec<f64>,
}

impl Cholesky {
    /// Factorizes and solves; `velocities` is overwritten.
    pub fn solve(
        &mut self,
        operator: &Operator,
        rhs: &[Wrench],
        velocities: &mut [Velocity],
    ) -> Result<Solved, Failure> {
        self.fill(operator)?;
        self.matrix.factorize()?;
        self.back(rhs, velocities)?;
        if let Some(free) = &operator.free_rate {
            // Sherman & Morrison's formula.
            let mut driven = vec![Velocity::default(); velocities.len()];
            self.back(&free.forces, &mut driven)?;
            let share = free.growth(velocities) / (1.0 - free.growth(&driven));
            add_scaled(velocities, share, &driven);
        }
        Ok(Solved::default())
    }

    /// Solves with the factor that is there.
    fn back(&mut self, rhs: &[Wrench], velocities: &mut [Velocity]) -> Result<(), Failure> {
        self.unknowns.clear();
        for w in rhs {
            self.unknowns.extend(w.linear.iter().chain(w.angular.iter()));
        }
        self.matrix.solve(&mut self.unknowns)?;
        for (m, x) in velocities.iter_mut().zip(self.unknowns.chunks_exact(6)) {
            m.linear.copy_from_slice(&x[..3]);
            m.angular.copy_from_slice(&x[3..]);
        }
        Ok(())
    }

    /// Writes the matrix. Pairs with obstacles couple nothing.
    fn fill(&mut self, operator: &Operator) -> Result<(), Failure> {
        let particles = operator.drag.len();
        self.pairs.clear();
        self.blocks.clear();
        for (k, block) in (0u32..).zip(&operator.blocks) {
            if !block.ids.is_grounded() {
                self.pairs.push(block.ids.numbers(particles));
                self.blocks.push(k);
            }
        }
        self.matrix.begin(particles, 6, self.pairs.iter().copied())?;
        let anchor = operator.anchor();
        for particle in 0..particles {
            let block = operator.anchored_diagonal(particle, anchor);
            self.matrix.add_diagonal(particle, |r, c| block[(r, c)]);
        }
        for (place, k) in self.blocks.iter().enumerate() {
            // Rows belong to j and columns to i: the transpose of the coupling of j to i.
            let coupling = operator.coupling(*k as usize, 0);
            self.matrix.add_pair(place, |r, c| coupling[(c, r)]);
        }
        Ok(())
    }
}
