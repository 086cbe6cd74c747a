//! Sweeps over groups of eight particles of a colour.

use zerostokes::solve::lanes::{Eight, LANES, Lanes, Work};
use zerostokes::solve::rows::Six;

use super::coloured::{Coloured, Group, NUMBERS, Slice};

/// Six numbers of eight particles, from a vector.
#[inline(always)]
fn load<S: Lanes>(v: S, x: &[Eight]) -> [S::F; 6] {
    let x: &[Eight; NUMBERS] = x.first_chunk().expect("six numbers");
    [v.load(&x[0]), v.load(&x[1]), v.load(&x[2]), v.load(&x[3]), v.load(&x[4]), v.load(&x[5])]
}

#[inline(always)]
fn store<S: Lanes>(v: S, x: [S::F; 6], out: &mut [Eight]) {
    let out: &mut [Eight; NUMBERS] = out.first_chunk_mut().expect("six numbers");
    for k in 0..NUMBERS {
        out[k] = v.store(x[k]);
    }
}

impl Group {
    /// C⁻¹ x.
    #[inline(always)]
    fn inward<S: Lanes>(&self, v: S, x: &[S::F; 6]) -> [S::F; 6] {
        let mut out = *x;
        for r in 0..6 {
            let mut sum = v.mul(v.load(&self.inverse[r * (r + 1) / 2]), x[0]);
            for c in 1..=r {
                sum = v.mul_add(v.load(&self.inverse[r * (r + 1) / 2 + c]), x[c], sum);
            }
            out[r] = sum;
        }
        out
    }

    /// Puts C⁻ᵀ x where others find it.
    #[inline(always)]
    fn put<S: Lanes>(&self, v: S, x: &[S::F; 6], found: &mut [Six]) {
        let zero = v.splat(0.0);
        let mut out = [zero; LANES];
        for c in 0..6 {
            let mut sum = v.mul(v.load(&self.inverse[c * (c + 1) / 2 + c]), x[c]);
            for r in c + 1..6 {
                sum = v.mul_add(v.load(&self.inverse[r * (r + 1) / 2 + c]), x[r], sum);
            }
            out[c] = sum;
        }
        for (to, six) in found.iter_mut().zip(v.transpose(out)) {
            *to = v.store(six);
        }
    }
}

/// What slices of pairs do to what has been found.
#[inline(always)]
fn act<S: Lanes>(v: S, slices: &[Slice], found: &[Six]) -> [S::F; 6] {
    let mut sums = [v.splat(0.0); 6];
    for slice in slices {
        let x = v.transpose(std::array::from_fn(
            #[inline(always)]
            |k| v.load(&found[slice.other[k] as usize]),
        ));
        let n = [v.load(&slice.normal[0]), v.load(&slice.normal[1]), v.load(&slice.normal[2])];
        let (u, w) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
        let number = std::array::from_fn::<_, 6, _>(
            #[inline(always)]
            |k| v.load(&slice.numbers[k]),
        );
        let along = v.mul(number[1], v.dot(&n, &u));
        let twist = v.mul(number[5], v.dot(&n, &w));
        let (across, turned) = (v.cross(&n, &u), v.cross(&n, &w));
        for c in 0..3 {
            let force = v.mul_add(number[0], u[c], v.mul_add(along, n[c], sums[c]));
            sums[c] = v.mul_add(number[2], turned[c], force);
            let torque = v.mul_add(number[4], w[c], v.mul_add(twist, n[c], sums[c + 3]));
            sums[c + 3] = v.mul_add(number[3], across[c], torque);
        }
    }
    sums
}

/// `x` less C⁻¹ times what pairs do: the numbers of a group in the variables of the preconditioner.
#[inline(always)]
fn rest<S: Lanes>(v: S, group: &Group, slices: &[Slice], x: [S::F; 6], found: &[Six]) -> [S::F; 6] {
    let mut out = group.inward(v, &act(v, slices, found));
    for k in 0..NUMBERS {
        out[k] = v.sub(x[k], out[k]);
    }
    out
}

fn range([start, len]: [u32; 2]) -> std::ops::Range<usize> {
    start as usize..(start + len) as usize
}

/// `(I + N)ᵀ t = p`.
pub struct Backward<'a> {
    pub coloured: &'a mut Coloured,
    pub p: &'a [Eight],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let Coloured { groups, upper, found, solved, .. } = self.coloured;
        for (g, group) in groups.iter().enumerate().rev() {
            let p = load(v, &self.p[NUMBERS * g..]);
            let t = rest(v, group, &upper[range(group.upper)], p, found);
            store(v, t, &mut solved[NUMBERS * g..]);
            group.put(v, &t, &mut found[LANES * g..LANES * (g + 1)]);
        }
    }
}

/// `q = t + (I + N)⁻¹(p − t)`, t the solution of the sweep before; returns
/// \\(\mathbf p\cdot\mathbf q\\).
pub struct Forward<'a> {
    pub coloured: &'a mut Coloured,
    pub p: &'a [Eight],
    pub q: &'a mut [Eight],
}

impl Work for Forward<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> f64 {
        let Coloured { groups, lower, found, solved, .. } = self.coloured;
        let mut curvature = [0.0f64; LANES];
        for (g, group) in groups.iter().enumerate() {
            let (p, t) = (load(v, &self.p[NUMBERS * g..]), load(v, &solved[NUMBERS * g..]));
            let mut b = p;
            (0..NUMBERS).for_each(|k| b[k] = v.sub(p[k], t[k]));
            let w = rest(v, group, &lower[range(group.lower)], b, found);
            group.put(v, &w, &mut found[LANES * g..LANES * (g + 1)]);
            let mut sum = v.splat(0.0);
            let mut q = w;
            for k in 0..NUMBERS {
                q[k] = v.add(t[k], w[k]);
                sum = v.mul_add(p[k], q[k], sum);
            }
            store(v, q, &mut self.q[NUMBERS * g..]);
            let sum = v.store(sum);
            (0..LANES).for_each(|k| curvature[k] += f64::from(sum[k]));
        }
        curvature.iter().sum()
    }
}

/// `(I + N)⁻¹ C⁻¹ r`, with r by slot.
pub struct Inward<'a> {
    pub coloured: &'a mut Coloured,
    pub r: &'a [Six],
}

impl Work for Inward<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let Coloured { groups, lower, found, solved, .. } = self.coloured;
        for (g, group) in groups.iter().enumerate() {
            let r: &[Six; LANES] = self.r[LANES * g..].first_chunk().expect("eight particles");
            let [a, b, c, d, e, f, _, _] = v.transpose(std::array::from_fn(
                #[inline(always)]
                |k| v.load(&r[k]),
            ));
            let r = group.inward(v, &[a, b, c, d, e, f]);
            let w = rest(v, group, &lower[range(group.lower)], r, found);
            store(v, w, &mut solved[NUMBERS * g..]);
            group.put(v, &w, &mut found[LANES * g..LANES * (g + 1)]);
        }
    }
}
