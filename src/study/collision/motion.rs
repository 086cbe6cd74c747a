//! How two bodies move through a collision: geometry, forces, one step.

use std::f64::consts::PI;

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::{Collision, Partner};
use crate::integrate::verlet::{Body, Prediction, verlet};
use crate::laws::collision::{Collision as Law, Matter, Shear, Tension};
use crate::record::keys::Described;
use crate::state::{Screw, sphere_volume};

/// A normal speed below this share of the first one has come to rest `[1]`.
const REST_SPEED: f64 = 1e-6;

/// The same for spheres that slide past each other after they touched: their way round carries them
/// apart before they would come to rest `[1]`.
const HELD: f64 = 1e-2;

/// A touching pair has come to rest when this share of its energy along the normal is left `[1]`.
const REST_ENERGY: f64 = 1e-9;

/// How near the end of the film's range counts as having left it `[1]`.
const AT_RANGE: f64 = 1e-9;

/// A collision is given up after this many times that from the range to contact and back `[1]`.
const GIVEN_UP_AFTER: f64 = 1e4;

/// Everything that does not change in a collision.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Reduced quantities.
    pub matter: Matter,
    /// The law.
    pub law: Law,
    /// Speed of approach `[m/s]`.
    pub speed: f64,
    /// Its part along the normal at contact `[m/s]`.
    pub normal_speed: f64,
    /// Radius of the spheres `[m]`.
    pub radius: f64,
    partner: Partner,
    /// Inverse of the two masses and moments of inertia.
    lightness: [[f64; 2]; 2],
    share: f64,
    prediction: Prediction,
    longest: Option<f64>,
}

/// Two bodies as the law sees them.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// From the first to the second.
    pub normal: Vector3<f64>,
    /// The gap `[m]`.
    pub gap: f64,
    /// Its rate `[m/s]`.
    pub rate: f64,
    /// Rate of slip of the surfaces `[m/s]`.
    pub slip: Vector3<f64>,
    levers: [f64; 2],
}

/// Work done by the bodies so far `[J]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// On the film.
    pub film: f64,
    /// On what damps the contact.
    pub damping: f64,
    /// Against the tangential force; a small part of it is stored while surfaces touch.
    pub friction: f64,
}

/// How a collision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The bodies left each other.
    Parted,
    /// The film holds them.
    Held,
    /// Neither happened in the time that was given.
    Undecided,
}

impl Described for Ending {
    const UNIT: &'static str = "text";
}

/// Where a collision stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollisionProgress {
    /// The two bodies; a wall is one that stays.
    pub bodies: [Body; 2],
    /// Stretch of the tangential spring `[m]`.
    pub stretch: Vector3<f64>,
    /// Time `[s]`.
    pub time: f64,
    /// Steps.
    pub steps: u64,
    /// Last step `[s]`.
    pub step: f64,
    /// Smallest gap so far `[m]`.
    pub min_gap: f64,
    /// Largest tension and pressure so far `[N]`.
    pub extremes: [f64; 2],
    /// Whether surfaces touched.
    pub touched: bool,
    /// Work so far.
    pub work: Work,
    /// The end, once it is reached.
    pub ending: Option<Ending>,
}

impl Setting {
    /// Of a case.
    pub fn new(given: &Collision) -> Self {
        let own = given.properties();
        let mass = own.density * sphere_volume(given.radius);
        let inertia = 0.4 * mass * given.radius.powi(2);
        let alone = [1.0 / mass, 1.0 / inertia];
        // A wall is a sphere of infinite radius and mass.
        let (half, lightness) = match given.partner {
            Partner::Sphere => (0.5, [alone, alone]),
            Partner::Wall => (1.0, [alone, [0.0; 2]]),
        };
        let shear = own.modulus / (2.0 * (1.0 + own.poisson_ratio));
        let matter = Matter {
            radius: half * given.radius,
            mass: half * mass,
            modulus: own.modulus / (2.0 * (1.0 - own.poisson_ratio.powi(2))),
            shear_modulus: shear / (2.0 * (2.0 - own.poisson_ratio)),
            dry_restitution: own.dry_restitution,
            roughness: own.roughness,
            dry_friction: own.dry_friction,
            lubricated_friction: own.lubricated_friction,
            viscosity: given.viscosity,
        };
        let speed = matter.speed(given.stokes);
        let normal_speed = speed * given.angle_deg.to_radians().cos();
        Setting {
            matter,
            law: matter.law(normal_speed),
            speed,
            normal_speed,
            radius: given.radius,
            partner: given.partner,
            lightness,
            share: given.step,
            prediction: given.prediction,
            longest: given.max_time,
        }
    }

    /// The time from the film's range to contact at the first speed `[s]`.
    pub fn approach_time(&self) -> f64 {
        self.matter.radius / self.normal_speed
    }

    /// When a collision is given up `[s]`.
    pub fn longest(&self) -> f64 {
        self.longest.unwrap_or(GIVEN_UP_AFTER * self.approach_time())
    }

    /// The bodies where the film begins. They would touch on the x axis, and the second is at rest.
    pub fn start(&self) -> CollisionProgress {
        let (range, cos) = (self.law.range, self.normal_speed / self.speed);
        let direction = Vector3::new(cos, (1.0 - cos * cos).max(0.0).sqrt(), 0.0);
        let (touching, back) = match self.partner {
            Partner::Sphere => {
                let sum = 2.0 * self.radius;
                let far = (sum * cos).powi(2) + range * (2.0 * sum + range);
                (sum, far.sqrt() - sum * cos)
            }
            Partner::Wall => (self.radius, range / cos),
        };
        let mut bodies = [Body::default(); 2];
        bodies[0].position = -touching * Vector3::x() - back * direction;
        bodies[0].motion.linear = self.speed * direction;
        let mut impact =
            CollisionProgress { bodies, min_gap: f64::INFINITY, ..CollisionProgress::default() };
        let rates = self.accelerations(&self.forces(&bodies, Vector3::zeros()));
        for (body, rate) in impact.bodies.iter_mut().zip(rates) {
            body.acceleration = rate;
        }
        impact.min_gap = self.sight(&bodies).gap;
        impact
    }

    /// Geometry and rates.
    pub fn sight(&self, bodies: &[Body; 2]) -> Sight {
        let [i, j] = bodies;
        let between = j.position - i.position;
        let (normal, gap, levers) = match self.partner {
            Partner::Sphere => {
                let distance = between.norm();
                let gap = distance - 2.0 * self.radius;
                (between / distance, gap, [0.5 * distance; 2])
            }
            Partner::Wall => (Vector3::x(), between.x - self.radius, [between.x, 0.0]),
        };
        let relative = j.motion.linear - i.motion.linear;
        let rate = relative.dot(&normal);
        let turning = levers[0] * i.motion.angular + levers[1] * j.motion.angular;
        let slip = relative - rate * normal - turning.cross(&normal);
        Sight { normal, gap, rate, slip, levers }
    }

    /// The forces for a stretch of the spring that is turned into the tangential plane.
    pub fn forces(&self, bodies: &[Body; 2], stretch: Vector3<f64>) -> (Sight, Tension, Shear) {
        let sight = self.sight(bodies);
        let tension = self.law.tension(sight.gap, sight.rate);
        let flat = stretch - stretch.dot(&sight.normal) * sight.normal;
        let shear = self.law.shear(sight.gap, &tension, flat, sight.slip);
        (sight, tension, shear)
    }

    fn accelerations(&self, (sight, tension, shear): &(Sight, Tension, Shear)) -> [Screw; 2] {
        let force = tension.total() * sight.normal + shear.force;
        let torque = sight.normal.cross(&shear.force);
        [0, 1].map(|k| {
            let [linear, angular] = self.lightness[k];
            let sign = if k == 0 { 1.0 } else { -1.0 };
            Screw { linear: sign * linear * force, angular: angular * sight.levers[k] * torque }
        })
    }

    /// The step that forces allow: a share of the times in which the film stops the bodies, the gap
    /// changes, and a dry collision takes.
    fn allowed(&self, bodies: &[Body; 2]) -> f64 {
        let Sight { gap, rate, .. } = self.sight(bodies);
        // Linear in the rate, so that a unit rate gives the resistance.
        let unit = self.law.tension(gap, 1.0);
        let stopping = self.matter.mass / (unit.film + unit.damping);
        let passing =
            gap.abs().max(self.law.approach) / rate.abs().max(REST_SPEED * self.normal_speed);
        let dry = self.matter.hertz_time(self.normal_speed);
        let sliding = self.radius / self.speed;
        let contact = if gap < 2.0 * self.law.approach { dry } else { f64::INFINITY };
        self.share * stopping.min(passing).min(sliding).min(contact)
    }

    /// The allowed step, or the shorter one that ends where the film does.
    fn step_length(&self, bodies: &[Body; 2]) -> f64 {
        let allowed = self.allowed(bodies);
        let gap_after = |step: f64| {
            let places = bodies.map(|b| Body { position: b.position_after(step), ..b });
            self.sight(&places).gap
        };
        let range = self.law.range;
        if self.sight(bodies).rate <= 0.0 || gap_after(allowed) <= range {
            return allowed;
        }
        let (mut low, mut high) = (0.0, allowed);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if gap_after(middle) <= range { low = middle } else { high = middle }
        }
        high
    }

    /// Energy of motion `[J]`.
    pub fn kinetic(&self, bodies: &[Body; 2]) -> f64 {
        let of = |motion: f64, lightness: f64| match lightness > 0.0 {
            true => 0.5 * motion / lightness,
            false => 0.0,
        };
        bodies
            .iter()
            .zip(self.lightness)
            .map(|(body, [linear, angular])| {
                let Screw { linear: u, angular: w } = &body.motion;
                of(u.norm_squared(), linear) + of(w.norm_squared(), angular)
            })
            .sum()
    }

    /// Energy at the start that is neither in motion, nor stored, nor spent, over that at the
    /// start.
    pub fn energy_mismatch(&self, impact: &CollisionProgress) -> f64 {
        let start = 0.5 * self.speed.powi(2) / self.lightness[0][0];
        let Work { film, damping, friction } = impact.work;
        let stored = self.law.stored(self.sight(&impact.bodies).gap);
        1.0 - (self.kinetic(&impact.bodies) + stored + film + damping + friction) / start
    }

    /// One step.
    pub fn advance(&self, impact: &mut CollisionProgress) {
        let before = impact.bodies;
        let step = self.step_length(&before);
        let (seen, tension, shear) = self.forces(&before, impact.stretch);
        let stretched = |slip: Vector3<f64>| shear.stretch + 0.5 * step * (seen.slip + slip);
        let after = verlet(&before, step, self.prediction, |bodies| {
            let slip = self.sight(bodies).slip;
            self.accelerations(&self.forces(bodies, stretched(slip)))
        });
        let slip = self.sight(&after).slip;
        let (now, tension_now, shear_now) = self.forces(&after, stretched(slip));
        let half = 0.5 * step;
        impact.work.film += half * (tension.film * seen.rate + tension_now.film * now.rate);
        impact.work.damping +=
            half * (tension.damping * seen.rate + tension_now.damping * now.rate);
        impact.work.friction +=
            half * (shear.force.dot(&seen.slip) + shear_now.force.dot(&now.slip));
        impact.bodies = after;
        impact.stretch = shear_now.stretch;
        impact.time += step;
        impact.step = step;
        impact.steps += 1;
        impact.min_gap = impact.min_gap.min(now.gap);
        let force = tension_now.total();
        impact.extremes = [impact.extremes[0].max(force), impact.extremes[1].max(-force)];
        impact.touched |= self.law.touches(now.gap);
        impact.ending = self.ending(impact, &now);
    }

    /// Whether the collision is over, and how.
    fn ending(&self, impact: &CollisionProgress, now: &Sight) -> Option<Ending> {
        let law = &self.law;
        if now.gap >= law.range * (1.0 - AT_RANGE) && now.rate > 0.0 {
            return Some(Ending::Parted);
        }
        let relative = impact.bodies[1].motion.linear - impact.bodies[0].motion.linear;
        let sideways = (relative - now.rate * now.normal).norm();
        let slides = sideways > REST_SPEED * self.speed;
        let slow = if slides { HELD } else { REST_SPEED } * self.normal_speed;
        let held = match (impact.touched, law.touches(now.gap)) {
            // A film alone never turns the motion round.
            (false, _) => now.rate >= -REST_SPEED * self.normal_speed,
            (true, false) => now.rate.abs() <= slow,
            (true, true) => {
                let remaining = 0.5 * self.matter.mass * now.rate.powi(2) + law.stored(now.gap);
                remaining < REST_ENERGY * 0.5 * self.matter.mass * self.normal_speed.powi(2)
            }
        };
        match held {
            true => Some(Ending::Held),
            false => (impact.time >= self.longest()).then_some(Ending::Undecided),
        }
    }

    /// The whole collision.
    pub fn run(&self) -> CollisionProgress {
        let mut impact = self.start();
        while impact.ending.is_none() {
            self.advance(&mut impact);
        }
        impact
    }

    /// What is left of the speed along the line on which the bodies would touch; 0 if they do not
    /// turn round `[1]`.
    pub fn restitution(&self, impact: &CollisionProgress) -> f64 {
        let [i, j] = impact.bodies.map(|body| body.motion.linear);
        match impact.ending {
            Some(Ending::Parted) => ((j - i).x / self.normal_speed).max(0.0),
            _ => 0.0,
        }
    }

    /// The angle of the first body's velocity from the line on which the bodies would touch `[°]`.
    pub fn rebound_angle(&self, impact: &CollisionProgress) -> f64 {
        angle(impact.bodies[0].motion.linear)
    }

    /// The same of the velocity relative to the second body `[°]`.
    pub fn relative_angle(&self, impact: &CollisionProgress) -> f64 {
        let [i, j] = impact.bodies.map(|body| body.motion.linear);
        angle(i - j)
    }
}

/// From the x axis, whichever way along it `[°]`.
fn angle(velocity: Vector3<f64>) -> f64 {
    velocity.y.atan2(velocity.x.abs()) * 180.0 / PI
}
