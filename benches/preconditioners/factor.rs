//! A sparse Cholesky factor in single precision, kept to solve with it again and again.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, amd};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};
use zerostokes::balance::Operator;
use zerostokes::solve::lanes::vectorised;
use zerostokes::solve::rows::Six;

use super::blocks::{Assemble, Block, Matrix};
use super::iterate::{Method, Pairs};

/// A factor of a matrix of 6×6 blocks.
pub struct Factor {
    symbolic: SymbolicCholesky<u32>,
    numbers: Vec<f32>,
    scratch: MemBuffer,
    unknowns: Vec<f32>,
}

impl Factor {
    /// Factorizes; `None` if that fails in single precision.
    pub fn new(matrix: &Matrix) -> Option<Self> {
        let n = matrix.diagonal.len();
        let (pattern, values) = scalars(matrix);
        let (forward, inverse) = order(matrix)?;
        let symbolic = factorize_symbolic_cholesky(
            pattern.as_ref(),
            Side::Upper,
            SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, 6 * n)),
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                ..Default::default()
            },
        )
        .ok()?;
        let mut scratch = MemBuffer::try_new(StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f32>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f32>(1, Par::Seq),
        ]))
        .ok()?;
        let mut numbers = vec![0.0f32; symbolic.len_val()];
        symbolic
            .factorize_numeric_llt(
                &mut numbers,
                SparseColMatRef::new(pattern.as_ref(), &values[..]),
                Side::Upper,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut scratch),
                Default::default(),
            )
            .ok()?;
        Some(Factor { symbolic, numbers, scratch, unknowns: vec![0.0; 6 * n] })
    }

    /// Solves.
    pub fn solve(&mut self, b: &[Six], x: &mut [Six]) {
        for (to, from) in self.unknowns.chunks_exact_mut(6).zip(b) {
            to.copy_from_slice(&from[..6]);
        }
        let n = self.unknowns.len();
        let factor = LltRef::new(&self.symbolic, &self.numbers[..]);
        let column = MatMut::from_column_major_slice_mut(&mut self.unknowns, n, 1);
        factor.solve_in_place_with_conj(
            Conj::No,
            column,
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
        for (from, to) in self.unknowns.chunks_exact(6).zip(x) {
            to[..6].copy_from_slice(from);
        }
    }

    /// Bytes of the factor.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.numbers[..])
    }
}

/// The upper triangle by columns: those of a row of the lower one, transposed, then the diagonal.
fn scalars(matrix: &Matrix) -> (SymbolicSparseColMat<u32>, Vec<f32>) {
    let n = matrix.diagonal.len();
    let mut starts = Vec::with_capacity(6 * n + 1);
    starts.push(0u32);
    let most = 36 * matrix.blocks.len() + 21 * n;
    let (mut rows, mut values) = (Vec::with_capacity(most), Vec::with_capacity(most));
    for i in 0..n {
        let own: &Block = &matrix.diagonal[i];
        for c in 0..6 {
            for k in matrix.row(i) {
                let j = 6 * matrix.columns[k];
                rows.extend(j..j + 6);
                values.extend((0..6).map(|r| matrix.blocks[k][r][c] as f32));
            }
            let first = 6 * i as u32;
            rows.extend(first..=first + c as u32);
            values.extend((0..=c).map(|r| own[c][r] as f32));
            starts.push(rows.len() as u32);
        }
    }
    (SymbolicSparseColMat::new_checked(6 * n, 6 * n, starts, None, rows), values)
}

/// Approximate minimum degree order of the blocks, expanded to their unknowns.
fn order(matrix: &Matrix) -> Option<(Vec<u32>, Vec<u32>)> {
    let n = matrix.diagonal.len();
    let starts = matrix.starts.clone();
    let graph =
        SymbolicSparseColMat::<u32>::new_checked(n, n, starts, None, matrix.columns.clone());
    let (mut forward, mut inverse) = (vec![0u32; n], vec![0u32; n]);
    let nnz = matrix.columns.len();
    let mut memory = MemBuffer::try_new(amd::order_maybe_unsorted_scratch::<u32>(n, nnz)).ok()?;
    amd::order_maybe_unsorted(
        &mut forward,
        &mut inverse,
        graph.as_ref(),
        amd::Control::default(),
        MemStack::new(&mut memory),
    )
    .ok()?;
    let expand = |p: &[u32]| p.iter().flat_map(|&k| (0..6).map(move |d| 6 * k + d)).collect();
    Some((expand(&forward), expand(&inverse)))
}

/// The factor of one operator as a preconditioner for another of the same particles in the same order.
pub struct Lagged {
    pairs: Pairs,
    factor: Factor,
}

impl Lagged {
    /// Factorizes the earlier operator.
    pub fn new(operator: &Operator, earlier: &Operator) -> Option<Self> {
        let factor = Factor::new(&vectorised(Assemble(earlier)))?;
        Some(Lagged { pairs: Pairs::new(operator), factor })
    }
}

impl Method for Lagged {
    fn product(&mut self, p: &[Six], q: &mut [Six]) -> f64 {
        self.pairs.product(p, q)
    }

    fn precondition(&mut self, residual: &[Six], z: &mut [Six]) {
        self.factor.solve(residual, z);
    }

    fn bytes(&self) -> usize {
        self.pairs.bytes() + self.factor.bytes()
    }
}
