//! One run: from a case to a directory of results, interruptible at any step.

mod accuracy;
mod conclusion;
mod counts;
pub mod output;
pub mod outputs;
pub mod pool;
mod progress;
mod rows;
mod schedule;
pub mod series;
mod stopping;

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cost::{self, Totals};
use crate::drive::Protocol;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper, Times};
use crate::record::{
    AppendFile, Column, Existing, Launch, Lengths, Manifest, Row, RunDirectory, Start, Status,
    TIMESERIES, first_difference, read_checkpoint, write_checkpoint,
};
use crate::state::Suspension;
use crate::study::{self, Step, Study, suspension};

use accuracy::History;
use output::Memories;
use schedule::Schedule;
use series::Sample;

pub use conclusion::{Figures, conclude};
pub use counts::Counts;
pub use output::{Opening, Output, View};
pub use series::Units;
pub use stopping::Stopping;

/// A suspension at imposed stress that flows with a higher relative viscosity has jammed.
const JAMMED_VISCOSITY: f64 = 1e7;

/// Everything that a run has to remember between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// The particles.
    pub suspension: Suspension,
    /// The steps since the last row of the time series.
    row: Row,
    /// Where the last row and the last frame were.
    schedule: Schedule,
    /// What the outputs remembered at the last checkpoint.
    outputs: Memories,
    /// The resolved case, to notice when it was changed.
    case: String,
    /// What was doubtful at the beginning.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// Costs.
    pub totals: Totals,
    /// The strain at which an imposed stress stopped the flow.
    pub jammed_at: Option<f64>,
    /// What the study has seen so far, as of the last checkpoint.
    progress: serde_json::Value,
    /// How well the mean that was asked for is known.
    #[serde(default)]
    stopping: Stopping,
    /// Whether the study has seen what it waited for.
    over: bool,
}

impl RunState {
    /// The beginning of a case.
    fn new(case: &Case, study: &mut dyn Study) -> Result<Self, Error> {
        let suspension = study.initial(case)?;
        Ok(RunState {
            doubts: study.doubts(case, &suspension),
            suspension,
            row: Row::default(),
            schedule: Schedule::default(),
            outputs: Memories::default(),
            case: case.to_toml(),
            totals: Totals::default(),
            jammed_at: None,
            progress: study.progress(),
            stopping: Stopping::default(),
            over: false,
        })
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It reached its end.
    Finished,
    /// It was asked to stop; a checkpoint is written.
    Interrupted,
}

/// A run in its directory.
pub struct Run {
    /// The case.
    pub case: Case,
    /// Where it is written.
    pub directory: RunDirectory,
    /// What is done with it.
    pub study: Box<dyn Study>,
    /// Where it stands.
    pub state: RunState,
    stepper: Stepper,
    /// Where the time went before the stepper was made.
    earlier: Times,
    units: Units,
    end: End,
    /// The columns of the time series; none where the study makes its own rows.
    columns: Vec<Column<Sample>>,
    outputs: Vec<Box<dyn Output>>,
    /// How long the files were at the checkpoint from which the run goes on.
    lengths: Lengths,
    /// The rows that tell how well a mean is known; none if no accuracy is asked for.
    history: Option<History>,
    manifest: Manifest,
    checkpointed: Instant,
}

impl Run {
    /// Opens a directory for a case, or takes up the run in it where it was stopped.
    ///
    /// # Errors
    ///
    /// When the directory cannot be used, or the case cannot be set up.
    pub fn open(case: Case, out: &Path, existing: Existing, launch: Launch) -> Result<Run, Error> {
        let mut study = study::of(&case);
        // What cannot be set up leaves no directory behind.
        let resumes = out.join(crate::record::CHECKPOINT).exists() && existing == Existing::Keep;
        let prepared = if resumes { None } else { Some(RunState::new(&case, &mut *study)?) };
        let (directory, start) = RunDirectory::open(out, &case.to_toml(), existing)?;
        let checkpoint = match start {
            Start::Resume => read_checkpoint::<RunState>(directory.path())?,
            Start::Fresh => None,
        };
        let (lengths, mut state) = match (checkpoint, prepared) {
            (Some(c), _) => {
                if let Some(difference) = first_difference(&c.state.case, &case.to_toml()) {
                    return Err(Error::AnotherCase { directory: out.to_owned(), difference });
                }
                (c.lengths, c.state)
            }
            (None, Some(state)) => (Default::default(), state),
            (None, None) => (Default::default(), RunState::new(&case, &mut *study)?),
        };
        study.resume(state.progress.clone()).map_err(|e| Error::Damaged {
            path: directory.file(crate::record::CHECKPOINT),
            reason: format!("holds the progress of another study ({e})"),
        })?;
        let stepper = study.stepper(&case, &state.suspension);
        let opening =
            Opening { directory: &directory, lengths: &lengths, memories: &state.outputs };
        let (columns, outputs) = match study.columns() {
            Some(own) => (vec![], outputs::of_case(&case, &stepper, &own, &opening)?),
            None => {
                let columns = series::columns(&stepper.origins());
                let outputs = outputs::of_case(&case, &stepper, &columns, &opening)?;
                (columns, outputs)
            }
        };
        let rows = || History::read(&directory.file(TIMESERIES), &columns);
        let history = case.accuracy.is_some().then(rows).transpose()?;
        // What is refused leaves the manifest as it was.
        let manifest = Manifest::start(directory.path(), launch)?;
        state.doubts.extend(manifest.change());
        Ok(Run {
            units: units(&case, &stepper, &state.suspension),
            end: study.end(&case),
            columns,
            outputs,
            lengths,
            history,
            case,
            study,
            directory,
            earlier: state.totals.stage_seconds,
            state,
            stepper,
            manifest,
            checkpointed: Instant::now(),
        })
    }

    /// What is to be said before the first step: doubts about the case, or that the run goes on
    /// with another program.
    pub fn notes(&self) -> Vec<String> {
        match self.state.suspension.clock.steps {
            0 => self.state.doubts.clone(),
            _ => self.manifest.change().into_iter().collect(),
        }
    }

    /// Adds an output, which `open` makes for the point from which the run goes on. The same
    /// outputs have to be added when the run is resumed.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, or another has its name.
    pub fn add_output(
        &mut self,
        open: impl FnOnce(&Opening) -> Result<Box<dyn Output>, Error>,
    ) -> Result<(), Error> {
        let (lengths, memories) = (&self.lengths, &self.state.outputs);
        let added = open(&Opening { directory: &self.directory, lengths, memories })?;
        if self.outputs.iter().any(|output| output.name() == added.name()) {
            let reason = format!("two outputs are called {}; rename one of them", added.name());
            return Err(Error::Usage { reason });
        }
        self.outputs.push(added);
        Ok(())
    }

    /// Steps until the end of the case, or until `watch` asks to stop, which is told of each step
    /// and where the run is expected to end.
    ///
    /// # Errors
    ///
    /// When a step or a file fails; the manifest says so and the last checkpoint stays.
    pub fn advance(
        &mut self,
        mut watch: impl FnMut(&Observation, f64) -> bool,
    ) -> Result<Outcome, Error> {
        let outcome = self.steps(&mut watch);
        if let Err(error) = &outcome {
            let reason = Some(error.to_string());
            // The first error is the one to report.
            let _ = self.manifest.end(self.directory.path(), Status::Failed, reason);
        }
        outcome
    }

    fn steps(
        &mut self,
        watch: &mut impl FnMut(&Observation, f64) -> bool,
    ) -> Result<Outcome, Error> {
        self.begin()?;
        let mut end = self.end();
        let mut clock = Instant::now();
        while !self.is_over() {
            self.check_budget()?;
            let (seen, row) = self.step_and_count(&mut clock)?;
            self.gather(&seen, row);
            self.tell(|output, view| output.after_step(view, &seen))?;
            if self.row_is_due(&seen) {
                self.write_row()?;
            }
            // Before a checkpoint, so that a resumed run decides at the same steps.
            if self.history.is_some() {
                self.stop_if_accurate();
            }
            if self.state.schedule.frame_is_due(self.at(), self.case.output.frames) {
                self.write_frame()?;
            }
            if self.checkpoint_is_due() {
                self.checkpoint()?;
            }
            // Some runs learn on their way when they end, and some go on for longer than expected.
            if self.history.is_some() || self.at() > end {
                end = self.end().max(self.at());
            }
            if watch(&seen, end) {
                return self.interrupt();
            }
        }
        self.finish()
    }

    /// One step, which may show that the run has jammed, and what it cost.
    fn step_and_count(
        &mut self,
        clock: &mut Instant,
    ) -> Result<(Observation, Option<Vec<f64>>), Error> {
        let rejected = self.stepper.rejected();
        let state = &mut self.state.suspension;
        let Step { seen, row, over } = self.study.step(&mut self.stepper, state, self.end)?;
        self.state.over = over;
        if self.has_jammed(&seen) {
            self.state.jammed_at = Some(seen.strain);
        }
        let totals = &mut self.state.totals;
        totals.add(&seen, self.stepper.rejected() - rejected, self.units.radius);
        totals.check_power(&seen)?;
        totals.stage_seconds = cost::sum(&self.earlier, self.stepper.times());
        totals.wall_seconds += clock.elapsed().as_secs_f64();
        *clock = Instant::now();
        Ok((seen, row))
    }

    fn is_over(&self) -> bool {
        let state = &self.state;
        let clock = &state.suspension.clock;
        let reached = self.end.reached(clock) || self.stepper.protocol().is_over(clock);
        state.over || state.jammed_at.is_some() || reached
    }

    /// Whether an imposed stress no longer makes the suspension flow.
    fn has_jammed(&self, seen: &Observation) -> bool {
        let stress = self.stepper.drive().stress;
        stress.is_some_and(|s| JAMMED_VISCOSITY * self.units.viscosity * seen.rate.abs() < s.abs())
    }

    /// An error when the case's limit of steps is used up.
    fn check_budget(&mut self) -> Result<(), Error> {
        let clock = &self.state.suspension.clock;
        match self.case.time.max_steps {
            Some(most) if clock.steps as usize >= most => {
                let (steps, strain, time) = (clock.steps, clock.strain, clock.time);
                self.checkpoint()?;
                Err(Error::OutOfSteps { steps, strain, time })
            }
            _ => Ok(()),
        }
    }

    /// Notes in the manifest that everything is done.
    ///
    /// # Errors
    ///
    /// When the manifest cannot be written.
    pub fn close(mut self) -> Result<(), Error> {
        self.manifest.end(self.directory.path(), Status::Finished, None)
    }

    /// What is imposed.
    pub fn drive(&self) -> &crate::drive::Drive {
        self.stepper.drive()
    }

    fn checkpoint_is_due(&self) -> bool {
        self.checkpointed.elapsed().as_secs_f64() >= self.case.output.checkpoint_seconds
    }

    fn checkpoint(&mut self) -> Result<(), Error> {
        self.state.totals.record_memory();
        self.state.progress = self.study.progress();
        self.state.outputs = output::memories(&self.outputs);
        let files: Vec<&AppendFile> = self.outputs.iter().flat_map(|o| o.files()).collect();
        write_checkpoint(self.directory.path(), &self.state, &files)?;
        self.checkpointed = Instant::now();
        Ok(())
    }
}

/// The units in which a run reports.
fn units(case: &Case, stepper: &Stepper, state: &Suspension) -> Units {
    let scales = suspension::Scales::new(case, state.smallest_radius());
    Units {
        viscosity: scales.viscosity,
        stress: scales.stress(),
        radius: scales.radius,
        flow: stepper.drive().flow,
        oscillates: matches!(stepper.protocol(), Protocol::Oscillation(_)),
    }
}
