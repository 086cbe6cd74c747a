//! Conjugate gradients in single precision that correct velocities in double precision.
//!
//! Everything that is done in every iteration (the product over pairs, the preconditioner, sums of
//! vectors) is in single precision, which halves what has to be moved and doubles what is computed
//! at once. The residual is known in double precision at the beginning, and is computed anew in
//! double precision whenever it has fallen so far that single precision may have lost it, and at
//! the end if asked for; directions are kept when that happens. So the precision of the solution is
//! that of the residual in double precision (\[Sleijpen & van der Vorst 1996\]).

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rayon::prelude::*;

use super::lanes::vectorised;
use super::layout::{Chunk, Layout};
use super::rows::Six;
use super::vectors::{Dot, Inverse, Turn, Update, invert_blocks};
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
    /// The direction of the particles of every chunk, which other chunks read.
    directions: Vec<RwLock<Vec<Six>>>,
    /// The residual, or the correction so far, in double precision for all to read.
    shown: RwLock<Vec<Screw>>,
}

/// What belongs to a chunk. A thread that works on a chunk holds its lock; none ever waits for it.
#[derive(Default)]
struct Cell {
    chunk: Chunk,
    inverses: Vec<Inverse>,
    drag: Vec<Six>,
    found: Vec<Six>,
    residual: Vec<Six>,
    preconditioned: Vec<Six>,
    product: Vec<Six>,
    /// The residual in double precision, when it was last known.
    exact_residual: Vec<Wrench>,
    /// Sums over the particles of the chunk.
    sums: [f64; 2],
    /// Whether all its blocks are positive definite.
    positive: bool,
}

/// What is done to every chunk before anything else is done to any: rows, preconditioner and the
/// first direction.
const BEGIN: u8 = 0;
/// The product of the direction, and its curvature.
const MULTIPLY: u8 = 1;
/// A step along the direction.
const UPDATE: u8 = 2;
/// The next direction.
const TURN: u8 = 3;
/// The residual and its size in double precision.
const PROVE: u8 = 4;
/// Takes the residual that was computed anew.
const RETAKE: u8 = 5;

/// A solve under way, as all threads see it.
struct Solve<'a> {
    operator: &'a Operator,
    cells: &'a [Mutex<Cell>],
    directions: &'a [RwLock<Vec<Six>>],
    shown: &'a RwLock<Vec<Screw>>,
    scale: f64,
    /// The bits of the step along the direction, or of the share of the last direction.
    factor: AtomicU32,
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
            self.directions.resize_with(slots.chunks(), RwLock::default);
            let lay = |(k, cell): (usize, &mut Mutex<Cell>)| slots.fill(k, &mut lock(cell).chunk);
            match slots.chunks() {
                1 => self.cells.iter_mut().enumerate().for_each(lay),
                _ => self.cells.par_iter_mut().enumerate().with_max_len(1).for_each(lay),
            }
        }
        let solve = Solve {
            operator,
            cells: &self.cells,
            directions: &self.directions,
            shown: &self.shown,
            scale: 1.0 / size,
            factor: AtomicU32::new(0),
        };
        write(solve.shown).clear();
        write(solve.shown).extend_from_slice(residual);
        let mut balance = Balance { residual, velocities };
        let work = |phase: u8, k: usize| solve.work(phase, k);
        workers::join(self.cells.len(), &work, |workers| {
            solve.lead(workers, &mut balance, goal, size)
        })
    }

    /// The product of random velocities, again and again: how many bytes it moves and how long it
    /// takes `[s]`, the best of some.
    pub fn time_product(&mut self, operator: &Operator, repeats: usize) -> (usize, f64) {
        let mut residual = vec![Wrench::default(); operator.drag.len()];
        residual.iter_mut().enumerate().for_each(|(k, w)| w.linear.x = (k % 17) as f64 - 8.0);
        let mut velocities = vec![Velocity::default(); residual.len()];
        // One iteration that gets nowhere, to lay everything out.
        let goal = Goal { target: 0.0, most: 1, proven: false };
        let _ = self.correct(operator, &mut residual, &mut velocities, goal);
        let bytes = self.cells.iter().map(|cell| lock(cell).chunk.bytes()).sum();
        let directions: Vec<_> = self.directions.iter().map(read).collect();
        let shown: Vec<&[Six]> = directions.iter().map(|d| &d[..]).collect();
        let mut best = f64::INFINITY;
        for _ in 0..repeats {
            let start = std::time::Instant::now();
            for (k, cell) in self.cells.iter().enumerate() {
                let Cell { chunk, drag, product, .. } = &mut *lock(cell);
                chunk.product(k, drag, &shown, product);
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
    /// Adds what was found to the velocities; the residual is what single precision knows.
    fn believe(&mut self, solve: &Solve) {
        for cell in solve.cells {
            let Cell { chunk, found, residual, .. } = &*lock(cell);
            for (particle, (found, residual)) in
                chunk.particles.iter().zip(found.iter().zip(residual))
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
        let square = solve.run(workers, PROVE, 0.0)[0];
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
        let mut slope = self.run(workers, BEGIN, 0.0)[0];
        if !self.cells.iter().all(|cell| lock(cell).positive) {
            return Err(Failure::NotPositive);
        }
        // Single precision follows the residual from here.
        let mut known = size;
        for iterations in 1..=goal.most {
            let curvature = self.run(workers, MULTIPLY, 0.0)[0];
            if curvature.is_nan() || curvature <= 0.0 {
                return Err(Failure::NotPositive);
            }
            let [mut next, square] = self.run(workers, UPDATE, slope / curvature);
            let followed = square.sqrt() / self.scale;
            let done = followed <= goal.target;
            let solved = Solved { iterations, fell_back: false };
            if done && !goal.proven {
                balance.believe(self);
                return Ok(solved);
            }
            if done || followed < TRUSTED_FALL * known {
                let size = balance.prove(self, workers);
                if size <= goal.target {
                    return Ok(solved);
                }
                if size > 0.5 * known {
                    return Err(Failure::Stalled { residual: size * self.scale });
                }
                known = size;
                next = self.run(workers, RETAKE, 0.0)[0];
            }
            self.run(workers, TURN, next / slope);
            slope = next;
        }
        Err(Failure::Stalled { residual: known * self.scale })
    }

    /// Runs a phase; returns the sums over all chunks, in their order.
    fn run<Op: Fn(u8, usize) + Sync>(
        &self,
        workers: &Workers<Op>,
        phase: u8,
        factor: f64,
    ) -> [f64; 2] {
        self.factor.store((factor as f32).to_bits(), Ordering::Relaxed);
        workers.run(phase);
        let sums = self.cells.iter().map(|cell| lock(cell).sums);
        sums.fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d])
    }

    /// A phase for one chunk.
    fn work(&self, phase: u8, k: usize) {
        let cell = &mut *lock(&self.cells[k]);
        let factor = f32::from_bits(self.factor.load(Ordering::Relaxed));
        match phase {
            BEGIN => {
                cell.begin(self.operator, &read(self.shown));
                cell.take(self.scale);
                cell.step(None, 0.0, self.operator.length);
                write(&self.directions[k]).clone_from(&cell.preconditioned);
            }
            MULTIPLY => {
                let directions: Vec<_> = self.directions.iter().map(read).collect();
                let shown: Vec<&[Six]> = directions.iter().map(|d| &d[..]).collect();
                cell.chunk.product(k, &cell.drag, &shown, &mut cell.product);
                cell.sums[0] = vectorised(Dot(&cell.product, shown[k]));
            }
            UPDATE => {
                let direction = read(&self.directions[k]);
                cell.step(Some(&direction), factor, self.operator.length);
            }
            TURN => {
                let mut own = write(&self.directions[k]);
                vectorised(Turn { share: factor, p: &mut own, z: &cell.preconditioned });
            }
            PROVE => cell.prove(self.operator, &read(self.shown)),
            _ => {
                cell.take(self.scale);
                cell.step(None, 0.0, self.operator.length);
            }
        }
    }
}

impl Cell {
    /// Rows, preconditioner and residual.
    fn begin(&mut self, operator: &Operator, forces: &[Wrench]) {
        self.chunk.fill(&operator.blocks);
        self.positive = invert_blocks(&self.chunk.diagonals(operator), &mut self.inverses);
        let drag = |particle: &u32| {
            let [slow, turn] = operator.drag[*particle as usize].map(|x| x as f32);
            [slow, slow, slow, turn, turn, turn, 0.0, 0.0]
        };
        self.drag.clear();
        self.drag.extend(self.chunk.particles.iter().map(drag));
        let n = self.drag.len();
        for v in [&mut self.residual, &mut self.preconditioned, &mut self.product] {
            v.resize(n, Six::default());
        }
        self.exact_residual.clear();
        self.exact_residual
            .extend(self.chunk.particles.iter().map(|particle| forces[*particle as usize]));
    }

    /// Takes what a correction does off the residual.
    fn prove(&mut self, operator: &Operator, correction: &[Velocity]) {
        let Cell { chunk, exact_residual: residual, .. } = self;
        for (residual, particle) in residual.iter_mut().zip(&chunk.particles) {
            let particle = *particle as usize;
            let ([slow, turn], motion) = (operator.drag[particle], &correction[particle]);
            residual.linear -= slow * motion.linear;
            residual.angular -= turn * motion.angular;
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
        self.sums = [norm(residual, operator.length).powi(2), 0.0];
    }

    /// Takes the residual, and forgets what was found.
    fn take(&mut self, scale: f64) {
        self.found.clear();
        self.found.resize(self.residual.len(), Six::default());
        for (to, from) in self.residual.iter_mut().zip(&self.exact_residual) {
            let (l, a) = (scale * from.linear, scale * from.angular);
            let [x, y, z, u, v, w] = [l.x, l.y, l.z, a.x, a.y, a.z].map(|c| c as f32);
            *to = [x, y, z, u, v, w, 0.0, 0.0];
        }
    }

    /// A step along a direction, if there is one, and the preconditioned residual after it.
    fn step(&mut self, direction: Option<&[Six]>, step: f32, length: f64) {
        self.sums = vectorised(Update {
            step,
            length,
            moved: direction.map(|direction| [direction, &self.product]),
            vectors: [&mut self.found, &mut self.residual, &mut self.preconditioned],
            inverses: &self.inverses,
        });
    }
}

fn screw(six: &Six, scale: f64) -> Screw {
    let [x, y, z, u, v, w, _, _] = six.map(|c| scale * f64::from(c));
    Screw { linear: [x, y, z].into(), angular: [u, v, w].into() }
}

#[cfg(test)]
mod tests;
