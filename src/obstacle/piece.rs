//! Surfaces of bodies, in the frame of the body at time 0.

use nalgebra::Vector3;

use super::{Foot, Shape};

/// One surface.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// A plane with particles on the side of its normal; those outside of a box with open sides do
    /// not meet its sides.
    Plane { point: Vector3<f64>, normal: Vector3<f64>, within: Option<Opening> },
    /// A box with particles outside.
    Block { centre: Vector3<f64>, half: Vector3<f64> },
    /// A cylinder.
    Cylinder { centre: Vector3<f64>, axis: Vector3<f64>, radius: f64, inside: bool },
    /// A plate with round edges.
    Plate { edges: [Vector3<f64>; 2], axis: Vector3<f64>, half: f64 },
    /// A sphere.
    Sphere { centre: Vector3<f64>, radius: f64, inside: bool },
}

/// A box with open sides, which is seen from inside only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opening {
    centre: Vector3<f64>,
    half: Vector3<f64>,
}

impl Opening {
    /// Whether a point is outside of the box, through an open side or beside it.
    fn is_beyond(&self, x: &Vector3<f64>) -> bool {
        let d = x - self.centre;
        (0..3).any(|k| d[k].abs() > self.half[k])
    }
}

impl Piece {
    /// The surfaces of a shape.
    pub(super) fn of(shape: &Shape) -> Vec<Piece> {
        match *shape {
            Shape::Plane { point, normal } => vec![Piece::Plane { point, normal, within: None }],
            Shape::Box { centre, half, inside: false, .. } => vec![Piece::Block { centre, half }],
            Shape::Box { centre, half, inside: true, open } => sides(centre, half, open),
            Shape::Cylinder { centre, axis, radius, inside } => {
                vec![Piece::Cylinder { centre, axis, radius, inside }]
            }
            Shape::Sphere { centre, radius, inside } => {
                vec![Piece::Sphere { centre, radius, inside }]
            }
            Shape::Plate { edges, axis, thickness } => {
                vec![Piece::Plate { edges, axis, half: 0.5 * thickness }]
            }
            Shape::Wheel { centre, axis, radius, thickness, .. } => {
                let rim = Piece::Cylinder { centre, axis, radius, inside: false };
                let half = 0.5 * thickness;
                let paddle = |edges| Piece::Plate { edges, axis, half };
                std::iter::once(rim).chain(shape.paddle_edges().into_iter().map(paddle)).collect()
            }
        }
    }

    /// Whether particles can leave it through an open side.
    pub(super) fn can_be_left(&self) -> bool {
        matches!(self, Piece::Plane { within: Some(_), .. })
    }

    /// The point nearest to a centre; none if the centre is where the surface does not act.
    pub(super) fn foot(&self, x: &Vector3<f64>) -> Option<Foot> {
        let flat = |point, normal, distance| Some(Foot { point, normal, distance, radius: None });
        match self {
            Piece::Plane { point, normal, within } => {
                if within.is_some_and(|opening| opening.is_beyond(x)) {
                    return None;
                }
                let distance = normal.dot(&(x - point));
                flat(x - distance * normal, -normal, distance)
            }
            Piece::Block { centre, half } => {
                let (point, out) = nearest_of_block(&(x - centre), half);
                let point = centre + point;
                let away = x - point;
                let outward = if away.norm() > 0.0 && out > 0.0 {
                    away.normalize()
                } else {
                    -point_in(half, &(x - centre))
                };
                flat(point, -outward, out)
            }
            Piece::Cylinder { centre, axis, radius, inside } => {
                let d = x - centre;
                let along = axis.dot(&d) * axis;
                let out = d - along;
                let distance = out.norm();
                let outward = if distance > 0.0 { out / distance } else { across(axis) };
                let point = centre + along + *radius * outward;
                match inside {
                    true => flat(point, outward, radius - distance),
                    false => flat(point, -outward, distance - radius),
                }
            }
            Piece::Plate { edges, axis, half } => {
                let (point, outward, distance) = nearest_of_plate(x, edges, axis, *half);
                flat(point, -outward, distance)
            }
            Piece::Sphere { centre, radius, inside } => {
                let out = x - centre;
                let distance = out.norm();
                let outward = if distance > 0.0 { out / distance } else { Vector3::x() };
                let point = centre + *radius * outward;
                match inside {
                    true => flat(point, outward, radius - distance),
                    false => Some(Foot {
                        point,
                        normal: -outward,
                        distance: distance - radius,
                        radius: Some(*radius),
                    }),
                }
            }
        }
    }
}

/// The nearest point of a plate, the unit vector from it to `x`, and the distance.
fn nearest_of_plate(
    x: &Vector3<f64>,
    [from, to]: &[Vector3<f64>; 2],
    axis: &Vector3<f64>,
    half: f64,
) -> (Vector3<f64>, Vector3<f64>, f64) {
    let (d, along) = (x - from, to - from);
    let flat = d - axis.dot(&d) * axis;
    let share = (flat.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    let middle = from + share * along + axis.dot(&d) * axis;
    let out = x - middle;
    let distance = out.norm();
    let outward = if distance > 0.0 { out / distance } else { axis.cross(&along).normalize() };
    (middle + half * outward, outward, distance - half)
}

/// The sides of a box that are there, with particles inside.
fn sides(centre: Vector3<f64>, half: Vector3<f64>, open: [bool; 6]) -> Vec<Piece> {
    let within = open.contains(&true).then_some(Opening { centre, half });
    let mut sides = Vec::new();
    for (k, axis) in [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().enumerate() {
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            if half[k].is_finite() && !open[2 * k + side] {
                let normal = sign * axis;
                sides.push(Piece::Plane { point: centre - half[k] * normal, normal, within });
            }
        }
    }
    sides
}

/// The point of a block nearest to `d`, both from its centre, and how far out `d` is, negative
/// inside.
fn nearest_of_block(d: &Vector3<f64>, half: &Vector3<f64>) -> (Vector3<f64>, f64) {
    let clamped = d.zip_map(half, |d, h| d.clamp(-h, h));
    if clamped != *d {
        return (clamped, (d - clamped).norm());
    }
    // Inside: the nearest side.
    let depth = d.zip_map(half, |d, h| h - d.abs());
    let k = depth.imin();
    let mut point = *d;
    point[k] = half[k].copysign(d[k]);
    (point, -depth[k])
}

/// The inward normal of the side of a block that is nearest to `d`.
fn point_in(half: &Vector3<f64>, d: &Vector3<f64>) -> Vector3<f64> {
    let k = d.zip_map(half, |d, h| h - d.abs()).imin();
    let mut normal = Vector3::zeros();
    normal[k] = -1f64.copysign(d[k]);
    normal
}

/// A unit vector across an axis: x where that is possible.
pub(super) fn across(axis: &Vector3<f64>) -> Vector3<f64> {
    let start = if axis.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    (start - axis.dot(&start) * axis).normalize()
}
