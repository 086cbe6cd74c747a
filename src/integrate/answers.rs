//! What the laws answer about the guess, pair by pair, and the balance that is assembled from it.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::sight::{placed, with_memory};
use super::stage::Stage;
use crate::balance::field::driven_whole;
use crate::balance::{Mirrored, PairBlock, add_mirrored, mirror};
use crate::drive::Drive;
use crate::hydro::Regular;

use crate::laws::{Pair, PairForce, PairLaw, Rates, Resistance, Response, Skew};
use crate::pairs::make_room;
use crate::state::Wrench;

/// Pairs above which threads share the evaluation of laws.
const PARALLEL_PAIRS: usize = 1000;

/// Relative rounding of a separation less what makes up most of it.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What the laws answer in one pair.
#[derive(Clone, Default)]
pub(super) struct Answer {
    /// Whether they answer at all.
    acts: bool,
    resistance: Resistance,
    /// What the fluid around the pair adds: resistance, and the force that a unit shear rate drives.
    around: Option<Box<(Resistance, PairForce)>>,
    /// The force at the guess.
    acting: PairForce,
    /// The square of the force if the pair were carried along with the flow.
    carried: f64,
    skew: Option<Box<Skew>>,
    whole: Option<Box<Regular>>,
}

/// What a unit shear rate drives in a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    forces: Mirrored,
    moment_rest: f64,
    moment_unit: f64,
}

/// How a pair answers when asked again.
struct Change {
    resistance: Resistance,
    acting: PairForce,
    /// Forces beyond those expected from the last answer.
    unexpected: Mirrored,
    driven: Driven,
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
        *pair = placed(active, &self.guess, drive, step, self.placement);
        let affine = self.affine(pair);
        let rates = self.rates_of(pair, active.ids, &self.guess, &affine, drive.rate);
        let memory = &self.memory[p * self.stride..(p + 1) * self.stride];
        let mut response = total_response(laws, pair, memory, &rates);
        if response.skew.is_some() && !self.exact {
            response = response.symmetrised(&pair.normal, &rates);
        }
        let around = self.field.and_then(|field| field.around(pair));
        if response == Response::default() && around.is_none() {
            if let Some(driven) = driven {
                *driven = Driven::default();
            }
            return Answer::default();
        }
        let unit = Drive::unit_strain_rate();
        let mut by_field = PairForce::default();
        let mut moment_unit = 0.0;
        if let Some(around) = &around {
            response.resistance += around.resistance;
            by_field = around.driven(&pair.normal, &unit);
            moment_unit = around.moment(pair, &unit);
        }
        let by_field_now = by_field * drive.rate;
        let force = response.force(&rates) + by_field_now;
        let flow = Rates {
            squeeze: drive.rate * affine.squeeze,
            slide: drive.rate * affine.slide,
            ..Rates::default()
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
            around: around.as_ref().map(|around| Box::new((around.resistance, by_field))),
            acting: force,
            carried: carried.normal * carried.normal + carried.shear.norm_squared(),
            skew: response.skew,
            whole: around.and_then(|around| around.whole).map(Box::new),
        }
    }

    /// Makes the operator of the answers and adds the forces at the guess to what is left; returns
    /// the sum of the squares of all pair forces, those that act or those that would act if the
    /// particles were carried along with the flow, whichever is larger: the size of forces with which
    /// an imbalance is compared.
    pub(super) fn assemble(&mut self, rate: f64, step: f64) -> f64 {
        let operator = &mut self.operator;
        operator.clear();
        // All that have answered so far will again.
        make_room(&mut operator.blocks, self.answered.iter().filter(|known| **known).count());
        let skewed = self.answers.iter().any(|answer| answer.skew.is_some());
        self.lost = None;
        self.flow.unit.fill(Wrench::default());
        (self.flow.moment_rest, self.flow.moment_unit) = (0.0, 0.0);
        let turning = operator.turning;
        self.near.clear();
        self.asked.clone_from(&self.guess);
        self.asked_rate = rate;
        let (mut square, mut carried, mut noise) = (0.0, 0.0, 0.0);
        for (p, answer) in self.answers.iter().enumerate() {
            let (pair, ids) = (&self.geometry[p], self.pairs[p].ids);
            let near = pair.gap <= self.reach;
            if near {
                self.near.push([p as u32, operator.blocks.len() as u32]);
            }
            self.answered[p] |= answer.acts || near;
            if !self.answered[p] {
                continue;
            }
            let Answer { resistance, acting, skew, whole, .. } = answer;
            let (normal, levers) = (pair.normal, if turning { pair.levers() } else { [0.0; 2] });
            let acting = mirror(&normal, levers, acting);
            let size = acting.force.norm_squared();
            if size.is_nan() {
                self.lost = Some(ids);
            }
            square += 2.0 * size;
            carried += 2.0 * answer.carried;
            add_mirrored(ids, &acting, &mut self.left);
            noise += (pair.distance * resistance.squeeze.max(resistance.slide)).powi(2);
            let count = operator.blocks.len() + 1;
            make_room(&mut operator.blocks, count);
            operator.blocks.push(PairBlock { ids, normal, levers, resistance: *resistance });
            if skewed {
                let skew = skew.as_ref().map(|skew| **skew).unwrap_or_default();
                operator.skews.push(skew);
                if self.exact {
                    let turned = if skew.turns { step * acting.force } else { Vector3::zeros() };
                    operator.turns.push(turned);
                }
            }
            operator.wholes.extend(whole.as_deref());
            if let Some(driven) = self.driven.get(p) {
                add_mirrored(ids, &driven.forces, &mut self.flow.unit);
                self.flow.moment_rest += driven.moment_rest;
                self.flow.moment_unit += driven.moment_unit;
            }
        }
        self.noise = if step > 0.0 { ROUNDING * noise.sqrt() / step } else { 0.0 };
        operator.symmetric = operator.skews.is_empty() || !self.exact;
        square.max(carried) + self.add_wholes(rate)
    }

    /// Asks the laws of near pairs again, about the present motions in the geometry of the guess, and
    /// corrects operator and forces by what they answer otherwise than expected.
    pub(super) fn ask_near(&mut self, laws: &[Box<dyn PairLaw>], drive: &Drive) {
        let again = |&[p, _]: &[u32; 2]| self.answer_again(p as usize, laws, drive);
        let changes: Vec<Change> = if self.near.len() >= PARALLEL_PAIRS {
            self.near.par_iter().with_min_len(128).map(again).collect()
        } else {
            self.near.iter().map(again).collect()
        };
        for (&[p, block], change) in self.near.iter().zip(changes) {
            let ids = self.pairs[p as usize].ids;
            self.operator.blocks[block as usize].resistance = change.resistance;
            let answer = &mut self.answers[p as usize];
            (answer.resistance, answer.acting) = (change.resistance, change.acting);
            add_mirrored(ids, &change.unexpected, &mut self.left);
            if let Some(driven) = self.driven.get_mut(p as usize) {
                let old = std::mem::replace(driven, change.driven);
                add_mirrored(ids, &(driven.forces - old.forces), &mut self.flow.unit);
                self.flow.moment_rest += driven.moment_rest - old.moment_rest;
                self.flow.moment_unit += driven.moment_unit - old.moment_unit;
            }
        }
        self.asked.clone_from(&self.motions);
        self.asked_rate = drive.rate;
    }

    fn answer_again(&self, p: usize, laws: &[Box<dyn PairLaw>], drive: &Drive) -> Change {
        let (pair, ids, old) = (&self.geometry[p], self.pairs[p].ids, &self.answers[p]);
        let affine = self.affine(pair);
        let rates = self.rates_of(pair, ids, &self.motions, &affine, drive.rate);
        let asked = self.rates_of(pair, ids, &self.asked, &affine, self.asked_rate);
        let memory = &self.memory[p * self.stride..(p + 1) * self.stride];
        let mut response = total_response(laws, pair, memory, &rates);
        let mut by_field = PairForce::default();
        if let Some((resistance, driven)) = old.around.as_deref() {
            response.resistance += *resistance;
            by_field = *driven;
        }
        let acting = response.force(&rates) + by_field * drive.rate;
        let expected = old.acting
            + old.resistance.force(&(rates - asked))
            + by_field * (drive.rate - self.asked_rate);
        let levers = self.levers(pair);
        let mut driven = Driven::default();
        if let Some(old) = self.driven.get(p) {
            // What the field drives, and its moments, stay as they are.
            let changed = (response.resistance - self.answers[p].resistance).force(&affine);
            let forces = mirror(&pair.normal, levers, &changed);
            driven = Driven {
                forces: old.forces + forces,
                moment_rest: response.at_rest.power(&affine),
                moment_unit: old.moment_unit + changed.power(&affine),
            };
        }
        let unexpected = mirror(&pair.normal, levers, &(acting - expected));
        Change { resistance: response.resistance, acting, unexpected, driven }
    }

    /// Adds the forces of two spheres on each other beyond drag and rates; returns the sum of their
    /// squares.
    fn add_wholes(&mut self, rate: f64) -> f64 {
        let operator = &self.operator;
        if operator.wholes.is_empty() {
            return 0.0;
        }
        let unit = Drive::unit_strain_rate();
        let mut resisted = vec![Wrench::default(); self.left.len()];
        operator.apply_wholes(&self.guess, &mut resisted);
        let mut driven = vec![Wrench::default(); self.left.len()];
        for (block, whole) in operator.blocks.iter().zip(&operator.wholes) {
            for (side, k) in block.ids.iter().enumerate() {
                let push = driven_whole(whole, &block.normal, side, &unit);
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
fn total_response(
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
