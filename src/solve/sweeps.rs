//! Symmetric Gauss–Seidel sweeps over the particles of a chunk, in single precision.
//!
//! With the blocks of particles \\(\mathsf D\\) and the pairs \\(\mathsf L\\) that couple a
//! particle to those of earlier colours, the preconditioner is
//! \\((\mathsf D+\mathsf L)\mathsf D^{-1}(\mathsf D+\mathsf L^T)\\). Conjugate gradients run on
//! the transformed system \\((\mathsf D+\mathsf L)^{-1}\mathsf R\,(\mathsf D+\mathsf
//! L^T)^{-1}\\), whose product takes no more than the two sweeps: with
//! \\(\mathbf t = (\mathsf D+\mathsf L^T)^{-1}\mathbf p\\) it is \\(\mathbf t + (\mathsf
//! D+\mathsf L)^{-1}(\mathbf p - \mathsf D\mathbf t)\\) (Eisenstat 1981). \\(\mathsf D\\) times
//! that is \\(\mathbf p\\) and what acts by the motion of others in the second sweep.

use super::lanes::{Eight, LANES, Numbers, Rows, Simd, Work};
use super::layout::{Group, ROWS, Sheaf, split};
use super::rows::{Six, pull};
use super::vectors::{Inverse, PLACES};

/// From the last colour to the first: \\(\mathbf t = (\mathsf D+\mathsf L^T)^{-1}\mathbf p\\), and
/// \\(\mathbf p - \mathsf D\mathbf t\\) beside it.
pub struct Backward<'a> {
    /// The pairs within the chunk, with particles of later colours.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathsf D^{-1}\\), group by group.
    pub(super) inverses: &'a [Inverse],
    /// \\(\mathbf p\\).
    pub from: &'a [Six],
    /// \\(\mathbf t\\).
    pub to: &'a mut [Six],
    /// Whether there are later chunks.
    pub around: bool,
    /// What acts by their motion, in place of which \\(\mathbf p - \mathsf D\mathbf t\\) is left.
    pub rest: &'a mut [Six],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let m = simd.rows();
        for part in parts::<S::Rows>(self.pairs).rev() {
            let near = |place: u32| &self.to[place as usize];
            let mut acting = pulled(m, self.pairs, part, near);
            if self.around {
                acting = sum(m, acting, part.gather(m, self.rest));
            }
            let own = sum(m, part.gather(m, self.from), acting);
            let found = times(m, &self.inverses[part.number], part.half, &own);
            part.scatter(m, difference(m, [m.splat(0.0); 6], acting), self.rest);
            part.scatter(m, found, self.to);
        }
    }
}

/// From the first colour to the last: \\((\mathsf D+\mathsf L)^{-1}\mathbf y\\).
pub struct Forward<'a> {
    /// The pairs within the chunk, with particles of earlier colours.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathsf D^{-1}\\), group by group.
    pub(super) inverses: &'a [Inverse],
    /// \\(\mathbf y\\), in place of which the result is left.
    pub swept: &'a mut [Six],
    /// Some forces, to which what acts by the motion of others is added: \\(\mathbf y\\) becomes
    /// \\(\mathsf D\\) times the result.
    pub weighted: &'a mut [Six],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Simd>(self, simd: S) {
        let m = simd.rows();
        for part in parts::<S::Rows>(self.pairs) {
            let near = |place: u32| &self.swept[place as usize];
            let acting = pulled(m, self.pairs, part, near);
            let own = sum(m, part.gather(m, self.swept), acting);
            let found = times(m, &self.inverses[part.number], part.half, &own);
            part.scatter(m, found, self.swept);
            let weighted = sum(m, part.gather(m, self.weighted), acting);
            part.scatter(m, weighted, self.weighted);
        }
    }
}

/// Inverse blocks times the six numbers of their particles.
#[inline(always)]
fn times<M: Rows>(m: M, inverse: &Inverse, half: usize, six: &[M::F; 6]) -> [M::F; 6] {
    let mut product = [m.splat(0.0); 6];
    for c in 0..6 {
        for r in 0..6 {
            let entry = m.part(&inverse[PLACES[r][c]], half);
            product[r] = m.mul_add(entry, six[c], product[r]);
        }
    }
    product
}

/// `a + b`, component by component.
#[inline(always)]
fn sum<M: Rows>(m: M, a: [M::F; 6], b: [M::F; 6]) -> [M::F; 6] {
    let mut sum = a;
    for c in 0..6 {
        sum[c] = m.add(a[c], b[c]);
    }
    sum
}

/// `a - b`, component by component.
#[inline(always)]
fn difference<M: Rows>(m: M, a: [M::F; 6], b: [M::F; 6]) -> [M::F; 6] {
    let mut difference = a;
    for c in 0..6 {
        difference[c] = m.sub(a[c], b[c]);
    }
    difference
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
        let m = simd.rows();
        for part in parts::<S::Rows>(self.pairs) {
            let near = |place: u32| &self.of[place as usize];
            let acting = pulled(m, self.pairs, part, near);
            let to = difference(m, part.gather(m, self.to), acting);
            part.scatter(m, to, self.to);
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
        let m = simd.rows();
        let there = |place: u32| {
            let (side, place) = split(place);
            &self.around[side][place]
        };
        for part in parts::<S::Rows>(self.pairs) {
            let acting = pulled(m, self.pairs, part, there);
            let to = sum(m, part.gather(m, self.to), acting);
            part.scatter(m, to, self.to);
        }
    }
}

/// A group, or half of one, as registers need it.
#[derive(Clone, Copy)]
struct Part<'a> {
    group: &'a Group,
    /// The number of the group.
    number: usize,
    half: usize,
}

/// All groups in as many parts as registers need.
#[inline(always)]
fn parts<M: Rows>(pairs: &Sheaf) -> impl DoubleEndedIterator<Item = Part<'_>> {
    let filled = |group: &Group| (group.count as usize).div_ceil(ROWS / M::PARTS);
    pairs.groups.iter().enumerate().flat_map(move |(number, group)| {
        (0..filled(group)).map(move |half| Part { group, number, half })
    })
}

impl Part<'_> {
    /// Six numbers of the particles of its rows, component by component.
    #[inline(always)]
    fn gather<M: Rows>(self, m: M, of: &[Six]) -> [M::F; 6] {
        let first = self.half * (ROWS / M::PARTS);
        m.gather(
            #[inline(always)]
            |k| &of[self.group.rows[first + k] as usize],
        )
    }

    /// Writes six numbers of the particles of its rows.
    #[inline(always)]
    fn scatter<M: Rows>(self, m: M, components: [M::F; 6], to: &mut [Six]) {
        let size = ROWS / M::PARTS;
        let first = self.half * size;
        let count = (self.group.count as usize - first).min(size);
        let spread: [Eight; 2 * LANES] = m.spread(components);
        for (row, six) in self.group.rows[first..first + count].iter().zip(spread) {
            to[*row as usize] = six;
        }
    }
}

/// What acts on the particles of a part of a group by the motion of the others in their pairs.
#[inline(always)]
fn pulled<'a, M: Rows>(
    m: M,
    pairs: &Sheaf,
    Part { group, half, .. }: Part,
    at: impl Fn(u32) -> &'a Six,
) -> [M::F; 6] {
    let (start, len) = (group.start as usize, group.lengths[half] as usize);
    let first = half * (ROWS / M::PARTS);
    let mut total = [m.splat(0.0); 6];
    for slice in &pairs.slices[start..start + len] {
        let others = m.gather(
            #[inline(always)]
            |k| at(slice.other[first + k]),
        );
        total = sum(m, total, pull(m, slice, half, others));
    }
    total
}
