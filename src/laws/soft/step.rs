//! The film over a step, solved for in the pair: ln h and n at its end by Newton's method.

use nalgebra::{Matrix3, Vector3};

use super::slopes::{Block, Slopes};
use super::{Film, Memory, Soft};
use crate::laws::is_flat;

/// Most iterations of the solution inside a pair.
const MOST_ITERATIONS: usize = 20;

/// After so small a change of ln h and n Newton's method is exact: the next would be its square.
const LAST_CHANGE: f64 = 1e-8;

/// A guess of ln h farther than this from the base is none.
const FARTHEST_GUESS: f64 = 2.0;

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

    /// The residual of the film's equations in the axes of the film: ln h along n, the direction
    /// across it, given where the direction goes.
    fn residual(
        &self,
        film: &Film,
        axes: &Matrix3<f64>,
        (log_gap, direction, ahead): (f64, &Vector3<f64>, &Vector3<f64>),
    ) -> Vector3<f64> {
        let widening = film.normal.dot(&film.velocity) / film.gap;
        let off = if is_flat(self.radii) { direction - ahead } else { -ahead };
        let across = axes.tr_mul(&off);
        let along = log_gap - self.base.log_gap - self.duration * widening;
        Vector3::new(along, across.y, across.z)
    }

    /// How the residual changes with surfaces and centres, where the direction goes to `ahead`.
    fn slopes(&self, film: &Film, slopes: &Slopes, ahead: &Vector3<f64>) -> Linear {
        let (dt, turn) = (self.duration, 1.0 / film.arm(self.radii));
        let (x, c) = (&slopes.velocity_by_surfaces, &slopes.velocity_by_centres);
        let thinner = 1.0 / film.gap;
        let speed = film.normal.dot(&film.velocity);
        // The film at a wall does not tilt.
        let flat = is_flat(self.radii);
        let (along, slide) =
            if flat { (1.0, 0.0) } else { (film.normal.dot(ahead), slopes.slide * turn) };
        Linear {
            surfaces: Block {
                nn: thinner * (1.0 - dt * (x.nn - speed * thinner)),
                nt: -dt * x.nt * thinner,
                tn: -dt * (x.tn - slide) * turn,
                tt: (along - dt * x.tt) * turn,
                bb: (along - dt * x.bb) * turn,
            },
            spin: dt * film.normal.dot(&self.spin) * turn,
            centres: Block {
                nn: -dt * c.nn * thinner,
                nt: 0.0,
                tn: -dt * c.tn * turn,
                tt: -dt * c.tt * turn,
                bb: -dt * c.bb * turn,
            },
        }
    }

    /// ln h and n at the end of the step, looked for from a guess. `None` when they are not found.
    pub fn solve(&self, guess: Memory) -> Option<Solved> {
        let near = (guess.log_gap - self.base.log_gap).abs() < FARTHEST_GUESS;
        let guessed = if near { self.newton(guess) } else { None };
        guessed.or_else(|| self.newton(self.base)).or_else(|| self.approach())
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
        for _ in 0..MOST_ITERATIONS {
            let film = self.film(log_gap.exp(), direction);
            let slopes = Slopes::of(&film, self.law);
            let ahead = self.direction(&film, &direction);
            let linear = self.slopes(&film, &slopes, &ahead);
            let off = self.residual(&film, &slopes.axes, (log_gap, &direction, &ahead));
            let wanted = -linear.solve(&off);
            // Where the residual falls with the gap there is no stable film: away from there.
            let sign = if linear.rises() { 1.0 } else { -1.0 };
            let mut thicker = sign * wanted.x / film.gap;
            let turned = Vector3::new(0.0, wanted.y, wanted.z);
            let mut turn = slopes.axes * turned / film.arm(self.radii);
            let size = thicker.abs() + turn.norm();
            if !size.is_finite() {
                return None;
            }
            // Once it is this small, the next change is its square, but for rounding.
            let last_change = size < LAST_CHANGE || (size < 1e-7 && size > 0.3 * last);
            last = size;
            thicker = thicker.clamp(-1.5, 1.5);
            turn *= (0.2 / turn.norm()).min(1.0);
            log_gap += thicker;
            direction = straight(self.radii, direction + turn);
            if last_change {
                return Some(self.solved(log_gap, direction, &slopes, &linear));
            }
        }
        None
    }

    /// The film found, with slopes that were found next to it.
    fn solved(
        &self,
        log_gap: f64,
        direction: Vector3<f64>,
        slopes: &Slopes,
        linear: &Linear,
    ) -> Solved {
        let film = self.film(log_gap.exp(), direction);
        let by_centres = slopes.force_by_centres.columns();
        let moved = linear.centres.columns();
        let local = [0, 1, 2]
            .map(|k| by_centres[k] - slopes.force_by_surfaces.times(&linear.solve(&moved[k])));
        let axes = &slopes.axes;
        let slope = axes * Matrix3::from_columns(&local) * axes.transpose();
        let direction = self.direction(&film, &direction);
        Solved { film, slope, memory: Memory { log_gap, direction } }
    }
}

/// The film's equations over a step, to first order and in the axes of the film: how their residual
/// changes.
struct Linear {
    surfaces: Block,
    /// What the spin about n turns from one tangential axis into the other, with the surfaces.
    spin: f64,
    centres: Block,
}

impl Linear {
    /// The slope along t, with what the spin makes of it across.
    fn tt(&self) -> f64 {
        self.surfaces.tt + self.spin * self.spin / self.surfaces.bb
    }

    /// Whether the residual along n rises with the gap once the film is balanced across n.
    fn rises(&self) -> bool {
        self.surfaces.nn > self.surfaces.nt * self.surfaces.tn / self.tt()
    }

    /// The move of the surfaces that changes the residual by `r`.
    fn solve(&self, r: &Vector3<f64>) -> Vector3<f64> {
        let (by, spin) = (&self.surfaces, self.spin);
        let tt = self.tt();
        let along_t = r.y - spin * r.z / by.bb;
        let determinant = by.nn * tt - by.nt * by.tn;
        let t = (by.nn * along_t - by.tn * r.x) / determinant;
        let n = (tt * r.x - by.nt * along_t) / determinant;
        Vector3::new(n, t, (r.z + spin * t) / by.bb)
    }
}

/// The direction of a film, of unit length but at a wall.
pub(super) fn straight(radii: [f64; 2], direction: Vector3<f64>) -> Vector3<f64> {
    if is_flat(radii) { direction } else { direction.normalize() }
}
