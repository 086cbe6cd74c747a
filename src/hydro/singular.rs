//! The part of the resistance that grows without bound as the gap closes, or whose slope does.
//!
//! All of it acts on the rates of the pair alone. In the rigid motions of the pair and in the
//! strain that turns with it the fluid in the gap rests, and the resistance depends smoothly on the
//! gap. With \\(\sigma = a_1+a_2\\), \\(t = \sigma/r\\), \\(x = 1-t^2\\) and \\(\xi = 2h/\sigma\\)
//! each resistance but that to twist is
//! $$S = t^2\Big\[C\,\frac{t^2}{x} - A\ln x - (A+B)\,x\ln x\Big\]
//! = \frac C\xi + A\ln\frac1\xi + B\,\xi\ln\frac1\xi + \text{smooth},$$
//! which falls off like \\(t^4\\), so that also the moments with levers of the order of r vanish
//! far away. The coefficients are those of \[JO84\] for single spheres, rewritten for the rates;
//! that all of them together act on the rates alone is a check of each. Twist is resisted by
//! \\(2\pi a_1^2a_2^2\sigma^{-1}\,t^4(1+x\ln x)\\): it has no stronger term than
//! \\(-\xi\ln(1/\xi)\\), and the smooth part is chosen so that it is positive.

use std::f64::consts::PI;

use crate::rates::Resistance;

/// \\(C/\xi + A\ln(1/\xi) + B\xi\ln(1/\xi)\\) as its three coefficients C, A, B.
type Terms = [f64; 3];

/// The coefficients between two particular spheres.
#[derive(Clone, Copy, Debug)]
struct Coefficients {
    squeeze: Terms,
    slide: Terms,
    slide_roll: Terms,
    roll: Terms,
    /// That of \\(-\xi\ln(1/\xi)\\).
    twist: f64,
}

impl Coefficients {
    #[inline]
    fn new([a, b]: [f64; 2]) -> Self {
        let (p, q, d) = (a * b, a * a + b * b, b - a);
        let sum = a + b;
        let scale = PI / (sum * sum * sum);
        // a⁴ + b⁴ and the other symmetric polynomials of fourth degree in p = ab and q = a² + b².
        let fourth = q * q - 2.0 * p * p;
        Coefficients {
            squeeze: [
                12.0 * p * p * scale,
                1.2 * p * (q + 7.0 * p) * scale,
                (fourth + 18.0 * p * q - 29.0 * p * p) / 7.0 * scale,
            ],
            slide: [
                0.0,
                1.6 * p * (2.0 * q + p) * scale,
                0.032 * (16.0 * fourth - 45.0 * p * q + 58.0 * p * p) * scale,
            ],
            slide_roll: [
                0.0,
                2.4 * p * p * d * scale,
                -0.016 * p * d * (11.0 * q + 127.0 * p) * scale,
            ],
            roll: [0.0, 4.8 * p * p * p * scale, 0.096 * p * p * (13.0 * q + 16.0 * p) * scale],
            twist: 2.0 * p * p * PI / sum,
        }
    }
}

/// The singular functions at one distance.
struct Functions {
    /// \\(t^2\\).
    square: f64,
    /// \\(x = 1-t^2\\), without loss at small gaps.
    x: f64,
    /// \\(-\ln x\\).
    log: f64,
}

impl Functions {
    #[inline]
    fn new(sum: f64, gap: f64) -> Self {
        let inverse = 1.0 / (sum + gap);
        let (t, near) = (sum * inverse, gap * inverse);
        let x = near * (1.0 + t);
        // Far away x is close to one and t² the better number.
        let log = if x < 0.5 { -x.ln() } else { -(-t * t).ln_1p() };
        Functions { square: t * t, x, log }
    }

    #[inline]
    fn of(&self, [pole, log, next]: Terms) -> f64 {
        let far = self.square;
        far * (pole * far / self.x + (log + (log + next) * self.x) * self.log)
    }
}

/// What two particular spheres resist their relative rates with, in a fluid of viscosity 1, as far
/// as it is singular at contact; positive semi-definite at every gap. Gaps must be positive.
#[derive(Clone, Copy, Debug)]
pub struct Singular {
    coefficients: Coefficients,
    sum: f64,
}

impl Singular {
    /// Between spheres of the given radii.
    #[inline]
    pub fn new(radii: [f64; 2]) -> Self {
        Singular { coefficients: Coefficients::new(radii), sum: radii[0] + radii[1] }
    }

    /// The resistance to all rates at a gap `[a]`, `[a²]`, `[a³]`.
    #[inline]
    pub fn at(&self, gap: f64) -> Resistance {
        let (c, f) = (&self.coefficients, Functions::new(self.sum, gap));
        Resistance {
            squeeze: f.of(c.squeeze),
            slide: f.of(c.slide),
            slide_roll: f.of(c.slide_roll),
            roll: f.of(c.roll),
            twist: c.twist * f.square * f.square * (1.0 - f.x * f.log),
        }
    }

    /// The resistance to squeeze at a gap `[a]`.
    #[inline]
    pub fn squeeze(&self, gap: f64) -> f64 {
        Functions::new(self.sum, gap).of(self.coefficients.squeeze)
    }

    /// The gap times the resistance to squeeze, which stays finite at contact, and its slope in the
    /// gap `[a²]`, `[a]`.
    pub fn log_squeeze(&self, gap: f64) -> [f64; 2] {
        let ([pole, log, next], sum) = (self.coefficients.squeeze, self.sum);
        let Functions { square, x, log: ell } = Functions::new(sum, gap);
        let (rise, r, both) = (log + (log + next) * x, sum + gap, 2.0 * sum + gap);
        // u/x and t⁴u/x, which have no pole: films may be so thin that 1/x² is no number.
        let (wide, inner) = (r * r / both, square * sum * sum / both);
        let value = pole * inner + gap * square * rise * ell;
        // Slopes: t² falls by 2t²/r, x grows by as much.
        let turn = 2.0 * square / r;
        let steeper = gap * turn * ell * (square * (log + next) - rise);
        let slope =
            square * rise * (ell - wide * turn) + steeper - pole * inner * (2.0 / r + 1.0 / both);
        [value, slope]
    }

    /// The integral of the resistance to squeeze over the gap, up to `gap`, from a value that makes
    /// it vanish far away `[a²]`.
    pub fn squeeze_integral(&self, gap: f64) -> f64 {
        self.squeeze_and_integral(gap)[1]
    }

    /// The resistance to squeeze at a gap, and its integral `[a]`, `[a²]`.
    pub fn squeeze_and_integral(&self, gap: f64) -> [f64; 2] {
        let ([pole, log, next], sum) = (self.coefficients.squeeze, self.sum);
        let f = Functions::new(sum, gap);
        let t = sum / (sum + gap);
        // Integrals over y = r/σ of 1/(y²(y²−1)) and 1/(y⁴(y²−1)).
        let half = if t < 0.5 { -t.atanh() } else { 0.5 * (gap / (gap + 2.0 * sum)).ln() };
        let second = half + t;
        let fourth = second + t * t * t / 3.0;
        let plain = -t * f.log - 2.0 * second;
        let times = -(t - t * t * t / 3.0) * f.log - 2.0 * second + 2.0 / 3.0 * fourth;
        let integral = sum * (pole * second + log * plain + (log + next) * times);
        [f.of(self.coefficients.squeeze), integral]
    }
}

/// The resistance to all rates of two spheres at a gap, as far as it is singular at contact.
pub fn singular(radii: [f64; 2], gap: f64) -> Resistance {
    Singular::new(radii).at(gap)
}
