//! What a case means, before anything runs.

use std::f64::consts::PI;

use super::fluid::note;
use super::{Scales, end, inertia, initial};
use crate::case::{Case, Stiffness, percent};
use crate::error::Error;
use crate::integrate::Aim;
use crate::state::Suspension;
use crate::study::few::inertia_lines;

/// One fact a line.
pub(super) fn lines(case: &Case) -> Result<Vec<String>, Error> {
    let state = initial(case)?;
    let scales = Scales::new(case, state.smallest_radius());
    let mut lines = geometry(&state);
    lines.extend(forces(case, &state, &scales));
    lines.extend(accuracy(case));
    lines.extend(inertia_lines(inertia(case, &scales), scales.viscosity, scales.radius));
    lines.push(cost(case, &state, &scales));
    lines.extend(note(case, &state).map(|note| format!("note: {note}")));
    Ok(lines)
}

fn geometry(state: &Suspension) -> Vec<String> {
    let mut lines = vec![format!(
        "particles           {}, radii {:.4} to {:.4}",
        state.len(),
        state.smallest_radius(),
        state.largest_radius()
    )];
    match (state.volume_fraction(), state.cell.images(&state.clock).vectors()) {
        (Some(phi), Some([x, y, z])) => {
            lines.push(format!("volume fraction     φ = {phi:.6}"));
            lines.push(format!("box                 {:.4} × {:.4} × {:.4}", x.x, y.y, z.z));
        }
        _ => lines.push("box                 none: open space".to_owned()),
    }
    lines
}

fn forces(case: &Case, state: &Suspension, scales: &Scales) -> Vec<String> {
    let mut lines = vec![
        format!("stress scale        μγ̇ = {:.4e}", scales.stress()),
        format!(
            "force scale         μγ̇a² = {:.4e}, drag 6πμγ̇a² = {:.4e}",
            scales.force(),
            6.0 * PI * scales.force()
        ),
    ];
    if let Some(soft) = &case.laws.soft {
        let (modulus, force) = (soft.modulus, 6.0 * PI * scales.force());
        let kappa = force / (modulus * scales.radius.powi(2));
        lines.push(format!(
            "softness            E = {modulus:.4e} = {:.4e} μγ̇, 6πμγ̇a²/Ea² = {kappa:.3e}, deflection {:.3e} a",
            modulus / scales.stress(),
            (2.0 * kappa / soft.c_n).powf(2.0 / 3.0)
        ));
    } else if let Some(rough) = &case.laws.rough {
        let bearable = rough.asperity_ratio * state.stiffness * rough.roughness * scales.radius;
        lines.push(format!(
            "stiffness           k_b = {:.3e} μγ̇a, capillary number {:.3e}",
            state.stiffness / scales.stiffness(),
            scales.stiffness() / state.stiffness
        ));
        lines.push(format!(
            "roughness           ε = {}, asperities bear {:.3e} μγ̇a²",
            rough.roughness,
            bearable / scales.force()
        ));
    } else if case.laws.contact.enabled {
        let how = match case.laws.contact.stiffness {
            Stiffness::Auto => "chosen for the overlap bound, raised if needed",
            Stiffness::Given(_) => "given",
        };
        lines.push(format!(
            "contact stiffness   {:.3e} μγ̇a = {:.3e} ({how}), overlap bound {} a",
            state.stiffness / scales.stiffness(),
            state.stiffness,
            case.laws.contact.max_overlap
        ));
    }
    let mut group = |name: &str, force: f64| {
        if force > 0.0 {
            lines.push(format!(
                "{name:<19} {force:.4e}, 6πμγ̇a²/F = {:.4e}",
                6.0 * PI * scales.force() / force
            ));
        }
    };
    group("critical load", case.laws.contact.critical_load);
    for (name, force) in case.laws.named.largest_forces(scales.case_units()) {
        group(name, force);
    }
    lines
}

/// The accuracy that ends the run, where one is asked for.
fn accuracy(case: &Case) -> Option<String> {
    let asked = case.accuracy.as_ref()?;
    Some(format!(
        "accuracy            {} of {} asked, at most strain {}",
        percent(asked.relative_error),
        asked.quantity.symbol(),
        end(case).strain
    ))
}

fn cost(case: &Case, state: &Suspension, scales: &Scales) -> String {
    match expected(case, state.len(), scales) {
        None => "expected cost       not estimated for trajectories of soft or rough particles"
            .to_owned(),
        Some([steps, seconds]) => {
            let time = duration(seconds);
            let about = if case.accuracy.is_some() { "at most about" } else { "about" };
            format!("expected cost       {about} {steps:.0} steps, {time} on one core")
        }
    }
}

/// A rough estimate: steps and seconds, from the steps per strain at the default tolerance and what
/// a step of so many particles takes on one core.
pub(super) fn expected(case: &Case, count: usize, scales: &Scales) -> Option<[f64; 2]> {
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    if films && case.aim() == Aim::Trajectory {
        return None;
    }
    let end = end(case);
    let strains = end.strain.min(end.time * scales.rate);
    let frictional = case.laws.contact.friction > 0.0;
    let (per_strain, per_step) = match (films, frictional) {
        (true, _) => (80.0, 4e-4),
        (false, true) => (130.0, 3e-5),
        (false, false) => (65.0, 1.5e-5),
    };
    let per_strain = per_strain * (2e-3 / case.time.tolerance).sqrt();
    let per_step = per_step * count as f64;
    // An imposed stress takes two solves for one.
    let per_step = per_step * if case.drive.stress.is_some() { 2.5 } else { 1.0 };
    let steps = per_strain * strains;
    Some([steps, steps * per_step])
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "under a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
