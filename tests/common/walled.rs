//! Particles and obstacles, put together from the library.
#![allow(dead_code, reason = "every test file uses its own part")]

use nalgebra::Vector3;
use zerostokes::balance::Medium;
use zerostokes::cell::Cell;
use zerostokes::drive::Drive;
use zerostokes::integrate::Aim;
use zerostokes::integrate::Convergence;
use zerostokes::integrate::{End, Observation, Setup, StepSettings, Stepper};
use zerostokes::laws::Interactions;
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};
use zerostokes::obstacle::{Obstacle, Obstacles, Shape};
use zerostokes::solve::{Method, Solver};
use zerostokes::state::{Suspension, Wrench};

pub const LUBRICATION: Lubrication = Lubrication {
    viscosity: 1.0,
    inner_gap: 1e-3,
    outer_gap: 0.5,
    cutoff: Cutoff::Smooth,
    film: Film::Leading,
};

/// A run with obstacles.
pub struct Scene {
    pub interactions: Interactions,
    pub drive: Drive,
    pub drag: bool,
    pub tolerance: f64,
    pub longest: f64,
    pub obstacles: Vec<Obstacle>,
}

impl Default for Scene {
    fn default() -> Self {
        Scene {
            interactions: Interactions::of(LUBRICATION),
            drive: Drive::default(),
            drag: true,
            tolerance: 1e-3,
            longest: 0.1,
            obstacles: Vec::new(),
        }
    }
}

impl Scene {
    /// A stepper for particles.
    pub fn stepper(&self, state: &Suspension) -> Stepper {
        Stepper::new(state, self.setup())
    }

    /// What its stepper is made of.
    pub fn setup(&self) -> Setup {
        let medium = Medium { viscosity: 1.0, drag: self.drag, rotation: true, field: None };
        let settings = StepSettings {
            tolerance: self.tolerance,
            aim: Aim::Trajectory,
            first_step: 1e-4,
            max_step: self.longest,
            min_step: 1e-14,
            max_strain: if self.drive.rate == 0.0 { 0.0 } else { 0.1 },
            max_overlap: f64::INFINITY,
            max_stiffness: 0.0,
            adapt_stiffness: false,
            convergence: Convergence { law_residual: 1e-10, linear_residual: 1e-12, most: 60 },
        };
        let solver = Solver::new(Method::Auto, 2000);
        let (laws, drive) = (self.interactions.clone(), self.drive.clone());
        let setup = Setup::new(laws, drive, medium, settings, solver);
        Setup { obstacles: Obstacles::new(self.obstacles.clone()), ..setup }
    }

    /// Runs to a time.
    pub fn run(&self, state: &mut Suspension, time: f64) -> (Stepper, Vec<Observation>) {
        let mut stepper = self.stepper(state);
        let end = End { strain: f64::INFINITY, time };
        let mut seen = Vec::new();
        while !end.reached(&state.clock) {
            seen.push(stepper.step(state, end).unwrap_or_else(|e| panic!("{e}")));
        }
        (stepper, seen)
    }
}

/// Particles in open space.
pub fn particles(radii: &[f64], positions: &[[f64; 3]]) -> Suspension {
    let positions = positions.iter().map(|x| Vector3::from(*x)).collect();
    Suspension::new(radii.to_vec(), positions, Cell::Open)
}

/// A fixed floor through the origin, y upwards.
pub fn floor() -> Obstacle {
    Obstacle::fixed("floor", Shape::Plane { point: Vector3::zeros(), normal: Vector3::y() })
}

/// A fixed box with particles inside.
pub fn around(half: [f64; 3]) -> Obstacle {
    let (centre, half) = (Vector3::zeros(), Vector3::from(half));
    Obstacle::fixed("box", Shape::Box { centre, half, inside: true, open: [false; 6] })
}

/// The same force on so many particles.
pub fn pushed(count: usize, force: [f64; 3]) -> Drive {
    let wrench = Wrench { linear: Vector3::from(force), ..Wrench::default() };
    Drive { external: vec![wrench; count], ..Drive::default() }
}

/// \\(\int_{h_1}^{h_0} f\,dh\\) by Simpson's rule in ln h.
pub fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 4000;
    let width = (from / to).ln() / n as f64;
    let at = |k: usize| {
        let h = to * (k as f64 * width).exp();
        f(h) * h
    };
    (0..n / 2).map(|k| at(2 * k) + 4.0 * at(2 * k + 1) + at(2 * k + 2)).sum::<f64>() * width / 3.0
}

/// The gap at which the integral from the first gap has reached a time.
pub fn gap_after(time: f64, first: f64, slowness: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-3, first);
    for _ in 0..80 {
        let middle = (low * high).sqrt();
        if integral(first, middle, &slowness) > time { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}
