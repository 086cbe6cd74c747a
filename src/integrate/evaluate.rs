//! Evaluating all laws at a guess, pair by pair: geometry, rates, and what the laws respond.

use rayon::prelude::*;

use super::contact_set::ContactPair;
use super::linearise::{Driven, PARALLEL_PAIRS, PairResponse};
use super::pair_view::{placed, with_memory, with_memory_mut};
use super::stage::Stage;
use crate::balance::field::{FarField, Field};
use crate::balance::mirror;
use crate::drive::Drive;
use crate::laws::{Levers, Pair, PairForce, PairLaw, Rates, Resistance, Response};
use crate::pairs::make_room;

/// Pairs that are evaluated together: so few that all that is found of them stays in a cache.
const RUN: usize = 64;

/// What laws are evaluated with.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub laws: &'a [Box<dyn PairLaw>],
    pub drive: &'a Drive,
    pub step: f64,
    /// How the fluid around pairs is found; none where it is known already, or does nothing.
    pub field: Option<Field>,
}

/// What is found of successive pairs.
#[derive(Default)]
struct Run<'a> {
    /// The place of the first among the pairs of the step.
    first: usize,
    geometry: &'a mut [Pair],
    rates: &'a mut [Rates],
    responses: &'a mut [PairResponse],
    /// Those of the contact set among them.
    contacts: &'a mut [ContactPair],
    /// One for every pair, or none.
    fields: &'a mut [Option<FarField>],
    /// One for every pair, or none.
    driven: &'a mut [Driven],
    /// What films remember at the end of the step: `stride` numbers for every pair, or none.
    ends: &'a mut [f64],
    stride: usize,
}

impl<'a> Run<'a> {
    /// The first pairs, and all others.
    fn split(self, count: usize) -> [Run<'a>; 2] {
        let Run { first, geometry, rates, responses, contacts, fields, driven, ends, stride } =
            self;
        let next = first + count;
        let near = contacts.partition_point(|near| (near.pair as usize) < next);
        let geometry = geometry.split_at_mut(count);
        let rates = rates.split_at_mut(count);
        let responses = responses.split_at_mut(count);
        let contacts = contacts.split_at_mut(near);
        let some = fields.len().min(count);
        let fields = fields.split_at_mut(some);
        let some = driven.len().min(count);
        let driven = driven.split_at_mut(some);
        let some = ends.len().min(count * stride);
        let ends = ends.split_at_mut(some);
        let own = Run {
            first,
            geometry: geometry.0,
            rates: rates.0,
            responses: responses.0,
            contacts: contacts.0,
            fields: fields.0,
            driven: driven.0,
            ends: ends.0,
            stride,
        };
        let others = Run {
            first: next,
            geometry: geometry.1,
            rates: rates.1,
            responses: responses.1,
            contacts: contacts.1,
            fields: fields.1,
            driven: driven.1,
            ends: ends.1,
            stride,
        };
        [own, others]
    }

    /// All pairs in runs of a length.
    fn shared(self, count: usize) -> Vec<Run<'a>> {
        let (mut runs, mut rest) = (Vec::new(), self);
        while rest.geometry.len() > count {
            let [run, others] = rest.split(count);
            runs.push(run);
            rest = others;
        }
        runs.push(rest);
        runs
    }
}

impl Stage {
    /// Evaluates all laws at the guess.
    pub(super) fn evaluate(&mut self, inputs: Inputs) {
        let count = self.pairs.active.len();
        self.contact_set.choose(&self.pairs.active);
        let mut geometry = std::mem::take(&mut self.linearisation.geometry);
        let mut rates = std::mem::take(&mut self.linearisation.rates);
        let mut responses = std::mem::take(&mut self.responses.pairs);
        let mut driven = std::mem::take(&mut self.responses.driven);
        let mut contacts = std::mem::take(&mut self.contact_set.pairs);
        let mut ends = std::mem::take(&mut self.pairs.advanced);
        let stride = self.pairs.stride;
        ends.resize(if self.pairs.films { count * stride } else { 0 }, 0.0);
        make_room(&mut geometry, count);
        geometry.resize(count, Pair::default());
        make_room(&mut rates, count);
        rates.resize(count, Rates::default());
        make_room(&mut responses, count);
        responses.resize_with(count, PairResponse::default);
        driven.resize(if self.imposed.goal.is_some() { count } else { 0 }, Driven::default());
        let mut fields = match inputs.field {
            Some(_) => std::mem::take(&mut self.fields.pairs),
            None => Vec::new(),
        };
        fields.resize(if inputs.field.is_some() { count } else { 0 }, None);
        let all = Run {
            first: 0,
            geometry: &mut geometry,
            rates: &mut rates,
            responses: &mut responses,
            contacts: &mut contacts,
            fields: &mut fields,
            driven: &mut driven,
            ends: &mut ends,
            stride,
        };
        let (runs, one) = (all.shared(RUN), |run| self.evaluate_run(run, inputs));
        match count >= PARALLEL_PAIRS {
            true => runs.into_par_iter().with_min_len(2).for_each(one),
            false => runs.into_iter().for_each(one),
        }
        if inputs.field.is_some() {
            self.fields.pairs = fields;
        }
        (self.linearisation.geometry, self.linearisation.rates) = (geometry, rates);
        (self.responses.pairs, self.responses.driven) = (responses, driven);
        self.contact_set.pairs = contacts;
        self.pairs.advanced = ends;
    }

    /// Places pairs, and evaluates all their laws: one thing after another for all of them, so that
    /// processors work on several pairs at a time.
    fn evaluate_run(&self, run: Run, inputs: Inputs) {
        let Run { first, geometry, rates, responses, contacts, fields, driven, ends, stride } = run;
        self.place(first, geometry, fields, inputs);
        let known = match inputs.field {
            Some(_) => &*fields,
            None => self.fields.pairs.get(first..first + geometry.len()).unwrap_or_default(),
        };
        let about = &self.linearisation.about.velocities;
        for ((p, pair), rates) in (first..).zip(&*geometry).zip(&mut *rates) {
            *rates = self.rates_of(pair, p, about, &self.affine(pair), inputs.drive.rate);
        }
        let mut totals: [Response; RUN] = std::array::from_fn(|_| Response::default());
        let mut contacts = contacts.iter_mut().peekable();
        let placed = || (first..).zip(&*geometry).zip(&*rates);
        let mut ends = ends.chunks_exact_mut(stride.max(1));
        for (((p, pair), rates), total) in placed().zip(&mut totals) {
            if let Some(end) = ends.next() {
                let alone = known.get(p - first).is_none_or(Option::is_none);
                self.respond_with_film(p, (pair, rates), inputs.laws, (end, alone), total);
                continue;
            }
            let contact = contacts.next_if(|near| near.pair as usize == p);
            self.respond(p, (pair, rates), inputs.laws, contact, total);
        }
        let mut driven = driven.iter_mut();
        for ((((p, pair), rates), total), to) in placed().zip(&mut totals).zip(responses) {
            let far_field = known.get(p - first).and_then(Option::as_ref);
            self.finish((p, pair, rates), (total, far_field), (to, driven.next()), inputs);
        }
    }

    /// Places pairs, and finds what the fluid around them does where that is sought.
    fn place(
        &self,
        first: usize,
        geometry: &mut [Pair],
        fields: &mut [Option<FarField>],
        inputs: Inputs,
    ) {
        let about = &self.linearisation.about.velocities;
        let (drive, step, placement) = (inputs.drive, inputs.step, self.moment.placement);
        for (p, pair) in (first..).zip(&mut *geometry) {
            *pair = match self.pairs.walls.met(p) {
                Some(met) => met.placed,
                None => placed(&self.pairs.active[p], about, drive, step, placement),
            };
        }
        if let Some(law) = inputs.field {
            for ((p, pair), field) in (first..).zip(&*geometry).zip(fields) {
                *field = around(&law, pair, self.pairs.walls.met(p).is_some());
            }
        }
        if self.levers != Levers::OfDistance {
            for (p, pair) in (first..).zip(geometry) {
                if self.pairs.walls.met(p).is_none() {
                    *pair = self.levers.see(*pair);
                }
            }
        }
    }

    /// Adds up all laws that may act; tells a pair of the contact set what its contact has of it.
    #[inline(always)]
    fn respond(
        &self,
        p: usize,
        (pair, rates): (&Pair, &Rates),
        laws: &[Box<dyn PairLaw>],
        mut contact: Option<&mut ContactPair>,
        total: &mut Response,
    ) {
        let end_gap = pair.end_gap(rates.squeeze);
        for (law, memory) in with_memory(laws, self.pairs.memory_of(p)) {
            if self.is_beyond(law, p, pair, end_gap) {
                continue;
            }
            let about = self.linearisation.rates_of(law, rates);
            match contact.as_deref_mut().filter(|_| !law.is_smooth()) {
                None => law.add_response(pair, memory, &about, total),
                Some(contact) => {
                    let one = law.respond(pair, memory, &about);
                    contact.add(&one);
                    *total += one;
                }
            }
        }
    }

    /// Adds up all laws of a pair with a film, and finds what they remember at the end of the step.
    /// `alone` says that the fluid around the pair does nothing.
    fn respond_with_film(
        &self,
        p: usize,
        (pair, rates): (&Pair, &Rates),
        laws: &[Box<dyn PairLaw>],
        (end, alone): (&mut [f64], bool),
        total: &mut Response,
    ) {
        let out_of_reach = alone && self.is_out_of_reach(p, pair, laws, rates.squeeze);
        let known = with_memory(laws, self.pairs.memory_of(p));
        for ((law, memory), (_, end)) in known.zip(with_memory_mut(laws, end)) {
            match out_of_reach {
                false => *total += law.respond_to_end(pair, memory, end, rates),
                true if law.has_films() => {
                    end.copy_from_slice(memory);
                    law.advance_memory(pair, end, rates);
                }
                true => {}
            }
        }
    }

    /// What a pair responds, given what its laws and the fluid around it do.
    #[inline(always)]
    fn finish(
        &self,
        (p, pair, rates): (usize, &Pair, &Rates),
        (response, far_field): (&mut Response, Option<&FarField>),
        (to, driven): (&mut PairResponse, Option<&mut Driven>),
        inputs: Inputs,
    ) {
        if response.unsymmetric.is_some() && !self.exact {
            *response = std::mem::take(response).symmetrised(&pair.normal, rates);
        }
        if far_field.is_none() && *response == Response::default() {
            *to = PairResponse::default();
            if let Some(driven) = driven {
                *driven = Driven::default();
            }
            return;
        }
        let (unit, rate) = (self.moment.unit_strain_rate, inputs.drive.rate);
        let affine = self.affine(pair);
        let mut by_field = PairForce::default();
        if let Some(far_field) = far_field {
            response.resistance += far_field.resistance;
            by_field = far_field.driven(&pair.normal, &unit);
        }
        let by_field_now = by_field * rate;
        let carried = response.force(&self.carried_rates(pair, p, &affine, rate));
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
        to.acts = true;
        to.resistance = response.resistance;
        to.acting = response.force(rates) + by_field_now;
        to.carried = carried.normal * carried.normal + carried.shear.norm_squared();
        to.unsymmetric = response.unsymmetric.take();
        to.two_body = far_field.and_then(|field| field.two_body.clone());
        to.one_sided = one_sided(inputs.laws, pair, rates);
    }

    /// Whether two particles stay out of the reach of all laws in the step.
    fn is_out_of_reach(
        &self,
        p: usize,
        pair: &Pair,
        laws: &[Box<dyn PairLaw>],
        squeeze: f64,
    ) -> bool {
        let closest = pair.gap.min(pair.end_gap(squeeze));
        let apart = laws.iter().all(|law| closest > law.range(pair.radii));
        apart && self.pairs.walls.met(p).is_none()
    }

    /// The rates of pair `p` if its particles were carried along with the flow.
    #[inline]
    fn carried_rates(&self, pair: &Pair, p: usize, affine: &Rates, rate: f64) -> Rates {
        let squeeze = rate * affine.squeeze;
        let carried = Rates { squeeze, slide: rate * affine.slide, ..Rates::default() };
        match self.pairs.walls.met(p) {
            Some(met) => self.with_obstacle(pair, carried, &met.partner),
            None => carried,
        }
    }
}

/// What the fluid around a pair does. Around obstacles there is only what resists relative motion,
/// and only next to spheres.
fn around(law: &Field, pair: &Pair, at_wall: bool) -> Option<FarField> {
    (!at_wall || law.knows(pair.radii)).then(|| law.far_field(pair)).flatten()
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
