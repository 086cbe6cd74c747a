//! The operator against its blocks.

use super::*;
use crate::hydro::Table;
use rand::{RngExt, SeedableRng};

/// A random positive definite operator on `n` particles, every pair of them coupled.
pub(crate) fn random_operator(n: usize, seed: u64) -> Operator {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut draw = move || rng.random::<f64>();
    let mut blocks = Vec::new();
    for i in 0..n {
        for j in i + 1..n.min(i + 6) {
            let (slide, roll) = (20.0 * draw(), 5.0 * draw());
            let coupling = 0.9 * (2.0 * draw() - 1.0) * f64::sqrt(slide * roll);
            blocks.push(PairBlock {
                ids: PairIds::particles(i as u32, j as u32),
                normal: Vector3::new(draw() - 0.5, draw() - 0.5, draw() - 0.5).normalize(),
                levers: [0.5 + draw(), 0.5 + draw()],
                resistance: Resistance {
                    squeeze: 1000.0 * draw(),
                    slide,
                    slide_roll: coupling,
                    roll,
                    twist: draw(),
                },
            });
        }
    }
    let drag = (0..n).map(|_| stokes_drag(1.0, 1.0 + draw())).collect();
    Operator::new(drag, blocks, 1.0)
}

pub(crate) fn random_screws(n: usize, seed: u64) -> Vec<Screw> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut draw = move || Vector3::from_fn(|_, _| rng.random::<f64>() - 0.5);
    (0..n).map(|_| Screw { linear: draw(), angular: draw() }).collect()
}

use crate::state::Screw;

fn flat(s: &Screw) -> Vector6<f64> {
    Vector6::from_fn(|k, _| if k < 3 { s.linear[k] } else { s.angular[k - 3] })
}

#[test]
fn blocks_are_the_operator() {
    check_blocks(&random_operator(2, 3));
}

#[test]
fn blocks_are_the_operator_with_unsymmetric_slopes_too() {
    let mut operator = random_operator(2, 3);
    let normal = operator.blocks[0].normal;
    let across = |v: Vector3<f64>| v - normal.dot(&v) * normal;
    let [a, b] = [Vector3::new(3.0, -7.0, 2.0), Vector3::new(-4.0, 1.0, 9.0)].map(across);
    operator.unsymmetric = vec![Unsymmetric {
        pull_by_slide: a,
        shear_by_squeeze: b,
        shear_by_slide: a * b.transpose(),
        turns: true,
    }];
    check_blocks(&operator);
}

fn check_blocks(operator: &Operator) {
    let u = random_screws(2, 4);
    let mut out = u.clone();
    operator.apply(&u, &mut out);
    let [i, j] = [flat(&u[0]), flat(&u[1])];
    let on_i = operator.diagonal(0) * i + operator.coupling(0, 0) * j;
    let on_j = operator.diagonal(1) * j + operator.coupling(0, 1) * i;
    assert!((on_i - flat(&out[0])).norm() < 1e-12 * on_i.norm());
    assert!((on_j - flat(&out[1])).norm() < 1e-12 * on_j.norm());
}

/// Arms from the centres of two bodies to a point between them, and the vector from one centre to
/// the other.
fn random_arms(seed: u64) -> ([Vector3<f64>; 2], Vector3<f64>) {
    let [a, b] = [0, 1].map(|k| random_screws(2, seed)[k].linear);
    ([a, b], a - b)
}

#[test]
fn blocks_are_the_operator_with_arms_anywhere_too() {
    let mut operator = random_operator(2, 3);
    operator.arms = vec![random_arms(7).0];
    check_blocks(&operator);
    // It resists every motion.
    let u = random_screws(2, 5);
    let mut out = u.clone();
    operator.apply(&u, &mut out);
    let power: f64 = u.iter().zip(&out).map(|(u, f)| flat(u).dot(&flat(f))).sum();
    assert!(power > 0.0);
}

#[test]
fn arms_along_the_normal_are_those_of_spheres() {
    let plain = random_operator(2, 3);
    let mut general = plain.clone();
    let PairBlock { normal, levers: [a, b], .. } = plain.blocks[0];
    general.arms = vec![[a * normal, -b * normal]];
    let u = random_screws(2, 4);
    let (mut expected, mut out) = (u.clone(), u.clone());
    plain.apply(&u, &mut expected);
    general.apply(&u, &mut out);
    for (expected, out) in expected.iter().zip(&out) {
        assert!((flat(expected) - flat(out)).norm() < 1e-12 * flat(expected).norm());
    }
}

#[test]
fn rigid_motions_of_two_bodies_of_any_shape_meet_no_resistance() {
    let (arms, separation) = random_arms(9);
    let normal = Vector3::new(0.3, -0.5, 0.8).normalize();
    let [Screw { linear, angular }] = random_screws(1, 11)[..] else { panic!("one screw") };
    let i = Velocity { linear, angular };
    let j = Velocity { linear: linear + angular.cross(&separation), angular };
    let still = rates(&normal, Arms::Anywhere(arms), &i, &j);
    assert!(still.squeeze.abs() + still.slide.norm() + still.roll.norm() < 1e-14);
    assert!(still.twist.abs() < 1e-14);
    // Forces and torques about any point add up to nothing.
    let [shear, rolling] = [0, 1].map(|k| random_screws(2, 13)[k].linear);
    let force = PairForce { normal: 0.7, shear, rolling, twisting: -0.4 };
    let both = mirror(&normal, Arms::Anywhere(arms), &force);
    let torque = both.torques[0] + both.torques[1] - separation.cross(&both.force);
    assert!(torque.norm() < 1e-14);
}

#[test]
fn blocks_are_the_operator_with_two_body_forces_too() {
    let mut operator = random_operator(2, 3);
    operator.two_body = vec![Table::shared().regular([1.0, 1.4], 0.1); operator.blocks.len()];
    check_blocks(&operator);
}

#[test]
fn a_grounded_pair_is_one_whose_partner_rests() {
    // The third of three particles, held: the same as an obstacle in its place.
    let whole = random_operator(3, 3);
    let mut grounded = random_operator(3, 3);
    grounded.drag.truncate(2);
    for block in &mut grounded.blocks {
        if let [i, 2] = block.ids.slots() {
            block.ids = PairIds::at_surface(i as u32, 0);
        }
    }
    assert!(grounded.blocks.iter().filter(|b| b.ids.is_grounded()).count() == 2);
    let mut u = random_screws(3, 4);
    u[2] = Screw::default();
    let mut expected = u.clone();
    whole.apply(&u, &mut expected);
    let mut out = u[..2].to_vec();
    grounded.apply(&u[..2], &mut out);
    for k in 0..2 {
        assert_eq!(flat(&out[k]), flat(&expected[k]));
        assert_eq!(grounded.diagonal(k), whole.diagonal(k));
    }
}
