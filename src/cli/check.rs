//! `zerostokes check`: what a case means, before anything runs.

use std::f64::consts::PI;

use super::{CaseArguments, print};
use crate::Error;
use crate::case::{Case, Stiffness};
use crate::state::Suspension;
use crate::study::suspension::{Scales, end, initial};

pub(super) fn check(arguments: &CaseArguments) -> Result<(), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let state = initial(&case)?;
    let scales = Scales::new(&case, state.smallest_radius());
    let mut lines = vec![format!("{}: valid", arguments.case.display())];
    lines.extend(geometry(&state));
    lines.extend(forces(&case, &state, &scales));
    lines.push(cost(&case, &state, &scales));
    lines.push(String::new());
    lines.push("# resolved, with every default".to_owned());
    lines.extend(case.to_toml().lines().map(str::to_owned));
    print(&lines)
}

fn geometry(state: &Suspension) -> Vec<String> {
    let mut lines = vec![format!(
        "particles           {}, radii {:.4} to {:.4}",
        state.len(),
        state.smallest_radius(),
        state.largest_radius()
    )];
    match (state.volume_fraction(), state.cell.vectors(0.0)) {
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
    if case.contact.enabled {
        let how = match case.contact.stiffness {
            Stiffness::Auto => "chosen for the overlap bound, raised if needed",
            Stiffness::Given(_) => "given",
        };
        lines.push(format!(
            "contact stiffness   {:.3e} μγ̇a = {:.3e} ({how}), overlap bound {} a",
            state.stiffness / scales.stiffness(),
            state.stiffness,
            case.contact.max_overlap
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
    group("critical load", case.contact.critical_load);
    group("repulsion", case.repulsion.as_ref().map_or(0.0, |r| r.force));
    group(
        "attraction",
        case.attraction
            .as_ref()
            .map_or(0.0, |a| a.hamaker / (12.0 * a.regularisation.powi(2) * scales.radius)),
    );
    lines
}

/// A rough estimate: steps per strain at the default tolerance, and what a step of N particles
/// takes on one core.
fn cost(case: &Case, state: &Suspension, scales: &Scales) -> String {
    let end = end(case);
    let strains = end.strain.min(end.time * scales.rate);
    let frictional = case.contact.friction > 0.0;
    let per_strain = if frictional { 130.0 } else { 65.0 } * (2e-3 / case.time.tolerance).sqrt();
    let per_step = if frictional { 7e-5 } else { 2.5e-5 } * state.len() as f64;
    // An imposed stress takes two solves for one.
    let per_step = per_step * if case.drive.stress.is_some() { 2.5 } else { 1.0 };
    let steps = per_strain * strains;
    format!(
        "expected cost       about {:.0} steps, {} on one core",
        steps,
        duration(steps * per_step)
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "under a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
