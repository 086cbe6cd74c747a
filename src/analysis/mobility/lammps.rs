//! The laws of an input file of LAMMPS as overrides of a case, and the laws of a case as an input.

use super::{Snapshot, at_rest};
use crate::case::{Case, Imposed};
use crate::error::Error;
use crate::record::Configuration;
use crate::record::lammps_input::{Hooke, LammpsInput, Lubricate};
use crate::record::lammps_script::LammpsRun;
use crate::record::lammps_write::AtomTypes;
use crate::study::suspension::Scales;

/// Cut-offs of different types may differ by this much `[a]`.
const SAME_GAP: f64 = 1e-9;

/// What the laws and the flow of an input are in a case, `key=value` each, and what of it has no
/// equal here. `read` tells which type has which radius.
///
/// # Errors
///
/// When films of different types are cut off at different gaps, or what is needed is missing.
pub fn overrides(
    input: &LammpsInput,
    read: &Configuration,
) -> Result<(Vec<String>, Vec<String>), String> {
    let mut notes = input.notes.clone();
    let Some(films) = &input.lubricate else {
        return Err("there is no pair_style lubricate or lubricate/poly".to_owned());
    };
    let smallest = read.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let [inner, outer] = gaps(films, read, smallest)?;
    let name = if films.poly { "lammps-lubricate-poly" } else { "lammps-lubricate" };
    let rate = input.rate.unwrap_or_else(|| {
        notes.push("no fix deform xy erate: the shear rate is taken as 1".to_owned());
        1.0
    });
    let mut set = vec![
        format!("fluid.viscosity={:?}", films.viscosity),
        format!("drive.rate={rate:?}"),
        format!("lubrication.hydrodynamics=\"{name}\""),
        format!("lubrication.inner_gap={inner:?}"),
        format!("lubrication.outer_gap={outer:?}"),
    ];
    let unit = films.viscosity * rate.abs() * smallest;
    match &input.hooke {
        Some(hooke) => set.extend(contacts(hooke, unit, &mut notes)),
        None => set.push("contact.enabled=false".to_owned()),
    }
    if films.crowded_drag {
        notes.push(
            "lubricate has flagVF 1: drag grows with the volume fraction there, not here"
                .to_owned(),
        );
    }
    if !films.logarithms {
        notes
            .push("lubricate has flaglog 0: its films have no logarithms, here they do".to_owned());
    }
    if !films.drag {
        notes.push(
            "lubricate has flagfld 0: spheres are not dragged there, here they are".to_owned(),
        );
    }
    if let Some(density) = input.density {
        let stokes = density * rate.abs() * smallest * smallest / films.viscosity;
        notes.push(format!("its Stokes number ργ̇a²/μ is {stokes:.3e}"));
    }
    Ok((set, notes))
}

/// The input of LAMMPS with the films and springs of a case, at a Stokes number, up to a strain;
/// names of the data file and of the dump are left empty.
///
/// # Errors
///
/// When the case has other laws than films and springs, or no rate, or there are too many sizes for
/// types of atoms.
pub fn script(
    case: &Case,
    snapshot: &Snapshot,
    [stokes, strain]: [f64; 2],
) -> Result<LammpsRun, Error> {
    let usage = |reason: &str| Error::Usage { reason: reason.to_owned() };
    let laws = &case.laws;
    if laws.soft.is_some() || laws.rough.is_some() || laws.gluey.is_some() {
        return Err(usage("LAMMPS has no soft, rough or gluey spheres; take a case of hard ones"));
    }
    let Imposed::Rate(rate) = case.drive.imposed() else {
        return Err(usage("LAMMPS is sheared at a rate, not at a stress; set drive.rate"));
    };
    if rate <= 0.0 {
        return Err(usage("the shear rate is not positive; set drive.rate"));
    }
    let radii = AtomTypes::new(&snapshot.read.radii).radii;
    if radii.is_empty() {
        return Err(usage(
            "there are too many sizes for types of atoms, and cut-offs of LAMMPS are those of types; \
             take particles without particles.spread",
        ));
    }
    let (state, ..) = at_rest(case, snapshot)?;
    let Scales { radius, viscosity, .. } = Scales::new(case, state.smallest_radius());
    let (films, contact) = (&laws.lubrication, &laws.contact);
    Ok(LammpsRun {
        data: String::new(),
        dump: String::new(),
        radii,
        moves: moves(snapshot.read),
        viscosity,
        rate,
        gaps: [films.inner_gap * radius, films.outer_gap * radius],
        stiffness: [state.stiffness, contact.tangential_ratio * state.stiffness],
        friction: contact.friction,
        density: stokes * viscosity / (rate * radius * radius),
        strain,
    })
}

/// Whether the file has velocities other than zero.
fn moves(read: &Configuration) -> bool {
    read.velocities.iter().flatten().any(|v| v.norm_squared() > 0.0)
}

fn contacts(hooke: &Hooke, unit: f64, notes: &mut Vec<String>) -> Vec<String> {
    if hooke.damping != 0.0 {
        notes.push(format!(
            "gran/hooke/history has a damping of {} per mass: it vanishes with the mass and is not \
             taken",
            hooke.damping
        ));
    }
    vec![
        "contact.enabled=true".to_owned(),
        format!("contact.stiffness={:?}", hooke.normal / unit),
        format!("contact.tangential_ratio={:?}", hooke.tangential / hooke.normal),
        format!("contact.friction={:?}", hooke.friction),
    ]
}

/// The gaps at which films are cut off, inner and outer, in smallest radii.
fn gaps(films: &Lubricate, read: &Configuration, smallest: f64) -> Result<[f64; 2], String> {
    let sizes = sizes(read)?;
    let mut found: Option<([u32; 2], [f64; 2])> = None;
    for (k, (i, a)) in sizes.iter().enumerate() {
        for (j, b) in &sizes[k..] {
            let gaps = films.cutoffs_of([*i, *j]).map(|cutoff| (cutoff - a - b) / smallest);
            let Some((types, first)) = found else {
                found = Some(([*i, *j], gaps));
                continue;
            };
            if first.iter().zip(&gaps).any(|(a, b)| (a - b).abs() > SAME_GAP) {
                let [[a, b], [c, d]] = [first, gaps];
                return Err(format!(
                    "films between types {} and {} are cut off at gaps {a:.6} and {b:.6} a, those \
                     between {i} and {j} at {c:.6} and {d:.6}; here they end at the same gaps: give \
                     pair_coeff i j cutinner cutoff for every pair of types, each with the sum of \
                     their radii in it",
                    types[0], types[1]
                ));
            }
        }
    }
    let gaps = found.map(|(_, gaps)| gaps).ok_or("the file holds no particles")?;
    // Differences of distances have lost digits.
    Ok(gaps.map(|gap| (gap * 1e12).round() / 1e12))
}

/// The types and their radii.
fn sizes(read: &Configuration) -> Result<Vec<(u32, f64)>, String> {
    let mut sizes: Vec<(u32, f64)> = Vec::new();
    for (k, radius) in read.radii.iter().enumerate() {
        let kind = read.types.get(k).copied().unwrap_or(1);
        match sizes.iter().find(|(known, _)| *known == kind) {
            None => sizes.push((kind, *radius)),
            Some((_, known)) if (known - radius).abs() > SAME_GAP * known => {
                return Err(format!(
                    "atoms of type {kind} have radii {known} and {radius}, so that cut-offs of types \
                     are no gaps; write one type per size (zerostokes export does), and the column \
                     `type` into dumps"
                ));
            }
            Some(_) => {}
        }
    }
    sizes.sort_by_key(|(kind, _)| *kind);
    Ok(sizes)
}
