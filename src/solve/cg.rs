//! Conjugate gradients over the pairs, preconditioned by the 6×6 blocks of the particles.
//!
//! Drag bounds the spectrum from below, so the number of iterations does not grow with the number
//! of particles.

use nalgebra::{Matrix6, Vector6};
use rayon::prelude::*;

use super::{Failure, Solved, add_scaled, norm};
use crate::balance::Operator;
use crate::state::{Screw, Velocity, Wrench, dot};

/// Particles above which threads share vector work.
const PARALLEL: usize = 4096;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// Residual to reach, 2-norm, absolute.
    pub target: f64,
    /// Most iterations.
    pub most: usize,
}

/// Vectors kept between solves.
#[derive(Default)]
pub struct ConjugateGradients {
    inverse: Vec<Matrix6<f64>>,
    residual: Vec<Screw>,
    preconditioned: Vec<Screw>,
    direction: Vec<Screw>,
    product: Vec<Screw>,
}

impl ConjugateGradients {
    /// Improves `velocities` until the residual is below the target.
    pub fn solve(
        &mut self,
        operator: &Operator,
        rhs: &[Wrench],
        velocities: &mut [Velocity],
        stop: Stop,
    ) -> Result<Solved, Failure> {
        self.prepare(operator)?;
        operator.apply(velocities, &mut self.product);
        self.residual.copy_from_slice(rhs);
        add_scaled(&mut self.residual, -1.0, &self.product);
        self.precondition();
        self.direction.copy_from_slice(&self.preconditioned);
        let mut slope = dot(&self.residual, &self.preconditioned);
        let mut size = norm(&self.residual, operator.length);
        for iterations in 0..=stop.most {
            if size <= stop.target {
                return Ok(Solved { iterations, fell_back: false });
            }
            operator.apply(&self.direction, &mut self.product);
            let curvature = dot(&self.product, &self.direction);
            if curvature.is_nan() || curvature <= 0.0 {
                return Err(Failure::NotPositive);
            }
            let step = slope / curvature;
            add_scaled(velocities, step, &self.direction);
            add_scaled(&mut self.residual, -step, &self.product);
            size = norm(&self.residual, operator.length);
            self.precondition();
            let next = dot(&self.residual, &self.preconditioned);
            turn(&mut self.direction, next / slope, &self.preconditioned);
            slope = next;
        }
        Err(Failure::Stalled { residual: size / norm(rhs, operator.length).max(f64::MIN_POSITIVE) })
    }

    fn prepare(&mut self, operator: &Operator) -> Result<(), Failure> {
        let n = operator.drag.len();
        for v in
            [&mut self.residual, &mut self.preconditioned, &mut self.direction, &mut self.product]
        {
            v.resize(n, Screw::default());
        }
        let anchor = operator.anchor();
        let invert = |p| operator.anchored_diagonal(p, anchor).cholesky().map(|c| c.inverse());
        let inverse: Option<Vec<_>> = if n >= PARALLEL {
            (0..n).into_par_iter().with_min_len(256).map(invert).collect()
        } else {
            (0..n).map(invert).collect()
        };
        self.inverse = inverse.ok_or(Failure::NotPositive)?;
        Ok(())
    }

    fn precondition(&mut self) {
        let apply = |((out, r), inverse): ((&mut Screw, &Screw), &Matrix6<f64>)| {
            let [a, b] = [&r.linear, &r.angular];
            let z = inverse * Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z);
            out.linear = z.fixed_rows::<3>(0).into();
            out.angular = z.fixed_rows::<3>(3).into();
        };
        let (z, r, m) = (&mut self.preconditioned, &self.residual, &self.inverse);
        if z.len() >= PARALLEL {
            z.par_iter_mut().with_min_len(512).zip(r).zip(m).for_each(apply);
        } else {
            z.iter_mut().zip(r).zip(m).for_each(apply);
        }
    }
}

/// `p = z + b p`.
fn turn(p: &mut [Screw], b: f64, z: &[Screw]) {
    for (p, z) in p.iter_mut().zip(z) {
        *p = *z + b * *p;
    }
}
