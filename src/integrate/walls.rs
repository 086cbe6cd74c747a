//! Obstacles in a trial step: a particle and a surface near it are a pair like any other.
//!
//! What it remembers, its place among the pairs and restarts need nothing of their own. What
//! differs is the partner: it is where the obstacle says, at the nearest point to wherever the
//! particle goes in the step, and moves as prescribed.
//!
//! A foot follows its particle along the surface, while the material of the wall does not. Rates
//! are those of the material; the pair turns with the normal of the surface, which is therefore
//! told to the laws as its spin.

use nalgebra::Vector3;

use super::mechanics::Mechanics;
use super::stage::Stage;
use super::step_pairs::StepPairs;
use super::trial::Placement;
use crate::balance::{mirror, rates as pair_rates};
use crate::drive::Drive;
use crate::laws::{Pair, PairForce, Rates, is_flat};
use crate::obstacle::{Foot, Obstacles};
use crate::pairs::ActivePair;
use crate::state::{PairIds, Partner, Suspension, Velocity, Wrench};

/// Centres that are beyond a surface, or nearly, count as this far away from it, in radii.
const NEAREST: f64 = 1e-3;

/// The way that a particle goes to see how the normal of a surface turns, in radii.
const SMALL_WAY: f64 = 1e-5;

/// The obstacles of a run, and the pairs of a step that are with them.
#[derive(Default)]
pub(super) struct Walls {
    pub(super) obstacles: Obstacles,
    /// Particles near a surface, in the order of their pairs.
    pub(super) met: Vec<WallPair>,
    /// Force and torque about its pivot of constraints on every obstacle in the last step.
    pub(super) constraint_loads: Vec<Wrench>,
    /// For every pair its place in `met`, counted from 1; 0 for two particles. Empty where nothing
    /// is met.
    places: Vec<u32>,
}

/// A particle near a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallPair {
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
    pub partner: WallPartner,
}

/// A surface as the partner of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WallPartner {
    /// Its motion relative to the flow.
    pub motion: Velocity,
    /// Where that is: its nearest point, or the centre of a sphere `[a]`.
    pub at: Vector3<f64>,
    /// The rotation of a flat wall's normal, and of the wall about it `[1/t]`.
    pub turn: Option<Vector3<f64>>,
}

impl Walls {
    /// Whether there are any.
    pub(super) fn exist(&self) -> bool {
        !self.obstacles.is_empty()
    }

    /// The place among those met of pair `p`, if it is one of them.
    pub(super) fn met(&self, p: usize) -> Option<&WallPair> {
        let place = *self.places.get(p)? as usize;
        (place > 0).then(|| &self.met[place - 1])
    }

    /// Finds the pairs with surfaces among those of a step.
    pub(super) fn find(&mut self, state: &Suspension, pairs: &[ActivePair]) {
        self.met.clear();
        self.places.clear();
        for (pair, active) in pairs.iter().enumerate() {
            let Partner::Surface(surface) = active.ids.partner() else { continue };
            let particle = active.ids.first();
            self.places.resize(pairs.len(), 0);
            self.met.push(WallPair {
                pair,
                particle,
                surface,
                centre: state.positions[particle],
                placed: Pair::default(),
                partner: WallPartner::default(),
            });
            self.places[pair] = self.met.len() as u32;
        }
    }
}

/// The pair of a particle of a radius and a surface, given its foot.
fn active(ids: PairIds, radius: f64, foot: &Foot) -> ActivePair {
    let gap = foot.distance - radius;
    let radii = [radius, foot.radius.unwrap_or(f64::INFINITY)];
    ActivePair { ids, radii, separation: distance_to(radius, foot) * foot.normal, gap }
}

/// The distance from a particle to the nearest point of a surface, or to the centre of a sphere
/// `[a]`.
fn distance_to(radius: f64, foot: &Foot) -> f64 {
    (foot.radius.unwrap_or(0.0) + foot.distance).max(NEAREST * radius)
}

impl Stage {
    /// Places all surfaces for particles that move as in the guess.
    pub(super) fn place_walls(&mut self, drive: &Drive, step: f64) {
        let mut met = std::mem::take(&mut self.pairs.walls.met);
        for met in &mut met {
            let motion = &self.linearisation.about.velocities[met.particle];
            (met.placed, met.partner) =
                self.place_wall(met, motion, drive, (step, self.moment.placement));
        }
        self.pairs.walls.met = met;
    }

    /// A pair with a surface, and the surface, in the middle of a step or at its end. Where a
    /// particle has left through an open side, both stay as they were.
    pub(super) fn place_wall(
        &self,
        met: &WallPair,
        motion: &Velocity,
        drive: &Drive,
        (step, placement): (f64, Placement),
    ) -> (Pair, WallPartner) {
        let (x, elapsed) = match placement {
            Placement::Middle => {
                (0.5 * (met.centre + drive.carry(&met.centre, &motion.linear, step)), 0.5 * step)
            }
            Placement::End => (drive.carry_back(&met.centre, &motion.linear, step), step),
        };
        let time = self.moment.start + elapsed;
        let from = &self.pairs.active[met.pair];
        let (distance, normal) = match self.pairs.walls.obstacles.foot(met.surface, &x, time) {
            Some(foot) => (distance_to(from.radii[0], &foot), foot.normal),
            None => (from.separation.norm(), from.separation.normalize()),
        };
        let at = x + distance * normal;
        let own = self.pairs.walls.obstacles.motion(met.surface, &at, time);
        let flow = |at: &Vector3<f64>| {
            drive.rate * (self.moment.unit_strain_rate * at + self.moment.unit_rotation.cross(at))
        };
        let turns = self.turns();
        let spin = if turns { own.angular } else { Vector3::zeros() };
        let mut partner = WallPartner { at, ..WallPartner::default() };
        partner.motion.linear = own.linear - flow(&at);
        if turns {
            partner.motion.angular = spin - drive.rate * self.moment.unit_rotation;
        }
        if is_flat(from.radii) {
            // From a base that is the end less the rates there, times the step: its length is no
            // distance.
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
        met: &WallPair,
        x: &Vector3<f64>,
        velocity: &Vector3<f64>,
        speed: f64,
    ) -> Vector3<f64> {
        let radius = self.pairs.active[met.pair].radii[0];
        let obstacles = &self.pairs.walls.obstacles;
        let spin = obstacles.motion(met.surface, x, self.moment.start).angular.norm();
        let fastest = velocity.norm() + speed + radius * spin;
        if fastest == 0.0 {
            return Vector3::zeros();
        }
        let short = SMALL_WAY * radius / fastest;
        let normal = |time: f64| {
            obstacles
                .foot(met.surface, &(x + time * velocity), self.moment.start + time)
                .map(|f| f.normal)
        };
        match (normal(-short), normal(short)) {
            (Some(before), Some(after)) => before.cross(&after) / (2.0 * short),
            _ => Vector3::zeros(),
        }
    }

    /// The rates that the motion of an obstacle alone gives to a pair with it.
    pub(super) fn prescribed(&self, pair: &Pair, partner: &Velocity) -> Rates {
        pair_rates(&pair.normal, self.levers(pair), &Velocity::default(), partner)
    }

    /// Rates of the flow, and those of the motion of an obstacle in it.
    pub(super) fn with_obstacle(&self, pair: &Pair, flow: Rates, partner: &WallPartner) -> Rates {
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
        let pair = &self.pairs.active[p];
        let [i, j] = pair.ids.slots();
        let Some(met) = self.pairs.walls.met(p) else {
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

impl StepPairs {
    /// Adds the pairs of particles and surfaces within the range.
    pub(super) fn add_walls(&mut self, state: &Suspension) {
        let StepPairs { walls: Walls { obstacles, .. }, active: pairs, list, .. } = self;
        let (time, range) = (state.clock.time, list.range());
        for (i, (x, radius)) in state.positions.iter().zip(&state.radii).enumerate() {
            obstacles.near(x, radius + range, time, |surface, foot| {
                pairs.push(active(PairIds::at_surface(i as u32, surface as u32), *radius, foot));
            });
        }
        pairs.sort_unstable_by_key(|p| p.ids);
    }

    /// A pair that is remembered, of two particles or of a particle and a surface; none if the
    /// particle has left the obstacle.
    pub(super) fn remembered_pair(&self, state: &Suspension, ids: PairIds) -> Option<ActivePair> {
        let Partner::Surface(surface) = ids.partner() else {
            return Some(ActivePair::of(state, ids));
        };
        let i = ids.first();
        let x = &state.positions[i];
        let foot = self.walls.obstacles.foot(surface, x, state.clock.time)?;
        Some(active(ids, state.radii[i], &foot))
    }
}

impl Mechanics {
    /// Force and torque about its pivot that the particles exert on every obstacle, in the last
    /// accepted step: the mean over it, or that at its end with films or explicit steps.
    pub(super) fn obstacle_loads(&self) -> Vec<Wrench> {
        let Mechanics { stage, drive, laws, .. } = self;
        let walls = &stage.pairs.walls;
        let bodies = walls.obstacles.bodies();
        let mut loads = walls.constraint_loads.clone();
        loads.resize(bodies.len(), Wrench::default());
        for met in &walls.met {
            let view = stage.view(met.pair, drive);
            let mut all = PairForce::default();
            stage.by_origin((laws, drive), met.pair, &view, |_, force| all = all + force);
            let both = mirror(&view.pair.normal, stage.levers(view.pair), &all);
            let body = walls.obstacles.body_of(met.surface);
            let arm = met.partner.at - bodies[body].pivot_at(stage.moment.balanced_at);
            loads[body].linear -= both.force;
            loads[body].angular += both.torques[1] - arm.cross(&both.force);
        }
        loads
    }
}
