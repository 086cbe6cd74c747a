//! Two levels: the blocks of particles, and rigid motions of small aggregates, added to each other.

use nalgebra::{Matrix3, Matrix6, Vector3};
use zerostokes::balance::Operator;
use zerostokes::solve::lanes::{Lanes, Work, vectorised};
use zerostokes::solve::rows::Six;
use zerostokes::state::Suspension;

use super::blocks::{Assemble, Block, Matrix, add, inverse_factor, times, transpose};
use super::factor::Factor;
use super::iterate::{Method, Pairs};
use super::vectors::{Columns, columns, multiply};

/// Particles in an aggregate.
const MEMBERS: usize = 30;

/// Block Jacobi, with or without rigid motions of aggregates.
pub struct TwoLevel {
    pairs: Pairs,
    inverses: Vec<Columns>,
    coarse: Option<Coarse>,
}

/// Rigid motions of aggregates.
struct Coarse {
    /// The aggregate of every particle.
    aggregates: Vec<u32>,
    /// Every particle's motion by that of its aggregate, and the transpose.
    velocities: Vec<Columns>,
    transposed: Vec<Columns>,
    factor: Factor,
    forces: Vec<Six>,
    found: Vec<Six>,
}

impl TwoLevel {
    /// Block Jacobi alone.
    pub fn jacobi(operator: &Operator) -> Option<Self> {
        let matrix = vectorised(Assemble(operator));
        let inverses = vectorised(Invert(&matrix))?;
        Some(TwoLevel { pairs: Pairs::new(operator), inverses, coarse: None })
    }

    /// With rigid motions of aggregates of the particles of a state.
    pub fn new(operator: &Operator, state: &Suspension) -> Option<Self> {
        let matrix = vectorised(Assemble(operator));
        let inverses = vectorised(Invert(&matrix))?;
        let coarse = Some(Coarse::new(operator, &matrix, state)?);
        Some(TwoLevel { pairs: Pairs::new(operator), inverses, coarse })
    }
}

struct Invert<'a>(&'a Matrix);

impl Work for Invert<'_> {
    type Output = Option<Vec<Columns>>;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> Self::Output {
        let mut inverses = Vec::with_capacity(self.0.diagonal.len());
        for block in &self.0.diagonal {
            let inverse = inverse_factor(block, 0.0)?;
            inverses.push(columns(&times(&transpose(&inverse), &inverse)));
        }
        Some(inverses)
    }
}

/// Aggregates of neighbours in the graph, each grown from a particle that no other has taken; the first
/// particle of each.
fn aggregates(matrix: &Matrix) -> (Vec<u32>, Vec<usize>) {
    const FREE: u32 = u32::MAX;
    let n = matrix.diagonal.len();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); n];
    for row in 0..n {
        for &column in &matrix.columns[matrix.row(row)] {
            neighbours[row].push(column);
            neighbours[column as usize].push(row as u32);
        }
    }
    let mut taken = vec![FREE; n];
    let mut firsts = Vec::new();
    for first in 0..n {
        if taken[first] != FREE {
            continue;
        }
        let mut members = vec![first as u32];
        taken[first] = firsts.len() as u32;
        let mut at = 0;
        while at < members.len() && members.len() < MEMBERS {
            for &other in &neighbours[members[at] as usize] {
                if taken[other as usize] == FREE && members.len() < MEMBERS {
                    taken[other as usize] = firsts.len() as u32;
                    members.push(other);
                }
            }
            at += 1;
        }
        firsts.push(first);
    }
    (taken, firsts)
}

impl Coarse {
    fn new(operator: &Operator, matrix: &Matrix, state: &Suspension) -> Option<Self> {
        let (aggregates, firsts) = aggregates(matrix);
        let particle = |place: usize| operator.order.get(place).map_or(place, |p| *p as usize);
        let position = |place: usize| &state.positions[particle(place)];
        let motion = |(place, aggregate): (usize, &u32)| {
            let from = position(firsts[*aggregate as usize]);
            rigid(&state.cell.images(&state.clock).separation(from, position(place)))
        };
        let velocities: Vec<Block> = aggregates.iter().enumerate().map(motion).collect();
        let reduced =
            vectorised(Reduce { matrix, aggregates: &aggregates, velocities: &velocities });
        let factor = Factor::new(&reduced)?;
        let zeros = vec![Six::default(); firsts.len()];
        Some(Coarse {
            velocities: velocities.iter().map(columns).collect(),
            transposed: velocities.iter().map(|m| columns(&transpose(m))).collect(),
            aggregates,
            factor,
            forces: zeros.clone(),
            found: zeros,
        })
    }

    fn add_to(&mut self, residual: &[Six], z: &mut [Six]) {
        let Coarse { aggregates, velocities, transposed, factor, forces, found } = self;
        vectorised(Gather { aggregates, transposed, residual, forces });
        factor.solve(forces, found);
        vectorised(Spread { aggregates, velocities, found, z });
    }
}

/// The motion of a particle at a distance from the centre of a rigid body.
fn rigid(distance: &Vector3<f64>) -> Block {
    let mut motion = Matrix6::identity();
    let turned: Matrix3<f64> = -distance.cross_matrix();
    motion.fixed_view_mut::<3, 3>(0, 3).copy_from(&turned);
    motion.into()
}

/// The matrix of aggregates.
struct Reduce<'a> {
    matrix: &'a Matrix,
    aggregates: &'a [u32],
    velocities: &'a [Block],
}

impl Work for Reduce<'_> {
    type Output = Matrix;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> Matrix {
        let Reduce { matrix, aggregates, velocities } = self;
        let count = aggregates.iter().max().map_or(0, |last| *last as usize + 1);
        let mut diagonal = vec![Block::default(); count];
        let mut rows: Vec<std::collections::BTreeMap<u32, Block>> = vec![Default::default(); count];
        for row in 0..aggregates.len() {
            let own = transpose(&velocities[row]);
            let at = aggregates[row] as usize;
            add(&mut diagonal[at], &times(&times(&own, &matrix.diagonal[row]), &velocities[row]));
            for k in matrix.row(row) {
                let column = matrix.columns[k] as usize;
                let to = aggregates[column] as usize;
                let block = times(&times(&own, &matrix.blocks[k]), &velocities[column]);
                if at > to {
                    add(rows[at].entry(to as u32).or_default(), &block);
                } else if at < to {
                    add(rows[to].entry(at as u32).or_default(), &transpose(&block));
                } else {
                    add(&mut diagonal[at], &block);
                    add(&mut diagonal[at], &transpose(&block));
                }
            }
        }
        let mut reduced =
            Matrix { starts: vec![0], columns: Vec::new(), blocks: Vec::new(), diagonal };
        for row in rows {
            for (column, block) in row {
                reduced.columns.push(column);
                reduced.blocks.push(block);
            }
            reduced.starts.push(reduced.columns.len() as u32);
        }
        reduced
    }
}

/// Forces on particles become those on aggregates.
struct Gather<'a> {
    aggregates: &'a [u32],
    transposed: &'a [Columns],
    residual: &'a [Six],
    forces: &'a mut [Six],
}

impl Work for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        self.forces.fill(Six::default());
        for (k, residual) in self.residual.iter().enumerate() {
            let to = &mut self.forces[self.aggregates[k] as usize];
            *to = v.store(v.add(v.load(to), multiply(v, &self.transposed[k], residual)));
        }
    }
}

/// Motions of aggregates are added to those of particles.
struct Spread<'a> {
    aggregates: &'a [u32],
    velocities: &'a [Columns],
    found: &'a [Six],
    z: &'a mut [Six],
}

impl Work for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        for (k, z) in self.z.iter_mut().enumerate() {
            let from = &self.found[self.aggregates[k] as usize];
            *z = v.store(v.add(v.load(z), multiply(v, &self.velocities[k], from)));
        }
    }
}

impl Method for TwoLevel {
    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64 {
        self.pairs.product(p, q)
    }

    fn precondition(&mut self, residual: &[Six], z: &mut [Six]) {
        vectorised(super::vectors::Scale { blocks: &self.inverses, x: residual, out: z });
        if let Some(coarse) = &mut self.coarse {
            coarse.add_to(residual, z);
        }
    }

    fn bytes(&self) -> usize {
        let coarse = self.coarse.as_ref().map_or(0, |coarse| {
            coarse.factor.bytes()
                + 2 * size_of_val(&coarse.velocities[..])
                + size_of_val(&coarse.aggregates[..])
        });
        self.pairs.bytes() + size_of_val(&self.inverses[..]) + coarse
    }
}
