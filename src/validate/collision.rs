//! Rows of lubricated collisions (\[NOP23\]).

use super::bench::{COLLISION, Ran, set};
use super::reference::{Entry, RESTITUTION, entries};
use super::{Bench, Findings, Halt, Job, Measure, Model, Row, Tolerance};
use crate::study::collision::motion::Setting;
use crate::study::collision::{Collision, Material, critical_stokes};

/// Restitution without a fluid, of all materials of Table 1.
const DRY: f64 = 0.97;

/// The jobs of this model; all of them are quick.
pub fn jobs() -> Vec<Job> {
    vec![restitution(), critical(), fast(), slow(), roughness(), grazing()]
}

fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
    Row::new(Model::Collision, what, tolerance)
}

fn collide(bench: &Bench, material: &str, stokes: f64, more: &[String]) -> Result<Ran, Halt> {
    let keys = [set("collision.material", material), set("collision.stokes", stokes)];
    bench.run(COLLISION, &[&keys, more].concat())
}

/// A number for each material.
fn each(of: impl Fn(Material) -> Result<Measure, Halt>) -> Result<Vec<Measure>, Halt> {
    Material::ALL.into_iter().map(of).collect()
}

/// An entry of the table.
fn entry(bench: &Bench, entry: &Entry<'_>) -> Result<Measure, Halt> {
    let (material, stokes) = (entry.text("material"), entry.number("stokes"));
    let roughness = entry.number("roughness_m");
    let more = [
        set("collision.roughness", roughness),
        set("collision.viscosity", entry.number("viscosity_Pa_s")),
    ];
    let ran = collide(bench, material, stokes, &more)?;
    let case = format!("{material}, St {stokes}, roughness {roughness:e} m");
    Ok(Measure::of(case, entry.number("restitution"), ran.number("/collision/restitution")))
}

fn restitution() -> Job {
    let tolerance = Tolerance::Absolute(1e-3);
    let rows = vec![
        row("restitution against St, steel-1", tolerance),
        row("  delrin, roughness from 10 nm to 10 μm", tolerance),
    ];
    let runs = entries(RESTITUTION).len();
    Job::new(rows, runs, 0.02 * runs as f64, |bench| -> Findings {
        let table = entries(RESTITUTION);
        let of = |material: &str| {
            let wanted = table.iter().filter(|e| e.text("material") == material);
            wanted.map(|e| entry(bench, e)).collect::<Result<Vec<_>, Halt>>()
        };
        Ok(vec![of("steel-1")?, of("delrin")?])
    })
    .source("a separate program, collision_restitution.csv")
}

/// Momentum lost in the film on both ways is that at the start at
/// \\(\mathrm{St}_c \approx (1 + 1/e)\ln(R^*/h_{min})\\), to leading order.
fn critical() -> Job {
    let rows = vec![
        row("St where rebound begins, four materials", Tolerance::Relative(0.05))
            .paper("5 to 20")
            .note("reference: (1 + 1/e) ln(R*/h_min), 17 to 24; the paper quotes experiments"),
        row("  restitution just below it", Tolerance::Absolute(0.0))
            .paper("0")
            .source("theory: the film takes all momentum"),
        row("  without inertia, whatever the speed", Tolerance::Absolute(1e-6))
            .source("theory: no inertia, no rebound"),
    ];
    Job::new(rows, 2 * Material::ALL.len(), 0.5, |bench| -> Findings {
        let given = |material| Collision { material, ..Collision::default() };
        let numbers = each(|material| {
            let about = Setting::new(&given(material)).matter.critical_stokes();
            Ok(Measure::of(material.name(), about, critical_stokes(&given(material))))
        })?;
        let below = each(|material| {
            let ran =
                collide(bench, material.name(), 0.97 * critical_stokes(&given(material)), &[])?;
            Ok(Measure::of(material.name(), 0.0, ran.number("/collision/restitution")))
        })?;
        let without = each(|material| {
            let ran = collide(bench, material.name(), 1000.0, &[])?;
            let left = ran.number("/collision/zero_stokes/restitution");
            Ok(Measure::of(material.name(), 0.0, left))
        })?;
        Ok(vec![numbers, below, without])
    })
    .source("closed form to leading order")
}

fn fast() -> Job {
    let rows = vec![
        row("restitution at St = 2000, four materials", Tolerance::Absolute(0.015)).paper("0.97"),
        row("  at St = 1e5", Tolerance::Absolute(1e-3)).paper("0.97"),
    ];
    Job::new(rows, 2 * Material::ALL.len(), 0.2, |bench| -> Findings {
        let at = |stokes: f64| {
            each(|material| {
                let ran = collide(bench, material.name(), stokes, &[])?;
                Ok(Measure::of(material.name(), DRY, ran.number("/collision/restitution")))
            })
        };
        Ok(vec![at(2e3)?, at(1e5)?])
    })
    .source("restitution without a fluid, table 1")
}

/// All momentum stays in the film, \\(\ln(R^*/h) = \mathrm{St}\\).
fn slow() -> Job {
    let rows = vec![
        row("St = 1, four materials: do they touch", Tolerance::Same).paper("no"),
        row("  gap at which they stop, over R*", Tolerance::Relative(1e-3)).note("e^-St"),
    ];
    Job::new(rows, Material::ALL.len(), 0.2, |bench| -> Findings {
        let (mut touched, mut gaps) = (Vec::new(), Vec::new());
        for material in Material::ALL {
            let ran = collide(bench, material.name(), 1.0, &[])?;
            let gap = ran.number("/collision/min_gap") / ran.number("/collision/reduced_radius");
            touched.push(Measure::of(material.name(), 0.0, ran.number("/collision/touched")));
            gaps.push(Measure::of(material.name(), (-1.0_f64).exp(), gap));
        }
        Ok(vec![touched, gaps])
    })
    .source("closed form: ln(R*/h) = St where they stop")
}

/// Level below the roughness at which surfaces deform by as much, rising above.
fn roughness() -> Job {
    const STOKES: [f64; 4] = [30.0, 100.0, 300.0, 900.0];
    const SIZES: [f64; 6] = [1e-9, 1e-8, 2e-7, 1e-6, 3e-6, 1e-5];
    let rows = vec![
        row("smooth spheres (1 to 10 nm): change of e", Tolerance::Absolute(1e-9)).paper("none"),
        row("  e rises with roughness, St 30 to 900", Tolerance::Same)
            .paper("yes")
            .source("the paper")
            .note("from 0.2 to 10 μm"),
    ];
    Job::new(rows, STOKES.len() * SIZES.len(), 0.5, |bench| -> Findings {
        let (mut level, mut rises) = (Vec::new(), Vec::new());
        for stokes in STOKES {
            let e: Vec<f64> = SIZES
                .into_iter()
                .map(|size| {
                    let more = [set("collision.roughness", size)];
                    Ok(collide(bench, "delrin", stokes, &more)?.number("/collision/restitution"))
                })
                .collect::<Result<_, Halt>>()?;
            let rising = e[1..].windows(2).all(|pair| pair[0] < pair[1]);
            level.push(Measure::of(format!("St {stokes}"), 0.0, e[1] - e[0]));
            rises.push(Measure::of(format!("St {stokes}"), 1.0, f64::from(u8::from(rising))));
        }
        Ok(vec![level, rises])
    })
    .source("the paper: level where deformation is larger")
}

/// Surfaces that slide all the time: \\(\tan\theta' = (\tan\theta - \mu(1+e))/e\\).
fn grazing() -> Job {
    let rows = vec![
        row("impact at 75°, sliding: rebound [°]", Tolerance::Absolute(0.1)),
        row("  the same on a wall", Tolerance::Absolute(0.1)),
    ];
    Job::new(rows, 2, 0.1, |bench| -> Findings {
        let of = |partner: &str| -> Result<Vec<Measure>, Halt> {
            let more = [set("collision.angle_deg", 75.0), set("collision.partner", partner)];
            let ran = collide(bench, "glass", 2e4, &more)?;
            let [e, friction] =
                ["restitution", "friction"].map(|name| ran.number(&format!("/collision/{name}")));
            let tangent = (75.0_f64.to_radians().tan() - friction * (1.0 + e)) / e;
            let found = ran.number("/collision/relative_rebound_angle_deg");
            Ok(vec![Measure::new(tangent.atan().to_degrees(), found)])
        };
        Ok(vec![of("sphere")?, of("wall")?])
    })
    .source("Coulomb's law for surfaces that slide throughout")
}
