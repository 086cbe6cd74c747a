//! Vectors in single precision, and what is done to them in every iteration.

use zerostokes::solve::lanes::{Lanes, Work, vectorised};
use zerostokes::solve::rows::Six;
use zerostokes::state::{Screw, Wrench};

/// The columns of a block in single precision.
pub type Columns = [Six; 6];

/// Six numbers in single precision.
pub fn six(screw: &Screw, scale: f64) -> Six {
    let (l, a) = (scale * screw.linear, scale * screw.angular);
    let [x, y, z, u, v, w] = [l.x, l.y, l.z, a.x, a.y, a.z].map(|c| c as f32);
    [x, y, z, u, v, w, 0.0, 0.0]
}

/// Six numbers in double precision.
pub fn screw(six: &Six, scale: f64) -> Screw {
    let [x, y, z, u, v, w, _, _] = six.map(|c| scale * f64::from(c));
    Screw { linear: [x, y, z].into(), angular: [u, v, w].into() }
}

/// A block in single precision.
pub fn columns(block: &super::blocks::Block) -> Columns {
    block.map(|c| [c[0], c[1], c[2], c[3], c[4], c[5], 0.0, 0.0].map(|x| x as f32))
}

/// A block times six numbers.
#[inline(always)]
pub fn multiply<S: Lanes>(v: S, block: &Columns, x: &Six) -> S::F {
    let mut sums = [v.splat(0.0); 2];
    for c in 0..6 {
        sums[c % 2] = v.mul_add(v.load(&block[c]), v.splat(x[c]), sums[c % 2]);
    }
    v.add(sums[0], sums[1])
}

/// \\(\mathbf a\cdot\mathbf b\\), summed in double precision.
pub fn dot(a: &[Six], b: &[Six]) -> f64 {
    vectorised(Dot(a, b))
}

struct Dot<'a>(&'a [Six], &'a [Six]);

impl Work for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with<S: Lanes>(self, _lanes: S) -> f64 {
        let mut sum = [0.0f64; 8];
        for (a, b) in self.0.iter().zip(self.1) {
            for k in 0..8 {
                sum[k] += f64::from(a[k] * b[k]);
            }
        }
        sum.iter().sum()
    }
}

/// A step along a direction: what was found, and what is left.
pub struct Step<'a> {
    pub length: f32,
    pub direction: &'a [Six],
    pub product: &'a [Six],
    pub found: &'a mut [Six],
    pub residual: &'a mut [Six],
    /// By what the second three numbers of the residual are divided when they are measured.
    pub lever: f64,
}

impl Work for Step<'_> {
    /// The squares of the residual: measured, and plain.
    type Output = [f64; 2];

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) -> [f64; 2] {
        let length = v.splat(self.length);
        let mut sum = [0.0f64; 8];
        let vectors = self.found.iter_mut().zip(self.residual);
        for ((found, residual), (p, q)) in vectors.zip(self.direction.iter().zip(self.product)) {
            *found = v.store(v.mul_add(length, v.load(p), v.load(found)));
            let r = v.sub(v.load(residual), v.mul(length, v.load(q)));
            *residual = v.store(r);
            let square = v.store(v.mul(r, r));
            for k in 0..8 {
                sum[k] += f64::from(square[k]);
            }
        }
        squares(&sum, self.lever)
    }
}

fn squares(sum: &[f64; 8], lever: f64) -> [f64; 2] {
    let (linear, angular): (f64, f64) = (sum[..3].iter().sum(), sum[3..6].iter().sum());
    [linear + angular / (lever * lever), sum.iter().sum()]
}

/// The squares of a residual: measured, and plain.
pub fn size(residual: &[Six], lever: f64) -> [f64; 2] {
    let mut sum = [0.0f64; 8];
    for r in residual {
        (0..8).for_each(|k| sum[k] += f64::from(r[k] * r[k]));
    }
    squares(&sum, lever)
}

/// `p = z + share p`.
pub fn turn(share: f64, z: &[Six], p: &mut [Six]) {
    vectorised(Turn { share: share as f32, p, z });
}

struct Turn<'a> {
    share: f32,
    p: &'a mut [Six],
    z: &'a [Six],
}

impl Work for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        let share = v.splat(self.share);
        for (p, z) in self.p.iter_mut().zip(self.z) {
            *p = v.store(v.mul_add(share, v.load(p), v.load(z)));
        }
    }
}

/// Blocks on the diagonal times a vector: `out = blocks x`.
pub struct Scale<'a> {
    pub blocks: &'a [Columns],
    pub x: &'a [Six],
    pub out: &'a mut [Six],
}

impl Work for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn with<S: Lanes>(self, v: S) {
        for ((out, x), block) in self.out.iter_mut().zip(self.x).zip(self.blocks) {
            *out = v.store(multiply(v, block, x));
        }
    }
}

/// What is left of forces, in single precision and the order of places.
pub fn take(left: &[Wrench], places: &[u32], scale: f64, out: &mut [Six]) {
    for (wrench, place) in left.iter().zip(places) {
        out[*place as usize] = six(wrench, scale);
    }
}
