//! What the loop does around its steps: rows, frames, begin and end.

use super::series::Sample;
use super::{Outcome, Output, Run, View};
use crate::error::Error;
use crate::integrate::Observation;
use crate::record::Status;

impl Run {
    /// Tells every output of something that happened.
    pub(super) fn tell(
        &mut self,
        mut of: impl FnMut(&mut dyn Output, &View) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let view = View {
            case: &self.case,
            suspension: &self.state.suspension,
            stepper: &self.stepper,
            units: &self.units,
        };
        self.outputs.iter_mut().try_for_each(|output| of(output.as_mut(), &view))
    }

    /// Before the first step: a frame of the start, unless it is written.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        if self.state.suspension.clock.steps == 0 && self.state.schedule.lacks_first_frame() {
            self.write_frame()?;
        }
        self.tell(|output, view| output.begin(view))
    }

    /// Adds a step to the row of the time series, or takes the row that the study has made.
    pub(super) fn gather(&mut self, seen: &Observation, own: Option<Vec<f64>>) {
        match own {
            Some(row) => self.state.row.replace(row),
            None => Sample::new(seen, &self.units).add_to(&mut self.state.row, &self.columns),
        }
    }

    /// Whether the row ends with this step.
    pub(super) fn row_is_due(&self, seen: &Observation) -> bool {
        // No row goes on into another phase.
        let turned = self.state.suspension.clock.phase != seen.phase;
        turned || self.state.schedule.row_is_due(self.at(), self.case.output.interval)
    }

    /// Ends the row; the next one begins empty.
    pub(super) fn write_row(&mut self) -> Result<(), Error> {
        self.state.schedule.end_row(self.at());
        let row = std::mem::take(&mut self.state.row).finished(&self.columns);
        self.check_row(&row)?;
        if let Some(history) = &mut self.history {
            history.push(&row);
        }
        self.tell(|output, view| output.at_row(view, &row))
    }

    /// An error if a row of the time series holds what is no number.
    fn check_row(&self, row: &[f64]) -> Result<(), Error> {
        let bad = self.columns.iter().zip(row).filter(|(_, value)| value.is_nan());
        let columns: Vec<&str> = bad.map(|(column, _)| &*column.name).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let clock = &self.state.suspension.clock;
        let (strain, time, columns) = (clock.strain, clock.time, columns.join(", "));
        Err(Error::NotANumber { strain, time, columns })
    }

    /// Writes the particles, and what else belongs to a frame, if the case asks for frames.
    pub(super) fn write_frame(&mut self) -> Result<(), Error> {
        if self.case.output.frames <= 0.0 {
            return Ok(());
        }
        self.tell(|output, view| output.at_frame(view))?;
        self.state.schedule.add_frame(self.at());
        Ok(())
    }

    /// Stops on request, so that the run can be resumed.
    pub(super) fn interrupt(&mut self) -> Result<Outcome, Error> {
        self.checkpoint()?;
        let reason = Some("asked to stop".to_owned());
        self.manifest.end(self.directory.path(), Status::Interrupted, reason)?;
        Ok(Outcome::Interrupted)
    }

    /// Ends: a frame of the end and a row of the last steps.
    pub(super) fn finish(&mut self) -> Result<Outcome, Error> {
        if self.state.schedule.lacks_frame(self.at()) {
            self.write_frame()?;
        }
        let row = std::mem::take(&mut self.state.row);
        let rest = (!row.is_empty()).then(|| row.finished(&self.columns));
        rest.iter().try_for_each(|row| self.check_row(row))?;
        self.tell(|output, view| output.at_end(view, rest.as_deref()))?;
        self.checkpoint()?;
        Ok(Outcome::Finished)
    }
}
