//! A suspension of spheres under shear or external forces (\[GB20\]): from the case to particles,
//! laws and stepper, and what is made of its time series.
//!
//! | file | what it does |
//! |---|---|
//! | `particles`, `prepared` | the particles that a case begins with, and checks of them |
//! | `doubts` | what is doubtful about a case before it runs |
//! | `scales`, `fluid`, `setup` | units, hydrodynamics, laws, flow, forces and steps |
//! | [`summary`] | steady means with errors, costs, advice |
//! | [`protocol`] | what phases and oscillations did |
//! | `figures`, [`structure`], [`pictures`] | figures of a run |
//! | `sweep` | pooled curves, where they jam, and their figures |
//! | `meaning`, `quantities` | what a case means; what is compared between runs |

mod doubts;
mod figures;
mod fluid;
mod meaning;
pub mod particles;
pub mod pictures;
mod prepared;
pub mod protocol;
mod quantities;
mod scales;
mod setup;
pub mod structure;
pub mod summary;
pub(super) mod sweep;

use std::path::Path;

use super::quantity::Quantity;
use super::sweep::{FinishedSweep, SweepReport};
use super::{Finished, MakeStudy, Report, Study};
use crate::case::{Boundary, Case, Check, Given, Imposed, LubricationModel, Soft, StudyKind};
use crate::error::Error;
use crate::integrate::Aim;
use crate::integrate::{End, Stepper};
use crate::laws::lf_dem;
use crate::laws::lubrication::Cutoff;
use crate::record::Table;
use crate::record::column::Description;
use crate::record::keys::Described;
use crate::state::Suspension;

pub use prepared::{initial, prepared, taken_up};
pub use scales::Scales;
pub use setup::{JAMMED_STIFFNESS, end, inertia, interactions, setup, stepper};

/// The study; its tables are those that every case may have.
pub const KIND: StudyKind = StudyKind {
    name: "suspension",
    table: "particles",
    says_all: false,
    about: "spheres under shear or external forces",
    decode: None,
    schema: None,
    check,
    fill_in,
    behaviour: &(make as MakeStudy),
};

fn make(_case: &Case) -> Box<dyn Study> {
    Box::new(SuspensionStudy)
}

/// What keeps a case from being run.
fn check(check: &mut Check<'_>) {
    check.matter();
    check.motion();
    check.obstacles();
    check.gluey();
    check.planar();
    check.accuracy();
    check.inertia();
}

/// Fills in the defaults that depend on what else is given.
fn fill_in(case: &mut Case, given: Given<'_>) {
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    case.time.aim.get_or_insert(match case.domain.boundary {
        Boundary::Periodic if sheared => Aim::Statistics,
        _ => Aim::Trajectory,
    });
    let particles = &mut case.particles;
    if particles.count == Some(1) && !given("particles.radii") {
        // One sphere is of one size.
        particles.radii.truncate(1);
    }
    if particles.count.is_some() && particles.volume_shares.is_empty() {
        let classes = particles.radii.len();
        particles.volume_shares = vec![1.0 / classes as f64; classes];
    }
    case.drive.fill_in(case.accuracy.is_some());
    if let Some(soft) = &mut case.laws.soft
        && case.domain.boundary == Boundary::Periodic
    {
        soft.range.get_or_insert(Soft::DEFAULT_RANGE);
    }
    fill_in_lubrication(case, given);
    if case.drive.oscillation.is_some() && !given("output.frames") {
        // Once in a cycle.
        case.output.frames = 1.0;
    }
}

/// What a model of films brings with it.
fn fill_in_lubrication(case: &mut Case, given: Given<'_>) {
    let known = case.particles.file.is_none()
        && case.particles.spread == 0.0
        && case.particles.radius_range.is_none();
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    let excluded = case.without_two_body().is_some() || case.beyond_tables();
    let film = &mut case.laws.lubrication;
    if film.hydrodynamics.is_none() && known && !films && film.enabled && !excluded {
        film.hydrodynamics = Some(LubricationModel::TwoBody);
    }
    if film.hydrodynamics.is_some_and(LubricationModel::is_truncated) {
        film.cutoff = Cutoff::Truncated;
    }
    let lf_dem = film.hydrodynamics == Some(LubricationModel::LfDem);
    if lf_dem && !given("contact.tangential_ratio") {
        case.laws.contact.tangential_ratio = lf_dem::TANGENTIAL_RATIO;
    }
    if film.hydrodynamics == Some(LubricationModel::GeBrandt) && !given("lubrication.outer_gap") {
        film.outer_gap = LubricationModel::GE_BRANDT_GAP;
    }
}

/// Spheres under shear or external forces; all that is watched is in the time series.
#[derive(Clone, Copy, Debug)]
pub struct SuspensionStudy;

impl Study for SuspensionStudy {
    fn initial(&self, case: &Case) -> Result<Suspension, Error> {
        initial(case)
    }

    fn stepper(&self, case: &Case, state: &Suspension) -> Stepper {
        stepper(case, state)
    }

    fn end(&self, case: &Case) -> End {
        end(case)
    }

    fn heading(&self, case: &Case) -> String {
        match (&case.laws.soft, &case.laws.rough) {
            (Some(soft), _) => format!("soft, E = {:e}", soft.modulus),
            (None, Some(rough)) => {
                format!("rough, ε = {}, friction {}", rough.roughness, rough.friction)
            }
            (None, None) if case.laws.gluey.is_some() => "gluey".to_owned(),
            (None, None) => format!("friction {}", case.laws.contact.friction),
        }
    }

    fn meaning(&self, case: &Case) -> Result<Vec<String>, Error> {
        meaning::lines(case)
    }

    fn doubts(&self, case: &Case, state: &Suspension) -> Vec<String> {
        doubts::doubts(case, state)
    }

    fn expected_cost(&self, case: &Case) -> Option<[f64; 2]> {
        let count = case.particles.known_count()?;
        meaning::expected(case, count, &Scales::new(case, 1.0))
    }

    fn report(&self, run: &Finished<'_>) -> Result<Report, Error> {
        let results = summary::summarise(run)?;
        Ok(Report::new(&results, results.lines(), &results.advice))
    }

    fn keys(&self) -> Vec<Description> {
        summary::SuspensionSummary::keys()
    }

    fn draw(&self, case: &Case, directory: &Path) -> Result<(), Error> {
        figures::draw(case, directory)
    }

    fn conclude_sweep(&self, sweep: &FinishedSweep<'_>) -> Result<SweepReport, Error> {
        sweep::conclude(sweep)
    }

    fn quantities(&self, case: &Case, paths: bool) -> Vec<Quantity> {
        quantities::quantities(case, paths)
    }

    fn clock(&self, rows: &Table) -> &'static str {
        let strain = rows.column("accumulated_strain").and_then(|column| column.last());
        if strain.is_some_and(|strain| *strain > 0.0) { "accumulated_strain" } else { "time" }
    }

    fn rows_are_means(&self) -> bool {
        true
    }
}
