//! Soft and rough particles at walls.

#[path = "common/walled.rs"]
mod walled;

use std::f64::consts::PI;

use nalgebra::Vector3;
use walled::*;
use zerostokes::integrate::End;
use zerostokes::integrate::verlet::Prediction;
use zerostokes::integrate::{Explicit, Inertia, Setup, Stepper};
use zerostokes::laws::repulsion::Repulsion;
use zerostokes::laws::rough::{Beginning, Film, Rolling, Rough};
use zerostokes::laws::soft::Soft;
use zerostokes::laws::{Interactions, Remote};
use zerostokes::obstacle::{Obstacle, Shape};
use zerostokes::state::PairIds;

const REPULSION: Repulsion = Repulsion { force: 50.0, debye_length: 0.02, smallest_radius: 1.0 };

/// Young's modulus of soft spheres.
const MODULUS: f64 = 1000.0;

const ROUGH: Rough = Rough {
    viscosity: 1.0,
    stiffness: 1e4,
    asperity_stiffness: 1e4,
    tangential_stiffness: 3e3,
    roughness: 5e-3,
    friction: 0.4,
    range: 0.5,
    beginning: Beginning::Smooth,
    film: Film::Printed { sliding: true, rolling: Rolling::Derived },
    remote: Remote::NONE,
};

fn soft() -> Interactions {
    Interactions::of(Soft {
        viscosity: 1.0,
        modulus: MODULUS,
        elastic_factors: [1.0, 0.7],
        range: 0.5,
        rolling: true,
        remote: Remote::of(Interactions::of(REPULSION)),
    })
}

fn rough() -> Interactions {
    Interactions::of(ROUGH)
}

#[test]
fn a_soft_sphere_rests_where_repulsion_and_elasticity_hold_it() {
    let push = 5.0;
    let scene = Scene {
        interactions: soft(),
        drive: pushed(1, [0.0, -push, 0.0]),
        obstacles: vec![floor()],
        tolerance: 1e-4,
        ..Scene::default()
    };
    let mut state = particles(&[1.0], &[[0.0, 1.05, 0.0]]);
    let (stepper, seen) = scene.run(&mut state, 150.0);
    // At a wall repulsion and elasticity have twice the radius in them.
    let (mut low, mut high) = (1e-4, 0.2);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if -REPULSION.tension([1.0, f64::INFINITY], middle)[0] > push {
            low = middle;
        } else {
            high = middle;
        }
    }
    let film = low;
    let (mut low, mut high) = (0.0, 0.1);
    for _ in 0..100 {
        let middle: f64 = 0.5 * (low + high);
        let force = 0.5 * (2.0 * (2.0 * film + middle)).sqrt() * MODULUS * middle;
        if force < push { low = middle } else { high = middle }
    }
    let height = 1.0 + film - low;
    let found = state.positions[0].y;
    assert!((found - height).abs() < 1e-7, "{found} {height}");
    assert!((seen.last().unwrap().gaps.thinnest_film - film).abs() < 1e-7);
    let load = stepper.obstacle_loads()[0].linear;
    assert!((load.y + push).abs() < 1e-6 && load.x.abs() < 1e-9, "{load}");
}

#[test]
fn a_rough_sphere_rests_on_its_asperities() {
    let push = 20.0;
    let scene = Scene {
        interactions: rough(),
        drive: pushed(1, [0.0, -push, 0.0]),
        obstacles: vec![floor()],
        tolerance: 1e-4,
        ..Scene::default()
    };
    let mut state = particles(&[1.0], &[[0.0, 1.05, 0.0]]);
    let (stepper, seen) = scene.run(&mut state, 60.0);
    // u = εa − F/k_n and u_n = u − F/k_b.
    let film = 5e-3 - push / 1e4;
    let last = seen.last().unwrap();
    assert!((last.gaps.thinnest_film - film).abs() < 1e-8, "{} {film}", last.gaps.thinnest_film);
    let height = state.positions[0].y - 1.0;
    assert!((height - (film - push / 1e4)).abs() < 1e-8, "{height}");
    assert_eq!((last.contacts.count, last.contacts.coordination), (1, 1.0));
    let load = stepper.obstacle_loads()[0].linear;
    assert!((load.y + push).abs() < 1e-6, "{load}");
}

#[test]
fn soft_films_carry_a_sphere_along_with_two_plates() {
    let plate = |y: f64| Obstacle {
        velocity: Vector3::new(1.0, 0.0, 0.0),
        ..Obstacle::fixed(
            "plate",
            Shape::Plane {
                point: Vector3::new(0.0, y, 0.0),
                normal: Vector3::new(0.0, -y.signum(), 0.0),
            },
        )
    };
    let scene = Scene {
        interactions: soft(),
        obstacles: vec![plate(-1.02), plate(1.02)],
        tolerance: 1e-4,
        ..Scene::default()
    };
    let mut state = particles(&[1.0], &[[0.0; 3]]);
    let (stepper, seen) = scene.run(&mut state, 100.0);
    // In steady state the films slide: 6π u = 2λ (1 − u).
    let films: Vec<_> = stepper.films().map(|seen| seen.film).collect();
    assert_eq!(films.len(), 2);
    let lambda = films[0].friction[1];
    let expected = 2.0 * lambda / (6.0 * PI + 2.0 * lambda);
    let motion = &state.velocities[0];
    assert!((motion.linear.x - expected).abs() < 1e-4 * expected, "{motion:?} {expected}");
    assert!(motion.angular.norm() < 1e-8, "{motion:?}");
    for load in stepper.obstacle_loads() {
        let sheared = -3.0 * PI * motion.linear.x;
        assert!((load.linear.x - sheared).abs() < 1e-6, "{load:?} {sheared}");
    }
    let worst = seen.iter().map(|o| o.power_mismatch()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn films_turn_with_their_walls() {
    // A box that turns, and one that does not: the same in the frame of the box.
    for interactions in [soft(), rough()] {
        let gaps: Vec<Vec<f64>> = [0.0, 1.0]
            .map(|turn| {
                let mut sides = around([1.004, 1.006, 1.005]);
                sides.spin = turn * Vector3::new(0.5, -0.3, 0.8);
                let scene = Scene {
                    interactions: interactions.clone(),
                    drag: false,
                    obstacles: vec![sides.clone()],
                    tolerance: 1e-6,
                    ..Scene::default()
                };
                let mut state = particles(&[1.0], &[[0.001, -0.002, 0.0015]]);
                let (stepper, seen) = scene.run(&mut state, 0.5);
                let thin = seen.last().unwrap().gaps.thinnest_film;
                let there = sides.turned(0.5).inverse() * state.positions[0];
                let load = stepper.obstacle_loads()[0];
                assert!(load.linear.norm() < 1e-6, "{load:?}");
                vec![there.x, there.y, there.z, thin]
            })
            .into();
        for (still, turned) in gaps[0].iter().zip(&gaps[1]) {
            assert!((still - turned).abs() < 4e-7, "{gaps:?}");
        }
    }
}

#[test]
fn a_rough_sphere_rolls_to_the_bottom_of_a_drum() {
    let push = 20.0;
    let drum = Obstacle::fixed(
        "drum",
        Shape::Cylinder { centre: Vector3::zeros(), axis: Vector3::z(), radius: 3.0, inside: true },
    );
    let scene = Scene {
        interactions: rough(),
        drive: pushed(1, [0.0, -push, 0.0]),
        obstacles: vec![drum],
        tolerance: 1e-3,
        ..Scene::default()
    };
    let angle: f64 = 1.0;
    let first = 1.99 * Vector3::new(angle.sin(), -angle.cos(), 0.1);
    let mut state = particles(&[1.0], &[first.into()]);
    let (stepper, seen) = scene.run(&mut state, 150.0);
    let there = state.positions[0];
    let apart = 3.0 - there.x.hypot(there.y) - 1.0;
    assert!((apart - (5e-3 - 2.0 * push / 1e4)).abs() < 1e-5, "{apart}");
    assert!(there.x.abs() < 1e-2 && there.z == first.z, "{there}");
    let load = stepper.obstacle_loads()[0].linear;
    assert!((load.y + push).abs() < 1e-3, "{load}");
    // Until it hardly moves any more.
    let rolling = seen.iter().filter(|o| o.power.input > 1e-3);
    let worst = rolling.map(|o| o.power_mismatch()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn films_at_walls_are_taken_up_again_bit_for_bit() {
    for interactions in [soft(), rough()] {
        let wall = Obstacle { velocity: Vector3::new(0.4, 0.02, 0.0), ..floor() };
        let scene = Scene {
            interactions,
            drive: pushed(2, [0.5, -5.0, 0.2]),
            obstacles: vec![wall],
            ..Scene::default()
        };
        let first = particles(&[1.0, 1.2], &[[0.0, 1.1, 0.0], [0.4, 3.3, 0.1]]);
        let mut whole = first.clone();
        scene.run(&mut whole, 0.5);
        assert!(whole.memory.ids.contains(&PairIds::at_surface(0, 0)), "{:?}", whole.memory.ids);
        let mut fresh = first;
        let end = End { strain: f64::INFINITY, time: 0.5 };
        while !end.reached(&fresh.clock) {
            scene.stepper(&fresh).step(&mut fresh, end).unwrap();
        }
        assert_eq!(whole, fresh);
    }
}

#[test]
fn explicit_steps_with_films_come_to_rest_on_the_floor() {
    let explicit = Explicit { safety: 0.1, step: None, prediction: Prediction::Whole };
    let push = 20.0;
    let scene = Scene {
        interactions: rough(),
        drive: pushed(1, [0.0, -push, 0.0]),
        obstacles: vec![floor()],
        ..Scene::default()
    };
    let mut state = particles(&[1.0], &[[0.0, 1.01, 0.0]]);
    let inertia = Some(Inertia { density: 1.0, explicit: Some(explicit) });
    let mut stepper = Stepper::new(&state, Setup { inertia, ..scene.setup() });
    let end = End { strain: f64::INFINITY, time: 8.0 };
    while !end.reached(&state.clock) {
        stepper.step(&mut state, end).unwrap();
    }
    let height = state.positions[0].y - 1.0;
    assert!((height - (5e-3 - 2.0 * push / 1e4)).abs() < 1e-5, "{height}");
}
