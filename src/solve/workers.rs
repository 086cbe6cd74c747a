//! Threads that work through phases of a loop together, without sleeping in between.
//!
//! An iteration of conjugate gradients takes a fraction of a millisecond in three phases, less than
//! it takes to wake a thread. So threads join for a whole solve: one leads, and announces phase
//! after phase; those that are there take chunks of it until none is left: first those that they
//! had in the phase before, which are still in their caches, then what others have left. No
//! thread is waited for that has not taken a chunk, so a pool that is busy with other
//! work costs nothing.

use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// How often a waiting thread looks at its ticket before it lets others run.
const SPINS_BEFORE_YIELD: u32 = 2000;

/// The state of the work.
pub struct Workers<'a, Op> {
    op: &'a Op,
    chunks: usize,
    /// For every member the chunks it begins with.
    members: Vec<Tickets>,
    /// Chunks of this phase that are done.
    done: AtomicUsize,
    over: AtomicBool,
}

/// A member's own chunks, in a line of the cache of their own.
#[repr(align(128))]
struct Tickets {
    /// A count of phases (24 bits), the phase (8), and the next chunk to be taken (32).
    next: AtomicU64,
    chunks: Range<usize>,
}

impl Tickets {
    /// All chunks are taken until a phase is announced.
    fn new(chunks: Range<usize>) -> Self {
        Tickets { next: AtomicU64::new(chunks.end as u64), chunks }
    }
}

/// Lets threads of the pool help while `lead` runs phases over `chunks` chunks; `op` does a chunk
/// of a phase.
pub fn join<Op: Fn(u8, usize) + Sync, R: Send>(
    chunks: usize,
    op: &Op,
    lead: impl FnOnce(&Workers<Op>) -> R + Send,
) -> R {
    let count = if chunks > 1 { rayon::current_num_threads().min(chunks) } else { 1 };
    let workers = &Workers::new(op, chunks, count);
    if count == 1 {
        return lead(workers);
    }
    rayon::scope(|scope| {
        (1..count).for_each(|member| scope.spawn(move |_| workers.help(member)));
        let _leaving = Leaving(&workers.over);
        lead(workers)
    })
}

/// Ends the work of the helpers, whatever happens to the leader.
struct Leaving<'a>(&'a AtomicBool);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Counts a chunk when it goes.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

impl<'a, Op: Fn(u8, usize) + Sync> Workers<'a, Op> {
    /// So many members that share chunks evenly to begin with.
    fn new(op: &'a Op, chunks: usize, count: usize) -> Self {
        let first = |member: usize| member * chunks / count;
        let members = (0..count).map(|k| Tickets::new(first(k)..first(k + 1))).collect();
        Workers { op, chunks, members, done: AtomicUsize::new(0), over: AtomicBool::new(false) }
    }

    /// Does all chunks of a phase.
    pub fn run(&self, phase: u8) {
        if self.chunks == 1 {
            return (self.op)(phase, 0);
        }
        self.announce(phase);
        while self.take(0) {}
        let mut spins = 0;
        while self.done.load(Ordering::Acquire) < self.chunks {
            wait(&mut spins);
        }
    }

    /// Makes the chunks of a phase ready to be taken.
    fn announce(&self, phase: u8) {
        self.done.store(0, Ordering::Relaxed);
        for Tickets { next, chunks } in &self.members {
            let count = (next.load(Ordering::Relaxed) >> 40).wrapping_add(1) & 0xFF_FFFF;
            let ticket = count << 40 | u64::from(phase) << 32 | chunks.start as u64;
            next.store(ticket, Ordering::Release);
        }
    }

    fn help(&self, member: usize) {
        let mut spins = 0;
        while !self.over.load(Ordering::Acquire) {
            if self.take(member) {
                spins = 0;
            } else {
                wait(&mut spins);
            }
        }
    }

    /// Takes a chunk and does it, if there is one.
    fn take(&self, member: usize) -> bool {
        let (others, own) = self.members.split_at(member);
        own.iter().chain(others).any(|tickets| self.take_of(tickets))
    }

    fn take_of(&self, Tickets { next, chunks }: &Tickets) -> bool {
        let ticket = next.load(Ordering::Acquire);
        let chunk = (ticket & 0xFFFF_FFFF) as usize;
        if chunk >= chunks.end {
            return false;
        }
        let (mine, other) = (Ordering::AcqRel, Ordering::Relaxed);
        if next.compare_exchange(ticket, ticket + 1, mine, other).is_ok() {
            // Counted even if it panics: the leader must not wait for ever.
            let _done = Done(&self.done);
            (self.op)((ticket >> 32 & 0xFF) as u8, chunk);
        }
        true
    }
}

fn wait(spins: &mut u32) {
    *spins += 1;
    if *spins < SPINS_BEFORE_YIELD {
        spin_loop();
    } else {
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_chunk_of_every_phase_is_done_once_and_in_order_of_phases() {
        for chunks in [1, 2, 7, 64] {
            let seen = Mutex::new(Vec::new());
            let op = |phase: u8, chunk: usize| seen.lock().unwrap().push((phase, chunk));
            rayon::scope(|_| {
                join(chunks, &op, |workers| (0..50).for_each(|phase| workers.run(phase)));
            });
            let mut seen = seen.into_inner().unwrap();
            assert!(seen.is_sorted_by_key(|(phase, _)| *phase));
            seen.sort_unstable();
            let all = (0..50).flat_map(|phase| (0..chunks).map(move |chunk| (phase, chunk)));
            assert!(all.eq(seen));
        }
    }

    #[test]
    #[should_panic(expected = "in a chunk")]
    fn a_panic_in_a_chunk_is_one_of_the_whole() {
        let op = |phase: u8, chunk: usize| assert!(phase < 3 || chunk != 4, "in a chunk");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| join(7, &op, |workers| (0..9).for_each(|phase| workers.run(phase))));
    }

    #[test]
    fn crews_within_crews_of_a_busy_pool_come_to_an_end() {
        use rayon::prelude::*;
        let total: usize = (0..16usize)
            .into_par_iter()
            .map(|_| {
                let count = AtomicUsize::new(0);
                let op = |_: u8, _: usize| {
                    count.fetch_add(1, Ordering::Relaxed);
                };
                join(5, &op, |workers| (0..20).for_each(|phase| workers.run(phase)));
                count.into_inner()
            })
            .sum();
        assert_eq!(total, 16 * 5 * 20);
    }
}
