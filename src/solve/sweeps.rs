//! Symmetric Gauss–Seidel sweeps over the particles of a chunk, in single precision.
//!
//! With the blocks of particles \\(\mathsf D\\) and the pairs \\(\mathsf L\\) that couple a
//! particle to those of earlier colours, the preconditioner is
//! \\((\mathsf D+\mathsf L)\mathsf D^{-1}(\mathsf D+\mathsf L^T)\\). Conjugate gradients run on
//! the transformed system \\((\mathsf D+\mathsf L)^{-1}\mathsf R\,(\mathsf D+\mathsf
//! L^T)^{-1}\\), whose product takes no more than the two sweeps: with
//! \\(\mathbf t = (\mathsf D+\mathsf L^T)^{-1}\mathbf p\\) it is \\(\mathbf t + (\mathsf
//! D+\mathsf L)^{-1}(\mathbf p - \mathsf D\mathbf t + \mathsf O\mathbf t)\\) (Eisenstat 1981),
//! where \\(\mathsf O\\) are the pairs between chunks, which no sweep sees.

use super::lanes::{LANES, Lanes, Work};
use super::layout::{Group, Sheaf};
use super::rows::{Six, gather, gather_all, pull};

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
    /// \\(\mathbf p - \mathsf D\mathbf t\\).
    pub rest: &'a mut [Six],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let zero = v.splat(0.0);
        for group in self.pairs.groups.iter().rev() {
            let acting = pulled(v, self.pairs, group, self.to);
            for (acting, row) in acting.into_iter().zip(rows(group)) {
                let own = v.add(v.load(&self.from[row]), acting);
                self.rest[row] = v.store(v.sub(zero, acting));
                self.to[row] = v.store(times(v, &self.inverses[row], &v.store(own)));
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
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        for group in &self.pairs.groups {
            let acting = pulled(v, self.pairs, group, self.from);
            for (acting, row) in acting.into_iter().zip(rows(group)) {
                let own = v.store(v.add(v.load(&self.from[row]), acting));
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
    fn with<S: Lanes>(self, v: S) {
        for group in &self.pairs.groups {
            let acting = pulled(v, self.pairs, group, self.of);
            for (acting, row) in acting.into_iter().zip(rows(group)) {
                let to = &mut self.to[row];
                *to = v.store(v.sub(v.load(to), acting));
            }
        }
    }
}

/// Adds what the pairs with particles of other chunks do, \\(\mathsf O\mathbf t\\) without its
/// diagonal.
pub struct Outer<'a> {
    /// The pairs with particles of other chunks.
    pub(super) pairs: &'a Sheaf,
    /// \\(\mathbf t\\) of all chunks.
    pub all: &'a [&'a [Six]],
    /// To what it is added.
    pub to: &'a mut [Six],
}

impl Work for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let zero = v.splat(0.0);
        for group in &self.pairs.groups {
            let mut sum = [zero; 6];
            let [start, len] = group.slices.map(|x| x as usize);
            for slice in &self.pairs.slices[start..start + len] {
                let acting = pull(v, slice, &gather_all(v, self.all, &slice.other));
                for c in 0..6 {
                    sum[c] = v.add(sum[c], acting[c]);
                }
            }
            let [a, b, c, d, e, f] = sum;
            let acting = v.transpose([a, b, c, d, e, f, zero, zero]);
            for (acting, row) in acting.into_iter().zip(rows(group)) {
                let to = &mut self.to[row];
                *to = v.store(v.sub(v.load(to), acting));
            }
        }
    }
}

/// The rows of a group, each once.
#[inline(always)]
fn rows(group: &Group) -> impl Iterator<Item = usize> {
    group.rows.into_iter().take(group.count as usize).map(|row| row as usize)
}

/// What acts on the particles of a group by the motion of the others in their pairs.
#[inline(always)]
fn pulled<S: Lanes>(v: S, pairs: &Sheaf, group: &Group, from: &[Six]) -> [S::F; LANES] {
    let [start, len] = group.slices.map(|x| x as usize);
    let mut sum = [v.splat(0.0); 6];
    for slice in &pairs.slices[start..start + len] {
        let acting = pull(v, slice, &gather(v, from, &slice.other));
        for c in 0..6 {
            sum[c] = v.add(sum[c], acting[c]);
        }
    }
    let ([a, b, c, d, e, f], zero) = (sum, v.splat(0.0));
    v.transpose([a, b, c, d, e, f, zero, zero])
}
