//! Moving a suspension through time. Integrators are the only writers of [`Suspension`] in a run.
//!
//! | integrator | for |
//! |---|---|
//! | `midpoint` | hard particles: implicit midpoint rule, contacts and friction inside a step |
//! | `esdirk` | soft and rough particles: three implicit stages of third order for films |
//! | `projected` | gluey particles: velocities projected on those that leave no overlap |
//! | `verlet` | particles with inertia: explicit velocity Verlet, the reference for the others |
//!
//! One is chosen when a run is set up. They share [`Mechanics`]: the laws, the drive and the
//! balance of a step ([`stage`]), which finds velocities at which all forces balance.

mod assemble;
mod contact_set;
mod error_control;
mod esdirk;
mod evaluate;
mod fields;
mod instant;
mod linearise;
mod mechanics;
mod midpoint;
mod momentum;
mod observe;
mod origins;
mod pair_view;
mod powers;
pub mod projected;
mod reach;
mod settings;
pub mod stage;
mod step_pairs;
mod stiffness;
mod times;
mod touching;
mod trial;
pub mod verlet;
mod walls;

use std::time::Instant;

use nalgebra::Vector3;

use crate::balance::{Medium, Operator};
use crate::drive::{Drive, Protocol};
use crate::error::Error;
use crate::laws::{Interactions, Origin};
use crate::obstacle::Obstacles;
use crate::solve::{Method, Solver};
use crate::state::{Suspension, Velocity, Wrench};

use esdirk::Esdirk;
pub use instant::{Motion, PairSeen};
pub use mechanics::Mechanics;
use mechanics::PARALLEL_PARTICLES;
use midpoint::Midpoint;
pub use observe::{ContactCounts, Energies, Gaps, Observation};
pub use powers::Powers;
use projected::{Candidate, Gluey, Projected};
pub use settings::{Aim, Convergence, End, StepSettings};
pub use times::Times;
pub use touching::{ContactSeen, FilmSeen, TouchSeen};
pub use trial::{Effort, Placement};
use verlet::Verlet;
pub use verlet::{Explicit, Inertia};

/// A way to advance a suspension by a step.
pub trait Integrator: Send {
    /// Advances `state` by one accepted step that does not go beyond `end`.
    ///
    /// # Errors
    ///
    /// When no step is short enough.
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        state: &mut Suspension,
        end: End,
    ) -> Result<Observation, Error>;

    /// The pairs that touched in the last step, or might have, where contacts are constraints.
    fn candidates(&self) -> &[Candidate] {
        &[]
    }
}

/// Moves a suspension through time, step by step, with the integrator that fits it.
pub struct Stepper {
    mechanics: Mechanics,
    integrator: Box<dyn Integrator>,
    /// Whether contacts are constraints.
    constrained: bool,
}

/// Most iterations of a solver unless given.
const MAX_ITERATIONS: usize = 2000;

/// What a stepper is made of.
pub struct Setup {
    /// The laws that act in pairs.
    pub laws: Interactions,
    /// The flow and the external forces.
    pub drive: Drive,
    /// What is imposed over time; what `drive` imposes goes on for ever unless given.
    pub protocol: Option<Protocol>,
    /// What surrounds the particles.
    pub medium: Medium,
    /// Walls and obstacles: they act through all pair laws, wherever they are at the time.
    pub obstacles: Obstacles,
    /// Contacts that are constraints, in place of springs.
    pub gluey: Option<Gluey>,
    /// The mass of the particles; none where they have no inertia.
    pub inertia: Option<Inertia>,
    /// How steps are chosen and accepted.
    pub settings: StepSettings,
    /// Solves the linear systems.
    pub solver: Solver,
    /// The force on a particle below which it is taken as none `[μγ̇a²]`.
    pub least_force: f64,
}

impl Setup {
    /// Without obstacles, constraints and inertia.
    pub fn new(
        laws: Interactions,
        drive: Drive,
        medium: Medium,
        settings: StepSettings,
        solver: Solver,
    ) -> Self {
        Setup {
            laws,
            drive,
            protocol: None,
            medium,
            obstacles: Obstacles::default(),
            gluey: None,
            inertia: None,
            settings,
            solver,
            least_force: 0.0,
        }
    }
}

/// No laws yet, nothing imposed, a fluid of unit viscosity: what one's own setup begins with.
impl Default for Setup {
    fn default() -> Self {
        let solver = Solver::new(Method::Auto, MAX_ITERATIONS);
        let (laws, drive) = (Interactions::default(), Drive::default());
        Setup::new(laws, drive, Medium::default(), StepSettings::default(), solver)
    }
}

impl Stepper {
    /// A stepper for the particles of `state`, with the integrator that fits them.
    ///
    /// # Panics
    ///
    /// If a stress is imposed among obstacles: the rate that gives it is found for a suspension
    /// without walls.
    pub fn new(state: &Suspension, setup: Setup) -> Self {
        let (gluey, explicit) = (setup.gluey, setup.inertia.and_then(|mass| mass.explicit));
        let films = setup.laws.has_films();
        let mut mechanics = Mechanics::new(state, setup);
        let integrator: Box<dyn Integrator> = match (gluey, explicit) {
            (Some(law), _) => Box::new(Projected::new(&mut mechanics, state, law)),
            (None, Some(scheme)) => Box::new(Verlet::new(scheme)),
            (None, None) if films => Box::new(Esdirk::default()),
            (None, None) => Box::new(Midpoint),
        };
        Stepper { mechanics, integrator, constrained: gluey.is_some() }
    }

    /// Advances `state` by one accepted step that does not go beyond `end`.
    ///
    /// # Errors
    ///
    /// When no step is short enough.
    pub fn step(&mut self, state: &mut Suspension, end: End) -> Result<Observation, Error> {
        let (begin, before) = (Instant::now(), self.times().total());
        let Stepper { mechanics, integrator, .. } = self;
        let done = in_pool(state, |state| integrator.step(mechanics, state, end));
        let counted = self.times().total() - before;
        let all = begin.elapsed().as_secs_f64();
        self.mechanics.stage.times.advance += (all - counted).max(0.0);
        done
    }

    /// Finds the velocities at which the forces of this very instant balance, and leaves everything
    /// where it is: contacts are springs at their overlap, tangential springs are stretched and
    /// films deflected as the state remembers. The velocities are put into the state.
    ///
    /// # Errors
    ///
    /// When the balance cannot be found.
    ///
    /// # Panics
    ///
    /// If particles have a mass, or are soft or rough and nothing else resists them: their
    /// velocities then follow from how they moved, or how the forces change, not from the forces.
    pub fn balance(&mut self, state: &mut Suspension) -> Result<Observation, Error> {
        let mechanics = &mut self.mechanics;
        assert!(mechanics.can_balance(), "velocities of films without drag are part of a run");
        assert!(!mechanics.has_inertia(), "velocities of particles with a mass are part of a run");
        in_pool(state, |state| mechanics.balance(state))
    }

    /// Numbers that a pair remembers.
    pub fn memory_len(&self) -> usize {
        self.mechanics.memory_len()
    }

    /// All pairs within the range of the laws, with what acts in them in the last balance.
    pub fn balanced_pairs(&self) -> impl Iterator<Item = PairSeen> + '_ {
        self.mechanics.balanced_pairs()
    }

    /// What is imposed now.
    pub fn drive(&self) -> &Drive {
        &self.mechanics.drive
    }

    /// What is imposed over time.
    pub fn protocol(&self) -> &Protocol {
        &self.mechanics.protocol
    }

    /// All origins that forces may count for.
    pub fn origins(&self) -> Vec<Origin> {
        self.mechanics.laws.origins()
    }

    /// Trial steps that were thrown away.
    pub fn rejected(&self) -> u64 {
        self.mechanics.rejected
    }

    /// The largest centre distance at which two particles are watched `[a]`.
    pub fn reach(&self, state: &Suspension) -> f64 {
        2.0 * state.largest_radius() + self.mechanics.stage.pairs.list.range()
    }

    /// The resistance of the last linearisation: drag, films, contacts and friction.
    pub fn operator(&self) -> &Operator {
        &self.mechanics.stage.forces.operator
    }

    /// Where the time of all steps went so far.
    pub fn times(&self) -> &Times {
        &self.mechanics.stage.times
    }

    /// The contacts of the last accepted step; none before the first.
    pub fn contacts(&self) -> Vec<ContactSeen> {
        self.mechanics.contacts()
    }

    /// The films between soft particles at the end of the last accepted step; none before the
    /// first.
    pub fn films(&self) -> impl Iterator<Item = FilmSeen> + '_ {
        self.mechanics.films()
    }

    /// The rough pairs at the end of the last accepted step; none before the first.
    pub fn touches(&self) -> impl Iterator<Item = TouchSeen> + '_ {
        self.mechanics.touches()
    }

    /// The pairs that touched in the last step, or might have, where contacts are constraints.
    pub fn candidates(&self) -> &[Candidate] {
        self.integrator.candidates()
    }

    /// Force and torque about its pivot that the particles exert on every obstacle, in the last
    /// accepted step: the mean over it, or that at its end with films or explicit steps.
    pub fn obstacle_loads(&self) -> Vec<Wrench> {
        self.mechanics.obstacle_loads()
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &Obstacles {
        self.mechanics.obstacles()
    }
}

/// Works on many particles on a thread of the pool, so that no parallel loop has to wait for one to
/// begin.
fn in_pool<T: Send>(state: &mut Suspension, work: impl FnOnce(&mut Suspension) -> T + Send) -> T {
    match state.len() >= PARALLEL_PARTICLES {
        true => rayon::scope(|_| work(state)),
        false => work(state),
    }
}

/// The velocity of every particle, the flow's part included `[a/t]`.
pub fn lab_velocities(state: &Suspension, drive: &Drive) -> Vec<Vector3<f64>> {
    with_flow(&state.positions, &state.velocities, drive)
}

/// The velocities of particles that move relative to the flow where they are `[a/t]`.
pub fn with_flow(at: &[Vector3<f64>], velocities: &[Velocity], drive: &Drive) -> Vec<Vector3<f64>> {
    at.iter().zip(velocities).map(|(x, m)| m.linear + drive.velocity(x)).collect()
}
