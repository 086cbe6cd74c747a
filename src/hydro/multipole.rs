//! The flow about two spheres as multipoles of both, solved at one distance.
//!
//! Each sphere sends out Lamb multipoles of order n = 1, 2, … about its own axis, which points at
//! the other sphere, so that the two are mirror images. With \\(t_\alpha = a_\alpha/r\\), the
//! conditions of no slip on sphere α are (azimuthal number m, sums over s ≥ m, multipoles under the
//! sums are those of the other sphere β)
//! $$P_n = P_n^0 + \sum_s\tbinom{n+s}{n+m}t_\alpha^{n-1}t_\beta^s\Big\[
//! \tfrac{2n+1}{n+1}\tfrac{ns(2ns-n-s+2)+m^2(2ns-4n-4s+2)}{2s(2s-1)(n+s)}P_s
//! -\tfrac{n(2n-1)}{2(n+1)}t_\alpha^2P_s-\tfrac{n(4n^2-1)}{2(n+1)(2s+1)}t_\beta^2V_s
//! -\tfrac{2m(4n^2-1)}{3(n+1)}t_\beta Q_s\Big\],$$
//! $$V_n = P_n-\tfrac{2n}{(n+1)(2n+3)}\sum_s\tbinom{n+s}{n+m}t_\alpha^{n+1}t_\beta^sP_s,$$
//! $$Q_n = Q_n^0-\sum_s\tbinom{n+s}{n+m}t_\alpha^nt_\beta^s\Big\[\tfrac{s}{n+1}t_\beta Q_s
//! +\tfrac{3m}{2ns(n+1)}P_s\Big\].$$
//! For m = 0 and 1 these are the equations of \[JO84\], for m = 2 those of \[J92\], in one
//! notation; put into Lamb's solution they meet the conditions on both spheres to rounding.
//! The papers solve them by a series in powers of 1/r, which needs about as many terms as the gap
//! goes into the radius. Here they are truncated and solved directly; the multipoles fall off like
//! \\(e^{-n\alpha}\\) with \\(\alpha\\) of the order of the square root of the gap.

use faer::Mat;
use faer::linalg::solvers::Solve;

/// How far multipoles are followed: until \\(e^{-n\alpha}\\) has fallen to exp(−DEPTH). What is cut
/// off reaches the force after one more such path, so with the square of it.
const DEPTH: f64 = 17.0;

/// The same for flows with m = 0, where squeezing needs more and has fewer unknowns.
const AXIAL_DEPTH: f64 = 25.0;

/// Amplitudes of the lowest multipoles of one sphere: those that set the flow in motion, or those
/// that respond.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    /// \\(P_1\\): translation, force.
    pub force: f64,
    /// \\(Q_1\\): rotation, torque.
    pub torque: f64,
    /// \\(P_2\\): strain, stresslet.
    pub stresslet: f64,
}

/// One of the moments.
type View = fn(&mut Moments) -> &mut f64;

/// Which flows are solved for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// Azimuthal number.
    pub m: usize,
    /// With the multipoles P and V.
    pub pressure: bool,
    /// With the multipoles Q.
    pub vortex: bool,
}

/// Two spheres in units of the sum of their radii.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    /// The radii; they sum to one.
    pub share: [f64; 2],
    /// The gap.
    pub gap: f64,
}

impl Geometry {
    /// The highest multipole of each sphere that matters.
    fn orders(&self, depth: f64) -> [usize; 2] {
        let ([a, b], h, r) = (self.share, self.gap, 1.0 + self.gap);
        let c = (h * (2.0 + h) * (r * r - (a - b) * (a - b))).sqrt() / (2.0 * r);
        self.share.map(|radius| 6 + (depth / (c / radius).asinh()).ceil() as usize)
    }
}

/// The equations of one mode at one distance: places of the unknowns and what couples them.
struct System {
    mode: Mode,
    first: usize,
    counts: [usize; 2],
    t: [f64; 2],
    /// For sphere α, \\(\binom{n+s}{n+m}t_\alpha^nt_\beta^s\\) over n and s.
    binomial: [Mat<f64>; 2],
}

impl System {
    fn new(mode: Mode, geometry: &Geometry) -> Self {
        let first = mode.m.max(1);
        let depth = if mode.m == 0 { AXIAL_DEPTH } else { DEPTH };
        let counts = geometry.orders(depth).map(|order| order + 1 - first);
        let t = geometry.share.map(|radius| radius / (1.0 + geometry.gap));
        let table = |sphere: usize| {
            let (own, other) = (t[sphere], t[1 - sphere]);
            let mut table = Mat::zeros(counts[sphere], counts[1 - sphere]);
            for i in 0..counts[sphere] {
                let n = i + first;
                let mut value = own.powi(n as i32) * other.powi(mode.m as i32);
                for s in mode.m..first + counts[1 - sphere] {
                    if s > mode.m {
                        value *= other * (n + s) as f64 / (s - mode.m) as f64;
                    }
                    if s >= first {
                        table[(i, s - first)] = value;
                    }
                }
            }
            table
        };
        System { mode, first, counts, t, binomial: [table(0), table(1)] }
    }

    /// Where a sphere's P and Q begin among the unknowns.
    fn place(&self, sphere: usize, vortex: bool) -> usize {
        let all = self.counts[0] + self.counts[1];
        let block = if vortex && self.mode.pressure { all } else { 0 };
        block + sphere * self.counts[0]
    }

    fn len(&self) -> usize {
        let kinds = usize::from(self.mode.pressure) + usize::from(self.mode.vortex);
        kinds * (self.counts[0] + self.counts[1])
    }

    /// The coefficients of the other sphere's P, V and Q in the equation for \\(P_n\\).
    fn pressure_from(&self, sphere: usize, n: f64, s: f64) -> [f64; 3] {
        let (m, own, other) = (self.mode.m as f64, self.t[sphere], self.t[1 - sphere]);
        let bracket =
            n * s * (2.0 * n * s - n - s + 2.0) + m * m * (2.0 * n * s - 4.0 * n - 4.0 * s + 2.0);
        let near = (2.0 * n + 1.0) * bracket / (2.0 * s * (2.0 * s - 1.0) * (n + s));
        let far = 0.5 * n * (2.0 * n - 1.0);
        let odd = 4.0 * n * n - 1.0;
        [
            (near / own - far * own) / (n + 1.0),
            -n * odd * other * other / (2.0 * own * (n + 1.0) * (2.0 * s + 1.0)),
            -2.0 * m * odd * other / (3.0 * own * (n + 1.0)),
        ]
    }

    /// \\(V_n - P_n\\) of a sphere from the other's P.
    fn potential(&self, sphere: usize) -> Mat<f64> {
        let c = &self.binomial[sphere];
        Mat::from_fn(c.nrows(), c.ncols(), |i, j| {
            let n = (i + self.first) as f64;
            -2.0 * n / ((n + 1.0) * (2.0 * n + 3.0)) * self.t[sphere] * c[(i, j)]
        })
    }

    fn matrix(&self) -> Mat<f64> {
        let mut matrix = Mat::identity(self.len(), self.len());
        for sphere in 0..2 {
            if self.mode.pressure {
                self.fill_pressure(&mut matrix, sphere);
            }
            if self.mode.vortex {
                self.fill_vortex(&mut matrix, sphere);
            }
        }
        matrix
    }

    /// The rows of a sphere's P, from which V has been eliminated.
    fn fill_pressure(&self, matrix: &mut Mat<f64>, sphere: usize) {
        let c = &self.binomial[sphere];
        let (rows, columns) = (self.place(sphere, false), self.place(1 - sphere, false));
        let mut through = Mat::zeros(c.nrows(), c.ncols());
        for j in 0..c.ncols() {
            for i in 0..c.nrows() {
                let (n, s) = ((i + self.first) as f64, (j + self.first) as f64);
                let [p, v, q] = self.pressure_from(sphere, n, s);
                matrix[(rows + i, columns + j)] = -c[(i, j)] * (p + v);
                through[(i, j)] = -c[(i, j)] * v;
                if self.mode.vortex {
                    matrix[(rows + i, self.place(1 - sphere, true) + j)] = -c[(i, j)] * q;
                }
            }
        }
        let own = through * self.potential(1 - sphere);
        for j in 0..own.ncols() {
            for i in 0..own.nrows() {
                matrix[(rows + i, rows + j)] += own[(i, j)];
            }
        }
    }

    fn fill_vortex(&self, matrix: &mut Mat<f64>, sphere: usize) {
        let (c, m) = (&self.binomial[sphere], self.mode.m as f64);
        let rows = self.place(sphere, true);
        for j in 0..c.ncols() {
            for i in 0..c.nrows() {
                let (n, s) = ((i + self.first) as f64, (j + self.first) as f64);
                let q = s / (n + 1.0) * self.t[1 - sphere];
                matrix[(rows + i, self.place(1 - sphere, true) + j)] = c[(i, j)] * q;
                if self.mode.pressure {
                    let p = 1.5 * m / (n * s * (n + 1.0));
                    matrix[(rows + i, self.place(1 - sphere, false) + j)] = c[(i, j)] * p;
                }
            }
        }
    }

    /// The unknowns that are moments, with a view on the moment.
    fn moments(&self) -> Vec<(usize, usize, View)> {
        let mut all: Vec<(usize, usize, View)> = Vec::new();
        for sphere in 0..2 {
            let pressure = self.place(sphere, false);
            if self.mode.pressure && self.first == 1 {
                all.push((pressure, sphere, |moments| &mut moments.force));
            }
            if self.mode.pressure {
                all.push((pressure + 2 - self.first, sphere, |moments| &mut moments.stresslet));
            }
            if self.mode.vortex && self.first == 1 {
                all.push((self.place(sphere, true), sphere, |moments| &mut moments.torque));
            }
        }
        all
    }
}

/// The moments of both spheres in response to each of some sources on both of them.
pub(super) fn solve<const N: usize>(
    mode: Mode,
    geometry: &Geometry,
    sources: &[[Moments; 2]; N],
) -> [[Moments; 2]; N] {
    let system = System::new(mode, geometry);
    let moments = system.moments();
    let mut rhs = Mat::zeros(system.len(), N);
    for (column, source) in sources.iter().enumerate() {
        for &(row, sphere, view) in &moments {
            rhs[(row, column)] = *view(&mut source[sphere].clone());
        }
    }
    let unknowns = system.matrix().partial_piv_lu().solve(&rhs);
    std::array::from_fn(|column| {
        let mut response = [Moments::default(); 2];
        for &(row, sphere, view) in &moments {
            *view(&mut response[sphere]) = unknowns[(row, column)];
        }
        response
    })
}
