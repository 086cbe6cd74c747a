//! Linearising the laws about a guess, pair by pair, and assembling the balance from it.

use std::time::Instant;

use rayon::prelude::*;

use super::pair_view::{placed, with_memory, with_memory_mut};
use super::stage::{Stage, remove_mean};
use super::trial::Placement;
use crate::balance::{Mirrored, mirror};
use crate::drive::Drive;
use crate::hydro::Regular;
use crate::laws::{Pair, PairForce, PairLaw, Rates, Resistance, Response, Unsymmetric};
use crate::pairs::make_room;
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

/// What laws are evaluated with.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    laws: &'a [Box<dyn PairLaw>],
    drive: &'a Drive,
    step: f64,
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
        self.find_fields(drive, step);
        self.evaluate(Inputs { laws, drive, step });
        let [acting, carried] = self.assemble(laws, drive.rate, step);
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

    /// Evaluates all laws at the guess.
    fn evaluate(&mut self, inputs: Inputs) {
        let (count, by_stress) = (self.pairs.active.len(), self.imposed.goal.is_some());
        let mut geometry = std::mem::take(&mut self.linearisation.geometry);
        let mut responses = std::mem::take(&mut self.responses.pairs);
        let mut driven = std::mem::take(&mut self.responses.driven);
        let mut ends = std::mem::take(&mut self.pairs.advanced);
        let stride = self.pairs.stride.max(1);
        ends.resize(count * stride, 0.0);
        make_room(&mut geometry, count);
        geometry.resize(count, Pair::default());
        make_room(&mut responses, count);
        responses.resize_with(count, PairResponse::default);
        driven.resize(if by_stress { count } else { 0 }, Driven::default());
        type Known<'a> = (&'a mut Pair, &'a mut [f64]);
        let one = |(p, ((pair, end), to)): (usize, (Known, &mut PairResponse))| {
            *to = self.evaluate_pair(p, (pair, end), inputs, None);
        };
        type Both<'a> = ((Known<'a>, &'a mut PairResponse), &'a mut Driven);
        let one_driven = |(p, (((pair, end), to), driven)): (usize, Both)| {
            *to = self.evaluate_pair(p, (pair, end), inputs, Some(driven));
        };
        match (count >= PARALLEL_PAIRS, by_stress) {
            (false, false) => {
                let known = geometry.iter_mut().zip(ends.chunks_exact_mut(stride));
                known.zip(&mut responses).enumerate().for_each(one);
            }
            (false, true) => {
                let known = geometry.iter_mut().zip(ends.chunks_exact_mut(stride));
                let all = known.zip(&mut responses).zip(&mut driven);
                all.enumerate().for_each(one_driven);
            }
            (true, false) => {
                let known = geometry.par_iter_mut().zip(ends.par_chunks_exact_mut(stride));
                let all = known.zip(&mut responses).enumerate();
                all.with_min_len(128).for_each(one);
            }
            (true, true) => {
                let known = geometry.par_iter_mut().zip(ends.par_chunks_exact_mut(stride));
                let all = known.zip(&mut responses).zip(&mut driven);
                all.enumerate().with_min_len(128).for_each(one_driven);
            }
        }
        self.linearisation.geometry = geometry;
        self.pairs.advanced = ends;
        (self.responses.pairs, self.responses.driven) = (responses, driven);
    }

    /// Places a pair, and evaluates all its laws.
    fn evaluate_pair(
        &self,
        p: usize,
        (pair, end): (&mut Pair, &mut [f64]),
        inputs: Inputs,
        mut driven: Option<&mut Driven>,
    ) -> PairResponse {
        if let Some(driven) = driven.as_deref_mut() {
            *driven = Driven::default();
        }
        let Inputs { laws, drive, step } = inputs;
        let (active, wall) = (&self.pairs.active[p], self.pairs.walls.met(p));
        let about = &self.linearisation.about.velocities;
        *pair = match wall {
            Some(met) => met.placed,
            None => self.levers.see(placed(active, about, drive, step, self.moment.placement)),
        };
        let affine = self.affine(pair);
        let far_field = self.fields.of(p);
        let alone = wall.is_none() && far_field.is_none();
        if alone && self.is_out_of_reach(p, pair, laws, drive.rate * affine.squeeze) {
            self.advance_films(laws, p, (pair, end), drive.rate);
            return PairResponse::default();
        }
        let rates = self.rates_of(pair, p, about, &affine, drive.rate);
        let memory = (self.pairs.memory_of(p), end);
        let mut response = self.total_response(laws, pair, memory, &rates);
        if response.unsymmetric.is_some() && !self.exact {
            response = response.symmetrised(&pair.normal, &rates);
        }
        if response == Response::default() && far_field.is_none() {
            return PairResponse::default();
        }
        let unit = self.moment.unit_strain_rate;
        let mut by_field = PairForce::default();
        if let Some(far_field) = far_field {
            response.resistance += far_field.resistance;
            by_field = far_field.driven(&pair.normal, &unit);
        }
        let by_field_now = by_field * drive.rate;
        let carried = response.force(&self.carried_rates(pair, p, &affine, drive.rate));
        let carried = carried + by_field_now;
        if let Some(driven) = driven {
            let force = by_field + (response.force(&affine) - response.at_rest);
            let moment_unit = far_field.map_or(0.0, |field| field.moment(pair, &unit));
            *driven = Driven {
                forces: mirror(&pair.normal, self.levers(pair), &force),
                moment_rest: response.at_rest.power(&affine),
                moment_unit: moment_unit + force.power(&affine),
            };
        }
        PairResponse {
            acts: true,
            resistance: response.resistance,
            acting: response.force(&rates) + by_field_now,
            carried: carried.normal * carried.normal + carried.shear.norm_squared(),
            unsymmetric: response.unsymmetric,
            two_body: far_field.and_then(|field| field.two_body.clone()),
            one_sided: one_sided(laws, pair, &rates),
        }
    }
}

impl Stage {
    /// The sum of all laws, with what they remember at the end of the step.
    fn total_response(
        &self,
        laws: &[Box<dyn PairLaw>],
        pair: &Pair,
        (memory, end): (&[f64], &mut [f64]),
        rates: &Rates,
    ) -> Response {
        let mut total = Response::default();
        for ((law, memory), (_, end)) in with_memory(laws, memory).zip(with_memory_mut(laws, end)) {
            let about = self.linearisation.rates_of(law, rates);
            total += law.respond_to_end(pair, memory, end, &about);
        }
        total
    }

    /// Whether two particles stay out of the reach of all laws in the step; `carried` is the rate
    /// at which the flow squeezes them.
    fn is_out_of_reach(
        &self,
        p: usize,
        pair: &Pair,
        laws: &[Box<dyn PairLaw>],
        carried: f64,
    ) -> bool {
        let closest = self.closest(p, pair, &self.linearisation.about.velocities, carried);
        laws.iter().all(|law| closest > law.range(pair.radii))
    }

    /// What films remember at the end of the step in pair `p`, out of the reach of all laws.
    fn advance_films(
        &self,
        laws: &[Box<dyn PairLaw>],
        p: usize,
        (pair, end): (&Pair, &mut [f64]),
        rate: f64,
    ) {
        let memory = with_memory(laws, self.pairs.memory_of(p));
        let films = with_memory_mut(laws, end).zip(memory).filter(|((law, _), _)| law.has_films());
        for ((law, end), (_, memory)) in films {
            let about = &self.linearisation.about.velocities;
            end.copy_from_slice(memory);
            law.advance_memory(pair, end, &self.rates_of(pair, p, about, &self.affine(pair), rate));
        }
    }

    /// The rates of pair `p` if its particles were carried along with the flow.
    fn carried_rates(&self, pair: &Pair, p: usize, affine: &Rates, rate: f64) -> Rates {
        let squeeze = rate * affine.squeeze;
        let carried = Rates { squeeze, slide: rate * affine.slide, ..Rates::default() };
        match self.pairs.walls.met(p) {
            Some(met) => self.with_obstacle(pair, carried, &met.partner),
            None => carried,
        }
    }
}

/// The sum of what is not reciprocal in all laws.
fn one_sided(
    laws: &[Box<dyn PairLaw>],
    pair: &Pair,
    rates: &Rates,
) -> Option<Box<(Resistance, PairForce)>> {
    let all = laws.iter().filter_map(|law| law.one_sided(pair, rates));
    let resistance = all.reduce(|mut sum, one| {
        sum += one;
        sum
    })?;
    Some(Box::new((resistance, resistance.force(rates))))
}
