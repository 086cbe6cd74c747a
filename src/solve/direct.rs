//! Supernodal sparse Cholesky factorization by faer.
//!
//! The graph of particles is ordered and then expanded by the six unknowns of each, which is
//! cheaper and better than ordering the scalar matrix. The symbolic analysis and all buffers are
//! kept while the pairs stay the same.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, amd};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};
use nalgebra::Matrix6;

use super::{Failure, Solved};
use crate::balance::Operator;
use crate::state::{Motion, Wrench};

/// A factorization with its analysis and buffers.
#[derive(Default)]
pub struct Cholesky {
    analysis: Option<Analysis>,
    values: Vec<f64>,
    factor: Vec<f64>,
    unknowns: Vec<f64>,
}

/// What depends on the graph of pairs only.
struct Analysis {
    /// The pairs that were analysed.
    pairs: Vec<[u32; 2]>,
    pattern: SymbolicSparseColMat<u32>,
    symbolic: SymbolicCholesky<u32>,
    scratch: MemBuffer,
    /// Where the rows of pair p begin within the columns of particle i, counted in particles.
    slots: Vec<u32>,
}

impl Cholesky {
    /// Factorizes and solves; `motions` is overwritten.
    pub fn solve(
        &mut self,
        operator: &Operator,
        rhs: &[Wrench],
        motions: &mut [Motion],
    ) -> Result<Solved, Failure> {
        let known = self.analysis.as_ref().is_some_and(|a| a.fits(operator));
        if !known {
            self.analysis = Some(Analysis::new(operator).ok_or(Failure::NotPositive)?);
        }
        let analysis = self.analysis.as_mut().expect("analysed above");
        analysis.fill(operator, &mut self.values);
        self.factor.resize(analysis.symbolic.len_val(), 0.0);
        let matrix = SparseColMatRef::new(analysis.pattern.as_ref(), &self.values[..]);
        let stack = MemStack::new(&mut analysis.scratch);
        let factor = analysis
            .symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                stack,
                Default::default(),
            )
            .map_err(|_| Failure::NotPositive)?;
        self.unknowns.clear();
        for w in rhs {
            self.unknowns.extend(w.linear.iter().chain(w.angular.iter()));
        }
        let n = self.unknowns.len();
        let column = MatMut::from_column_major_slice_mut(&mut self.unknowns, n, 1);
        factor.solve_in_place_with_conj(Conj::No, column, Par::Seq, stack);
        if !self.unknowns.iter().all(|x| x.is_finite()) {
            return Err(Failure::NotPositive);
        }
        for (m, x) in motions.iter_mut().zip(self.unknowns.chunks_exact(6)) {
            m.linear.copy_from_slice(&x[..3]);
            m.angular.copy_from_slice(&x[3..]);
        }
        Ok(Solved::default())
    }
}

impl Analysis {
    fn new(operator: &Operator) -> Option<Self> {
        let n = operator.drag.len();
        // Lower triangle of the particle graph by columns: the diagonal, then partners j > i.
        // Pairs are sorted, so the rows of a column ascend.
        let mut rows: Vec<Vec<u32>> = (0..n as u32).map(|i| vec![i]).collect();
        let mut slots = Vec::with_capacity(operator.blocks.len());
        for block in &operator.blocks {
            let column = &mut rows[block.ids[0] as usize];
            slots.push(column.len() as u32);
            if !block.is_grounded(n) {
                column.push(block.ids[1]);
            }
        }
        let (forward, inverse) = order(&rows)?;
        let pattern = expand(&rows);
        let symbolic = factorize_symbolic_cholesky(
            pattern.as_ref(),
            Side::Lower,
            SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, 6 * n)),
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                ..Default::default()
            },
        )
        .ok()?;
        let scratch = MemBuffer::try_new(StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]))
        .ok()?;
        let pairs = operator.blocks.iter().map(|b| b.ids).collect();
        Some(Analysis { pairs, pattern, symbolic, scratch, slots })
    }

    fn fits(&self, operator: &Operator) -> bool {
        6 * operator.drag.len() == self.pattern.ncols()
            && self.pairs.len() == operator.blocks.len()
            && self.pairs.iter().zip(&operator.blocks).all(|(ids, b)| *ids == b.ids)
    }

    /// Writes the lower triangle of the matrix in the order of the pattern.
    fn fill(&self, operator: &Operator, values: &mut Vec<f64>) {
        values.clear();
        values.resize(self.pattern.row_idx().len(), 0.0);
        let starts = self.pattern.col_ptr();
        let anchor = operator.anchor();
        for particle in 0..operator.drag.len() {
            let block = operator.anchored_diagonal(particle, anchor);
            for c in 0..6 {
                let start = starts[6 * particle + c] as usize;
                for r in c..6 {
                    values[start + r - c] = block[(r, c)];
                }
            }
        }
        let n = operator.drag.len();
        let coupled = operator.blocks.iter().zip(&self.slots).enumerate();
        for (p, (block, &slot)) in coupled.filter(|(_, (block, _))| !block.is_grounded(n)) {
            // Rows belong to j and columns to i: the transpose of the coupling of j to i.
            let coupling: Matrix6<f64> = operator.coupling(p, 0);
            for c in 0..6 {
                let start = starts[6 * block.ids[0] as usize + c] as usize + 6 * slot as usize - c;
                for r in 0..6 {
                    values[start + r] = coupling[(c, r)];
                }
            }
        }
    }
}

/// Approximate minimum degree order of the particles, expanded to their unknowns.
fn order(rows: &[Vec<u32>]) -> Option<(Vec<u32>, Vec<u32>)> {
    let n = rows.len();
    let mut starts = vec![0u32];
    let mut entries = Vec::new();
    for column in rows {
        entries.extend_from_slice(column);
        starts.push(entries.len() as u32);
    }
    let nnz = entries.len();
    // The upper triangle by columns is wanted; a symmetric graph may be given by either.
    let graph = SymbolicSparseColMat::<u32>::new_checked(n, n, starts, None, entries);
    let (mut forward, mut inverse) = (vec![0u32; n], vec![0u32; n]);
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

/// The lower triangle of the scalar matrix.
fn expand(rows: &[Vec<u32>]) -> SymbolicSparseColMat<u32> {
    let n = rows.len();
    let mut starts = vec![0u32];
    let mut entries = Vec::new();
    for (i, column) in rows.iter().enumerate() {
        for c in 0..6 {
            let scalar = 6 * i as u32 + c;
            entries.extend(
                (scalar..6 * i as u32 + 6)
                    .chain(column[1..].iter().flat_map(|&j| 6 * j..6 * j + 6)),
            );
            starts.push(entries.len() as u32);
        }
    }
    SymbolicSparseColMat::new_checked(6 * n, 6 * n, starts, None, entries)
}
