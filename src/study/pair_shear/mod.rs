//! Two spheres that pass each other in a shear flow (\[CBC20\] section 3.2): smooth, rough or soft,
//! with lubrication and drag or with two-body hydrodynamics.
//!
//! In units of the smaller radius a, the viscosity η and the shear rate. The relative trajectory of
//! smooth rigid spheres is its own mirror image; roughness and softness shift it to another
//! streamline.

mod figures;
mod passage;
mod results;
mod sweep_figures;
mod table;

use std::path::Path;

use nalgebra::Vector3;

use super::few::{self, Spheres};
use super::quantity::Quantity;
use super::sweep::{FinishedSweep, SweepReport};
use super::{Finished, Kept, MakeStudy, Moved, Report, Study};
use crate::balance::field::{Ending, Field, Reach};
use crate::case::{Case, Hydrodynamics, StudyKind};
use crate::cell::Cell;
use crate::drive::Drive;
use crate::error::Error;
use crate::integrate::{End, Stepper};
use crate::laws::rough::{Beginning, Film, Rolling, Rough};
use crate::laws::{Interactions, Remote};
use crate::record::Table;
use crate::record::column::{Description, describe};
use crate::record::keys::Described;
use crate::state::Suspension;
pub use passage::{COLUMNS, PairShearProgress, PassageSample};
pub use table::{Components, PairShear};

/// The study of `[pair]`.
pub const KIND: StudyKind = StudyKind::of::<PairShear>(&(make as MakeStudy));

fn make(case: &Case) -> Box<dyn Study> {
    Box::new(PairShearStudy::new(case))
}

/// Stiffness of the asperities of rigid spheres times their size: they give by about a thousandth
/// of it `[μγ̇a²]`.
const RIGID_ASPERITIES: f64 = 1e5;

/// Stiffer asperities would be lost in the rounding of positions `[μγ̇a]`.
const STIFFEST: f64 = 1e9;

/// Largest strain of a step.
const MAX_STRAIN: f64 = 2.0;

impl PairShear {
    /// Stiffness of the asperities \\(k_n\\) `[μγ̇a]`.
    fn asperity_stiffness(&self) -> f64 {
        let size = 0.5 * self.roughness * (self.radii[0] + self.radii[1]);
        match self.stiffness {
            Some(bulk) => self.asperity_ratio * bulk,
            None if self.roughness > 0.0 => (RIGID_ASPERITIES / size).min(STIFFEST),
            None => 0.0,
        }
    }

    fn law(&self) -> Rough {
        let asperity_stiffness = self.asperity_stiffness();
        let sliding = self.components == Components::All;
        Rough {
            viscosity: 1.0,
            stiffness: self.stiffness.unwrap_or(f64::INFINITY),
            asperity_stiffness,
            tangential_stiffness: match self.stiffness {
                Some(bulk) => self.tangential_ratio * bulk,
                None if self.friction > 0.0 && self.roughness > 0.0 => {
                    self.tangential_ratio * asperity_stiffness
                }
                None => f64::INFINITY,
            },
            roughness: self.roughness,
            friction: self.friction,
            range: self.cutoff(),
            beginning: Beginning::Truncated,
            film: match self.hydrodynamics {
                Hydrodynamics::Lubrication => Film::Printed {
                    sliding,
                    rolling: if sliding { self.rolling } else { Rolling::None },
                },
                Hydrodynamics::TwoBody => Film::TwoBody,
            },
            remote: Remote::NONE,
        }
    }
}

/// Two spheres in a shear flow, and what has happened between them.
#[derive(Clone, Debug)]
pub struct PairShearStudy {
    /// The table of the case.
    pub table: PairShear,
    /// What has happened so far.
    pub progress: PairShearProgress,
}

impl PairShearStudy {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        PairShearStudy { table: case.study_table(), progress: PairShearProgress::default() }
    }
}

impl Study for PairShearStudy {
    /// The two spheres, apart along the flow, their common centre of drag at rest.
    fn initial(&self, _case: &Case) -> Result<Suspension, Error> {
        let pair = &self.table;
        let apart = Vector3::new(pair.start, pair.offset, pair.offset_z);
        let [a, b] = pair.radii;
        let positions = vec![-apart * (b / (a + b)), apart * (a / (a + b))];
        Ok(Suspension::new(pair.radii.to_vec(), positions, Cell::Open))
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        let pair = &self.table;
        let drive = Drive { rate: 1.0, ..Drive::default() };
        let spheres = Spheres {
            field: (pair.hydrodynamics == Hydrodynamics::TwoBody).then(|| Field {
                viscosity: 1.0,
                range: pair.cutoff(),
                inner_gap: 0.0,
                ending: Ending::Truncated,
                reach: Reach::TwoBody,
            }),
            drag: true,
            rotation: pair.rotation,
            max_strain: MAX_STRAIN,
            inertia: few::inertia(case),
            ..Spheres::new(Interactions::of(pair.law()), MAX_STRAIN)
        };
        spheres.stepper(case, state, drive)
    }

    /// When spheres that do not part are given up.
    fn end(&self, _case: &Case) -> End {
        End { strain: self.table.longest(), time: f64::INFINITY }
    }

    fn columns(&self) -> Option<Vec<Description>> {
        Some(describe(COLUMNS))
    }

    fn after_step(&mut self, moved: &Moved<'_>) -> (Option<Vec<f64>>, bool) {
        let row = passage::row(moved, &self.table, &mut self.progress);
        (Some(row), self.progress.is_over())
    }

    fn keys(&self) -> Vec<Description> {
        results::PairShearSummary::keys()
    }

    fn kept(&mut self) -> Option<&mut dyn Kept> {
        Some(&mut self.progress)
    }

    fn likely_end(&self, _at: f64) -> Option<f64> {
        Some(self.table.expected_strain())
    }

    fn heading(&self, _case: &Case) -> String {
        format!("offset {} a, ε = {}", self.table.offset, self.table.roughness)
    }

    fn meaning(&self, case: &Case) -> Result<Vec<String>, Error> {
        Ok(few::meaning(results::meaning(&self.table), few::inertia(case)))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = results::summarise(&self.table, &self.progress, run);
        Ok(Report::new(&results, results.lines(), &results.run.advice))
    }

    fn draw(&self, _case: &Case, directory: &Path) -> Result<(), Error> {
        figures::draw(&self.table, directory)
    }

    fn conclude_sweep(&self, sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        sweep_figures::draw(sweep, &self.table).map(SweepReport::of_figures)
    }

    fn quantities(&self, _case: &Case, _paths: bool) -> Vec<Quantity> {
        results::QUANTITIES.to_vec()
    }

    fn clock(&self, _rows: &Table) -> &'static str {
        "strain"
    }
}
