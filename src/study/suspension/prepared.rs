//! Particles that a case can be run with.

use std::f64::consts::PI;

use super::fluid::{is_two_body, model};
use super::{Scales, particles, stepper};
use crate::case::{Case, Imposed, LubricationModel, Stiffness};
use crate::error::Error;
use crate::hydro::Table;
use crate::laws::lf_dem;
use crate::pairs::NeighbourList;
use crate::state::Suspension;

/// Overlaps that are rounding rather than deflection `[a]`.
const SMALL_OVERLAP: f64 = 1e-6;

/// The particles that a case begins with.
///
/// # Errors
///
/// When the spheres cannot be packed, the file cannot be read, or the box is too small for the
/// laws' range.
pub fn initial(case: &Case) -> Result<Suspension, Error> {
    if case.laws.lubrication.hydrodynamics == Some(LubricationModel::LammpsLubricatePoly) {
        let reason = "lubrication.hydrodynamics = \"lammps-lubricate-poly\" is not reciprocal, so its \
                      balance is not symmetric and takes a dense matrix in every iteration: balance \
                      single configurations with `zerostokes mobility`, or take another model for runs";
        return Err(Error::Usage { reason: reason.to_owned() });
    }
    prepared(case, particles::of(case)?)
}

/// Particles with the stiffness that the case gives them, if it can be run with them.
///
/// # Errors
///
/// When a force acts on none of them, they begin inside obstacles, films begin with an overlap, or
/// the box is too small for the laws' range.
pub fn prepared(case: &Case, state: Suspension) -> Result<Suspension, Error> {
    let state = taken_up(case, state)?;
    check_obstacles(case, &state)?;
    check_films(case, &state)?;
    Ok(state)
}

/// The same for particles that are under way, whose contacts and films may be deflected.
///
/// # Errors
///
/// When a force acts on none of them, or the box is too small for the laws' range.
pub fn taken_up(case: &Case, mut state: Suspension) -> Result<Suspension, Error> {
    let scales = Scales::new(case, state.smallest_radius());
    if case.laws.soft.is_none() {
        state.stiffness = scales.stiffness() * stiffness(case, &state, &scales);
    }
    check_forces(case, state.len())?;
    check_ratio(case, &state)?;
    check_foreign(case, &state)?;
    check_box(case, &state)?;
    Ok(state)
}

/// Ids that only a configuration file can tell to be wrong.
fn check_forces(case: &Case, count: usize) -> Result<(), Error> {
    for (k, force) in case.force.iter().enumerate() {
        if let Some(id) = force.particles.iter().find(|id| **id >= count) {
            let last = count - 1;
            return Err(Error::Usage {
                reason: format!(
                    "force[{k}].particles: there is no particle {id} among {count}; \
                     they are numbered 0 to {last}"
                ),
            });
        }
    }
    Ok(())
}

/// Particles must not begin inside obstacles.
fn check_obstacles(case: &Case, state: &Suspension) -> Result<(), Error> {
    let obstacles = case.obstacles();
    let allowed = SMALL_OVERLAP * state.smallest_radius();
    let mut worst: Option<(f64, usize, usize)> = None;
    for (particle, (x, a)) in state.positions.iter().zip(&state.radii).enumerate() {
        obstacles.near(x, *a, 0.0, |surface, foot| {
            let overlap = a - foot.distance;
            if overlap > worst.map_or(allowed, |(most, ..)| most) {
                worst = Some((overlap, particle, obstacles.body_of(surface)));
            }
        });
    }
    let Some((overlap, particle, body)) = worst else { return Ok(()) };
    let obstacle = obstacles.bodies()[body].name.clone();
    Err(Error::ObstacleOverlap { particle, obstacle, overlap })
}

/// Soft and rough spheres begin undeflected, so they must not overlap.
fn check_films(case: &Case, state: &Suspension) -> Result<(), Error> {
    if case.laws.soft.is_none() && case.laws.rough.is_none() && case.laws.gluey.is_none() {
        return Ok(());
    }
    let mut pairs = Vec::new();
    NeighbourList::new(0.0, 0.0).active(state, &mut pairs);
    let overlapping = pairs.iter().filter(|p| p.gap < -SMALL_OVERLAP * state.smallest_radius());
    match overlapping.min_by(|a, b| a.gap.total_cmp(&b.gap)) {
        Some(pair) => {
            Err(Error::Overlap { ids: pair.ids.numbers(state.len()), overlap: -pair.gap })
        }
        None => Ok(()),
    }
}

/// Radii that only a file or a distribution tells must be within the tables of two-sphere
/// functions, where these are asked for; without them films end before a radius.
fn check_ratio(case: &Case, state: &Suspension) -> Result<(), Error> {
    let ratio = state.largest_radius() / state.smallest_radius();
    let most = Table::LARGEST_RATIO;
    if is_two_body(case, state) && ratio > most {
        return Err(Error::Usage {
            reason: format!(
                "the radii differ by a factor of {ratio:.3}, and two-sphere functions are tabulated up to \
                 {most}: take hydrodynamics = \"lubrication\", or closer radii"
            ),
        });
    }
    let film = &case.laws.lubrication;
    let chosen = film.enabled && film.hydrodynamics.is_none();
    if chosen && model(case, state) == LubricationModel::Lubrication && film.outer_gap >= 1.0 {
        return Err(Error::Usage {
            reason: format!(
                "lubrication.outer_gap = {:?} is for two-sphere functions, and there are none: the \
                 radii differ by a factor of {ratio:.3}, and they are tabulated up to {most}; take an \
                 outer gap below 1, or closer radii",
                film.outer_gap
            ),
        });
    }
    Ok(())
}

/// What the laws of other programs need of the spheres.
fn check_foreign(case: &Case, state: &Suspension) -> Result<(), Error> {
    let most = LubricationModel::MOST_UNSYMMETRIC;
    let reason = match model(case, state) {
        LubricationModel::LammpsLubricate if state.largest_radius() > state.smallest_radius() => {
            let (small, large) = (state.smallest_radius(), state.largest_radius());
            format!(
                "\"lammps-lubricate\" is for equal spheres, and radii are {small} to {large}; take \
                 \"lammps-lubricate-poly\""
            )
        }
        LubricationModel::LammpsLubricatePoly if state.len() > most => format!(
            "\"lammps-lubricate-poly\" takes a dense matrix, for at most {most} particles, and there \
             are {}",
            state.len()
        ),
        _ => return Ok(()),
    };
    Err(Error::Usage { reason })
}

fn check_box(case: &Case, state: &Suspension) -> Result<(), Error> {
    let reach = stepper(case, state).reach(state);
    let needed = 2.0 * reach;
    let shortest = 2.0 * state.cell.reach();
    if shortest < needed {
        // A little more than the box needs, because other numbers draw other sizes.
        let count = (1.15 * state.len() as f64 * (needed / shortest).powi(3)).ceil();
        return Err(Error::BoxTooSmall { shortest, needed, count: count as usize });
    }
    Ok(())
}

/// About where spheres of a friction coefficient jam: from 0.645 without friction to 0.565 `[1]`.
pub(super) fn jamming_fraction(friction: f64) -> f64 {
    0.645 - 0.08 * (1.0 - (-friction / 0.2).exp())
}

/// The normal stiffness to begin with `[μγ̇a]`.
///
/// The largest contact forces are estimated from the particle pressure
/// \\(\Pi \approx [\phi/(\phi_J - \phi)]^2\\) of \[GB20\]; runs show the largest of
/// some thousand contact forces at about \\((1000 + 150\,\Pi)\,\mu\dot\gamma a^2\\).
fn stiffness(case: &Case, state: &Suspension, scales: &Scales) -> f64 {
    let given =
        case.laws.rough.as_ref().map_or(case.laws.contact.stiffness, |rough| rough.stiffness);
    if let Stiffness::Given(value) = given {
        return value;
    }
    if model(case, state) == LubricationModel::LfDem {
        return 6.0 * PI * lf_dem::STIFFNESS;
    }
    if matches!(case.drive.imposed(), Imposed::Stress(_)) {
        // Under a given stress σ the largest contact forces are some 300 σa², however fast it
        // flows.
        return 300.0 / case.laws.contact.max_overlap;
    }
    let fraction = state.volume_fraction().unwrap_or(0.0);
    // Below a critical load contacts do not rub; where they come to, the stiffness is raised.
    let rubs = case.laws.contact.critical_load == 0.0;
    let contact = if rubs { case.laws.contact.friction } else { 0.0 };
    let friction = case.laws.rough.as_ref().map_or(contact, |rough| rough.friction);
    let pressure = (fraction / (jamming_fraction(friction) - fraction).max(0.01)).powi(2);
    let mut largest_force = 1000.0 + 150.0 * pressure;
    let named = case.laws.named.largest_forces(scales.case_units());
    largest_force += 3.0 * named.map(|(_, force)| force).sum::<f64>() / scales.force();
    largest_force / case.laws.contact.max_overlap
}
