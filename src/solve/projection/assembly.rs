//! Unknowns of a projection, and the matrix that they have.

use nalgebra::Vector3;

use super::{Constraint, Freedom, Problem};
use crate::balance::Operator;
use crate::solve::blocks::BlockCholesky;
use crate::state::{PairIds, Velocity, Wrench};

/// The components of a motion that are unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknowns {
    /// Which of the six, velocities first.
    components: [usize; 6],
    /// How many of them, and how many of these are velocities.
    per: usize,
    axes: usize,
}

impl Unknowns {
    /// Those of an operator: spins only where pairs couple them to velocities.
    pub fn of(operator: &Operator, freedom: Freedom) -> Self {
        let spins = operator.turning && !operator.blocks.is_empty();
        let (components, per, axes) = match (freedom, spins) {
            (Freedom::Space, true) => ([0, 1, 2, 3, 4, 5], 6, 3),
            (Freedom::Space, false) => ([0, 1, 2, 3, 4, 5], 3, 3),
            (Freedom::Plane, true) => ([0, 1, 5, 0, 0, 0], 3, 2),
            (Freedom::Plane, false) => ([0, 1, 5, 0, 0, 0], 2, 2),
        };
        Unknowns { components, per, axes }
    }

    /// How many a particle has.
    pub fn per(&self) -> usize {
        self.per
    }

    /// Adds what was found to velocities.
    pub fn add_to(&self, found: &[f64], velocities: &mut [Velocity]) {
        for (motion, x) in velocities.iter_mut().zip(found.chunks_exact(self.per)) {
            for (k, x) in self.components.iter().zip(x) {
                match k {
                    0..3 => motion.linear[*k] += x,
                    _ => motion.angular[*k - 3] += x,
                }
            }
        }
    }

    /// Writes the matrix of an operator.
    pub fn fill(&self, operator: &Operator, links: &Links, matrix: &mut BlockCholesky) {
        let at = &self.components;
        for particle in 0..operator.drag.len() {
            if operator.blocks.is_empty() {
                let [slow, turn] = operator.drag[particle];
                let drag = |k: usize| if at[k] < 3 { slow } else { turn };
                matrix.add_diagonal(particle, |r, c| if r == c { drag(c) } else { 0.0 });
            } else {
                let block = operator.diagonal(particle);
                matrix.add_diagonal(particle, |r, c| block[(at[r], at[c])]);
            }
        }
        for (p, place) in links.blocks.iter().enumerate() {
            if let Some(place) = place {
                // Rows belong to j and columns to i: the transpose of the coupling of j to i.
                let coupling = operator.coupling(p, 0);
                matrix.add_pair(*place as usize, |r, c| coupling[(at[c], at[r])]);
            }
        }
    }

    /// Adds a spring along the normal of a constraint.
    pub fn add_spring(
        &self,
        matrix: &mut BlockCholesky,
        constraint: &Constraint,
        place: Option<u32>,
        spring: f64,
    ) {
        let (n, axes) = (&constraint.normal, self.axes);
        let square = |r: usize, c: usize| {
            if r < axes && c < axes { spring * n[r] * n[c] } else { 0.0 }
        };
        matrix.add_diagonal(constraint.ids.first(), square);
        if let Some(place) = place {
            matrix.add_diagonal(constraint.ids.slots()[1], square);
            matrix.add_pair(place as usize, |r, c| -square(r, c));
        }
    }

    /// Resistance to the opening of a pair, if all others stay.
    pub fn resistance(&self, operator: &Operator, constraint: &Constraint) -> f64 {
        let own = |id: usize| {
            let slow = operator.drag.get(id).map_or(f64::INFINITY, |drag| drag[0]);
            1.0 / slow
        };
        let mobility: f64 = constraint.ids.slots().into_iter().map(own).sum();
        1.0 / mobility
    }

    /// The largest component of forces, and of torques over a length.
    pub fn largest_force(&self, forces: &[f64], length: f64) -> f64 {
        let size = |(k, force): (usize, &f64)| {
            if k % self.per < self.axes { force.abs() } else { force.abs() / length }
        };
        forces.iter().enumerate().map(size).fold(0.0, f64::max)
    }

    /// Adds a force that pushes a pair apart.
    pub fn push_apart(&self, forces: &mut [f64], constraint: &Constraint, force: f64) {
        let Constraint { ids, normal, .. } = constraint;
        let [i, j] = ids.slots().map(|k| k * self.per);
        for k in 0..self.axes {
            forces[i + k] -= force * normal[k];
        }
        if j < forces.len() {
            for k in 0..self.axes {
                forces[j + k] += force * normal[k];
            }
        }
    }

    /// The rate at which velocities open a pair.
    pub fn opening(&self, x: &[f64], constraint: &Constraint) -> f64 {
        let Constraint { ids, normal, .. } = constraint;
        let [i, j] = ids.slots().map(|k| k * self.per);
        let own: f64 = (0..self.axes).map(|k| normal[k] * x[i + k]).sum();
        let other: f64 = match j < x.len() {
            true => (0..self.axes).map(|k| normal[k] * x[j + k]).sum(),
            false => 0.0,
        };
        other - own
    }

    /// The motion of a particle.
    fn motion(&self, x: &[f64]) -> Velocity {
        let mut motion = Velocity { linear: Vector3::zeros(), angular: Vector3::zeros() };
        self.add_to(x, std::slice::from_mut(&mut motion));
        motion
    }
}

impl Problem<'_> {
    /// What resists velocities.
    pub fn resist(&self, x: &[f64], out: &mut [f64]) {
        let (operator, per) = (self.operator, self.unknowns.per);
        let at = &self.unknowns.components[..per];
        if operator.blocks.is_empty() {
            for (p, drag) in operator.drag.iter().enumerate() {
                for (k, component) in at.iter().enumerate() {
                    out[p * per + k] = drag[usize::from(*component >= 3)] * x[p * per + k];
                }
            }
            return;
        }
        let velocities: Vec<Velocity> =
            x.chunks_exact(per).map(|x| self.unknowns.motion(x)).collect();
        let mut forces = vec![Wrench::default(); velocities.len()];
        operator.apply(&velocities, &mut forces);
        for (force, out) in forces.iter().zip(out.chunks_exact_mut(per)) {
            let all = force.vector();
            at.iter().zip(out).for_each(|(k, out)| *out = all[*k]);
        }
    }

    /// The rates at which gaps stay open with a correction.
    pub fn slacks(&self, x: &[f64], slacks: &mut [f64]) {
        for (c, slack) in self.constraints.iter().zip(slacks) {
            *slack = c.slack + self.unknowns.opening(x, c);
        }
    }
}

/// The pairs of the matrix: those of the operator, and those of constraints.
#[derive(Default)]
pub(super) struct Links {
    /// All of them, in ascending order.
    pub pairs: Vec<[u32; 2]>,
    /// Where those of the operator are; none for one that is not between particles.
    pub blocks: Vec<Option<u32>>,
    /// Where those of constraints are.
    pub places: Vec<Option<u32>>,
}

impl Links {
    /// Finds them.
    pub fn find(&mut self, operator: &Operator, constraints: &[Constraint]) {
        let between = |ids: PairIds| (!ids.is_grounded()).then(|| ids.slots().map(|k| k as u32));
        let blocks = operator.blocks.iter().map(|b| between(b.ids));
        let constrained = constraints.iter().map(|c| between(c.ids));
        self.pairs.clear();
        self.pairs.extend(blocks.clone().chain(constrained.clone()).flatten());
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let pairs = &self.pairs;
        let place = |pair: Option<[u32; 2]>| pairs.binary_search(&pair?).ok().map(|k| k as u32);
        self.blocks = blocks.map(place).collect();
        self.places = constrained.map(place).collect();
    }
}
