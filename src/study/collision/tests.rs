//! How collisions are stepped: order, energy, momentum.

use super::motion::Setting;
use super::{Collision, Partner};
use crate::integrate::verlet::{Body, Prediction};

fn delrin(stokes: f64, angle_deg: f64) -> Collision {
    Collision { stokes, angle_deg, ..Collision::default() }
}

/// Restitution and energy not accounted for with a share of the allowed step.
fn found(given: &Collision, step: f64) -> [f64; 2] {
    let setting = Setting::new(&Collision { step, ..given.clone() });
    let impact = setting.run();
    [setting.restitution(&impact), setting.energy_mismatch(&impact)]
}

#[test]
fn restitution_and_energy_converge_with_the_second_power_of_the_step() {
    for given in [delrin(50.0, 0.0), delrin(500.0, 0.0), delrin(500.0, 60.0)] {
        let [exact, _] = found(&given, 2e-4);
        let [coarse, fine] = [2e-2, 2.5e-3].map(|step| found(&given, step));
        // A step eight times shorter: 64 times less, but for the kinks of the law.
        let smaller = (coarse[0] - exact).abs() / (fine[0] - exact).abs();
        assert!(smaller > 40.0, "{given:?}: {coarse:?} {fine:?} {exact}");
        assert!(coarse[1].abs() > 25.0 * fine[1].abs(), "{given:?}: {coarse:?} {fine:?}");
        assert!(coarse[1].abs() < 1e-4 && fine[1].abs() < 1e-6, "{coarse:?} {fine:?}");
    }
}

#[test]
fn velocities_of_the_middle_of_a_step_leave_the_first_order() {
    let half = Collision { prediction: Prediction::Half, ..delrin(50.0, 0.0) };
    let [exact, _] = found(&delrin(50.0, 0.0), 2e-4);
    let errors = [2e-2, 1e-2, 5e-3].map(|step| (found(&half, step)[0] - exact).abs());
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1]).log2() < 1.4, "{errors:?}");
    }
    let whole = (found(&delrin(50.0, 0.0), 5e-3)[0] - exact).abs();
    assert!(errors[2] > 5.0 * whole, "{errors:?} {whole}");
}

#[test]
fn momentum_is_kept_and_angular_momentum_too() {
    let setting = Setting::new(&delrin(300.0, 35.0));
    let about_origin = |bodies: &[Body; 2]| -> f64 {
        let spin = 0.4 * setting.radius.powi(2);
        let of = |b: &Body| b.position.cross(&b.motion.linear).z + spin * b.motion.angular.z;
        bodies.iter().map(of).sum()
    };
    let (start, end) = (setting.start(), setting.run());
    let momentum = |b: &[Body; 2]| b[0].motion.linear + b[1].motion.linear;
    let drift = (momentum(&start.bodies) - momentum(&end.bodies)).norm();
    assert!(drift < 1e-12 * setting.speed, "{drift}");
    let [before, after] = [&start, &end].map(|impact| about_origin(&impact.bodies));
    assert!((after / before - 1.0).abs() < 1e-6, "{before} {after}");
    assert!(end.bodies[0].motion.angular.z.abs() > 0.1);
}

#[test]
fn a_wall_is_a_sphere_of_twice_the_reduced_radius_and_mass() {
    let wall = Setting::new(&Collision { partner: Partner::Wall, ..delrin(100.0, 0.0) });
    let pair = Setting::new(&delrin(100.0, 0.0));
    assert_eq!(wall.matter.radius, 2.0 * pair.matter.radius);
    assert_eq!(wall.matter.mass, 2.0 * pair.matter.mass);
    let impact = wall.run();
    assert_eq!(impact.bodies[1], Body::default());
    let e = wall.restitution(&impact);
    let lost = (wall.law.range / wall.law.approach).ln();
    assert!((e - (0.97 - 1.97 * lost / 100.0)).abs() < 0.01, "{e}");
}
