use super::*;
use rand::{RngExt, SeedableRng};

fn shapes() -> Vec<Shape> {
    let (centre, axis) = (Vector3::new(0.3, -0.2, 0.1), Vector3::z());
    let half = Vector3::new(2.0, 1.5, 1.0);
    vec![
        Shape::Plane { point: centre, normal: Vector3::new(0.6, 0.8, 0.0) },
        Shape::Box { centre, half, inside: true, open: [false; 6] },
        Shape::Box { centre, half, inside: false, open: [false; 6] },
        Shape::Cylinder { centre, axis, radius: 1.0, inside: false },
        Shape::Cylinder { centre, axis, radius: 3.0, inside: true },
        Shape::Wheel { centre, axis, radius: 0.5, paddles: 5, reach: 1.5, thickness: 0.2 },
        Shape::Plate { edges: [centre, Vector3::new(2.0, 1.0, 0.1)], axis, thickness: 0.3 },
        Shape::Sphere { centre, radius: 1.2, inside: false },
        Shape::Sphere { centre, radius: 4.0, inside: true },
    ]
}

fn moving() -> Obstacles {
    let spin = Vector3::new(0.3, -0.5, 0.7);
    let body = |shape: Shape| Obstacle {
        velocity: Vector3::new(0.2, 0.1, -0.4),
        spin,
        pivot: Vector3::new(1.0, 0.0, 0.0),
        ..Obstacle::fixed("a body", shape)
    };
    Obstacles::new(shapes().into_iter().map(body).collect())
}

fn points(count: usize) -> Vec<Vector3<f64>> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(4);
    (0..count).map(|_| Vector3::from_fn(|_, _| 5.0 * (rng.random::<f64>() - 0.5))).collect()
}

#[test]
fn the_normal_is_the_slope_of_the_distance() {
    let (obstacles, time, small) = (moving(), 0.8, 1e-6);
    for x in points(200) {
        for surface in 0..obstacles.surfaces() {
            let foot = obstacles.foot(surface, &x, time).unwrap();
            assert!((foot.normal.norm() - 1.0).abs() < 1e-12);
            let arrived = x + foot.distance * foot.normal;
            assert!((arrived - foot.point).norm() < 1e-9, "{surface}: {x} {foot:?}");
            let towards = obstacles.foot(surface, &(x + small * foot.normal), time).unwrap();
            // Except where another point becomes the nearest.
            if (towards.normal - foot.normal).norm() < 1e-3 {
                let slope = (towards.distance - foot.distance) / small;
                assert!((slope + 1.0).abs() < 1e-6, "{surface}: {slope}");
            }
        }
    }
}

#[test]
fn material_points_move_as_the_body_does() {
    let (obstacles, small) = (moving(), 1e-6);
    for (body, x) in obstacles.bodies().iter().zip(points(9)) {
        let [before, after] = [0.7, 0.7 + small].map(|time| body.carried(&x, time));
        let velocity = body.motion(&before, 0.7).linear;
        assert!(((after - before) / small - velocity).norm() < 1e-5);
    }
}

#[test]
fn a_surface_approaches_as_fast_as_its_material_at_the_foot() {
    let (obstacles, small) = (moving(), 1e-6);
    for x in points(100) {
        for surface in 0..obstacles.surfaces() {
            let [before, after] =
                [0.7, 0.7 + small].map(|time| obstacles.foot(surface, &x, time).unwrap());
            if (before.normal - after.normal).norm() < 1e-3 {
                let rate = (after.distance - before.distance) / small;
                let motion = obstacles.motion(surface, &before.point, 0.7);
                let expected = before.normal.dot(&motion.linear);
                assert!((rate - expected).abs() < 1e-4, "{surface}: {rate} {expected}");
            }
        }
    }
}

#[test]
fn beyond_a_plane_the_normal_stays() {
    let plane = Shape::Plane { point: Vector3::zeros(), normal: Vector3::y() };
    let obstacles = Obstacles::new(vec![Obstacle::fixed("floor", plane)]);
    for height in [3.0, 1e-9, -1e-9, -3.0] {
        let foot = obstacles.foot(0, &Vector3::new(1.0, height, 2.0), 0.0).unwrap();
        assert_eq!((foot.normal, foot.distance), (-Vector3::y(), height));
    }
}

#[test]
fn who_left_an_open_box_does_not_meet_it() {
    let mut open = [false; 6];
    open[3] = true;
    let shape = Shape::Box {
        centre: Vector3::zeros(),
        half: Vector3::new(1.0, 1.0, f64::INFINITY),
        inside: true,
        open,
    };
    let obstacles = Obstacles::new(vec![Obstacle::fixed("bucket", shape)]);
    assert_eq!(obstacles.surfaces(), 3);
    let count = |x: Vector3<f64>| {
        let mut met = 0;
        obstacles.near(&x, f64::INFINITY, 0.0, |_, _| met += 1);
        met
    };
    assert_eq!(count(Vector3::new(0.0, 0.9, 0.0)), 3);
    assert_eq!(count(Vector3::new(5.0, 1.1, 0.0)), 0);
    assert!(obstacles.has_left(&Vector3::new(0.0, 1.1, 0.0), 0.0));
    assert!(!obstacles.has_left(&Vector3::new(0.0, -0.9, 0.0), 0.0));
}
