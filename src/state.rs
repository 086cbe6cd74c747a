//! The state of a suspension: everything that a restart needs, and nothing else.

use std::ops::{Add, AddAssign, Mul, Sub};

use nalgebra::{Vector3, Vector6};
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
pub use crate::clock::Clock;

/// A vector for the three translations and one for the three rotations of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Screw {
    /// Velocity, or force.
    pub linear: Vector3<f64>,
    /// Spin, or torque.
    pub angular: Vector3<f64>,
}

impl Screw {
    /// All six components.
    pub fn vector(&self) -> Vector6<f64> {
        let (l, a) = (&self.linear, &self.angular);
        Vector6::new(l.x, l.y, l.z, a.x, a.y, a.z)
    }
}

impl Add for Screw {
    type Output = Screw;

    fn add(self, other: Screw) -> Screw {
        Screw { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl Sub for Screw {
    type Output = Screw;

    fn sub(self, other: Screw) -> Screw {
        Screw { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}

impl Mul<Screw> for f64 {
    type Output = Screw;

    fn mul(self, screw: Screw) -> Screw {
        Screw { linear: self * screw.linear, angular: self * screw.angular }
    }
}

impl AddAssign for Screw {
    fn add_assign(&mut self, other: Screw) {
        *self = *self + other;
    }
}

/// Velocity and spin of a particle relative to the imposed flow,
/// \\(\mathbf u - \mathbf U^\infty,\ \boldsymbol\omega - \boldsymbol\Omega^\infty\\)
/// `[a/t]`, `[1/t]`.
pub type Velocity = Screw;

/// Force and torque on a particle `[μγ̇a²]`, `[μγ̇a³]`.
pub type Wrench = Screw;

/// The partner of a particle in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Another particle.
    Particle(usize),
    /// A surface of an obstacle, whose motion is prescribed.
    Surface(usize),
}

/// Who the two of a pair are: a particle, and another one of higher id or a surface of an obstacle.
/// Pairs of a particle are ordered by the id of its partner, surfaces last.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct PairIds(u32, u32);

impl PairIds {
    /// Ids from here on are those of surfaces.
    const SURFACES: u32 = 1 << 31;

    /// Two particles, i < j.
    pub const fn particles(i: u32, j: u32) -> Self {
        PairIds(i, j)
    }

    /// A particle and a surface.
    pub const fn at_surface(i: u32, surface: u32) -> Self {
        PairIds(i, PairIds::SURFACES | surface)
    }

    /// The particle i.
    pub fn first(self) -> usize {
        self.0 as usize
    }

    /// Who the other one is.
    pub fn partner(self) -> Partner {
        match self.1.checked_sub(PairIds::SURFACES) {
            None => Partner::Particle(self.1 as usize),
            Some(surface) => Partner::Surface(surface as usize),
        }
    }

    /// Whether the partner is a surface, which is no unknown of a balance.
    pub fn is_grounded(self) -> bool {
        self.1 >= PairIds::SURFACES
    }

    /// The particles among the two.
    pub fn moving(self) -> impl Iterator<Item = usize> {
        let [i, j] = self.slots();
        [i, j].into_iter().take(if self.is_grounded() { 1 } else { 2 })
    }

    /// Indices into arrays of particles, i first; a surface has no place in any.
    pub fn slots(self) -> [usize; 2] {
        [self.0 as usize, self.1 as usize]
    }

    /// Ids as they are written in tables, where surfaces follow the particles.
    pub fn numbers(self, particles: usize) -> [u32; 2] {
        match self.partner() {
            Partner::Particle(j) => [self.0, j as u32],
            Partner::Surface(k) => [self.0, (particles + k) as u32],
        }
    }
}

impl std::fmt::Display for PairIds {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let i = self.0;
        match self.partner() {
            Partner::Particle(j) => write!(f, "particles {i} and {j}"),
            Partner::Surface(k) => write!(f, "particle {i} and surface {k} of the obstacles"),
        }
    }
}

/// What the pairs remember (tangential stretches, ...), keyed by the ids of the two.
///
/// Pairs whose memory is all zero are left out. Sorted by id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairMemory {
    /// The pairs, in ascending order.
    pub ids: Vec<PairIds>,
    /// `stride` numbers for every pair.
    pub values: Vec<f64>,
    /// How many numbers one pair remembers.
    pub stride: usize,
}

/// Positions, velocities and memory of all particles at one instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspension {
    /// Radii `[a]`.
    pub radii: Vec<f64>,
    /// Centres, inside the box when the cell is periodic `[a]`.
    pub positions: Vec<Vector3<f64>>,
    /// The motion found in the last accepted step.
    pub velocities: Vec<Velocity>,
    /// The motion found in the step before it; empty before the second step.
    pub earlier_velocities: Vec<Velocity>,
    /// How the motion changes at this instant, where particles have inertia and the scheme asks for
    /// it; otherwise empty.
    #[serde(default)]
    pub accelerations: Vec<Screw>,
    /// What pairs remember.
    pub memory: PairMemory,
    /// The domain.
    pub cell: Cell,
    /// Where the run stands.
    pub clock: Clock,
    /// The shear rate of the last accepted step; 0 before the first `[1/t]`.
    pub rate: f64,
    /// The normal contact stiffness in use, which an automatic choice may raise `[μγ̇a]`.
    pub stiffness: f64,
}

impl Suspension {
    /// A suspension at rest in the flow, without memory.
    pub fn new(radii: Vec<f64>, positions: Vec<Vector3<f64>>, cell: Cell) -> Self {
        assert_eq!(radii.len(), positions.len(), "one radius per position");
        let velocities = vec![Velocity::default(); radii.len()];
        Suspension {
            radii,
            positions,
            velocities,
            earlier_velocities: Vec::new(),
            accelerations: Vec::new(),
            memory: PairMemory::default(),
            cell,
            clock: Clock::default(),
            rate: 0.0,
            stiffness: 0.0,
        }
    }

    /// The number of particles.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there is no particle at all.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// The radius of the smallest particle `[a]`.
    pub fn smallest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The radius of the largest particle `[a]`.
    pub fn largest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(0.0, f64::max)
    }

    /// The volume fraction φ, or `None` in open space.
    pub fn volume_fraction(&self) -> Option<f64> {
        let solid: f64 = self.radii.iter().map(|a| sphere_volume(*a)).sum();
        self.cell.volume().map(|v| solid / v)
    }
}

/// Volume of a sphere of radius `a` `[a³]`.
pub fn sphere_volume(a: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * a.powi(3)
}

/// \\(\sum \mathbf F\cdot\mathbf u + \mathbf T\cdot\boldsymbol\omega\\): a power.
pub fn dot(a: &[Wrench], b: &[Velocity]) -> f64 {
    a.iter().zip(b).map(|(p, q)| p.linear.dot(&q.linear) + p.angular.dot(&q.angular)).sum()
}
