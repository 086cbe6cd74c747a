//! All frames of a file, one balance each, and their means.

use std::path::Path;

use serde::Serialize;

use super::snapshot::{OwnRun, Snapshot};
use super::{Mobility, Results, solve, tables};
use crate::case::Case;
use crate::error::Error;
use crate::record::column::{Column, values};
use crate::record::keys::described;
use crate::record::{
    AppendFile, BALANCES, Configuration, DIFFERENCES, FrameReader, FrameWriter, Mark, TableWriter,
    WhichFrame, read_numbered,
};

/// Which frames are balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// All of them.
    All,
    /// One.
    One(WhichFrame),
}

/// What is to be balanced.
#[derive(Debug)]
pub struct Survey<'a> {
    /// The laws, and what is imposed.
    pub case: &'a Case,
    /// The file.
    pub file: &'a Path,
    /// The run that it belongs to, if it does.
    pub run: Option<&'a OwnRun>,
    /// Whether the case is that of the run: then the flow is the one that each frame tells.
    pub own_case: bool,
    /// The frames.
    pub frames: Chosen,
}

described! {
    /// Means over frames; differences are those without their mean.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Means {
        /// Frames that were balanced.
        pub frames: usize,
        /// Frames whose velocities could be compared.
        pub compared: usize,
        /// Viscosity η `[μ]`.
        pub relative_viscosity: Option<f64>,
        /// Particle pressure Π `[μγ̇]`.
        pub particle_pressure: Option<f64>,
        /// First normal stress difference `[μγ̇]`.
        pub n1: Option<f64>,
        /// Second normal stress difference `[μγ̇]`.
        pub n2: Option<f64>,
        /// Root mean square of the differences of velocities `[1]`.
        pub velocity_rms: Option<f64>,
        /// Their median `[1]`.
        pub velocity_median: Option<f64>,
        /// The difference that 90 % of the particles stay below `[1]`.
        pub velocity_q90: Option<f64>,
        /// Root mean square of the differences of spins `[1]`.
        pub spin_rms: Option<f64>,
        /// Root mean square of the differences between the velocities of the default law and of
        /// the law of the case `[1]`.
        pub law_rms: Option<f64>,
        /// What rounding in the file makes of differences of velocities, at most about `[1]`.
        pub noise: Option<f64>,
    }
}

/// A frame that was balanced.
pub(super) struct Balanced {
    number: usize,
    moment: [f64; 2],
    results: Results,
}

impl Balanced {
    fn velocity(&self, of: fn(&super::Difference) -> f64) -> Option<f64> {
        self.results.compared.comparison.as_ref()?.velocity.as_ref().map(of)
    }

    fn spin(&self) -> Option<f64> {
        Some(self.results.compared.comparison.as_ref()?.spin?.rms_without_mean)
    }

    fn law(&self) -> Option<f64> {
        Some(self.results.compared.comparison.as_ref()?.law_velocity?.rms_without_mean)
    }

    fn noise(&self) -> Option<f64> {
        self.results.compared.comparison.as_ref()?.noise
    }
}

/// A number, or none, as tables have it.
fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

/// Columns of `frames.csv`.
pub(super) const COLUMNS: &[Column<Balanced>] = &[
    Column::new("frame", "1", "number of the frame, from 1", |b| b.number as f64),
    Column::new("time", "t", "its time; in LAMMPS the number of the step", |b| b.moment[0]),
    Column::new("strain", "1", "its total strain, where the file tells it", |b| b.moment[1]),
    Column::new("relative_viscosity", "μ", "viscosity η", |b| {
        or_nan(b.results.rheology.relative_viscosity)
    }),
    Column::new("particle_pressure", "μγ̇", "particle pressure Π", |b| {
        or_nan(b.results.rheology.particle_pressure)
    }),
    Column::new("n1", "μγ̇", "first normal stress difference", |b| {
        or_nan(b.results.rheology.n1)
    }),
    Column::new("n2", "μγ̇", "second normal stress difference", |b| {
        or_nan(b.results.rheology.n2)
    }),
    Column::new("smallest_gap", "a", "smallest gap", |b| b.results.smallest_gap),
    Column::new("velocity_rms", "1", "rms of the differences of velocities without mean", |b| {
        or_nan(b.velocity(|d| d.rms_without_mean))
    }),
    Column::new("velocity_median", "1", "their median", |b| or_nan(b.velocity(|d| d.median))),
    Column::new("velocity_q90", "1", "what 90 % of the particles stay below", |b| {
        or_nan(b.velocity(|d| d.q90))
    }),
    Column::new("velocity_largest", "1", "the largest", |b| {
        or_nan(b.velocity(|d| d.largest_without_mean))
    }),
    Column::new("spin_rms", "1", "rms of the differences of spins without mean", |b| {
        or_nan(b.spin())
    }),
    Column::new("law_rms", "1", "rms between the default law and the law of the case", |b| {
        or_nan(b.law())
    }),
    Column::new("noise", "1", "what rounding in the file makes of velocity_rms, at most", |b| {
        or_nan(b.noise())
    }),
];

/// The files that grow with every frame.
struct Files {
    table: TableWriter,
    differences: FrameWriter,
}

impl Survey<'_> {
    /// Balances one frame.
    fn balance(&self, number: usize, read: &Configuration) -> Result<(Mobility, Balanced), Error> {
        let memory = self.run.and_then(|run| run.memory(read));
        let imposed = read.moment.rate.filter(|_| self.own_case);
        let memory = memory.as_ref();
        let snapshot = Snapshot { file: self.file, read, memory, imposed };
        let found = solve(self.case, &snapshot)?;
        let results = Results::new(self.case, read, &found);
        let time = read.moment.time.or(read.moment.step.map(|step| step as f64));
        let moment = [or_nan(time), or_nan(read.moment.strain)];
        Ok((found, Balanced { number, moment, results }))
    }

    /// The frames, with their numbers; the rest of the file is not read.
    fn frames(
        &self,
        mut visit: impl FnMut(usize, Configuration) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Chosen::One(which) = self.frames {
            let (number, read) = read_numbered(self.file, which)?;
            return visit(number, read);
        }
        let mut reader = FrameReader::open(self.file)?;
        let mut number = 0;
        while let Some(read) = reader.read()? {
            number += 1;
            visit(number, read)?;
        }
        Ok(())
    }
}

/// Balances the frames of a file and writes tables, summary and differences into a directory.
/// Tables of particles and pairs, and the summary, are those of the last frame; the summary has
/// the means over all frames besides. Returns the last balance with what was read.
///
/// # Errors
///
/// When a frame cannot be read or balanced, or a file cannot be written.
pub fn survey(asked: &Survey, out: &Path) -> Result<(Mobility, Results), Error> {
    std::fs::create_dir_all(out).map_err(|source| Error::Io { path: out.to_owned(), source })?;
    let mut files = Files {
        table: TableWriter::open(out.join(BALANCES), COLUMNS, Mark::default())?,
        differences: FrameWriter::new(AppendFile::open(out.join(DIFFERENCES), Mark::default())?),
    };
    let (mut last, mut rows) = (None, Vec::new());
    asked.frames(|number, read| {
        let (found, balanced) = asked.balance(number, &read)?;
        files.table.write_row(&values(COLUMNS, &balanced))?;
        tables::write_differences(&found, &read, &mut files.differences)?;
        rows.push(balanced);
        last = Some((found, read));
        Ok(())
    })?;
    let (Some((found, read)), Some(balanced)) = (last, rows.last()) else {
        let reason = "the file holds no frame".to_owned();
        return Err(Error::BadLine { path: asked.file.to_owned(), line: 1, reason });
    };
    let mut results = balanced.results.clone();
    results.means = (rows.len() > 1).then(|| means(&rows));
    found.write(&read, &results, out)?;
    Ok((found, results))
}

fn means(rows: &[Balanced]) -> Means {
    let mean = |of: &dyn Fn(&Balanced) -> Option<f64>| {
        let known: Vec<f64> = rows.iter().filter_map(of).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    Means {
        frames: rows.len(),
        compared: rows.iter().filter(|b| b.results.compared.comparison.is_some()).count(),
        relative_viscosity: mean(&|b| b.results.rheology.relative_viscosity),
        particle_pressure: mean(&|b| b.results.rheology.particle_pressure),
        n1: mean(&|b| b.results.rheology.n1),
        n2: mean(&|b| b.results.rheology.n2),
        velocity_rms: mean(&|b| b.velocity(|d| d.rms_without_mean)),
        velocity_median: mean(&|b| b.velocity(|d| d.median)),
        velocity_q90: mean(&|b| b.velocity(|d| d.q90)),
        spin_rms: mean(&Balanced::spin),
        law_rms: mean(&Balanced::law),
        noise: mean(&Balanced::noise),
    }
}
