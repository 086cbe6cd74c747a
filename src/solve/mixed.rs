//! Conjugate gradients in single precision that correct motions in double precision.
//!
//! Everything that is done in every iteration (the product over pairs, the preconditioner, sums of
//! vectors) is in single precision, which halves what has to be moved and doubles what is computed
//! at once. The residual is known in double precision at the beginning, and is computed anew in
//! double precision whenever it has fallen so far that single precision may have lost it, and at
//! the end if asked for; directions are kept when that happens. So the precision of the answer is
//! that of the residual in double precision (\[Sleijpen & van der Vorst 1996\]).

use rayon::prelude::*;

use super::jacobi::{Inverse, Jacobi};
use super::lanes::{Lanes, Work, vectorised};
use super::rows::{Rows, Six};
use super::{Failure, Solved, add_scaled, norm};
use crate::balance::Operator;
use crate::state::{Motion, Screw, Wrench};

/// By what the residual may fall before it is computed anew.
const TRUSTED: f64 = 3e-3;

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
    rows: Rows,
    jacobi: Jacobi,
    drag: Vec<[f64; 2]>,
    /// Drag as the rows take it.
    drag_rows: Vec<Six>,
    found: Vec<Six>,
    residual: Vec<Six>,
    preconditioned: Vec<Six>,
    direction: Vec<Six>,
    product: Vec<Six>,
    /// Sums of every chunk.
    sums: Vec<[f64; 2]>,
    /// The correction so far, in double precision, and its product.
    correction: Vec<Motion>,
    applied: Vec<Wrench>,
}

impl Mixed {
    /// Whether an operator is made of drag and plain pairs only.
    pub fn takes(operator: &Operator) -> bool {
        operator.skews.is_empty() && operator.wholes.is_empty() && !operator.floats()
    }

    /// Corrects `motions` until what is left of the forces is below the target. On entry `left` is
    /// what is left at `motions`; on return it is that at the better ones, computed in double precision
    /// if the goal is `proven`.
    pub fn correct(
        &mut self,
        operator: &Operator,
        left: &mut [Wrench],
        motions: &mut [Motion],
        goal: Goal,
    ) -> Result<Solved, Failure> {
        let mut size = norm(left, operator.length);
        if size <= goal.target {
            return Ok(Solved::default());
        }
        self.prepare(operator)?;
        let scale = 1.0 / size;
        self.take(left, scale);
        let mut slope = self.start(operator.length);
        let mut iterations = 0;
        // Single precision follows the residual from here.
        let mut known = size;
        while iterations < goal.most {
            let curvature = self.multiply();
            if curvature.is_nan() || curvature <= 0.0 {
                return Err(Failure::NotPositive);
            }
            iterations += 1;
            let [mut next, square] = self.update((slope / curvature) as f32, operator.length);
            let followed = square.sqrt() / scale;
            let done = followed <= goal.target;
            if done && !goal.proven {
                self.put(motions, 1.0 / scale);
                for (left, slot) in left.iter_mut().zip(self.rows.slots()) {
                    *left = screw(&self.residual[*slot as usize], 1.0 / scale);
                }
                return Ok(Solved { iterations, fell_back: false });
            }
            if done || followed < TRUSTED * known {
                self.replace(operator, left, motions, 1.0 / scale);
                size = norm(left, operator.length);
                if size <= goal.target {
                    return Ok(Solved { iterations, fell_back: false });
                }
                if size > 0.5 * known {
                    break;
                }
                known = size;
                self.take(left, scale);
                next = self.precondition(operator.length);
            }
            self.turn((next / slope) as f32);
            slope = next;
        }
        Err(Failure::Stalled { residual: size * scale })
    }

    fn prepare(&mut self, operator: &Operator) -> Result<(), Failure> {
        let n = operator.drag.len();
        self.rows.take_up(operator);
        self.drag.resize(n, [0.0; 2]);
        self.drag_rows.resize(n, Six::default());
        for (drag, slot) in operator.drag.iter().zip(self.rows.slots()) {
            let [slow, turn] = drag.map(|x| x as f32);
            self.drag[*slot as usize] = *drag;
            self.drag_rows[*slot as usize] = [slow, slow, slow, turn, turn, turn, 0.0, 0.0];
        }
        if !self.jacobi.make(operator, &self.rows, &self.drag) {
            return Err(Failure::NotPositive);
        }
        for v in [
            &mut self.found,
            &mut self.residual,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.product,
        ] {
            v.resize(n, Six::default());
        }
        self.sums.resize(n.div_ceil(self.rows.chunk), [0.0; 2]);
        Ok(())
    }

    /// Takes the residual, and forgets what was found.
    fn take(&mut self, left: &[Wrench], scale: f64) {
        for (from, slot) in left.iter().zip(self.rows.slots()) {
            let (l, a) = (scale * from.linear, scale * from.angular);
            let [x, y, z, u, v, w] = [l.x, l.y, l.z, a.x, a.y, a.z].map(|c| c as f32);
            self.residual[*slot as usize] = [x, y, z, u, v, w, 0.0, 0.0];
        }
        self.found.fill(Six::default());
    }

    /// Adds what was found to the motions.
    fn put(&self, motions: &mut [Motion], scale: f64) {
        for (motion, slot) in motions.iter_mut().zip(self.rows.slots()) {
            let change = screw(&self.found[*slot as usize], scale);
            motion.linear += change.linear;
            motion.angular += change.angular;
        }
    }

    /// Adds what was found to the motions, and takes what it does off the forces that are left.
    fn replace(
        &mut self,
        operator: &Operator,
        left: &mut [Wrench],
        motions: &mut [Motion],
        scale: f64,
    ) {
        self.put(motions, scale);
        self.correction.clear();
        let slots = self.rows.slots().iter();
        self.correction.extend(slots.map(|slot| screw(&self.found[*slot as usize], scale)));
        self.applied.resize(left.len(), Wrench::default());
        operator.apply(&self.correction, &mut self.applied);
        add_scaled(left, -1.0, &self.applied);
    }

    /// The first direction; returns its slope.
    fn start(&mut self, length: f64) -> f64 {
        let slope = self.precondition(length);
        self.direction.copy_from_slice(&self.preconditioned);
        slope
    }

    /// The product of the direction; returns its curvature.
    fn multiply(&mut self) -> f64 {
        let Mixed { rows, drag_rows, direction, product, sums, .. } = self;
        let multiply = |((k, out), sum): ((usize, &mut [Six]), &mut [f64; 2])| {
            rows.product(k, drag_rows, direction, out);
            let first = k * rows.chunk;
            sum[0] = vectorised(Dot(out, &direction[first..first + out.len()]));
        };
        if let [sum] = &mut sums[..] {
            multiply(((0, product), sum));
        } else {
            let chunks = product.par_chunks_mut(rows.chunk).enumerate();
            chunks.zip(sums.par_iter_mut()).with_max_len(1).for_each(multiply);
        }
        sums.iter().map(|sum| sum[0]).sum()
    }

    /// A step along the direction; returns the slope and the square of the new residual.
    fn update(&mut self, step: f32, length: f64) -> [f64; 2] {
        let Mixed { rows, jacobi, found, residual, preconditioned, direction, product, sums, .. } =
            self;
        let chunk = rows.chunk;
        let update = |k: usize, vectors: [&mut [Six]; 3], sum: &mut [f64; 2]| {
            let own = k * chunk..k * chunk + vectors[0].len();
            *sum = vectorised(Update {
                step,
                length,
                moved: Some([&direction[own.clone()], &product[own.clone()]]),
                vectors,
                inverses: &jacobi.inverses[own],
            });
        };
        if let [sum] = &mut sums[..] {
            update(0, [found, residual, preconditioned], sum);
        } else {
            found
                .par_chunks_mut(chunk)
                .zip(residual.par_chunks_mut(chunk))
                .zip(preconditioned.par_chunks_mut(chunk))
                .zip(sums.par_iter_mut())
                .enumerate()
                .with_max_len(1)
                .for_each(|(k, (((f, r), z), sum))| update(k, [f, r, z], sum));
        }
        total(sums)
    }

    /// Preconditions the residual; returns its slope.
    fn precondition(&mut self, length: f64) -> f64 {
        let Mixed { rows, jacobi, found, residual, preconditioned, sums, .. } = self;
        let vectors = found.chunks_mut(rows.chunk).zip(residual.chunks_mut(rows.chunk));
        let vectors = vectors.zip(preconditioned.chunks_mut(rows.chunk));
        let inverses = jacobi.inverses.chunks(rows.chunk);
        for (((vectors, z), inverses), sum) in vectors.zip(inverses).zip(sums.iter_mut()) {
            let vectors = [vectors.0, vectors.1, z];
            *sum = vectorised(Update { step: 0.0, length, moved: None, vectors, inverses });
        }
        total(sums)[0]
    }

    /// The next direction.
    fn turn(&mut self, share: f32) {
        let turn = |(p, z): (&mut [Six], &[Six])| vectorised(Turn { share, p, z });
        let (p, z, chunk) = (&mut self.direction, &self.preconditioned, self.rows.chunk);
        if p.len() <= chunk {
            turn((p, z));
        } else {
            p.par_chunks_mut(chunk).zip(z.par_chunks(chunk)).with_max_len(1).for_each(turn);
        }
    }
}

fn total(sums: &[[f64; 2]]) -> [f64; 2] {
    sums.iter().fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d])
}

fn screw(six: &Six, scale: f64) -> Screw {
    let [x, y, z, u, v, w, _, _] = six.map(|c| scale * f64::from(c));
    Screw { linear: [x, y, z].into(), angular: [u, v, w].into() }
}

/// \\(\mathbf a\cdot\mathbf b\\), summed in double precision.
struct Dot<'a>(&'a [Six], &'a [Six]);

impl Work for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for (a, b) in self.0.iter().zip(self.1) {
            for k in 0..8 {
                sum[k] += f64::from(a[k] * b[k]);
            }
        }
        sum.iter().sum()
    }
}

/// Moves what was found and the residual along a direction, and preconditions the residual.
struct Update<'a> {
    step: f32,
    length: f64,
    /// Direction and its product.
    moved: Option<[&'a [Six]; 2]>,
    /// What was found, residual, preconditioned residual.
    vectors: [&'a mut [Six]; 3],
    inverses: &'a [Inverse],
}

impl Work for Update<'_> {
    type Output = [f64; 2];

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> [f64; 2] {
        let [found, residual, preconditioned] = self.vectors;
        let step = v.splat(self.step);
        let turn = (1.0 / self.length) as f32;
        let weights = v.load(&[1.0, 1.0, 1.0, turn, turn, turn, 0.0, 0.0]);
        let (mut slope, mut square) = ([0.0f64; 8], [0.0f64; 8]);
        for k in 0..residual.len() {
            let mut r = v.load(&residual[k]);
            if let Some([direction, product]) = self.moved {
                let moved = v.mul_add(step, v.load(&direction[k]), v.load(&found[k]));
                found[k] = v.store(moved);
                r = v.sub(r, v.mul(step, v.load(&product[k])));
                residual[k] = v.store(r);
            }
            let six = v.store(r);
            let inverse = &self.inverses[k];
            let mut z = v.mul(v.load(&inverse[0]), v.splat(six[0]));
            for c in 1..6 {
                z = v.mul_add(v.load(&inverse[c]), v.splat(six[c]), z);
            }
            preconditioned[k] = v.store(z);
            let weighted = v.mul(weights, r);
            let (along, own) = (v.store(v.mul(r, z)), v.store(v.mul(weighted, weighted)));
            for lane in 0..8 {
                slope[lane] += f64::from(along[lane]);
                square[lane] += f64::from(own[lane]);
            }
        }
        [slope.iter().sum(), square.iter().sum()]
    }
}

/// `p = z + share p`.
struct Turn<'a> {
    share: f32,
    p: &'a mut [Six],
    z: &'a [Six],
}

impl Work for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let share = v.splat(self.share);
        for (p, z) in self.p.iter_mut().zip(self.z) {
            *p = v.store(v.mul_add(share, v.load(p), v.load(z)));
        }
    }
}
