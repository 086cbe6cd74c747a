//! What the user may want to change after a run.

use super::{AccuracyVerdict, SuspensionSummary};
use crate::case::{Case, Stiffness, percent};
use crate::study::suspension::JAMMED_STIFFNESS;

/// Deflections beyond this are not small `[a]`.
const LARGE_DEFLECTION: f64 = 0.5;

/// What the results of a run suggest.
pub(super) fn advice(case: &Case, found: &SuspensionSummary) -> Vec<String> {
    let totals = &found.totals;
    let mut advice = Vec::new();
    if totals.fallbacks > 0 {
        advice.push(format!(
            "in {} of {} solves the chosen solver failed and the other one stepped in; \
             solver.max_iterations or solver.method may spare the detour",
            totals.fallbacks, totals.solves
        ));
    }
    if let Some(left) = found.left.filter(|left| *left > 0) {
        advice.push(format!(
            "{left} of {} particles have left a box through its open side and fall for ever; close it, or \
             catch them with another obstacle",
            found.reached.particles
        ));
    }
    advice.extend(overlapped(case, found));
    if let Some(deflection) = found.pairs.largest_deflection
        && deflection > LARGE_DEFLECTION
    {
        advice.push(format!(
            "surfaces were deflected by up to {deflection:.2} a: the law holds for deflections well \
             below a; a larger {} keeps to it",
            if case.laws.soft.is_some() { "soft.modulus" } else { "rough.stiffness" }
        ));
    }
    let settled = found.rheology.steady.is_none_or(|s| s.settled);
    if !settled {
        advice.push(
            "the stress still drifts, or the run is too short to tell: only a larger drive.strain \
             gives a mean and an error that can be trusted"
                .to_owned(),
        );
    }
    if settled
        && let Some(missed) =
            found.rheology.accuracy.as_ref().and_then(|a| missed(a, found.reached.strain))
    {
        advice.push(missed);
    }
    advice
}

/// Spheres that overlapped by more than their bound.
fn overlapped(case: &Case, found: &SuspensionSummary) -> Option<String> {
    let stiffness = found.pairs.stiffness;
    let (bound, overlap) = (case.laws.contact.max_overlap, found.totals.max_overlap);
    if let (Stiffness::Given(_), Some(k)) = (case.laws.contact.stiffness, stiffness)
        && overlap > bound
    {
        let needed = 1.2 * k * overlap / bound;
        return Some(format!(
            "spheres overlapped by {overlap:.2e} a, more than contact.max_overlap = {bound}: \
             contact.stiffness = {needed:.1e} would keep to it, and so would \"auto\""
        ));
    }
    let jammed = stiffness.is_some_and(|k| k >= JAMMED_STIFFNESS);
    if case.laws.contact.stiffness == Stiffness::Auto && overlap > bound && jammed {
        return Some(format!(
            "spheres overlapped by {overlap:.2e} a, more than contact.max_overlap = {bound}, \
             although the stiffness was raised to {:.1e} μγ̇a: the suspension jams or nearly so; \
             lower particles.volume_fraction or contact.friction",
            stiffness.unwrap_or(0.0)
        ));
    }
    None
}

/// Where the mean is not known as well as asked: how much strain would do, if the error goes on to
/// fall like one over its square root.
fn missed(verdict: &AccuracyVerdict, strain: f64) -> Option<String> {
    if verdict.met {
        return None;
    }
    let (goal, quantity) = (percent(verdict.goal), verdict.quantity.symbol());
    Some(match verdict.reached {
        Some(reached) if reached > verdict.goal => format!(
            "the mean of {quantity} is known to {}, not to {goal} as asked: drive.strain = {:.0} may do",
            percent(reached),
            (strain * (reached / verdict.goal).powi(2)).ceil()
        ),
        _ => format!(
            "the mean of {quantity} is not known to {goal} as asked: there is no steady flow to \
             average over, or too little of it"
        ),
    })
}
