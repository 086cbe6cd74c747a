//! Linearising the laws about a guess, pair by pair, and assembling the balance from it.

use std::time::Instant;

use super::evaluate::Inputs;
use super::stage::{Stage, remove_mean};
use super::trial::Placement;
use crate::balance::Mirrored;
use crate::drive::Drive;
use crate::hydro::Regular;
use crate::laws::{Pair, PairForce, PairLaw, Rates, Resistance, Unsymmetric};
use crate::state::{PairIds, Velocity, Wrench};

/// Pairs above which threads share the evaluation of laws.
pub(super) const PARALLEL_PAIRS: usize = 1000;

/// Pairs in a chunk of work where threads share pairs.
pub(super) const CHUNK: usize = 1024;

/// The least share of the forces that particles would meet if they were carried along, as which the
/// forces that act are counted.
const LEAST_ACTING: f64 = 3e-3;

/// What a balance is solved for.
#[derive(Clone, Default)]
pub(super) struct Unknowns {
    /// Velocities and spins of all particles, relative to the flow.
    pub velocities: Vec<Velocity>,
    /// Shear rate `[1/t]`.
    pub rate: f64,
}

impl Unknowns {
    /// Overwrites both.
    pub fn set(&mut self, velocities: &[Velocity], rate: f64) {
        self.velocities.clear();
        self.velocities.extend_from_slice(velocities);
        self.rate = rate;
    }
}

/// About what the laws were linearised.
#[derive(Default)]
pub(super) struct Linearisation {
    /// The guess.
    pub about: Unknowns,
    /// Geometry of all pairs there.
    pub geometry: Vec<Pair>,
    /// Their rates.
    pub rates: Vec<Rates>,
    /// Whether it is the first of a step in which contacts and friction have to be found.
    pub is_first: bool,
}

impl Linearisation {
    /// The rates about which a law is linearised. How contacts will be pressed at the end of a step
    /// is not known at first, and that they go on as in the step before is a worse guess than that
    /// they stay as they are.
    pub fn rates_of(&self, law: &dyn PairLaw, rates: &Rates) -> Rates {
        let squeeze = if self.is_first && !law.is_smooth() { 0.0 } else { rates.squeeze };
        Rates { squeeze, ..*rates }
    }
}

/// What the laws respond, pair by pair.
#[derive(Default)]
pub(super) struct Responses {
    /// The responses of all pairs of the step.
    pub pairs: Vec<PairResponse>,
    /// What a unit shear rate drives in each, where the stress is imposed.
    pub driven: Vec<Driven>,
    /// Pairs that have responded in this step: they stay in the operator, whose layout is kept as
    /// long as its pairs are the same.
    pub responded: Vec<bool>,
    /// The pairs in the operator.
    pub acting: Vec<u32>,
    /// A pair whose film has no solution.
    pub unsolved: Option<PairIds>,
}

impl Responses {
    /// Forgets what pairs of the step before responded.
    pub fn begin(&mut self, pairs: usize) {
        self.responded.clear();
        self.responded.resize(pairs, false);
        self.acting.clear();
    }

    /// The response of the pair in block `k` of the operator.
    pub fn acting(&self, k: usize) -> &PairResponse {
        &self.pairs[self.acting[k] as usize]
    }
}

/// What the laws of one pair respond.
#[derive(Clone, Default)]
pub(super) struct PairResponse {
    /// Whether they respond at all.
    pub acts: bool,
    pub resistance: Resistance,
    /// The force at the guess.
    pub acting: PairForce,
    /// The square of the force if the pair were carried along with the flow.
    pub carried: f64,
    pub unsymmetric: Option<Box<Unsymmetric>>,
    pub two_body: Option<Box<Regular>>,
    /// What is not reciprocal: the resistance, and the force at the guess.
    pub one_sided: Option<Box<(Resistance, PairForce)>>,
}

/// What a unit shear rate drives in a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pub forces: Mirrored,
    pub moment_rest: f64,
    pub moment_unit: f64,
}

impl Stage {
    /// Linearises all laws about the present velocities and assembles operator and residual.
    pub(super) fn linearise(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        let begin = Instant::now();
        self.found.clear();
        self.linearisation.about.set(&self.velocities, drive.rate);
        self.apply_load(drive, step);
        // While the load grows, forces are compared with what they will be.
        let mut square: f64 = drive.external.iter().map(|w| w.linear.norm_squared()).sum();
        let forces = &mut self.forces;
        for ((residual, drag), u) in
            forces.residual.iter_mut().zip(&forces.drag).zip(&self.linearisation.about.velocities)
        {
            let slowed = drag[0] * u.linear;
            square += slowed.norm_squared();
            residual.linear -= slowed;
            residual.angular -= drag[1] * u.angular;
        }
        if self.momentum.exists() {
            square += self.subtract_inertia(drive);
        }
        self.place_walls(drive, step);
        self.evaluate(Inputs { laws, drive, step, field: self.fields.sought() });
        let [acting, carried] = self.assemble(drive.rate, step);
        let forces = &mut self.forces;
        if forces.operator.floats() && !forces.operator.grounded {
            remove_mean(&mut forces.residual);
        }
        let least = forces.least_scale.max(f64::MIN_POSITIVE);
        forces.scale = (square + acting.max(carried)).sqrt().max(least);
        forces.acting = (square + acting).sqrt().max(LEAST_ACTING * forces.scale);
        self.times.laws += begin.elapsed().as_secs_f64();
    }

    /// Begins the residual with the external forces of this step.
    pub(super) fn apply_load(&mut self, drive: &Drive, step: f64) {
        let share = match self.moment.placement {
            Placement::Middle => 0.5,
            Placement::End => 1.0,
        };
        self.moment.balanced_at = self.moment.start + share * step;
        let load = self.load_share(drive);
        let residual = &mut self.forces.residual;
        residual.fill(Wrench::default());
        for (r, f) in residual.iter_mut().zip(&drive.external) {
            *r = load * *f;
        }
    }

    /// The share of the external forces that acts when the balance is struck.
    pub(super) fn load_share(&self, drive: &Drive) -> f64 {
        drive.load(self.moment.balanced_at)
    }
}
