//! The pairs of a stage as the laws see them: geometry, rates, memory.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::linearise::PARALLEL_PAIRS;
use super::stage::Stage;
use super::trial::Placement;
use super::walls::WallPartner;
use crate::balance::{affine_rates, mean_spin, rates as pair_rates};
use crate::drive::Drive;
use crate::laws::{Levers, Pair, PairLaw, Rates};
use crate::pairs::ActivePair;
use crate::state::{PairIds, Velocity};

/// A pair as the laws see it.
pub struct PairView<'a> {
    /// Who the two are.
    pub ids: PairIds,
    /// Geometry in the middle of the step.
    pub pair: &'a Pair,
    /// Memory at the beginning of the step.
    pub memory: &'a [f64],
    /// Rates about which the laws were linearised.
    pub guess: &'a Rates,
    /// Rates that were found.
    pub rates: Rates,
    /// Gap of the undeflected spheres at the end of the step `[a]`.
    pub end_gap: f64,
    /// How j moves relative to the flow where it is an obstacle.
    pub obstacle: Option<Velocity>,
}

impl Stage {
    /// Finds the rates of all pairs once and for all that looks at them after the stage was solved.
    pub(super) fn find_rates(&mut self, drive: &Drive) {
        let mut found = std::mem::take(&mut self.found);
        found.resize(self.linearisation.geometry.len(), Rates::default());
        let one = |(p, found): (usize, &mut Rates)| *found = self.rates_found(p, drive);
        match found.len() >= PARALLEL_PAIRS {
            true => found.par_iter_mut().enumerate().with_min_len(128).for_each(one),
            false => found.iter_mut().enumerate().for_each(one),
        }
        self.found = found;
    }

    /// The rates of pair `p` at the velocities that were found.
    #[inline]
    pub(super) fn rates_found(&self, p: usize, drive: &Drive) -> Rates {
        let pair = &self.linearisation.geometry[p];
        self.rates_of(pair, p, &self.velocities, &self.affine(pair), drive.rate)
    }

    /// Whether particles spin.
    pub(super) fn turns(&self) -> bool {
        self.forces.operator.turning
    }

    /// Lever arms of a pair; none where spheres do not spin.
    #[inline(always)]
    pub(super) fn levers(&self, pair: &Pair) -> [f64; 2] {
        if self.turns() { pair.levers() } else { [0.0; 2] }
    }

    /// The rates that a unit shear rate drives in a pair carried along: those of the strain and,
    /// where spheres do not spin with the flow, the slide that its rotation drives.
    #[inline(always)]
    pub(super) fn affine(&self, pair: &Pair) -> Rates {
        let mut rates = affine_rates(pair, &self.moment.unit_strain_rate);
        if !self.turns() {
            rates.slide += pair.distance * self.moment.unit_rotation.cross(&pair.normal);
        }
        rates
    }

    /// The rates of pair `p` in a geometry; an obstacle is where it was last placed.
    #[inline(always)]
    pub(super) fn rates_of(
        &self,
        pair: &Pair,
        p: usize,
        velocities: &[Velocity],
        affine: &Rates,
        rate: f64,
    ) -> Rates {
        let [i, j] = self.pairs.active[p].ids.slots();
        match self.pairs.walls.met(p) {
            None => self.rates_between(pair, [&velocities[i], &velocities[j]], affine, rate),
            Some(met) => self.rates_at(pair, &velocities[i], &met.partner, affine, rate),
        }
    }

    /// The smaller of the gaps of two particles at the beginning and the end of the step;
    /// `carried` is the rate at which the flow squeezes them `[a]`.
    #[inline]
    pub(super) fn closest(
        &self,
        p: usize,
        pair: &Pair,
        velocities: &[Velocity],
        carried: f64,
    ) -> f64 {
        let [i, j] = self.pairs.active[p].ids.slots();
        let relative = velocities[j].linear - velocities[i].linear;
        pair.gap.min(pair.end_gap(pair.normal.dot(&relative) + carried))
    }

    /// The rates of a particle and an obstacle.
    pub(super) fn rates_at(
        &self,
        pair: &Pair,
        motion: &Velocity,
        partner: &WallPartner,
        affine: &Rates,
        rate: f64,
    ) -> Rates {
        let rates = self.rates_between(pair, [motion, &partner.motion], affine, rate);
        Rates { spin: partner.turn.unwrap_or(rates.spin), ..rates }
    }

    #[inline(always)]
    fn rates_between(
        &self,
        pair: &Pair,
        [i, j]: [&Velocity; 2],
        affine: &Rates,
        rate: f64,
    ) -> Rates {
        let (levers, turn) = (self.levers(pair), &self.moment.unit_rotation);
        let own = pair_rates(&pair.normal, levers, i, j);
        let (swirl, spin) = match self.turns() {
            true => (rate * pair.normal.dot(turn), mean_spin(levers, i, j) + rate * turn),
            false => (0.0, Vector3::zeros()),
        };
        Rates {
            squeeze: own.squeeze + rate * affine.squeeze,
            slide: own.slide + rate * affine.slide,
            roll: own.roll,
            twist: own.twist,
            swirl: own.swirl + swirl,
            spin,
        }
    }

    /// Whether a law can do nothing in pair `p`, which has a gap at the end of the step.
    #[inline]
    pub(super) fn is_beyond(&self, law: &dyn PairLaw, p: usize, pair: &Pair, end_gap: f64) -> bool {
        pair.gap.min(end_gap) > law.range(pair.radii)
            && !self.pairs.films
            && self.pairs.walls.met(p).is_none()
    }

    /// The gap of pair `p` at the end of the step, at the rates that were found `[a]`.
    #[inline]
    pub(super) fn found_end_gap(&self, p: usize, drive: &Drive) -> f64 {
        match self.found.get(p) {
            Some(found) => self.end_gap(&self.linearisation.geometry[p], found.squeeze),
            None => self.view(p, drive).end_gap,
        }
    }

    /// All pairs as the laws saw them in the last linearisation.
    pub(super) fn views<'a>(&'a self, drive: &'a Drive) -> impl Iterator<Item = PairView<'a>> + 'a {
        (0..self.linearisation.geometry.len()).map(move |p| self.view(p, drive))
    }

    /// Pair `p` as the laws saw it in the last linearisation.
    #[inline]
    pub(super) fn view<'a>(&'a self, p: usize, drive: &Drive) -> PairView<'a> {
        let pair = &self.linearisation.geometry[p];
        let guess = &self.linearisation.rates[p];
        let found = self.found.get(p).copied();
        let rates = found.unwrap_or_else(|| self.rates_found(p, drive));
        let end_gap = self.end_gap(pair, rates.squeeze);
        let (ids, memory) = (self.pairs.active[p].ids, self.pairs.memory_of(p));
        let obstacle = self.pairs.walls.met(p).map(|met| met.partner.motion);
        PairView { ids, pair, memory, guess, rates, end_gap, obstacle }
    }

    /// The vector with which the forces of a pair count in the stress `[a]`.
    #[inline]
    pub(super) fn moment_arm(&self, view: &PairView) -> Vector3<f64> {
        let pair = view.pair;
        let length = match self.levers {
            Levers::OfDistance | Levers::OfRadii => pair.distance,
            Levers::OfRadiiInPlace => pair.sum() + 0.5 * (pair.gap + view.end_gap),
        };
        length * pair.normal
    }

    /// The gap of undeflected spheres at the end of the step `[a]`.
    #[inline]
    fn end_gap(&self, pair: &Pair, squeeze: f64) -> f64 {
        match self.moment.placement {
            Placement::Middle => pair.end_gap(squeeze),
            Placement::End => pair.distance - pair.sum(),
        }
    }

    /// The pairs at the beginning of the step and the rates in them when the particles move as
    /// given.
    pub(super) fn at_start<'a>(
        &'a self,
        velocities: &'a [Velocity],
        drive: &'a Drive,
    ) -> impl Iterator<Item = (Pair, Rates)> + 'a {
        self.pairs.active.iter().enumerate().map(move |(p, active)| {
            if self.pairs.walls.met(p).is_some() {
                return self.placed_rates(p, velocities, drive, (0.0, Placement::End));
            }
            let distance = active.separation.norm();
            let normal = active.separation / distance;
            let pair = Pair { radii: active.radii, normal, distance, gap: active.gap, step: 0.0 };
            let pair = self.levers.see(pair);
            (pair, self.rates_of(&pair, p, velocities, &self.affine(&pair), drive.rate))
        })
    }

    /// Pair `p` in the middle of a step, or at its end, and its rates when the particles move as
    /// given.
    pub(super) fn placed_rates(
        &self,
        p: usize,
        velocities: &[Velocity],
        drive: &Drive,
        (step, placement): (f64, Placement),
    ) -> (Pair, Rates) {
        let Some(met) = self.pairs.walls.met(p) else {
            let pair = placed(&self.pairs.active[p], velocities, drive, step, placement);
            let pair = self.levers.see(pair);
            return (pair, self.rates_of(&pair, p, velocities, &self.affine(&pair), drive.rate));
        };
        let motion = &velocities[met.particle];
        let (pair, partner) = self.place_wall(met, motion, drive, (step, placement));
        (pair, self.rates_at(&pair, motion, &partner, &self.affine(&pair), drive.rate))
    }
}

/// Geometry of a pair in the middle of a step, or at its end.
#[inline(always)]
pub(super) fn placed(
    p: &ActivePair,
    velocities: &[Velocity],
    drive: &Drive,
    step: f64,
    placement: Placement,
) -> Pair {
    let [i, j] = p.ids.slots();
    let relative = velocities[j].linear - velocities[i].linear;
    let separation = match placement {
        Placement::Middle => 0.5 * (p.separation + drive.carry(&p.separation, &relative, step)),
        Placement::End => drive.carry_back(&p.separation, &relative, step),
    };
    let distance = separation.norm();
    Pair { radii: p.radii, normal: separation / distance, distance, gap: p.gap, step }
}

/// Every law with its part of a pair's memory.
#[inline]
pub fn with_memory<'a>(
    laws: &'a [Box<dyn PairLaw>],
    mut memory: &'a [f64],
) -> impl Iterator<Item = (&'a dyn PairLaw, &'a [f64])> {
    laws.iter().map(move |law| {
        let (own, rest) = memory.split_at(law.memory_len());
        memory = rest;
        (law.as_ref(), own)
    })
}

/// Every law with its part of a pair's memory, to be changed.
#[inline]
pub fn with_memory_mut<'a>(
    laws: &'a [Box<dyn PairLaw>],
    memory: &'a mut [f64],
) -> impl Iterator<Item = (&'a dyn PairLaw, &'a mut [f64])> {
    let mut rest = memory;
    laws.iter().map(move |law| {
        let (own, others) = std::mem::take(&mut rest).split_at_mut(law.memory_len());
        rest = others;
        (law.as_ref(), own)
    })
}
