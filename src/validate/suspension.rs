//! Rows of the dense suspension (\[GB20\]).

use std::f64::consts::PI;

use nalgebra::Vector3;

use super::bench::{SUSPENSION, TWO_SPHERES, set};
use super::dense;
use super::frame;
use super::thickening;
use super::{Extent, Job, Measure, Model, Reference, Row, Tolerance};
use crate::balance::rates;
use crate::laws::lubrication::{Cutoff, Film, Lubrication};
use crate::laws::{Pair, PairForce, PairLaw, Rates};
use crate::state::Velocity;

/// The jobs of this model.
pub fn jobs(extent: Extent) -> Vec<Job> {
    let mut jobs = vec![coefficients(), rigid_rotation(), squeeze(), frame::job()];
    match extent {
        Extent::Quick => {
            jobs.push(dilute(0.01));
            jobs.extend(dense::quick());
        }
        Extent::Full => {
            jobs.extend([dilute(0.002), dilute(0.01)]);
            jobs.extend(dense::jobs());
            jobs.extend(thickening::jobs());
        }
    }
    jobs
}

pub(super) fn row(what: impl Into<String>, tolerance: Tolerance) -> Row {
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
        let viscosity = ran.mean("/relative_viscosity", Reference::Value(2.5));
        let here = (viscosity.here - 1.0) / fraction;
        let stderr = viscosity.stderr.map(|e| e / fraction);
        Ok(vec![vec![Measure { here, stderr, ..viscosity }]])
    })
    .source("Einstein 1906")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_of_pressed_spheres_is_that_of_the_closed_form() {
        let primitive = |h: f64| {
            let film = 6.0 * PI * (0.25 * h.ln() + 9.0 / 40.0 * (h - h * h.ln()));
            (6.0 * PI * h + 2.0 * film) / 24.0
        };
        assert!((primitive(0.3) - primitive(SQUEEZED_GAP) - 1.0).abs() < 1e-12);
    }
}
