//! Positions and radii in, velocities and stress of that instant out: no case, no run, no files.
//!
//! Two spheres are pressed together along x while a third one, far away, is pulled by the same
//! force. Lengths are in radii a, the viscosity is 1.

use std::f64::consts::PI;

use nalgebra::Vector3;
use zerostokes::cell::Cell;
use zerostokes::drive::Drive;
use zerostokes::integrate::{Setup, Stepper};
use zerostokes::laws::Interactions;
use zerostokes::laws::lubrication::{self, Cutoff, Film, Lubrication};
use zerostokes::state::{Suspension, Wrench};

const GAP: f64 = 0.01;
const FORCE: f64 = 10.0;

/// Runs the example.
pub fn main() {
    let film = Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-6,
        outer_gap: 0.5,
        cutoff: Cutoff::Truncated,
        film: Film::Leading,
    };
    let positions = [[0.0, 0.0, 0.0], [2.0 + GAP, 0.0, 0.0], [0.0, 8.0, 0.0]].map(Vector3::from);
    let push =
        [FORCE, -FORCE, FORCE].map(|f| Wrench { linear: f * Vector3::x(), ..Wrench::default() });
    let cell = Cell::periodic(Vector3::repeat(16.0));
    let mut spheres = Suspension::new(vec![1.0; 3], positions.to_vec(), cell);

    // One balance of forces: drag, film and push.
    let drive = Drive { external: push.to_vec(), ..Drive::default() };
    let setup = Setup { laws: Interactions::of(film), drive, ..Setup::default() };
    let seen = Stepper::new(&spheres, setup).balance(&mut spheres).expect("forces balance");
    let [left, right, lone] = [0, 1, 2].map(|i| spheres.velocities[i].linear.x);
    let stress = seen.stress.of(lubrication::ORIGIN)[(0, 0)];
    println!("lone sphere         u = {lone:.6}, Stokes: {:.6}", FORCE / (6.0 * PI));

    // On each of the two: F = 6πμa u + X · 2u, with the resistance X = 3π/2 a²/h + 27π/20 a ln(a/h)
    // that a film of thickness h has against squeezing (Jeffrey & Onishi 1984).
    let squeeze = 1.5 * PI / GAP + 1.35 * PI * (1.0 / GAP).ln();
    let expected = FORCE / (6.0 * PI + 2.0 * squeeze);
    println!("pressed together    u = {left:.6}, theory: {expected:.6}");

    // What drag does not take presses on the film, which carries it from centre to centre.
    let pressed = -2.0 * squeeze * expected * (2.0 + GAP) / 16.0_f64.powi(3);
    println!("stress of the film  σ_xx = {stress:.6e}, theory: {pressed:.6e}");

    let close = |found: f64, theory: f64| (found / theory - 1.0).abs() < 1e-6;
    assert!(close(lone, FORCE / (6.0 * PI)));
    assert!(close(left, expected) && close(-right, expected));
    assert!(close(stress, pressed));
}
