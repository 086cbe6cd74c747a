//! What is not known of a balance, and what the user may want to change.

use nalgebra::Vector3;

use super::{Comparison, Mobility, Results, Springs};
use crate::case::{Case, Stiffness};
use crate::cell::Cell;
use crate::drive::Flow;
use crate::record::{Configuration, Format};

/// Velocities that are farther apart may be those of other laws `[1]`.
const LAWS_DIFFER: f64 = 1e-2;

/// How far apart the shear rates of file and case may be: few particles scatter much.
const RATE_APART: f64 = 0.3;

/// What there is to say of the balance of what was read.
pub(super) fn of(
    case: &Case,
    read: &Configuration,
    found: &Mobility,
    results: &Results,
) -> Vec<String> {
    let mut advice = Vec::new();
    advice.extend(digits(results));
    if case.laws.contact.enabled && results.contacts > 0 {
        advice.extend(springs(found.springs));
        let told = read.moment.stiffness.is_some();
        if case.laws.contact.stiffness == Stiffness::Auto && !told {
            advice.push(format!(
                "{} pairs overlap, and their stiffness {:.3e} was guessed; give that of the program \
                 that wrote the file with --set contact.stiffness=…",
                results.contacts, results.stiffness
            ));
        }
    }
    if let Ok(comparison) = &found.comparison {
        advice.extend(laws(comparison));
        advice.extend(spins(comparison, case));
        advice.extend(rates(comparison, found));
    }
    advice.extend(ignored_box(read, &found.state.cell));
    advice
}

/// That small gaps are lost.
fn digits(results: &Results) -> Option<String> {
    let precision = &results.precision;
    let (digits, gap) = (precision.digits?, precision.lost_gap?);
    let pairs = precision.lost_pairs.filter(|pairs| *pairs > 0)?;
    Some(format!(
        "coordinates have {digits} digits: gaps below {gap:.1e} a are off by a tenth or more, or lost, \
         and {pairs} pairs are closer than that; write 17 digits (LAMMPS: dump_modify 1 format float \
         %.17g)"
    ))
}

/// That nobody tells how far springs are stretched.
fn springs(springs: Springs) -> Option<String> {
    match springs {
        Springs::NotNeeded | Springs::Remembered => None,
        Springs::Unknown => Some(
            "a snapshot does not tell how far tangential springs are stretched: they are taken as \
             unstretched, so friction gives no force here; frames of a run of this program tell it \
             (pair_memory.csv beside them)"
                .to_owned(),
        ),
        Springs::OfOtherLaws([kept, needed]) => Some(format!(
            "the run remembers {kept} numbers of a pair, and the laws of the case ask for {needed}: \
             springs are taken as unstretched; leave the case out to take that of the run"
        )),
    }
}

/// That differences may be those of laws.
fn laws(comparison: &Comparison) -> Option<String> {
    let far = comparison.velocity.is_some_and(|all| all.rms_without_mean > LAWS_DIFFER);
    if let Some(reason) = &comparison.law_failed {
        return Some(format!("with the default law forces do not balance: {reason}"));
    }
    // A case with a law of its own was chosen for the file.
    (far && comparison.law_velocity.is_none()).then(|| {
        "differences are those of laws as well as of inertia, unless this is the law of the \
         program that wrote the file: --lammps-input FILE takes that of a LAMMPS input, otherwise set \
         lubrication.hydrodynamics, .inner_gap, .outer_gap and .cutoff, and contacts"
            .to_owned()
    })
}

/// What is known of the spins of LAMMPS, or that they are of another flow.
fn spins(comparison: &Comparison, case: &Case) -> Option<String> {
    if let Some(excess) = comparison.lammps_spin {
        let friction = match case.laws.contact.friction > 0.0 {
            true => "and with friction, as here, its results are wrong",
            false => "and with friction its results would be wrong",
        };
        return Some(format!(
            "LAMMPS's pair styles lubricate and lubricate/poly turn all particles by {excess:.4} beside \
             the flow (half of γ̇L_y in place of half of γ̇): taken off the spins here; without \
             friction only spins are off in such a run, {friction}"
        ));
    }
    let spin = comparison.spin?;
    let [x, y, z] = spin.mean;
    (Vector3::from(spin.mean).norm() > spin.scale).then(|| {
        format!(
            "the mean spin of the file differs from the one here by ({x:.3}, {y:.3}, {z:.3}), more than \
             particles spin relative to the flow: it is of another flow, or of none"
        )
    })
}

/// That the file was sheared at another rate.
fn rates(comparison: &Comparison, found: &Mobility) -> Option<String> {
    let theirs = comparison.file_rate?;
    let Flow::Shear { along: [along, _] } = found.drive.flow else { return None };
    let ours = along * found.drive.rate;
    ((theirs - ours).abs() > RATE_APART * ours.abs()).then(|| {
        format!(
            "the velocities of the file shear at a rate of {theirs:.4}, the case at {ours:.4}; set \
             drive.rate if it was sheared at another"
        )
    })
}

/// That the box of a file which repeats is not taken. Data files of LAMMPS do not say whether
/// theirs does.
fn ignored_box(read: &Configuration, cell: &Cell) -> Option<String> {
    let repeats = read.lattice.is_some() && read.pbc != [false; 3];
    (repeats && *cell == Cell::Open && read.format != Format::LammpsData).then(|| {
        "the box of the file repeats and is ignored, because the case says domain.boundary = \"open\"; \
         take one with \"periodic\" for it"
            .to_owned()
    })
}
