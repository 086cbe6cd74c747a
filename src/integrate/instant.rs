//! The balance of one instant: velocities and forces of a configuration that stays where it is.
//!
//! Velocities that a step has found are those of its middle, or means over it, and forces balance
//! there. What moves where the step ends is found by one more balance, with the springs and films
//! of that time, on the side: the run goes on as if nobody had asked.

use nalgebra::Vector3;

use super::mechanics::Mechanics;
use super::observe::Observation;
use super::trial::{Effort, Placement, StageFailure};
use super::{Setup, Stepper, in_pool};
use crate::drive::Drive;
use crate::error::Error;
use crate::laws::{Origin, PairForce, Rates};
use crate::state::{PairIds, Suspension, Velocity};

/// Residual of the forces, relative to all forces: there is but one solve, so it may be a good one.
const RESIDUAL: f64 = 1e-9;

/// The time over which the imposed rate is taken, in first steps.
const INSTANT: f64 = 1e-9;

/// A pair within the range of the laws, with all that acts in it at an instant.
#[derive(Clone, Copy, Debug)]
pub struct PairSeen {
    /// Who the two are.
    pub ids: PairIds,
    /// Gap, negative when spheres overlap `[a]`.
    pub gap: f64,
    /// Unit vector from i to j.
    pub normal: Vector3<f64>,
    /// Force on j of all laws `[μγ̇a²]`.
    pub force: Vector3<f64>,
    /// Normal forces by [`Origin::index`], positive in tension `[μγ̇a²]`.
    pub normal_forces: [f64; Origin::COUNT],
    /// The six rates.
    pub rates: Rates,
}

/// How particles move.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Velocities and spins relative to the flow.
    pub velocities: Vec<Velocity>,
    /// The flow.
    pub drive: Drive,
    /// Whether they are those of the instant; else they are means over the last step.
    pub of_instant: bool,
}

impl Stepper {
    /// How the particles move at this very instant. Where forces decide that, they are balanced
    /// once more, which changes nothing in the run. A mass whose step knows the motion in its
    /// middle is accelerated from there by the forces of the end, which holds for any mass, however
    /// small; others move as the state says. Gluey contacts are met over a step, and what is known
    /// of them is the mean over the last one.
    pub fn motion(&self, state: &Suspension) -> Motion {
        let mechanics = &self.mechanics;
        let known = |of_instant| Motion {
            velocities: mechanics.velocities_at_end(state),
            drive: mechanics.drive.clone(),
            of_instant,
        };
        if self.constrained {
            return known(false);
        }
        let ahead = mechanics.stage.momentum.ahead;
        if mechanics.has_inertia() && ahead == 0.0 || !mechanics.can_balance() {
            return known(true);
        }
        let (mut aside, mut copy) = (mechanics.aside(state), state.clone());
        match in_pool(&mut copy, |copy| aside.balance_after(copy, ahead)) {
            Ok(_) => Motion { velocities: copy.velocities, drive: aside.drive, of_instant: true },
            Err(_) => known(false),
        }
    }
}

impl Mechanics {
    /// Whether the forces of an instant tell the velocities: where films have a state of their own
    /// and nothing else resists, they follow from how the forces change.
    pub(super) fn can_balance(&self) -> bool {
        !self.has_films() || self.medium.drag
    }

    /// The same laws, drive and fluid with buffers of their own.
    fn aside(&self, state: &Suspension) -> Mechanics {
        let setup = Setup {
            protocol: Some(self.protocol.clone()),
            obstacles: self.obstacles().clone(),
            least_force: self.least_force,
            ..Setup::new(
                self.laws.clone(),
                self.drive.clone(),
                self.medium,
                self.settings,
                self.solver.emptied(),
            )
        };
        let mut aside = Mechanics::new(state, setup);
        aside.stage.momentum.masses.clone_from(&self.stage.momentum.masses);
        aside
    }

    /// Finds the velocities at which the forces of this very instant balance, and puts them into
    /// the state.
    pub(super) fn balance(&mut self, state: &mut Suspension) -> Result<Observation, Error> {
        self.balance_after(state, 0.0)
    }

    /// The same, where masses had the motion of the state a time before.
    fn balance_after(&mut self, state: &mut Suspension, time: f64) -> Result<Observation, Error> {
        self.use_stiffness(state);
        self.impose(state, INSTANT * self.first_step());
        self.find_expected_pairs(state, 0.0);
        self.stage.velocities.clone_from(&state.velocities);
        self.accelerate_from(&state.velocities, time);
        let mut effort = Effort::default();
        let solved = self.solve_instant(&mut effort);
        solved.map_err(|reason| self.give_up(state, 0.0, reason))?;
        state.velocities.clone_from(&self.stage.velocities);
        state.rate = self.drive.rate;
        Ok(self.observe_instant(state, effort))
    }

    fn solve_instant(&mut self, effort: &mut Effort) -> Result<(), StageFailure> {
        let films = self.has_films();
        let mut goal = self.settings.convergence;
        goal.law_residual = goal.law_residual.min(RESIDUAL);
        goal.linear_residual = goal.linear_residual.min(0.1 * RESIDUAL);
        let Mechanics { stage, laws, drive, solver, .. } = self;
        if !films {
            return stage.solve(laws, drive, 0.0, (solver, &goal), effort);
        }
        stage.pairs.init_memory(laws);
        stage.moment.placement = Placement::End;
        stage.newton(laws, drive, 0.0, (solver, &goal), effort)?;
        stage.pairs.end_memory.clone_from(&stage.pairs.memory);
        Ok(())
    }

    /// All pairs within the range of the laws, with what acts in them in the last balance.
    pub(super) fn balanced_pairs(&self) -> impl Iterator<Item = PairSeen> + '_ {
        self.stage.views(&self.drive).enumerate().map(move |(p, seen)| {
            let mut normal_forces = [0.0; Origin::COUNT];
            let mut all = PairForce::default();
            self.stage.by_origin((&self.laws, &self.drive), p, &seen, |origin, force| {
                normal_forces[origin.index()] += force.normal;
                all = all + force;
            });
            PairSeen {
                ids: seen.ids,
                gap: seen.pair.gap,
                normal: seen.pair.normal,
                force: -(all.normal * seen.pair.normal + all.shear),
                normal_forces,
                rates: seen.rates,
            }
        })
    }
}
