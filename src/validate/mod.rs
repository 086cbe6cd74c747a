//! The benchmarks of the papers, run by the program itself: `zerostokes validate`.
//!
//! A [`Job`] runs shipped cases with some keys set, as `zerostokes run` does, in a directory that
//! is removed afterwards, or evaluates a law. It fills in one or more [`Row`]s of the table, each
//! with one or more [`Measure`]s: what is found here beside what an independent program, a closed
//! form or another paper gives. Where a paper prints a number that does not follow from its own
//! equations (an erratum), the row shows that number and says so; the verdict is by the reference.

mod bench;
mod collision;
mod dense;
mod frame;
mod gluey;
pub mod page;
mod reference;
mod rough;
mod soft;
mod suspension;
pub mod table;
mod thickening;
mod two_body;
mod verdict;
mod work;

pub use bench::{Bench, Halt};
pub use verdict::{Finding, Measure, Reference, Tolerance, all_pass};
pub use work::{TableTally, Watch, carry_out};

/// The model that a row is about, a group of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// \[GB20\]: lubrication, contacts and friction between hard spheres.
    Suspension,
    /// \[CBC20\]: films with elastic bulk and asperities.
    Rough,
    /// \[RG09\]: films between soft surfaces.
    Soft,
    /// Exact two-sphere hydrodynamics.
    TwoBody,
    /// \[NOP23\]: collisions with inertia through a film.
    Collision,
    /// \[L09\]: contacts that are constraints and remember.
    Gluey,
}

impl Model {
    /// All of them, in the order of the table.
    pub const ALL: [Model; 6] = [
        Model::Suspension,
        Model::Rough,
        Model::Soft,
        Model::TwoBody,
        Model::Collision,
        Model::Gluey,
    ];

    /// What the table calls it.
    pub fn title(self) -> &'static str {
        match self {
            Model::Suspension => "Dense suspensions (Ge & Brandt 2020)",
            Model::Rough => "Lubricated rough contacts (Chèvremont, Bodiguel & Chareyre 2020)",
            Model::Soft => "Soft Dynamics (Rognon & Gay 2009)",
            Model::TwoBody => "Two-body hydrodynamics (Jeffrey & Onishi 1984, Jeffrey 1992)",
            Model::Collision => "Lubricated collisions (Nijssen, Ottens & Padding 2023)",
            Model::Gluey => "Gluey particles (Lefebvre 2009)",
        }
    }

    /// A word for files.
    pub fn key(self) -> &'static str {
        match self {
            Model::Suspension => "suspension",
            Model::Rough => "rough",
            Model::Soft => "soft",
            Model::TwoBody => "two-body",
            Model::Collision => "collision",
            Model::Gluey => "gluey",
        }
    }
}

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A part of every group, in seconds.
    Quick,
    /// Everything, in minutes.
    Full,
}

/// One row of the table, before it is filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The group it is in.
    pub model: Model,
    /// What is measured.
    pub what: String,
    /// What the paper says, unless the measure knows better; empty if it says nothing.
    pub paper: String,
    /// How far off it may be.
    pub tolerance: Tolerance,
    /// Where the reference comes from.
    pub source: &'static str,
    /// What a reader has to know; empty for most.
    pub note: String,
}

impl Row {
    /// A row without a paper's value, a source and a note.
    pub fn new(model: Model, what: impl Into<String>, tolerance: Tolerance) -> Self {
        let (what, paper, note) = (what.into(), String::new(), String::new());
        Row { model, what, paper, tolerance, source: "", note }
    }

    /// With the source of its reference.
    pub fn source(self, source: &'static str) -> Self {
        Row { source, ..self }
    }

    /// With what the paper says.
    pub fn paper(self, paper: impl Into<String>) -> Self {
        Row { paper: paper.into(), ..self }
    }

    /// With a note.
    pub fn note(self, note: impl Into<String>) -> Self {
        Row { note: note.into(), ..self }
    }
}

/// What a job found: for each of its rows the measures.
pub type Findings = Result<Vec<Vec<Measure>>, Halt>;

/// Something to run that fills in rows.
pub struct Job {
    /// The rows that it fills in.
    pub rows: Vec<Row>,
    /// How many cases it runs.
    pub runs: usize,
    /// What it costs, roughly `[s]`.
    pub cost: f64,
    /// Does it.
    work: Box<dyn Fn(&Bench) -> Findings + Send + Sync>,
}

impl Job {
    /// A job that runs some cases at a cost.
    fn new(
        rows: Vec<Row>,
        runs: usize,
        cost: f64,
        work: impl Fn(&Bench) -> Findings + Send + Sync + 'static,
    ) -> Self {
        Job { rows, runs, cost, work: Box::new(work) }
    }

    /// With a source for all rows that have none of their own.
    fn source(mut self, source: &'static str) -> Self {
        for row in self.rows.iter_mut().filter(|row| row.source.is_empty()) {
            row.source = source;
        }
        self
    }

    /// With a note to its first row.
    fn noted(mut self, note: &str) -> Self {
        if let Some(row) = self.rows.first_mut() {
            row.note = note.to_owned();
        }
        self
    }
}

/// All jobs, in the order of the table.
pub fn jobs(extent: Extent) -> Vec<Job> {
    let mut jobs = suspension::jobs(extent);
    jobs.extend(rough::jobs(extent));
    jobs.extend(soft::jobs(extent));
    jobs.extend(two_body::jobs(extent));
    jobs.extend(collision::jobs());
    jobs.extend(gluey::jobs());
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_where_its_reference_comes_from() {
        for row in [Extent::Quick, Extent::Full].into_iter().flat_map(jobs).flat_map(|j| j.rows) {
            assert!(!row.source.is_empty(), "{}", row.what);
        }
    }

    #[test]
    fn every_model_has_rows_and_quick_is_cheaper() {
        for extent in [Extent::Quick, Extent::Full] {
            let models: Vec<Model> =
                jobs(extent).iter().flat_map(|job| &job.rows).map(|row| row.model).collect();
            let mut met = models.clone();
            met.dedup();
            assert_eq!(met, Model::ALL, "in the order of the table, each in one piece");
        }
        let cost = |extent| jobs(extent).iter().map(|job| job.cost).sum::<f64>();
        assert!(cost(Extent::Quick) < 0.2 * cost(Extent::Full));
    }
}
