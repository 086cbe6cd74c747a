//! How the spheres of a suspension feel each other through the fluid.

use super::Scales;
use crate::balance::field::{Ending, Field, Reach};
use crate::case::{Boundary, Case, Hydrodynamics};
use crate::laws::lubrication::Cutoff;
use crate::state::Suspension;

/// Whether two spheres alone in space feel all of the fluid between and around them.
pub(super) fn alone(case: &Case, state: &Suspension) -> bool {
    let open = case.domain.boundary == Boundary::Open && state.len() == 2;
    open && hydrodynamics(case) == Hydrodynamics::TwoBody
}

/// How spheres feel each other through the fluid.
pub(super) fn hydrodynamics(case: &Case) -> Hydrodynamics {
    match &case.laws.rough {
        _ if case.laws.soft.is_some() => Hydrodynamics::Lubrication,
        Some(rough) => rough.hydrodynamics,
        None if !case.laws.lubrication.enabled => Hydrodynamics::Lubrication,
        None => case.laws.lubrication.hydrodynamics,
    }
}

/// What the fluid around pairs does beyond their films: all of it for two spheres alone, what is
/// relative in a suspension.
pub(super) fn field(case: &Case, state: &Suspension, scales: &Scales) -> Option<Field> {
    if hydrodynamics(case) == Hydrodynamics::Lubrication {
        return None;
    }
    let viscosity = case.fluid.viscosity;
    let inner_gap = match case.laws.rough {
        Some(_) => 0.0,
        None => case.laws.lubrication.inner_gap * scales.radius,
    };
    let (range, cutoff, smooth) = match &case.laws.rough {
        Some(rough) => (rough.cutoff, rough.ending, Ending::Tapered),
        None => (case.laws.lubrication.outer_gap, case.laws.lubrication.cutoff, Ending::Subtracted),
    };
    if alone(case, state) {
        let (ending, reach) = (Ending::Truncated, Reach::TwoBody);
        return Some(Field { viscosity, range: f64::INFINITY, inner_gap, ending, reach });
    }
    Some(Field {
        viscosity,
        range: range * scales.radius,
        inner_gap,
        ending: if cutoff == Cutoff::Smooth { smooth } else { Ending::Truncated },
        reach: Reach::Relative,
    })
}
