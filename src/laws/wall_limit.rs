//! A flat wall is the limit of an ever larger sphere, for every law: the same particle, the same motion
//! of the surface that it meets, the same force and torque on it.

use nalgebra::Vector3;

use super::attraction::Attraction;
use super::contact::{Contact, Springs};
use super::lubrication::{Cutoff, Film, Lubrication};
use super::repulsion::Repulsion;
use super::rough::{self, Rolling, Rough};
use super::soft::Soft;
use super::{Pair, PairLaw, Rates};
use crate::balance::{mean_spin, mirror, rates};
use crate::state::{Velocity, Wrench};

/// The radius that stands for an infinite one.
const LARGE: f64 = 1e5;

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

    /// The pair and its rates when it is turned to a normal, next to a sphere, or to a wall if it has no
    /// radius; and how the normal turns.
    fn seen(&self, normal: Vector3<f64>, radius: f64) -> (Pair, Rates, Vector3<f64>) {
        let (radii, gap) = ([1.0, radius], self.gap);
        let pair = Pair { radii, normal, distance: 1.0 + radius + gap, gap, step: self.step };
        let centre = Velocity {
            linear: self.surface.linear + self.surface.angular.cross(&(radius * normal)),
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
        let apart = 1.0 + radius + self.gap.max(1e-3);
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

/// Compares the wall with a large sphere, which may need another law.
fn compare(name: &str, at_wall: &dyn PairLaw, at_sphere: &dyn PairLaw) {
    let mut acts = 0;
    // The film of a large soft sphere that turns knows its direction to second order in the step only, times the
    // radius; films at walls that turn are compared with those at walls that do not in `tests/wall_films.rs`.
    let compared = |scene: &Scene| name != "soft" || scene.surface.angular == Vector3::zeros();
    for scene in Scene::all().into_iter().filter(compared) {
        let (wall, sphere) = (scene.wrench(at_wall, 0.0), scene.wrench(at_sphere, LARGE));
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
fn lubrication_at_a_wall_is_the_limit_of_a_large_sphere() {
    compare("lubrication", &LUBRICATION, &LUBRICATION);
}

#[test]
fn a_wall_knows_no_two_sphere_functions() {
    let law = Lubrication { film: Film::TwoBody, ..LUBRICATION };
    for scene in Scene::all() {
        assert_eq!(scene.wrench(&law, 0.0), scene.wrench(&LUBRICATION, 0.0));
    }
}

#[test]
fn contact_at_a_wall_is_the_limit_of_a_large_sphere() {
    for springs in [Springs::AtEnd, Springs::Mean] {
        let law = Contact {
            stiffness: 1e5,
            tangential_ratio: 2.0 / 7.0,
            friction: 0.5,
            critical_load: 10.0,
            damping: 2.0,
            springs,
        };
        compare("contact", &law, &law);
    }
}

#[test]
fn remote_forces_at_a_wall_are_the_limit_of_a_large_sphere() {
    let repulsion = Repulsion { force: 40.0, debye_length: 0.02, smallest_radius: 1.0 };
    compare("repulsion", &repulsion, &repulsion);
    let attraction = Attraction { hamaker: 5.0, regularisation: 0.1, range: 0.5 };
    compare("attraction", &attraction, &attraction);
}

#[test]
fn a_soft_film_at_a_wall_is_the_limit_of_a_large_sphere() {
    let law = Soft {
        viscosity: 1.0,
        modulus: 300.0,
        elastic_factors: [1.0, 0.7],
        range: 0.5,
        rolling: true,
        repulsion: Some(Repulsion { force: 4.0, debye_length: 0.02, smallest_radius: 1.0 }),
        attraction: None,
    };
    compare("soft", &law, &law);
}

#[test]
fn a_rough_film_at_a_wall_is_the_limit_of_a_large_sphere() {
    for rolling in [Rolling::Derived, Rolling::None] {
        let at_wall = Rough {
            viscosity: 1.0,
            stiffness: 1e4,
            asperity_stiffness: 1e4,
            tangential_stiffness: 3e3,
            roughness: 5e-3,
            friction: 0.4,
            range: 0.5,
            cutoff: Cutoff::Smooth,
            film: rough::Film::Printed { sliding: true, rolling },
            repulsion: None,
            attraction: None,
        };
        // Of two spheres asperities grow with the mean radius; those of a wall are none.
        let roughness = 2.0 * at_wall.roughness / (1.0 + LARGE);
        compare("rough", &at_wall, &Rough { roughness, ..at_wall });
    }
}
