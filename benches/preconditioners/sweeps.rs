//! Unit triangular matrices of 6×6 blocks in single precision: solves, row by row.

use std::ops::Range;

use zerostokes::solve::lanes::{Lanes, Work};
use zerostokes::solve::rows::Six;

use super::blocks::{Block, Matrix};
use super::vectors::{Columns, multiply};

/// Numbers in a block.
const NUMBERS: usize = 36;

/// What a row reads beyond its last block: eight numbers are read where six are meant.
const BEYOND: usize = 2;

/// A strictly triangular matrix: rows in the order of its solve, and blocks of a row such that the
/// column that is solved last comes last.
#[derive(Default)]
pub struct Triangle {
    starts: Vec<u32>,
    columns: Vec<u32>,
    numbers: Vec<f32>,
}

impl Triangle {
    /// The lower triangle with the rows and columns of a matrix, its blocks given by column.
    pub fn lower(matrix: &Matrix, blocks: &[Block]) -> Self {
        let mut numbers = Vec::with_capacity(NUMBERS * blocks.len() + BEYOND);
        for block in blocks {
            numbers.extend(block.as_flattened().iter().map(|x| *x as f32));
        }
        numbers.extend([0.0; BEYOND]);
        Triangle { starts: matrix.starts.clone(), columns: matrix.columns.clone(), numbers }
    }

    /// The transpose of a lower triangle, rows from the last to the first.
    pub fn transposed(lower: &Triangle) -> Self {
        let n = lower.starts.len() - 1;
        let mut starts = vec![0u32; n + 1];
        lower.columns.iter().for_each(|c| starts[n - *c as usize] += 1);
        for k in 0..n {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut columns = vec![0u32; lower.columns.len()];
        let mut numbers = vec![0.0f32; lower.numbers.len()];
        for row in (0..n).rev() {
            for k in lower.entries(row) {
                let slot = &mut next[n - 1 - lower.columns[k] as usize];
                let at = *slot as usize;
                columns[at] = row as u32;
                let from: &[f32; NUMBERS] = lower.numbers[NUMBERS * k..].first_chunk().expect("36");
                let to: &mut [f32; NUMBERS] =
                    numbers[NUMBERS * at..].first_chunk_mut().expect("36");
                for c in 0..6 {
                    for r in 0..6 {
                        to[6 * c + r] = from[6 * r + c];
                    }
                }
                *slot += 1;
            }
        }
        Triangle { starts, columns, numbers }
    }

    /// Bytes of everything.
    pub fn bytes(&self) -> usize {
        4 * (self.starts.len() + self.columns.len() + self.numbers.len())
    }

    fn entries(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// `b` less what the row does to what has been solved, the two last numbers zero.
    #[inline(always)]
    fn rest<S: Lanes>(&self, v: S, row: usize, b: S::F, x: &[Six]) -> S::F {
        let mut sums = [v.splat(0.0); 6];
        for k in self.entries(row) {
            let numbers: &[f32; NUMBERS + BEYOND] =
                self.numbers[NUMBERS * k..].first_chunk().expect("a block");
            let x = &x[self.columns[k] as usize];
            for c in 0..6 {
                let column = numbers[6 * c..].first_chunk().expect("a column");
                sums[c] = v.mul_add(v.load(column), v.splat(x[c]), sums[c]);
            }
        }
        let [a, d, e, f, g, h] = sums;
        let sum = v.add(v.add(v.add(a, d), v.add(e, f)), v.add(g, h));
        v.mul(v.load(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]), v.sub(b, sum))
    }
}

/// `(I + N)ᵀ x = b`, from the last row to the first.
pub struct Backward<'a> {
    pub upper: &'a Triangle,
    pub b: &'a [Six],
    pub x: &'a mut [Six],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let n = self.x.len();
        for k in 0..n {
            let row = n - 1 - k;
            self.x[row] = v.store(self.upper.rest(v, k, v.load(&self.b[row]), self.x));
        }
    }
}

/// `(I + N) x = S b` with blocks S on the diagonal, or one.
pub struct Forward<'a> {
    pub lower: &'a Triangle,
    pub scale: &'a [Columns],
    pub b: &'a [Six],
    pub x: &'a mut [Six],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        for row in 0..self.x.len() {
            let b = multiply(v, &self.scale[row], &self.b[row]);
            self.x[row] = v.store(self.lower.rest(v, row, b, self.x));
        }
    }
}

/// Eisenstat's product: `q = t + (I + N)⁻¹(p + K t)`, K = −1 where there are no blocks of K; returns
/// \\(\mathbf p\cdot\mathbf q\\).
pub struct Product<'a> {
    pub lower: &'a Triangle,
    pub rest: Option<&'a [Columns]>,
    pub p: &'a [Six],
    pub t: &'a [Six],
    pub w: &'a mut [Six],
    pub q: &'a mut [Six],
}

impl Work for Product<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for row in 0..self.q.len() {
            let (p, t) = (v.load(&self.p[row]), v.load(&self.t[row]));
            let b = match self.rest {
                None => v.sub(p, t),
                Some(blocks) => v.add(p, multiply(v, &blocks[row], &self.t[row])),
            };
            let w = self.lower.rest(v, row, b, self.w);
            self.w[row] = v.store(w);
            let q = v.add(t, w);
            self.q[row] = v.store(q);
            let along = v.store(v.mul(p, q));
            for k in 0..8 {
                sum[k] += f64::from(along[k]);
            }
        }
        sum.iter().sum()
    }
}
