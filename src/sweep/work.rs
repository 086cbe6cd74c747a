//! Running the points that are not finished, and putting down what they find.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::directory::Standing;
use super::{PointStatus, Shard, Sweep, SweepDirectory, SweepTable};
use crate::Error;
use crate::record::Existing;
use crate::run::pool::{PooledRun, side_by_side};

/// How a sweep is to be carried out.
#[derive(Debug, Clone)]
pub struct Orders {
    /// Points at a time, at least 1.
    pub jobs: usize,
    /// Which points.
    pub shard: Shard,
    /// What to do with points that are there already.
    pub existing: Existing,
    /// The command line, for the manifests.
    pub command: Vec<String>,
}

/// How far a sweep is. Only points of the shard are counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepTally {
    /// Points to have.
    pub points: usize,
    /// Points that were finished before.
    pub skipped: usize,
    /// Points that were finished now.
    pub finished: usize,
    /// Points that failed.
    pub failed: usize,
    /// For every job the share of its point that is done, `None` for an idle one.
    pub running: Vec<Option<f64>>,
}

impl SweepTally {
    /// The share of all points that is done, those at work in part.
    pub fn fraction(&self) -> f64 {
        let done = (self.skipped + self.finished + self.failed) as f64;
        let partly: f64 = self.running.iter().flatten().sum();
        if self.points == 0 { 1.0 } else { (done + partly) / self.points as f64 }
    }
}

/// Who listens to a sweep; called from all its threads.
pub trait Watch: Sync {
    /// The sweep got further.
    fn progress(&self, tally: &SweepTally);
    /// A point, counted from 0, failed.
    fn failed(&self, index: usize, error: &Error);
    /// Whether to stop, after checkpoints.
    fn stop(&self) -> bool;
}

/// Runs the points that are not finished. Points that fail do not stop the others.
///
/// # Errors
///
/// When the directory holds something else or the table cannot be written.
pub fn carry_out(
    sweep: &Sweep,
    directory: &SweepDirectory,
    orders: &Orders,
    watch: &dyn Watch,
) -> Result<(SweepTally, SweepTable), Error> {
    let mut table = sweep.table();
    let pending = survey(sweep, directory, orders, &mut table)?;
    directory.create(sweep)?;
    let points = (0..sweep.len()).filter(|i| orders.shard.has(*i)).count();
    let jobs = orders.jobs.clamp(1, pending.len().max(1));
    let tally = SweepTally {
        points,
        skipped: points - pending.len(),
        running: vec![None; jobs],
        ..SweepTally::default()
    };
    watch.progress(&tally);
    let floor = Floor {
        sweep,
        directory,
        command: &orders.command,
        watch,
        pending,
        tally: Mutex::new(tally),
        ledger: Mutex::new(Ledger { table, written: Instant::now(), pause: Ledger::PAUSE }),
    };
    let work = |job: usize, place: usize| floor.work(job, place);
    side_by_side(jobs, floor.pending.len(), &|| watch.stop(), &work)?;
    let tally = floor.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut table = floor.ledger.into_inner().unwrap_or_else(PoisonError::into_inner).table;
    refresh(sweep, directory, &mut table)?;
    table.write(&directory.table())?;
    Ok((tally, table))
}

/// Puts what is there into the table, and says which points are to be run and how.
fn survey(
    sweep: &Sweep,
    directory: &SweepDirectory,
    orders: &Orders,
    table: &mut SweepTable,
) -> Result<Vec<(usize, Existing)>, Error> {
    let replace = orders.existing == Existing::Replace;
    let mut pending = Vec::new();
    for index in 0..sweep.len() {
        let mine = orders.shard.has(index);
        if mine && replace {
            pending.push((index, Existing::Replace));
            continue;
        }
        match directory.standing(index, &sweep.case(index)?.to_toml())? {
            Standing::Finished(summary) => {
                table.finish(index, &summary);
                continue;
            }
            Standing::Another(difference) if !replace => {
                return Err(Error::AnotherCase { directory: directory.point(index), difference });
            }
            Standing::Failed => table.rows[index].status = PointStatus::Failed,
            Standing::Damaged if mine => {
                pending.push((index, Existing::Replace));
                continue;
            }
            Standing::Open | Standing::Damaged | Standing::Another(_) => {}
        }
        if mine {
            pending.push((index, Existing::Keep));
        }
    }
    Ok(pending)
}

/// Adds what other processes did in the directory meanwhile.
fn refresh(sweep: &Sweep, directory: &SweepDirectory, table: &mut SweepTable) -> Result<(), Error> {
    for index in 0..sweep.len() {
        if table.rows[index].status.is_done() {
            continue;
        }
        match directory.standing(index, &sweep.case(index)?.to_toml())? {
            Standing::Finished(summary) => table.finish(index, &summary),
            Standing::Failed => table.rows[index].status = PointStatus::Failed,
            _ => {}
        }
    }
    Ok(())
}

/// Where the points are worked on.
struct Floor<'a> {
    sweep: &'a Sweep,
    directory: &'a SweepDirectory,
    command: &'a [String],
    watch: &'a dyn Watch,
    pending: Vec<(usize, Existing)>,
    tally: Mutex<SweepTally>,
    ledger: Mutex<Ledger>,
}

/// The table, and when it was written.
struct Ledger {
    table: SweepTable,
    written: Instant,
    pause: Duration,
}

impl Ledger {
    /// The table is not written more often.
    const PAUSE: Duration = Duration::from_secs(1);
}

impl Floor<'_> {
    /// Runs the point at a place of the list, and puts down what it found.
    fn work(&self, job: usize, place: usize) -> Result<(), Error> {
        let (index, existing) = self.pending[place];
        self.tell(|tally| tally.running[job] = Some(0.0));
        match self.run(index, existing, job) {
            Ok(None) => self.tell(|tally| tally.running[job] = None),
            Ok(Some(summary)) => {
                self.tell(|tally| {
                    tally.running[job] = None;
                    tally.finished += 1;
                });
                self.change(|table| table.finish(index, &summary))?;
            }
            Err(error) => {
                self.tell(|tally| {
                    tally.running[job] = None;
                    tally.failed += 1;
                });
                self.watch.failed(index, &error);
                // Where another process is at work, it has the say.
                if !matches!(error, Error::DirectoryLocked { .. }) {
                    self.directory.mark_failed(index, &error)?;
                    self.change(|table| table.rows[index].status = PointStatus::Failed)?;
                }
            }
        }
        Ok(())
    }

    /// Runs a point to its end; `None` if it was asked to stop before.
    fn run(&self, index: usize, existing: Existing, job: usize) -> Result<Option<Value>, Error> {
        self.directory.unmark(index)?;
        let (case, directory) = (self.sweep.case(index)?, self.directory.point(index));
        let one = PooledRun { case, directory: &directory, existing, command: self.command };
        let report = one.run(|share| {
            // A step does not wait for another job's step.
            if let Ok(mut tally) = self.tally.try_lock() {
                tally.running[job] = Some(share);
                self.watch.progress(&tally);
            }
            self.watch.stop()
        })?;
        Ok(report.map(|report| report.summary))
    }

    fn tell(&self, change: impl FnOnce(&mut SweepTally)) {
        let mut tally = lock(&self.tally);
        change(&mut tally);
        self.watch.progress(&tally);
    }

    /// Changes the table, and writes it unless that was just done.
    fn change(&self, change: impl FnOnce(&mut SweepTable)) -> Result<(), Error> {
        let mut ledger = lock(&self.ledger);
        change(&mut ledger.table);
        let began = Instant::now();
        if began - ledger.written >= ledger.pause {
            ledger.table.write(&self.directory.table())?;
            ledger.written = Instant::now();
            // A long table is written more rarely.
            ledger.pause = Ledger::PAUSE.max(20 * began.elapsed());
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
