//! Everything that can go wrong, with the numbers that say why.

mod fault;

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::plot::with_error;

pub use fault::{CaseFault, Place};

/// The one error type of the crate. Every message ends with what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory concerned.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The disk or the quota is full.
    #[error("{}: {source}; {remedy}", path.display())]
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
        /// What is safe and what to do.
        remedy: String,
    },

    /// A file of a run's directory cannot be what this program wrote.
    #[error(
        "{}: {reason}; restore the file, or start the run over with `zerostokes run CASE --force`",
        path.display()
    )]
    Damaged {
        /// The file concerned.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A line of a data file cannot be understood.
    #[error("{}:{line}: {reason}", path.display())]
    BadLine {
        /// The file concerned.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong and what was expected.
        reason: String,
    },

    /// The output directory belongs to another case.
    #[error(
        "{}: holds another case; first difference: {difference}; \
         choose another --out or use --force to replace it",
        directory.display()
    )]
    AnotherCase {
        /// The run's directory.
        directory: PathBuf,
        /// The first key that differs, with both values.
        difference: String,
    },

    /// The output directory holds a finished run of this case.
    #[error(
        "{}: holds a finished run of this case; \
         use `zerostokes run CASE --force` to run it again, or choose another --out",
        directory.display()
    )]
    RunFinished {
        /// The run's directory.
        directory: PathBuf,
    },

    /// The output directory holds files that no run of this program put there.
    #[error(
        "{}: is no run's directory: it holds {example} but no case.toml; {remedy}",
        directory.display()
    )]
    ForeignFiles {
        /// The directory asked for.
        directory: PathBuf,
        /// One of the files found.
        example: String,
        /// What to do.
        remedy: String,
    },

    /// Another process works in the run's directory.
    #[error(
        "{}: {holder} is running in this directory; wait for it to end, or choose another --out",
        directory.display()
    )]
    DirectoryLocked {
        /// The run's directory.
        directory: PathBuf,
        /// Who holds it, e.g. `process 4711`.
        holder: String,
    },

    /// A directory given as a run's directory is none.
    #[error(
        "{}: is no run's directory: there is no case.toml in it; \
         give the directory that `zerostokes run CASE --out DIR` wrote",
        directory.display()
    )]
    NotARun {
        /// The directory given.
        directory: PathBuf,
    },

    /// The signal handlers could not be installed.
    #[error("cannot listen for Ctrl-C and SIGTERM: {source}")]
    Signals {
        /// What the operating system said.
        source: std::io::Error,
    },

    /// The spheres cannot be packed.
    #[error(transparent)]
    Pack(Box<dyn std::error::Error + Send + Sync>),

    /// Arguments that do not fit together.
    #[error("{reason}")]
    Usage {
        /// What is wrong and what to do.
        reason: String,
    },

    /// The threads could not be started.
    #[error("cannot start threads: {reason}; try fewer, with --threads or --jobs")]
    Threads {
        /// What went wrong.
        reason: String,
    },

    /// A figure could not be drawn.
    #[error(transparent)]
    Plot(#[from] crate::plot::PlotError),

    /// Soft or rough spheres overlap before anything has deflected them.
    #[error(
        "particles {} and {} overlap by {overlap:.3e}: soft and rough spheres begin undeflected and need a gap; \
         move them apart, or draw them with particles.count and particles.volume_fraction",
        ids[0], ids[1]
    )]
    Overlap {
        /// The two particles.
        ids: [u32; 2],
        /// By how much `[a]`.
        overlap: f64,
    },

    /// A particle begins inside an obstacle.
    #[error(
        "particle {particle} and obstacle \"{obstacle}\" overlap by {overlap:.3e} at the start; move one of \
         them, or let particles be drawn with particles.region"
    )]
    ObstacleOverlap {
        /// The particle.
        particle: usize,
        /// The name of the obstacle.
        obstacle: String,
        /// By how much `[a]`.
        overlap: f64,
    },

    /// Contacts that are constraints contradict each other.
    #[error(
        "no motion keeps all particles apart after step {step}, time {time:.6}: {pair} would overlap by \
         {overlap:.3e}; an obstacle that moves leaves them no room, so stop or turn it before"
    )]
    Infeasible {
        /// Steps accepted before.
        step: u64,
        /// Time `[t]`.
        time: f64,
        /// Who would overlap.
        pair: String,
        /// By how much `[a]`.
        overlap: f64,
    },

    /// A sphere would interact with two images of another.
    #[error(
        "the box is too small: its shortest edge is {}, but interactions need {}; use at least \
         {count} particles, or a smaller range of the films (`lubrication.outer_gap`, \
         `rough.cutoff`, `soft.range`)",
        with_error(*shortest, None),
        with_error(*needed, None)
    )]
    BoxTooSmall {
        /// The shortest edge `[a]`.
        shortest: f64,
        /// The edge needed `[a]`.
        needed: f64,
        /// The number of particles that would give it.
        count: usize,
    },

    /// The case did not reach its end within its limit of steps.
    #[error(
        "time.max_steps: used up after {steps} steps at strain {strain:.6}, time {time:.6}; \
         the case is not finished: raise the limit or leave it out"
    )]
    OutOfSteps {
        /// Accepted steps.
        steps: u64,
        /// Total strain.
        strain: f64,
        /// Time `[t]`.
        time: f64,
    },

    /// The adaptive step became too small.
    #[error(
        "step {step} at strain {strain:.6}, time {time:.6}: the step fell to {size:.1e} because \
         {reason}{}. {remedy}",
        closest_pair(pair)
    )]
    StepTooSmall {
        /// Accepted steps so far.
        step: u64,
        /// Total strain.
        strain: f64,
        /// Time `[t]`.
        time: f64,
        /// The step that was tried last `[t]`.
        size: f64,
        /// The closest pair and its gap, if there is one `[a]`.
        pair: Option<(String, f64)>,
        /// Why the step was shortened.
        reason: String,
        /// What may help.
        remedy: &'static str,
    },

    /// Explicit steps of particles with inertia are too long, or would have to be too short.
    #[error(
        "step {step} at time {time:.6}: an explicit step of {size:.1e} where up to {stable:.1e} is \
         stable{}. Leave inertia.step out, or take inertia.scheme = \"implicit\"",
        closest_pair(pair)
    )]
    Unstable {
        /// Accepted steps so far.
        step: u64,
        /// Time `[t]`.
        time: f64,
        /// The step `[t]`.
        size: f64,
        /// The longest that is stable `[t]`.
        stable: f64,
        /// The closest pair and its gap, if there is one `[a]`.
        pair: Option<(String, f64)>,
    },

    /// The output directory belongs to another sweep.
    #[error(
        "{}: holds another sweep; first difference: {difference}; \
         choose another --out or use --force to replace it",
        directory.display()
    )]
    AnotherSweep {
        /// The sweep's directory.
        directory: PathBuf,
        /// The first key that differs, with both values.
        difference: String,
    },

    /// Points of a sweep that cannot be run.
    #[error("{}: {which}: {source}", file.display())]
    BadPoints {
        /// The sweep file.
        file: PathBuf,
        /// Which points, with what they set.
        which: String,
        /// What is wrong with the first of them.
        source: Box<Error>,
    },

    /// Points of a sweep that failed; the others are done.
    #[error(
        "{failed} of {points} points failed; {} says which, \
         and the same command tries them again", table.display()
    )]
    PointsFailed {
        /// How many failed.
        failed: usize,
        /// Out of how many.
        points: usize,
        /// The table of the sweep.
        table: PathBuf,
    },

    /// A case file, or what `--set` made of it, cannot be run. One line per fault.
    #[error("{}", one_per_line(faults))]
    BadCase {
        /// What is wrong, in the order in which it was found; never empty.
        faults: Vec<CaseFault>,
    },
}

impl Error {
    /// The exit code of a program that stops here: 2 for bad input, 1 for a run that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::BadCase { .. }
            | Error::BadLine { .. }
            | Error::AnotherCase { .. }
            | Error::AnotherSweep { .. }
            | Error::BadPoints { .. }
            | Error::RunFinished { .. }
            | Error::ForeignFiles { .. }
            | Error::DirectoryLocked { .. }
            | Error::NotARun { .. }
            | Error::Pack(_)
            | Error::Usage { .. }
            | Error::Overlap { .. }
            | Error::ObstacleOverlap { .. }
            | Error::BoxTooSmall { .. } => 2,
            Error::Io { source, .. } => match source.kind() {
                ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::PermissionDenied
                | ErrorKind::ReadOnlyFilesystem => 2,
                _ => 1,
            },
            Error::DiskFull { .. }
            | Error::Damaged { .. }
            | Error::Signals { .. }
            | Error::Plot(_)
            | Error::PointsFailed { .. }
            | Error::OutOfSteps { .. }
            | Error::Threads { .. }
            | Error::Infeasible { .. }
            | Error::StepTooSmall { .. }
            | Error::Unstable { .. } => 1,
        }
    }
}

fn closest_pair(pair: &Option<(String, f64)>) -> String {
    match pair {
        Some((pair, gap)) => format!("; closest are {pair} with gap {gap:.3e}"),
        None => "; no pair is close enough to interact".to_owned(),
    }
}

fn one_per_line(faults: &[CaseFault]) -> String {
    faults.iter().map(CaseFault::to_string).collect::<Vec<_>>().join("\n")
}
