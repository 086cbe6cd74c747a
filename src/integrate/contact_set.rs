//! The contact set: pairs that nearly touch, whose laws may respond otherwise to other rates. They
//! are evaluated again in every iteration over contacts and friction.

use std::time::Instant;

use rayon::prelude::*;

use super::linearise::{CHUNK, Driven, PARALLEL_PAIRS, Unknowns, total_response};
use super::stage::Stage;
use crate::balance::scatter::Scatter;
use crate::balance::{Mirrored, PairBlock, mirror};
use crate::drive::Drive;
use crate::laws::{PairForce, PairLaw, Resistance};

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
    /// The last response.
    pub resistance: Resistance,
    pub acting: PairForce,
    /// Forces beyond those expected from the response before.
    pub unexpected: Mirrored,
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

    fn evaluate_again(
        &self,
        near: &mut ContactPair,
        laws: &[Box<dyn PairLaw>],
        drive: &Drive,
        driven: Option<&mut Driven>,
    ) {
        let p = near.pair as usize;
        let (pair, about) = (&self.linearisation.geometry[p], &self.contact_set.about);
        let affine = self.affine(pair);
        let rates = self.rates_of(pair, p, &self.velocities, &affine, drive.rate);
        let before = self.rates_of(pair, p, &about.velocities, &affine, about.rate);
        let mut response = total_response(laws, pair, self.pairs.memory_of(p), &rates);
        let mut by_field = PairForce::default();
        if let Some(far_field) = self.fields.of(p) {
            response.resistance += far_field.resistance;
            by_field = far_field.driven(&pair.normal, &self.moment.unit_strain_rate);
        }
        let acting = response.force(&rates) + by_field * drive.rate;
        let expected = near.acting
            + near.resistance.force(&(rates - before))
            + by_field * (drive.rate - about.rate);
        let levers = self.levers(pair);
        if let Some(driven) = driven {
            // What the field drives, and its moments, stay as they are.
            let old = &self.responses.driven[p];
            let changed = (response.resistance - near.resistance).force(&affine);
            *driven = Driven {
                forces: old.forces + mirror(&pair.normal, levers, &changed),
                moment_rest: response.at_rest.power(&affine),
                moment_unit: old.moment_unit + changed.power(&affine),
            };
        }
        near.unexpected = mirror(&pair.normal, levers, &(acting - expected));
        (near.resistance, near.acting) = (response.resistance, acting);
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
        near.iter().for_each(|n| blocks[(n.block - first) as usize].resistance = n.resistance);
    }
}
