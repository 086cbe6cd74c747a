//! What the user may want to change after a run.

use super::{AccuracyVerdict, SuspensionSummary, films, is_beyond};
use crate::case::{Case, Stiffness, percent};
use crate::integrate::Aim;
use crate::study::suspension::JAMMED_STIFFNESS;
use crate::study::suspension::prepared::jamming_fraction;

/// A part of the power that is lost in a step is told from here on `[1]`.
pub(super) const NOTED_MISMATCH: f64 = 1e-4;

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
    if totals.worst_power_mismatch > NOTED_MISMATCH {
        advice.push(format!(
            "in a step {:.0e} of the power was neither dissipated nor stored: its digits are lost where \
             films are very thin; a larger lubrication.inner_gap, or a smaller solver.tolerance or \
             time.tolerance, keeps them",
            totals.worst_power_mismatch
        ));
    }
    advice.extend(films::doubts(case, found));
    advice.extend(near_jamming(case, found));
    let unsettled = unsettled(found);
    if let Some(key) = unsettled {
        advice.push(format!(
            "the stress still drifts, or the run is too short to tell: only {key} gives a mean and \
             an error that can be trusted"
        ));
    }
    if unsettled.is_none()
        && let Some(missed) =
            found.rheology.accuracy.as_ref().and_then(|a| missed(a, found.reached.strain))
    {
        advice.push(missed);
    }
    advice
}

/// Relative viscosity of frictional spheres from which on means notice how exact steps are.
const NEAR_JAMMING: f64 = 80.0;

/// The `time.tolerance` with which they no longer do.
const TIGHT: f64 = 4e-4;

/// What the accuracy of steps may have cost near jamming.
fn near_jamming(case: &Case, found: &SuspensionSummary) -> Option<String> {
    let laws = &case.laws;
    let hard = laws.soft.is_none() && laws.rough.is_none() && laws.gluey.is_none();
    let frictional = hard && laws.contact.friction > 0.0 && case.aim() == Aim::Statistics;
    let viscosity = found.rheology.relative_viscosity.as_ref()?.mean;
    let doubtful = frictional && viscosity > NEAR_JAMMING && case.time.tolerance > TIGHT;
    doubtful.then(|| {
        "so near to jamming, with friction, the mean may be 10 to 15 % too large: time.tolerance=4e-4 \
         with time.friction_residual=2e-3 tells, and takes five to ten times as long"
            .to_owned()
    })
}

/// What would let a run settle that has not.
fn unsettled(found: &SuspensionSummary) -> Option<&'static str> {
    let phases = found.phases.iter().filter_map(|phase| phase.steady);
    let cycles = found.oscillation.as_ref().map(|seen| seen.steady);
    let open = |settled: bool, key: &'static str| (!settled).then_some(key);
    let held = found.rheology.steady.and_then(|s| open(s.settled, "a larger drive.strain"));
    held.or(cycles.and_then(|s| open(s.settled, "more drive.oscillation.cycles")))
        .or(open(phases.into_iter().all(|s| s.settled), "more strain in the phases"))
}

/// How far below the fraction at which spheres jam they flow without overlapping, also a few of
/// them `[1]`.
const SAFE_DISTANCE: f64 = 0.06;

/// Spheres that overlapped by more than their bound, and what keeps them to it.
fn overlapped(case: &Case, found: &SuspensionSummary) -> Option<String> {
    let (bound, overlap) = (case.laws.contact.max_overlap, found.totals.max_overlap);
    if !is_beyond(case, overlap) {
        return None;
    }
    let begin =
        format!("spheres overlapped by {overlap:.2e} a, more than contact.max_overlap = {bound}");
    let (given, stiffness) = (&case.laws.contact.stiffness, found.pairs.stiffness?);
    if found.pairs.steady_overlap.is_some_and(|steady| !is_beyond(case, steady)) {
        return Some(format!("{begin}, before the flow was averaged: the means are not touched"));
    }
    let friction = case.laws.contact.friction;
    let safe = jamming_fraction(friction) - SAFE_DISTANCE;
    let dense = found.reached.volume_fraction.filter(|phi| *phi > safe);
    let jams = |phi: f64| {
        let lower = (100.0 * safe.min(phi - 0.02)).floor() / 100.0;
        let less = if friction > 0.0 { ", or less contact.friction" } else { "" };
        format!(
            "hard spheres of friction {friction} jam near φ = {:.2}: particles.volume_fraction = \
             {lower:.2}{less}, lets them flow",
            jamming_fraction(friction)
        )
    };
    Some(match (given, dense) {
        (Stiffness::Given(_), None) => format!(
            "{begin}: contact.stiffness = \"auto\" finds one that keeps to it, about {:.0e}",
            1.2 * stiffness * overlap / bound
        ),
        (Stiffness::Given(_), Some(phi)) => format!(
            "{begin}: contact.stiffness = \"auto\" keeps to it if anything does; {}",
            jams(phi)
        ),
        (Stiffness::Auto, Some(phi)) if stiffness >= JAMMED_STIFFNESS => {
            format!(
                "{begin}, although the stiffness was raised to {stiffness:.0e} μγ̇a: {}",
                jams(phi)
            )
        }
        (Stiffness::Auto, _) => format!(
            "{begin}, with a stiffness of {stiffness:.0e} μγ̇a: begin without overlaps, and with more \
             particles or a lower particles.volume_fraction, so that no force peaks"
        ),
    })
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
