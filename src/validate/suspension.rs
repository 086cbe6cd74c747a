//! Rows of the dense suspension (\[GB20\]).

use std::f64::consts::PI;

use nalgebra::Vector3;

use super::bench::{Ran, SUSPENSION, TWO_SPHERES, set};
use super::reference::{LF_DEM, entries};
use super::{Extent, Findings, Job, Measure, Model, Reference, Row, Tolerance};
use crate::balance::rates;
use crate::laws::lubrication::{Cutoff, Film, Lubrication};
use crate::laws::{Pair, PairForce, PairLaw, Rates};
use crate::state::Velocity;

/// Ten strains of N = 200 differ between seeds by several per cent, so that means are over more.
const SEED: u64 = 3;

/// What is said once of viscosities without friction.
const FITS: &str = "± is the standard error of the mean; the fits, Mari et al. 2014 and Eilers, are \
                    those of the paper's figure 2";

/// What is said once of viscosities with friction.
const PEER: &str =
    "LF_DEM's contacts now and then lose their tangential spring when there is friction";

/// Where viscosities by LF_DEM come from.
const TABLE: &str = "LF_DEM, lf_dem_viscosity_n200.csv, with the 2.5 φ that it leaves out";

/// The jobs of this model.
pub fn jobs(extent: Extent) -> Vec<Job> {
    let mut jobs = vec![coefficients(), rigid_rotation(), squeeze()];
    match extent {
        Extent::Quick => {
            jobs.push(dilute(0.01));
            jobs.push(frictionless(0.45, 8.0, 3.5, true).noted(FITS));
        }
        Extent::Full => {
            jobs.extend([dilute(0.002), dilute(0.01)]);
            jobs.push(frictionless(0.40, 30.0, 7.0, false).noted(FITS));
            jobs.push(frictionless(0.50, 30.0, 15.0, true));
            jobs.push(frictional(0.40, 30.0, 14.0).noted(PEER));
            jobs.push(frictional(0.45, 40.0, 65.0));
            jobs.push(frictional(0.50, 30.0, 110.0));
        }
    }
    jobs
}

fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
    Row::new(Model::Suspension, what, tolerance)
}

/// A law that ends where the logarithm still is positive.
fn law() -> Lubrication {
    Lubrication {
        viscosity: 1.0,
        inner_gap: 1e-12,
        outer_gap: 0.95,
        cutoff: Cutoff::Truncated,
        film: Film::Leading,
    }
}

/// Two spheres in a direction that no axis favours.
fn pair(radii: [f64; 2], gap: f64) -> Pair {
    let normal = Vector3::new(1.0, 2.0, -1.5).normalize();
    Pair { radii, normal, distance: radii[0] + radii[1] + gap, gap, step: 0.0 }
}

/// Jeffrey & Onishi 1984: \\(X^A_{11}\sim\frac1{4\xi}+\frac9{40}\ln\frac1\xi\\) and
/// \\(Y^A_{11}\sim\frac16\ln\frac1\xi\\) in units of 6πμa.
fn coefficients() -> Job {
    let row = row("lubrication, leading terms", Tolerance::Relative(1e-6)).paper("the same");
    Job::new(vec![row], 0, 0.0, |_| {
        let law = law();
        let squeeze = |gap: f64| law.squeeze_resistance([1.0, 1.0], gap) / (6.0 * PI);
        // Two gaps tell the two terms apart: ξX is linear in ξ ln 1/ξ.
        let [near, far] = [0.01, 0.1].map(|gap: f64| [-gap * gap.ln(), gap * squeeze(gap)]);
        let logarithm = (far[1] - near[1]) / (far[0] - near[0]);
        let inverse = near[1] - logarithm * near[0];
        let gap = 1e-9_f64;
        let slide = law.respond(&pair([1.0, 1.0], gap), &[], &Rates::default()).resistance.slide;
        Ok(vec![vec![
            Measure::of("squeeze, 1/ξ", 1.0 / 4.0, inverse),
            Measure::of("squeeze, ln 1/ξ", 9.0 / 40.0, logarithm),
            Measure::of("slide, ln 1/ξ", 1.0 / 6.0, slide / (-6.0 * PI * gap.ln())),
        ]])
    })
    .source("Jeffrey & Onishi 1984")
}

/// All that a pair exerts.
fn size(force: &PairForce) -> f64 {
    force.normal.abs() + force.shear.norm() + force.rolling.norm() + force.twisting.abs()
}

/// What lubrication exerts on a pair that turns as one body, over that when one of the spheres
/// turns.
fn left_in_rigid_rotation(gap: f64) -> f64 {
    let (law, pair) = (law(), pair([1.0, 1.4], gap));
    let spin = Vector3::new(0.3, -0.5, 0.8);
    let still = Velocity::default();
    let turning = |at: Vector3<f64>| Velocity { linear: spin.cross(&at), angular: spin };
    let exerted = |i: &Velocity, j: &Velocity| {
        let rates = rates(&pair.normal, pair.levers(), i, j);
        size(&law.respond(&pair, &[], &rates).force(&rates))
    };
    let as_one = exerted(&turning(Vector3::zeros()), &turning(pair.distance * pair.normal));
    as_one / exerted(&still, &turning(Vector3::zeros()))
}

fn rigid_rotation() -> Job {
    let row = row("force left when a pair turns as one body", Tolerance::Absolute(1e-13))
        .paper("0.015 to 0.15")
        .note(
            "erratum: eq. 4 with appendix A is frame invariant only at contact; the form used here \
             is so at every gap",
        );
    Job::new(vec![row], 0, 0.0, |_| {
        let gaps = [1e-3, 0.05, 0.5].into_iter();
        let of = |gap| Measure::of(format!("gap {gap}"), 0.0, left_in_rigid_rotation(gap));
        Ok(vec![gaps.map(of).collect()])
    })
    .source("nothing is sheared in a rigid rotation")
}

/// \\(t(h) = \int(6\pi\mu a + 2X)/2F\,dh\\) of equal spheres, inverted at unit time for F = 12 from
/// a gap of 0.3 with the leading terms of Jeffrey & Onishi.
const SQUEEZED_GAP: f64 = 0.056867476575798;

fn squeeze() -> Job {
    let row = row("gap of two spheres pressed for unit time", Tolerance::Relative(1e-6));
    Job::new(vec![row], 1, 0.1, |bench| {
        let keys = [
            set("particles.positions", [[0.0, 0.0, 0.0], [0.0, 2.3, 0.0]]),
            set("particles.radii", [1.0, 1.0]),
            set("lubrication.hydrodynamics", "lubrication"),
            set("contact.friction", 0.0),
            set("drive.rate", 0.0),
            set("drive.time", 1.0),
            set("force[0].vector", [0.0, 12.0, 0.0]),
            set("force[1].vector", [0.0, -12.0, 0.0]),
        ];
        let ran = bench.run(TWO_SPHERES, &keys)?;
        let gap = ran.series.column("smallest_gap").and_then(|gaps| gaps.last().copied());
        Ok(vec![vec![Measure::new(SQUEEZED_GAP, gap.unwrap_or(f64::NAN))]])
    })
    .source("closed form: drag and film integrated over the gap")
}

fn dilute(fraction: f64) -> Job {
    let tolerance = Tolerance::Absolute(10.0 * fraction);
    let row = row(format!("(η_r − 1)/φ at φ = {fraction}, Einstein"), tolerance).paper("2.5");
    Job::new(vec![row], 1, 0.3, move |bench| {
        let keys = [
            set("particles.count", 100),
            set("particles.volume_fraction", fraction),
            set("drive.strain", 2.0),
            set("output.frames", 0.0),
        ];
        let ran = bench.run(SUSPENSION, &keys)?;
        let viscosity = viscosity(&ran, Reference::Value(2.5));
        let here = (viscosity.here - 1.0) / fraction;
        let stderr = viscosity.stderr.map(|e| e / fraction);
        Ok(vec![vec![Measure { here, stderr, ..viscosity }]])
    })
    .source("Einstein 1906")
}

/// The mean viscosity of a run, to be compared with something.
fn viscosity(ran: &Ran, reference: Reference) -> Measure {
    let stderr = Some(ran.number("/relative_viscosity/stderr")).filter(|e| e.is_finite());
    let here = ran.number("/relative_viscosity/mean");
    Measure { case: String::new(), paper: None, reference, here, stderr }
}

/// \[GB20\] fig. 2: Mari et al. 2014, and Eilers with a jamming fraction of 0.645. The fit of Mari
/// et al. is one of LF_DEM, whose viscosities lack the 2.5 φ of single spheres (without it the
/// peer's values are within 8 % of the fit, with it up to 17 % above): it counts without and with
/// it.
fn published(phi: f64) -> [f64; 2] {
    let mari = 1.4 * (1.0 - phi / 0.66).powf(-1.6);
    let eilers = (1.0 + 5.0 / 4.0 * phi / (1.0 - phi / 0.645)).powi(2);
    [mari.min(eilers), (mari + 5.0 / 2.0 * phi).max(eilers)]
}

/// η_r of LF_DEM, with the 2.5 φ of single spheres, which it leaves out.
fn lf_dem(friction: f64, phi: f64) -> f64 {
    let entries = entries(LF_DEM);
    let wanted =
        entries.iter().find(|e| e.number("friction") == friction && e.number("phi") == phi);
    wanted.map_or(f64::NAN, |e| e.number("eta_r") + 5.0 / 2.0 * phi)
}

fn keys(phi: f64, friction: f64, strain: f64) -> [String; 5] {
    [
        set("particles.seed", SEED),
        set("particles.volume_fraction", phi),
        set("contact.friction", friction),
        set("drive.strain", strain),
        set("output.frames", 0.0),
    ]
}

/// Two rows, or five if this run also shows how well the balances hold.
fn frictionless(phi: f64, strain: f64, cost: f64, balances: bool) -> Job {
    let what = |than: &str| format!("η_r at φ = {phi:.2}, N = 200, against {than}");
    let mut rows = vec![
        row(what("fits"), Tolerance::Relative(0.10))
            .paper("between")
            .source("fits of Mari et al. 2014 and Eilers"),
        row(what("LF_DEM"), Tolerance::Relative(0.15)).source(TABLE),
    ];
    if balances {
        rows.extend([
            row("  forces left, worst of all steps", Tolerance::Absolute(1e-8))
                .source("forces and torques balance"),
            row("  power in less power taken up, worst", Tolerance::Absolute(1e-6))
                .source("power in is dissipated or stored"),
            row("  largest overlap [a]", Tolerance::Absolute(0.01))
                .source("the bound, contact.max_overlap"),
        ]);
    }
    Job::new(rows, 1, cost, move |bench| -> Findings {
        let ran = bench.run(SUSPENSION, &keys(phi, 0.0, strain))?;
        let worst = |key: &str| vec![Measure::new(0.0, ran.number(key))];
        Ok(vec![
            vec![viscosity(&ran, Reference::Range(published(phi)))],
            vec![viscosity(&ran, Reference::Value(lf_dem(0.0, phi)))],
            worst("/worst_force_residual"),
            worst("/worst_power_mismatch"),
            worst("/max_overlap"),
        ])
    })
}

fn frictional(phi: f64, strain: f64, cost: f64) -> Job {
    let what = format!("η_r at φ = {phi:.2}, friction 1, against LF_DEM");
    let row = row(what, Tolerance::Relative(0.20));
    Job::new(vec![row], 1, cost, move |bench| {
        let ran = bench.run(SUSPENSION, &keys(phi, 1.0, strain))?;
        Ok(vec![vec![viscosity(&ran, Reference::Value(lf_dem(1.0, phi)))]])
    })
    .source(TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_have_an_entry_for_every_row() {
        for (friction, phi) in [(0.0, 0.4), (0.0, 0.45), (0.0, 0.5), (1.0, 0.4), (1.0, 0.5)] {
            assert!(lf_dem(friction, phi) > 5.0);
        }
        let [low, high] = published(0.5);
        assert!((low - 13.52).abs() < 0.05 && (high - 14.77).abs() < 0.05, "{low} {high}");
    }

    #[test]
    fn the_gap_of_pressed_spheres_is_that_of_the_closed_form() {
        let primitive = |h: f64| {
            let film = 6.0 * PI * (0.25 * h.ln() + 9.0 / 40.0 * (h - h * h.ln()));
            (6.0 * PI * h + 2.0 * film) / 24.0
        };
        assert!((primitive(0.3) - primitive(SQUEEZED_GAP) - 1.0).abs() < 1e-12);
    }
}
