//! Walls and moving obstacles: what they do to particles, and what particles do to them.

#[path = "common/walled.rs"]
mod walled;

use std::f64::consts::PI;

use nalgebra::Vector3;
use walled::*;
use zerostokes::drive::{Drive, Flow};
use zerostokes::integrate::verlet::Prediction;
use zerostokes::integrate::{End, Explicit, Inertia, Setup, Stepper};
use zerostokes::laws::Interactions;
use zerostokes::laws::contact::{Contact, Springs};
use zerostokes::obstacle::{Obstacle, Shape};
use zerostokes::state::{Suspension, Wrench};

const CONTACT: Contact = Contact {
    stiffness: 1e4,
    tangential_ratio: 2.0 / 7.0,
    friction: 0.5,
    critical_load: 0.0,
    damping: 0.0,
    backing: None,
    springs: Springs::AtEnd,
};

/// Lubrication, and contacts with friction.
fn frictional() -> Interactions {
    Interactions::of(LUBRICATION).with(CONTACT)
}

/// Particles with the stiffness of their contacts.
fn stiff(mut state: Suspension) -> Suspension {
    state.stiffness = CONTACT.stiffness;
    state
}

#[test]
fn a_sphere_sinks_to_a_floor_as_its_film_lets_it() {
    for (drag, time) in [(6.0 * PI, 1.5), (0.0, 2.0)] {
        let slowness =
            |h: f64| (drag + LUBRICATION.squeeze_resistance([1.0, f64::INFINITY], h)) / 20.0;
        let exact = gap_after(time, 0.3, slowness);
        assert!(exact > 2e-3 && exact < 0.1, "{exact}: a test of the singular regime");
        let scene = Scene {
            drive: pushed(1, [0.0, -20.0, 0.0]),
            drag: drag > 0.0,
            obstacles: vec![floor()],
            ..Scene::default()
        };
        let mut state = particles(&[1.0], &[[0.3, 1.3, -0.2]]);
        let (stepper, seen) = scene.run(&mut state, time);
        let gap = state.positions[0].y - 1.0;
        assert!((gap - exact).abs() < 1e-6 * exact, "{gap} {exact} in {} steps", seen.len());
        let carried = stepper.obstacle_loads()[0].linear.y;
        let expected = -20.0 - drag * state.velocities[0].linear.y;
        assert!((carried - expected).abs() < 1e-8 * 20.0, "{carried} {expected}");
    }
}

#[test]
fn what_moves_along_with_its_walls_feels_nothing() {
    // A box just larger than the sphere that is carried away and turned: without drag the sphere
    // moves as part of it.
    let mut moved = around([1.1, 1.2, 1.3]);
    moved.velocity = Vector3::new(0.7, -0.4, 0.2);
    for (spin, precision) in [(Vector3::zeros(), 1e-12), (Vector3::new(0.3, 0.9, -0.5), 1e-5)] {
        moved.spin = spin;
        moved.pivot = Vector3::new(0.5, 0.2, 0.0);
        let scene = Scene {
            drag: false,
            obstacles: vec![moved.clone()],
            longest: 0.01,
            ..Scene::default()
        };
        let mut state = particles(&[1.0], &[[0.02, -0.03, 0.05]]);
        let first = state.positions[0];
        let (stepper, seen) = scene.run(&mut state, 1.0);
        let apart = (state.positions[0] - moved.carried(&first, 1.0)).norm();
        assert!(apart < precision, "{spin}: {apart:e}");
        let angular = (state.velocities[0].angular - spin).norm();
        assert!(angular < 10.0 * precision.max(1e-9), "{angular:e}");
        let load = &stepper.obstacle_loads()[0];
        // Squeezing it would take forces of the order of 100 at such velocities.
        assert!(load.linear.norm() + load.angular.norm() < 1e3 * precision, "{load:?}");
        assert!(seen.iter().all(|o| o.power.pairs.iter().sum::<f64>() < 1e3 * precision));
    }
}

/// Ten spheres that settle in a box whose floor is swept by a wheel.
fn settling() -> (Scene, Suspension) {
    let wheel = Obstacle {
        spin: Vector3::new(0.0, 0.0, 0.8),
        ..Obstacle::fixed(
            "wheel",
            Shape::Wheel {
                centre: Vector3::new(0.0, -4.0, 0.0),
                axis: Vector3::z(),
                radius: 1.0,
                paddles: 4,
                reach: 2.5,
                thickness: 0.3,
            },
        )
    };
    let scene = Scene {
        interactions: frictional(),
        drive: pushed(10, [2.0, -20.0, 1.0]),
        obstacles: vec![around([4.0, 4.2, 4.0]), wheel],
        tolerance: 1e-2,
        ..Scene::default()
    };
    let place = |k: usize| {
        let (x, y, z) = ((k % 3) as f64, (k / 9) as f64, (k / 3 % 3) as f64);
        [2.3 * x - 2.3 + 0.1 * y, 2.5 * y - 0.2, 2.3 * z - 2.3]
    };
    let places: Vec<_> = (0..10).map(place).collect();
    let radii: Vec<_> = (0..10).map(|k| 1.0 + 0.1 * f64::from(k % 2)).collect();
    (scene, stiff(particles(&radii, &places)))
}

#[test]
fn forces_on_particles_and_obstacles_balance() {
    let (scene, mut state) = settling();
    let mut stepper = scene.stepper(&state);
    let end = End { strain: f64::INFINITY, time: 4.0 };
    let mut touched = 0;
    while !end.reached(&state.clock) {
        let before = state.positions.clone();
        let seen = stepper.step(&mut state, end).unwrap();
        let loads = stepper.obstacle_loads();
        let mut sum = Wrench::default();
        let mut size = 0.0;
        for (k, motion) in state.velocities.iter().enumerate() {
            let a = state.radii[k];
            let force = scene.drive.external[k].linear - 6.0 * PI * a * motion.linear;
            let centre = before[k] + 0.5 * seen.step * motion.linear;
            sum.linear += force;
            sum.angular += centre.cross(&force) - 8.0 * PI * a.powi(3) * motion.angular;
            size += force.norm();
        }
        for (body, load) in scene.obstacles.iter().zip(&loads) {
            let pivot = body.pivot_at(seen.time - 0.5 * seen.step);
            sum.linear -= load.linear;
            sum.angular -= load.angular + pivot.cross(&load.linear);
            size += load.linear.norm();
        }
        assert!(sum.linear.norm() < 1e-9 * size, "{:e} of {size}", sum.linear.norm());
        assert!(sum.angular.norm() < 1e-8 * size, "{:e} of {size}", sum.angular.norm());
        assert!(seen.power_mismatch() < 1e-8, "{:e}", seen.power_mismatch());
        touched += usize::from(loads.iter().all(|load| load.linear.norm() > 1.0));
    }
    assert!(touched > 5, "both obstacles were touched in {touched} steps only");
}

#[test]
fn the_power_of_a_moving_plane_is_accounted_for() {
    // A press that comes down on two spheres, in a flow and without one.
    for rate in [0.0, 0.6] {
        let lid = Obstacle {
            velocity: Vector3::new(0.3, -0.2, 0.1),
            ..Obstacle::fixed(
                "lid",
                Shape::Plane { point: Vector3::new(0.0, 5.0, 0.0), normal: -Vector3::y() },
            )
        };
        let drive = Drive { rate, flow: Flow::default(), ..Drive::default() };
        let scene = Scene {
            interactions: frictional(),
            drive,
            obstacles: vec![floor(), lid],
            ..Scene::default()
        };
        let mut state = stiff(particles(&[1.0, 1.2], &[[0.0, 1.1, 0.0], [0.4, 3.4, 0.1]]));
        let mut stepper = scene.stepper(&state);
        let end = End { strain: f64::INFINITY, time: 2.0 };
        let mut most: f64 = 0.0;
        while !end.reached(&state.clock) {
            let seen = stepper.step(&mut state, end).unwrap();
            assert!(seen.power_mismatch() < 1e-8, "{rate}: {:e}", seen.power_mismatch());
            if rate == 0.0 {
                let load = stepper.obstacle_loads()[1].linear;
                let work = -load.dot(&scene.obstacles[1].velocity);
                assert!((work - seen.power.input).abs() < 1e-10 * work.abs(), "{work}");
                most = most.max(work);
            }
        }
        assert!(rate > 0.0 || most > 1.0, "{most}");
    }
}

#[test]
fn a_moving_floor_drags_a_sphere_along() {
    let belt = Obstacle { velocity: Vector3::new(1.0, 0.0, 0.0), ..floor() };
    for (push, slips) in [(200.0, false), (5.0, true)] {
        let interactions = Interactions::of(CONTACT);
        let scene = Scene {
            interactions,
            drive: pushed(1, [0.0, -push, 0.0]),
            obstacles: vec![belt.clone()],
            longest: 0.02,
            ..Scene::default()
        };
        let mut state = stiff(particles(&[1.0], &[[0.0, 1.0, 0.0]]));
        let mut stepper = scene.stepper(&state);
        let end = End { strain: f64::INFINITY, time: 3.0 };
        while !end.reached(&state.clock) {
            stepper.step(&mut state, end).unwrap();
            let load = stepper.obstacle_loads()[0].linear;
            let friction = load.x.hypot(load.z);
            assert!(friction <= 0.5 * -load.y * (1.0 + 1e-9), "{load}");
        }
        let (load, motion) = (stepper.obstacle_loads()[0].linear, &state.velocities[0]);
        assert!((load.y + push).abs() < 1e-6 * push, "{load}");
        // Drag on translation and rotation: 6π u = T, 8π ω = −T; the point of contact moves at u −
        // ω.
        let friction = -load.x;
        assert!((6.0 * PI * motion.linear.x - friction).abs() < 1e-6, "{motion:?} {friction}");
        // Turned by friction at the radius of the sphere.
        assert!((8.0 * PI * motion.angular.z - friction).abs() < 1e-3 * friction, "{motion:?}");
        if slips {
            assert!((friction - 0.5 * push).abs() < 1e-6, "{friction}");
        } else {
            let expected = 1.0 / (1.0 / (6.0 * PI) + 1.0 / (8.0 * PI));
            assert!((friction - expected).abs() < 1e-2 * expected, "{friction} {expected}");
            let slide = 1.0 - motion.linear.x - motion.angular.z;
            assert!(slide.abs() < 1e-4, "{slide}");
        }
    }
}

#[test]
fn a_fixed_sphere_is_a_particle_that_is_held() {
    let shape = Shape::Sphere { centre: Vector3::new(0.0, -1.4, 0.0), radius: 1.4, inside: false };
    let held = Obstacle::fixed("sphere", shape);
    let force = [3.0, -12.0, 1.0];
    let place = [0.5, 1.08, -0.3];
    let scene = Scene { drive: pushed(1, force), obstacles: vec![held], ..Scene::default() };
    let mut state = particles(&[1.0], &[place]);
    scene.stepper(&state).balance(&mut state).unwrap();
    // The same film in the resistance of two particles, of which one does not move.
    let both = Scene { drive: pushed(2, force), ..Scene::default() };
    let mut pair = particles(&[1.0, 1.4], &[place, [0.0, -1.4, 0.0]]);
    let mut stepper = both.stepper(&pair);
    stepper.balance(&mut pair).unwrap();
    let block = stepper.operator().diagonal(0);
    let expected = block.lu().solve(&both.drive.external[0].vector()).unwrap();
    let apart = (state.velocities[0].vector() - expected).norm();
    assert!(apart < 1e-10 * expected.norm(), "{:?} {expected}", state.velocities[0]);
    // On the line of centres the gap closes at the analytic rate.
    let scene = Scene { drive: pushed(1, [0.0, -12.0, 0.0]), ..scene };
    let mut state = particles(&[1.0], &[[0.0, 1.3, 0.0]]);
    scene.run(&mut state, 1.0);
    let slowness = |h: f64| (6.0 * PI + LUBRICATION.squeeze_resistance([1.0, 1.4], h)) / 12.0;
    let exact = gap_after(1.0, 0.3, slowness);
    let gap = state.positions[0].y - 1.0;
    assert!((gap - exact).abs() < 1e-6 * exact, "{gap} {exact}");
}

#[test]
fn a_run_that_is_taken_up_again_goes_on_bit_for_bit() {
    let (scene, first) = settling();
    let mut whole = first.clone();
    scene.run(&mut whole, 3.0);
    assert!(whole.memory.ids.iter().any(|ids| ids.is_grounded()), "no contact with a wall");
    let mut fresh = first;
    let end = End { strain: f64::INFINITY, time: 3.0 };
    while !end.reached(&fresh.clock) {
        scene.stepper(&fresh).step(&mut fresh, end).unwrap();
    }
    assert_eq!(whole, fresh);
}

#[test]
fn a_sphere_with_inertia_comes_to_rest_on_the_floor() {
    let explicit = Explicit { safety: 0.2, step: None, prediction: Prediction::Whole };
    let mut rests = Vec::new();
    for explicit in [None, Some(explicit)] {
        let interactions = Interactions::of(CONTACT);
        let scene = Scene {
            interactions,
            drive: pushed(1, [1.0, -20.0, 0.0]),
            obstacles: vec![floor()],
            ..Scene::default()
        };
        let mut state = stiff(particles(&[1.0], &[[0.0, 1.2, 0.0]]));
        let inertia = Some(Inertia { density: 0.3, explicit });
        let mut stepper = Stepper::new(&state, Setup { inertia, ..scene.setup() });
        let end = End { strain: f64::INFINITY, time: 2.5 };
        while !end.reached(&state.clock) {
            stepper.step(&mut state, end).unwrap();
        }
        let overlap = 1.0 - state.positions[0].y;
        assert!((overlap - 20.0 / 1e4).abs() < 1e-6, "{explicit:?}: {overlap}");
        let load = stepper.obstacle_loads()[0].linear;
        assert!((load.y + 20.0).abs() < 1e-3, "{load}");
        // It rolls: 6π u + 8π ω = 1 with u = ω, up to the lever of the overlap.
        let speed = state.velocities[0].linear.x;
        assert!((speed - 1.0 / (14.0 * PI)).abs() < 1e-4, "{speed}");
        rests.push(state.positions[0].x);
    }
    assert!((rests[0] - rests[1]).abs() < 5e-3 * rests[1], "{rests:?}");
}
