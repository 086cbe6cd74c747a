//! The matrix of an operator as 6×6 blocks in double precision, rows in a given order.

use nalgebra::Vector3;
use zerostokes::balance::{Operator, PairBlock};
use zerostokes::solve::lanes::{Lanes, Work};

/// The columns of a block.
pub type Block = [[f64; 6]; 6];

/// The strictly lower triangle by rows, and the diagonal. Particles are counted by their places in the
/// order of the operator.
pub struct Matrix {
    /// Where the blocks of every row begin.
    pub starts: Vec<u32>,
    /// The columns of the blocks, ascending in every row.
    pub columns: Vec<u32>,
    pub blocks: Vec<Block>,
    pub diagonal: Vec<Block>,
}

/// Assembles a matrix; to be run with the lanes that there are.
pub struct Assemble<'a>(pub &'a Operator);

impl Work for Assemble<'_> {
    type Output = Matrix;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> Matrix {
        let operator = self.0;
        let places = places(operator);
        let (starts, entries) = lower_rows(operator, &places);
        let columns = entries.iter().map(|entry| entry[0]).collect();
        let block = |entry: &[u32; 2]| {
            coupling(&operator.blocks[(entry[1] / 2) as usize], entry[1] % 2 == 1)
        };
        let mut diagonal = vec![Block::default(); places.len()];
        for (drag, place) in operator.drag.iter().zip(&places) {
            let own = &mut diagonal[*place as usize];
            (0..6).for_each(|k| own[k][k] = drag[k / 3]);
        }
        for pair in &operator.blocks {
            for side in 0..2 {
                let own = &mut diagonal[places[pair.ids[side] as usize] as usize];
                add(own, &own_block(pair, side));
            }
        }
        Matrix { starts, columns, blocks: entries.iter().map(block).collect(), diagonal }
    }
}

impl Matrix {
    /// The blocks of a row: where they are.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }
}

/// The place of every particle in the order of an operator.
pub fn places(operator: &Operator) -> Vec<u32> {
    let mut places: Vec<u32> = (0..operator.drag.len() as u32).collect();
    for (place, particle) in operator.order.iter().enumerate() {
        places[*particle as usize] = place as u32;
    }
    places
}

/// Rows of the lower triangle: where they begin; column and doubled pair of every entry, odd where the
/// row is that of j.
fn lower_rows(operator: &Operator, places: &[u32]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let entry = |pair: usize| {
        let [i, j] = operator.blocks[pair].ids.map(|k| places[k as usize]);
        let code = 2 * pair as u32;
        if i > j { (i as usize, [j, code]) } else { (j as usize, [i, code + 1]) }
    };
    let mut starts = vec![0u32; places.len() + 1];
    (0..operator.blocks.len()).for_each(|pair| starts[entry(pair).0 + 1] += 1);
    for k in 0..places.len() {
        starts[k + 1] += starts[k];
    }
    let mut next = starts.clone();
    let mut entries = vec![[0; 2]; operator.blocks.len()];
    for pair in 0..operator.blocks.len() {
        let (row, entry) = entry(pair);
        entries[next[row] as usize] = entry;
        next[row] += 1;
    }
    for row in 0..places.len() {
        entries[starts[row] as usize..starts[row + 1] as usize].sort_unstable();
    }
    (starts, entries)
}

/// What a block is made of: tensors that are isotropic in the tangent plane, and crosses.
struct Parts {
    /// Force per velocity and torque per spin: along the normal, and across.
    linear: [f64; 2],
    angular: [f64; 2],
    /// Force per spin, and torque per velocity, both times \\(\mathbf n\times\\).
    force: f64,
    torque: f64,
}

/// The block that couples the motion of j to the force and torque on i, or its transpose.
#[inline(always)]
fn coupling(pair: &PairBlock, transposed: bool) -> Block {
    let (r, [li, lj]) = (&pair.resistance, pair.levers);
    let turn = li * lj * r.slide + (li - lj) * r.slide_roll - r.roll;
    let [by_spin, by_velocity] = [-(lj * r.slide + r.slide_roll), -(li * r.slide - r.slide_roll)];
    // A cross changes its sign when it is transposed.
    let (force, torque) =
        if transposed { (-by_velocity, -by_spin) } else { (by_spin, by_velocity) };
    let parts = Parts { linear: [-r.squeeze, -r.slide], angular: [-r.twist, turn], force, torque };
    parts.block(&pair.normal)
}

/// What a pair adds to the diagonal block of one of its particles.
#[inline(always)]
pub fn own_block(pair: &PairBlock, side: usize) -> Block {
    let (r, lever) = (&pair.resistance, pair.levers[side]);
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let turn = lever * lever * r.slide + sign * 2.0 * lever * r.slide_roll + r.roll;
    let couple = sign * (lever * r.slide + sign * r.slide_roll);
    let parts = Parts {
        linear: [r.squeeze, r.slide],
        angular: [r.twist, turn],
        force: couple,
        torque: -couple,
    };
    parts.block(&pair.normal)
}

impl Parts {
    #[inline(always)]
    fn block(&self, n: &Vector3<f64>) -> Block {
        let mut block = Block::default();
        // Columns of the matrix of a cross product.
        let cross = [[0.0, n.z, -n.y], [-n.z, 0.0, n.x], [n.y, -n.x, 0.0]];
        for c in 0..3 {
            for r in 0..3 {
                let one = if r == c { 1.0 } else { 0.0 };
                let along = n[r] * n[c];
                let tensor = |[normal, across]: [f64; 2]| across * one + (normal - across) * along;
                block[c][r] = tensor(self.linear);
                block[c + 3][r + 3] = tensor(self.angular);
                block[c + 3][r] = self.force * cross[c][r];
                block[c][r + 3] = self.torque * cross[c][r];
            }
        }
        block
    }
}

/// `a += b`.
#[inline(always)]
pub fn add(a: &mut Block, b: &Block) {
    for c in 0..6 {
        for r in 0..6 {
            a[c][r] += b[c][r];
        }
    }
}

/// \\(\mathsf A\mathsf B\\).
#[inline(always)]
pub fn times(a: &Block, b: &Block) -> Block {
    let mut out = Block::default();
    for c in 0..6 {
        for m in 0..6 {
            for r in 0..6 {
                out[c][r] += a[m][r] * b[c][m];
            }
        }
    }
    out
}

/// \\(\mathsf C\\) less \\(\mathsf A\mathsf B^T\\).
#[inline(always)]
pub fn less(mut out: Block, a: &Block, b: &Block) -> Block {
    for c in 0..6 {
        for m in 0..6 {
            for r in 0..6 {
                out[c][r] -= a[m][r] * b[m][c];
            }
        }
    }
    out
}

/// \\(\mathsf A\mathsf B^T\\).
#[inline(always)]
pub fn times_transposed(a: &Block, b: &Block) -> Block {
    let mut out = Block::default();
    for c in 0..6 {
        for m in 0..6 {
            for r in 0..6 {
                out[c][r] += a[m][r] * b[m][c];
            }
        }
    }
    out
}

/// \\(\mathsf A^T\\).
#[inline(always)]
pub fn transpose(a: &Block) -> Block {
    std::array::from_fn(|c| std::array::from_fn(|r| a[r][c]))
}

/// The inverse of the Cholesky factor of a block; `None` if a pivot is below `least` times the entry on
/// the diagonal.
#[inline(always)]
pub fn inverse_factor(a: &Block, least: f64) -> Option<Block> {
    let mut l = *a;
    for c in 0..6 {
        if l[c][c].is_nan() || l[c][c] <= least * a[c][c].abs() {
            return None;
        }
        let root = 1.0 / l[c][c].sqrt();
        for r in c..6 {
            l[c][r] *= root;
        }
        for d in c + 1..6 {
            for r in d..6 {
                l[d][r] -= l[c][r] * l[c][d];
            }
        }
    }
    let mut inverse = Block::default();
    for c in 0..6 {
        inverse[c][c] = 1.0 / l[c][c];
        for r in c + 1..6 {
            let sum: f64 = (c..r).map(|m| l[m][r] * inverse[c][m]).sum();
            inverse[c][r] = -sum / l[r][r];
        }
    }
    Some(inverse)
}
