//! Pairs that nearly touch are asked again in every iteration over contacts and friction.

use rayon::prelude::*;

use super::answers::{Driven, PARALLEL_PAIRS, TOGETHER, total_response};
use super::stage::Stage;
use crate::balance::scatter::Scatter;
use crate::balance::{Mirrored, PairBlock, mirror};
use crate::drive::Drive;
use crate::laws::{PairForce, PairLaw, Resistance};

/// A pair whose laws may answer otherwise to other rates.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    /// Its place among the pairs of the step, and among those that act.
    pub pair: u32,
    pub block: u32,
    /// The last answer.
    pub resistance: Resistance,
    pub acting: PairForce,
    /// Forces beyond those expected from the answer before.
    pub unexpected: Mirrored,
}

impl Stage {
    /// Asks the laws of near pairs again, about the present velocities in the geometry of the guess, and
    /// corrects operator and forces by what they answer otherwise than expected.
    pub(super) fn ask_near(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive) {
        let mut near = std::mem::take(&mut self.near);
        let mut again = std::mem::take(&mut self.driven_again);
        again.resize(if self.stress.is_some() { near.len() } else { 0 }, Driven::default());
        let ask = |near: &mut Near| self.answer_again(near, laws, drive, None);
        let ask_stress = |(near, driven): (&mut Near, &mut Driven)| {
            self.answer_again(near, laws, drive, Some(driven));
        };
        match (near.len() >= PARALLEL_PAIRS, self.stress.is_some()) {
            (false, false) => near.iter_mut().for_each(ask),
            (false, true) => near.iter_mut().zip(&mut again).for_each(ask_stress),
            (true, false) => near.par_iter_mut().with_min_len(128).for_each(ask),
            (true, true) => {
                let all = near.par_iter_mut().zip(&mut again);
                all.with_min_len(128).for_each(ask_stress);
            }
        }
        let ids = |near: &Near| self.pairs[near.pair as usize].ids;
        renew(&mut self.operator.blocks, 0, &near, self.near_scatter.several());
        let unexpected = |k: usize| (ids(&near[k]), near[k].unexpected);
        self.near_scatter.add(&mut self.left, near.len(), unexpected);
        for (near, new) in near.iter().zip(&again) {
            let driven = &mut self.driven[near.pair as usize];
            self.flow.moment_rest += new.moment_rest - driven.moment_rest;
            self.flow.moment_unit += new.moment_unit - driven.moment_unit;
            let old = std::mem::replace(driven, *new);
            let one = |_: usize| (ids(near), new.forces - old.forces);
            Scatter::default().add(&mut self.flow.unit, 1, one);
        }
        (self.near, self.driven_again) = (near, again);
        self.asked.clone_from(&self.velocities);
        self.asked_rate = drive.rate;
    }

    fn answer_again(
        &self,
        near: &mut Near,
        laws: &[Box<dyn PairLaw>],
        drive: &Drive,
        driven: Option<&mut Driven>,
    ) {
        let p = near.pair as usize;
        let pair = &self.geometry[p];
        let affine = self.affine(pair);
        let rates = self.rates_of(pair, p, &self.velocities, &affine, drive.rate);
        let asked = self.rates_of(pair, p, &self.asked, &affine, self.asked_rate);
        let memory = &self.memory[p * self.stride..(p + 1) * self.stride];
        let mut response = total_response(laws, pair, memory, &rates);
        let mut by_field = PairForce::default();
        if let Some((resistance, driven)) = self.answers[p].far_field.as_deref() {
            response.resistance += *resistance;
            by_field = *driven;
        }
        let acting = response.force(&rates) + by_field * drive.rate;
        let expected = near.acting
            + near.resistance.force(&(rates - asked))
            + by_field * (drive.rate - self.asked_rate);
        let levers = self.levers(pair);
        if let Some(driven) = driven {
            // What the field drives, and its moments, stay as they are.
            let old = &self.driven[p];
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

/// Writes the resistances of near pairs into their blocks, the first of which is number `first`.
fn renew(blocks: &mut [PairBlock], first: u32, near: &[Near], shared: bool) {
    if shared && near.len() > TOGETHER {
        let (low, high) = near.split_at(near.len() / 2);
        let middle = high[0].block;
        let (before, after) = blocks.split_at_mut((middle - first) as usize);
        rayon::join(|| renew(before, first, low, shared), || renew(after, middle, high, shared));
    } else {
        near.iter().for_each(|n| blocks[(n.block - first) as usize].resistance = n.resistance);
    }
}
