//! A flat wall is the limit of an ever larger sphere, for every law: the same particle, the same
//! motion of the surface that it meets, the same force and torque on it.

use std::f64::consts::PI;

use nalgebra::Vector3;
use zerostokes::balance::{mean_spin, mirror, rates};
use zerostokes::laws::lubrication::{Cutoff, Film, Lubrication};
use zerostokes::laws::{LARGE, Pair, PairLaw, Rates, WallLimit, touching_distance};
use zerostokes::state::{Velocity, Wrench};

/// A particle of unit radius near a surface.
struct Scene {
    normal: Vector3<f64>,
    gap: f64,
    particle: Velocity,
    /// The material of the surface where it is nearest.
    surface: Velocity,
    step: f64,
}

impl Scene {
    fn all() -> Vec<Scene> {
        let normal = Vector3::new(0.3, -0.8, 0.5).normalize();
        let particle = Velocity {
            linear: Vector3::new(0.4, -0.3, 0.9),
            angular: Vector3::new(-0.7, 0.2, 0.5),
        };
        let still = Velocity::default();
        let moving = Velocity { linear: Vector3::new(-0.5, 0.1, 0.3), ..still };
        let turning = Velocity { angular: Vector3::new(0.6, 0.8, -0.4), ..moving };
        let of = |gap: f64, surface, step| Scene { normal, gap, particle, surface, step };
        let surfaces = [still, moving, turning];
        let gaps = [0.1, 0.01, 2e-3, -1e-3];
        let scene = |k: usize| of(gaps[k % 4], surfaces[k / 4], [1e-3, 1e-2][k % 2]);
        (0..12).map(scene).collect()
    }

    /// The pair and its rates when it is turned to a normal, next to a sphere, or to a wall if its
    /// radius is infinite; and how the normal turns.
    fn seen(&self, normal: Vector3<f64>, radius: f64) -> (Pair, Rates, Vector3<f64>) {
        let (radii, gap) = ([1.0, radius], self.gap);
        let distance = touching_distance(radii) + gap;
        let pair = Pair { radii, normal, distance, gap, step: self.step };
        let arm = if radius.is_infinite() { 0.0 } else { radius };
        let centre = Velocity {
            linear: self.surface.linear + self.surface.angular.cross(&(arm * normal)),
            ..self.surface
        };
        let levers = pair.levers();
        let mut rates = rates(&normal, levers, &self.particle, &centre);
        if pair.meets_wall() {
            rates.spin = self.surface.angular;
            return (pair, rates, rates.spin.cross(&normal));
        }
        rates.spin = mean_spin(levers, &self.particle, &centre);
        (pair, rates, rates.slide / pair.distance + rates.spin.cross(&normal))
    }

    /// Force and torque on the particle in a step after another one that has made memories.
    fn wrench(&self, law: &dyn PairLaw, radius: f64) -> Wrench {
        let mut memory = vec![0.0; law.memory_len()];
        let apart = touching_distance([1.0, radius]) + self.gap.max(1e-3);
        law.init_memory([1.0, radius], &(apart * self.normal), &mut memory);
        let turned = |n: &Vector3<f64>, rate: Vector3<f64>| (n + self.step * rate).normalize();
        let (_, _, rate) = self.seen(self.normal, radius);
        let (pair, rates, rate) = self.seen(turned(&self.normal, rate), radius);
        law.advance_memory(&pair, &mut memory, &Rates { squeeze: 0.0, ..rates });
        let (pair, rates, _) = self.seen(turned(&pair.normal, rate), radius);
        let force = law.respond(&pair, &memory, &rates).force(&rates);
        let mirrored = mirror(&pair.normal, pair.levers(), &force);
        Wrench { linear: mirrored.force, angular: mirrored.torques[0] }
    }
}

#[test]
fn a_wall_is_the_limit_of_a_large_sphere() {
    for sample in super::samples() {
        let (beside, turned) = match sample.wall {
            WallLimit::Same => (sample.law.clone(), true),
            WallLimit::SameUnturned => (sample.law.clone(), false),
            WallLimit::Other(law) => (law, true),
            WallLimit::None => continue,
        };
        compare(sample.name, sample.law.as_ref(), beside.as_ref(), turned);
    }
}

/// Compares the wall with a large sphere, which may need another law.
fn compare(name: &str, at_wall: &dyn PairLaw, at_sphere: &dyn PairLaw, turned: bool) {
    let mut acts = 0;
    // Films at walls that turn are compared with those at walls that do not in
    // `tests/wall_films.rs`.
    let compared = |scene: &Scene| turned || scene.surface.angular == Vector3::zeros();
    for scene in Scene::all().into_iter().filter(compared) {
        let (wall, sphere) = (scene.wrench(at_wall, f64::INFINITY), scene.wrench(at_sphere, LARGE));
        let scale = wall.linear.norm() + wall.angular.norm();
        let apart = (wall.linear - sphere.linear).norm() + (wall.angular - sphere.angular).norm();
        assert!(apart <= 1e-4 * scale, "{name} at {}: {wall:?} {sphere:?}", scene.gap);
        acts += usize::from(scale > 0.0);
    }
    assert!(acts >= 3, "{name}");
}

const LUBRICATION: Lubrication = Lubrication {
    viscosity: 1.3,
    inner_gap: 1e-3,
    outer_gap: 0.3,
    cutoff: Cutoff::Smooth,
    film: Film::Leading,
};

#[test]
fn a_wall_knows_no_two_sphere_functions() {
    let law = Lubrication { film: Film::TwoBody, ..LUBRICATION };
    for scene in Scene::all() {
        assert_eq!(scene.wrench(&law, f64::INFINITY), scene.wrench(&LUBRICATION, f64::INFINITY));
    }
}

#[test]
fn a_wall_has_the_leading_logarithms_of_goldman_cox_and_brenner() {
    // Goldman, Cox & Brenner 1967: force and torque on a sphere that translates along a wall,
    // 6πμa (8/15) ℓ and 8πμa² (1/10) ℓ; on one that rotates, 6πμa² (2/15) ℓ and 8πμa³ (2/5) ℓ.
    let law = Lubrication { viscosity: 1.0, cutoff: Cutoff::Truncated, ..LUBRICATION };
    let (a, gap) = (1.3_f64, 0.01);
    let log = (a / gap).ln();
    let normal = -Vector3::y();
    let pair = Pair { radii: [a, f64::INFINITY], normal, distance: a + gap, gap, step: 0.0 };
    let resistance = law.respond(&pair, &[], &Rates::default()).resistance;
    let still = Velocity::default();
    let on_sphere = |moves: Velocity| {
        let rates = rates(&normal, pair.levers(), &moves, &still);
        let m = mirror(&normal, pair.levers(), &resistance.force(&rates));
        [m.force.x, m.torques[0].z]
    };
    let [force, torque] = on_sphere(Velocity { linear: Vector3::x(), ..still });
    assert!((force + 6.0 * PI * a * 8.0 / 15.0 * log).abs() < 1e-12);
    // In the sense in which it would roll.
    assert!((torque + 8.0 * PI * a * a / 10.0 * log).abs() < 1e-12, "{torque}");
    let [force, torque] = on_sphere(Velocity { angular: Vector3::z(), ..still });
    assert!((force + 6.0 * PI * a * a * 2.0 / 15.0 * log).abs() < 1e-12, "{force}");
    assert!((torque + 8.0 * PI * a.powi(3) * 2.0 / 5.0 * log).abs() < 1e-12);
    let expected = 6.0 * PI * (a * a / gap + a / 5.0 * log);
    assert!((law.squeeze_resistance([a, f64::INFINITY], gap) - expected).abs() < 1e-12 * expected);
}
