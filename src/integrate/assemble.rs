//! Operator and residual, assembled from what the laws respond.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::linearise::{CHUNK, PairResponse};
use super::stage::Stage;
use crate::balance::field::driven_two_body;
use crate::balance::scatter::Scatter;
use crate::balance::{PairBlock, mirror};
use crate::laws::is_flat;
use crate::pairs::make_room;
use crate::state::{PairIds, Wrench};

/// Relative rounding of a separation less what makes up most of it.
const SEPARATION_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How large the forces of some pairs are.
#[derive(Default)]
struct Sizes {
    /// Sums of squares: forces that act, and that would if pairs were carried along with the flow.
    square: f64,
    carried: f64,
    noise: f64,
    /// Whether there is more than resistances.
    special: bool,
    /// A pair whose film has no solution.
    unsolved: Option<PairIds>,
}

impl Sizes {
    fn and(self, other: Sizes) -> Sizes {
        Sizes {
            square: self.square + other.square,
            carried: self.carried + other.carried,
            noise: self.noise + other.noise,
            special: self.special || other.special,
            unsolved: other.unsolved.or(self.unsolved),
        }
    }
}

impl Stage {
    /// Makes the operator of the responses and adds the forces at the guess to the residual;
    /// returns the sums of the squares of all pair forces: those that act, and those that would act
    /// if the particles were carried along with the flow.
    pub(super) fn assemble(&mut self, rate: f64, step: f64) -> [f64; 2] {
        self.choose_acting();
        self.contact_set.about.set(&self.linearisation.about.velocities, rate);
        let sizes = self.fill();
        self.responses.unsolved = sizes.unsolved;
        if sizes.special {
            self.fill_special(step);
        }
        let Stage { forces, responses, imposed, .. } = self;
        let (blocks, scatter) = (&forces.operator.blocks, &forces.operator.scatter);
        scatter.add(&mut forces.residual, blocks.len(), |k| {
            let PairBlock { ids, normal, levers, .. } = &blocks[k];
            (*ids, mirror(normal, *levers, &responses.acting(k).acting))
        });
        for (k, _) in forces.operator.one_sided.iter().enumerate() {
            if let Some((_, force)) = responses.acting(k).one_sided.as_deref() {
                let alike = mirror(&blocks[k].normal, blocks[k].levers, force);
                alike.add_alike(&mut forces.residual, blocks[k].ids.slots());
            }
        }
        imposed.unit.fill(Wrench::default());
        (imposed.moment_rest, imposed.moment_unit) = (0.0, 0.0);
        if !responses.driven.is_empty() {
            let driven = |k: usize| &responses.driven[responses.acting[k] as usize];
            scatter.add(&mut imposed.unit, blocks.len(), |k| (blocks[k].ids, driven(k).forces));
            for driven in (0..blocks.len()).map(driven) {
                imposed.moment_rest += driven.moment_rest;
                imposed.moment_unit += driven.moment_unit;
            }
        }
        let noise = if step > 0.0 { SEPARATION_ROUNDING * sizes.noise.sqrt() / step } else { 0.0 };
        forces.noise = noise.hypot(SEPARATION_ROUNDING * self.momentum.size());
        let operator = &mut forces.operator;
        let plain = operator.unsymmetric.is_empty() || !self.exact;
        operator.symmetric = plain && operator.one_sided.is_empty();
        let two_body = if operator.two_body.is_empty() { 0.0 } else { self.add_two_body(rate) };
        [sizes.square + two_body, sizes.carried + two_body]
    }

    /// Finds the pairs that act: all that have responded in this step, and will again, and the
    /// contact set.
    fn choose_acting(&mut self) {
        let Stage { forces, responses, contact_set, pairs, .. } = self;
        let operator = &mut forces.operator;
        operator.clear();
        let known = responses.acting.len();
        responses.acting.clear();
        let mut near = contact_set.pairs.iter_mut().peekable();
        let both = responses.responded.iter_mut().zip(&responses.pairs);
        for (p, (responded, response)) in (0u32..).zip(both) {
            let close = near.next_if(|near| near.pair == p);
            *responded |= response.acts || close.is_some();
            if let Some(near) = close {
                near.begin(responses.acting.len() as u32, &response.resistance);
            }
            if *responded {
                responses.acting.push(p);
            }
        }
        // They only ever become more in a step.
        if responses.acting.len() != known {
            let (n, ids) = (operator.drag.len(), |p: u32| pairs.active[p as usize].ids);
            operator.grounded = responses.acting.iter().any(|p| ids(*p).is_grounded());
            if Scatter::pays(n) {
                operator.scatter.sort(n, responses.acting.iter().map(|p| ids(*p)));
                contact_set.scatter.sort(n, contact_set.pairs.iter().map(|near| ids(near.pair)));
            }
        }
    }

    /// Writes the pairs that act into the operator.
    fn fill(&mut self) -> Sizes {
        let mut blocks = std::mem::take(&mut self.forces.operator.blocks);
        let acting = &self.responses.acting;
        make_room(&mut blocks, acting.len());
        blocks.resize(acting.len(), PairBlock::default());
        let part = |(blocks, acting): (&mut [PairBlock], &[u32])| {
            let mut sizes = Sizes::default();
            for (block, p) in blocks.iter_mut().zip(acting) {
                *block = self.block(*p as usize, &mut sizes);
            }
            sizes
        };
        let sizes = if self.forces.operator.scatter.several() {
            let parts = blocks.par_chunks_mut(CHUNK).zip(acting.par_chunks(CHUNK));
            let parts: Vec<Sizes> = parts.map(part).collect();
            parts.into_iter().fold(Sizes::default(), Sizes::and)
        } else {
            part((&mut blocks, acting))
        };
        self.forces.operator.blocks = blocks;
        sizes
    }

    fn block(&self, p: usize, sizes: &mut Sizes) -> PairBlock {
        let (pair, ids) = (&self.linearisation.geometry[p], self.pairs.active[p].ids);
        let response @ PairResponse { resistance, acting, .. } = &self.responses.pairs[p];
        let force = acting.normal * pair.normal + acting.shear;
        let size = force.norm_squared();
        if size.is_nan() {
            sizes.unsolved = Some(ids);
        }
        sizes.square += 2.0 * size;
        sizes.carried += 2.0 * response.carried;
        sizes.noise += (pair.distance * resistance.squeeze.max(resistance.slide)).powi(2);
        sizes.special |= response.unsymmetric.is_some()
            || response.two_body.is_some()
            || response.one_sided.is_some();
        PairBlock { ids, normal: pair.normal, levers: self.levers(pair), resistance: *resistance }
    }

    /// Writes what is beyond resistances into the operator.
    fn fill_special(&mut self, step: f64) {
        let operator = &mut self.forces.operator;
        let acting = || (0..self.responses.acting.len()).map(|k| self.responses.acting(k));
        if acting().any(|response| response.unsymmetric.is_some()) {
            let pairs = self.responses.acting.iter().map(|p| &self.pairs.active[*p as usize]);
            for ((response, block), pair) in acting().zip(&operator.blocks).zip(pairs) {
                let unsymmetric = response.unsymmetric.as_deref().copied().unwrap_or_default();
                operator.unsymmetric.push(unsymmetric);
                if self.exact {
                    let force = response.acting.normal * block.normal + response.acting.shear;
                    // At a wall the force turns with its normal, whatever the velocities.
                    let turns = unsymmetric.turns && !is_flat(pair.radii);
                    let turned = if turns { step * force } else { Vector3::zeros() };
                    operator.turns.push(turned);
                }
            }
        }
        if acting().any(|response| response.two_body.is_some()) {
            let two_body = |r: &PairResponse| r.two_body.as_deref().copied().unwrap_or_default();
            operator.two_body.extend(acting().map(two_body));
        }
        if acting().any(|response| response.one_sided.is_some()) {
            let one_sided =
                |r: &PairResponse| r.one_sided.as_deref().map(|of| of.0).unwrap_or_default();
            operator.one_sided.extend(acting().map(one_sided));
        }
    }

    /// Adds the forces of two spheres on each other beyond drag and rates; returns the sum of their
    /// squares.
    fn add_two_body(&mut self, rate: f64) -> f64 {
        let Stage { forces, linearisation, imposed, .. } = self;
        let (operator, n) = (&forces.operator, forces.residual.len());
        let unit = self.moment.unit_strain_rate;
        let mut resisted = vec![Wrench::default(); n];
        operator.apply_two_body(&linearisation.about.velocities, &mut resisted);
        let mut driven = vec![Wrench::default(); n];
        let blocks = operator.blocks.iter().zip(&operator.two_body);
        for (block, two_body) in blocks.filter(|(block, _)| !block.ids.is_grounded()) {
            for (side, k) in block.ids.moving().enumerate() {
                driven[k] = driven[k] - driven_two_body(two_body, &block.normal, side, &unit);
            }
        }
        let mut square = 0.0;
        for (k, residual) in forces.residual.iter_mut().enumerate() {
            *residual += rate * driven[k] - resisted[k];
            square += (rate * driven[k].linear).norm_squared() + resisted[k].linear.norm_squared();
            if imposed.goal.is_some() {
                imposed.unit[k] += driven[k];
            }
        }
        square
    }
}
