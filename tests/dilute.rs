//! Few spheres in a lot of fluid.

mod common;

use common::{bidisperse, case, mean, simulate, viscosity};
use nalgebra::Vector3;

#[test]
fn one_sphere_follows_the_flow() {
    let (state, seen) = simulate(&case(
        "[particles]\npositions = [[0.5, 2.0, 1.0]]\nradii = [1.0]\n\
         [domain]\nboundary = \"open\"\n[drive]\nrate = 0.7\nstrain = 1.4\n",
    ));
    let there = Vector3::new(0.5 + 1.4 * 2.0, 2.0, 1.0);
    assert!((state.positions[0] - there).norm() < 1e-12, "{}", state.positions[0]);
    assert!(state.velocities[0].angular.norm() < 1e-12, "spins with the flow");
    assert!(seen.iter().all(|o| o.power.drag < 1e-20));
}

#[test]
fn one_sphere_falls_at_the_stokes_velocity() {
    let (state, _) = simulate(&case(
        "[particles]\npositions = [[0.0, 0.0, 0.0]]\nradii = [2.0]\n\
         [domain]\nboundary = \"open\"\n[fluid]\nviscosity = 0.5\n\
         [drive]\nrate = 0.0\ntime = 3.0\nforce = [0.0, 0.0, -5.0]\n\
         [[force]]\nparticles = [0]\nvector = [0.0, 0.0, 0.0]\ntorque = [1.0, 0.0, 0.0]\n",
    ));
    let velocity = -5.0 / (6.0 * std::f64::consts::PI * 0.5 * 2.0);
    assert!((state.positions[0].z - 3.0 * velocity).abs() < 1e-12);
    let spin = 1.0 / (8.0 * std::f64::consts::PI * 0.5 * 8.0);
    assert!((state.velocities[0].angular.x - spin).abs() < 1e-14);
}

#[test]
fn the_dilute_viscosity_is_einsteins() {
    for fraction in [0.002, 0.01] {
        let rest = "[drive]\nstrain = 2.0\n";
        let (_, seen) = simulate(&bidisperse(100, fraction, rest));
        let eta = mean(&seen, 0.0, viscosity).mean;
        let second_order = 10.0 * fraction * fraction;
        assert!((eta - (1.0 + 2.5 * fraction)).abs() < second_order, "{fraction}: {eta}");
    }
}
