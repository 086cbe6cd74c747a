//! What the laws answer about the guess, pair by pair, and the balance that is assembled from it.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::near::Near;
use super::sight::{placed, with_memory};
use super::stage::Stage;
use crate::balance::field::driven_two_body;
use crate::balance::{Mirrored, PairBlock, mirror};
use crate::drive::Drive;
use crate::hydro::Regular;

use crate::laws::{Pair, PairForce, PairLaw, Rates, Resistance, Response, Unsymmetric, is_wall};
use crate::pairs::make_room;
use crate::state::Wrench;

/// Pairs above which threads share the evaluation of laws.
pub(super) const PARALLEL_PAIRS: usize = 1000;

/// Pairs that are worked on together where threads share pairs.
pub(super) const TOGETHER: usize = 1024;

/// Relative rounding of a separation less what makes up most of it.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What the laws answer in one pair.
#[derive(Clone, Default)]
pub(super) struct Answer {
    /// Whether they answer at all.
    acts: bool,
    resistance: Resistance,
    /// What the fluid around the pair adds: resistance, and the force that a unit shear rate drives.
    pub far_field: Option<Box<(Resistance, PairForce)>>,
    /// The force at the guess.
    acting: PairForce,
    /// The square of the force if the pair were carried along with the flow.
    carried: f64,
    unsymmetric: Option<Box<Unsymmetric>>,
    two_body: Option<Box<Regular>>,
}

/// What a unit shear rate drives in a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pub forces: Mirrored,
    pub moment_rest: f64,
    pub moment_unit: f64,
}

/// How large forces are.
#[derive(Default)]
struct Sizes {
    /// Sums of squares: forces that act, and that would if pairs were carried along with the flow.
    square: f64,
    carried: f64,
    noise: f64,
    /// Whether there is more than resistances.
    special: bool,
    /// A pair whose law found no answer.
    lost: Option<[u32; 2]>,
}

impl Sizes {
    fn and(self, other: Sizes) -> Sizes {
        Sizes {
            square: self.square + other.square,
            carried: self.carried + other.carried,
            noise: self.noise + other.noise,
            special: self.special || other.special,
            lost: other.lost.or(self.lost),
        }
    }
}

/// What is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    laws: &'a [Box<dyn PairLaw>],
    drive: &'a Drive,
    step: f64,
}

impl Stage {
    /// Asks all laws about the guess.
    pub(super) fn ask(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive, step: f64) {
        let count = self.pairs.len();
        let mut geometry = std::mem::take(&mut self.geometry);
        let mut answers = std::mem::take(&mut self.answers);
        let mut driven = std::mem::take(&mut self.driven);
        make_room(&mut geometry, count);
        geometry.resize(count, Pair::default());
        make_room(&mut answers, count);
        answers.resize_with(count, Answer::default);
        driven.resize(if self.stress.is_some() { count } else { 0 }, Driven::default());
        let question = Question { laws, drive, step };
        let answer = |(p, (pair, to)): (usize, (&mut Pair, &mut Answer))| {
            *to = self.answer(p, pair, question, None);
        };
        let answer_stress = |(p, ((pair, to), driven)): (_, ((&mut Pair, &mut Answer), &mut _))| {
            *to = self.answer(p, pair, question, Some(driven));
        };
        match (count >= PARALLEL_PAIRS, self.stress.is_some()) {
            (false, false) => {
                geometry.iter_mut().zip(&mut answers).enumerate().for_each(answer);
            }
            (false, true) => {
                let all = geometry.iter_mut().zip(&mut answers).zip(&mut driven);
                all.enumerate().for_each(answer_stress);
            }
            (true, false) => {
                let all = geometry.par_iter_mut().zip(&mut answers).enumerate();
                all.with_min_len(128).for_each(answer);
            }
            (true, true) => {
                let all = geometry.par_iter_mut().zip(&mut answers).zip(&mut driven).enumerate();
                all.with_min_len(128).for_each(answer_stress);
            }
        }
        (self.geometry, self.answers, self.driven) = (geometry, answers, driven);
    }

    /// Places a pair, and asks all laws about it.
    fn answer(
        &self,
        p: usize,
        pair: &mut Pair,
        question: Question,
        driven: Option<&mut Driven>,
    ) -> Answer {
        let Question { laws, drive, step } = question;
        let active = &self.pairs[p];
        *pair = match self.walls.met(p) {
            Some(met) => met.placed,
            None => placed(active, &self.guess, drive, step, self.placement),
        };
        let affine = self.affine(pair);
        let rates = self.rates_of(pair, p, &self.guess, &affine, drive.rate);
        let memory = &self.memory[p * self.stride..(p + 1) * self.stride];
        let mut response = total_response(laws, pair, memory, &rates);
        if response.unsymmetric.is_some() && !self.exact {
            response = response.symmetrised(&pair.normal, &rates);
        }
        let far_field = self.far_field(p, pair);
        if response == Response::default() && far_field.is_none() {
            if let Some(driven) = driven {
                *driven = Driven::default();
            }
            return Answer::default();
        }
        let unit = self.unit_strain_rate;
        let mut by_field = PairForce::default();
        let mut moment_unit = 0.0;
        if let Some(far_field) = &far_field {
            response.resistance += far_field.resistance;
            by_field = far_field.driven(&pair.normal, &unit);
            moment_unit = far_field.moment(pair, &unit);
        }
        let by_field_now = by_field * drive.rate;
        let force = response.force(&rates) + by_field_now;
        let flow = Rates {
            squeeze: drive.rate * affine.squeeze,
            slide: drive.rate * affine.slide,
            ..Rates::default()
        };
        let flow = match self.walls.met(p) {
            Some(met) => self.with_obstacle(pair, flow, &met.partner),
            None => flow,
        };
        let carried = response.force(&flow) + by_field_now;
        if let Some(driven) = driven {
            let force = by_field + (response.force(&affine) - response.at_rest);
            *driven = Driven {
                forces: mirror(&pair.normal, self.levers(pair), &force),
                moment_rest: response.at_rest.power(&affine),
                moment_unit: moment_unit + force.power(&affine),
            };
        }
        Answer {
            acts: true,
            resistance: response.resistance,
            far_field: far_field
                .as_ref()
                .map(|far_field| Box::new((far_field.resistance, by_field))),
            acting: force,
            carried: carried.normal * carried.normal + carried.shear.norm_squared(),
            unsymmetric: response.unsymmetric,
            two_body: far_field.and_then(|far_field| far_field.two_body).map(Box::new),
        }
    }

    /// Makes the operator of the answers and adds the forces at the guess to what is left; returns
    /// the sum of the squares of all pair forces, those that act or those that would act if the
    /// particles were carried along with the flow, whichever is larger: the size of forces with which
    /// an imbalance is compared.
    pub(super) fn assemble(&mut self, rate: f64, step: f64) -> f64 {
        self.choose();
        self.asked.clone_from(&self.guess);
        self.asked_rate = rate;
        let sizes = self.fill();
        self.lost = sizes.lost;
        if sizes.special {
            self.fill_special(step);
        }
        let Stage { operator, acting, answers, left, flow, driven, .. } = self;
        let (blocks, scatter) = (&operator.blocks, &operator.scatter);
        scatter.add(left, blocks.len(), |k| {
            let PairBlock { ids, normal, levers, .. } = &blocks[k];
            (*ids, mirror(normal, *levers, &answers[acting[k] as usize].acting))
        });
        flow.unit.fill(Wrench::default());
        (flow.moment_rest, flow.moment_unit) = (0.0, 0.0);
        if !driven.is_empty() {
            let driven = |k: usize| &driven[acting[k] as usize];
            scatter.add(&mut flow.unit, blocks.len(), |k| (blocks[k].ids, driven(k).forces));
            for driven in (0..blocks.len()).map(driven) {
                flow.moment_rest += driven.moment_rest;
                flow.moment_unit += driven.moment_unit;
            }
        }
        self.noise = if step > 0.0 { ROUNDING * sizes.noise.sqrt() / step } else { 0.0 };
        self.noise = self.noise.hypot(ROUNDING * self.momentum.size());
        let operator = &mut self.operator;
        operator.symmetric = operator.unsymmetric.is_empty() || !self.exact;
        sizes.square.max(sizes.carried) + self.add_two_body(rate)
    }

    /// Finds the pairs that act: all that have answered in this step, and will again, and those that
    /// nearly touch.
    fn choose(&mut self) {
        let Stage { operator, acting, near, .. } = self;
        operator.clear();
        let known = acting.len();
        acting.clear();
        near.clear();
        for (p, pair) in self.pairs.iter().enumerate() {
            let close = pair.gap <= self.reach;
            self.answered[p] |= self.answers[p].acts || close;
            if self.answered[p] {
                if close {
                    let (pair, block) = (p as u32, acting.len() as u32);
                    near.push(Near { pair, block, ..Near::default() });
                }
                acting.push(p as u32);
            }
        }
        // They only ever become more in a step.
        if acting.len() != known {
            let (n, pairs) = (operator.drag.len(), &self.pairs);
            operator.scatter.sort(n, acting.iter().map(|p| pairs[*p as usize].ids));
            operator.grounded = acting.iter().any(|p| pairs[*p as usize].ids[1] as usize >= n);
            self.near_scatter.sort(n, near.iter().map(|near| pairs[near.pair as usize].ids));
        }
    }

    /// Writes the pairs that act into the operator.
    fn fill(&mut self) -> Sizes {
        let mut blocks = std::mem::take(&mut self.operator.blocks);
        let mut near = std::mem::take(&mut self.near);
        make_room(&mut blocks, self.acting.len());
        blocks.resize(self.acting.len(), PairBlock::default());
        let several = self.operator.scatter.several();
        let take = |near: &mut Near| {
            let answer = &self.answers[near.pair as usize];
            (near.resistance, near.acting) = (answer.resistance, answer.acting);
        };
        let part = |(blocks, acting): (&mut [PairBlock], &[u32])| {
            let mut sizes = Sizes::default();
            for (block, p) in blocks.iter_mut().zip(acting) {
                *block = self.block(*p as usize, &mut sizes);
            }
            sizes
        };
        let sizes = if several {
            near.par_iter_mut().with_min_len(TOGETHER).for_each(take);
            let parts = blocks.par_chunks_mut(TOGETHER).zip(self.acting.par_chunks(TOGETHER));
            let parts: Vec<Sizes> = parts.map(part).collect();
            parts.into_iter().fold(Sizes::default(), Sizes::and)
        } else {
            near.iter_mut().for_each(take);
            part((&mut blocks, &self.acting))
        };
        (self.operator.blocks, self.near) = (blocks, near);
        sizes
    }

    fn block(&self, p: usize, sizes: &mut Sizes) -> PairBlock {
        let (pair, ids, answer) = (&self.geometry[p], self.pairs[p].ids, &self.answers[p]);
        let Answer { resistance, acting, .. } = answer;
        let force = acting.normal * pair.normal + acting.shear;
        let size = force.norm_squared();
        if size.is_nan() {
            sizes.lost = Some(ids);
        }
        sizes.square += 2.0 * size;
        sizes.carried += 2.0 * answer.carried;
        sizes.noise += (pair.distance * resistance.squeeze.max(resistance.slide)).powi(2);
        sizes.special |= answer.unsymmetric.is_some() || answer.two_body.is_some();
        PairBlock { ids, normal: pair.normal, levers: self.levers(pair), resistance: *resistance }
    }

    /// Writes what is beyond resistances into the operator.
    fn fill_special(&mut self, step: f64) {
        let operator = &mut self.operator;
        let answers = || self.acting.iter().map(|p| &self.answers[*p as usize]);
        if answers().any(|answer| answer.unsymmetric.is_some()) {
            for ((answer, block), p) in answers().zip(&operator.blocks).zip(&self.acting) {
                let unsymmetric = answer
                    .unsymmetric
                    .as_ref()
                    .map(|unsymmetric| **unsymmetric)
                    .unwrap_or_default();
                operator.unsymmetric.push(unsymmetric);
                if self.exact {
                    let force = answer.acting.normal * block.normal + answer.acting.shear;
                    // At a wall the force turns with its normal, which does not depend on velocities.
                    let turns = unsymmetric.turns && !is_wall(self.pairs[*p as usize].radii);
                    let turned = if turns { step * force } else { Vector3::zeros() };
                    operator.turns.push(turned);
                }
            }
        }
        if answers().any(|answer| answer.two_body.is_some()) {
            let two_body =
                |answer: &Answer| answer.two_body.as_deref().copied().unwrap_or_default();
            operator.two_body.extend(answers().map(two_body));
        }
    }

    /// Adds the forces of two spheres on each other beyond drag and rates; returns the sum of their
    /// squares.
    fn add_two_body(&mut self, rate: f64) -> f64 {
        let operator = &self.operator;
        if operator.two_body.is_empty() {
            return 0.0;
        }
        let unit = self.unit_strain_rate;
        let mut resisted = vec![Wrench::default(); self.left.len()];
        operator.apply_two_body(&self.guess, &mut resisted);
        let mut driven = vec![Wrench::default(); self.left.len()];
        let n = self.left.len();
        let blocks = operator.blocks.iter().zip(&operator.two_body);
        for (block, two_body) in blocks.filter(|(block, _)| !block.is_grounded(n)) {
            for (side, k) in block.ids.iter().enumerate() {
                let push = driven_two_body(two_body, &block.normal, side, &unit);
                driven[*k as usize].linear -= push.linear;
                driven[*k as usize].angular -= push.angular;
            }
        }
        let mut square = 0.0;
        for (k, left) in self.left.iter_mut().enumerate() {
            left.linear += rate * driven[k].linear - resisted[k].linear;
            left.angular += rate * driven[k].angular - resisted[k].angular;
            square += (rate * driven[k].linear).norm_squared() + resisted[k].linear.norm_squared();
            if self.stress.is_some() {
                self.flow.unit[k].linear += driven[k].linear;
                self.flow.unit[k].angular += driven[k].angular;
            }
        }
        square
    }
}

/// The sum of all laws.
pub(super) fn total_response(
    laws: &[Box<dyn PairLaw>],
    pair: &Pair,
    memory: &[f64],
    rates: &Rates,
) -> Response {
    let mut total = Response::default();
    for (law, memory) in with_memory(laws, memory) {
        total += law.respond(pair, memory, rates);
    }
    total
}
