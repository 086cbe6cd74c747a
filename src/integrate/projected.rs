//! Steps of gluey particles (\[L09\]): contacts are constraints that remember how hard the pair was
//! pushed together.
//!
//! A pair has a gap \\(D \ge 0\\) and a potential \\(\gamma \le 0\\), the limit of
//! \\(6\pi\mu\ln h\\) of its film as the viscosity vanishes: \\(\dot\gamma = -R\lambda\\) with the
//! force λ that keeps the surfaces apart, \\(R = s^2/a_i^2a_j^2\\) (\\(1/a^2\\) at a wall). While γ
//! < 0 they are glued. Rough surfaces have \\(\gamma\ge\gamma_{min}\\); at \\(\gamma_{min} = 0\\)
//! contacts are plainly inelastic.
//!
//! A step finds the velocities \\(\mathbf V^\*\\) that balance without contacts (drag, films,
//! external forces, and mass as m/Δt: the solver S of remark 2.8), and projects them, in the metric
//! of that balance, on the velocities which leave no pair overlapping. A glued pair is a unilateral
//! one that is pulled by the constant force \\(\gamma/R\Delta t\\): with the multiplier λ' of the
//! projection, the contact force is \\(\lambda = \lambda' + \gamma/R\Delta t\\) and
//! \\(\gamma^{n+1} = \gamma^n - R\Delta t\lambda = -R\Delta t\lambda' \le 0\\). As long as the pull
//! is not used up the pair stays closed; if it is, the pair opens with just the impulse that is
//! left, which for a single particle is step 4 of Algorithm 2.7. So \\(\gamma D = 0\\) at the end
//! of every step, for any number of particles.
//!
//! Forces act along the normals at the beginning of the step, where flow and obstacles alone take
//! the particles (remark 3.5). Gaps are the true ones at the end of the step: what linearised gaps
//! are wrong by is corrected in further passes, which have the same matrix.

mod advance;
mod candidates;
mod crossing;
mod law;
mod measure;

use std::time::Instant;

use nalgebra::Vector3;

use super::Integrator;
use super::mechanics::Mechanics;
use super::momentum::mass;
use super::observe::{Done, Observation};
use super::settings::End;
use super::trial::{Effort, Placement, StageFailure};
use crate::cell::Images;
use crate::error::Error;
use crate::pairs::NeighbourList;
use crate::solve::projection::{self, Constraint, Goal, Problem, Projection, Unprojected};
use crate::state::{Partner, Suspension, Velocity};
pub use candidates::Candidate;
pub use law::{Gluey, Mass, Potential};
pub use measure::Constrained;

/// Numbers that a gluey pair remembers: γ, and the force of the last step to start from.
const MEMORY: usize = 2;

/// The integrator of gluey particles.
pub(super) struct Projected {
    law: Gluey,
    list: NeighbourList,
    projection: Projection,
    /// Pairs that might touch in the step.
    candidates: Vec<Candidate>,
    /// What the projections of the step reached.
    outcome: projection::Projected,
    /// Whether particles moved freely, so that their path is that of a constant acceleration.
    free: Vec<bool>,
}

/// The gap below which a pair is closed, in smallest radii.
const CLOSED_GAP: f64 = 1e-10;

/// The largest gap of pairs that should be closed, and overlap, at which no further pass is needed,
/// in smallest radii.
const GAP_TOLERANCE: f64 = 1e-8;

/// The same that is just accepted: a step with worse gaps is too long, even if it was asked for.
const GAP_TOLERANCE_ACCEPTED: f64 = 1e-7;

/// The gap at which a pair is a constraint even if it was not about to close, in smallest radii.
const CONSTRAINT_GAP: f64 = 0.05;

/// How often gaps are linearised anew in a step.
const MOST_PASSES: usize = 12;

/// The share of what is wrong with gaps above which a pass is slow, and how many slow passes there
/// may be: a shorter step costs less then.
const SLOW: f64 = 0.3;
const MOST_SLOW_PASSES: usize = 1;

/// Most rounds of multipliers.
const MOST_ROUNDS: usize = 60;

/// The farthest that a particle may move in a step whose duration is chosen, and how far it should,
/// in smallest radii.
const FARTHEST_MOVE: f64 = 0.5;
const DISPLACEMENT_AIM: f64 = 0.25;

/// By how much a step may be longer than the one before.
const GROWTH: f64 = 1.5;

/// What became of a trial step.
enum Tried {
    /// It is good.
    Done(Effort),
    /// Particles move too far; by which factor a step should be shorter.
    TooFar(f64),
}

impl Integrator for Projected {
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        end: End,
    ) -> Result<Observation, Error> {
        let given = self.law.step;
        let mut proposed = given.unwrap_or(mechanics.proposed_step(state));
        loop {
            let longest =
                given.unwrap_or(f64::INFINITY).min(mechanics.longest_step().max(proposed));
            mechanics.impose(state, proposed.min(longest));
            let remaining = mechanics.remaining(state, end, proposed.min(longest));
            let step = proposed.min(remaining);
            mechanics.impose(state, step);
            match self.attempt(mechanics, state, step)? {
                Tried::Done(effort) => {
                    let done = Done { step, strains: mechanics.drive.strains(step) };
                    let mut seen = mechanics.observe(state, None, done, effort);
                    self.measure(mechanics, state, step, &mut seen);
                    self.accept(mechanics, state, step, proposed);
                    return Ok(seen);
                }
                Tried::TooFar(factor) => {
                    proposed = mechanics.reject(state, step, factor, StageFailure::TooFar)?;
                }
            }
        }
    }

    fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

impl Projected {
    /// The integrator of a law, which may give the particles a mass.
    pub(super) fn new(mechanics: &mut Mechanics, state: &Suspension, law: Gluey) -> Self {
        let spins = mechanics.medium.rotation;
        if let Some(own) = law.mass {
            let masses = state.radii.iter().map(|a| match own {
                Mass::Each(m) => [m, if spins { 0.4 * m * a * a } else { 0.0 }],
                Mass::Density(density) => mass(density, *a, spins),
            });
            mechanics.stage.momentum.masses = masses.collect();
        }
        Projected {
            law,
            list: NeighbourList::new(0.0, 0.0),
            projection: Projection::default(),
            candidates: Vec::new(),
            outcome: projection::Projected::default(),
            free: Vec::new(),
        }
    }

    /// Tries a step.
    fn attempt(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        step: f64,
    ) -> Result<Tried, Error> {
        let mut effort = Effort::default();
        balance_without_contacts(mechanics, state, step, &mut effort)?;
        let radius = state.smallest_radius();
        let flexible = self.law.step.is_none();
        let moved = farthest(&mechanics.stage.velocities, step);
        if flexible && moved > FARTHEST_MOVE * radius {
            return Ok(Tried::TooFar((0.9 * FARTHEST_MOVE * radius / moved).max(0.1)));
        }
        let reach = |moved: f64| 1.25 * moved + 0.5 * radius;
        let free = mechanics.stage.velocities.clone();
        let mut reaches: Vec<f64> =
            displacements(mechanics, state, step).into_iter().map(reach).collect();
        loop {
            self.find_candidates(mechanics, state, step, &reaches);
            if !self.project(mechanics, state, &free, step, &mut effort)? {
                return Ok(Tried::TooFar(0.5));
            }
            let moved = farthest(&mechanics.stage.velocities, step);
            if flexible && moved > FARTHEST_MOVE * radius {
                return Ok(Tried::TooFar((DISPLACEMENT_AIM * radius / moved).max(0.1)));
            }
            // Pushed by others a particle may go farther than it would have by itself.
            let mut far = false;
            for (reached, moved) in reaches.iter_mut().zip(displacements(mechanics, state, step)) {
                if moved > *reached {
                    (*reached, far) = (reach(moved), true);
                }
            }
            if !far {
                let through = self.goes_through(mechanics, state, step);
                return Ok(if through { Tried::TooFar(0.5) } else { Tried::Done(effort) });
            }
        }
    }

    /// Projects free velocities, about gaps at the end of the step; says whether these are then as
    /// they should be.
    fn project(
        &mut self,
        mechanics: &mut Mechanics,
        state: &Suspension,
        free: &[Velocity],
        step: f64,
        effort: &mut Effort,
    ) -> Result<bool, Error> {
        let mut good = false;
        let radius = state.smallest_radius();
        let images = images_after(mechanics, state, step);
        let mut about = vec![Velocity::default(); state.len()];
        self.outcome = projection::Projected::default();
        self.place_candidates(mechanics, state, step, &about, &images);
        self.choose_constraints(&state.velocities, free, step, radius);
        let (mut passes, mut anew) = (0, true);
        let (mut slow, mut before) = (0, f64::INFINITY);
        while passes < MOST_PASSES {
            let begin = Instant::now();
            let constraints = constraints(&self.candidates, &about, free, step);
            let projected = self.project_once(mechanics, &constraints, free, (step, radius), anew);
            mechanics.stage.times.solve += begin.elapsed().as_secs_f64();
            let (velocities, done) =
                projected.map_err(|e| unprojected(mechanics, state, e, &self.candidates, step))?;
            effort.solves += done.factorizations;
            effort.force_residual = effort.force_residual.max(done.dual);
            self.outcome = projection::Projected {
                factorizations: self.outcome.factorizations + done.factorizations,
                iterations: self.outcome.iterations + done.iterations,
                ..done
            };
            self.place_candidates(mechanics, state, step, &velocities, &images);
            anew = self.add_constraints(&velocities, step, radius);
            if anew {
                // From the beginning, so that no particle ends on the other side of what it has
                // gone through.
                about.fill(Velocity::default());
                self.place_candidates(mechanics, state, step, &about, &images);
                (slow, before) = (0, f64::INFINITY);
                continue;
            }
            about = velocities;
            passes += 1;
            let wrong = self.candidates.iter().map(Candidate::gap_error).fold(0.0, f64::max);
            good = wrong <= GAP_TOLERANCE_ACCEPTED * radius;
            slow += usize::from(wrong > SLOW * before);
            if wrong <= GAP_TOLERANCE * radius || slow > MOST_SLOW_PASSES {
                break;
            }
            before = wrong;
        }
        mechanics.stage.velocities = about;
        self.find_free(mechanics);
        self.keep_apart(mechanics, state, step, &images);
        Ok(good)
    }

    /// One projection of free velocities on what constraints admit.
    fn project_once(
        &mut self,
        mechanics: &Mechanics,
        constraints: &[Constraint],
        free: &[Velocity],
        (step, radius): (f64, f64),
        anew: bool,
    ) -> Result<(Vec<Velocity>, projection::Projected), Unprojected> {
        let [rate, enough] = [CLOSED_GAP, GAP_TOLERANCE].map(|gap| gap * radius / step);
        let goal = Goal { rate, enough, rounds: MOST_ROUNDS };
        let mut forces: Vec<f64> =
            constrained(&self.candidates).map(|candidate| candidate.multiplier).collect();
        let mut velocities = free.to_vec();
        let problem = Problem::new(&mechanics.stage.forces.operator, self.law.freedom, constraints);
        let (multipliers, found) = (&mut forces, &mut velocities);
        let done = match anew {
            true => self.projection.project(&problem, multipliers, found, goal),
            false => self.projection.project_again(&problem, multipliers, found, goal),
        }?;
        let acting = self.candidates.iter_mut().filter(|candidate| candidate.constrained);
        acting.zip(forces).for_each(|(candidate, force)| candidate.multiplier = force);
        Ok((velocities, done))
    }
}

/// Balances all but contacts.
fn balance_without_contacts(
    mechanics: &mut Mechanics,
    state: &mut Suspension,
    step: f64,
    effort: &mut Effort,
) -> Result<(), Error> {
    mechanics.find_pairs(state, MEMORY);
    mechanics.stage.moment.placement = Placement::Middle;
    mechanics.stage.velocities.clone_from(&state.velocities);
    mechanics.accelerate_from(&state.velocities, step);
    let solved = mechanics.solve(step, effort);
    solved.map_err(|reason| mechanics.give_up(state, step, reason))
}

/// How far each particle may come: those that move freely have been accelerated all the time.
fn displacements(mechanics: &Mechanics, state: &Suspension, step: f64) -> Vec<f64> {
    let inertia = mechanics.has_inertia();
    let displacement = |(before, after): (&Velocity, &Velocity)| {
        let mean = if inertia { 0.5 * (before.linear + after.linear).norm() } else { 0.0 };
        step * after.linear.norm().max(mean)
    };
    state.velocities.iter().zip(&mechanics.stage.velocities).map(displacement).collect()
}

/// Where images are at the end of the step.
fn images_after(mechanics: &Mechanics, state: &Suspension, step: f64) -> Images {
    let mut clock = state.clock.clone();
    clock.go_on(step, mechanics.drive.strains(step));
    state.cell.images(&clock)
}

/// Says which constraints cannot be met.
fn unprojected(
    mechanics: &Mechanics,
    state: &Suspension,
    failed: Unprojected,
    candidates: &[Candidate],
    step: f64,
) -> Error {
    match failed {
        Unprojected::Infeasible { constraint, rate } => {
            let candidate = constrained(candidates).nth(constraint).expect("a constraint's pair");
            let i = candidate.ids.first();
            Error::Infeasible {
                step: state.clock.steps,
                time: state.clock.time,
                pair: match candidate.ids.partner() {
                    Partner::Particle(j) => format!("particles {i} and {j}"),
                    Partner::Surface(surface) => {
                        let obstacles = mechanics.obstacles();
                        let body = obstacles.body_of(surface);
                        let name = &obstacles.bodies()[body].name;
                        format!("particle {i} and obstacle \"{name}\"")
                    }
                },
                overlap: rate * step,
            }
        }
        Unprojected::Failed(failure) => {
            mechanics.give_up(state, step, StageFailure::Solve(failure))
        }
    }
}

/// The farthest that a velocity takes a particle.
fn farthest(velocities: &[Velocity], step: f64) -> f64 {
    step * velocities.iter().map(|m| m.linear.norm_squared()).fold(0.0, f64::max).sqrt()
}

/// The pairs that are constraints.
fn constrained(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    candidates.iter().filter(|candidate| candidate.constrained)
}

/// Gaps at the end of the step, linearised about velocities, as constraints on corrections of
/// others.
fn constraints(
    candidates: &[Candidate],
    about: &[Velocity],
    free: &[Velocity],
    step: f64,
) -> Vec<Constraint> {
    let constraint = |candidate: &Candidate| {
        let [i, j] = candidate.ids.slots();
        let change = |id: usize| match free.get(id) {
            Some(free) => free.linear - about[id].linear,
            None => Vector3::zeros(),
        };
        let opening = candidate.normal.dot(&(change(j) - change(i)));
        Constraint {
            ids: candidate.ids,
            normal: candidate.normal,
            slack: candidate.end.gap / step + opening,
            pull: candidate.pull(step),
        }
    };
    constrained(candidates).map(constraint).collect()
}
