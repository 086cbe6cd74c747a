//! One run: from a case to a directory of results, interruptible at any step.

mod accuracy;
mod counts;
mod cycles;
mod looks;
mod output;
mod progress;
mod step;
mod totals;

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cost;
use crate::drive::Protocol;
use crate::error::Error;
use crate::integrate::{End, Observation, Stepper, Times};
use crate::record::observation::{Row, Units};
use crate::record::{
    BONDS, CONTACTS, CYCLES, Existing, FRAMES, FrameWriter, LOADS, Launch, Manifest, RunDirectory,
    Start, Status, TIMESERIES, TableWriter, first_difference, read_checkpoint, write_checkpoint,
};
use crate::state::Suspension;
use crate::study::{self, collision, gluey, pair_shear, settle, suspension, t1};

use accuracy::History;
use cycles::{CYCLE_COLUMNS, Cycle};
use output::{BOND_COLUMNS, CONTACT_COLUMNS, LOAD_COLUMNS};

pub use counts::Counts;
pub use looks::Looks;
pub use totals::Totals;

/// A suspension at imposed stress that flows with a higher relative viscosity has jammed.
const JAMMED_VISCOSITY: f64 = 1e7;

/// Everything that a run has to remember between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// The particles.
    pub suspension: Suspension,
    /// The steps since the last row of the time series.
    row: Row,
    /// The strain or time at which the last row ended.
    row_end: f64,
    /// Frames written.
    frames: u64,
    /// The strain or time of the last frame.
    frame_at: f64,
    /// The resolved case, to notice when it was changed.
    case: String,
    /// Costs.
    pub totals: Totals,
    /// The cycle of an oscillation.
    cycle: Cycle,
    /// The strain at which an imposed stress stopped the flow.
    pub jammed_at: Option<f64>,
    /// What has happened to the four spheres of a T1.
    pub story: t1::Story,
    /// What the film of a falling sphere has done.
    pub fall: settle::Fall,
    /// What has happened to two spheres in a shear flow.
    pub passage: pair_shear::Passage,
    /// Where two bodies that collide are.
    #[serde(default)]
    pub impact: collision::motion::Impact,
    /// What a gluey particle has done at a plane.
    #[serde(default)]
    pub stuck: gluey::plane::Stuck,
    /// How well the mean that was asked for is known.
    #[serde(default)]
    looks: Looks,
    /// Whether the study has seen what it waited for.
    over: bool,
}

impl RunState {
    /// The beginning of a case.
    fn new(case: &Case) -> Result<Self, Error> {
        Ok(RunState {
            suspension: study::initial(case)?,
            row: Row::default(),
            row_end: 0.0,
            frames: 0,
            frame_at: 0.0,
            case: case.to_toml(),
            totals: Totals::default(),
            cycle: Cycle::default(),
            jammed_at: None,
            story: t1::Story::default(),
            fall: settle::Fall::default(),
            passage: pair_shear::Passage::default(),
            impact: collision::motion::Impact::default(),
            stuck: gluey::plane::Stuck::default(),
            looks: Looks::default(),
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
    /// Where it stands.
    pub state: RunState,
    stepper: Stepper,
    /// Where the time went before the stepper was made.
    earlier: Times,
    units: Units,
    end: End,
    table: TableWriter,
    frames: FrameWriter,
    contacts: Option<TableWriter>,
    /// Pairs that touch, where contacts are gluey.
    bonds: Option<TableWriter>,
    /// Forces on obstacles.
    loads: Option<TableWriter>,
    /// Cycles of an oscillation.
    cycles: Option<TableWriter>,
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
        // What cannot be set up leaves no directory behind.
        let resumes = out.join(crate::record::CHECKPOINT).exists() && existing == Existing::Keep;
        let prepared = if resumes { None } else { Some(RunState::new(&case)?) };
        let (directory, start) = RunDirectory::open(out, &case.to_toml(), existing)?;
        let checkpoint = match start {
            Start::Resume => read_checkpoint::<RunState>(directory.path())?,
            Start::Fresh => None,
        };
        let manifest = Manifest::start(directory.path(), launch)?;
        let (lengths, state) = match (checkpoint, prepared) {
            (Some(c), _) => {
                if let Some(difference) = first_difference(&c.state.case, &case.to_toml()) {
                    return Err(Error::AnotherCase { directory: out.to_owned(), difference });
                }
                (c.lengths, c.state)
            }
            (None, Some(state)) => (Default::default(), state),
            (None, None) => (Default::default(), RunState::new(&case)?),
        };
        let stepper = study::stepper(&case, &state.suspension);
        let scales = suspension::Scales::new(&case, state.suspension.smallest_radius());
        let oscillates = matches!(stepper.protocol, Protocol::Oscillation(_));
        let open =
            |name, columns| TableWriter::open(directory.file(name), columns, lengths.of(name));
        let open_if = |wanted: bool, name, columns| wanted.then(|| open(name, columns)).transpose();
        let table = open(TIMESERIES, study::columns(case.study))?;
        let history = case.accuracy.is_some().then(|| History::read(&directory.file(TIMESERIES)));
        Ok(Run {
            units: Units {
                viscosity: scales.viscosity,
                stress: scales.stress(),
                radius: scales.radius,
                flow: stepper.drive.flow,
                oscillates,
            },
            end: study::end(&case),
            table,
            frames: FrameWriter::open(directory.file(FRAMES), lengths.of(FRAMES))?,
            contacts: open_if(case.output.contacts, CONTACTS, CONTACT_COLUMNS)?,
            bonds: open_if(case.gluey.is_some(), BONDS, BOND_COLUMNS)?,
            loads: open_if(!case.obstacle.is_empty(), LOADS, LOAD_COLUMNS)?,
            cycles: open_if(oscillates, CYCLES, CYCLE_COLUMNS)?,
            history: history.transpose()?,
            case,
            directory,
            earlier: state.totals.stage_seconds,
            state,
            stepper,
            manifest,
            checkpointed: Instant::now(),
        })
    }

    /// Steps until the end of the case, or until `watch` asks to stop, which is told of each step and
    /// where the run is expected to end.
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
        if self.state.suspension.clock.steps == 0 && self.state.frames == 0 {
            self.write_frame()?;
        }
        if self.cycles.is_some() {
            self.state.cycle.begin(&self.state.suspension);
        }
        let mut clock = Instant::now();
        let mut end = self.end();
        while !self.is_over() {
            self.check_budget()?;
            let rejected = self.stepper.rejected;
            let (seen, row) = self.step()?;
            self.state.totals.add(&seen, self.stepper.rejected - rejected, self.units.radius);
            self.state.totals.stage_seconds = cost::sum(&self.earlier, self.stepper.times());
            self.state.totals.wall_seconds += clock.elapsed().as_secs_f64();
            clock = Instant::now();
            if self.has_jammed(&seen) {
                self.state.jammed_at = Some(seen.strain);
            }
            // Rows come last, because they may bring a checkpoint.
            self.record_cycle(&seen)?;
            self.record(&seen, row)?;
            // Some runs learn on their way when they end, and some go on for longer than expected.
            if self.history.is_some() || self.at() > end {
                end = self.end().max(self.at());
            }
            if watch(&seen, end) {
                self.checkpoint()?;
                let reason = Some("asked to stop".to_owned());
                self.manifest.end(self.directory.path(), Status::Interrupted, reason)?;
                return Ok(Outcome::Interrupted);
            }
        }
        if self.state.frame_at < self.at() {
            self.write_frame()?;
        }
        if !self.state.row.is_empty() {
            let row = self.state.row.take();
            self.table.write_row(&row)?;
        }
        self.checkpoint()?;
        Ok(Outcome::Finished)
    }

    fn is_over(&self) -> bool {
        let state = &self.state;
        let clock = &state.suspension.clock;
        let reached = self.end.reached(clock) || self.stepper.protocol.is_over(clock);
        state.over || state.jammed_at.is_some() || reached
    }

    /// Whether an imposed stress no longer makes the suspension flow.
    fn has_jammed(&self, seen: &Observation) -> bool {
        let stress = self.stepper.drive.stress;
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
        &self.stepper.drive
    }

    fn record(&mut self, seen: &Observation, row: Option<Vec<f64>>) -> Result<(), Error> {
        let at = self.at();
        match row {
            Some(row) => self.state.row.replace(row),
            None => self.state.row.add(seen, &self.units),
        }
        // No row goes on into another phase.
        let turned = self.state.suspension.clock.phase != seen.phase;
        if turned || at - self.state.row_end >= self.case.output.interval * (1.0 - 1e-12) {
            self.state.row_end = at;
            let row = self.state.row.take();
            self.table.write_row(&row)?;
            self.write_loads()?;
            self.note(&row);
        }
        // Before a checkpoint, so that a resumed run looks at the same steps.
        self.look();
        let every = self.case.output.frames;
        if every > 0.0 && at >= every * self.state.frames as f64 * (1.0 - 1e-12) {
            self.write_frame()?;
        }
        if self.checkpointed.elapsed().as_secs_f64() >= self.case.output.checkpoint_seconds {
            self.checkpoint()?;
        }
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), Error> {
        self.state.totals.note_memory();
        let mut files = vec![self.table.file(), self.frames.file()];
        let others = [&self.contacts, &self.cycles, &self.bonds, &self.loads];
        files.extend(others.into_iter().flatten().map(|table| table.file()));
        write_checkpoint(self.directory.path(), &self.state, &files)?;
        self.checkpointed = Instant::now();
        Ok(())
    }
}
