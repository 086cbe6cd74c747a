//! A suspension of spheres under shear or external forces (\[GB20\]): from the case to particles,
//! laws and stepper.

use nalgebra::Vector3;

use super::fluid::{alone, field, hydrodynamics};
use crate::balance::Medium;
use crate::case::{Case, FlowKind, Hydrodynamics, Imposed, Stiffness};
use crate::drive::{Drive, Flow};
use crate::error::Error;
use crate::hydro::Table;
use crate::integrate::Aim;
use crate::integrate::Convergence;
use crate::integrate::{End, Inertia, StepSettings, Stepper};
use crate::laws::attraction::Attraction;
use crate::laws::contact::{Contact, Springs};
use crate::laws::lubrication::{self, Lubrication};
use crate::laws::repulsion::Repulsion;
use crate::laws::rough::{Film, Rough};
use crate::laws::soft::Soft;
use crate::laws::{Interactions, Remote};
use crate::pairs::NeighbourList;
use crate::solve::Solver;
use crate::state::{Suspension, Wrench};

/// The stiffness beyond which an overlap means jamming rather than softness `[μγ̇a]`.
pub const JAMMED_STIFFNESS: f64 = 1e8;

/// Steps below this fraction of the longest one are given up.
const SHORTEST: f64 = 1e-10;

/// Overlaps that are rounding rather than deflection `[a]`.
const SMALL_OVERLAP: f64 = 1e-6;

/// Forces that count as none where the flow may come to rest `[μγ̇a²]`.
const SMALL_FORCE: f64 = 1e-4;

/// The longest step at imposed stress, in units of μ/σ.
const LONGEST_AT_STRESS: f64 = 1e3;

/// The scales that make a case's numbers dimensionless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Radius of the smallest sphere, a `[a]`.
    pub radius: f64,
    /// Viscosity of the fluid `[μ]`.
    pub viscosity: f64,
    /// Shear rate, or the rate at which the external force would drag a small sphere by its
    /// radius when nothing is sheared `[1/t]`.
    pub rate: f64,
}

impl Scales {
    /// Of a case with the given particles.
    pub fn new(case: &Case, smallest_radius: f64) -> Self {
        let viscosity = case.fluid.viscosity;
        let rate = match case.drive.imposed() {
            Imposed::Stress(stress) => (stress / viscosity).abs(),
            Imposed::Rate(rate) if rate != 0.0 => rate.abs(),
            Imposed::Rate(_) => {
                let body = Vector3::from(case.drive.force).norm();
                let force = case.force.iter().map(|f| Vector3::from(f.vector).norm());
                let drag = 6.0 * std::f64::consts::PI * viscosity * smallest_radius.powi(2);
                let rate = force.fold(body, f64::max) / drag;
                if rate > 0.0 { rate } else { 1.0 }
            }
        };
        Scales { radius: smallest_radius, viscosity, rate }
    }

    /// μγ̇, the unit of stress.
    pub fn stress(&self) -> f64 {
        self.viscosity * self.rate
    }

    /// μγ̇a, the unit of stiffness.
    pub fn stiffness(&self) -> f64 {
        self.stress() * self.radius
    }

    /// μγ̇a², the unit of force.
    pub fn force(&self) -> f64 {
        self.stress() * self.radius * self.radius
    }
}

/// The particles that a case begins with.
///
/// # Errors
///
/// When the spheres cannot be packed, the file cannot be read, or the box is too small for the
/// laws' range.
pub fn initial(case: &Case) -> Result<Suspension, Error> {
    prepared(case, super::particles::of(case)?)
}

/// Particles with the stiffness that the case gives them, if it can be run with them.
///
/// # Errors
///
/// When a force acts on none of them, films begin with an overlap, or the box is too small for the
/// laws' range.
pub fn prepared(case: &Case, mut state: Suspension) -> Result<Suspension, Error> {
    let scales = Scales::new(case, state.smallest_radius());
    if case.soft.is_none() {
        state.stiffness = scales.stiffness() * stiffness(case, &state, &scales);
    }
    check_forces(case, state.len())?;
    check_obstacles(case, &state)?;
    check_films(case, &state)?;
    check_ratio(case, &state)?;
    check_box(case, &state)?;
    Ok(state)
}

/// Ids that only a configuration file can tell to be wrong.
fn check_forces(case: &Case, count: usize) -> Result<(), Error> {
    for (k, force) in case.force.iter().enumerate() {
        if let Some(id) = force.particles.iter().find(|id| **id >= count) {
            let last = count - 1;
            return Err(Error::Usage {
                reason: format!(
                    "force[{k}].particles: there is no particle {id} among {count}; \
                     they are numbered 0 to {last}"
                ),
            });
        }
    }
    Ok(())
}

/// Particles must not begin inside obstacles.
fn check_obstacles(case: &Case, state: &Suspension) -> Result<(), Error> {
    let obstacles = case.obstacles();
    let allowed = SMALL_OVERLAP * state.smallest_radius();
    let mut worst: Option<(f64, usize, usize)> = None;
    for (particle, (x, a)) in state.positions.iter().zip(&state.radii).enumerate() {
        obstacles.near(x, *a, 0.0, |surface, foot| {
            let overlap = a - foot.distance;
            if overlap > worst.map_or(allowed, |(most, ..)| most) {
                worst = Some((overlap, particle, obstacles.body_of(surface)));
            }
        });
    }
    let Some((overlap, particle, body)) = worst else { return Ok(()) };
    let obstacle = obstacles.bodies()[body].name.clone();
    Err(Error::ObstacleOverlap { particle, obstacle, overlap })
}

/// Soft and rough spheres begin undeflected, so they must not overlap.
fn check_films(case: &Case, state: &Suspension) -> Result<(), Error> {
    if case.soft.is_none() && case.rough.is_none() && case.gluey.is_none() {
        return Ok(());
    }
    let mut pairs = Vec::new();
    NeighbourList::new(0.0, 0.0).active(state, &mut pairs);
    let overlapping = pairs.iter().filter(|p| p.gap < -SMALL_OVERLAP * state.smallest_radius());
    match overlapping.min_by(|a, b| a.gap.total_cmp(&b.gap)) {
        Some(pair) => Err(Error::Overlap { ids: pair.ids, overlap: -pair.gap }),
        None => Ok(()),
    }
}

/// Radii that only a file or a distribution tells must be within the tables of two-sphere functions.
fn check_ratio(case: &Case, state: &Suspension) -> Result<(), Error> {
    let ratio = state.largest_radius() / state.smallest_radius();
    if hydrodynamics(case) == Hydrodynamics::Lubrication || ratio <= Table::LARGEST_RATIO {
        return Ok(());
    }
    Err(Error::Usage {
        reason: format!(
            "the radii differ by a factor of {ratio:.3}, and two-sphere functions are tabulated up to \
             {}: take hydrodynamics = \"lubrication\", or closer radii",
            Table::LARGEST_RATIO
        ),
    })
}

fn check_box(case: &Case, state: &Suspension) -> Result<(), Error> {
    let reach = stepper(case, state).reach(state);
    let needed = 2.0 * reach;
    let shortest = 2.0 * state.cell.reach();
    if shortest < needed {
        // A little more than the box needs, because other numbers draw other sizes.
        let count = (1.15 * state.len() as f64 * (needed / shortest).powi(3)).ceil();
        return Err(Error::BoxTooSmall { shortest, needed, count: count as usize });
    }
    Ok(())
}

/// The normal stiffness to begin with `[μγ̇a]`.
///
/// The largest contact forces are estimated from the particle pressure
/// \\(\Pi \approx [\phi/(\phi_J - \phi)]^2\\) of \[GB20\], with a jamming fraction that falls
/// from 0.645 to 0.56 with friction; runs show the largest of some thousand contact forces at
/// about \\((1000 + 150\,\Pi)\,\mu\dot\gamma a^2\\).
fn stiffness(case: &Case, state: &Suspension, scales: &Scales) -> f64 {
    let given = case.rough.as_ref().map_or(case.contact.stiffness, |rough| rough.stiffness);
    if let Stiffness::Given(value) = given {
        return value;
    }
    if matches!(case.drive.imposed(), Imposed::Stress(_)) {
        // Under a given stress σ the largest contact forces are some 300 σa², however fast it flows.
        return 300.0 / case.contact.max_overlap;
    }
    let fraction = state.volume_fraction().unwrap_or(0.0);
    // Below a critical load contacts do not rub; where they come to, the stiffness is raised.
    let rubs = case.contact.critical_load == 0.0;
    let contact = if rubs { case.contact.friction } else { 0.0 };
    let friction = case.rough.as_ref().map_or(contact, |rough| rough.friction);
    let jamming = 0.645 - 0.085 * (1.0 - (-friction / 0.2).exp());
    let pressure = (fraction / (jamming - fraction).max(0.01)).powi(2);
    let mut largest_force = 1000.0 + 150.0 * pressure;
    let attraction = case.attraction.as_ref().map_or(0.0, |a| {
        a.hamaker / (12.0 * (a.regularisation * scales.radius).powi(2)) * scales.radius
    });
    let repulsion = case.repulsion.as_ref().map_or(0.0, |r| r.force);
    largest_force += 3.0 * (attraction + repulsion) / scales.force();
    largest_force / case.contact.max_overlap
}

/// The laws of a case. Between soft or rough particles everything goes through the film: remote
/// forces then act inside its law.
pub fn interactions(case: &Case, state: &Suspension, scales: &Scales) -> Interactions {
    let remote = remote(case, scales.radius);
    if case.soft.is_some() {
        return Interactions::default().with_some(soft(case, scales, remote));
    }
    if case.rough.is_some() {
        return Interactions::default().with_some(rough(case, state, scales, remote));
    }
    Interactions::default()
        .with_some(lubrication(case, state, scales))
        .with_some(contact(case, state, scales))
        .with_some(remote.repulsion)
        .with_some(remote.attraction)
}

fn lubrication(case: &Case, state: &Suspension, scales: &Scales) -> Option<Lubrication> {
    let (l, radius) = (&case.lubrication, scales.radius);
    l.enabled.then_some(Lubrication {
        viscosity: case.fluid.viscosity,
        inner_gap: l.inner_gap * radius,
        outer_gap: if alone(case, state) { f64::INFINITY } else { l.outer_gap * radius },
        cutoff: l.cutoff,
        film: match l.hydrodynamics {
            Hydrodynamics::Lubrication => lubrication::Film::Leading,
            Hydrodynamics::TwoBody => lubrication::Film::TwoBody,
        },
    })
}

fn contact(case: &Case, state: &Suspension, scales: &Scales) -> Option<Contact> {
    let c = &case.contact;
    (c.enabled && case.gluey.is_none()).then_some(Contact {
        stiffness: state.stiffness,
        tangential_ratio: c.tangential_ratio,
        friction: c.friction,
        critical_load: c.critical_load,
        damping: c.damping * case.fluid.viscosity * scales.radius,
        springs: match case.aim() {
            Aim::Statistics => Springs::AtEnd,
            Aim::Trajectory => Springs::Mean,
        },
    })
}

fn remote(case: &Case, radius: f64) -> Remote {
    Remote {
        repulsion: case.repulsion.as_ref().map(|r| Repulsion {
            force: r.force,
            debye_length: r.debye_length * radius,
            smallest_radius: radius,
        }),
        attraction: case.attraction.as_ref().map(|a| Attraction {
            hamaker: a.hamaker,
            regularisation: a.regularisation,
            range: a.range * radius,
        }),
    }
}

fn soft(case: &Case, scales: &Scales, remote: Remote) -> Option<Soft> {
    case.soft.as_ref().map(|s| Soft {
        viscosity: case.fluid.viscosity,
        modulus: s.modulus,
        elastic_factors: [s.c_n, s.c_t],
        range: s.range.map_or(f64::INFINITY, |range| range * scales.radius),
        rolling: s.rolling,
        remote,
    })
}

fn rough(case: &Case, state: &Suspension, scales: &Scales, remote: Remote) -> Option<Rough> {
    case.rough.as_ref().map(|r| Rough {
        viscosity: case.fluid.viscosity,
        stiffness: state.stiffness,
        asperity_stiffness: r.asperity_ratio * state.stiffness,
        tangential_stiffness: r.tangential_ratio * state.stiffness,
        roughness: r.roughness,
        friction: r.friction,
        range: if alone(case, state) { f64::INFINITY } else { r.cutoff * scales.radius },
        cutoff: r.ending,
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
    let scales = Scales::new(case, state.smallest_radius());
    let solver = Solver::new(case.solver.method, case.solver.max_iterations);
    let mut stepper = Stepper::new(
        state,
        interactions(case, state, &scales),
        drive(case, state.len()),
        Medium {
            viscosity: case.fluid.viscosity,
            drag: case.fluid.drag,
            rotation: case.particles.rotation,
            field: field(case, state, &scales),
        },
        settings(case, &scales),
        solver,
    );
    if let Some(mass) = inertia(case, &scales) {
        stepper.set_inertia(state, mass);
    }
    stepper.set_obstacles(case.obstacles());
    if let Some(gluey) = super::gluey::law(case) {
        stepper.set_gluey(state, gluey);
    }
    stepper.set_protocol(case.drive.protocol());
    if !case.drive.is_steady() {
        stepper.set_least_force(SMALL_FORCE * scales.force());
    }
    stepper
}

/// The mass of the particles: \\(\mathrm{St} = \rho\dot\gamma a^2/\mu\\).
pub fn inertia(case: &Case, scales: &Scales) -> Option<Inertia> {
    let unit_density = scales.viscosity / (scales.rate * scales.radius.powi(2));
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    let unit_step = if sheared { 1.0 / scales.rate } else { 1.0 };
    case.inertia.as_ref()?.mass(unit_density, unit_step)
}

/// How the steps of a case are chosen.
fn settings(case: &Case, scales: &Scales) -> StepSettings {
    let aim = case.aim();
    let tolerance = case.time.tolerance;
    let films = case.soft.is_some() || case.rough.is_some();
    let (first, longest, law_residual) = match aim {
        // Films are solved by Newton's method, which is better than linear.
        _ if films && aim == Aim::Trajectory => (1e-5, 0.1, 1e-8),
        // Friction converges from secants.
        _ if case.rough.as_ref().is_some_and(|rough| rough.friction > 0.0) => {
            (1e-4, 0.05, (0.1 * tolerance).clamp(1e-6, 1e-2))
        }
        _ if films => (1e-4, 0.05, 1e-6),
        Aim::Statistics => (1e-3, 0.05, tolerance.clamp(1e-6, 1e-2)),
        Aim::Trajectory => (1e-5, 0.1, (1e-2 * tolerance).clamp(1e-9, 1e-4)),
    };
    let sheared = case.drive.imposed() != Imposed::Rate(0.0);
    // Steps are given as strain, or as time where nothing is sheared.
    let as_time = |given: Option<f64>, default: f64| match given {
        Some(time) if !sheared => time,
        Some(strain) => strain / scales.rate,
        None => default / scales.rate,
    };
    if case.gluey.is_some() {
        return super::gluey::settings(case, scales);
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
        max_overlap: case.contact.max_overlap * scales.radius,
        max_stiffness: JAMMED_STIFFNESS * scales.stiffness(),
        adapt_stiffness: case.contact.enabled
            && !films
            && case.contact.stiffness == Stiffness::Auto,
        convergence: Convergence {
            law_residual: case.time.friction_residual.unwrap_or(law_residual),
            linear_residual: case.solver.tolerance,
            most: 60,
        },
    }
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
