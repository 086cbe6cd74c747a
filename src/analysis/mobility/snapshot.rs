//! What is balanced: a configuration, and what a run of this program tells besides.
//!
//! A run writes `case.toml`, `frames.extxyz` and, where pairs remember something, `pair_memory.csv`
//! with one block of rows per frame. Together they say all that the forces of a frame depend on:
//! where particles are, how far springs and films are stretched, how stiff contacts were at that
//! time (an automatic stiffness changes) and at what rate the flow went.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::record::{CASE, Configuration, FRAMES, PAIR_MEMORY, Table, read_columns};
use crate::state::{PairIds, PairMemory};

/// A configuration that was read from a file.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The file, for messages.
    pub file: &'a Path,
    /// What was read.
    pub read: &'a Configuration,
    /// What its pairs remember; none where nobody tells.
    pub memory: Option<&'a PairMemory>,
    /// Rates of the flow along x and z in place of what the case imposes `[1/t]`.
    pub imposed: Option<[f64; 2]>,
}

impl<'a> Snapshot<'a> {
    /// A configuration of which nothing else is known.
    pub fn new(file: &'a Path, read: &'a Configuration) -> Self {
        Snapshot { file, read, memory: None, imposed: None }
    }
}

/// The directory of a run of this program whose frames are balanced.
#[derive(Debug)]
pub struct OwnRun {
    directory: PathBuf,
    /// What pairs remember, by the time of the frame; none if the run did not write it.
    memories: Option<HashMap<u64, PairMemory>>,
    /// Numbers that a pair remembers.
    stride: usize,
}

impl OwnRun {
    /// The run to which a file of configurations belongs, if it is the one of a run.
    ///
    /// # Errors
    ///
    /// When what pairs remember cannot be read.
    pub fn of(file: &Path) -> Result<Option<Self>, Error> {
        let directory = file.parent().unwrap_or(Path::new(""));
        let own = file.file_name().is_some_and(|name| name == FRAMES);
        if !own || !directory.join(CASE).is_file() {
            return Ok(None);
        }
        let table = directory.join(PAIR_MEMORY);
        let table = table.is_file().then(|| read_columns(&table)).transpose()?;
        let stride = table.as_ref().map_or(0, |table| table.names().len().saturating_sub(3));
        let memories = table.as_ref().map(|table| memories(table, stride));
        Ok(Some(OwnRun { directory: directory.to_owned(), memories, stride }))
    }

    /// The case of the run.
    pub fn case(&self) -> PathBuf {
        self.directory.join(CASE)
    }

    /// What the pairs of a frame remember; none if the run did not write it.
    pub fn memory(&self, read: &Configuration) -> Option<PairMemory> {
        let memories = self.memories.as_ref()?;
        let kept = read.moment.time.and_then(|time| memories.get(&time.to_bits())).cloned();
        let mut memory = kept.unwrap_or_default();
        memory.stride = self.stride;
        let particles = read.len() as u32;
        for ids in &mut memory.ids {
            let [i, j] = ids.slots().map(|id| id as u32);
            if j >= particles {
                *ids = PairIds::at_surface(i, j - particles);
            }
        }
        Some(memory)
    }
}

/// The memories of a table by the bits of their times; ids are as they are written.
fn memories(table: &Table, stride: usize) -> HashMap<u64, PairMemory> {
    let column = |name: &str| table.column(name).unwrap_or_default();
    let (times, first, second) = (column("time"), column("i"), column("j"));
    let names: Vec<String> = (1..=stride).map(|k| format!("m{k}")).collect();
    let numbers: Vec<&[f64]> = names.iter().map(|name| column(name)).collect();
    let mut memories: HashMap<u64, PairMemory> = HashMap::new();
    for (row, time) in times.iter().enumerate() {
        let memory = memories.entry(time.to_bits()).or_default();
        memory.ids.push(PairIds::particles(first[row] as u32, second[row] as u32));
        memory.values.extend(numbers.iter().map(|column| column[row]));
    }
    memories
}
