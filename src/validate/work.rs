//! Jobs at work, several at a time; what they find is told in the order of the table.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::{Bench, Finding, Halt, Job};
use crate::Error;
use crate::run::pool::side_by_side;

/// Who listens to the jobs at work.
pub trait Watch: Sync {
    /// Hears of a row when it and all rows before it are there.
    fn found(&self, finding: &Finding);

    /// Hears how far all is.
    fn progress(&self, tally: &TableTally);

    /// Whether to stop.
    fn stop(&self) -> bool;
}

/// How far all is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TableTally {
    /// Rows of the table.
    pub rows: usize,
    /// Rows that are filled in.
    pub filled: usize,
    /// The share of the work that is done.
    pub fraction: f64,
}

/// Does the jobs, `workers` at a time; leaves out the rows of those that were asked to stop.
///
/// # Errors
///
/// When there is no place to run cases in, or no thread to run them on. A case that fails only
/// fails its rows.
pub fn carry_out(jobs: &[Job], workers: usize, watch: &dyn Watch) -> Result<Vec<Finding>, Error> {
    let scratch = scratch()?;
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    // The longest first, so that none is left alone at the end.
    order.sort_by(|a, b| jobs[*b].cost.total_cmp(&jobs[*a].cost));
    let desk = Desk { shares: vec![0.0; jobs.len()], found: vec![None; jobs.len()], shown: 0 };
    let floor = Floor { jobs, scratch: scratch.path(), watch, desk: Mutex::new(desk) };
    side_by_side(workers, jobs.len(), &|| watch.stop(), &|_, place| {
        floor.work(order[place]);
        Ok(())
    })?;
    let desk = floor.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(desk.found.into_iter().flatten().flatten().collect())
}

/// Where the jobs are worked on.
struct Floor<'a> {
    jobs: &'a [Job],
    scratch: &'a Path,
    watch: &'a dyn Watch,
    desk: Mutex<Desk>,
}

/// What is there so far.
struct Desk {
    /// The share of each job that is done.
    shares: Vec<f64>,
    /// What each job found.
    found: Vec<Option<Vec<Finding>>>,
    /// How many jobs were told of.
    shown: usize,
}

impl Floor<'_> {
    /// Does one job, and puts down what it found.
    fn work(&self, index: usize) {
        let job = &self.jobs[index];
        let tell = |share: f64| {
            // A step does not wait for another job's step.
            if let Ok(mut desk) = self.desk.try_lock() {
                desk.shares[index] = share;
                self.watch.progress(&self.tally(&desk));
            }
            self.watch.stop()
        };
        let bench = Bench::new(self.scratch.join(index.to_string()), job.runs, &tell);
        match (job.work)(&bench) {
            Ok(measures) => self.put(index, filled_in(job, measures)),
            Err(Halt::Failed(error)) => self.put(index, failed(job, &error)),
            Err(Halt::Stopped) => {}
        }
    }

    /// Puts down what a job found, and tells of what is next in the table.
    fn put(&self, index: usize, findings: Vec<Finding>) {
        let mut desk: MutexGuard<'_, Desk> =
            self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.shares[index] = 1.0;
        desk.found[index] = Some(findings);
        while let Some(Some(findings)) = desk.found.get(desk.shown) {
            findings.iter().for_each(|finding| self.watch.found(finding));
            desk.shown += 1;
        }
        self.watch.progress(&self.tally(&desk));
    }

    fn tally(&self, desk: &Desk) -> TableTally {
        let costs = || self.jobs.iter().map(|job| LEAST_COST + job.cost);
        let done: f64 = costs().zip(&desk.shares).map(|(cost, share)| cost * share).sum();
        TableTally {
            rows: self.jobs.iter().map(|job| job.rows.len()).sum(),
            filled: desk.found.iter().flatten().map(Vec::len).sum(),
            fraction: (done / costs().sum::<f64>()).clamp(0.0, 1.0),
        }
    }
}

/// What every job costs at least `[s]`.
const LEAST_COST: f64 = 0.01;

/// The rows of a job with what it found; a row for which it found nothing fails.
fn filled_in(job: &Job, measures: Vec<Vec<super::Measure>>) -> Vec<Finding> {
    let mut measures = measures.into_iter();
    let fill = |row: &super::Row| Finding {
        row: row.clone(),
        measures: measures.next().unwrap_or_default(),
        error: None,
    };
    job.rows.iter().map(fill).collect()
}

/// The rows of a job that failed.
fn failed(job: &Job, error: &Error) -> Vec<Finding> {
    let fail = |row: &super::Row| Finding {
        row: row.clone(),
        measures: Vec::new(),
        error: Some(error.to_string()),
    };
    job.rows.iter().map(fail).collect()
}

/// A directory of its own that is removed in the end.
fn scratch() -> Result<TempDir, Error> {
    let made = tempfile::Builder::new().prefix("zerostokes-validate-").tempdir();
    made.map_err(|source| Error::Io { path: std::env::temp_dir(), source })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::super::{Measure, Model, Row, Tolerance};
    use super::*;

    /// Notes the order of the rows, and stops when told to.
    #[derive(Default)]
    struct Listener {
        heard: Mutex<Vec<String>>,
        stop: AtomicBool,
    }

    impl Watch for Listener {
        fn found(&self, finding: &Finding) {
            self.heard.lock().unwrap().push(finding.row.what.clone());
        }

        fn progress(&self, tally: &TableTally) {
            assert!((0.0..=1.0).contains(&tally.fraction) && tally.filled <= tally.rows);
        }

        fn stop(&self) -> bool {
            self.stop.load(Ordering::Relaxed)
        }
    }

    fn job(what: &str, cost: f64, findings: fn() -> super::super::Findings) -> Job {
        let row = Row::new(Model::Soft, what, Tolerance::Relative(0.1));
        Job::new(vec![row], 0, cost, move |_| findings())
    }

    fn good() -> super::super::Findings {
        Ok(vec![vec![Measure::new(1.0, 1.0)]])
    }

    #[test]
    fn rows_are_told_in_their_order_whatever_is_done_first() {
        let names = ["a", "b", "c", "d", "e"];
        let jobs: Vec<Job> =
            names.iter().enumerate().map(|(k, name)| job(name, k as f64, good)).collect();
        for workers in [1, 3, 50] {
            let listener = Listener::default();
            let found = carry_out(&jobs, workers, &listener).unwrap();
            assert_eq!(*listener.heard.lock().unwrap(), names);
            assert!(found.len() == 5 && found.iter().all(Finding::passes));
        }
    }

    #[test]
    fn a_job_that_fails_fails_its_rows_and_no_others() {
        let fails = || Err(Halt::Failed(Error::Usage { reason: "no such thing".to_owned() }));
        let jobs = [job("a", 1.0, good), job("b", 2.0, fails), job("c", 0.0, || Ok(vec![]))];
        let found = carry_out(&jobs, 2, &Listener::default()).unwrap();
        let passes: Vec<bool> = found.iter().map(Finding::passes).collect();
        assert_eq!(passes, [true, false, false]);
        assert_eq!(found[1].error.as_deref(), Some("no such thing"));
    }

    #[test]
    fn what_was_stopped_is_left_out() {
        let jobs = [job("a", 2.0, good), job("b", 1.0, || Err(Halt::Stopped))];
        let found = carry_out(&jobs, 1, &Listener::default()).unwrap();
        assert_eq!(found.len(), 1);
        let stopped = Listener { stop: AtomicBool::new(true), ..Listener::default() };
        assert!(carry_out(&jobs, 1, &stopped).unwrap().is_empty());
    }
}
