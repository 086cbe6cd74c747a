//! Gluey contacts (\[L09\]): pairs that must not overlap and remember how hard they were pushed together.
//!
//! A pair has a gap \\(D \ge 0\\) and a potential \\(\gamma \le 0\\), the limit of \\(6\pi\mu\ln h\\) of its film as the viscosity
//! vanishes: \\(\dot\gamma = -R\lambda\\) with the force λ that keeps the surfaces apart, \\(R = s^2/a_i^2a_j^2\\)
//! (\\(1/a^2\\) at a wall). While γ < 0 they are glued. Rough surfaces have \\(\gamma\ge\gamma_{min}\\); at
//! \\(\gamma_{min} = 0\\) contacts are plainly inelastic.
//!
//! A step finds the velocities \\(\mathbf V^\*\\) that balance without contacts (drag, films, external forces, and
//! mass as m/Δt: the solver S of remark 2.8), and projects them, in the metric of that balance, on the velocities which leave no pair
//! overlapping. A glued pair is a unilateral one that is pulled by the constant force \\(\gamma/R\Delta t\\): with the multiplier λ' of the
//! projection, the contact force is \\(\lambda = \lambda' + \gamma/R\Delta t\\) and
//! \\(\gamma^{n+1} = \gamma^n - R\Delta t\lambda = -R\Delta t\lambda' \le 0\\). As long as the pull is not used up the pair stays closed; if
//! it is, the pair opens with just the impulse that is left, which for a single particle is step 4 of Algorithm 2.7. So
//! \\(\gamma D = 0\\) at the end of every step, for any number of particles.
//!
//! Forces act along the normals at the beginning of the step, where flow and obstacles alone take the particles (remark 3.5). Gaps are the true ones
//! at the end of the step: what linearised gaps are wrong by is put right in further passes, which have the same matrix.

mod advance;
mod crossing;
mod measure;
mod touch;

use nalgebra::Vector3;

use super::goal::{Effort, Placement};
use super::times::timed;
use super::{End, Observation, Stepper};
use crate::cell::Images;
use crate::error::Error;
use crate::pairs::NeighbourList;
use crate::solve::projection::{
    Constraint, Freedom, Goal, Problem, Projected, Projection, Unprojected,
};
use crate::state::{Screw, Suspension, Velocity};
pub use measure::Constrained;
pub use touch::Touch;

/// Numbers that a gluey pair remembers: γ, and the force of the last step to start from.
pub(super) const MEMORY: usize = 2;

/// How gluey contacts behave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gluey {
    /// The least γ, at most 0; −∞ for smooth surfaces `[μ]`.
    pub least: f64,
    /// Steps; chosen by how far particles move when not given. Shorter where gaps would not come right `[t]`.
    pub step: Option<f64>,
    /// How γ changes with the impulse.
    pub potential: Potential,
    /// What particles are free to do.
    pub freedom: Freedom,
    /// Mass of every particle; none without inertia.
    pub mass: Option<Mass>,
}

/// How γ changes with the impulse of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Potential {
    /// As the logarithm of a film does, \\(\dot\gamma = -R\lambda\\) (\[L09\] eq. 2.7, remark 3.2).
    #[default]
    Film,
    /// By the impulse itself, \\(\dot\gamma = -\lambda\\), as printed in Algorithm 3.3.
    Impulse,
}

/// The mass of gluey particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// The same for all.
    Each(f64),
    /// By volume.
    Density(f64),
}

/// Gluey contacts in a stepper.
pub(super) struct Glue {
    pub law: Gluey,
    list: NeighbourList,
    projection: Projection,
    /// Pairs that might touch in the step.
    touches: Vec<Touch>,
    done: Projected,
    /// How well the constraints of the last step were met.
    seen: Constrained,
    /// Whether particles moved freely, so that their path is that of a constant acceleration.
    free: Vec<bool>,
}

/// The gap that counts as none, in smallest radii.
const CLOSED: f64 = 1e-10;

/// The largest gap of pairs that should be closed, and overlap, at which linearised gaps are good enough, in smallest
/// radii.
const TRUE: f64 = 1e-8;

/// What is just good enough: a step with worse gaps is too long, even if it was asked for.
const GOOD: f64 = 1e-7;

/// The gap at which a pair is a constraint even if it was not about to close, in smallest radii.
const LIKELY: f64 = 0.05;

/// How often gaps are linearised anew in a step.
const PASSES: usize = 12;

/// Share of what is wrong with gaps that a pass may leave, and how many passes may leave more: a shorter step costs less
/// then.
const SLOW: f64 = 0.3;
const PATIENCE: usize = 1;

/// Rounds of multipliers.
const ROUNDS: usize = 60;

/// The farthest that a particle moves in a step whose duration is chosen, in smallest radii, and what is aimed
/// at.
const FARTHEST: f64 = 0.5;
const AIM: f64 = 0.25;

/// By how much a step may be longer than the one before.
const GROWTH: f64 = 1.5;

/// What became of a trial step.
enum Tried {
    /// It is good.
    Done(Effort),
    /// Particles move too far; by which factor a step should be shorter.
    Far(f64),
}

impl Stepper {
    /// Makes contacts gluey.
    pub fn set_gluey(&mut self, state: &Suspension, law: Gluey) {
        let spins = self.medium.rotation;
        if let Some(mass) = law.mass {
            let masses = state.radii.iter().map(|a| match mass {
                Mass::Each(m) => [m, if spins { 0.4 * m * a * a } else { 0.0 }],
                Mass::Density(density) => super::momentum::mass(density, *a, spins),
            });
            self.stage.momentum.masses = masses.collect();
        }
        self.glue = Some(Glue {
            law,
            list: NeighbourList::new(0.0, 0.0),
            projection: Projection::default(),
            touches: Vec::new(),
            done: Projected::default(),
            seen: Constrained::default(),
            free: Vec::new(),
        });
    }

    /// The pairs that touched in the last step, or might have.
    pub fn touching(&self) -> &[Touch] {
        self.glue.as_ref().map_or(&[], |glue| &glue.touches)
    }

    /// Advances `state` by one step with gluey contacts that does not go beyond `end`.
    pub(super) fn gluey_step(
        &mut self,
        state: &mut Suspension,
        end: End,
        glue: &mut Glue,
    ) -> Result<Observation, Error> {
        let given = glue.law.step;
        let mut proposed = given.unwrap_or(match state.clock.next_step {
            0.0 => self.first_step(),
            step => step,
        });
        loop {
            let longest = given.unwrap_or(f64::INFINITY).min(self.longest_step().max(proposed));
            self.impose(state, proposed.min(longest));
            let step = proposed.min(self.left(state, end, proposed.min(longest)));
            self.impose(state, step);
            match self.try_gluey(state, step, glue)? {
                Tried::Done(effort) => {
                    let mut looking = 0.0;
                    let seen =
                        timed(&mut looking, || self.measure_gluey(state, step, effort, glue));
                    self.stage.times.measure += looking;
                    self.accept_gluey(state, step, proposed, glue);
                    return Ok(seen);
                }
                Tried::Far(factor) => {
                    self.rejected += 1;
                    proposed = step * factor;
                    if proposed < self.settings.min_step {
                        let reason = super::goal::StageFailure::TooFar;
                        return Err(self.give_up(state, proposed, reason));
                    }
                }
            }
        }
    }

    fn try_gluey(
        &mut self,
        state: &mut Suspension,
        step: f64,
        glue: &mut Glue,
    ) -> Result<Tried, Error> {
        let mut effort = Effort::default();
        self.without_contacts(state, step, &mut effort)?;
        let radius = state.smallest_radius();
        let flexible = glue.law.step.is_none();
        let moved = farthest(&self.stage.velocities, step);
        if flexible && moved > FARTHEST * radius {
            return Ok(Tried::Far((0.9 * FARTHEST * radius / moved).max(0.1)));
        }
        let reach = |moved: f64| 1.25 * moved + 0.5 * radius;
        let free = self.stage.velocities.clone();
        let mut reaches: Vec<f64> =
            self.displacements(state, step).into_iter().map(reach).collect();
        loop {
            self.find_touches(state, step, &reaches, glue);
            if !self.project(state, &free, step, glue, &mut effort)? {
                return Ok(Tried::Far(0.5));
            }
            let moved = farthest(&self.stage.velocities, step);
            if flexible && moved > FARTHEST * radius {
                return Ok(Tried::Far((AIM * radius / moved).max(0.1)));
            }
            // Pushed by others a particle may go farther than it would have by itself.
            let mut far = false;
            for (reached, moved) in reaches.iter_mut().zip(self.displacements(state, step)) {
                if moved > *reached {
                    (*reached, far) = (reach(moved), true);
                }
            }
            if !far {
                let through = self.goes_through(state, step, glue);
                return Ok(if through { Tried::Far(0.5) } else { Tried::Done(effort) });
            }
        }
    }

    /// How far each particle may come: those that move freely have been accelerated all the time.
    fn displacements(&self, state: &Suspension, step: f64) -> Vec<f64> {
        let inertia = self.has_inertia();
        let displacement = |(before, after): (&Velocity, &Velocity)| {
            let mean = if inertia { 0.5 * (before.linear + after.linear).norm() } else { 0.0 };
            step * after.linear.norm().max(mean)
        };
        state.velocities.iter().zip(&self.stage.velocities).map(displacement).collect()
    }

    /// Balances all but contacts.
    fn without_contacts(
        &mut self,
        state: &mut Suspension,
        step: f64,
        effort: &mut Effort,
    ) -> Result<(), Error> {
        let mut finding = 0.0;
        timed(&mut finding, || self.begin(state));
        self.stage.times.neighbours += finding;
        self.stage.placement = Placement::Middle;
        self.stage.velocities.clone_from(&state.velocities);
        if self.has_inertia() {
            let rate = 1.0 / step;
            let carried = &mut self.stage.momentum.carried;
            carried.clear();
            carried.extend(
                state
                    .velocities
                    .iter()
                    .map(|m| Screw { linear: rate * m.linear, angular: rate * m.angular }),
            );
            self.stage.accelerate(rate);
        }
        let goal = self.settings.convergence;
        let Stepper { stage, laws, drive, solver, .. } = self;
        let solved = stage.solve(laws, drive, step, solver, &goal, effort);
        solved.map_err(|reason| self.give_up(state, step, reason))
    }

    /// Projects free velocities, about gaps at the end of the step; says whether these are then as they should be.
    fn project(
        &mut self,
        state: &Suspension,
        free: &[Velocity],
        step: f64,
        glue: &mut Glue,
        effort: &mut Effort,
    ) -> Result<bool, Error> {
        let mut seconds = 0.0;
        let mut good = false;
        let radius = state.smallest_radius();
        let [rate, enough] = [CLOSED, TRUE].map(|gap| gap * radius / step);
        let goal = Goal { rate, enough, rounds: ROUNDS };
        let images = self.images_after(state, step);
        let mut about = vec![Velocity::default(); state.len()];
        glue.done = Projected::default();
        self.place_touches(state, step, &about, &images, &mut glue.touches);
        glue.begin(&state.velocities, free, step, radius);
        let (mut passes, mut anew) = (0, true);
        let (mut slow, mut before) = (0, f64::INFINITY);
        while passes < PASSES {
            let Glue { projection, law, touches, .. } = glue;
            let constraints = constraints(touches, &about, free, step);
            let mut forces: Vec<f64> = likely(touches).map(|touch| touch.multiplier).collect();
            let mut velocities = free.to_vec();
            let problem = Problem::new(&self.stage.operator, law.freedom, &constraints);
            let (forces, found) = (&mut forces, &mut velocities);
            let projected = timed(&mut seconds, || match anew {
                true => projection.project(&problem, forces, found, goal),
                false => projection.project_again(&problem, forces, found, goal),
            });
            let done = projected.map_err(|e| self.unprojected(state, e, touches, step))?;
            effort.solves += done.factorizations;
            effort.force_residual = effort.force_residual.max(done.dual);
            glue.done = Projected {
                factorizations: glue.done.factorizations + done.factorizations,
                iterations: glue.done.iterations + done.iterations,
                ..done
            };
            let acting = touches.iter_mut().filter(|touch| touch.likely);
            acting.zip(forces).for_each(|(touch, force)| touch.multiplier = *force);
            self.place_touches(state, step, &velocities, &images, touches);
            anew = glue.take_up(&velocities, step, radius);
            if anew {
                // From the beginning, so that nobody ends on the other side of what it has gone through.
                about.fill(Velocity::default());
                self.place_touches(state, step, &about, &images, &mut glue.touches);
                (slow, before) = (0, f64::INFINITY);
                continue;
            }
            about = velocities;
            passes += 1;
            let wrong = glue.touches.iter().map(Touch::wrong).fold(0.0, f64::max);
            good = wrong <= GOOD * radius;
            slow += usize::from(wrong > SLOW * before);
            if wrong <= TRUE * radius || slow > PATIENCE {
                break;
            }
            before = wrong;
        }
        self.stage.velocities = about;
        self.stage.times.solve += seconds;
        glue.find_free(&self.stage, self.has_inertia());
        self.keep_apart(state, step, &images, glue);
        Ok(good)
    }

    /// Where images are at the end of the step.
    fn images_after(&self, state: &Suspension, step: f64) -> Images {
        let mut clock = state.clock.clone();
        clock.go_on(step, self.strains(step));
        state.cell.images(&clock)
    }

    /// Says which constraints cannot be met.
    fn unprojected(
        &self,
        state: &Suspension,
        failed: Unprojected,
        touches: &[Touch],
        step: f64,
    ) -> Error {
        match failed {
            Unprojected::Infeasible { constraint, rate } => {
                let touch = likely(touches).nth(constraint).expect("a constraint of a touch");
                let [i, j] = touch.ids.map(|id| id as usize);
                Error::Infeasible {
                    step: state.clock.steps,
                    time: state.clock.time,
                    pair: match j < state.len() {
                        true => format!("particles {i} and {j}"),
                        false => {
                            let body = self.obstacles().body_of(j - state.len());
                            let name = &self.obstacles().bodies()[body].name;
                            format!("particle {i} and obstacle \"{name}\"")
                        }
                    },
                    overlap: rate * step,
                }
            }
            Unprojected::Failed(failure) => {
                self.give_up(state, step, super::goal::StageFailure::Solve(failure))
            }
        }
    }
}

/// The farthest that a motion takes a particle.
fn farthest(velocities: &[Velocity], step: f64) -> f64 {
    step * velocities.iter().map(|m| m.linear.norm_squared()).fold(0.0, f64::max).sqrt()
}

/// The pairs that are constraints.
fn likely(touches: &[Touch]) -> impl Iterator<Item = &Touch> {
    touches.iter().filter(|touch| touch.likely)
}

/// Gaps at the end of the step, linearised about velocities, as constraints on corrections of others.
fn constraints(
    touches: &[Touch],
    about: &[Velocity],
    free: &[Velocity],
    step: f64,
) -> Vec<Constraint> {
    let constraint = |touch: &Touch| {
        let [i, j] = touch.ids.map(|id| id as usize);
        let change = |id: usize| match id < free.len() {
            true => free[id].linear - about[id].linear,
            false => Vector3::zeros(),
        };
        let opening = touch.normal.dot(&(change(j) - change(i)));
        Constraint {
            ids: touch.ids,
            normal: touch.normal,
            slack: touch.end.gap / step + opening,
            pull: touch.pull(step),
        }
    };
    likely(touches).map(constraint).collect()
}
