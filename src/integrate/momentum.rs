//! Mass in a trial step. Motions are relative to the flow, so that
//! $$m\big(\dot{\mathbf u} + \mathsf L\mathbf u\big) = \mathbf F,
//! \qquad I\dot{\boldsymbol\omega} = \mathbf T,$$
//! with the gradient \\(\mathsf L\\) of the flow: a particle that moves across a shear flow must be
//! accelerated along it. What a change of the imposed rate, or a flow that itself accelerates
//! (extension), would ask of the whole suspension is left to the pressure of the fluid, as in the
//! SLLOD equations.
//!
//! Taken implicitly, the acceleration over a step is linear in the motion that is looked for,
//! \\(c_0\mathbf u - \mathbf c\\): mass is a resistance \\(m c_0\\), about m/Δt, and a force
//! \\(m\mathbf c\\). Which \\(c_0\\) and \\(\mathbf c\\) depends on the scheme. Steps of one stage
//! find the motion in their middle and take the derivative there of the parabola through the last
//! three middles (BDF2: second order, and a mass too small to matter in a step does not ring).
//! Steps with films take it from the stage, as any other rate.

use nalgebra::{Matrix3, Vector3};

use super::mechanics::Mechanics;
use super::stage::Stage;
use crate::drive::Drive;
use crate::state::{Clock, Screw, Suspension, Velocity, sphere_volume};

/// A step longer than the one before by more than this factor looks back on one motion only.
const LONGEST_GROWTH: f64 = 2.2;

/// The mass of the particles and the acceleration that a step gives them.
#[derive(Clone, Debug, Default)]
pub(super) struct Momentum {
    /// Mass and moment of inertia of every particle; empty where they have none.
    pub masses: Vec<[f64; 2]>,
    /// \\(c_0\\) `[1/t]`.
    pub rate: f64,
    /// \\(\mathbf c\\), per particle.
    pub carried: Vec<Screw>,
    /// From where a step finds velocities to its end: half of it, or nothing `[t]`.
    pub ahead: f64,
}

/// Mass and moment of inertia of a sphere.
pub(super) fn mass(density: f64, radius: f64, spins: bool) -> [f64; 2] {
    let mass = density * sphere_volume(radius);
    [mass, if spins { 0.4 * mass * radius * radius } else { 0.0 }]
}

impl Momentum {
    /// Whether particles have a mass.
    pub fn exists(&self) -> bool {
        !self.masses.is_empty()
    }

    /// The acceleration of a particle with the given motion, relative to the flow.
    pub fn acceleration(&self, particle: usize, motion: &Velocity) -> Screw {
        self.rate * *motion - self.carried[particle]
    }

    /// The size of the forces whose differences accelerate the particles.
    pub fn size(&self) -> f64 {
        let own = |(m, c): (&[f64; 2], &Screw)| m[0] * m[0] * c.linear.norm_squared();
        self.masses.iter().zip(&self.carried).map(own).sum::<f64>().sqrt()
    }

    /// What a motion that a step has found becomes until the end of the step.
    fn at_end(&self, particle: usize, motion: &Velocity) -> Velocity {
        if self.ahead == 0.0 {
            return *motion;
        }
        *motion + self.ahead * self.acceleration(particle, motion)
    }

    /// Kinetic energy of velocities relative to the flow, at the end of the step that has found
    /// them `[μγ̇a³]`.
    pub fn energy(&self, velocities: &[Velocity]) -> f64 {
        let own = |(k, (m, u)): (usize, (&[f64; 2], &Velocity))| {
            let u = self.at_end(k, u);
            0.5 * (m[0] * u.linear.norm_squared() + m[1] * u.angular.norm_squared())
        };
        self.masses.iter().zip(velocities).enumerate().map(own).sum()
    }

    /// What velocities relative to the flow carry of momentum, \\(-\sum m\mathbf u\mathbf u\\)
    /// `[μγ̇a³]`.
    pub fn flux(&self, velocities: &[Velocity]) -> Matrix3<f64> {
        let own = |(m, u): (&[f64; 2], &Velocity)| -m[0] * u.linear * u.linear.transpose();
        self.masses.iter().zip(velocities).map(own).sum()
    }

    /// Power that goes into the motion of the particles, and power of the flow on it `[μγ̇²a³]`.
    pub fn powers(&self, velocities: &[Velocity], drive: &Drive) -> [f64; 2] {
        let mut powers = [0.0; 2];
        for (k, (m, u)) in self.masses.iter().zip(velocities).enumerate() {
            let gained = self.acceleration(k, u);
            powers[0] += m[0] * gained.linear.dot(&u.linear);
            powers[0] += m[1] * gained.angular.dot(&u.angular);
            powers[1] -= m[0] * u.linear.dot(&drive.velocity(&u.linear));
        }
        powers
    }
}

impl Stage {
    /// Gives the particles of a trial step an acceleration \\(c_0\mathbf u - \mathbf c\\).
    pub(super) fn accelerate(&mut self, rate: f64) {
        self.momentum.rate = rate;
        let Stage { forces, momentum, .. } = self;
        let drags = forces.operator.drag.iter_mut().zip(&forces.drag);
        for ((sum, drag), m) in drags.zip(&momentum.masses) {
            *sum = [drag[0] + rate * m[0], drag[1] + rate * m[1]];
        }
    }

    /// Subtracts what accelerates the guess from the residual; returns the sum of its squares.
    pub(super) fn subtract_inertia(&mut self, drive: &Drive) -> f64 {
        let Stage { momentum, forces, linearisation, .. } = self;
        let (residual, guess) = (&mut forces.residual, &linearisation.about.velocities);
        let mut square = 0.0;
        for (k, m) in momentum.masses.iter().enumerate() {
            let gained = momentum.acceleration(k, &guess[k]);
            let push = m[0] * (gained.linear + drive.velocity(&guess[k].linear));
            residual[k].linear -= push;
            residual[k].angular -= m[1] * gained.angular;
            square += push.norm_squared();
        }
        square
    }

    /// The accelerations that the residual forces give the particles; none without mass.
    pub(super) fn residual_accelerations(&self) -> Vec<Screw> {
        let over = |f: &Vector3<f64>, m: f64| if m > 0.0 { f / m } else { Vector3::zeros() };
        let own = |(f, m): (&Screw, &[f64; 2])| Screw {
            linear: over(&f.linear, m[0]),
            angular: over(&f.angular, m[1]),
        };
        self.forces.residual.iter().zip(&self.momentum.masses).map(own).collect()
    }
}

/// Weights with which the derivative in the middle of a step follows from the velocities there and
/// in the middles of the two steps before; `last_steps` newest first, 0 where there was none.
fn weights(step: f64, last_steps: [f64; 2]) -> [f64; 3] {
    let [newer, older] = last_steps;
    let (back, before) = (0.5 * (step + newer), 0.5 * (newer + older));
    let growth = back / before;
    if newer == 0.0 || growth > LONGEST_GROWTH {
        return [1.0 / back, 1.0 / back, 0.0];
    }
    let (whole, square) = (1.0 + growth, growth * growth);
    [(1.0 + 2.0 * growth) / (whole * back), whole / back, -square / (whole * back)]
}

impl Mechanics {
    /// The acceleration over a step of one stage, from the velocities before it.
    pub(super) fn extrapolate_momentum(&mut self, state: &Suspension, step: f64) {
        let Clock { last_steps, .. } = state.clock;
        let [now, last, earlier] = weights(step, last_steps);
        let carried = &mut self.stage.momentum.carried;
        carried.clear();
        carried.extend(state.velocities.iter().enumerate().map(|(k, m)| {
            let e = state.earlier_velocities.get(k).copied().unwrap_or_default();
            last * *m + earlier * e
        }));
        self.stage.momentum.ahead = 0.5 * step;
        self.stage.accelerate(now);
    }

    /// The acceleration over a time by which velocities differ from those of a base.
    pub(super) fn accelerate_from(&mut self, base: &[Velocity], time: f64) {
        if !self.has_inertia() {
            return;
        }
        let rate = 1.0 / time;
        let carried = &mut self.stage.momentum.carried;
        carried.clear();
        carried.extend(base.iter().map(|u| rate * *u));
        self.stage.accelerate(rate);
    }

    /// The velocities at the end of the last step. Those that the state remembers are of its middle
    /// where particles have a mass and no films, and change with the acceleration over the step.
    pub(super) fn velocities_at_end(&self, state: &Suspension) -> Vec<Velocity> {
        let momentum = &self.stage.momentum;
        if momentum.carried.len() != state.len() {
            return state.velocities.clone();
        }
        state.velocities.iter().enumerate().map(|(k, m)| momentum.at_end(k, m)).collect()
    }

    /// Evaluates the forces that the laws give at velocities at this instant, on particles that are
    /// not accelerated yet, as the residual of the stage.
    pub(super) fn evaluate_forces(&mut self, velocities: &[Velocity]) {
        let Mechanics { stage, laws, drive, .. } = self;
        stage.velocities.clear();
        stage.velocities.extend_from_slice(velocities);
        stage.momentum.carried.clear();
        stage.momentum.carried.resize(velocities.len(), Screw::default());
        stage.accelerate(0.0);
        stage.linearise(laws, drive, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivative_of_a_parabola_is_exact() {
        let (step, last_steps) = (0.3, [0.2, 0.35]);
        let f = |t: f64| 2.0 - 3.0 * t + 5.0 * t * t;
        let times = [0.15, -0.1, -0.2 - 0.175];
        let [now, last, earlier] = weights(step, last_steps);
        let found = now * f(times[0]) - last * f(times[1]) - earlier * f(times[2]);
        assert!((found - (-3.0 + 10.0 * times[0])).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_first_step_begins_with_the_motion_at_its_beginning() {
        assert_eq!(weights(0.2, [0.0, 0.0]), [10.0, 10.0, 0.0]);
    }

    #[test]
    fn much_longer_steps_look_back_once() {
        let [now, last, earlier] = weights(1.0, [0.1, 0.1]);
        assert!(now == last && earlier == 0.0);
    }
}
