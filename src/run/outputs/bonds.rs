//! `bonds.csv`: the pairs that touch in each frame, where contacts are gluey.

use super::super::output::{Opening, Output, View};
use super::{About, opened};
use crate::error::Error;
use crate::record::column::{Column, describe, values};
use crate::record::{AppendFile, BONDS, TableWriter};

/// A pair that touches at a time.
struct At {
    time: f64,
    ids: [u32; 2],
    gamma: f64,
    force: f64,
}

/// Columns of `bonds.csv`; a partner that is no particle is a surface of an obstacle.
const COLUMNS: &[Column<At>] = &[
    Column::new("time", "t", "time", |b| b.time),
    Column::new("i", "1", "particle i", |b| b.ids[0].into()),
    Column::new("j", "1", "its partner j", |b| b.ids[1].into()),
    Column::new("gamma", "Ft/a²", "potential γ, negative while glued", |b| b.gamma),
    Column::new("force", "F", "force that keeps them apart", |b| b.force),
];

/// The output in the register.
pub(super) const ABOUT: About = About {
    file: BONDS,
    when: "where contacts are gluey, one row per pair that touches and frame",
    columns: || describe(COLUMNS),
    open: |asked| match asked.case.laws.gluey.is_some() {
        true => opened(Bonds::open(asked.opening)),
        false => Ok(None),
    },
};

/// The bonds of each frame.
pub struct Bonds(TableWriter);

impl Bonds {
    /// At the beginning, or where they go on.
    pub fn open(opening: &Opening) -> Result<Self, Error> {
        Ok(Bonds(opening.table(BONDS, COLUMNS)?))
    }
}

impl Output for Bonds {
    fn name(&self) -> &'static str {
        "bonds"
    }

    fn files(&self) -> Vec<&AppendFile> {
        vec![self.0.file()]
    }

    fn at_frame(&mut self, view: &View) -> Result<(), Error> {
        let particles = view.suspension.len();
        let (time, memory) = (view.suspension.clock.time, &view.suspension.memory);
        let bonds = memory.ids.iter().zip(memory.values.chunks_exact(2));
        self.0.write_rows(bonds.map(|(ids, kept)| {
            values(
                COLUMNS,
                &At { time, ids: ids.numbers(particles), gamma: kept[0], force: kept[1] },
            )
        }))
    }
}
