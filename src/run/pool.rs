//! Many runs: some at a time, each on one thread, so that nothing depends on how many.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Figures, Outcome, Run, conclude};
use crate::case::Case;
use crate::error::Error;
use crate::record::{Existing, Launch};
use crate::study::Report;

/// Does the jobs from 0 to `count`, `workers` at a time, until `stop`; `work` is told the worker
/// and the job. Each worker is a pool of one thread: loops that threads share inside a run stay on
/// it.
///
/// # Errors
///
/// When there are no threads to work on, or with the first error of `work`, which ends its worker.
pub fn side_by_side(
    workers: usize,
    count: usize,
    stop: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(usize, usize) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pools: Result<Vec<_>, _> = (0..workers.clamp(1, count.max(1))).map(|_| pool()).collect();
    let pools = pools.map_err(|e| Error::Threads { reason: e.to_string() })?;
    let next = AtomicUsize::new(0);
    let next_job = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|job| *job < count);
    let work_through = |worker: usize| {
        while !stop() {
            let Some(job) = next_job() else { break };
            work(worker, job)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let start = |(worker, pool)| {
            let (pool, work_through): (&rayon::ThreadPool, _) = (pool, &work_through);
            scope.spawn(move || pool.install(|| work_through(worker)))
        };
        let workers: Vec<_> = pools.iter().enumerate().map(start).collect();
        let ends = workers.into_iter().map(|worker| match worker.join() {
            Ok(end) => end,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ends.fold(Ok(()), Result::and)
    })
}

/// One run among many.
pub struct PooledRun<'a> {
    /// The case.
    pub case: Case,
    /// Where it is written.
    pub directory: &'a Path,
    /// What to do with what is there already.
    pub existing: Existing,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

impl PooledRun<'_> {
    /// Runs the case to its end on this thread and writes its results, without figures. `tell`
    /// hears the share that is done and says whether to stop; none if it did.
    ///
    /// # Errors
    ///
    /// When the run fails.
    pub fn run(self, tell: impl Fn(f64) -> bool) -> Result<Option<Report>, Error> {
        let command = self.command.to_vec();
        let launch = Launch { seed: self.case.particles.seed, threads: 1, command };
        let mut run = Run::open(self.case, self.directory, self.existing, launch)?;
        let (begin, counts) = (run.at(), run.counts());
        let outcome = run.advance(|seen, end| {
            // Its results are still to be written when all steps are done.
            tell(((counts.after(seen) - begin) / (end - begin)).clamp(0.0, 0.99))
        })?;
        match outcome {
            Outcome::Interrupted => Ok(None),
            Outcome::Finished => conclude(run, Figures::Spared).map(Some),
        }
    }
}
