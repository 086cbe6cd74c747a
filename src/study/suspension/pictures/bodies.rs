//! Outlines of obstacles, seen along z.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;

use crate::obstacle::{Obstacle, Shape};
use crate::plot::{Body, Point};

/// Corners of a circle.
const ROUND: usize = 120;

/// An axis is along z if its z component is larger.
const UPRIGHT: f64 = 0.99;

/// What there is to see: where, and how far away is out of sight.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// A point in sight `[a]`.
    pub middle: Vector3<f64>,
    /// What is further away is not seen `[a]`.
    pub far: f64,
}

/// The outlines of a body at a time.
pub(super) fn outlines(body: &Obstacle, time: f64, sight: Sight) -> Vec<Body> {
    let turned = body.turned(time);
    let at = |x: &Vector3<f64>| body.carried(x, time);
    match &body.shape {
        Shape::Plane { point, normal } => half_space(&at(point), &(turned * normal), sight),
        Shape::Box { centre, half, inside, open } => {
            let reach = half.map(|h| h.min(sight.far));
            let corner =
                |x: f64, y: f64| flat(&at(&(centre + Vector3::new(x * reach.x, y * reach.y, 0.0))));
            let corners =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| corner(x, y));
            match inside {
                true => walls(corners, [open[2], open[1], open[3], open[0]]),
                false => vec![Body::Solid(vec![corners.to_vec()])],
            }
        }
        Shape::Cylinder { centre, axis, radius, inside } => {
            round(&at(centre), Some(&(turned * axis)), *radius, *inside, sight)
        }
        Shape::Sphere { centre, radius, inside } => {
            round(&at(centre), None, *radius, *inside, sight)
        }
        Shape::Plate { edges, axis, thickness } => {
            let edges = edges.map(|edge| at(&edge));
            vec![Body::Solid(vec![plate(edges, &(turned * axis), 0.5 * thickness, sight)])]
        }
        Shape::Wheel { centre, axis, radius, thickness, .. } => {
            let axis = turned * axis;
            let mut parts = round(&at(centre), Some(&axis), *radius, false, sight);
            let paddles = body
                .shape
                .paddle_edges()
                .into_iter()
                .map(|edges| plate(edges.map(|edge| at(&edge)), &axis, 0.5 * thickness, sight));
            parts.push(Body::Solid(paddles.collect()));
            parts
        }
    }
}

/// The corners of outlines that are in sight.
pub(super) fn corners(bodies: &[Body], sight: Sight) -> impl Iterator<Item = Point> {
    let all = bodies.iter().flat_map(|body| match body {
        Body::Solid(parts) => parts.iter().flatten().copied().collect::<Vec<_>>(),
        Body::Wall { path, .. } => path.clone(),
    });
    let middle = flat(&sight.middle);
    all.filter(move |p| (p[0] - middle[0]).hypot(p[1] - middle[1]) < 0.5 * sight.far)
}

fn flat(x: &Vector3<f64>) -> Point {
    [x.x, x.y]
}

/// A half-space as it is cut at the depth of the middle; nothing if it is seen from above.
fn half_space(point: &Vector3<f64>, normal: &Vector3<f64>, sight: Sight) -> Vec<Body> {
    let steep = normal.x.hypot(normal.y);
    if steep < 1e-6 {
        return Vec::new();
    }
    let out = Vector3::new(normal.x, normal.y, 0.0) / steep;
    let foot = sight.middle - normal.dot(&(sight.middle - point)) / steep * out;
    let along = Vector3::new(-out.y, out.x, 0.0) * sight.far;
    let deep = sight.far * out;
    let corners = [foot + along, foot - along, foot - along - deep, foot + along - deep];
    vec![Body::Solid(vec![corners.iter().map(flat).collect()])]
}

/// The sides of a box that are there, of corners from the lower left one on counterclockwise; the
/// side from a corner to the next is open or not.
fn walls(corners: [Point; 4], open: [bool; 4]) -> Vec<Body> {
    let area: f64 = (0..4)
        .map(|k| (corners[k], corners[(k + 1) % 4]))
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum();
    let facing = |mut path: Vec<Point>| {
        if area < 0.0 {
            path.reverse();
        }
        path
    };
    let Some(gap) = open.iter().position(|open| *open) else {
        return vec![Body::Wall { path: facing(corners.to_vec()), closed: true }];
    };
    let mut walls: Vec<Vec<Point>> = Vec::new();
    let mut joined = false;
    for side in (1..4).map(|step| (gap + step) % 4) {
        if !open[side] {
            if !joined {
                walls.push(vec![corners[side]]);
            }
            if let Some(path) = walls.last_mut() {
                path.push(corners[(side + 1) % 4]);
            }
        }
        joined = !open[side];
    }
    walls.into_iter().map(|path| Body::Wall { path: facing(path), closed: false }).collect()
}

/// A sphere, or a cylinder with an axis.
fn round(
    centre: &Vector3<f64>,
    axis: Option<&Vector3<f64>>,
    radius: f64,
    inside: bool,
    sight: Sight,
) -> Vec<Body> {
    let Some(axis) = axis.filter(|axis| axis.z.abs() < UPRIGHT) else {
        let at = |k: usize| (TAU * k as f64 / ROUND as f64).sin_cos();
        let path: Vec<Point> = (0..ROUND)
            .map(at)
            .map(|(s, c)| [centre.x + radius * c, centre.y + radius * s])
            .collect();
        return match inside {
            true => vec![Body::Wall { path, closed: true }],
            false => vec![Body::Solid(vec![path])],
        };
    };
    let along = Vector3::new(axis.x, axis.y, 0.0).normalize();
    let (side, end) = (radius * Vector3::new(-along.y, along.x, 0.0), sight.far * along);
    let [a, b, c, d] =
        [-end - side, end - side, end + side, side - end].map(|x| flat(&(centre + x)));
    match inside {
        true => [[a, b], [c, d]].map(|p| Body::Wall { path: p.to_vec(), closed: false }).to_vec(),
        false => vec![Body::Solid(vec![vec![a, b, c, d]])],
    }
}

/// A plate with round edges; seen from its flat side it has no ends.
fn plate(edges: [Vector3<f64>; 2], axis: &Vector3<f64>, half: f64, sight: Sight) -> Vec<Point> {
    let [from, to] = edges;
    if axis.z.abs() < UPRIGHT {
        let end = sight.far * Vector3::new(axis.x, axis.y, 0.0).normalize();
        return [from - end, from + end, to + end, to - end].iter().map(flat).collect();
    }
    let along = (to.y - from.y).atan2(to.x - from.x);
    let arc = |centre: Vector3<f64>, start: f64| {
        let steps = ROUND / 6;
        (0..=steps).map(move |k| {
            let (s, c) = (start + PI * k as f64 / steps as f64).sin_cos();
            [centre.x + half * c, centre.y + half * s]
        })
    };
    arc(to, along - 0.5 * PI).chain(arc(from, along + 0.5 * PI)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGHT: Sight = Sight { middle: Vector3::new(0.0, 0.0, 0.0), far: 100.0 };

    fn seen(shape: Shape) -> Vec<Body> {
        outlines(&Obstacle::fixed("", shape), 0.0, SIGHT)
    }

    #[test]
    fn a_box_has_the_walls_that_are_not_open() {
        let paths = |sides: &[usize]| {
            let mut open = [false; 6];
            sides.iter().for_each(|k| open[*k] = true);
            let half = Vector3::new(2.0, 1.0, f64::INFINITY);
            let bodies = seen(Shape::Box { centre: Vector3::zeros(), half, inside: true, open });
            bodies
                .into_iter()
                .map(|body| match body {
                    Body::Wall { path, closed } => (path, closed),
                    other => panic!("{other:?}"),
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(paths(&[]).len(), 1);
        assert!(paths(&[])[0].1 && paths(&[])[0].0.len() == 4);
        // Open above: down the left side, along the bottom and up the right one.
        let cup = vec![[-2.0, 1.0], [-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]];
        assert_eq!(paths(&[3]), [(cup, false)]);
        let pipe = paths(&[0, 1]);
        assert_eq!(pipe.len(), 2);
        assert!(pipe.contains(&(vec![[-2.0, -1.0], [2.0, -1.0]], false)), "{pipe:?}");
    }

    #[test]
    fn what_is_out_of_sight_does_not_count() {
        let plane =
            seen(Shape::Plane { point: Vector3::new(3.0, -1.0, 0.0), normal: Vector3::y() });
        assert_eq!(plane.len(), 1);
        assert_eq!(corners(&plane, SIGHT).count(), 0);
        let above = Shape::Plane { point: Vector3::zeros(), normal: Vector3::z() };
        assert!(seen(above).is_empty());
        let edges = [Vector3::zeros(), Vector3::new(3.0, 0.0, 0.0)];
        let plate = seen(Shape::Plate { edges, axis: Vector3::z(), thickness: 0.5 });
        let reach = corners(&plate, SIGHT).fold(f64::NEG_INFINITY, |most, p| most.max(p[0]));
        assert!((reach - 3.25).abs() < 1e-12);
    }

    #[test]
    fn a_wheel_turns() {
        let wheel = Shape::Wheel {
            centre: Vector3::zeros(),
            axis: Vector3::z(),
            radius: 1.0,
            paddles: 1,
            reach: 2.0,
            thickness: 0.2,
        };
        let mut body = Obstacle::fixed("", wheel);
        body.spin = Vector3::z() * 0.5 * PI;
        let top =
            |time| corners(&outlines(&body, time, SIGHT), SIGHT).fold(0.0, |m: f64, p| m.max(p[1]));
        assert!((top(0.0) - 1.0).abs() < 1e-3 && (top(1.0) - 2.0).abs() < 1e-3);
    }
}
