//! Eight numbers at once, in single precision: by AVX2 where the processor has it, else by plain
//! arrays that compilers vectorise as well as they can.

#[cfg(target_arch = "x86_64")]
use pulp::{
    f32x8,
    x86::{V3, V4},
};

/// How many there are.
pub const LANES: usize = 8;

/// Eight numbers in memory.
pub type Eight = [f32; LANES];

/// Arithmetic on eight numbers.
pub trait Lanes: Copy {
    /// Eight numbers in a register.
    type F: Copy;
    /// From memory.
    fn load(self, a: &Eight) -> Self::F;
    /// To memory.
    fn store(self, a: Self::F) -> Eight;
    /// `a + b`.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a b`.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a b + c`.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `a b - c`.
    fn mul_sub(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// Rows become columns.
    fn transpose(self, rows: [Self::F; LANES]) -> [Self::F; LANES];

    /// The same number eight times.
    #[inline(always)]
    fn splat(self, a: f32) -> Self::F {
        self.load(&[a; LANES])
    }

    /// \\(\mathbf a\cdot\mathbf b\\), eight times.
    #[inline(always)]
    fn dot(self, a: &[Self::F; 3], b: &[Self::F; 3]) -> Self::F {
        self.mul_add(a[2], b[2], self.mul_add(a[1], b[1], self.mul(a[0], b[0])))
    }

    /// \\(\mathbf a\times\mathbf b\\), eight times.
    #[inline(always)]
    fn cross(self, a: &[Self::F; 3], b: &[Self::F; 3]) -> [Self::F; 3] {
        [
            self.mul_sub(a[1], b[2], self.mul(a[2], b[1])),
            self.mul_sub(a[2], b[0], self.mul(a[0], b[2])),
            self.mul_sub(a[0], b[1], self.mul(a[1], b[0])),
        ]
    }
}

/// Something to be done with any lanes.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it.
    fn with<S: Lanes>(self, lanes: S) -> Self::Output;
}

/// Does work with the widest lanes that this processor has.
#[inline(always)]
pub fn vectorised<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(registers) = V4::try_new() {
        let lanes: V3 = *registers;
        return registers.vectorize(
            #[inline(always)]
            || work.with(lanes),
        );
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = V3::try_new() {
        return lanes.vectorize(
            #[inline(always)]
            || work.with(lanes),
        );
    }
    work.with(Plain)
}

/// Lanes as arrays.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Eight {
    std::array::from_fn(f)
}

impl Lanes for Plain {
    type F = Eight;

    #[inline(always)]
    fn load(self, a: &Eight) -> Eight {
        *a
    }

    #[inline(always)]
    fn store(self, a: Eight) -> Eight {
        a
    }

    #[inline(always)]
    fn add(self, a: Eight, b: Eight) -> Eight {
        each(|k| a[k] + b[k])
    }

    #[inline(always)]
    fn sub(self, a: Eight, b: Eight) -> Eight {
        each(|k| a[k] - b[k])
    }

    #[inline(always)]
    fn mul(self, a: Eight, b: Eight) -> Eight {
        each(|k| a[k] * b[k])
    }

    #[inline(always)]
    fn mul_add(self, a: Eight, b: Eight, c: Eight) -> Eight {
        each(|k| a[k] * b[k] + c[k])
    }

    #[inline(always)]
    fn mul_sub(self, a: Eight, b: Eight, c: Eight) -> Eight {
        each(|k| a[k] * b[k] - c[k])
    }

    #[inline(always)]
    fn transpose(self, rows: [Eight; LANES]) -> [Eight; LANES] {
        std::array::from_fn(|c| each(|k| rows[k][c]))
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes for V3 {
    type F = f32x8;

    #[inline(always)]
    fn load(self, a: &Eight) -> f32x8 {
        pulp::cast(*a)
    }

    #[inline(always)]
    fn store(self, a: f32x8) -> Eight {
        pulp::cast(a)
    }

    #[inline(always)]
    fn add(self, a: f32x8, b: f32x8) -> f32x8 {
        self.add_f32x8(a, b)
    }

    #[inline(always)]
    fn sub(self, a: f32x8, b: f32x8) -> f32x8 {
        self.sub_f32x8(a, b)
    }

    #[inline(always)]
    fn mul(self, a: f32x8, b: f32x8) -> f32x8 {
        self.mul_f32x8(a, b)
    }

    #[inline(always)]
    fn mul_add(self, a: f32x8, b: f32x8, c: f32x8) -> f32x8 {
        self.mul_add_f32x8(a, b, c)
    }

    #[inline(always)]
    fn mul_sub(self, a: f32x8, b: f32x8, c: f32x8) -> f32x8 {
        self.mul_sub_f32x8(a, b, c)
    }

    #[inline(always)]
    fn transpose(self, rows: [f32x8; LANES]) -> [f32x8; LANES] {
        let v = self.avx;
        let r = rows.map(pulp::cast::<f32x8, std::arch::x86_64::__m256>);
        let low = |a: usize| v._mm256_unpacklo_ps(r[a], r[a + 1]);
        let high = |a: usize| v._mm256_unpackhi_ps(r[a], r[a + 1]);
        let pairs = [low(0), high(0), low(2), high(2), low(4), high(4), low(6), high(6)];
        let [a, b, c, d, e, f, g, h] = pairs;
        let quads = [
            v._mm256_shuffle_ps::<0x44>(a, c),
            v._mm256_shuffle_ps::<0xEE>(a, c),
            v._mm256_shuffle_ps::<0x44>(b, d),
            v._mm256_shuffle_ps::<0xEE>(b, d),
            v._mm256_shuffle_ps::<0x44>(e, g),
            v._mm256_shuffle_ps::<0xEE>(e, g),
            v._mm256_shuffle_ps::<0x44>(f, h),
            v._mm256_shuffle_ps::<0xEE>(f, h),
        ];
        let upper = |k: usize| v._mm256_permute2f128_ps::<0x20>(quads[k], quads[k + 4]);
        let lower = |k: usize| v._mm256_permute2f128_ps::<0x31>(quads[k], quads[k + 4]);
        let columns =
            [upper(0), upper(1), upper(2), upper(3), lower(0), lower(1), lower(2), lower(3)];
        columns.map(pulp::cast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Check;

    impl Work for Check {
        type Output = Vec<Eight>;

        #[inline(always)]
        fn with<S: Lanes>(self, v: S) -> Vec<Eight> {
            let rows: [Eight; LANES] = std::array::from_fn(|r| each(|c| (10 * r + c) as f32));
            let loaded = std::array::from_fn(|r| v.load(&rows[r]));
            let mut done: Vec<Eight> = v.transpose(loaded).map(|row| v.store(row)).to_vec();
            let [a, b, c] = [loaded[1], loaded[2], loaded[3]];
            let results =
                [v.add(a, b), v.sub(a, b), v.mul(a, b), v.mul_add(a, b, c), v.mul_sub(a, b, c)];
            done.extend(results.map(|result| v.store(result)));
            done.extend(v.cross(&[a, b, c], &[c, a, a]).map(|result| v.store(result)));
            done.push(v.store(v.dot(&[a, b, c], &[c, a, b])));
            done
        }
    }

    #[test]
    fn all_lanes_compute_the_same() {
        let plain = Check.with(Plain);
        // Whole numbers: the same with and without fused operations.
        assert_eq!(vectorised(Check), plain);
        assert_eq!(plain[3][5], 53.0);
        assert_eq!(plain[LANES + 3][0], 10.0 * 20.0 + 30.0);
    }
}
