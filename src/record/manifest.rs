//! Who ran what, where and when.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::keys::{Described, described};
use super::{MANIFEST, atomic, clock, reading};
use crate::Error;

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It runs, or was killed.
    Running,
    /// It reached its end.
    Finished,
    /// A signal stopped it, after a checkpoint.
    Interrupted,
    /// It stopped on an error.
    Failed,
}

impl Described for Status {
    const UNIT: &'static str = "text";
}

/// What a run is started with.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// The command line, word by word.
    pub command: Vec<String>,
}

/// The command line of this program, word by word; what is no text in a path is replaced by signs.
pub fn command_line() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

described! {
    /// The contents of `manifest.json`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Manifest {
        /// The version of this program.
        pub version: String,
        /// The commit it was built from, `unknown` outside a repository.
        pub commit: String,
        /// The seed of the random numbers.
        pub seed: u64,
        /// How many threads it may use.
        pub threads: usize,
        /// The name of the machine.
        pub host: String,
        /// The command line, word by word.
        pub command: Vec<String>,
        /// When it was first started, in UTC.
        pub start: String,
        /// When it ended, in UTC; absent while it runs.
        pub end: Option<String>,
        /// How it stands: `running`, `finished`, `interrupted` or `failed`.
        pub status: Status,
        /// Why it stopped before its end.
        pub reason: Option<String>,
        /// How often it was started again.
        pub resumes: u32,
        /// Every time that it was started again.
        #[serde(default)]
        pub history: Vec<Resumption>,
    }

    /// How a run was started again.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Resumption {
        /// When, in UTC.
        pub start: String,
        /// The version of the program.
        pub version: String,
        /// The commit that it was built from.
        pub commit: String,
        /// How many threads it might use.
        pub threads: usize,
        /// The name of the machine.
        pub host: String,
        /// The command line, word by word.
        pub command: Vec<String>,
    }
}

impl Manifest {
    /// Notes in a run's directory that the run starts, or starts again. A damaged manifest is
    /// replaced.
    pub fn start(directory: &Path, launch: Launch) -> Result<Self, Error> {
        let again = Resumption {
            start: clock::now(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: commit().to_string(),
            threads: launch.threads,
            host: host(),
            command: launch.command,
        };
        let manifest = match Self::read(directory).unwrap_or_default() {
            Some(mut earlier) => {
                earlier.history.push(again);
                let resumes = earlier.resumes + 1;
                Self { resumes, end: None, status: Status::Running, reason: None, ..earlier }
            }
            None => Self {
                version: again.version,
                commit: again.commit,
                seed: launch.seed,
                threads: again.threads,
                host: again.host,
                command: again.command,
                start: again.start,
                end: None,
                status: Status::Running,
                reason: None,
                resumes: 0,
                history: Vec::new(),
            },
        };
        manifest.write(directory)?;
        Ok(manifest)
    }

    /// That the run goes on with another program than it had before, if so.
    pub fn change(&self) -> Option<String> {
        let (last, before) = self.history.split_last()?;
        let [version, commit] = match before.last() {
            Some(before) => [&before.version, &before.commit],
            None => [&self.version, &self.commit],
        };
        let same = *version == last.version && *commit == last.commit;
        (!same).then(|| {
            format!(
                "the run was begun with zerostokes {version} ({commit}) and goes on with {} ({}): its \
                 results are of both",
                last.version, last.commit
            )
        })
    }

    /// Notes that the run ends, and why if before its end.
    pub fn end(
        &mut self,
        directory: &Path,
        status: Status,
        reason: Option<String>,
    ) -> Result<(), Error> {
        self.end = Some(clock::now());
        self.status = status;
        self.reason = reason;
        self.write(directory)
    }

    /// The manifest of a run's directory, `None` if there is none.
    pub fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(MANIFEST);
        let text = match fs::read(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(reading(&path))?,
        };
        let damaged =
            |e: serde_json::Error| Error::Damaged { path, reason: format!("is no manifest ({e})") };
        serde_json::from_slice(&text).map(Some).map_err(damaged)
    }

    fn write(&self, directory: &Path) -> Result<(), Error> {
        atomic::write_json(&directory.join(MANIFEST), self)
    }
}

/// The commit this program was built from, `unknown` outside a repository.
pub fn commit() -> &'static str {
    option_env!("ZEROSTOKES_COMMIT").unwrap_or("unknown")
}

fn host() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let variable = || ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = kernel.or_else(variable).unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_string() } else { name.trim().to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn launch() -> Launch {
        Launch { seed: u64::MAX, threads: 2, command: vec!["zerostokes".into(), "run".into()] }
    }

    #[test]
    fn tells_the_story_of_a_run() {
        let scratch = Scratch::new();
        let started = Manifest::start(scratch.path(), launch()).unwrap();
        assert_eq!((started.status, started.resumes, &started.end), (Status::Running, 0, &None));
        let mut again = Manifest::start(scratch.path(), launch()).unwrap();
        assert_eq!((again.resumes, &again.start), (1, &started.start));
        assert_eq!((again.history.len(), again.change()), (1, None));
        again.history[0].version = "9.9.9".to_owned();
        assert!(again.change().unwrap().contains("goes on with 9.9.9"));
        again.end(scratch.path(), Status::Interrupted, Some("SIGTERM".to_string())).unwrap();
        assert_eq!(Manifest::read(scratch.path()).unwrap().unwrap(), again);
    }

    #[test]
    fn is_json_with_the_documented_keys() {
        let scratch = Scratch::new();
        Manifest::start(scratch.path(), launch()).unwrap();
        let text = fs::read(scratch.file(MANIFEST)).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        for key in
            ["version", "commit", "seed", "threads", "host", "command", "start", "end", "status"]
        {
            assert!(json.get(key).is_some(), "{key}");
        }
        assert_eq!(json["status"], "running");
        assert_eq!(json["seed"], u64::MAX);
    }

    #[test]
    fn a_damaged_one_is_told_and_replaced() {
        let scratch = Scratch::new();
        fs::write(scratch.file(MANIFEST), "{").unwrap();
        let message = Manifest::read(scratch.path()).unwrap_err().to_string();
        assert!(message.contains("manifest.json: is no manifest"), "{message}");
        assert_eq!(Manifest::start(scratch.path(), launch()).unwrap().resumes, 0);
    }
}
