//! Eight or sixteen numbers at once, in single precision: by AVX2 or AVX-512 where the processor
//! has it (`wide`), else by plain arrays that compilers vectorise as well as they can. Fused
//! operations apart, which plain arrays do without, results are the same to the last bit.

#![allow(clippy::needless_range_loop, reason = "lanes and entries go by number")]

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// How many there are.
pub const LANES: usize = 8;

/// Eight numbers in memory.
pub type Eight = [f32; LANES];

/// Sixteen numbers in memory.
pub type Sixteen = [f32; 2 * LANES];

/// Arithmetic on several numbers at once.
pub trait Numbers: Copy {
    /// The numbers in a register.
    type F: Copy;
    /// The same number everywhere.
    fn splat(self, a: f32) -> Self::F;
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

    /// \\(\mathbf a\cdot\mathbf b\\), several times.
    #[inline(always)]
    fn dot(self, a: &[Self::F; 3], b: &[Self::F; 3]) -> Self::F {
        self.mul_add(a[2], b[2], self.mul_add(a[1], b[1], self.mul(a[0], b[0])))
    }

    /// \\(\mathbf a\times\mathbf b\\), several times.
    #[inline(always)]
    fn cross(self, a: &[Self::F; 3], b: &[Self::F; 3]) -> [Self::F; 3] {
        [
            self.mul_sub(a[1], b[2], self.mul(a[2], b[1])),
            self.mul_sub(a[2], b[0], self.mul(a[0], b[2])),
            self.mul_sub(a[0], b[1], self.mul(a[1], b[0])),
        ]
    }
}

/// Eight numbers at once: those of one particle, with two zeros.
pub trait Lanes: Numbers {
    /// From memory.
    fn load(self, a: &Eight) -> Self::F;
    /// To memory.
    fn store(self, a: Self::F) -> Eight;
    /// Rows become columns.
    fn transpose(self, rows: [Self::F; LANES]) -> [Self::F; LANES];
}

/// The numbers of sixteen rows at once, or of eight and then of the other eight.
pub trait Rows: Numbers {
    /// In how many parts.
    const PARTS: usize;
    /// A part from memory.
    fn part(self, of: &Sixteen, part: usize) -> Self::F;
    /// Six numbers of every particle, component by component; `row` is the particle of a row.
    fn gather<'a>(self, row: impl Fn(usize) -> &'a Eight) -> [Self::F; 6];
    /// Component by component back to particles: those of the part.
    fn spread(self, components: [Self::F; 6]) -> [Eight; 2 * LANES];
}

/// What a processor has.
pub trait Simd: Copy {
    /// For the numbers of one particle.
    type Lanes: Lanes;
    /// For rows.
    type Rows: Rows;
    /// For the numbers of one particle.
    fn lanes(self) -> Self::Lanes;
    /// For rows.
    fn rows(self) -> Self::Rows;
}

/// Something to be done with any lanes.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it.
    fn with<S: Simd>(self, simd: S) -> Self::Output;
}

/// Does work with the widest registers that this processor has.
#[inline(always)]
pub fn vectorised<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V4::try_new() {
        return simd.vectorize(
            #[inline(always)]
            || work.with(simd),
        );
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V3::try_new() {
        return simd.vectorize(
            #[inline(always)]
            || work.with(simd),
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

/// Half of sixteen numbers.
#[inline(always)]
fn half(of: &Sixteen, part: usize) -> &Eight {
    &of.as_chunks::<LANES>().0[part]
}

impl Numbers for Plain {
    type F = Eight;

    #[inline(always)]
    fn splat(self, a: f32) -> Eight {
        [a; LANES]
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
}

impl Lanes for Plain {
    #[inline(always)]
    fn load(self, a: &Eight) -> Eight {
        *a
    }

    #[inline(always)]
    fn store(self, a: Eight) -> Eight {
        a
    }

    #[inline(always)]
    fn transpose(self, rows: [Eight; LANES]) -> [Eight; LANES] {
        std::array::from_fn(|c| each(|k| rows[k][c]))
    }
}

/// Rows by eight lanes, half after half.
macro_rules! rows_in_halves {
    ($lanes:ty) => {
        impl Rows for $lanes {
            const PARTS: usize = 2;

            #[inline(always)]
            fn part(self, of: &Sixteen, part: usize) -> Self::F {
                self.load(half(of, part))
            }

            #[inline(always)]
            fn gather<'a>(self, row: impl Fn(usize) -> &'a Eight) -> [Self::F; 6] {
                let rows = std::array::from_fn(
                    #[inline(always)]
                    |k| self.load(row(k)),
                );
                let [x, y, z, a, b, c, ..] = self.transpose(rows);
                [x, y, z, a, b, c]
            }

            #[inline(always)]
            fn spread(self, [x, y, z, a, b, c]: [Self::F; 6]) -> [Eight; 2 * LANES] {
                let zero = self.splat(0.0);
                let rows = self.transpose([x, y, z, a, b, c, zero, zero]);
                let mut to = [Eight::default(); 2 * LANES];
                for k in 0..LANES {
                    to[k] = self.store(rows[k]);
                }
                to
            }
        }

        impl Simd for $lanes {
            type Lanes = Self;
            type Rows = Self;

            #[inline(always)]
            fn lanes(self) -> Self {
                self
            }

            #[inline(always)]
            fn rows(self) -> Self {
                self
            }
        }
    };
}

rows_in_halves!(Plain);
#[cfg(target_arch = "x86_64")]
rows_in_halves!(V3);

#[cfg(test)]
mod tests {
    use super::*;

    struct Check;

    impl Work for Check {
        type Output = Vec<Eight>;

        #[inline(always)]
        fn with<S: Simd>(self, simd: S) -> Vec<Eight> {
            let v = simd.lanes();
            let rows: [Eight; LANES] = std::array::from_fn(|r| each(|c| (10 * r + c) as f32));
            let loaded = std::array::from_fn(|r| v.load(&rows[r]));
            let mut done: Vec<Eight> = v.transpose(loaded).map(|row| v.store(row)).to_vec();
            let [a, b, c] = [loaded[1], loaded[2], loaded[3]];
            let results =
                [v.add(a, b), v.sub(a, b), v.mul(a, b), v.mul_add(a, b, c), v.mul_sub(a, b, c)];
            done.extend(results.map(|result| v.store(result)));
            done.extend(v.cross(&[a, b, c], &[c, a, a]).map(|result| v.store(result)));
            done.push(v.store(v.dot(&[a, b, c], &[c, a, b])));
            done.extend(all_rows(simd.rows()));
            done
        }
    }

    /// Gathers sixteen particles, adds something to each component, and spreads them again.
    #[inline(always)]
    fn all_rows<M: Rows>(m: M) -> Vec<Eight> {
        let particles: [Eight; 16] =
            std::array::from_fn(|r| each(|c| if c < 6 { (10 * r + c) as f32 } else { 0.0 }));
        let more: Sixteen = std::array::from_fn(|r| (1000 * r) as f32);
        let mut all = Vec::new();
        for part in 0..M::PARTS {
            let first = part * 16 / M::PARTS;
            let six = m.gather(|k| &particles[first + k]);
            let sums = six.map(|c| m.add(c, m.part(&more, part)));
            all.extend_from_slice(&m.spread(sums)[..16 / M::PARTS]);
        }
        all
    }

    #[test]
    fn all_lanes_compute_the_same() {
        let plain = Check.with(Plain);
        // Whole numbers: the same with and without fused operations.
        assert_eq!(vectorised(Check), plain);
        assert_eq!(plain[3][5], 53.0);
        assert_eq!(plain[LANES + 3][0], 10.0 * 20.0 + 30.0);
        assert_eq!(plain[plain.len() - 5][4], 11.0 * 1010.0 + 4.0);
    }
}
