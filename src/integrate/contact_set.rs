//! The contact set: pairs that nearly touch, whose contacts may open, stick or slide at other
//! rates. They are evaluated again in every iteration over contacts and friction; what responds
//! smoothly (films, remote forces) stays linearised as in the last full evaluation.

use std::time::Instant;

use rayon::prelude::*;

use super::linearise::{CHUNK, Driven, PARALLEL_PAIRS, Unknowns};
use super::pair_view::with_memory;
use super::stage::Stage;
use crate::balance::scatter::Scatter;
use crate::balance::{Mirrored, PairBlock, mirror};
use crate::drive::Drive;
use crate::laws::{PairForce, PairLaw, Rates, Resistance, Response};
use crate::state::Velocity;

/// Pairs that are evaluated in every iteration.
#[derive(Default)]
pub(super) struct ContactSet {
    /// The gap at the beginning of a step up to which a pair is one of them `[a]`.
    pub reach: f64,
    /// The pairs.
    pub pairs: Vec<ContactPair>,
    /// How threads share them.
    pub scatter: Scatter,
    /// About what their laws were evaluated last.
    pub about: Unknowns,
    /// What a unit shear rate drives in them when they are evaluated again.
    driven: Vec<Driven>,
}

/// A pair of the contact set.
#[derive(Clone, Copy, Default)]
pub(super) struct ContactPair {
    /// Its place among the pairs of the step, and among those that act.
    pub pair: u32,
    pub block: u32,
    /// What responds smoothly in it.
    slope: Resistance,
    /// What its contact responded last: force at zero rates, and slope.
    at_rest: PairForce,
    resistance: Resistance,
    /// Whether its contact acts at all.
    acts: bool,
    /// Forces beyond those expected from the response before.
    unexpected: Mirrored,
}

impl ContactPair {
    /// A pair by its place among the pairs of the step, and among those that act.
    pub fn new(pair: u32, block: u32) -> Self {
        ContactPair { pair, block, ..ContactPair::default() }
    }

    /// Takes what its contact responds.
    fn take(&mut self, response: &Response) {
        (self.at_rest, self.resistance) = (response.at_rest, response.resistance);
        self.acts = *response != Response::default();
    }
}

impl Stage {
    /// Linearises the laws of the contact set again, about the present velocities in the geometry
    /// of the last full linearisation, and corrects operator and residual by what was not expected.
    /// The residual must be that of the last solve.
    pub(super) fn linearise_contacts(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive) {
        let begin = Instant::now();
        let by_stress = self.imposed.goal.is_some();
        let mut near = std::mem::take(&mut self.contact_set.pairs);
        let mut again = std::mem::take(&mut self.contact_set.driven);
        again.resize(if by_stress { near.len() } else { 0 }, Driven::default());
        let one = |near: &mut ContactPair| self.evaluate_again(near, laws, drive, None);
        let one_driven = |(near, driven): (&mut ContactPair, &mut Driven)| {
            self.evaluate_again(near, laws, drive, Some(driven));
        };
        match (near.len() >= PARALLEL_PAIRS, by_stress) {
            (false, false) => near.iter_mut().for_each(one),
            (false, true) => near.iter_mut().zip(&mut again).for_each(one_driven),
            (true, false) => near.par_iter_mut().with_min_len(128).for_each(one),
            (true, true) => {
                let all = near.par_iter_mut().zip(&mut again);
                all.with_min_len(128).for_each(one_driven);
            }
        }
        let Stage { forces, imposed, responses, contact_set, pairs, .. } = self;
        let ids = |near: &ContactPair| pairs.active[near.pair as usize].ids;
        update_blocks(&mut forces.operator.blocks, 0, &near, contact_set.scatter.several());
        let unexpected = |k: usize| (ids(&near[k]), near[k].unexpected);
        contact_set.scatter.add(&mut forces.residual, near.len(), unexpected);
        for (near, new) in near.iter().zip(&again) {
            let driven = &mut responses.driven[near.pair as usize];
            imposed.moment_rest += new.moment_rest - driven.moment_rest;
            imposed.moment_unit += new.moment_unit - driven.moment_unit;
            let old = std::mem::replace(driven, *new);
            let one = |_: usize| (ids(near), new.forces - old.forces);
            Scatter::default().add(&mut imposed.unit, 1, one);
        }
        (contact_set.pairs, contact_set.driven) = (near, again);
        contact_set.about.set(&self.velocities, drive.rate);
        self.times.laws += begin.elapsed().as_secs_f64();
    }

    /// Takes the last full linearisation of a pair over, and tells what responds smoothly in it.
    pub(super) fn begin_contact(
        &self,
        near: &mut ContactPair,
        laws: &[Box<dyn PairLaw>],
        rate: f64,
    ) {
        let about = &self.linearisation.about.velocities;
        near.take(&self.contact_response(near, laws, about, rate).1);
        near.slope = self.responses.pairs[near.pair as usize].resistance - near.resistance;
    }

    /// The rates of a pair of the contact set, and what its contact responds to them: nothing where
    /// the pair stays apart, and then no rates.
    fn contact_response(
        &self,
        near: &ContactPair,
        laws: &[Box<dyn PairLaw>],
        velocities: &[Velocity],
        rate: f64,
    ) -> (Rates, Response) {
        let p = near.pair as usize;
        let pair = &self.linearisation.geometry[p];
        let affine = self.affine(pair);
        if !near.acts
            && !self.linearisation.is_first
            && self.stays_apart(p, laws, velocities, rate * affine.squeeze)
        {
            return (Rates::default(), Response::default());
        }
        let rates = self.rates_of(pair, p, velocities, &affine, rate);
        let mut total = Response::default();
        for (law, memory) in with_memory(laws, self.pairs.memory_of(p)) {
            if !law.is_smooth() {
                total += law.respond(pair, memory, &self.linearisation.rates_of(law, &rates));
            }
        }
        (rates, total)
    }

    /// Whether two particles stay out of the reach of contacts in the step; `carried` is the rate
    /// at which the flow squeezes them.
    fn stays_apart(
        &self,
        p: usize,
        laws: &[Box<dyn PairLaw>],
        velocities: &[Velocity],
        carried: f64,
    ) -> bool {
        let ids = self.pairs.active[p].ids;
        if ids.is_grounded() {
            return false;
        }
        let pair = &self.linearisation.geometry[p];
        let closest = self.closest(p, pair, velocities, carried);
        laws.iter().all(|law| law.is_smooth() || closest > law.range(pair.radii))
    }

    fn evaluate_again(
        &self,
        near: &mut ContactPair,
        laws: &[Box<dyn PairLaw>],
        drive: &Drive,
        driven: Option<&mut Driven>,
    ) {
        let p = near.pair as usize;
        let (rates, found) = self.contact_response(near, laws, &self.velocities, drive.rate);
        // What responds smoothly is as expected.
        let expected = near.at_rest + near.resistance.force(&rates);
        let pair = &self.linearisation.geometry[p];
        let levers = self.levers(pair);
        if let Some(driven) = driven {
            let affine = self.affine(pair);
            let old = &self.responses.driven[p];
            let changed = (found.resistance - near.resistance).force(&affine);
            *driven = Driven {
                forces: old.forces + mirror(&pair.normal, levers, &changed),
                moment_rest: old.moment_rest + (found.at_rest - near.at_rest).power(&affine),
                moment_unit: old.moment_unit + changed.power(&affine),
            };
        }
        near.unexpected = match near.acts || found != Response::default() {
            true => mirror(&pair.normal, levers, &(found.force(&rates) - expected)),
            false => Mirrored::default(),
        };
        near.take(&found);
    }
}

/// Writes the resistances of the contact set into their blocks, the first of which is number
/// `first`.
fn update_blocks(blocks: &mut [PairBlock], first: u32, near: &[ContactPair], shared: bool) {
    if shared && near.len() > CHUNK {
        let (low, high) = near.split_at(near.len() / 2);
        let middle = high[0].block;
        let (before, after) = blocks.split_at_mut((middle - first) as usize);
        let halves = (
            || update_blocks(before, first, low, shared),
            || {
                update_blocks(after, middle, high, shared);
            },
        );
        rayon::join(halves.0, halves.1);
    } else {
        for near in near {
            let resistance = &mut blocks[(near.block - first) as usize].resistance;
            *resistance = near.slope;
            *resistance += near.resistance;
        }
    }
}
