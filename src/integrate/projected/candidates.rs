//! Pairs of particles, or of a particle and a surface, that might touch in a step.

use nalgebra::Vector3;

use super::{CLOSED_GAP, CONSTRAINT_GAP, MEMORY, Potential, Projected};
use crate::cell::Images;
use crate::integrate::mechanics::Mechanics;
use crate::laws::is_flat;
use crate::obstacle::Obstacles;
use crate::pairs::NeighbourList;
use crate::state::{PairIds, PairMemory, Partner, Suspension, Velocity};

/// The gap of a particle that has left an open box to its sides `[a]`.
const BEYOND_OPEN_SIDES: f64 = 1e30;

/// By how much farther than particles reach surfaces are seen, in smallest radii: all gaps below a
/// radius are.
const SEEN_BEYOND: f64 = 0.5;

/// Fast particles at most whose partners are looked for among all others.
const MOST_FAST: usize = 64;

/// A pair that might touch in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// Who the two are.
    pub ids: PairIds,
    /// Radii of curvature of i and j; infinite for a flat surface `[a]`.
    pub radii: [f64; 2],
    /// R, by which γ changes with the impulse `[1/a²]`.
    pub rate: f64,
    /// γ at the beginning of the step `[μ]`.
    pub gamma: f64,
    /// Whether it touched in the step before.
    pub known: bool,
    /// Its contact force then `[μγ̇a²]`.
    pub last_force: f64,
    /// Whether it is a constraint. Others may turn out to close all the same, and are one then.
    pub constrained: bool,
    /// The multiplier λ' of the projection `[μγ̇a²]`.
    pub multiplier: f64,
    /// Unit vector from i to j along which the contact force acts.
    pub normal: Vector3<f64>,
    /// The gap if only flow and obstacles moved `[a]`.
    pub first_gap: f64,
    /// Where the pair is at the end of the step.
    pub end: Place,
}

/// A pair at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Gap D `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
}

impl Candidate {
    /// The force that pulls a glued pair together until γ is used up, at most 0 `[μγ̇a²]`.
    pub fn pull(&self, step: f64) -> f64 {
        self.gamma / (self.rate * step)
    }

    /// The contact force λ, positive where it pushes the pair apart `[μγ̇a²]`.
    pub fn force(&self, step: f64) -> f64 {
        self.multiplier + self.pull(step)
    }

    /// γ at the end of the step `[μ]`.
    pub fn gamma_after(&self, step: f64, least: f64) -> f64 {
        // No negative zero.
        (-self.rate * step * self.multiplier).max(least) + 0.0
    }

    /// By how much the gap is not what it should be: overlap, or a gap where a force closes it
    /// `[a]`.
    pub(super) fn gap_error(&self) -> f64 {
        if self.multiplier > 0.0 { self.end.gap.abs() } else { (-self.end.gap).max(0.0) }
    }

    /// The multiplier to start from: that of the force of the last step.
    pub(super) fn start(&self, step: f64) -> f64 {
        if self.known { (self.last_force - self.pull(step)).max(0.0) } else { 0.0 }
    }

    /// Where the pair is when its particles are.
    pub(super) fn place(
        &self,
        at: &impl Fn(usize) -> Vector3<f64>,
        images: &Images,
        obstacles: &Obstacles,
        time: f64,
    ) -> Place {
        let i = self.ids.first();
        match self.ids.partner() {
            Partner::Particle(j) => {
                let separation = images.separation(&at(i), &at(j));
                let distance = separation.norm();
                Place {
                    gap: distance - self.radii[0] - self.radii[1],
                    normal: separation / distance,
                }
            }
            Partner::Surface(surface) => match obstacles.foot(surface, &at(i), time) {
                Some(foot) => Place { gap: foot.distance - self.radii[0], normal: foot.normal },
                None => Place { gap: BEYOND_OPEN_SIDES, normal: self.end.normal },
            },
        }
    }
}

/// R between two spheres, or a sphere and a flat wall (\[L09\] eq. 2.7 and remark 3.2).
fn rate(potential: Potential, [a, b]: [f64; 2]) -> f64 {
    match potential {
        Potential::Impulse => 1.0,
        Potential::Film if is_flat([a, b]) => 1.0 / (a * a),
        Potential::Film => ((a + b) / (a * b)).powi(2),
    }
}

/// The few particles that go much farther than most, in ascending order, and the largest reach of
/// all others.
fn fast(reaches: &[f64], radius: f64) -> (Vec<u32>, f64) {
    let mut order: Vec<u32> = (0..reaches.len() as u32).collect();
    order.sort_unstable_by(|a, b| reaches[*b as usize].total_cmp(&reaches[*a as usize]));
    let middle = order.get(order.len() / 2).map_or(0.0, |id| reaches[*id as usize]);
    let far = |id: &&u32| reaches[**id as usize] > 3.0 * middle + radius;
    let mut fast: Vec<u32> = order.iter().take(MOST_FAST).take_while(far).copied().collect();
    let slow = order.get(fast.len()).map_or(0.0, |id| reaches[*id as usize]);
    fast.sort_unstable();
    (fast, slow)
}

/// The rate at which velocities open a pair along a normal.
fn opening(normal: &Vector3<f64>, ids: PairIds, velocities: &[Velocity]) -> f64 {
    let [i, j] = ids.slots();
    let other = velocities.get(j).map_or(Vector3::zeros(), |velocity| velocity.linear);
    normal.dot(&(other - velocities[i].linear))
}

impl Projected {
    /// Chooses the pairs that are constraints, with all where flow and obstacles alone take them:
    /// those that touched before and those that come near with the velocities of the last step or
    /// with free ones.
    pub(super) fn choose_constraints(
        &mut self,
        last: &[Velocity],
        free: &[Velocity],
        step: f64,
        radius: f64,
    ) {
        for candidate in &mut self.candidates {
            let closing =
                |velocities| -step * opening(&candidate.end.normal, candidate.ids, velocities);
            let closed = closing(free).max(1.5 * closing(last)).max(0.0);
            let near = candidate.end.gap < CONSTRAINT_GAP * radius + closed;
            candidate.constrained = candidate.known || near;
            (candidate.normal, candidate.first_gap) = (candidate.end.normal, candidate.end.gap);
            candidate.multiplier = candidate.start(step);
        }
    }

    /// Makes constraints of the pairs that have come near if any of them overlaps, or has gone
    /// through the other, though it was not expected to; says whether one has.
    pub(super) fn add_constraints(
        &mut self,
        velocities: &[Velocity],
        step: f64,
        radius: f64,
    ) -> bool {
        let gap = |candidate: &Candidate| {
            let opened = step * opening(&candidate.normal, candidate.ids, velocities);
            candidate.end.gap.min(candidate.first_gap + opened)
        };
        let overlaps = |c: &Candidate| !c.constrained && gap(c) < -CLOSED_GAP * radius;
        let any = self.candidates.iter().any(overlaps);
        for candidate in self.candidates.iter_mut().filter(|_| any) {
            candidate.constrained |= gap(candidate) < CONSTRAINT_GAP * radius;
        }
        any
    }

    /// Finds the pairs that come together if each particle goes as far as its reach, with what they
    /// remember.
    pub(super) fn find_candidates(
        &mut self,
        mechanics: &Mechanics,
        state: &Suspension,
        step: f64,
        reaches: &[f64],
    ) {
        let radius = state.smallest_radius();
        let diameter = 2.0 * state.largest_radius();
        let (fast, slow) = fast(reaches, radius);
        let [along, across] = mechanics.drive.strains(step);
        let strain = if across == 0.0 { along.abs() } else { along.hypot(across) };
        let carried = strain * (diameter + 2.0 * slow + radius);
        let needed = 2.0 * slow + carried;
        if self.list.range() < needed || self.list.range() > 6.0 * needed + 2.0 * radius {
            self.list = NeighbourList::new(1.5 * needed, 0.5 * radius);
        }
        let mut pairs = Vec::new();
        self.list.active(state, &mut pairs);
        let candidates = &mut self.candidates;
        candidates.clear();
        let reach = |ids: PairIds| ids.moving().map(|id| reaches[id]).sum::<f64>() + carried;
        let is_fast = |id: u32| fast.binary_search(&id).is_ok();
        let near = pairs.iter().filter(|pair| pair.gap < reach(pair.ids));
        let slow = near.filter(|pair| !pair.ids.moving().any(|id| is_fast(id as u32)));
        let potential = self.law.potential;
        let candidate = |ids, radii| Candidate {
            ids,
            radii,
            rate: rate(potential, radii),
            ..Candidate::default()
        };
        candidates.extend(slow.map(|pair| candidate(pair.ids, pair.radii)));
        let images = state.cell.images(&state.clock);
        for i in &fast {
            let others = (0..state.len() as u32).filter(|j| j > i || j < i && !is_fast(*j));
            for j in others {
                let ids = PairIds::particles(*i.min(&j), *i.max(&j));
                let [x, y] = ids.slots().map(|id| state.positions[id]);
                let radii = ids.slots().map(|id| state.radii[id]);
                if images.separation(&x, &y).norm() - radii[0] - radii[1] < reach(ids) {
                    candidates.push(candidate(ids, radii));
                }
            }
        }
        self.find_walls(mechanics, state, step, reaches);
        self.candidates.sort_unstable_by_key(|candidate| candidate.ids);
        self.recall(&state.memory);
    }

    /// Surfaces at the end of the step, as remark 3.5 has it.
    fn find_walls(
        &mut self,
        mechanics: &Mechanics,
        state: &Suspension,
        step: f64,
        reaches: &[f64],
    ) {
        let potential = self.law.potential;
        // As far as between particles, where two of them have a reach.
        let room = SEEN_BEYOND * state.smallest_radius();
        for (i, (x, a)) in state.positions.iter().zip(&state.radii).enumerate() {
            let time = state.clock.time + step;
            let carried = mechanics.drive.carry(x, &Vector3::zeros(), step);
            mechanics.obstacles().near(&carried, a + reaches[i] + room, time, |surface, foot| {
                let radius = foot.radius.unwrap_or(f64::INFINITY);
                self.candidates.push(Candidate {
                    ids: PairIds::at_surface(i as u32, surface as u32),
                    radii: [*a, radius],
                    rate: rate(potential, [*a, radius]),
                    ..Candidate::default()
                });
            });
        }
    }

    /// Takes up what pairs remember.
    fn recall(&mut self, memory: &PairMemory) {
        let mut known = memory.ids.iter().zip(memory.values.chunks_exact(MEMORY));
        let mut next = known.next();
        for candidate in &mut self.candidates {
            while next.is_some_and(|(ids, _)| *ids < candidate.ids) {
                next = known.next();
            }
            if let Some((_, values)) = next.filter(|(ids, _)| **ids == candidate.ids) {
                (candidate.gamma, candidate.last_force) = (values[0], values[1]);
                candidate.known = true;
            }
        }
    }

    /// Places all candidates where velocities take them until the end of the step.
    pub(super) fn place_candidates(
        &mut self,
        mechanics: &Mechanics,
        state: &Suspension,
        step: f64,
        velocities: &[Velocity],
        images: &Images,
    ) {
        let arrival =
            |(x, m): (&Vector3<f64>, &Velocity)| mechanics.drive.carry(x, &m.linear, step);
        let arrivals: Vec<_> = state.positions.iter().zip(velocities).map(arrival).collect();
        let time = state.clock.time + step;
        for candidate in &mut self.candidates {
            let place = candidate.place(&|id| arrivals[id], images, mechanics.obstacles(), time);
            candidate.end = place;
        }
    }
}
