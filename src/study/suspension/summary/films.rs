//! Where films between soft or rough particles have ceased to be what the laws describe.

use super::SuspensionSummary;
use crate::case::Case;

/// Deflections beyond this are not small `[a]`.
const LARGE_DEFLECTION: f64 = 0.5;

/// A thinner film is none: of particles of a millimetre it is thinner than an atom `[a]`.
const THINNEST_FILM: f64 = 1e-8;

/// What has ceased to hold, and what to change.
pub(super) fn doubts(case: &Case, found: &SuspensionSummary) -> Vec<String> {
    let pairs = &found.pairs;
    let soft = case.laws.soft.is_some();
    let stiffness = if soft { "soft.modulus" } else { "rough.stiffness" };
    let mut doubts = Vec::new();
    if let Some(deflection) = pairs.largest_deflection
        && deflection > LARGE_DEFLECTION
    {
        doubts.push(format!(
            "surfaces were deflected by up to {deflection:.2} a: the law holds for deflections well \
             below a; a larger {stiffness} keeps to it"
        ));
    }
    if let Some(film) = pairs.thinnest_film
        && film < THINNEST_FILM
    {
        let keeps = if soft { "[repulsion]" } else { "more rough.roughness, or [repulsion]," };
        doubts.push(format!(
            "films became as thin as {film:.1e} a: below {THINNEST_FILM:e} a there is no fluid left to \
             flow, and such pairs are frozen to each other; {keeps} keeps surfaces apart"
        ));
    }
    if let Some(most) = pairs.most_overloaded.filter(|most| *most > 0) {
        doubts.push(format!(
            "up to {most} pairs at once were pressed by more than their asperities bear: these are then \
             flat and carry no more, and films drain without end; a larger rough.roughness, \
             rough.asperity_ratio or rough.stiffness bears more"
        ));
    }
    doubts.extend(tension(case, found));
    doubts
}

/// A pressure that is negative beyond its error, though nothing attracts.
fn tension(case: &Case, found: &SuspensionSummary) -> Option<String> {
    found.pairs.thinnest_film?;
    let pressure = found.rheology.particle_pressure.as_ref()?;
    let attracted = case.laws.named.kinds().any(|law| law.name == "attraction");
    let highest = pressure.mean + 2.0 * pressure.stderr.unwrap_or(0.0);
    (highest < 0.0 && !attracted).then(|| {
        format!(
            "the particle pressure is negative, {:.2e} μγ̇: films hold particles together, which a fluid \
             does only while it bears tension without cavities; [repulsion] keeps films from draining",
            pressure.mean
        )
    })
}
