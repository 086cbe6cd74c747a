//! Obstacles in a trial step: a particle and a surface near it are a pair like any other.
//!
//! The pair of particle i and surface k has the ids i and N + k, so that what it remembers, its place among the
//! pairs and restarts need nothing of their own. What differs is the partner: it is where the obstacle
//! says, at the nearest point to wherever the particle goes in the step, and moves as prescribed.
//!
//! A foot follows its particle along the surface, while the material of the wall does not. Rates are those of
//! the material; the pair turns with the normal of the surface, which is therefore told to the
//! laws as its spin.

use nalgebra::Vector3;

use super::goal::Placement;
use super::sight::with_memory;
use super::stage::Stage;
use super::{APPROACH, StageFailure, Stepper, Trial};
use crate::balance::{mirror, rates as pair_rates};
use crate::drive::Drive;
use crate::laws::{Pair, PairForce, Rates, is_wall};
use crate::obstacle::{Foot, Obstacles};
use crate::pairs::ActivePair;
use crate::state::{Suspension, Velocity, Wrench};

/// Centres that are beyond a surface, or nearly, count as this far away from it, in radii.
const NEAREST: f64 = 1e-3;

/// The way that a particle goes to see how the normal of a surface turns, in radii.
const SMALL_WAY: f64 = 1e-5;

/// The obstacles of a run, and the pairs of a step that are with them.
#[derive(Default)]
pub(super) struct Walls {
    pub(super) obstacles: Obstacles,
    /// Particles near a surface, in the order of their pairs.
    pub(super) met: Vec<Met>,
    /// For every pair its place in `met`, counted from 1; 0 for two particles. Empty where nothing is met.
    places: Vec<u32>,
}

/// A particle near a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// Which pair it is.
    pub pair: usize,
    /// The particle.
    pub particle: usize,
    surface: usize,
    /// The particle's centre at the beginning of the step, or where a stage starts `[a]`.
    pub centre: Vector3<f64>,
    /// Geometry in the last linearisation.
    pub placed: Pair,
    /// The surface then.
    pub partner: Partner,
}

/// A surface as the partner of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Partner {
    /// Its motion relative to the flow.
    pub motion: Velocity,
    /// Where that is: its nearest point, or the centre of a sphere `[a]`.
    pub at: Vector3<f64>,
    /// The rotation of a flat wall's normal, and of the wall about it `[1/t]`.
    pub turn: Option<Vector3<f64>>,
}

impl Walls {
    /// The place among those met of pair `p`, if it is one of them.
    pub(super) fn met(&self, p: usize) -> Option<&Met> {
        let place = *self.places.get(p)? as usize;
        (place > 0).then(|| &self.met[place - 1])
    }

    /// Finds the pairs with surfaces among those of a step.
    fn take_up(&mut self, state: &Suspension, pairs: &[ActivePair]) {
        self.met.clear();
        self.places.clear();
        if self.obstacles.is_empty() {
            return;
        }
        for (pair, active) in pairs.iter().enumerate() {
            let [particle, other] = active.ids.map(|k| k as usize);
            if other < state.len() {
                continue;
            }
            self.places.resize(pairs.len(), 0);
            self.met.push(Met {
                pair,
                particle,
                surface: other - state.len(),
                centre: state.positions[particle],
                placed: Pair::default(),
                partner: Partner::default(),
            });
            self.places[pair] = self.met.len() as u32;
        }
    }
}

/// The pair of a particle of a radius and a surface, given its foot.
fn active(ids: [u32; 2], radius: f64, foot: &Foot) -> ActivePair {
    let gap = foot.distance - radius;
    let (other, distance) = apart(radius, foot);
    ActivePair { ids, radii: [radius, other], separation: distance * foot.normal, gap }
}

/// The radius of a surface, 0 where it is flat, and the distance to its foot or centre `[a]`.
fn apart(radius: f64, foot: &Foot) -> (f64, f64) {
    let other = foot.radius.unwrap_or(0.0);
    (other, (other + foot.distance).max(NEAREST * radius))
}

impl Stage {
    /// Places all surfaces for particles that move as in the guess.
    pub(super) fn place_walls(&mut self, drive: &Drive, step: f64) {
        let mut met = std::mem::take(&mut self.walls.met);
        for met in &mut met {
            let motion = &self.guess[met.particle];
            (met.placed, met.partner) = self.place_wall(met, motion, drive, (step, self.placement));
        }
        self.walls.met = met;
    }

    /// A pair with a surface, and the surface, in the middle of a step or at its end. Where a particle has left
    /// through an open side, both stay as they were.
    pub(super) fn place_wall(
        &self,
        met: &Met,
        motion: &Velocity,
        drive: &Drive,
        (step, placement): (f64, Placement),
    ) -> (Pair, Partner) {
        let (x, elapsed) = match placement {
            Placement::Middle => {
                (0.5 * (met.centre + drive.carry(&met.centre, &motion.linear, step)), 0.5 * step)
            }
            Placement::End => (drive.carry_back(&met.centre, &motion.linear, step), step),
        };
        let time = self.time + elapsed;
        let from = &self.pairs[met.pair];
        let (distance, normal) = match self.walls.obstacles.foot(met.surface, &x, time) {
            Some(foot) => (apart(from.radii[0], &foot).1, foot.normal),
            None => (from.separation.norm(), from.separation.normalize()),
        };
        let at = x + distance * normal;
        let own = self.walls.obstacles.motion(met.surface, &at, time);
        let flow = |at: &Vector3<f64>| {
            drive.rate * (self.unit_strain_rate * at + self.unit_rotation.cross(at))
        };
        let turns = self.operator.turning;
        let spin = if turns { own.angular } else { Vector3::zeros() };
        let mut partner = Partner { at, ..Partner::default() };
        partner.motion.linear = own.linear - flow(&at);
        if turns {
            partner.motion.angular = spin - drive.rate * self.unit_rotation;
        }
        if is_wall(from.radii) {
            // From a base that is the end less the rates there, times the step: its length is no distance.
            let tilting = if elapsed > 0.0 {
                from.separation.cross(&normal) / (distance * elapsed)
            } else {
                self.tilting(met, &x, &(motion.linear + flow(&x)), own.linear.norm())
            };
            partner.turn = Some(tilting + normal.dot(&spin) * normal);
        }
        (Pair { radii: from.radii, normal, distance, gap: from.gap, step }, partner)
    }

    /// How the normal of a surface turns at this instant below a particle with a velocity.
    fn tilting(
        &self,
        met: &Met,
        x: &Vector3<f64>,
        velocity: &Vector3<f64>,
        speed: f64,
    ) -> Vector3<f64> {
        let radius = self.pairs[met.pair].radii[0];
        let obstacles = &self.walls.obstacles;
        let spin = obstacles.motion(met.surface, x, self.time).angular.norm();
        let fastest = velocity.norm() + speed + radius * spin;
        if fastest == 0.0 {
            return Vector3::zeros();
        }
        let short = SMALL_WAY * radius / fastest;
        let normal = |time: f64| {
            obstacles.foot(met.surface, &(x + time * velocity), self.time + time).map(|f| f.normal)
        };
        match (normal(-short), normal(short)) {
            (Some(before), Some(after)) => before.cross(&after) / (2.0 * short),
            _ => Vector3::zeros(),
        }
    }

    /// Whether an id is that of a surface.
    pub(super) fn is_obstacle(&self, id: u32) -> bool {
        id as usize >= self.velocities.len()
    }

    /// The rates that the motion of an obstacle alone gives to a pair with it.
    pub(super) fn prescribed(&self, pair: &Pair, partner: &Velocity) -> Rates {
        pair_rates(&pair.normal, self.levers(pair), &Velocity::default(), partner)
    }

    /// Rates of the flow, and those of the motion of an obstacle in it.
    pub(super) fn with_obstacle(&self, pair: &Pair, flow: Rates, partner: &Partner) -> Rates {
        let own = self.prescribed(pair, &partner.motion);
        Rates { squeeze: flow.squeeze + own.squeeze, slide: flow.slide + own.slide, ..own }
    }

    /// The rate at which the separation of pair `p` changes at the beginning of a step.
    pub(super) fn separation_rate(
        &self,
        p: usize,
        velocities: &[Velocity],
        flow: &Drive,
    ) -> Vector3<f64> {
        let pair = &self.pairs[p];
        let [i, j] = pair.ids.map(|k| k as usize);
        let Some(met) = self.walls.met(p) else {
            return velocities[j].linear - velocities[i].linear + flow.velocity(&pair.separation);
        };
        let now = (0.0, Placement::End);
        let (_, partner) = self.place_wall(met, &velocities[i], flow, now);
        let material =
            partner.motion.linear - velocities[i].linear + flow.velocity(&pair.separation);
        match partner.turn {
            None => material,
            Some(turn) => {
                let normal = pair.separation.normalize();
                normal.dot(&material) * normal + turn.cross(&pair.separation)
            }
        }
    }
}

impl Stepper {
    /// Puts obstacles among the particles. They act through all pair laws, from now on; where they are follows
    /// from the time of the state.
    ///
    /// # Panics
    ///
    /// If a stress is imposed: the rate that gives it is found for a suspension without walls.
    pub fn set_obstacles(&mut self, obstacles: Obstacles) {
        let free = self.drive.stress.is_none() || obstacles.is_empty();
        assert!(free, "a stress cannot be imposed on a suspension with obstacles");
        self.stage.walls = Walls { obstacles, ..Walls::default() };
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &Obstacles {
        &self.stage.walls.obstacles
    }

    /// Adds the pairs of particles and surfaces within the range.
    pub(super) fn add_walls(&mut self, state: &Suspension) {
        let Stage { walls: Walls { obstacles, .. }, pairs, .. } = &mut self.stage;
        if obstacles.is_empty() {
            return;
        }
        let (n, time, range) = (state.len(), state.clock.time, self.list.range());
        for (i, (x, radius)) in state.positions.iter().zip(&state.radii).enumerate() {
            obstacles.near(x, radius + range, time, |surface, foot| {
                pairs.push(active([i as u32, (n + surface) as u32], *radius, foot));
            });
        }
        pairs.sort_unstable_by_key(|p| p.ids);
    }

    /// A pair that is remembered, of two particles or of a particle and a surface; none if the
    /// particle has left the obstacle.
    pub(super) fn remembered_pair(&self, state: &Suspension, ids: [u32; 2]) -> Option<ActivePair> {
        let [i, j] = ids.map(|k| k as usize);
        if j < state.len() {
            return Some(ActivePair::of(state, ids));
        }
        let (x, surface) = (&state.positions[i], j - state.len());
        let foot = self.obstacles().foot(surface, x, state.clock.time)?;
        Some(active(ids, state.radii[i], &foot))
    }

    /// Takes up the pairs with surfaces.
    pub(super) fn meet_walls(&mut self, state: &Suspension) {
        let Stage { walls, pairs, .. } = &mut self.stage;
        walls.take_up(state, pairs);
    }

    /// A shorter step, if a particle and a surface that it feels then approach each other by too much.
    pub(super) fn too_fast(&self, state: &Suspension, step: f64) -> Option<Trial> {
        let obstacles = self.obstacles();
        if obstacles.is_empty() {
            return None;
        }
        let (start, range) = (state.clock.time, self.list.range());
        let mut farthest: f64 = 0.0;
        for (k, (x, radius)) in state.positions.iter().zip(&state.radii).enumerate() {
            let end = self.arrival(k, x, step);
            obstacles.near(&end, radius + range, start + step, |surface, after| {
                if let Some(before) = obstacles.foot(surface, x, start) {
                    farthest = farthest.max(before.distance - after.distance);
                }
            });
        }
        let allowed = APPROACH * state.smallest_radius();
        let factor = (0.9 * allowed / farthest).max(0.2);
        let reason = StageFailure::TooFar;
        (farthest > allowed).then_some(Trial::Shorter { factor, reason })
    }

    /// Force and torque about its pivot that the particles exert on every obstacle, in the last accepted
    /// step: the mean over it, or that at its end with films or explicit steps.
    pub fn obstacle_loads(&self) -> Vec<Wrench> {
        let bodies = self.obstacles().bodies();
        let mut loads = self.loads.clone();
        loads.resize(bodies.len(), Wrench::default());
        let stage = &self.stage;
        for met in &stage.walls.met {
            let seen = stage.see(met.pair, &self.drive);
            let mut all = PairForce::default();
            for (law, memory) in with_memory(&self.laws, seen.memory) {
                let rates = [&seen.guess, &seen.rates];
                law.parts(seen.pair, memory, rates, &mut |_, force| all = all + force);
            }
            if let Some(far_field) = stage.far_field(met.pair, seen.pair) {
                let driven = far_field.driven(&seen.pair.normal, &self.drive.strain_rate());
                all = all + far_field.resistance.force(&seen.rates) + driven;
            }
            let both = mirror(&seen.pair.normal, stage.levers(seen.pair), &all);
            let body = self.obstacles().body_of(met.surface);
            let arm = met.partner.at - bodies[body].pivot_at(stage.balanced_at());
            loads[body].linear -= both.force;
            loads[body].angular += both.torques[1] - arm.cross(&both.force);
        }
        loads
    }
}
