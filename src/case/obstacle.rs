//! `[[obstacle]]`: walls and obstacles.

use nalgebra::Vector3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::obstacle::{Obstacle, Shape};

/// `[[obstacle]]`: a body with a prescribed motion. Which keys it has depends on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTable {
    /// Its shape.
    pub kind: ObstacleKind,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "its kind and number, as in \"box 1\""))]
    pub name: Option<String>,
    /// A point of a plane; the centre of a box, a sphere, or of a wheel's or cylinder's axis
    /// `[length]`.
    #[serde(default)]
    pub point: [f64; 3],
    /// Of a plane, the direction in which particles are; its length does not matter `[1]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "required for a plane"))]
    pub normal: Option<[f64; 3]>,
    /// Edges of a box; two of them if it has no sides along z `[length]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend(
        "exclusiveMinimum" = 0, "otherwise" = "required for a box",
        "within" = "2 or 3 numbers > 0", "remedy" = "edges are positive"
    ))]
    pub lengths: Vec<f64>,
    /// Radius of a cylinder, a wheel or a sphere `[length]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "otherwise" = "required for a cylinder, a wheel or a sphere",
        "remedy" = "radii are positive"
    ))]
    pub radius: Option<f64>,
    /// Direction of the axis of a cylinder, a wheel, or along the edges of a plate; its length does
    /// not matter `[1]`.
    #[serde(default = "along_z")]
    pub axis: [f64; 3],
    /// Whether particles are inside a box, a cylinder or a sphere.
    #[serde(default)]
    pub inside: bool,
    /// Sides of a box that are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Side>,
    /// A point of either edge of a plate `[length]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "required for a plate"))]
    pub edges: Option<[[f64; 3]; 2]>,
    /// Thickness of a plate, or of the paddles of a wheel `[length]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "otherwise" = "0.1", "remedy" = "as in 0.1"))]
    pub thickness: Option<f64>,
    /// Number of paddles of a wheel `[1]`.
    #[serde(default)]
    pub paddles: usize,
    /// How far from the axis paddles reach `[length]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "otherwise" = "twice the radius", "within" = "more than `radius`"
    ))]
    pub reach: Option<f64>,
    /// Its prescribed motion.
    #[serde(rename = "velocity spin pivot")]
    pub motion: Motion,
}

/// How an obstacle moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Motion {
    /// Velocity `[length/time]`.
    pub velocity: [f64; 3],
    /// Angular velocity `[1/time]`.
    pub spin: [f64; 3],
    /// The point that it turns about `[length]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("otherwise" = "its own point; for a plate, the middle"))]
    pub pivot: Option<[f64; 3]>,
}

/// The shape of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleKind {
    /// A plane that particles are above.
    Plane,
    /// A box, solid or with particles inside.
    Box,
    /// A cylinder without ends, solid or with particles inside.
    Cylinder,
    /// A cylinder with paddles.
    Wheel,
    /// A plate between two edges.
    Plate,
    /// A sphere, solid or with particles inside.
    Sphere,
}

/// A side of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Side {
    /// That of least x.
    #[serde(rename = "-x")]
    Left,
    /// That of largest x.
    #[serde(rename = "+x")]
    Right,
    /// That of least y.
    #[serde(rename = "-y")]
    Bottom,
    /// That of largest y.
    #[serde(rename = "+y")]
    Top,
    /// That of least z.
    #[serde(rename = "-z")]
    Back,
    /// That of largest z.
    #[serde(rename = "+z")]
    Front,
}

fn along_z() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

impl ObstacleKind {
    /// The name in a case file.
    pub fn name(self) -> &'static str {
        match self {
            ObstacleKind::Plane => "plane",
            ObstacleKind::Box => "box",
            ObstacleKind::Cylinder => "cylinder",
            ObstacleKind::Wheel => "wheel",
            ObstacleKind::Plate => "plate",
            ObstacleKind::Sphere => "sphere",
        }
    }
}

impl ObstacleTable {
    /// Thickness of plates and paddles unless given `[a]`.
    pub const THICKNESS: f64 = 0.1;

    /// The body, number `index` of the case.
    pub fn body(&self, index: usize) -> Obstacle {
        let name = self.name.clone();
        let name = name.unwrap_or_else(|| format!("{} {}", self.kind.name(), index + 1));
        let shape = self.shape();
        let Motion { velocity, spin, pivot } = self.motion;
        let pivot = pivot.map_or_else(|| shape.middle(), Vector3::from);
        let (velocity, spin) = (Vector3::from(velocity), Vector3::from(spin));
        Obstacle { name, shape, velocity, spin, pivot }
    }

    fn shape(&self) -> Shape {
        let centre = Vector3::from(self.point);
        let axis = Vector3::from(self.axis).normalize();
        let radius = self.radius.unwrap_or(1.0);
        let thickness = self.thickness.unwrap_or(Self::THICKNESS);
        let inside = self.inside;
        match self.kind {
            ObstacleKind::Plane => Shape::Plane {
                point: centre,
                normal: Vector3::from(self.normal.unwrap_or([0.0, 1.0, 0.0])).normalize(),
            },
            ObstacleKind::Box => {
                let half = |k: usize| self.lengths.get(k).map_or(f64::INFINITY, |l| 0.5 * l);
                let mut open = [false; 6];
                self.open.iter().for_each(|side| open[*side as usize] = true);
                Shape::Box { centre, half: Vector3::new(half(0), half(1), half(2)), inside, open }
            }
            ObstacleKind::Cylinder => Shape::Cylinder { centre, axis, radius, inside },
            ObstacleKind::Wheel => Shape::Wheel {
                centre,
                axis,
                radius,
                paddles: self.paddles,
                reach: self.reach.unwrap_or(2.0 * radius),
                thickness,
            },
            ObstacleKind::Plate => {
                let edges = self.edges.unwrap_or_default().map(Vector3::from);
                Shape::Plate { edges, axis, thickness }
            }
            ObstacleKind::Sphere => Shape::Sphere { centre, radius, inside },
        }
    }
}
