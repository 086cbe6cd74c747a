//! Symmetric Gauss–Seidel sweeps over the particles of a chunk, in single precision.
//!
//! With the blocks of particles \\(\mathsf D\\) and the pairs \\(\mathsf L\\) that couple a
//! particle to those of earlier colours, the preconditioner is
//! \\((\mathsf D+\mathsf L)\mathsf D^{-1}(\mathsf D+\mathsf L^T)\\). Conjugate gradients run on
//! the transformed system \\((\mathsf D+\mathsf L)^{-1}\mathsf R\,(\mathsf D+\mathsf
//! L^T)^{-1}\\), whose product takes no more than the two sweeps: with
//! \\(\mathbf t = (\mathsf D+\mathsf L^T)^{-1}\mathbf p\\) it is \\(\mathbf t + (\mathsf
//! D+\mathsf L)^{-1}(\mathbf p - \mathsf D\mathbf t)\\) (Eisenstat 1981).

use super::lanes::{LANES, Lanes, Numbers, Rows, Simd, Work};
use super::layout::{Group, ROWS, Sheaf, split};
use super::rows::{Six, pull};

/// The columns of a 6×6 block.
pub type Block = [Six; 6];

/// A block times the six numbers of a particle.
#[inline(always)]
pub fn times<S: Lanes>(v: S, block: &Block, six: &Six) -> S::F {
    let mut product = v.mul(v.load(&block[0]), v.splat(six[0]));
    for c in 1..6 {
        product = v.mul_add(v.load(&block[c]), v.splat(six[c]), product);
    }
    product
}

/// From the last colour to the first: \\(\mathbf t = (\mathsf D+\mathsf L^T)^{-1}\mathbf p\\), and
/// \\(\mathbf p - \mathsf D\mathbf t\\) beside it.
pub struct Backward<'a> {
    /// The pairs within the chunk, with particles of later colours.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathsf D^{-1}\\).
    pub inverses: &'a [Block],
    /// \\(\mathbf p\\).
    pub from: &'a [Six],
    /// \\(\mathbf t\\).
    pub to: &'a mut [Six],
    /// What acts by the motion of later chunks, in place of which
    /// \\(\mathbf p - \mathsf D\mathbf t\\) is left.
    pub rest: &'a mut [Six],
    /// \\(\mathsf D\mathbf t\\).
    pub weighted: &'a mut [Six],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
        let zero = v.splat(0.0);
        for (group, part) in parts::<S::Rows>(self.pairs).rev() {
            let near = |place: u32| &self.to[place as usize];
            let acting = pulled(simd.rows(), self.pairs, (group, part), near);
            for (acting, row) in acting.iter().zip(rows::<S::Rows>(group, part)) {
                let acting = v.add(v.load(&self.rest[row]), v.load(acting));
                let own = v.store(v.add(v.load(&self.from[row]), acting));
                self.rest[row] = v.store(v.sub(zero, acting));
                self.weighted[row] = own;
                self.to[row] = v.store(times(v, &self.inverses[row], &own));
            }
        }
    }
}

/// From the first colour to the last: \\(\mathbf t + (\mathsf D+\mathsf L)^{-1}\mathbf y\\).
pub struct Forward<'a> {
    /// The pairs within the chunk, with particles of earlier colours.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathsf D^{-1}\\).
    pub inverses: &'a [Block],
    /// \\(\mathbf y\\), in place of which \\((\mathsf D+\mathsf L)^{-1}\mathbf y\\) is left.
    pub from: &'a mut [Six],
    /// \\(\mathbf t\\), if there is one.
    pub plus: Option<&'a [Six]>,
    /// The result.
    pub to: &'a mut [Six],
    /// \\(\mathsf D\mathbf t\\) or nothing, to which \\(\mathsf D\\) times the sweep is added.
    pub weighted: &'a mut [Six],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
        for (group, part) in parts::<S::Rows>(self.pairs) {
            let near = |place: u32| &self.from[place as usize];
            let acting = pulled(simd.rows(), self.pairs, (group, part), near);
            for (acting, row) in acting.iter().zip(rows::<S::Rows>(group, part)) {
                let own = v.add(v.load(&self.from[row]), v.load(acting));
                let weighted = &mut self.weighted[row];
                *weighted = v.store(v.add(v.load(weighted), own));
                let own = v.store(own);
                let found = times(v, &self.inverses[row], &own);
                self.from[row] = v.store(found);
                self.to[row] = match self.plus {
                    Some(plus) => v.store(v.add(found, v.load(&plus[row]))),
                    None => self.from[row],
                };
            }
        }
    }
}

/// Adds \\(\mathsf L\mathbf x\\).
pub struct Lower<'a> {
    /// The pairs within the chunk, with particles of earlier colours.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathbf x\\).
    pub of: &'a [Six],
    /// To what it is added.
    pub to: &'a mut [Six],
}

impl Work for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
        for (group, part) in parts::<S::Rows>(self.pairs) {
            let near = |place: u32| &self.of[place as usize];
            let acting = pulled(simd.rows(), self.pairs, (group, part), near);
            for (acting, row) in acting.iter().zip(rows::<S::Rows>(group, part)) {
                self.to[row] = v.store(v.sub(v.load(&self.to[row]), v.load(acting)));
            }
        }
    }
}

/// Adds what acts by the motion of particles of the neighbouring chunks.
pub struct Across<'a> {
    /// The pairs with them.
    pub(super) pairs: &'a Sheaf,
    /// The motion of the chunk before and of the one behind.
    pub around: [&'a [Six]; 2],
    /// To what it is added.
    pub to: &'a mut [Six],
}

impl Work for Across<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let v = simd.lanes();
        let there = |place: u32| {
            let (side, place) = split(place);
            &self.around[side][place]
        };
        for (group, part) in parts::<S::Rows>(self.pairs) {
            let acting = pulled(simd.rows(), self.pairs, (group, part), there);
            for (acting, row) in acting.iter().zip(rows::<S::Rows>(group, part)) {
                self.to[row] = v.store(v.add(v.load(&self.to[row]), v.load(acting)));
            }
        }
    }
}

/// The groups in as many parts as registers need.
#[inline(always)]
fn parts<M: Rows>(pairs: &Sheaf) -> impl DoubleEndedIterator<Item = (&Group, usize)> {
    let filled = |group: &Group| (group.count as usize).div_ceil(ROWS / M::PARTS);
    pairs.groups.iter().flat_map(move |group| (0..filled(group)).map(move |part| (group, part)))
}

/// The rows of a part of a group, each once.
#[inline(always)]
fn rows<M: Rows>(group: &Group, part: usize) -> impl Iterator<Item = usize> {
    let size = ROWS / M::PARTS;
    let count = (group.count as usize - part * size).min(size);
    (0..count).map(move |k| group.rows[part * size + k] as usize)
}

/// What acts on the particles of a part of a group by the motion of the others in their pairs.
#[inline(always)]
fn pulled<'a, M: Rows>(
    m: M,
    pairs: &Sheaf,
    (group, part): (&Group, usize),
    at: impl Fn(u32) -> &'a Six,
) -> [Six; 2 * LANES] {
    let (start, len) = (group.start as usize, group.lengths[part] as usize);
    let mut sum = [m.splat(0.0); 6];
    for slice in &pairs.slices[start..start + len] {
        let first = part * (ROWS / M::PARTS);
        let others = m.gather(
            #[inline(always)]
            |k| at(slice.other[first + k]),
        );
        let acting = pull(m, slice, part, others);
        for c in 0..6 {
            sum[c] = m.add(sum[c], acting[c]);
        }
    }
    m.spread(sum)
}
