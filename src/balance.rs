//! The balance of forces and torques: the only place that applies the force of a pair to both of
//! its particles.
//!
//! With \\(\mathbf U\\) the velocities and spins relative to the flow, every particle obeys
//! $$\mathsf R\,\mathbf U = \mathbf F,$$
//! where \\(\mathsf R\\) collects Stokes drag (\[GB20\] eq. 3) and the resistances of all pairs,
//! and \\(\mathbf F\\) the external forces, the pair forces at rest, and what the rate of strain of
//! the imposed flow drives in every pair (an image pair across the Lees–Edwards boundary is thereby
//! treated like any other).
//!
//! A pair of a particle and an obstacle, whose motion is prescribed, is *grounded*: its j is
//! numbered beyond the particles and resists like any other, but is no unknown and takes no part in
//! the balance.

mod blocks;
pub mod field;
mod free_rate;
mod medium;
mod one_sided;
mod relative;
pub mod scatter;

use std::sync::OnceLock;

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

pub use free_rate::FreeRate;
pub use medium::{Medium, stokes_drag};
use scatter::Scatter;

use crate::hydro::Regular;
use crate::laws::{Arms, Pair, PairForce, Rates, Resistance, Unsymmetric};
use crate::pairs::Slabs;
use crate::state::{PairIds, Velocity, Wrench};

/// One pair in the operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairBlock {
    /// Who the two are; the pair is grounded where the partner is a surface.
    pub ids: PairIds,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Lever arms `[a]`.
    pub levers: [f64; 2],
    /// Resistance in the rates.
    pub resistance: Resistance,
}

/// The resistance matrix, as drag coefficients and pairs.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    /// Force per velocity and torque per spin of every particle `[μa]`, `[μa³]`.
    pub drag: Vec<[f64; 2]>,
    /// All pairs, in ascending order of ids.
    pub blocks: Vec<PairBlock>,
    /// Arms of pairs whose forces do not act on the line of their normals, as between bodies of any
    /// shape: one for every block, or none.
    pub arms: Vec<[Vector3<f64>; 2]>,
    /// What the slopes of the pairs have beyond their resistance: one for every block, or none.
    pub unsymmetric: Vec<Unsymmetric>,
    /// Forces on i times the step, of films that turn with their particles; one for every block, or
    /// none. Only the exact slope knows of them.
    pub turns: Vec<Vector3<f64>>,
    /// Half of what acts on i beyond its reaction on j, of laws that are not reciprocal; one for
    /// every block, or none.
    pub one_sided: Vec<Resistance>,
    /// Resistance of two spheres to all their velocities, beyond drag and rates; one for every
    /// block, or none.
    pub two_body: Vec<Regular>,
    /// The shear rate, where it follows from the velocities.
    pub free_rate: Option<FreeRate>,
    /// Whether all slopes are symmetric and positive semi-definite.
    pub symmetric: bool,
    /// Whether some pairs are grounded.
    pub grounded: bool,
    /// Whether particles spin; if not, levers are zero.
    pub turning: bool,
    /// The particles slab by slab.
    pub slabs: Slabs,
    /// The length by which torques are divided to be compared with forces `[a]`.
    pub length: f64,
    /// How threads share the pairs; not at all where they were not sorted.
    pub scatter: Scatter,
    /// The pairs of every particle, found when first asked for.
    index: OnceLock<Index>,
}

/// The pairs of every particle.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Where those of every particle begin in `incident`.
    starts: Vec<u32>,
    /// Pairs of every particle in ascending order; the lowest bit says whether it is j.
    incident: Vec<u32>,
}

/// Forces and torques on the two particles of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mirrored {
    /// Force on i; that on j is its opposite.
    pub force: Vector3<f64>,
    /// Torques on i and on j.
    pub torques: [Vector3<f64>; 2],
}

impl Mirrored {
    /// The same with all signs turned.
    fn opposite(self) -> Self {
        Mirrored { force: -self.force, torques: self.torques.map(|torque| -torque) }
    }

    /// Adds what acts on one side to the forces on a particle; on obstacles beyond them there are
    /// none.
    pub(crate) fn add_to(&self, forces: &mut [Wrench], side: usize, particle: usize) {
        let Some(to) = forces.get_mut(particle) else { return };
        to.linear += if side == 0 { self.force } else { -self.force };
        to.angular += self.torques[side];
    }
}

impl std::ops::Add for Mirrored {
    type Output = Mirrored;

    fn add(self, other: Mirrored) -> Mirrored {
        let [a, b] = self.torques;
        let [c, d] = other.torques;
        Mirrored { force: self.force + other.force, torques: [a + c, b + d] }
    }
}

impl std::ops::Sub for Mirrored {
    type Output = Mirrored;

    fn sub(self, other: Mirrored) -> Mirrored {
        let [a, b] = self.torques;
        let [c, d] = other.torques;
        Mirrored { force: self.force - other.force, torques: [a - c, b - d] }
    }
}

/// Mirrors a pair force on both particles: third law and torque balance hold by construction.
#[inline(always)]
pub fn mirror(normal: &Vector3<f64>, arms: impl Into<Arms>, f: &PairForce) -> Mirrored {
    let couple = normal.cross(&f.rolling) + f.twisting * normal;
    let force = f.normal * normal + f.shear;
    let torques = match arms.into() {
        Arms::Along(levers) => {
            let turn = normal.cross(&f.shear);
            [levers[0] * turn - couple, levers[1] * turn + couple]
        }
        Arms::Anywhere([i, j]) => [i.cross(&force) - couple, couple - j.cross(&force)],
    };
    Mirrored { force, torques }
}

/// The mean spin of a pair, weighted by the levers; zero where there are none.
#[inline(always)]
pub fn mean_spin(levers: [f64; 2], i: &Velocity, j: &Velocity) -> Vector3<f64> {
    let sum = (levers[0] + levers[1]).max(f64::MIN_POSITIVE);
    (levers[0] * i.angular + levers[1] * j.angular) / sum
}

/// The rates of a pair that moves with the given velocities, all but the mean spin.
#[inline(always)]
pub fn rates(normal: &Vector3<f64>, arms: impl Into<Arms>, i: &Velocity, j: &Velocity) -> Rates {
    let turn = i.angular - j.angular;
    let (squeeze, slide) = match arms.into() {
        Arms::Along(levers) => {
            let relative = j.linear - i.linear;
            let squeeze = normal.dot(&relative);
            let carried = levers[0] * i.angular + levers[1] * j.angular;
            (squeeze, relative - squeeze * normal - carried.cross(normal))
        }
        Arms::Anywhere([a, b]) => {
            let there = |v: &Velocity, arm: &Vector3<f64>| v.linear + v.angular.cross(arm);
            let relative = there(j, &b) - there(i, &a);
            let squeeze = normal.dot(&relative);
            (squeeze, relative - squeeze * normal)
        }
    };
    Rates {
        squeeze,
        slide,
        roll: turn.cross(normal),
        twist: normal.dot(&turn),
        swirl: 0.5 * normal.dot(&(i.angular + j.angular)),
        spin: Vector3::zeros(),
    }
}

/// The rates that the rate of strain of the flow drives in a pair carried along with it:
/// \\(r\,\mathbf n\cdot\mathsf E\mathbf n\\) and \\(r\,\mathsf P\mathsf E\mathbf n\\).
#[inline(always)]
pub fn affine_rates(pair: &Pair, strain_rate: &Matrix3<f64>) -> Rates {
    let stretched = pair.distance * (strain_rate * pair.normal);
    let squeeze = pair.normal.dot(&stretched);
    Rates { squeeze, slide: stretched - squeeze * pair.normal, ..Rates::default() }
}

/// The motion of a particle as far as it is unknown: that of an obstacle is not.
fn motion_of(velocities: &[Velocity], slot: usize) -> &Velocity {
    const STILL: Velocity =
        Velocity { linear: Vector3::new(0.0, 0.0, 0.0), angular: Vector3::new(0.0, 0.0, 0.0) };
    velocities.get(slot).unwrap_or(&STILL)
}

impl Index {
    fn new(n: usize, blocks: &[PairBlock]) -> Self {
        let mut starts = vec![0; n + 1];
        let particles = |block: &PairBlock| if block.ids.is_grounded() { 1 } else { 2 };
        for block in blocks {
            for side in 0..particles(block) {
                starts[block.ids.slots()[side] + 1] += 1;
            }
        }
        for k in 0..n {
            starts[k + 1] += starts[k];
        }
        let mut next: Vec<u32> = starts[..n].to_vec();
        let mut incident = vec![0; starts[n] as usize];
        for (p, block) in blocks.iter().enumerate() {
            for side in 0..particles(block) {
                let slot = &mut next[block.ids.slots()[side]];
                incident[*slot as usize] = 2 * p as u32 + side as u32;
                *slot += 1;
            }
        }
        Index { starts, incident }
    }
}

impl Operator {
    /// The resistance of drag and pairs, the pairs in ascending order of ids.
    pub fn new(drag: Vec<[f64; 2]>, blocks: Vec<PairBlock>, length: f64) -> Self {
        let (symmetric, turning) = (true, true);
        Operator { drag, blocks, length, symmetric, turning, ..Operator::default() }
    }

    /// Takes all pairs out.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.arms.clear();
        self.unsymmetric.clear();
        self.turns.clear();
        self.one_sided.clear();
        self.two_body.clear();
        self.index = OnceLock::new();
    }

    /// The pairs of a particle, in ascending order: (pair, 0 if the particle is i, 1 if it is j).
    pub fn pairs_of(&self, particle: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let Index { starts, incident } =
            self.index.get_or_init(|| Index::new(self.drag.len(), &self.blocks));
        let range = starts[particle] as usize..starts[particle + 1] as usize;
        incident[range].iter().map(|&code| ((code / 2) as usize, (code % 2) as usize))
    }

    /// \\(\mathsf R\mathbf U\\).
    pub fn apply(&self, velocities: &[Velocity], out: &mut [Wrench]) {
        self.apply_drag(velocities, out);
        self.scatter.add(out, self.blocks.len(), |k| {
            let block = &self.blocks[k];
            let [i, j] = block.ids.slots().map(|k| motion_of(velocities, k));
            (block.ids, block.force(self.arms_of(k), i, j).opposite())
        });
        self.apply_unsymmetric(velocities, out);
        self.apply_one_sided(velocities, out);
        self.apply_two_body(velocities, out);
        if let Some(free) = &self.free_rate {
            let growth = free.growth(velocities);
            out.iter_mut().zip(&free.forces).for_each(|(out, f)| *out = *out - growth * *f);
        }
    }

    /// Where the forces of a pair act.
    pub fn arms_of(&self, pair: usize) -> Arms {
        match self.arms.get(pair) {
            None => Arms::Along(self.blocks[pair].levers),
            Some(arms) => Arms::Anywhere(*arms),
        }
    }

    /// Adds the two-body forces.
    pub fn apply_two_body(&self, velocities: &[Velocity], out: &mut [Wrench]) {
        let blocks = self.blocks.iter().zip(&self.two_body);
        for (block, two_body) in blocks.filter(|(block, _)| !block.ids.is_grounded()) {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let [to, from] = [a, b].map(|side| block.ids.slots()[side]);
                let wrench =
                    field::block(two_body, &block.normal, [a, b]) * velocities[from].vector();
                out[to].linear += wrench.fixed_rows::<3>(0);
                out[to].angular += wrench.fixed_rows::<3>(3);
            }
        }
    }

    fn apply_unsymmetric(&self, velocities: &[Velocity], out: &mut [Wrench]) {
        for (k, (block, unsymmetric)) in self.blocks.iter().zip(&self.unsymmetric).enumerate() {
            let [i, j] = block.ids.slots().map(|k| motion_of(velocities, k));
            let arms = self.arms_of(k);
            let (normal, shear) = unsymmetric.force(&rates(&block.normal, arms, i, j));
            let force = PairForce { normal, shear, ..PairForce::default() };
            let m = mirror(&block.normal, arms, &force).opposite();
            m.add_to(out, 0, block.ids.slots()[0]);
            m.add_to(out, 1, block.ids.slots()[1]);
        }
    }

    fn apply_drag(&self, velocities: &[Velocity], out: &mut [Wrench]) {
        for ((o, m), drag) in out.iter_mut().zip(velocities).zip(&self.drag) {
            o.linear = drag[0] * m.linear;
            o.angular = drag[1] * m.angular;
        }
    }

    /// The 6×6 block of one particle on the diagonal.
    pub fn diagonal(&self, particle: usize) -> Matrix6<f64> {
        let [drag, turn] = self.drag[particle];
        let mut block = Matrix6::from_diagonal(&Vector6::new(drag, drag, drag, turn, turn, turn));
        for (pair, side) in self.pairs_of(particle) {
            block += match self.arms_of(pair) {
                Arms::Along(_) => self.blocks[pair].diagonal(side),
                arms => self.blocks[pair].block_between(arms, [side, side]),
            };
            if let Some(unsymmetric) = self.unsymmetric.get(pair) {
                block += self.blocks[pair].unsymmetric_block(unsymmetric, [side, side]);
            }
            if let Some(two_body) = self.two_body.get(pair) {
                block += field::block(two_body, &self.blocks[pair].normal, [side, side]);
            }
            block += self.one_sided_block(pair, [side, side]);
        }
        block
    }

    /// The same with the [`anchor`](Self::anchor) that makes it positive definite without drag.
    pub fn anchored_diagonal(&self, particle: usize, anchor: f64) -> Matrix6<f64> {
        let mut block = self.diagonal(particle);
        for k in 0..6 {
            block[(k, k)] += anchor * if k < 3 { 1.0 } else { self.length * self.length };
        }
        block
    }

    /// The block that couples the motion of one particle of a pair to the force and torque on the
    /// other: on i from j (`on` 0), or on j from i (`on` 1).
    pub fn coupling(&self, pair: usize, on: usize) -> Matrix6<f64> {
        let block = &self.blocks[pair];
        let mut coupling = match self.arms_of(pair) {
            Arms::Along(_) if on == 0 => block.coupling(),
            Arms::Along(_) => block.coupling().transpose(),
            arms => block.block_between(arms, [on, 1 - on]),
        };
        if let Some(unsymmetric) = self.unsymmetric.get(pair) {
            coupling += block.unsymmetric_block(unsymmetric, [on, 1 - on]);
        }
        if let Some(two_body) = self.two_body.get(pair) {
            coupling += field::block(two_body, &block.normal, [on, 1 - on]);
        }
        coupling + self.one_sided_block(pair, [on, 1 - on])
    }

    /// Whether particles float: without drag a common motion meets no resistance.
    pub fn floats(&self) -> bool {
        self.drag.iter().any(|drag| drag[0] == 0.0)
    }

    /// A drag so small that it only tells solvers what to do with velocities that meet no
    /// resistance: nothing. Zero where there is drag.
    pub fn anchor(&self) -> f64 {
        const SMALL: f64 = 1e-12;
        if !self.floats() {
            return 0.0;
        }
        let square = self.length * self.length;
        let resist = |b: &PairBlock| {
            let r = &b.resistance;
            r.squeeze + 2.0 * r.slide + (2.0 * r.roll + r.twist) / square
        };
        let mean = self.blocks.iter().map(resist).sum::<f64>() / self.drag.len().max(1) as f64;
        if mean > 0.0 { SMALL * mean } else { 1.0 }
    }
}

#[cfg(test)]
pub(crate) mod tests;
