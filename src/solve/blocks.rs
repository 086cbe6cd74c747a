//! Supernodal sparse Cholesky factorization by faer of a symmetric matrix of small blocks, one for
//! every particle and two for every pair.
//!
//! The graph of particles is ordered and then expanded by the unknowns of each, which is cheaper
//! and better than ordering the scalar matrix. The symbolic analysis and all buffers are kept while
//! the pairs stay the same.

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

use super::Failure;

/// The lower triangle of a matrix of blocks, and its factor.
#[derive(Default)]
pub struct BlockCholesky {
    graph: Option<Graph>,
    values: Vec<f64>,
    factor: Vec<f64>,
}

/// What depends on the graph of pairs only.
struct Graph {
    /// Unknowns of a particle.
    per: usize,
    /// The pairs that were analysed.
    pairs: Vec<[u32; 2]>,
    pattern: SymbolicSparseColMat<u32>,
    symbolic: SymbolicCholesky<u32>,
    scratch: MemBuffer,
    /// Where the rows of pair p begin within the columns of particle i, counted in particles.
    slots: Vec<u32>,
}

impl BlockCholesky {
    /// Begins a matrix of zeros for so many particles with so many unknowns each, coupled by pairs
    /// i < j in ascending order.
    ///
    /// # Errors
    ///
    /// When the matrix is too large to be analysed.
    pub fn begin(
        &mut self,
        particles: usize,
        per: usize,
        pairs: impl ExactSizeIterator<Item = [u32; 2]> + Clone,
    ) -> Result<(), Failure> {
        let known = self.graph.as_ref().is_some_and(|g| g.fits(particles, per, pairs.clone()));
        if !known {
            let graph = Graph::new(particles, per, pairs.collect());
            self.graph = Some(graph.ok_or(Failure::NotPositive)?);
        }
        self.values.clear();
        self.values.resize(self.graph().pattern.row_idx().len(), 0.0);
        Ok(())
    }

    fn graph(&self) -> &Graph {
        self.graph.as_ref().expect("a matrix was begun")
    }

    /// Adds to the block of a particle on the diagonal; only what is on or below the diagonal is
    /// asked for.
    pub fn add_diagonal(&mut self, particle: usize, block: impl Fn(usize, usize) -> f64) {
        let graph = self.graph.as_ref().expect("a matrix was begun");
        let (per, starts) = (graph.per, graph.pattern.col_ptr());
        for c in 0..per {
            let start = starts[per * particle + c] as usize;
            for r in c..per {
                self.values[start + r - c] += block(r, c);
            }
        }
    }

    /// Adds to the block of a pair with rows of j and columns of i.
    pub fn add_pair(&mut self, pair: usize, block: impl Fn(usize, usize) -> f64) {
        let graph = self.graph.as_ref().expect("a matrix was begun");
        let (per, starts) = (graph.per, graph.pattern.col_ptr());
        let (i, slot) = (graph.pairs[pair][0] as usize, graph.slots[pair] as usize);
        for c in 0..per {
            let start = starts[per * i + c] as usize + per * slot - c;
            for r in 0..per {
                self.values[start + r] += block(r, c);
            }
        }
    }

    /// The entries as they are now, to come back to.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Comes back to entries of this matrix.
    pub fn set_values(&mut self, values: &[f64]) {
        self.values.copy_from_slice(values);
    }

    /// Factorizes the matrix.
    ///
    /// # Errors
    ///
    /// When a pivot is not positive.
    pub fn factorize(&mut self) -> Result<(), Failure> {
        let graph = self.graph.as_mut().expect("a matrix was begun");
        self.factor.resize(graph.symbolic.len_val(), 0.0);
        let matrix = SparseColMatRef::new(graph.pattern.as_ref(), &self.values[..]);
        let stack = MemStack::new(&mut graph.scratch);
        let done = graph.symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            stack,
            Default::default(),
        );
        done.map(|_| ()).map_err(|_| Failure::NotPositive)
    }

    /// Solves with the last factorization, in place.
    ///
    /// # Errors
    ///
    /// When the solution is not finite.
    pub fn solve(&mut self, unknowns: &mut [f64]) -> Result<(), Failure> {
        let graph = self.graph.as_mut().expect("a matrix was begun");
        let stack = MemStack::new(&mut graph.scratch);
        let factor = LltRef::<u32, f64>::new(&graph.symbolic, &self.factor);
        let n = unknowns.len();
        let column = MatMut::from_column_major_slice_mut(unknowns, n, 1);
        factor.solve_in_place_with_conj(Conj::No, column, Par::Seq, stack);
        let finite = unknowns.iter().all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(Failure::NotPositive) }
    }
}

impl Graph {
    fn new(particles: usize, per: usize, pairs: Vec<[u32; 2]>) -> Option<Self> {
        // Lower triangle of the particle graph by columns: the diagonal, then partners j > i.
        // Pairs are sorted, so the rows of a column ascend.
        let mut rows: Vec<Vec<u32>> = (0..particles as u32).map(|i| vec![i]).collect();
        let mut slots = Vec::with_capacity(pairs.len());
        for [i, j] in &pairs {
            let column = &mut rows[*i as usize];
            slots.push(column.len() as u32);
            column.push(*j);
        }
        let (forward, inverse) = order(&rows, per)?;
        let pattern = expand(&rows, per);
        let symbolic = factorize_symbolic_cholesky(
            pattern.as_ref(),
            Side::Lower,
            SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, per * particles)),
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
        Some(Graph { per, pairs, pattern, symbolic, scratch, slots })
    }

    fn fits(
        &self,
        particles: usize,
        per: usize,
        pairs: impl ExactSizeIterator<Item = [u32; 2]>,
    ) -> bool {
        self.per == per
            && per * particles == self.pattern.ncols()
            && self.pairs.len() == pairs.len()
            && self.pairs.iter().zip(pairs).all(|(ids, other)| *ids == other)
    }
}

/// Approximate minimum degree order of the particles, expanded to their unknowns.
fn order(rows: &[Vec<u32>], per: usize) -> Option<(Vec<u32>, Vec<u32>)> {
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
    let per = per as u32;
    let expand = |p: &[u32]| p.iter().flat_map(|&k| (0..per).map(move |d| per * k + d)).collect();
    Some((expand(&forward), expand(&inverse)))
}

/// The lower triangle of the scalar matrix.
fn expand(rows: &[Vec<u32>], per: usize) -> SymbolicSparseColMat<u32> {
    let (n, size) = (rows.len(), per as u32);
    let mut starts = vec![0u32];
    let mut entries = Vec::new();
    for (i, column) in rows.iter().enumerate() {
        let first = size * i as u32;
        for c in 0..size {
            let partners = column[1..].iter().flat_map(|&j| size * j..size * j + size);
            entries.extend((first + c..first + size).chain(partners));
            starts.push(entries.len() as u32);
        }
    }
    SymbolicSparseColMat::new_checked(per * n, per * n, starts, None, entries)
}
