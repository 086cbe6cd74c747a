//! `pair_memory.csv`: what pairs remember at each frame, so that a frame can be balanced again.

use super::super::output::{Opening, Output, View};
use super::{About, opened};
use crate::error::Error;
use crate::record::column::Description;
use crate::record::{AppendFile, PAIR_MEMORY, TableWriter};

/// The columns before what is remembered: name, unit, meaning.
const COLUMNS: [(&str, &str, &str); 3] = [
    ("time", "t", "time of the frame"),
    ("i", "1", "particle i, counted from 0"),
    ("j", "1", "its partner j; one that is no particle is a surface of an obstacle"),
];

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: PAIR_MEMORY,
    when: "where contacts have friction, or particles are soft or rough: one row per pair that \
           remembers something and frame, for `zerostokes mobility`",
    columns: || {
        let known = COLUMNS.map(|(name, unit, meaning)| (name.to_owned(), unit, meaning));
        let own = (
            "m1, m2, …".to_owned(),
            "a",
            "what the laws keep of the pair: the stretch of its tangential spring, or its film",
        );
        let all = known.into_iter().chain([own]);
        all.map(|(name, unit, meaning)| Description { name, unit, meaning: meaning.to_owned() })
            .collect()
    },
    open: |asked| match asked.memory > 0 && asked.case.output.frames > 0.0 {
        true => opened(Memory::open(asked.memory, asked.opening)),
        false => Ok(None),
    },
};

/// The memory of all pairs at each frame.
struct Memory(TableWriter);

impl Memory {
    /// At the beginning, or where it goes on, with so many numbers of every pair.
    fn open(numbers: usize, opening: &Opening) -> Result<Self, Error> {
        let known = COLUMNS.iter().map(|(name, ..)| (*name).to_owned());
        let own = (1..=numbers).map(|k| format!("m{k}"));
        let columns: Vec<String> = known.chain(own).collect();
        Ok(Memory(opening.table(PAIR_MEMORY, &columns)?))
    }
}

impl Output for Memory {
    fn name(&self) -> &'static str {
        "pair memory"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_frame(&mut self, view: &View) -> Result<(), Error> {
        let state = view.suspension;
        let (time, memory, particles) = (state.clock.time, &state.memory, state.len());
        let pairs = memory.ids.iter().zip(memory.values.chunks_exact(memory.stride.max(1)));
        self.0.write_rows(pairs.map(|(ids, own)| {
            let [i, j] = ids.numbers(particles).map(f64::from);
            [&[time, i, j], own].concat()
        }))
    }
}
