//! `zerostokes check`: what a case means, before anything runs.

use std::f64::consts::PI;

use super::{CaseArguments, print};
use crate::Error;
use crate::case::{
    Case, Collision, PairShear, Partner, Settle, SoftPair, Stiffness, Study, T1, percent,
};
use crate::integrate::Aim;
use crate::integrate::Inertia;
use crate::state::Suspension;
use crate::study::suspension::{Scales, end, initial};
use crate::study::{self, collision, gluey, pair_shear, settle, soft_pair, t1};

pub(super) fn check(arguments: &CaseArguments) -> Result<(), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let mut lines = vec![format!("{}: valid", arguments.case.display())];
    match case.study {
        Study::Suspension => {
            let state = initial(&case)?;
            let scales = Scales::new(&case, state.smallest_radius());
            lines.extend(geometry(&state));
            lines.extend(forces(&case, &state, &scales));
            lines.extend(accuracy(&case));
            lines.extend(inertia(&case, state.smallest_radius()));
            lines.push(cost(&case, &state, &scales));
        }
        Study::T1 => lines.extend(rearrangement(&t1::table(&case))),
        Study::SoftPair => lines.extend(two_spheres(&soft_pair::table(&case))),
        Study::Settle => lines.extend(falling(&case, &settle::table(&case))),
        Study::PairShear => lines.extend(passing(&pair_shear::table(&case))),
        Study::Collision => lines.extend(colliding(&collision::table(&case))),
        Study::GlueyPlane => lines.extend(gluey::plane::expected(&case)),
    }
    if case.study != Study::Suspension {
        lines.extend(inertia(&case, 1.0));
    }
    lines.push(String::new());
    lines.push("# resolved, with every default".to_owned());
    lines.extend(case.to_toml().lines().map(str::to_owned));
    print(&lines)
}

/// The mass of the particles, if they have one.
fn inertia(case: &Case, smallest_radius: f64) -> Vec<String> {
    let Some(Inertia { density, explicit }) = study::inertia(case, smallest_radius) else {
        return Vec::new();
    };
    let viscosity = case.fluid.viscosity;
    let relaxation = 2.0 * density * smallest_radius.powi(2) / (9.0 * viscosity);
    let scheme = match explicit {
        Some(_) => "explicit steps (velocity Verlet), as short as stability asks",
        None => "implicit in the adaptive steps",
    };
    vec![
        format!("inertia             density {density:.4e}, {scheme}"),
        format!("relaxation          2ρa²/9μ = {relaxation:.4e} for the smallest sphere alone"),
    ]
}

fn rearrangement(t1: &T1) -> Vec<String> {
    let [x, y] = t1.forces();
    let mut lines = vec![
        "particles           4 soft spheres of radius R".to_owned(),
        format!("units               R, η, τ = 6π√3 ηR²/|N_y|; N_x = {x:.4}, N_y = {y:.4} ηR²/τ"),
        format!("softness            κ = {}, E = {:.4e} η/τ", t1.kappa, t1.modulus()),
        format!("regime              {} of figure 3", t1.regime()),
    ];
    lines.push(if t1.is_expected() {
        format!(
            "expected duration   {:.3} τ for the separation (eqs. 32–33)",
            t1.expected_duration()
        )
    } else {
        "expected duration   none: no rearrangement where N_y < √3 N_x".to_owned()
    });
    lines.push(format!("given up at         {:.3} τ", t1.longest()));
    lines.push("expected cost       under a second".to_owned());
    lines
}

fn two_spheres(pair: &SoftPair) -> Vec<String> {
    vec![
        "particles           2 soft spheres of radius R".to_owned(),
        "units               R, η, τ = 6πηR²/F; F = 6π ηR²/τ".to_owned(),
        format!("softness            κ = {}, E = {:.4e} η/τ", pair.kappa, 6.0 * PI / pair.kappa),
        format!("regimes meet        at h = {:.4e} R", pair.crossover()),
        format!(
            "expected end        {:.4} τ, at the latest {:.4} τ",
            pair.expected_time(),
            pair.longest()
        ),
        "expected cost       under a second".to_owned(),
    ]
}

fn falling(case: &Case, settle: &Settle) -> Vec<String> {
    let mut lines = vec![
        "particles           1 fixed sphere and one of weight W, radius a".to_owned(),
        "units               a, η, τ_c = η/(aρg); W = 4π/3 ηa²/τ_c".to_owned(),
        format!("roughness           ε = {}", settle.roughness),
    ];
    lines.push(match (settle.equilibrium_gap(), settle.late_rate()) {
        (Some(gap), _) => format!(
            "equilibrium         u = {gap:.6e} a, contact number K = {}",
            settle.contact_number
        ),
        (None, rate) => format!(
            "equilibrium         none: the film drains at {:.6} / τ_c",
            rate.unwrap_or_default()
        ),
    });
    lines.push(format!(
        "expected end        {:.4} τ_c, at the latest {:.4} τ_c",
        settle::response::likely_end(case, 0.0),
        settle::response::longest(case)
    ));
    lines.push("expected cost       under a second".to_owned());
    lines
}

fn colliding(given: &Collision) -> Vec<String> {
    let setting = collision::motion::Setting::new(given);
    let (matter, law) = (&setting.matter, &setting.law);
    vec![
        format!(
            "particles           a {} sphere of radius {:e} m that hits a {}",
            given.material.name(),
            given.radius,
            if given.partner == Partner::Wall { "wall" } else { "sphere" }
        ),
        "units               SI".to_owned(),
        format!(
            "impact              St = {}, v₀ = {:.4e} m/s at {}°, η = {} Pa s",
            given.stokes, setting.speed, given.angle_deg, given.viscosity
        ),
        format!(
            "smallest approach   {:.4e} m: roughness {:.4e}, deformation {:.4e}",
            law.approach,
            matter.roughness,
            matter.deformation_gap(setting.normal_speed)
        ),
        format!(
            "times               {:.4e} s through the film, {:.4e} s for a dry contact",
            setting.approach_time(),
            matter.hertz_time(setting.normal_speed)
        ),
        format!(
            "expected            e = {:.4} to leading order, none below St_c ≈ {:.2}",
            collision::theory(given),
            matter.critical_stokes()
        ),
        "expected cost       under a second".to_owned(),
    ]
}

fn passing(pair: &PairShear) -> Vec<String> {
    let stiffness = pair.stiffness.map_or("rigid".to_owned(), |k| {
        format!("k_b = {k:.4e} μγ̇a, capillary number {:.4e}", 1.0 / k)
    });
    let cutoff = pair.cutoff();
    vec![
        format!(
            "particles           2 spheres of radius {} and {} a",
            pair.radii[0], pair.radii[1]
        ),
        "units               a, η, 1/γ̇".to_owned(),
        format!("roughness           ε = {}", pair.roughness),
        format!("stiffness           {stiffness}"),
        match cutoff.is_finite() {
            true => format!("range               gaps up to {cutoff} a"),
            false => "range               any distance".to_owned(),
        },
        format!(
            "expected end        strain {:.1}, given up at {:.1}",
            pair.expected_strain(),
            pair.longest()
        ),
        "expected cost       under a second".to_owned(),
    ]
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
    if let Some(soft) = &case.soft {
        let (modulus, force) = (soft.modulus, 6.0 * PI * scales.force());
        let kappa = force / (modulus * scales.radius.powi(2));
        lines.push(format!(
            "softness            E = {modulus:.4e} = {:.4e} μγ̇, 6πμγ̇a²/Ea² = {kappa:.3e}, deflection {:.3e} a",
            modulus / scales.stress(),
            (2.0 * kappa / soft.c_n).powf(2.0 / 3.0)
        ));
    } else if let Some(rough) = &case.rough {
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
    } else if case.contact.enabled {
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
        Some((steps, seconds)) => {
            let time = duration(seconds);
            let about = if case.accuracy.is_some() { "at most about" } else { "about" };
            format!("expected cost       {about} {steps:.0} steps, {time} on one core")
        }
    }
}

/// A rough estimate: steps and seconds, from the steps per strain at the default tolerance and what a
/// step of so many particles takes on one core.
pub(super) fn expected(case: &Case, count: usize, scales: &Scales) -> Option<(f64, f64)> {
    let films = case.soft.is_some() || case.rough.is_some();
    if films && case.aim() == Aim::Trajectory {
        return None;
    }
    let end = end(case);
    let strains = end.strain.min(end.time * scales.rate);
    let frictional = case.contact.friction > 0.0;
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
    Some((steps, steps * per_step))
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "under a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
