//! Conjugate gradients in single precision around any preconditioner, with residuals in double precision
//! as the program's own solver has them.

use zerostokes::balance::Operator;
use zerostokes::solve::lanes::vectorised;
use zerostokes::solve::layout::Layout;
use zerostokes::solve::rows::{Chunk, Six};
use zerostokes::solve::{add_scaled, norm};
use zerostokes::state::{Velocity, Wrench};

use super::vectors::{Step, dot, screw, size, take, turn};

/// By what the residual may fall before it is computed anew.
const TRUSTED: f64 = 3e-3;

/// Residuals in double precision at most.
const MOST_PROOFS: usize = 40;

/// Most iterations.
pub const MOST_ITERATIONS: usize = 5000;

/// A system in variables of its own, and its preconditioner.
pub trait Method {
    /// Whether [`Method::precondition`] does anything.
    const PRECONDITIONED: bool = true;
    /// Takes a residual, by particle, to the variables of the method.
    fn inward(&mut self, _residual: &mut Vec<Six>) {}
    /// The product of a direction; returns its curvature.
    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64;
    /// The preconditioned residual.
    fn precondition(&mut self, residual: &[Six], z: &mut [Six]);
    /// Takes a correction from the variables of the method.
    fn outward(&mut self, _correction: &mut Vec<Six>) {}
    /// Bytes of everything that it keeps: matrix and preconditioner, no vectors.
    fn bytes(&self) -> usize;
}

/// The pairs of an operator as the program lays them out.
pub struct Pairs {
    chunks: Vec<Chunk>,
    drag: Vec<Six>,
}

impl Pairs {
    /// Lays them out.
    pub fn new(operator: &Operator) -> Self {
        let mut chunks = Layout::default().chunks(operator);
        chunks.iter_mut().for_each(|chunk| chunk.fill(&operator.blocks));
        let drag = |particle: &u32| {
            let [slow, turn] = operator.drag[*particle as usize].map(|x| x as f32);
            [slow, slow, slow, turn, turn, turn, 0.0, 0.0]
        };
        let drag = chunks.iter().flat_map(|chunk| &chunk.particles).map(drag).collect();
        Pairs { chunks, drag }
    }

    /// The product of a direction; returns its curvature.
    pub fn product(&self, p: &[Six], q: &mut [Six]) -> f64 {
        let size = self.chunks[0].particles.len();
        let shown: Vec<&[Six]> = p.chunks(size).collect();
        let parts = q.chunks_mut(size).zip(self.drag.chunks(size)).zip(&self.chunks);
        for (k, ((out, drag), chunk)) in parts.enumerate() {
            chunk.product(k, drag, &shown, out);
        }
        dot(p, q)
    }

    /// Bytes of pairs and drag.
    pub fn bytes(&self) -> usize {
        // What chunks count of vectors is not theirs, but for the drag.
        let pairs: usize = self.chunks.iter().map(Chunk::bytes).sum();
        pairs - 3 * size_of_val(&self.drag[..])
    }
}

/// Vectors of an iteration.
#[derive(Default)]
pub struct Vectors {
    residual: Vec<Six>,
    preconditioned: Vec<Six>,
    direction: Vec<Six>,
    product: Vec<Six>,
    found: Vec<Six>,
    correction: Vec<Velocity>,
    applied: Vec<Wrench>,
}

/// Forces and velocities in double precision.
pub struct Balance<'a> {
    pub operator: &'a Operator,
    pub places: &'a [u32],
    pub left: &'a mut [Wrench],
    pub velocities: &'a mut [Velocity],
}

impl Balance<'_> {
    /// Adds what was found to the velocities, and computes what is left anew; returns its size.
    fn prove<M: Method>(&mut self, method: &mut M, vectors: &mut Vectors, scale: f64) -> f64 {
        let Vectors { found, correction, applied, .. } = vectors;
        method.outward(found);
        let of = |place: &u32| screw(&found[*place as usize], 1.0 / scale);
        correction.clear();
        correction.extend(self.places.iter().map(of));
        add_scaled(self.velocities, 1.0, correction);
        self.operator.apply(correction, applied);
        add_scaled(self.left, -1.0, applied);
        norm(self.left, self.operator.length)
    }
}

impl Vectors {
    /// Makes room in the variables of a method.
    fn resize(&mut self, particles: usize) {
        let n = self.residual.len();
        for v in [&mut self.preconditioned, &mut self.direction, &mut self.product] {
            v.clear();
            v.resize(n, Six::default());
        }
        self.applied.resize(particles, Wrench::default());
    }

    /// Takes what is left of the forces; returns its slope along the preconditioned residual, and its
    /// size in the variables of the method.
    fn retake<M: Method>(&mut self, method: &mut M, balance: &Balance, scale: f64) -> [f64; 2] {
        self.residual.resize(balance.left.len(), Six::default());
        take(balance.left, balance.places, scale, &mut self.residual);
        method.inward(&mut self.residual);
        self.found.clear();
        self.found.resize(self.residual.len(), Six::default());
        let squares = size(&self.residual, balance.operator.length);
        if self.direction.len() != self.residual.len() {
            self.resize(balance.left.len());
        }
        [self.slope(method, squares[1]), measured::<M>(squares)]
    }

    fn slope<M: Method>(&mut self, method: &mut M, square: f64) -> f64 {
        if !M::PRECONDITIONED {
            return square;
        }
        method.precondition(&self.residual, &mut self.preconditioned);
        dot(&self.residual, &self.preconditioned)
    }

    fn turn<M: Method>(&mut self, share: f64) {
        let z = if M::PRECONDITIONED { &self.preconditioned } else { &self.residual };
        turn(share, z, &mut self.direction);
    }
}

/// The size of a residual by its squares: as forces and torques, or plain in other variables.
fn measured<M: Method>([square, plain]: [f64; 2]) -> f64 {
    if M::PRECONDITIONED { square.sqrt() } else { plain.sqrt() }
}

/// Corrects velocities until what is left in double precision is below the target; returns the number of
/// iterations, or `None` if it does not get there.
pub fn solve<M: Method>(
    method: &mut M,
    vectors: &mut Vectors,
    balance: &mut Balance,
    target: f64,
) -> Option<usize> {
    let lever = balance.operator.length;
    let mut known = norm(balance.left, lever);
    let scale = 1.0 / known;
    vectors.direction.clear();
    let [mut slope, mut own] = vectors.retake(method, balance, scale);
    vectors.turn::<M>(0.0);
    let mut proofs = 0;
    for iterations in 1..=MOST_ITERATIONS {
        let curvature = method.product(&vectors.direction, &mut vectors.product);
        if curvature.is_nan() || curvature <= 0.0 {
            return None;
        }
        let squares = vectorised(Step {
            length: (slope / curvature) as f32,
            direction: &vectors.direction,
            product: &vectors.product,
            found: &mut vectors.found,
            residual: &mut vectors.residual,
            lever,
        });
        // In other variables the residual has another size; it is taken to fall in proportion.
        let fallen = measured::<M>(squares) / own;
        let next;
        if known * fallen <= target || fallen < TRUSTED {
            known = balance.prove(method, vectors, scale);
            proofs += 1;
            if known <= target {
                return Some(iterations);
            }
            if proofs > MOST_PROOFS {
                return None;
            }
            [next, own] = vectors.retake(method, balance, scale);
        } else {
            next = vectors.slope(method, squares[1]);
        }
        vectors.turn::<M>(next / slope);
        slope = next;
    }
    None
}
