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
use crate::laws::{PairForce, PairLaw, Resistance, Response};
use crate::pairs::ActivePair;
use crate::solve::norm;
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

impl ContactSet {
    /// Chooses the pairs of a step.
    pub fn choose(&mut self, active: &[ActivePair]) {
        let close = |(p, pair): (u32, &ActivePair)| {
            (pair.gap <= self.reach).then(|| ContactPair { pair: p, ..ContactPair::default() })
        };
        self.pairs.clear();
        self.pairs.extend((0..).zip(active).filter_map(close));
    }
}

impl ContactPair {
    /// Its place among the pairs that act, and what all its laws resist together.
    pub fn begin(&mut self, block: u32, all: &Resistance) {
        self.block = block;
        self.slope = *all - self.resistance;
    }

    /// Adds what one of the laws of its contact responds.
    pub fn add(&mut self, response: &Response) {
        self.at_rest = self.at_rest + response.at_rest;
        self.resistance += response.resistance;
        self.acts |= *response != Response::default();
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
        self.evaluate_contacts(&mut near, &mut again, laws, drive);
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

    /// The imbalance, relative to all forces, with contacts as they respond at the present
    /// velocities; neither operator nor residual change.
    pub(super) fn contact_imbalance(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive) -> f64 {
        let begin = Instant::now();
        let mut near = self.contact_set.pairs.clone();
        self.evaluate_contacts(&mut near, &mut [], laws, drive);
        let mut residual = self.forces.residual.clone();
        self.contact_set.scatter.add(&mut residual, near.len(), |k| {
            (self.pairs.active[near[k].pair as usize].ids, near[k].unexpected)
        });
        self.times.laws += begin.elapsed().as_secs_f64();
        norm(&residual, self.forces.operator.length) / self.forces.scale
    }

    /// Evaluates contacts at the present velocities, and what a unit shear rate drives in them, if
    /// that is asked for.
    fn evaluate_contacts(
        &self,
        near: &mut [ContactPair],
        driven: &mut [Driven],
        laws: &[Box<dyn PairLaw>],
        drive: &Drive,
    ) {
        let one = |near: &mut ContactPair| self.evaluate_again(near, laws, drive, None);
        let one_driven = |(near, driven): (&mut ContactPair, &mut Driven)| {
            self.evaluate_again(near, laws, drive, Some(driven));
        };
        match (near.len() >= PARALLEL_PAIRS, !driven.is_empty()) {
            (false, false) => near.iter_mut().for_each(one),
            (false, true) => near.iter_mut().zip(driven).for_each(one_driven),
            (true, false) => near.par_iter_mut().with_min_len(128).for_each(one),
            (true, true) => {
                let all = near.par_iter_mut().zip(driven);
                all.with_min_len(128).for_each(one_driven);
            }
        }
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
        if self.pairs.active[p].ids.is_grounded() {
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
        let (p, velocities) = (near.pair as usize, &self.velocities);
        let pair = &self.linearisation.geometry[p];
        let affine = self.affine(pair);
        if !near.acts && self.stays_apart(p, laws, velocities, drive.rate * affine.squeeze) {
            near.unexpected = Mirrored::default();
            if let Some(driven) = driven {
                *driven = self.responses.driven[p];
            }
            return;
        }
        let rates = self.rates_of(pair, p, velocities, &affine, drive.rate);
        let mut found = Response::default();
        for (law, memory) in with_memory(laws, self.pairs.memory_of(p)) {
            if !law.is_smooth() {
                found += law.respond_stiffly(pair, memory, &rates);
            }
        }
        // What responds smoothly is as expected.
        let expected = near.at_rest + near.resistance.force(&rates);
        let levers = self.levers(pair);
        if let Some(driven) = driven {
            let old = &self.responses.driven[p];
            let changed = (found.resistance - near.resistance).force(&affine);
            *driven = Driven {
                forces: old.forces + mirror(&pair.normal, levers, &changed),
                moment_rest: old.moment_rest + (found.at_rest - near.at_rest).power(&affine),
                moment_unit: old.moment_unit + changed.power(&affine),
            };
        }
        near.unexpected = mirror(&pair.normal, levers, &(found.force(&rates) - expected));
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
