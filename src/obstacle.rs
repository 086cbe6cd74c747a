//! Walls and obstacles: bodies whose motion is prescribed, with surfaces that particles meet.
//!
//! A body is fixed, or moves with a velocity and turns about a pivot that moves with it. It has one
//! surface, or several: the sides of a box that holds particles, the rim and the paddles of a
//! wheel. To a particle a surface is its nearest point, the *foot*, with a unit normal from the
//! particle to the surface. Surfaces are one-sided: the distance to the foot is negative for a
//! centre that is beyond it, and the normal stays.
//!
//! Except for spheres, a surface is flat to the pair laws, which take the limit of a partner of
//! infinite radius.

mod piece;

use nalgebra::{Rotation3, Vector3};

use crate::state::Velocity;
use piece::Piece;

/// The shape of a body, where it is at time 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A half-space; the normal points to the particles.
    Plane {
        /// A point of its surface `[a]`.
        point: Vector3<f64>,
        /// Unit normal.
        normal: Vector3<f64>,
    },
    /// A box with edges along the axes.
    Box {
        /// Its centre `[a]`.
        centre: Vector3<f64>,
        /// Half of its edges; infinite ones have no sides `[a]`.
        half: Vector3<f64>,
        /// Whether particles are inside.
        inside: bool,
        /// Sides that are not there, of a box with particles inside: −x, +x, −y, +y, −z, +z. A box
        /// with open sides is seen from inside only; plates have two sides.
        open: [bool; 6],
    },
    /// A cylinder without ends.
    Cylinder {
        /// A point of its axis `[a]`.
        centre: Vector3<f64>,
        /// Unit vector along its axis.
        axis: Vector3<f64>,
        /// Radius `[a]`.
        radius: f64,
        /// Whether particles are inside.
        inside: bool,
    },
    /// A cylinder with plates that stand out of it.
    Wheel {
        /// A point of its axis `[a]`.
        centre: Vector3<f64>,
        /// Unit vector along its axis.
        axis: Vector3<f64>,
        /// Radius of the cylinder `[a]`.
        radius: f64,
        /// How many plates.
        paddles: usize,
        /// How far from the axis they reach `[a]`.
        reach: f64,
        /// Thickness of the plates, whose edges are round `[a]`.
        thickness: f64,
    },
    /// A plate between two edges, without ends along a third direction, and with round edges.
    Plate {
        /// A point of either edge `[a]`.
        edges: [Vector3<f64>; 2],
        /// Unit vector along the edges.
        axis: Vector3<f64>,
        /// Thickness `[a]`.
        thickness: f64,
    },
    /// A sphere.
    Sphere {
        /// Its centre `[a]`.
        centre: Vector3<f64>,
        /// Radius `[a]`.
        radius: f64,
        /// Whether particles are inside.
        inside: bool,
    },
}

impl Shape {
    /// A point to turn about unless another is given `[a]`.
    pub fn middle(&self) -> Vector3<f64> {
        match self {
            Shape::Plane { point, .. } => *point,
            Shape::Plate { edges: [from, to], .. } => 0.5 * (from + to),
            Shape::Box { centre, .. }
            | Shape::Cylinder { centre, .. }
            | Shape::Wheel { centre, .. }
            | Shape::Sphere { centre, .. } => *centre,
        }
    }

    /// The inner and outer edges of the paddles of a wheel, half a thickness within their reach;
    /// nothing of other shapes `[a]`.
    pub fn paddle_edges(&self) -> Vec<[Vector3<f64>; 2]> {
        let &Shape::Wheel { centre, axis, radius, paddles, reach, thickness } = self else {
            return Vec::new();
        };
        let paddle = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / paddles as f64;
            let along = Rotation3::new(angle * axis) * piece::across(&axis);
            // Paddles begin inside the rim, out of reach.
            [0.5 * radius, reach - 0.5 * thickness].map(|r| centre + r * along)
        };
        (0..paddles).map(paddle).collect()
    }
}

/// A body whose motion is prescribed.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What it is called in messages and tables.
    pub name: String,
    /// Its shape at time 0.
    pub shape: Shape,
    /// Velocity of the pivot `[a/t]`.
    pub velocity: Vector3<f64>,
    /// Spin about the pivot `[1/t]`.
    pub spin: Vector3<f64>,
    /// The point that it turns about, at time 0 `[a]`.
    pub pivot: Vector3<f64>,
}

impl Obstacle {
    /// A body that stays where it is.
    pub fn fixed(name: impl Into<String>, shape: Shape) -> Self {
        let (name, pivot) = (name.into(), shape.middle());
        Obstacle { name, shape, velocity: Vector3::zeros(), spin: Vector3::zeros(), pivot }
    }

    /// Where the pivot is at a time `[a]`.
    pub fn pivot_at(&self, time: f64) -> Vector3<f64> {
        self.pivot + time * self.velocity
    }

    /// How far it has turned at a time.
    pub fn turned(&self, time: f64) -> Rotation3<f64> {
        Rotation3::new(time * self.spin)
    }

    /// The motion of its material at a point `[a/t]`, `[1/t]`.
    pub fn motion(&self, at: &Vector3<f64>, time: f64) -> Velocity {
        let linear = self.velocity + self.spin.cross(&(at - self.pivot_at(time)));
        Velocity { linear, angular: self.spin }
    }

    /// Where a point of it is at a time that is given where it is at time 0 `[a]`.
    pub fn carried(&self, point: &Vector3<f64>, time: f64) -> Vector3<f64> {
        self.pivot_at(time) + self.turned(time) * (point - self.pivot)
    }
}

/// The point of a surface that is nearest to a particle's centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Where it is `[a]`.
    pub point: Vector3<f64>,
    /// Unit vector from the particle to the surface.
    pub normal: Vector3<f64>,
    /// Distance from the centre to the surface along the normal, negative beyond it `[a]`.
    pub distance: f64,
    /// The radius of a sphere that is met from outside; none for all other surfaces, which are
    /// flat to the laws `[a]`.
    pub radius: Option<f64>,
}

/// All bodies, with their surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    bodies: Vec<Obstacle>,
    surfaces: Vec<Surface>,
}

#[derive(Clone, Debug, PartialEq)]
struct Surface {
    /// Which body it belongs to.
    body: usize,
    piece: Piece,
}

impl Obstacles {
    /// The bodies of a case.
    pub fn new(bodies: Vec<Obstacle>) -> Self {
        let surfaces = bodies.iter().enumerate().flat_map(|(body, obstacle)| {
            let pieces = Piece::of(&obstacle.shape).into_iter();
            pieces.map(move |piece| Surface { body, piece })
        });
        Obstacles { surfaces: surfaces.collect(), bodies }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The bodies.
    pub fn bodies(&self) -> &[Obstacle] {
        &self.bodies
    }

    /// How many surfaces there are.
    pub fn surfaces(&self) -> usize {
        self.surfaces.len()
    }

    /// The body that a surface belongs to.
    pub fn body_of(&self, surface: usize) -> usize {
        self.surfaces[surface].body
    }

    /// Where a particle at `x` meets a surface at a time; nowhere if it has left through an open
    /// side.
    pub fn foot(&self, surface: usize, x: &Vector3<f64>, time: f64) -> Option<Foot> {
        let Surface { body, piece } = &self.surfaces[surface];
        let body = &self.bodies[*body];
        let (turned, pivot) = (body.turned(time), body.pivot_at(time));
        let own = body.pivot + turned.inverse() * (x - pivot);
        let foot = piece.foot(&own)?;
        let point = pivot + turned * (foot.point - body.pivot);
        Some(Foot { point, normal: turned * foot.normal, ..foot })
    }

    /// The motion of the material of a surface at a point `[a/t]`, `[1/t]`.
    pub fn motion(&self, surface: usize, at: &Vector3<f64>, time: f64) -> Velocity {
        self.bodies[self.body_of(surface)].motion(at, time)
    }

    /// Shows all surfaces within a distance of a point, in their order.
    pub fn near(&self, x: &Vector3<f64>, reach: f64, time: f64, mut see: impl FnMut(usize, &Foot)) {
        for surface in 0..self.surfaces.len() {
            if let Some(foot) = self.foot(surface, x, time).filter(|foot| foot.distance < reach) {
                see(surface, &foot);
            }
        }
    }

    /// Whether a particle at `x` is outside of a box with open sides.
    pub fn has_left(&self, x: &Vector3<f64>, time: f64) -> bool {
        let mut sides = self.surfaces.iter().enumerate().filter(|(_, s)| s.piece.can_be_left());
        sides.any(|(surface, _)| self.foot(surface, x, time).is_none())
    }
}

#[cfg(test)]
mod tests;
