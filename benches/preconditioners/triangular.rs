//! Preconditioners \\(\mathsf C(\mathsf I + \mathsf N)(\mathsf I + \mathsf N)^T\mathsf C^T\\), N strictly
//! lower triangular with the pattern of the matrix: symmetric Gauss–Seidel, and incomplete
//! factorizations.

use zerostokes::balance::Operator;
use zerostokes::solve::lanes::{Lanes, Work, vectorised};
use zerostokes::solve::rows::Six;

use super::blocks::{
    Assemble, Block, Matrix, inverse_factor, less, times, times_transposed, transpose,
};
use super::iterate::{Method, Pairs};
use super::sweeps::{Backward, Forward, Product, Triangle};
use super::vectors::{Columns, Scale, columns};

/// A pivot that is smaller, by this, than what was on the diagonal counts as a breakdown.
const LEAST_PIVOT: f64 = 1e-6;

/// Shifts of the diagonal that are tried, one after the other.
const SHIFTS: [f64; 8] = [0.0, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0];

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Symmetric Gauss–Seidel, the diagonal divided by a relaxation.
    GaussSeidel(f64),
    /// An incomplete factorization that changes the diagonal only.
    Diagonal,
    /// An incomplete factorization without fill.
    Incomplete,
}

/// The preconditioner in double precision.
struct Factor {
    matrix: Matrix,
    /// C⁻¹.
    inverses: Vec<Block>,
    /// N.
    blocks: Vec<Block>,
    shift: f64,
}

struct Factorize<'a> {
    operator: &'a Operator,
    kind: Kind,
}

impl Work for Factorize<'_> {
    type Output = Factor;

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> Factor {
        let matrix = Assemble(self.operator).with(v);
        let tried = SHIFTS.iter().find_map(|&shift| {
            let (inverses, blocks) = match self.kind {
                Kind::GaussSeidel(relaxation) => gauss_seidel(&matrix, relaxation)?,
                Kind::Diagonal => diagonal(&matrix, shift)?,
                Kind::Incomplete => incomplete(&matrix, shift)?,
            };
            Some((inverses, blocks, shift))
        });
        let (inverses, blocks, shift) = tried.expect("no breakdown with the largest shift");
        Factor { matrix, inverses, blocks, shift }
    }
}

#[inline(always)]
fn scaled(block: &Block, factor: f64) -> Block {
    block.map(|c| c.map(|x| factor * x))
}

/// A diagonal block, shifted.
#[inline(always)]
fn shifted(block: &Block, shift: f64) -> Block {
    let mut block = *block;
    (0..6).for_each(|k| block[k][k] *= 1.0 + shift);
    block
}

#[inline(always)]
fn gauss_seidel(matrix: &Matrix, relaxation: f64) -> Option<(Vec<Block>, Vec<Block>)> {
    let inverse = |block: &Block| inverse_factor(&scaled(block, 1.0 / relaxation), 0.0);
    let inverses: Vec<Block> = matrix.diagonal.iter().map(inverse).collect::<Option<_>>()?;
    let mut blocks = Vec::with_capacity(matrix.blocks.len());
    for row in 0..inverses.len() {
        for k in matrix.row(row) {
            let left = times(&inverses[row], &matrix.blocks[k]);
            blocks.push(times_transposed(&left, &inverses[matrix.columns[k] as usize]));
        }
    }
    Some((inverses, blocks))
}

#[inline(always)]
fn diagonal(matrix: &Matrix, shift: f64) -> Option<(Vec<Block>, Vec<Block>)> {
    let mut inverses: Vec<Block> = Vec::with_capacity(matrix.diagonal.len());
    let mut blocks = Vec::with_capacity(matrix.blocks.len());
    for (row, own) in matrix.diagonal.iter().enumerate() {
        let mut own = shifted(own, shift);
        let from = blocks.len();
        for k in matrix.row(row) {
            let half = times_transposed(&matrix.blocks[k], &inverses[matrix.columns[k] as usize]);
            own = less(own, &half, &half);
            blocks.push(half);
        }
        let inverse = inverse_factor(&own, LEAST_PIVOT)?;
        blocks[from..].iter_mut().for_each(|block| *block = times(&inverse, block));
        inverses.push(inverse);
    }
    Some((inverses, blocks))
}

#[inline(always)]
fn incomplete(matrix: &Matrix, shift: f64) -> Option<(Vec<Block>, Vec<Block>)> {
    let mut inverses: Vec<Block> = Vec::with_capacity(matrix.diagonal.len());
    // Blocks of L: those of the row at hand, and of all before it, not yet multiplied by C⁻¹.
    let mut blocks: Vec<Block> = Vec::with_capacity(matrix.blocks.len());
    for (row, own) in matrix.diagonal.iter().enumerate() {
        let mut own = shifted(own, shift);
        for k in matrix.row(row) {
            let column = matrix.columns[k] as usize;
            let mut block = matrix.blocks[k];
            // Columns that both rows have, before this one.
            let (mut a, mut b) = (matrix.row(row).start, matrix.row(column).start);
            while a < k && b < matrix.row(column).end {
                match matrix.columns[a].cmp(&matrix.columns[b]) {
                    std::cmp::Ordering::Less => a += 1,
                    std::cmp::Ordering::Greater => b += 1,
                    std::cmp::Ordering::Equal => {
                        block = less(block, &blocks[a], &blocks[b]);
                        (a, b) = (a + 1, b + 1);
                    }
                }
            }
            let block = times_transposed(&block, &inverses[column]);
            own = less(own, &block, &block);
            blocks.push(block);
        }
        inverses.push(inverse_factor(&own, LEAST_PIVOT)?);
    }
    for (row, inverse) in inverses.iter().enumerate() {
        for k in matrix.row(row) {
            blocks[k] = times(inverse, &blocks[k]);
        }
    }
    Some((inverses, blocks))
}

/// A factor in single precision.
struct Sweeps {
    lower: Triangle,
    upper: Triangle,
    /// C⁻¹ and its transpose.
    inverses: Vec<Columns>,
    transposed: Vec<Columns>,
    solved: Vec<Six>,
    work: Vec<Six>,
}

impl Sweeps {
    fn new(factor: &Factor) -> Self {
        let lower = Triangle::lower(&factor.matrix, &factor.blocks);
        let upper = Triangle::transposed(&lower);
        let inverses: Vec<Columns> = factor.inverses.iter().map(columns).collect();
        let transposed = factor.inverses.iter().map(|block| columns(&transpose(block))).collect();
        let zeros = vec![Six::default(); inverses.len()];
        Sweeps { lower, upper, inverses, transposed, solved: zeros.clone(), work: zeros }
    }

    fn bytes(&self) -> usize {
        let blocks = size_of_val(&self.inverses[..]) + size_of_val(&self.transposed[..]);
        self.lower.bytes() + self.upper.bytes() + blocks
    }
}

/// The system in the variables of the preconditioner, by Eisenstat's trick: two sweeps are both product
/// and preconditioner.
pub struct Eisenstat {
    sweeps: Sweeps,
    /// C⁻¹ D C⁻ᵀ − 2, where it is not −1.
    rest: Option<Vec<Columns>>,
    /// The shift of the diagonal that was needed.
    pub shift: f64,
}

impl Eisenstat {
    /// The blocks off the diagonal must be those of the matrix: not for [`Kind::Incomplete`].
    pub fn new(operator: &Operator, kind: Kind) -> Self {
        let factor = vectorised(Factorize { operator, kind });
        let rest = (kind != Kind::GaussSeidel(1.0)).then(|| {
            let rest = |(own, inverse): (&Block, &Block)| {
                let mut rest = times_transposed(&times(inverse, own), inverse);
                (0..6).for_each(|k| rest[k][k] -= 2.0);
                columns(&rest)
            };
            factor.matrix.diagonal.iter().zip(&factor.inverses).map(rest).collect()
        });
        Eisenstat { sweeps: Sweeps::new(&factor), rest, shift: factor.shift }
    }
}

impl Method for Eisenstat {
    const PRECONDITIONED: bool = false;

    fn inward(&mut self, residual: &mut Vec<Six>) {
        let Sweeps { lower, inverses, solved, .. } = &mut self.sweeps;
        vectorised(Forward { lower, scale: inverses, b: residual, x: solved });
        residual.copy_from_slice(solved);
    }

    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64 {
        let Sweeps { lower, upper, solved, work, .. } = &mut self.sweeps;
        vectorised(Backward { upper, b: p, x: solved });
        vectorised(Product { lower, rest: self.rest.as_deref(), p, t: solved, w: work, q })
    }

    fn precondition(&mut self, _residual: &[Six], _z: &mut [Six]) {}

    fn outward(&mut self, correction: &mut Vec<Six>) {
        let Sweeps { upper, transposed, solved, .. } = &mut self.sweeps;
        vectorised(Backward { upper, b: correction, x: solved });
        vectorised(Scale { blocks: transposed, x: solved, out: correction });
    }

    fn bytes(&self) -> usize {
        self.sweeps.bytes() + self.rest.as_ref().map_or(0, |rest| size_of_val(&rest[..]))
    }
}

/// The incomplete factorization as a preconditioner of the program's product.
pub struct Incomplete {
    pairs: Pairs,
    sweeps: Sweeps,
    /// The shift of the diagonal that was needed.
    pub shift: f64,
}

impl Incomplete {
    /// Factorizes.
    pub fn new(operator: &Operator) -> Self {
        let factor = vectorised(Factorize { operator, kind: Kind::Incomplete });
        Incomplete {
            pairs: Pairs::new(operator),
            sweeps: Sweeps::new(&factor),
            shift: factor.shift,
        }
    }
}

impl Method for Incomplete {
    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64 {
        self.pairs.product(p, q)
    }

    fn precondition(&mut self, residual: &[Six], z: &mut [Six]) {
        let Sweeps { lower, upper, inverses, transposed, solved, work } = &mut self.sweeps;
        vectorised(Forward { lower, scale: inverses, b: residual, x: solved });
        vectorised(Backward { upper, b: solved, x: work });
        vectorised(Scale { blocks: transposed, x: work, out: z });
    }

    fn bytes(&self) -> usize {
        self.pairs.bytes() + self.sweeps.bytes()
    }
}
