//! From a case to laws, flow, forces and steps.

use std::f64::consts::PI;

use nalgebra::Vector3;

use super::Scales;
use super::fluid::{alone, field, model};
use crate::balance::Medium;
use crate::case::{
    Case, FlowKind, Hydrodynamics, Imposed, LubricationModel, Solver as SolverTable, Stiffness,
};
use crate::drive::{Drive, Flow};
use crate::integrate::Aim;
use crate::integrate::Convergence;
use crate::integrate::{End, Inertia, Setup, StepSettings, Stepper};
use crate::laws::contact::{Backing, Contact, Springs};
use crate::laws::lammps::{Lubricate, Style};
use crate::laws::lf_dem::{LfDem, SizedContact};
use crate::laws::lubrication::{self, Lubrication};
use crate::laws::rough::{Film, Rough};
use crate::laws::soft::Soft;
use crate::laws::{Interactions, Remote};
use crate::solve::Solver;
use crate::state::{Suspension, Wrench};
use crate::study::gluey;

/// The stiffness beyond which an overlap means jamming rather than softness `[μγ̇a]`.
pub const JAMMED_STIFFNESS: f64 = 1e8;

/// The overlap from which on a second spring backs one of an automatic stiffness, over the bound of
/// the overlap.
const BACKED: f64 = 0.5;

/// The stiffness of that second spring, over the automatic one: at nine tenths of the bound both
/// bear twenty times what one would.
const BACKING: f64 = 40.0;

/// Steps below this fraction of the longest one are given up.
const SHORTEST: f64 = 1e-10;

/// The friction residual of statistics over `time.tolerance`.
const FRICTION_SHARE: f64 = 10.0;

/// The residual of the last linear solve of statistics over `time.tolerance`, and the largest.
const LINEAR_SHARE: f64 = 5e-4;
const LEAST_EXACT: f64 = 1e-6;

/// Forces that count as none where the flow may come to rest `[μγ̇a²]`.
const SMALL_FORCE: f64 = 1e-4;

/// Forces that count as none in a steady flow: far below that of any pair, and above what rounding
/// leaves where there are no pairs `[μγ̇a²]`.
const NO_FORCE: f64 = 1e-9;

/// The longest step at imposed stress, in units of μ/σ.
const LONGEST_AT_STRESS: f64 = 1e3;

/// The laws of a case. Between soft or rough particles everything goes through the film: remote
/// forces then act inside its law.
pub fn interactions(case: &Case, state: &Suspension, scales: &Scales) -> Interactions {
    let named = case.laws.named.interactions(scales.case_units());
    if case.laws.soft.is_some() {
        return Interactions::default().with_some(soft(case, scales, Remote::of(named)));
    }
    if case.laws.rough.is_some() {
        return Interactions::default().with_some(rough(case, state, scales, Remote::of(named)));
    }
    Interactions::default()
        .with_all(films(case, state, scales))
        .with_all(contacts(case, state, scales))
        .with_all(named)
}

/// The films of hard spheres.
fn films(case: &Case, state: &Suspension, scales: &Scales) -> Interactions {
    let (l, viscosity) = (&case.laws.lubrication, case.fluid.viscosity);
    let [inner_gap, outer_gap] = [l.inner_gap, l.outer_gap].map(|gap| gap * scales.radius);
    let none = Interactions::default();
    let own = |film| Lubrication {
        viscosity,
        inner_gap,
        outer_gap: if alone(case, state) { f64::INFINITY } else { outer_gap },
        cutoff: l.cutoff,
        film,
    };
    let lammps = |style| Lubricate { viscosity, inner_gap, outer_gap, style };
    match model(case, state) {
        _ if !l.enabled => none,
        LubricationModel::TwoBody => none.with(own(lubrication::Film::TwoBody)),
        LubricationModel::Lubrication | LubricationModel::GeBrandt => {
            none.with(own(lubrication::Film::Leading))
        }
        LubricationModel::LfDem => {
            let stiffness = state.stiffness / scales.stiffness() / (6.0 * PI);
            let dashpot = LfDem::dashpot_of(stiffness);
            none.with(LfDem { viscosity, shift: l.inner_gap, range: l.outer_gap, dashpot })
        }
        LubricationModel::LammpsLubricate => none.with(lammps(Style::Equal)),
        LubricationModel::LammpsLubricatePoly => none.with(lammps(Style::Poly)),
    }
}

/// The contacts of hard spheres.
fn contacts(case: &Case, state: &Suspension, scales: &Scales) -> Interactions {
    let (c, none) = (&case.laws.contact, Interactions::default());
    if !c.enabled || case.laws.gluey.is_some() {
        return none;
    }
    let contact = Contact {
        stiffness: state.stiffness,
        tangential_ratio: c.tangential_ratio,
        friction: c.friction,
        critical_load: c.critical_load,
        damping: c.damping * case.fluid.viscosity * scales.radius,
        backing: match c.stiffness {
            Stiffness::Auto => {
                Some(Backing { overlap: BACKED * c.max_overlap * scales.radius, ratio: BACKING })
            }
            Stiffness::Given(_) => None,
        },
        springs: springs(case),
    };
    match model(case, state) {
        LubricationModel::LfDem => {
            let contact = Contact { backing: None, ..contact };
            none.with(SizedContact { contact, radius: scales.radius })
        }
        _ => none.with(contact),
    }
}

fn soft(case: &Case, scales: &Scales, remote: Remote) -> Option<Soft> {
    case.laws.soft.as_ref().map(|s| Soft {
        viscosity: case.fluid.viscosity,
        modulus: s.modulus,
        elastic_factors: [s.c_n, s.c_t],
        range: s.range.map_or(f64::INFINITY, |range| range * scales.radius),
        rolling: s.rolling,
        remote,
    })
}

fn rough(case: &Case, state: &Suspension, scales: &Scales, remote: Remote) -> Option<Rough> {
    case.laws.rough.as_ref().map(|r| Rough {
        viscosity: case.fluid.viscosity,
        stiffness: state.stiffness,
        asperity_stiffness: r.asperity_ratio * state.stiffness,
        tangential_stiffness: r.tangential_ratio * state.stiffness,
        roughness: r.roughness,
        friction: r.friction,
        range: if alone(case, state) { f64::INFINITY } else { r.cutoff * scales.radius },
        beginning: r.ending,
        film: match r.hydrodynamics {
            Hydrodynamics::Lubrication => Film::Printed { sliding: true, rolling: r.rolling },
            Hydrodynamics::TwoBody => Film::TwoBody,
        },
        remote,
    })
}

/// What a case imposes on the particles.
fn drive(case: &Case, count: usize) -> Drive {
    let (rate, stress) = match case.drive.imposed() {
        Imposed::Rate(rate) => (rate, None),
        Imposed::Stress(stress) => (0.0, Some(stress)),
    };
    let body = Vector3::from(case.drive.force);
    let mut external = Vec::new();
    if body != Vector3::zeros() || !case.force.is_empty() {
        external.resize(count, Wrench { linear: body, angular: Vector3::zeros() });
    }
    for force in &case.force {
        for &id in &force.particles {
            external[id].linear += Vector3::from(force.vector);
            external[id].angular += Vector3::from(force.torque);
        }
    }
    let flow = match case.drive.flow {
        FlowKind::Shear => Flow::default(),
        FlowKind::Extension => Flow::Extension,
    };
    let reversal = case.drive.force_reversal;
    Drive { flow, rate, stress, external, ramp: case.drive.ramp, reversal }
}

/// The stepper of a case for the particles of `state`.
pub fn stepper(case: &Case, state: &Suspension) -> Stepper {
    Stepper::new(state, setup(case, state))
}

/// What the stepper of a case is made of; a law of one's own can be added to its laws.
pub fn setup(case: &Case, state: &Suspension) -> Setup {
    let scales = Scales::new(case, state.smallest_radius());
    Setup {
        laws: interactions(case, state, &scales),
        drive: drive(case, state.len()),
        protocol: Some(case.drive.protocol()),
        medium: Medium {
            viscosity: case.fluid.viscosity,
            drag: case.fluid.drag,
            rotation: case.particles.rotation,
            field: field(case, state, &scales),
        },
        obstacles: case.obstacles(),
        gluey: gluey::law(case),
        inertia: inertia(case, &scales),
        settings: settings(case, &scales),
        solver: Solver::new(case.solver.method, case.solver.max_iterations),
        least_force: least_force(case, &scales),
    }
}

/// Forces that count as none `[F]`. Between gluey particles without films nothing acts but
/// constraints: what balances without them are no forces at all, and the drag is the scale.
fn least_force(case: &Case, scales: &Scales) -> f64 {
    match case.laws.gluey {
        Some(_) => scales.force(),
        None if case.drive.is_steady() => NO_FORCE * scales.force(),
        None => SMALL_FORCE * scales.force(),
    }
}

/// The mass of the particles: \\(\mathrm{St} = \rho\dot\gamma a^2/\mu\\).
pub fn inertia(case: &Case, scales: &Scales) -> Option<Inertia> {
    let unit_density = scales.viscosity / (scales.rate * scales.radius.powi(2));
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    let unit_step = if sheared { 1.0 / scales.rate } else { 1.0 };
    case.inertia.as_ref()?.mass(unit_density, unit_step)
}

/// How far the balances of a case are solved.
pub(super) fn convergence(case: &Case, state: &Suspension) -> Convergence {
    settings(case, &Scales::new(case, state.smallest_radius())).convergence
}

/// How the steps of a case are chosen.
fn settings(case: &Case, scales: &Scales) -> StepSettings {
    let aim = case.aim();
    let tolerance = case.time.tolerance;
    let films = case.laws.soft.is_some() || case.laws.rough.is_some();
    let (first, longest, law_residual) = match aim {
        // Films are solved by Newton's method, which is better than linear.
        _ if films && aim == Aim::Trajectory => (1e-5, 0.1, 1e-8),
        // Friction converges from secants.
        _ if case.laws.rough.as_ref().is_some_and(|rough| rough.friction > 0.0) => {
            (1e-4, 0.05, (0.1 * tolerance).clamp(1e-6, 1e-2))
        }
        _ if films => (1e-4, 0.05, 1e-6),
        Aim::Statistics => {
            let share = if may_be_held(case) { 1.0 } else { FRICTION_SHARE };
            (1e-3, 0.05, (share * tolerance).clamp(1e-6, 2e-2))
        }
        Aim::Trajectory => (1e-5, 0.1, (1e-2 * tolerance).clamp(1e-9, 1e-4)),
    };
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    // Steps are given as strain, or as time where nothing is sheared.
    let as_time = |given: Option<f64>, default: f64| match given {
        Some(time) if !sheared => time,
        Some(strain) => strain / scales.rate,
        None => default / scales.rate,
    };
    if case.laws.gluey.is_some() {
        return gluey::settings(case, scales);
    }
    let max_step = match case.drive.imposes_stress() {
        // The rate is found, and the strain of a step limited with it.
        true => LONGEST_AT_STRESS / scales.rate,
        false => as_time(case.time.max_step, longest),
    };
    StepSettings {
        tolerance,
        aim,
        first_step: as_time(case.time.first_step, first),
        max_step,
        min_step: SHORTEST * max_step,
        max_strain: if sheared { case.time.max_step.unwrap_or(longest) } else { 0.0 },
        max_overlap: case.laws.contact.max_overlap * scales.radius,
        max_stiffness: JAMMED_STIFFNESS * scales.stiffness(),
        adapt_stiffness: case.laws.contact.enabled
            && !films
            && case.laws.lubrication.hydrodynamics != Some(LubricationModel::LfDem)
            && case.laws.contact.stiffness == Stiffness::Auto,
        convergence: Convergence {
            law_residual: case.time.friction_residual.unwrap_or(law_residual),
            linear_residual: linear_residual(case, films),
            most: 60,
        },
    }
}

/// When in a step springs of contacts are evaluated. A stress may not be able to move the
/// particles, and contacts that nothing damps would swing about their rest for ever.
fn springs(case: &Case) -> Springs {
    match case.aim() {
        Aim::Statistics if case.drive.imposes_stress() => Springs::AtEnd,
        _ => Springs::Mean,
    }
}

/// Whether a stress drives a flow that remote forces may hold up: they balance among themselves,
/// and the rate follows from what little is left.
fn may_be_held(case: &Case) -> bool {
    case.drive.imposes_stress() && case.laws.named.kinds().next().is_some()
}

/// The residual of the last linear solve of a step, relative to all forces. Means of hard spheres
/// need no more than what friction is known to; power, which stiff contacts multiply, needs it to
/// be this small.
fn linear_residual(case: &Case, films: bool) -> f64 {
    let chosen = match case.aim() {
        Aim::Statistics if !films && !may_be_held(case) => LINEAR_SHARE * case.time.tolerance,
        _ => SolverTable::TIGHT,
    };
    case.solver.tolerance.unwrap_or(chosen.clamp(SolverTable::TIGHT, LEAST_EXACT))
}

/// Where a case ends: the first of strain and time that is reached.
pub fn end(case: &Case) -> End {
    let drive = &case.drive;
    let sheared = drive.imposed() != Imposed::Rate(0.0);
    let cycles = drive.oscillation.map(|o| o.cycles / o.frequency);
    End {
        strain: drive.strain.filter(|_| sheared).unwrap_or(f64::INFINITY),
        time: drive.time.or(cycles).unwrap_or(f64::INFINITY),
    }
}
