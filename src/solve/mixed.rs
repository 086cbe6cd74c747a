//! Conjugate gradients in single precision that correct velocities in double precision.
//!
//! Everything that is done in every iteration (sweeps over pairs, sums of vectors) is in single
//! precision, which halves what has to be moved and doubles what is computed at once. The system is
//! preconditioned by symmetric Gauss–Seidel sweeps (`sweeps`): the residual that is
//! followed, \\((\mathsf D+\mathsf L)^{-1}\mathbf r\\), is that of the transformed system. The
//! residual of the forces is known in double precision at the beginning, and is computed anew in
//! double precision whenever it has fallen so far that single precision may have lost it, and at
//! the end if asked for; directions are kept when that happens. So the precision of the solution is
//! that of the residual in double precision (\[Sleijpen & van der Vorst 1996\]).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rayon::prelude::*;

use super::cell::Cell;
use super::layout::Layout;
use super::rows::Six;
use super::workers::{self, Workers};
use super::{Failure, Solved, add_scaled, norm};
use crate::balance::Operator;
use crate::state::{Screw, Velocity, Wrench};

/// By what the residual may fall before it is computed anew.
const TRUSTED_FALL: f64 = 3e-3;

/// What a solve has to reach.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Residual, 2-norm, absolute.
    pub target: f64,
    /// Most iterations.
    pub most: usize,
    /// Whether the residual is to be known in double precision at the end.
    pub proven: bool,
}

/// Rows, preconditioner and vectors, kept between solves.
#[derive(Default)]
pub struct Mixed {
    layout: Layout,
    cells: Vec<Mutex<Cell>>,
    /// How the velocities of every chunk change along the direction, which other chunks read.
    changes: Vec<RwLock<Vec<Six>>>,
    /// The residual, or the correction so far, in double precision for all to read.
    shown: RwLock<Vec<Screw>>,
}

/// What is done to every chunk before anything else is done to any: rows, blocks and the first
/// residual.
const BEGIN: u8 = 0;
/// The next direction, and how velocities change along it.
const TURN: u8 = 1;
/// The product of the direction, and its curvature.
const MULTIPLY: u8 = 2;
/// A step along the direction.
const UPDATE: u8 = 3;
/// The residual of the forces, as single precision knows it, and its square.
const RECOVER: u8 = 4;
/// The residual and its square in double precision.
const PROVE: u8 = 5;
/// Takes the residual that was computed anew.
const RETAKE: u8 = 6;

/// A solve under way, as all threads see it.
struct Solve<'a> {
    operator: &'a Operator,
    cells: &'a [Mutex<Cell>],
    changes: &'a [RwLock<Vec<Six>>],
    shown: &'a RwLock<Vec<Screw>>,
    scale: f64,
    /// The bits of the step along the direction, of the share of the last direction, or of the rate
    /// that follows from velocities.
    factor: AtomicU64,
}

impl Mixed {
    /// Whether an operator is made of drag and plain pairs of particles only.
    pub fn takes(operator: &Operator) -> bool {
        let plain = operator.unsymmetric.is_empty() && operator.two_body.is_empty();
        plain && operator.arms.is_empty() && !operator.grounded && !operator.floats()
    }

    /// Corrects `velocities` until the residual of the forces is below the target. On entry
    /// `residual` is that at `velocities`; on return it is that at the better ones, computed in
    /// double precision if the goal is `proven`.
    ///
    /// # Errors
    ///
    /// When a block is not positive definite, or single precision does not get there.
    pub fn correct(
        &mut self,
        operator: &Operator,
        residual: &mut [Wrench],
        velocities: &mut [Velocity],
        goal: Goal,
    ) -> Result<Solved, Failure> {
        let size = norm(residual, operator.length);
        if size <= goal.target {
            return Ok(Solved::default());
        }
        if !self.layout.fits(operator) {
            let slots = self.layout.lay_out(operator);
            self.cells.resize_with(slots.chunks(), Mutex::default);
            self.changes.resize_with(slots.chunks(), RwLock::default);
            let lay = |(k, cell): (usize, &mut Mutex<Cell>)| slots.fill(k, &mut lock(cell).chunk);
            match slots.chunks() {
                1 => self.cells.iter_mut().enumerate().for_each(lay),
                _ => self.cells.par_iter_mut().enumerate().with_max_len(1).for_each(lay),
            }
        }
        let solve = Solve {
            operator,
            cells: &self.cells,
            changes: &self.changes,
            shown: &self.shown,
            scale: 1.0 / size,
            factor: AtomicU64::new(0),
        };
        write(solve.shown).clear();
        write(solve.shown).extend_from_slice(residual);
        let mut balance = Balance { residual, velocities };
        let work = |phase: u8, k: usize| solve.work(phase, k);
        workers::join(self.cells.len(), &work, |workers| {
            solve.lead(workers, &mut balance, goal, size)
        })
    }

    /// The two sweeps of an iteration, again and again: how many bytes of pairs they pass over and
    /// how long they take `[s]`, the best of some.
    pub fn time_sweeps(&mut self, operator: &Operator, repeats: usize) -> (usize, f64) {
        let mut residual = vec![Wrench::default(); operator.drag.len()];
        residual.iter_mut().enumerate().for_each(|(k, w)| w.linear.x = (k % 17) as f64 - 8.0);
        let mut velocities = vec![Velocity::default(); residual.len()];
        // One iteration that gets nowhere, to lay everything out.
        let goal = Goal { target: 0.0, most: 1, proven: false };
        let _ = self.correct(operator, &mut residual, &mut velocities, goal);
        let bytes = self.cells.iter().map(|cell| lock(cell).chunk.bytes()).sum();
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let start = std::time::Instant::now();
            for (k, cell) in self.cells.iter().enumerate() {
                lock(cell).turn(0.0, &mut write(&self.changes[k]));
            }
            let changes: Vec<_> = self.changes.iter().map(read).collect();
            let all: Vec<&[Six]> = changes.iter().map(|change| &change[..]).collect();
            for (k, cell) in self.cells.iter().enumerate() {
                lock(cell).multiply(k, &all, 0.0);
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        (bytes, best)
    }
}

/// A panic in another thread ends the run anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Forces and velocities in double precision, which only the leading thread changes.
struct Balance<'a> {
    residual: &'a mut [Wrench],
    velocities: &'a mut [Velocity],
}

impl Balance<'_> {
    /// Adds what was found to the velocities; the residual is what single precision recovered.
    fn believe(&mut self, solve: &Solve) {
        for cell in solve.cells {
            let Cell { chunk, found, swept, .. } = &*lock(cell);
            for (particle, (found, residual)) in chunk.particles.iter().zip(found.iter().zip(swept))
            {
                let particle = *particle as usize;
                self.velocities[particle] += screw(found, 1.0 / solve.scale);
                self.residual[particle] = screw(residual, 1.0 / solve.scale);
            }
        }
    }

    /// Adds what was found to the velocities, and takes what it does off the residual; returns its
    /// size.
    fn prove<Op: Fn(u8, usize) + Sync>(&mut self, solve: &Solve, workers: &Workers<Op>) -> f64 {
        {
            let mut correction = write(solve.shown);
            for cell in solve.cells {
                let Cell { chunk, found, .. } = &*lock(cell);
                for (particle, found) in chunk.particles.iter().zip(found) {
                    correction[*particle as usize] = screw(found, 1.0 / solve.scale);
                }
            }
            add_scaled(self.velocities, 1.0, &correction);
        }
        let free = solve.operator.free_rate.as_ref();
        let growth = free.map_or(0.0, |free| free.growth(&read(solve.shown)));
        let square = solve.run(workers, PROVE, growth);
        for cell in solve.cells {
            let Cell { chunk, exact_residual, .. } = &*lock(cell);
            for (particle, residual) in chunk.particles.iter().zip(exact_residual) {
                self.residual[*particle as usize] = *residual;
            }
        }
        square.sqrt()
    }
}

impl Solve<'_> {
    /// The iteration: what to do next, and when to stop.
    fn lead<Op: Fn(u8, usize) + Sync>(
        &self,
        workers: &Workers<Op>,
        balance: &mut Balance,
        goal: Goal,
        size: f64,
    ) -> Result<Solved, Failure> {
        let mut slope = self.run(workers, BEGIN, 0.0);
        if !self.cells.iter().all(|cell| lock(cell).positive) {
            return Err(Failure::NotPositive);
        }
        // Single precision follows the residual from here.
        let mut known = size;
        // The residual of forces over that of the transformed system, when both were last known.
        let mut ratio = size / slope.sqrt();
        let mut share = 0.0;
        for iterations in 1..=goal.most {
            let power = self.run(workers, TURN, share);
            let growth = self.operator.free_rate.as_ref().map_or(0.0, |free| power / free.moment);
            let curvature = self.run(workers, MULTIPLY, growth);
            if curvature.is_nan() || curvature <= 0.0 {
                return Err(Failure::NotPositive);
            }
            let mut next = self.run(workers, UPDATE, slope / curvature);
            let followed = ratio * next.sqrt();
            if followed <= goal.target || followed < TRUSTED_FALL * known {
                let recovered = self.run(workers, RECOVER, 0.0).sqrt() / self.scale;
                let done = recovered <= goal.target;
                let solved = Solved { iterations, fell_back: false };
                if done && !goal.proven {
                    balance.believe(self);
                    return Ok(solved);
                }
                if done || recovered < TRUSTED_FALL * known {
                    let size = balance.prove(self, workers);
                    if size <= goal.target {
                        return Ok(solved);
                    }
                    if size > 0.5 * known {
                        return Err(Failure::Stalled { residual: size * self.scale });
                    }
                    known = size;
                    next = self.run(workers, RETAKE, 0.0);
                    ratio = size / next.sqrt();
                } else {
                    ratio = recovered / next.sqrt();
                }
            }
            share = next / slope;
            slope = next;
        }
        Err(Failure::Stalled { residual: known * self.scale })
    }

    /// Runs a phase; returns the sum over all chunks, in their order.
    fn run<Op: Fn(u8, usize) + Sync>(&self, workers: &Workers<Op>, phase: u8, factor: f64) -> f64 {
        self.factor.store(factor.to_bits(), Ordering::Relaxed);
        workers.run(phase);
        self.cells.iter().map(|cell| lock(cell).sum).sum()
    }

    /// A phase for one chunk.
    fn work(&self, phase: u8, k: usize) {
        let cell = &mut *lock(&self.cells[k]);
        let exact = f64::from_bits(self.factor.load(Ordering::Relaxed));
        let factor = exact as f32;
        match phase {
            BEGIN => {
                cell.begin(self.operator, &read(self.shown));
                cell.take(self.scale);
            }
            TURN => cell.turn(factor, &mut write(&self.changes[k])),
            MULTIPLY => {
                let changes: Vec<_> = self.changes.iter().map(read).collect();
                let all: Vec<&[Six]> = changes.iter().map(|change| &change[..]).collect();
                cell.multiply(k, &all, factor);
            }
            UPDATE => {
                let change = read(&self.changes[k]);
                cell.step(Some(&change), factor);
            }
            RECOVER => cell.recover(self.operator.length),
            PROVE => cell.prove(self.operator, &read(self.shown), exact),
            _ => cell.take(self.scale),
        }
    }
}

fn screw(six: &Six, scale: f64) -> Screw {
    let [x, y, z, u, v, w, _, _] = six.map(|c| scale * f64::from(c));
    Screw { linear: [x, y, z].into(), angular: [u, v, w].into() }
}

#[cfg(test)]
mod tests;
