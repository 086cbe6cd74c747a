//! Moving a suspension through time. The only writer of [`Suspension`] in a run.

mod advance;
mod answers;
mod balanced;
pub mod control;
mod explicit;
mod film_error;
mod films;
pub mod gluey;
mod goal;
mod imposed;
mod judge;
mod momentum;
mod near;
mod newton;
pub mod observe;
mod settings;
mod sight;
pub mod stage;
mod stiffness;
mod times;
pub mod touching;
pub mod verlet;
mod walls;

use nalgebra::Vector3;

use crate::balance::{Medium, Operator};
use crate::drive::{Drive, Protocol};
use crate::error::Error;
use crate::laws::Interactions;
use crate::pairs::{NeighbourList, spatial_order};
use crate::solve::Solver;
use crate::state::{Suspension, Velocity, Wrench};

pub use balanced::PairSeen;
pub use explicit::{Explicit, Inertia};
use films::Films;
use goal::{Effort, StageFailure};
pub use observe::Observation;
use observe::{Done, Flows};
pub use settings::{End, StepSettings};
use stage::Stage;
pub use times::Times;
use times::timed;

/// The largest displacement of two particles towards each other in a step, relative to the flow,
/// in smallest radii.
const APPROACH: f64 = 0.2;

/// The gap below which the laws of a pair are asked in every iteration over contacts and friction,
/// in smallest radii.
const NEAR: f64 = 0.05;

/// Particles from which on threads may share the work of a step.
const SHARED: usize = 100;

/// Skin of the neighbour list, in smallest radii.
const SKIN: f64 = 0.4;

/// How often the stiffness may be raised in one step.
const MOST_RAISES: usize = 4;

/// The quasi-static adaptive stepper.
pub struct Stepper {
    laws: Interactions,
    /// What is imposed now.
    pub drive: Drive,
    /// What is imposed over time.
    pub protocol: Protocol,
    /// The force on a particle that is as good as none `[μγ̇a²]`.
    pub least_force: f64,
    medium: Medium,
    settings: StepSettings,
    solver: Solver,
    list: NeighbourList,
    stage: Stage,
    films: Films,
    drag: Vec<[f64; 2]>,
    /// How steps of particles with inertia are taken explicitly; none where they are not.
    explicit: Option<Explicit>,
    /// Contacts that are constraints; none where they are springs.
    glue: Option<gluey::Glue>,
    /// Force and torque about its pivot of gluey contacts on every obstacle in the last step.
    loads: Vec<Wrench>,
    /// Trial steps that were thrown away.
    pub rejected: u64,
}

impl Stepper {
    /// A stepper for the particles of `state`.
    pub fn new(
        state: &Suspension,
        laws: Interactions,
        drive: Drive,
        medium: Medium,
        settings: StepSettings,
        solver: Solver,
    ) -> Self {
        let largest = [state.largest_radius(); 2];
        let field = medium.field.map_or(0.0, |field| field.range);
        let range = laws.iter().map(|l| l.range(largest)).fold(field, f64::max);
        let (smallest, diameter) = (state.smallest_radius(), 2.0 * state.largest_radius());
        // Two particles approach by what they move relative to the flow, and by half of the
        // strain (all of it in extension) times their distance in the flow's direction of compression.
        let compressed = drive.flow.compression() * settings.max_strain;
        let approach = APPROACH * smallest;
        let flows = settings.max_strain > 0.0;
        let carried = if flows { compressed * (diameter + range + approach) } else { 0.0 };
        let watched = range + approach + carried;
        // The nearest image is only right up to half of the box.
        let room = state.cell.reach() - diameter - watched;
        let skin = (SKIN * smallest).min(room).max(0.0);
        Stepper {
            laws,
            protocol: Protocol::steady(&drive),
            least_force: 0.0,
            drive,
            medium,
            settings,
            solver,
            list: NeighbourList::new(watched, skin),
            stage: Stage::default(),
            films: Films::default(),
            drag: state.radii.iter().map(|a| medium.drag(*a)).collect(),
            explicit: None,
            glue: None,
            loads: Vec::new(),
            rejected: 0,
        }
    }

    /// The largest centre distance at which two particles are watched `[a]`.
    pub fn reach(&self, state: &Suspension) -> f64 {
        2.0 * state.largest_radius() + self.list.range()
    }

    /// Advances `state` by one accepted step that does not go beyond `end`.
    pub fn step(&mut self, state: &mut Suspension, end: End) -> Result<Observation, Error> {
        let before = self.stage.times.total();
        let mut all = 0.0;
        let done = timed(&mut all, || match state.len() >= SHARED {
            // On a thread of the pool, so that every parallel loop needs no other to begin.
            true => rayon::scope(|_| self.timed_step(state, end)),
            false => self.timed_step(state, end),
        });
        let counted = self.stage.times.total() - before;
        self.stage.times.advance += (all - counted).max(0.0);
        done
    }

    /// The resistance of the last linearisation: drag, films, contacts and friction.
    pub fn operator(&self) -> &Operator {
        &self.stage.operator
    }

    /// Where the time of all steps went so far.
    pub fn times(&self) -> &Times {
        &self.stage.times
    }

    fn timed_step(&mut self, state: &mut Suspension, end: End) -> Result<Observation, Error> {
        if let Some(scheme) = self.explicit {
            return self.explicit_step(state, end, scheme);
        }
        if let Some(mut glue) = self.glue.take() {
            let done = self.gluey_step(state, end, &mut glue);
            self.glue = Some(glue);
            return done;
        }
        self.take_up_stiffness(state);
        let mut proposed = match state.clock.next_step {
            0.0 => self.first_step(),
            step => step,
        };
        self.impose(state, proposed);
        let mut finding = 0.0;
        timed(&mut finding, || self.begin(state));
        self.stage.times.neighbours += finding;
        let mut total = Effort::default();
        if self.has_films() {
            total = self.init_films(state);
        }
        let mut raised = 0;
        loop {
            self.impose(state, proposed.min(self.longest_step()));
            let step = proposed.min(self.longest_step());
            let left = self.left(state, end, step);
            // Two halves rather than a sliver at the end.
            let step = if left <= step {
                left
            } else if left < 2.0 * step {
                0.5 * left
            } else {
                step
            };
            self.impose(state, step);
            match self.attempt(state, step, end, raised < MOST_RAISES, &mut total) {
                Trial::Accepted { error } => {
                    let mut looking = 0.0;
                    let seen = timed(&mut looking, || self.measure(state, step, total));
                    self.stage.times.measure += looking;
                    self.accept(state, step, error, proposed);
                    return Ok(seen);
                }
                Trial::TooDeep => {
                    raised += 1;
                    self.raise_stiffness(state);
                }
                Trial::Shorter { factor, reason } => {
                    self.rejected += 1;
                    proposed = step * factor;
                    if proposed < self.settings.min_step {
                        return Err(self.give_up(state, proposed, reason));
                    }
                }
            }
        }
    }

    /// Takes up the pairs of a step.
    fn begin(&mut self, state: &mut Suspension) {
        self.list.active(state, &mut self.stage.pairs);
        self.add_walls(state);
        if self.has_films() {
            self.keep_stretched(state);
        }
        self.meet_walls(state);
        self.match_memory(state);
        let length = state.smallest_radius();
        self.stage.begin(&self.drag, length, self.medium.rotation, &state.memory);
        self.stage.time = state.clock.time;
        self.stage.operator.order = spatial_order(state);
        self.stage.field = self.medium.field;
        // Without a law there is nothing to be near to.
        self.stage.reach = if self.laws.is_empty() { f64::NEG_INFINITY } else { NEAR * length };
        self.stage.least_force = self.least_force * (state.len() as f64).sqrt();
    }

    /// The contacts of the last accepted step; none before the first.
    pub fn contacts<'a>(
        &'a self,
        state: &'a Suspension,
    ) -> impl Iterator<Item = touching::ContactSeen> + 'a {
        touching::contacts(self.view(state))
    }

    /// Whether films have a state of their own, so that steps are taken in stages.
    fn has_films(&self) -> bool {
        self.laws.has_films()
    }

    /// The strains of a trial step along x and along z.
    fn strains(&self, step: f64) -> [f64; 2] {
        if self.has_films() && self.drive.stress.is_some() {
            [self.films.strain(step), 0.0]
        } else {
            self.drive.strains(step)
        }
    }

    /// The size of the strain of a trial step.
    fn strain(&self, step: f64) -> f64 {
        let [along, across] = self.strains(step);
        if across == 0.0 { along.abs() } else { along.hypot(across) }
    }

    /// How far a particle moves relative to the flow in a trial step.
    fn displacement(&self, particle: usize, step: f64) -> Vector3<f64> {
        if self.has_films() {
            self.films.displacement(particle, step)
        } else {
            step * self.stage.velocities[particle].linear
        }
    }

    /// The films between soft particles at the end of the last accepted step; none before the first.
    pub fn films(&self) -> impl Iterator<Item = touching::FilmSeen> + '_ {
        touching::films(&self.laws, &self.stage, self.films.end_memory(), &self.drive)
    }

    /// The rough pairs at the end of the last accepted step; none before the first.
    pub fn touches(&self) -> impl Iterator<Item = touching::TouchSeen> + '_ {
        touching::touches(&self.laws, &self.stage, self.films.end_memory(), &self.drive)
    }

    /// What is seen of an accepted step.
    fn measure(&self, state: &Suspension, step: f64, total: Effort) -> Observation {
        let flows = match self.has_films() {
            true => self.films.flows(),
            false => Flows::of(&self.view(state)),
        };
        let done = Done { step, strains: self.strains(step) };
        observe::observe(self.view(state), flows, done, total)
    }

    fn attempt(
        &mut self,
        state: &Suspension,
        step: f64,
        end: End,
        may_stiffen: bool,
        total: &mut Effort,
    ) -> Trial {
        if self.has_films() {
            let trial = self.attempt_films(state, step, total);
            let Trial::Accepted { .. } = trial else { return trial };
            return self.too_far(state, step, end).unwrap_or(trial);
        }
        let predicted = control::predict(
            self.settings.aim,
            &state.clock,
            &state.velocities,
            &state.earlier_velocities,
            step,
        );
        self.stage.velocities.clone_from(&predicted);
        self.look_back(state, step);
        let goal = self.settings.convergence;
        let Stepper { stage, laws, drive, solver, .. } = self;
        if let Err(reason) = stage.solve(laws, drive, step, solver, &goal, total) {
            return Trial::Shorter { factor: 0.4, reason };
        }
        if let Some(shorter) = self.too_far(state, step, end) {
            return shorter;
        }
        if may_stiffen && self.settings.adapt_stiffness && self.too_deep(state) {
            return Trial::TooDeep;
        }
        let error = self.error(state, &predicted, step);
        if error > 1.0 && state.clock.last_steps[0] > 0.0 {
            let factor = control::factor(self.settings.aim, error, error).min(0.8);
            return Trial::Shorter { factor, reason: StageFailure::Inaccurate };
        }
        Trial::Accepted { error }
    }

    fn view<'a>(&'a self, state: &'a Suspension) -> observe::View<'a> {
        observe::View {
            state,
            stage: &self.stage,
            laws: &self.laws,
            drive: &self.drive,
            viscosity: self.medium.viscosity,
            range: self.list.range(),
            film_memory: self.films.end_memory(),
        }
    }
}

/// What became of a trial step.
enum Trial {
    Accepted { error: f64 },
    TooDeep,
    Shorter { factor: f64, reason: StageFailure },
}

/// The velocity of every particle, the flow's part included `[a/t]`.
pub fn lab_velocities(state: &Suspension, drive: &Drive) -> Vec<Vector3<f64>> {
    with_flow(&state.positions, &state.velocities, drive)
}

/// The velocities of particles that move relative to the flow where they are `[a/t]`.
pub fn with_flow(at: &[Vector3<f64>], velocities: &[Velocity], drive: &Drive) -> Vec<Vector3<f64>> {
    at.iter().zip(velocities).map(|(x, m)| m.linear + drive.velocity(x)).collect()
}
