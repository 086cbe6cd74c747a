//! Lanes of processors with AVX2 and AVX-512.

use std::arch::x86_64::{__m512, __m512d};

use pulp::{
    cast, f32x8, f32x16,
    x86::{V3, V4},
};

use super::lanes::{Eight, LANES, Lanes, Numbers, Rows, Simd, Sixteen};

impl Numbers for V3 {
    type F = f32x8;

    #[inline(always)]
    fn splat(self, a: f32) -> f32x8 {
        self.splat_f32x8(a)
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
}

impl Lanes for V3 {
    #[inline(always)]
    fn load(self, a: &Eight) -> f32x8 {
        cast(*a)
    }

    #[inline(always)]
    fn store(self, a: f32x8) -> Eight {
        cast(a)
    }

    #[inline(always)]
    fn transpose(self, rows: [f32x8; LANES]) -> [f32x8; LANES] {
        let v = self.avx;
        let r = rows.map(cast::<f32x8, std::arch::x86_64::__m256>);
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
        columns.map(cast)
    }
}

impl Numbers for V4 {
    type F = f32x16;

    #[inline(always)]
    fn splat(self, a: f32) -> f32x16 {
        self.splat_f32x16(a)
    }

    #[inline(always)]
    fn add(self, a: f32x16, b: f32x16) -> f32x16 {
        cast(self.avx512f._mm512_add_ps(cast(a), cast(b)))
    }

    #[inline(always)]
    fn sub(self, a: f32x16, b: f32x16) -> f32x16 {
        cast(self.avx512f._mm512_sub_ps(cast(a), cast(b)))
    }

    #[inline(always)]
    fn mul(self, a: f32x16, b: f32x16) -> f32x16 {
        cast(self.avx512f._mm512_mul_ps(cast(a), cast(b)))
    }

    #[inline(always)]
    fn mul_add(self, a: f32x16, b: f32x16, c: f32x16) -> f32x16 {
        self.mul_add_f32x16(a, b, c)
    }

    #[inline(always)]
    fn mul_sub(self, a: f32x16, b: f32x16, c: f32x16) -> f32x16 {
        self.mul_sub_f32x16(a, b, c)
    }
}

impl Rows for V4 {
    const PARTS: usize = 1;

    #[inline(always)]
    fn part(self, of: &Sixteen, _part: usize) -> f32x16 {
        cast(*of)
    }

    #[inline(always)]
    fn gather<'a>(self, row: impl Fn(usize) -> &'a Eight) -> [f32x16; 6] {
        let v = self.avx512f;
        let [a, b, c, d] = quarters(self, |k| row(k));
        let [e, f, g, h] = quarters(self, |k| row(k + LANES));
        [
            cast(v._mm512_shuffle_f32x4::<0x88>(a, e)),
            cast(v._mm512_shuffle_f32x4::<0x88>(b, f)),
            cast(v._mm512_shuffle_f32x4::<0x88>(c, g)),
            cast(v._mm512_shuffle_f32x4::<0x88>(d, h)),
            cast(v._mm512_shuffle_f32x4::<0xDD>(a, e)),
            cast(v._mm512_shuffle_f32x4::<0xDD>(b, f)),
        ]
    }

    #[inline(always)]
    fn spread(self, components: [f32x16; 6]) -> [Eight; 2 * LANES] {
        let v = self.avx512f;
        let [x, y, z, a, b, c] = components.map(cast::<f32x16, __m512>);
        let two = |a: __m512, b: __m512| -> [__m512d; 2] {
            [cast(v._mm512_unpacklo_ps(a, b)), cast(v._mm512_unpackhi_ps(a, b))]
        };
        let (xy, za, bc) = (two(x, y), two(z, a), two(b, c));
        let none: __m512d = cast(self.splat(0.0));
        let mut to = [Eight::default(); 2 * LANES];
        for k in 0..2 {
            let first = [v._mm512_unpacklo_pd(xy[k], za[k]), v._mm512_unpackhi_pd(xy[k], za[k])];
            let last = [v._mm512_unpacklo_pd(bc[k], none), v._mm512_unpackhi_pd(bc[k], none)];
            for j in 0..2 {
                // Quarters of the rows 4l + 2k + j, l = 0 … 3, in both.
                let row = 2 * k + j;
                let rows = |order: [u64; 8]| -> [Eight; 2] {
                    cast(v._mm512_permutex2var_pd(first[j], cast(order), last[j]))
                };
                [to[row], to[4 + row]] = rows([0, 1, 8, 9, 2, 3, 10, 11]);
                [to[8 + row], to[12 + row]] = rows([4, 5, 12, 13, 6, 7, 14, 15]);
            }
        }
        to
    }
}

/// Eight rows, those four apart in one register: quarters of four rows become columns.
#[inline(always)]
fn quarters<'a>(v: V4, row: impl Fn(usize) -> &'a Eight) -> [__m512; 4] {
    let a: __m512 = cast([*row(0), *row(4)]);
    let b: __m512 = cast([*row(1), *row(5)]);
    let c: __m512 = cast([*row(2), *row(6)]);
    let d: __m512 = cast([*row(3), *row(7)]);
    let v = v.avx512f;
    let [ab, cd] = [v._mm512_unpacklo_ps(a, b), v._mm512_unpacklo_ps(c, d)];
    let [ba, dc] = [v._mm512_unpackhi_ps(a, b), v._mm512_unpackhi_ps(c, d)];
    [
        v._mm512_shuffle_ps::<0x44>(ab, cd),
        v._mm512_shuffle_ps::<0xEE>(ab, cd),
        v._mm512_shuffle_ps::<0x44>(ba, dc),
        v._mm512_shuffle_ps::<0xEE>(ba, dc),
    ]
}

impl Simd for V4 {
    type Lanes = V3;
    type Rows = V4;

    #[inline(always)]
    fn lanes(self) -> V3 {
        *self
    }

    #[inline(always)]
    fn rows(self) -> V4 {
        self
    }
}
