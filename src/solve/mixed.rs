//! Conjugate gradients in single precision that correct velocities in double precision.
//!
//! Everything that is done in every iteration (sweeps over pairs, sums of vectors) is in single
//! precision, which halves what has to be moved and doubles what is computed at once. The system is
//! preconditioned by symmetric Gauss–Seidel sweeps (`sweeps`): the residual that is
//! followed, \\((\mathsf D+\mathsf L)^{-1}\mathbf r\\), is that of the transformed system. The
//! residual of the forces is known in double precision at the beginning, and is computed anew in
//! double precision whenever it has fallen so far that single precision may have lost it, and at
//! the end if asked for; directions are kept when that happens, unless single precision had lost
//! it already. So the precision of the solution is that of the residual in double precision
//! (\[Sleijpen & van der Vorst 1996\]).

mod phase;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use phase::PHASES;
use phase::Phase::{self, *};
use rayon::prelude::*;

use super::cell::{Cell, Shown};
use super::layout::Layout;
use super::rows::Six;
use super::workers::{self, Workers};
use super::{Failure, Solved, add_scaled, norm};
use crate::balance::Operator;
use crate::state::{Screw, Velocity, Wrench};

/// By what the residual may fall before it is computed anew.
const TRUSTED_FALL: f64 = 1e-2;

/// By what factor the residual may be larger than single precision had it, for the direction to be
/// kept: what is beyond it has nothing to do with earlier directions, and they would slow down the
/// rest of the way.
const TRUSTED_EXCESS: f64 = 1.3;

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
    /// What every chunk shows to its neighbours.
    shown: Vec<RwLock<Shown>>,
    /// The residual, or the correction so far, in double precision for all to read.
    exact: RwLock<Vec<Screw>>,
}

/// A solve under way, as all threads see it.
struct Solve<'a> {
    operator: &'a Operator,
    cells: &'a [Mutex<Cell>],
    shown: &'a [RwLock<Shown>],
    exact: &'a RwLock<Vec<Screw>>,
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
            self.shown.resize_with(slots.chunks(), RwLock::default);
            let lay = |(k, cell): (usize, &mut Mutex<Cell>)| slots.fill(k, &mut lock(cell).chunk);
            match slots.chunks() {
                1 => self.cells.iter_mut().enumerate().for_each(lay),
                _ => self.cells.par_iter_mut().enumerate().with_max_len(1).for_each(lay),
            }
        }
        let solve = self.solve(operator, 1.0 / size);
        write(solve.exact).clear();
        write(solve.exact).extend_from_slice(residual);
        let mut balance = Balance { residual, velocities };
        let work = |phase: u8, k: usize| solve.work(PHASES[phase as usize], k);
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
        let solve = self.solve(operator, 1.0);
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let start = std::time::Instant::now();
            for phase in [TurnSecond, TurnFirst, Curve] {
                (0..self.cells.len()).for_each(|k| solve.work(phase, k));
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        (bytes, best)
    }

    fn solve<'a>(&'a self, operator: &'a Operator, scale: f64) -> Solve<'a> {
        let Mixed { cells, shown, exact, .. } = self;
        Solve { operator, cells, shown, exact, scale, factor: AtomicU64::new(0) }
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
        for (cell, shown) in solve.cells.iter().zip(solve.shown) {
            let (Cell { chunk, found, .. }, shown) = (&*lock(cell), read(shown));
            let both = found.iter().zip(&shown.swept);
            for (particle, (found, residual)) in chunk.particles.iter().zip(both) {
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
            let mut correction = write(solve.exact);
            for cell in solve.cells {
                let Cell { chunk, found, .. } = &*lock(cell);
                for (particle, found) in chunk.particles.iter().zip(found) {
                    correction[*particle as usize] = screw(found, 1.0 / solve.scale);
                }
            }
            add_scaled(self.velocities, 1.0, &correction);
        }
        let free = solve.operator.free_rate.as_ref();
        let growth = free.map_or(0.0, |free| free.growth(&read(solve.exact)));
        let square = solve.run(workers, Prove, growth);
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
        self.run(workers, Begin, 0.0);
        if !self.cells.iter().all(|cell| lock(cell).positive) {
            return Err(Failure::NotPositive);
        }
        if self.operator.free_rate.is_some() {
            self.run_both(workers, [TransformFirst, TransformSecond], 0.0);
        }
        let mut slope = self.run_both(workers, [TakeFirst, TakeSecond], 0.0);
        // Single precision follows the residual from here.
        let mut known = size;
        // The residual of forces over that of the transformed system, when both were last known.
        let mut ratio = size / slope.sqrt();
        let mut share = 0.0;
        for iterations in 1..=goal.most {
            let power = self.run_both(workers, [TurnSecond, TurnFirst], share);
            let growth = self.operator.free_rate.as_ref().map_or(0.0, |free| power / free.moment);
            let curvature = self.run(workers, Curve, growth);
            if curvature.is_nan() || curvature <= 0.0 {
                return Err(Failure::NotPositive);
            }
            let mut next = self.run(workers, Update, slope / curvature);
            let followed = ratio * next.sqrt();
            if followed <= goal.target || followed < TRUSTED_FALL * known {
                self.run(workers, Show, 0.0);
                let square = self.run_both(workers, [RecoverSecond, RecoverFirst], 0.0);
                let recovered = square.sqrt() / self.scale;
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
                    next = self.run_both(workers, [TakeFirst, TakeSecond], 0.0);
                    ratio = size / next.sqrt();
                    slope = if size > TRUSTED_EXCESS * recovered { f64::INFINITY } else { slope };
                } else {
                    ratio = recovered / next.sqrt();
                }
            }
            share = next / slope;
            slope = next;
        }
        Err(Failure::Stalled { residual: known * self.scale })
    }

    /// Runs two phases; returns the sum over all chunks, in their order.
    fn run_both<Op: Fn(u8, usize) + Sync>(
        &self,
        workers: &Workers<Op>,
        [one, other]: [Phase; 2],
        factor: f64,
    ) -> f64 {
        for phase in [one, other] {
            // One chunk has the first rank.
            if self.cells.len() > 1 || phase.rank() != Some(1) {
                self.store(factor);
                workers.run(phase as u8);
            }
        }
        self.sum()
    }

    /// Runs a phase; returns the sum over all chunks, in their order.
    fn run<Op: Fn(u8, usize) + Sync>(
        &self,
        workers: &Workers<Op>,
        phase: Phase,
        factor: f64,
    ) -> f64 {
        self.store(factor);
        workers.run(phase as u8);
        self.sum()
    }

    fn store(&self, factor: f64) {
        self.factor.store(factor.to_bits(), Ordering::Relaxed);
    }

    fn sum(&self) -> f64 {
        self.cells.iter().map(|cell| lock(cell).sum).sum()
    }

    /// A phase for one chunk.
    fn work(&self, phase: Phase, k: usize) {
        if phase.rank().is_some_and(|rank| rank != k % 2) {
            return;
        }
        let exact = f64::from_bits(self.factor.load(Ordering::Relaxed));
        let factor = exact as f32;
        let cell = &mut *lock(&self.cells[k]);
        // Neighbours are of the other rank.
        let (count, rank) = (self.cells.len(), k % 2);
        let near = [(k + count - 1) % count, (k + 1) % count];
        let looks = count > 1 && phase.looks_around(rank);
        let around = looks.then(|| near.map(|k| read(&self.shown[k])));
        let around = around.as_ref();
        let earlier = around.filter(|_| rank == 1).map(|all| all.each_ref().map(|c| &c.swept[..]));
        let later = around.filter(|_| rank == 0).map(|all| all.each_ref().map(|c| &c.change[..]));
        let own = || write(&self.shown[k]);
        match phase {
            Begin => cell.begin(self.operator, &read(self.exact), &mut own()),
            TransformFirst | TransformSecond => cell.transform_driven(&mut own(), earlier),
            TakeFirst | TakeSecond => cell.take(self.scale, &mut own(), earlier),
            TurnSecond => cell.turn(factor, &mut own(), later),
            TurnFirst => {
                cell.turn(factor, &mut own(), later);
                cell.multiply(&mut own(), earlier);
            }
            Curve => {
                if rank == 1 {
                    cell.multiply(&mut own(), earlier);
                }
                cell.curve(factor, &read(&self.shown[k]));
            }
            Update => cell.step(&read(&self.shown[k]), factor),
            Show => cell.show(&mut own()),
            RecoverFirst | RecoverSecond => cell.recover(self.operator.length, &mut own(), earlier),
            Prove => cell.prove(self.operator, &read(self.exact), exact),
        }
    }
}

fn screw(six: &Six, scale: f64) -> Screw {
    let [x, y, z, u, v, w, _, _] = six.map(|c| scale * f64::from(c));
    Screw { linear: [x, y, z].into(), angular: [u, v, w].into() }
}

#[cfg(test)]
mod tests;
