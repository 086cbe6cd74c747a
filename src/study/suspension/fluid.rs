//! How the spheres of a suspension feel each other through the fluid.

use super::Scales;
use crate::balance::field::{Ending, Field, Reach};
use crate::case::{Boundary, Case, Hydrodynamics, LubricationModel};
use crate::hydro::Table;
use crate::laws::rough::Beginning;
use crate::state::Suspension;

/// Whether two spheres alone in space feel all of the fluid between and around them.
pub(super) fn alone(case: &Case, state: &Suspension) -> bool {
    let open = case.domain.boundary == Boundary::Open && state.len() == 2;
    open && is_two_body(case, state)
}

/// Whether spheres feel each other by two-sphere functions.
pub(super) fn is_two_body(case: &Case, state: &Suspension) -> bool {
    match &case.laws.rough {
        _ if case.laws.soft.is_some() => false,
        Some(rough) => rough.hydrodynamics == Hydrodynamics::TwoBody,
        None => case.laws.lubrication.enabled && model(case, state) == LubricationModel::TwoBody,
    }
}

/// The model of the films of hard spheres: that of the case, or else two-sphere functions where
/// there are any.
pub(super) fn model(case: &Case, state: &Suspension) -> LubricationModel {
    case.laws.lubrication.hydrodynamics.unwrap_or_else(|| match without_tables(case, state) {
        None => LubricationModel::TwoBody,
        Some(_) => LubricationModel::Lubrication,
    })
}

/// Why there are no two-sphere functions for the spheres of a case, if so.
fn without_tables(case: &Case, state: &Suspension) -> Option<String> {
    if let Some(why) = case.without_two_body() {
        return Some(why.to_owned());
    }
    let ratio = state.largest_radius() / state.smallest_radius();
    (ratio > Table::LARGEST_RATIO).then(|| {
        let most = Table::LARGEST_RATIO;
        format!(
            "the radii differ by a factor of {ratio:.3}, and two-sphere functions are tabulated up to {most}"
        )
    })
}

/// What a user who did not choose a model has to know of the one that was chosen.
pub(super) fn note(case: &Case, state: &Suspension) -> Option<String> {
    let l = &case.laws.lubrication;
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    if films || !l.enabled || l.hydrodynamics.is_some() {
        return None;
    }
    let why = without_tables(case, state)?;
    Some(format!(
        "films follow lubrication at leading order, not the two-sphere functions: {why}; squeezing \
         is resisted 6 % too little at gaps of 0.1 a and 26 % at 0.5 a; lubrication.hydrodynamics = \
         \"lubrication\" says that it is meant"
    ))
}

/// What the fluid around pairs does beyond their films: all of it for two spheres alone, what is
/// relative in a suspension.
pub(super) fn field(case: &Case, state: &Suspension, scales: &Scales) -> Option<Field> {
    if !is_two_body(case, state) {
        return None;
    }
    let viscosity = case.fluid.viscosity;
    let film = &case.laws.lubrication;
    let (range, inner_gap, ending) = match &case.laws.rough {
        Some(rough) => (
            rough.cutoff,
            0.0,
            match rough.ending {
                Beginning::Smooth => Ending::Tapered,
                Beginning::Truncated => Ending::Truncated,
            },
        ),
        None => (film.outer_gap, film.inner_gap, film.cutoff.into()),
    };
    let (range, inner_gap) = (range * scales.radius, inner_gap * scales.radius);
    if alone(case, state) {
        let (ending, reach) = (Ending::Truncated, Reach::TwoBody);
        return Some(Field { viscosity, range: f64::INFINITY, inner_gap, ending, reach });
    }
    Some(Field { viscosity, range, inner_gap, ending, reach: Reach::Relative })
}
