//! The film over a step, solved for in the pair: ln h and n at its end by Newton's method.

use nalgebra::{Matrix3, Vector3};

use super::{Film, Memory, Soft};
use crate::laws::is_flat;

/// Most iterations of the solution inside a pair.
const MOST_ITERATIONS: usize = 20;

/// Shorter steps, each a quarter of the next, that lead to a solution which is hard to find.
const SHORTENINGS: i32 = 10;

/// A film at the end of a step, with what it takes to differentiate it.
pub(super) struct Solved {
    pub film: Film,
    /// Slope of the force in the separation of the centres at the end of the step.
    pub slope: Matrix3<f64>,
    /// What is remembered then; the direction is not normalised.
    pub memory: Memory,
}

/// The film's equations over a step: base, centres and spin.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub law: &'a Soft,
    pub radii: [f64; 2],
    pub separation: Vector3<f64>,
    pub base: Memory,
    pub spin: Vector3<f64>,
    /// What slides away at a wall, in radii.
    pub slipping: Vector3<f64>,
    pub duration: f64,
}

impl Step<'_> {
    fn film(&self, gap: f64, direction: Vector3<f64>) -> Film {
        Film::new(self.law, self.radii, &self.separation, gap, direction)
    }

    /// Where the direction goes that began as the base's and is now `direction`.
    fn direction(&self, film: &Film, direction: &Vector3<f64>) -> Vector3<f64> {
        let n = film.normal;
        let slide = film.velocity - n.dot(&film.velocity) * n;
        let turn = slide / film.arm(self.radii) + self.spin.cross(direction) - self.slipping;
        self.base.direction + self.duration * turn
    }

    /// The residual of the film's equations: ln h along n, the direction across it.
    fn residual(&self, film: &Film, log_gap: f64, direction: &Vector3<f64>) -> Vector3<f64> {
        let n = film.normal;
        let widening = n.dot(&film.velocity) / film.gap;
        let m = self.direction(film, direction);
        let m = if is_flat(self.radii) { m - direction } else { m };
        (log_gap - self.base.log_gap - self.duration * widening) * n - (m - n.dot(&m) * n)
    }

    /// The change of the residual with the centres and the surfaces.
    fn residual_change(
        &self,
        film: &Film,
        log_gap: f64,
        d_centres: &Vector3<f64>,
        d_surfaces: &Vector3<f64>,
    ) -> Vector3<f64> {
        let (n, length, dt) = (film.normal, film.arm(self.radii), self.duration);
        let change = film.change(self.law, d_centres, d_surfaces);
        let d_gap = n.dot(d_surfaces);
        if is_flat(self.radii) {
            let speed = n.dot(&film.velocity);
            let d_widening = (change.normal_velocity - speed * d_gap / film.gap) / film.gap;
            let d_direction = (d_surfaces - d_gap * n) / length;
            let d_turn = change.tangential_velocity / length + self.spin.cross(&d_direction);
            let d_across = d_direction - dt * (d_turn - n.dot(&d_turn) * n);
            return (d_gap / film.gap - dt * d_widening) * n + d_across;
        }
        let d_normal = (d_surfaces - d_gap * n) / length;
        let speed = n.dot(&film.velocity);
        let widening = speed / film.gap;
        let d_widening = change.normal_velocity / film.gap - widening * d_gap / film.gap;
        let slide = film.velocity - speed * n;
        let d_turn = (change.tangential_velocity - slide * (d_gap / length)) / length
            + self.spin.cross(&d_normal);
        let m = self.direction(film, &n);
        let d_m = dt * d_turn;
        let along = n.dot(&m);
        let d_across = d_m - n.dot(&d_m) * n - along * d_normal - d_normal.dot(&m) * n;
        let along_residual = log_gap - self.base.log_gap - dt * widening;
        (d_gap / film.gap - dt * d_widening) * n + along_residual * d_normal - d_across
    }

    /// ln h and n at the end of the step. `None` when they are not found.
    pub fn solve(&self) -> Option<Solved> {
        self.newton(self.base).or_else(|| self.approach())
    }

    /// Finds the solution through those of shorter steps, which are nearer to the base.
    fn approach(&self) -> Option<Solved> {
        let mut solved = None;
        let mut guess = self.base;
        for k in (0..=SHORTENINGS).rev() {
            let duration = self.duration * 0.25f64.powi(k);
            let found = Step { duration, ..*self }.newton(guess)?;
            let direction =
                if is_flat(self.radii) { found.memory.direction } else { found.film.normal };
            guess = Memory { direction, ..found.memory };
            solved = Some(found);
        }
        solved
    }

    /// Newton's iteration from a guess. `None` when it fails.
    fn newton(&self, guess: Memory) -> Option<Solved> {
        let (mut log_gap, mut direction) = (guess.log_gap, straight(self.radii, guess.direction));
        let mut last = f64::INFINITY;
        let still = Vector3::zeros();
        for _ in 0..MOST_ITERATIONS {
            let film = self.film(log_gap.exp(), direction);
            let normal = film.normal;
            let by_surfaces = Matrix3::from_columns(
                &[0, 1, 2]
                    .map(|k| self.residual_change(&film, log_gap, &still, &Vector3::ith(k, 1.0))),
            );
            let inverse = by_surfaces.try_inverse()?;
            let wanted = -(inverse * self.residual(&film, log_gap, &direction));
            let along = normal.dot(&wanted);
            let mut thicker = along / film.gap;
            let mut turn = (wanted - along * normal) / film.arm(self.radii);
            let size = thicker.abs() + turn.norm();
            if !size.is_finite() {
                return None;
            }
            // Rounding stops the iteration from improving before it is exact.
            if size < 1e-14 || (size < 1e-7 && size > 0.3 * last) {
                return Some(self.solved(film, log_gap, &direction, inverse));
            }
            last = size;
            thicker = thicker.clamp(-1.5, 1.5);
            turn *= (0.2 / turn.norm()).min(1.0);
            log_gap += thicker;
            direction = straight(self.radii, direction + turn);
        }
        None
    }

    fn solved(
        &self,
        film: Film,
        log_gap: f64,
        direction: &Vector3<f64>,
        inverse: Matrix3<f64>,
    ) -> Solved {
        let still = Vector3::zeros();
        let slope = [0, 1, 2].map(|k| {
            let d_centres = Vector3::ith(k, 1.0);
            let moved = self.residual_change(&film, log_gap, &d_centres, &still);
            film.change(self.law, &d_centres, &-(inverse * moved)).force
        });
        let direction = self.direction(&film, direction);
        Solved { film, slope: Matrix3::from_columns(&slope), memory: Memory { log_gap, direction } }
    }
}

/// The direction of a film, of unit length but at a wall.
pub(super) fn straight(radii: [f64; 2], direction: Vector3<f64>) -> Vector3<f64> {
    if is_flat(radii) { direction } else { direction.normalize() }
}
