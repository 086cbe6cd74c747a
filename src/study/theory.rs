//! How fast two soft spheres separate under a force, and how long a rearrangement should take
//! (\[RG09\] eqs. 27–33), with the prefactors of the model itself.
//!
//! In units of the radius R, the force F and the Stokes time \\(\tau = 6\pi\eta R^2/F\\). While the
//! film is thicker than the deflection (Poiseuille) \\(\dot h = h\\); while it is thinner (Hertz)
//! \\(\dot h = 4h^3(2\kappa/c_n)^{-4/3}\\). Print has 1 in place of 4 and of \\(2/c_n\\), which are
//! for scaling only.

/// Where the horizontal pair has separated, in eqs. 32 and 33 `[R]`.
const SEPARATED: f64 = 2.5;

/// Laws for a reduced force κ and an elastic factor c_n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theory {
    /// \\((2\kappa/c_n)^{2/3}\\), the deflection in the Hertz regime `[R]`.
    softness: f64,
}

impl Theory {
    /// For a reduced force κ and an elastic factor.
    pub fn new(kappa: f64, c_n: f64) -> Self {
        Theory { softness: (2.0 * kappa / c_n).powf(2.0 / 3.0) }
    }

    /// Rate of a film in the Poiseuille regime, \\(\dot h\\) (eq. 30) `[R/τ]`.
    pub fn poiseuille(&self, gap: f64) -> f64 {
        gap
    }

    /// Rate of a film in the Hertz regime, \\(\dot h\\) (eq. 31) `[R/τ]`.
    pub fn hertz(&self, gap: f64) -> f64 {
        4.0 * gap.powi(3) / (self.softness * self.softness)
    }

    /// Rate of two hard spheres with Stokes drag, which takes over at large gaps `[R/τ]`.
    pub fn with_drag(&self, gap: f64) -> f64 {
        1.0 / (0.5 + 1.0 / gap)
    }

    /// Thickness at which the two regimes meet, \\(h_{HP}\\) (eq. 29) `[R]`.
    pub fn crossover(&self) -> f64 {
        0.5 * self.softness
    }

    /// Time to separate from a gap (eqs. 32 and 33) `[τ]`.
    pub fn separation_time(&self, gap: f64) -> f64 {
        let meet = self.crossover();
        let film = |from: f64| (SEPARATED / from).ln().max(0.0);
        if gap >= meet {
            return film(gap);
        }
        let square = |h: f64| self.softness * self.softness / (8.0 * h * h);
        square(gap) - square(meet) + film(meet)
    }

    /// Time for a film to thin from one gap to a smaller one under pressure `[τ]`.
    pub fn approach_time(&self, from: f64, to: f64) -> f64 {
        let meet = self.crossover();
        let square = |h: f64| self.softness * self.softness / (8.0 * h * h);
        let poiseuille = (from / to.max(meet).min(from)).ln();
        let start = from.min(meet);
        poiseuille + if to < start { square(to) - square(start) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regimes_meet_where_their_rates_do() {
        let theory = Theory::new(3e-3, 2.0);
        let h = theory.crossover();
        assert!((theory.poiseuille(h) / theory.hertz(h) - 1.0).abs() < 1e-12);
        let (below, above) = (theory.separation_time(h * 0.999999), theory.separation_time(h));
        assert!((below - above).abs() < 1e-5);
    }

    #[test]
    fn deep_in_the_hertz_regime_durations_go_as_the_force_and_the_gap() {
        let time = |kappa, gap| Theory::new(kappa, 2.0).separation_time(gap);
        assert!((time(0.1, 1e-5) / (0.1f64.powf(4.0 / 3.0) * 1e10 / 8.0) - 1.0).abs() < 1e-6);
        assert!((time(0.1, 1e-5) / time(0.1, 1e-4) / 100.0 - 1.0).abs() < 1e-3);
    }
}
