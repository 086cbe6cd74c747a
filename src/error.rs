//! Everything that can go wrong, with the numbers that say why.

use std::path::PathBuf;

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
}

impl Error {
    /// What the program exits with: 2 for bad usage or bad input, 1 for a run that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::BadLine { .. }
            | Self::AnotherCase { .. }
            | Self::RunFinished { .. }
            | Self::ForeignFiles { .. }
            | Self::DirectoryLocked { .. }
            | Self::NotARun { .. } => 2,
            Self::Io { .. }
            | Self::DiskFull { .. }
            | Self::Damaged { .. }
            | Self::Signals { .. } => 1,
        }
    }
}
