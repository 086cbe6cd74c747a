//! One step of a run, as its study makes it.

use super::Run;
use crate::case::Study;
use crate::error::Error;
use crate::integrate::Observation;
use crate::study::{collision, gluey, pair_shear, settle, soft_pair, t1};

impl Run {
    /// One step, with the row of the time series if the study makes its own.
    pub(super) fn step(&mut self) -> Result<(Observation, Option<Vec<f64>>), Error> {
        let state = &mut self.state.suspension;
        match self.case.study {
            Study::Suspension => Ok((self.stepper.step(state, self.end)?, None)),
            Study::T1 => {
                let (t1, story) = (t1::table(&self.case), &mut self.state.story);
                let (seen, group) = t1::step(&mut self.stepper, state, self.end, &t1, story)?;
                self.state.over = story.is_over(&t1);
                Ok((seen, Some(group.row(&seen))))
            }
            Study::SoftPair => {
                let pair = soft_pair::table(&self.case);
                let seen = self.stepper.step(state, self.end)?;
                let row = soft_pair::row(&self.stepper, state, &seen, &pair);
                self.state.over = soft_pair::is_over(&row, &pair);
                Ok((seen, Some(row)))
            }
            Study::Settle => {
                let seen = self.stepper.step(state, self.end)?;
                let (row, settle) =
                    (settle::row(&self.stepper, state, &seen), settle::table(&self.case));
                self.state.fall.take(&row, &settle);
                self.state.over = settle::is_over(&row, &self.case, &self.state.fall);
                Ok((seen, Some(row)))
            }
            Study::PairShear => {
                let pair = pair_shear::table(&self.case);
                let seen = self.stepper.step(state, self.end)?;
                let passage = &mut self.state.passage;
                let row = pair_shear::row(&self.stepper, state, &seen, &pair, passage);
                self.state.over = passage.is_over();
                Ok((seen, Some(row)))
            }
            Study::Collision => {
                let impact = &mut self.state.impact;
                let (seen, row) = collision::step(&self.case, impact, state);
                self.state.over = impact.ending.is_some();
                Ok((seen, Some(row)))
            }
            Study::GlueyPlane => {
                let before = state.clone();
                let seen = self.stepper.step(state, self.end)?;
                let row = gluey::plane::row(&self.stepper, state, &seen);
                self.state.stuck.take(&self.case, &before, &row);
                Ok((seen, Some(row)))
            }
        }
    }
}
